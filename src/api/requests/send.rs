//! send-tx.

use super::reads::{given_amount, given_count};
use crate::api::check::{Checker, Field};
use crate::api::integer::amount;
use crate::api::record::{self, Kind, Need};
use crate::api::texts::INVALID_VALUE;
use crate::api::{Compat, Refusal};
use crate::ledger::{Amount, Outpoint};
use serde_json::{Map, Value};

/// `POST /wallet/send-tx`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SendTx {
    /// At least one; in the order of the request.
    pub outputs: Vec<SendOutput>,
    #[allow(missing_docs)]
    pub inputs: SendInputs,
    /// Where the change goes: an address of the wallet.
    pub change_address: Option<String>,
}

/// An output of send-tx.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendOutput {
    /// Pays an address.
    Pay {
        /// Whom.
        address: String,
        /// In cents; at least 1.
        value: Amount,
        /// The token's uid as given; `00` is HTR.
        token: String,
        /// Unix seconds before which it can't be spent.
        timelock: Option<u32>,
    },
    /// Keeps a text of at most 150 characters on the ledger.
    Data(String),
}

/// How send-tx finds what it spends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendInputs {
    /// The wallet chooses.
    Automatic,
    /// These; for tokens of which none is given, the wallet chooses.
    Explicit(Vec<ExplicitInput>),
    /// The wallet chooses among those that match.
    Query(UtxoQuery),
}

/// An output to spend, as given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplicitInput {
    /// The transaction's id, as given.
    pub hash: String,
    /// The output's place in it, saturated.
    pub index: u32,
}

impl ExplicitInput {
    /// The output meant; `None` if no transaction can have it.
    pub fn outpoint(&self) -> Option<Outpoint> {
        Some(Outpoint { tx: self.hash.parse().ok()?, index: u8::try_from(self.index).ok()? })
    }
}

/// Filters of an input `{"type":"query", …}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UtxoQuery {
    /// Only outputs of this address.
    pub filter_address: Option<String>,
    /// At most so many.
    pub max_utxos: Option<usize>,
    /// Only outputs of less.
    pub amount_smaller_than: Option<Amount>,
    /// Only outputs of more.
    pub amount_bigger_than: Option<Amount>,
    /// Outputs are taken while their total stays within this.
    pub maximum_amount: Option<Amount>,
}

impl SendTx {
    /// Reads the body of a request.
    pub fn from_json(body: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal> {
        let mut check = Checker::body(body);
        let outputs = check_outputs(&mut check, compat);
        let inputs = check_inputs(&mut check, compat);
        let default_token = check_default_token(&mut check, compat);
        let change_address = check.optional_address("change_address");
        check.boolean("debug", false);
        check.finish()?;
        let outputs = outputs.into_iter().map(|output| output.with_default_token(&default_token)).collect();
        Ok(Self { outputs, inputs, change_address })
    }
}

impl SendOutput {
    fn with_default_token(mut self, default: &str) -> Self {
        if let Self::Pay { token, .. } = &mut self
            && token.is_empty()
        {
            default.clone_into(token);
        }
        self
    }
}

/// Reads the outputs; `token` stays empty where it is not given. Problems come grouped by field, then by output.
fn check_outputs(check: &mut Checker<'_>, compat: Compat) -> Vec<SendOutput> {
    let field = check.field("outputs");
    record::note("outputs", Kind::Array(1, None), Need::Required);
    record::note("outputs[]", Kind::Object(&[&["address", "value"], &["type", "data"]]), Need::Required);
    if field.value.and_then(Value::as_array).is_none_or(Vec::is_empty) {
        check.invalid(&field, "must be an array of at least one output");
        return Vec::new();
    }
    let elements: Vec<_> = field.elements().collect();
    let addresses = each(check, &elements, "address", Checker::optional_text);
    let values = each(check, &elements, "value", |check, field| {
        field.value.and_then(|_| check.positive_amount(field))
    });
    let tokens = each(check, &elements, "token", |check, field| check.token(field, Need::Optional, compat));
    each(check, &elements, "type", Checker::optional_text);
    let limited = compat.checks_data_outputs_with_fields();
    let texts =
        each(check, &elements, "data", |check, field| field.value.and_then(|_| check.data(field, limited)));
    let timelocks = each(check, &elements, "timelock", timelock);
    for output in &elements {
        check_output_members(check, output);
    }
    check.data_output_count(&field, elements.iter().filter(|output| is_data(output)).count(), limited);

    let mut outputs = Vec::with_capacity(elements.len());
    for (i, element) in elements.iter().enumerate() {
        outputs.push(if is_data(element) {
            SendOutput::Data(texts[i].clone().unwrap_or_default())
        } else {
            SendOutput::Pay {
                address: addresses[i].unwrap_or_default().to_owned(),
                value: values[i].unwrap_or_default(),
                token: tokens[i].unwrap_or_default().to_owned(),
                timelock: timelocks[i],
            }
        });
    }
    outputs
}

/// Reads one member of every element.
pub(super) fn each<'a, T>(
    check: &mut Checker<'a>,
    elements: &[Field<'a>],
    name: &str,
    read: impl Fn(&mut Checker<'a>, &Field<'a>) -> Option<T>,
) -> Vec<Option<T>> {
    elements.iter().map(|element| read(check, &element.member(name))).collect()
}

fn is_data(output: &Field<'_>) -> bool {
    output.value.and_then(|v| v.get("type")).is_some_and(|kind| kind == "data")
}

/// Which members an output must and must not have.
fn check_output_members<'a>(check: &mut Checker<'a>, output: &Field<'a>) {
    let has = |name| output.value.is_some_and(|v| v.get(name).is_some());
    let must = if !output.value.is_some_and(Value::is_object) {
        "must be an object: {\"address\", \"value\", \"token\"} or {\"type\":\"data\", \"data\"}"
    } else if is_data(output) {
        if has("data") && !has("address") && !has("value") {
            return;
        }
        "is a data output: it must have `data` and must not have `address` or `value`"
    } else {
        if has("address") && has("value") {
            return;
        }
        "must have `address` and `value`, or be {\"type\":\"data\", \"data\"}"
    };
    check.invalid(output, must);
}

/// Unix seconds, from 1 to the last that the ledger can write.
pub(super) fn timelock<'a>(check: &mut Checker<'a>, field: &Field<'a>) -> Option<u32> {
    record::note(&field.path, Kind::Integer(Some(1), Some(u32::MAX as i128)), Need::Optional);
    let seconds = check.optional_integer(field, Some(1))?;
    let fits = u32::try_from(seconds).ok();
    if fits.is_none() {
        check.invalid(field, "must be a time in Unix seconds, at most 4294967295 (not milliseconds)");
    }
    fits
}

fn check_inputs(check: &mut Checker<'_>, compat: Compat) -> SendInputs {
    let field = check.field("inputs");
    record::note("inputs", Kind::Array(0, None), Need::Optional);
    record::note("inputs[]", Kind::Object(&[&["hash", "index"], &["type"]]), Need::Required);
    if field.value.is_none() {
        return SendInputs::Automatic;
    }
    if !field.value.is_some_and(Value::is_array) {
        check.invalid(&field, "must be an array of {\"hash\", \"index\"}");
        return SendInputs::Automatic;
    }
    let elements: Vec<_> = field.elements().collect();
    let Some(first) = elements.first() else { return SendInputs::Automatic };
    if first.value.and_then(|v| v.get("type")).is_some_and(|kind| kind == "query") {
        record::note("inputs[].type", Kind::OneOf(&["query"]), Need::Optional);
        return SendInputs::Query(check_query(check, first, compat));
    }
    record::note("inputs[].hash", Kind::Text, Need::Optional);
    record::note("inputs[].index", Kind::Integer(Some(0), None), Need::Optional);
    let outputs = elements.iter().map(|input| {
        let spent = spent_output(check, input);
        if spent.is_none() {
            check.invalid(input, "must be {\"hash\": transaction id, \"index\": output index}");
        }
        spent
    });
    let (hashes, indexes) = outputs.collect::<Vec<_>>().into_iter().flatten().unzip();
    explicit_inputs(hashes, indexes)
}

/// What an input names, if it names an output.
fn spent_output<'a>(check: &Checker<'a>, input: &Field<'a>) -> Option<(Option<&'a str>, Option<i128>)> {
    let hash = input.value?.get("hash")?.as_str().filter(|hash| !hash.is_empty())?;
    let index = check.integer_of(&input.member("index")).filter(|index| *index >= 0)?;
    Some((Some(hash), Some(index)))
}

/// Outputs to spend, of fields that have been checked.
pub(super) fn explicit_inputs(hashes: Vec<Option<&str>>, indexes: Vec<Option<i128>>) -> SendInputs {
    let inputs = hashes.into_iter().zip(indexes).filter_map(|(hash, index)| {
        Some(ExplicitInput { hash: hash?.to_owned(), index: u32::try_from(index?).unwrap_or(u32::MAX) })
    });
    SendInputs::Explicit(inputs.collect())
}

fn check_query<'a>(check: &mut Checker<'a>, query: &Field<'a>, compat: Compat) -> UtxoQuery {
    let address = check.optional_text(&query.member("filter_address"));
    let least = if compat.zero_means_not_given() { None } else { Some(0) };
    let max_utxos = check.optional_integer(&query.member("max_utxos"), least);
    let mut number = |name: &str| check.optional_integer(&query.member(name), None);
    let smaller = number("amount_smaller_than");
    let bigger = number("amount_bigger_than");
    let maximum = number("maximum_amount");
    UtxoQuery {
        filter_address: address.filter(|text| !text.is_empty()).map(str::to_owned),
        max_utxos: given_count(max_utxos, compat),
        amount_smaller_than: given_amount(smaller, compat),
        amount_bigger_than: bigger.and_then(amount),
        maximum_amount: given_amount(maximum, compat),
    }
}

/// The uid of the deprecated top-level token object, which stands for outputs without a token; else HTR.
fn check_default_token(check: &mut Checker<'_>, compat: Compat) -> String {
    let field = check.field("token");
    record::note("token", Kind::TokenObject, Need::Optional);
    let given = field.value.and_then(|_| token_object(check, &field, compat));
    given.unwrap_or_else(|| "00".to_owned())
}

/// The uid of a token given as `{uid, name, symbol}`.
pub(super) fn token_object<'a>(check: &mut Checker<'a>, field: &Field<'a>, compat: Compat) -> Option<String> {
    let text = |name| field.value?.get(name)?.as_str().filter(|text| !text.is_empty());
    match (text("uid"), text("name"), text("symbol")) {
        (Some(uid), Some(_), Some(_)) => {
            check.token_uid(&field.member("uid"), uid, compat);
            Some(uid.to_owned())
        }
        _ => {
            check.problem(field, INVALID_VALUE, "must have non-empty `uid`, `name` and `symbol`");
            None
        }
    }
}
