//! utxos-selected-as-input: what a transaction spends is set aside.

use crate::api::rules::{TX_HEX, flag, noted};
use crate::api::texts::{INVALID_MARK, INVALID_TTL};
use crate::ledger::Transaction;
use crate::operations::prelude::*;
use serde_json::Value;
use std::time::Duration;

pub static SELECT_UTXOS: Operation = post("utxos-selected-as-input", "/wallet/utxos-selected-as-input", Group::Transactions, Right::Build)
    .does("Reserve the outputs that a transaction spends, or release them.")
    .put()
    .package(&[
        method("lockUtxos")
            .takes("txHex: string, options?: { ttl?: number | undefined }")
            .about("Reserve the outputs that a transaction spends, for `ttl` milliseconds or until they are released or spent."),
        method("unlockUtxos")
            .takes("txHex: string")
            .about("Release the reserved outputs that a transaction spends."),
    ])
    .command(&[command("hold").places(&["txHex"]).by(&[Argument::flag("mark_as_used", "release").help("Releases them instead")])])
    .reads::<SelectUtxos>(&[("example", r#"{"txHex": "0001000000", "ttl": 60000}"#)])
    .answers(answers![Success, Failure]);

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

impl Read for SelectUtxos {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        let outputs = self.transaction.spends();
        if self.mark_as_used {
            call.wallet.lock_outpoints(&outputs, self.ttl)?;
        } else {
            call.wallet.unlock_outpoints(&outputs)?;
        }
        call.success()
    }

    fn unless_kept(&self) -> Option<&'static str> {
        Some(UNTIL_THE_END)
    }
}
