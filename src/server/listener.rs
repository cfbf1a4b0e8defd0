//! The events of a wallet, one after the other, as those get them who listen.

use super::App;
use super::approvals::is_for;
use super::events::{Audience, Journal, JournalEntry};
use super::outbox::{self, Heard, Next, Reader};
use crate::service::{Phase, Wallet};
use std::sync::Arc;
use tokio::sync::watch;

/// An event, as it is told.
pub(super) struct Told {
    /// To go on after it; none has one that was missed.
    pub id: Option<String>,
    pub name: &'static str,
    /// Its JSON.
    pub data: String,
    /// Whether it is kept in the store until it is told.
    pub is_kept: bool,
}

/// Somebody who listens, and how far.
pub(super) struct Listener {
    app: App,
    wallet_id: String,
    wallet: Wallet,
    journal: Arc<Journal>,
    audience: Audience,
    more: watch::Receiver<u64>,
    next: u64,
    /// Whether it is still to be told that it missed something.
    has_missed: bool,
    /// What it has not heard of the events in the store before the journal began to note them, and the last
    /// one that it is told so.
    earlier: Option<(Reader, u64)>,
    /// How far it has heard the events in the store otherwise: elsewhere, or so.
    heard: Heard,
    is_closed: bool,
}

impl Listener {
    /// A plugin, from the next event on.
    pub fn plugin(app: &App, wallet_id: &str, wallet: &Wallet) -> Self {
        Self { audience: Audience::Plugins, ..Self::begin(app, wallet_id, wallet, None) }
    }

    /// From the next event on, or from the one whose id is given.
    pub fn begin(app: &App, wallet_id: &str, wallet: &Wallet, last: Option<&str>) -> Self {
        let journal = app.journal(wallet_id, wallet);
        let more = journal.watch();
        let (next, has_missed) = journal.resume(last);
        let heard = last.and_then(heard_in);
        let until = journal.heard();
        // The journal notes all that come after the start, also where it can't read them yet.
        let noted_from = until.seq.max(wallet.last_event_at_start());
        let earlier =
            heard.filter(|_| has_missed).map(|heard| (Reader::new(wallet, Some(heard)), noted_from));
        // An id that the log has no more says nothing of the one there is now.
        let is_of_log = |heard: &Heard| heard.tag == until.tag || until == Heard::default();
        let heard = heard.filter(is_of_log).unwrap_or_default();
        Self {
            app: app.clone(),
            wallet_id: wallet_id.to_owned(),
            wallet: wallet.clone(),
            journal,
            audience: Audience::Clients,
            more,
            next,
            has_missed,
            earlier,
            heard,
            is_closed: false,
        }
    }

    /// The next event, until the wallet is closed. It ends, too, at an event that can't be read any more
    /// because the wallet is closed: a later one's id would say that it was told.
    pub async fn next(&mut self) -> Option<Told> {
        if std::mem::take(&mut self.has_missed) {
            let (name, data) = self.journal.tell_missed(None);
            return Some(Told { id: None, name, data, is_kept: false });
        }
        if self.earlier.is_some() {
            let mut status = self.wallet.watch();
            let event = tokio::select! {
                event = self.earlier() => event,
                _ = status.wait_for(|status| status.phase == Phase::Closed) => return None,
            };
            if event.is_some() {
                return event;
            }
        }
        if self.is_closed {
            return None;
        }
        loop {
            // Seen before looking, so that what comes in between wakes it again.
            self.more.borrow_and_update();
            let Some((number, note, heard)) = self.journal.event(self.next) else {
                self.more.changed().await.ok()?;
                continue;
            };
            self.next = number + 1;
            if let Some((name, data)) = self.words(&note).await? {
                self.is_closed = note.is_end();
                let heard = heard_by(heard, self.heard);
                let (id, is_kept) = (self.journal.id(number, heard), matches!(note, JournalEntry::Kept(_)));
                return Some(Told { id: Some(id), name, data, is_kept });
            }
        }
    }

    /// The next of what it has not heard before the journal began.
    async fn earlier(&mut self) -> Option<Told> {
        let (mut reader, until) = self.earlier.take()?;
        let (name, data) = loop {
            match reader.begin().await {
                Ok(None) if reader.heard.seq >= until => {
                    // The journal here may hear later of what it has heard elsewhere.
                    self.heard = reader.heard;
                    return None;
                }
                Ok(Some(_)) => continue,
                Ok(None) => {}
                Err(failure) => {
                    outbox::wait_after(&failure).await;
                    continue;
                }
            }
            match reader.next().await {
                Next::Event(record) if is_for(&record, &self.wallet_id) => {
                    break outbox::words(&record, &self.wallet, &self.wallet_id);
                }
                Next::Event(_) => {}
                // That it did was told.
                Next::Missed(_) => {}
            }
        };
        // Of no process: who comes with it has heard none of the notes.
        let id = format!("earlier.{}-0", reader.heard);
        self.earlier = Some((reader, until));
        Some(Told { id: Some(id), name, data, is_kept: true })
    }

    /// A note's text, if it is for this listener; `None` where it can't be read as the wallet is closed.
    async fn words(&self, note: &JournalEntry) -> Option<Option<(&'static str, String)>> {
        let config = self.app.config();
        if !note.is_for(self.audience, config.compat) {
            return Some(None);
        }
        let seq = match note {
            JournalEntry::Kept(seq) if *seq <= self.heard.seq => return Some(None),
            JournalEntry::Kept(seq) => *seq,
            note => return Some(self.journal.tell(note, config.network, config.compat)),
        };
        let Some(record) = self.journal.of_store(seq).await else {
            let is_closed = self.wallet.store().is_none();
            return (!is_closed).then(|| Some(self.journal.tell_missed(Some(1))));
        };
        let is_for_them = is_for(&record, &self.wallet_id);
        Some(is_for_them.then(|| outbox::words(&record, &self.wallet, &self.wallet_id)))
    }
}

/// How far a listener has heard the events in the store by a note: that may be older than what it has heard
/// elsewhere, or of a journal that never got to know where they are, as its wallet was stopped at once.
fn heard_by(note: Heard, elsewhere: Heard) -> Heard {
    let is_older = note.tag == elsewhere.tag && note.seq < elsewhere.seq;
    if is_older || note == Heard::default() { elsewhere } else { note }
}

/// What an id says of the events in the store.
fn heard_in(id: &str) -> Option<Heard> {
    let (place, _) = id.rsplit_once('-')?;
    Heard::read(place.split_once('.')?.1)
}

#[cfg(test)]
mod tests {
    use super::{Heard, heard_by};

    #[test]
    fn a_listener_goes_on_from_the_last_that_it_has_heard() {
        let at = |tag, seq| Heard { tag, seq };
        assert_eq!(heard_by(at(1, 5), at(1, 4)), at(1, 5));
        assert_eq!(heard_by(at(1, 5), at(1, 6)), at(1, 6), "heard elsewhere");
        assert_eq!(heard_by(at(2, 5), at(1, 6)), at(2, 5), "of another log");
        assert_eq!(heard_by(at(0, 0), at(1, 350)), at(1, 350), "of a journal that has not begun");
    }
}
