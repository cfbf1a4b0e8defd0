//! Transactions that are not signed yet, and signatures of these and of messages. Digits are shown alone, for
//! others to take.

use super::cells::text;
use crate::cli::wallet::table::{Column, Sheet};
use serde_json::Value;

/// A transaction, and where it is known what is to be signed, that.
pub fn proposal(answer: &Value, _: &Value) -> Sheet {
    let hash = text(&answer["dataToSignHash"]);
    let sheet = Sheet::new().line(text(&answer["txHex"]));
    if hash.is_empty() { sheet } else { sheet.pairs([("to be signed", hash)]) }
}

pub fn wallet_inputs(answer: &Value, _: &Value) -> Sheet {
    const COLUMNS: [Column; 3] =
        [Column::number("input"), Column::number("address index"), Column::text("key")];
    let rows = answer["inputs"].as_array().into_iter().flatten().map(|input| {
        vec![text(&input["inputIndex"]), text(&input["addressIndex"]), text(&input["addressPath"])]
    });
    Sheet::new().table(&COLUMNS, rows.collect(), "No input spends what pays this wallet.")
}

pub fn input_data(answer: &Value, _: &Value) -> Sheet {
    Sheet::new().line(text(&answer["inputData"]))
}

pub fn message_signature(answer: &Value, _: &Value) -> Sheet {
    Sheet::new().line(text(&answer["signature"]))
}

pub fn signatures(answer: &Value, _: &Value) -> Sheet {
    Sheet::new().line(text(&answer["signatures"]))
}
