//! `dry_run`, which every request that sends takes in its query or in its body. Nothing that can only be
//! meant for it is passed over: whoever asks for a try must not get a payment.

use super::Refusal;
use super::check::Checker;
use super::declare::Member;
use super::rules::flag;
use serde_json::{Map, Value};

const NAME: &str = "dry_run";
/// What it must be where nothing is sent.
pub const LEAVE_OUT: &str = "must be left out: nothing is sent here, so there is nothing to try";

/// How a request that sends is to be carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DryRun {
    /// Whether the answer only says what would be sent.
    pub dry_run: bool,
}

impl DryRun {
    pub const MEMBER: Member = flag(false)
        .member(NAME, "Whether nothing is sent: the answer says what would be sent, at what cost.");

    /// Reads the query and the body of a request that sends.
    ///
    /// # Errors
    /// [`Refusal::Fields`] if `dry_run` is no yes or no, comes under a name that can only be meant for it, or
    /// is not the same in query and body.
    pub fn from_query_and_body(
        query: &Map<String, Value>,
        body: &Map<String, Value>,
    ) -> Result<Self, Refusal> {
        let in_query = given(Checker::query(query), query)?;
        let in_body = given(Checker::body(body), body)?;
        if in_query.zip(in_body).is_some_and(|(one, other)| one != other) {
            let mut check = Checker::body(body);
            let field = check.field(NAME);
            check.invalid(&field, "must not say one thing in the query and another in the body");
            check.finish()?;
        }
        Ok(Self { dry_run: in_query.or(in_body).unwrap_or(false) })
    }

    /// Refuses it in a request for a proposal, which sends nothing.
    ///
    /// # Errors
    /// [`Refusal::Fields`] if query or body has it, or a name that can only be meant for it.
    pub fn refuse(query: &Map<String, Value>, body: &Map<String, Value>) -> Result<(), Refusal> {
        for (mut check, fields) in [(Checker::query(query), query), (Checker::body(body), body)] {
            for name in fields.keys().filter(|name| is_like_dry_run(name)) {
                let field = check.field(name);
                check.invalid(&field, LEAVE_OUT);
            }
            check.finish()?;
        }
        Ok(())
    }
}

/// What one of the two places says.
fn given(mut check: Checker<'_>, fields: &Map<String, Value>) -> Result<Option<bool>, Refusal> {
    for name in fields.keys().filter(|name| *name != NAME && is_like_dry_run(name)) {
        let field = check.field(name);
        check.invalid(&field, "must be written dry_run. Nothing was sent");
    }
    for (name, _) in fields.iter().filter(|(_, value)| is_within(value)) {
        let field = check.field(name);
        check.invalid(
            &field,
            "has a dry_run in it: give it in the query, or beside the other fields. Nothing was sent",
        );
    }
    let field = check.field(NAME);
    let yes = check.flag(&field, false);
    check.finish()?;
    Ok(fields.contains_key(NAME).then_some(yes))
}

/// Whether an object within a field has such a name: nobody reads it there. Arguments of contracts' methods
/// have names of their own.
fn is_within(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.iter().any(is_within),
        Value::Object(object) => {
            object.iter().any(|(name, value)| is_like_dry_run(name) || name != "args" && is_within(value))
        }
        _ => false,
    }
}

/// Whether a name can only be meant for `dry_run`: `dryRun`, `DRY-RUN`, a slip of the finger, more around it,
/// as in `is_dry_run` or `amp;dry_run`, or a word of the same meaning.
pub fn is_like_dry_run(name: &str) -> bool {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    let letters: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
    ["dry", "simulate"].contains(&&*letters)
        || letters.contains("dryrun")
        || letters.len() < 8 && strsim::osa_distance(&letters, "dryrun") <= 1
}
