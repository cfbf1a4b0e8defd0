//! A vertex as the node's histories, frames and lists show it: inputs with what they spend, outputs with who
//! spent them, what it has to do with contracts; and the frames that connections get unasked.

use super::chain::Chain;
use super::unix_now;
use crate::devnet::NETWORK;
use crate::ledger::nano::{ActionKind, NanoCall, TokenAction, VertexNano};
use crate::ledger::{AddressKind, AmountVersion, Part, Script, SpentOutput, Vertex};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Number, Value, json};
use std::sync::Arc;

/// A JSON object whose members stay in the order in which the node has them.
#[derive(Clone, Debug, Default)]
pub(super) struct Object(Vec<(String, Box<RawValue>)>);

impl Object {
    pub(super) fn with(mut self, name: &str, value: impl Serialize) -> Self {
        self.0.push((name.to_owned(), to_raw_value(&value).expect("answers have text keys")));
        self
    }

    /// With a member that is left out where there is none.
    pub(super) fn maybe(self, name: &str, value: Option<impl Serialize>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// With all members of others after its own.
    pub(super) fn and<'a>(self, others: impl IntoIterator<Item = (&'a String, &'a Value)>) -> Self {
        others.into_iter().fold(self, |object, (name, value)| object.with(name, value))
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// An [`Object`] of these members.
macro_rules! object {
    ($($name:literal: $value:expr),* $(,)?) => {
        $crate::devnet::vertex_json::Object::default()$(.with($name, &$value))*
    };
}
pub(super) use object;

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
    value: Number,
    /// Where the node knows two versions of amounts.
    #[serde(skip_serializing_if = "Option::is_none")]
    value_str: Option<String>,
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

impl SpentJson {
    /// With what the node says of the amount, if it is more than its cents.
    fn of(output: &SpentOutput, said: Option<&str>) -> Self {
        let said = said.and_then(|said| serde_json::from_str::<Value>(&format!("{{{said}}}")).ok());
        let number = said.as_ref().and_then(|said| said["value"].as_number().cloned());
        Self {
            value: number.unwrap_or_else(|| Number::from_u128(output.value.cents()).expect("any size")),
            value_str: said.and_then(|said| said["value_str"].as_str().map(str::to_owned)),
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
            inputs: (0..=u8::MAX)
                .zip(&vertex.inputs)
                .map(|(index, input)| InputJson {
                    output: SpentJson::of(&input.output, vertex.extra.of(Part::Input(index))),
                    tx_id: input.spends.tx.to_string(),
                    index: input.spends.index,
                })
                .collect(),
            outputs: (0..=u8::MAX)
                .zip(&vertex.outputs)
                .map(|(index, output)| OutputJson {
                    output: SpentJson::of(&output.output, vertex.extra.of(Part::Output(index))),
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

// What a vertex has to do with contracts, as the node shows it.

/// The members that calls of contracts and blueprints have.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct NanoJson(pub(super) Map<String, Value>);

impl NanoJson {
    pub(super) fn of(vertex: &Vertex) -> Self {
        let members = match vertex.nano.as_deref() {
            None => Value::Null,
            Some(VertexNano::Blueprint { public_key }) => json!({"nc_pubkey": hex::encode(public_key)}),
            Some(VertexNano::Call(call)) => of_call(call, vertex.extra.of(Part::Whole)),
        };
        Self(match members {
            Value::Object(members) => members,
            _ => Map::new(),
        })
    }
}

fn of_call(call: &NanoCall, said: Option<&str>) -> Value {
    let version =
        if said.is_some_and(|said| said.ends_with('2')) { AmountVersion::V2 } else { AmountVersion::V1 };
    let mut json = json!({
        "nc_id": call.contract.to_string(),
        "nc_seqnum": call.seqnum,
        "nc_blueprint_id": call.blueprint.map(|id| id.to_string()).unwrap_or_default(),
        "nc_method": call.method,
        "nc_args": hex::encode(&call.args),
        "nc_address": call.caller.to_string(),
        "nc_context": {
            "actions": call.actions.iter().map(|action| of_action(action, version)).collect::<Vec<_>>(),
            "caller_id": call.caller.to_string(),
            "timestamp": call.timestamp,
            "address": call.caller.to_string(),
        },
    });
    if said.is_some() {
        json["token_amount_version"] = if version == AmountVersion::V2 { 2.into() } else { 1.into() };
    }
    json
}

fn of_action(action: &TokenAction, version: AmountVersion) -> Value {
    let (kind, token) = (action.kind.name(), action.token.to_string());
    match action.kind {
        ActionKind::Deposit | ActionKind::Withdrawal => {
            let amount = version.number(action.amount, false).and_then(Number::from_u128);
            json!({"type": kind, "token_uid": token, "amount": amount})
        }
        ActionKind::GrantAuthority | ActionKind::AcquireAuthority => {
            json!({"type": kind, "token_uid": token, "mint": action.mints(), "melt": action.melts()})
        }
    }
}

// What connections are told of their own accord, as text.

/// The JSON of a vertex in histories.
pub(super) fn vertex_text(vertex: &Vertex) -> Arc<str> {
    serde_json::to_string(&VertexJson::from(vertex)).expect("vertices have text keys").into()
}

/// The frame by which everyone hears of a new vertex.
pub(super) fn new_vertex_frame(vertex: &Vertex) -> Arc<str> {
    #[derive(Serialize)]
    struct NewVertex<'a> {
        #[serde(flatten)]
        vertex: &'a VertexJson,
        is_block: bool,
        #[serde(rename = "type")]
        kind: &'static str,
        throttled: bool,
    }
    let frame = NewVertex {
        vertex: &VertexJson::from(vertex),
        is_block: vertex.is_block(),
        kind: "network:new_tx_accepted",
        throttled: false,
    };
    serde_json::to_string(&frame).expect("frames have text keys").into()
}

/// The frame that tells connections the state of the network.
pub(super) fn metrics_frame(chain: &Chain) -> Arc<str> {
    let blocks = chain.arrivals().filter(|vertex| vertex.is_block()).count();
    let metrics = object! {
        "transactions": chain.arrivals().count() - blocks,
        "blocks": blocks,
        "best_block_height": chain.best_block().1,
        "hash_rate": 0.0,
        "peers": 0,
        "type": "dashboard:metrics",
        "time": unix_now(),
    };
    serde_json::to_string(&metrics).expect("frames have text keys").into()
}
