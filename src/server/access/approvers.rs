//! Whether those are there whose approval limits name.

use super::key::StoredKey;
use crate::api::operations::{Right, Rights};
use crate::limits::Rule;
use std::collections::BTreeSet;

/// A sentence for each key that a limit names and that can't approve. It may be made later: this is no error.
pub fn lacking_approvers<'a>(
    limits: impl IntoIterator<Item = &'a Rule>,
    keys: &[StoredKey],
) -> BTreeSet<String> {
    let quorums = limits.into_iter().filter_map(|rule| match rule {
        Rule::Cap(cap) => cap.unless.as_ref(),
        Rule::To(_) | Rule::NotTo(_) | Rule::Call(..) => None,
    });
    let approves = Rights::NONE.and(Right::Approve);
    let wrong = |name: &str| match keys.iter().find(|key| key.name == *name) {
        None => Some("there is no such key yet"),
        Some(key) if key.revoked.is_some() => Some("it was revoked"),
        Some(key) if !key.grant.rights.have(approves) => Some("it lacks the right approve"),
        Some(_) => None,
    };
    let said = |name: &String| {
        wrong(name).map(|why| format!("a limit wants the approval of the key {name:?}: {why}"))
    };
    quorums.flat_map(|quorum| quorum.names()).filter_map(said).collect()
}
