//! The requests as JavaScript gives them: which members each has, and of what kind. What is of the wrong kind is refused here,
//! by name; limits and meaning are checked by the `api` types, as for every way in.

use super::failure::Failure;
use super::given::Given;
use crate::ledger::Network;
use serde_json::{Map, Number, Value};

/// What a member must be.
enum Kind {
    Text,
    Integer,
    Boolean,
    Address,
    Token,
    TransactionId,
    List(&'static Kind),
    Object(Shape),
}

use Kind::{Address, Boolean, Integer, List, Object, Text, Token, TransactionId};

/// The members of an object.
pub(super) type Shape = &'static [Member];

/// One of them.
pub(super) struct Member(&'static str, Kind);

pub(super) const HISTORY: Shape = &[Member("limit", Integer)];

pub(super) const UTXOS: Shape = &[
    Member("max_utxos", Integer),
    Member("token", Token),
    Member("filter_address", Address),
    Member("amount_smaller_than", Integer),
    Member("amount_bigger_than", Integer),
    Member("maximum_amount", Integer),
    Member("only_available_utxos", Boolean),
];

pub(super) const SEND_TX: Shape = &[
    Member("outputs", List(&Object(OUTPUT))),
    Member("inputs", List(&Object(INPUT))),
    Member("change_address", Address),
];

const OUTPUT: Shape = &[
    Member("address", Address),
    Member("value", Integer),
    Member("token", Token),
    Member("timelock", Integer),
    Member("type", Text),
    Member("data", Text),
];

const INPUT: Shape = &[
    Member("hash", TransactionId),
    Member("index", Integer),
    Member("type", Text),
    Member("filter_address", Address),
    Member("max_utxos", Integer),
    Member("amount_smaller_than", Integer),
    Member("amount_bigger_than", Integer),
    Member("maximum_amount", Integer),
];

pub(super) const CREATE_TOKEN: Shape = &[
    Member("name", Text),
    Member("symbol", Text),
    Member("amount", Integer),
    Member("address", Address),
    Member("change_address", Address),
    Member("create_mint", Boolean),
    Member("mint_authority_address", Address),
    Member("allow_external_mint_authority_address", Boolean),
    Member("create_melt", Boolean),
    Member("melt_authority_address", Address),
    Member("allow_external_melt_authority_address", Boolean),
    Member("data", List(&Text)),
    Member("version", Integer),
];

pub(super) const CREATE_NFT: Shape = &[
    Member("name", Text),
    Member("symbol", Text),
    Member("amount", Integer),
    Member("data", Text),
    Member("address", Address),
    Member("change_address", Address),
    Member("create_mint", Boolean),
    Member("mint_authority_address", Address),
    Member("allow_external_mint_authority_address", Boolean),
    Member("create_melt", Boolean),
    Member("melt_authority_address", Address),
    Member("allow_external_melt_authority_address", Boolean),
];

pub(super) const MELT_TOKENS: Shape = &[
    Member("token", Token),
    Member("amount", Integer),
    Member("change_address", Address),
    Member("deposit_address", Address),
    Member("melt_authority_address", Address),
    Member("allow_external_melt_authority_address", Boolean),
    Member("data", List(&Text)),
    Member("unshift_data", Boolean),
];

/// Reads a request of a wallet of `network`. What is left out is left out.
pub(super) fn read(given: &Given, shape: Shape, network: Network) -> Result<Map<String, Value>, Failure> {
    let names: Vec<_> = shape.iter().map(|member| member.0).collect();
    let mut object = Map::new();
    for (member, Member(name, kind)) in given.known_members(&names)?.into_iter().zip(shape) {
        if let Some(member) = member.given() {
            object.insert((*name).to_owned(), kind.read(&member, network)?);
        }
    }
    Ok(object)
}

impl Kind {
    fn read(&self, given: &Given, network: Network) -> Result<Value, Failure> {
        Ok(match self {
            Text => Value::String(given.text()?),
            Integer => Value::Number(
                Number::from_i128(given.integer()?).expect("integers of any size are JSON numbers here"),
            ),
            Boolean => Value::Bool(given.boolean()?),
            Address => Value::String(given.address(network)?.to_string()),
            Token => Value::String(given.token()?.to_string()),
            TransactionId => Value::String(given.transaction_id()?.to_string()),
            List(kind) => {
                let elements = given.elements()?;
                Value::Array(
                    elements.iter().map(|element| kind.read(element, network)).collect::<Result<_, _>>()?,
                )
            }
            Object(shape) => Value::Object(read(given, shape, network)?),
        })
    }
}
