//! `/wallet/p2sh/tx-proposal`: a transaction for several participants to sign.

use crate::api::rules::{NATIVE, OPTIONAL_ADDRESS, flag, noted};
use crate::api::texts::{
    CHANGE_NOT_LOADED, INVALID_CHANGE_ADDRESS, INVALID_INPUT_TX_ID, INVALID_INPUT_VALUE, INVALID_INPUTS,
    INVALID_MARK_INPUTS, INVALID_OUTPUT_ADDRESS, INVALID_OUTPUT_VALUE, INVALID_OUTPUTS, INVALID_TOKEN_UID,
};
use crate::api::{Member, Need};
use crate::ledger::{MAX_INPUTS, MAX_OUTPUTS};
use crate::operations::external::ID;
use crate::operations::prelude::*;
use crate::operations::sending::timelock;
use crate::operations::sending::{
    INPUT_INDEX, PAY_ADDRESS, PAY_TOKEN, PAY_VALUE, PAYMENTS, SPENDS, SendInputs, SendOutput, SendTx,
    TIMELOCK, each, explicit_inputs,
};

const SPENT_BY_ID: Argument = Argument::objects("inputs", "input", &["txId", "index"]).help(SPENDS);
pub(crate) const SET_ASIDE: Argument = Argument::flag("mark_inputs_as_used", "set-aside")
    .help("Reserves its inputs for a week, so that no other proposal or send uses them");

pub static PROPOSE_TX: Operation = post("propose", "/wallet/p2sh/tx-proposal", Group::Multisig, Right::Build)
    .does("Build a transaction for the participants to sign. Its inputs are reserved only if asked for.")
    .package(&[method("proposeTx").throws(&["NOT_MULTISIG"]).example(
        "const { txHex } = await wallet.proposeTx({ outputs: [{ address: \"WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f\", value: 100n }] });\n\
         const mine = await wallet.mySignatures(txHex); // and so does each participant",
    )])
    .command(&[command("propose").by(&[PAYMENTS, SPENT_BY_ID, SET_ASIDE]).after("Then each participant runs `my-signatures HEX`, and one of them `sign-and-push HEX SIGNATURES …`.")])
    .proposes::<ProposeTx>(&[
        (
            "example",
            r#"{"outputs": [{"address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "value": 100, "token": "00"}]}"#,
        ),
        (
            "chosen inputs",
            r#"{"outputs": [{"address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "value": 100}], "inputs": [{"txId": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f", "index": 0}]}"#,
        ),
    ])
    .answers(answers![ProposalAnswer, Failure]);

request! {
    /// `POST /wallet/p2sh/tx-proposal`.
    pub struct ProposeTx in body {
        /// What to pay, in this order if there is no change; with change, all outputs are shuffled.
        pub outputs: Vec<SendOutput> = OUTPUTS,
        /// What to spend; the wallet chooses if not given.
        pub inputs: SendInputs = INPUTS,
        /// Where the change goes: an address of the wallet.
        pub change_address: Option<String> = OPTIONAL_ADDRESS.called(INVALID_CHANGE_ADDRESS),
        /// Whether its inputs are set aside for a week, so that nothing else of this wallet spends them;
        /// `/wallet/utxos-selected-as-input` gives them back.
        pub mark_inputs_as_used: bool = flag(false).called(INVALID_MARK_INPUTS),
    }
}

impl From<ProposeTx> for SendTx {
    fn from(ProposeTx { outputs, inputs, change_address, .. }: ProposeTx) -> Self {
        Self { outputs, inputs, token: NATIVE.to_owned(), change_address, debug: false }
    }
}

const OUTPUTS: Rule<Vec<SendOutput>> = Rule::required(
    Kind::Array {
        of: &Kind::Object {
            members: &[
                Member { need: Need::Required, ..PAY_ADDRESS },
                Member { need: Need::Required, ..PAY_VALUE },
                PAY_TOKEN,
                TIMELOCK,
            ],
            any_of: &[&["address", "value"]],
        },
        least: 1,
        most: Some(MAX_OUTPUTS),
    },
    outputs,
);

/// Problems come grouped by field, then by output.
fn outputs<'a>(
    check: &mut Checker<'a>,
    field: &Field<'a>,
    context: Context,
) -> Result<Vec<SendOutput>, Refusal> {
    if check.called(INVALID_OUTPUTS, |check| check.too_many(field, MAX_OUTPUTS, context.compat)) {
        return noted();
    }
    let must = "must be an array of at least one output";
    let elements = check.called(INVALID_OUTPUTS, |check| check.some_elements(field, must));
    let addresses =
        check.called(INVALID_OUTPUT_ADDRESS, |check| each(check, &elements, "address", Checker::text));
    let values =
        check.called(INVALID_OUTPUT_VALUE, |check| each(check, &elements, "value", Checker::positive_amount));
    let tokens = check.called(INVALID_TOKEN_UID, |check| {
        each(check, &elements, "token", |check, field| check.optional_token(field, context.compat))
    });
    let timelocks = each(check, &elements, "timelock", timelock);
    let pay = |i: usize| SendOutput::Pay {
        address: addresses[i].unwrap_or_default().to_owned(),
        value: values[i].unwrap_or_default(),
        token: tokens[i].filter(|token| !token.is_empty()).unwrap_or(NATIVE).to_owned(),
        timelock: timelocks[i],
    };
    Ok((0..elements.len()).map(pay).collect())
}

const INPUTS: Rule<SendInputs> = Rule::optional(
    Kind::Array {
        of: &Kind::Object {
            members: &[
                Member::new(
                    "txId",
                    "The transaction whose output is spent.",
                    Kind::Pattern("^[0-9A-Fa-f]{64}$"),
                    Need::Required,
                ),
                Member { need: Need::Required, ..INPUT_INDEX },
            ],
            any_of: &[&["txId", "index"]],
        },
        least: 1,
        most: Some(MAX_INPUTS),
    },
    |check, field, context| {
        if field.value.is_none() {
            return Ok(SendInputs::Automatic);
        }
        if check.called(INVALID_INPUTS, |check| check.too_many(field, MAX_INPUTS, context.compat)) {
            return noted();
        }
        let must = "must be an array of {\"txId\", \"index\"}";
        let elements = check.called(INVALID_INPUTS, |check| check.some_elements(field, must));
        let ids: Vec<_> = elements.iter().map(|input| input.member("txId")).collect();
        let ids = check.called(INVALID_INPUT_TX_ID, |check| check.formed_texts(&ids, ID));
        let indexes = check.called(INVALID_INPUT_VALUE, |check| each(check, &elements, "index", place));
        Ok(explicit_inputs(ids, indexes))
    },
);

/// The place of an output; one below 0 is that of none.
fn place<'a>(check: &mut Checker<'a>, field: &Field<'a>) -> Option<i128> {
    let found = check.integer_of(field);
    if found.is_none() {
        check.invalid(field, "must be the place of an output");
    }
    found
}

impl Proposes for ProposeTx {
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<(service::Operation, bool), CallError> {
        call.check_change(self.change_address.as_deref(), CHANGE_NOT_LOADED)?;
        let set_aside = self.mark_inputs_as_used;
        let request = SendTx::from(*self).for_network(call.network())?;
        Ok((service::Operation::Send(request), set_aside))
    }
}
