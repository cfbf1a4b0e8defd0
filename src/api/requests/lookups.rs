//! Queries that name one thing: an address, a transaction, a token.

use super::reads::token;
use crate::api::check::Checker;
use crate::api::{Compat, Refusal};
use serde_json::{Map, Value};

/// `GET /wallet/address-index`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressIndexQuery {
    /// As given.
    pub address: String,
}

impl AddressIndexQuery {
    /// Reads the query of a request.
    pub fn from_query(query: &Map<String, Value>) -> Result<Self, Refusal> {
        Ok(Self { address: required(query, "address")? })
    }
}

/// `GET /wallet/address-info`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressInfoQuery {
    /// As given.
    pub address: String,
    /// The token's uid as given; `00` is HTR.
    pub token: String,
}

impl AddressInfoQuery {
    /// Reads the query of a request.
    pub fn from_query(query: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal> {
        let mut check = Checker::query(query);
        let field = check.field("address");
        let address = check.text(&field).unwrap_or_default().to_owned();
        let token = token(&mut check, compat);
        check.finish()?;
        Ok(Self { address, token })
    }
}

/// `GET /wallet/transaction` and `GET /wallet/tx-confirmation-blocks`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransactionQuery {
    /// The transaction's id as given.
    pub id: String,
}

impl TransactionQuery {
    /// Reads the query of a request.
    pub fn from_query(query: &Map<String, Value>) -> Result<Self, Refusal> {
        Ok(Self { id: required(query, "id")? })
    }
}

/// `GET /configuration-string`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigurationStringQuery {
    /// The token's uid as given.
    pub token: String,
}

impl ConfigurationStringQuery {
    /// Reads the query of a request.
    pub fn from_query(query: &Map<String, Value>) -> Result<Self, Refusal> {
        Ok(Self { token: required(query, "token")? })
    }
}

/// The one text of a query.
fn required(query: &Map<String, Value>, name: &str) -> Result<String, Refusal> {
    let mut check = Checker::query(query);
    let field = check.field(name);
    let text = check.text(&field).unwrap_or_default().to_owned();
    check.finish()?;
    Ok(text)
}
