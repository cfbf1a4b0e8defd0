//! Reading the vector files.

use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::Network;
use serde_json::Value;
use std::sync::LazyLock;

pub static ADDRESSES: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../vectors/addresses.json")).unwrap());
pub static SIGNATURES: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../vectors/signatures.json")).unwrap());

pub const NETWORKS: [Network; 2] = [Network::Mainnet, Network::Testnet];

/// The entries of a list.
pub fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    let list = value[name].as_array().unwrap_or_else(|| panic!("{name} is a list"));
    assert!(!list.is_empty(), "{name} has entries");
    list
}

pub fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("{name} is a text"))
}

pub fn number(value: &Value, name: &str) -> u32 {
    value[name].as_u64().unwrap_or_else(|| panic!("{name} is a number")).try_into().unwrap()
}

pub fn bytes(value: &Value, name: &str) -> Vec<u8> {
    hex::decode(text(value, name)).unwrap()
}

pub fn array<const N: usize>(value: &Value, name: &str) -> [u8; N] {
    bytes(value, name).try_into().unwrap()
}

pub fn mnemonic(value: &Value) -> Mnemonic {
    Mnemonic::parse(text(value, "words")).unwrap()
}

/// The account of a seed entry or multisig participant.
pub fn keys(value: &Value) -> AccountKeys {
    AccountKeys::from_mnemonic(&mnemonic(value), text(value, "passphrase"))
}

/// Text entries of a list.
pub fn texts(value: &Value, name: &str) -> Vec<String> {
    list(value, name).iter().map(|entry| entry.as_str().unwrap().to_owned()).collect()
}
