//! What the node says of contracts, and what their oracles sign.

use crate::api::rules::{OPTIONAL_TEXT, TEXT, or_noted, texts};
use crate::api::{ContractHistory, ContractState, OracleData, OracleResult};
use crate::ledger::nano::{ArgType, ArgValue, write_value};
use crate::ledger::{Address, Script, VertexId};
use crate::nano_args::{arg_from_json, arg_to_json};
use crate::node::CallError as NodeError;
use crate::node::{Fault, StateQuery};
use crate::operations::prelude::*;
use serde_json::Value;

pub static CONTRACT_STATE: Operation = get("nano-state", "/wallet/nano-contracts/state", Group::Contracts, Right::Read)
    .does("Show what a contract holds, and the values of its fields.")
    .package(&[method("contractState").gives("unknown").waits()])
    .command(&[command("nano-state").places(&["id"]).by(&[
        Argument::flag("fields", "field"),
        Argument::flag("balances", "balance"),
        Argument::flag("calls", "call"),
    ])])
    .asks::<ContractStateQuery>(&[("example", r#"{"id": "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595", "fields": ["total"], "balances": ["00"]}"#)])
    .answers(answers![ContractState, Failure]);

pub static CONTRACT_HISTORY: Operation =
    get("nano-history", "/wallet/nano-contracts/history", Group::Contracts, Right::Read)
        .does("List the transactions that called a contract, newest first.")
        .package(&[method("contractHistory").gives("unknown").waits()])
        .command(&[command("nano-history").places(&["id"])])
        .asks::<ContractHistoryQuery>(&[(
            "example",
            r#"{"id": "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595", "count": 10}"#,
        )])
        .answers(answers![ContractHistory, Failure]);

pub static ORACLE_DATA: Operation =
    get("nano-oracle-data", "/wallet/nano-contracts/oracle-data", Group::Contracts, Right::Read)
        .does("Show the data by which a contract knows an oracle: the script that pays an address.")
        .package(&[method("oracleData").takes("oracle: string").gives("string")])
        .command(&[command("oracle-data").places(&["oracle"])])
        .reads::<OracleDataQuery>(&[("example", r#"{"oracle": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f"}"#)])
        .answers(answers![OracleData, Failure]);

pub static ORACLE_SIGNED_RESULT: Operation = get("nano-oracle-signed-result", "/wallet/nano-contracts/oracle-signed-result", Group::Contracts, Right::Sign)
    .does("Sign a result for a contract, as its oracle.")
    .package(&[method("oracleSignedResult").gives("unknown")])
    .command(&[command("oracle-signed-result").places(&["oracle_data", "contract_id", "result", "type"])])
    .asks::<OracleResultQuery>(&[("example", r#"{"oracle_data": "76a91466665b27f7dbc4c8c089d2f686c170c74d66f0b588ac", "contract_id": "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595", "result": "1x0", "type": "str"}"#)])
    .answers(answers![OracleResult, Failure]);

request! {
    /// `GET /wallet/nano-contracts/state`.
    pub struct ContractStateQuery in query {
        /// The contract.
        pub id: String = TEXT,
        /// Fields of its blueprint whose values are wanted.
        pub fields: Vec<String> = TEXTS,
        /// Uids of tokens of which its balances are wanted; `__all__` for all that it has.
        pub balances: Vec<String> = TEXTS,
        /// Calls of methods that change nothing, such as `name(argument)`, whose results are wanted.
        pub calls: Vec<String> = TEXTS,
        /// As it was after this block rather than after the best one.
        pub block_hash: Option<String> = OPTIONAL_TEXT,
        /// As it was after the block at this height.
        pub block_height: Option<u64> = COUNT,
    }
}

request! {
    /// `GET /wallet/nano-contracts/history`.
    pub struct ContractHistoryQuery in query {
        /// The contract.
        pub id: String = TEXT,
        /// At most so many, newest first.
        pub count: Option<u64> = COUNT,
        /// Only those older than this transaction.
        pub after: Option<String> = OPTIONAL_TEXT,
        /// Only those newer than this transaction, the oldest of them first.
        pub before: Option<String> = OPTIONAL_TEXT,
    }
}

request! {
    /// `GET /wallet/nano-contracts/oracle-data`.
    pub struct OracleDataQuery in query {
        /// An address, or an output's script in hexadecimal.
        pub oracle: String = TEXT,
    }
}

request! {
    /// `GET /wallet/nano-contracts/oracle-signed-result`.
    pub struct OracleResultQuery in query {
        /// As `oracle-data` gives it.
        pub oracle_data: String = TEXT,
        /// The contract for which the result is.
        pub contract_id: String = TEXT,
        /// The result; bytes in hexadecimal.
        pub result: Value = ANY,
        /// The type of the result, such as `str`, as the contract's method has it within `SignedData`.
        pub result_type: String = TEXT.named("type"),
    }
}

const COUNT: Rule<Option<u64>> = Rule::optional(Kind::Integer(Some(0), None), |check, field, _| {
    Ok(check.optional_integer(field, Some(0)).map(|number| u64::try_from(number).unwrap_or(u64::MAX)))
});

const ANY: Rule<Value> = Rule::required(Kind::Any, |check, field, _| {
    if field.value.is_none() {
        check.invalid(field, "is required");
    }
    or_noted(field.value.cloned())
});

const MAX_TEXTS: usize = 100;

/// Texts in a query.
const TEXTS: Rule<Vec<String>> = Rule::optional(
    Kind::Array { of: &Kind::Text, least: 0, most: Some(MAX_TEXTS) },
    |check, field, _| {
        let must = "must be an array of at most 100 texts: give it as often as there are values, with [] after its name";
        field.value.map_or(Ok(Vec::new()), |_| or_noted(texts(check, field, MAX_TEXTS, must)))
    },
);

impl Ask for ContractStateQuery {
    fn answer<'a>(self: Box<Self>, call: &'a Call<'a>) -> Waits<'a, Answer> {
        Box::pin(async move {
            let query = StateQuery {
                id: &self.id,
                fields: &self.fields,
                balances: &self.balances,
                calls: &self.calls,
                block_hash: self.block_hash.as_deref(),
                block_height: self.block_height,
            };
            let state = call.wallet.node().contract_state(query).await;
            let state =
                state.map_err(|error| call.node_failure(error, "Error getting nano contract state."))?;
            call.give(&ContractState(state))
        })
    }
}

impl Ask for ContractHistoryQuery {
    fn answer<'a>(self: Box<Self>, call: &'a Call<'a>) -> Waits<'a, Answer> {
        Box::pin(async move {
            let (after, before) = (self.after.as_deref(), self.before.as_deref());
            let history = call.wallet.node().contract_history(&self.id, self.count, after, before).await;
            let history =
                history.map_err(|error| call.node_failure(error, "Error getting nano contract history."))?;
            call.give(&ContractHistory(history))
        })
    }
}

impl Call<'_> {
    /// What callers are told of a node that does not answer, or has no such contract. Release 0.39 has one
    /// text for everything else.
    fn node_failure(&self, error: NodeError, other: &'static str) -> CallError {
        let text = (!self.compat.explains_node_failures()).then_some(other);
        match &error.fault {
            Fault::Refused(message) if message.starts_with("Nano contract does not exist") => {
                refused_as("NOT_FOUND", "Nano contract not found.")
            }
            // Such as a field that its blueprint has not.
            Fault::Refused(_) => refused(text.map_or_else(|| error.to_string(), str::to_owned)),
            _ => CallError::Node { error: Box::new(error), text },
        }
    }
}

impl Read for OracleDataQuery {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        let script = match Address::parse(&self.oracle, call.network()) {
            Ok(to) => Script::Pay { to, timelock: None }.to_bytes().expect("payments have scripts"),
            Err(_) => {
                hex::decode(&self.oracle).map_err(|_| refused("Invalid hex value for oracle script."))?
            }
        };
        call.give(&OracleData(script))
    }
}

impl Ask for OracleResultQuery {
    fn answer<'a>(self: Box<Self>, call: &'a Call<'a>) -> Waits<'a, Answer> {
        Box::pin(async move {
            const NOT_HEX: &str = "hexToBuffer: argument must be a strict hex string.";
            let oracle = hex::decode(&self.oracle_data).map_err(|_| refused(NOT_HEX))?;
            let contract: VertexId =
                self.contract_id.parse().map_err(|_| refused("contract_id must be 64 hexadecimal digits"))?;
            let of = ArgType::parse(&self.result_type).map_err(|error| refused(error.to_string()))?;
            let value = arg_from_json(&of, &self.result, call.network());
            let value = value.map_err(|must| refused(format!("result{must}")))?;
            // What is signed is the contract's id, too: a signature for one contract is none for another.
            let signed = [&contract.0[..], &write_value(&of, &value)?].concat();
            let signature = match Script::parse(&oracle, call.network()) {
                Some(Script::Pay { to, .. }) => call.wallet.sign_as_oracle(&to, &signed).await?,
                _ => oracle,
            };
            let of = ArgType::Signed(Box::new(of), self.result_type);
            let result = ArgValue::Signed(Box::new(value), signature);
            call.give(&OracleResult(arg_to_json(&of, &result)))
        })
    }
}
