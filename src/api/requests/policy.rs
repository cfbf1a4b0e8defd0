//! Which addresses a wallet watches, where an index limit says so.

use super::start::MAX_GAP_LIMIT;
use crate::api::Refusal;
use crate::api::declare::{Kind, Rule, request};
use crate::api::rules::{MAX_INDEX, noted};
use crate::api::texts::INVALID_VALUE;

request! {
    /// `POST /wallet/config/index-limit/load-more-addresses`.
    pub struct LoadMoreAddresses in body {
        /// How many more.
        pub count: u32 = between(1, MAX_GAP_LIMIT),
    }
}

request! {
    /// `POST /wallet/config/index-limit/last-index`.
    pub struct LastIndex in body {
        /// The index of the last address to watch.
        pub index: u32 = between(0, MAX_INDEX),
    }
}

impl LastIndex {
    /// Refuses more addresses at once than take seconds, where the wallet watches those below the index
    /// `end`.
    ///
    /// # Errors
    /// The highest index that is taken now.
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

/// An integer within limits.
const fn between(least: u32, most: u32) -> Rule<u32> {
    Rule::required(Kind::Integer(Some(least as i128), Some(most as i128)), |check, field, context| {
        let Kind::Integer(Some(least), Some(most)) = *context.kind else { unreachable!("declared so above") };
        let number = check.integer_of(field).filter(|n| (least..=most).contains(n));
        number.and_then(|n| u32::try_from(n).ok()).map_or_else(
            || {
                check.problem(field, INVALID_VALUE, format!("must be an integer from {least} to {most}"));
                noted()
            },
            Ok,
        )
    })
}
