//! Participants, redeem scripts, and the text in which signatures travel.

use crate::vectors::*;
use headless_wallet::keys::{
    MultisigError, MultisigKeys, MultisigPublic, MultisigSignatures, ParseSignaturesError, verify_digest,
};
use headless_wallet::ledger::{Address, InputData, Transaction, hash160};
use serde_json::Value;

fn participants(entry: &Value) -> Vec<MultisigKeys> {
    list(entry, "participants")
        .iter()
        .map(|one| MultisigKeys::from_mnemonic(&mnemonic(one), text(one, "passphrase")))
        .collect()
}

fn num_signatures(entry: &Value) -> u8 {
    number(entry, "num_signatures").try_into().unwrap()
}

/// The entries that can form a wallet.
fn spendable() -> impl Iterator<Item = &'static Value> {
    list(&ADDRESSES, "multisig").iter().filter(|entry| entry["unspendable"] != true)
}

#[test]
fn the_account_xpub_of_every_seed_is_that_of_the_reference() {
    for seed in list(&ADDRESSES, "seeds") {
        let keys = MultisigKeys::from_mnemonic(&mnemonic(seed), text(seed, "passphrase"));
        for network in NETWORKS {
            assert_eq!(keys.account_xpub(), text(&seed["networks"][network.name()], "multisig_account_xpub"));
        }
    }
}

#[test]
fn participants_have_the_account_keys_of_the_reference() {
    for entry in list(&ADDRESSES, "multisig") {
        let participants = participants(entry);
        for network in NETWORKS {
            let expected = &entry["networks"][network.name()];
            let xpubs: Vec<_> = participants.iter().map(MultisigKeys::account_xpub).collect();
            assert_eq!(xpubs, texts(expected, "account_xpubs"));
            let mut keys: Vec<_> = participants.iter().map(|one| hex::encode(one.account_key())).collect();
            assert_eq!(keys, texts(expected, "account_pubkeys"));
            keys.sort();
            assert_eq!(keys, texts(expected, "sorted_account_pubkeys"));
        }
    }
}

#[test]
fn redeem_scripts_and_addresses_are_those_of_the_reference() {
    assert_eq!(spendable().count(), 7);
    for entry in spendable() {
        for network in NETWORKS {
            let expected = &entry["networks"][network.name()];
            let wallet =
                MultisigPublic::new(&texts(expected, "account_xpubs"), num_signatures(entry)).unwrap();
            let addresses = list(expected, "addresses");
            let scripts = wallet.redeem_scripts(0..addresses.len() as u32);
            assert_eq!(scripts.len(), addresses.len());
            for (expected, script) in addresses.iter().zip(scripts) {
                assert_eq!(script, wallet.redeem_script(number(expected, "index")));
                let keys: Vec<_> = script.public_keys.iter().map(hex::encode).collect();
                assert_eq!(keys, texts(expected, "pubkeys"));
                let bytes = script.to_bytes().unwrap();
                assert_eq!(hex::encode(&bytes), text(expected, "redeem_script"));
                assert_eq!(hex::encode(hash160(&bytes)), text(expected, "script_hash"));
                let address = Address::p2sh(network, hash160(&bytes));
                assert_eq!(address.to_string(), text(expected, "address"));
            }
        }
    }
}

#[test]
fn the_order_of_the_xpubs_does_not_matter() {
    for entry in spendable() {
        let mut xpubs = texts(&entry["networks"]["mainnet"], "account_xpubs");
        let script = MultisigPublic::new(&xpubs, num_signatures(entry)).unwrap().redeem_script(3);
        xpubs.reverse();
        assert_eq!(MultisigPublic::new(&xpubs, num_signatures(entry)).unwrap().redeem_script(3), script);
    }
}

#[test]
fn a_wallet_that_could_never_spend_is_refused() {
    let entry = list(&ADDRESSES, "multisig").iter().find(|entry| entry["unspendable"] == true).unwrap();
    let xpubs = texts(&entry["networks"]["mainnet"], "account_xpubs");
    let error = MultisigPublic::new(&xpubs, num_signatures(entry)).unwrap_err();
    assert_eq!(error, MultisigError::Count { num_signatures: 2, keys: 8 });
    assert_eq!(error.to_string(), "2 of 8: multisig takes 1 to 7 keys and no more signatures than keys");
    for (keys, num_signatures) in [(0, 0), (0, 1), (2, 0), (2, 3)] {
        assert_eq!(
            MultisigPublic::new(&xpubs[..keys], num_signatures).unwrap_err(),
            MultisigError::Count { num_signatures, keys }
        );
    }
}

#[test]
fn only_account_xpubs_make_participants() {
    let network = &list(&ADDRESSES, "seeds")[0]["networks"]["mainnet"];
    let account = text(network, "multisig_account_xpub").to_owned();
    for other in [text(network, "change_xpub"), text(network, "root_xpriv"), "xpub"] {
        let error = MultisigPublic::new(&[account.clone(), other.to_owned()], 2).unwrap_err();
        assert_eq!(error, MultisigError::InvalidXpub(1));
        assert_eq!(error.to_string(), "Invalid xpub of participant 1");
    }
}

#[test]
fn a_participant_signs_with_the_key_that_the_script_has() {
    let digest = [0x21; 32];
    for entry in spendable() {
        let wallet = MultisigPublic::new(
            &texts(&entry["networks"]["mainnet"], "account_xpubs"),
            num_signatures(entry),
        )
        .unwrap();
        let mut participants = participants(entry);
        participants.sort_by_key(MultisigKeys::account_key);
        let script = wallet.redeem_script(4);
        for (participant, key) in participants.iter().zip(&script.public_keys) {
            assert!(verify_digest(key, &digest, &participant.sign(4, &digest)));
            assert!(!verify_digest(key, &digest, &participant.sign(5, &digest)));
        }
    }
}

const EXCHANGED: &str =
    "02c89ade86bc61873cfc37e5315778c2d109491b06ca1929faedc666e55bb6e523|0:3044aa|2:3044bb";

#[test]
fn signatures_travel_as_the_reference_writes_them() {
    let read: MultisigSignatures = EXCHANGED.parse().unwrap();
    assert_eq!(hex::encode(read.account_key), EXCHANGED[..66]);
    assert_eq!(
        read.signatures.clone().into_iter().collect::<Vec<_>>(),
        [(0, vec![0x30, 0x44, 0xaa]), (2, vec![0x30, 0x44, 0xbb])]
    );
    assert_eq!(read.to_string(), EXCHANGED);
    assert_eq!(EXCHANGED[..66].parse::<MultisigSignatures>().unwrap().to_string(), EXCHANGED[..66]);
}

#[test]
fn texts_that_hold_no_signatures_are_refused() {
    let key = &EXCHANGED[..66];
    for (text, error) in [
        (String::new(), ParseSignaturesError::AccountKey),
        (key[..64].to_owned(), ParseSignaturesError::AccountKey),
        (format!("{}zz|0:30", &key[..64]), ParseSignaturesError::AccountKey),
        (format!("{key}|"), ParseSignaturesError::Signature(0)),
        (format!("{key}|0:30|256:30"), ParseSignaturesError::Signature(1)),
        (format!("{key}|-1:30"), ParseSignaturesError::Signature(0)),
        (format!("{key}|0:3"), ParseSignaturesError::Signature(0)),
        (format!("{key}|1:30|1:31"), ParseSignaturesError::Repeated(1)),
    ] {
        assert_eq!(text.parse::<MultisigSignatures>().unwrap_err(), error, "{text}");
    }
    assert_eq!(
        ParseSignaturesError::AccountKey.to_string(),
        "Invalid signatures: the first part must be the participant's public key (33 bytes in hex)"
    );
    assert_eq!(
        ParseSignaturesError::Signature(1).to_string(),
        "Invalid signatures: part 1 after the public key is not of the form <input>:<signature in hex>"
    );
    assert_eq!(ParseSignaturesError::Repeated(1).to_string(), "Invalid signatures: input 1 has two");
}

/// A token creation of the 2 of 3, as release 0.39 proposed it, as its participants signed it, and with two
/// of the signatures in it.
#[test]
fn participants_sign_what_those_of_the_existing_service_sign() {
    let recorded: Value = serde_json::from_str(include_str!("../vectors/p2sh_proposal.json")).unwrap();
    let transaction = |name| Transaction::from_bytes(&hex::decode(text(&recorded, name)).unwrap()).unwrap();
    let (proposal, signed) = (transaction("proposal"), transaction("signed"));
    let digest = proposal.sighash().unwrap();
    let entry = &list(&ADDRESSES, "multisig")[2];
    let shares: Vec<_> = participants(entry)
        .iter()
        .map(|one| MultisigSignatures {
            account_key: one.account_key(),
            signatures: [(0, one.sign(0, &digest))].into_iter().collect(),
        })
        .collect();
    let texts_of_shares: Vec<_> = shares.iter().map(MultisigSignatures::to_string).collect();
    assert_eq!(texts_of_shares, texts(&recorded, "signatures"));

    let xpubs = texts(&entry["networks"]["testnet"], "account_xpubs");
    let wallet = MultisigPublic::new(&xpubs, num_signatures(entry)).unwrap();
    let mut two = shares[1..].to_vec();
    two.sort();
    let signatures = two.iter().map(|share| share.signatures[&0].clone()).collect();
    let redeem_script = wallet.redeem_script(0).to_bytes().unwrap();
    let data = InputData::P2sh { signatures, redeem_script }.to_bytes().unwrap();
    assert_eq!(hex::encode(data), hex::encode(&signed.inputs[0].data));
    assert_eq!(signed.sighash().unwrap(), digest);
}
