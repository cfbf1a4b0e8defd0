//! Requests as JavaScript gives them: which members each has, and of what kind, is declared in `api`; their
//! names are in camel case here. What is of the wrong kind is refused here, by name; limits and meaning are
//! checked by the request's own reader, as for every entry point.

use super::failure::Failure;
use super::js_arg::JsArg;
use crate::api::{Compat, Kind, Member, camel_case};
use crate::ledger::Network;
use serde_json::{Map, Number, Value};

pub(super) const COMPAT: Compat = Compat::Package;

/// The fields of a request, in which addresses are of `network`, or of any network; one that was left out has
/// none.
pub(super) fn fields(
    given: JsArg,
    members: &[Member],
    network: Option<Network>,
) -> Result<Map<String, Value>, Failure> {
    let given = given.given().filter(|_| !members.is_empty());
    given.map_or(Ok(Map::new()), |given| object(&given, members, network))
}

/// The members of an object. What is left out is left out.
fn object(
    given: &JsArg,
    members: &[Member],
    network: Option<Network>,
) -> Result<Map<String, Value>, Failure> {
    let members = members.iter().filter(|member| !member.deprecated);
    let names: Vec<_> = members.clone().map(|member| camel_case(member.name)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut object = Map::new();
    for (given, member) in given.known_members(&names)?.into_iter().zip(members) {
        if let Some(given) = given.given() {
            object.insert(member.name.to_owned(), value(&given, &member.kind, network)?);
        }
    }
    Ok(object)
}

fn value(given: &JsArg, kind: &Kind, network: Option<Network>) -> Result<Value, Failure> {
    Ok(match kind {
        Kind::Amount | Kind::Integer(..) | Kind::Numbers(_) => Value::Number(
            Number::from_i128(given.integer()?).expect("integers of any size are JSON numbers here"),
        ),
        Kind::Flag | Kind::StrictFlag => Value::Bool(given.boolean()?),
        Kind::Address => Value::String(given.address(network)?.to_string()),
        Kind::Token | Kind::TokenUid | Kind::TokenObject => Value::String(given.token()?.to_string()),
        Kind::TransactionId => Value::String(given.transaction_id()?.to_string()),
        Kind::Array { of, .. } => {
            let elements = given.elements()?;
            let elements = elements.iter().map(|element| value(element, of, network));
            Value::Array(elements.collect::<Result<_, _>>()?)
        }
        Kind::Any => given.json(0)?,
        Kind::HexByName => Value::Object(given.texts_by_name()?),
        Kind::Object { members, .. } => Value::Object(object(given, members, network)?),
        Kind::Text
        | Kind::ShortText(_)
        | Kind::NonEmptyText
        | Kind::Hex
        | Kind::Pattern(_)
        | Kind::OneOf(_) => Value::String(given.text()?),
    })
}
