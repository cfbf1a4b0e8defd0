use super::{answered, fields, one_field};
use headless_wallet::api::{Compat, Refusal, Request};
use headless_wallet::ledger::Amount;
use headless_wallet::operations::{
    AddressQuery, BalanceQuery, ContractStateQuery, HistoryLimit, HistoryQuery, UtxoFilter,
};
use serde_json::{Value, json};

const NO_UID: &str = "token must be a token's uid: 00 for HTR, or 64 hexadecimal digits.";

fn filter(query: Value, compat: Compat) -> Result<UtxoFilter, Refusal> {
    UtxoFilter::read(&fields(query), compat)
}

#[test]
fn utxo_filter_defaults() {
    let none = UtxoFilter {
        max_utxos: Some(255),
        token: "00".into(),
        filter_address: None,
        address: None,
        amount_smaller_than: None,
        amount_bigger_than: None,
        maximum_amount: None,
        only_available_utxos: false,
    };
    assert_eq!(filter(json!({}), Compat::Documented).unwrap(), none);
    assert_eq!(filter(json!({"token": "", "filter_address": ""}), Compat::Documented).unwrap(), none);
    assert_eq!(filter(json!({}), Compat::V0_39).unwrap(), UtxoFilter { max_utxos: None, ..none });
}

#[test]
fn utxo_filter_reads_every_parameter() {
    let query = json!({
        "max_utxos": "7", "token": "ab".repeat(32), "filter_address": "W1", "amount_smaller_than": "200",
        "amount_bigger_than": "50", "maximum_amount": "99999999999999999999", "only_available_utxos": "true",
    });
    assert_eq!(
        filter(query, Compat::Documented).unwrap(),
        UtxoFilter {
            max_utxos: Some(7),
            token: "ab".repeat(32),
            filter_address: Some("W1".into()),
            address: None,
            amount_smaller_than: Some(Amount::new(200)),
            amount_bigger_than: Some(Amount::new(50)),
            maximum_amount: Some(Amount::new(99_999_999_999_999_999_999)),
            only_available_utxos: true,
        }
    );
}

#[test]
fn the_address_filter_has_two_names_unless_in_compat() {
    let address = |query, compat| filter(query, compat).unwrap().of_address().map(str::to_owned);
    assert_eq!(address(json!({"address": "W1"}), Compat::Documented).as_deref(), Some("W1"));
    let both = |filter_address| json!({"address": "W1", "filter_address": filter_address});
    assert_eq!(address(both("W1"), Compat::Documented).as_deref(), Some("W1"));
    assert_eq!(address(both("W2"), Compat::V0_39).as_deref(), Some("W2"));
    assert_eq!(address(json!({"address": "W1"}), Compat::V0_39), None);
}

#[test]
fn zero_is_taken_at_its_word_unless_in_compat() {
    let zeros = json!({"max_utxos": "0", "amount_smaller_than": "0", "amount_bigger_than": "0", "maximum_amount": "0"});
    let documented = filter(zeros.clone(), Compat::Documented).unwrap();
    assert_eq!(documented.max_utxos, Some(0));
    assert_eq!(documented.amount_smaller_than, Some(Amount::ZERO));
    assert_eq!(documented.maximum_amount, Some(Amount::ZERO));
    let compat = filter(zeros, Compat::V0_39).unwrap();
    assert_eq!((compat.max_utxos, compat.amount_smaller_than, compat.maximum_amount), (None, None, None));
    assert_eq!(filter(json!({"max_utxos": "-3"}), Compat::V0_39).unwrap().max_utxos, Some(1));
}

#[test]
fn utxo_filter_refuses_each_wrong_parameter() {
    let integer = "must be an integer.";
    let table = [
        ("max_utxos", json!("x"), "must be an integer of at least 0."),
        ("max_utxos", json!("-1"), "must be an integer of at least 0."),
        ("max_utxos", json!(""), "must be an integer of at least 0."),
        ("token", json!(["00", "01"]), "must be a string."),
        ("token", json!("CFE"), NO_UID.trim_start_matches("token ")),
        ("filter_address", json!(["a", "b"]), "must be a string."),
        ("amount_smaller_than", json!("1.5"), integer),
        ("amount_bigger_than", json!("1e3"), integer),
        ("maximum_amount", json!(["1", "2"]), integer),
        ("only_available_utxos", json!("yes"), "must be true or false."),
    ];
    for (name, value, must) in table {
        let refusal = filter(json!({name: value}), Compat::Documented).unwrap_err();
        assert_eq!(refusal.status(), 400);
        assert_eq!(answered(&refusal), one_field(Some(value), name, "query", &format!("{name} {must}")));
    }
}

#[test]
fn history_limits() {
    let limit = |text: Option<&str>, compat| {
        let query = text.map_or_else(|| json!({}), |text| json!({"limit": text}));
        HistoryQuery::read(&fields(query), compat).map(|query| query.limit)
    };
    assert_eq!(limit(None, Compat::Documented).unwrap(), HistoryLimit::None);
    assert_eq!(limit(Some("3"), Compat::Documented).unwrap(), HistoryLimit::Newest(3));
    assert_eq!(limit(Some("0"), Compat::Documented).unwrap(), HistoryLimit::Newest(0));
    assert_eq!(limit(Some("0"), Compat::V0_39).unwrap(), HistoryLimit::None);
    assert_eq!(limit(Some("-2"), Compat::V0_39).unwrap(), HistoryLimit::AllButOldest(2));
    for text in ["x", "-1", "1.5", ""] {
        assert_eq!(
            answered(&limit(Some(text), Compat::Documented).unwrap_err()),
            one_field(Some(json!(text)), "limit", "query", "limit must be an integer of at least 0.")
        );
    }
    assert_eq!(HistoryLimit::Newest(3).count(2), 2);
    assert_eq!(HistoryLimit::AllButOldest(3).count(5), 2);
    assert_eq!(HistoryLimit::AllButOldest(3).count(2), 0);
}

#[test]
fn balance_and_address_queries() {
    let balance = |token: &str, compat| BalanceQuery::read(&fields(json!({"token": token})), compat);
    assert_eq!(balance("", Compat::Documented).unwrap().token, "00");
    assert_eq!(
        answered(&BalanceQuery::read(&fields(json!({"token": ["a", "b"]})), Compat::Documented).unwrap_err()),
        one_field(Some(json!(["a", "b"])), "token", "query", "token must be a string.")
    );
    for typo in ["HTR", "0", "ab", &"g".repeat(64), &"ab".repeat(33)] {
        assert_eq!(
            answered(&balance(typo, Compat::Documented).unwrap_err()),
            one_field(Some(json!(typo)), "token", "query", NO_UID)
        );
        assert_eq!(balance(typo, Compat::V0_39).unwrap().token, typo);
    }
    let address = |query| AddressQuery::read(&fields(query), Compat::Documented);
    assert_eq!(
        address(json!({"index": "5", "mark_as_used": "0"})).unwrap(),
        AddressQuery { index: Some(5), mark_as_used: false }
    );
    for (value, must) in [
        ("", "must be an integer of at least 0."),
        ("-1", "must be an integer of at least 0."),
        ("2147483648", "must be an integer from 0 to 2147483647."),
    ] {
        assert_eq!(
            answered(&address(json!({"index": value})).unwrap_err()),
            one_field(Some(json!(value)), "index", "query", &format!("index {must}"))
        );
    }
}

/// Other values are refused with the name of the field.
#[test]
fn lists_of_a_contracts_state_have_texts_alone() {
    let must = "must be an array of at most 100 texts: give it as often as there are values, with [] after its name.";
    for name in ["fields", "balances", "calls"] {
        for value in [json!("a"), json!([1]), json!(["a", ["b"]]), json!(vec!["a"; 101])] {
            let query = fields(json!({"id": "ab", name: value}));
            let refusal = ContractStateQuery::read(&query, Compat::Documented).unwrap_err();
            assert_eq!(answered(&refusal), one_field(Some(value), name, "query", &format!("{name} {must}")));
        }
    }
}
