//! Fields that an instruction does not have, or that have no effect beside its others. Release 0.39 ignores
//! them; the documented dialect refuses them.

use super::fields::{ACTIONS, CALLS};
use super::{Field, InstructionKind, Problem};
use crate::json::typo_of;
use serde_json::{Map, Value};

const MAX_PROBLEMS: usize = 100;

/// The ignored fields of a readable template.
pub fn unused_fields(template: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, instruction) in template.as_array().into_iter().flatten().enumerate() {
        let Some(object) = instruction.as_object() else { continue };
        let name = object.get("type").and_then(Value::as_str);
        let Some(kind) = name.and_then(InstructionKind::named) else { continue };
        let path = index.to_string();
        find_unknown(&path, object, "type", kind.fields(), &mut problems);
        find_without_effect(&path, object, &mut problems);
        if let Some(Value::Object(call)) = object.get("call").filter(|_| kind == InstructionKind::SetVar) {
            find_unknown_of(&format!("{path}.call"), call, "method", CALLS, &mut problems);
        }
        let actions = object.get("actions").and_then(Value::as_array);
        for (at, action) in actions.into_iter().flatten().enumerate() {
            if let (Value::Object(action), InstructionKind::Nano) = (action, kind) {
                let path = format!("{path}.actions.{at}");
                find_unknown_of(&path, action, "action", ACTIONS, &mut problems);
                find_without_effect(&path, action, &mut problems);
            }
        }
        let sets_nothing = !["value", "call"].iter().any(|name| object.contains_key(*name));
        if kind == InstructionKind::SetVar && sets_nothing {
            problems.push(Problem {
                path,
                message: "without a value or a call".to_owned(),
                must: "must have a value, or call something".to_owned(),
            });
        }
        if problems.len() >= MAX_PROBLEMS {
            problems.truncate(MAX_PROBLEMS);
            break;
        }
    }
    problems
}

fn find_unknown_of(
    path: &str,
    given: &Map<String, Value>,
    tag: &str,
    declared: &[(&str, &[Field])],
    problems: &mut Vec<Problem>,
) {
    let name = given.get(tag).and_then(Value::as_str);
    if let Some((_, fields)) = declared.iter().find(|(declared, _)| Some(*declared) == name) {
        find_unknown(path, given, tag, fields, problems);
    }
}

fn find_unknown(
    path: &str,
    given: &Map<String, Value>,
    tag: &str,
    fields: &[Field],
    problems: &mut Vec<Problem>,
) {
    let names: Vec<_> = fields.iter().map(|field| field.name).collect();
    let is_known = |name: &str| name == tag || names.contains(&name);
    for name in given.keys().filter(|name| !is_known(name)).take(MAX_PROBLEMS) {
        let missing = names.iter().copied().filter(|known| !given.contains_key(*known));
        let (message, must) = match typo_of(name, missing) {
            Some(meant) => {
                (format!("not known, and must be written {meant}"), format!("must be written {meant}"))
            }
            None => ("not known".to_owned(), format!("is not known: there are {tag}, {}", names.join(", "))),
        };
        problems.push(Problem {
            path: format!("{path}.{name}"),
            message,
            must: format!("{must}. Nothing was done"),
        });
    }
}

/// Fields that another field overrides.
fn find_without_effect(path: &str, given: &Map<String, Value>, problems: &mut Vec<Problem>) {
    let needs_token = given.get("action").is_some_and(|action| action == "grant_authority");
    let is_script = given.get("type").is_some_and(|kind| kind == InstructionKind::RawOutput.name());
    let is = |name: &str, flag: bool| given.get(name).is_some_and(|value| *value == Value::Bool(flag));
    for (name, is_unused, because) in [
        ("value", given.contains_key("call"), "there is a call"),
        ("token", is("useCreatedToken", true) && !needs_token, "useCreatedToken is true"),
        ("changeAddress", is("autoChange", false), "autoChange is false"),
        ("amount", is_script && given.contains_key("authority"), "an authority has no amount"),
        ("timelock", is_script, "the script says what locks the output"),
    ] {
        if is_unused && given.contains_key(name) {
            problems.push(Problem {
                path: format!("{path}.{name}"),
                message: format!("without effect: {because}"),
                must: format!("must be left out: {because}. Nothing was done"),
            });
        }
    }
}
