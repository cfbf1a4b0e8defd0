//! Approvals: what goes beyond a limit and waits for others.

use crate::api::rules::TEXT;
use crate::api::{ApprovalAnswer, ApprovalListAnswer};
use crate::operations::prelude::*;
use crate::operations::tasks::SHORT_ID;

pub static LIST_APPROVALS: Operation =
    get("list-approvals", "/wallet/approvals", Group::Approvals, Right::Read)
        .does("List the requests that wait for approval or did so within the last day, newest first.")
        .not_in_package(NOT_HERE)
        .command(&[command("approvals")])
        .answers(answers![ApprovalListAnswer<'_>, Failure]);

pub static ONE_APPROVAL: Operation = get(
    "approval",
    "/wallet/approvals/{approvalId}",
    Group::Approvals,
    Right::Read,
)
.does("Show a request that waits for approval: its effect in words, who has approved it, and the result.")
.not_in_package(NOT_HERE)
.command(&[command("approval").places(&["approvalId"]).after(SHORT_ID)])
.takes::<ApprovalId>(&[("example", r#"{"approvalId": "0f1e2d3c4b5a69788796a5b4c3d2e1f0"}"#)])
.answers(answers![ApprovalAnswer<'_>, Failure])
.also(&[(404, "There is no such approval of the wallet, or it ended more than a day ago.")]);

pub static APPROVE: Operation = post("approve", "/wallet/approvals/approve/{approvalId}", Group::Approvals, Right::Approve)
    .does("Approve what somebody else asked for. Once there are enough approvals, it is sent, and the answer waits for that. If it could not be \
         sent, approving again tries again.")
    .not_in_package(NOT_HERE)
    .command(&[command("approve").places(&["approvalId"]).after(SHORT_ID)])
    .takes::<ApprovalId>(&[("example", r#"{"approvalId": "0f1e2d3c4b5a69788796a5b4c3d2e1f0"}"#)])
    .answers(answers![ApprovalAnswer<'_>, Failure])
    .also(&[(404, "There is no such approval of the wallet, or it ended more than a day ago.")]);

pub static DENY: Operation =
    post("deny", "/wallet/approvals/deny/{approvalId}", Group::Approvals, Right::Approve)
        .does("Deny a request: it is not sent, and its inputs are released.")
        .not_in_package(NOT_HERE)
        .command(&[command("deny").places(&["approvalId"]).after(SHORT_ID)])
        .takes::<ApprovalId>(&[("example", r#"{"approvalId": "0f1e2d3c4b5a69788796a5b4c3d2e1f0"}"#)])
        .answers(answers![ApprovalAnswer<'_>, Failure])
        .also(&[(404, "There is no such approval of the wallet, or it ended more than a day ago.")]);

request! {
    /// `/wallet/approvals/…/{approvalId}`.
    pub struct ApprovalId in query {
        /// The approval's id.
        pub id: String = ID_IN_PATH,
    }
}

const ID_IN_PATH: Rule<String> = TEXT.of(Kind::NonEmptyText).named("approvalId");

const NOT_HERE: &str = "only on servers";
