//! Blocks: what they confirm, when their rewards can be spent, and undoing them.

use crate::support::{Draft, NOW, Party, chain, fund, refusal};
use headless_wallet::devnet::chain::{Chain, FAUCET_KEY_HASH, Genesis, Rules};
use headless_wallet::ledger::{Address, Amount, Network, TokenUid, target_met};

#[test]
fn a_block_builds_on_the_best_one_and_pays_its_miner() {
    let mut chain = chain();
    let miner = Party::new(9);
    let (before, height) = chain.best_block();
    let tx = fund(&mut chain, &miner, 5, NOW);
    let id = chain.mine_block(miner.script(), NOW);
    assert_eq!(chain.best_block(), (id, height + 1));
    assert_eq!(chain.block_at(height + 1), Some(id));
    let stored = chain.get(&id).unwrap();
    assert!(target_met(&id, 1.0));
    assert_eq!(stored.parents()[0], before);
    assert_eq!(stored.parents()[1], tx);
    assert_eq!(stored.outputs()[0].value, Amount::new(6_400));
    // Later than what it confirms.
    assert_eq!(stored.timestamp(), NOW + 1);
    assert_eq!(stored.block().unwrap().to_bytes().unwrap(), stored.bytes);
    assert_eq!(stored.meta.score, chain.get(&before).unwrap().meta.score + 4);
    let vertex = chain.vertex(&id).unwrap();
    assert_eq!((vertex.version, vertex.height, vertex.voided), (0, Some(height + 1), false));
    assert_eq!(chain.history_of(&miner.address()).collect::<Vec<_>>(), [tx, id]);
}

#[test]
fn a_transaction_ahead_of_the_clock_takes_blocks_and_parents_along() {
    let mut chain = chain();
    let party = Party::new(1);
    let coin = fund(&mut chain, &party, 5, NOW);
    let ahead = Draft::new(&chain, NOW + 100).spend(coin, 0, &party).to(&party, 5).bytes();
    let ahead = chain.push(&ahead, NOW).unwrap();
    assert!(!chain.tx_parents(NOW + 1).contains(&ahead));
    for height in 0..2 {
        let block = chain.mine_block(vec![0x51], NOW + 1);
        assert_eq!(chain.get(&block).unwrap().timestamp(), NOW + 101 + height);
        assert_eq!(chain.mempool().count(), 0);
        assert_eq!(chain.tx_parents(NOW + 1), [ahead, coin]);
    }
    let block = chain.mine_block(vec![0x51], NOW + 200);
    assert_eq!(chain.get(&block).unwrap().timestamp(), NOW + 200);
}

#[test]
fn rewards_open_after_as_many_blocks_as_the_rules_say() {
    let mut chain = Chain::new(Rules { reward_spend_min_blocks: 3, ..Rules::default() }, Genesis::private());
    let miner = Party::new(9);
    let block = chain.mine_block(miner.script(), NOW);
    for n in 1..=3 {
        let tx = Draft::new(&chain, NOW + n).spend(block, 0, &miner).to(&miner, 6_400).bytes();
        assert_eq!(refusal(chain.push(&tx, NOW + n)), "Spent reward is locked.", "{n}");
        chain.mine_block(vec![0x51], NOW + n);
    }
    let tx = Draft::new(&chain, NOW + 9).spend(block, 0, &miner).to(&miner, 6_400).bytes();
    let tx = chain.push(&tx, NOW + 9).unwrap();
    let height = chain.get(&block).unwrap().meta.height.unwrap();
    assert_eq!(chain.get(&tx).unwrap().meta.min_height, height + 4);
}

#[test]
fn an_undone_block_gives_its_transactions_back() {
    let mut chain = chain();
    let (party, miner) = (Party::new(1), Party::new(9));
    let tx = fund(&mut chain, &party, 5, NOW);
    let (before, height) = chain.best_block();
    let block = chain.mine_block(miner.script(), NOW);
    assert_eq!(chain.undo_blocks(1), [block]);
    assert_eq!(chain.best_block(), (before, height));
    assert_eq!(chain.block_at(height + 1), None);
    assert_eq!(chain.get(&block).unwrap().meta.voided_by, [block].into());
    assert_eq!(chain.get(&tx).unwrap().meta.first_block, None);
    assert!(!chain.get(&tx).unwrap().is_voided());
    assert_eq!(chain.mempool().collect::<Vec<_>>(), [tx]);
    // It stays in the miner's history, voided.
    assert_eq!(chain.history_of(&miner.address()).collect::<Vec<_>>(), [block]);
    assert!(chain.vertex(&block).unwrap().voided);

    let again = chain.mine_block(vec![0x51], NOW + 5);
    assert_eq!(chain.get(&tx).unwrap().meta.first_block, Some(again));
    assert_eq!(chain.first_block_height(&tx), Some(height + 1));
}

#[test]
fn what_spends_the_reward_of_an_undone_block_is_voided() {
    let mut chain = chain();
    let (miner, party) = (Party::new(9), Party::new(1));
    let block = chain.mine_block(miner.script(), NOW);
    chain.mine_block(vec![0x51], NOW + 1);
    let spend = Draft::new(&chain, NOW + 3).spend(block, 0, &miner).to(&party, 6_400).bytes();
    let spend = chain.push(&spend, NOW + 3).unwrap();
    let onward = Draft::new(&chain, NOW + 4).spend(spend, 0, &party).to(&party, 6_400).bytes();
    let onward = chain.push(&onward, NOW + 4).unwrap();
    let top = chain.mine_block(vec![0x51], NOW + 5);
    let supply = chain.token(TokenUid::Native).unwrap().total;

    assert_eq!(chain.undo_blocks(1), [top]);
    assert_eq!(chain.mempool().collect::<Vec<_>>(), [spend, onward]);
    chain.undo_blocks(2);
    for id in [spend, onward] {
        assert_eq!(chain.get(&id).unwrap().meta.voided_by, [block].into());
    }
    assert_eq!(chain.mempool().count(), 0);
    let lost = Amount::new(3 * 6_400);
    assert_eq!(chain.token(TokenUid::Native).unwrap().total, supply.saturating_sub(lost));
    // Nothing brings them back.
    chain.mine_block(vec![0x51], NOW + 6);
    assert!(chain.get(&spend).unwrap().is_voided());
}

#[test]
fn a_spend_of_a_reward_that_is_locked_again_waits() {
    let mut chain = chain();
    let miner = Party::new(9);
    let block = chain.mine_block(miner.script(), NOW);
    chain.mine_block(vec![0x51], NOW + 1);
    let spend = Draft::new(&chain, NOW + 3).spend(block, 0, &miner).to(&miner, 6_400).bytes();
    let spend = chain.push(&spend, NOW + 3).unwrap();
    chain.undo_blocks(1);
    chain.mine_block(vec![0x51], NOW + 5);
    assert_eq!(chain.mempool().collect::<Vec<_>>(), [spend]);
    let next = chain.mine_block(vec![0x51], NOW + 6);
    assert_eq!(chain.get(&spend).unwrap().meta.first_block, Some(next));
}

#[test]
fn a_block_like_an_undone_one_is_another_block() {
    let mut chain = chain();
    let miner = Party::new(9);
    let block = chain.mine_block(miner.script(), NOW);
    chain.undo_blocks(1);
    let again = chain.mine_block(miner.script(), NOW);
    assert_ne!(again, block);
    assert_eq!(chain.history_of(&miner.address()).count(), 2);
    assert!(chain.get(&block).unwrap().is_voided());
    assert_eq!(chain.best_block().0, again);
}

#[test]
fn genesis_is_never_undone() {
    let mut chain = chain();
    chain.mine_block(vec![0x51], NOW);
    assert_eq!(chain.undo_blocks(100).len(), 2);
    let [genesis, first, second] = chain.genesis();
    assert_eq!(chain.best_block(), (genesis, 0));
    assert_eq!(chain.tx_parents(NOW), [second, first]);
    assert_eq!(chain.undo_blocks(1), []);
    let faucet = Address::p2pkh(Network::Privatenet, FAUCET_KEY_HASH);
    assert_eq!(chain.faucet_address(), faucet);
    // The genesis coins are locked until there is a block again.
    let party = Party::new(1).address();
    let error = chain.fund(party, Amount::new(1), NOW).unwrap_err();
    assert_eq!(error.to_string(), "the faucet's transaction was refused: Spent reward is locked.");
    chain.mine_block(vec![0x51], NOW);
    chain.fund(party, Amount::new(1), NOW).unwrap();
}

#[test]
fn parents_are_older_than_the_transaction_that_asks() {
    let mut chain = chain();
    let party = Party::new(1);
    let [_, genesis_1, genesis_2] = chain.genesis();
    let many: Vec<_> = (0..10).map(|_| fund(&mut chain, &party, 5, NOW)).collect();
    assert_eq!(chain.tx_parents(NOW), [genesis_2, genesis_1]);
    let parents = chain.tx_parents(NOW + 1);
    assert!(parents.iter().all(|parent| many.contains(parent)), "{parents:?}");
    assert_ne!(parents[0], parents[1]);
    let newer = fund(&mut chain, &party, 5, NOW + 1);
    assert_eq!(chain.tx_parents(NOW + 2)[0], newer);
    assert_eq!(chain.parents_before(NOW + 2)[0], newer);
}

#[test]
fn parents_are_what_nothing_builds_on() {
    let mut chain = chain();
    let party = Party::new(1);
    let [_, genesis_1, genesis_2] = chain.genesis();
    let coins = [1, 2].map(|n| fund(&mut chain, &party, 5, NOW + n));
    chain.mine_block(vec![0x51], NOW + 3);
    // Nothing is left to confirm: the newest of what is confirmed is taken again.
    assert_eq!(chain.tx_parents(NOW + 4), [coins[1], coins[0]]);
    let push = |chain: &mut Chain, spent, parents: &[_], n| {
        let draft = Draft::new(chain, NOW + n).spend(spent, 0, &party).to(&party, 5).parents(parents);
        chain.push(&draft.bytes(), NOW + n).unwrap()
    };
    let old = push(&mut chain, coins[0], &[genesis_2, genesis_1], 4);
    assert_eq!(chain.tx_parents(NOW + 9), [old, coins[1]]);
    let other = push(&mut chain, coins[1], &[genesis_2, genesis_1], 5);
    assert_eq!(chain.tx_parents(NOW + 9), [other, old]);
    let child = push(&mut chain, old, &[other, coins[1]], 6);
    assert_eq!(chain.tx_parents(NOW + 9), [child, other]);
}
