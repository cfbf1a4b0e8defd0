//! Single values.

use crate::cli::amount::decimal;
use crate::cli::wallet::table::Cell;
use headless_wallet::calendar::UtcTime;
use headless_wallet::net::clean;
use serde_json::Value;

/// Any value as text; nothing for what isn't there.
pub fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => clean(text),
        other => clean(&other.to_string()),
    }
}

/// An amount of HTR; nothing for what isn't there.
pub fn htr(value: &Value) -> String {
    let digits = text(value);
    if digits.is_empty() { digits } else { in_htr(&digits) }
}

/// `12.50 HTR`, of cents.
pub fn in_htr(cents: &str) -> String {
    format!("{} HTR", decimal(cents))
}

/// An amount of a token that the answer names.
pub fn of(value: &Value, uid: &Value) -> Cell {
    let uid = uid.as_str().filter(|uid| !uid.is_empty()).unwrap_or("00");
    Cell::Amount { cents: text(value), token: uid.to_owned() }
}

/// A token's name: its uid, or HTR.
pub fn token(uid: &Value) -> String {
    if uid == "00" { "HTR".to_owned() } else { text(uid) }
}

/// `1 output`, `2 outputs`.
pub fn count(number: &Value, what: &str) -> String {
    let number = text(number);
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// A value that may be an authority, as its token's byte says.
pub fn amount(value: &Value, token_data: &Value) -> String {
    const AUTHORITY: u64 = 0x80;
    if token_data.as_u64().is_none_or(|data| data & AUTHORITY == 0) {
        return text(value);
    }
    match value.as_u64() {
        Some(1) => "may mint".to_owned(),
        Some(2) => "may melt".to_owned(),
        Some(3) => "may mint and melt".to_owned(),
        _ => "authority".to_owned(),
    }
}

/// Unix seconds as people write a time.
pub fn utc(seconds: u64) -> String {
    UtcTime::from_unix(seconds).iso().replace('T', " ")
}
