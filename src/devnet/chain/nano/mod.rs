//! Contracts of the local network: what they hold, and what calls do to them when a block has them. The few
//! blueprints that can be executed are written in Rust; any other is refused by its name.

pub(in crate::devnet) mod blueprints;
mod execution;

pub use blueprints::{BET, Program};
pub use execution::{Contract, Holding, Method, NanoState, Value};

use super::script_eval::{ScriptContext, evaluate_script};
use super::{Chain, Stored};
use crate::ledger::nano::{ActionKind, NanoHeader};
use crate::ledger::{AddressKind, AmountVersion, Script, TokenData, TokenUid, Transaction, VertexId};
use std::collections::BTreeMap;

/// Full node: `MAX_ACTIONS_LEN`.
const MAX_ACTIONS: usize = 16;

impl Chain {
    /// The contracts after a block of the best chain.
    pub fn contracts_at(&self, block: &VertexId) -> Option<&NanoState> {
        self.contracts.get(block).map(|state| &**state)
    }

    pub fn contracts(&self) -> &NanoState {
        self.contracts_at(&self.best_block().0).expect("every block of the best chain has them")
    }

    /// The program of a blueprint that contracts can be made of.
    pub fn program(&self, blueprint: &VertexId) -> Option<Program> {
        if blueprint.0 == BET {
            return Some(Program::Bet);
        }
        let stored = self.get(blueprint).filter(|stored| !stored.is_voided())?;
        stored.meta.first_block?;
        Program::of_code(&stored.transaction()?.blueprint.as_ref()?.code).ok()
    }

    /// Whether a block carried a call out, and it failed.
    pub(super) fn has_failed(&self, id: &VertexId) -> bool {
        let block = self.get(id).and_then(|stored| stored.meta.first_block);
        block.and_then(|block| self.failed_calls.get(&block)).is_some_and(|failed| failed.contains(id))
    }

    /// What became of a call, in the node's words.
    pub fn execution_of(&self, stored: &Stored) -> Option<&'static str> {
        stored.transaction()?.nano()?;
        match stored.meta.first_block {
            Some(_) if self.has_failed(&stored.id) => Some("failure"),
            Some(_) => Some("success"),
            None => Some("pending"),
        }
    }

    /// What a contract is made of, also before a block has made it.
    pub fn blueprint_of(&self, contract: &VertexId) -> Option<VertexId> {
        if let Some(contract) = self.contracts().contract(contract) {
            return Some(contract.blueprint);
        }
        let made = self.get(contract).filter(|made| !made.is_voided())?.transaction()?.nano()?;
        made.is_creation().then_some(made.id)
    }

    /// What is wrong with a call of a contract, or with a blueprint.
    pub(super) fn verify_nano(&self, tx: &Transaction) -> Result<(), String> {
        if let Some(blueprint) = &tx.blueprint {
            if tx.amounts() == AmountVersion::V2 {
                return Err("the local network has no blueprints that count in 10^-18".to_owned());
            }
            blueprints::verify_signature(tx, blueprint)?;
            Program::of_code(&blueprint.code)?;
        }
        let Some(call) = tx.nano() else { return Ok(()) };
        if tx.headers.iter().filter(|header| header.call().is_some()).count() > 1 {
            return Err("only one instance of `NanoHeader` is allowed".to_owned());
        }
        verify_actions(tx, call)?;
        verify_caller(tx, call)?;
        if call.is_creation() && self.program(&call.id).is_none() {
            return Err(format!("the local network has no blueprint {} that it can execute", call.id));
        }
        Ok(())
    }
}

fn verify_actions(tx: &Transaction, call: &NanoHeader) -> Result<(), String> {
    if call.actions.len() > MAX_ACTIONS {
        let count = call.actions.len();
        return Err(format!("more actions than the max allowed: {count} > {MAX_ACTIONS}"));
    }
    let mut kinds: BTreeMap<u8, u8> = BTreeMap::new();
    for action in &call.actions {
        let name = action.kind.name().to_uppercase();
        let index = action.token_index;
        if usize::from(index) > tx.tokens.len() {
            return Err(format!("{name} token index {index} not found"));
        }
        let is_authority = matches!(action.kind, ActionKind::GrantAuthority | ActionKind::AcquireAuthority);
        if is_authority && index == 0 {
            return Err(format!("{name} action cannot be executed on HTR token"));
        }
        if is_authority && action.amount.cents() > 3 {
            let bits = action.amount.cents();
            return Err(format!("action {name} invalid authorities: 0b{bits:b}"));
        }
        *kinds.entry(index).or_default() |= 1 << (action.kind as u8);
    }
    for (index, kinds) in kinds {
        let has = |kind: ActionKind| kinds & 1 << (kind as u8) != 0;
        let both = |a, b| has(a) && has(b);
        if both(ActionKind::Deposit, ActionKind::Withdrawal)
            || both(ActionKind::GrantAuthority, ActionKind::AcquireAuthority)
        {
            let token = tx.token_at(TokenData::token(index)).unwrap_or(TokenUid::Native);
            return Err(format!("conflicting actions for token {token}"));
        }
    }
    Ok(())
}

fn verify_caller(tx: &Transaction, call: &NanoHeader) -> Result<(), String> {
    let sighash = tx.sighash().map_err(|error| error.to_string())?;
    let context = ScriptContext { sighash, timestamp: tx.timestamp };
    debug_assert!(matches!(call.caller.kind(), AddressKind::P2pkh | AddressKind::P2sh));
    let script = Script::Pay { to: call.caller, timelock: None }.to_bytes().expect("payments have scripts");
    // The node's error has no text here.
    evaluate_script(&call.script, &script, &context).map_err(|_| String::new())
}

/// The tokens that a call moves, with what of them.
pub(super) fn actions_of(stored: &Stored) -> Vec<(ActionKind, TokenUid, u128)> {
    let Some(tx) = stored.transaction() else { return Vec::new() };
    let actions = tx.nano().into_iter().flat_map(|call| &call.actions);
    let token = |index| stored.token(TokenData::token(index)).expect("verified when it came");
    actions.map(|action| (action.kind, token(action.token_index), action.amount.cents())).collect()
}
