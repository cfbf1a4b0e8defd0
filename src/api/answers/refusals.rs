//! What is answered where a request is not carried out.

use super::kinds::{Cents, Json, List, Maybe, Place, Text, Uid};
use crate::api::answer::{answer, any_of};
use crate::api::{Compat, Failure, Problem, Refusal};
use crate::ledger::Amount;
use serde::Serialize;

/// How a [`Refusal`] is answered.
#[derive(Serialize)]
#[serde(untagged)]
pub enum RefusalAnswer<'a> {
    Fields(InvalidFields<'a>),
    Choice(InvalidChoice<'a>),
    Details(InvalidDetails<'a>),
    Failure(Failure),
}

impl<'a> RefusalAnswer<'a> {
    /// In the wording of the interface that `compat` names.
    pub fn new(refusal: &'a Refusal, compat: Compat) -> Self {
        match refusal {
            Refusal::Failure(failure) => {
                let mut failure = failure.clone();
                failure.lack.take_if(|lack| lack.amounts.is_some() && !compat.tells_amounts_lacking());
                Self::Failure(failure)
            }
            Refusal::Body(error)
            | Refusal::Forbidden(error)
            | Refusal::Encoding(error)
            | Refusal::NotFound(error)
            | Refusal::NotAllowed(error) => Self::Failure(Failure::new(error.clone())),
            Refusal::Details(problems) => Self::Details(InvalidDetails { problems, compat }),
            Refusal::Fields(problems) if problems.iter().any(Problem::is_choice) => {
                Self::Choice(InvalidChoice { problems, compat })
            }
            Refusal::Fields(problems) => Self::Fields(InvalidFields { problems, compat }),
        }
    }
}

impl Failure {
    fn amounts(&self) -> Option<(Amount, Amount)> {
        self.lack.as_ref()?.amounts
    }
}

answer! {
    this: Failure as "Failure" {
        success = false,
        /// What went wrong.
        error: Text,
        /// The token that the failure is about.
        token: Maybe<Uid> = this.lack.as_ref().and_then(|lack| lack.token),
        /// Where there is too little of it: what is needed, in cents.
        required: Maybe<Cents> = this.amounts().map(|(required, _)| required),
        /// What can be spent of it, in cents.
        available: Maybe<Cents> = this.amounts().map(|(_, available)| available),
    }
}

/// That fields are not as they must be.
pub struct InvalidFields<'a> {
    problems: &'a [Problem],
    compat: Compat,
}

answer! {
    this: InvalidFields<'_> as "InvalidFields" {
        success = false,
        error: [Single<'_>] = List(this.problems.iter().map(Single)),
        /// All that is wrong, in sentences.
        message if refusals_have_a_message: Text = sentences(this.problems),
    }
}

/// That a field or a request that comes in several forms is in none of them.
pub struct InvalidChoice<'a> {
    problems: &'a [Problem],
    compat: Compat,
}

answer! {
    this: InvalidChoice<'_> as "InvalidChoice" {
        success = false,
        error: [Entry<'_>] = List(this.problems.iter().map(Entry::new)),
        /// All that is wrong, in sentences.
        message if refusals_have_a_message: Text = sentences(this.problems),
    }
}

/// That fields are not as they must be, in the words of create-token.
pub struct InvalidDetails<'a> {
    problems: &'a [Problem],
    compat: Compat,
}

answer! {
    this: InvalidDetails<'_> as "InvalidDetails" {
        success = false,
        /// Such as `name is Required`.
        details: [Text] = List(
            this.problems.iter().map(|problem| format!("{} is {}", dotted(&problem.param), problem.msg))
        ),
        /// All that is wrong, in sentences.
        message if refusals_have_a_message: Text = sentences(this.problems),
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum Entry<'a> {
    Single(Single<'a>),
    NoneOf(NoneOf<'a>),
}

any_of!(Entry<'_>: Single<'_> | NoneOf<'_>);

impl<'a> Entry<'a> {
    const fn new(problem: &'a Problem) -> Self {
        if problem.is_choice() { Self::NoneOf(NoneOf(problem)) } else { Self::Single(Single(problem)) }
    }
}

struct Single<'a>(&'a Problem);

answer! {
    this: Single<'_> as "Problem" {
        /// What was given; not there where the field is missing.
        value: Maybe<Json> = this.0.value,
        msg: Text = *this.0.msg,
        /// The field's path, such as `outputs[0].value`.
        param: Text = this.0.param,
        location: Place = this.0.location.expect("all but choices have one"),
    }
}

struct NoneOf<'a>(&'a Problem);

answer! {
    this: NoneOf<'_> as "NoneOf" {
        msg: Text = *this.0.msg,
        param = Problem::CHOICE,
        nestedErrors: [Single<'_>] = List(this.0.nested.iter().map(Single)),
    }
}

/// That a request lacks the right `X-API-KEY`.
pub struct Unauthorized {
    pub message: &'static str,
}

answer! {
    this: Unauthorized as "Unauthorized" {
        auth = false,
        message: Text,
    }
}

/// `data[0]` as `data.0`.
fn dotted(path: &str) -> String {
    path.replace('[', ".").replace(']', "")
}

#[cfg(feature = "native")]
impl Refusal {
    /// What it says, for people.
    pub fn sentence(&self) -> String {
        match self {
            Self::Fields(problems) | Self::Details(problems) => sentences(problems),
            Self::Failure(failure) => failure.error.clone(),
            Self::Body(text)
            | Self::Forbidden(text)
            | Self::Encoding(text)
            | Self::NotFound(text)
            | Self::NotAllowed(text) => text.clone(),
        }
    }
}

fn sentences(problems: &[Problem]) -> String {
    let problems = problems.iter().flat_map(Problem::single);
    // A template is a body of its own, without a name.
    let name = |p: &'_ Problem| if p.param.is_empty() { "the template".to_owned() } else { p.param.clone() };
    let sentences: Vec<_> = problems.map(|p| format!("{} {}.", name(p), p.must)).collect();
    sentences.join(" ")
}
