//! `/wallet/tx-proposal`: transactions that are built here and signed elsewhere.

use crate::api::check_twice::Form;
use crate::api::integer::amount;
use crate::api::rules::{NATIVE, OPTIONAL_ADDRESS, OPTIONAL_TEXT, is_hex, or_noted};
use crate::api::texts::{
    INVALID_ADDRESS, INVALID_CHANGE_ADDRESS, INVALID_FILTER_ADDRESS, INVALID_HASH, INVALID_INDEX,
    INVALID_INPUTS, INVALID_OUTPUTS, INVALID_QUERY_TYPE, INVALID_TOKEN_UID, INVALID_VALUES,
};
use crate::api::{InvalidChoice, Location, Member, Need, UnsignedAnswer};
use crate::ledger::{Amount, MAX_INPUTS, MAX_OUTPUTS, Network};
use crate::operations::prelude::*;
use crate::operations::sending::{
    ExplicitInput, OUTPUT_PLACE, PAY_VALUE, SendInputs, SendOutput, SendTx, TIMELOCK, TX_ID, UtxoQuery,
    is_data, is_id, refuse_unused_in_outputs, refuses_unused_in_inputs,
};
use crate::service::{Preview, Recorded, SendKey};
use crate::wallet::SendRequest;
use serde_json::{Map, Value};

pub static BUILD_TX: Operation = post("build-tx", "/wallet/tx-proposal", Group::SigningElsewhere, Right::Build)
    .does("Build a transaction that is to be signed elsewhere. Nothing is reserved, and the wallet need not be able to sign.")
    .package(&[method("buildTx")])
    .command("build-tx")
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

const TOKEN_FORM: Form =
    Form { must: "must be 00 or 64 hexadecimal digits", fits: |text| text == NATIVE || is_id(text) };

const QUERY_FORM: Form = Form { must: "must be `query`", fits: |text| text == "query" };

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
                of: &Kind::Object {
                    members: GivenOutput::MEMBERS,
                    any_of: &[&["address", "value"], &["type", "data"]],
                },
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

nested! {
    /// An output as given, of either kind.
    struct GivenOutput {
        /// Whom to pay.
        pub address: Option<String> = OPTIONAL_TEXT.of(Kind::Address).called(INVALID_ADDRESS),
        /// In cents.
        pub value: Option<Amount> = PAY_VALUE,
        /// The token's uid; `00` is HTR.
        pub token: Option<String> = TOKEN,
        /// Unix seconds before which it can't be spent.
        pub timelock: Option<u32> = TIMELOCK,
        /// `data` for an output that keeps a text.
        pub kind: Option<String> = ANY_TEXT.named("type"),
        /// Hexadecimal digits, which are kept as the text that they are.
        pub data: Option<String> = ANY_TEXT.of(Kind::Hex),
    }
}

/// What is not looked at by itself.
const ANY_TEXT: Rule<Option<String>> =
    Rule::optional(Kind::Text, |_, field, _| Ok(field.value.and_then(Value::as_str).map(str::to_owned)));

/// Where it is given, its type and its form are looked at, each of all outputs.
const TOKEN: Rule<Option<String>> = ANY_TEXT
    .of(Kind::Pattern("^(00|[0-9A-Fa-f]{64})$"))
    .in_0_39(Kind::Text)
    .called(INVALID_TOKEN_UID)
    .each_by(|check, fields| {
        let given: Vec<_> = fields.iter().filter(|token| token.value.is_some()).cloned().collect();
        check.formed_texts(&given, TOKEN_FORM);
        let text = |field: &Field<'_>| Some(field.value.and_then(Value::as_str).map(str::to_owned));
        fields.iter().map(text).collect()
    });

nested! {
    /// Filters of an input that is a query, of which each is looked at, and the first counts.
    struct Query {
        /// `query` for outputs that match.
        pub kind: String = QUERY.named("type"),
        /// At most so many.
        pub max_utxos: Option<i128> = at_least(1).called("Invalid max_utxos"),
        /// Only outputs of this address.
        pub filter_address: Option<String> = OPTIONAL_ADDRESS.called(INVALID_FILTER_ADDRESS),
        /// Only outputs of less, in cents.
        pub amount_smaller_than: Option<i128> = at_least(2).called("Invalid amount_smaller_than"),
        /// Only outputs of more, in cents.
        pub amount_bigger_than: Option<i128> = at_least(1).called("Invalid amount_bigger_than"),
        /// Outputs are taken while their total stays within this, in cents.
        pub maximum_amount: Option<i128> = at_least(1).called("Invalid maximum_amount"),
    }
}

/// Required of a query; an input that is none may leave it out.
const QUERY: Rule<String> = Rule::optional(Kind::OneOf(&["query"]), |check, field, _| {
    or_noted(check.formed_text(field, QUERY_FORM).map(str::to_owned))
})
.called(INVALID_QUERY_TYPE)
.each_by(|check, fields| {
    check.formed_texts(fields, QUERY_FORM).into_iter().map(|text| text.map(str::to_owned)).collect()
});

nested! {
    /// An output to spend, as given.
    struct Spent {
        /// The transaction whose output is spent.
        pub hash: String = TX_ID.by_form().called(INVALID_HASH),
        /// The output's place in it.
        pub index: i128 = OUTPUT_PLACE.by_form().called(INVALID_INDEX),
    }
}

const INPUT: &[Member] = &{
    let ([kind, most, address, smaller, bigger, sum], [hash, index]) = (Query::MEMBERS, Spent::MEMBERS)
    else {
        unreachable!()
    };
    [*kind, *most, *address, *smaller, *bigger, *sum, *hash, *index]
};

const fn at_least(least: i128) -> Rule<Option<i128>> {
    Rule::optional(Kind::Integer(Some(least), None), |check, field, context| {
        let Kind::Integer(least, _) = *context.kind else { unreachable!("declared so above") };
        Ok(check.optional_integer(field, least))
    })
}

fn check_outputs(check: &mut Checker<'_>, compat: Compat) -> Vec<SendOutput> {
    let field = check.field("outputs");
    if check.called(INVALID_OUTPUTS, |check| check.too_many(&field, MAX_OUTPUTS, compat)) {
        return Vec::new();
    }
    let elements = check.called(INVALID_OUTPUTS, |check| check.some_elements(&field, SOME_OUTPUTS));
    let outputs = GivenOutput::read_each(check, &elements, compat).into_iter();
    elements.iter().for_each(|output| check_output(check, output));
    refuse_unused_in_outputs(check, &elements, &["address", "value", "timelock"], compat);
    let read =
        outputs.map(|GivenOutput { address, value, token, timelock, kind, data }| match (kind, data) {
            (Some(kind), Some(data)) if kind == "data" => SendOutput::Data(data),
            _ => SendOutput::Pay {
                address: address.unwrap_or_default(),
                value: value.unwrap_or_default(),
                token: token.unwrap_or_else(|| NATIVE.to_owned()),
                timelock,
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
    let mut wrong = match check.form(|check| check_queries(check, &elements, compat)) {
        Ok(query) => return SendInputs::Query(query),
        Err(wrong) => wrong,
    };
    let chosen = check.form(|check| Spent::read_each(check, &elements, compat));
    match chosen {
        Ok(inputs) => {
            let inputs = inputs.into_iter().map(|input| ExplicitInput::new(input.hash, input.index));
            SendInputs::Explicit(inputs.collect())
        }
        Err(others) => {
            wrong.extend(others);
            check.none_of(INVALID_VALUES, wrong);
            SendInputs::Automatic
        }
    }
}

fn check_queries<'a>(check: &mut Checker<'a>, elements: &[Field<'a>], compat: Compat) -> UtxoQuery {
    let Some(first) = Query::read_each(check, elements, compat).into_iter().next() else {
        return UtxoQuery::default();
    };
    UtxoQuery {
        amount_smaller_than: first.amount_smaller_than.and_then(amount),
        amount_bigger_than: first.amount_bigger_than.and_then(amount),
        maximum_amount: first.maximum_amount.and_then(amount),
        filter_address: first.filter_address,
        max_utxos: first.max_utxos.map(|n| usize::try_from(n).unwrap_or(usize::MAX)),
    }
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
