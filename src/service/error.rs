//! The errors of a wallet.

use super::status::{Phase, Status};
use crate::api::texts;
use crate::keys::SignerError;
use crate::ledger::{EncodeError, VertexId};
use crate::node::{CallError, MiningError, WrongNetwork};
use crate::store::StoreError;
use crate::wallet::PlanError;
use std::fmt;

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A wallet or a start under way has the name.
    #[error("a wallet of this name is already started")]
    AlreadyStarted,
    /// The node could not be asked for its version.
    #[error(transparent)]
    Node(#[from] CallError),
    #[error("{0}: `network` and `server` must be of one network")]
    WrongNetwork(#[from] WrongNetwork),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(
        "full node: another wallet of this account runs at {0}: use that one, or stop the other wallet first"
    )]
    OtherNode(String),
}

/// The wallet is not ready: its balances may be wrong, so it neither reports them nor sends.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", texts::WALLET_NOT_READY)]
pub struct NotReady(pub Box<Status>);

impl NotReady {
    pub(super) fn closed() -> Self {
        Self(Box::new(Status::new(Phase::Closed)))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WatchError {
    /// The wallet's addresses are given by a gap limit.
    #[error("{}", texts::NO_INDEX_LIMIT)]
    NoIndexLimit,
    /// The wallet is not ready, or stopped being ready meanwhile.
    #[error(transparent)]
    NotReady(#[from] NotReady),
}

#[derive(Debug, thiserror::Error)]
pub enum SendError {
    #[error(transparent)]
    NotReady(#[from] NotReady),
    /// Started from an xpub.
    #[error("this wallet was started from an xpub and can't sign: start it from its words to send")]
    ReadOnly,
    /// A multisig wallet sends only what several participants have signed.
    #[error(
        "this wallet is multisig and can't send alone: make a proposal (POST /wallet/p2sh/tx-proposal), let the participants sign \
         it, and send it with their signatures"
    )]
    OneOfSeveral,
    /// Nothing was reserved.
    #[error(transparent)]
    Plan(Box<PlanError>),
    /// The contract or its method does not exist, or takes other arguments.
    #[error("{0}")]
    Contract(String),
    #[error("{}", texts::not_encodable(.0))]
    Encode(#[from] EncodeError),
    /// The caller lacks a right. Nothing was sent.
    #[error("{0}")]
    Forbidden(String),
    /// A limit on spending refuses it, or the caller's rights ended. Nothing was sent.
    #[error("{0}")]
    Limit(String),
    /// A limit on spending demands approval. Nothing was signed.
    #[error("{0}")]
    Unapproved(String),
    /// It waits for approval unchanged, with its inputs set aside, and is then sent.
    #[error("{why}")]
    AwaitsApproval { id: String, why: String },
    /// The inputs are free again.
    #[error(transparent)]
    Signer(Box<SignerError>),
    /// The inputs are free again.
    #[error("{}", MiningText(.0))]
    Mining(MiningError),
    /// With the node's message, or the reason why it would reject it. The inputs are free again.
    #[error("{0}")]
    Rejected(String),
    /// The node has not got the transaction. The inputs are free again.
    #[error("{0}")]
    Node(CallError),
    /// It could not be found out in time whether the node has the transaction.
    ///
    /// The inputs are free again. A new send most likely spends the same ones, and only one of the two can be
    /// accepted. If the store records each push, they stay reserved until the outcome is known.
    #[error(
        "{cause}: whether it took transaction {id} is not known: look for it in the history before sending again"
    )]
    Unknown { id: VertexId, cause: Box<CallError> },
    /// It could not be found out in time whether the node has the transaction. It is recorded for the
    /// request's key: a repeated request finds out. The inputs stay reserved for some time.
    #[error(
        "{cause}: whether it took transaction {id} is not known yet: repeat the request with the same Idempotency-Key, then nothing is \
         sent twice"
    )]
    Open { id: VertexId, cause: Box<CallError> },
    #[error("{}", texts::KEY_OF_ANOTHER_REQUEST)]
    KeyTaken,
    /// The store can't tell what was sent with the key, or can't record the transaction. Nothing was sent.
    #[error("this request sent nothing, because the wallet's store can't remember the Idempotency-Key: {0}")]
    NotRecorded(StoreError),
    /// The store can't record the transaction. Nothing was sent.
    #[error("nothing was sent: {0}")]
    Store(StoreError),
    /// The store did not confirm the record of a transaction about to be pushed. It is not pushed here. If it
    /// is recorded, the next server that opens the store pushes it.
    #[error(
        "{cause}: whether transaction {id} is sent is not known: look for it in the history before sending again, or repeat a request that \
         had an Idempotency-Key with the same one"
    )]
    RecordUnclear { id: VertexId, cause: StoreError },
    /// The task of the send ended early. The inputs are free again.
    #[error("the send was cut off")]
    CutOff,
}

// Large values are boxed, because errors are moved often and most are small.
impl From<PlanError> for SendError {
    fn from(error: PlanError) -> Self {
        Self::Plan(Box::new(error))
    }
}

impl SendError {
    /// Whether the transaction may be on the ledger nevertheless.
    pub fn may_be_sent(&self) -> bool {
        matches!(self, Self::Unknown { .. } | Self::Open { .. } | Self::RecordUnclear { .. } | Self::CutOff)
    }

    /// Whether the wallet's status shows the failure until a send succeeds: trouble with a service, not with
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
