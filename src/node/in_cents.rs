//! Amounts in answers on contracts that are passed on as they came: in units of 10^-18 or in tokens where the
//! node has amounts of the second version, and in cents here, as in all answers.

use crate::json;
use crate::ledger::{Amount, TokenData};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

/// Most bytes of one transaction of a history. Nodes take transactions of 100 kB.
const MAX_TRANSACTION_BYTES: usize = 1024 * 1024;

/// A contract's state as `/v2/` has it, with balances in tokens.
pub(super) fn state_in_cents(state: &[u8]) -> Result<Box<RawValue>, serde_json::Error> {
    let mut state = json::read(state)?;
    let balances = state.get_mut("balances").and_then(Value::as_object_mut);
    for balance in balances.into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut) {
        let words = balance.get("value").and_then(Value::as_str);
        if let Some(amount) = words.and_then(Amount::of_decimal) {
            put(balance, ["value", "value_str"], amount, Value::String(amount.to_string()));
        }
    }
    to_raw_value(&state)
}

/// The transactions that called a contract. Nodes without amounts of the second version write no words beside
/// the numbers, and their lists stay as they are.
pub(super) fn history_in_cents(list: Box<RawValue>) -> Result<Box<RawValue>, serde_json::Error> {
    if !list.get().contains("\"value_str\"") {
        return Ok(list);
    }
    let transactions: Vec<&RawValue> = serde_json::from_str(list.get())?;
    let in_cents = |transaction: &RawValue| match transaction.get() {
        long if long.len() > MAX_TRANSACTION_BYTES => {
            Err(serde::de::Error::custom(format_args!("a transaction has {} bytes", long.len())))
        }
        text => transaction_in_cents(json::read(text.as_bytes())?),
    };
    to_raw_value(&transactions.into_iter().map(in_cents).collect::<Result<Vec<_>, _>>()?)
}

fn transaction_in_cents(mut transaction: Value) -> Result<Value, serde_json::Error> {
    // An output's number is of the version of the transaction that made it. The words are of tokens.
    for place in ["inputs", "outputs"] {
        for output in members(transaction.get_mut(place)) {
            let mask = output.get("token_data").and_then(Value::as_u64).and_then(|data| data.try_into().ok());
            let words = output.get("value_str").and_then(Value::as_str);
            if let Some(amount) = words.and_then(Amount::of_decimal)
                && !mask.is_some_and(|data| TokenData(data).is_authority())
            {
                let number = Value::Number(amount.to_string().parse()?);
                put(output, ["value", "value_str"], amount, number);
            }
        }
    }
    if transaction.get("token_amount_version").and_then(Value::as_u64) == Some(2) {
        let context = transaction.get_mut("nc_context");
        for action in members(context.and_then(|context| context.get_mut("actions"))) {
            if let Some(Value::Number(units)) = action.get("amount")
                && let Some(amount) = units.as_u128().map(Amount::of_units)
            {
                let number = Value::Number(amount.to_string().parse()?);
                put(action, ["amount", "amount_str"], amount, number);
            }
        }
    }
    Ok(transaction)
}

/// The objects of a list.
fn members(list: Option<&mut Value>) -> impl Iterator<Item = &mut Map<String, Value>> {
    list.and_then(Value::as_array_mut).into_iter().flatten().filter_map(Value::as_object_mut)
}

fn put(of: &mut Map<String, Value>, [number, words]: [&str; 2], amount: Amount, cents: Value) {
    of.insert(number.to_owned(), cents);
    if amount.part() != 0 {
        of.insert(words.to_owned(), Value::String(amount.decimal()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn raw(value: &Value) -> Box<RawValue> {
        to_raw_value(value).expect("it has text keys")
    }
    fn value(raw: &RawValue) -> Value {
        json::read(raw.get().as_bytes()).expect("it was written here")
    }

    /// Said by a node of the branch of a contract that holds parts of a cent.
    #[test]
    fn balances_are_in_cents() {
        let said = json!({"success": true, "fields": {"total": {"value": 7}}, "calls": {}, "balances": {
            "00": {"value": "2.9999999999999999", "can_mint": false, "can_melt": false},
            "01": {"value": "2.48"}, "02": {"error": "not found"}}});
        let state =
            value(&state_in_cents(&serde_json::to_vec(&said).expect("it has text keys")).expect("JSON"));
        let expected = json!({"success": true, "fields": {"total": {"value": 7}}, "calls": {}, "balances": {
            "00": {"value": "299.99999999999999", "value_str": "2.9999999999999999", "can_mint": false, "can_melt": false},
            "01": {"value": "248"}, "02": {"error": "not found"}}});
        assert_eq!(state, expected);
    }

    #[test]
    fn calls_of_both_versions_are_in_cents() {
        let said = json!([
            {"token_amount_version": 2,
             "inputs": [{"value": 100, "value_str": "1.0", "token_data": 0}, {"value": 2, "value_str": "0.02", "token_data": 129}],
             "outputs": [{"value": 5_000_000_000_000_100_u64, "value_str": "0.0050000000000001", "token_data": 0}],
             "nc_context": {"actions": [{"type": "withdrawal", "amount": 5_000_000_000_000_100_u64}, {"mint": true}]}},
            {"token_amount_version": 1, "inputs": [{"value": 9_000_000_000_000_000_000_u64, "value_str": "9.0", "token_data": 0}],
             "outputs": [], "nc_context": {"actions": [{"type": "deposit", "amount": 100}]}},
        ]);
        let calls = value(&history_in_cents(raw(&said)).expect("JSON"));
        let part = json!("0.0050000000000001");
        assert_eq!(calls[0]["inputs"], said[0]["inputs"]);
        assert_eq!(
            (calls[0]["outputs"][0]["value"].to_string(), &calls[0]["outputs"][0]["value_str"]),
            ("0.50000000000001".to_owned(), &part)
        );
        let actions = &calls[0]["nc_context"]["actions"];
        assert_eq!(
            (actions[0]["amount"].to_string(), &actions[0]["amount_str"]),
            ("0.50000000000001".to_owned(), &part)
        );
        assert_eq!(actions[1], json!({"mint": true}));
        assert_eq!(calls[1]["inputs"], json!([{"value": 900, "value_str": "9.0", "token_data": 0}]));
        assert_eq!(calls[1]["nc_context"], said[1]["nc_context"]);
    }

    #[test]
    fn lists_of_nodes_without_words_stay_as_they_are() {
        let list = RawValue::from_string(r#"[ {"z":1e400} ]"#.to_owned()).expect("JSON");
        assert_eq!(history_in_cents(list).expect("JSON").get(), r#"[ {"z":1e400} ]"#);
    }
}
