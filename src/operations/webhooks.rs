//! Webhooks: their state, and what was delivered to them.

use crate::api::rules::TEXT;
use crate::api::{DeliveriesAnswer, DeliveryAnswer, Literal, WebhooksAnswer};
use crate::operations::prelude::*;

pub static LIST_WEBHOOKS: Operation = get("list-webhooks", "/wallet/webhooks", Group::Webhooks, Right::Read)
    .does("List the webhooks that receive the wallet's events, with the progress of each.")
    .not_in_package(NOT_HERE)
    .command(&[command("webhooks")])
    .answers(answers![WebhooksAnswer])
    .ready_or_not()
    .at_once();

pub static LIST_DELIVERIES: Operation =
    get("list-deliveries", "/wallet/webhooks/deliveries", Group::Webhooks, Right::Read)
        .does("List the deliveries of the wallet's events to its webhooks, newest events first.")
        .not_in_package(NOT_HERE)
        .command(&[command("webhook-deliveries")])
        .takes::<DeliveriesQuery>(&[("example", r#"{"limit": 10}"#)])
        .answers(answers![DeliveriesAnswer])
        .ready_or_not()
        .at_once();

pub static REDELIVER: Operation = post("redeliver", "/wallet/webhooks/redeliver", Group::Webhooks, Right::Administer)
    .does("Post an event to a webhook once more, whatever came of it before, and say what came of it now. A webhook that was off is on \
         again if it takes it.")
    .not_in_package(NOT_HERE)
    .command(&[command("webhook-redeliver").places(&["deliveryId"]).does("Post an event to a webhook again, and show the result").after("A webhook that was off is on again if it accepts the event.")])
    .takes::<Redeliver>(&[("example", r#"{"deliveryId": "0f1e2d3c4b5a69788796a5b4c3d2e1f0-17"}"#)])
    .answers(answers![DeliveryAnswer, Failure])
    .ready_or_not()
    .also(&[(404, "There is no such delivery, or its event is kept no more.")])
    .audits(&[("name", "deliveryId")]);

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

const NOT_HERE: &str = "of a server; `on` tells of events";
