//! `/wallet/p2sh/tx-proposal`: a transaction for several participants to sign.

use crate::api::rules::{ADDRESS, AMOUNT, NATIVE, OPTIONAL_ADDRESS, flag, noted, or_noted};
use crate::api::texts::{
    CHANGE_NOT_LOADED, INVALID_CHANGE_ADDRESS, INVALID_INPUT_TX_ID, INVALID_INPUT_VALUE, INVALID_INPUTS,
    INVALID_MARK_INPUTS, INVALID_OUTPUT_ADDRESS, INVALID_OUTPUT_VALUE, INVALID_OUTPUTS, INVALID_TOKEN_UID,
};
use crate::ledger::{Amount, MAX_INPUTS, MAX_OUTPUTS};
use crate::operations::prelude::*;
use crate::operations::sending::{ExplicitInput, PAY_TOKEN, SendInputs, SendOutput, SendTx, TIMELOCK, TX_ID};

pub static PROPOSE_TX: Operation = post("propose", "/wallet/p2sh/tx-proposal", Group::Multisig, Right::Build)
    .does("Build a transaction for the participants to sign. Its inputs are reserved only if asked for.")
    .package(&[method("proposeTx")])
    .command("propose")
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

nested! {
    /// An output as given.
    struct Payment {
        /// Whom to pay.
        pub address: String = ADDRESS.called(INVALID_OUTPUT_ADDRESS),
        /// In cents.
        pub value: Amount = AMOUNT.called(INVALID_OUTPUT_VALUE),
        /// The token's uid; `00` is HTR.
        pub token: Option<String> = PAY_TOKEN.called(INVALID_TOKEN_UID),
        /// Unix seconds before which it can't be spent.
        pub timelock: Option<u32> = TIMELOCK,
    }
}

const OUTPUTS: Rule<Vec<SendOutput>> = Rule::required(
    Kind::Array {
        of: &Kind::Object { members: Payment::MEMBERS, any_of: &[&["address", "value"]] },
        least: 1,
        most: Some(MAX_OUTPUTS),
    },
    |check, field, context| {
        if check.called(INVALID_OUTPUTS, |check| check.too_many(field, MAX_OUTPUTS, context.compat)) {
            return noted();
        }
        let must = "must be an array of at least one output";
        let elements = check.called(INVALID_OUTPUTS, |check| check.some_elements(field, must));
        let outputs = Payment::read_each(check, &elements, context.compat).into_iter();
        let pay = |Payment { address, value, token, timelock }| {
            let token = token.filter(|token| !token.is_empty()).unwrap_or_else(|| NATIVE.to_owned());
            SendOutput::Pay { address, value, token, timelock }
        };
        Ok(outputs.map(pay).collect())
    },
);

nested! {
    /// An output to spend, as given.
    struct SpentById {
        /// The transaction whose output is spent.
        pub id: String = TX_ID.named("txId").called(INVALID_INPUT_TX_ID),
        /// The output's place in it.
        pub index: i128 = PLACE.called(INVALID_INPUT_VALUE),
    }
}

/// The place of an output; one below 0 is that of none.
const PLACE: Rule<i128> = Rule::required(Kind::Integer(Some(0), None), |check, field, _| {
    let found = check.integer_of(field);
    if found.is_none() {
        check.invalid(field, "must be the place of an output");
    }
    or_noted(found)
});

const INPUTS: Rule<SendInputs> = Rule::optional(
    Kind::Array {
        of: &Kind::Object { members: SpentById::MEMBERS, any_of: &[&["txId", "index"]] },
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
        let inputs = SpentById::read_each(check, &elements, context.compat).into_iter();
        Ok(SendInputs::Explicit(inputs.map(|input| ExplicitInput::new(input.id, input.index)).collect()))
    },
);

impl Proposes for ProposeTx {
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<(service::Operation, bool), CallError> {
        call.check_change(self.change_address.as_deref(), CHANGE_NOT_LOADED)?;
        let set_aside = self.mark_inputs_as_used;
        let request = SendTx::from(*self).for_network(call.network())?;
        Ok((service::Operation::Send(request), set_aside))
    }
}
