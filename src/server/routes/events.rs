//! `GET /wallet/events`: what happens to a wallet, as server-sent events.
//!
//! An event's id says how far its listener has come in two orders: among the notes of this process, and among
//! the events in the store, which are the same at every server (`epoch.log.event-note`). Whoever comes with
//! an id of another process is told what it has not heard of the latter, and then all the notes there are.

use crate::server::App;
use crate::server::auth::Caller;
use crate::server::events::{Journal, JournalEntry};
use crate::server::outbox::{self, Heard, Next, Reader};
use crate::server::selection::Selected;
use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::watch;

/// A stream that goes on until the wallet or the server is stopped, or the listener's key ends.
/// `Last-Event-ID` resumes an earlier one.
pub(super) async fn events(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
) -> Response {
    let place = match app.places().stream() {
        Ok(place) => place,
        Err(full) => return *full,
    };
    let last = headers.get("last-event-id").map(|id| String::from_utf8_lossy(id.as_bytes()));
    let listener = Listener::begin(&app, selected, last.as_deref());
    let end = Box::pin(end(app.clone(), caller));
    let told = stream::unfold(listener, Listener::told).take_until(end);
    let told = told.map(move |event| {
        // Held as long as the stream.
        let _ = &place;
        Ok::<_, Infallible>(event)
    });
    Sse::new(told).keep_alive(KeepAlive::default()).into_response()
}

/// Waits for the end of the server, or of the key of whoever listens.
async fn end(app: App, caller: Caller) {
    match caller {
        Caller::Named(key) => tokio::select! {
            () = app.clone().ending() => {}
            () = app.access().ended(key) => {}
        },
        Caller::Owner | Caller::Nobody | Caller::Gone(_) => app.ending().await,
    }
}

/// Somebody who listens, and how far.
struct Listener {
    app: App,
    selected: Selected,
    journal: Arc<Journal>,
    more: watch::Receiver<u64>,
    /// The next note.
    next: u64,
    /// Whether it is still to be told that it missed something.
    has_missed: bool,
    /// What it has not heard of the events in the store before the journal began to note them, and the last
    /// one that it is told so.
    earlier: Option<(Reader, u64)>,
    /// The last of the events in the store that it was told so.
    heard: u64,
    is_closed: bool,
}

impl Listener {
    fn begin(app: &App, selected: Selected, last: Option<&str>) -> Self {
        let journal = app.journal(&selected.id, &selected.wallet);
        let more = journal.watch();
        let (next, has_missed) = journal.resume(last);
        let heard = last.filter(|_| has_missed).and_then(heard_in);
        let until = journal.heard().seq;
        let earlier = heard.map(|heard| (Reader::new(&selected.wallet, Some(heard)), until));
        Self {
            app: app.clone(),
            selected,
            journal,
            more,
            next,
            has_missed,
            earlier,
            heard: 0,
            is_closed: false,
        }
    }

    /// The next event, until the wallet is closed.
    async fn told(mut self) -> Option<(Event, Self)> {
        if std::mem::take(&mut self.has_missed) {
            let (name, data) = self.journal.tell_missed(None);
            return Some((Event::default().event(name).data(data), self));
        }
        if let Some(event) = self.earlier().await {
            return Some((event, self));
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
            if let Some((name, data)) = self.words(&note).await {
                self.is_closed = note.is_end();
                let id = self.journal.id(number, heard);
                return Some((Event::default().id(id).event(name).data(data), self));
            }
        }
    }

    /// The next of what it has not heard before the journal began.
    async fn earlier(&mut self) -> Option<Event> {
        let (mut reader, until) = self.earlier.take()?;
        let (name, data) = loop {
            self.selected.wallet.store()?;
            match reader.begin().await {
                Ok(None) if reader.heard.seq >= until => {
                    // The journal here may hear later of what it has heard elsewhere.
                    self.heard = until.max(reader.heard.seq);
                    return None;
                }
                Ok(Some(_)) => continue,
                _ => {}
            }
            match reader.next().await {
                Next::Event(record) => {
                    break outbox::words(&record, &self.selected.wallet, &self.selected.id);
                }
                // That it did was told.
                Next::Missed(_) => {}
            }
        };
        // Of no process: who comes with it has heard none of the notes.
        let id = format!("earlier.{}-0", reader.heard);
        self.earlier = Some((reader, until));
        Some(Event::default().id(id).event(name).data(data))
    }

    async fn words(&self, note: &JournalEntry) -> Option<(&'static str, String)> {
        let config = self.app.config();
        match note {
            JournalEntry::Kept(seq) if *seq <= self.heard => None,
            JournalEntry::Kept(seq) => {
                let record = outbox::event(&self.selected.wallet, *seq).await?;
                Some(outbox::words(&record, &self.selected.wallet, &self.selected.id))
            }
            note => self.journal.tell(note, config.network, config.compat),
        }
    }
}

/// What an id says of the events in the store.
fn heard_in(id: &str) -> Option<Heard> {
    let (place, _) = id.rsplit_once('-')?;
    Heard::read(place.split_once('.')?.1)
}
