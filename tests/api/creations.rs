use super::{answered, answered_in, fields, one_field};
use headless_wallet::api::{Compat, Refusal, Request};
use headless_wallet::ledger::{Amount, TokenVersion};
use headless_wallet::operations::{CreateNft, CreateToken, MeltTokens, MintTokens};
use serde_json::{Value, json};

fn token_with(name: &str, value: Value) -> Result<CreateToken, Refusal> {
    let mut body = fields(json!({"name": "Coffee", "symbol": "CFE", "amount": 1000}));
    body.insert(name.to_owned(), value);
    CreateToken::read(&body, Compat::Documented)
}

#[test]
fn create_token_has_the_documented_defaults() {
    let request = token_with("name", json!("Coffee")).unwrap();
    assert_eq!(
        request,
        CreateToken {
            name: "Coffee".into(),
            symbol: "CFE".into(),
            amount: Amount::new(1000),
            address: None,
            change_address: None,
            create_mint: true,
            mint_authority_address: None,
            allow_external_mint_authority_address: false,
            create_melt: true,
            melt_authority_address: None,
            allow_external_melt_authority_address: false,
            data: vec![],
            version: TokenVersion::Deposit,
        }
    );
}

#[test]
fn create_token_names_every_missing_field() {
    let refusal = CreateToken::read(&fields(json!({})), Compat::Documented).unwrap_err();
    assert_eq!(refusal.status(), 400);
    assert_eq!(
        answered(&refusal),
        json!({
            "success": false,
            "details": ["name is Required", "symbol is Required", "amount is Invalid input"],
            "message": "name is required and must be a string. symbol is required and must be a string. \
                        amount must be an integer, in cents.",
        })
    );
    assert_eq!(
        answered_in(&refusal, Compat::V0_39),
        json!({
            "success": false,
            "details": ["name is Required", "symbol is Required", "amount is Invalid input"],
        })
    );
}

#[test]
fn create_token_refuses_each_wrong_field() {
    let table = [
        ("name", json!(5), "name is Expected string, received number"),
        ("name", json!(null), "name is Expected string, received null"),
        ("name", json!("x".repeat(31)), "name is String must contain at most 30 character(s)"),
        ("symbol", json!(["A"]), "symbol is Expected string, received array"),
        ("symbol", json!("ABCDEF"), "symbol is String must contain at most 5 character(s)"),
        ("amount", json!("x"), "amount is Invalid input"),
        ("amount", json!(1.5), "amount is Invalid input"),
        ("amount", json!(""), "amount is Invalid input"),
        ("amount", json!(true), "amount is Invalid input"),
        ("amount", json!([1]), "amount is Invalid input"),
        ("address", json!(5), "address is Expected string, received number"),
        ("change_address", json!({}), "change_address is Expected string, received object"),
        ("create_mint", json!("true"), "create_mint is Expected boolean, received string"),
        ("create_mint", json!(null), "create_mint is Expected boolean, received null"),
        ("version", json!(null), "version is Expected 0 | 1 | 2, received null"),
        ("version", json!(true), "version is Expected 0 | 1 | 2, received boolean"),
        ("create_melt", json!(1), "create_melt is Expected boolean, received number"),
        ("data", json!("text"), "data is Expected array, received string"),
        ("data", json!([5]), "data.0 is Expected string, received number"),
        ("data", json!(["x".repeat(151)]), "data.0 is String must contain at most 150 character(s)"),
        ("version", json!("7"), "version is Invalid enum value. Expected 0 | 1 | 2, received '7'"),
        ("version", json!(3), "version is Invalid enum value. Expected 0 | 1 | 2, received '3'"),
    ];
    for (name, value, detail) in table {
        let refusal = token_with(name, value.clone()).unwrap_err();
        assert_eq!(refusal.status(), 400, "{name} {value}");
        assert_eq!(answered(&refusal)["details"], json!([detail]), "{name} {value}");
    }
}

#[test]
fn create_token_refuses_amounts_that_are_not_positive_in_the_known_words() {
    for (amount, error) in [
        (json!(0), "Value must be a positive number."),
        (json!("0"), "Value must be a positive number."),
        (json!(-1), "Output value must be positive"),
    ] {
        let refusal = token_with("amount", amount).unwrap_err();
        assert_eq!(refusal.status(), 200);
        assert_eq!(answered(&refusal), json!({"success": false, "error": error}));
    }
    let refusal = token_with("version", json!(0)).unwrap_err();
    assert_eq!(refusal, Refusal::failure("Token version is required when creating a token"));
}

#[test]
fn amounts_are_exact_whatever_their_spelling_and_size() {
    let table = [
        ("9007199254740993", 9_007_199_254_740_993),
        ("\"9007199254740993\"", 9_007_199_254_740_993),
        ("9223372036854775808", 1 << 63),
        ("340282366920938463463374607431768211455000", i128::MAX.unsigned_abs()),
        ("\"+0012\"", 12),
        ("100.0", 100),
        ("1e2", 100),
        ("1.25e2", 125),
    ];
    for (text, cents) in table {
        let request = token_with("amount", serde_json::from_str(text).unwrap()).unwrap();
        assert_eq!(request.amount, Amount::new(cents), "{text}");
    }
    for text in ["1.25e1", "1e30", "1e999999999999", "\"1e2\"", "\" 1\"", "\"0x10\"", "\"-\"", "\"+-1\""] {
        let refusal = token_with("amount", serde_json::from_str(text).unwrap()).unwrap_err();
        assert_eq!(answered(&refusal)["details"], json!(["amount is Invalid input"]), "{text}");
    }
}

#[test]
fn lengths_count_characters_and_their_limits_are_included() {
    assert!(token_with("name", json!("é".repeat(30))).is_ok());
    assert!(token_with("symbol", json!("ÄÖÜ€𝄞")).is_ok());
    assert!(token_with("data", json!(["x".repeat(150)])).is_ok());
    // 0.39 leaves the lengths of names to the building of the transaction.
    let body = fields(json!({"name": "x".repeat(31), "symbol": "ABCDEF", "amount": 1}));
    assert!(CreateToken::read(&body, Compat::V0_39).is_ok());
}

#[test]
fn nulls_and_empty_addresses_stand_for_missing_ones_in_create_token() {
    for name in ["address", "change_address", "mint_authority_address", "data"] {
        assert_eq!(token_with(name, json!(null)).unwrap(), token_with("symbol", json!("CFE")).unwrap());
    }
    assert_eq!(token_with("address", json!("")).unwrap().address, None);
}

fn nft_with(name: &str, value: Option<Value>) -> Result<CreateNft, Refusal> {
    let mut body = fields(json!({"name": "Art", "symbol": "ART", "amount": 1, "data": "ipfs://art"}));
    match value {
        Some(value) => body.insert(name.to_owned(), value),
        None => body.remove(name),
    };
    CreateNft::read(&body, Compat::Documented)
}

#[test]
fn create_nft_makes_no_authorities_unless_asked() {
    let request = nft_with("create_melt", Some(json!("true"))).unwrap();
    assert!(!request.create_mint);
    assert!(request.create_melt);
    assert_eq!(request.data, "ipfs://art");
}

#[test]
fn create_nft_refuses_each_wrong_field() {
    let text = "must be a string.";
    let amount = "must be an integer of at least 1, in cents.";
    let long_name = "must have at most 30 characters (Token name size is 31 but maximum size is 30).";
    let table = [
        ("name", None, format!("is required and {text}")),
        ("symbol", None, format!("is required and {text}")),
        ("amount", None, format!("is required and {amount}")),
        ("data", None, format!("is required and {text}")),
        ("name", Some(json!(5)), text.to_owned()),
        ("name", Some(json!("x".repeat(31))), long_name.to_owned()),
        ("amount", Some(json!(0)), amount.to_owned()),
        ("amount", Some(json!(-5)), amount.to_owned()),
        ("amount", Some(json!("1.5")), amount.to_owned()),
        ("amount", Some(json!(null)), amount.to_owned()),
        ("data", Some(json!("x".repeat(151))), "must have at most 150 characters.".to_owned()),
        (
            "data",
            Some(json!("€".repeat(85))),
            "must have at most 253 bytes in UTF-8 to fit a standard output, and has 255.".to_owned(),
        ),
        ("address", Some(json!(null)), text.to_owned()),
        ("create_mint", Some(json!("yes")), "must be true or false.".to_owned()),
        ("create_melt", Some(json!(null)), "must be true or false.".to_owned()),
    ];
    for (name, value, must) in table {
        let refusal = nft_with(name, value.clone()).unwrap_err();
        assert_eq!(refusal.status(), 400);
        assert_eq!(answered(&refusal), one_field(value, name, "body", &format!("{name} {must}")));
    }
}

#[test]
fn melting_and_minting_read_all_fields() {
    let body = fields(json!({
        "token": "ab".repeat(32), "amount": "250", "change_address": "c", "deposit_address": "d", "address": "a",
        "melt_authority_address": "m", "allow_external_melt_authority_address": 1, "unshift_data": "false",
        "data": ["one", "two"],
    }));
    let melt = MeltTokens::read(&body, Compat::Documented).unwrap();
    assert_eq!(melt.deposit_address.as_deref(), Some("d"));
    assert_eq!(melt.token, "ab".repeat(32));
    assert_eq!(melt.amount, Amount::new(250));
    assert_eq!(melt.change_address.as_deref(), Some("c"));
    assert_eq!(melt.melt_authority_address.as_deref(), Some("m"));
    assert!(melt.allow_external_melt_authority_address);
    assert!(!melt.unshift_data);
    assert_eq!(melt.data, ["one", "two"]);

    let mint = MintTokens::read(&body, Compat::Documented).unwrap();
    assert_eq!(mint.address.as_deref(), Some("a"));
    assert_eq!(mint.mint_authority_address, None);
}

#[test]
fn melting_refuses_all_wrong_fields_at_once() {
    let body = fields(json!({"amount": 0, "data": "x", "deposit_address": 1}));
    let refusal = MeltTokens::read(&body, Compat::V0_39).unwrap_err();
    assert_eq!(
        answered_in(&refusal, Compat::V0_39),
        json!({"success": false, "error": [
            {"msg": "Invalid value", "param": "token", "location": "body"},
            {"value": 0, "msg": "Invalid value", "param": "amount", "location": "body"},
            {"value": "x", "msg": "Invalid value", "param": "data", "location": "body"},
            {"value": 1, "msg": "Invalid value", "param": "deposit_address", "location": "body"},
        ]})
    );
}
