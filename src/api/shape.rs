//! What a value of an answer looks like, for the OpenAPI document and for TypeScript.

use super::Compat;
use super::exact_names::name_of_exact;
use serde_json::{Value, json};

/// How a value looks.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Its name in the OpenAPI document, where it has one.
    pub schema: Option<&'static str>,
    /// Its name in TypeScript, where it has one.
    pub typescript: Option<&'static str>,
    /// What it is, in a sentence.
    pub about: &'static str,
    pub form: Form,
}

/// What a value is made of.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// A single value of this JSON Schema.
    Value(fn() -> Value),
    /// A single value of this JSON Schema that JavaScript has as a `bigint`.
    BigInt(fn() -> Value),
    List(&'static Shape),
    /// It, or `null`.
    OrNull(&'static Shape),
    /// An object with any names, of one shape if that is given.
    ByName(Option<&'static Shape>, &'static Shape),
    AnyOf(&'static [Shape]),
    /// An object with exactly these members.
    Object(&'static [AnswerMember]),
    /// It depends on the interface.
    ByCompat(fn(Compat) -> &'static Shape),
    /// Of a member: it is there at times.
    Maybe(&'static Shape),
    /// Of a member: whatever else the node has.
    Others,
    /// Of a member: not itself is there, but the members of this object are.
    Flatten(&'static Shape),
}

/// A member of an object.
#[derive(Clone, Copy, Debug)]
pub struct AnswerMember {
    /// As it stands in JSON.
    pub name: &'static str,
    /// What it means; empty where name and shape say it.
    pub meaning: &'static str,
    pub shape: Shape,
    /// Which interfaces have it, where not all do.
    pub only_if: Option<fn(Compat) -> bool>,
}

/// A type that knows how its values look.
pub trait Shaped {
    const SHAPE: Shape;
}

impl Shape {
    /// A shape without a name.
    pub(crate) const fn new(form: Form) -> Self {
        Self { schema: None, typescript: None, about: "", form }
    }
    pub(crate) const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }
    /// With a name in the OpenAPI document.
    pub(crate) const fn named(self, schema: &'static str) -> Self {
        Self { schema: Some(schema), ..self }
    }
    /// With a name in TypeScript.
    pub(crate) const fn typed(self, typescript: &'static str) -> Self {
        Self { typescript: Some(typescript), ..self }
    }
}

/// An amount with all its decimals.
const IN_WORDS: Shape =
    Shape::new(Form::Value(|| json!({"type": "string", "pattern": "^-?[0-9]+\\.[0-9]{1,18}$"})))
        .named("Decimal");
const IN_WORDS_BY_NAME: Shape = Shape::new(Form::ByName(None, &IN_WORDS));

impl Form {
    fn in_words(self) -> Option<&'static Shape> {
        match self {
            Self::BigInt(_) => Some(&IN_WORDS),
            Self::OrNull(of) | Self::Maybe(of) => of.form.in_words(),
            Self::ByName(_, of) => of.form.in_words().map(|_| &IN_WORDS_BY_NAME),
            _ => None,
        }
    }
}

impl AnswerMember {
    /// Whatever else the node has.
    pub const OTHERS: Self = Self { name: "", meaning: "", shape: Shape::new(Form::Others), only_if: None };

    /// Whether it stands for whatever else the node has.
    pub(super) fn is_others(&self) -> bool {
        matches!(self.shape.form, Form::Others)
    }
    /// Whether one of the interfaces has it.
    fn is_in(&self, compat: Compat) -> bool {
        self.only_if.is_none_or(|only_if| only_if(compat))
    }
    /// The member that is beside it where it has parts of a cent, if it is an amount.
    fn in_words(&self) -> Option<Self> {
        let shape = Shape::new(Form::Maybe(self.shape.form.in_words()?));
        let meaning = "All of it, such as `1.005`, where it has parts of a cent.";
        Some(Self { name: name_of_exact(self.name), meaning, shape, only_if: self.only_if })
    }
    /// The members of an interface that have names, and those that are beside them at times.
    pub(super) fn all(members: &'static [Self], compat: Compat) -> impl Iterator<Item = Self> {
        let members = members.iter().filter(move |member| member.is_in(compat) && !member.is_others());
        members.flat_map(|member| [Some(*member), member.in_words()]).flatten()
    }
    /// What there is to say of it. What has a name in TypeScript is explained there.
    pub(super) fn told(&self) -> &'static str {
        let of_shape = if self.shape.typescript.is_none() { self.shape.about } else { "" };
        if self.meaning.is_empty() { of_shape.trim() } else { self.meaning.trim() }
    }
}
