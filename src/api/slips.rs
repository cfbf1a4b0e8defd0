//! Fields whose names are not known, and likely slips of those of other fields: with one passed over, money
//! would move otherwise than was asked for. What is not known at all is passed over, as by the existing
//! service.

use super::declare::{Kind, Member, Need, Request};
use super::texts::INVALID_VALUE;
use super::{Compat, Location, Problem, Refusal};
use crate::json::slip_of;
use serde_json::{Map, Value};

/// Most of them that are told of.
const MAX_TOLD: usize = 100;

/// Refuses a body with a name that is likely a slip of an optional field's, in it or in an object within. (A
/// field that must be there is missed by its own name.)
///
/// # Errors
/// [`Refusal::Fields`], which names the right names.
pub fn refuse_slips<R: Request>(given: &Map<String, Value>, compat: Compat) -> Result<(), Refusal> {
    let mut problems = Vec::new();
    if compat.refuses_slips() && R::IN == Location::Body {
        look(given, R::MEMBERS, "", compat, &mut problems);
    }
    if R::REFUSES_UNKNOWN {
        let is_told = |name: &str| problems.iter().any(|problem: &Problem| problem.param == name);
        let is_known = |name: &str| R::MEMBERS.iter().any(|member| member.name == name);
        let unknown: Vec<_> = given.iter().filter(|(name, _)| !is_known(name) && !is_told(name)).collect();
        let names: Vec<_> = R::MEMBERS.iter().map(|member| member.name).collect();
        let must = format!("is not known: there are {}. Nothing was done", names.join(", "));
        problems.extend(
            unknown.into_iter().take(MAX_TOLD).map(|(name, value)| wrong(name.clone(), value, must.clone())),
        );
    }
    if problems.is_empty() { Ok(()) } else { Err(Refusal::Fields(problems)) }
}

/// A name that is likely a slip of another one's, which is not given, and that one.
pub(super) fn first_slip<'a>(
    given: &'a Map<String, Value>,
    members: &[Member],
) -> Option<(&'a str, &'static str)> {
    let is_known = |name: &str| members.iter().any(|member| member.name == name);
    given.keys().filter(|name| !is_known(name)).find_map(|name| Some((&**name, meant(name, given, members)?)))
}

fn look(
    given: &Map<String, Value>,
    members: &[Member],
    path: &str,
    compat: Compat,
    problems: &mut Vec<Problem>,
) {
    let members: Vec<_> = members.iter().filter_map(|member| member.under(compat)).collect();
    for (name, value) in given {
        if problems.len() >= MAX_TOLD {
            return;
        }
        if let Some(member) = members.iter().find(|member| member.name == name) {
            look_within(value, &member.kind, &format!("{path}{name}"), compat, problems);
            continue;
        }
        let must = match meant(name, given, &members) {
            Some(meant) => format!("must be written {meant}. Nothing was done"),
            None => match members.iter().find(|member| is_of(name, &member.kind, compat)) {
                Some(member) => format!("must stand in {path}{}. Nothing was done", member.name),
                None => continue,
            },
        };
        problems.push(wrong(format!("{path}{name}"), value, must));
    }
}

/// What is wrong with a field of the body that is called so.
fn wrong(param: String, value: &Value, must: String) -> Problem {
    Problem {
        value: Some(value.clone()),
        msg: INVALID_VALUE.into(),
        param,
        location: Some(Location::Body),
        nested: Vec::new(),
        must: must.into(),
    }
}

/// The optional field that a name is likely a slip of.
fn meant(name: &str, given: &Map<String, Value>, members: &[Member]) -> Option<&'static str> {
    let missing = members.iter().filter(|member| may_be_meant(member) && !given.contains_key(member.name));
    slip_of(name, missing.map(|member| member.name))
}

const fn may_be_meant(member: &Member) -> bool {
    !matches!(member.need, Need::Required) && !member.deprecated
}

/// Whether it is the name of an optional field of the object, or of the objects, that a field holds.
fn is_of(name: &str, kind: &Kind, compat: Compat) -> bool {
    match kind {
        Kind::Object { members, .. } => {
            let mut members = members.iter().filter_map(|member| member.under(compat));
            members.any(|member| member.name == name && may_be_meant(&member))
        }
        Kind::Array { of, .. } => is_of(name, of, compat),
        _ => false,
    }
}

fn look_within(value: &Value, kind: &Kind, path: &str, compat: Compat, problems: &mut Vec<Problem>) {
    match (kind, value) {
        (Kind::Object { members, .. }, Value::Object(object)) => {
            look(object, members, &format!("{path}."), compat, problems);
        }
        (Kind::Array { of, .. }, Value::Array(elements)) => {
            for (place, element) in elements.iter().enumerate() {
                look_within(element, of, &format!("{path}[{place}]"), compat, problems);
            }
        }
        _ => {}
    }
}
