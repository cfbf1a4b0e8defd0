//! Why a transaction is refused, in the full node's own words.

use crate::ledger::VertexId;

/// Why the ledger did not take a transaction. `Display` is the `message` that a full node answers with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PushError {
    /// The bytes are no transaction. A full node adds `"can_force": false` to this answer.
    #[error("This transaction is invalid. Try to decode it first to validate it.")]
    Malformed,
    /// The bytes are a block. A full node adds `"can_force": false` to this answer.
    #[error("This transaction is invalid. A transaction must have at least one input")]
    IsBlock,
    /// A full node trips over this and answers with status 500 and a page instead of JSON: fewer than two
    /// bytes or more than 48,000, an input whose transaction is unknown, a weight of 1024 or more.
    #[error("Processing Failed")]
    Unanswered,
    /// It is here already, perhaps voided.
    #[error("Transaction already exists {0}")]
    AlreadyExists(VertexId),
    /// An input's output is spent by another transaction that is not voided.
    #[error("Invalid transaction. At least one of your inputs has already been spent.")]
    DoubleSpend,
    /// An input spends a voided transaction.
    #[error("Invalid transaction. At least one input is voided.")]
    VoidedInput,
    /// An input spends the reward of a block that too few blocks follow.
    #[error("Spent reward is locked.")]
    RewardLocked,
    /// Scripts of other kinds or sizes than nodes relay, or too many data outputs.
    #[error("Transaction is non standard.")]
    NonStandard,
    /// The timestamp is too far ahead of the clock.
    #[error("Ignoring transaction in the future {id} (timestamp={timestamp})")]
    Future {
        /** Whose timestamp it is. */
        id: VertexId,
        /** Unix seconds. */
        timestamp: u32,
    },
    /// A rule of the ledger is broken: which one, as the full node says it.
    #[error("full validation failed: {0}")]
    Invalid(String),
}

impl PushError {
    /// Whether a full node's answer carries `"can_force": false`.
    pub const fn shows_can_force(&self) -> bool {
        matches!(self, Self::Malformed | Self::IsBlock)
    }
}
