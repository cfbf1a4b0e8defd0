//! `/wallet/tx-proposal`: transactions that are built here and signed outside of the wallet.

use crate::api::check_twice::Form;
use crate::api::integer::amount;
use crate::api::rules::{NATIVE, is_hex};
use crate::api::texts::{
    INVALID_ADDRESS, INVALID_CHANGE_ADDRESS, INVALID_FILTER_ADDRESS, INVALID_HASH, INVALID_INDEX,
    INVALID_INPUTS, INVALID_OUTPUTS, INVALID_QUERY_TYPE, INVALID_TOKEN_UID, INVALID_VALUES,
};
use crate::api::{InvalidChoice, Location, Member, Need, UnsignedAnswer};
use crate::ledger::{MAX_INPUTS, MAX_OUTPUTS, Network};
use crate::operations::prelude::*;
use crate::operations::sending::timelock;
use crate::operations::sending::{
    INPUT_HASH, INPUT_INDEX, INPUT_TYPE, PAY_ADDRESS, PAY_TOKEN, PAY_VALUE, PAYMENTS, SPENT, SendInputs,
    SendOutput, SendTx, TEXTS, TIMELOCK, TYPE_DATA, UtxoQuery, each, explicit_inputs, is_data,
    refuse_unused_in_outputs, refuses_unused_in_inputs,
};
use crate::service::{Preview, Recorded, SendKey};
use crate::wallet::SendRequest;
use serde_json::{Map, Value};

const DIGITS: Argument = TEXTS.help(
    "Writes these hexadecimal digits to the ledger, as the text that they are, where everyone can read it \
forever; costs 0.01 HTR",
);

pub static BUILD_TX: Operation = post("build-tx", "/wallet/tx-proposal", Group::SigningElsewhere, Right::Build)
    .does("Build a transaction for signing outside of the wallet. Nothing is reserved, and the wallet may be read-only.")
    .package(&[method("buildTx")])
    .command(&[command("build-tx").by(&[PAYMENTS, DIGITS, SPENT]).after("Then, to sign and send it:\n  \
wallet-inputs HEX               says which keys must sign the hash that this shows\n  \
input-data INDEX SIGNATURE      makes an input's data from a signature\n  \
add-signatures HEX --input 0:…  puts the data in\n  \
push HEX                        sends it",)])
    .makes::<BuildTx>(&[
        (
            "example",
            r#"{"outputs": [{"address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "value": 100, "token": "00"}, {"type": "data", "data": "c0ffee"}]}"#,
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
    .answers(answers![UnsignedAnswer, Failure])
    .refuses(answers![InvalidFields, InvalidChoice]);

const SOME_OUTPUTS: &str = "must be an array of at least one output";

const SOME_INPUTS: &str = "must be an array of at least one input";

const TOKEN: Form =
    Form { must: "must be 00 or 64 hexadecimal digits", fits: |text| text == NATIVE || is_id(text) };

pub(crate) const ID: Form = Form { must: "must be a transaction id of 64 hexadecimal digits", fits: is_id };

const QUERY: Form = Form { must: "must be `query`", fits: |text| text == "query" };

fn is_id(text: &str) -> bool {
    text.len() == 64 && is_hex(text)
}

/// `POST /wallet/tx-proposal`: a send, with checks of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildTx {
    /// At least one.
    pub outputs: Vec<SendOutput>,
    pub inputs: SendInputs,
    /// Where the change goes: an address of the wallet.
    pub change_address: Option<String>,
}

impl Request for BuildTx {
    const IN: Location = Location::Body;
    const MEMBERS: &'static [Member] = &[
        Member::new(
            "outputs",
            "What to pay and to keep, in this order if there is no change; with change, all outputs are shuffled.",
            Kind::Array {
                of: &Kind::Object { members: OUTPUT, any_of: &[&["address", "value"], &["type", "data"]] },
                least: 1,
                most: Some(MAX_OUTPUTS),
            },
            Need::Required,
        ),
        Member::new(
            "inputs",
            "What to spend; the wallet chooses if not given. A `query` stands alone: the wallet chooses among what matches.",
            Kind::Array {
                of: &Kind::Object { members: INPUT, any_of: &[&["hash", "index"], &["type"]] },
                least: 1,
                most: Some(MAX_INPUTS),
            },
            Need::Optional,
        ),
        Member::new(
            "change_address",
            "Where the change goes: an address of the wallet.",
            Kind::Address,
            Need::Optional,
        ),
    ];
    fn read(body: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal> {
        let mut check = Checker::body(body);
        let outputs = check_outputs(&mut check, compat);
        let field = check.field("inputs");
        let too_many = check.called(INVALID_INPUTS, |check| check.too_many(&field, MAX_INPUTS, compat));
        if field.value.is_some() && !too_many {
            check.called(INVALID_INPUTS, |check| check.some_elements(&field, SOME_INPUTS));
        }
        let field = check.field("change_address");
        let change = check.called(INVALID_CHANGE_ADDRESS, |check| check.optional_text(&field));
        let inputs = if too_many { SendInputs::Automatic } else { check_inputs(&mut check, compat) };
        check.finish()?;
        let change_address = change.filter(|text| !text.is_empty()).map(str::to_owned);
        Ok(Self { outputs, inputs, change_address })
    }
}

impl From<BuildTx> for SendTx {
    fn from(BuildTx { outputs, inputs, change_address }: BuildTx) -> Self {
        Self { outputs, inputs, token: NATIVE.to_owned(), change_address, debug: false }
    }
}

const OUTPUT: &[Member] = &[
    PAY_ADDRESS,
    PAY_VALUE,
    Member { kind: Kind::Pattern("^(00|[0-9A-Fa-f]{64})$"), ..PAY_TOKEN },
    TIMELOCK,
    TYPE_DATA,
    Member::new(
        "data",
        "Hexadecimal digits, which are kept as the text that they are.",
        Kind::Hex,
        Need::Optional,
    ),
];

const INPUT: &[Member] = &[
    INPUT_TYPE,
    bound("max_utxos", "At most so many.", 1),
    Member::new("filter_address", "Only outputs of this address.", Kind::Address, Need::Optional),
    bound("amount_smaller_than", "Only outputs of less, in cents.", 2),
    bound("amount_bigger_than", "Only outputs of more, in cents.", 1),
    bound("maximum_amount", "Outputs are taken while their total stays within this, in cents.", 1),
    Member { kind: Kind::Pattern("^[0-9A-Fa-f]{64}$"), ..INPUT_HASH },
    INPUT_INDEX,
];

const fn bound(name: &'static str, meaning: &'static str, least: i128) -> Member {
    Member::new(name, meaning, Kind::Integer(Some(least), None), Need::Optional)
}

fn check_outputs(check: &mut Checker<'_>, compat: Compat) -> Vec<SendOutput> {
    let field = check.field("outputs");
    if check.called(INVALID_OUTPUTS, |check| check.too_many(&field, MAX_OUTPUTS, compat)) {
        return Vec::new();
    }
    let outputs = check.called(INVALID_OUTPUTS, |check| check.some_elements(&field, SOME_OUTPUTS));
    let addresses =
        check.called(INVALID_ADDRESS, |check| each(check, &outputs, "address", Checker::optional_text));
    let values =
        each(check, &outputs, "value", |check, field| field.value.and_then(|_| check.positive_amount(field)));
    let tokens: Vec<_> = outputs.iter().map(|output| output.member("token")).collect();
    let given: Vec<_> = tokens.iter().filter(|token| token.value.is_some()).cloned().collect();
    check.called(INVALID_TOKEN_UID, |check| check.formed_texts(&given, TOKEN));
    let timelocks = each(check, &outputs, "timelock", timelock);
    outputs.iter().for_each(|output| check_output(check, output));
    refuse_unused_in_outputs(check, &outputs, &["address", "value", "timelock"], compat);
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

/// Which members an output must have.
fn check_output<'a>(check: &mut Checker<'a>, output: &Field<'a>) {
    let has = |name| output.value.is_some_and(|v| v.get(name).is_some());
    if is_data(output) {
        if has("token") || !data_of(output).is_some_and(is_hex) {
            check.invalid(output, "is a data output: it must have hexadecimal `data` and no `token`");
        }
    } else if !has("address") || !has("value") {
        check.invalid(output, "must have `address` and `value`, or be {\"type\":\"data\", \"data\"}");
    }
}

/// The hexadecimal digits of a data output. They are kept as the text that they are, not as the bytes that
/// they stand for.
fn data_of<'a>(output: &Field<'a>) -> Option<&'a str> {
    if is_data(output) { output.value?.get("data")?.as_str() } else { None }
}

/// All of them queries, of which the first counts in release 0.39; or all of them outputs to spend.
fn check_inputs(check: &mut Checker<'_>, compat: Compat) -> SendInputs {
    let elements: Vec<_> = check.field("inputs").elements().collect();
    if elements.is_empty() {
        return SendInputs::Automatic;
    }
    if check.called(INVALID_INPUTS, |check| refuses_unused_in_inputs(check, &elements, compat)) {
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

impl BuildTx {
    /// The request for a wallet of `network`.
    ///
    /// # Errors
    /// [`Refusal::Failure`] for what [`SendTx::for_network`] refuses.
    pub fn for_network(self, network: Network) -> Result<SendRequest, Refusal> {
        SendTx::from(self).for_network(network)
    }
}

/// Nothing is reserved.
impl Make for BuildTx {
    fn make<'a>(self: Box<Self>, call: &'a Call<'a>, once: Option<SendKey>) -> Waits<'a, Done> {
        Box::pin(async move {
            call.check_query(&self.inputs)?;
            let request = self.for_network(call.network())?;
            // Nothing is signed: the guard looks at it once somebody wants that.
            let wallet = call.wallet.unguarded();
            let transaction = async move {
                let Preview { mut transaction, .. } =
                    wallet.preview(service::Operation::Send(request)).await?;
                // For whoever pushes it to fill in.
                (transaction.weight, transaction.timestamp) = (0.0, 0);
                Ok(transaction)
            };
            let Recorded { transaction, replayed } = call.make(once, Box::pin(transaction)).await?;
            let (digest, proposal) = (transaction.sighash()?, ProposalAnswer(transaction.to_bytes()?));
            Ok(Done::made(call.give(&UnsignedAnswer { proposal, digest })?, replayed))
        })
    }
}
