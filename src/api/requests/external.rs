//! `/wallet/tx-proposal`: transactions that are built here and signed elsewhere.

use super::raw::is_hex;
use super::send::{each, explicit_inputs, timelock};
use crate::api::check::{Checker, Field};
use crate::api::check_twice::Form;
use crate::api::integer::amount;
use crate::api::record::{Kind, Need, note};
use crate::api::texts::{
    INVALID_ADDRESS, INVALID_CHANGE_ADDRESS, INVALID_FILTER_ADDRESS, INVALID_HASH, INVALID_INDEX,
    INVALID_INPUTS, INVALID_OUTPUTS, INVALID_QUERY_TYPE, INVALID_TOKEN_UID, INVALID_VALUES,
};
use crate::api::{Refusal, SendInputs, SendOutput, SendTx, UtxoQuery};
use serde_json::{Map, Value};

const NATIVE: &str = "00";
const OUTPUTS: &str = "must be an array of at least one output";
const INPUTS: &str = "must be an array of at least one input";

const TOKEN: Form = Form {
    kind: Kind::Pattern("^(00|[0-9A-Fa-f]{64})$"),
    must: "must be 00 or 64 hexadecimal digits",
    fits: |text| text == NATIVE || is_id(text),
};
pub(super) const ID: Form = Form {
    kind: Kind::Pattern("^[0-9A-Fa-f]{64}$"),
    must: "must be a transaction id of 64 hexadecimal digits",
    fits: is_id,
};
const QUERY: Form =
    Form { kind: Kind::OneOf(&["query"]), must: "must be `query`", fits: |text| text == "query" };

fn is_id(text: &str) -> bool {
    text.len() == 64 && is_hex(text)
}

impl SendTx {
    /// `POST /wallet/tx-proposal`: reads the body of a request. It is a send, with checks of its own.
    pub fn from_proposal(body: &Map<String, Value>) -> Result<Self, Refusal> {
        let mut check = Checker::body(body);
        let outputs = check_outputs(&mut check);
        let field = check.field("inputs");
        note("inputs", Kind::Array(1, None), Need::Optional);
        note("inputs[]", Kind::Object(&[&["hash", "index"], &["type"]]), Need::Required);
        if field.value.is_some() {
            check.called(INVALID_INPUTS, |check| check.some_elements(&field, INPUTS));
        }
        let field = check.field("change_address");
        let change = check.called(INVALID_CHANGE_ADDRESS, |check| check.optional_text(&field));
        let inputs = check_inputs(&mut check);
        check.finish()?;
        let change_address = change.filter(|text| !text.is_empty()).map(str::to_owned);
        Ok(Self { outputs, inputs, change_address })
    }
}

fn check_outputs(check: &mut Checker<'_>) -> Vec<SendOutput> {
    let field = check.field("outputs");
    note("outputs", Kind::Array(1, None), Need::Required);
    note("outputs[]", Kind::Object(&[&["address", "value"], &["type", "data"]]), Need::Required);
    let outputs = check.called(INVALID_OUTPUTS, |check| check.some_elements(&field, OUTPUTS));
    let addresses =
        check.called(INVALID_ADDRESS, |check| each(check, &outputs, "address", Checker::optional_text));
    let values =
        each(check, &outputs, "value", |check, field| field.value.and_then(|_| check.positive_amount(field)));
    note("outputs[].token", TOKEN.kind, Need::Optional);
    let tokens: Vec<_> = outputs.iter().map(|output| output.member("token")).collect();
    let given: Vec<_> = tokens.iter().filter(|token| token.value.is_some()).cloned().collect();
    check.called(INVALID_TOKEN_UID, |check| check.formed_texts(&given, TOKEN));
    let timelocks = each(check, &outputs, "timelock", timelock);
    outputs.iter().for_each(|output| check_output(check, output));
    let read = outputs.iter().enumerate().map(|(i, output)| match data_of(output) {
        Some(data) => SendOutput::Data(data.to_owned()),
        None => SendOutput::Pay {
            address: addresses[i].unwrap_or_default().to_owned(),
            value: values[i].unwrap_or_default(),
            token: tokens[i].value.and_then(Value::as_str).unwrap_or(NATIVE).to_owned(),
            timelock: timelocks[i],
        },
    });
    read.collect()
}

/// Which members an output must have. Those that say nothing of it are passed over.
fn check_output<'a>(check: &mut Checker<'a>, output: &Field<'a>) {
    note("outputs[].type", Kind::Text, Need::Optional);
    note("outputs[].data", Kind::Hex, Need::Optional);
    let has = |name| output.value.is_some_and(|v| v.get(name).is_some());
    if is_data(output) {
        if has("token") || !data_of(output).is_some_and(is_hex) {
            check.invalid(output, "is a data output: it must have hexadecimal `data` and no `token`");
        }
    } else if !has("address") || !has("value") {
        check.invalid(output, "must have `address` and `value`, or be {\"type\":\"data\", \"data\"}");
    }
}

fn is_data(output: &Field<'_>) -> bool {
    output.value.and_then(|v| v.get("type")).is_some_and(|kind| kind == "data")
}

/// The hexadecimal digits of a data output. They are kept as the text that they are, not as the bytes that they stand for.
fn data_of<'a>(output: &Field<'a>) -> Option<&'a str> {
    if is_data(output) { output.value?.get("data")?.as_str() } else { None }
}

/// All of them queries, of which the first counts; or all of them outputs to spend.
fn check_inputs(check: &mut Checker<'_>) -> SendInputs {
    let elements: Vec<_> = check.field("inputs").elements().collect();
    if elements.is_empty() {
        return SendInputs::Automatic;
    }
    let mut wrong = match check.form(|check| check_queries(check, &elements)) {
        Ok(query) => return SendInputs::Query(query),
        Err(wrong) => wrong,
    };
    let chosen = check.form(|check| {
        let hashes: Vec<_> = elements.iter().map(|input| input.member("hash")).collect();
        let hashes = check.called(INVALID_HASH, |check| check.formed_texts(&hashes, ID));
        let indexes = check.called(INVALID_INDEX, |check| {
            each(check, &elements, "index", |check, field| {
                check.count(field, "must be the place of an output")
            })
        });
        explicit_inputs(hashes, indexes)
    });
    match chosen {
        Ok(inputs) => inputs,
        Err(others) => {
            wrong.extend(others);
            check.none_of(INVALID_VALUES, wrong);
            SendInputs::Automatic
        }
    }
}

fn check_queries<'a>(check: &mut Checker<'a>, elements: &[Field<'a>]) -> UtxoQuery {
    let types: Vec<_> = elements.iter().map(|element| element.member("type")).collect();
    note("inputs[].type", QUERY.kind, Need::Optional);
    check.called(INVALID_QUERY_TYPE, |check| check.formed_texts(&types, QUERY));
    let max_utxos = first_number(check, elements, "max_utxos", 1);
    let addresses = check.called(INVALID_FILTER_ADDRESS, |check| {
        each(check, elements, "filter_address", Checker::optional_text)
    });
    let mut cents = |name, least| first_number(check, elements, name, least).and_then(amount);
    UtxoQuery {
        amount_smaller_than: cents("amount_smaller_than", 2),
        amount_bigger_than: cents("amount_bigger_than", 1),
        maximum_amount: cents("maximum_amount", 1),
        filter_address: addresses[0].filter(|text| !text.is_empty()).map(str::to_owned),
        max_utxos: max_utxos.map(|n| usize::try_from(n).unwrap_or(usize::MAX)),
    }
}

/// A number that every query may have; that of the first one counts.
fn first_number<'a>(
    check: &mut Checker<'a>,
    queries: &[Field<'a>],
    name: &'static str,
    least: i128,
) -> Option<i128> {
    check.called(format!("Invalid {name}"), |check| {
        each(check, queries, name, |check, field| check.optional_integer(field, Some(least)))[0]
    })
}
