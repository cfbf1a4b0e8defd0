//! What contracts hold and know.

use crate::ledger::{Address, TokenUid, VertexId};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

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
