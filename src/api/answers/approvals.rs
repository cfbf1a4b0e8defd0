//! Answers about approvals.

use super::kinds::{Count, Maybe, Text, kind};
use crate::api::answer::answer;

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ApprovalStatus<'a>(pub &'a str);

kind! {
    Status as "ApprovalStatus" = Value {"enum": ["waiting", "sending", "sent", "denied", "expired"]};
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
                status: Status = $this.0.status,
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
