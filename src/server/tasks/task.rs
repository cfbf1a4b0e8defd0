//! One task: what was asked for, and what came of it.

use crate::ledger::VertexId;
use crate::operations::{self, Operation};
use crate::server::selection::Selected;
use crate::service::SendKey;
use crate::store::TaskRecord;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// What a task is called: 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::server) struct TaskId(pub [u8; 16]);

impl TaskId {
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut id = [0; 16];
        getrandom::fill(&mut id).map(|()| Self(id))
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl FromStr for TaskId {
    type Err = hex::FromHexError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut id = [0; 16];
        hex::decode_to_slice(text, &mut id).map(|()| Self(id))
    }
}

/// A request that is to become a task.
pub(in crate::server) struct NewTask {
    wallet: String,
    operation: &'static Operation,
    fields: Arc<RawValue>,
    /// That of its `Idempotency-Key`, if it has one.
    pub(super) key: Option<SendKey>,
    by: Option<String>,
}

impl NewTask {
    pub fn of(
        selected: &Selected,
        operation: &'static Operation,
        given: &Map<String, Value>,
        key: Option<SendKey>,
        by: Option<String>,
    ) -> Self {
        let fields = to_raw_value(given).expect("JSON that was read can be written").into();
        Self { wallet: selected.id.clone(), operation, fields, key, by }
    }
}

#[derive(Clone)]
pub(in crate::server) struct Task {
    pub id: TaskId,
    /// When it was taken, in Unix milliseconds: what comes earlier goes first.
    pub created: u64,
    /// When its state changed last, in Unix milliseconds.
    pub updated: u64,
    pub urgency: u8,
    /// The id of the wallet that it is for: an account may have several, of which each may do other things.
    pub wallet: String,
    pub operation: &'static Operation,
    /// As they were given, in JSON; `null` once it has ended.
    pub fields: Arc<RawValue>,
    pub key: SendKey,
    /// The name of the API key that it was asked for with, if that has one.
    pub by: Option<String>,
    pub state: TaskState,
}

/// How far a task is.
#[derive(Clone, Debug)]
pub(in crate::server) enum TaskState {
    Queued,
    Running,
    Ended(Outcome),
    /// Taken back before it began.
    Cancelled,
}

/// What came of a task.
#[derive(Clone, Debug)]
pub(in crate::server) struct Outcome {
    /// What its request would have been answered with.
    pub status: u16,
    pub answer: Box<RawValue>,
    pub end: End,
    /// Whether it is in a block, as far as that is known.
    pub is_confirmed: bool,
}

/// How a task ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::server) enum End {
    Sent(#[serde(serialize_with = "as_text", deserialize_with = "from_text")] VertexId),
    /// It waits for this.
    AwaitsApproval(String),
    /// Nothing was sent, for this reason.
    Failed(String),
    /// Nobody knows whether it was sent, for this reason.
    Unknown(String),
}

impl End {
    /// What was sent, if something was.
    pub const fn hash(&self) -> Option<VertexId> {
        if let Self::Sent(id) = self { Some(*id) } else { None }
    }
    pub fn why_not(&self) -> Option<&str> {
        match self {
            Self::Sent(_) => None,
            Self::AwaitsApproval(why) | Self::Failed(why) | Self::Unknown(why) => Some(why),
        }
    }
}

fn as_text<S: Serializer>(id: &VertexId, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(id)
}

fn from_text<'de, D: Deserializer<'de>>(from: D) -> Result<VertexId, D::Error> {
    String::deserialize(from)?.parse().map_err(D::Error::custom)
}

impl Outcome {
    fn of(status: u16, answer: &impl Serialize, end: End) -> Self {
        let answer = to_raw_value(answer).expect("answers have text keys");
        Self { status, answer, end, is_confirmed: false }
    }
    /// Of a transaction that an earlier server sent.
    pub fn sent(id: VertexId) -> Self {
        Self::of(200, &json!({"success": true, "hash": id.to_string()}), End::Sent(id))
    }
    /// Of a task that is a day old, and has no record any more of what an earlier server did for it.
    pub fn unknown() -> Self {
        let error = "The task is older than a day and is not carried out any more; whether it was carried out is not known here: look at the history before you ask again.";
        let answer = json!({"success": false, "error": error, "code": "OUTCOME_UNKNOWN"});
        Self::of(504, &answer, End::Unknown(error.to_owned()))
    }
    /// Of a task in which the service panicked.
    pub fn fault() -> Self {
        let error = "a fault of the service: its log says more";
        Self::of(500, &json!({"error": error}), End::Failed(error.to_owned()))
    }
    /// Whether something was sent.
    pub const fn is_done(&self) -> bool {
        self.end.hash().is_some()
    }
}

impl Task {
    /// `urgency` is 0 for first, 7 for last.
    pub fn new(new: NewTask, urgency: u8, id: TaskId, now: u64) -> Self {
        let NewTask { wallet, operation, fields, key, by } = new;
        let own_key = || {
            let mut name = [0; 32];
            name[..16].copy_from_slice(&id.0);
            SendKey { name: crate::ledger::sha256d(&name), request: [0; 32] }
        };
        let key = key.unwrap_or_else(own_key);
        Self {
            id,
            created: now,
            updated: now,
            urgency,
            wallet,
            operation,
            fields,
            key,
            by,
            state: TaskState::Queued,
        }
    }

    /// Whether it is for the wallet of an id.
    pub fn is_for(&self, wallet_id: &str) -> bool {
        self.wallet == wallet_id
    }

    /// Whether nothing more comes of it.
    pub const fn has_ended(&self) -> bool {
        matches!(self.state, TaskState::Ended(_) | TaskState::Cancelled)
    }

    /// Whether it has ended without sending anything.
    pub const fn has_failed(&self) -> bool {
        match &self.state {
            TaskState::Ended(outcome) => matches!(outcome.end, End::Failed(_) | End::AwaitsApproval(_)),
            TaskState::Cancelled => true,
            TaskState::Queued | TaskState::Running => false,
        }
    }

    /// Whether what it sent is known to be in a block.
    pub const fn is_confirmed(&self) -> bool {
        matches!(&self.state, TaskState::Ended(outcome) if outcome.is_confirmed)
    }

    /// What those that wait are ordered by.
    pub const fn order(&self) -> (u8, u64, TaskId) {
        (self.urgency, self.created, self.id)
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        let answer = match &self.state {
            TaskState::Ended(outcome) => outcome.answer.get().len(),
            _ => 0,
        };
        512 + self.fields.get().len() + answer
    }

    pub fn set(&mut self, state: TaskState, now: u64) {
        self.state = state;
        self.updated = now;
        if self.has_ended() {
            self.fields = RawValue::NULL.to_owned().into();
        }
    }

    /// As it is kept. One that runs is kept as one that waits: after a crash it is carried out anew.
    pub fn record(&self) -> TaskRecord {
        let kept = Kept {
            created: self.created,
            updated: self.updated,
            urgency: self.urgency,
            wallet: self.wallet.as_str().into(),
            operation: self.operation.name.into(),
            fields: Cow::Borrowed(&self.fields),
            key: hex::encode(self.key.name),
            request: hex::encode(self.key.request),
            by: self.by.as_deref().map(Cow::Borrowed),
            cancelled: matches!(self.state, TaskState::Cancelled),
            confirmed: self.is_confirmed(),
            outcome: match &self.state {
                TaskState::Ended(outcome) => Some(KeptOutcome {
                    status: outcome.status,
                    answer: Cow::Borrowed(&outcome.answer),
                    end: Cow::Borrowed(&outcome.end),
                }),
                _ => None,
            },
        };
        let task = serde_json::to_vec(&kept).expect("texts and numbers are JSON");
        TaskRecord { id: self.id.0, task }
    }

    /// Reads what was kept; `None` if it is no task.
    pub fn read(record: &TaskRecord) -> Option<Self> {
        let kept: Kept<'_> = serde_json::from_slice(&record.task).ok()?;
        let digest = |text: &str| {
            let mut digest = [0; 32];
            hex::decode_to_slice(text, &mut digest).ok().map(|()| digest)
        };
        let state = match kept.outcome {
            Some(KeptOutcome { status, answer, end }) => TaskState::Ended(Outcome {
                status,
                answer: answer.into_owned(),
                end: end.into_owned(),
                is_confirmed: kept.confirmed,
            }),
            None if kept.cancelled => TaskState::Cancelled,
            None => TaskState::Queued,
        };
        Some(Self {
            id: TaskId(record.id),
            created: kept.created,
            updated: kept.updated,
            urgency: kept.urgency,
            wallet: kept.wallet.into_owned(),
            operation: operations::all().find(|operation| operation.name == kept.operation)?,
            fields: kept.fields.into_owned().into(),
            key: SendKey { name: digest(&kept.key)?, request: digest(&kept.request)? },
            by: kept.by.map(Cow::into_owned),
            state,
        })
    }
}

#[derive(Serialize, Deserialize)]
struct Kept<'a> {
    created: u64,
    updated: u64,
    urgency: u8,
    wallet: Cow<'a, str>,
    operation: Cow<'a, str>,
    fields: Cow<'a, RawValue>,
    key: String,
    request: String,
    by: Option<Cow<'a, str>>,
    cancelled: bool,
    confirmed: bool,
    outcome: Option<KeptOutcome<'a>>,
}

#[derive(Serialize, Deserialize)]
struct KeptOutcome<'a> {
    status: u16,
    answer: Cow<'a, RawValue>,
    end: Cow<'a, End>,
}
