//! The answer of utxo-filter.

use super::kinds::{Cents, Count, Flag, Hash, Text};
use crate::api::answer::answer;
use crate::ledger::{Amount, Outpoint, VertexId};

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

impl UtxoList<'_> {
    /// Those that are locked, or those that are not.
    fn of(&self, locked: bool) -> impl Iterator<Item = &UtxoAnswer<'_>> {
        self.0.iter().filter(move |utxo| utxo.locked == locked)
    }
    fn total(&self, locked: bool) -> Amount {
        self.of(locked).map(|utxo| utxo.amount).sum()
    }
}

answer! {
    /// Unspent outputs. The totals cover exactly these.
    this: UtxoList<'_> as "UtxoList", type "UtxoList" {
        total_amount_available: Cents = this.total(false),
        total_utxos_available: Count = this.of(false).count(),
        total_amount_locked: Cents = this.total(true),
        total_utxos_locked: Count = this.of(true).count(),
        utxos: [UtxoAnswer<'_>] = *this.0,
    }
}

#[cfg(feature = "native")]
impl UtxoList<'_> {
    /// Room for the answer's JSON: more than it takes but for the largest amounts.
    pub fn json_bytes(&self) -> usize {
        128 + self.0.len() * 192
    }

    /// Writes the answer's JSON straight into one buffer: all outputs of a big wallet are megabytes of it,
    /// and no text in them needs escaping.
    pub fn write_json(&self, json: &mut Vec<u8>) {
        json.reserve(self.json_bytes());
        let mut number = itoa::Buffer::new();
        for (key, locked) in [("available", false), ("locked", true)] {
            json.extend_from_slice(if locked { &b",\"total_amount_"[..] } else { &b"{\"total_amount_"[..] });
            json.extend_from_slice(key.as_bytes());
            json.extend_from_slice(b"\":");
            json.extend_from_slice(number.format(self.total(locked).cents()).as_bytes());
            json.extend_from_slice(b",\"total_utxos_");
            json.extend_from_slice(key.as_bytes());
            json.extend_from_slice(b"\":");
            json.extend_from_slice(number.format(self.of(locked).count()).as_bytes());
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

answer! {
    /// What was made of many outputs.
    this: ConsolidationAnswer<'_> as "Consolidation", type "Consolidation" {
        success = true,
        txId: Hash = this.id,
        total_utxos_consolidated: Count = this.utxos.len(),
        total_amount: Cents = this.utxos.iter().map(|utxo| utxo.amount).sum::<Amount>(),
        utxos: [UtxoAnswer<'_>] = *this.utxos,
    }
}

answer! {
    /// An unspent output.
    this: UtxoAnswer<'_> as "Utxo", type "Utxo" {
        address: Text,
        amount: Cents,
        tx_id: Hash = this.outpoint.tx,
        /// Whether it can't be spent yet.
        locked: Flag,
        index: Count = this.outpoint.index,
    }
}
