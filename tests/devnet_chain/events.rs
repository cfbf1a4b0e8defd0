//! What listeners are told, in the recorded order.

use crate::support::{Draft, NOW, Party, chain, fund};
use headless_wallet::devnet::chain::{Chain, ChainEvent, addresses_of};
use headless_wallet::ledger::{Network, VertexId};

/// Kind, vertex and whether it is voided, of each event.
fn told(chain: &mut Chain) -> Vec<(&'static str, VertexId, bool)> {
    let events = chain.drain_events();
    let told = events.into_iter().map(|event| match event {
        ChainEvent::Touched(vertex) => ("touched", vertex.id, vertex.voided),
        ChainEvent::Accepted(vertex) => ("accepted", vertex.id, vertex.voided),
    });
    told.collect()
}

/// A chain with a confirmed coin of party 1 and nothing left to tell.
fn start() -> (Chain, Party, VertexId) {
    let mut chain = chain();
    assert_eq!(told(&mut chain), []);
    let party = Party::new(1);
    let coin = fund(&mut chain, &party, 1_000, NOW);
    chain.mine_block(vec![0x51], NOW);
    chain.drain_events();
    (chain, party, coin)
}

#[test]
fn a_transaction_is_told_twice_and_then_what_it_spends() {
    let (mut chain, party, coin) = start();
    let tx = Draft::new(&chain, NOW + 2).spend(coin, 0, &party).to(&Party::new(2), 1_000).bytes();
    let tx = chain.push(&tx, NOW + 2).unwrap();
    let events = chain.drain_events();
    let [
        ChainEvent::Touched(first),
        ChainEvent::Accepted(accepted),
        ChainEvent::Touched(second),
        ChainEvent::Touched(spent),
    ] = events.as_slice()
    else {
        panic!("{events:?}");
    };
    assert_eq!([first.id, accepted.id, second.id], [tx; 3]);
    assert_eq!(**second, chain.vertex(&tx).unwrap());
    assert_eq!(spent.id, coin);
    assert_eq!(spent.outputs[0].spent_by, Some(tx));
    assert_eq!(addresses_of(first, Network::Privatenet), [Party::new(2).address(), party.address()]);
}

#[test]
fn a_refused_transaction_is_not_told() {
    let (mut chain, party, coin) = start();
    let tx = Draft::new(&chain, NOW + 2).spend(coin, 0, &party).to(&party, 1_001).bytes();
    chain.push(&tx, NOW + 2).unwrap_err();
    assert_eq!(told(&mut chain), []);
}

#[test]
fn a_block_is_told_and_what_it_confirms_is_not() {
    let (mut chain, party, _) = start();
    fund(&mut chain, &party, 5, NOW + 2);
    chain.drain_events();
    let block = chain.mine_block(party.script(), NOW + 2);
    assert_eq!(
        told(&mut chain),
        [("touched", block, false), ("accepted", block, false), ("touched", block, false)]
    );
    // Undone: it is told, and what is back in the mempool is not.
    chain.undo_blocks(1);
    assert_eq!(told(&mut chain), [("touched", block, true)]);
}

#[test]
fn the_loser_of_a_conflict_is_told() {
    let (mut chain, party, coin) = start();
    let spend = |chain: &Chain, friend, weight| {
        Draft::new(chain, NOW + 2)
            .spend(coin, 0, &party)
            .to(&Party::new(friend), 1_000)
            .weight(weight)
            .bytes()
    };
    let light = spend(&chain, 2, 1.0);
    let light = chain.push(&light, NOW + 2).unwrap();
    chain.drain_events();
    let heavy = spend(&chain, 3, 6.0);
    let heavy = chain.receive(&heavy, NOW + 2).unwrap();
    assert_eq!(
        told(&mut chain),
        [
            ("touched", heavy, false),
            ("accepted", heavy, false),
            ("touched", heavy, false),
            ("touched", coin, false),
            ("touched", light, true),
        ]
    );
}

#[test]
fn a_tie_is_told_of_both_and_a_lift_of_the_one() {
    let (mut chain, party, coin) = start();
    let other = fund(&mut chain, &party, 5, NOW + 1);
    let spend = |chain: &Chain, friend| {
        Draft::new(chain, NOW + 2).spend(coin, 0, &party).to(&Party::new(friend), 1_000).weight(3.0).bytes()
    };
    let first = spend(&chain, 2);
    let first = chain.push(&first, NOW + 2).unwrap();
    chain.drain_events();
    let second = spend(&chain, 3);
    let second = chain.receive(&second, NOW + 2).unwrap();
    assert_eq!(
        told(&mut chain),
        [
            ("touched", second, false),
            ("accepted", second, true),
            ("touched", second, true),
            ("touched", coin, false),
            ("touched", first, true),
        ]
    );
    let child = Draft::new(&chain, NOW + 3).spend(other, 0, &party).to(&party, 5).parents(&[other, first]);
    let child = chain.push(&child.bytes(), NOW + 3).unwrap();
    assert_eq!(
        told(&mut chain),
        [
            ("touched", child, false),
            ("accepted", child, false),
            ("touched", child, false),
            ("touched", other, false),
            ("touched", first, false),
            ("touched", coin, false),
        ]
    );
}
