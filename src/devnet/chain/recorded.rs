//! Every recorded `push_tx` of a real full node, replayed: each gets the same answer, to the letter.
//!
//! A unit test, because the vertices that were spent then are put in by their ids, unverified.

use super::{Body, Chain, Genesis, Meta, PushError, Rules, Stored};
use crate::ledger::{Amount, Block, Output, TokenData, Transaction, VertexId};
use serde_json::Value;
use std::sync::Arc;

fn recording() -> Value {
    serde_json::from_str(include_str!("../../../tests/recordings/push_tx.json")).unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn number(value: &Value) -> u32 {
    value.as_u64().unwrap().try_into().unwrap()
}

fn output(value: &Value) -> Output {
    Output {
        value: text(&value["value"]).parse::<Amount>().unwrap(),
        token_data: TokenData(number(&value["token_data"]).try_into().unwrap()),
        script: hex::decode(text(&value["script"])).unwrap(),
    }
}

fn seed(chain: &mut Chain, spent: &Value) {
    let id: VertexId = text(&spent["id"]).parse().unwrap();
    if chain.get(&id).is_some() {
        return;
    }
    let outputs: Vec<_> = spent["outputs"].as_array().unwrap().iter().map(output).collect();
    let timestamp = number(&spent["timestamp"]);
    let (body, height) = if spent["version"] == 0 {
        let block = Block {
            signal_bits: 0,
            outputs,
            weight: 1.0,
            timestamp,
            parents: vec![],
            data: vec![],
            nonce: 0,
        };
        (Body::Block(block), Some(number(&spent["height"])))
    } else {
        let tx = Transaction {
            signal_bits: 0,
            tokens: vec![],
            inputs: vec![],
            outputs,
            creates: None,
            blueprint: None,
            weight: 1.0,
            timestamp,
            parents: vec![],
            nonce: 0,
            headers: vec![],
        };
        (Body::Transaction(tx), None)
    };
    chain.begin(Stored { id, body, bytes: vec![], meta: Meta { height, ..Meta::default() } });
    if let Some(height) = height {
        chain.blocks.resize(usize::try_from(height).unwrap(), id);
        chain.blocks.push(id);
        // No contracts were there.
        chain.contracts.insert(id, Arc::default());
    }
    chain.finish(Some(id));
}

#[test]
fn recorded_pushes_get_the_recorded_answers() {
    let recording = recording();
    let mut chain = Chain::new(Rules::default(), Genesis::private());
    for spent in recording["spent"].as_array().unwrap() {
        seed(&mut chain, spent);
    }
    let pushes = recording["pushes"].as_array().unwrap();
    assert_eq!(pushes.len(), 46);
    for push in pushes {
        let step = text(&push["step"]);
        if step == "same tx after the next block" {
            chain.mine_block(vec![0x51], 1_795_251_267);
        }
        let answer = chain.push(&hex::decode(text(&push["hex"])).unwrap(), 1_795_251_268);
        let refusal = answer.as_ref().err().map(PushError::to_string);
        assert_eq!(refusal.as_deref(), push["refusal"].as_str(), "{step}");
        if let Ok(id) = answer {
            assert_eq!(id.to_string(), text(&push["id"]), "{step}");
        }
    }
}
