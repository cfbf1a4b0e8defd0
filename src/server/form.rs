//! URL-encoded text as JSON objects: queries, and forms as `curl --data 'wallet-id=a'` sends them.

use serde_json::{Map, Value};
use url::form_urlencoded;

/// Deepest nesting of a form's fields: `outputs[0][address]` is three.
const MAX_DEPTH: usize = 5;

/// A query: every value is a text, and an array of texts where its name is repeated (`a=1&a=2`) or ends in
/// `[]`, also with a number in the brackets, or with several brackets.
pub fn query_object(query: &str) -> Map<String, Value> {
    let mut object = Map::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let value = Value::String(value.into_owned());
        let (name, listed) = match name.split_once('[') {
            Some((name, places)) if are_places(places) => (name, true),
            _ => (&*name, false),
        };
        match object.get_mut(name) {
            Some(Value::Array(values)) => values.push(value),
            Some(first) => *first = Value::Array(vec![first.take(), value]),
            None if listed => {
                object.insert(name.to_owned(), Value::Array(vec![value]));
            }
            None => {
                object.insert(name.to_owned(), value);
            }
        }
    }
    object
}

/// Whether this is the end of a list's name after the first bracket: `]`, `2]`, `][0]`.
fn are_places(rest: &str) -> bool {
    let places = rest.strip_suffix(']').map(|places| places.split("]["));
    places.is_some_and(|mut places| places.all(|place| place.bytes().all(|digit| digit.is_ascii_digit())))
}

/// A form whose names may nest: `outputs[0][address]=…`.
///
/// # Errors
/// The field that can't be read, or is given in two ways.
pub fn nested_object(form: &[u8]) -> Result<Map<String, Value>, String> {
    let mut object = Map::new();
    for (name, value) in form_urlencoded::parse(form) {
        let path = path_of(&name)
            .ok_or_else(|| format!("The form's field {name:?} can't be read: send the request as JSON."))?;
        insert(&mut object, &path, Value::String(value.into_owned()))
            .ok_or_else(|| format!("The form's field {name:?} is given in two ways: give it once."))?;
    }
    Ok(object.into_iter().map(|(name, value)| (name, lists(value))).collect())
}

/// `a[b][c]` as `a`, `b`, `c`.
fn path_of(name: &str) -> Option<Vec<&str>> {
    let Some((first, rest)) = name.split_once('[') else { return Some(vec![name]) };
    let rest = rest.strip_suffix(']')?;
    let path: Vec<_> = std::iter::once(first).chain(rest.split("][")).collect();
    (path.len() <= MAX_DEPTH).then_some(path)
}

/// Puts a value at a path; `None` where something else is in its way.
fn insert(object: &mut Map<String, Value>, path: &[&str], value: Value) -> Option<()> {
    let (first, rest) = path.split_first()?;
    // `a[]` is the next element.
    let key = if first.is_empty() { object.len().to_string() } else { (*first).to_owned() };
    if rest.is_empty() {
        return object.insert(key, value).is_none().then_some(());
    }
    match object.entry(key).or_insert_with(|| Value::Object(Map::new())) {
        Value::Object(inner) => insert(inner, rest, value),
        _ => None,
    }
}

/// Turns objects whose names are all numbers into arrays, in the order of the numbers.
fn lists(value: Value) -> Value {
    let Value::Object(object) = value else { return value };
    let indexed: Option<Vec<(usize, &Value)>> =
        object.iter().map(|(name, value)| Some((name.parse().ok()?, value))).collect();
    match indexed {
        Some(mut indexed) => {
            indexed.sort_by_key(|(index, _)| *index);
            Value::Array(indexed.into_iter().map(|(_, value)| lists(value.clone())).collect())
        }
        None => Value::Object(object.into_iter().map(|(name, value)| (name, lists(value))).collect()),
    }
}
