//! Refusals: what is wrong with a request, in the two shapes of validation errors (HTTP 400) or as a plain failure (200).

use super::Compat;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;
use std::borrow::Cow;

/// Where a field was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Location {
    /// The JSON body.
    Body,
    /// The query string.
    Query,
}

/// One field that is not as it must be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Problem {
    /// What was given; `None` where the field is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// What clients match on, mostly [`INVALID_VALUE`](super::texts::INVALID_VALUE).
    pub msg: Cow<'static, str>,
    /// The field's path, such as `outputs[0].value`.
    pub param: String,
    /// Where it was given.
    pub location: Location,
    /// What it must be, as the end of a sentence that begins with the field's path.
    #[serde(skip)]
    pub must: Cow<'static, str>,
}

/// A failure that is answered with 200: `{"success":false,"error":…}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong and, where the reference has no text of its own, what to do.
    pub error: String,
    /// The token that the failure is about, where clients are told it in a key of its own.
    pub token: Option<String>,
}

impl Failure {
    /// A failure that has nothing but a text.
    pub fn new(error: impl Into<String>) -> Self {
        Self { error: error.into(), token: None }
    }
}

impl Serialize for Failure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("success", &false)?;
        map.serialize_entry("error", &self.error)?;
        if let Some(token) = &self.token {
            map.serialize_entry("token", token)?;
        }
        map.end()
    }
}

/// Why a request is not carried out.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// Fields that are not as they must be, as `error` entries (most endpoints).
    Fields(Vec<Problem>),
    /// The same as `details` texts (create-token): each [`Problem::msg`] follows the field's path.
    Details(Vec<Problem>),
    /// None of several fields is given as it must be, of which one is needed.
    #[allow(missing_docs)]
    NoneOf { msg: &'static str, nested: Vec<Problem> },
    /// The body can't be read at all.
    Body(String),
    /// A failure of the existing service's style.
    Failure(Failure),
}

impl Refusal {
    /// A failure with a text.
    pub fn failure(error: impl Into<String>) -> Self {
        Self::Failure(Failure::new(error))
    }
    /// The HTTP status it is answered with.
    pub const fn status(&self) -> u16 {
        match self {
            Self::Fields(_) | Self::Details(_) | Self::NoneOf { .. } | Self::Body(_) => 400,
            Self::Failure(_) => 200,
        }
    }
    /// The JSON that it is answered with.
    pub const fn answer(&self, compat: Compat) -> impl Serialize + '_ {
        RefusalAnswer { refusal: self, compat }
    }
}

struct RefusalAnswer<'a> {
    refusal: &'a Refusal,
    compat: Compat,
}

impl Serialize for RefusalAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (key, problems) = match self.refusal {
            Refusal::Failure(failure) => return failure.serialize(serializer),
            Refusal::Body(error) => return Failure::new(error.clone()).serialize(serializer),
            Refusal::Fields(problems) => ("error", problems),
            Refusal::Details(problems) => ("details", problems),
            Refusal::NoneOf { nested, .. } => ("error", nested),
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("success", &false)?;
        if let Refusal::NoneOf { msg, nested } = self.refusal {
            map.serialize_entry(key, &[NoneOf { msg, param: "_error", nested_errors: nested }])?;
        } else if key == "error" {
            map.serialize_entry(key, problems)?;
        } else {
            let details: Vec<_> = problems.iter().map(|p| format!("{} is {}", p.param, p.msg)).collect();
            map.serialize_entry(key, &details)?;
        }
        if self.compat.refusals_have_a_message() {
            map.serialize_entry("message", &sentences(problems))?;
        }
        map.end()
    }
}

/// The one entry of a refusal for want of any of several fields.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NoneOf<'a> {
    msg: &'a str,
    param: &'a str,
    nested_errors: &'a [Problem],
}

fn sentences(problems: &[Problem]) -> String {
    let sentences: Vec<_> = problems.iter().map(|p| format!("{} {}.", p.param, p.must)).collect();
    sentences.join(" ")
}
