//! Fields that an operation does not have. Each is refused, in the query and in the body, at every depth:
//! with a field ignored, money would move differently than requested. Release 0.39 ignores them.

use super::amount_form::AmountForm;
use super::declare::{Kind, Member, Need};
use super::dry_run::{DryRun, LEAVE_OUT, is_like_dry_run};
use super::operation::Declared;
use super::texts::INVALID_VALUE;
use super::{Compat, Group, Location, Problem, Refusal, Right};
use crate::json::typo_of;
use serde_json::{Map, Value};

/// Most problems that one answer lists.
const MAX_LISTED: usize = 100;

impl Declared {
    /// Whether it refuses fields that it does not have. Release 0.39 has no API keys with names: there, a
    /// misspelt limit would be no limit in either dialect.
    pub fn refuses_unknown_fields(&self, compat: Compat) -> bool {
        compat.refuses_unused_fields() || self.group == Group::Access
    }

    /// Refuses a body with fields that the operation does not have.
    ///
    /// # Errors
    /// [`Refusal::Fields`], which names each, and the right name where one is likely meant.
    pub fn check_body(&self, given: &Map<String, Value>, compat: Compat) -> Result<(), Refusal> {
        // A body that is one field alone has no names, and its other fields are those of the query.
        if self.bare.is_some() {
            return Ok(());
        }
        let members: Vec<_> = self.body().into_iter().flatten().copied().collect();
        self.check(given, &members, Location::Body, compat)
    }

    /// Refuses a query with parameters that the operation does not have.
    ///
    /// # Errors
    /// As [`Declared::check_body`].
    pub fn check_query(&self, given: &Map<String, Value>, compat: Compat) -> Result<(), Refusal> {
        let amounts = self.has_amounts.then_some(&AmountForm::MEMBER);
        let members: Vec<_> = self.query().chain(amounts).copied().collect();
        // Probes and pages: load balancers and browsers add parameters of their own, such as cache busters.
        if self.group == Group::Service && self.right == Right::None {
            return Ok(());
        }
        self.check(given, &members, Location::Query, compat)
    }

    fn check(
        &self,
        given: &Map<String, Value>,
        members: &[Member],
        location: Location,
        compat: Compat,
    ) -> Result<(), Refusal> {
        if !self.refuses_unknown_fields(compat) {
            return Ok(());
        }
        let in_body: Vec<_> = match location {
            Location::Query => self.body().into_iter().flatten().copied().collect(),
            Location::Body => Vec::new(),
        };
        let all = members.iter().filter_map(|member| member.under(compat)).collect();
        let mut search = Search { given, all, in_body, location, compat, problems: Vec::new() };
        search.object(given, members, "");
        if search.problems.is_empty() { Ok(()) } else { Err(Refusal::Fields(search.problems)) }
    }
}

/// A search for unknown fields in one request.
struct Search<'a> {
    given: &'a Map<String, Value>,
    /// The fields beside each other at the top.
    all: Vec<Member>,
    /// Where a query is searched: the fields that the body has.
    in_body: Vec<Member>,
    location: Location,
    compat: Compat,
    problems: Vec<Problem>,
}

const TOKEN_OBJECT: &[Member] = &[
    Member::new("uid", "", Kind::Text, Need::Required),
    Member::new("name", "", Kind::Text, Need::Required),
    Member::new("symbol", "", Kind::Text, Need::Required),
];

impl Search<'_> {
    /// `path` ends in a dot, or is empty at the top.
    fn object(&mut self, given: &Map<String, Value>, members: &[Member], path: &str) {
        let members: Vec<_> = members.iter().filter_map(|member| member.under(self.compat)).collect();
        for (name, value) in given {
            if self.problems.len() >= MAX_LISTED {
                return;
            }
            match members.iter().find(|member| member.name == name) {
                Some(member) => self.value(value, &member.kind, &format!("{path}{name}")),
                None => {
                    let must = self.must(name, given, &members, path);
                    self.problems.push(Problem {
                        // It may be a seed phrase.
                        value: None,
                        msg: INVALID_VALUE.into(),
                        param: format!("{path}{name}"),
                        location: Some(self.location),
                        nested: Vec::new(),
                        must: must.into(),
                    });
                }
            }
        }
    }

    fn value(&mut self, value: &Value, kind: &Kind, path: &str) {
        match (kind, value) {
            (Kind::Object { members, .. }, Value::Object(object)) => {
                self.object(object, members, &format!("{path}."));
            }
            (Kind::Token | Kind::TokenObject, Value::Object(object)) => {
                self.object(object, TOKEN_OBJECT, &format!("{path}."));
            }
            (Kind::Array { of, .. }, Value::Array(elements)) => {
                for (index, element) in elements.iter().enumerate() {
                    self.value(element, of, &format!("{path}[{index}]"));
                }
            }
            _ => {}
        }
    }

    /// What the caller should do about an unknown field: the end of a sentence that begins with its path.
    fn must(&self, name: &str, given: &Map<String, Value>, members: &[Member], path: &str) -> String {
        let named = |members: &[Member]| members.iter().any(|member| member.name == name);
        if path.is_empty() && is_like_dry_run(name) {
            return match members.iter().any(|member| member.name == DryRun::MEMBER.name) {
                true => "must be written dry_run. Nothing was sent".to_owned(),
                false => LEAVE_OUT.to_owned(),
            };
        }
        let missing = members.iter().filter(|member| !member.deprecated && !given.contains_key(member.name));
        if let Some(meant) = typo_of(name, missing.map(|member| member.name)) {
            return format!("must be written {meant}. Nothing was done");
        }
        if let Some(member) = members.iter().find(|member| has_within(name, &member.kind)) {
            return format!("must stand in {path}{}. Nothing was done", member.name);
        }
        if named(&self.in_body) {
            return "must stand in the body. Nothing was done".to_owned();
        }
        if let Some((top, _)) = path.split_once(['.', '['])
            && named(&self.all)
            && !self.given.contains_key(name)
        {
            return format!("must stand beside {top}. Nothing was done");
        }
        let names: Vec<_> =
            members.iter().filter(|member| !member.deprecated).map(|member| member.name).collect();
        match (names.is_empty(), self.location) {
            (true, Location::Query) => {
                "is not known: this operation has no query parameters. Nothing was done".to_owned()
            }
            (true, Location::Body) => {
                "is not known: this operation has no fields in its body. Nothing was done".to_owned()
            }
            (false, _) => format!("is not known: there are {}. Nothing was done", names.join(", ")),
        }
    }
}

/// Whether the object, or the objects, that a field holds have a member of that name.
fn has_within(name: &str, kind: &Kind) -> bool {
    match kind {
        Kind::Object { members, .. } => {
            members.iter().any(|member| member.name == name && !member.deprecated)
        }
        Kind::Array { of, .. } => has_within(name, of),
        _ => false,
    }
}
