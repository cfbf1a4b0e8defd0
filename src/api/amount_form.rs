//! `amounts=decimal`: all amounts of an answer are texts in tokens, as in the full node's `/v2`. A program
//! that reads them needs no number with more digits than its language has.

use super::Refusal;
use super::check::Checker;
use super::declare::{Kind, Member, Need};
use serde_json::{Map, Value};
use std::cell::Cell;

const NAME: &str = "amounts";
const DECIMAL: &str = "decimal";

thread_local! {
    /// Whether the answer that this thread writes has them so.
    static AS_TEXTS: Cell<bool> = const { Cell::new(false) };
}

/// How an answer writes amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmountForm {
    /// Numbers of cents, with a text beside those that have parts of one.
    Cents,
    /// Texts in tokens: `1.23`.
    Decimal,
}

impl AmountForm {
    /// The OpenAPI document does not have it, so it has no description.
    pub const MEMBER: Member = Member::new(NAME, "", Kind::OneOf(&[DECIMAL]), Need::Optional);

    /// What the query asks for.
    ///
    /// # Errors
    /// [`Refusal::Fields`] if it is another form.
    pub fn from_query(query: &Map<String, Value>) -> Result<Self, Refusal> {
        let mut check = Checker::query(query);
        let field = check.field(NAME);
        let given = check.optional_text(&field);
        if given.is_some_and(|form| form != DECIMAL) {
            check.invalid(&field, "must be decimal, or left out for numbers of cents");
        }
        check.finish()?;
        Ok(if given.is_some() { Self::Decimal } else { Self::Cents })
    }

    /// Writes an answer in this form, on this thread.
    pub fn scope<T>(self, write: impl FnOnce() -> T) -> T {
        let _restore = Restore(AS_TEXTS.replace(self == Self::Decimal));
        write()
    }
    /// The form of the answer that this thread writes.
    pub(super) fn current() -> Self {
        if AS_TEXTS.get() { Self::Decimal } else { Self::Cents }
    }
}

/// Restores the previous form when it is dropped, also by a panic.
struct Restore(bool);

impl Drop for Restore {
    fn drop(&mut self) {
        AS_TEXTS.set(self.0);
    }
}
