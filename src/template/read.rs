//! Reading templates.

use super::fields::{ACTIONS, CALLS};
use super::values::{Mismatch, amount, id, number, script, token, variable_in};
use super::{Field, FieldKind, Instruction, InstructionKind, MAX_INSTRUCTIONS, Need, Template};
use crate::json::type_name;
use crate::ledger::{Amount, TokenUid, VertexId};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::HashMap;

const MAX_PROBLEMS: usize = 100;

/// Most arguments of a contract's method, as over HTTP, and most bytes of memory for them.
const MAX_ARGS: usize = 1_000;
const MAX_ARGS_BYTES: usize = 1 << 20;
/// Most signed results of a template: each is a copy.
const MAX_SIGNED: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The instruction's index and the field, such as `2.address`; empty for the whole.
    pub path: String,
    /// The message of release 0.39.
    pub message: String,
    /// The end of a sentence that begins with the path.
    pub must: String,
}

/// Valid fields, by name.
pub type Fields = Map<String, Value>;

/// The values of variables, by name. Values in the template itself are borrowed.
pub type Variables<'t> = HashMap<&'t str, Cow<'t, Value>>;

impl Template {
    /// Ignores unknown fields.
    ///
    /// # Errors
    /// All problems, up to a hundred.
    pub fn read(json: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Vec::new();
        let Some(given) = json.as_array() else {
            let must = "must be an array of instructions";
            let message = format!("Expected array, received {}", type_name(json));
            return Err(vec![Problem { path: String::new(), message, must: must.to_owned() }]);
        };
        if given.len() > MAX_INSTRUCTIONS {
            let message = format!("Array must contain at most {MAX_INSTRUCTIONS} element(s)");
            let must = format!("must have at most {MAX_INSTRUCTIONS} instructions, and has {}", given.len());
            return Err(vec![Problem { path: String::new(), message, must }]);
        }
        let mut instructions = Vec::with_capacity(given.len());
        for (place, given) in given.iter().enumerate() {
            instructions.extend(read_instruction(&place.to_string(), given, &mut problems));
            if problems.len() >= MAX_PROBLEMS {
                problems.truncate(MAX_PROBLEMS);
                break;
            }
        }
        let signed = instructions.iter().filter(|instruction| instruction.has_signed()).count();
        if signed > MAX_SIGNED {
            let message = format!("At most {MAX_SIGNED} calls of get_oracle_signed_data are allowed");
            let must =
                format!("must have at most {MAX_SIGNED} calls of get_oracle_signed_data, and has {signed}");
            problems.push(Problem { path: String::new(), message, must });
        }
        if problems.is_empty() { Ok(Self { instructions }) } else { Err(problems) }
    }
}

impl Instruction {
    fn has_signed(&self) -> bool {
        let method = self.fields.get("call").and_then(|call| call.get("method"));
        method.is_some_and(|method| method == "get_oracle_signed_data")
    }
}

fn memory(value: &Value) -> usize {
    let within = match value {
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(memory).sum(),
        Value::Object(object) => object.iter().map(|(name, value)| name.len() + memory(value)).sum(),
        _ => 0,
    };
    size_of::<Value>() + within
}

fn read_instruction(path: &str, given: &Value, problems: &mut Vec<Problem>) -> Option<Instruction> {
    let mut problem = |path: String, message: String, must: String| {
        problems.push(Problem { path, message, must });
    };
    let Some(object) = given.as_object() else {
        let message = format!("Expected object, received {}", type_name(given));
        problem(path.to_owned(), message, "must be an instruction: an object with a type".to_owned());
        return None;
    };
    let kind = object.get("type").and_then(Value::as_str);
    let Some(kind) = kind.and_then(InstructionKind::named) else {
        let names: Vec<_> = InstructionKind::all().map(InstructionKind::name).collect();
        let message = format!("Invalid discriminator value. Expected {}", quoted(&names));
        problem(format!("{path}.type"), message, format!("must be one of {}", names.join(", ")));
        return None;
    };
    Some(Instruction { kind, fields: read_fields(path, object, kind.fields(), problems) })
}

fn read_fields(
    path: &str,
    given: &Map<String, Value>,
    fields: &[Field],
    problems: &mut Vec<Problem>,
) -> Fields {
    let mut read = Fields::new();
    for field in fields {
        let path = format!("{path}.{}", field.name);
        let value = match given.get(field.name) {
            Some(value) => check(&path, field, value, problems),
            None if field.need == Need::Optional => continue,
            None => {
                let message = if field.takes_variable { "Invalid input" } else { "Required" };
                let must = format!("is required and must be {}", field.must());
                problems.push(Problem { path, message: message.to_owned(), must });
                continue;
            }
        };
        read.insert(field.name.to_owned(), value);
    }
    read
}

/// The value, with only the declared fields of nested objects.
fn check(path: &str, field: &Field, value: &Value, problems: &mut Vec<Problem>) -> Value {
    if field.takes_variable && variable_in(value).is_some() {
        return value.clone();
    }
    let message = match field.kind.check(value) {
        Ok(()) => return nested(path, field.kind, value, problems),
        // For texts, release 0.39 first reports that there is no variable.
        Err(_) if field.takes_variable && value.is_string() => "Invalid".to_owned(),
        Err(Mismatch::Value(message)) => message,
        Err(Mismatch::Type) if field.takes_variable => "Invalid input".to_owned(),
        Err(Mismatch::Type) => field.kind.mismatch(value),
    };
    problems.push(Problem { path: path.to_owned(), message, must: format!("must be {}", field.must()) });
    Value::Null
}

fn nested(path: &str, kind: FieldKind, value: &Value, problems: &mut Vec<Problem>) -> Value {
    match (kind, value) {
        (FieldKind::Call, Value::Object(call)) => tagged(path, "method", call, CALLS, problems)
            .unwrap_or_else(|| {
                let names = CALLS.iter().map(|(name, _)| *name).collect::<Vec<_>>();
                problems.push(Problem {
                    path: format!("{path}.method"),
                    message: format!("Invalid discriminator value. Expected {}", quoted(&names)),
                    must: format!("must be one of {}", names.join(", ")),
                });
                Value::Null
            }),
        (FieldKind::Actions, Value::Array(actions)) => {
            let actions = actions.iter().enumerate().map(|(place, action)| {
                let path = format!("{path}.{place}");
                let before = problems.len();
                let read = action.as_object().and_then(|of| tagged(&path, "action", of, ACTIONS, problems));
                // With several forms, wrong types don't show which form is meant.
                if read.is_none() || problems[before..].iter().any(|problem| !is_of_type(&problem.message)) {
                    problems.truncate(before);
                    let must = "must be a deposit, withdrawal, grant_authority or acquire_authority, with what that takes";
                    problems.push(Problem { path, message: "Invalid input".to_owned(), must: must.to_owned() });
                }
                read.unwrap_or_default()
            });
            Value::Array(actions.collect())
        }
        _ => value.clone(),
    }
}

fn is_of_type(message: &str) -> bool {
    message != "Invalid input" && message != "Required" && !message.contains("xpected ")
}

/// An object whose fields depend on one of its members; `None` if that is not a declared one.
fn tagged(
    path: &str,
    tag: &str,
    given: &Map<String, Value>,
    declared: &[(&str, &[Field])],
    problems: &mut Vec<Problem>,
) -> Option<Value> {
    let name = given.get(tag)?.as_str()?;
    let (_, fields) = declared.iter().find(|(declared, _)| *declared == name)?;
    let mut read = read_fields(path, given, fields, problems);
    read.insert(tag.to_owned(), name.into());
    Some(Value::Object(read))
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(" | ")
}

impl Field {
    /// The end of a sentence.
    fn must(&self) -> String {
        let or = if self.takes_variable { ", or name a variable as {name}" } else { "" };
        format!("{}{or}", self.kind.must())
    }
}

#[derive(Clone, Copy)]
pub struct Scope<'a> {
    pub fields: &'a Fields,
    pub variables: &'a Variables<'a>,
    pub declared: &'static [Field],
}

/// An object whose name determines its fields: a call of the wallet, or an action of a contract call.
pub struct Named<'a> {
    pub name: &'static str,
    pub scope: Scope<'a>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    #[error("Variable {0} not found in available variables")]
    NotSet(String),
    /// The value of its variable is not of the field's kind.
    #[error("{field} must be {must}, and the variable {variable} is not")]
    Mismatch { field: &'static str, variable: String, must: &'static str },
    /// The arguments are too many or too long, with the variables' values.
    #[error(
        "args must have at most {MAX_ARGS} elements, and at most {MAX_ARGS_BYTES} bytes with its variables"
    )]
    ArgsTooLong,
}

impl<'a> Scope<'a> {
    /// The value of a field or its variable; `None` if it is not given.
    pub fn value(&self, name: &str) -> Result<Option<&'a Value>, ValueError> {
        let field =
            self.declared.iter().find(|field| field.name == name).expect("a declared field is asked for");
        let Some(value) = self.fields.get(name) else { return Ok(None) };
        let Some(variable) = variable_in(value).filter(|_| field.takes_variable) else {
            return Ok(Some(value));
        };
        let set = self.variable(variable)?;
        match field.kind.check(set) {
            Ok(()) => Ok(Some(set)),
            Err(_) => {
                let variable = variable.to_owned();
                Err(ValueError::Mismatch { field: field.name, variable, must: field.kind.must() })
            }
        }
    }

    fn variable(&self, name: &str) -> Result<&'a Value, ValueError> {
        self.variables.get(name).map(AsRef::as_ref).ok_or_else(|| ValueError::NotSet(name.to_owned()))
    }

    /// The call that gives a variable its value.
    pub fn call(&self) -> Result<Option<Named<'a>>, ValueError> {
        Ok(self.value("call")?.map(|call| self.named(call, "method", CALLS)))
    }

    pub fn actions(&self) -> Result<impl Iterator<Item = Named<'a>>, ValueError> {
        let actions = self.value("actions")?.and_then(Value::as_array);
        let scope = *self;
        Ok(actions.into_iter().flatten().map(move |action| scope.named(action, "action", ACTIONS)))
    }

    fn named(
        &self,
        object: &'a Value,
        tag: &str,
        declared: &'static [(&'static str, &'static [Field])],
    ) -> Named<'a> {
        let fields = object.as_object().expect("its kind was checked");
        let name = fields.get(tag).and_then(Value::as_str).unwrap_or_default();
        let (name, declared) =
            declared.iter().find(|(declared, _)| *declared == name).expect("one of those declared");
        Named { name, scope: Self { fields, declared, ..*self } }
    }

    /// The arguments of a contract's method, each a value or the name of a variable.
    pub fn args(&self) -> Result<Vec<Value>, ValueError> {
        let args = self.value("args")?.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        if args.len() > MAX_ARGS {
            return Err(ValueError::ArgsTooLong);
        }
        // A repeated variable is copied each time.
        let mut bytes = 0;
        let arg = |arg: &'a Value| {
            let value = variable_in(arg).map_or(Ok(arg), |variable| self.variable(variable))?;
            bytes += memory(value);
            if bytes > MAX_ARGS_BYTES { Err(ValueError::ArgsTooLong) } else { Ok(value.clone()) }
        };
        args.iter().map(arg).collect()
    }

    fn read<T>(&self, name: &str, read: impl Fn(&'a Value) -> Option<T>) -> Result<Option<T>, ValueError> {
        Ok(self.value(name)?.map(|value| read(value).expect("its kind was checked")))
    }
    pub fn text(&self, name: &str) -> Result<Option<&'a str>, ValueError> {
        self.read(name, Value::as_str)
    }
    pub fn flag(&self, name: &str, otherwise: bool) -> Result<bool, ValueError> {
        Ok(self.read(name, Value::as_bool)?.unwrap_or(otherwise))
    }
    /// Zero if it is not given.
    pub fn amount(&self, name: &str) -> Result<Amount, ValueError> {
        Ok(self.read(name, amount)?.unwrap_or_default())
    }
    /// HTR if it is not given.
    pub fn token(&self, name: &str) -> Result<TokenUid, ValueError> {
        Ok(self.read(name, token)?.unwrap_or(TokenUid::Native))
    }
    pub fn id(&self, name: &str) -> Result<Option<VertexId>, ValueError> {
        self.read(name, id)
    }
    pub fn script(&self, name: &str) -> Result<Option<Vec<u8>>, ValueError> {
        self.read(name, script)
    }
    /// `None` if it is not given, or exceeds `N`.
    pub fn number<N: TryFrom<i128>>(&self, name: &str) -> Result<Option<N>, ValueError> {
        Ok(self.value(name)?.and_then(number))
    }
}
