//! One task: what was asked for, and what came of it.

use crate::api::Failure;
use crate::ledger::VertexId;
use crate::service::SendKey;
use crate::store::TaskRecord;
use axum::body::Bytes;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

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
    /// The id of the wallet that it is for.
    pub wallet: String,
    /// Path and query.
    pub target: String,
    pub content_type: Option<String>,
    pub body: Bytes,
    /// That of its `Idempotency-Key`, if it has one.
    pub key: Option<SendKey>,
    /// 0 first, 7 last.
    pub urgency: u8,
    /// The name of the API key that it was asked for with, if that has one.
    pub by: Option<String>,
}

#[derive(Clone, Debug)]
pub(in crate::server) struct Task {
    pub id: TaskId,
    /// When it was taken, in Unix milliseconds: what comes earlier goes first.
    pub created: u64,
    /// When its state changed last, in Unix milliseconds.
    pub updated: u64,
    pub urgency: u8,
    /// The id of the wallet that it is for: an account may have several, of which each may do other things.
    pub wallet: String,
    pub target: String,
    pub content_type: Option<String>,
    /// Empty once it has ended.
    pub body: Bytes,
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

/// The status of a task of which it is not known whether it was carried out.
const UNKNOWN: u16 = 504;

/// What a task was answered with.
#[derive(Clone, Debug)]
pub(in crate::server) struct Outcome {
    pub status: u16,
    /// The body, which is JSON.
    pub answer: Box<RawValue>,
    /// What was sent, if something was.
    pub hash: Option<VertexId>,
    pub error: Option<String>,
    /// Whether it is in a block, as far as that is known.
    pub is_confirmed: bool,
}

impl Outcome {
    /// `hash` is what was sent; where nothing was, the answer tells people why.
    pub fn of(status: u16, hash: Option<VertexId>, body: &[u8]) -> Self {
        #[derive(Default, Deserialize)]
        struct Said {
            #[serde(default)]
            error: Value,
            #[serde(default)]
            message: Value,
        }
        let answer = serde_json::from_slice(body).unwrap_or_else(|_| RawValue::NULL.to_owned());
        let why = || {
            let Said { error, message } = serde_json::from_str(answer.get()).unwrap_or_default();
            let text = [error, message].iter().find_map(Value::as_str).map(str::to_owned);
            text.unwrap_or_else(|| format!("answered with status {status}"))
        };
        let error = if hash.is_none() { Some(why()) } else { None };
        Self { status, answer, hash, error, is_confirmed: false }
    }
    /// Of a transaction that an earlier server sent.
    pub fn sent(id: VertexId) -> Self {
        let answer = format!(r#"{{"success":true,"hash":"{id}"}}"#);
        Self::of(200, Some(id), answer.as_bytes())
    }
    /// Of a task that is a day old, and has no record any more of what an earlier server did for it.
    pub fn unknown() -> Self {
        let error = "The task is older than a day and is not carried out any more; whether it was carried out is not known here: look at the history before you ask again.";
        let answer = serde_json::to_vec(&Failure::new(error)).expect("answers have text keys");
        Self::of(UNKNOWN, None, &answer)
    }
    /// Of a task in which the service panicked.
    pub fn fault() -> Self {
        Self::of(500, None, br#"{"error":"a fault of the service: its log says more"}"#)
    }
    /// Whether something was sent.
    pub const fn is_done(&self) -> bool {
        self.hash.is_some()
    }
}

impl Task {
    pub fn new(new: NewTask, id: TaskId, now: u64) -> Self {
        let NewTask { wallet, target, content_type, body, key, urgency, by } = new;
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
            target,
            content_type,
            body,
            key,
            by,
            state: TaskState::Queued,
        }
    }

    /// Whether it is for the wallet of an id.
    pub fn is_for(&self, wallet_id: &str) -> bool {
        self.wallet == wallet_id
    }

    /// Its path, without the query.
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// Whether nothing more comes of it.
    pub const fn has_ended(&self) -> bool {
        matches!(self.state, TaskState::Ended(_) | TaskState::Cancelled)
    }

    /// Whether it has ended without sending anything.
    pub const fn has_failed(&self) -> bool {
        match &self.state {
            TaskState::Ended(outcome) => !outcome.is_done() && outcome.status != UNKNOWN,
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
        512 + self.target.len() + self.body.len() + answer
    }

    pub fn set(&mut self, state: TaskState, now: u64) {
        self.state = state;
        self.updated = now;
        if self.has_ended() {
            self.body = Bytes::new();
        }
    }

    /// As it is kept. One that runs is kept as one that waits: after a crash it is carried out anew.
    pub fn record(&self) -> TaskRecord {
        let kept = Kept {
            created: self.created,
            updated: self.updated,
            urgency: self.urgency,
            wallet: &self.wallet,
            target: &self.target,
            content_type: self.content_type.as_deref(),
            body: STANDARD.encode(&self.body),
            key: hex::encode(self.key.name),
            request: hex::encode(self.key.request),
            by: self.by.as_deref(),
            cancelled: matches!(self.state, TaskState::Cancelled),
            confirmed: self.is_confirmed(),
            outcome: match &self.state {
                TaskState::Ended(outcome) => Some(KeptOutcome {
                    status: outcome.status,
                    answer: Cow::Borrowed(&outcome.answer),
                    hash: outcome.hash.map(|hash| hash.to_string()),
                    error: outcome.error.clone(),
                }),
                _ => None,
            },
        };
        let task = serde_json::to_vec(&kept).expect("texts and numbers are JSON");
        TaskRecord { id: self.id.0, task }
    }

    /// Reads what was kept; `None` if it is no task.
    pub fn read(record: &TaskRecord) -> Option<Self> {
        let kept: Read = serde_json::from_slice(&record.task).ok()?;
        let digest = |text: &str| {
            let mut digest = [0; 32];
            hex::decode_to_slice(text, &mut digest).ok().map(|()| digest)
        };
        let state = match kept.outcome {
            Some(KeptOutcome { status, answer, hash, error }) => TaskState::Ended(Outcome {
                status,
                answer: answer.into_owned(),
                hash: hash.map(|hash| hash.parse()).transpose().ok()?,
                error,
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
            wallet: kept.wallet,
            target: kept.target,
            content_type: kept.content_type,
            body: STANDARD.decode(kept.body).ok()?.into(),
            key: SendKey { name: digest(&kept.key)?, request: digest(&kept.request)? },
            by: kept.by,
            state,
        })
    }
}

#[derive(Serialize)]
struct Kept<'a> {
    created: u64,
    updated: u64,
    urgency: u8,
    wallet: &'a str,
    target: &'a str,
    content_type: Option<&'a str>,
    body: String,
    key: String,
    request: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'a str>,
    cancelled: bool,
    confirmed: bool,
    outcome: Option<KeptOutcome<'a>>,
}

#[derive(Deserialize)]
struct Read {
    created: u64,
    updated: u64,
    urgency: u8,
    wallet: String,
    target: String,
    content_type: Option<String>,
    body: String,
    key: String,
    request: String,
    #[serde(default)]
    by: Option<String>,
    cancelled: bool,
    confirmed: bool,
    outcome: Option<KeptOutcome<'static>>,
}

/// The answer is kept as it was given.
#[derive(Serialize, Deserialize)]
struct KeptOutcome<'a> {
    status: u16,
    answer: Cow<'a, RawValue>,
    hash: Option<String>,
    error: Option<String>,
}
