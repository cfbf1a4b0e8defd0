//! `selection.json`: which outputs an amount is paid from. The `fast` results belong to an algorithm that
//! this wallet has no use for.

use crate::support::*;
use headless_wallet::ledger::Amount;
use headless_wallet::ledger::{Outpoint, SpentOutput, TokenUid, Vertex, VertexId};
use headless_wallet::operations::plan_failure;
use headless_wallet::wallet::{PlanError, Settings, State};
use serde_json::Value;

fn wallet_of(case: &Value) -> State {
    let reward_spend_min_blocks = case["reward_spend_min_blocks"].as_u64().unwrap() as u32;
    let mut state = State::new(account(), Settings { reward_spend_min_blocks, ..settings() });
    let _ = state.set_best_height(case["current_height"].as_u64().unwrap() as u32);
    let to = state.address(0).unwrap();
    let mut reserved = Vec::new();
    for utxo in case["utxos"].as_array().unwrap() {
        let position = utxo["position"].as_u64().unwrap() as u8;
        let token: TokenUid = utxo["token"].as_str().unwrap().parse().unwrap();
        let value = number(&utxo["value"]);
        let output =
            if utxo["authorities"] == "0" { output(to, value, token) } else { authority(to, value, token) };
        let script = pays(to, utxo["timelock"].as_u64().map(|t| t as u32));
        let _ = state.apply(Vertex {
            version: utxo["tx_version"].as_u64().unwrap() as u8,
            height: utxo["height"].as_u64().map(|h| h as u32),
            ..vertex(position, vec![SpentOutput { script, ..output }])
        });
        if utxo["selected_as_input"] == true {
            reserved.push(send_from(vec![outpoint(position, 0)], vec![pay(value, token)]));
        }
    }
    for request in reserved {
        state.plan_send(&request, NOW, LATER).unwrap();
    }
    state
}

#[test]
fn best_selects_as_the_reference_does() {
    let file = json(include_str!("../vectors/selection.json"));
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 22);
    for case in cases {
        let mut state = wallet_of(case);
        let token = case["token"].as_str().unwrap().parse().unwrap();
        let required = number(&case["amount"]);
        let available = state.balance(token, NOW).available;
        let plan = state.plan_send(&send(vec![pay(required, token)]), NOW, LATER);
        let selected = case["best"]["selected"].as_array().unwrap();
        let expected = if selected.is_empty() {
            Err(PlanError::Insufficient { token, required: Amount::from(required), available })
        } else {
            Ok(selected.iter().map(|position| outpoint(position.as_u64().unwrap() as u8, 0)).collect())
        };
        let inputs = |plan: headless_wallet::wallet::Plan| -> Vec<Outpoint> {
            plan.transaction.inputs.iter().map(|input| input.spends).collect()
        };
        assert_eq!(plan.map(inputs), expected, "{}", case["description"]);
    }
}

fn scattered(count: u32) -> State {
    let mut state = wallet();
    let to = state.address(0).unwrap();
    for number in 0..count {
        let mut id = [0; 32];
        id[..4].copy_from_slice(&number.to_be_bytes());
        // Mostly tens, so that an amount of tens takes as few of them as there are.
        let amount = if number % 4 == 0 { 1 } else { 10 };
        let _ = state.apply(Vertex { id: VertexId(id), ..vertex(1, vec![output(to, amount, NATIVE)]) });
    }
    state
}

#[test]
fn the_largest_outputs_are_taken_so_that_as_much_as_possible_fits_into_255_inputs() {
    let mut state = scattered(400);
    let plan = state.plan_send(&send(vec![pay(2550, NATIVE)]), NOW, LATER).unwrap();
    assert_eq!(plan.transaction.inputs.len(), 255);
    assert_eq!(plan.transaction.outputs.len(), 1);
}

#[test]
fn what_no_255_outputs_hold_is_refused_with_the_remedy() {
    let mut state = scattered(400);
    let error = state.plan_send(&send(vec![pay(2551, NATIVE)]), NOW, LATER).unwrap_err();
    assert_eq!(error, PlanError::TooScattered { token: NATIVE, needed: 256, reachable: cents(2550) });
    assert_eq!(
        plan_failure(&error).error,
        "Transaction has 256 inputs and can have at most 255. Token 00 is spread over many outputs of which one transaction can \
         move 2550: send that much or less to an address of this wallet first, to make one output of many"
    );
}
