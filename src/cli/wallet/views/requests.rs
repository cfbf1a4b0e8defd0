//! What a server works on or waits for: approvals, tasks, and webhooks.

use super::cells::{list, text, utc};
use crate::cli::amount;
use crate::cli::wallet::SHORT;
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
    let rows = list(&answer["approvals"]).map(|approval| {
        vec![
            text(&approval["approvalId"]),
            text(&approval["status"]),
            asker(approval),
            if is_open(approval) { until(&approval["until"]) } else { String::new() },
            joined(&approval["approvedBy"], ", "),
            joined(&approval["does"], " "),
        ]
    });
    Sheet::new().table(&COLUMNS, rows.collect(), "Nothing waits for approval.")
}

pub fn approval(answer: &Value, _: &Value) -> Sheet {
    Sheet::new().pairs([
        ("status", text(&answer["status"])),
        ("asked by", asker(answer)),
        ("what it does", joined(&answer["does"], " ")),
        ("limit", rule(&text(&answer["rule"]))),
        ("approval of", joined(&answer["of"], ", ")),
        ("approved by", joined(&answer["approvedBy"], ", ")),
        ("denied by", text(&answer["deniedBy"])),
        (if is_open(answer) { "until" } else { "ended" }, until(&answer["until"])),
        ("transaction", text(&answer["hash"])),
        ("error", text(&answer["error"])),
    ])
}

fn rule(told: &str) -> String {
    amount::units(told).map_or_else(|| told.to_owned(), |units| format!("{told} {units}"))
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
    const COLUMNS: [Column; 5] = [
        Column::id("task"),
        Column::text("status"),
        Column::text("taken"),
        Column::text("request"),
        Column::text("transaction or error"),
    ];
    let rows = list(&answer["tasks"]).map(|task| {
        let came_of_it = if task["error"].is_null() { &task["hash"] } else { &task["error"] };
        vec![
            text(&task["taskId"]),
            text(&task["status"]),
            time(&task["createdAt"]),
            text(&task["path"]),
            text(came_of_it),
        ]
    });
    Sheet::new().table(&COLUMNS, rows.collect(), "There are no tasks.")
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
    const COLUMNS: [Column; 5] = [
        Column::text("webhook"),
        Column::text("off"),
        Column::text("behind"),
        Column::text("failing since"),
        Column::text("next try"),
    ];
    let rows = list(&answer["webhooks"]).map(|webhook| {
        vec![
            text(&webhook["url"]),
            text(&webhook["off"]),
            text(&webhook["behind"]),
            time(&webhook["failingSince"]),
            time(&webhook["nextTryAt"]),
        ]
    });
    Sheet::new().table(&COLUMNS, rows.collect(), "The configuration has no webhooks for this wallet.")
}

pub fn deliveries(answer: &Value, _: &Value) -> Sheet {
    const COLUMNS: [Column; 6] = [
        Column::text("delivery"),
        Column::text("event"),
        Column::text("status"),
        Column::text("posts"),
        Column::text("last"),
        Column::text("error"),
    ];
    let rows = list(&answer["deliveries"]).map(|delivery| {
        vec![
            text(&delivery["deliveryId"]),
            text(&delivery["event"]),
            text(&delivery["status"]),
            text(&delivery["attempts"]),
            time(&delivery["updatedAt"]),
            text(&delivery["error"]),
        ]
    });
    Sheet::new().table(&COLUMNS, rows.collect(), "Nothing was told yet.")
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
