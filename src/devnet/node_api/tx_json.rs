//! A transaction or block as `push_tx`, `transaction` and `decode_tx` show it, with the node's own view of it
//! (`meta`).

use super::{nano, tokens};
use crate::devnet::chain::{Body, Chain, Meta, Stored, number_and_words, weight_of};
use crate::devnet::vertex_json::{Decoded, Object, base64, object};
use crate::ledger::{AmountVersion, Input, Output, TokenData, TokenUid, Transaction, VertexId};
use serde::Serialize;
use std::collections::BTreeMap;

/// The most children that `meta` lists.
const MAX_CHILDREN: usize = 100;
/// What the node shows for the state of nano contracts after a block without any: the SHA-256 of nothing.
const EMPTY_ROOT: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

fn texts<'a>(ids: impl IntoIterator<Item = &'a VertexId>) -> Vec<String> {
    ids.into_iter().map(ToString::to_string).collect()
}

/// An output, how its transaction writes amounts, and whether the node says them in words, too.
#[derive(Clone, Copy)]
struct Made<'a>(&'a Output, AmountVersion, bool);

fn amount(Made(output, version, in_words): Made<'_>) -> Object {
    let (number, words) = number_and_words(output, version);
    object! { "value": number }
        .maybe("value_str", in_words.then_some(words))
        .with("token_data", output.token_data.0)
}

fn with_script(made: Made<'_>) -> Object {
    amount(made).with("script", base64(&made.0.script))
}

/// The answer to an accepted `push_tx`.
pub(super) fn pushed(id: VertexId, tx: &Transaction) -> Object {
    let input = |input: &Input| {
        object! {
            "tx_id": input.spends.tx.to_string(), "index": input.spends.index, "data": base64(&input.data),
        }
    };
    let made = |output| Made(output, tx.amounts(), tx.amounts() == AmountVersion::V2);
    object! {
        "hash": id.to_string(),
        "nonce": tx.nonce,
        "timestamp": tx.timestamp,
        "version": tx.version(),
        "weight": tx.weight,
        "signal_bits": tx.signal_bits,
        "parents": texts(&tx.parents),
        "inputs": tx.inputs.iter().map(input).collect::<Vec<_>>(),
        "outputs": tx.outputs.iter().map(|output| with_script(made(output))).collect::<Vec<_>>(),
        "tokens": texts(&tx.tokens),
    }
    .maybe("token_name", tx.creates.as_ref().map(|token| &token.name))
    .maybe("token_symbol", tx.creates.as_ref().map(|token| &token.symbol))
}

/// An output as `transaction` shows it; the amount stands in what is decoded, too, where that pays an
/// address.
fn shown(made: Made<'_>) -> Object {
    #[derive(Serialize)]
    struct WithAmount {
        #[serde(flatten)]
        script: Decoded,
        #[serde(flatten)]
        amount: Option<Object>,
    }
    let script = Decoded::of(&made.0.script);
    with_script(made).with("decoded", WithAmount { amount: script.pays().then(|| amount(made)), script })
}

/// The answer of `transaction` and `decode_tx`. `None` when it spends or lists what the ledger does not know,
/// or creates a token and is not in the ledger.
pub(super) fn transaction_json(chain: &Chain, vertex: &Stored) -> Option<Object> {
    let spent = chain.spent_outputs(&vertex.id);
    let spent: BTreeMap<u8, String> = spent.into_iter().map(|(index, id)| (index, id.to_string())).collect();
    Some(object! {
        "success": true,
        "tx": tx_json(chain, vertex)?,
        "meta": meta_json(chain, vertex),
        "spent_outputs": spent,
    })
}

fn tx_json(chain: &Chain, vertex: &Stored) -> Option<Object> {
    let (nonce, version, signal_bits, data) = match &vertex.body {
        Body::Transaction(tx) => (tx.nonce.into(), tx.version(), tx.signal_bits, None),
        Body::Block(block) => (block.nonce, 0, block.signal_bits, Some(base64(&block.data))),
    };
    let created = vertex.transaction().and_then(|tx| tx.creates.as_ref());
    let in_words = chain.rules().amounts_v2;
    let input = |input: &Input| {
        let spent = chain.get(&input.spends.tx)?;
        let output = spent.outputs().get(usize::from(input.spends.index))?;
        let token_data = token_data_here(vertex, spent, output);
        let output = shown(Made(&Output { token_data, ..output.clone() }, spent.amounts(), in_words));
        Some(output.with("tx_id", input.spends.tx.to_string()).with("index", input.spends.index))
    };
    let token = |uid: VertexId| {
        let (name, symbol) = tokens::name_of(chain, TokenUid::Custom(uid))?;
        Some(object! { "uid": uid.to_string(), "name": name, "symbol": symbol })
    };
    let tx = object! {
        "hash": vertex.id.to_string(),
        "nonce": nonce.to_string(),
        "timestamp": vertex.timestamp(),
        "version": version,
        "weight": vertex.weight(),
        "signal_bits": signal_bits,
        "parents": texts(vertex.parents()),
        "inputs": vertex.inputs().iter().map(input).collect::<Option<Vec<_>>>()?,
        "outputs": vertex.outputs().iter().map(|output| shown(Made(output, vertex.amounts(), in_words))).collect::<Vec<_>>(),
        "tokens": token_list(vertex).into_iter().map(token).collect::<Option<Vec<_>>>()?,
    };
    let tx = tx
        .maybe("data", data)
        .maybe("token_name", created.map(|token| &token.name))
        .maybe("token_symbol", created.map(|token| &token.symbol))
        .and(&nano::of_vertex(chain, &vertex.id).0);
    let version = if vertex.amounts() == AmountVersion::V2 { 2 } else { 1 };
    let tx = tx.maybe("token_amount_version", in_words.then_some(version));
    Some(tx.with("raw", hex::encode(&vertex.bytes)).maybe("height", vertex.meta.height))
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

fn meta_json(chain: &Chain, vertex: &Stored) -> Object {
    let meta: &Meta = &vertex.meta;
    let first_block = meta.first_block.and_then(|block| chain.get(&block));
    object! {
        "hash": vertex.id.to_string(),
        "spent_outputs": meta.spent_outputs.iter().map(texts).enumerate().collect::<Vec<_>>(),
        "received_by": [(); 0],
        "conflict_with": texts(&meta.conflict_with),
        "voided_by": texts(&meta.voided_by),
        "twins": texts(&meta.twins),
        "accumulated_weight_raw": meta.accumulated_work.to_string(),
        "score_raw": meta.score.to_string(),
        "min_height": meta.min_height,
        "height": meta.height.unwrap_or_default(),
        "feature_activation_bit_counts": if vertex.is_block() { vec![0; 4] } else { Vec::new() },
        "first_block": meta.first_block.map(|id| id.to_string()),
        // Whether the ledger has it: what is only decoded has been checked by nobody.
        "validation": if chain.get(&vertex.id).is_some() { "full" } else { "initial" },
        "nc_block_root_id": vertex.is_block().then_some(EMPTY_ROOT),
        "nc_calls": (),
        "nc_execution": chain.execution_of(vertex),
        "nc_events": (),
        "accumulated_weight": weight_of(meta.accumulated_work),
        "score": weight_of(meta.score),
        "children": texts(meta.children.iter().take(MAX_CHILDREN)),
        "has_more_children": meta.children.len() > MAX_CHILDREN,
        "first_block_height": first_block.and_then(|block| block.meta.height),
    }
}
