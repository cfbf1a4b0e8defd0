//! Answers about what a server keeps beside wallets: API keys with names, approvals, tasks and webhooks.

use super::kinds::{Count, Flag, Hash, List, Maybe, Text, kind};
use crate::api::Right;
use crate::api::answer::answer;
use crate::ledger::VertexId;
use serde_json::value::RawValue;

kind! {
    RightName = Value {"enum": Right::NAMES};
    Right: |right, to| to.serialize_str(right.name());
}

/// The members of an API key, without the key itself.
pub struct KeyMembers {
    pub name: String,
    pub rights: Vec<Right>,
    pub wallets: Vec<String>,
    pub networks: Vec<String>,
    /// In UTC, as text.
    pub until: Option<String>,
    pub per_second: Option<u32>,
    pub limits: Vec<String>,
    /// In UTC, as text, where it is kept by the server.
    pub created: Option<String>,
    /// Whether it is used no more.
    pub is_revoked: bool,
    /// Whether it stands in the settings file.
    pub is_setting: bool,
}

/// A key as it is listed.
pub struct KeyAnswer<'a>(&'a KeyMembers);

answer! {
    /// An API key with a name, without the key itself.
    this: KeyAnswer<'_> as "Key" {
        name: Text = this.0.name,
        rights: [RightName] = *this.0.rights,
        /// The wallets that it may touch; `*` alone stands for all.
        wallets: [Text] = *this.0.wallets,
        /// Whence it may come; from everywhere if there are none.
        networks: [Text] = *this.0.networks,
        /// When it ends.
        until: Maybe<Text> = this.0.until,
        /// Requests a second that it may make of each server.
        perSecond: Maybe<Count> = this.0.per_second,
        /// Limits on spending.
        limits: [Text] = *this.0.limits,
        createdAt: Maybe<Text> = this.0.created,
        /// Whether it was ended for good.
        revoked: Flag = this.0.is_revoked,
        /// Whether it stands in the settings file, where alone it can be changed.
        setting: Flag = this.0.is_setting,
    }
}

/// The answer of `GET /keys`.
pub struct KeyListAnswer<'a>(pub &'a [KeyMembers]);

answer! {
    this: KeyListAnswer<'_> as "KeyList" {
        success = true,
        keys: [KeyAnswer<'_>] = List(this.0.iter().map(KeyAnswer)),
    }
}

/// A key that was made.
pub struct NewKeyAnswer {
    pub name: String,
    pub key: secrecy::SecretString,
}

answer! {
    this: NewKeyAnswer as "NewKey" {
        success = true,
        name: Text,
        /// What the header `X-API-KEY` says: shown here and never again.
        key: Text = *secrecy::ExposeSecret::expose_secret(&this.key),
    }
}

// Answers about approvals.

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ApprovalStatus<'a>(pub &'a str);

kind! {
    StateOfApproval as "ApprovalStatus" = Value {"enum": ["waiting", "sending", "sent", "denied", "expired"]};
    ApprovalStatus<'_>: |status, to| to.serialize_str(status.0);
}

/// What is known of what waits for approval.
#[derive(Clone, Debug)]
pub struct ApprovalMembers<'a> {
    pub id: &'a str,
    pub status: ApprovalStatus<'a>,
    /// `None` for the owner.
    pub by: Option<&'a str>,
    pub does: &'a [String],
    pub why: &'a str,
    pub of: &'a [String],
    pub approved: &'a [String],
    /// In Unix seconds.
    pub created: u64,
    /// In Unix seconds.
    pub until: u64,
    pub hash: Option<&'a str>,
    pub denied: Option<&'a str>,
    pub error: Option<&'a str>,
    /// Hexadecimal.
    pub transaction: Option<&'a str>,
}

/// The answer about one.
pub struct ApprovalAnswer<'a>(pub ApprovalMembers<'a>);

/// Declares what is said of one, with what only the one or the other says: first, of its beginning, and last.
macro_rules! about_approval {
    (
        $(#[doc = $about:literal])* $this:ident: $type:ty as $name:literal,
        { $($first:tt)* } { $($created:tt)* } { $($last:tt)* }
    ) => {
        answer! {
            $(#[doc = $about])*
            $this: $type as $name {
                $($first)*
                approvalId: Text = $this.0.id,
                /// `sending` once it has enough approvals.
                status: StateOfApproval = $this.0.status,
                /// The name of the key that it was asked for with; none for the owner's.
                askedBy: Maybe<Text> = $this.0.by,
                /// What it does to whom. Amounts are whole cents.
                does: [Text] = *$this.0.does,
                /// The limit that wants approval.
                rule: Text = $this.0.why,
                /// The keys whose approval counts.
                of: [Text] = *$this.0.of,
                approvedBy: [Text] = *$this.0.approved,
                deniedBy: Maybe<Text> = $this.0.denied,
                $($created)*
                /// When it expires, or ended, in Unix seconds.
                until: Count = $this.0.until,
                /// What was sent.
                hash: Maybe<Text> = $this.0.hash,
                /// Why it could not be sent when it was approved last.
                error: Maybe<Text> = $this.0.error,
                $($last)*
            }
        }
    };
}

about_approval! {
    /// What waits for approval, or did.
    this: ApprovalAnswer<'_> as "Approval",
    { success = true, }
    {
        /// When it was asked for, in Unix seconds.
        createdAt: Count = this.0.created,
    }
    {
        /// The very transaction, not signed, as long as it is open: `/wallet/decode` says more of it.
        txHex: Maybe<Text> = this.0.transaction,
    }
}

/// What an event says of one.
pub struct ApprovalData<'a>(pub ApprovalMembers<'a>);

about_approval! {
    /// What became of what waits for approval, or did.
    this: ApprovalData<'_> as "ApprovalData",
    {} {} {}
}

/// The answer of `GET /wallet/approvals`.
pub struct ApprovalListAnswer<'a>(pub Vec<ApprovalAnswer<'a>>);

answer! {
    this: ApprovalListAnswer<'_> as "ApprovalList" {
        success = true,
        /// The newest first.
        approvals: [ApprovalAnswer<'_>] = *this.0,
    }
}

/// The answer to a request that waits for approval now.
pub struct AwaitsApprovalAnswer<'a> {
    /// The limit that wants it.
    pub error: &'a str,
    pub id: &'a str,
}

answer! {
    /// Nothing was sent yet: it waits for approval.
    this: AwaitsApprovalAnswer<'_> as "AwaitsApproval" {
        success = false,
        /// The limit that wants approval.
        error: Text,
        /// `GET /wallet/approvals/{approvalId}` says what comes of it.
        approvalId: Text = this.id,
    }
}

// Answers about tasks: requests that are carried out after they were answered.

/// How far a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskStatus {
    /// It waits for others.
    Queued,
    /// It is being carried out: planned, signed, mined and pushed.
    Mining,
    /// What it sent is on the ledger, in no block yet.
    Pushed,
    /// What it sent is in a block.
    Confirmed,
    /// It waits for approval: the approval says what becomes of it.
    AwaitsApproval,
    /// It sent nothing, or what it sent is void.
    Failed,
    /// It was taken back before it began.
    Cancelled,
}

impl TaskStatus {
    pub const ALL: [Self; 7] = [
        Self::Queued,
        Self::Mining,
        Self::Pushed,
        Self::Confirmed,
        Self::AwaitsApproval,
        Self::Failed,
        Self::Cancelled,
    ];
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Mining => "mining",
            Self::Pushed => "pushed",
            Self::Confirmed => "confirmed",
            Self::AwaitsApproval => "awaits-approval",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

kind! {
    StateOfTask as "TaskStatus" = Value {"enum": ["queued", "mining", "pushed", "confirmed", "awaits-approval", "failed", "cancelled"]};
    TaskStatus: |status, to| to.serialize_str(status.name());
}
kind! {
    /// As the request would have been answered.
    Answered = Value {};
    RawValue: |json, to| serde::Serialize::serialize(json, to);
}

/// What is known of a task.
#[derive(Clone, Debug)]
pub struct TaskMembers<'a> {
    pub id: String,
    pub status: TaskStatus,
    /// What was asked for.
    pub path: &'a str,
    /// 0 first, 7 last.
    pub urgency: u8,
    /// In Unix milliseconds.
    pub created: u64,
    /// In Unix milliseconds.
    pub updated: u64,
    pub hash: Option<VertexId>,
    /// Why nothing was sent.
    pub error: Option<&'a str>,
    /// What the request is answered with.
    pub answer: Option<&'a RawValue>,
    /// With which HTTP status.
    pub answer_status: Option<u16>,
}

/// The answer of a request that became a task.
pub struct TaskAnswer<'a>(pub TaskMembers<'a>);

answer! {
    /// A request that is carried out after it was answered.
    this: TaskAnswer<'_> as "Task" {
        success = true,
        taskId: Text = this.0.id,
        /// `mining` from its begin to the push; `failed` too where what it sent became void. A task stays at
        /// `awaits-approval`: the approval that `answer` names says what becomes of it.
        status: StateOfTask = this.0.status,
        /// What was asked for, such as `/wallet/send-tx`.
        path: Text = this.0.path,
        /// 0 goes first, 7 last.
        urgency: Count = this.0.urgency,
        /// When it was taken, in Unix milliseconds.
        createdAt: Count = this.0.created,
        /// When it began or ended, in Unix milliseconds.
        updatedAt: Count = this.0.updated,
        /// What was sent.
        hash: Maybe<Hash> = this.0.hash,
        /// Why nothing was sent, or why it does not count.
        error: Maybe<Text> = this.0.error,
        /// As the request would have been answered, once it has ended.
        answer: Maybe<Answered> = this.0.answer,
        /// The HTTP status of that.
        answerStatus: Maybe<Count> = this.0.answer_status,
    }
}

/// The answer of a list of tasks.
pub struct TaskListAnswer<'a>(pub Vec<TaskAnswer<'a>>);

answer! {
    this: TaskListAnswer<'_> as "TaskList" {
        success = true,
        /// The newest first.
        tasks: [TaskAnswer<'_>] = *this.0,
    }
}

// Answers about webhooks.

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
    /// A webhook that receives the wallet's events.
    this: WebhookAnswer as "Webhook" {
        /// Without user, password and query, and with a shortened path but for the `api_key`: many receivers
        /// take whoever knows the path.
        url: Text,
        /// It took nothing for a day, or said that it is gone (status 410), and receives nothing any more. A
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
