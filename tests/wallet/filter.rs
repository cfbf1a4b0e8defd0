//! Listing unspent outputs.

use crate::support::*;
use headless_wallet::ledger::{SpentOutput, Vertex};
use headless_wallet::wallet::{State, UtxoFilter, UtxoList};

fn amounts(list: &UtxoList) -> Vec<u128> {
    list.utxos.iter().map(|utxo| utxo.value.cents()).collect()
}
fn listed(state: &State, filter: UtxoFilter) -> Vec<u128> {
    amounts(&state.utxos(&filter, NOW))
}
fn all() -> UtxoFilter {
    UtxoFilter::default()
}

#[test]
fn outputs_are_taken_as_long_as_they_fit_under_the_maximum() {
    let state = holding(&[97, 100, 200, 49]);
    let list = state.utxos(&UtxoFilter { maximum_amount: Some(cents(150)), ..all() }, NOW);
    assert_eq!(amounts(&list), [97, 49]);
    assert_eq!((list.available, list.available_count), (cents(146), 2));
    assert_eq!((list.locked, list.locked_count), (cents(0), 0));
    let to_the_cent = UtxoFilter { maximum_amount: Some(cents(146)), ..all() };
    assert_eq!(listed(&state, to_the_cent), [97, 49]);
}

#[test]
fn without_filters_everything_is_listed_with_totals() {
    let list = holding(&[97, 100, 200, 49]).utxos(&all(), NOW);
    assert_eq!(amounts(&list), [97, 100, 200, 49]);
    assert_eq!((list.available, list.available_count), (cents(446), 4));
}

#[test]
fn bounds_are_strict_and_a_count_stops() {
    let state = holding(&[97, 100, 200, 49]);
    let between = UtxoFilter { bigger_than: Some(cents(49)), smaller_than: Some(cents(200)), ..all() };
    assert_eq!(listed(&state, between), [97, 100]);
    let list = state.utxos(&UtxoFilter { max_utxos: Some(1), ..between }, NOW);
    assert_eq!((amounts(&list), list.available), (vec![97], cents(97)));
}

#[test]
fn loading_puts_the_newest_first_and_what_comes_later_last() {
    let mut state = wallet();
    let to = state.address(0).unwrap();
    let at = |number, timestamp, values: &[u64]| Vertex {
        timestamp,
        ..vertex(number, values.iter().map(|value| output(to, *value, NATIVE)).collect())
    };
    for vertex in [at(1, 50, &[1]), at(2, 70, &[2, 3]), at(3, 60, &[4]), at(4, 60, &[5])] {
        let _ = state.apply(vertex);
    }
    state.loaded();
    let _ = state.apply(at(5, 10, &[6]));
    assert_eq!(listed(&state, all()), [2, 3, 5, 4, 1, 6]);
    // A confirmation keeps the place.
    let _ = state.apply(Vertex { first_block: Some(id(99)), ..at(2, 70, &[2, 3]) });
    assert_eq!(listed(&state, all()), [2, 3, 5, 4, 1, 6]);
    // A restart is a load.
    let again = State::restore(account(), settings(), state.snapshot());
    assert_eq!(listed(&again, all()), [2, 3, 5, 4, 1, 6]);
}

#[test]
fn tokens_and_addresses_are_told_apart_and_authorities_left_out() {
    let mut state = wallet();
    let (one, other) = (state.address(0).unwrap(), state.address(1).unwrap());
    let outputs = vec![
        output(one, 1, NATIVE),
        output(other, 2, NATIVE),
        output(one, 3, custom(8)),
        output(other, 4, custom(8)),
        authority(one, 1, custom(8)),
    ];
    let _ = state.apply(vertex(1, outputs));
    assert_eq!(listed(&state, UtxoFilter { token: custom(8), ..all() }), [3, 4]);
    assert_eq!(listed(&state, UtxoFilter { token: custom(8), address: Some(one), ..all() }), [3]);
    assert_eq!(listed(&state, UtxoFilter { address: Some(other), ..all() }), [2]);
    assert_eq!(listed(&state, UtxoFilter { address: Some(foreign()), ..all() }), []);
    assert_eq!(listed(&state, UtxoFilter { token: custom(7), ..all() }), []);
    assert_eq!(state.tokens().collect::<Vec<_>>(), [NATIVE, custom(8)]);
}

#[test]
fn locked_outputs_count_apart_and_may_be_left_out() {
    let mut state = wallet();
    let to = state.address(0).unwrap();
    let locked = SpentOutput { script: pays(to, Some(NOW)), ..output(to, 100, NATIVE) };
    let _ = state.apply(vertex(1, vec![output(to, 60, NATIVE), locked, output(to, 80, NATIVE)]));
    let list = state.utxos(&all(), NOW);
    assert_eq!(list.utxos.iter().map(|utxo| utxo.locked).collect::<Vec<_>>(), [false, true, false]);
    assert_eq!((list.available, list.available_count), (cents(140), 2));
    assert_eq!((list.locked, list.locked_count), (cents(100), 1));
    assert_eq!(listed(&state, UtxoFilter { only_available: true, ..all() }), [60, 80]);
    // The documented interface: the total of what is returned. Release 0.39: only what is unlocked adds up.
    let capped = UtxoFilter { maximum_amount: Some(cents(160)), ..all() };
    assert_eq!(listed(&state, capped), [60, 100]);
    assert_eq!(listed(&state, UtxoFilter { maximum_counts_locked: false, ..capped }), [60, 100, 80]);
}

#[test]
fn reserved_outputs_are_listed_unless_only_available_ones_are_wanted() {
    let mut state = holding(&[10, 20]);
    let plan = state.plan_send(&send(vec![pay(20, NATIVE)]), NOW, LATER).unwrap();
    let list = state.utxos(&all(), NOW);
    assert_eq!(
        list.utxos.iter().map(|utxo| (utxo.locked, utxo.reserved)).collect::<Vec<_>>(),
        [(false, false), (false, true)]
    );
    let available = UtxoFilter { only_available: true, ..all() };
    assert_eq!(listed(&state, available), [10]);
    assert_eq!(amounts(&state.utxos(&available, LATER)), [10, 20]);
    state.release(plan.reservation);
    assert_eq!(listed(&state, available), [10, 20]);
}
