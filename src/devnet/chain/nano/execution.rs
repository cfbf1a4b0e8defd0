//! What contracts hold and know, and carrying out calls.

use super::{Program, actions_of};
use crate::devnet::chain::Chain;
use crate::ledger::nano::{ActionKind, ArgValue, INITIALIZE, read_args};
use crate::ledger::{Address, AmountVersion, DepositRate, TokenUid, VertexId};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Why a call fails; nobody sees the text but in the node's log.
pub(super) type Failed = String;

/// A call that is being carried out.
pub(super) struct Running<'a> {
    pub contract_id: VertexId,
    pub contract: Contract,
    pub caller: Address,
    pub block_time: u32,
    pub args: Vec<ArgValue>,
    pub actions: &'a [(ActionKind, TokenUid, u128)],
    pub rate: DepositRate,
}

impl Chain {
    /// Carries out what a block at that time has of calls: what contracts are then, and the calls that
    /// failed.
    pub(in crate::devnet::chain) fn execute(
        &self,
        calls: &[VertexId],
        time: u32,
    ) -> (Arc<NanoState>, BTreeSet<VertexId>) {
        let before = &self.contracts[&self.best_block().0];
        let calls = self.in_order(calls);
        if calls.is_empty() {
            return (before.clone(), BTreeSet::new());
        }
        let mut state = NanoState::clone(before);
        let mut failed = BTreeSet::new();
        for id in calls {
            let stored = &self.vertices[&id];
            // What it spends came out of a call that failed.
            let is_skipped = stored.inputs().iter().any(|input| failed.contains(&input.spends.tx));
            if is_skipped || self.execute_one(&mut state, id, time).is_err() {
                failed.insert(id);
            }
        }
        (Arc::new(state), failed)
    }

    /// Calls by time, those of one caller by their numbers.
    fn in_order(&self, ids: &[VertexId]) -> Vec<VertexId> {
        let call = |id: &VertexId| self.vertices[id].transaction().and_then(|tx| tx.nano());
        let mut ordered: Vec<VertexId> = ids.iter().copied().filter(|id| call(id).is_some()).collect();
        ordered.sort_by_key(|id| (self.vertices[id].timestamp(), *id));
        let mut places: BTreeMap<Address, Vec<usize>> = BTreeMap::new();
        for (place, id) in ordered.iter().enumerate() {
            places.entry(call(id).expect("calls alone are left").caller).or_default().push(place);
        }
        for places in places.into_values() {
            let mut own: Vec<_> = places.iter().map(|place| ordered[*place]).collect();
            own.sort_by_key(|id| call(id).expect("calls alone are left").seqnum);
            for (place, id) in places.into_iter().zip(own) {
                ordered[place] = id;
            }
        }
        ordered
    }

    fn execute_one(&self, state: &mut NanoState, id: VertexId, block_time: u32) -> Result<(), Failed> {
        let stored = &self.vertices[&id];
        let call = stored.transaction().and_then(|tx| tx.nano()).expect("calls alone are carried out");
        state.take_seqnum(call.caller, call.seqnum).ok_or("invalid seqnum")?;
        let (contract_id, contract) = match call.is_creation() {
            true => (id, Contract::new(call.id)),
            false => (call.id, state.contract(&call.id).ok_or("no such contract")?.clone()),
        };
        if stored.amounts() == AmountVersion::V2 {
            // All blueprints of this network count in cents.
            return Err(
                "cannot call blueprints across token amount versions (tx = 2, blueprint = 1)".to_owned()
            );
        }
        let program = self.program(&contract.blueprint).ok_or("no such blueprint")?;
        let types = program.types(&call.method).ok_or("no such method")?;
        let args = read_args(&types, &call.args).map_err(|error| error.to_string())?;
        let actions = actions_of(stored);
        let rate = self.rules().deposit;
        let mut running =
            Running { contract_id, contract, caller: call.caller, block_time, args, actions: &actions, rate };
        running.receive()?;
        match program {
            Program::Bet => running.bet(&call.method)?,
            Program::Authority => running.authority(&call.method)?,
        }
        running.pay()?;
        let mut contract = running.contract;
        contract.calls.push(id);
        state.put(contract_id, contract);
        Ok(())
    }
}

impl Running<'_> {
    /// What comes in is there before the method runs.
    fn receive(&mut self) -> Result<(), Failed> {
        for (kind, token, amount) in self.actions {
            let holding = self.contract.balances.entry(*token).or_default();
            match kind {
                ActionKind::Deposit => {
                    holding.amount = holding.amount.checked_add(*amount).ok_or("too much")?;
                }
                ActionKind::GrantAuthority => {
                    holding.can_mint |= amount & 1 != 0;
                    holding.can_melt |= amount & 2 != 0;
                }
                ActionKind::Withdrawal | ActionKind::AcquireAuthority => {}
            }
        }
        Ok(())
    }

    /// What goes out must be there after it.
    fn pay(&mut self) -> Result<(), Failed> {
        for (kind, token, amount) in self.actions {
            let holding = self.contract.balances.entry(*token).or_default();
            match kind {
                ActionKind::Withdrawal => {
                    holding.amount = holding.amount.checked_sub(*amount).ok_or("too little")?;
                }
                ActionKind::AcquireAuthority => {
                    let lacks_mint = amount & 1 != 0 && !holding.can_mint;
                    if lacks_mint || amount & 2 != 0 && !holding.can_melt {
                        return Err("it has not that authority".to_owned());
                    }
                }
                ActionKind::Deposit | ActionKind::GrantAuthority => {}
            }
        }
        Ok(())
    }

    /// Demands that the method is called with actions of these kinds alone.
    pub(super) fn allow(&self, kinds: &[ActionKind]) -> Result<(), Failed> {
        match self.actions.iter().all(|(kind, ..)| kinds.contains(kind)) {
            true => Ok(()),
            false => Err("an action is forbidden".to_owned()),
        }
    }

    /// The one action, of a token.
    pub(super) fn single(&self) -> Result<(ActionKind, TokenUid, u128), Failed> {
        match self.actions {
            [action] => Ok(*action),
            _ => Err("only one token supported".to_owned()),
        }
    }
}

/// Whether a method creates the contract.
pub(super) fn is_initialize(method: &str) -> bool {
    method == INITIALIZE
}

// What contracts hold and know.

/// All contracts after a block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NanoState {
    contracts: BTreeMap<VertexId, Arc<Contract>>,
    seqnums: HashMap<Address, u64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Contract {
    /// What it is made of.
    pub blueprint: VertexId,
    pub balances: BTreeMap<TokenUid, Holding>,
    /// Its fields, by their names; of maps also `name:key`.
    pub fields: BTreeMap<String, Value>,
    /// The calls that were carried out, oldest first.
    pub calls: Vec<VertexId>,
}

/// What a contract has of a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holding {
    pub amount: u128,
    pub can_mint: bool,
    pub can_melt: bool,
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Nothing,
    Number(u128),
    Text(String),
    Bytes(Vec<u8>),
    Token(TokenUid),
}

impl Contract {
    pub(super) fn new(blueprint: VertexId) -> Self {
        Self { blueprint, balances: BTreeMap::new(), fields: BTreeMap::new(), calls: Vec::new() }
    }
    /// What it has of a token.
    pub fn holding(&self, token: TokenUid) -> Holding {
        self.balances.get(&token).copied().unwrap_or_default()
    }
    pub(super) fn number(&self, field: &str) -> u128 {
        match self.fields.get(field) {
            Some(Value::Number(number)) => *number,
            _ => 0,
        }
    }
    pub(super) fn set(&mut self, field: impl Into<String>, value: Value) {
        self.fields.insert(field.into(), value);
    }
    pub(super) fn add(&mut self, field: &str, amount: u128) {
        self.set(field, Value::Number(self.number(field).saturating_add(amount)));
    }
}

impl NanoState {
    pub fn contract(&self, id: &VertexId) -> Option<&Contract> {
        self.contracts.get(id).map(|contract| &**contract)
    }
    pub(super) fn put(&mut self, id: VertexId, contract: Contract) {
        self.contracts.insert(id, Arc::new(contract));
    }
    /// Takes the number of a call; `None` if its caller may not use it.
    pub(super) fn take_seqnum(&mut self, caller: Address, seqnum: u64) -> Option<()> {
        const MAX_JUMP: u64 = 10;
        let next = self.seqnums.get(&caller).map_or(0, |last| last.saturating_add(1));
        if !(next..next.saturating_add(MAX_JUMP)).contains(&seqnum) {
            return None;
        }
        self.seqnums.insert(caller, seqnum);
        Some(())
    }
}

/// A public method: its name, the names and types of its arguments, and what it says of itself.
pub type Method = (&'static str, &'static [(&'static str, &'static str)], Option<&'static str>);
