//! Outputs to spend, as requests name them.

use crate::api::check_twice::Form;
use crate::api::rules::{is_hex, or_noted};
use crate::ledger::Outpoint;
use crate::operations::prelude::*;

/// An output to spend, as given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplicitInput {
    /// The transaction's id, as given.
    pub hash: String,
    /// The output's place in it, saturated.
    pub index: u32,
}

impl ExplicitInput {
    /// The output at a place that no transaction may have.
    pub(crate) fn new(hash: String, index: i128) -> Self {
        Self { hash, index: u32::try_from(index).unwrap_or(u32::MAX) }
    }
    /// The output meant; `None` if no transaction can have it.
    pub fn outpoint(&self) -> Option<Outpoint> {
        Some(Outpoint { tx: self.hash.parse().ok()?, index: u8::try_from(self.index).ok()? })
    }
}

const ID_FORM: Form = Form { must: "must be a transaction id of 64 hexadecimal digits", fits: is_id };

pub(crate) fn is_id(text: &str) -> bool {
    text.len() == 64 && is_hex(text)
}

/// A transaction's id.
pub(crate) const TX_ID: Rule<String> =
    Rule::required(Kind::Pattern("^[0-9A-Fa-f]{64}$"), |check, field, _| {
        or_noted(check.formed_text(field, ID_FORM).map(str::to_owned))
    })
    .each_by(|check, fields| {
        check.formed_texts(fields, ID_FORM).into_iter().map(|text| text.map(str::to_owned)).collect()
    });

/// The place of an output.
pub(crate) const OUTPUT_PLACE: Rule<i128> =
    Rule::required(Kind::Integer(Some(0), None), |check, field, _| {
        or_noted(check.count(field, "must be the place of an output"))
    });
