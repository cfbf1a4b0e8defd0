//! What a transaction does to the wallet that signs it, independent of the request.

use super::{Amounts, Verb};
use crate::ledger::nano::{ActionKind, NanoAction};
use crate::ledger::{
    Address, Amount, FeeEntry, Header, Network, Outpoint, Output, Script, SpentOutput, TokenData, TokenUid,
    Transaction, VertexId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Stands for the token that a transaction creates, which has no uid before the transaction is finished.
const CREATED: TokenUid = TokenUid::Custom(VertexId([0; 32]));

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// What the wallet has before, withdraws from a contract, gets by melting, or mints, and does not have
    /// after. No zeros.
    pub spent: Amounts,
    /// An upper bound of what is minted, from the wallet's view. No zeros.
    pub minted: Amounts,
    /// Whether another wallet gets a mint authority.
    pub hands_on_minting: bool,
    /// Others' addresses that get anything.
    pub pays: BTreeSet<Address>,
    /// Whether anything goes to a script that is neither an address nor data.
    pub pays_unknown: bool,
    /// The called contract (of a new one its blueprint), and the method.
    pub calls: Option<(VertexId, String)>,
    pub kinds: Kinds,
}

/// The kinds of things that a transaction does. Each needs its own right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds {
    /// It sends what the wallet had: more goes to others than it mints, melts, creates and withdraws. Or it
    /// does nothing else of these, as a consolidation.
    pub pays: bool,
    pub creates: bool,
    /// It mints a token, or uses up or gives away a mint authority.
    pub mints: bool,
    /// It melts a token, or uses up or gives away a melt authority.
    pub melts: bool,
    /// It calls or creates a contract, or publishes a blueprint.
    pub calls: bool,
}

#[derive(Default)]
struct Moves {
    from_wallet: Amount,
    from_contract: Amount,
    to_wallet: Amount,
    to_others: Amount,
    to_data: Amount,
    to_contract: Amount,
    fee: Amount,
    mint: Authorities,
    melt: Authorities,
}

/// Numbers of mint or melt authorities, by direction.
#[derive(Default)]
struct Authorities {
    spent: usize,
    acquired: usize,
    kept: usize,
    handed_on: usize,
    granted: usize,
}

impl Authorities {
    const fn can_be_used(&self) -> bool {
        self.spent > 0 || self.acquired > 0
    }
    /// Whether the wallet loses one, or others get one, except for contracts' actions.
    const fn leave(&self) -> bool {
        self.handed_on > self.acquired || self.spent > self.kept + self.granted
    }
}

impl Moves {
    const fn had(&self) -> Amount {
        self.from_wallet.saturating_add(self.from_contract)
    }
    const fn goes(&self) -> Amount {
        let to_anybody = self.to_wallet.saturating_add(self.to_others).saturating_add(self.to_data);
        to_anybody.saturating_add(self.to_contract)
    }
    /// The excess of outputs over inputs.
    const fn made(&self) -> Amount {
        self.goes().saturating_sub(self.had())
    }
    /// Counts authorities in the direction `of`.
    fn count(&mut self, bits: Amount, of: fn(&mut Authorities) -> &mut usize) {
        for (bit, authorities) in [(Output::MINT, &mut self.mint), (Output::MELT, &mut self.melt)] {
            *of(authorities) += usize::from(bits.cents() & u128::from(bit) != 0);
        }
    }
}

fn add(to: &mut Amount, amount: Amount) {
    *to = to.saturating_add(amount);
}

impl Effects {
    /// `own_input` returns the wallet's output that an input spends, `is_own` whether a script pays the
    /// wallet.
    pub fn of(
        transaction: &Transaction,
        network: Network,
        own_input: impl Fn(Outpoint) -> Option<SpentOutput>,
        is_own: impl Fn(&[u8]) -> bool,
    ) -> Self {
        let mut effects = Self::default();
        let mut all: BTreeMap<TokenUid, Moves> = BTreeMap::new();
        for spent in transaction.spends().into_iter().filter_map(own_input) {
            let moves = all.entry(spent.token).or_default();
            match spent.token_data.is_authority() {
                true => moves.count(spent.value, |authorities| &mut authorities.spent),
                false => add(&mut moves.from_wallet, spent.value),
            }
        }
        let token_at = |data: TokenData| transaction.token_at(data).unwrap_or(CREATED);
        for Output { value, token_data, script } in &transaction.outputs {
            let parsed = Script::parse(script, network);
            // A locked output may be as good as lost.
            let is_locked = matches!(parsed, Some(Script::Pay { timelock: Some(_), .. }));
            let own = is_own(script) && !is_locked;
            let is_data = matches!(parsed, Some(Script::Data(_)));
            match parsed {
                _ if own => {}
                Some(Script::Pay { to, .. }) => drop(effects.pays.insert(to)),
                Some(Script::Data(_)) => {}
                None => effects.pays_unknown = true,
            }
            let moves = all.entry(token_at(*token_data)).or_default();
            match (token_data.is_authority(), own) {
                (true, true) => moves.count(*value, |authorities| &mut authorities.kept),
                (true, false) => moves.count(*value, |authorities| &mut authorities.handed_on),
                (false, true) => add(&mut moves.to_wallet, *value),
                (false, false) if is_data => add(&mut moves.to_data, *value),
                (false, false) => add(&mut moves.to_others, *value),
            }
        }
        for header in &transaction.headers {
            let Header::Fee(fees) = header else { continue };
            for FeeEntry { token_index, amount } in fees {
                add(&mut all.entry(token_at(TokenData::token(*token_index))).or_default().fee, *amount);
            }
        }
        if let Some(call) = transaction.nano() {
            effects.calls = Some((call.id, call.method.clone()));
            for NanoAction { kind, token_index, amount } in &call.actions {
                let moves = all.entry(token_at(TokenData::token(*token_index))).or_default();
                match kind {
                    ActionKind::Deposit => add(&mut moves.to_contract, *amount),
                    ActionKind::Withdrawal => add(&mut moves.from_contract, *amount),
                    ActionKind::GrantAuthority => {
                        moves.count(*amount, |authorities| &mut authorities.granted)
                    }
                    ActionKind::AcquireAuthority => {
                        moves.count(*amount, |authorities| &mut authorities.acquired)
                    }
                }
            }
        }
        effects.kinds.creates = transaction.creates.is_some();
        effects.kinds.calls = transaction.nano().is_some() || transaction.blueprint.is_some();
        let may_melt = all.values().any(|moves| moves.melt.can_be_used());
        for (token, moves) in all {
            effects.note(token, &moves, may_melt);
        }
        let Kinds { creates, mints, melts, calls, .. } = effects.kinds;
        effects.kinds.pays |= !(creates || mints || melts || calls);
        effects
    }

    fn note(&mut self, token: TokenUid, moves: &Moves, may_melt: bool) {
        let is_created = token == CREATED && self.kinds.creates;
        let may_mint = is_created || moves.mint.can_be_used();
        let minted = if may_mint { moves.made() } else { Amount::ZERO };
        // Melting returns HTR, to whomever the outputs pay.
        let given_back = if token == TokenUid::Native && may_melt { moves.made() } else { Amount::ZERO };
        let got = moves.had().saturating_add(minted).saturating_add(given_back);
        let spent = got.saturating_sub(moves.to_wallet);
        for (amounts, amount) in [(&mut self.spent, spent), (&mut self.minted, minted)] {
            if !amount.is_zero() {
                amounts.insert(token, amount);
            }
        }
        let Moves { mint, melt, from_contract, to_others, fee, .. } = moves;
        self.hands_on_minting |= mint.handed_on > 0 || mint.granted > 0;
        self.kinds.pays |= *to_others > from_contract.saturating_add(minted).saturating_add(given_back);
        if is_created {
            return;
        }
        self.kinds.mints |= !minted.is_zero() || mint.leave();
        let melted = moves.had().saturating_sub(moves.goes()).saturating_sub(*fee);
        self.kinds.melts |= melt.leave() || token != TokenUid::Native && !melted.is_zero();
    }

    pub const fn amounts(&self, verb: Verb) -> &Amounts {
        match verb {
            Verb::Spend => &self.spent,
            Verb::Mint => &self.minted,
        }
    }
}
