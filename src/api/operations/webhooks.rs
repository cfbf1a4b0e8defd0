//! Webhooks: how they are, and what they were told.

use super::{Answer, Group, Operation, OperationId as Id, Right, get, post};
use crate::api::{DeliveriesAnswer, DeliveriesQuery, DeliveryAnswer, Failure, Redeliver, WebhooksAnswer};

pub(super) const ALL: &[Operation] = &[
    get(
        Id::ListWebhooks,
        "/wallet/webhooks",
        Group::Webhooks,
        Right::Read,
        "List the webhooks that receive the wallet's events, and how far each one is.",
        Answer::Json(answers![WebhooksAnswer]),
    )
    .ready_or_not(),
    get(
        Id::ListDeliveries,
        "/wallet/webhooks/deliveries",
        Group::Webhooks,
        Right::Read,
        "List the deliveries of the wallet's events to its webhooks, newest events first.",
        Answer::Json(answers![DeliveriesAnswer]),
    )
    .of::<DeliveriesQuery>(&[("example", r#"{"limit": 10}"#)])
    .ready_or_not(),
    post(
        Id::Redeliver,
        "/wallet/webhooks/redeliver",
        Group::Webhooks,
        Right::Administer,
        "Post an event to a webhook once more, whatever came of it before, and say what came of it now. A webhook that was off is on \
         again if it takes it.",
        Answer::Json(answers![DeliveryAnswer, Failure]),
    )
    .of::<Redeliver>(&[("example", r#"{"deliveryId": "0f1e2d3c4b5a69788796a5b4c3d2e1f0-17"}"#)])
    .ready_or_not()
    .also(&[(404, "There is no such delivery, or its event is kept no more.")]),
];
