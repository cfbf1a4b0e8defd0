//! Refusals and their texts, as far as the replayed recordings (`src/devnet/chain/recorded.rs`) don't have
//! them.

use crate::support::{Draft, NOW, Party, chain, data, fund, pay, refusal, solve};
use headless_wallet::devnet::chain::{Chain, Genesis, PushError, Rules};
use headless_wallet::ledger::{
    Address, Input, Network, Outpoint, RedeemScript, TokenData, TokenVersion, Transaction, VertexId, hash160,
};

const HTR: TokenData = TokenData::NATIVE;

/// `data` as a script pushes it, always in the long form.
fn pushed(data: Vec<u8>) -> Vec<u8> {
    [&[0x4c, u8::try_from(data.len()).unwrap()], data.as_slice()].concat()
}

/// A chain, its party 1, and a coin of 1,000 that the party owns.
fn funded() -> (Chain, Party, VertexId) {
    let mut chain = chain();
    let party = Party::new(1);
    let coin = fund(&mut chain, &party, 1_000, NOW);
    (chain, party, coin)
}

/// What a later transaction is told that spends the coin; `shape` adds its outputs.
fn refused(shape: impl FnOnce(Draft, &Party) -> Draft) -> String {
    let (mut chain, party, coin) = funded();
    let draft = shape(Draft::new(&chain, NOW + 1).spend(coin, 0, &party), &party);
    refusal(chain.push(&draft.bytes(), NOW + 1))
}

#[test]
fn bytes_that_are_no_transaction() {
    let mut chain = chain();
    for (bytes, error) in [
        (vec![], PushError::Unanswered),
        (vec![0], PushError::Unanswered),
        (vec![0, 1], PushError::Malformed),
        (vec![0, 9, 0, 0, 0], PushError::Malformed),
        (vec![0; 48_001], PushError::Unanswered),
    ] {
        assert_eq!(chain.push(&bytes, NOW), Err(error));
    }
    let block = chain.get(&chain.best_block().0).unwrap().bytes.clone();
    let error = chain.push(&block, NOW).unwrap_err();
    assert_eq!(error.to_string(), "This transaction is invalid. A transaction must have at least one input");
    assert!(error.shows_can_force());
    assert!(PushError::Malformed.shows_can_force());
    assert!(!PushError::NonStandard.shows_can_force());
}

#[test]
fn a_transaction_of_more_than_48_000_bytes() {
    let (mut chain, party, coin) = funded();
    let mut draft = Draft::new(&chain, NOW + 1).spend(coin, 0, &party);
    for _ in 0..46 {
        draft = draft.output(1, HTR, vec![0x51; 1_024]);
    }
    let small = draft.clone().solved();
    assert_eq!(small.size(), 47_653);
    assert_eq!(chain.push(&small.to_bytes().unwrap(), NOW + 1), Err(PushError::NonStandard));
    let large = draft.output(1, HTR, vec![0x51; 400]).bytes();
    assert_eq!(chain.push(&large, NOW + 1), Err(PushError::Unanswered));
}

#[test]
fn weight_far_above_the_minimum() {
    let (chain, party, coin) = funded();
    let tx = Draft::new(&chain, NOW + 1).spend(coin, 0, &party).to(&party, 1_000).weight(40.0).tx;
    let id = tx.id().unwrap();
    assert_eq!(
        headless_wallet::devnet::chain::verify_content(&tx, id, chain.rules()),
        Err(format!("Invalid new tx {id}: weight (40.0) is greater than the maximum allowed (5.0)"))
    );
}

#[test]
fn weights_that_are_no_number_of_hashes() {
    let (mut chain, party, coin) = funded();
    for weight in [1_024.0, f64::INFINITY, f64::NAN] {
        let tx = Draft::new(&chain, NOW + 1).spend(coin, 0, &party).to(&party, 1_000).weight(weight).tx;
        assert_eq!(chain.push(&tx.to_bytes().unwrap(), NOW + 1), Err(PushError::Unanswered));
        let ahead = Transaction { timestamp: NOW + 1_000, ..tx };
        let refused = PushError::Future { id: ahead.id().unwrap(), timestamp: NOW + 1_000 };
        assert_eq!(chain.push(&ahead.to_bytes().unwrap(), NOW + 1), Err(refused));
    }
}

#[test]
fn the_first_input_that_is_wrong_decides() {
    let (mut chain, party, coin) = funded();
    let spend = |chain: &Chain, inputs: &[VertexId]| {
        let draft = Draft::new(chain, NOW + 1).to(&party, 1_000);
        inputs.iter().fold(draft, |draft, tx| draft.spend(*tx, 0, &party)).bytes()
    };
    chain.push(&spend(&chain, &[coin]), NOW + 1).unwrap();
    let unknown = VertexId([7; 32]);
    for (inputs, error) in
        [([coin, unknown], PushError::DoubleSpend), ([unknown, coin], PushError::Unanswered)]
    {
        let bytes = spend(&chain, &inputs);
        assert_eq!(chain.push(&bytes, NOW + 1), Err(error));
    }
}

#[test]
fn the_real_weight_formula_is_demanded_where_it_is_set() {
    let weight = headless_wallet::ledger::WeightConstants { min_weight: 10.0, coefficient: 1.0, k: 0.0 };
    let mut chain = Chain::new(Rules { weight, ..Rules::default() }, Genesis::private());
    let party = Party::new(1);
    let coin = fund(&mut chain, &party, 1_000, NOW);
    let draft = Draft::new(&chain, NOW + 1).spend(coin, 0, &party).to(&party, 1_000);
    let tx = draft.clone().weight(10.0).solved();
    let (id, min) = (tx.id().unwrap(), weight.min_weight_of(&tx));
    assert_eq!(
        refusal(chain.push(&tx.to_bytes().unwrap(), NOW + 1)),
        format!(
            "full validation failed: Invalid new tx {id}: weight (10.0) is smaller than the minimum weight ({min:?})"
        )
    );
    chain.push(&draft.weight(min + 0.01).bytes(), NOW + 1).unwrap();
}

#[test]
fn timestamps() {
    let (mut chain, party, coin) = funded();
    let at = |chain: &Chain, timestamp: u32| {
        Draft::new(chain, timestamp).spend(coin, 0, &party).to(&party, 1_000).solved()
    };
    let same = at(&chain, NOW);
    let id = same.id().unwrap();
    assert_eq!(
        refusal(chain.push(&same.to_bytes().unwrap(), NOW)),
        format!("full validation failed: tx={id} timestamp={NOW}, spent_tx={coin} timestamp={NOW}")
    );
    let ahead = at(&chain, NOW + 301);
    let id = ahead.id().unwrap();
    let bytes = ahead.to_bytes().unwrap();
    assert_eq!(
        refusal(chain.push(&bytes, NOW)),
        format!("Ignoring transaction in the future {id} (timestamp={})", NOW + 301)
    );
    let later = NOW + 301 + 36 * 3_600;
    assert_eq!(
        refusal(chain.push(&bytes, later + 1)),
        format!(
            "full validation failed: transaction is too old (now={}, timestamp={}, diff=129601)",
            later + 1,
            NOW + 301
        )
    );
    assert_eq!(chain.push(&bytes, NOW + 1), Ok(id));
}

#[test]
fn parents_of_the_same_second_or_of_the_wrong_kind() {
    let (mut chain, party, coin) = funded();
    let other = fund(&mut chain, &party, 5, NOW + 1);
    let [block, first, _] = chain.genesis();
    let with = |parents: &[VertexId]| {
        Draft::new(&chain, NOW + 1).spend(coin, 0, &party).to(&party, 1_000).parents(parents).solved()
    };
    let (young, block_last, block_first) =
        (with(&[first, other]), with(&[first, block]), with(&[block, first]));
    let push = |chain: &mut Chain, tx: Transaction| refusal(chain.push(&tx.to_bytes().unwrap(), NOW + 1));
    let (id, time) = (young.id().unwrap(), NOW + 1);
    assert_eq!(
        push(&mut chain, young),
        format!("full validation failed: tx={id} timestamp={time}, parent={other} timestamp={time}")
    );
    assert_eq!(
        push(&mut chain, block_last),
        "full validation failed: Parents which are blocks must come before transactions"
    );
    assert_eq!(
        push(&mut chain, block_first),
        "full validation failed: wrong number of parents (block type): 1, expecting 0"
    );
}

#[test]
fn signal_bits() {
    let said = refused(|mut draft, party| {
        draft.tx.signal_bits = 5;
        draft.to(party, 1_000)
    });
    assert_eq!(said, "full validation failed: vertex has unknown signal bits: 0b101");
}

#[test]
fn fee_headers_and_fee_tokens_while_the_network_has_none() {
    assert_eq!(
        refused(|draft, party| draft.to(party, 999).fee(1)),
        "full validation failed: Header `FeeHeader` not supported by `Transaction`"
    );
    let fee_token = |draft: Draft, party: &Party| {
        draft.to(party, 990).output(1_000, TokenData::FIRST, party.script()).creates(
            "Fee",
            "FEE",
            TokenVersion::Fee,
        )
    };
    assert_eq!(
        refused(|draft, party| fee_token(draft, party).fee(1)),
        "full validation failed: Header `FeeHeader` not supported by `TokenCreationTransaction`"
    );
    assert_eq!(refused(fee_token), "full validation failed: Invalid token version (2)");
}

#[test]
fn timelocks() {
    let (mut chain, party, coin) = funded();
    let locked = Draft::new(&chain, NOW + 1)
        .spend(coin, 0, &party)
        .output(1_000, HTR, pay(party.address(), Some(NOW + 10)))
        .bytes();
    let locked = chain.push(&locked, NOW + 1).unwrap();
    let at = |chain: &Chain, time| Draft::new(chain, time).spend(locked, 0, &party).to(&party, 1_000).bytes();
    let bytes = at(&chain, NOW + 10);
    assert_eq!(
        refusal(chain.push(&bytes, NOW + 10)),
        "full validation failed: The output is locked until 01/15/2027 08:00:10 AM"
    );
    let bytes = at(&chain, NOW + 11);
    chain.push(&bytes, NOW + 11).unwrap();
}

#[test]
fn multisig_takes_the_signatures_it_asks_for_in_the_order_of_the_keys() {
    let (mut chain, party, coin) = funded();
    let owners = [Party::new(2), Party::new(3), Party::new(4)];
    let public_keys = owners.iter().map(Party::public_key).collect();
    let redeem_script = RedeemScript { num_signatures: 2, public_keys }.to_bytes().unwrap();
    let address = Address::p2sh(Network::Privatenet, hash160(&redeem_script));
    let shared =
        Draft::new(&chain, NOW + 1).spend(coin, 0, &party).output(1_000, HTR, pay(address, None)).bytes();
    let shared = chain.push(&shared, NOW + 1).unwrap();
    let spend = |chain: &Chain, signers: &[usize]| {
        let mut tx = Draft::new(chain, NOW + 2).to(&party, 1_000).tx;
        tx.inputs = vec![Input { spends: Outpoint { tx: shared, index: 0 }, data: vec![] }];
        let digest = tx.sighash().unwrap();
        let signatures = signers.iter().map(|signer| owners[*signer].signature(digest));
        tx.inputs[0].data = signatures.chain([redeem_script.clone()]).flat_map(pushed).collect();
        solve(tx).to_bytes().unwrap()
    };
    let one = spend(&chain, &[0]);
    assert_eq!(
        refusal(chain.push(&one, NOW + 2)),
        "full validation failed: OP_CHECKMULTISIG: not enough signatures on the stack"
    );
    let reversed = spend(&chain, &[2, 0]);
    assert_eq!(
        refusal(chain.push(&reversed, NOW + 2)),
        "full validation failed: Executing function opcode OP_HASH160 (0xa9)\n\
         Executing function opcode OP_EQUAL (0x87)\n\
         Executing function opcode OP_CHECKMULTISIG (0xae)\n\
         OP_CHECKSIG: failed\nOP_CHECKSIG: failed\nStack left with False value"
    );
    let right = spend(&chain, &[0, 2]);
    chain.push(&right, NOW + 2).unwrap();
}

#[test]
fn signature_operations() {
    let said = {
        let (mut chain, party, coin) = funded();
        let mut draft = Draft::new(&chain, NOW + 1).spend(coin, 0, &party);
        // 64 times 20: a multisig check without a number before it counts as the most there can be.
        for _ in 0..64 {
            draft = draft.output(1, HTR, vec![0xae]);
        }
        let tx = draft.solved();
        let id = tx.id().unwrap();
        let said = refusal(chain.receive(&tx.to_bytes().unwrap(), NOW + 1));
        said.replace(&id.to_string(), "ID")
    };
    assert_eq!(
        said,
        "full validation failed: TX[ID]: Maximum number of sigops for all outputs exceeded (1280)"
    );
}

#[test]
fn other_nodes_are_not_held_to_standard_scripts_but_to_their_size() {
    let (mut chain, party, coin) = funded();
    let with = |chain: &Chain, size| {
        Draft::new(chain, NOW + 1).spend(coin, 0, &party).output(1_000, HTR, vec![0x51; size]).bytes()
    };
    let large = with(&chain, 1_025);
    assert_eq!(
        refusal(chain.receive(&large, NOW + 1)),
        "full validation failed: size: 1025 and max-size: 1024"
    );
    let odd = with(&chain, 1_024);
    assert_eq!(refusal(chain.push(&odd, NOW + 1)), "Transaction is non standard.");
    chain.receive(&odd, NOW + 1).unwrap();
}

#[test]
fn data_outputs_of_a_token_creation() {
    let nft = |first_value: u64, rest: usize| {
        move |draft: Draft, party: &Party| {
            let mut draft = draft
                .output(first_value, HTR, data("ipfs://nft"))
                .to(party, 1_000 - first_value - 1)
                .output(1, TokenData::FIRST, party.script())
                .creates("NFT", "NFT", TokenVersion::Deposit);
            for _ in 0..rest {
                draft = draft.output(1, HTR, data("more"));
            }
            draft
        }
    };
    // Deposit 0.01, data 0.01: the sums are right, so the node takes it.
    let (mut chain, party, coin) = funded();
    let draft = nft(1, 0)(Draft::new(&chain, NOW + 1).spend(coin, 0, &party), &party);
    chain.push(&draft.bytes(), NOW + 1).unwrap();
    assert_eq!(refused(nft(1, 25)), "Transaction is non standard.");
}

#[test]
fn rewards_from_another_node() {
    let mut chain = chain();
    let miner = Party::new(9);
    let block = chain.mine_block(miner.script(), NOW);
    let tx = Draft::new(&chain, NOW + 1).spend(block, 0, &miner).to(&miner, 6_400).bytes();
    assert_eq!(refusal(chain.push(&tx, NOW + 1)), "Spent reward is locked.");
    assert_eq!(
        refusal(chain.receive(&tx, NOW + 1)),
        format!("full validation failed: Reward {block} still needs 1 to be unlocked.")
    );
    chain.mine_block(miner.script(), NOW + 1);
    chain.push(&tx, NOW + 1).unwrap();
}

#[test]
fn unknown_inputs_and_outputs() {
    let (mut chain, party, coin) = funded();
    let unknown = VertexId([0xcd; 32]);
    let tx = Draft::new(&chain, NOW + 1).spend(unknown, 0, &party).to(&party, 5).bytes();
    assert_eq!(chain.push(&tx, NOW + 1), Err(PushError::Unanswered));
    assert_eq!(refusal(chain.receive(&tx, NOW + 1)), format!("full validation failed: {unknown}"));
    let tx = Draft::new(&chain, NOW + 1).spend(coin, 7, &party).to(&party, 5).bytes();
    assert_eq!(
        refusal(chain.push(&tx, NOW + 1)),
        format!("full validation failed: Output spent by this input does not exist: {coin} index 7")
    );
}
