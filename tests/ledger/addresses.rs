//! Addresses: which texts are one, of which network, and what is said of the others.

use crate::vectors::{Field, load};
use headless_wallet::ledger::{Address, AddressError, AddressKind, Network, Script};
use proptest::prelude::*;

const NETWORKS: [Network; 3] = [Network::Mainnet, Network::Testnet, Network::Privatenet];

/// The text for an address of another network: the existing wallet's newest release also names the version
/// byte of shielded addresses, which come later; the one whose texts clients know does not.
fn other_network(address: &str, network: Network, received: u8) -> String {
    let expected = if network == Network::Mainnet { "40 or 100" } else { "73 or 135" };
    let owner = match received {
        40 | 100 => " It is an address of mainnet.",
        73 | 135 => " It is an address of a test or private network.",
        _ => "",
    };
    format!(
        "Invalid address: {address}. Invalid network byte. Expected: {expected} and received {received}.{owner}"
    )
}

/// What is wrong with a text whatever the network.
fn refusal(description: &str, address: &str) -> Option<String> {
    let reason = match description {
        "19-byte hash" | "truncated" => "Address has 24 bytes and should have 25.",
        "21-byte hash" | "leading 1 added" => "Address has 26 bytes and should have 25.",
        "empty" => "Address has 0 bytes and should have 25.",
        // Later: shielded addresses have 71 bytes.
        "mainnet shielded (later)" | "testnet shielded (later)" => "Address has 71 bytes and should have 25.",
        "last character changed" => "Invalid checksum. Expected: 1c652e58 != Received: 1c652e28.",
        "lowercased" => "Invalid checksum. Expected: 19a6118e != Received: 3bed6af8.",
        "contains 0" | "contains O" | "contains I" | "contains l" | "leading space" | "trailing newline" => {
            return Some("Invalid base58 address".to_owned());
        }
        _ => return None,
    };
    Some(format!("Invalid address: {address}. {reason}"))
}

#[test]
fn every_vector_is_judged_alike_on_every_network() {
    let vectors = load("addresses");
    assert_eq!(vectors.list("address_validation").len(), 25);
    for vector in vectors.list("address_validation") {
        let (description, text) = (vector.text("description"), vector.text("address"));
        for network in NETWORKS {
            let expected = &vector["networks"][network.name()];
            let found = Address::parse(text, network);
            if let Some(message) = refusal(description, text) {
                assert_eq!(found.unwrap_err().to_string(), message, "{description}");
            } else if expected["valid"] == true {
                let address = found.unwrap_or_else(|error| panic!("{description}: {error}"));
                assert_eq!(address.to_string(), text);
                assert_eq!(hex::encode(address.to_bytes()), vector.text("decoded"));
                let kind =
                    if expected.text("type") == "p2sh" { AddressKind::P2sh } else { AddressKind::P2pkh };
                assert_eq!(address.kind(), kind, "{description}");
                assert_eq!(Address::parse_any(text), Ok(address));
                let script = Script::Pay { to: address, timelock: None }.to_bytes().unwrap();
                assert_eq!(hex::encode(script), expected.text("script"), "{description}");
            } else {
                let message = other_network(text, network, vector.bytes("decoded")[0]);
                assert_eq!(found.unwrap_err().to_string(), message, "{description}");
            }
        }
    }
}

#[test]
fn every_address_of_every_seed_is_read_and_written() {
    let vectors = load("addresses");
    for network in [Network::Mainnet, Network::Testnet] {
        for seed in vectors.list("seeds") {
            for vector in seed["networks"][network.name()].list("addresses") {
                let address = Address::parse(vector.text("address"), network).unwrap();
                assert_eq!(hex::encode(address.to_bytes()), vector.text("decoded"));
                assert_eq!(address, Address::p2pkh(network, address.hash()));
                assert_eq!(address.to_string(), vector.text("address"));
            }
        }
    }
}

#[test]
fn an_address_of_no_known_network_is_named_as_such() {
    let text = "1111111111111111111114oLvT2";
    assert_eq!(
        Address::parse_any(text).unwrap_err().to_string(),
        "Invalid address: 1111111111111111111114oLvT2. Invalid network byte. No known network has 0."
    );
}

#[test]
fn a_very_long_text_is_refused_without_being_decoded() {
    let text = "z".repeat(1_000_000);
    let error = Address::parse(&text, Network::Mainnet).unwrap_err();
    assert_eq!(error, AddressError::Length { address: text.clone(), bytes: 733_000 });
    let error = Address::parse(&format!("{text}0"), Network::Mainnet).unwrap_err();
    assert_eq!(error, AddressError::Base58);
}

proptest! {
    #[test]
    fn texts_are_base58(hash: [u8; 20]) {
        for hash in [hash, [0; 20], [0xff; 20]] {
            for network in NETWORKS {
                for address in [Address::p2pkh(network, hash), Address::p2sh(network, hash)] {
                    prop_assert_eq!(address.to_string(), bs58::encode(address.to_bytes()).into_string());
                }
            }
        }
    }
}
