//! What a transaction does to a wallet's holding of one token, locked and unlocked apart, as decoded
//! transactions and events tell it.

use super::{Amount, Output};

/// What a transaction does to a holding of one token. Authorities are counted, amounts summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenChange {
    pub amount: Change,
    pub mint: Change,
    pub melt: Change,
}

/// Below zero for what goes out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change {
    pub unlocked: i128,
    pub locked: i128,
}

impl TokenChange {
    /// Counts an output of the wallet that is made (`sign` 1) or spent (-1).
    pub fn count(&mut self, is_authority: bool, value: Amount, locked: bool, sign: i128) {
        if !is_authority {
            return self.amount.add(locked, value.to_signed().saturating_mul(sign));
        }
        for (bit, change) in [(Output::MINT, &mut self.mint), (Output::MELT, &mut self.melt)] {
            if value.cents() & u128::from(bit) != 0 {
                change.add(locked, sign);
            }
        }
    }
}

impl Change {
    const fn add(&mut self, locked: bool, change: i128) {
        let sum = if locked { &mut self.locked } else { &mut self.unlocked };
        *sum = sum.saturating_add(change);
    }
}
