//! ECDSA and signed messages, byte for byte.

use crate::vectors::*;
use base64::{Engine, prelude::BASE64_STANDARD};
use headless_wallet::keys::{SignatureError, sign_digest, sign_message, verify_digest, verify_message};
use headless_wallet::ledger::{Address, InputData, Network, hash160};
use k256::ecdsa::{Signature, SigningKey};
use proptest::prelude::*;

#[test]
fn signatures_are_those_of_the_reference() {
    assert_eq!(list(&SIGNATURES, "ecdsa").len(), 64);
    for entry in list(&SIGNATURES, "ecdsa") {
        let digest = array(entry, "digest");
        let signature = sign_digest(&array(entry, "private_key"), &digest).unwrap();
        assert_eq!(hex::encode(&signature), text(entry, "signature_der"), "{}", text(entry, "name"));
        let public_key = array::<33>(entry, "public_key");
        assert!(verify_digest(&public_key, &digest, &signature));
        let data = InputData::P2pkh { signature, public_key }.to_bytes().unwrap();
        assert_eq!(hex::encode(data), text(entry, "p2pkh_input_data"));
    }
}

#[test]
fn a_changed_digest_key_or_signature_does_not_verify() {
    // Not the zero digest, whose signatures hold for the negated key as well.
    let entry = list(&SIGNATURES, "ecdsa").iter().find(|entry| bytes(entry, "digest") != [0; 32]).unwrap();
    let (digest, key, der) =
        (array::<32>(entry, "digest"), bytes(entry, "public_key"), bytes(entry, "signature_der"));
    assert!(verify_digest(&key, &digest, &der));
    let mut other = digest;
    other[0] ^= 1;
    assert!(!verify_digest(&key, &other, &der));
    let mut other = key.clone();
    other[0] ^= 1;
    assert!(!verify_digest(&other, &digest, &der));
    for place in 0..der.len() {
        let mut other = der.clone();
        other[place] ^= 1;
        assert!(!verify_digest(&key, &digest, &other), "byte {place}");
    }
    // A hash-type byte, as Bitcoin appends.
    assert!(!verify_digest(&key, &digest, &[der.as_slice(), &[1]].concat()));
    assert!(!verify_digest(&key, &digest, &[]));
    assert!(!verify_digest(&[], &digest, &der));
}

#[test]
fn an_uncompressed_key_does_not_verify() {
    let entry = &list(&SIGNATURES, "ecdsa")[0];
    // The generator: the public key of 1.
    let uncompressed = hex::decode(
        "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798\
         483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8",
    )
    .unwrap();
    assert_eq!(uncompressed[1..33], bytes(entry, "public_key")[1..]);
    assert!(!verify_digest(&uncompressed, &array(entry, "digest"), &bytes(entry, "signature_der")));
}

#[test]
fn a_high_s_verifies_as_with_the_node() {
    let entry = &list(&SIGNATURES, "ecdsa")[0];
    let low = Signature::from_der(&bytes(entry, "signature_der")).unwrap();
    let high = Signature::from_scalars(low.r(), -low.s()).unwrap().to_der();
    assert_ne!(high.as_bytes(), low.to_der().as_bytes());
    assert!(verify_digest(&bytes(entry, "public_key"), &array(entry, "digest"), high.as_bytes()));
}

#[test]
fn what_a_signer_gave_is_written_whatever_it_is() {
    let nothing = headless_wallet::keys::Signature::given([2; 33], [0; 64]);
    assert_eq!(nothing.to_der(), [0x30, 6, 2, 1, 0, 2, 1, 0]);
    assert_eq!(nothing.checked(&[1; 32]), None);
}

#[test]
fn keys_outside_the_group_do_not_sign() {
    let order = hex::decode("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141").unwrap();
    for key in [[0; 32], order.try_into().unwrap(), [0xff; 32]] {
        assert_eq!(sign_digest(&key, &[1; 32]), Err(SignatureError));
        assert_eq!(sign_message(&key, "hello"), Err(SignatureError));
    }
    assert_eq!(SignatureError.to_string(), "not a private key");
}

/// The reference signs messages with a random nonce, so that its signatures can be verified and not repeated:
/// what is fixed is the digest, the form, and that either side's signature verifies.
#[test]
fn signed_messages_of_the_reference_verify_and_ours_sign_the_same_digest() {
    for entry in list(&SIGNATURES, "messages") {
        let message = text(entry, "message");
        let public_key = bytes(entry, "public_key");
        let hash = hash160(&public_key);
        assert_eq!(Address::p2pkh(Network::Mainnet, hash).to_string(), text(entry, "address"));
        assert_eq!(entry["verified"], true);
        let ours = sign_message(&array(entry, "private_key"), message).unwrap();
        for signature in [text(entry, "signature_base64"), &ours] {
            assert!(verify_message(&hash, message, signature));
            assert!(!verify_message(&[0; 20], message, signature));
            assert!(!verify_message(&hash, &format!("{message} "), signature));
            let compact = BASE64_STANDARD.decode(signature).unwrap();
            assert_eq!(compact.len(), 65);
            let der = Signature::from_slice(&compact[1..]).unwrap().to_der();
            assert!(verify_digest(&public_key, &array(entry, "digest"), der.as_bytes()));
        }
        let header = BASE64_STANDARD.decode(text(entry, "signature_base64")).unwrap()[0];
        assert_eq!(u32::from(header), number(entry, "header_byte"));
    }
}

#[test]
fn an_account_signs_messages_with_the_key_of_the_address() {
    let seed = &list(&ADDRESSES, "seeds")[0];
    let keys = keys(seed);
    let hash = keys.public().key_hashes(3..4)[0];
    assert!(verify_message(&hash, "hello", &keys.sign_message(3, "hello")));
    assert!(!verify_message(&hash, "hello", &keys.sign_message(4, "hello")));
    let private_key = array(&list(&seed["networks"]["mainnet"], "addresses")[3], "private_key");
    assert_eq!(keys.sign_message(3, "hello"), sign_message(&private_key, "hello").unwrap());
}

#[test]
fn messages_of_every_length_encoding_verify() {
    // Lengths around the steps of the variable-length integer.
    for length in [0, 252, 253, 65_535, 65_536] {
        let message = "x".repeat(length);
        let keys = keys(&list(&ADDRESSES, "seeds")[0]);
        let hash = keys.public().key_hashes(0..1)[0];
        assert!(verify_message(&hash, &message, &keys.sign_message(0, &message)), "{length}");
    }
}

#[test]
fn what_is_no_message_signature_does_not_verify() {
    let entry = &list(&SIGNATURES, "messages")[0];
    let hash = hash160(&bytes(entry, "public_key"));
    let good = text(entry, "signature_base64");
    let zeros = "A".repeat(87) + "=";
    // 'G' as the first letter makes the header 27: an uncompressed key. '/' makes it past the greatest.
    for bad in
        ["", "====", "ハトール", &good[4..], &format!("G{}", &good[1..]), &format!("/{}", &good[1..]), &zeros]
    {
        assert!(!verify_message(&hash, "hello", bad), "{bad}");
    }
}

/// The signature with the other of the two scalars S that are valid, and the header for it.
fn with_high_s(signature: &str) -> String {
    let mut bytes = BASE64_STANDARD.decode(signature).unwrap();
    let low = Signature::from_slice(&bytes[1..]).unwrap();
    let high = Signature::from_scalars(low.r(), -low.s()).unwrap();
    bytes[0] = 31 + ((bytes[0] - 31) ^ 1);
    bytes[1..].copy_from_slice(&high.to_bytes());
    BASE64_STANDARD.encode(bytes)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// The signature is the same each time, of low S, and of nothing else than this message, key and each of
    /// its bits.
    #[test]
    fn a_signed_message_is_of_this_message_key_and_signature_alone(
        key in 1..u128::MAX,
        message in ".{0,300}",
        other in ".{0,300}",
        bit in 0..65_usize * 8,
    ) {
        let mut private_key = [0; 32];
        private_key[16..].copy_from_slice(&key.to_be_bytes());
        let signature = sign_message(&private_key, &message).unwrap();
        prop_assert_eq!(&sign_message(&private_key, &message).unwrap(), &signature);
        let public_key = SigningKey::from_slice(&private_key).unwrap().verifying_key().to_sec1_point(true);
        let hash = hash160(public_key.as_bytes());
        prop_assert!(verify_message(&hash, &message, &signature));
        prop_assert_eq!(verify_message(&hash, &other, &signature), message == other);

        let mut bytes = BASE64_STANDARD.decode(&signature).unwrap();
        prop_assert_eq!(bytes.len(), 65);
        let scalars = Signature::from_slice(&bytes[1..]).unwrap();
        prop_assert_eq!(scalars.normalize_s(), scalars);
        // As the reference: whoever has a signature can make this of it.
        prop_assert!(verify_message(&hash, &message, &with_high_s(&signature)));

        bytes[bit / 8] ^= 1 << (bit % 8);
        prop_assert!(!verify_message(&hash, &message, &BASE64_STANDARD.encode(&bytes)));
        let mut wrong = hash;
        wrong[bit % 20] ^= 1;
        prop_assert!(!verify_message(&wrong, &message, &signature));
    }
}

#[test]
fn a_signature_in_another_form_than_der_does_not_verify() {
    let entry = &list(&SIGNATURES, "ecdsa")[0];
    let (key, digest) = (bytes(entry, "public_key"), array::<32>(entry, "digest"));
    let der = bytes(entry, "signature_der");
    assert!(verify_digest(&key, &digest, &der));
    let at_s = 4 + usize::from(der[3]);
    let with = |at: usize, more: &[u8], lengths: &[usize]| {
        let mut other = [&der[..at], more, &der[at..]].concat();
        lengths.iter().for_each(|place| other[*place] += more.len() as u8);
        other
    };
    for (what, other) in [
        ("a zero before r", with(4, &[0], &[1, 3])),
        ("a zero before s", with(at_s + 2, &[0], &[1, at_s + 1])),
        ("its length in two bytes", with(1, &[0x81], &[])),
        ("the length of r in two bytes", with(3, &[0x81], &[1])),
        ("a byte that the length leaves out", with(der.len(), &[0], &[])),
        ("a byte after s", with(der.len(), &[0], &[1])),
        ("another kind of number", [&der[..2], &[0x03], &der[3..]].concat()),
        ("s left out", [&[0x30, der[3] + 2], &der[2..at_s]].concat()),
        ("two zeros", vec![0x30, 6, 2, 1, 0, 2, 1, 0]),
        ("numbers of no bytes", vec![0x30, 4, 2, 0, 2, 0]),
        ("numbers too long", [&[0x30, 78, 2, 37][..], &[1; 37], &[2, 37], &[1; 37]].concat()),
    ] {
        assert!(Signature::from_der(&other).is_err(), "{what}");
        assert!(!verify_digest(&key, &digest, &other), "{what}");
    }
}
