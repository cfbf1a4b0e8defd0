//! The answer of utxo-filter.

use super::json::{Cents, Text};
use crate::ledger::{Amount, Outpoint, VertexId};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// One unspent output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtxoAnswer<'a> {
    /// Whose.
    pub address: &'a str,
    /// In cents.
    pub amount: Amount,
    /// Which.
    pub outpoint: Outpoint,
    /// Whether it can't be spent yet.
    pub locked: bool,
}

/// The unspent outputs found. Totals cover exactly these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UtxoList<'a>(pub Vec<UtxoAnswer<'a>>);

impl Serialize for UtxoList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let of = |locked| self.0.iter().filter(move |utxo| utxo.locked == locked);
        let total = |locked| Cents(of(locked).map(|utxo| utxo.amount).sum());
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("total_amount_available", &total(false))?;
        map.serialize_entry("total_utxos_available", &of(false).count())?;
        map.serialize_entry("total_amount_locked", &total(true))?;
        map.serialize_entry("total_utxos_locked", &of(true).count())?;
        map.serialize_entry("utxos", &self.0)?;
        map.end()
    }
}

#[cfg(feature = "native")]
impl UtxoList<'_> {
    /// The same JSON, written straight into one buffer: all outputs of a big wallet are megabytes of it, and no text in them needs
    /// escaping.
    pub fn to_json(&self) -> Vec<u8> {
        /// More than an element takes but for the largest amounts.
        const ELEMENT_BYTES: usize = 192;
        let mut json = Vec::with_capacity(128 + self.0.len() * ELEMENT_BYTES);
        let mut number = itoa::Buffer::new();
        for (key, locked) in [("available", false), ("locked", true)] {
            let of = || self.0.iter().filter(|utxo| utxo.locked == locked);
            let total: Amount = of().map(|utxo| utxo.amount).sum();
            json.extend_from_slice(if locked { &b",\"total_amount_"[..] } else { &b"{\"total_amount_"[..] });
            json.extend_from_slice(key.as_bytes());
            json.extend_from_slice(b"\":");
            json.extend_from_slice(number.format(total.cents()).as_bytes());
            json.extend_from_slice(b",\"total_utxos_");
            json.extend_from_slice(key.as_bytes());
            json.extend_from_slice(b"\":");
            json.extend_from_slice(number.format(of().count()).as_bytes());
        }
        json.extend_from_slice(b",\"utxos\":[");
        for (place, utxo) in self.0.iter().enumerate() {
            json.extend_from_slice(if place == 0 {
                &b"{\"address\":\""[..]
            } else {
                &b",{\"address\":\""[..]
            });
            json.extend_from_slice(utxo.address.as_bytes());
            json.extend_from_slice(b"\",\"amount\":");
            json.extend_from_slice(number.format(utxo.amount.cents()).as_bytes());
            json.extend_from_slice(b",\"tx_id\":\"");
            json.extend_from_slice(&utxo.outpoint.tx.digits());
            json.extend_from_slice(if utxo.locked {
                &b"\",\"locked\":true"[..]
            } else {
                &b"\",\"locked\":false"[..]
            });
            json.extend_from_slice(b",\"index\":");
            json.extend_from_slice(number.format(utxo.outpoint.index).as_bytes());
            json.push(b'}');
        }
        json.extend_from_slice(b"]}");
        json
    }
}

/// The outputs that a consolidation made one of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsolidationAnswer<'a> {
    /// The transaction that did.
    pub id: VertexId,
    /// In the order of its inputs.
    pub utxos: Vec<UtxoAnswer<'a>>,
}

impl Serialize for ConsolidationAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let total = self.utxos.iter().map(|utxo| utxo.amount).sum();
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("success", &true)?;
        map.serialize_entry("txId", &Text(self.id))?;
        map.serialize_entry("total_utxos_consolidated", &self.utxos.len())?;
        map.serialize_entry("total_amount", &Cents(total))?;
        map.serialize_entry("utxos", &self.utxos)?;
        map.end()
    }
}

impl Serialize for UtxoAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("address", self.address)?;
        map.serialize_entry("amount", &Cents(self.amount))?;
        map.serialize_entry("tx_id", &Text(self.outpoint.tx))?;
        map.serialize_entry("locked", &self.locked)?;
        map.serialize_entry("index", &self.outpoint.index)?;
        map.end()
    }
}
