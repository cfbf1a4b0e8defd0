//! What a network may set for itself.

use crate::ledger::{DepositRate, Network, Transaction, WeightConstants};

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
    /// Largest output script that is standard, in bytes.
    pub max_standard_script_bytes: usize,
    /// Most data outputs that are standard.
    pub max_data_outputs: usize,
}

impl Rules {
    /// Weight 1 whatever the size: found with two hashes.
    pub const TRIVIAL_WEIGHT: WeightConstants = WeightConstants::PRIVATENET;

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
            max_standard_script_bytes: crate::ledger::MAX_STANDARD_SCRIPT_BYTES,
            max_data_outputs: crate::ledger::MAX_DATA_OUTPUTS,
        }
    }
}
