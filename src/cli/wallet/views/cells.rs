//! Single values, and which addresses are the wallet's.

use crate::cli::amount::decimal;
use crate::cli::wallet::table::Cell;
use headless_wallet::calendar::UtcTime;
use headless_wallet::ledger::{Address, AddressKind, Network, Script};
use headless_wallet::net::clean;
use serde_json::Value;
use std::collections::HashSet;

/// Any value as text; nothing for what isn't there.
pub fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => clean(text),
        other => clean(&other.to_string()),
    }
}

/// The elements of a list; none of what isn't one.
pub fn list(values: &Value) -> impl Iterator<Item = &Value> {
    values.as_array().into_iter().flatten()
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

// Which addresses are the wallet's.

/// The wallet's addresses, whatever the network: scripts don't say it.
pub struct Mine(HashSet<(AddressKind, [u8; 20])>);

impl Mine {
    /// What `/wallet/addresses` answers.
    pub fn read(addresses: &Value) -> Self {
        let texts = list(&addresses["addresses"]).filter_map(Value::as_str);
        let addresses = texts.filter_map(|text| Address::parse_any(text).ok());
        Self(addresses.map(|address| (address.kind(), address.hash())).collect())
    }
    /// Whether a script pays one of them.
    pub fn is_paid_by(&self, script: &[u8]) -> bool {
        match Script::parse(script, Network::Mainnet) {
            Some(Script::Pay { to, .. }) => self.0.contains(&(to.kind(), to.hash())),
            _ => false,
        }
    }
}
