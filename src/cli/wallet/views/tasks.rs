//! Requests that are carried out after they were answered.

use super::cells::{text, utc};
use crate::cli::wallet::table::{Column, Sheet};
use serde_json::Value;

pub fn tasks(answer: &Value, _: &Value) -> Sheet {
    const COLUMNS: [Column; 5] = [
        Column::id("task"),
        Column::text("status"),
        Column::text("taken"),
        Column::text("request"),
        Column::text("transaction or error"),
    ];
    let rows = answer["tasks"].as_array().into_iter().flatten().map(|task| {
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
