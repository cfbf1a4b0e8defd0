//! A vertex as the node's histories, frames and lists show it: inputs with what they spend, outputs with who
//! spent them.

use super::nano_json::NanoJson;
use crate::devnet::basics::NETWORK;
use crate::ledger::{AddressKind, Script, SpentOutput, Vertex};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Serialize;

/// One transaction or block; the order of the fields is the node's.
#[derive(Clone, Debug, Serialize)]
pub(super) struct VertexJson {
    pub tx_id: String,
    version: u8,
    weight: f64,
    timestamp: u32,
    pub is_voided: bool,
    inputs: Vec<InputJson>,
    outputs: Vec<OutputJson>,
    parents: Vec<String>,
    first_block: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token_symbol: Option<String>,
    /// Always empty, and there on token creations alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<[(); 0]>,
    #[serde(flatten)]
    nano: NanoJson,
}

#[derive(Clone, Debug, Serialize)]
struct InputJson {
    #[serde(flatten)]
    output: SpentJson,
    tx_id: String,
    index: u8,
}

#[derive(Clone, Debug, Serialize)]
struct OutputJson {
    #[serde(flatten)]
    output: SpentJson,
    spent_by: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
struct SpentJson {
    value: u128,
    token_data: u8,
    script: String,
    decoded: Decoded,
    token: String,
}

/// What the node reads in a script: nothing, unless it pays an address.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Decoded {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timelock: Option<Option<u32>>,
}

impl Decoded {
    pub(super) fn of(script: &[u8]) -> Self {
        match Script::parse(script, NETWORK) {
            Some(Script::Pay { to, timelock }) => Self {
                kind: Some(match to.kind() {
                    AddressKind::P2pkh => "P2PKH",
                    AddressKind::P2sh => "MultiSig",
                }),
                address: Some(to.to_string()),
                timelock: Some(timelock),
            },
            _ => Self { kind: None, address: None, timelock: None },
        }
    }

    /// Whether the script pays an address.
    pub(super) const fn pays(&self) -> bool {
        self.kind.is_some()
    }
}

/// The base64 text of a script or of input data.
pub(super) fn base64(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

impl From<&SpentOutput> for SpentJson {
    fn from(output: &SpentOutput) -> Self {
        Self {
            value: output.value.cents(),
            token_data: output.token_data.0,
            script: base64(&output.script),
            decoded: Decoded::of(&output.script),
            token: output.token.to_string(),
        }
    }
}

impl From<&Vertex> for VertexJson {
    fn from(vertex: &Vertex) -> Self {
        let (token_name, token_symbol) = vertex.creates.clone().unzip();
        Self {
            tx_id: vertex.id.to_string(),
            version: vertex.version,
            weight: vertex.weight,
            timestamp: vertex.timestamp,
            is_voided: vertex.voided,
            inputs: vertex
                .inputs
                .iter()
                .map(|input| InputJson {
                    output: (&input.output).into(),
                    tx_id: input.spends.tx.to_string(),
                    index: input.spends.index,
                })
                .collect(),
            outputs: vertex
                .outputs
                .iter()
                .map(|output| OutputJson {
                    output: (&output.output).into(),
                    spent_by: output.spent_by.map(|id| id.to_string()),
                })
                .collect(),
            parents: vertex.parents.iter().map(ToString::to_string).collect(),
            first_block: vertex.first_block.map(|id| id.to_string()),
            height: vertex.height,
            tokens: token_name.is_some().then_some([]),
            token_name,
            token_symbol,
            nano: NanoJson::of(vertex),
        }
    }
}
