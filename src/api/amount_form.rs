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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AmountForm {
    /// Numbers of cents, with a text beside those that have parts of one.
    #[default]
    Cents,
    /// Texts in tokens: `1.23`.
    Decimal,
}

impl AmountForm {
    pub const MEMBER: Member = Member::new(
        NAME,
        "With `decimal`, all amounts of the answer are texts in tokens: `\"1.23\"` for 123. Of an NFT, one piece is `\"0.01\"`. \
         Bit masks of authorities stay numbers.",
        Kind::OneOf(&[DECIMAL]),
        Need::Optional,
    );

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

    /// Writes an answer in this form.
    pub fn of<T>(self, write: impl FnOnce() -> T) -> T {
        let _until_written = Restore(AS_TEXTS.replace(self == Self::Decimal));
        write()
    }
    /// The form of the answer that this thread writes.
    pub(super) fn now() -> Self {
        if AS_TEXTS.get() { Self::Decimal } else { Self::Cents }
    }
}

/// The form of before, also after a panic.
struct Restore(bool);

impl Drop for Restore {
    fn drop(&mut self) {
        AS_TEXTS.set(self.0);
    }
}
