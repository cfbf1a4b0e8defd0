//! Which utxos pay for an amount. UtxoSet come from the wallet's own order (largest first, equal ones in the
//! order of the store), so that a selection looks at no more utxos than it takes.

use super::PlanError;
use super::reserve::UtxoKey;
use super::tokens::TokenNo;
use super::utxo_set::{UtxoSet, Value, Values};
use crate::ledger::{Amount, MAX_INPUTS, TokenUid};

/// Why no utxos were selected.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Shortfall {
    /// All of them are too little.
    Short { available: Amount },
    /// It would take more inputs than there is room for.
    Scattered { needed: usize, reachable: Amount },
}

impl Shortfall {
    /// As the planner says it: `short` puts "too little" into words. `room` is what the selection was given.
    pub(super) fn explain(
        self,
        token: TokenUid,
        room: usize,
        short: impl FnOnce(Amount) -> PlanError,
    ) -> PlanError {
        match self {
            Self::Short { available } => short(available),
            Self::Scattered { needed, reachable } => PlanError::TooScattered {
                token,
                needed: needed + (MAX_INPUTS - room.min(MAX_INPUTS)),
                reachable,
            },
        }
    }
}

/// Selects among the utxos that are `mature`, and among all of them only if those won't do. A transaction
/// must be later, in whole seconds, than what it spends, so a utxo of this very second would hold it up until
/// the next one.
///
/// Utxos with parts of a cent come last, and not at all where `only_cents`: what is left of them is change
/// that not every wallet can read.
pub(super) fn select_inputs(
    utxos: &UtxoSet,
    token: TokenNo,
    target: Amount,
    room: usize,
    only_cents: bool,
    mature: impl Fn(UtxoKey) -> bool,
) -> Result<Vec<UtxoKey>, Shortfall> {
    let select = |eligible: &dyn Fn(UtxoKey) -> bool| best_of(utxos, token, target, room, eligible);
    let has_parts = utxos.has_parts();
    let is_whole = |slot| !has_parts || utxos.utxo(slot).value.is_whole();
    let whole = select(&|slot| is_whole(slot) && mature(slot)).or_else(|_| select(&is_whole));
    match whole {
        Err(_) if !only_cents && has_parts => select(&mature).or_else(|_| select(&|_| true)),
        whole => whole,
    }
}

/// The way the existing wallet selects: one utxo of exactly the amount; else the smallest one that is larger;
/// else the largest ones until they suffice, which takes the fewest inputs possible.
fn best_of(
    utxos: &UtxoSet,
    token: TokenNo,
    target: Amount,
    room: usize,
    eligible: &dyn Fn(UtxoKey) -> bool,
) -> Result<Vec<UtxoKey>, Shortfall> {
    let eligible = |slot| utxos.is_seen(slot) && eligible(slot);
    let spendable = |values| utxos.spendable(token, values).filter(|slot| eligible(*slot));
    if let Some(value) = Value::of(target) {
        let first_of = |value| utxos.spendable_of(token, value).find(|slot| eligible(*slot));
        let larger = || spendable(Values::Above(value)).next_back();
        let one = first_of(value).or_else(|| first_of(utxos.utxo(larger()?).value));
        if let (Some(slot), 1..) = (one, room) {
            return Ok(vec![slot]);
        }
    }
    largest_first(utxos, spendable(Values::All), target, room)
}

/// Takes from the start of a list that has the largest utxos first.
pub(super) fn largest_first(
    utxos: &UtxoSet,
    sorted: impl Iterator<Item = UtxoKey>,
    target: Amount,
    room: usize,
) -> Result<Vec<UtxoKey>, Shortfall> {
    let (mut taken, mut sum, mut reachable) = (Vec::new(), Amount::ZERO, Amount::ZERO);
    for slot in sorted {
        if sum >= target {
            break;
        }
        sum = sum.saturating_add(utxos.utxo(slot).value.amount());
        taken.push(slot);
        if taken.len() <= room {
            reachable = sum;
        }
    }
    if sum < target {
        Err(Shortfall::Short { available: sum })
    } else if taken.len() > room {
        Err(Shortfall::Scattered { needed: taken.len(), reachable })
    } else {
        Ok(taken)
    }
}
