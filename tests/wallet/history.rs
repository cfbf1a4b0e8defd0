//! `history.json`: the state that a history leads to. And what happens when it arrives out of order.

use crate::support::*;
use headless_wallet::ledger::{
    Address, ExtraMembers, Network, Outpoint, Part, Script, SignedAmount, SpentOutput, TokenData, TokenUid,
    Vertex, VertexId, VertexInput, VertexOutput,
};
use headless_wallet::wallet::{Balance, ChangeSet, Event, PackedVertex, State, Update, UtxoFilter};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

fn id_in(value: &Value) -> VertexId {
    value.as_str().unwrap().parse().unwrap()
}
fn spent_output(value: &Value) -> SpentOutput {
    let decoded = &value["decoded"];
    let script = match decoded["address"].as_str() {
        Some(text) => {
            let to = Address::parse(text, Network::Mainnet).unwrap();
            pays(to, decoded["timelock"].as_u64().map(|t| t as u32))
        }
        None => Script::Data("text".to_owned()).to_bytes().unwrap().into(),
    };
    SpentOutput {
        value: cents(value["value"].as_u64().unwrap()),
        token: value["token"].as_str().unwrap().parse().unwrap(),
        token_data: TokenData(value["token_data"].as_u64().unwrap() as u8),
        script,
        unknown: None,
    }
}
fn vertex_in(value: &Value) -> Vertex {
    let list = |key: &str| value[key].as_array().unwrap().iter();
    Vertex {
        id: id_in(&value["tx_id"]),
        version: value["version"].as_u64().unwrap() as u8,
        timestamp: value["timestamp"].as_u64().unwrap() as u32,
        voided: value["is_voided"] == true,
        height: value["height"].as_u64().map(|h| h as u32),
        inputs: list("inputs")
            .map(|input| VertexInput {
                spends: Outpoint {
                    tx: id_in(&input["tx_id"]),
                    index: input["index"].as_u64().unwrap() as u8,
                },
                output: spent_output(input),
            })
            .collect(),
        outputs: list("outputs")
            .map(|output| VertexOutput {
                output: spent_output(output),
                spent_by: (!output["spent_by"].is_null()).then(|| id_in(&output["spent_by"])),
            })
            .collect(),
        ..vertex(0, vec![])
    }
}

fn check_addresses(name: &str, state: &State, expected: &Value) {
    let next = &expected["next_load"];
    let loaded =
        next["nextIndex"].as_u64().map_or(20..20, |from| from..from + next["count"].as_u64().unwrap());
    assert_eq!(state.addresses_to_watch(20), loaded.start as u32..loaded.end as u32, "{name}");
    let current = match name {
        // The reference stays on the last loaded address until it has loaded more. Here more are derived at
        // once.
        "last-address" => 20,
        _ => expected["current_address_index"].as_u64().unwrap() as u32,
    };
    assert_eq!(state.current_index(), current, "{name}");
    if name != "last-address" {
        assert_eq!(state.current_address().to_string(), expected["current_address"].as_str().unwrap());
    }
}

fn check_balances(name: &str, state: &State, expected: &Value) {
    for (token, wanted) in expected["tokens"].as_object().unwrap() {
        let uid: TokenUid = token.parse().unwrap();
        let (tokens, rights) = (&wanted["balance"]["tokens"], &wanted["balance"]["authorities"]);
        let count = |right: &str| {
            (number(&rights[right]["unlocked"]) as u32, number(&rights[right]["locked"]) as u32)
        };
        let balance = Balance {
            available: cents(number(&tokens["unlocked"])),
            locked: cents(number(&tokens["locked"])),
            mint: count("mint"),
            melt: count("melt"),
        };
        assert_eq!(state.balance(uid, NOW), balance, "{name} {token}");
        let touching = |v: &Vertex| !v.voided && state.effect(v, |_| None).net.contains_key(&uid);
        assert_eq!(Value::from(state.history().filter(touching).count()), wanted["transactions"], "{name}");
    }
    for (address, wanted) in expected["addresses"].as_object().unwrap() {
        let address = Address::parse(address, Network::Mainnet).unwrap();
        for (token, balance) in wanted["balance"].as_object().unwrap() {
            let info = state.address_info(&address, token.parse().unwrap(), NOW).unwrap();
            assert_eq!(Value::from(info.index), wanted["index"], "{name}");
            assert_eq!(info.available, cents(number(&balance["tokens"]["unlocked"])), "{name}");
            assert_eq!(info.locked, cents(number(&balance["tokens"]["locked"])), "{name}");
        }
    }
}

fn check_utxos(name: &str, state: &State, expected: &Value) {
    let key = |utxo: &Value| (id_in(&utxo["tx_id"]), utxo["index"].as_u64().unwrap() as u8);
    let list = |key: &str| expected[key].as_array().unwrap().iter();
    let locked: BTreeSet<_> = list("locked_utxos").map(key).collect();
    let amounts = list("utxos").filter(|utxo| utxo["authorities"] == "0");
    let wanted: BTreeMap<_, _> = amounts
        .map(|utxo| {
            let text = |key: &str| utxo[key].as_str().unwrap().to_owned();
            let (tx, index) = key(utxo);
            (
                (tx, index),
                (number(&utxo["value"]), text("token"), text("address"), locked.contains(&(tx, index))),
            )
        })
        .collect();
    let listed =
        state.tokens().flat_map(|token| state.utxos(&UtxoFilter { token, ..Default::default() }, NOW).utxos);
    let listed: BTreeMap<_, _> = listed
        .map(|utxo| {
            let address = state.address_text(utxo.address_index).unwrap().to_owned();
            let value = u64::try_from(utxo.value.cents()).unwrap();
            ((utxo.outpoint.tx, utxo.outpoint.index), (value, utxo.token.to_string(), address, utxo.locked))
        })
        .collect();
    assert_eq!(listed, wanted, "{name}");
}

fn check_effects(name: &str, state: &State, expected: &Value) {
    for (id, wanted) in expected["tx_balances"].as_object().unwrap() {
        let net = state.effect(&state.vertex(&id.parse().unwrap()).unwrap(), |_| None).net;
        let net: BTreeMap<_, _> =
            net.into_iter().map(|(t, sum)| (t.to_string(), Value::from(sum.to_string()))).collect();
        assert_eq!(Value::from_iter(net), *wanted, "{name}");
    }
}

#[test]
fn every_scenario_ends_as_in_the_reference_in_whatever_order_it_is_told() {
    let file = json(include_str!("../vectors/history.json"));
    let scenarios = file["scenarios"].as_array().unwrap();
    assert_eq!(scenarios.len(), 13);
    for scenario in scenarios {
        let name = scenario["name"].as_str().unwrap();
        let vertices: Vec<_> = scenario["history"].as_array().unwrap().iter().map(vertex_in).collect();
        let told: [Vec<&Vertex>; 3] = [
            vertices.iter().collect(),
            vertices.iter().rev().collect(),
            vertices.iter().chain(&vertices).rev().chain(&vertices).collect(),
        ];
        for order in told {
            let mut state = wallet();
            let _ = state.set_best_height(scenario["current_height"].as_u64().unwrap() as u32);
            for vertex in order {
                let _ = state.apply(vertex.clone());
            }
            state.loaded();
            check_addresses(name, &state, &scenario["expected"]);
            check_balances(name, &state, &scenario["expected"]);
            check_utxos(name, &state, &scenario["expected"]);
            check_effects(name, &state, &scenario["expected"]);
        }
    }
}

fn available(state: &State) -> u64 {
    u64::try_from(state.balance(NATIVE, NOW).available.cents()).unwrap()
}

#[test]
fn a_spend_known_before_its_output_leaves_the_output_spent() {
    let mut state = wallet();
    let to = state.address(0).unwrap();
    let first = vertex(1, vec![output(to, 100, NATIVE)]);
    let second = spending(2, &[(&first, 0)], vec![output(foreign(), 60, NATIVE), output(to, 40, NATIVE)]);
    let _ = state.apply(second);
    // As a page that was made before the spend: it doesn't know of it.
    let _ = state.apply(first);
    assert_eq!(available(&state), 40);
}

#[test]
fn voiding_and_unvoiding_a_spend_gives_the_output_back_and_takes_it_again() {
    let mut state = wallet();
    let to = state.address(0).unwrap();
    let mut first = vertex(1, vec![output(to, 100, NATIVE)]);
    let mut second = spending(2, &[(&first, 0)], vec![output(to, 40, NATIVE)]);
    first.outputs[0].spent_by = Some(second.id);
    let _ = state.apply(first);
    assert_eq!(available(&state), 0);
    let _ = state.apply(second.clone());
    assert_eq!(available(&state), 40);

    second.voided = true;
    let update = state.apply(second.clone());
    assert_eq!(update.events, [Event::UpdatedVertex { id: second.id, voided: Some(true) }]);
    assert_eq!(available(&state), 100);
    assert_eq!(state.history_len(), 2);

    second.voided = false;
    let update = state.apply(second.clone());
    assert_eq!(update.events, [Event::UpdatedVertex { id: second.id, voided: Some(false) }]);
    assert_eq!(available(&state), 40);
}

#[test]
fn telling_it_again_changes_nothing_and_says_so() {
    let mut state = wallet();
    let mut tx = vertex(1, vec![output(state.address(3).unwrap(), 100, NATIVE)]);
    let update = state.apply(tx.clone());
    assert_eq!(update.events, [Event::NewAddresses(20..24), Event::NewVertex(tx.id)]);
    let changes = ChangeSet {
        forget: false,
        vertices: [(tx.id, PackedVertex::of(&tx))].into(),
        address_count: Some(24),
        current_index: None,
        best_height: None,
        locked_outpoints: [].into(),
        swap_parts: None,
    };
    assert_eq!(update.changes, changes);
    let update = state.apply(tx.clone());
    assert_eq!((update.events, update.changes), (vec![], ChangeSet::default()));

    tx.first_block = Some(id(9));
    let update = state.apply(tx.clone());
    assert_eq!(update.events, [Event::UpdatedVertex { id: tx.id, voided: None }]);
    assert_eq!(state.vertex(&tx.id), Some(tx));
}

#[test]
fn what_does_not_touch_the_wallet_is_not_kept() {
    let mut state = wallet();
    let update = state.apply(vertex(1, vec![output(foreign(), 100, NATIVE)]));
    assert_eq!((update.events, update.changes), (vec![], ChangeSet::default()));
    assert_eq!(state.history_len(), 0);
}

#[test]
fn a_payment_past_the_gap_counts_once_its_address_is_derived_and_it_is_told_again() {
    let mut state = wallet();
    let (near, far) = (state.address(10).unwrap(), state.address(25).unwrap());
    let payment = vertex(1, vec![output(far, 5, NATIVE)]);
    let _ = state.apply(payment.clone());
    assert_eq!(state.history_len(), 0);
    let _ = state.apply(vertex(2, vec![output(near, 7, NATIVE)]));
    assert_eq!(state.addresses_to_watch(20), 20..31);
    let _ = state.apply(payment);
    assert_eq!(available(&state), 12);
    // One vertex that pays both counts whole at once.
    let mut state = wallet();
    let _ = state.apply(vertex(1, vec![output(far, 5, NATIVE), output(near, 7, NATIVE)]));
    assert_eq!(available(&state), 12);
}

#[test]
fn an_output_past_the_gap_counts_everywhere_or_nowhere() {
    let mut state = wallet();
    let (zero, near, far) =
        (state.address(0).unwrap(), state.address(10).unwrap(), state.address(25).unwrap());
    let payment = vertex(1, vec![output(far, 5, NATIVE), output(zero, 7, NATIVE)]);
    let _ = state.apply(payment.clone());
    // Derives far's address, and looks at the output because it is voided.
    let mut spend = spending(2, &[(&payment, 0)], vec![output(near, 5, NATIVE)]);
    spend.voided = true;
    let _ = state.apply(spend);
    let sums = |state: &State| {
        let info = state.address_info(&far, NATIVE, NOW).unwrap();
        (available(state), info.received.cents(), info.available.cents())
    };
    assert_eq!(sums(&state), (7, 0, 0));
    let _ = state.apply(payment);
    assert_eq!(sums(&state), (12, 5, 5));
}

#[test]
fn history_is_newest_first_and_ties_go_by_id() {
    let mut state = wallet();
    let to = state.address(0).unwrap();
    for (number, timestamp) in [(1, 5), (2, 9), (3, 5), (4, 1)] {
        let _ = state.apply(Vertex { timestamp, ..vertex(number, vec![output(to, 1, NATIVE)]) });
    }
    let order: Vec<_> = state.history().map(|vertex| vertex.id).collect();
    assert_eq!(order, [id(2), id(3), id(1), id(4)]);
}

#[test]
fn a_pushed_transaction_is_applied_as_the_node_will_show_it() {
    let mut state = holding(&[100]);
    let plan = state.plan_send(&send(vec![pay(30, NATIVE)]), NOW, LATER).unwrap();
    let vertex = state.vertex_of(&plan.transaction, id(50)).unwrap();
    assert_eq!(vertex.inputs[0].spends, outpoint(1, 0));
    assert_eq!(vertex.inputs[0].output, output(state.address(0).unwrap(), 100, NATIVE));
    assert_eq!(vertex.version, 1);
    let _ = state.apply_pushed(&plan.transaction, id(50));
    assert_eq!(available(&state), 70);
    assert_eq!(state.vertex(&id(50)), Some(vertex));
    // A transaction that spends what nobody here knows.
    let mut strange = plan.transaction;
    strange.inputs[0].spends = outpoint(99, 0);
    assert_eq!(state.vertex_of(&strange, id(51)), None);
    assert_eq!(state.apply_pushed(&strange, id(51)), Update::default());
}

/// The node's own word may come before the answer to the push.
#[test]
fn what_the_node_told_of_a_pushed_transaction_stands() {
    let mut state = holding(&[100]);
    let plan = state.plan_send(&send(vec![pay(30, NATIVE)]), NOW, LATER).unwrap();
    let told = Vertex {
        voided: true,
        first_block: Some(id(60)),
        ..state.vertex_of(&plan.transaction, id(50)).unwrap()
    };
    let _ = state.apply(told.clone());
    assert_eq!(state.apply_pushed(&plan.transaction, id(50)), Update::default());
    assert_eq!(state.vertex(&id(50)), Some(told));
    assert_eq!(available(&state), 100);
}

#[test]
fn amounts_that_no_output_can_hold_are_not_counted() {
    let mut state = wallet();
    let to = state.address(0).unwrap();
    let huge = |value| SpentOutput { value, ..output(to, 1, NATIVE) };
    let values = [u128::MAX, (1 << 63) + 1, 1 << 63].map(headless_wallet::ledger::Amount::new);
    let _ = state.apply(vertex(1, values.map(huge).to_vec()));
    assert_eq!(state.balance(NATIVE, NOW).available.cents(), 1 << 63);
    assert_eq!(state.address_info(&to, NATIVE, NOW).unwrap().received.cents(), 1 << 63);
}

/// An output of an unknown kind that pays the wallet is shown and uses its address, and is nothing that can
/// be spent.
#[test]
fn an_unknown_output_is_kept_and_counts_as_nothing() {
    let mut state = wallet();
    let to = state.address(0).unwrap();
    let json: Box<str> = r#"{"type":"shielded"}"#.into();
    let shielded = SpentOutput { unknown: Some(json), ..output(to, 0, NATIVE) };
    let told = vertex(1, vec![shielded, output(to, 7, NATIVE)]);
    let _ = state.apply(told.clone());
    for state in [&state, &State::restore(account(), settings(), state.snapshot())] {
        assert_eq!(available(state), 7);
        assert_eq!(state.utxos(&UtxoFilter::default(), NOW).utxos.len(), 1);
        assert_eq!(state.history().collect::<Vec<_>>(), std::slice::from_ref(&told));
        assert_eq!(
            state.effect(&told, |_| None).net.into_iter().collect::<Vec<_>>(),
            [(NATIVE, SignedAmount::new(7))]
        );
        assert_eq!(state.address_records()[0].tally.transactions, 1);
    }
}

/// The node says that an output is spent, and later that the spender is voided; it need not tell of the
/// output again.
#[test]
fn a_voided_spender_is_not_shown() {
    let mut state = wallet();
    let mut tx = vertex(1, vec![output(state.address(3).unwrap(), 100, NATIVE)]);
    let mut spender = spending(2, &[(&tx, 0)], vec![output(foreign(), 100, NATIVE)]);
    tx.outputs[0].spent_by = Some(spender.id);
    let _ = state.apply(tx.clone());
    let _ = state.apply(spender.clone());
    assert_eq!(state.vertex(&tx.id).unwrap().outputs[0].spent_by, Some(spender.id));
    spender.voided = true;
    let _ = state.apply(spender);
    assert_eq!(state.vertex(&tx.id).unwrap().outputs[0].spent_by, None);
}

/// What only the node knows of a transaction is kept with it, and is no news.
#[test]
fn members_that_are_not_known_are_kept_and_tell_nothing() {
    let mut state = wallet();
    let to = state.address(0).unwrap();
    let pays = vertex(1, vec![output(to, 5, NATIVE)]);
    let _ = state.apply(pays.clone());
    let mut extra = ExtraMembers::default();
    extra.push(Part::Whole, r#""news":1"#.into());
    let told = Vertex { extra, ..pays.clone() };
    let update = state.apply(told.clone());
    assert_eq!(update.events, []);
    assert!(update.changes.history().eq([told.clone()]));
    assert_eq!(state.vertex(&told.id), Some(told.clone()));
    assert_eq!(state.apply(told), Update::default());
}
