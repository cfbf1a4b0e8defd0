//! The node's JSON of transactions and blocks ("extended JSON" of histories and socket frames), straight into the
//! ledger's types. What the node decoded of a script is not looked at: the script's bytes are.

use crate::ledger::{
    Amount, Outpoint, SpentOutput, TokenData, TokenUid, Vertex, VertexId, VertexInput, VertexOutput,
};
use crate::rt;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};
use serde_json::value::RawValue;
use std::fmt;
use std::str::FromStr;

/// Reads one vertex of a history; the error says which field is missing or wrong, and where.
pub fn parse_vertex(json: &str) -> Result<Vertex, serde_json::Error> {
    serde_json::from_slice::<WireVertex>(json.as_bytes()).map(|wire| wire.0)
}

/// A vertex as a node writes it.
pub(super) struct WireVertex(pub(super) Vertex);

impl<'de> Deserialize<'de> for WireVertex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wire = VertexFields::deserialize(deserializer)?;
        Ok(Self(Vertex {
            id: wire.tx_id.0,
            version: wire.version,
            weight: wire.weight,
            timestamp: wire.timestamp,
            voided: wire.is_voided,
            first_block: wire.first_block.map(|h| h.0),
            height: wire.height,
            parents: wire.parents.into_iter().map(|h| h.0).collect(),
            inputs: wire.inputs.into_iter().map(Into::into).collect(),
            outputs: wire.outputs.into_iter().map(Into::into).collect(),
            creates: wire.token_name.zip(wire.token_symbol),
        }))
    }
}

#[derive(Deserialize)]
struct VertexFields {
    tx_id: Text<VertexId>,
    version: u8,
    #[serde(default, deserialize_with = "float")]
    weight: f64,
    timestamp: u32,
    is_voided: bool,
    #[serde(default)]
    first_block: Option<Text<VertexId>>,
    #[serde(default)]
    height: Option<u32>,
    #[serde(default)]
    parents: Vec<Text<VertexId>>,
    inputs: Vec<InputFields>,
    outputs: Vec<OutputFields>,
    #[serde(default)]
    token_name: Option<String>,
    #[serde(default)]
    token_symbol: Option<String>,
}

#[derive(Deserialize)]
struct InputFields {
    value: u64,
    token_data: u8,
    script: Script,
    token: Text<TokenUid>,
    tx_id: Text<VertexId>,
    index: u8,
}

#[derive(Deserialize)]
struct OutputFields {
    value: u64,
    token_data: u8,
    script: Script,
    token: Text<TokenUid>,
    #[serde(default)]
    spent_by: Option<Text<VertexId>>,
}

impl From<InputFields> for VertexInput {
    fn from(wire: InputFields) -> Self {
        Self {
            spends: Outpoint { tx: wire.tx_id.0, index: wire.index },
            output: SpentOutput {
                value: Amount::from(wire.value),
                token: wire.token.0,
                token_data: TokenData(wire.token_data),
                script: wire.script.0,
            },
        }
    }
}

impl From<OutputFields> for VertexOutput {
    fn from(wire: OutputFields) -> Self {
        Self {
            output: SpentOutput {
                value: Amount::from(wire.value),
                token: wire.token.0,
                token_data: TokenData(wire.token_data),
                script: wire.script.0,
            },
            spent_by: wire.spent_by.map(|h| h.0),
        }
    }
}

/// A value read from a JSON text without keeping the text.
pub(super) struct Text<T>(pub(super) T);

impl<'de, T> Deserialize<'de> for Text<T>
where
    T: FromStr,
    T::Err: fmt::Display,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor<T>(std::marker::PhantomData<T>);
        impl<T> Visitor<'_> for TextVisitor<T>
        where
            T: FromStr,
            T::Err: fmt::Display,
        {
            type Value = T;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(TextVisitor(std::marker::PhantomData)).map(Self)
    }
}

/// Reads a number with [`rt::parse_float`]: serde_json's own way of doing it exactly brings large tables along.
pub(super) fn float<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let text = <&RawValue>::deserialize(deserializer)?.get();
    rt::parse_float(text).ok_or_else(|| Error::custom(format_args!("expected a number, found {text}")))
}

/// Script bytes, base64 in JSON.
struct Script(Box<[u8]>);

impl FromStr for Script {
    type Err = base64::DecodeError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        STANDARD.decode(text).map(|bytes| Self(bytes.into()))
    }
}

impl<'de> Deserialize<'de> for Script {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Text::deserialize(deserializer).map(|text| text.0)
    }
}
