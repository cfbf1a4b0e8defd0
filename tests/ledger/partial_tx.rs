//! Proposals of atomic swaps as wallet-lib 2.15 reads and writes them: `partial_tx.json` is what
//! `node tests/vectors/partial_tx.mjs` writes with the pinned library.

use crate::vectors::{Field, load};
use headless_wallet::ledger::{
    Address, Amount, EncodeError, Holding, Network, Outpoint, PartialInput, PartialOutput, PartialTx,
    PartialTxError, PartialTxInputData, Script, SpentOutput, TokenData, TokenUid, VertexId,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;

const NETWORK: Network = Network::Testnet;

/// The vector of that name.
fn vector(name: &str) -> Value {
    let vectors = load("partial_tx");
    vectors.list("proposals").iter().find(|vector| vector.text("name") == name).unwrap().clone()
}

#[test]
fn proposals_are_read_and_written_byte_for_byte() {
    let vectors = load("partial_tx");
    assert_eq!(vectors.list("proposals").len(), 10);
    for vector in vectors.list("proposals") {
        let name = vector.text("name");
        let partial =
            PartialTx::parse(vector.text("text"), NETWORK).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(partial.to_text().unwrap(), vector.text("text"), "{name}");
        assert_eq!(partial.is_complete(), vector["is_complete"], "{name}");
        let change: Vec<_> = partial.outputs.iter().map(|output| output.is_change).collect();
        assert_eq!(serde_json::json!(change), vector["change"], "{name}");
        let balance = partial.balance().into_iter().map(|(token, (inputs, outputs))| {
            (token.to_string(), serde_json::json!([inputs.cents().to_string(), outputs.cents().to_string()]))
        });
        assert_eq!(Value::Object(balance.collect()), vector["balance"], "{name}");
    }
}

#[test]
fn input_data_is_read_and_written_byte_for_byte() {
    for vector in load("partial_tx").list("proposals") {
        let name = vector.text("name");
        let mut transaction = PartialTx::parse(vector.text("text"), NETWORK).unwrap().transaction().unwrap();
        assert_eq!(hex::encode(transaction.sighash_bytes().unwrap()), vector.text("data_to_sign"), "{name}");
        let mut data = PartialTxInputData::of(&transaction).unwrap();
        assert_eq!(data.to_string(), vector.text("no_signatures"), "{name}");
        assert_eq!(data.is_complete(), transaction.inputs.is_empty(), "{name}");
        data.add(vector.text("no_signatures")).unwrap();
        data.add(vector.text("signatures")).unwrap();
        assert!(data.is_complete(), "{name}");
        assert_eq!(data.to_string(), vector.text("signatures"), "{name}");
        data.clone().fill(&mut transaction);
        for (place, input) in transaction.inputs.iter().enumerate() {
            assert_eq!(input.data, [0xc0, place as u8], "{name}");
        }
        assert_eq!(PartialTxInputData::of(&transaction), Ok(data), "{name}");
    }
}

#[test]
fn what_the_library_refuses_is_refused() {
    let vectors = load("partial_tx");
    assert_eq!(vectors.list("refused").len(), 10);
    for vector in vectors.list("refused") {
        let error = PartialTx::parse(vector.text("text"), NETWORK).unwrap_err();
        assert!(error.to_string().starts_with("Invalid PartialTx"), "{error} of {vector}");
    }
}

#[test]
fn what_is_said_of_inputs_and_outputs_must_fit_the_transaction() {
    let good = vector("change of two").text("text").to_owned();
    let refused = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        PartialTx::parse(&good.replace(from, to), NETWORK).unwrap_err().to_string()
    };
    let described = "Invalid PartialTx: an input is described by address, token, authorities and value";
    assert_eq!(refused(",00,0,3e8", ",00,0"), described);
    assert_eq!(refused(",00,0,3e8", ",00,0,3e8,1"), described);
    assert_eq!(refused(",00,0,3e8", ",01,0,3e8"), described);
    assert_eq!(refused(",00,0,3e8", ",00,0,+3e8"), described);
    assert_eq!(refused(",00,0,3e8", ",00,0,"), described);
    assert_eq!(
        refused(",00,0,3e8", ",00,1,3e8"),
        "Invalid PartialTx: an input's value is not that of its authorities"
    );
    let nothing = "Invalid PartialTx: an input holds nothing, or more than an output can";
    assert_eq!(refused(",00,0,3e8", ",00,0,0"), nothing);
    assert_eq!(refused(",00,0,3e8", ",00,0,8000000000000001"), nothing);
    assert_eq!(refused(",00,0,3e8", ",00,1,1"), nothing);
    assert_eq!(
        refused("WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f,", "HP4p5GK1b3hSvtMq1fH6on2effpqK1u9dq,"),
        "Invalid PartialTx: an input's address is none of this network"
    );
    assert_eq!(
        refused("|WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "|:WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f"),
        described
    );
    let no_change = "Invalid PartialTx: there is no such output as is said to be change";
    for places in ["|0:4", "|0:", "|x", "|-1", "|ffffffffffffffff1"] {
        assert_eq!(refused("|0:2", places), no_change);
    }
    assert_eq!(
        PartialTx::parse(&format!("{good}{}", ":0".repeat(200_000)), NETWORK),
        Err(PartialTxError::Form)
    );
}

#[test]
fn a_proposal_is_a_plain_transaction_to_addresses() {
    let transactions = load("transactions");
    let refused = |name: &str| {
        let vector = transactions.list("transactions").iter().find(|vector| vector.text("name") == name);
        let hex = vector.unwrap_or_else(|| panic!("there is no {name}")).text("hex");
        let bytes = hex::decode(hex).unwrap();
        let inputs = headless_wallet::ledger::Transaction::from_bytes(&bytes).unwrap().inputs.len();
        let described = vec!["WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f,00,0,1"; inputs].join(":");
        PartialTx::parse(&format!("PartialTx|{hex}|{described}|"), NETWORK).unwrap_err().to_string()
    };
    assert_eq!(refused("data-output"), "Unsupported script type");
    let other = "Invalid PartialTx: a swap creates no token and has no headers";
    assert_eq!(refused("create-token-utf8"), other);
    assert_eq!(refused("fee-token-transfer"), other);
}

#[test]
fn input_data_of_another_transaction_or_for_no_input_adds_nothing() {
    let given = vector("change of two");
    let mut data = PartialTxInputData::of(
        &PartialTx::parse(given.text("text"), NETWORK).unwrap().transaction().unwrap(),
    )
    .unwrap();
    let none = given.text("no_signatures");
    for wrong in ["|2:c0", "|0", "|0:", "|0:c", "|0:zz", "|+0:c0", "|0:c0:c0", "|:c0", "|", "|256:c0"] {
        assert_eq!(data.add(&format!("{none}{wrong}")), Err(PartialTxError::InputData), "{wrong}");
        assert_eq!(data.add(&format!("{none}|0:c0{wrong}")), Err(PartialTxError::InputData), "{wrong}");
    }
    assert_eq!(data.add(vector("one sends").text("signatures")), Err(PartialTxError::InputData));
    assert_eq!(data.add(given.text("text")), Err(PartialTxError::InputData));
    assert_eq!(data.to_string(), none);
}

/// What the ledger has at the inputs of a proposal, if all that is said of them is so.
fn spent(partial: &PartialTx) -> Vec<SpentOutput> {
    let output = |input: &PartialInput| SpentOutput {
        value: input.holds.value,
        token: input.holds.token,
        token_data: match (input.holds.is_authority, input.holds.token) {
            (true, _) => TokenData::authority(1),
            (false, TokenUid::Native) => TokenData::NATIVE,
            (false, _) => TokenData::FIRST,
        },
        script: Script::Pay { to: input.address, timelock: None }.to_bytes().unwrap().into(),
        unknown: None,
    };
    partial.inputs.iter().map(output).collect()
}

#[test]
fn inputs_agree_with_the_ledger_in_address_token_authorities_and_value() {
    for name in ["change of two", "authorities", "time lock and multisig", "empty"] {
        let partial = PartialTx::parse(vector(name).text("text"), NETWORK).unwrap();
        assert!(partial.agrees_with(&spent(&partial), NETWORK), "{name}");
    }
    let partial = PartialTx::parse(vector("change of two").text("text"), NETWORK).unwrap();
    let differs = |change: &dyn Fn(&mut SpentOutput)| {
        let mut spent = spent(&partial);
        change(&mut spent[1]);
        assert!(!partial.agrees_with(&spent, NETWORK));
    };
    differs(&|spent| spent.value = Amount::new(699));
    differs(&|spent| spent.token = TokenUid::Native);
    differs(&|spent| spent.token_data = TokenData::authority(1));
    differs(&|spent| spent.script = self::spent(&partial)[0].script.clone());
    differs(&|spent| spent.script.clear());
    differs(&|spent| spent.unknown = Some("{}".into()));
    assert!(!partial.agrees_with(&spent(&partial)[..1], NETWORK));
}

fn token() -> impl Strategy<Value = TokenUid> {
    prop_oneof![Just(TokenUid::Native), (0u8..20).prop_map(|n| TokenUid::Custom(VertexId([n; 32])))]
}

fn holding() -> impl Strategy<Value = Holding> {
    let amount = (token(), 1..=1u128 << 63).prop_map(|(token, n)| Holding::amount(token, Amount::new(n)));
    let authority = (0u8..20, 1u128..=3).prop_map(|(n, mask)| Holding {
        token: TokenUid::Custom(VertexId([n; 32])),
        value: Amount::new(mask),
        is_authority: true,
    });
    prop_oneof![5 => amount, 1 => authority]
}

fn address() -> impl Strategy<Value = Address> {
    (any::<bool>(), any::<[u8; 20]>()).prop_map(|(multisig, hash)| match multisig {
        true => Address::p2sh(NETWORK, hash),
        false => Address::p2pkh(NETWORK, hash),
    })
}

fn partial_tx() -> impl Strategy<Value = PartialTx> {
    let spends = (any::<[u8; 32]>(), any::<u8>());
    let input = (spends, holding(), address()).prop_map(|((tx, index), holds, address)| PartialInput {
        spends: Outpoint { tx: VertexId(tx), index },
        holds,
        address,
    });
    let output = (holding(), address(), prop::option::of(1u32..), any::<bool>()).prop_map(
        |(holds, to, timelock, is_change)| PartialOutput {
            holds,
            script: Script::Pay { to, timelock }.to_bytes().unwrap(),
            is_change,
        },
    );
    (vec(input, 0..20), vec(output, 0..20)).prop_map(|(inputs, outputs)| PartialTx { inputs, outputs })
}

proptest! {
    #[test]
    fn every_proposal_is_read_as_it_was_written(partial in partial_tx()) {
        let text = partial.to_text().unwrap();
        prop_assert_eq!(PartialTx::parse(&text, NETWORK), Ok(partial.clone()));
        prop_assert!(partial.agrees_with(&spent(&partial), NETWORK));
    }

    #[test]
    fn a_changed_text_is_refused_or_written_as_it_is_read(
        partial in partial_tx(), changes in vec((any::<Index>(), any::<char>()), 1..4)
    ) {
        let mut text: Vec<char> = partial.to_text().unwrap().chars().collect();
        for (place, character) in changes {
            let place = place.index(text.len());
            text[place] = character;
        }
        if let Ok(read) = PartialTx::parse(&String::from_iter(text), NETWORK) {
            let text = read.to_text().unwrap();
            prop_assert_eq!(PartialTx::parse(&text, NETWORK), Ok(read));
        }
    }

    #[test]
    fn input_data_is_put_together_in_any_order(
        partial in partial_tx(), data in vec(vec(any::<u8>(), 1..80), 20), turn in any::<Index>()
    ) {
        let mut signed = partial.transaction().unwrap();
        let unsigned = signed.clone();
        signed.inputs.iter_mut().zip(&data).for_each(|(input, data)| input.data.clone_from(data));
        // Each participant gives that of one input.
        let count = signed.inputs.len();
        let mut together = PartialTxInputData::of(&unsigned).unwrap();
        for step in 0..count {
            let place = (step + turn.index(count)) % count;
            prop_assert!(!together.is_complete());
            let mut one = unsigned.clone();
            one.inputs[place].data.clone_from(&data[place]);
            together.add(&PartialTxInputData::of(&one).unwrap().to_string()).unwrap();
        }
        prop_assert!(together.is_complete());
        prop_assert_eq!(&PartialTxInputData::of(&signed).unwrap(), &together);
        let mut filled = unsigned;
        together.fill(&mut filled);
        prop_assert_eq!(filled, signed);
    }
}

#[test]
fn more_tokens_than_outputs_can_name_are_refused() {
    let script = Script::Pay { to: Address::p2pkh(NETWORK, [1; 20]), timelock: None }.to_bytes().unwrap();
    let of_tokens = |count: u8| PartialTx {
        inputs: vec![],
        outputs: (0..count)
            .map(|n| PartialOutput {
                holds: Holding::amount(TokenUid::Custom(VertexId([n; 32])), Amount::new(1)),
                script: script.clone(),
                is_change: false,
            })
            .collect(),
    };
    assert_eq!(PartialTx::parse(&of_tokens(127).to_text().unwrap(), NETWORK), Ok(of_tokens(127)));
    let refused = EncodeError::TooLong { what: "list of tokens", len: 128, max: 127 };
    assert_eq!(of_tokens(128).to_text(), Err(refused.clone()));
    // An input of yet another token: it could be read, and not be written.
    let spends = Outpoint { tx: VertexId([9; 32]), index: 0 };
    let holds = Holding::amount(TokenUid::Native, Amount::new(1));
    let input = PartialInput { spends, holds, address: Address::p2pkh(NETWORK, [1; 20]) };
    let text = PartialTx { inputs: vec![input], ..of_tokens(127) }.to_text().unwrap();
    let text = text.replace(",00,0,1|", &format!(",{},0,1|", "ee".repeat(32)));
    assert_eq!(PartialTx::parse(&text, NETWORK), Err(PartialTxError::Encode(refused)));
}
