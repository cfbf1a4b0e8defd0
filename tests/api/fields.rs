//! One field at a time that is not as it must be: missing, of a wrong type, zero, negative, too large.

use super::{answered, fields, one_field};
use headless_wallet::api::{Compat, Refusal, Request};
use headless_wallet::ledger::Amount;
use headless_wallet::operations::{
    AddressIndexQuery, AddressInfoQuery, ConfigurationStringQuery, Consolidate, MintTokens, SimpleSendTx,
    TransactionQuery,
};
use serde_json::{Map, Value, json};

/// Checks that a request that is fine but for one field is refused for that field alone.
fn refused<T: std::fmt::Debug>(
    good: &Value,
    location: &str,
    read: impl Fn(&Map<String, Value>) -> Result<T, Refusal>,
    table: &[(&str, Option<Value>, &str)],
) {
    read(&fields(good.clone())).unwrap();
    for (name, value, must) in table {
        let mut body = fields(good.clone());
        match value {
            Some(value) => body.insert((*name).to_owned(), value.clone()),
            None => body.remove(*name),
        };
        let refusal = read(&body).unwrap_err();
        assert_eq!(refusal.status(), 400);
        let expected = one_field(value.clone(), name, location, &format!("{name} {must}"));
        assert_eq!(answered(&refusal), expected, "{name} {value:?}");
    }
}

const TEXT: &str = "must be a string.";
const TEXT_MISSING: &str = "is required and must be a string.";
const AMOUNT: &str = "must be an integer of at least 1, in cents.";
const AMOUNT_MISSING: &str = "is required and must be an integer of at least 1, in cents.";
const BOOLEAN: &str = "must be true or false.";
const NO_UID: &str = "must be a token's uid: 00 for HTR, or 64 hexadecimal digits.";

#[test]
fn simple_send() {
    let good = json!({"address": "W", "value": 1});
    let token = "must have non-empty `uid`, `name` and `symbol`.";
    refused(
        &good,
        "body",
        |body| SimpleSendTx::read(body, Compat::Documented),
        &[
            ("address", None, TEXT_MISSING),
            ("address", Some(json!(5)), TEXT),
            ("address", Some(Value::Null), TEXT),
            ("value", None, AMOUNT_MISSING),
            ("value", Some(json!(0)), AMOUNT),
            ("value", Some(json!(-1)), AMOUNT),
            ("value", Some(json!(1.5)), AMOUNT),
            ("value", Some(json!("x")), AMOUNT),
            ("value", Some(json!([1])), AMOUNT),
            ("value", Some(Value::Null), AMOUNT),
            ("token", Some(json!(5)), TEXT),
            ("token", Some(Value::Null), TEXT),
            ("token", Some(json!({"uid": "a", "name": "b"})), token),
            ("token", Some(json!({"uid": "", "name": "b", "symbol": "c"})), token),
            ("token", Some(json!("HTR")), NO_UID),
            ("change_address", Some(json!(5)), TEXT),
        ],
    );
    let read = |body: Value| SimpleSendTx::read(&fields(body), Compat::Documented).unwrap();
    let huge: Value = serde_json::from_str("340282366920938463463374607431768211456").unwrap();
    assert_eq!(read(json!({"address": "W", "value": huge})).value, Amount::new(i128::MAX as u128));
    assert_eq!(read(json!({"address": "W", "value": "+7"})).value, Amount::new(7));
    let of = |token: Value| read(json!({"address": "W", "value": 1, "token": token})).token;
    let uid = "ab".repeat(32);
    assert_eq!((of(json!("")), of(json!(uid))), ("00".to_owned(), uid.clone()));
    assert_eq!(of(json!({"uid": uid, "name": "b", "symbol": "c"})), uid);
}

#[test]
fn mint_tokens() {
    let good = json!({"token": "ab".repeat(32), "amount": 1});
    let long = "x".repeat(151);
    refused(
        &good,
        "body",
        |body| MintTokens::read(body, Compat::Documented),
        &[
            ("token", None, TEXT_MISSING),
            ("token", Some(json!(5)), TEXT),
            ("token", Some(json!("HTR")), NO_UID),
            ("amount", None, AMOUNT_MISSING),
            ("amount", Some(json!(0)), AMOUNT),
            ("amount", Some(json!(-5)), AMOUNT),
            ("amount", Some(json!("1e2")), AMOUNT),
            ("address", Some(json!(5)), TEXT),
            ("change_address", Some(json!({})), TEXT),
            ("mint_authority_address", Some(json!(true)), TEXT),
            ("allow_external_mint_authority_address", Some(json!("yes")), BOOLEAN),
            ("unshift_data", Some(json!(2)), BOOLEAN),
            ("data", Some(json!("x")), "must be an array of strings."),
            ("data", Some(Value::Null), "must be an array of strings."),
        ],
    );
    let body = fields(json!({"token": "ab".repeat(32), "amount": 1, "data": ["x", long, 5]}));
    let refusal = answered(&MintTokens::read(&body, Compat::Documented).unwrap_err());
    assert_eq!(
        refusal,
        json!({
            "success": false,
            "error": [
                {"value": long, "msg": "Invalid value", "param": "data[1]", "location": "body"},
                {"value": 5, "msg": "Invalid value", "param": "data[2]", "location": "body"},
            ],
            "message": "data[1] must have at most 150 characters. data[2] must be a string.",
        })
    );
}

#[test]
fn lookups() {
    let address = json!({"address": "W"});
    let table = [("address", None, TEXT_MISSING), ("address", Some(json!(["a", "b"])), TEXT)];
    refused(&address, "query", |given| AddressIndexQuery::read(given, Compat::Documented), &table);
    refused(&address, "query", |query| AddressInfoQuery::read(query, Compat::Documented), &table);
    let token = [("token", Some(json!(["a", "b"])), TEXT), ("token", Some(json!("HTR")), NO_UID)];
    refused(&address, "query", |query| AddressInfoQuery::read(query, Compat::Documented), &token);
    let id = [("id", None, TEXT_MISSING), ("id", Some(json!(["a", "b"])), TEXT)];
    refused(&json!({"id": "ab"}), "query", |given| TransactionQuery::read(given, Compat::Documented), &id);
    let token = [("token", None, TEXT_MISSING), ("token", Some(json!(["a", "b"])), TEXT)];
    refused(
        &json!({"token": "ab"}),
        "query",
        |given| ConfigurationStringQuery::read(given, Compat::Documented),
        &token,
    );
}

#[test]
fn utxo_consolidation() {
    let (integer, count) = ("must be an integer.", "must be an integer of at least 0.");
    refused(
        &json!({"destination_address": "W"}),
        "body",
        |body| Consolidate::read(body, Compat::Documented),
        &[
            ("destination_address", None, TEXT_MISSING),
            ("destination_address", Some(json!(5)), TEXT),
            ("max_utxos", Some(json!(-1)), count),
            ("max_utxos", Some(json!("x")), count),
            ("token", Some(Value::Null), TEXT),
            ("token", Some(json!("HTR")), NO_UID),
            ("filter_address", Some(json!(5)), TEXT),
            ("amount_smaller_than", Some(json!("1.5")), integer),
            ("amount_bigger_than", Some(json!([])), integer),
            ("maximum_amount", Some(json!(true)), integer),
        ],
    );
}
