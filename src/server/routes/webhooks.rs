//! Webhooks: how they are, and what they were told.

use super::valid::Valid;
use crate::api::{
    DeliveriesAnswer, DeliveryAnswer, DeliveryMembers, DeliveryStatus, Refusal, WebhookAnswer, WebhooksAnswer,
};
use crate::operations::{DeliveriesQuery, Redeliver};
use crate::server::App;
use crate::server::answer::{Refused, json};
use crate::server::auth::Caller;
use crate::server::config::WebhookSettings;
use crate::server::idempotency::{RETRY_SECONDS, no_room};
use crate::server::selection::Selected;
use crate::server::webhooks::{Delivery, Redelivered, Sink, SinkState, of_wallet, redeliver};
use crate::store::{DeliveryRecord, EventLog, StoreError};
use axum::Extension;
use axum::extract::State;
use axum::response::Response;

/// `GET /wallet/webhooks`.
pub(super) async fn list(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(selected): Extension<Selected>,
) -> Response {
    let Some(store) = selected.wallet.store() else { return json(&WebhooksAnswer(Vec::new())) };
    let Some(log) = store.event_log() else { return json(&WebhooksAnswer(Vec::new())) };
    let mut webhooks = Vec::new();
    for webhook in of_wallet(&app, &selected.id) {
        match standing(log, &webhook, &selected.id, &caller).await {
            Ok(standing) => webhooks.push(standing),
            Err(failure) => return unread(&failure),
        }
    }
    json(&WebhooksAnswer(webhooks))
}

async fn standing(
    log: &dyn EventLog,
    webhook: &WebhookSettings,
    wallet_id: &str,
    caller: &Caller,
) -> Result<WebhookAnswer, StoreError> {
    let (last, sink) = (log.last_event().await?, log.sink(webhook.key(wallet_id)).await?);
    let state = sink.as_ref().map(|sink| SinkState::read(&sink.state)).unwrap_or_default();
    let is_failing = state.attempts > 0;
    Ok(WebhookAnswer {
        url: webhook.url_for(caller.is_owner()),
        is_off: state.is_off,
        behind: sink.map_or(0, |sink| last.saturating_sub(sink.after)),
        attempts: state.attempts,
        failing_since: is_failing.then_some(state.failing_since),
        next_try: (is_failing && !state.is_off).then_some(state.next_try),
    })
}

/// `GET /wallet/webhooks/deliveries`.
pub(super) async fn deliveries(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(selected): Extension<Selected>,
    Valid(query): Valid<DeliveriesQuery>,
) -> Response {
    let Some(store) = selected.wallet.store() else { return json(&DeliveriesAnswer(Vec::new())) };
    let Some(log) = store.event_log() else { return json(&DeliveriesAnswer(Vec::new())) };
    let mut all = Vec::new();
    for webhook in of_wallet(&app, &selected.id) {
        match log.deliveries(webhook.key(&selected.id)).await {
            Ok(records) => all.extend(records.iter().filter_map(|record| told(&webhook, record, &caller))),
            Err(failure) => return unread(&failure),
        }
    }
    all.sort_by_key(|delivery| std::cmp::Reverse(delivery.0.seq));
    all.truncate(query.limit);
    json(&DeliveriesAnswer(all))
}

/// `POST /wallet/webhooks/redeliver`.
pub(super) async fn redeliver_one(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(Selected { id, wallet, .. }): Extension<Selected>,
    Valid(request): Valid<Redeliver>,
) -> Result<Response, Refused> {
    let missing = || app.refuse(not_found(&request.id));
    let (key, seq) = place(&request.id).ok_or_else(missing)?;
    let webhook =
        of_wallet(&app, &id).into_iter().find(|webhook| webhook.key(&id) == key).ok_or_else(missing)?;
    let store = wallet.store().ok_or_else(missing)?;
    let log = store.event_log().ok_or_else(missing)?;
    let Some(_turn) = app.webhooks().begin_redelivery(key) else {
        let error = "A delivery of this webhook is being made again already: wait for its end.".to_owned();
        return Ok(no_room(error, RETRY_SECONDS));
    };
    match redeliver(&app, &id, &wallet, Sink::Webhook(webhook.clone()), log, seq).await {
        Ok(Redelivered::Done(record, is_taken)) => {
            let DeliveryAnswer(mut delivery) = told(&webhook, &record, &caller).ok_or_else(missing)?;
            delivery.is_done = is_taken;
            // Of one that was taken before, it is told what came of it now.
            if !is_taken && delivery.status == DeliveryStatus::Delivered {
                delivery.status = DeliveryStatus::Failed;
            }
            Ok(json(&DeliveryAnswer(delivery)))
        }
        Ok(Redelivered::Gone) => Err(missing()),
        Err(failure) => Ok(unread(&failure)),
    }
}

fn told(webhook: &WebhookSettings, record: &DeliveryRecord, caller: &Caller) -> Option<DeliveryAnswer> {
    let delivery = Delivery::read(&record.record)?;
    let status = match (delivery.is_delivered, delivery.next_try) {
        (true, _) => DeliveryStatus::Delivered,
        (false, Some(_)) => DeliveryStatus::Pending,
        (false, None) => DeliveryStatus::Failed,
    };
    Some(DeliveryAnswer(DeliveryMembers {
        is_done: true,
        id: format!("{}-{}", hex::encode(record.sink), record.seq),
        url: webhook.url_for(caller.is_owner()),
        event_id: delivery.event_id,
        event: delivery.event,
        seq: record.seq,
        status,
        attempts: delivery.attempts,
        answer_status: delivery.status,
        error: delivery.error,
        first: delivery.first,
        last: delivery.last,
        next_try: delivery.next_try,
    }))
}

/// The listener and the event that a delivery's id names.
fn place(id: &str) -> Option<([u8; 16], u64)> {
    let (key, seq) = id.split_once('-')?;
    let mut bytes = [0; 16];
    hex::decode_to_slice(key, &mut bytes).ok()?;
    Some((bytes, seq.parse().ok()?))
}

fn not_found(id: &str) -> Refusal {
    Refusal::NotFound(format!("The wallet has no delivery {id:?}, or its event is kept no more."))
}

fn unread(failure: &StoreError) -> Response {
    no_room(format!("The wallet's events can't be read now: {failure}."), RETRY_SECONDS)
}
