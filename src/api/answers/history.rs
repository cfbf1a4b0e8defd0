//! Transactions of the wallet's history.

use super::json::{Cents, List, Text, Weight};
use crate::api::Compat;
use crate::json;
use crate::ledger::{AddressKind, Network, Script, SpentOutput, Vertex, VertexInput, VertexOutput};
use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

/// One transaction of the history.
pub struct HistoryEntry<'a> {
    #[allow(missing_docs)]
    pub vertex: &'a Vertex,
    /// Whose addresses the scripts are read with.
    pub network: Network,
    #[allow(missing_docs)]
    pub compat: Compat,
}

impl Serialize for HistoryEntry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let vertex = self.vertex;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("tx_id", &Text(vertex.id))?;
        map.serialize_entry("version", &vertex.version)?;
        map.serialize_entry("weight", &Weight(vertex.weight))?;
        map.serialize_entry("timestamp", &vertex.timestamp)?;
        map.serialize_entry("is_voided", &vertex.voided)?;
        let network = self.network;
        map.serialize_entry(
            "inputs",
            &List(|| vertex.inputs.iter().map(move |input| HistoryInput { input, network })),
        )?;
        map.serialize_entry(
            "outputs",
            &List(|| vertex.outputs.iter().map(move |output| HistoryOutput { output, network })),
        )?;
        map.serialize_entry("parents", &List(|| vertex.parents.iter().map(Text)))?;
        if let Some((name, symbol)) = &vertex.creates {
            map.serialize_entry("token_name", name)?;
            map.serialize_entry("token_symbol", symbol)?;
            map.serialize_entry("tokens", &[(); 0])?;
        }
        if self.compat.history_has_more_fields() {
            if let Some(height) = vertex.height {
                map.serialize_entry("height", &height)?;
            }
            map.serialize_entry("first_block", &vertex.first_block.map(Text))?;
            // Clients wait for it after a send. What is in the history here has been looked at in full.
            map.serialize_entry("processingStatus", "finished")?;
        }
        map.end()
    }
}

struct HistoryInput<'a> {
    input: &'a VertexInput,
    network: Network,
}

impl Serialize for HistoryInput<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(json) = &self.input.output.unknown {
            return AsItCame(json).serialize(serializer);
        }
        let mut map = serializer.serialize_map(Some(7))?;
        spent_output(&mut map, &self.input.output, self.network)?;
        map.serialize_entry("tx_id", &Text(self.input.spends.tx))?;
        map.serialize_entry("index", &self.input.spends.index)?;
        map.end()
    }
}

struct HistoryOutput<'a> {
    output: &'a VertexOutput,
    network: Network,
}

impl Serialize for HistoryOutput<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(json) = &self.output.output.unknown {
            return AsItCame(json).serialize(serializer);
        }
        let mut map = serializer.serialize_map(Some(6))?;
        spent_output(&mut map, &self.output.output, self.network)?;
        map.serialize_entry("spent_by", &self.output.spent_by.map(Text))?;
        map.end()
    }
}

/// JSON of the node, whose numbers are integers.
struct AsItCame<'a>(&'a str);

impl Serialize for AsItCame<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Node(&json::read(self.0.as_bytes()).unwrap_or_default()).serialize(serializer)
    }
}

/// A value of it. As it is, a number of any size is no number to serializers other than that of JSON.
struct Node<'a>(&'a Value);

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::String(text) => serializer.serialize_str(text),
            Value::Array(list) => serializer.collect_seq(list.iter().map(Node)),
            Value::Object(members) => {
                serializer.collect_map(members.iter().map(|(name, value)| (name, Node(value))))
            }
            Value::Number(number) => match (number.as_i64(), number.as_u128(), number.as_i128()) {
                (Some(small), ..) if small.unsigned_abs() <= MAX_SAFE => serializer.serialize_i64(small),
                (_, Some(large), _) => serializer.serialize_u128(large),
                (_, _, Some(negative)) => serializer.serialize_i128(negative),
                _ => serializer.collect_str(number),
            },
        }
    }
}

/// The greatest integer of which JavaScript's numbers are sure.
const MAX_SAFE: u64 = (1 << 53) - 1;

fn spent_output<M: SerializeMap>(
    map: &mut M,
    output: &SpentOutput,
    network: Network,
) -> Result<(), M::Error> {
    map.serialize_entry("value", &Cents(output.value))?;
    map.serialize_entry("token_data", &output.token_data.0)?;
    map.serialize_entry("script", &Text(Base64Display::new(&output.script, &STANDARD)))?;
    map.serialize_entry("decoded", &Decoded(Script::parse(&output.script, network)))?;
    map.serialize_entry("token", &Text(output.token))
}

/// What a script says; an empty object for a script of no known kind, as the full node has it.
pub(super) struct Decoded(pub Option<Script>);

impl Serialize for Decoded {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match &self.0 {
            Some(Script::Pay { to, timelock }) => {
                let kind = match to.kind() {
                    AddressKind::P2pkh => "P2PKH",
                    AddressKind::P2sh => "MultiSig",
                };
                map.serialize_entry("type", kind)?;
                map.serialize_entry("address", &Text(to))?;
                map.serialize_entry("timelock", timelock)?;
            }
            Some(Script::Data(text)) => {
                map.serialize_entry("type", "DATA")?;
                map.serialize_entry("data", text)?;
            }
            None => {}
        }
        map.end()
    }
}
