//! The events of a wallet that are kept until they are told, as those get them who listen.

use crate::api::OutboxEvent;
use crate::rt;
use crate::service::Wallet;
use crate::store::{EventRecord, StoreError};
use serde_json::value::RawValue;
use std::collections::VecDeque;
use std::fmt;
use std::future::pending;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Events that are read at once.
const AT_ONCE: usize = 100;
/// How long to wait before the store is asked again after it could not be.
const PAUSE: Duration = Duration::from_secs(5);

/// An event in words: its name, and its JSON.
pub(super) fn words(record: &EventRecord, wallet: &Wallet, wallet_id: &str) -> (&'static str, String) {
    let name = record.kind.name();
    let data = RawValue::from_string(record.data.clone()).unwrap_or_default();
    let event = OutboxEvent {
        id: record.id(wallet.owner_name(), wallet_id),
        name,
        wallet_id,
        seq: record.seq,
        time: record.time,
        data: &data,
    };
    (name, serde_json::to_string(&event).expect("answers have text keys and no failing parts"))
}

/// The event of a number, as soon as the store can be read; `None` if it is kept no more, or the wallet is
/// stopped.
pub(super) async fn event(wallet: &Wallet, seq: u64) -> Option<EventRecord> {
    loop {
        let store = wallet.store()?;
        match store.event_log()?.events(seq.saturating_sub(1), 1).await {
            Ok(events) => return events.into_iter().next().filter(|event| event.seq == seq),
            Err(failure) => {
                drop(store);
                wait_after(&failure).await;
            }
        }
    }
}

/// The store could not be read: it is asked again after this.
pub(super) async fn wait_after(failure: &StoreError) {
    tracing::warn!("{failure}: events are told later");
    rt::sleep(PAUSE).await;
}

/// Up to where somebody has heard the events of a wallet: the log's own number (0 before there is one), and
/// the last event's. Written `0f1e2d3c.17`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Heard {
    pub tag: u32,
    pub seq: u64,
}

impl fmt::Display for Heard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}.{}", self.tag, self.seq)
    }
}

impl Heard {
    pub fn read(text: &str) -> Option<Self> {
        let (tag, seq) = text.split_once('.')?;
        Some(Self { tag: u32::from_str_radix(tag, 16).ok()?, seq: seq.parse().ok()? })
    }
}

pub(super) enum Next {
    Event(EventRecord),
    /// So many that are kept no more, or nobody knows how many.
    Missed(Option<u64>),
}

/// Reads the events of a wallet one after the other, as they come.
pub(super) struct Reader {
    wallet: Wallet,
    watch: Option<watch::Receiver<i64>>,
    pub heard: Heard,
    /// Where to begin, until the store can be read: where somebody was, or where the wallet was started.
    begin: Option<Option<Heard>>,
    read: VecDeque<EventRecord>,
    /// A read of the store, which goes on when nobody waits for it: given up, it would cost a connection.
    reading: Option<JoinHandle<Result<Vec<EventRecord>, StoreError>>>,
    /// There were no more when it was last looked.
    at_end: bool,
}

impl Reader {
    /// From where somebody was, or from the first event since the wallet was started.
    pub fn new(wallet: &Wallet, heard: Option<Heard>) -> Self {
        let watch = wallet.store().and_then(|store| Some(store.event_log()?.watch()));
        Self {
            wallet: wallet.clone(),
            watch,
            heard: Heard::default(),
            begin: Some(heard),
            read: VecDeque::new(),
            reading: None,
            at_end: false,
        }
    }

    /// Finds where it begins, if the store can be read now.
    pub async fn begin(&mut self) -> Result<Option<Next>, StoreError> {
        let Some(wanted) = self.begin else { return Ok(None) };
        let Some(store) = self.wallet.store() else { return Ok(None) };
        let Some(log) = store.event_log() else { return Ok(None) };
        let now = Heard { tag: log.events_begun().await?.unwrap_or_default(), seq: log.last_event().await? };
        self.begin = None;
        self.heard = Heard { tag: now.tag, seq: 0 };
        match wanted.unwrap_or(Heard { seq: self.wallet.last_event_at_start(), ..now }) {
            // Before there were any.
            Heard { tag: 0, .. } => {}
            heard if heard.tag == now.tag && heard.seq <= now.seq => self.heard = heard,
            _ => return Ok(Some(Next::Missed(None))),
        }
        Ok(None)
    }

    /// The next one, as soon as there is one. Nothing is lost when the future is dropped.
    pub async fn next(&mut self) -> Next {
        loop {
            if let Some(event) = self.read.front() {
                let between = event.seq - self.heard.seq - 1;
                if between > 0 {
                    self.heard.seq += between;
                    return Next::Missed(Some(between));
                }
                self.heard.seq = event.seq;
                if let Some(event) = self.read.pop_front() {
                    return Next::Event(event);
                }
            }
            match self.read().await {
                Ok(Some(missed)) => return missed,
                Ok(None) => {}
                Err(failure) => wait_after(&failure).await,
            }
        }
    }

    /// Reads what there is, or waits for more first where there was nothing.
    async fn read(&mut self) -> Result<Option<Next>, StoreError> {
        let Some(watch) = &mut self.watch else { return pending().await };
        if self.reading.is_none() {
            if self.at_end && watch.changed().await.is_err() {
                return pending().await;
            }
            self.at_end = false;
            // Seen before looking, so that what comes in between wakes it again.
            watch.borrow_and_update();
            if let Some(missed) = self.begin().await? {
                return Ok(Some(missed));
            }
        }
        let Some(store) = self.wallet.store() else { return pending().await };
        let Some(log) = store.event_log() else { return pending().await };
        let reading = self.reading.get_or_insert_with(|| {
            let (after, store) = (self.heard.seq, store.clone());
            tokio::spawn(async move {
                match store.event_log() {
                    Some(log) => log.events(after, AT_ONCE).await,
                    None => Ok(Vec::new()),
                }
            })
        });
        let read = reading.await;
        self.reading = None;
        let events = read.map_err(|_| StoreError::Failed {
            place: "of the wallet".to_owned(),
            what: "a read of its events broke off".to_owned(),
        })??;
        if !events.is_empty() && self.heard.tag == 0 {
            self.heard.tag = log.events_begun().await?.unwrap_or_default();
        }
        // Only now: if the future was dropped above, they are read again.
        self.at_end = events.len() < AT_ONCE;
        self.read = events.into();
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::Heard;

    #[test]
    fn what_was_heard_is_read_as_it_was_written() {
        let heard = Heard { tag: 0x0f1e_2d3c, seq: 17 };
        assert_eq!(heard.to_string(), "0f1e2d3c.17");
        assert_eq!(Heard::read("0f1e2d3c.17"), Some(heard));
        for text in ["", "0f1e2d3c", "17.", ".17", "0f1e2d3c.x", "0f1e2d3c.-1"] {
            assert_eq!(Heard::read(text), None, "{text}");
        }
    }
}
