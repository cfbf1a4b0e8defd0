//! Conflicts let in as from another node: the recorded cases of a real node, and what builds on the losers.

use crate::support::{Draft, NOW, Party, chain, fund, refusal};
use headless_wallet::devnet::chain::{Chain, Meta};
use headless_wallet::ledger::VertexId;
use std::collections::BTreeSet;

fn meta<'a>(chain: &'a Chain, id: &VertexId) -> &'a Meta {
    &chain.get(id).unwrap().meta
}

fn voided_by(chain: &Chain, id: &VertexId) -> Vec<VertexId> {
    meta(chain, id).voided_by.iter().copied().collect()
}

fn mempool(chain: &Chain) -> BTreeSet<VertexId> {
    chain.mempool().collect()
}

/// A chain, party 1, and a confirmed coin of 1,000 that it owns.
fn start() -> (Chain, Party, VertexId) {
    let mut chain = chain();
    let party = Party::new(1);
    let coin = fund(&mut chain, &party, 1_000, NOW);
    chain.mine_block(vec![0x51], NOW);
    (chain, party, coin)
}

/// A spend of `coin` to one of party 1's friends, at a second and a weight.
fn spend(chain: &Chain, coin: VertexId, friend: u8, second: u32, weight: f64) -> Draft {
    let (party, friend) = (Party::new(1), Party::new(friend));
    Draft::new(chain, NOW + second).spend(coin, 0, &party).to(&friend, 1_000).weight(weight)
}

#[test]
fn the_heavier_one_wins() {
    let (mut chain, party, coin) = start();
    let later = NOW + 10;
    let (light, heavy) = (spend(&chain, coin, 2, 2, 1.0).bytes(), spend(&chain, coin, 3, 2, 6.0).bytes());
    let light = (chain.push(&light, later).unwrap(), light);
    assert_eq!(
        refusal(chain.push(&heavy, later)),
        "Invalid transaction. At least one of your inputs has already been spent."
    );
    let heavy = chain.receive(&heavy, later).unwrap();
    let (light, light_bytes) = light;
    assert_eq!(voided_by(&chain, &light), [light]);
    assert_eq!(meta(&chain, &light).conflict_with, [heavy]);
    assert_eq!(meta(&chain, &light).accumulated_work, 2);
    assert_eq!(voided_by(&chain, &heavy), []);
    assert_eq!(meta(&chain, &heavy).conflict_with, [light]);
    assert_eq!(meta(&chain, &heavy).accumulated_work, 64);
    assert_eq!(mempool(&chain), [heavy].into());
    assert_eq!(chain.vertex(&coin).unwrap().outputs[0].spent_by, Some(heavy));
    assert_eq!(chain.spent_outputs(&coin), [(0, heavy)].into());
    assert_eq!(chain.history_of(&Party::new(2).address()).collect::<Vec<_>>(), [light]);

    assert_eq!(refusal(chain.push(&light_bytes, later)), format!("Transaction already exists {light}"));
    let onward = Draft::new(&chain, NOW + 3).spend(light, 0, &Party::new(2)).to(&party, 1_000);
    assert_eq!(
        refusal(chain.push(&onward.bytes(), later)),
        "Invalid transaction. At least one input is voided."
    );

    // A voided parent is taken, and voids.
    let other = fund(&mut chain, &party, 5, NOW + 2);
    let child = Draft::new(&chain, NOW + 4).spend(other, 0, &party).to(&party, 5).parents(&[light, heavy]);
    let child = chain.push(&child.bytes(), later).unwrap();
    assert_eq!(voided_by(&chain, &child), [light]);
    assert_eq!(meta(&chain, &light).accumulated_work, 4);
    assert_eq!(meta(&chain, &light).children, [child].into());

    let block = chain.mine_block(vec![0x51], later);
    assert_eq!(meta(&chain, &heavy).first_block, Some(block));
    assert_eq!(chain.first_block_height(&heavy), Some(3));
    assert_eq!(meta(&chain, &light).first_block, None);
    assert_eq!(meta(&chain, &child).first_block, None);
    assert_eq!(mempool(&chain), [].into());
}

#[test]
fn a_lighter_one_arrives_voided() {
    let (mut chain, _, coin) = start();
    let heavy = chain.push(&spend(&chain, coin, 2, 2, 6.0).bytes(), NOW + 10).unwrap();
    let light = chain.receive(&spend(&chain, coin, 3, 2, 1.0).bytes(), NOW + 10).unwrap();
    assert_eq!(voided_by(&chain, &heavy), []);
    assert_eq!(voided_by(&chain, &light), [light]);
    assert_eq!(chain.vertex(&coin).unwrap().outputs[0].spent_by, Some(heavy));
}

#[test]
fn equal_ones_are_both_voided_until_a_child_lifts_one() {
    let (mut chain, party, coin) = start();
    let later = NOW + 10;
    let other = fund(&mut chain, &party, 5, NOW + 1);
    let first = chain.push(&spend(&chain, coin, 2, 2, 3.0).bytes(), later).unwrap();
    let second = chain.receive(&spend(&chain, coin, 3, 2, 3.0).bytes(), later).unwrap();
    for (id, rival) in [(first, second), (second, first)] {
        assert_eq!(voided_by(&chain, &id), [id]);
        assert_eq!(meta(&chain, &id).conflict_with, [rival]);
        assert_eq!(meta(&chain, &id).accumulated_work, 8);
    }
    assert_eq!(chain.vertex(&coin).unwrap().outputs[0].spent_by, None);
    assert_eq!(mempool(&chain), [other].into());
    assert!(!chain.tx_parents(later).contains(&first));

    let child = Draft::new(&chain, NOW + 3).spend(other, 0, &party).to(&party, 5).parents(&[other, first]);
    let child = chain.push(&child.weight(5.0).bytes(), later).unwrap();
    assert_eq!(voided_by(&chain, &first), []);
    assert_eq!(meta(&chain, &first).accumulated_work, 40);
    assert_eq!(meta(&chain, &first).children, [child].into());
    assert_eq!(voided_by(&chain, &second), [second]);
    assert_eq!(meta(&chain, &second).accumulated_work, 8);
    assert_eq!(voided_by(&chain, &child), []);
    assert_eq!(chain.vertex(&coin).unwrap().outputs[0].spent_by, Some(first));

    let block = chain.mine_block(vec![0x51], later);
    assert_eq!(meta(&chain, &first).first_block, Some(block));
    assert_eq!(meta(&chain, &second).first_block, None);
}

#[test]
fn a_third_one_beats_a_tie() {
    let (mut chain, _, coin) = start();
    let first = chain.push(&spend(&chain, coin, 2, 2, 3.0).bytes(), NOW + 10).unwrap();
    let second = chain.receive(&spend(&chain, coin, 3, 2, 3.0).bytes(), NOW + 10).unwrap();
    // Nobody that counts spends the coin, so a node takes the third one even from a wallet.
    let third = chain.push(&spend(&chain, coin, 4, 2, 4.0).bytes(), NOW + 10).unwrap();
    assert_eq!(voided_by(&chain, &first), [first]);
    assert_eq!(voided_by(&chain, &second), [second]);
    assert_eq!(voided_by(&chain, &third), []);
    assert_eq!(meta(&chain, &third).conflict_with, [first, second]);
    assert_eq!(mempool(&chain), [third].into());
}

#[test]
fn eight_may_spend_one_output_and_no_ninth() {
    let (mut chain, _, coin) = start();
    let spends: Vec<_> = (2..11).map(|friend| spend(&chain, coin, friend, 2, 3.0).bytes()).collect();
    let (ninth, eight) = spends.split_last().unwrap();
    for bytes in eight {
        chain.receive(bytes, NOW + 10).unwrap();
    }
    assert_eq!(refusal(chain.receive(ninth, NOW + 10)), "full validation failed: ");
    assert_eq!(refusal(chain.push(ninth, NOW + 10)), "full validation failed: ");
}

#[test]
fn eight_inputs_may_be_contested_and_no_ninth() {
    let (mut chain, party, _) = start();
    let coins: Vec<_> = (0..9).map(|second| fund(&mut chain, &party, 10, NOW + second)).collect();
    let all = |chain: &Chain, coins: &[VertexId], friend| {
        let draft = Draft::new(chain, NOW + 20);
        let draft = coins.iter().fold(draft, |draft, coin| draft.spend(*coin, 0, &party));
        draft.to(&Party::new(friend), 10 * coins.len() as u64).bytes()
    };
    chain.push(&all(&chain, &coins, 2), NOW + 30).unwrap();
    let nine = all(&chain, &coins, 3);
    assert_eq!(refusal(chain.receive(&nine, NOW + 30)), "full validation failed: ");
    chain.receive(&all(&chain, &coins[..8], 3), NOW + 30).unwrap();
}

#[test]
fn what_builds_on_a_loser_goes_and_comes_with_it() {
    let (mut chain, party, coin) = start();
    let later = NOW + 20;
    let friend = Party::new(2);
    let loser = chain.push(&spend(&chain, coin, 2, 2, 1.0).bytes(), later).unwrap();
    let child = Draft::new(&chain, NOW + 3).spend(loser, 0, &friend).to(&party, 1_000);
    let child = chain.push(&child.bytes(), later).unwrap();
    let grandchild = Draft::new(&chain, NOW + 4).spend(child, 0, &party).to(&friend, 1_000);
    let grandchild = chain.push(&grandchild.bytes(), later).unwrap();
    assert_eq!(chain.accumulated_work(&loser), Some(6));

    let winner = chain.receive(&spend(&chain, coin, 3, 2, 3.0).bytes(), later).unwrap();
    for id in [loser, child, grandchild] {
        assert_eq!(voided_by(&chain, &id), [loser]);
    }
    assert_eq!(meta(&chain, &loser).accumulated_work, 6);
    assert_eq!(mempool(&chain), [winner].into());

    // 6 + 8 is more than 8: the loser wins with a great-grandchild.
    let last = Draft::new(&chain, NOW + 5).spend(grandchild, 0, &friend).to(&party, 1_000).weight(3.0);
    let [_, first, second] = chain.genesis();
    let last = chain.receive(&last.parents(&[first, second]).bytes(), later).unwrap();
    for id in [loser, child, grandchild, last] {
        assert_eq!(voided_by(&chain, &id), []);
    }
    assert_eq!(voided_by(&chain, &winner), [winner]);
    assert_eq!(mempool(&chain), [loser, child, grandchild, last].into());
}

#[test]
fn a_conflict_with_one_of_two_coins_frees_the_other() {
    let (mut chain, party, coin) = start();
    let other = fund(&mut chain, &party, 50, NOW + 1);
    let later = NOW + 10;
    let both = Draft::new(&chain, NOW + 2).spend(coin, 0, &party).spend(other, 0, &party).to(&party, 1_050);
    let both = chain.push(&both.bytes(), later).unwrap();
    let one = chain.receive(&spend(&chain, coin, 3, 2, 5.0).bytes(), later).unwrap();
    assert_eq!(voided_by(&chain, &both), [both]);
    assert_eq!(chain.vertex(&other).unwrap().outputs[0].spent_by, None);
    let again = Draft::new(&chain, NOW + 3).spend(other, 0, &party).to(&party, 50);
    let again = chain.push(&again.bytes(), later).unwrap();
    assert_eq!(meta(&chain, &again).conflict_with, [both]);
    assert_eq!(voided_by(&chain, &again), []);
    assert_eq!(mempool(&chain), [other, one, again].into());
}

#[test]
fn twins_do_the_same_at_another_time() {
    let (mut chain, _, coin) = start();
    let first = chain.push(&spend(&chain, coin, 2, 2, 1.0).bytes(), NOW + 10).unwrap();
    let twin = chain.receive(&spend(&chain, coin, 2, 3, 1.0).bytes(), NOW + 10).unwrap();
    let other = chain.receive(&spend(&chain, coin, 3, 3, 1.0).bytes(), NOW + 10).unwrap();
    assert_eq!(meta(&chain, &first).twins, [twin]);
    assert_eq!(meta(&chain, &twin).twins, [first]);
    assert!(meta(&chain, &other).twins.is_empty());
}

#[test]
fn a_heavier_spend_than_a_confirmed_one_takes_the_block_with_it() {
    let (mut chain, party, coin) = start();
    let later = NOW + 10;
    let other = fund(&mut chain, &party, 5, NOW + 1);
    let confirmed = chain.push(&spend(&chain, coin, 2, 2, 1.0).bytes(), later).unwrap();
    let bystander = Draft::new(&chain, NOW + 2).spend(other, 0, &party).to(&party, 5);
    let bystander = chain.push(&bystander.bytes(), later).unwrap();
    let block = chain.mine_block(Party::new(9).script(), later);
    assert_eq!(chain.best_block(), (block, 3));

    let heavy = spend(&chain, coin, 3, 2, 10.0).bytes();
    assert_eq!(
        refusal(chain.push(&heavy, later)),
        "Invalid transaction. At least one of your inputs has already been spent."
    );
    let heavy = chain.receive(&heavy, later).unwrap();
    assert_eq!(voided_by(&chain, &confirmed), [confirmed]);
    assert_eq!(meta(&chain, &confirmed).first_block, None);
    // The confirmed one's own work, and the block's.
    assert_eq!(meta(&chain, &confirmed).accumulated_work, 4);
    assert_eq!(meta(&chain, &block).voided_by, [block, confirmed].into());
    assert_eq!(chain.best_block().1, 2);
    assert_eq!(mempool(&chain), [other, bystander, heavy].into());

    let next = chain.mine_block(vec![0x51], later + 1);
    assert_eq!(chain.best_block(), (next, 3));
    for id in [other, bystander, heavy] {
        assert_eq!(meta(&chain, &id).first_block, Some(next));
    }
    assert_eq!(mempool(&chain), [].into());
}
