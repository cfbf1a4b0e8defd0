//! What the network starts with, and the faucet.

use crate::support::{Draft, NOW, Party, chain};
use headless_wallet::devnet::chain::{
    Chain, FAUCET_COINS, FAUCET_KEY_HASH, FAUCET_PRIVATE_KEY, FundError, GENESIS_COINS, GENESIS_KEY_HASH,
    GENESIS_SUPPLY, Genesis, Rules,
};
use headless_wallet::ledger::{Address, Amount, Network, TokenUid, hash160};

/// `m/44'/280'/0'/0/1` of the words by which private networks are known. (Their account key starts with a
/// zero byte: this is the key by the network's own derivation, not by standard BIP32.)
const GENESIS_PRIVATE_KEY: &str = "acfd6904c856f00c62f3c00c69a4a8f6efd6770023b66efdaffd0f1162018ead";

#[test]
fn the_first_vertices_have_fixed_ids() {
    let ids = chain().genesis().map(|id| id.to_string());
    assert_eq!(
        ids,
        [
            "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f",
            "54165cef1fd4cf2240d702b8383c307c822c16ca407f78014bdefa189a7571c2",
            "039906854ce6309b3180945f2a23deb9edff369753f7082e19053f5ac11bfbae",
        ]
    );
}

#[test]
fn the_keys_are_those_that_the_constants_name() {
    assert_eq!(hash160(&Party::of(&FAUCET_PRIVATE_KEY).public_key()), FAUCET_KEY_HASH);
    let genesis = Party::of(&hex::decode(GENESIS_PRIVATE_KEY).unwrap());
    assert_eq!(hash160(&genesis.public_key()), GENESIS_KEY_HASH);
    let address = Address::p2pkh(Network::Privatenet, GENESIS_KEY_HASH).to_string();
    assert_eq!(address, "WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6");
}

#[test]
fn the_genesis_wallet_can_spend_at_once() {
    let mut chain = chain();
    let owner = Party::of(&hex::decode(GENESIS_PRIVATE_KEY).unwrap());
    let genesis = chain.genesis()[0];
    let history: Vec<_> = chain.history_of(&owner.address()).collect();
    assert_eq!(history, [genesis]);
    // All its coins at once.
    let coins = u8::try_from(GENESIS_COINS).unwrap();
    let tx = (0..coins).fold(Draft::new(&chain, NOW), |tx, index| tx.spend(genesis, index, &owner));
    let id = chain.push(&tx.to(&Party::new(1), GENESIS_SUPPLY).bytes(), NOW).unwrap();
    assert_eq!(chain.vertex(&genesis).unwrap().outputs[0].spent_by, Some(id));
}

#[test]
fn as_many_blocks_come_first_as_rewards_are_locked_for() {
    let rules = Rules { reward_spend_min_blocks: 3, ..Rules::default() };
    let chain = Chain::new(rules, Genesis::private());
    assert_eq!(chain.best_block().1, 3);
    assert_eq!(chain.mempool().count(), 0);
    let supply = 2 * GENESIS_SUPPLY + 3 * 6_400;
    assert_eq!(chain.token(TokenUid::Native).unwrap().total, Amount::from(supply));
}

#[test]
fn many_fundings_fit_into_one_second() {
    let mut chain = chain();
    let payee = Party::new(1).address();
    for n in 1..=FAUCET_COINS + 50 {
        let id = chain.fund(payee, Amount::from(n), NOW).unwrap();
        let stored = chain.get(&id).unwrap();
        // Only once each coin has been spent in this second are the times put ahead.
        assert_eq!(stored.timestamp(), if n <= FAUCET_COINS { NOW } else { NOW + 1 }, "{n}");
        assert_eq!(stored.outputs()[0].value, Amount::from(n));
    }
    assert_eq!(chain.history_of(&payee).count(), 150);
}

#[test]
fn the_faucet_puts_coins_together_and_says_when_it_is_empty() {
    let mut chain = chain();
    let payee = Party::new(1).address();
    assert_eq!(
        chain.fund(payee, Amount::ZERO, NOW).unwrap_err().to_string(),
        "the faucet pays at least 0.01 HTR"
    );
    let most = Amount::from(GENESIS_SUPPLY - 1);
    let id = chain.fund(payee, most, NOW).unwrap();
    assert_eq!(chain.get(&id).unwrap().outputs()[0].value, most);
    let error = chain.fund(payee, Amount::new(2), NOW + 1).unwrap_err();
    assert_eq!(error, FundError::Empty { available: Amount::new(1), wanted: Amount::new(2) });
    assert_eq!(error.to_string(), "the faucet has 1 cents left and 2 are wanted");
}
