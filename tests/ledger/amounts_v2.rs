//! Amounts with 18 decimals, against what the full node's own code says (`tests/vectors/amounts_v2`).

use crate::vectors::{Field, load};
use headless_wallet::ledger::{
    Amount, AmountVersion, DepositRate, Header, SignedAmount, Transaction, WeightConstants, vertex_outputs,
};
use serde_json::Value;
use sha2::{Digest, Sha256};

fn units(value: &Value, key: &str) -> Amount {
    Amount::of_units(value.text(key).parse().unwrap())
}

fn version(value: &Value) -> AmountVersion {
    if value.number("version") == 2 { AmountVersion::V2 } else { AmountVersion::V1 }
}

/// A transaction with one output, whose value has these bytes.
fn with_value(version: u64, value: &[u8]) -> Vec<u8> {
    let head = [u8::try_from(version - 1).unwrap(), 1, 0, 0, 1];
    [&head[..], value, &[0, 0, 0], &[0; 12], &[0], &[0; 4]].concat()
}

#[test]
fn values_have_the_bytes_of_the_node() {
    let vectors = load("amounts_v2/values");
    assert_eq!(vectors.list("values").len(), 26);
    for vector in vectors.list("values") {
        let amount = units(vector, "normalized");
        let number: u128 = vector.text("raw").parse().unwrap();
        assert_eq!(version(vector).amount(number, false), amount, "{vector}");
        assert_eq!(version(vector).number(amount, false), Some(number), "{vector}");
        assert_eq!(amount.decimal(), vector.text("decimal"));
        assert_eq!(Amount::of_decimal(vector.text("decimal")), Some(amount));
        let bytes = with_value(vector.number("version"), &vector.bytes("hex"));
        let read = Transaction::from_bytes_with_v2(&bytes).unwrap();
        assert_eq!(read.outputs[0].value, amount, "{vector}");
        assert_eq!(hex::encode(read.to_bytes().unwrap()), hex::encode(&bytes));
        assert_eq!(read.size(), bytes.len());
    }
}

#[test]
fn values_that_the_node_refuses_are_refused() {
    let vectors = load("amounts_v2/values");
    assert_eq!(vectors.list("refused").len(), 19);
    for vector in vectors.list("refused") {
        let Some(number) = vector["raw"].as_str() else {
            let bytes = with_value(vector.number("version"), &vector.bytes("hex"));
            assert!(Transaction::from_bytes_with_v2(&bytes).is_err(), "{vector}");
            continue;
        };
        let bytes = with_value(
            vector.number("version"),
            if vector.number("version") == 2 { &[1, 1] } else { &[0, 0, 0, 1] },
        );
        let mut transaction = Transaction::from_bytes_with_v2(&bytes).unwrap();
        transaction.outputs[0].value = version(vector).amount(number.parse().unwrap(), false);
        assert!(transaction.to_bytes().is_err(), "{vector}");
    }
}

#[test]
fn amounts_in_words_are_read_and_written_as_the_node_does() {
    for vector in load("amounts_v2/values").list("decimals") {
        let read = Amount::of_decimal(vector.text("text"));
        let Some(expected) = vector["normalized"].as_str() else {
            assert_eq!(read, None, "{vector}");
            continue;
        };
        let read = read.unwrap();
        assert_eq!(read, Amount::of_units(expected.parse().unwrap()), "{vector}");
        assert_eq!(read.decimal(), vector.text("written"));
        assert_eq!(read.whole_cents().map(|cents| cents.to_string()).as_deref(), vector["cents"].as_str());
    }
}

#[test]
fn deposits_are_whole_cents() {
    let vectors = load("amounts_v2/values");
    assert_eq!(vectors.list("deposits").len(), 16);
    for vector in vectors.list("deposits") {
        let amount = units(vector, "normalized");
        assert_eq!(DepositRate::default().deposit(amount), units(vector, "deposit"), "{vector}");
        assert_eq!(DepositRate::default().withdraw(amount), units(vector, "withdraw"), "{vector}");
    }
}

#[test]
fn transactions_of_both_versions_have_the_bytes_and_hashes_of_the_node() {
    let vectors = load("amounts_v2/transactions");
    assert_eq!(vectors.list("transactions").len(), 23);
    for vector in vectors.list("transactions") {
        let (name, bytes) = (vector.text("name"), vector.bytes("hex"));
        let tx = Transaction::from_bytes_with_v2(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(tx.amounts(), version(vector), "{name}");
        assert_eq!(hex::encode(tx.to_bytes().unwrap()), vector.text("hex"), "{name}");
        assert_eq!(tx.size(), bytes.len(), "{name}");
        assert_eq!(tx.id().unwrap().to_string(), vector.text("hash"), "{name}");
        assert_eq!(hex::encode(tx.sighash_bytes().unwrap()), vector.text("sighash"), "{name}");
        let sighash = Sha256::digest(Sha256::digest(vector.bytes("sighash")));
        assert_eq!(tx.sighash().unwrap()[..], sighash[..], "{name}");
        let halves = [vector.text("funds_hash"), vector.text("graph_hash")].concat();
        assert_eq!(hex::encode(tx.mining_bytes().unwrap()), halves, "{name}");
        assert_eq!(tx.outputs_sum(), units(vector, "sum_outputs"), "{name}");
        for (output, json) in tx.outputs.iter().zip(vector.list("outputs")) {
            let is_mask = json["authority"] == true;
            let expected = match is_mask {
                true => Amount::new(json.text("raw").parse().unwrap()),
                false => units(json, "normalized"),
            };
            assert_eq!((output.value, output.token_data.is_authority()), (expected, is_mask), "{name}");
        }
        let fees: Vec<_> = tx.headers.iter().flat_map(Header::fees).map(|fee| fee.amount.decimal()).collect();
        let expected = vector["fees"].as_array().into_iter().flatten().map(|fee| fee.text("amount_str"));
        assert_eq!(fees, expected.collect::<Vec<_>>(), "{name}");
        let moved = tx.nano().into_iter().flat_map(|call| &call.actions);
        let moved = moved.map(|action| tx.amounts().number(action.amount, action.kind.moves_authority()));
        let moved: Vec<_> = moved.map(|number| number.unwrap().to_string()).collect();
        let expected = vector["actions"].as_array().into_iter().flatten().map(|action| action.text("raw"));
        assert_eq!(moved, expected.collect::<Vec<_>>(), "{name}");
        let weight = WeightConstants::MAINNET.min_weight_of(&tx);
        // The node takes nothing for 10^-18 in the second version, and for a cent in the first.
        if !tx.outputs_sum().is_zero() {
            assert!((weight - vector.float("minimum_weight")).abs() < 1e-9, "{name}: {weight}");
        }
    }
    for vector in vectors.list("refused") {
        assert!(Transaction::from_bytes_with_v2(&vector.bytes("hex")).is_err(), "{}", vector.text("what"));
    }
}

#[test]
fn parts_of_a_cent_are_not_written_in_cents() {
    let vectors = load("amounts_v2/transactions");
    let of = |name: &str| vectors.list("transactions").iter().find(|v| v.text("name") == name).unwrap();
    let mut tx = Transaction::from_bytes_with_v2(&of("V2 parts of a cent").bytes("hex")).unwrap();
    tx.signal_bits = 0;
    let error = tx.to_bytes().unwrap_err().to_string();
    assert_eq!(error, "an amount of 0.5 cents in a transaction whose amounts are in whole cents");
    // The same amounts in the other version are another transaction, and so is its hash to sign.
    let mut tx = Transaction::from_bytes_with_v2(&of("V1 payment with change").bytes("hex")).unwrap();
    let (id, sighash) = (tx.id().unwrap(), tx.sighash().unwrap());
    tx.signal_bits = Transaction::AMOUNTS_V2;
    assert_ne!(tx.sighash().unwrap(), sighash);
    assert_ne!(tx.id().unwrap(), id);
    assert_eq!(hex::encode(tx.to_bytes().unwrap()), of("V2 payment with change").text("hex"));
}

#[test]
fn outputs_are_those_of_the_bytes() {
    for vector in load("amounts_v2/histories").list("histories") {
        let id = vector["json"].text("tx_id").parse().unwrap();
        let bytes = vector.bytes("raw");
        if bytes[0] & Transaction::AMOUNTS_V2 != 0 {
            let error = vertex_outputs(&bytes, id, AmountVersion::V1).unwrap_err();
            assert_eq!(error, "the transaction's bytes can't be read: not supported: signal bits 0b1");
        }
        let outputs = vertex_outputs(&bytes, id, AmountVersion::V2).unwrap();
        for (output, json) in outputs.iter().zip(vector["json"].list("outputs")) {
            let words = match output.token_data.is_authority() {
                true => words_of_mask(output.value, json),
                false => output.value.decimal(),
            };
            assert_eq!(words, json.text("value_str"), "{}", vector.text("name"));
        }
        assert_eq!(outputs.len(), vector["json"].list("outputs").len());
    }
}

/// Nodes say masks in words, too, as if they were amounts.
fn words_of_mask(mask: Amount, json: &Value) -> String {
    assert_eq!(mask.cents(), u128::from(json.number("value")));
    json.text("value_str").to_owned()
}

#[test]
fn sums_are_exact_at_the_ends() {
    let least = Amount::of_units(1);
    let cent = Amount::new(1);
    let below = cent.checked_sub(least).unwrap();
    assert_eq!(below.units(), Some(9_999_999_999_999_999));
    assert_eq!(below.checked_add(least), Some(cent));
    assert_eq!(below.checked_add(below).unwrap().units(), Some(19_999_999_999_999_998));
    assert_eq!(least.checked_sub(cent), None);
    assert_eq!(Amount::ZERO.checked_sub(least), None);
    assert_eq!((below.cents(), below.whole_cents(), cent.whole_cents()), (0, None, Some(1)));
    assert_eq!((below.to_string(), cent.to_string()), ("0.9999999999999999".to_owned(), "1".to_owned()));
    // As many of the greatest outputs as nobody can keep.
    let many: Amount = std::iter::repeat_n(Amount::MAX_OUTPUT, 100_000).sum();
    assert_eq!(many.checked_add(least).unwrap().checked_sub(many), Some(least));
    // A transaction's sums, with a sign.
    let all: SignedAmount = std::iter::repeat_n(Amount::MAX_OUTPUT.to_signed(), 510).sum();
    assert_eq!((all - least.to_signed()).decimal(), "47039197387959356620.799999999999999999");
    assert_eq!((least.to_signed() - cent.to_signed()).to_string(), "-0.9999999999999999");
    assert_eq!((least.to_signed() - cent.to_signed()).cents(), 0);
}
