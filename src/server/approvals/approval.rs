//! An approval, its state, and its steps that are not events yet.
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

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Approval {
    pub id: String,
    pub wallet: String,
    /// The name of the key that requested it; `None` for the owner.
    pub by: Option<String>,
    pub digest: String,
    /// In hexadecimal, unsigned; empty once it has ended.
    pub transaction: String,
    /// The idempotency key, so that it is sent once.
    pub key: String,
    pub request: String,
    pub does: Vec<String>,
    pub why: String,
    pub of: Vec<String>,
    /// In Unix seconds.
    pub created: u64,
    pub until: u64,
    pub approved: Vec<String>,
    pub state: State,
    /// Why it could not be sent last time.
    pub error: Option<String>,
    #[serde(default)]
    pub steps: u32,
}

/// A step of an approval that is not an event yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    pub wallet: String,
    pub id: String,
    /// From 1.
    pub number: u32,
    pub kind: String,
    /// The event's data, as JSON.
    pub data: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Waiting,
    /// The sender, and since when, in Unix seconds.
    Sending(String, u64),
    Sent(String),
    Denied(String),
    /// Set later than the expiry itself.
    Expired,
}

impl Approval {
    pub fn status(&self, now: u64) -> &'static str {
        match &self.state {
            State::Sent(_) => "sent",
            State::Denied(_) => "denied",
            State::Expired => "expired",
            // A transaction being sent may be on the ledger whenever that ends.
            State::Sending(..) => "sending",
            State::Waiting if self.until <= now => "expired",
            State::Waiting => "waiting",
        }
    }

    /// The idempotency key, so that it is sent once.
    pub fn send_key(&self) -> Option<SendKey> {
        let read = |text: &str| {
            let mut digest = [0; 32];
            hex::decode_to_slice(text, &mut digest).ok().map(|()| digest)
        };
        Some(SendKey { name: read(&self.key)?, request: read(&self.request)? })
    }

    pub(super) fn is_open(&self, now: u64) -> bool {
        matches!(self.status(now), "waiting" | "sending")
    }

    pub(super) fn end(&mut self, state: State, now: u64) {
        (self.state, self.error, self.until) = (state, None, self.until.min(now));
        self.transaction.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        let texts = self.does.iter().chain(&self.of).map(|text| text.len() + 8).sum::<usize>();
        1_024 + self.transaction.len() + self.why.len() + texts
    }
}
