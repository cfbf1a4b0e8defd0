//! What a transaction does to the wallet that signs it, whatever it was asked for as.

use super::{Amounts, Verb};
use crate::ledger::nano::{ActionKind, NanoAction};
use crate::ledger::{
    Amount, Network, Outpoint, Output, Script, SpentOutput, TokenData, TokenUid, Transaction, VertexId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Stands for the token that a transaction creates: it has no uid before the transaction is finished.
const CREATED: TokenUid = TokenUid::Custom(VertexId([0; 32]));

/// What a transaction does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// What the wallet has before, gets out of a contract or by melting, or makes, and does not have after.
    /// No zeros.
    pub spent: Amounts,
    /// What is made of tokens, as far as that can be told from the wallet's side, or more. No zeros.
    pub minted: Amounts,
    /// Whether somebody else gets the right to mint a token.
    pub hands_on_minting: bool,
    /// Others' addresses that get anything.
    pub pays: BTreeSet<String>,
    /// Whether anything goes to a script that pays no address and is no data.
    pub pays_unknown: bool,
    /// The contract that is called (of a new one its blueprint), and the method.
    pub calls: Option<(VertexId, String)>,
}

impl Effects {
    /// What a transaction does to a wallet: `own_input` says what an input spends that is the wallet's,
    /// `is_own` whether a script pays it.
    pub fn of(
        transaction: &Transaction,
        network: Network,
        own_input: impl Fn(Outpoint) -> Option<SpentOutput>,
        is_own: impl Fn(&[u8]) -> bool,
    ) -> Self {
        let mut effects = Self::default();
        // Of each token: what comes from the wallet, from contracts, goes to anybody, back to the wallet, to
        // contracts.
        let mut sums: BTreeMap<TokenUid, [Amount; 5]> = BTreeMap::new();
        let mut add = |token: TokenUid, side: usize, amount: Amount| {
            let sum = &mut sums.entry(token).or_default()[side];
            *sum = sum.saturating_add(amount);
        };
        let (mut may_mint, mut may_melt) = (BTreeSet::new(), false);
        for spent in transaction.spends().into_iter().filter_map(own_input) {
            if !spent.token_data.is_authority() {
                add(spent.token, FROM_WALLET, spent.value);
                continue;
            }
            may_melt |= melts(spent.value);
            if mints(spent.value) {
                may_mint.insert(spent.token);
            }
        }
        let token_at = |data: TokenData| transaction.token_at(data).unwrap_or(CREATED);
        if transaction.creates.is_some() {
            may_mint.insert(CREATED);
        }
        for Output { value, token_data, script } in &transaction.outputs {
            // What is locked may be as good as lost.
            let is_locked =
                matches!(Script::parse(script, network), Some(Script::Pay { timelock: Some(_), .. }));
            let (token, own) = (token_at(*token_data), is_own(script) && !is_locked);
            if !own {
                effects.note_place(script, network);
            }
            if token_data.is_authority() {
                effects.hands_on_minting |= !own && mints(*value);
                continue;
            }
            add(token, TO_ANYBODY, *value);
            if own {
                add(token, TO_WALLET, *value);
            }
        }
        if let Some(call) = transaction.nano() {
            effects.calls = Some((call.id, call.method.clone()));
            for NanoAction { kind, token_index, amount } in &call.actions {
                let token = token_at(TokenData::token(*token_index));
                match kind {
                    ActionKind::Deposit => add(token, TO_CONTRACT, *amount),
                    ActionKind::Withdrawal => add(token, FROM_CONTRACT, *amount),
                    ActionKind::GrantAuthority => effects.hands_on_minting |= mints(*amount),
                    ActionKind::AcquireAuthority => {
                        may_melt |= melts(*amount);
                        if mints(*amount) {
                            may_mint.insert(token);
                        }
                    }
                }
            }
        }
        for (token, sums) in sums {
            let had = sums[FROM_WALLET].saturating_add(sums[FROM_CONTRACT]);
            let made = sums[TO_ANYBODY].saturating_add(sums[TO_CONTRACT]).saturating_sub(had);
            let minted = if may_mint.contains(&token) { made } else { Amount::ZERO };
            // Melting gives HTR back, to whomever the outputs pay.
            let given_back = if token == TokenUid::Native && may_melt { made } else { Amount::ZERO };
            let got = had.saturating_add(minted).saturating_add(given_back);
            let spent = got.saturating_sub(sums[TO_WALLET]);
            for (amounts, amount) in [(&mut effects.spent, spent), (&mut effects.minted, minted)] {
                if !amount.is_zero() {
                    amounts.insert(token, amount);
                }
            }
        }
        effects
    }

    /// What is counted under a verb.
    pub const fn amounts(&self, verb: Verb) -> &Amounts {
        match verb {
            Verb::Spend => &self.spent,
            Verb::Mint => &self.minted,
        }
    }

    fn note_place(&mut self, script: &[u8], network: Network) {
        match Script::parse(script, network) {
            Some(Script::Pay { to, .. }) => drop(self.pays.insert(to.to_string())),
            Some(Script::Data(_)) => {}
            None => self.pays_unknown = true,
        }
    }
}

const FROM_WALLET: usize = 0;
const FROM_CONTRACT: usize = 1;
const TO_ANYBODY: usize = 2;
const TO_WALLET: usize = 3;
const TO_CONTRACT: usize = 4;

/// Whether an authority is one to mint.
const fn mints(authority: Amount) -> bool {
    authority.cents() & Output::MINT as u128 != 0
}

/// Whether an authority is one to melt.
const fn melts(authority: Amount) -> bool {
    authority.cents() & Output::MELT as u128 != 0
}
