//! Reading the fields of a request and noting all that is wrong with them, in the wording of either
//! validation shape.

use super::Compat;
use super::integer::{amount, integer, is_inexact};
use super::refusal::{Location, Problem, Refusal};
use super::texts::INVALID_VALUE;
use crate::json::type_name;
use crate::ledger::{Amount, MAX_DATA_OUTPUTS, MAX_DATA_TEXT_CHARS, MAX_STANDARD_SCRIPT_BYTES, TokenUid};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Most bytes of a data output's text: a standard script, less the push (2 bytes) and the closing opcode.
pub(crate) const MAX_DATA_BYTES: usize = MAX_STANDARD_SCRIPT_BYTES - 3;

/// Most problems that are told of: a small request can have tens of thousands.
const MAX_PROBLEMS: usize = 100;

/// What an integer must be that JavaScript clients can't write exactly so.
const INEXACT: &str =
    "must be written in digits alone above 9007199254740991: without a fraction or an exponent";

/// How problems are worded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// `Invalid value` entries. `null` is a wrong value, texts are accepted for numbers and booleans.
    Fields,
    /// `<path> is <message>` texts. `null` stands for a missing field, booleans are strict.
    Details,
}

/// A place in the request and what was given there.
#[derive(Clone)]
pub(crate) struct Field<'a> {
    pub path: String,
    pub value: Option<&'a Value>,
}

impl<'a> Field<'a> {
    /// The member `name` of this object.
    pub fn member(&self, name: &str) -> Self {
        Self { path: format!("{}.{name}", self.path), value: self.value.and_then(|v| v.get(name)) }
    }
    /// The elements of this array; none if it is no array.
    pub fn elements(&self) -> impl Iterator<Item = Field<'a>> + '_ {
        let elements = self.value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        elements
            .iter()
            .enumerate()
            .map(|(i, value)| Field { path: format!("{}[{i}]", self.path), value: Some(value) })
    }
}

/// Reads fields and collects what is wrong with them. Readers answer `None` (or a default) after noting a
/// problem, so that all fields are looked at before [`finish`](Self::finish) refuses.
pub(crate) struct Checker<'a> {
    /// The object whose fields are read: its path and itself, where it is within the request.
    object: Field<'a>,
    members: Option<&'a Map<String, Value>>,
    location: Location,
    shape: Shape,
    problems: Vec<Problem>,
    /// How many more there were than [`MAX_PROBLEMS`].
    untold: usize,
    /// Those that come after all others.
    last: Vec<Problem>,
    /// The first refusal that counts only where there is no problem.
    refusal: Option<Refusal>,
}

/// What was found in two forms, or what is wrong with each.
type Forms<T> = [Result<Option<T>, Vec<Problem>>; 2];

impl<'a> Checker<'a> {
    pub fn body(source: &'a Map<String, Value>) -> Self {
        Self {
            object: Field { path: String::new(), value: None },
            members: Some(source),
            location: Location::Body,
            shape: Shape::Fields,
            problems: Vec::new(),
            untold: 0,
            last: Vec::new(),
            refusal: None,
        }
    }
    pub fn body_with_details(source: &'a Map<String, Value>) -> Self {
        Self { shape: Shape::Details, ..Self::body(source) }
    }
    pub fn query(source: &'a Map<String, Value>) -> Self {
        Self { location: Location::Query, ..Self::body(source) }
    }

    /// The fields in the query are those that are refused here.
    pub fn body_beside_query(source: &'a Map<String, Value>) -> Self {
        Self::query(source)
    }

    /// The object whose fields are read.
    pub fn object(&self) -> Field<'a> {
        self.object.clone()
    }
    /// A field of that object.
    pub fn field(&self, name: &str) -> Field<'a> {
        let path = if self.object.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}.{name}", self.object.path)
        };
        Field { path, value: self.members.and_then(|members| members.get(name)) }
    }
    /// Reads the fields of an object within the request.
    pub fn within<T>(&mut self, object: &Field<'a>, read: impl FnOnce(&mut Self) -> T) -> T {
        let members = object.value.and_then(Value::as_object);
        let outer = (
            std::mem::replace(&mut self.object, object.clone()),
            std::mem::replace(&mut self.members, members),
        );
        let read = read(self);
        (self.object, self.members) = outer;
        read
    }

    /// Whether an optional field is there.
    fn given(&self, field: &Field<'a>) -> bool {
        !matches!((self.shape, field.value), (_, None) | (Shape::Details, Some(Value::Null)))
    }

    pub fn problem(
        &mut self,
        field: &Field<'a>,
        msg: impl Into<Cow<'static, str>>,
        must: impl Into<Cow<'static, str>>,
    ) {
        if self.problems.len() >= MAX_PROBLEMS {
            self.untold += 1;
            return;
        }
        self.problems.push(Problem {
            value: field.value.cloned(),
            msg: msg.into(),
            param: field.path.clone(),
            location: Some(self.location),
            nested: Vec::new(),
            must: must.into(),
        });
    }
    fn push(&mut self, problem: Problem) {
        if self.problems.len() >= MAX_PROBLEMS {
            self.untold += 1;
        } else {
            self.problems.push(problem);
        }
    }
    /// How many problems there are so far.
    pub fn count_problems(&self) -> usize {
        self.problems.len() + self.untold
    }
    /// Notes that what comes in several forms is in none of them.
    pub fn none_of(&mut self, msg: &'static str, nested: Vec<Problem>) {
        self.push(Problem::choice(msg, nested));
    }
    /// What `read` notes comes after all other problems.
    pub fn last<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.problems.len();
        let found = read(self);
        self.last.extend(self.problems.drain(before..));
        found
    }
    /// What `read` notes is worded as `msg`.
    pub fn called<T>(&mut self, msg: &'static str, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.count_problems();
        let found = read(self);
        self.call(before, msg);
        found
    }
    /// Words all problems from one on as `msg`.
    pub fn call(&mut self, from: usize, msg: &'static str) {
        self.problems.iter_mut().skip(from).for_each(|problem| problem.msg = msg.into());
    }
    /// What `read` finds, or all that is wrong with that form.
    pub fn form<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Result<T, Vec<Problem>> {
        let (before, untold, refusal) = (self.problems.len(), self.untold, self.refusal.take());
        let found = read(self);
        let mut wrong = self.problems.split_off(before);
        // Told of with the choice that they are of.
        let untold = std::mem::replace(&mut self.untold, untold) - untold;
        if untold > 0 {
            wrong.push(Problem::untold(untold, self.location));
        }
        if refusal.is_some() || !wrong.is_empty() {
            self.refusal = refusal;
        }
        if wrong.is_empty() { Ok(found) } else { Err(wrong) }
    }
    /// The first of several forms in which nothing is wrong.
    pub fn first_of<T>(&mut self, forms: Forms<T>, none: &'static str) -> Option<T> {
        self.any_of(forms, none).into_iter().next()?
    }
    /// The last of them.
    pub fn last_of<T>(&mut self, forms: Forms<T>, none: &'static str) -> Option<T> {
        self.any_of(forms, none).pop()?
    }
    fn any_of<T>(&mut self, forms: Forms<T>, none: &'static str) -> Vec<Option<T>> {
        let (mut found, mut wrong) = (Vec::new(), Vec::new());
        for form in forms {
            match form {
                Ok(form) => found.push(form),
                Err(problems) => wrong.extend(problems),
            }
        }
        if found.is_empty() {
            self.refusal = Some(Refusal::none_of(none, wrong));
        }
        found
    }
    /// Notes that a value is not what it must be.
    pub fn invalid(&mut self, field: &Field<'a>, must: &'static str) {
        self.problem(field, INVALID_VALUE, must);
    }
    /// Notes that a field has no effect beside the others, unless it is wrong anyway.
    pub fn unused(&mut self, field: &Field<'a>, must: impl Into<Cow<'static, str>>) {
        if field.value.is_some() && self.problems.iter().all(|problem| problem.param != field.path) {
            self.problem(field, INVALID_VALUE, must);
        }
    }
    /// Notes that a value is of the wrong type.
    pub fn wrong_type(&mut self, field: &Field<'a>, expected: &'static str, must: &'static str) {
        let msg = match (self.shape, field.value) {
            (Shape::Fields, _) => Cow::Borrowed(INVALID_VALUE),
            (Shape::Details, None) => Cow::Borrowed("Required"),
            (Shape::Details, Some(value)) => {
                format!("Expected {expected}, received {}", type_name(value)).into()
            }
        };
        let must: Cow<'static, str> =
            if field.value.is_none() { format!("is required and {must}").into() } else { must.into() };
        self.problem(field, msg, must);
    }

    /// Notes that a text has more than `max` characters.
    pub fn too_long(&mut self, field: &Field<'a>, max: usize, must: String) {
        let msg = match self.shape {
            Shape::Fields => Cow::Borrowed(INVALID_VALUE),
            Shape::Details => format!("String must contain at most {max} character(s)").into(),
        };
        self.problem(field, msg, must);
    }

    /// A text that must be there.
    pub fn text(&mut self, field: &Field<'a>) -> Option<&'a str> {
        match field.value {
            Some(Value::String(text)) => Some(text),
            _ => {
                self.wrong_type(field, "string", "must be a string");
                None
            }
        }
    }
    /// A text, or nothing.
    pub fn optional_text(&mut self, field: &Field<'a>) -> Option<&'a str> {
        if self.given(field) { self.text(field) } else { None }
    }
    /// A token's uid; to release 0.39, any text.
    pub fn token(&mut self, field: &Field<'a>, compat: Compat) -> Option<&'a str> {
        let uid = self.text(field)?;
        self.token_uid(field, uid, compat);
        Some(uid)
    }
    /// A token's uid, or nothing; an empty text is nothing.
    pub fn optional_token(&mut self, field: &Field<'a>, compat: Compat) -> Option<&'a str> {
        let uid = self.optional_text(field).filter(|text| !text.is_empty())?;
        self.token_uid(field, uid, compat);
        Some(uid)
    }
    /// Notes a text that is no token's uid.
    pub fn token_uid(&mut self, field: &Field<'a>, uid: &str, compat: Compat) {
        if compat.checks_tokens_and_filters() && uid.parse::<TokenUid>().is_err() {
            self.invalid(field, "must be a token's uid: 00 for HTR, or 64 hexadecimal digits");
        }
    }
    /// The text of a data output.
    pub fn data(&mut self, field: &Field<'a>, limits_bytes: bool) -> Option<String> {
        let text = self.text(field)?;
        if text.chars().count() > MAX_DATA_TEXT_CHARS {
            self.too_long(
                field,
                MAX_DATA_TEXT_CHARS,
                format!("must have at most {MAX_DATA_TEXT_CHARS} characters"),
            );
            return None;
        }
        if limits_bytes && text.len() > MAX_DATA_BYTES {
            let must = format!(
                "must have at most {MAX_DATA_BYTES} bytes in UTF-8 to fit a standard output, and has {}",
                text.len()
            );
            self.problem(field, INVALID_VALUE, must);
            return None;
        }
        Some(text.to_owned())
    }
    /// An array of texts of data outputs, or nothing.
    pub fn data_list(&mut self, field: &Field<'a>, limited: bool) -> Vec<String> {
        if !self.given(field) {
            return Vec::new();
        }
        if !field.value.is_some_and(Value::is_array) {
            self.wrong_type(field, "array", "must be an array of strings");
            return Vec::new();
        }
        let texts: Vec<_> = field.elements().filter_map(|element| self.data(&element, limited)).collect();
        self.data_output_count(field, texts.len(), limited);
        texts
    }
    /// Refuses more data outputs than a standard transaction has.
    pub fn data_output_count(&mut self, field: &Field<'a>, count: usize, limited: bool) {
        if limited && count > MAX_DATA_OUTPUTS {
            let without_value = Field { path: field.path.clone(), value: None };
            self.problem(
                &without_value,
                super::texts::too_many_data_outputs(count),
                format!("has {count} data outputs and can have at most {MAX_DATA_OUTPUTS}: send the rest in further transactions"),
            );
        }
    }
    /// Whether there are more elements than a transaction has room for. Then that is all that is noted of
    /// them.
    pub fn too_many(&mut self, field: &Field<'a>, most: usize, compat: Compat) -> bool {
        let count = field.value.and_then(Value::as_array).map_or(0, Vec::len);
        let too_many = compat.checks_counts_with_fields() && count > most;
        if too_many {
            let without_value = Field { path: field.path.clone(), value: None };
            let must = format!(
                "has {count} elements and can have at most {most}: make several transactions of them"
            );
            self.problem(&without_value, INVALID_VALUE, must);
        }
        too_many
    }

    /// An amount of at least 1 that must be there.
    pub fn positive_amount(&mut self, field: &Field<'a>) -> Option<Amount> {
        let found = field.value.and_then(integer).filter(|n| *n >= 1).and_then(amount);
        if found.is_none() {
            self.wrong_type(field, "integer", exactly(field, "must be an integer of at least 1, in cents"));
        }
        found
    }
    /// Any integer that must be there, where it is a text or number; worded `Invalid input` in details.
    pub fn any_integer(&mut self, field: &Field<'a>) -> Option<i128> {
        let found = field.value.and_then(integer);
        if found.is_none() {
            let msg = match self.shape {
                Shape::Fields => INVALID_VALUE,
                Shape::Details => "Invalid input",
            };
            self.problem(field, msg, exactly(field, "must be an integer, in cents"));
        }
        found
    }
    /// An integer of at least 0 that must be there.
    pub fn count(&mut self, field: &Field<'a>, must: &'static str) -> Option<i128> {
        let found = field.value.and_then(integer).filter(|n| *n >= 0);
        if found.is_none() {
            self.invalid(field, exactly(field, must));
        }
        found
    }
    /// An integer, or nothing.
    pub fn optional_integer(&mut self, field: &Field<'a>, least: Option<i128>) -> Option<i128> {
        if !self.given(field) {
            return None;
        }
        let found = field.value.and_then(integer).filter(|n| least.is_none_or(|least| *n >= least));
        if found.is_none() {
            let must: Cow<'static, str> = match least {
                _ if field.value.is_some_and(is_inexact) => INEXACT.into(),
                Some(least) => format!("must be an integer of at least {least}").into(),
                None => "must be an integer".into(),
            };
            self.problem(field, INVALID_VALUE, must);
        }
        found
    }
    /// The integer that a field holds, if it holds one.
    pub fn integer_of(&self, field: &Field<'a>) -> Option<i128> {
        field.value.and_then(integer)
    }
    /// A yes or no, or `otherwise`. `null` is neither.
    pub fn flag(&mut self, field: &Field<'a>, otherwise: bool) -> bool {
        if field.value.is_none() {
            return otherwise;
        }
        let found = match (self.shape, field.value) {
            (_, Some(Value::Bool(yes))) => Some(*yes),
            (Shape::Fields, Some(Value::String(text))) => boolean_text(text),
            (Shape::Fields, Some(Value::Number(number))) => boolean_text(number.as_str()),
            _ => None,
        };
        if found.is_none() {
            self.wrong_type(field, "boolean", "must be true or false");
        }
        found.unwrap_or(otherwise)
    }

    /// Refuses unless there are problems, or was an earlier refusal.
    pub fn refuse(&mut self, refusal: Refusal) {
        self.refusal.get_or_insert(refusal);
    }

    /// What `read` makes of the request; refuses if anything is wrong with it.
    pub fn read<T>(mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Result<T, Refusal> {
        let read = read(&mut self);
        self.finish()?;
        Ok(read.expect("what could not be read is refused"))
    }

    /// Refuses if anything was wrong.
    pub fn finish(mut self) -> Result<(), Refusal> {
        std::mem::take(&mut self.last).into_iter().for_each(|problem| self.push(problem));
        if self.untold > 0 {
            self.problems.push(Problem::untold(self.untold, self.location));
        }
        match (self.problems.is_empty(), self.shape) {
            (true, _) => self.refusal.map_or(Ok(()), Err),
            (false, Shape::Fields) => Err(Refusal::Fields(self.problems)),
            (false, Shape::Details) => Err(Refusal::Details(self.problems)),
        }
    }
}

/// What must be done about an integer: about its digits where those are what is wrong.
fn exactly(field: &Field<'_>, must: &'static str) -> &'static str {
    if field.value.is_some_and(is_inexact) { INEXACT } else { must }
}

fn boolean_text(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}
