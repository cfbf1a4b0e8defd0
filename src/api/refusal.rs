//! Refusals: what is wrong with a request, in the two shapes of validation errors (HTTP 400) or as a plain
//! failure (200).

use super::texts::INVALID_VALUE;
use super::{Compat, RefusalAnswer};
use crate::ledger::{Amount, TokenUid};
use serde_json::Value;
use std::borrow::Cow;

/// Where a field was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// The JSON body.
    Body,
    Query,
}

/// One field that is not as it must be.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// What was given; `None` where the field is missing.
    pub value: Option<Value>,
    /// What clients match on, mostly [`INVALID_VALUE`](super::texts::INVALID_VALUE).
    pub msg: Cow<'static, str>,
    /// The field's path, such as `outputs[0].value`; `_error` for a choice of which nothing fits.
    pub param: String,
    /// Where it was given; a choice has none.
    pub location: Option<Location>,
    /// What is wrong with each of the possibilities, for a choice.
    pub nested: Vec<Problem>,
    /// What it must be, as the end of a sentence that begins with the field's path.
    pub must: Cow<'static, str>,
}

impl Problem {
    /// The path of a choice.
    pub(crate) const CHOICE: &str = "_error";

    /// That none of several ways to give something is taken as it must be.
    pub(crate) fn choice(msg: &'static str, nested: Vec<Self>) -> Self {
        Self {
            value: None,
            msg: msg.into(),
            param: Self::CHOICE.to_owned(),
            location: None,
            nested,
            must: Cow::Borrowed(""),
        }
    }
    /// That there are so many more.
    pub(crate) fn untold(count: usize, location: Location) -> Self {
        let more =
            if count == 1 { "has 1 more problem".to_owned() } else { format!("has {count} more problems") };
        Self {
            value: None,
            msg: more.clone().into(),
            param: "request".to_owned(),
            location: Some(location),
            nested: Vec::new(),
            must: more.into(),
        }
    }
    /// Whether it is that none of several ways to give something is taken as it must be.
    pub(crate) const fn is_choice(&self) -> bool {
        self.location.is_none()
    }
    /// Itself, or the problems in it.
    pub(crate) fn single(&self) -> &[Self] {
        if self.nested.is_empty() { std::slice::from_ref(self) } else { &self.nested }
    }
}

/// A failure that is answered with 200: `{"success":false,"error":…}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong and, where the reference has no text of its own, what to do.
    pub error: String,
    /// What programs go by: `api::errors` lists the codes.
    pub code: &'static str,
    /// What there is too little of.
    pub lack: Option<Box<Lack>>,
}

/// Too little of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lack {
    /// `None` where only the request says it.
    pub token: Option<TokenUid>,
    /// What is needed, and what can be spent. Release 0.39 names the token only where these are not known.
    pub amounts: Option<(Amount, Amount)>,
}

impl Failure {
    /// A failure that has nothing but a text.
    pub fn new(error: impl Into<String>) -> Self {
        Self { error: error.into(), code: "INVALID_INPUT", lack: None }
    }
}

/// Why a request is not carried out.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// Fields that are not as they must be, as `error` entries (most endpoints).
    Fields(Vec<Problem>),
    /// Fields that are not as they must be, as `details` texts (create-token): each [`Problem::msg`] follows
    /// the field's path.
    Details(Vec<Problem>),
    /// The body can't be read at all.
    Body(String),
    /// The body is compressed in a way that is not read.
    Encoding(String),
    /// A failure of hathor-wallet-headless's style.
    Failure(Failure),
    /// Whoever asks lacks a right.
    Forbidden(String),
    /// Something that is named is not known.
    NotFound(String),
    /// What is asked for is switched off.
    NotAllowed(String),
}

impl Refusal {
    /// A request that comes in several forms and is in none of them.
    pub(crate) fn none_of(msg: &'static str, wrong: Vec<Problem>) -> Self {
        Self::Fields(vec![Problem::choice(msg, wrong)])
    }
    /// One text that is not as it must be. `must` ends a sentence that begins with the field's path.
    pub fn field(path: &str, value: &str, location: Location, must: String) -> Self {
        Self::Fields(vec![Problem {
            value: Some(value.into()),
            msg: INVALID_VALUE.into(),
            param: path.to_owned(),
            location: Some(location),
            nested: Vec::new(),
            must: must.into(),
        }])
    }
    /// A failure with a text.
    pub fn failure(error: impl Into<String>) -> Self {
        Self::Failure(Failure::new(error))
    }
    /// The HTTP status it is answered with.
    pub const fn status(&self) -> u16 {
        match self {
            Self::Fields(_) | Self::Details(_) | Self::Body(_) => 400,
            Self::Failure(_) => 200,
            Self::Forbidden(_) => 403,
            Self::NotFound(_) => 404,
            Self::NotAllowed(_) => 405,
            Self::Encoding(_) => 415,
        }
    }
    /// The JSON that it is answered with.
    pub fn answer(&self, compat: Compat) -> RefusalAnswer<'_> {
        RefusalAnswer::new(self, compat)
    }
}
