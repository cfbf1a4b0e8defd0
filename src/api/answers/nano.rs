//! Contracts: what the node says of them, and what of the history has to do with them.

use super::kinds::{Cents, Count, Flag, HexOrEmpty, List, Maybe, OrNull, Text, Uid};
use crate::api::answer::{SerializeAs, answer};
use crate::api::node_json::{AsItCame, Node};
#[cfg(feature = "native")]
use crate::api::shape::{Form, Shape, Shaped};
use crate::ledger::nano::{ActionKind, NanoCall, TokenAction};
use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// An answer of the node, as it came.
pub(super) struct NodeJson;

impl SerializeAs<RawValue> for NodeJson {
    fn serialize_as<S: Serializer>(json: &RawValue, to: S) -> Result<S::Ok, S::Error> {
        // Only writers of JSON know what to do with text of JSON.
        match cfg!(feature = "native") {
            true => json.serialize(to),
            false => AsItCame(json.get()).serialize(to),
        }
    }
}

impl SerializeAs<Value> for NodeJson {
    fn serialize_as<S: Serializer>(value: &Value, to: S) -> Result<S::Ok, S::Error> {
        Node(value).serialize(to)
    }
}

#[cfg(feature = "native")]
impl Shaped for NodeJson {
    const SHAPE: Shape = Shape::new(Form::Value(|| serde_json::json!({})));
}

/// The answer of nano-contracts/state.
pub struct ContractState(pub Box<RawValue>);

answer! {
    /// The state of a contract, as the node answers it.
    this: ContractState as "ContractState" {
        success = true,
        /// `fields`, `balances` and `calls`, each by what was asked for, and what the contract is made of.
        state: NodeJson = *this.0,
    }
}

/// The answer of nano-contracts/history.
pub struct ContractHistory(pub Box<RawValue>);

answer! {
    /// Transactions that called a contract, as the node answers them.
    this: ContractHistory as "ContractHistory" {
        success = true,
        history: NodeJson = *this.0,
    }
}

/// The answer of nano-contracts/oracle-data.
pub struct OracleData(pub Vec<u8>);

answer! {
    /// What a contract knows an oracle by.
    this: OracleData as "OracleData" {
        success = true,
        /// In hexadecimal.
        oracleData: HexOrEmpty = *this.0,
    }
}

/// The answer of nano-contracts/oracle-signed-result.
pub struct OracleResult(pub Value);

answer! {
    /// A result that an oracle has signed: the argument for the contract's method.
    this: OracleResult as "OracleResult" {
        success = true,
        /// `type`, `signature` and `value`.
        signedResult: NodeJson = this.0,
    }
}

/// Where a call stands, and what it moves.
pub(super) struct CallContext<'a>(pub &'a NanoCall);

answer! {
    /// The actions and the caller of a contract call.
    this: CallContext<'_> as "CallContext", type "CallContext" {
        actions: [ActionAnswer<'_>] = List(this.0.actions.iter().map(ActionAnswer)),
        caller_id: Text = this.0.caller,
        /// Unix seconds, by the node.
        timestamp: OrNull<Count> = this.0.timestamp,
        address: Text = this.0.caller,
    }
}

struct ActionAnswer<'a>(&'a TokenAction);

impl ActionAnswer<'_> {
    fn of_authority<T>(&self, value: T) -> Option<T> {
        matches!(self.0.kind, ActionKind::GrantAuthority | ActionKind::AcquireAuthority).then_some(value)
    }
    fn of_amount<T>(&self, value: T) -> Option<T> {
        matches!(self.0.kind, ActionKind::Deposit | ActionKind::Withdrawal).then_some(value)
    }
}

answer! {
    /// Amounts and authorities that a call moves into or out of its contract.
    this: ActionAnswer<'_>, type "CallAction" {
        type: Text = this.0.kind.name(),
        /// The token's uid; `00` is HTR.
        token_uid: Uid = this.0.token,
        /// Of deposits and withdrawals, in cents.
        amount: Maybe<Cents> = this.of_amount(this.0.amount),
        /// Of authorities.
        mint: Maybe<Flag> = this.of_authority(this.0.mints()),
        /// Of authorities.
        melt: Maybe<Flag> = this.of_authority(this.0.melts()),
    }
}
