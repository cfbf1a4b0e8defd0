//! Requests as JavaScript gives them: which members each has, and of what kind, is declared in `api`. What is of the wrong kind is
//! refused here, by name; limits and meaning are checked by the request's own reader, as for every way in.

use super::failure::Failure;
use super::given::Given;
use crate::api::{Compat, Kind, Member, Request};
use crate::ledger::Network;
use serde_json::{Map, Number, Value};

/// The interface as documented: what release 0.39 of the HTTP service does differently has no place here.
pub(super) const COMPAT: Compat = Compat::Documented;

/// Reads a request of a wallet of `network`; one that was left out has no members.
pub(super) fn read<R: Request>(given: Given, network: Network) -> Result<R, Failure> {
    let members = given.given().map_or(Ok(Map::new()), |given| object(&given, R::MEMBERS, network))?;
    R::read(&members, COMPAT).map_err(Failure::from)
}

/// The members of an object. What is left out is left out.
fn object(given: &Given, members: &[Member], network: Network) -> Result<Map<String, Value>, Failure> {
    let members = members.iter().filter(|member| !member.deprecated);
    let names: Vec<_> = members.clone().map(|member| member.name).collect();
    let mut object = Map::new();
    for (given, member) in given.known_members(&names)?.into_iter().zip(members) {
        if let Some(given) = given.given() {
            object.insert(member.name.to_owned(), value(&given, member.kind, network)?);
        }
    }
    Ok(object)
}

fn value(given: &Given, kind: Kind, network: Network) -> Result<Value, Failure> {
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
            let elements = elements.iter().map(|element| value(element, *of, network));
            Value::Array(elements.collect::<Result<_, _>>()?)
        }
        Kind::Object { members, .. } => Value::Object(object(given, members, network)?),
        Kind::Text
        | Kind::ShortText(_)
        | Kind::NonEmptyText
        | Kind::Hex
        | Kind::Pattern(_)
        | Kind::HexByName
        | Kind::OneOf(_) => Value::String(given.text()?),
    })
}
