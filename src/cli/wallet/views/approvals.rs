//! What waits for approval.

use super::cells::{text, utc};
use crate::cli::limit;
use crate::cli::wallet::short::SHORT;
use crate::cli::wallet::table::{Column, Sheet};
use headless_wallet::net::brief;
use serde_json::Value;

pub fn approvals(answer: &Value, _: &Value) -> Sheet {
    const COLUMNS: [Column; 6] = [
        Column::id("approval"),
        Column::text("status"),
        Column::text("asked by"),
        Column::text("until"),
        Column::text("approved by"),
        Column::text("what it does"),
    ];
    let rows = answer["approvals"].as_array().into_iter().flatten().map(|approval| {
        vec![
            text(&approval["approvalId"]),
            text(&approval["status"]),
            asker(approval),
            if is_open(approval) { time(&approval["until"]) } else { String::new() },
            list(&approval["approvedBy"], ", "),
            list(&approval["does"], " "),
        ]
    });
    Sheet::new().table(&COLUMNS, rows.collect(), "Nothing waits for approval.")
}

pub fn approval(answer: &Value, _: &Value) -> Sheet {
    Sheet::new().pairs([
        ("status", text(&answer["status"])),
        ("asked by", asker(answer)),
        ("what it does", list(&answer["does"], " ")),
        ("limit", rule(&text(&answer["rule"]))),
        ("approval of", list(&answer["of"], ", ")),
        ("approved by", list(&answer["approvedBy"], ", ")),
        ("denied by", text(&answer["deniedBy"])),
        (if is_open(answer) { "until" } else { "ended" }, time(&answer["until"])),
        ("transaction", text(&answer["hash"])),
        ("error", text(&answer["error"])),
    ])
}

fn rule(told: &str) -> String {
    limit::units(told).map_or_else(|| told.to_owned(), |units| format!("{told} {units}"))
}

/// Why what has enough approvals was not sent, if it could not be.
pub fn not_sent(answer: &Value) -> Option<String> {
    let why = answer["error"].as_str()?.trim_end_matches('.');
    let id = answer["approvalId"].as_str().unwrap_or_default();
    let id = id.get(..SHORT).unwrap_or(id);
    Some(match answer["status"] == "sending" {
        true => format!(
            "the approval is noted, and nobody knows yet whether the transaction was sent: {}. `headless-wallet wallet approve {id}` \
             finds out, after two minutes.",
            brief(why)
        ),
        false => format!(
            "the approval is noted, and nothing was sent: {}. It waits on: `headless-wallet wallet approve {id}` tries again.",
            brief(why)
        ),
    })
}

/// Whether its time may run out still: then `until` says when, and else when it ended.
fn is_open(approval: &Value) -> bool {
    approval["status"] == "waiting" || approval["status"] == "sending"
}

fn asker(approval: &Value) -> String {
    approval["askedBy"].as_str().unwrap_or("the owner").to_owned()
}

fn list(values: &Value, between: &str) -> String {
    let texts: Vec<_> = values.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    texts.join(between)
}

/// Unix seconds.
fn time(value: &Value) -> String {
    value.as_u64().map(utc).unwrap_or_default()
}
