//! Addresses: the gap, the current one, and looking them up.

use crate::support::*;
use headless_wallet::ledger::{Address, Network, SpentOutput};
use headless_wallet::wallet::{AddressInfo, ChangeSet, Scan, Settings, State};

fn wallet_with_gap(gap_limit: u32) -> State {
    State::new(account(), Settings { scan: Scan::GapLimit(gap_limit), ..settings() })
}

#[test]
fn a_new_wallet_watches_the_gap_and_is_at_address_0() {
    let state = wallet();
    assert_eq!(state.addresses_to_watch(0), 0..20);
    assert_eq!(state.addresses_to_watch(20), 20..20);
    assert_eq!(state.current_address().to_string(), "HP4p5GK1b3hSvtMq1fH6on2effpqK1u9dq");
    assert_eq!(state.addresses().len(), 20);
    assert_eq!(wallet_with_gap(0).addresses_to_watch(0), 0..1);
}

#[test]
fn addresses_past_those_watched_can_be_asked_for_without_becoming_the_wallets() {
    let state = wallet();
    let far = state.address(1000).unwrap();
    assert_eq!(state.index_of(&far), None);
    assert_eq!(state.addresses().len(), 20);
    assert_eq!(state.address_text(1000), None);
    assert_eq!(state.address(1 << 31), None);
}

#[test]
fn texts_and_indexes_belong_to_their_addresses() {
    let state = wallet();
    for (index, address) in (0..).zip(state.addresses()) {
        assert_eq!(state.address(index), Some(address));
        assert_eq!(state.index_of(&address), Some(index));
        assert_eq!(state.address_text(index), Some(address.to_string().as_str()));
    }
    // The same hash paid in another way, or on another network, is not the wallet's.
    let hash = state.address(0).unwrap().hash();
    assert_eq!(state.index_of(&Address::p2sh(Network::Mainnet, hash)), None);
    assert_eq!(state.index_of(&Address::p2pkh(Network::Testnet, hash)), None);
}

#[test]
fn marking_as_used_walks_to_the_last_derived_address_and_stays_there() {
    let mut state = wallet_with_gap(3);
    let walked: Vec<_> = (0..5).map(|_| state.next_address()).collect();
    let moved = |index| ChangeSet { current_index: Some(index), ..ChangeSet::default() };
    let at = |index: u32| state.address(index).unwrap();
    let expected = [(at(0), moved(1)), (at(1), moved(2)), (at(2), moved(3)), (at(2), ChangeSet::default())];
    assert_eq!(walked[..4], expected);
    assert_eq!(state.current_index(), 2);
    let _ = state.apply(vertex(1, vec![output(at(0), 1, NATIVE)]));
    assert_eq!(state.current_index(), 3);
}

#[test]
fn the_current_address_never_goes_back() {
    let mut state = wallet();
    for _ in 0..5 {
        let _ = state.next_address();
    }
    let _ = state.apply(vertex(1, vec![output(state.address(2).unwrap(), 1, NATIVE)]));
    assert_eq!(state.current_index(), 5);
    let mut used = vertex(2, vec![output(state.address(8).unwrap(), 1, NATIVE)]);
    let _ = state.apply(used.clone());
    assert_eq!(state.current_index(), 9);
    used.voided = true;
    let _ = state.apply(used);
    assert_eq!(state.current_index(), 9);
}

#[test]
fn a_voided_vertex_uses_its_addresses() {
    let mut state = wallet();
    let mut tx = vertex(1, vec![output(state.address(7).unwrap(), 1, NATIVE)]);
    tx.voided = true;
    let _ = state.apply(tx);
    assert_eq!(state.current_index(), 8);
    assert_eq!(state.addresses_to_watch(20), 20..28);
    assert_eq!(state.balance(NATIVE, NOW).available, cents(0));
}

#[test]
fn address_info_says_what_came_and_what_is_left() {
    let mut state = wallet();
    let to = state.address(0).unwrap();
    let locked = SpentOutput { script: pays(to, Some(NOW + 5)), ..output(to, 20, NATIVE) };
    let first =
        vertex(1, vec![output(to, 100, NATIVE), locked, output(to, 3, NATIVE), authority(to, 1, custom(9))]);
    let _ = state.apply(first.clone());
    let _ = state.apply(spending(2, &[(&first, 0)], vec![output(foreign(), 100, NATIVE)]));
    let info = AddressInfo {
        index: 0,
        received: cents(123),
        sent: cents(100),
        available: cents(3),
        locked: cents(20),
    };
    assert_eq!(state.address_info(&to, NATIVE, NOW), Some(info));
    let nothing =
        AddressInfo { index: 0, received: cents(0), sent: cents(0), available: cents(0), locked: cents(0) };
    assert_eq!(state.address_info(&to, custom(9), NOW), Some(nothing));
    assert_eq!(state.address_info(&to, custom(1), NOW), Some(nothing));
    assert_eq!(state.address_info(&foreign(), NATIVE, NOW), None);
}
