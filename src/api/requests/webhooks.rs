//! Webhooks: what they were told, and telling them again.

use crate::api::declare::{Kind, Literal, Rule, request};
use crate::api::rules::TEXT;

/// Most deliveries in a list.
const MAX_LISTED: i128 = 1_000;

request! {
    /// `GET /wallet/webhooks/deliveries`.
    pub struct DeliveriesQuery in query {
        /// At most so many, those of the newest events.
        pub limit: usize = LIMIT,
    }
}

request! {
    /// `POST /wallet/webhooks/redeliver`.
    pub struct Redeliver in body {
        /// The delivery's id, as the list has it.
        pub id: String = TEXT.of(Kind::NonEmptyText).named("deliveryId"),
    }
}

const LIMIT: Rule<usize> = Rule::optional(Kind::Integer(Some(1), Some(MAX_LISTED)), |check, field, _| {
    let limit = check.optional_integer(field, Some(1));
    if limit.is_some_and(|limit| limit > MAX_LISTED) {
        check.invalid(field, "must be an integer from 1 to 1000");
    }
    Ok(limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(100))
})
.default(Literal::Number(100));
