//! `/wallet/tx-proposal`: transactions that are built here and signed outside of the wallet.

use crate::api::Joined;
use crate::api::check_twice::Form;
use crate::api::rules::{
    LOWER_BOUND, MOST, NATIVE, OPTIONAL_ADDRESS, OPTIONAL_AMOUNT, OPTIONAL_TEXT, TEXT, TRANSACTION_ID,
    elements, is_hex, is_id, list, or_noted, twice,
};
use crate::api::texts::{
    INVALID_ADDRESS, INVALID_CHANGE_ADDRESS, INVALID_FILTER_ADDRESS, INVALID_HASH, INVALID_INDEX,
    INVALID_INPUTS, INVALID_OUTPUTS, INVALID_QUERY_TYPE, INVALID_TOKEN_UID, INVALID_VALUES,
};
use crate::api::{InvalidChoice, UnsignedAnswer};
use crate::ledger::{Amount, MAX_INPUTS, MAX_OUTPUTS, Network};
use crate::operations::prelude::*;
use crate::operations::sending::{
    ExplicitInput, OUTPUT_TYPE, PAY_ADDRESS, PAYMENTS, PLACE, SPENT, SendInputs, SendOutput, SendTx,
    SendTxOutput, TEXTS, TIMELOCK, UtxoQuery, is_data, refuse_unused_beside, refuses_unused_in_inputs,
};
use crate::service::{Recorded, SendKey};
use crate::wallet::SendRequest;
use serde_json::Value;

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

const TOKEN: Form =
    Form { must: "must be 00 or 64 hexadecimal digits", fits: |text| text == NATIVE || is_id(text) };

const QUERY: Form = Form { must: "must be `query`", fits: |text| text == "query" };

request! {
    /// `POST /wallet/tx-proposal`: a send, with checks of its own.
    pub struct BuildTx in body {
        /// What to pay and to keep, in this order if there is no change; with change, all outputs are
        /// shuffled.
        pub outputs: Vec<SendOutput> = list::<BuildTxOutput, _>(1, Some(MAX_OUTPUTS))
            .array(&twice(INVALID_OUTPUTS, "must be an array of at least one output")),
        /// What to spend; the wallet chooses if not given. A `query` stands alone: the wallet chooses among
        /// what matches.
        pub inputs: SendInputs = INPUTS,
        /// Where the change goes: an address of the wallet.
        pub change_address: Option<String> = OPTIONAL_ADDRESS.called(INVALID_CHANGE_ADDRESS),
    }
}

impl From<BuildTx> for SendTx {
    fn from(BuildTx { outputs, inputs, change_address }: BuildTx) -> Self {
        Self { outputs, inputs, token: NATIVE.to_owned(), change_address, debug: false }
    }
}

object! {
    /// An output of build-tx, as given.
    pub struct BuildTxOutput, needs = [["address", "value"], ["type", "data"]], also = check_output, also = refuse_unused_in_output {
        /// Whom to pay.
        pub address: Option<String> = PAY_ADDRESS.called(INVALID_ADDRESS),
        /// In cents.
        pub value: Option<Amount> = OPTIONAL_AMOUNT,
        /// The token's uid; `00` is HTR.
        pub token: Option<String> =
            OPTIONAL_TEXT.of(Kind::Pattern("^(00|[0-9A-Fa-f]{64})$")).in_0_39(Kind::Text).formed(&TOKEN).called(INVALID_TOKEN_UID),
        /// Unix seconds before which it can't be spent.
        pub timelock: Option<u32> = TIMELOCK,
        /// `data` for an output that keeps a text.
        pub kind: Option<String> = OUTPUT_TYPE.read_by(any_text),
        /// Hexadecimal digits, which are kept as the text that they are.
        pub data: Option<String> = OPTIONAL_TEXT.of(Kind::Hex).read_by(any_text),
    }
}

/// A text; [`check_output`] looks at what is none.
fn any_text<'a>(_: &mut Checker<'a>, field: &Field<'a>, _: Context) -> Result<Option<String>, Refusal> {
    Ok(field.value.and_then(Value::as_str).map(str::to_owned))
}

impl From<BuildTxOutput> for SendOutput {
    fn from(BuildTxOutput { address, value, token, timelock, kind, data }: BuildTxOutput) -> Self {
        let token = token.or_else(|| Some(NATIVE.to_owned()));
        Self::from(SendTxOutput { address, value, token, kind, data, timelock })
    }
}

/// Which members an output must have.
fn check_output(check: &mut Checker<'_>, _: Compat) {
    let output = check.object();
    let has = |name| output.member(name).value.is_some();
    if is_data(&output) {
        if has("token") || !output.member("data").value.and_then(Value::as_str).is_some_and(is_hex) {
            check.invalid(&output, "is a data output: it must have hexadecimal `data` and no `token`");
        }
    } else if !has("address") || !has("value") {
        check.invalid(&output, "must have `address` and `value`, or be {\"type\":\"data\", \"data\"}");
    }
}

fn refuse_unused_in_output(check: &mut Checker<'_>, compat: Compat) {
    refuse_unused_beside(check, &["address", "value", "timelock"], compat);
}

object! {
    /// An input of build-tx that stands for outputs that match.
    pub struct BuildTxQuery {
        /// `query` for outputs that match.
        pub kind: String = TEXT.of(Kind::OneOf(&["query"])).named("type").formed(&QUERY).called(INVALID_QUERY_TYPE),
        /// At most so many.
        pub max_utxos: Option<usize> = MOST.of(POSITIVE).in_0_39(POSITIVE).called("Invalid max_utxos"),
        /// Only outputs of this address.
        pub filter_address: Option<String> = OPTIONAL_ADDRESS.called(INVALID_FILTER_ADDRESS),
        /// Only outputs of less, in cents.
        pub amount_smaller_than: Option<Amount> =
            LOWER_BOUND.of(Kind::Integer(Some(2), None)).called("Invalid amount_smaller_than"),
        /// Only outputs of more, in cents.
        pub amount_bigger_than: Option<Amount> =
            LOWER_BOUND.of(POSITIVE).called("Invalid amount_bigger_than"),
        /// Outputs are taken while their total stays within this, in cents.
        pub maximum_amount: Option<Amount> = LOWER_BOUND.of(POSITIVE).called("Invalid maximum_amount"),
    }
}

const POSITIVE: Kind = Kind::Integer(Some(1), None);

impl From<BuildTxQuery> for UtxoQuery {
    fn from(query: BuildTxQuery) -> Self {
        let BuildTxQuery {
            filter_address,
            max_utxos,
            amount_smaller_than,
            amount_bigger_than,
            maximum_amount,
            ..
        } = query;
        Self { filter_address, max_utxos, amount_smaller_than, amount_bigger_than, maximum_amount }
    }
}

object! {
    /// An input of build-tx that names an output.
    pub struct BuildTxInput {
        /// The transaction whose output is spent.
        pub hash: String = TRANSACTION_ID.called(INVALID_HASH),
        /// The output's place in it.
        pub index: u32 = PLACE.called(INVALID_INDEX),
    }
}

impl From<BuildTxInput> for ExplicitInput {
    fn from(BuildTxInput { hash, index }: BuildTxInput) -> Self {
        Self { hash, index }
    }
}

const INPUT: &Joined = &Joined::of(&[BuildTxQuery::MEMBERS]).and(BuildTxInput::MEMBERS);

/// All of them queries, of which the first counts in release 0.39; or all of them outputs to spend. What is
/// in them is looked at after all other fields.
const INPUTS: Rule<SendInputs> = Rule::optional(
    Kind::Array {
        of: &Kind::Object { members: INPUT.members(), any_of: &[&["hash", "index"], &["type"]] },
        least: 1,
        most: Some(MAX_INPUTS),
    },
    |check, field, context| {
        let compat = context.compat;
        let inputs = elements(check, field, context);
        if inputs.is_empty() {
            return Ok(SendInputs::Automatic);
        }
        or_noted(check.last(|check| {
            if check.called(INVALID_INPUTS, |check| refuses_unused_in_inputs(check, &inputs, compat)) {
                return None;
            }
            let queries = check.form(|check| BuildTxQuery::read_each(check, &inputs, compat));
            let chosen = check.form(|check| BuildTxInput::read_each(check, &inputs, compat));
            match (queries, chosen) {
                (Ok(queries), _) => Some(SendInputs::Query(queries.into_iter().next()?.into())),
                (_, Ok(chosen)) => Some(SendInputs::Explicit(chosen.into_iter().map(Into::into).collect())),
                (Err(wrong), Err(others)) => {
                    check.none_of(INVALID_VALUES, wrong.into_iter().chain(others).collect());
                    None
                }
            }
        }))
    },
)
.array(&twice(INVALID_INPUTS, "must be an array of at least one input"));

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
            let wallet = call.wallet.clone();
            let transaction = async move { wallet.propose(service::Operation::Send(request), false).await };
            let Recorded { transaction, replayed } = call.make(once, Box::pin(transaction)).await?;
            let (digest, proposal) = (transaction.sighash()?, ProposalAnswer(transaction.to_bytes()?));
            Ok(Done::made(call.give(&UnsignedAnswer { proposal, digest })?, replayed))
        })
    }
}
