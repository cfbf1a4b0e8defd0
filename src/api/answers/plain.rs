//! A transaction read from its bytes: what it says by itself, without the ledger.

use super::history::Decoded;
use super::json::{Cents, List, Text, Weight};
use crate::ledger::{Input, Network, Output, Script, Transaction, VertexId};
use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A transaction read from its bytes.
pub struct PlainTransaction<'a> {
    #[allow(missing_docs)]
    pub transaction: &'a Transaction,
    /// The transaction's id, which the answer doesn't compute again.
    pub id: VertexId,
    /// Whose addresses the scripts are read with.
    pub network: Network,
}

impl Serialize for PlainTransaction<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (tx, network) = (self.transaction, self.network);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("hash", &Text(self.id))?;
        map.serialize_entry("version", &tx.version())?;
        map.serialize_entry("weight", &Weight(tx.weight))?;
        map.serialize_entry("timestamp", &tx.timestamp)?;
        map.serialize_entry("nonce", &tx.nonce)?;
        map.serialize_entry("parents", &List(|| tx.parents.iter().map(Text)))?;
        map.serialize_entry("tokens", &List(|| tx.tokens.iter().map(Text)))?;
        map.serialize_entry("inputs", &List(|| tx.inputs.iter().map(PlainInput)))?;
        let outputs = || tx.outputs.iter().map(|output| PlainOutput { output, tx, network });
        map.serialize_entry("outputs", &List(outputs))?;
        if let Some(token) = &tx.creates {
            map.serialize_entry("name", &token.name)?;
            map.serialize_entry("symbol", &token.symbol)?;
            map.serialize_entry("token_version", &(token.version as u8))?;
        }
        map.end()
    }
}

struct PlainInput<'a>(&'a Input);

impl Serialize for PlainInput<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("tx_id", &Text(self.0.spends.tx))?;
        map.serialize_entry("index", &self.0.spends.index)?;
        map.serialize_entry("data", &hex::encode(&self.0.data))?;
        map.end()
    }
}

struct PlainOutput<'a> {
    output: &'a Output,
    tx: &'a Transaction,
    network: Network,
}

impl Serialize for PlainOutput<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let output = self.output;
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("value", &Cents(output.value))?;
        map.serialize_entry("token_data", &output.token_data.0)?;
        map.serialize_entry("script", &Text(Base64Display::new(&output.script, &STANDARD)))?;
        map.serialize_entry("decoded", &Decoded(Script::parse(&output.script, self.network)))?;
        map.serialize_entry("token", &self.tx.token_at(output.token_data).map(Text))?;
        map.end()
    }
}
