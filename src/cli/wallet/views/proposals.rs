//! Transactions that are not signed yet, and signatures of these and of messages. Digits are shown alone, for
//! others to take; what else there is to say goes to standard error.

use super::cells::{list, text};
use crate::cli::wallet::table::{Column, ColumnOf, Sheet};
use serde_json::Value;

pub fn proposal(answer: &Value, _: &Value) -> Sheet {
    Sheet::new().line(text(&answer["txHex"]))
}

/// What of it is to be signed.
pub fn to_be_signed(answer: &Value) -> Sheet {
    Sheet::new().pairs([("to be signed", text(&answer["dataToSignHash"]))])
}

pub fn wallet_inputs(answer: &Value, _: &Value) -> Sheet {
    const COLUMNS: [ColumnOf; 3] = [
        (Column::number("input"), |input| text(&input["inputIndex"])),
        (Column::number("address index"), |input| text(&input["addressIndex"])),
        (Column::text("key"), |input| text(&input["addressPath"])),
    ];
    Sheet::new().rows(&COLUMNS, list(&answer["inputs"]), "No input spends what pays this wallet.")
}

pub fn input_data(answer: &Value, _: &Value) -> Sheet {
    Sheet::new().line(text(&answer["inputData"]))
}

pub fn message_signature(answer: &Value, _: &Value) -> Sheet {
    Sheet::new().line(text(&answer["signature"]))
}

/// A proposal of an atomic swap.
pub fn swap(answer: &Value, _: &Value) -> Sheet {
    Sheet::new().line(text(&answer["data"]))
}

/// What is said beside it.
pub fn swap_state(answer: &Value) -> Sheet {
    let state = if answer["isComplete"] == true { "balanced: it can be signed" } else { "not balanced yet" };
    Sheet::new()
        .pairs([("state", state.to_owned()), ("at the swap service", text(&answer["createdProposalId"]))])
}

pub fn swap_list(answer: &Value, _: &Value) -> Sheet {
    const COLUMNS: [ColumnOf; 1] = [(Column::text("proposal"), text)];
    Sheet::new().rows(&COLUMNS, list(&answer["proposals"]), "The wallet is registered for no proposal.")
}

/// A proposal at the swap service.
pub fn swap_fetched(answer: &Value, _: &Value) -> Sheet {
    Sheet::new().line(text(&answer["proposal"]["partialTx"]))
}

/// What is said beside it.
pub fn swap_version(answer: &Value) -> Sheet {
    let proposal = &answer["proposal"];
    Sheet::new().pairs([
        ("version", text(&proposal["version"])),
        ("changed", text(&proposal["timestamp"])),
        ("signatures", text(&proposal["signatures"])),
    ])
}

/// Outputs that are locked.
pub fn locked(answer: &Value, _: &Value) -> Sheet {
    const COLUMNS: [Column; 1] = [Column::transaction("output")];
    let all = list(&answer["locked_utxos"]);
    let rows = all.flat_map(|of| {
        let outputs = list(&of["outputs"]);
        outputs.map(|index| vec![format!("{}:{index}", text(&of["tx_id"]))])
    });
    Sheet::new().table(&COLUMNS, rows.collect(), "No outputs are locked.")
}

pub fn signatures(answer: &Value, _: &Value) -> Sheet {
    Sheet::new().line(text(&answer["signatures"]))
}
