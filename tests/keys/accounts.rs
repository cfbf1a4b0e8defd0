//! Every seed of the vectors, on both networks, those with the unpadded derivation included.

use crate::vectors::*;
use headless_wallet::keys::{AccountPublic, KeyError, sign_digest};
use headless_wallet::ledger::{Address, InputData};
use serde_json::Value;

fn each_seed_and_network(check: impl Fn(&Value, &Value)) {
    for seed in list(&ADDRESSES, "seeds") {
        for network in NETWORKS {
            check(seed, &seed["networks"][network.name()]);
        }
    }
}

#[test]
fn the_quirk_seeds_are_there_and_differ_from_standard_bip32() {
    let quirks: Vec<_> = list(&ADDRESSES, "seeds").iter().filter(|seed| !seed["quirk"].is_null()).collect();
    assert_eq!(
        quirks.iter().map(|seed| text(seed, "name")).collect::<Vec<_>>(),
        ["quirk-root-key-leading-zero", "quirk-coin-key-leading-zero", "quirk-purpose-key-leading-zero"]
    );
    for seed in quirks {
        let standard = text(&seed["networks"]["mainnet"], "standard_bip32_change_xpub");
        assert_ne!(keys(seed).public().to_xpub(), standard);
    }
}

#[test]
fn seeds_are_those_of_bip39() {
    for seed in list(&ADDRESSES, "seeds") {
        assert_eq!(hex::encode(text(seed, "passphrase")), text(seed, "passphrase_utf8_hex"));
        assert_eq!(
            *mnemonic(seed).seed(text(seed, "passphrase")),
            array::<64>(seed, "bip39_seed"),
            "{}",
            text(seed, "name")
        );
    }
}

#[test]
fn words_lead_to_the_change_level_xpub_and_the_wallet_id() {
    each_seed_and_network(|seed, network| {
        let account = keys(seed).public();
        assert_eq!(account.to_xpub(), text(network, "change_xpub"), "{}", text(seed, "name"));
        assert_eq!(hex::encode(account.wallet_id()), text(network, "wallet_id"), "{}", text(seed, "name"));
    });
}

#[test]
fn xpubs_of_account_and_change_level_lead_to_the_same_account() {
    each_seed_and_network(|_, network| {
        for level in ["account_xpub", "change_xpub"] {
            let account = AccountPublic::from_xpub(text(network, level)).unwrap();
            assert_eq!(account.to_xpub(), text(network, "change_xpub"));
            assert_eq!(hex::encode(account.wallet_id()), text(network, "wallet_id"));
        }
    });
}

#[test]
fn addresses_and_their_keys_are_those_of_the_reference() {
    for network in NETWORKS {
        for seed in list(&ADDRESSES, "seeds") {
            let keys = keys(seed);
            let public = keys.public();
            let entries = list(&seed["networks"][network.name()], "addresses");
            assert_eq!(entries.len(), 20);
            let hashes = public.key_hashes(0..20);
            for (entry, hash) in entries.iter().zip(hashes) {
                let index = number(entry, "index");
                let address = Address::p2pkh(network, hash);
                assert_eq!(address.to_string(), text(entry, "address"));
                assert_eq!(address.to_bytes().to_vec(), bytes(entry, "decoded"));
                assert_eq!(public.public_key(index), array::<33>(entry, "public_key"));
                // Signatures are deterministic, so that an equal one tells of an equal private key.
                let digest = [0x5a; 32];
                let expected = InputData::P2pkh {
                    signature: sign_digest(&array(entry, "private_key"), &digest).unwrap(),
                    public_key: array(entry, "public_key"),
                };
                assert_eq!(keys.sign(index, &digest), expected);
            }
        }
    }
}

#[test]
fn xpubs_of_other_levels_are_refused() {
    for entry in list(&ADDRESSES, "xpub_import") {
        let result = AccountPublic::from_xpub(text(entry, "xpub"));
        let description = text(entry, "description");
        if entry["ok"].as_bool().unwrap() {
            let account = result.unwrap();
            assert_eq!(account.to_xpub(), text(entry, "change_xpub"));
            let address = Address::p2pkh(NETWORKS[0], account.key_hashes(0..1)[0]);
            assert_eq!(address.to_string(), text(entry, "address_0_mainnet"));
        } else {
            let expected = match description {
                "root xpub (depth 0)" => KeyError::Depth(0),
                "address-level xpub (depth 5)" => KeyError::Depth(5),
                _ => KeyError::InvalidXpub,
            };
            assert_eq!(result.unwrap_err(), expected, "{description}");
        }
    }
}

#[test]
fn key_errors_say_what_is_expected() {
    assert_eq!(KeyError::InvalidXpub.to_string(), "Invalid xpub");
    assert_eq!(
        KeyError::Depth(5).to_string(),
        "Invalid xpub: expected depth 3 (account) or 4 (change level), found 5"
    );
}

#[test]
fn what_is_no_extended_key_is_refused() {
    let network = &list(&ADDRESSES, "seeds")[0]["networks"]["mainnet"];
    let (xpub, xpriv) = (text(network, "change_xpub"), text(network, "change_xpriv"));
    // A private one does not pass for one.
    assert_eq!(AccountPublic::from_xpub(xpriv).unwrap_err(), KeyError::InvalidXpub);
    let long = xpub.repeat(10_000);
    for text in
        ["", "xpub", "HP4p5GK1b3hSvtMq1fH6on2effpqK1u9dq", "0OIl", "ハトール", &long, &format!(" {xpub}")]
    {
        assert_eq!(AccountPublic::from_xpub(text).unwrap_err(), KeyError::InvalidXpub, "{text:.20}");
    }
}

/// Spells an extended key with a right checksum, whatever is in it.
fn extended(prefix: &str, depth: u8, key: &[u8]) -> String {
    let mut bytes = hex::decode(prefix).unwrap();
    bytes.push(depth);
    bytes.extend([0; 8]);
    bytes.extend([7; 32]);
    bytes.extend(key);
    bs58::encode(bytes).with_check().into_string()
}

#[test]
fn keys_outside_the_curve_are_refused() {
    // No point has x = 5; 0x04 starts an uncompressed key; zeros would be the point at infinity.
    let mut off_curve = [0; 33];
    off_curve[0] = 2;
    off_curve[32] = 5;
    for key in [off_curve.as_slice(), &[4; 33], &[0; 33]] {
        assert_eq!(
            AccountPublic::from_xpub(&extended("0488b21e", 4, key)).unwrap_err(),
            KeyError::InvalidXpub
        );
    }
    // 77 and 79 bytes.
    assert_eq!(
        AccountPublic::from_xpub(&extended("0488b21e", 4, &[2; 32])).unwrap_err(),
        KeyError::InvalidXpub
    );
    assert_eq!(
        AccountPublic::from_xpub(&extended("0488b21e", 4, &[2; 34])).unwrap_err(),
        KeyError::InvalidXpub
    );
}
