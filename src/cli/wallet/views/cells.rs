//! Single values.

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

/// An amount of HTR, with decimals beside it.
pub fn cents(value: &Value) -> String {
    let digits = text(value);
    if digits.is_empty() { digits } else { beside(&digits) }
}

/// `1250 (12.50 HTR)`.
pub fn beside(cents: &str) -> String {
    let (sign, digits) = cents.strip_prefix('-').map_or(("", cents), |digits| ("-", digits));
    let digits = format!("{digits:0>3}");
    let (whole, rest) = digits.split_at(digits.len() - 2);
    format!("{cents} ({sign}{whole}.{rest} HTR)")
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
