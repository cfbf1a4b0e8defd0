//! The least weight a transaction must have.

use super::{Amount, Transaction};
use crate::rt;

pub(crate) const PARENTS_BYTES: usize = 64;
/// Full nodes compare with a tolerance of 1e-10; logarithms differ more than that between platforms' last
/// bits.
const AGAINST_ROUNDING: f64 = 1e-6;

/// What the formula depends on, as the node publishes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightConstants {
    pub min_weight: f64,
    pub coefficient: f64,
    pub k: f64,
}

impl WeightConstants {
    pub const MAINNET: Self = Self { min_weight: 14.0, coefficient: 1.6, k: 100.0 };
    pub const TESTNET: Self = Self { min_weight: 8.0, coefficient: 0.0, k: 0.0 };
    /// A private network, as its settings come.
    pub const PRIVATENET: Self = Self { min_weight: 1.0, coefficient: 0.0, k: 0.0 };

    /// What a wallet asks for: the node's minimum for the transaction once it has two parents, and 1e-6 more
    /// against rounding. The input data must be in place, for its bytes count.
    pub fn wallet_weight(&self, tx: &Transaction) -> f64 {
        let parents_to_come = if tx.parents.is_empty() { PARENTS_BYTES } else { 0 };
        self.of(tx.size() + parents_to_come, tx.outputs_sum()) + AGAINST_ROUNDING
    }

    /// What the node demands at the least of the transaction as it is.
    pub fn min_weight_of(&self, tx: &Transaction) -> f64 {
        self.of(tx.size(), tx.outputs_sum())
    }

    /// The formula: `size` in bytes, `sum` over the outputs of all tokens that are no authorities.
    pub fn of(&self, size: usize, sum: Amount) -> f64 {
        let amount = sum.cents().max(1) as f64 / 100.0;
        let weight = self.coefficient * rt::log2(size as f64) + 4.0 / (1.0 + self.k / amount) + 4.0;
        weight.max(self.min_weight)
    }
}
