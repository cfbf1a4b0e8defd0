//! What a server works on or waits for: approvals, tasks, and webhooks.

use super::cells::{list, text, utc};
use crate::cli::wallet::SHORT;
use crate::cli::wallet::table::{Column, ColumnOf, Sheet};
use headless_wallet::net::brief;
use serde_json::Value;

pub fn approvals(answer: &Value, _: &Value) -> Sheet {
    const COLUMNS: [ColumnOf; 6] = [
        (Column::id("approval"), |approval| text(&approval["approvalId"])),
        (Column::text("status"), |approval| text(&approval["status"])),
        (Column::text("asked by"), asker),
        (Column::text("until"), |approval| match is_open(approval) {
            true => until(&approval["until"]),
            false => String::new(),
        }),
        (Column::text("approved by"), |approval| joined(&approval["approvedBy"], ", ")),
        (Column::text("what it does"), |approval| joined(&approval["does"], " ")),
    ];
    Sheet::new().rows(&COLUMNS, list(&answer["approvals"]), "Nothing waits for approval.")
}

pub fn approval(answer: &Value, _: &Value) -> Sheet {
    Sheet::new().pairs([
        ("status", text(&answer["status"])),
        ("asked by", asker(answer)),
        ("what it does", joined(&answer["does"], " ")),
        ("limit", text(&answer["rule"])),
        ("approval of", joined(&answer["of"], ", ")),
        ("approved by", joined(&answer["approvedBy"], ", ")),
        ("denied by", text(&answer["deniedBy"])),
        (if is_open(answer) { "until" } else { "ended" }, until(&answer["until"])),
        ("transaction", text(&answer["hash"])),
        ("error", text(&answer["error"])),
    ])
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

fn joined(values: &Value, between: &str) -> String {
    let texts: Vec<_> = list(values).filter_map(Value::as_str).collect();
    texts.join(between)
}

/// Unix seconds.
fn until(value: &Value) -> String {
    value.as_u64().map(utc).unwrap_or_default()
}

// Requests that are carried out after they were answered.

pub fn tasks(answer: &Value, _: &Value) -> Sheet {
    const COLUMNS: [ColumnOf; 5] = [
        (Column::id("task"), |task| text(&task["taskId"])),
        (Column::text("status"), |task| text(&task["status"])),
        (Column::text("taken"), |task| time(&task["createdAt"])),
        (Column::text("request"), |task| text(&task["path"])),
        (Column::transaction("transaction or error"), |task| match &task["error"] {
            Value::Null => text(&task["hash"]),
            error => text(error),
        }),
    ];
    Sheet::new().rows(&COLUMNS, list(&answer["tasks"]), "There are no tasks.")
}

pub fn task(answer: &Value, _: &Value) -> Sheet {
    Sheet::new().pairs([
        ("status", text(&answer["status"])),
        ("request", text(&answer["path"])),
        ("taken", time(&answer["createdAt"])),
        ("changed", time(&answer["updatedAt"])),
        ("transaction", text(&answer["hash"])),
        ("error", text(&answer["error"])),
    ])
}

/// Unix milliseconds.
pub(super) fn time(value: &Value) -> String {
    value.as_u64().map(|milliseconds| utc(milliseconds / 1_000)).unwrap_or_default()
}

// Webhooks, and what they were told.

pub fn webhooks(answer: &Value, _: &Value) -> Sheet {
    const COLUMNS: [ColumnOf; 5] = [
        (Column::text("webhook"), |webhook| text(&webhook["url"])),
        (Column::text("off"), |webhook| text(&webhook["off"])),
        (Column::text("behind"), |webhook| text(&webhook["behind"])),
        (Column::text("failing since"), |webhook| time(&webhook["failingSince"])),
        (Column::text("next try"), |webhook| time(&webhook["nextTryAt"])),
    ];
    let nothing = "The configuration has no webhooks for this wallet.";
    Sheet::new().rows(&COLUMNS, list(&answer["webhooks"]), nothing)
}

pub fn deliveries(answer: &Value, _: &Value) -> Sheet {
    const COLUMNS: [ColumnOf; 6] = [
        (Column::text("delivery"), |delivery| text(&delivery["deliveryId"])),
        (Column::text("event"), |delivery| text(&delivery["event"])),
        (Column::text("status"), |delivery| text(&delivery["status"])),
        (Column::text("posts"), |delivery| text(&delivery["attempts"])),
        (Column::text("last"), |delivery| time(&delivery["updatedAt"])),
        (Column::text("error"), |delivery| text(&delivery["error"])),
    ];
    Sheet::new().rows(&COLUMNS, list(&answer["deliveries"]), "Nothing was told yet.")
}

pub fn delivery(answer: &Value, _: &Value) -> Sheet {
    Sheet::new().pairs([
        ("webhook", text(&answer["url"])),
        ("event", text(&answer["event"])),
        ("event id", text(&answer["eventId"])),
        ("status", text(&answer["status"])),
        ("posts", text(&answer["attempts"])),
        ("last post", time(&answer["updatedAt"])),
        ("error", text(&answer["error"])),
    ])
}
