//! send-tx: payments and texts.

use crate::api::integer::amount;
use crate::api::rules::{
    DATA_TEXT, NATIVE, OPTIONAL_ADDRESS, flag, least, most, noted, or_noted, upper_bound,
};
use crate::api::texts::{INVALID_VALUE, READ_ONLY_SEND, insufficient};
use crate::api::{Location, Member, Need};
use crate::ledger::{Address, AddressKind, Amount, MAX_INPUTS, MAX_OUTPUTS, Network, Outpoint};
use crate::operations::addresses::{address, own_address, refuse};
use crate::operations::prelude::*;
use crate::wallet::{InputQuery, InputRequest, OutputRequest, PlanError, Planned, SendRequest};
use serde_json::Value;
use std::collections::HashSet;

pub(crate) const PAYMENTS: Argument = Argument::objects("outputs", "to", &["address", "value", "token"])
    .help("Pays an address, in HTR or in a token");
pub(crate) const TEXTS: Argument = Argument::objects("outputs", "data", &["data"])
    .with("type", "data")
    .help("Writes this text to the ledger, where everyone can read it forever; costs 0.01 HTR");
pub(crate) const SPENT: Argument = Argument::objects("inputs", "input", &["hash", "index"]).help(SPENDS);
pub(crate) const SPENDS: &str = "Spends this output; if none is given, the wallet chooses";

pub static SEND_TX: Operation = post("send-tx", "/wallet/send-tx", Group::Sending, Right::Send)
    .does("Pay addresses, and write texts to the ledger.")
    .package(&[method("sendTx").throws(&["ADDRESS_NOT_MINE", "INPUT_SPENT", "INPUT_LOCKED"]).example(
        "const { hash } = await wallet.sendTx({\n  outputs: [\n    { address: \"WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f\", value: 1_500n }, // 15.00 HTR\n    \
         { type: \"data\", data: \"invoice 17\" },\n  ],\n});",
    )])
    .command(&[command("send-many").does("Pay several addresses and write texts to the ledger, in one transaction.").by(&[PAYMENTS, TEXTS, SPENT]).after("Example:\n  headless-wallet wallet send-many --to WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6:15.00 \
--to WeBBm1LfKBH3V5rEL5DAHtjjDiAws3Z83m:2.50 --data 'invoice 17'",), command("send-data").places(&["outputs"]).does("Write texts to the ledger, where everyone can read them forever; each costs 0.01 HTR.").by(&[TEXTS, SPENT])])
    .sends::<SendTx>(READ_ONLY_SEND, &[
            (
                "example",
                r#"{"outputs": [{"address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "value": 100, "token": "00"}, {"type": "data", "data": "hello"}]}"#,
            ),
            (
                "chosen inputs",
                r#"{"outputs": [{"address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "value": 100}], "inputs": [{"hash": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f", "index": 0}]}"#,
            ),
            (
                "inputs that match",
                r#"{"outputs": [{"address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "value": 100}], "inputs": [{"type": "query", "filter_address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f"}]}"#,
            ),
        ])
    .answers(answers![TransactionAnswer, DryRunAnswer, Failure]);

request! {
    /// `POST /wallet/send-tx`.
    pub struct SendTx in body {
        /// What to pay and to keep, in this order if there is no change; with change, all outputs are
        /// shuffled.
        pub outputs: Vec<SendOutput> = OUTPUTS,
        /// What to spend; the wallet chooses if not given. A `query` stands alone: the wallet chooses among
        /// what matches.
        pub inputs: SendInputs = INPUTS,
        /// What stands for outputs without `token`. Give `token` in the outputs instead.
        pub token: String = DEFAULT_TOKEN.deprecated(),
        /// Where the change goes: an address of the wallet.
        pub change_address: Option<String> = OPTIONAL_ADDRESS,
        /// Has no effect.
        pub debug: bool = flag(false).deprecated(),
    }
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

/// The outputs of send-tx; `token` stays empty where it is not given.
const OUTPUTS: Rule<Vec<SendOutput>> = Rule::required(
    Kind::Array {
        of: &Kind::Object { members: OUTPUT, any_of: &[&["address", "value"], &["type", "data"]] },
        least: 1,
        most: Some(MAX_OUTPUTS),
    },
    check_outputs,
);

pub(crate) const PAY_ADDRESS: Member = Member::new("address", "Whom to pay.", Kind::Address, Need::Optional);

pub(crate) const PAY_VALUE: Member = Member::new("value", "In cents.", Kind::Amount, Need::Optional);

pub(crate) const PAY_TOKEN: Member = Member {
    in_0_39: Some(Some((Kind::Text, None))),
    ..Member::new("token", "The token's uid; `00` is HTR.", Kind::TokenUid, Need::Optional)
};

pub(crate) const TYPE_DATA: Member =
    Member::new("type", "`data` for an output that keeps a text.", Kind::OneOf(&["data"]), Need::Optional);

pub(crate) const TIMELOCK: Member = Member::new(
    "timelock",
    "Unix seconds before which it can't be spent.",
    Kind::Integer(Some(1), Some(u32::MAX as i128)),
    Need::Optional,
);

const OUTPUT: &[Member] = &[
    PAY_ADDRESS,
    PAY_VALUE,
    PAY_TOKEN,
    TYPE_DATA,
    Member::new("data", "The text.", DATA_TEXT, Need::Optional),
    TIMELOCK,
];

/// Problems come grouped by field, then by output.
fn check_outputs<'a>(
    check: &mut Checker<'a>,
    field: &Field<'a>,
    context: Context,
) -> Result<Vec<SendOutput>, Refusal> {
    if field.value.and_then(Value::as_array).is_none_or(Vec::is_empty) {
        check.invalid(field, "must be an array of at least one output");
        return noted();
    }
    if check.too_many(field, MAX_OUTPUTS, context.compat) {
        return noted();
    }
    let elements: Vec<_> = field.elements().collect();
    let addresses = each(check, &elements, "address", Checker::optional_text);
    let values = each(check, &elements, "value", |check, field| {
        field.value.and_then(|_| check.positive_amount(field))
    });
    let compat = context.compat;
    let tokens = each(check, &elements, "token", |check, field| check.optional_token(field, compat));
    each(check, &elements, "type", Checker::optional_text);
    let limited = compat.checks_data_outputs_with_fields();
    let texts =
        each(check, &elements, "data", |check, field| field.value.and_then(|_| check.data(field, limited)));
    let timelocks = each(check, &elements, "timelock", timelock);
    for output in &elements {
        check_output_members(check, output);
    }
    refuse_unused_in_outputs(check, &elements, &["token", "timelock"], compat);
    check.data_output_count(field, elements.iter().filter(|output| is_data(output)).count(), limited);
    let output = |(i, element): (usize, &Field<'a>)| match is_data(element) {
        true => SendOutput::Data(texts[i].clone().unwrap_or_default()),
        false => SendOutput::Pay {
            address: addresses[i].unwrap_or_default().to_owned(),
            value: values[i].unwrap_or_default(),
            token: tokens[i].unwrap_or_default().to_owned(),
            timelock: timelocks[i],
        },
    };
    Ok(elements.iter().enumerate().map(output).collect())
}

/// Reads one member of every element.
pub(crate) fn each<'a, T>(
    check: &mut Checker<'a>,
    elements: &[Field<'a>],
    name: &str,
    read: impl Fn(&mut Checker<'a>, &Field<'a>) -> Option<T>,
) -> Vec<Option<T>> {
    elements.iter().map(|element| read(check, &element.member(name))).collect()
}

pub(crate) fn is_data(output: &Field<'_>) -> bool {
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

/// Refuses fields that have no effect in an output of its kind; `not_of_data` are those of payments.
pub(crate) fn refuse_unused_in_outputs<'a>(
    check: &mut Checker<'a>,
    outputs: &[Field<'a>],
    not_of_data: &[&str],
    compat: Compat,
) {
    if !compat.refuses_unused_fields() {
        return;
    }
    for output in outputs {
        let mut refuse = |name: &str, must| check.unused(&output.member(name), must);
        if is_data(output) {
            for name in not_of_data {
                refuse(name, "must be left out: a data output has `type` and `data` alone");
            }
        } else if ["address", "value"].iter().all(|name| output.member(name).value.is_some()) {
            refuse("data", "must be left out: a text is an output of its own, {\"type\":\"data\", \"data\"}");
            if !says_what_the_address_says(output) {
                refuse("type", "must be `data`, or be left out");
            }
        }
    }
}

/// Whether the `type` of a payment is that of its address. Older clients give it.
fn says_what_the_address_says(output: &Field<'_>) -> bool {
    let text = |name| output.member(name).value.and_then(Value::as_str);
    let kind = text("address").and_then(|address| Address::parse_any(address).ok()).map(Address::kind);
    match text("type") {
        Some("p2pkh") => kind != Some(AddressKind::P2sh),
        Some("p2sh") => kind != Some(AddressKind::P2pkh),
        _ => false,
    }
}

/// Unix seconds, from 1 to the last that the ledger can write.
pub(crate) fn timelock<'a>(check: &mut Checker<'a>, field: &Field<'a>) -> Option<u32> {
    let seconds = check.optional_integer(field, Some(1))?;
    let fits = u32::try_from(seconds).ok();
    if fits.is_none() {
        check.invalid(field, "must be a time in Unix seconds, at most 4294967295 (not milliseconds)");
    }
    fits
}

/// What send-tx spends.
const INPUTS: Rule<SendInputs> = Rule::optional(
    Kind::Array {
        of: &Kind::Object { members: INPUT, any_of: &[&["hash", "index"], &["type"]] },
        least: 0,
        most: Some(MAX_INPUTS),
    },
    check_inputs,
);

pub(crate) const INPUT_INDEX: Member =
    Member::new("index", "The output's place in it.", Kind::Integer(Some(0), None), Need::Optional);

pub(crate) const INPUT_TYPE: Member =
    Member::new("type", "`query` for outputs that match.", Kind::OneOf(&["query"]), Need::Optional);

pub(crate) const INPUT_HASH: Member =
    Member::new("hash", "The transaction whose output is spent.", Kind::TransactionId, Need::Optional);

const INPUT: &[Member] = &[
    INPUT_HASH,
    INPUT_INDEX,
    INPUT_TYPE,
    Member::new("filter_address", "Only outputs of this address.", Kind::Address, Need::Optional),
    Member {
        in_0_39: Some(Some((Kind::Integer(None, None), None))),
        ..Member::new("max_utxos", "At most so many.", Kind::Integer(Some(0), None), Need::Optional)
    },
    bound("amount_smaller_than", "Only outputs of less, in cents."),
    bound("amount_bigger_than", "Only outputs of more, in cents."),
    bound("maximum_amount", "Outputs are taken while their total stays within this, in cents."),
];

const fn bound(name: &'static str, meaning: &'static str) -> Member {
    Member::new(name, meaning, Kind::Integer(None, None), Need::Optional)
}

fn check_inputs<'a>(
    check: &mut Checker<'a>,
    field: &Field<'a>,
    context: Context,
) -> Result<SendInputs, Refusal> {
    if field.value.is_none() {
        return Ok(SendInputs::Automatic);
    }
    if !field.value.is_some_and(Value::is_array) {
        check.invalid(field, "must be an array of {\"hash\", \"index\"}");
        return noted();
    }
    if check.too_many(field, MAX_INPUTS, context.compat) {
        return noted();
    }
    let elements: Vec<_> = field.elements().collect();
    let Some(first) = elements.first() else { return Ok(SendInputs::Automatic) };
    if refuses_unused_in_inputs(check, &elements, context.compat) {
        return noted();
    }
    if is_query(first) {
        return Ok(SendInputs::Query(check_query(check, first, context)));
    }
    let outputs = elements.iter().map(|input| {
        let spent = spent_output(check, input);
        if spent.is_none() {
            check.invalid(input, "must be {\"hash\": transaction id, \"index\": output index}");
        }
        spent
    });
    let (hashes, indexes) = outputs.collect::<Vec<_>>().into_iter().flatten().unzip();
    Ok(explicit_inputs(hashes, indexes))
}

fn is_query(input: &Field<'_>) -> bool {
    input.value.and_then(|v| v.get("type")).is_some_and(|kind| kind == "query")
}

const QUERY_FIELDS: &[&str] =
    &["filter_address", "max_utxos", "amount_smaller_than", "amount_bigger_than", "maximum_amount"];

/// Whether inputs were refused because they have no effect: a query stands alone, and has other fields than
/// an output that is named.
pub(crate) fn refuses_unused_in_inputs<'a>(
    check: &mut Checker<'a>,
    inputs: &[Field<'a>],
    compat: Compat,
) -> bool {
    let Some(first) = inputs.first().filter(|_| compat.refuses_unused_fields()) else { return false };
    let mut refused = false;
    let mut refuse = |field: &Field<'a>, must| {
        refused = true;
        check.unused(field, must);
    };
    for input in &inputs[1..] {
        if is_query(first) || is_query(input) {
            refuse(input, "must be left out: a query stands alone");
        }
    }
    for input in inputs {
        let unused: (&[&str], _) = match is_query(input) {
            true => (&["hash", "index"], "must be left out: a query names no output"),
            false => (QUERY_FIELDS, "must be left out: it is a field of {\"type\":\"query\"}"),
        };
        for name in unused.0 {
            let field = input.member(name);
            if field.value.is_some() {
                refuse(&field, unused.1);
            }
        }
        let kind = input.member("type");
        if kind.value.is_some() && !is_query(input) {
            refuse(&kind, "must be `query`, or be left out");
        }
    }
    refused
}

/// What an input names, if it names an output.
fn spent_output<'a>(check: &Checker<'a>, input: &Field<'a>) -> Option<(Option<&'a str>, Option<i128>)> {
    let hash = input.value?.get("hash")?.as_str().filter(|hash| !hash.is_empty())?;
    let index = check.integer_of(&input.member("index")).filter(|index| *index >= 0)?;
    Some((Some(hash), Some(index)))
}

/// Outputs to spend, of fields that have been checked.
pub(crate) fn explicit_inputs(hashes: Vec<Option<&str>>, indexes: Vec<Option<i128>>) -> SendInputs {
    let inputs = hashes.into_iter().zip(indexes).filter_map(|(hash, index)| {
        Some(ExplicitInput { hash: hash?.to_owned(), index: u32::try_from(index?).unwrap_or(u32::MAX) })
    });
    SendInputs::Explicit(inputs.collect())
}

fn check_query<'a>(check: &mut Checker<'a>, query: &Field<'a>, Context { compat, .. }: Context) -> UtxoQuery {
    let address = check.optional_text(&query.member("filter_address"));
    let max_utxos = check.optional_integer(&query.member("max_utxos"), least(compat));
    let mut number = |name: &str| check.optional_integer(&query.member(name), None);
    let smaller = number("amount_smaller_than");
    let bigger = number("amount_bigger_than");
    let maximum = number("maximum_amount");
    UtxoQuery {
        filter_address: address.filter(|text| !text.is_empty()).map(str::to_owned),
        max_utxos: most(max_utxos, compat),
        amount_smaller_than: upper_bound(smaller, compat),
        amount_bigger_than: bigger.and_then(amount),
        maximum_amount: upper_bound(maximum, compat),
    }
}

/// The uid of the deprecated top-level token object, which stands for outputs without a token; else HTR.
const DEFAULT_TOKEN: Rule<String> =
    Rule::optional(Kind::TokenObject, |check, field, context| match field.value {
        None => Ok(NATIVE.to_owned()),
        Some(_) => or_noted(token_object(check, field, context.compat)),
    });

/// The uid of a token given as `{uid, name, symbol}`.
pub(crate) fn token_object<'a>(check: &mut Checker<'a>, field: &Field<'a>, compat: Compat) -> Option<String> {
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

impl SendTx {
    /// The request for a wallet of `network`.
    ///
    /// # Errors
    /// [`Refusal::Failure`] if an address is none of `network`, if a token or a chosen input can't be one, or
    /// if the system gives no random number to shuffle the outputs by.
    pub fn for_network(self, network: Network) -> Result<SendRequest, Refusal> {
        let outputs = self.outputs.into_iter().map(|output| output_request(output, &self.token, network));
        Ok(SendRequest {
            outputs: outputs.collect::<Result<_, _>>()?,
            inputs: input_request(self.inputs, network)?,
            change_address: own_address(
                self.change_address,
                network,
                &PlanError::ChangeNotMine(Planned::Send),
            )?,
            fee_tokens: HashSet::new(),
            shuffle_seed: getrandom::u64().map_err(|error| Refusal::failure(error.to_string()))?,
        })
    }
}

/// `default` stands for a token that is not given.
fn output_request(output: SendOutput, default: &str, network: Network) -> Result<OutputRequest, Refusal> {
    Ok(match output {
        SendOutput::Data(text) => OutputRequest::Data(text),
        SendOutput::Pay { address: to, value, token, timelock } => {
            let token = if token.is_empty() { default } else { &token };
            OutputRequest::Pay {
                to: address(&to, network)?,
                value,
                // A text that is no uid names a token of which the wallet has nothing.
                token: token.parse().map_err(|_| Refusal::failure(insufficient(token)))?,
                timelock,
            }
        }
    })
}

fn input_request(inputs: SendInputs, network: Network) -> Result<InputRequest, Refusal> {
    Ok(match inputs {
        SendInputs::Automatic => InputRequest::Automatic,
        SendInputs::Explicit(inputs) => {
            let outpoints: Option<Vec<_>> = inputs.iter().map(|input| input.outpoint()).collect();
            InputRequest::Chosen(outpoints.ok_or_else(|| refuse(&PlanError::InvalidInput))?)
        }
        SendInputs::Query(query) => InputRequest::Query(input_query(query, network)),
    })
}

fn input_query(query: UtxoQuery, network: Network) -> InputQuery {
    let address = query.filter_address.map(|text| Address::parse(&text, network));
    // An address that nobody can have matches nothing.
    let max_utxos = if matches!(address, Some(Err(_))) { Some(0) } else { query.max_utxos };
    InputQuery {
        address: address.and_then(Result::ok),
        smaller_than: query.amount_smaller_than,
        bigger_than: query.amount_bigger_than,
        maximum_amount: query.maximum_amount,
        max_utxos,
    }
}

impl Plans for SendTx {
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<service::Operation, CallError> {
        call.check_query(&self.inputs)?;
        Ok(service::Operation::Send(self.for_network(call.network())?))
    }
}

impl Call<'_> {
    /// Refuses a query for inputs by a text that is no address of the network.
    pub(crate) fn check_query(&self, inputs: &SendInputs) -> Result<(), CallError> {
        let SendInputs::Query(query) = inputs else { return Ok(()) };
        self.check_filter(query.filter_address.as_deref(), "inputs[0].filter_address", Location::Body)
    }
}
