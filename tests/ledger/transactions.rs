//! Transactions: bytes to fields and back, and what is hashed and signed of them.

use crate::vectors::{Field, load};
use headless_wallet::ledger::nano::{ActionKind, Blueprint, NanoAction, NanoHeader};
use headless_wallet::ledger::{
    Address, Amount, DecodeError, EncodeError, FeeEntry, Header, Input, Outpoint, Output, TokenData,
    TokenInfo, TokenUid, TokenVersion, Transaction, VertexId, sha256d, target_met,
};
use serde_json::Value;

/// The vector that has all odd signal bits, and amounts in cents: nodes up to 0.70 take it.
const SIGNAL_BITS: &str = "signal-bits-set";

fn id(text: &str) -> VertexId {
    text.parse().expect("an id")
}

/// The transaction that the decoded content of a vector describes.
fn build(fields: &Value) -> Transaction {
    let input = |input: &Value| Input {
        spends: Outpoint { tx: id(input.text("tx_id")), index: u8::try_from(input.number("index")).unwrap() },
        data: input.bytes("data"),
    };
    let output = |output: &Value| Output {
        value: output.amount("value"),
        token_data: TokenData(u8::try_from(output.number("token_data")).unwrap()),
        script: output.bytes("script"),
    };
    let action = |action: &Value| NanoAction {
        kind: ActionKind::ALL.into_iter().find(|kind| *kind as u64 == action.number("type")).unwrap(),
        token_index: u8::try_from(action.number("token_index")).unwrap(),
        amount: action.amount("amount"),
    };
    let header = |header: &Value| {
        if header.text("type") == "nano" {
            return Header::Nano(Box::new(NanoHeader {
                id: id(header.text("nc_id")),
                seqnum: header.number("seqnum"),
                method: header.text("method").to_owned(),
                args: header.bytes("args"),
                actions: header.list("actions").iter().map(action).collect(),
                caller: Address::parse_any(header.text("address")).unwrap(),
                script: header.bytes("script"),
            }));
        }
        assert_eq!(header.text("type"), "fee");
        let entry = |entry: &Value| FeeEntry {
            token_index: u8::try_from(entry.number("token_index")).unwrap(),
            amount: entry.amount("amount"),
        };
        Header::Fee(header.list("entries").iter().map(entry).collect())
    };
    let creates = (fields.number("version") == 2).then(|| TokenInfo {
        name: fields.text("token_name").to_owned(),
        symbol: fields.text("token_symbol").to_owned(),
        version: if fields.number("token_version") == 2 { TokenVersion::Fee } else { TokenVersion::Deposit },
    });
    let blueprint = (fields.number("version") == 6).then(|| Blueprint {
        // Its first byte says its kind.
        code: fields.bytes("serialized_code").split_off(1),
        public_key: fields.bytes("pubkey"),
        signature: fields.bytes("signature"),
    });
    let ids = |key: &str| fields.list(key).iter().map(|text| id(text.as_str().unwrap())).collect();
    Transaction {
        signal_bits: u8::try_from(fields.number("signal_bits")).unwrap(),
        tokens: if creates.is_some() { vec![] } else { ids("tokens") },
        inputs: fields.list("inputs").iter().map(input).collect(),
        outputs: fields.list("outputs").iter().map(output).collect(),
        creates,
        blueprint: blueprint.map(Box::new),
        weight: f64::from_be_bytes(fields.bytes("weight_be_hex").try_into().unwrap()),
        timestamp: u32::try_from(fields.number("timestamp")).unwrap(),
        parents: ids("parents"),
        nonce: u32::try_from(fields.number("nonce")).unwrap(),
        headers: fields.list("headers").iter().map(header).collect(),
    }
}

#[test]
fn every_vector_is_read_written_and_hashed_exactly() {
    let vectors = load("transactions");
    let mut read = 0;
    for vector in vectors.list("transactions") {
        let name = vector.text("name");
        if name == SIGNAL_BITS {
            continue;
        }
        let expected = build(&vector["fields"]);
        let bytes = vector.bytes("hex");
        let tx = Transaction::from_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(tx, expected, "{name}");
        assert_eq!(hex::encode(expected.to_bytes().unwrap()), vector.text("hex"), "{name}");
        assert_eq!(tx.size() as u64, vector.number("size"), "{name}");
        assert_eq!(u64::from(tx.version()), vector["fields"].number("version"), "{name}");
        assert_eq!(hex::encode(tx.sighash_bytes().unwrap()), vector.text("sighash_all"), "{name}");
        assert_eq!(hex::encode(tx.sighash().unwrap()), vector.text("sighash"), "{name}");
        let mining_bytes = tx.mining_bytes().unwrap();
        assert_eq!(hex::encode(&mining_bytes[..32]), vector.text("funds_hash"), "{name}");
        assert_eq!(hex::encode(&mining_bytes[32..]), vector.text("graph_and_headers_hash"), "{name}");
        let tx_id = tx.id().unwrap();
        assert_eq!(tx_id.to_string(), vector.text("hash"), "{name}");
        assert_eq!(tx.outputs_sum(), vector.amount("outputs_sum"), "{name}");
        let pow_valid = vector["pow_valid"].as_bool().unwrap();
        assert_eq!(target_met(&tx_id, tx.weight), pow_valid, "{name}");
        read += 1;
    }
    assert_eq!(read, 64);
}

/// A node that knows no second version reads other amounts and addresses in the same bytes.
#[test]
fn the_bit_of_amounts_in_units_is_refused_in_the_bytes_of_others() {
    let vectors = load("transactions");
    let vector = vectors.list("transactions").iter().find(|v| v.text("name") == SIGNAL_BITS).unwrap();
    let error = Transaction::from_bytes(&vector.bytes("hex")).unwrap_err();
    assert!(matches!(error, DecodeError::NotSupported(_)));
    assert_eq!(error.to_string(), "not supported: signal bits 0b10100101");
    let error = Transaction::from_bytes_with_v2(&vector.bytes("hex")).unwrap_err();
    assert_eq!(error.to_string(), "malformed output value: zero");
    let vectors = load("amounts_v2/transactions");
    for vector in vectors.list("transactions").iter().filter(|vector| vector.number("version") == 2) {
        let error = Transaction::from_bytes(&vector.bytes("hex")).unwrap_err();
        assert_eq!(error.to_string(), "not supported: signal bits 0b1", "{vector}");
    }
}

#[test]
fn genesis_transactions_have_the_ids_of_the_network_settings() {
    for vector in load("transactions").list("genesis").iter().filter(|v| v.text("name") != "genesis_block") {
        let tx = Transaction::from_bytes(&vector.bytes("hex")).unwrap();
        assert_eq!(tx.id().unwrap().to_string(), vector.text("hash"));
        assert_eq!(tx.weight, vector.float("weight"));
        assert_eq!(u64::from(tx.timestamp), vector.number("timestamp"));
        assert_eq!(u64::from(tx.nonce), vector.number("nonce"));
        assert_eq!(hex::encode(tx.to_bytes().unwrap()), vector.text("hex"));
    }
}

#[test]
fn transactions_of_public_chains_are_read_and_hashed_exactly() {
    let vectors = load("transactions");
    assert_eq!(vectors.list("chain").len(), 5);
    for vector in vectors.list("chain") {
        let name = vector.text("name");
        let bytes = vector.bytes("hex");
        let tx = Transaction::from_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(tx.to_bytes().unwrap(), bytes, "{name}");
        assert_eq!(tx.id().unwrap().to_string(), vector.text("hash"), "{name}");
        assert_eq!(hex::encode(tx.sighash_bytes().unwrap()), vector.text("sighash_all"), "{name}");
        assert_eq!(hex::encode(sha256d(&vector.bytes("sighash_all"))), vector.text("sighash"), "{name}");
        assert_eq!(hex::encode(tx.sighash().unwrap()), vector.text("sighash"), "{name}");
        assert_eq!(tx.weight, vector.float("weight"), "{name}");
        assert!(target_met(&tx.id().unwrap(), tx.weight), "{name}");
        assert_eq!(tx.outputs.len(), vector.list("outputs").len(), "{name}");
        for (output, expected) in tx.outputs.iter().zip(vector.list("outputs")) {
            assert_eq!(output.value, expected.amount("value"), "{name}");
            assert_eq!(u64::from(output.token_data.0), expected.number("token_data"), "{name}");
            assert_eq!(hex::encode(&output.script), expected.text("script"), "{name}");
        }
        if let Some(token) = &tx.creates {
            assert_eq!(token.name, vector.text("token_name"), "{name}");
            assert_eq!(token.symbol, vector.text("token_symbol"), "{name}");
            assert_eq!(token.version as u64, vector.number("token_version"), "{name}");
        }
    }
}

fn empty() -> Transaction {
    Transaction {
        signal_bits: 0,
        tokens: vec![],
        inputs: vec![],
        outputs: vec![],
        creates: None,
        blueprint: None,
        weight: 1.0,
        timestamp: 0,
        parents: vec![],
        nonce: 0,
        headers: vec![],
    }
}

fn output(value: u128, script_len: usize) -> Output {
    Output { value: Amount::new(value), token_data: TokenData::NATIVE, script: vec![0; script_len] }
}

#[test]
fn what_does_not_fit_the_wire_is_refused() {
    let input = Input { spends: Outpoint { tx: VertexId([0; 32]), index: 0 }, data: vec![] };
    let refusal = |tx: Transaction| {
        let error = tx.to_bytes().unwrap_err();
        assert_eq!(tx.id().unwrap_err(), error);
        error
    };
    assert_eq!(
        refusal(Transaction { inputs: vec![input.clone(); 256], ..empty() }).to_string(),
        "256 inputs, and a transaction has at most 255"
    );
    assert!(Transaction { inputs: vec![input.clone(); 255], ..empty() }.to_bytes().is_ok());
    assert_eq!(
        refusal(Transaction { outputs: vec![output(1, 0); 256], ..empty() }).to_string(),
        "256 outputs, and a transaction has at most 255"
    );
    assert!(Transaction { outputs: vec![output(1, 0); 255], ..empty() }.to_bytes().is_ok());
    assert_eq!(
        refusal(Transaction { outputs: vec![output(0, 0)], ..empty() }).to_string(),
        "an output of nothing"
    );
    assert!(Transaction { outputs: vec![output(1 << 63, 0)], ..empty() }.to_bytes().is_ok());
    assert_eq!(
        refusal(Transaction { outputs: vec![output((1 << 63) + 1, 0)], ..empty() }).to_string(),
        "an output of more than 2^63 cents"
    );
    assert_eq!(
        refusal(Transaction { outputs: vec![output(1, 65_536)], ..empty() }),
        EncodeError::TooLong { what: "output script", len: 65_536, max: 65_535 }
    );
    let long = Input { data: vec![0; 65_536], ..input };
    assert_eq!(
        Transaction { inputs: vec![long], ..empty() }.to_bytes(),
        Err(EncodeError::TooLong { what: "input data", len: 65_536, max: 65_535 })
    );
    assert_eq!(
        refusal(Transaction { tokens: vec![VertexId([1; 32]); 256], ..empty() }).to_string(),
        "list of tokens has a length of 256 and can have one of at most 255"
    );
    assert_eq!(
        refusal(Transaction { parents: vec![VertexId([1; 32]); 256], ..empty() }).to_string(),
        "list of parents has a length of 256 and can have one of at most 255"
    );
    let free = FeeEntry { token_index: 0, amount: Amount::ZERO };
    assert_eq!(
        refusal(Transaction { headers: vec![Header::Fee(vec![free])], ..empty() }),
        EncodeError::ZeroValue
    );
}

fn creation(name: String) -> TokenInfo {
    TokenInfo { name, symbol: "SYM".to_owned(), version: TokenVersion::Deposit }
}

#[test]
fn a_token_creation_lists_no_tokens_and_has_short_texts() {
    let tx = Transaction {
        creates: Some(creation("Name".to_owned())),
        tokens: vec![VertexId([1; 32])],
        ..empty()
    };
    assert_eq!(
        tx.to_bytes().unwrap_err().to_string(),
        "a token creation has no list of tokens and this one lists 1"
    );
    let tx = Transaction { creates: Some(creation("n".repeat(256))), ..empty() };
    assert_eq!(
        tx.to_bytes().unwrap_err().to_string(),
        "token name has a length of 256 and can have one of at most 255"
    );
}

#[test]
fn token_data_names_the_token_by_its_place() {
    let (first, second) = (VertexId([1; 32]), VertexId([2; 32]));
    let tx = Transaction { tokens: vec![first, second], ..empty() };
    assert_eq!(tx.token_at(TokenData::NATIVE), Some(TokenUid::Native));
    assert_eq!(tx.token_at(TokenData::FIRST), Some(TokenUid::Custom(first)));
    assert_eq!(tx.token_at(TokenData::token(2)), Some(TokenUid::Custom(second)));
    assert_eq!(tx.token_at(TokenData::authority(2)), Some(TokenUid::Custom(second)));
    assert_eq!(tx.token_at(TokenData::token(3)), None);
    let tx = Transaction { creates: Some(creation("Name".to_owned())), ..empty() };
    assert_eq!(tx.token_at(TokenData::NATIVE), Some(TokenUid::Native));
    assert_eq!(tx.token_at(TokenData::FIRST), None);
}

#[test]
fn authorities_are_no_amounts() {
    let authority = Output { token_data: TokenData::authority(1), ..output(3, 0) };
    let tx = Transaction { outputs: vec![output(5, 0), authority, output(7, 0)], ..empty() };
    assert_eq!(tx.outputs_sum(), Amount::new(12));
}
