//! The least weight a transaction must have.

use super::{EncodeError, Transaction};

/// What the formula depends on, as the node publishes it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct WeightConstants {
    pub min_weight: f64,
    pub coefficient: f64,
    pub k: f64,
}

impl WeightConstants {
    /// Mainnet.
    pub const MAINNET: Self = Self { min_weight: 14.0, coefficient: 1.6, k: 100.0 };
    /// Testnet.
    pub const TESTNET: Self = Self { min_weight: 8.0, coefficient: 0.0, k: 0.0 };
    /// What a wallet asks for: the node's minimum for the transaction once it has two parents, and 1e-6 more against rounding.
    pub fn wallet_weight(&self, tx: &Transaction) -> Result<f64, EncodeError> {
        todo!("{tx:?}")
    }
    /// What the node demands at the least.
    pub fn min_weight_of(&self, tx: &Transaction) -> Result<f64, EncodeError> {
        todo!("{tx:?}")
    }
}
