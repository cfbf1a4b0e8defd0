//! What a caller of a wallet can be told went wrong.

use super::{Phase, Status};
use crate::api::texts;
use crate::keys::SignerError;
use crate::ledger::{EncodeError, VertexId};
use crate::node::{CallError, MiningError, WrongNetwork};
use crate::store::StoreError;
use crate::wallet::PlanError;
use std::fmt;

/// Why a wallet did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The name is taken, by a wallet or by a start under way.
    #[error("a wallet of this name is already started")]
    AlreadyStarted,
    /// The node could not be asked for its version.
    #[error(transparent)]
    Node(#[from] CallError),
    /// The node is of another network.
    #[error("{0}: `network` and `server` must be of one network")]
    WrongNetwork(#[from] WrongNetwork),
    /// What was kept of the wallet can't be loaded.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The account runs already, at the full node that is named.
    #[error(
        "full node: another wallet of this account runs at {0}: use that one, or stop the other wallet first"
    )]
    OtherNode(String),
}

/// The wallet is not ready: its balances may be wrong, so it neither tells them nor sends.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", texts::WALLET_NOT_READY)]
pub struct NotReady(pub Box<Status>);

impl NotReady {
    /// The wallet is being stopped.
    pub(super) fn closed() -> Self {
        Self(Box::new(Status::new(Phase::Closed)))
    }
}

/// Why more addresses are not watched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WatchError {
    /// The gap limit says which are watched.
    #[error("{}", texts::NO_INDEX_LIMIT)]
    NoIndexLimit,
    /// The wallet is not ready, or stopped being ready while they were loaded.
    #[error(transparent)]
    NotReady(#[from] NotReady),
}

/// Why a transaction was not sent.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// Not ready, or being stopped.
    #[error(transparent)]
    NotReady(#[from] NotReady),
    /// Started from a public key: it can watch, not sign.
    #[error("this wallet was started from an xpub and can't sign: start it from its words to send")]
    ReadOnly,
    /// A multisig wallet sends only what several participants have signed.
    #[error(
        "this wallet is multisig and can't send alone: make a proposal (POST /wallet/p2sh/tx-proposal), let the participants sign \
         it, and send it with their signatures"
    )]
    OneOfSeveral,
    /// It can't be built. Nothing was reserved.
    #[error(transparent)]
    Plan(Box<PlanError>),
    /// A contract or its method is not there, or takes other arguments.
    #[error("{0}")]
    Contract(String),
    /// It can't be written.
    #[error("{}", texts::not_encodable(.0))]
    Encode(#[from] EncodeError),
    /// Whoever asked lacks a right that it takes. Nothing was sent.
    #[error("{0}")]
    Forbidden(String),
    /// A limit on spending refuses it, or who asked may no longer ask. Nothing was sent.
    #[error("{0}")]
    Limit(String),
    /// A limit on spending lets it pass only if others approve it. Nothing was signed.
    #[error("{0}")]
    Unapproved(String),
    /// It waits for their approval, as it is, and is sent then. Its inputs are set aside.
    #[error("{why}")]
    AwaitsApproval { id: String, why: String },
    /// The wallet's signer did not sign. The inputs are free again.
    #[error(transparent)]
    Signer(Box<SignerError>),
    /// There is no proof of work. The inputs are free again.
    #[error("{}", MiningText(.0))]
    Mining(MiningError),
    /// The node refused it, in its words. The inputs are free again.
    #[error("{0}")]
    Rejected(String),
    /// The node could not be reached, and has not got the transaction. The inputs are free again.
    #[error("{0}")]
    Node(CallError),
    /// Whether the node has it could not be found out in time.
    ///
    /// The inputs are free again: a new send most likely spends the same ones, and then only one of the two
    /// can be accepted. Where the store has each push recorded they stay reserved until the outcome is known.
    #[error(
        "{cause}: whether it took transaction {id} is not known: look for it in the history before sending again"
    )]
    Unknown {
        id: VertexId,
        /// What stood in the way.
        cause: Box<CallError>,
    },
    /// Whether the node has it could not be found out in time, and the transaction is recorded for the
    /// request's key: a repetition finds out. The inputs stay held for some time.
    #[error(
        "{cause}: whether it took transaction {id} is not known yet: repeat the request with the same Idempotency-Key, then nothing is \
         sent twice"
    )]
    Open {
        id: VertexId,
        /// What stood in the way.
        cause: Box<CallError>,
    },
    /// The key came with another request before.
    #[error("{}", texts::KEY_OF_ANOTHER_REQUEST)]
    KeyTaken,
    /// The store can't say what was sent with the key, or can't note what is to be sent. Nothing was sent.
    #[error("this request sent nothing, because the wallet's store can't remember the Idempotency-Key: {0}")]
    NotRecorded(StoreError),
    /// The store can't keep what must be kept before it is sent. Nothing was sent.
    #[error("nothing was sent: {0}")]
    Store(StoreError),
    /// The store has not said whether a transaction is recorded that was about to be pushed. It is not pushed
    /// here; if it is recorded, whoever opens the store next pushes it.
    #[error(
        "{cause}: whether transaction {id} is sent is not known: look for it in the history before sending again, or repeat a request that \
         had an Idempotency-Key with the same one"
    )]
    RecordUnclear {
        id: VertexId,
        /// What stood in the way.
        cause: StoreError,
    },
    /// The task that sent it ended early. The inputs are free again.
    #[error("the send was cut off")]
    CutOff,
}

// Errors are moved from function to function, and most have little in them: what is large is in a box.
impl From<PlanError> for SendError {
    fn from(error: PlanError) -> Self {
        Self::Plan(Box::new(error))
    }
}

impl SendError {
    /// Whether the transaction may be on the ledger all the same.
    pub fn may_be_sent(&self) -> bool {
        matches!(self, Self::Unknown { .. } | Self::Open { .. } | Self::RecordUnclear { .. } | Self::CutOff)
    }

    /// What the wallet's status should go on saying until a send succeeds: trouble with a service, not with
    /// the request.
    pub(super) fn outlasts_the_send(&self) -> bool {
        if matches!(self, Self::Open { .. }) {
            return true;
        }
        if let Self::Signer(error) = self {
            return matches!(**error, SignerError::Unreachable(_));
        }
        matches!(self, Self::Mining(_) | Self::Node(_) | Self::Unknown { .. })
    }
}

/// A mining failure with the documented remedy.
struct MiningText<'a>(&'a MiningError);

impl fmt::Display for MiningText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            MiningError::Timeout => {
                write!(f, "{}\n\n{}", texts::MINING_TIMEOUT, texts::MINING_TIMEOUT_REMEDY)
            }
            MiningError::RateLimited { .. } => f.write_str(texts::MINING_RATE_LIMIT),
            MiningError::NoMiners => f.write_str(texts::NO_MINERS),
            other => other.fmt(f),
        }
    }
}
