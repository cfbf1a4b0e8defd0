//! The script interpreter, held to verdicts of the full node's.

use headless_wallet::devnet::chain::{ScriptContext, ScriptError, evaluate_script};
use serde_json::Value;

fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().unwrap()).unwrap()
}

/// The full node's name for the error.
fn kind(error: &ScriptError) -> &'static str {
    match error {
        ScriptError::OutOfData(_) => "OutOfData",
        ScriptError::InvalidScript(_) => "InvalidScriptError",
        ScriptError::InvalidStackData(_) => "InvalidStackData",
        ScriptError::MissingStackItems(_) => "MissingStackItems",
        ScriptError::EqualVerifyFailed => "EqualVerifyFailed",
        ScriptError::TimeLocked(_) => "TimeLocked",
        ScriptError::FinalStackInvalid(_) => "FinalStackInvalid",
        ScriptError::Other(_) => "ScriptError",
        ScriptError::Unanswered => "AssertionError",
    }
}

#[test]
fn evaluation_vectors() {
    let file: Value = serde_json::from_str(include_str!("../vectors/scripts.json")).unwrap();
    let cases = file["evaluation"].as_array().unwrap();
    assert_eq!(cases.len(), 20);
    for case in cases {
        let context = ScriptContext {
            sighash: bytes(&case["sighash"]).try_into().unwrap(),
            timestamp: case["transaction_timestamp"].as_u64().unwrap().try_into().unwrap(),
        };
        let verdict = evaluate_script(&bytes(&case["input_data"]), &bytes(&case["output_script"]), &context);
        let name = case["name"].as_str().unwrap();
        assert_eq!(verdict.is_ok(), case["valid"].as_bool().unwrap(), "{name}: {verdict:?}");
        assert_eq!(verdict.as_ref().err().map(kind), case["node_error"].as_str(), "{name}: {verdict:?}");
    }
}

#[test]
fn what_goes_wrong_is_said_in_the_nodes_words() {
    let context = ScriptContext { sighash: [0; 32], timestamp: 1_700_000_000 };
    let said = |input: &[u8], output: &[u8]| {
        evaluate_script(input, output, &context).map_err(|error| error.to_string()).unwrap_err()
    };
    assert_eq!(said(&[], &[]), "Empty Stack left");
    assert_eq!(said(&[0x51, 0x51], &[]), "Stack left with more than one value");
    assert_eq!(said(&[0x50], &[]), "Stack left with False value");
    assert_eq!(said(&[], &[0x76]), "OP_DUP: empty stack");
    assert_eq!(said(&[], &[0xa9]), "OP_HASH160: empty stack");
    assert_eq!(said(&[], &[0x6f]), "OP_GREATERTHAN_TIMESTAMP: empty stack");
    assert_eq!(said(&[1, 7], &[0x87]), "OP_EQUAL: need 2 elements on stack, currently 1");
    assert_eq!(said(&[], &[0x88]), "OP_EQUALVERIFY: need 2 elements on stack, currently 0");
    assert_eq!(said(&[], &[0xac]), "OP_CHECKSIG: need 2 elements on stack, currently 0");
    assert_eq!(said(&[1, 7, 1, 8], &[0x88]), "Failed to verify if elements are equal");
    assert_eq!(
        said(&[1, 7, 1, 8], &[0x87]),
        "Executing function opcode OP_EQUAL (0x87)\nOP_EQUAL: failed. elements: 08 07\nStack left with False value"
    );
    assert_eq!(said(&[1, 7, 1, 8], &[0xac]), "OP_CHECKSIG: pubkey is not a compressed public key");
    assert_eq!(said(&[0x61], &[]), "Invalid Opcode (97) at position 0 in b'a'");
    assert_eq!(said(&[0x02, 1], &[]), "trying to read 2 bytes starting at 1, available 2");
    assert_eq!(said(&[0x03, 1], &[]), "length (3) should be from 0 up to data length");
    assert_eq!(said(&[0x01], &[]), "position should be inside data");
    assert_eq!(said(&[0x4c], &[]), "trying to read a byte at 1 outside of data, available 1");
    assert_eq!(
        said(&[4, 0x65, 0x53, 0xf1, 0x00], &[0x6f]),
        "The output is locked until 11/14/2023 10:13:20 PM"
    );
    assert_eq!(said(&[], &[0xae]), "OP_CHECKMULTISIG: empty stack");
    assert_eq!(said(&[1, 7], &[0xae]), "OP_CHECKMULTISIG: pubkey count should be an integer");
    assert_eq!(said(&[0x51], &[0xae]), "OP_CHECKMULTISIG: not enough public keys on the stack");
    assert_eq!(said(&[1, 7, 0x51], &[0xae]), "OP_CHECKMULTISIG: less elements than should on the stack");
    assert_eq!(said(&[1, 6, 1, 7, 0x51], &[0xae]), "OP_CHECKMULTISIG: signatures count should be an integer");
    assert_eq!(
        said(&[0x60, 1, 7, 0x51], &[0xae]),
        "OP_CHECKMULTISIG: signature count (16) exceeded the limit (15)"
    );
    assert_eq!(said(&[0x51, 1, 7, 0x51], &[0xae]), "OP_CHECKMULTISIG: not enough signatures on the stack");
}

#[test]
fn what_the_node_trips_over_has_no_answer() {
    let context = ScriptContext { sighash: [0; 32], timestamp: 0 };
    assert_eq!(evaluate_script(&[0x51], &[0xa9], &context), Err(ScriptError::Unanswered));
    assert_eq!(evaluate_script(&[2, 1, 1], &[0x6f], &context), Err(ScriptError::Unanswered));
}
