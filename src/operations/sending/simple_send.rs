//! simple-send-tx: one payment.

use super::send_tx::{SendInputs, SendOutput, SendTx, token_object};
use crate::api::Literal;
use crate::api::rules::{ADDRESS, AMOUNT, NATIVE, OPTIONAL_ADDRESS, or_noted};
use crate::api::texts::{CHANGE_NOT_FROM_THIS_WALLET, READ_ONLY_SIMPLE_SEND};
use crate::ledger::{Amount, Network};
use crate::operations::addresses::change_of_token;
use crate::operations::prelude::*;
use crate::wallet::SendRequest;
use serde_json::Value;

pub static SIMPLE_SEND_TX: Operation = post(
    "simple-send-tx",
    "/wallet/simple-send-tx",
    Group::Sending,
    Right::Send,
)
.does("Pay one address.")
.package(&[method("simpleSendTx").example(
    "const payment = { address: \"WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f\", value: 1_500n }; // 15.00 HTR\n\
             const { cost } = await wallet.simpleSendTx(payment, { dryRun: true });\n\
             const { hash } = await wallet.simpleSendTx(payment, { idempotencyKey: \"order 17\" });",
)])
.command(&[command("send").places(&["address", "value"]).after(
    "Examples:\n  headless-wallet wallet send WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6 15.00\n  \
headless-wallet wallet send WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6 15.00 --dry-run",
)])
.sends::<SimpleSendTx>(
    READ_ONLY_SIMPLE_SEND,
    &[("example", r#"{"address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "value": 100}"#)],
)
.answers(answers![TransactionAnswer, DryRunAnswer, Failure]);

request! {
    /// `POST /wallet/simple-send-tx`.
    pub struct SimpleSendTx in body {
        /// Whom to pay.
        pub address: String = ADDRESS,
        /// In cents.
        pub value: Amount = AMOUNT,
        /// The token's uid; `00` is HTR.
        pub token: String = TOKEN,
        /// Where the change goes: an address of the wallet.
        pub change_address: Option<String> = OPTIONAL_ADDRESS,
    }
}

/// A token's uid, or the deprecated `{uid, name, symbol}`.
const TOKEN: Rule<String> = Rule::optional(Kind::Token, |check, field, context| {
    if field.value.is_some_and(Value::is_object) {
        return or_noted(token_object(check, field, context.compat));
    }
    Ok(check.optional_token(field, context.compat).unwrap_or(NATIVE).to_owned())
})
.default(Literal::Text(NATIVE));

impl SimpleSendTx {
    /// The send-tx with this one output, of inputs that the wallet selects.
    pub fn into_send(self) -> SendTx {
        let Self { address, value, token, change_address } = self;
        SendTx {
            outputs: vec![SendOutput::Pay { address, value, token, timelock: None }],
            inputs: SendInputs::Automatic,
            token: NATIVE.to_owned(),
            change_address,
            debug: false,
        }
    }
}

impl SimpleSendTx {
    /// The request for a wallet of `network`.
    ///
    /// # Errors
    /// [`Refusal::Failure`] for what [`SendTx::for_network`] refuses; of a change address that is none of
    /// `network` it says, in the words of token operations, that it is not the wallet's.
    pub fn for_network(mut self, network: Network) -> Result<SendRequest, Refusal> {
        let change = self.change_address.take();
        let change_address = change_of_token(change, network)?;
        Ok(SendRequest { change_address, ..self.into_send().for_network(network)? })
    }
}

/// The change address is looked at before all else, and in other words than that of send-tx.
impl Plans for SimpleSendTx {
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<service::Operation, CallError> {
        call.check_change(self.change_address.as_deref(), CHANGE_NOT_FROM_THIS_WALLET)?;
        Ok(service::Operation::Send(self.for_network(call.network())?))
    }
}
