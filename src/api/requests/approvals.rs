//! Approvals: what goes beyond a limit and waits for others.

use crate::api::declare::{Kind, Rule, request};
use crate::api::rules::TEXT;

request! {
    /// `/wallet/approvals/…/{approvalId}`.
    pub struct ApprovalId in query {
        /// The approval's id.
        pub id: String = ID_IN_PATH,
    }
}

const ID_IN_PATH: Rule<String> = TEXT.of(Kind::NonEmptyText).named("approvalId");
