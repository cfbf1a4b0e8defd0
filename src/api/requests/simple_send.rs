//! simple-send-tx: one payment.

use super::send::token_object;
use super::{SendInputs, SendOutput, SendTx};
use crate::api::check::Checker;
use crate::api::record::{self, Kind, Need};
use crate::api::{Compat, Refusal};
use crate::ledger::Amount;
use serde_json::{Map, Value};

/// `POST /wallet/simple-send-tx`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimpleSendTx {
    /// Whom to pay.
    pub address: String,
    /// In cents; at least 1.
    pub value: Amount,
    /// The token's uid as given; `00` is HTR.
    pub token: String,
    /// Where the change goes: an address of the wallet.
    pub change_address: Option<String>,
}

impl SimpleSendTx {
    /// Reads the body of a request.
    pub fn from_json(body: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal> {
        let mut check = Checker::body(body);
        let field = check.field("address");
        let address = check.text(&field).unwrap_or_default().to_owned();
        let field = check.field("value");
        let value = check.positive_amount(&field).unwrap_or_default();
        let field = check.field("token");
        record::note("token", Kind::Token, Need::Optional);
        record::default("token", "00");
        let token = match field.value {
            // The deprecated form: `{uid, name, symbol}`.
            Some(Value::Object(_)) => token_object(&mut check, &field, compat),
            _ => check.token(&field, Need::Optional, compat).map(str::to_owned),
        };
        let change_address = check.optional_address("change_address");
        check.finish()?;
        Ok(Self { address, value, token: token.unwrap_or_else(|| "00".to_owned()), change_address })
    }

    /// The same as a send-tx.
    pub fn into_send(self) -> SendTx {
        let Self { address, value, token, change_address } = self;
        SendTx {
            outputs: vec![SendOutput::Pay { address, value, token, timelock: None }],
            inputs: SendInputs::Automatic,
            change_address,
        }
    }
}
