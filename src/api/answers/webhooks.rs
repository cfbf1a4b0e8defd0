//! Answers about webhooks.

use super::kinds::{Count, Flag, Maybe, Text, kind};
use crate::api::answer::answer;

/// How a webhook is.
#[derive(Clone, Debug)]
pub struct WebhookAnswer {
    pub url: String,
    pub is_off: bool,
    pub behind: u64,
    pub attempts: u32,
    /// In Unix milliseconds.
    pub failing_since: Option<u64>,
    /// In Unix milliseconds.
    pub next_try: Option<u64>,
}

answer! {
    /// A webhook that is told of the wallet's events.
    this: WebhookAnswer as "Webhook" {
        /// Without user, password and query, and with a shortened path but for the `api_key`: many receivers
        /// take whoever knows the path.
        url: Text,
        /// It took nothing for a day, or said that it is gone (status 410), and is told nothing any more. A
        /// delivery that is made again and taken turns it on.
        off: Flag = this.is_off,
        /// Events that it has not had.
        behind: Count,
        /// How often the next one was posted to it.
        attempts: Count,
        /// Since when that was not taken, in Unix milliseconds.
        failingSince: Maybe<Count> = this.failing_since,
        /// When it is posted again, in Unix milliseconds.
        nextTryAt: Maybe<Count> = this.next_try,
    }
}

/// The answer of the list of webhooks.
pub struct WebhooksAnswer(pub Vec<WebhookAnswer>);

answer! {
    this: WebhooksAnswer as "Webhooks" {
        success = true,
        webhooks: [WebhookAnswer] = *this.0,
    }
}

/// How a delivery stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryStatus {
    Delivered,
    /// It was not, and is tried again.
    Pending,
    /// It was not, and the webhook is off.
    Failed,
}

kind! {
    Standing as "DeliveryStatus" = Value {"enum": ["delivered", "pending", "failed"]};
    DeliveryStatus: |status, to| to.serialize_str(match status {
        DeliveryStatus::Delivered => "delivered",
        DeliveryStatus::Pending => "pending",
        DeliveryStatus::Failed => "failed",
    });
}

/// What became of telling an event to a webhook.
#[derive(Clone, Debug)]
pub struct DeliveryMembers {
    /// Whether what was asked for came about.
    pub is_done: bool,
    pub id: String,
    pub url: String,
    pub event_id: String,
    pub event: String,
    pub seq: u64,
    pub status: DeliveryStatus,
    pub attempts: u32,
    /// The HTTP status of the last answer.
    pub answer_status: Option<u16>,
    pub error: Option<String>,
    /// In Unix milliseconds.
    pub first: u64,
    /// In Unix milliseconds.
    pub last: u64,
    /// In Unix milliseconds.
    pub next_try: Option<u64>,
}

/// The answer of one delivery.
pub struct DeliveryAnswer(pub DeliveryMembers);

answer! {
    /// What became of telling an event to a webhook.
    this: DeliveryAnswer as "Delivery" {
        /// `false` where it was made again and not taken.
        success: Flag = this.0.is_done,
        deliveryId: Text = this.0.id,
        /// The webhook's, as `GET /wallet/webhooks` shows it.
        url: Text = this.0.url,
        eventId: Text = this.0.event_id,
        /// The event's kind, such as `deposit.seen`.
        event: Text = this.0.event,
        /// The event's number.
        seq: Count = this.0.seq,
        status: Standing = this.0.status,
        attempts: Count = this.0.attempts,
        /// The HTTP status of the last answer.
        answerStatus: Maybe<Count> = this.0.answer_status,
        /// Why the last post was not taken.
        error: Maybe<Text> = this.0.error,
        /// The first post, in Unix milliseconds.
        createdAt: Count = this.0.first,
        /// The last post, in Unix milliseconds.
        updatedAt: Count = this.0.last,
        /// When it is posted again, in Unix milliseconds.
        nextTryAt: Maybe<Count> = this.0.next_try,
    }
}

/// The answer of the list of deliveries.
pub struct DeliveriesAnswer(pub Vec<DeliveryAnswer>);

answer! {
    this: DeliveriesAnswer as "Deliveries" {
        success = true,
        /// Those of the newest events first.
        deliveries: [DeliveryAnswer] = *this.0,
    }
}
