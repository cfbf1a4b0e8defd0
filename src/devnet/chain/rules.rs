//! What a network may set for itself, why it refuses transactions, and what it tells.

use crate::ledger::{DepositRate, Network, Transaction, Vertex, VertexId, WeightConstants};

/// The settings of the ledger; a full node publishes most of them under `version`.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// Decides the version bytes of addresses in error texts and indexes.
    pub network: Network,
    /// The formula for the least weight of a transaction. Where coefficient and k are 0, `min_weight` alone
    /// is demanded, as by a full node in test mode; wallets compute 8 then.
    pub weight: WeightConstants,
    /// Blocks that must follow a block before its reward may be spent.
    pub reward_spend_min_blocks: u32,
    /// What a block pays its miner, in cents.
    pub block_reward: u64,
    /// The share of HTR deposited for minted tokens, and how it is computed.
    pub deposit: DepositRate,
    /// How far ahead of the clock a timestamp may be, in seconds.
    pub max_future_seconds: u32,
    /// How old a transaction may be that joins the ledger, in seconds.
    pub max_past_seconds: u32,
    /// Whether a token in the list that no output uses is refused. Nodes refuse it when they exchange
    /// mempools; some let it pass in `push_tx`.
    pub reject_unused_tokens: bool,
    /// Whether tokens can be paid for by fees, and transactions pay them.
    pub fee_tokens: bool,
    /// Whether transactions may have amounts with 18 decimals, and the node says amounts in words.
    pub amounts_v2: bool,
    /// Largest output script that is standard, in bytes.
    pub max_standard_script_bytes: usize,
    /// Most data outputs that are standard.
    pub max_data_outputs: usize,
}

impl Rules {
    /// Weight 1 whatever the size: found with two hashes.
    pub const TRIVIAL_WEIGHT: WeightConstants = WeightConstants::PRIVATENET;

    /// The signal bits that mean something.
    pub const fn known_signal_bits(&self) -> u8 {
        if self.amounts_v2 { Transaction::AMOUNTS_V2 } else { 0 }
    }

    /// The least weight that `tx` must have.
    pub fn min_weight_of(&self, tx: &Transaction) -> f64 {
        let WeightConstants { min_weight, coefficient, k } = self.weight;
        if coefficient == 0.0 && k == 0.0 { min_weight } else { self.weight.min_weight_of(tx) }
    }
}

impl Default for Rules {
    /// A private network: weight 1, rewards that can be spent after one more block, 64.00 HTR a block.
    fn default() -> Self {
        Self {
            network: Network::Privatenet,
            weight: Self::TRIVIAL_WEIGHT,
            reward_spend_min_blocks: 1,
            block_reward: 6_400,
            deposit: DepositRate::default(),
            max_future_seconds: 300,
            max_past_seconds: 36 * 3_600,
            reject_unused_tokens: true,
            fee_tokens: false,
            amounts_v2: false,
            max_standard_script_bytes: crate::ledger::MAX_STANDARD_SCRIPT_BYTES,
            max_data_outputs: crate::ledger::MAX_DATA_OUTPUTS,
        }
    }
}

// Why a transaction is refused, in the full node's own words.

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

// What the ledger tells those who listen, in the order in which a full node's frames go out.

/// Something that a full node would tell its WebSocket connections. Each carries the vertex as it stood at
/// that moment.
#[derive(Clone, Debug, PartialEq)]
pub enum ChainEvent {
    /// The vertex arrived, or its state or its outputs' spenders changed: a `wallet:address_history` frame to
    /// the subscribers of each of its addresses ([`super::addresses_of`]).
    Touched(Box<Vertex>),
    /// The vertex joined the ledger: a `network:new_tx_accepted` frame to everyone.
    Accepted(Box<Vertex>),
}
