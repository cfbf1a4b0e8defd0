//! A transaction that was sent, field by field in the order of the existing service.

use super::json::{Buffer, Cents, List, Text, Weight};
use crate::api::Compat;
use crate::ledger::{
    Amount, ConfigurationString, FeeEntry, Header, Input, Output, TokenUid, Transaction, VertexId,
};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The answer of every request that sends a transaction.
pub struct TransactionAnswer<'a> {
    #[allow(missing_docs)]
    pub transaction: &'a Transaction,
    /// The transaction's id, which the answer doesn't compute again.
    pub id: VertexId,
    #[allow(missing_docs)]
    pub compat: Compat,
}

/// The answer of a token's creation: a [`TransactionAnswer`] that also has `configurationString`.
pub struct CreatedToken<'a> {
    #[allow(missing_docs)]
    pub transaction: &'a Transaction,
    /// The transaction's id, which is the new token's uid.
    pub id: VertexId,
    #[allow(missing_docs)]
    pub compat: Compat,
}

/// The answer of push-tx, which nests the transaction.
pub struct PushedAnswer<'a> {
    #[allow(missing_docs)]
    pub transaction: &'a Transaction,
    /// The transaction's id.
    pub id: VertexId,
    #[allow(missing_docs)]
    pub compat: Compat,
}

impl Serialize for PushedAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("success", &true)?;
        map.serialize_entry("tx", &Members(self))?;
        map.end()
    }
}

struct Members<'a>(&'a PushedAnswer<'a>);

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let PushedAnswer { transaction, id, compat } = *self.0;
        let mut map = serializer.serialize_map(None)?;
        members(&mut map, transaction, Some(id), compat)?;
        map.end()
    }
}

/// A transaction that would be sent, and what it would cost: not signed, without parents and proof of work, so that it
/// has no hash yet.
pub struct DryRunAnswer<'a> {
    #[allow(missing_docs)]
    pub transaction: &'a Transaction,
    /// HTR that goes into a deposit for minted tokens; below zero where melting gives some back. In cents.
    pub deposit: i128,
    /// HTR paid for moving fee tokens.
    pub fee: Amount,
    /// HTR left behind in data outputs.
    pub data: Amount,
    #[allow(missing_docs)]
    pub compat: Compat,
}

impl Serialize for DryRunAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("success", &true)?;
        map.serialize_entry("dry_run", &true)?;
        map.serialize_entry("cost", &Cost(self))?;
        members(&mut map, self.transaction, None, self.compat)?;
        map.end()
    }
}

struct Cost<'a>(&'a DryRunAnswer<'a>);

impl Serialize for Cost<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let DryRunAnswer { deposit, fee, data, .. } = self.0;
        let burnt = i128::try_from(fee.saturating_add(*data).cents()).unwrap_or(i128::MAX);
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("deposit", deposit)?;
        map.serialize_entry("fee", &Cents(*fee))?;
        map.serialize_entry("data", &Cents(*data))?;
        map.serialize_entry("total", &deposit.saturating_add(burnt))?;
        map.end()
    }
}

impl Serialize for TransactionAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("success", &true)?;
        members(&mut map, self.transaction, Some(self.id), self.compat)?;
        map.end()
    }
}

impl Serialize for CreatedToken<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("success", &true)?;
        if let Some(token) = &self.transaction.creates {
            let configuration = ConfigurationString {
                uid: TokenUid::Custom(self.id),
                name: token.name.clone(),
                symbol: token.symbol.clone(),
            };
            map.serialize_entry("configurationString", &Text(configuration))?;
        }
        members(&mut map, self.transaction, Some(self.id), self.compat)?;
        map.end()
    }
}

fn members<M: SerializeMap>(
    map: &mut M,
    tx: &Transaction,
    id: Option<VertexId>,
    compat: Compat,
) -> Result<(), M::Error> {
    map.serialize_entry("inputs", &List(|| tx.inputs.iter().map(InputAnswer)))?;
    map.serialize_entry("outputs", &List(|| tx.outputs.iter().map(OutputAnswer)))?;
    if compat.transaction_has_more_fields() {
        map.serialize_entry("signalBits", &tx.signal_bits)?;
    }
    map.serialize_entry("version", &tx.version())?;
    map.serialize_entry("weight", &Weight(tx.weight))?;
    map.serialize_entry("nonce", &tx.nonce)?;
    map.serialize_entry("timestamp", &tx.timestamp)?;
    map.serialize_entry("parents", &List(|| tx.parents.iter().map(Text)))?;
    if tx.creates.is_none() || compat.creation_has_tokens() {
        map.serialize_entry("tokens", &List(|| tx.tokens.iter().map(Text)))?;
    }
    map.serialize_entry("hash", &id.map(Text))?;
    if compat.transaction_has_more_fields() {
        map.serialize_entry("headers", &List(|| tx.headers.iter().map(HeaderAnswer)))?;
    }
    map.serialize_entry("_dataToSignCache", &())?;
    if let Some(token) = &tx.creates {
        map.serialize_entry("name", &token.name)?;
        map.serialize_entry("symbol", &token.symbol)?;
        if compat.transaction_has_more_fields() {
            map.serialize_entry("tokenVersion", &(token.version as u8))?;
        }
    }
    Ok(())
}

struct InputAnswer<'a>(&'a Input);

impl Serialize for InputAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let spends = self.0.spends;
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("hash", &Text(spends.tx))?;
        map.serialize_entry("index", &spends.index)?;
        map.serialize_entry("data", &Buffer(&self.0.data))?;
        map.serialize_entry("tx_id", &Text(spends.tx))?;
        map.end()
    }
}

struct OutputAnswer<'a>(&'a Output);

impl Serialize for OutputAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("value", &Cents(self.0.value))?;
        map.serialize_entry("tokenData", &self.0.token_data.0)?;
        map.serialize_entry("script", &Buffer(&self.0.script))?;
        map.serialize_entry("decodedScript", &())?;
        map.serialize_entry("token_data", &self.0.token_data.0)?;
        map.end()
    }
}

struct HeaderAnswer<'a>(&'a Header);

impl Serialize for HeaderAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        match self.0 {
            Header::Fee(entries) => {
                map.serialize_entry("entries", &List(|| entries.iter().map(FeeEntryAnswer)))?;
            }
        }
        map.end()
    }
}

struct FeeEntryAnswer<'a>(&'a FeeEntry);

impl Serialize for FeeEntryAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("tokenIndex", &self.0.token_index)?;
        map.serialize_entry("amount", &Cents(self.0.amount))?;
        map.end()
    }
}
