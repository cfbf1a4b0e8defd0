//! A transaction or block as `push_tx`, `transaction` and `decode_tx` show it, with the node's own view of it
//! (`meta`).

use super::{nano, tokens};
use crate::devnet::chain::{Body, Chain, Meta, Stored, weight_of};
use crate::devnet::vertex_json::{Decoded, NanoJson, base64};
use crate::ledger::{Output, TokenData, TokenUid, Transaction, VertexId};
use serde::Serialize;
use std::collections::BTreeMap;

/// The most children that `meta` lists.
const MAX_CHILDREN: usize = 100;
/// What the node shows for the state of nano contracts after a block without any: the SHA-256 of nothing.
const EMPTY_ROOT: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// The answer to an accepted `push_tx`.
#[derive(Serialize)]
pub(super) struct PushedJson {
    hash: String,
    nonce: u32,
    timestamp: u32,
    version: u8,
    weight: f64,
    signal_bits: u8,
    parents: Vec<String>,
    inputs: Vec<PushedInput>,
    outputs: Vec<PushedOutput>,
    tokens: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token_symbol: Option<String>,
}

#[derive(Serialize)]
struct PushedInput {
    tx_id: String,
    index: u8,
    data: String,
}

#[derive(Serialize)]
struct PushedOutput {
    value: u128,
    token_data: u8,
    script: String,
}

impl From<&Output> for PushedOutput {
    fn from(output: &Output) -> Self {
        Self { value: output.value.cents(), token_data: output.token_data.0, script: base64(&output.script) }
    }
}

fn texts<'a>(ids: impl IntoIterator<Item = &'a VertexId>) -> Vec<String> {
    ids.into_iter().map(ToString::to_string).collect()
}

impl PushedJson {
    pub(super) fn of(id: VertexId, tx: &Transaction) -> Self {
        Self {
            hash: id.to_string(),
            nonce: tx.nonce,
            timestamp: tx.timestamp,
            version: tx.version(),
            weight: tx.weight,
            signal_bits: tx.signal_bits,
            parents: texts(&tx.parents),
            inputs: tx
                .inputs
                .iter()
                .map(|input| PushedInput {
                    tx_id: input.spends.tx.to_string(),
                    index: input.spends.index,
                    data: base64(&input.data),
                })
                .collect(),
            outputs: tx.outputs.iter().map(Into::into).collect(),
            tokens: texts(&tx.tokens),
            token_name: tx.creates.as_ref().map(|token| token.name.clone()),
            token_symbol: tx.creates.as_ref().map(|token| token.symbol.clone()),
        }
    }
}

/// The answer of `transaction` and `decode_tx`.
#[derive(Serialize)]
pub(super) struct TransactionJson {
    success: bool,
    tx: TxJson,
    meta: MetaJson,
    spent_outputs: BTreeMap<u8, String>,
}

#[derive(Serialize)]
struct TxJson {
    hash: String,
    nonce: String,
    timestamp: u32,
    version: u8,
    weight: f64,
    signal_bits: u8,
    parents: Vec<String>,
    inputs: Vec<TxInput>,
    outputs: Vec<TxOutput>,
    tokens: Vec<TxToken>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token_symbol: Option<String>,
    #[serde(flatten)]
    nano: NanoJson,
    raw: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
}

#[derive(Serialize)]
struct TxOutput {
    #[serde(flatten)]
    output: PushedOutput,
    decoded: TxDecoded,
}

#[derive(Serialize)]
struct TxDecoded {
    #[serde(flatten)]
    script: Decoded,
    #[serde(flatten)]
    amount: Option<DecodedAmount>,
}

#[derive(Serialize)]
struct DecodedAmount {
    value: u128,
    token_data: u8,
}

impl From<&Output> for TxOutput {
    fn from(output: &Output) -> Self {
        let script = Decoded::of(&output.script);
        let amount = DecodedAmount { value: output.value.cents(), token_data: output.token_data.0 };
        let decoded = TxDecoded { amount: script.pays().then_some(amount), script };
        Self { output: output.into(), decoded }
    }
}

#[derive(Serialize)]
struct TxInput {
    #[serde(flatten)]
    spent: TxOutput,
    tx_id: String,
    index: u8,
}

#[derive(Serialize)]
struct TxToken {
    uid: String,
    name: String,
    symbol: String,
}

#[derive(Serialize)]
struct MetaJson {
    hash: String,
    spent_outputs: Vec<(usize, Vec<String>)>,
    received_by: [(); 0],
    conflict_with: Vec<String>,
    voided_by: Vec<String>,
    twins: Vec<String>,
    accumulated_weight_raw: String,
    score_raw: String,
    min_height: u32,
    height: u32,
    feature_activation_bit_counts: Vec<u32>,
    first_block: Option<String>,
    validation: &'static str,
    nc_block_root_id: Option<&'static str>,
    nc_calls: Option<()>,
    nc_execution: Option<&'static str>,
    nc_events: Option<()>,
    accumulated_weight: f64,
    score: f64,
    children: Vec<String>,
    has_more_children: bool,
    first_block_height: Option<u32>,
}

impl TransactionJson {
    /// `None` when it spends or lists what the ledger does not know, or creates a token and is not in the
    /// ledger.
    pub(super) fn of(chain: &Chain, vertex: &Stored) -> Option<Self> {
        let spent_outputs = chain.spent_outputs(&vertex.id);
        Some(Self {
            success: true,
            tx: TxJson::of(chain, vertex)?,
            meta: MetaJson::of(chain, vertex),
            spent_outputs: spent_outputs.into_iter().map(|(index, id)| (index, id.to_string())).collect(),
        })
    }
}

impl TxJson {
    fn of(chain: &Chain, vertex: &Stored) -> Option<Self> {
        let (nonce, version, signal_bits, data) = match &vertex.body {
            Body::Transaction(tx) => (tx.nonce.into(), tx.version(), tx.signal_bits, None),
            Body::Block(block) => (block.nonce, 0, block.signal_bits, Some(base64(&block.data))),
        };
        let created = vertex.transaction().and_then(|tx| tx.creates.clone());
        let (token_name, token_symbol) = created.map(|token| (token.name, token.symbol)).unzip();
        let inputs = vertex.inputs().iter();
        Some(Self {
            hash: vertex.id.to_string(),
            nonce: nonce.to_string(),
            timestamp: vertex.timestamp(),
            version,
            weight: vertex.weight(),
            signal_bits,
            parents: texts(vertex.parents()),
            inputs: inputs
                .map(|input| {
                    let spent = chain.get(&input.spends.tx)?;
                    let output = spent.outputs().get(usize::from(input.spends.index))?;
                    let token_data = token_data_here(vertex, spent, output);
                    let shown = Output { token_data, ..output.clone() };
                    let (tx_id, index) = (input.spends.tx.to_string(), input.spends.index);
                    Some(TxInput { spent: (&shown).into(), tx_id, index })
                })
                .collect::<Option<_>>()?,
            outputs: vertex.outputs().iter().map(Into::into).collect(),
            tokens: token_list(vertex)
                .into_iter()
                .map(|uid| {
                    let (name, symbol) = tokens::name_of(chain, TokenUid::Custom(uid))?;
                    Some(TxToken { uid: uid.to_string(), name, symbol })
                })
                .collect::<Option<_>>()?,
            data,
            token_name,
            token_symbol,
            nano: nano::of_vertex(chain, &vertex.id),
            raw: hex::encode(&vertex.bytes),
            height: vertex.meta.height,
        })
    }
}

/// The tokens that outputs of `vertex` may be of, in the order of their indexes: in a creation the one
/// created.
fn token_list(vertex: &Stored) -> Vec<VertexId> {
    match vertex.transaction() {
        Some(tx) if tx.creates.is_some() => vec![vertex.id],
        Some(tx) => tx.tokens.clone(),
        None => Vec::new(),
    }
}

/// The token data of a spent output, with the index that its token has in the spending transaction.
fn token_data_here(vertex: &Stored, spent: &Stored, output: &Output) -> TokenData {
    let Some(TokenUid::Custom(uid)) = spent.token(output.token_data) else { return output.token_data };
    let place = token_list(vertex).iter().position(|token| *token == uid);
    match place.and_then(|place| u8::try_from(place + 1).ok()) {
        Some(index) if output.token_data.is_authority() => TokenData::authority(index),
        Some(index) => TokenData::token(index),
        None => output.token_data,
    }
}

impl MetaJson {
    fn of(chain: &Chain, vertex: &Stored) -> Self {
        let meta: &Meta = &vertex.meta;
        let first_block_height =
            meta.first_block.and_then(|block| chain.get(&block)).and_then(|block| block.meta.height);
        Self {
            hash: vertex.id.to_string(),
            spent_outputs: meta.spent_outputs.iter().map(texts).enumerate().collect(),
            received_by: [],
            conflict_with: texts(&meta.conflict_with),
            voided_by: texts(&meta.voided_by),
            twins: texts(&meta.twins),
            accumulated_weight_raw: meta.accumulated_work.to_string(),
            score_raw: meta.score.to_string(),
            min_height: meta.min_height,
            height: meta.height.unwrap_or_default(),
            feature_activation_bit_counts: if vertex.is_block() { vec![0; 4] } else { Vec::new() },
            first_block: meta.first_block.map(|id| id.to_string()),
            // Whether the ledger has it: what is only decoded has been checked by nobody.
            validation: if chain.get(&vertex.id).is_some() { "full" } else { "initial" },
            nc_block_root_id: vertex.is_block().then_some(EMPTY_ROOT),
            nc_calls: None,
            nc_execution: chain.execution_of(vertex),
            nc_events: None,
            accumulated_weight: weight_of(meta.accumulated_work),
            score: weight_of(meta.score),
            children: texts(meta.children.iter().take(MAX_CHILDREN)),
            has_more_children: meta.children.len() > MAX_CHILDREN,
            first_block_height,
        }
    }
}
