//! Something that waits for approval, how far it is, and its steps that are to be told.
//!
//! ```text
//!            approve (enough)          sent
//!  waiting ──────────────────▶ sending ────▶ sent
//!   │  │ ▲                        │
//!   │  │ └── it could not be sent ┘
//!   │  └─ deny ─▶ denied
//!   └── its time is over ─▶ expired
//! ```

use crate::service::SendKey;
use serde::{Deserialize, Serialize};

/// Something that waits for approval, or did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Approval {
    pub id: String,
    pub wallet: String,
    /// The name of the key that it was asked for with; `None` for the owner's.
    pub by: Option<String>,
    /// The hash that its signatures are of.
    pub digest: String,
    /// In hexadecimal digits, not signed; empty once it has ended.
    pub transaction: String,
    /// What makes it sent once.
    pub key: String,
    pub request: String,
    /// What it does to whom, in words.
    pub does: Vec<String>,
    /// The limit that wants approval.
    pub why: String,
    pub of: Vec<String>,
    /// In Unix seconds.
    pub created: u64,
    pub until: u64,
    pub approved: Vec<String>,
    pub state: State,
    /// Why it could not be sent when it was approved last.
    pub error: Option<String>,
    /// How many of its steps were told as events.
    #[serde(default)]
    pub steps: u32,
}

/// One step of one approval, which is to be told still.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    pub wallet: String,
    pub id: String,
    /// From 1 on.
    pub number: u32,
    pub kind: String,
    /// What is told of it: JSON.
    pub data: String,
}

/// How far it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Waiting,
    /// By whom, and since when, in Unix seconds.
    Sending(String, u64),
    Sent(String),
    Denied(String),
    /// As it was noted; its time may be over before.
    Expired,
}

impl Approval {
    /// Its status at a time.
    pub fn status(&self, now: u64) -> &'static str {
        match &self.state {
            State::Sent(_) => "sent",
            State::Denied(_) => "denied",
            State::Expired => "expired",
            // What is being sent may be on the ledger whenever that ends.
            State::Sending(..) => "sending",
            State::Waiting if self.until <= now => "expired",
            State::Waiting => "waiting",
        }
    }

    /// What makes it sent once.
    pub fn send_key(&self) -> Option<SendKey> {
        let read = |text: &str| {
            let mut digest = [0; 32];
            hex::decode_to_slice(text, &mut digest).ok().map(|()| digest)
        };
        Some(SendKey { name: read(&self.key)?, request: read(&self.request)? })
    }

    /// Whether something may come of it still.
    pub(super) fn is_open(&self, now: u64) -> bool {
        matches!(self.status(now), "waiting" | "sending")
    }

    pub(super) fn end(&mut self, state: State, now: u64) {
        (self.state, self.error, self.until) = (state, None, self.until.min(now));
        self.transaction.clear();
    }

    /// About as many as it takes in the document.
    pub(super) fn bytes(&self) -> usize {
        let texts = self.does.iter().chain(&self.of).map(|text| text.len() + 8).sum::<usize>();
        1_024 + self.transaction.len() + self.why.len() + texts
    }
}
