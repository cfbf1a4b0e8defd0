//! Output scripts, redeem scripts and input data. (`evaluation` in the vectors is for whoever verifies; the
//! exchange of signatures between the participants of a multisig, `p2sh_signature_exchange`, comes later.)

use crate::vectors::{Field, load};
use headless_wallet::ledger::{
    Address, InputData, Network, RedeemScript, Script, ScriptError, data_of, hash160,
};
use serde_json::Value;

/// What a vector says that its bytes are.
fn script_of(kind: &str, content: &Value, network: Network) -> Script {
    if kind.eq_ignore_ascii_case("data") {
        return Script::Data(content.text("data").to_owned());
    }
    let timelock = content["timelock"].as_u64().map(|time| u32::try_from(time).unwrap());
    Script::Pay { to: Address::parse(content.text("address"), network).unwrap(), timelock }
}

#[test]
fn every_output_script_is_written_and_read() {
    let mut written = 0;
    for vector in load("scripts").list("scripts").iter().filter(|vector| vector["parse_only"] != true) {
        let name = vector.text("name");
        let network = if vector["network"].is_null() { Network::Mainnet } else { vector.network() };
        let script = script_of(vector.text("type"), vector, network);
        let bytes = script.to_bytes().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(hex::encode(&bytes), vector.text("script"), "{name}");
        assert_eq!(Script::parse(&bytes, network), Some(script), "{name}");
        written += 1;
    }
    assert_eq!(written, 45);
}

/// Full nodes take a push and OP_CHECKSIG for data where the push is a text, and let whoever has the key
/// spend it where it is a compressed public key. This one is both; its private key is the number
/// 1000002012954.
#[test]
fn a_text_that_is_a_public_key_is_no_data() {
    let key = "037c7d15713055266f7065451066531a09ca9b721c5e76583861ceb2186730326b";
    assert!(String::from_utf8(hex::decode(key).unwrap()).is_ok());
    for push in ["21", "4c21"] {
        let script = hex::decode(format!("{push}{key}ac")).unwrap();
        assert_eq!((Script::parse(&script, Network::Mainnet), data_of(&script)), (None, None));
    }
    let longer = hex::decode(format!("22{key}20ac")).unwrap();
    assert_eq!(data_of(&longer).map(str::len), Some(34));
}

#[test]
fn unusual_bytes_are_read_as_wallets_read_them() {
    let mut read = 0;
    for vector in load("scripts").list("scripts").iter().filter(|vector| vector["parse_only"] == true) {
        let (name, theirs) = (vector.text("name"), &vector["wallet_lib_parse"]);
        let expected = match name {
            // Text that is none is shown with replacement characters by one library and refused by the other.
            "parse-data-invalid-utf8" => None,
            _ if theirs.is_null() => None,
            _ => Some(script_of(theirs.text("type"), theirs, Network::Mainnet)),
        };
        assert_eq!(Script::parse(&vector.bytes("script"), Network::Mainnet), expected, "{name}");
        read += 1;
    }
    assert_eq!(read, 20);
}

#[test]
fn a_lock_at_time_zero_is_read_but_is_another_script() {
    let to = Address::p2pkh(Network::Testnet, [7; 20]);
    let locked = Script::Pay { to, timelock: Some(0) };
    let bytes = locked.to_bytes().unwrap();
    assert_eq!(hex::encode(&bytes[..6]), "04000000006f");
    assert_eq!(Script::parse(&bytes, Network::Testnet), Some(locked));
    assert_eq!(Script::Pay { to, timelock: None }.to_bytes().unwrap(), bytes[6..]);
}

#[test]
fn data_is_1_to_255_bytes() {
    let message = |text: String| Script::Data(text).to_bytes().unwrap_err().to_string();
    assert_eq!(message(String::new()), "You must provide data.");
    assert_eq!(message("x".repeat(256)), "a push holds at most 255 bytes and this has 256");
    assert_eq!(message("é".repeat(128)), "a push holds at most 255 bytes and this has 256");
}

#[test]
fn pushes_have_the_known_prefixes() {
    for vector in load("scripts").list("push_data").iter().filter(|vector| vector.number("length") > 0) {
        let len = usize::try_from(vector.number("length")).unwrap();
        let bytes = Script::Data("a".repeat(len)).to_bytes().unwrap();
        let prefix = vector.bytes("pushed_prefix");
        assert_eq!(bytes[..prefix.len()], prefix, "{vector}");
        // The opcode after the push is one byte more.
        assert_eq!(bytes.len() as u64, vector.number("total") + 1, "{vector}");
    }
}

#[test]
fn every_redeem_script_is_written_and_read() {
    let vectors = load("scripts");
    assert_eq!(vectors.list("redeem_scripts").len(), 8);
    for vector in vectors.list("redeem_scripts") {
        let key = |key: &Value| hex::decode(key.as_str().unwrap()).unwrap().try_into().unwrap();
        let script = RedeemScript {
            num_signatures: u8::try_from(vector.number("num_signatures")).unwrap(),
            public_keys: vector.list("pubkeys_in_script_order").iter().map(key).collect(),
        };
        if vector["unspendable"] == true {
            let refusal = ScriptError::BadMultisig { num_signatures: 2, keys: 8 };
            assert_eq!(script.to_bytes(), Err(refusal));
            assert_eq!(RedeemScript::parse(&vector.bytes("redeem_script")), None);
            continue;
        }
        let bytes = script.to_bytes().unwrap();
        assert_eq!(hex::encode(&bytes), vector.text("redeem_script"));
        assert_eq!(RedeemScript::parse(&bytes), Some(script));
        let hash = hash160(&bytes);
        assert_eq!(hex::encode(hash), vector.text("script_hash"));
        assert_eq!(Address::p2sh(Network::Mainnet, hash).to_string(), vector.text("mainnet_address"));
        assert_eq!(Address::p2sh(Network::Testnet, hash).to_string(), vector.text("testnet_address"));
    }
}

#[test]
fn multisig_takes_one_to_seven_keys_and_no_more_signatures_than_keys() {
    for (num_signatures, keys) in [(0, 0), (0, 1), (1, 0), (2, 1), (8, 7), (255, 7), (1, 8)] {
        let script = RedeemScript { num_signatures, public_keys: vec![[2; 33]; keys] };
        assert_eq!(
            script.to_bytes().unwrap_err().to_string(),
            format!(
                "{num_signatures} of {keys} keys: multisig takes 1 to 7 keys and no more signatures than keys"
            )
        );
    }
}

#[test]
fn every_input_data_is_written() {
    let vectors = load("scripts");
    assert_eq!(vectors.list("input_data").len(), 11);
    for vector in vectors.list("input_data") {
        let data = if vector.text("type") == "P2PKH" {
            let public_key = vector.bytes("pubkey").try_into().unwrap();
            InputData::P2pkh { signature: vector.bytes("signature"), public_key }
        } else {
            let signature = |text: &Value| hex::decode(text.as_str().unwrap()).unwrap();
            let signatures = vector.list("signatures").iter().map(signature).collect();
            InputData::P2sh { signatures, redeem_script: vector.bytes("redeem_script") }
        };
        if vector["error"].is_null() {
            assert_eq!(hex::encode(data.to_bytes().unwrap()), vector.text("input_data"));
        } else {
            assert_eq!(
                data.to_bytes().unwrap_err().to_string(),
                "1 signatures for a redeem script that takes 2",
                "{}",
                vector.text("name")
            );
        }
    }
    let data = InputData::P2sh { signatures: vec![], redeem_script: vec![0x51] };
    assert_eq!(data.to_bytes().unwrap_err().to_string(), "not a redeem script of 1 to 7 keys");
}
