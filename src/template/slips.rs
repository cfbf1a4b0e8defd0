//! Fields of templates whose names are not known, and likely slips of other names; and variables that are set
//! to nothing.

use super::fields::{ACTIONS, CALLS};
use super::{Field, InstructionKind, Need, Problem};
use crate::json::slip_of;
use serde_json::{Map, Value};

/// Most problems that are told of.
const MAX_PROBLEMS: usize = 100;

/// What a template that can be read has in it that can't be meant so.
pub fn slips(template: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (place, instruction) in template.as_array().into_iter().flatten().enumerate() {
        let Some(object) = instruction.as_object() else { continue };
        let name = object.get("type").and_then(Value::as_str);
        let Some(kind) = InstructionKind::ALL.into_iter().find(|kind| Some(kind.name()) == name) else {
            continue;
        };
        let path = place.to_string();
        look(&path, object, "type", kind.fields(), &mut problems);
        if let Some(Value::Object(call)) = object.get("call").filter(|_| kind == InstructionKind::SetVar) {
            look_tagged(&format!("{path}.call"), call, "method", CALLS, &mut problems);
        }
        for (at, action) in object.get("actions").and_then(Value::as_array).into_iter().flatten().enumerate()
        {
            if let (Value::Object(action), InstructionKind::Nano) = (action, kind) {
                look_tagged(&format!("{path}.actions.{at}"), action, "action", ACTIONS, &mut problems);
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

fn look_tagged(
    path: &str,
    given: &Map<String, Value>,
    tag: &str,
    declared: &[(&str, &[Field])],
    problems: &mut Vec<Problem>,
) {
    let name = given.get(tag).and_then(Value::as_str);
    if let Some((_, fields)) = declared.iter().find(|(declared, _)| Some(*declared) == name) {
        look(path, given, tag, fields, problems);
    }
}

fn look(path: &str, given: &Map<String, Value>, tag: &str, fields: &[Field], problems: &mut Vec<Problem>) {
    let is_known = |name: &str| name == tag || fields.iter().any(|field| field.name == name);
    let missing = |field: &&Field| field.need == Need::Optional && !given.contains_key(field.name);
    for name in given.keys().filter(|name| !is_known(name)).take(MAX_PROBLEMS) {
        if let Some(meant) = slip_of(name, fields.iter().filter(missing).map(|field| field.name)) {
            problems.push(Problem {
                path: format!("{path}.{name}"),
                message: format!("not known, and must be written {meant}"),
                must: format!("must be written {meant}. Nothing was done"),
            });
        }
    }
}
