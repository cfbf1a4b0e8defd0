//! Requests that carry a transaction as hexadecimal text: push-tx, decode, utxos-selected-as-input.

use super::start::says_something;
use crate::api::Refusal;
use crate::api::check::Checker;
use crate::api::check_twice::Form;
use crate::api::record::{Kind, Need, note};
use crate::api::texts::{
    INVALID_MARK, INVALID_PARTIAL_TX, INVALID_PARTIAL_TX_FIELD, INVALID_TTL, INVALID_TX_HEX,
    ONLY_ONE_TRANSACTION, TRANSACTION_MISSING, TRANSACTION_NOT_SUPPORTED,
};
use crate::ledger::Transaction;
use serde_json::{Map, Value};
use std::time::Duration;

/// A transaction given as text.
pub(super) const TRANSACTION: Form =
    Form { kind: Kind::Hex, must: "must be a transaction as hexadecimal digits", fits: is_hex };

/// A transaction and nothing else: `POST /push-tx` and `POST /wallet/p2sh/tx-proposal/get-my-signatures`.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenTransaction {
    #[allow(missing_docs)]
    pub transaction: Transaction,
}

impl GivenTransaction {
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
        let mut check = Checker::body(body);
        let hex = check.form(tx_hex);
        let field = check.field("partial_tx");
        let partial = check.form(|check| {
            check.called(INVALID_PARTIAL_TX_FIELD, |check| check.text(&field).unwrap_or_default())
        });
        if hex.is_ok() || partial.is_ok() {
            let given = |name| body.get(name).is_some_and(says_something);
            if given("txHex") && given("partial_tx") {
                return Err(Refusal::Body(ONLY_ONE_TRANSACTION.to_owned()));
            }
        }
        let transaction = match (hex, partial) {
            (Ok(hex), _) => transaction(hex)?,
            (_, Ok(partial)) => {
                partial_transaction(partial).ok_or_else(|| Refusal::failure(INVALID_PARTIAL_TX))?
            }
            (Err(wrong), Err(others)) => {
                let nested = wrong.into_iter().chain(others).collect();
                return Err(Refusal::none_of(TRANSACTION_MISSING, nested));
            }
        };
        Ok(Self { transaction })
    }
}

/// Reads `txHex`.
pub(super) fn tx_hex<'a>(check: &mut Checker<'a>) -> &'a str {
    let field = check.field("txHex");
    check.called(INVALID_TX_HEX, |check| check.formed_text(&field, TRANSACTION)).unwrap_or_default()
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
