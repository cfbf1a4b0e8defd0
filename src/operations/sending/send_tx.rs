//! send-tx: payments and texts.

use crate::api::Joined;
use crate::api::rules::{
    DATA_TEXT, LOWER_BOUND, MOST, NATIVE, NOT_EMPTY, OPTIONAL_ADDRESS, OPTIONAL_AMOUNT, OPTIONAL_TEXT,
    OPTIONAL_TOKEN, TEXT, UPPER_BOUND, elements, flag, list, noted, once, or_noted, read_list,
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
#[derive(Clone, Debug, PartialEq)]
pub enum SendInputs {
    /// The wallet chooses.
    Automatic,
    /// These; for tokens of which none is given, the wallet chooses.
    Explicit(Vec<ExplicitInput>),
    /// The wallet chooses among those that match.
    Query(UtxoQuery),
}

object! {
    /// An output to spend, as given.
    pub struct ExplicitInput {
        /// The transaction whose output is spent.
        pub hash: String = TEXT.of(Kind::TransactionId).formed(&NOT_EMPTY),
        /// The output's place in it.
        pub index: u32 = PLACE,
    }
}

/// The place of an output in its transaction, saturated.
pub(crate) const PLACE: Rule<u32> = Rule::required(Kind::Integer(Some(0), None), |check, field, _| {
    let place = check.count(field, "must be the place of an output");
    or_noted(place.map(|place| u32::try_from(place).unwrap_or(u32::MAX)))
});

impl ExplicitInput {
    /// The output meant; `None` if no transaction can have it.
    pub fn outpoint(&self) -> Option<Outpoint> {
        Some(Outpoint { tx: self.hash.parse().ok()?, index: u8::try_from(self.index).ok()? })
    }
}

object! {
    /// Filters of an input `{"type":"query", …}`.
    #[derive(Default)]
    pub struct UtxoQuery {
        /// Only outputs of this address.
        pub filter_address: Option<String> = OPTIONAL_ADDRESS,
        /// At most so many.
        pub max_utxos: Option<usize> = MOST,
        /// Only outputs of less, in cents.
        pub amount_smaller_than: Option<Amount> = UPPER_BOUND,
        /// Only outputs of more, in cents.
        pub amount_bigger_than: Option<Amount> = LOWER_BOUND,
        /// Outputs are taken while their total stays within this, in cents.
        pub maximum_amount: Option<Amount> = UPPER_BOUND,
    }
}

object! {
    /// An output of send-tx, as given.
    pub struct SendTxOutput, needs = [["address", "value"], ["type", "data"]], also = check_output_members, also = refuse_unused_in_output {
        /// Whom to pay.
        pub address: Option<String> = PAY_ADDRESS,
        /// In cents.
        pub value: Option<Amount> = OPTIONAL_AMOUNT,
        /// The token's uid; `00` is HTR.
        pub token: Option<String> = OPTIONAL_TOKEN,
        /// `data` for an output that keeps a text.
        pub kind: Option<String> = OUTPUT_TYPE,
        /// The text.
        pub data: Option<String> = OPTIONAL_DATA,
        /// Unix seconds before which it can't be spent.
        pub timelock: Option<u32> = TIMELOCK,
    }
}

/// Its `token` stays empty where it is not given.
impl From<SendTxOutput> for SendOutput {
    fn from(output: SendTxOutput) -> Self {
        let SendTxOutput { address, value, token, kind, data, timelock } = output;
        if kind.is_some_and(|kind| kind == "data") {
            return Self::Data(data.unwrap_or_default());
        }
        let (address, value) = (address.unwrap_or_default(), value.unwrap_or_default());
        Self::Pay { address, value, token: token.unwrap_or_default(), timelock }
    }
}

const OUTPUTS: Rule<Vec<SendOutput>> = list::<SendTxOutput, _>(1, Some(MAX_OUTPUTS))
    .array(&once("must be an array of at least one output"))
    .read_by(|check, field, context| {
        let outputs = read_list::<SendTxOutput, _>(check, field, context);
        let limited = context.compat.checks_data_outputs_with_fields();
        if field.elements().count() <= MAX_OUTPUTS {
            check.data_output_count(field, field.elements().filter(is_data).count(), limited);
        }
        outputs
    });

pub(crate) const PAY_ADDRESS: Rule<Option<String>> = OPTIONAL_TEXT.of(Kind::Address);

pub(crate) const OUTPUT_TYPE: Rule<Option<String>> = OPTIONAL_TEXT.of(Kind::OneOf(&["data"])).named("type");

const OPTIONAL_DATA: Rule<Option<String>> = Rule::optional(DATA_TEXT, |check, field, context| {
    let limited = context.compat.checks_data_outputs_with_fields();
    field.value.map(|_| or_noted(check.data(field, limited))).transpose()
});

/// Unix seconds, from 1 to the last that the ledger can write.
pub(crate) const TIMELOCK: Rule<Option<u32>> =
    Rule::optional(Kind::Integer(Some(1), Some(u32::MAX as i128)), |check, field, _| {
        let Some(seconds) = check.optional_integer(field, Some(1)) else { return Ok(None) };
        let fits = u32::try_from(seconds).ok();
        if fits.is_none() {
            check.invalid(field, "must be a time in Unix seconds, at most 4294967295 (not milliseconds)");
        }
        Ok(fits)
    });

pub(crate) fn is_data(output: &Field<'_>) -> bool {
    output.value.and_then(|v| v.get("type")).is_some_and(|kind| kind == "data")
}

/// Which members an output must and must not have.
fn check_output_members(check: &mut Checker<'_>, _: Compat) {
    let output = check.object();
    let has = |name| output.member(name).value.is_some();
    let must = if !output.value.is_some_and(Value::is_object) {
        "must be an object: {\"address\", \"value\", \"token\"} or {\"type\":\"data\", \"data\"}"
    } else if is_data(&output) {
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
    check.invalid(&output, must);
}

fn refuse_unused_in_output(check: &mut Checker<'_>, compat: Compat) {
    refuse_unused_beside(check, &["token", "timelock"], compat);
}

/// Refuses fields that have no effect in an output of its kind; `not_of_data` are those of payments.
pub(crate) fn refuse_unused_beside(check: &mut Checker<'_>, not_of_data: &[&str], compat: Compat) {
    if !compat.refuses_unused_fields() {
        return;
    }
    let output = check.object();
    let mut refuse = |name: &str, must| check.unused(&output.member(name), must);
    if is_data(&output) {
        for name in not_of_data {
            refuse(name, "must be left out: a data output has `type` and `data` alone");
        }
    } else if ["address", "value"].iter().all(|name| output.member(name).value.is_some()) {
        refuse("data", "must be left out: a text is an output of its own, {\"type\":\"data\", \"data\"}");
        if !says_what_the_address_says(&output) {
            refuse("type", "must be `data`, or be left out");
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

/// What send-tx spends.
const INPUTS: Rule<SendInputs> = Rule::optional(
    Kind::Array {
        of: &Kind::Object { members: INPUT.members(), any_of: &[&["hash", "index"], &["type"]] },
        least: 0,
        most: Some(MAX_INPUTS),
    },
    |check, field, context| {
        let inputs = elements(check, field, context);
        let Some(first) = inputs.first() else { return Ok(SendInputs::Automatic) };
        if refuses_unused_in_inputs(check, &inputs, context.compat) {
            return noted();
        }
        if is_query(first) {
            let query = check.within(first, |check| UtxoQuery::read_one(check, context.compat));
            return or_noted(query.map(SendInputs::Query));
        }
        let spent = |input| {
            let read = check
                .form(|check| check.within(input, |check| ExplicitInput::read_one(check, context.compat)));
            if read.is_err() {
                check.invalid(input, "must be {\"hash\": transaction id, \"index\": output index}");
            }
            read.ok().flatten()
        };
        Ok(SendInputs::Explicit(inputs.iter().filter_map(spent).collect()))
    },
)
.array(&once("must be an array of {\"hash\", \"index\"}"));

pub(crate) const INPUT_TYPE: Member =
    Member::new("type", "`query` for outputs that match.", Kind::OneOf(&["query"]), Need::Optional);

const INPUT: &Joined = &Joined::of(&[ExplicitInput::MEMBERS]).and(&[INPUT_TYPE]).and(UtxoQuery::MEMBERS);

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
