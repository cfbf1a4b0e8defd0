//! `/wallet/p2sh/tx-proposal`: a transaction for several participants to sign.

use crate::api::rules::{
    ADDRESS, AMOUNT, NATIVE, OPTIONAL_ADDRESS, TOKEN_OF_PART, TRANSACTION_ID, flag, list, or_noted, twice,
};
use crate::api::texts::{
    CHANGE_NOT_LOADED, INVALID_CHANGE_ADDRESS, INVALID_INPUT_TX_ID, INVALID_INPUT_VALUE, INVALID_INPUTS,
    INVALID_MARK_INPUTS, INVALID_OUTPUT_ADDRESS, INVALID_OUTPUT_VALUE, INVALID_OUTPUTS, INVALID_TOKEN_UID,
};
use crate::ledger::{Amount, MAX_INPUTS, MAX_OUTPUTS};
use crate::operations::prelude::*;
use crate::operations::sending::{
    ExplicitInput, PAYMENTS, PLACE, SPENDS, SendInputs, SendOutput, SendTx, TIMELOCK,
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
        pub outputs: Vec<SendOutput> = list::<ProposedOutput, _>(1, Some(MAX_OUTPUTS))
            .array(&twice(INVALID_OUTPUTS, "must be an array of at least one output")),
        /// What to spend; the wallet chooses if not given.
        pub inputs: Vec<ExplicitInput> = list::<ProposedInput, _>(1, Some(MAX_INPUTS))
            .array(&twice(INVALID_INPUTS, "must be an array of {\"txId\", \"index\"}"))
            .or_nothing(),
        /// Where the change goes: an address of the wallet.
        pub change_address: Option<String> = OPTIONAL_ADDRESS.called(INVALID_CHANGE_ADDRESS),
        /// Whether its inputs are set aside for a week, so that nothing else of this wallet spends them;
        /// `/wallet/utxos-selected-as-input` gives them back.
        pub mark_inputs_as_used: bool = flag(false).called(INVALID_MARK_INPUTS),
    }
}

impl From<ProposeTx> for SendTx {
    fn from(ProposeTx { outputs, inputs, change_address, .. }: ProposeTx) -> Self {
        let inputs = if inputs.is_empty() { SendInputs::Automatic } else { SendInputs::Explicit(inputs) };
        Self { outputs, inputs, token: NATIVE.to_owned(), change_address, debug: false }
    }
}

object! {
    /// An output of propose, as given.
    pub struct ProposedOutput, needs = [["address", "value"]] {
        /// Whom to pay.
        pub address: String = ADDRESS.called(INVALID_OUTPUT_ADDRESS),
        /// In cents.
        pub value: Amount = AMOUNT.called(INVALID_OUTPUT_VALUE),
        /// The token's uid; `00` is HTR.
        pub token: String = TOKEN_OF_PART.called(INVALID_TOKEN_UID),
        /// Unix seconds before which it can't be spent.
        pub timelock: Option<u32> = TIMELOCK,
    }
}

impl From<ProposedOutput> for SendOutput {
    fn from(ProposedOutput { address, value, token, timelock }: ProposedOutput) -> Self {
        Self::Pay { address, value, token, timelock }
    }
}

object! {
    /// An output to spend, as given.
    pub struct ProposedInput, needs = [["txId", "index"]] {
        /// The transaction whose output is spent.
        pub hash: String = TRANSACTION_ID.named("txId").called(INVALID_INPUT_TX_ID),
        /// The output's place in it.
        pub index: u32 = ANY_PLACE.called(INVALID_INPUT_VALUE),
    }
}

impl From<ProposedInput> for ExplicitInput {
    fn from(ProposedInput { hash, index }: ProposedInput) -> Self {
        Self { hash, index }
    }
}

/// The place of an output; one below 0 is that of none.
const ANY_PLACE: Rule<u32> = PLACE.read_by(|check, field, _| {
    let found = check.integer_of(field);
    if found.is_none() {
        check.invalid(field, "must be the place of an output");
    }
    or_noted(found.map(|place| u32::try_from(place).unwrap_or(u32::MAX)))
});

impl Proposes for ProposeTx {
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<(service::Operation, bool), CallError> {
        call.check_change(self.change_address.as_deref(), CHANGE_NOT_LOADED)?;
        let set_aside = self.mark_inputs_as_used;
        let request = SendTx::from(*self).for_network(call.network())?;
        Ok((service::Operation::Send(request), set_aside))
    }
}
