//! Token names, symbols and configuration strings.

use crate::vectors::{Field, load};
use headless_wallet::ledger::{
    ConfigurationString, TokenUid, VertexId, clean_token_text, validate_token_name, validate_token_symbol,
};

#[test]
fn configuration_strings_are_written_and_read() {
    let vectors = load("config_strings");
    assert_eq!(vectors.list("strings").len(), 11);
    for vector in vectors.list("strings") {
        let of = |vector: &serde_json::Value| ConfigurationString {
            uid: vector.text("uid").parse().unwrap(),
            name: vector.text("name").to_owned(),
            symbol: vector.text("symbol").to_owned(),
        };
        let text = vector.text("configuration_string");
        assert_eq!(of(vector).to_string(), text);
        assert_eq!(ConfigurationString::parse(text), Ok(of(&vector["parsed"])));
    }
}

#[test]
fn other_strings_are_refused() {
    let vectors = load("config_strings");
    assert_eq!(vectors.list("invalid").len(), 11);
    for vector in vectors.list("invalid") {
        let reason = match vector.text("description") {
            "empty" | "no brackets" | "missing closing bracket" | "trailing space" | "leading space" => {
                "it stands in square brackets"
            }
            "too few fields" => "it has a name, symbol, uid and checksum",
            _ => "its checksum does not fit",
        };
        let error = ConfigurationString::parse(vector.text("configuration_string")).unwrap_err();
        assert_eq!(error.to_string(), format!("Invalid configuration string: {reason}"), "{vector}");
    }
}

#[test]
fn a_uid_has_one_spelling() {
    let uid = TokenUid::Custom(VertexId([0xab; 32]));
    let right = ConfigurationString { uid, name: "Name".to_owned(), symbol: "SYM".to_owned() }.to_string();
    assert!(ConfigurationString::parse(&right).is_ok());
    let upper = right.replace(&"ab".repeat(32), &"AB".repeat(32));
    assert_eq!(
        ConfigurationString::parse(&upper).unwrap_err().to_string(),
        "Invalid configuration string: its checksum does not fit"
    );
    assert_eq!(
        ConfigurationString::parse("[a:b:c:d]").unwrap_err().to_string(),
        "Invalid configuration string: its uid has 64 hexadecimal digits"
    );
}

#[test]
fn names_are_compared_after_cleaning() {
    let vectors = load("config_strings");
    assert_eq!(vectors.list("name_comparison").len(), 11);
    for vector in vectors.list("name_comparison") {
        assert_eq!(clean_token_text(vector.text("input")), vector.text("wallet_cleanup"));
        assert_eq!(clean_token_text(vector.text("input")).to_uppercase(), vector.text("node_cleanup"));
    }
    assert_eq!(clean_token_text("a\tb"), "a\tb");
    assert_eq!(clean_token_text("\u{feff}a \u{a0}\u{1c} b\t\tc "), "a b c");
    assert_eq!(clean_token_text(" \t "), "");
}

#[test]
fn lengths_count_characters_not_bytes() {
    assert_eq!(validate_token_name(&"ã".repeat(30)), Ok(()));
    assert_eq!(validate_token_symbol("🚀🚀🚀🚀🚀"), Ok(()));
    assert_eq!(
        validate_token_name(&"ã".repeat(31)).unwrap_err().to_string(),
        "Token name size is 31 but maximum size is 30"
    );
    assert_eq!(
        validate_token_symbol("AÇÃO12").unwrap_err().to_string(),
        "Token symbol size is 6 but maximum size is 5"
    );
}

#[test]
fn the_native_token_keeps_its_name() {
    for name in ["Hathor", "HATHOR", " hathor\t"] {
        let message = format!("Invalid token name ({name}): the native token has it");
        assert_eq!(validate_token_name(name).unwrap_err().to_string(), message);
    }
    for symbol in ["HTR", "htr", " Htr "] {
        let message = format!("Invalid token symbol ({symbol}): the native token has it");
        assert_eq!(validate_token_symbol(symbol).unwrap_err().to_string(), message);
    }
    for name in ["Hat hor", "HTR", "Ｈathor"] {
        assert_eq!(validate_token_name(name), Ok(()));
    }
    assert_eq!(validate_token_symbol("Ht r"), Ok(()));
}
