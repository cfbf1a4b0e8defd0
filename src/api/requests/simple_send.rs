//! simple-send-tx: one payment.

use super::send::token_object;
use super::{SendInputs, SendOutput, SendTx};
use crate::api::declare::{Kind, Literal, Rule, request};
use crate::api::rules::{ADDRESS, AMOUNT, NATIVE, OPTIONAL_ADDRESS, or_noted};
use crate::ledger::Amount;
use serde_json::Value;

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
