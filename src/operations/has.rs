//! has: whether the wallet can spend an amount.

use crate::api::rules::{AMOUNT, OPTIONAL_TOKEN, object};
use crate::api::texts::TOKEN_UID_INVALID;
use crate::ledger::{Amount, TokenUid};
use crate::operations::prelude::*;

pub static HAS: Operation = post("has", "/wallet/has", Group::Reading, Right::Read)
    .does("Check whether the wallet can spend an amount.")
    .command(&[command("has")])
    .reads::<Has>(&[("example", r#"{"amount": {"value": 100, "token": "00"}}"#)])
    .answers(answers![Success, Failure]);

request! {
    /// `POST /wallet/has`.
    pub struct Has in body {
        /// The amount.
        pub amount: Holding = object(),
    }
}

object! {
    /// An amount of a token.
    pub struct Holding, needs = [["value"]] {
        /// In cents.
        pub value: Amount = AMOUNT,
        /// The token's uid; HTR if not given.
        pub token: Option<String> = OPTIONAL_TOKEN,
    }
}

impl Read for Has {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        let Holding { value, token } = self.amount;
        let token: TokenUid = token
            .map_or(Ok(TokenUid::Native), |token| token.parse())
            .map_err(|_| refused(TOKEN_UID_INVALID))?;
        let available = call.wallet.read(|state, now| state.balance(token, now))?.available;
        if available >= value { call.success() } else { Err(refused("There is less.")) }
    }
}
