//! Events that are kept until they are told: what came in, what was sent, what waits for approval, and what
//! became of it, and features of the network that this version does not support, numbered in one order for
//! each wallet.
//!
//! A wallet states facts ("this transaction entered the history", "it was voided") along with the changes of
//! its history, and the store makes events of them in the transaction that keeps the changes. What it has
//! told of a transaction decides whether a fact is news (`told.rs`). So the wallets of an account may all
//! state the same: it is told once, with one number.

use super::encode::{checked, with_check};
use super::{RecordError, StoreError};
use crate::ledger::{VertexId, sha256d};
use crate::wallet::{Reader, Writer};
use tokio::sync::watch;

/// Most events of a wallet that are kept.
pub(super) const MOST_EVENTS: u64 = 10_000;
/// How long an event is kept, in milliseconds: longer than any listener is waited for.
pub(super) const EVENT_LIFE: u64 = 7 * 24 * 3_600 * 1_000;
/// Most deliveries to one listener that are kept.
pub(super) const MOST_DELIVERIES: u64 = 1_000;

/// The version of what is written.
const EVENT_FORMAT: u8 = 1;

/// Which way money went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// The wallet is paid from outside.
    Deposit,
    /// The wallet spends, or calls a contract.
    Send,
}

/// What has happened to a transaction, as a wallet has heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It entered the history.
    Entered,
    /// It was valid, and is void.
    Voided,
    /// It was void, and is valid.
    Valid,
    /// So many blocks have come that it counts as settled.
    Confirmed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    Moved(Movement, Standing),
    /// To something else, such as what waits for approval: what, and which of its steps that is, from 1 on.
    Step(EventKind, u32),
}

/// A fact that may be news.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventFact {
    /// The transaction, or what stands for the approval or feature.
    pub tx: VertexId,
    pub happened: Happening,
    /// What is told of it: JSON.
    pub data: String,
}

/// Facts in the order in which they happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFacts {
    pub facts: Vec<EventFact>,
    /// From this one on they are news, in a store where none was so far: what came before is what the first
    /// load of the history has brought.
    pub begin_at: Option<usize>,
}

/// What is told of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventKind {
    DepositSeen,
    DepositConfirmed,
    DepositReverted,
    SendPushed,
    SendConfirmed,
    SendReverted,
    /// Something waits for approval.
    ApprovalWaiting,
    /// Somebody has given theirs.
    ApprovalGiven,
    /// It could not be sent, and waits on.
    ApprovalFailed,
    ApprovalSent,
    ApprovalDenied,
    ApprovalExpired,
    /// The network has, or will have, a feature that this version does not support.
    FeatureUnsupported,
}

/// An event as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRecord {
    /// Its number among those of the wallet: 1 for the first one.
    pub seq: u64,
    pub kind: EventKind,
    /// The transaction, or what stands for the approval or feature.
    pub tx: VertexId,
    /// How often this was told of the transaction, with this time; of others, the number of the step.
    pub times: u32,
    /// When it was written, in Unix milliseconds.
    pub time: u64,
    /// What is told of it: JSON.
    pub data: String,
}

/// How far a listener has got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SinkRecord {
    /// Stands for the listener.
    pub key: [u8; 16],
    /// The number of the last event that it has had.
    pub after: u64,
    /// What else there is to know of it.
    pub state: Vec<u8>,
}

/// What became of telling one event to one listener.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryRecord {
    pub sink: [u8; 16],
    pub seq: u64,
    /// What is known of it.
    pub record: Vec<u8>,
}

/// The events of one account, and how far those have got who are told of them.
#[async_trait::async_trait]
pub trait EventLog: Send + Sync {
    /// Changes when there may be more events.
    fn watch(&self) -> watch::Receiver<i64>;
    /// A number that tells this log from all others, once facts count as news.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be read.
    async fn events_begun(&self) -> Result<Option<u32>, StoreError>;
    /// The number of the last event, 0 without any.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be read.
    async fn last_event(&self) -> Result<u64, StoreError>;
    /// The events after a number that are kept, so many at most. Where the first of them is not the next
    /// number, those between were let go.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be read.
    async fn events(&self, after: u64, most: usize) -> Result<Vec<EventRecord>, StoreError>;
    /// Transactions that were told of and are neither confirmed nor reverted.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be read.
    async fn unconfirmed(&self) -> Result<Vec<VertexId>, StoreError>;
    /// How far a listener has got. A new one begins with the first event after `from`.
    ///
    /// # Errors
    /// [`StoreError`] if that can't be read or kept.
    async fn sink_or_new(&self, key: [u8; 16], from: u64) -> Result<SinkRecord, StoreError>;
    /// Keeps how far a listener has got, and what became of a delivery to it, durably.
    ///
    /// # Errors
    /// [`StoreError`] if it could not be kept.
    async fn keep_sink(&self, sink: SinkRecord, delivery: Option<DeliveryRecord>) -> Result<(), StoreError>;
    /// Keeps what became of a delivery that somebody asked for, and what else is known of the listener, if
    /// that changed.
    ///
    /// # Errors
    /// [`StoreError`] if it could not be kept.
    async fn keep_delivery(&self, delivery: DeliveryRecord, state: Option<Vec<u8>>)
    -> Result<(), StoreError>;
    /// How far a listener has got; `None` for one that is new.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be read.
    async fn sink(&self, key: [u8; 16]) -> Result<Option<SinkRecord>, StoreError>;
    /// What became of one of its deliveries.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be read.
    async fn delivery(&self, key: [u8; 16], seq: u64) -> Result<Option<DeliveryRecord>, StoreError>;
    /// The deliveries to a listener that are kept, the newest event first.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be read.
    async fn deliveries(&self, key: [u8; 16]) -> Result<Vec<DeliveryRecord>, StoreError>;
}

impl EventFacts {
    /// Whether nothing is stated.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty() && self.begin_at.is_none()
    }
}

impl EventKind {
    pub const ALL: [Self; 13] = [
        Self::DepositSeen,
        Self::DepositConfirmed,
        Self::DepositReverted,
        Self::SendPushed,
        Self::SendConfirmed,
        Self::SendReverted,
        Self::ApprovalWaiting,
        Self::ApprovalGiven,
        Self::ApprovalFailed,
        Self::ApprovalSent,
        Self::ApprovalDenied,
        Self::ApprovalExpired,
        Self::FeatureUnsupported,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::DepositSeen => "deposit.seen",
            Self::DepositConfirmed => "deposit.confirmed",
            Self::DepositReverted => "deposit.reverted",
            Self::SendPushed => "send.pushed",
            Self::SendConfirmed => "send.confirmed",
            Self::SendReverted => "send.reverted",
            Self::ApprovalWaiting => "approval.waiting",
            Self::ApprovalGiven => "approval.given",
            Self::ApprovalFailed => "approval.failed",
            Self::ApprovalSent => "approval.sent",
            Self::ApprovalDenied => "approval.denied",
            Self::ApprovalExpired => "approval.expired",
            Self::FeatureUnsupported => "feature.unsupported",
        }
    }

    /// Whether it tells of an approval.
    pub const fn is_of_approval(self) -> bool {
        match self {
            Self::DepositSeen
            | Self::DepositConfirmed
            | Self::DepositReverted
            | Self::SendPushed
            | Self::SendConfirmed
            | Self::SendReverted
            | Self::FeatureUnsupported => false,
            Self::ApprovalWaiting
            | Self::ApprovalGiven
            | Self::ApprovalFailed
            | Self::ApprovalSent
            | Self::ApprovalDenied
            | Self::ApprovalExpired => true,
        }
    }

    fn code(self) -> u8 {
        Self::ALL.iter().zip(0..).find(|(kind, _)| **kind == self).map_or(0, |(_, code)| code)
    }
}

impl EventRecord {
    /// What it is called everywhere: the same for the same event of a wallet (`owner`, see
    /// [`Owner::name`](super::Owner::name)) under the same id, whoever writes it.
    pub fn id(&self, owner: &str, wallet_id: &str) -> String {
        let mut content = Writer::default();
        content.bytes(owner.as_bytes());
        content.bytes(wallet_id.as_bytes());
        content.0.push(self.kind.code());
        content.id(&self.tx);
        content.0.extend(self.times.to_be_bytes());
        format!("evt_{}", hex::encode(&sha256d(&content.0)[..16]))
    }

    /// As bytes without the number, which their check value covers all the same.
    pub fn encode(&self) -> Vec<u8> {
        let mut to = Writer(vec![EVENT_FORMAT, self.kind.code()]);
        to.id(&self.tx);
        to.0.extend(self.times.to_be_bytes());
        to.0.extend(self.time.to_be_bytes());
        to.bytes(self.data.as_bytes());
        with_check(&self.seq.to_be_bytes(), to.0)
    }

    /// Reads what [`EventRecord::encode`] wrote.
    ///
    /// # Errors
    /// That it is of a later version, or damaged.
    pub fn decode(seq: u64, bytes: &[u8]) -> Result<Self, RecordError> {
        match bytes.first() {
            Some(&version) if version > EVENT_FORMAT => return Err(RecordError::Newer(version)),
            _ => {}
        }
        let body = checked(&seq.to_be_bytes(), bytes);
        body.and_then(|body| Self::read(seq, body)).ok_or(RecordError::Damaged)
    }

    fn read(seq: u64, body: &[u8]) -> Option<Self> {
        let mut from = Reader(body);
        let (format, code) = (from.byte()?, from.byte()?);
        if format != EVENT_FORMAT {
            return None;
        }
        let kind = *EventKind::ALL.get(usize::from(code))?;
        let (tx, times) = (from.id()?, from.u32()?);
        let time = u64::from_be_bytes(from.array()?);
        let data = from.text()?.to_owned();
        from.is_empty().then_some(Self { seq, kind, tx, times, time, data })
    }
}
