//! Requests that carry a transaction as hexadecimal text: push-tx, decode, utxos-selected-as-input.

use super::start::says_something;
use crate::api::check::Checker;
use crate::api::declare::{Kind, Member, Need, Rule, request};
use crate::api::rules::{TRANSACTION, TX_HEX, flag, noted, transaction};
use crate::api::texts::{
    INVALID_MARK, INVALID_PARTIAL_TX_FIELD, INVALID_TTL, INVALID_TX_HEX, ONLY_ONE_TRANSACTION,
    TRANSACTION_MISSING,
};
use crate::api::{Compat, Location, Refusal, Request};
use crate::ledger::Transaction;
use serde_json::{Map, Value};
use std::time::Duration;

request! {
    /// A transaction and nothing else: `POST /push-tx`.
    pub struct GivenTransaction in body {
        /// The transaction, in hexadecimal digits.
        pub transaction: Transaction = TX_HEX,
    }
}

request! {
    /// `PUT /wallet/utxos-selected-as-input`.
    pub struct SelectUtxos in body, also = refuse_time_of_release {
        /// The transaction whose inputs are meant, in hexadecimal digits.
        pub transaction: Transaction = TX_HEX,
        /// Whether the outputs are set aside, or given back.
        pub mark_as_used: bool = flag(true).called(INVALID_MARK),
        /// For how many milliseconds; until they are given back or spent if not given.
        pub ttl: Option<Duration> = TTL,
    }
}

/// Refuses a time for which outputs are released: it has no effect.
fn refuse_time_of_release(check: &mut Checker<'_>, compat: Compat) {
    let (mark, ttl) = (check.field("mark_as_used"), check.field("ttl"));
    let releases =
        mark.value.is_some_and(|mark| *mark == Value::Bool(false) || mark == "false" || mark == "0");
    if releases && ttl.value.is_some() && compat.refuses_unused_fields() {
        check.unused(&ttl, "must be left out where outputs are released");
    }
}

const TTL: Rule<Option<Duration>> = Rule::optional(Kind::Integer(Some(1), None), |check, field, _| {
    if field.value.is_none() {
        return Ok(None);
    }
    let Some(ttl) = check.integer_of(field).filter(|ttl| *ttl >= 1) else {
        check.problem(field, INVALID_TTL, "must be a time in milliseconds, at least 1");
        return noted();
    };
    Ok(Some(Duration::from_millis(u64::try_from(ttl).unwrap_or(u64::MAX))))
});

/// `POST /wallet/decode`.
#[derive(Clone, Debug, PartialEq)]
pub enum Decode {
    Transaction(Transaction),
    /// A proposal of an atomic swap, which has one in it.
    Swap(String),
}

impl Request for Decode {
    const IN: Location = Location::Body;
    const MEMBERS: &'static [Member] = &[
        Member::new("txHex", "The transaction, in hexadecimal digits.", Kind::Hex, Need::Optional),
        Member::new(
            "partial_tx",
            "A proposal of an atomic swap, instead of `txHex`.",
            Kind::Text,
            Need::Optional,
        ),
    ];
    fn read(body: &Map<String, Value>, _: Compat) -> Result<Self, Refusal> {
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
        match (hex, partial) {
            (Ok(hex), _) => transaction(hex).map(Self::Transaction),
            (_, Ok(partial)) => Ok(Self::Swap(partial.to_owned())),
            (Err(wrong), Err(others)) => {
                let nested = wrong.into_iter().chain(others).collect();
                Err(Refusal::none_of(TRANSACTION_MISSING, nested))
            }
        }
    }
}

/// Reads `txHex`.
fn tx_hex<'a>(check: &mut Checker<'a>) -> &'a str {
    let field = check.field("txHex");
    check.called(INVALID_TX_HEX, |check| check.formed_text(&field, TRANSACTION)).unwrap_or_default()
}
