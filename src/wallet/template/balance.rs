//! What inputs and outputs come to so far, by token.

use crate::ledger::{Amount, SignedAmount, SpentOutput, TokenUid, TokenVersion};
use crate::wallet::Authority;

/// Of one token: what goes in less what goes out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Balance {
    pub amount: SignedAmount,
    pub mint: i64,
    pub melt: i64,
    /// Inputs and outputs of amounts, where fees are paid for them.
    inputs: usize,
    outputs: usize,
}

impl Balance {
    pub fn add_input(&mut self, output: &SpentOutput) {
        if output.token_data.is_authority() {
            let has = |which: Authority| i64::from(output.value.cents() & u128::from(which.bit()) != 0);
            self.mint += has(Authority::Mint);
            self.melt += has(Authority::Melt);
        } else {
            self.amount += output.value.to_signed();
            self.inputs += 1;
        }
    }
    pub fn add_output(&mut self, value: Amount) {
        self.amount -= value.to_signed();
        self.outputs += 1;
    }
    pub fn add_authority_outputs(&mut self, which: Authority, count: usize) {
        *self.authorities(which) -= i64::try_from(count).unwrap_or(i64::MAX);
    }
    pub fn authorities(&mut self, which: Authority) -> &mut i64 {
        match which {
            Authority::Mint => &mut self.mint,
            Authority::Melt => &mut self.melt,
        }
    }
    pub fn fee(&self, version: TokenVersion) -> Amount {
        version.fee(self.inputs, self.outputs)
    }
}

#[derive(Debug, Default)]
pub(super) struct Balances {
    of: Vec<(TokenUid, Balance)>,
    /// Of the token that is created, once it has outputs.
    pub created: Option<Balance>,
}

impl Balances {
    pub fn of(&mut self, token: TokenUid) -> &mut Balance {
        let place = self.of.iter().position(|(of, _)| *of == token).unwrap_or_else(|| {
            self.of.push((token, Balance::default()));
            self.of.len() - 1
        });
        &mut self.of[place].1
    }
    pub fn iter(&self) -> impl Iterator<Item = &(TokenUid, Balance)> {
        self.of.iter()
    }
}
