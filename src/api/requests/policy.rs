//! Which addresses a wallet watches, where an index limit says so.

use super::start::{MAX_GAP_LIMIT, MAX_INDEX};
use crate::api::Refusal;
use crate::api::check::Checker;
use crate::api::record::{Kind, Need, note};
use crate::api::texts::INVALID_VALUE;
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// `POST /wallet/config/index-limit/load-more-addresses`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadMoreAddresses {
    /// How many more.
    pub count: u32,
}

impl LoadMoreAddresses {
    /// Reads the body of a request.
    pub fn from_json(body: &Map<String, Value>) -> Result<Self, Refusal> {
        Ok(Self { count: only_field(body, "count", 1..=MAX_GAP_LIMIT)? })
    }
}

/// `POST /wallet/config/index-limit/last-index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastIndex {
    /// The index of the last address to watch.
    pub index: u32,
}

impl LastIndex {
    /// Reads the body of a request.
    pub fn from_json(body: &Map<String, Value>) -> Result<Self, Refusal> {
        Ok(Self { index: only_field(body, "index", 0..=MAX_INDEX)? })
    }
    /// Refuses more addresses at once than take seconds, where the wallet watches those below the index `end`.
    pub fn after(self, end: u32) -> Result<Self, Refusal> {
        let most = end.saturating_add(MAX_GAP_LIMIT - 1);
        if self.index > most {
            return Err(Refusal::failure(format!(
                "At most {MAX_GAP_LIMIT} addresses are loaded at once: give an index of at most {most}."
            )));
        }
        Ok(self)
    }
}

fn only_field(body: &Map<String, Value>, name: &str, range: RangeInclusive<u32>) -> Result<u32, Refusal> {
    let mut check = Checker::body(body);
    let field = check.field(name);
    let (least, most) = (*range.start(), *range.end());
    note(name, Kind::Integer(Some(least.into()), Some(most.into())), Need::Required);
    let number = check.integer_of(&field).and_then(|n| u32::try_from(n).ok()).filter(|n| range.contains(n));
    if number.is_none() {
        check.problem(&field, INVALID_VALUE, format!("must be an integer from {least} to {most}"));
    }
    check.finish()?;
    Ok(number.unwrap_or_default())
}
