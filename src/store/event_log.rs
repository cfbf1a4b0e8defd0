//! Events, kept until listeners have them: incoming and outgoing transactions, pending approvals, their
//! outcomes, and features of the network that this version does not support. They are numbered in one order
//! per wallet.
//!
//! A wallet states facts ("this transaction entered the history", "it was voided") along with the changes of
//! its history. The store makes events of them in the transaction that writes the changes. The last event of
//! a transaction decides whether a fact makes another one (`announced.rs`). So several wallets of an account
//! may state the same fact: it makes one event, with one number.

use super::encode::{checked, with_check};
use super::{RecordError, StoreError};
use crate::ledger::{VertexId, sha256d};
use crate::wallet::{Reader, Writer};
use tokio::sync::watch;

/// Per wallet.
pub(super) const MOST_EVENTS: u64 = 10_000;
/// In milliseconds: longer than any listener is waited for.
pub(super) const EVENT_LIFE: u64 = 7 * 24 * 3_600 * 1_000;
/// Per listener.
pub(super) const MOST_DELIVERIES: u64 = 1_000;

const EVENT_FORMAT: u8 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// The wallet is paid from outside.
    Deposit,
    /// The wallet spends, or calls a contract.
    Send,
}

/// What happened to a transaction, as far as the wallet knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Entered,
    Voided,
    Valid,
    /// It has enough blocks to count as settled.
    Confirmed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    Moved(Movement, Standing),
    /// A step of something else, such as an approval; steps are numbered from 1.
    Step(EventKind, u32),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventFact {
    /// The transaction, or a hash of the approval or feature.
    pub tx: VertexId,
    pub happened: Happening,
    /// The event's data, as JSON.
    pub data: String,
}

/// Facts in the order in which they happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFacts {
    pub facts: Vec<EventFact>,
    /// Facts make events from this one on, if they did not so far: earlier ones come from the first load of
    /// the history.
    pub begin_at: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventKind {
    DepositSeen,
    DepositConfirmed,
    DepositReverted,
    SendPushed,
    SendConfirmed,
    SendReverted,
    ApprovalWaiting,
    /// A person has approved.
    ApprovalGiven,
    /// It could not be sent, and waits on.
    ApprovalFailed,
    ApprovalSent,
    ApprovalDenied,
    ApprovalExpired,
    /// The network has, or will have, a feature that this version does not support.
    FeatureUnsupported,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRecord {
    /// Its number among the events of the wallet, from 1.
    pub seq: u64,
    pub kind: EventKind,
    /// The transaction, or a hash of the approval or feature.
    pub tx: VertexId,
    /// How many events of this kind the transaction has had, with this one; of others, the number of the
    /// step.
    pub times: u32,
    /// In Unix milliseconds.
    pub time: u64,
    /// JSON.
    pub data: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SinkRecord {
    /// A hash of the listener.
    pub key: [u8; 16],
    pub after: u64,
    /// The listener's own state.
    pub state: Vec<u8>,
}

/// The outcome of delivering one event to one listener.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryRecord {
    pub sink: [u8; 16],
    pub seq: u64,
    pub record: Vec<u8>,
}

/// The events of one account, and the positions of its listeners.
#[async_trait::async_trait]
pub trait EventLog: Send + Sync {
    /// Changes when there may be more events.
    fn watch(&self) -> watch::Receiver<i64>;
    /// A number of this log alone, once facts make events.
    async fn events_begun(&self) -> Result<Option<u32>, StoreError>;
    /// 0 without any.
    async fn last_event(&self) -> Result<u64, StoreError>;
    /// At most `most` events after a number. If the first one is not the next number, events between were
    /// deleted.
    async fn events(&self, after: u64, most: usize) -> Result<Vec<EventRecord>, StoreError>;
    /// Transactions with an event that are neither confirmed nor reverted.
    async fn unconfirmed(&self) -> Result<Vec<VertexId>, StoreError>;
    /// A listener's position. A new listener begins after event `from`.
    async fn sink_or_new(&self, key: [u8; 16], from: u64) -> Result<SinkRecord, StoreError>;
    /// Keeps a listener's position and the outcome of a delivery, durably.
    async fn keep_sink(&self, sink: SinkRecord, delivery: Option<DeliveryRecord>) -> Result<(), StoreError>;
    /// Keeps the outcome of a delivery made on request, and the listener's state if it changed.
    async fn keep_delivery(&self, delivery: DeliveryRecord, state: Option<Vec<u8>>)
    -> Result<(), StoreError>;
    /// `None` for a new listener.
    async fn sink(&self, key: [u8; 16]) -> Result<Option<SinkRecord>, StoreError>;
    async fn delivery(&self, key: [u8; 16], seq: u64) -> Result<Option<DeliveryRecord>, StoreError>;
    /// Newest event first.
    async fn deliveries(&self, key: [u8; 16]) -> Result<Vec<DeliveryRecord>, StoreError>;
}

impl EventFacts {
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
    /// The event's id for users: the same for the same event of a wallet (`owner` is
    /// [`Owner::name`](super::Owner::name)), whichever server writes it.
    pub fn id(&self, owner: &str, wallet_id: &str) -> String {
        let mut content = Writer::default();
        content.bytes(owner.as_bytes());
        content.bytes(wallet_id.as_bytes());
        content.0.push(self.kind.code());
        content.id(&self.tx);
        content.0.extend(self.times.to_be_bytes());
        format!("evt_{}", hex::encode(&sha256d(&content.0)[..16]))
    }

    /// Encodes the event without its number, which the check value covers nevertheless.
    pub fn encode(&self) -> Vec<u8> {
        let mut to = Writer(vec![EVENT_FORMAT, self.kind.code()]);
        to.id(&self.tx);
        to.0.extend(self.times.to_be_bytes());
        to.0.extend(self.time.to_be_bytes());
        to.bytes(self.data.as_bytes());
        with_check(&self.seq.to_be_bytes(), to.0)
    }

    /// # Errors
    /// [`RecordError`] for a record of a later version, or a damaged one.
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
