//! Approvals: what goes beyond a limit and waits for others.

use super::{Answer, Group, Operation, OperationId as Id, Right, get, post};
use crate::api::{ApprovalAnswer, ApprovalId, ApprovalListAnswer, Failure};

const GROUP: Group = Group::Approvals;
const ONE: &[(&str, &str)] = &[("example", r#"{"approvalId": "0f1e2d3c4b5a69788796a5b4c3d2e1f0"}"#)];

pub(super) const ALL: &[Operation] = &[
    get(
        Id::ListApprovals,
        "/wallet/approvals",
        GROUP,
        Right::Read,
        "List what waits for approval, and what waited within the last day, newest first.",
        Answer::Json(answers![ApprovalListAnswer<'_>, Failure]),
    ),
    get(
        Id::Approval,
        "/wallet/approvals/{approvalId}",
        GROUP,
        Right::Read,
        "Show what waits for approval: what it does in words, who has approved it, and the result.",
        Answer::Json(answers![ApprovalAnswer<'_>, Failure]),
    )
    .of::<ApprovalId>(ONE)
    .also(&[NO_APPROVAL]),
    post(
        Id::Approve,
        "/wallet/approvals/approve/{approvalId}",
        GROUP,
        Right::Approve,
        "Approve what somebody else asked for. Once there are enough approvals, it is sent, and the answer waits for that. If it could not be \
         sent, approving again tries again.",
        Answer::Json(answers![ApprovalAnswer<'_>, Failure]),
    )
    .of::<ApprovalId>(ONE)
    .also(&[NO_APPROVAL]),
    post(
        Id::Deny,
        "/wallet/approvals/deny/{approvalId}",
        GROUP,
        Right::Approve,
        "Deny what somebody asked for: it is not sent, and what it would have spent is free again.",
        Answer::Json(answers![ApprovalAnswer<'_>, Failure]),
    )
    .of::<ApprovalId>(ONE)
    .also(&[NO_APPROVAL]),
];

const NO_APPROVAL: (u16, &str) =
    (404, "There is no such approval of the wallet, or it ended more than a day ago.");
