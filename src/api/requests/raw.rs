//! Requests that carry a transaction as hexadecimal text: push-tx, decode, utxos-selected-as-input.

use crate::api::check::{Checker, Field};
use crate::api::record::{Kind, Need, note};
use crate::api::texts::{
    INVALID_MARK, INVALID_PARTIAL_TX, INVALID_TTL, INVALID_TX_HEX, ONLY_ONE_TRANSACTION, TRANSACTION_MISSING,
    TRANSACTION_NOT_SUPPORTED,
};
use crate::api::{Location, Problem, Refusal};
use crate::ledger::Transaction;
use serde_json::{Map, Value};
use std::time::Duration;

const HEX: &str = "must be a transaction as hexadecimal digits";

/// `POST /push-tx`.
#[derive(Clone, Debug, PartialEq)]
pub struct PushTx {
    #[allow(missing_docs)]
    pub transaction: Transaction,
}

impl PushTx {
    /// Reads the body of a request.
    pub fn from_json(body: &Map<String, Value>) -> Result<Self, Refusal> {
        let mut check = Checker::body(body);
        let hex = tx_hex(&mut check);
        check.finish()?;
        Ok(Self { transaction: transaction(hex)? })
    }
}

/// `PUT /wallet/utxos-selected-as-input`.
#[derive(Clone, Debug, PartialEq)]
pub struct SelectUtxos {
    /// Whose inputs are meant.
    pub transaction: Transaction,
    /// Whether they are set aside, or given back.
    pub mark_as_used: bool,
    /// For how long; without it until they are given back or spent.
    pub ttl: Option<Duration>,
}

impl SelectUtxos {
    /// Reads the body of a request.
    pub fn from_json(body: &Map<String, Value>) -> Result<Self, Refusal> {
        let mut check = Checker::body(body);
        let hex = tx_hex(&mut check);
        let mark_as_used = check.called(INVALID_MARK, |check| check.boolean("mark_as_used", true));
        let field = check.field("ttl");
        note("ttl", Kind::Integer(Some(1), None), Need::Optional);
        let ttl = field.value.and_then(|_| {
            let ttl = check.integer_of(&field).filter(|ttl| *ttl >= 1);
            if ttl.is_none() {
                check.problem(&field, INVALID_TTL, "must be a time in milliseconds, at least 1");
            }
            ttl.map(|ttl| Duration::from_millis(u64::try_from(ttl).unwrap_or(u64::MAX)))
        });
        check.finish()?;
        Ok(Self { transaction: transaction(hex)?, mark_as_used, ttl })
    }
}

/// `POST /wallet/decode`.
#[derive(Clone, Debug, PartialEq)]
pub struct Decode {
    #[allow(missing_docs)]
    pub transaction: Transaction,
}

impl Decode {
    /// Reads the body of a request: a transaction, or a proposal of an atomic swap, which has one in it.
    pub fn from_json(body: &Map<String, Value>) -> Result<Self, Refusal> {
        note("txHex", Kind::Hex, Need::Optional);
        note("partial_tx", Kind::Text, Need::Optional);
        let hex = body.get("txHex").and_then(Value::as_str).filter(|text| is_hex(text));
        let partial = body.get("partial_tx").and_then(Value::as_str);
        let transaction = match (hex, partial) {
            (Some(hex), None) => transaction(hex)?,
            (None, Some(partial)) => {
                partial_transaction(partial).ok_or_else(|| Refusal::failure(INVALID_PARTIAL_TX))?
            }
            (Some(_), Some(_)) => return Err(Refusal::Body(ONLY_ONE_TRANSACTION.to_owned())),
            (None, None) => {
                let problem = |name: &str, msg: &'static str, must: &'static str| Problem {
                    value: body.get(name).cloned(),
                    msg: msg.into(),
                    param: name.to_owned(),
                    location: Some(Location::Body),
                    nested: Vec::new(),
                    must: must.into(),
                };
                let given = body.contains_key("partial_tx");
                let partial =
                    given.then(|| problem("partial_tx", INVALID_PARTIAL_TX, "must be a proposal's text"));
                let nested = std::iter::once(problem("txHex", INVALID_TX_HEX, HEX)).chain(partial).collect();
                return Err(Refusal::none_of(TRANSACTION_MISSING, nested));
            }
        };
        Ok(Self { transaction })
    }
}

/// Reads `txHex`; a missing one is noted twice, as the existing service does.
pub(super) fn tx_hex<'a>(check: &mut Checker<'a>) -> &'a str {
    let field: Field<'a> = check.field("txHex");
    note("txHex", Kind::Hex, Need::Required);
    match field.value {
        Some(Value::String(text)) if is_hex(text) => return text,
        Some(_) => {}
        None => check.problem(&field, INVALID_TX_HEX, "is required"),
    }
    check.problem(&field, INVALID_TX_HEX, HEX);
    ""
}

pub(super) fn is_hex(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_hexdigit())
}

pub(super) fn transaction(hex: &str) -> Result<Transaction, Refusal> {
    let bytes = hex::decode(hex).ok();
    let transaction = bytes.and_then(|bytes| Transaction::from_bytes(&bytes).ok());
    transaction.ok_or_else(|| Refusal::failure(TRANSACTION_NOT_SUPPORTED))
}

/// The transaction in `PartialTx|<hexadecimal>|…|…`.
fn partial_transaction(text: &str) -> Option<Transaction> {
    let mut parts = text.split('|');
    let (Some("PartialTx"), Some(hex), Some(inputs), Some(_), None) =
        (parts.next(), parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return None;
    };
    let transaction = Transaction::from_bytes(&hex::decode(hex).ok()?).ok()?;
    let described = inputs.split(':').filter(|input| !input.is_empty()).count();
    (described == transaction.inputs.len()).then_some(transaction)
}
