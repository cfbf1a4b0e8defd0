use super::{answered, answered_in, fields, one_field};
use headless_wallet::api::{Compat, Refusal, Request};
use headless_wallet::ledger::Amount;
use headless_wallet::operations::{
    BuildTx, ExplicitInput, ProposeTx, SendInputs, SendOutput, SendTx, UtxoQuery,
};
use serde_json::{Value, json};

fn read(body: Value) -> Result<SendTx, Refusal> {
    SendTx::read(&fields(body), Compat::Documented)
}

fn pay(token: &str) -> SendOutput {
    SendOutput::Pay { address: "W1".into(), value: Amount::new(5), token: token.into(), timelock: None }
}

#[test]
fn outputs_pay_or_keep_data_in_the_order_given() {
    let request = read(json!({"outputs": [
        {"type": "data", "data": "hello"},
        {"address": "W1", "value": 5},
        {"address": "W1", "value": "5", "token": "ab".repeat(32), "type": "p2pkh"},
        {"address": "W1", "value": 5, "timelock": 1700000000},
    ], "change_address": "W2"}))
    .unwrap();
    let locked = SendOutput::Pay {
        address: "W1".into(),
        value: Amount::new(5),
        token: String::new(),
        timelock: Some(1_700_000_000),
    };
    assert_eq!(request.outputs, [SendOutput::Data("hello".into()), pay(""), pay(&"ab".repeat(32)), locked]);
    assert_eq!(request.token, "00");
    assert_eq!(request.inputs, SendInputs::Automatic);
    assert_eq!(request.change_address.as_deref(), Some("W2"));
}

#[test]
fn a_token_object_stands_for_outputs_without_a_token() {
    let request = read(json!({
        "outputs": [{"address": "W1", "value": 5}, {"address": "W1", "value": 5, "token": "00"}],
        "token": {"uid": "ab".repeat(32), "name": "A", "symbol": "B"},
    }))
    .unwrap();
    assert_eq!(request.outputs, [pay(""), pay("00")]);
    assert_eq!(request.token, "ab".repeat(32));
    let token = json!({"uid": "ab", "name": "", "symbol": "B"});
    let refusal = read(json!({"outputs": [{"address": "W1", "value": 5}], "token": token})).unwrap_err();
    assert_eq!(
        answered(&refusal),
        one_field(Some(token), "token", "body", "token must have non-empty `uid`, `name` and `symbol`.")
    );
}

#[test]
fn inputs_are_explicit_or_a_query() {
    let outputs = json!([{"address": "W1", "value": 5}]);
    let hash = "ab".repeat(32);
    let request = read(json!({"outputs": outputs, "inputs": [
        {"hash": hash, "index": 0}, {"hash": "short", "index": "300"},
    ]}))
    .unwrap();
    let SendInputs::Explicit(inputs) = request.inputs else { panic!("explicit inputs") };
    assert_eq!(inputs[0].outpoint().unwrap().tx.to_string(), hash);
    assert_eq!(inputs[1], ExplicitInput { hash: "short".into(), index: 300 });
    assert_eq!(inputs[1].outpoint(), None);

    let request = read(json!({"outputs": outputs, "inputs": [
        {"type": "query", "filter_address": "W3", "max_utxos": 2, "amount_smaller_than": "10",
         "amount_bigger_than": 1, "maximum_amount": 50},
    ]}))
    .unwrap();
    assert_eq!(
        request.inputs,
        SendInputs::Query(UtxoQuery {
            filter_address: Some("W3".into()),
            max_utxos: Some(2),
            amount_smaller_than: Some(Amount::new(10)),
            amount_bigger_than: Some(Amount::new(1)),
            maximum_amount: Some(Amount::new(50)),
        })
    );
    assert_eq!(read(json!({"outputs": outputs, "inputs": []})).unwrap().inputs, SendInputs::Automatic);
}

#[test]
fn each_wrong_output_is_refused() {
    let needs = "must have `address` and `value`, or be {\"type\":\"data\", \"data\"}.";
    let data = "is a data output: it must have `data` and must not have `address` or `value`.";
    let amount = "must be an integer of at least 1, in cents.";
    let pay = |name: &str, value: Value| {
        let mut output = fields(json!({"address": "W1", "value": 5}));
        output.insert(name.to_owned(), value);
        Value::Object(output)
    };
    let object = "must be an object: {\"address\", \"value\", \"token\"} or {\"type\":\"data\", \"data\"}.";
    let table = [
        (json!(5), "", json!(5), object),
        (json!({}), "", json!({}), needs),
        (json!({"address": "W1"}), "", json!({"address": "W1"}), needs),
        (json!({"type": "data"}), "", json!({"type": "data"}), data),
        (
            json!({"type": "data", "data": "a", "value": 1}),
            "",
            json!({"type": "data", "data": "a", "value": 1}),
            data,
        ),
        (pay("address", json!(5)), ".address", json!(5), "must be a string."),
        (pay("value", json!(0)), ".value", json!(0), amount),
        (pay("value", json!(-1)), ".value", json!(-1), amount),
        (pay("value", json!("1.5")), ".value", json!("1.5"), amount),
        (pay("value", json!([1])), ".value", json!([1]), amount),
        (pay("token", json!(0)), ".token", json!(0), "must be a string."),
        (
            pay("token", json!("HTR")),
            ".token",
            json!("HTR"),
            "must be a token's uid: 00 for HTR, or 64 hexadecimal digits.",
        ),
        (pay("type", json!(0)), ".type", json!(0), "must be a string."),
        (pay("timelock", json!(0)), ".timelock", json!(0), "must be an integer of at least 1."),
        (
            pay("timelock", json!(1_700_000_000_000_u64)),
            ".timelock",
            json!(1_700_000_000_000_u64),
            "must be a time in Unix seconds, at most 4294967295 (not milliseconds).",
        ),
        (json!({"type": "data", "data": 7}), ".data", json!(7), "must be a string."),
        (
            json!({"type": "data", "data": "x".repeat(151)}),
            ".data",
            json!("x".repeat(151)),
            "must have at most 150 characters.",
        ),
    ];
    for (output, member, value, must) in table {
        let refusal = read(json!({"outputs": [output]})).unwrap_err();
        let param = format!("outputs[0]{member}");
        assert_eq!(answered(&refusal), one_field(Some(value), &param, "body", &format!("{param} {must}")));
    }
}

#[test]
fn outputs_must_be_an_array_of_at_least_one() {
    for value in [None, Some(json!([])), Some(json!("x")), Some(json!(null))] {
        let mut body = fields(json!({}));
        if let Some(value) = &value {
            body.insert("outputs".into(), value.clone());
        }
        let refusal = SendTx::read(&body, Compat::Documented).unwrap_err();
        assert_eq!(
            answered(&refusal),
            one_field(value, "outputs", "body", "outputs must be an array of at least one output.")
        );
    }
}

#[test]
fn each_wrong_input_is_refused() {
    let must = "must be {\"hash\": transaction id, \"index\": output index}.";
    let wrong = [
        json!({"hash": "ab"}),
        json!(5),
        json!(null),
        json!({"hash": 5, "index": 0}),
        json!({"hash": "", "index": 0}),
        json!({"hash": "ab", "index": -1}),
        json!({"hash": "ab", "index": "x"}),
        json!({"hash": "ab", "index": null}),
    ];
    for input in wrong {
        let body = json!({"outputs": [{"address": "W1", "value": 5}], "inputs": [{"hash": "ab", "index": 0}, input]});
        let refusal = read(body).unwrap_err();
        let param = "inputs[1]";
        assert_eq!(answered(&refusal), one_field(Some(input), param, "body", &format!("{param} {must}")));
    }
    let body = json!({"outputs": [{"address": "W1", "value": 5}], "inputs": {}});
    assert_eq!(
        answered(&read(body).unwrap_err()),
        one_field(Some(json!({})), "inputs", "body", "inputs must be an array of {\"hash\", \"index\"}.")
    );
}

#[test]
fn twenty_five_data_outputs_are_taken_and_twenty_six_refused() {
    let outputs = |count| json!({"outputs": vec![json!({"type": "data", "data": "x"}); count]});
    assert_eq!(read(outputs(25)).unwrap().outputs.len(), 25);
    assert_eq!(
        answered(&read(outputs(26)).unwrap_err()),
        json!({
            "success": false,
            "error": [{
                "msg": "Transaction has 26 data outputs and can have at most 25.",
                "param": "outputs",
                "location": "body",
            }],
            "message": "outputs has 26 data outputs and can have at most 25: send the rest in further transactions.",
        })
    );
    // 0.39 leaves it to the building of the transaction.
    assert!(SendTx::read(&fields(outputs(26)), Compat::V0_39).is_ok());
}

#[test]
fn problems_come_by_field_then_by_output() {
    let body = json!({"outputs": [{"address": 1, "value": 0}, {"address": 2, "value": 0}], "debug": "maybe"});
    let refusal = SendTx::read(&fields(body), Compat::V0_39).unwrap_err();
    let answer = answered_in(&refusal, Compat::V0_39);
    let params: Vec<_> =
        answer["error"].as_array().unwrap().iter().map(|entry| entry["param"].clone()).collect();
    assert_eq!(
        params,
        ["outputs[0].address", "outputs[1].address", "outputs[0].value", "outputs[1].value", "debug"]
    );
}

/// However many they are, and whatever is wrong with each of them.
#[test]
fn more_inputs_or_outputs_than_a_transaction_has_are_one_problem() {
    fn read<R: Request>(body: Value, compat: Compat) -> Result<(), Refusal> {
        R::read(&fields(body), compat).map(drop)
    }
    type Read = fn(Value, Compat) -> Result<(), Refusal>;
    let requests: [(Read, [&str; 2]); 3] = [
        (read::<SendTx>, ["Invalid value", "Invalid value"]),
        (read::<BuildTx>, ["Invalid outputs array", "Invalid inputs array"]),
        (read::<ProposeTx>, ["Invalid outputs array", "Invalid inputs array"]),
    ];
    let id = "ab".repeat(32);
    let output = json!({"address": "WPynsVhyU6nP7RSZAkqfijEutC88KgAyFc", "value": 1});
    let input = json!({"hash": id, "txId": id, "index": 0});
    for (read, called) in requests {
        let body = |outputs: Vec<Value>, inputs: Vec<Value>| json!({"outputs": outputs, "inputs": inputs});
        assert_eq!(
            read(body(vec![output.clone(); 255], vec![input.clone(); 255]), Compat::Documented),
            Ok(())
        );
        for count in [256, 20_000] {
            let too_many = [
                (body(vec![json!(0); count], vec![input.clone()]), "outputs", called[0]),
                (body(vec![output.clone()], vec![json!(0); count]), "inputs", called[1]),
            ];
            for (body, param, msg) in too_many {
                let must = "elements and can have at most 255: make several transactions of them";
                assert_eq!(
                    answered(&read(body, Compat::Documented).unwrap_err()),
                    json!({
                        "success": false,
                        "error": [{"msg": msg, "param": param, "location": "body"}],
                        "message": format!("{param} has {count} {must}."),
                    })
                );
            }
        }
        // 0.39 leaves it to the building of the transaction.
        let body = body(vec![output.clone(); 256], vec![input.clone(); 256]);
        assert_eq!(read(body, Compat::V0_39), Ok(()));
    }
}
