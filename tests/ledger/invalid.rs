//! Malformed transactions, and what can't be built.

use crate::vectors::{Field, load};
use headless_wallet::ledger::{DecodeError, Transaction, validate_token_name, validate_token_symbol};

/// Vectors that a full node reads and then refuses, and that this wallet does not even read.
const NOT_SUPPORTED: [(&str, &str); 2] = [
    ("token-version-0", "not supported: creation of a native token"),
    ("nano-header-bad-address-checksum", "not supported: nano caller that is no address"),
];

#[test]
fn what_a_node_can_not_read_is_refused_and_nothing_else_is() {
    let vectors = load("invalid");
    assert_eq!(vectors.list("parse").len(), 61);
    for vector in vectors.list("parse") {
        let name = vector.text("name");
        let Ok(bytes) = hex::decode(vector.text("hex")) else {
            assert!(["not-hex", "odd-length"].contains(&name), "{name}");
            continue;
        };
        let found = Transaction::from_bytes(&bytes);
        if vector.text("expected") == "reject_parse" {
            assert!(found.is_err(), "{name}: {found:?}");
        } else if let Some((_, message)) = NOT_SUPPORTED.iter().find(|(other, _)| *other == name) {
            let error = found.unwrap_err();
            assert!(matches!(error, DecodeError::NotSupported(_)), "{name}");
            assert_eq!(error.to_string(), *message, "{name}");
        } else {
            let tx = found.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(tx.to_bytes().unwrap(), bytes, "{name}");
        }
    }
}

#[test]
fn refusals_say_what_is_wrong() {
    let vectors = load("invalid");
    let message = |name: &str| {
        let vector = vectors.list("parse").iter().find(|vector| vector.text("name") == name).expect(name);
        Transaction::from_bytes(&vector.bytes("hex")).unwrap_err().to_string()
    };
    for (name, expected) in [
        ("empty", "malformed signal bits: cut short, 0 of 1 bytes"),
        ("one-byte", "malformed version: cut short, 0 of 1 bytes"),
        ("version-0", "malformed transaction: version 0 is a block"),
        ("version-3", "malformed transaction: version 3 is a block"),
        ("version-4", "not supported: transaction version 4"),
        ("version-5", "malformed transaction: version 5 is a block"),
        ("version-255", "not supported: transaction version 255"),
        ("truncated-in-parents", "malformed parent: cut short, 8 of 32 bytes"),
        ("truncated-nonce", "malformed nonce: cut short, 3 of 4 bytes"),
        ("extra-one-byte-10", "malformed nano contract: cut short, 0 of 32 bytes"),
        ("unknown-header-id", "not supported: unknown header 0x16"),
        ("output-value-zero", "malformed output value: zero"),
        ("output-value-8-bytes-for-small", "malformed output value: 8 bytes for 1500, which takes 4"),
        ("output-value-8-bytes-minus-one", "malformed output value: 8 bytes for 1, which takes 4"),
        ("token-version-3", "malformed token version: 3 is unknown"),
        ("token-name-invalid-utf8", "malformed token name: not UTF-8"),
        ("fee-header-truncated", "malformed fee: cut short, 1 of 4 bytes"),
        ("fee-header-zero-amount", "malformed fee: zero"),
        ("four-headers", "malformed headers: more than 3"),
    ] {
        assert_eq!(message(name), expected, "{name}");
    }
}

/// The texts of the existing wallet for what can't be built. Those for counts and values of a transaction are
/// in `transactions`; a negative value or index, a missing hash and a native token can't even be written down
/// here; and a fee header of too many or repeated entries is for whoever verifies.
#[test]
fn names_and_symbols_that_do_not_fit_are_refused_with_the_known_texts() {
    let vectors = load("invalid");
    for (name, found) in [
        ("create-token-empty-name", validate_token_name("")),
        ("create-token-empty-symbol", validate_token_symbol("")),
        ("create-token-name-31", validate_token_name(&"n".repeat(31))),
        ("create-token-symbol-6", validate_token_symbol("SYMBOL")),
    ] {
        let vector = vectors.list("construct").iter().find(|vector| vector.text("name") == name).expect(name);
        assert_eq!(found.unwrap_err().to_string(), vector["wallet_lib"].text("message"), "{name}");
    }
}
