//! Calls of contracts and blueprints as the ledger's indexes show them.

use super::{ActionKind, NanoHeader};
use crate::ledger::{Address, Amount, Output, TokenUid, Transaction, VertexId};

/// What a transaction has to do with contracts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VertexNano {
    Call(NanoCall),
    /// It is a blueprint.
    Blueprint {
        /// The compressed public key of who put it on the ledger.
        public_key: Vec<u8>,
    },
}

/// A call of a contract's method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NanoCall {
    /// The contract; of a call that creates one, the transaction itself.
    pub contract: VertexId,
    /// What the contract is made of, where that is known.
    pub blueprint: Option<VertexId>,
    pub seqnum: u64,
    /// ASCII.
    pub method: String,
    /// As [`write_args`](super::write_args) makes them.
    pub args: Vec<u8>,
    pub caller: Address,
    pub actions: Vec<TokenAction>,
    /// The time that the node gives its context: Unix seconds.
    pub timestamp: Option<u32>,
}

/// What a call moves into or out of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenAction {
    pub kind: ActionKind,
    pub token: TokenUid,
    /// For authorities a bit mask.
    pub amount: Amount,
}

impl TokenAction {
    /// Whether an authority to mint is among what moves.
    pub const fn mints(&self) -> bool {
        self.amount.cents() & Output::MINT as u128 != 0
    }
    /// Whether an authority to melt is.
    pub const fn melts(&self) -> bool {
        self.amount.cents() & Output::MELT as u128 != 0
    }
}

impl VertexNano {
    /// The call, if it is one.
    pub const fn call(&self) -> Option<&NanoCall> {
        match self {
            Self::Call(call) => Some(call),
            Self::Blueprint { .. } => None,
        }
    }

    /// Of the transaction `id` as it is sent.
    pub fn of(transaction: &Transaction, id: VertexId) -> Option<Self> {
        if let Some(blueprint) = &transaction.blueprint {
            return Some(Self::Blueprint { public_key: blueprint.public_key.clone() });
        }
        let header = transaction.nano()?;
        let (contract, blueprint) = match header.is_creation() {
            true => (id, Some(header.id)),
            false => (header.id, None),
        };
        let NanoHeader { seqnum, method, args, caller, .. } = header.clone();
        let action = |action: &super::NanoAction| {
            let token = match transaction.token_at(crate::ledger::TokenData::token(action.token_index)) {
                None if transaction.creates.is_some() => TokenUid::Custom(id),
                token => token?,
            };
            Some(TokenAction { kind: action.kind, token, amount: action.amount })
        };
        let actions = header.actions.iter().map(action).collect::<Option<_>>()?;
        let call = NanoCall { contract, blueprint, seqnum, method, args, caller, actions, timestamp: None };
        Some(Self::Call(call))
    }
}
