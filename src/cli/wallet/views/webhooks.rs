//! Webhooks, and what they were told.

use super::cells::text;
use super::tasks::time;
use crate::cli::wallet::table::{Column, Sheet};
use serde_json::Value;

pub fn webhooks(answer: &Value, _: &Value) -> Sheet {
    const COLUMNS: [Column; 5] = [
        Column::text("webhook"),
        Column::text("off"),
        Column::text("behind"),
        Column::text("failing since"),
        Column::text("next try"),
    ];
    let rows = answer["webhooks"].as_array().into_iter().flatten().map(|webhook| {
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
    let rows = answer["deliveries"].as_array().into_iter().flatten().map(|delivery| {
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
