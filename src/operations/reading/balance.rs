//! How much of a token a wallet has.

use crate::api::BalanceAnswer;
use crate::api::rules::TOKEN_OR_HTR;
use crate::ledger::Amount;
use crate::operations::prelude::*;

pub static BALANCE: Operation = get("balance", "/wallet/balance", Group::Reading, Right::Read)
    .does("Show how much of a token the wallet has.")
    .package(&[method("balance").takes("token?: string | BalanceRequest")])
    .command(&[command("balance")])
    .reads::<BalanceQuery>(&[("example", r#"{"token": "00"}"#)])
    .answers(answers![BalanceAnswer]);

request! {
    /// `GET /wallet/balance`.
    pub struct BalanceQuery in query {
        /// The token's uid; `00` is HTR.
        pub token: String = TOKEN_OR_HTR,
    }
}

impl Read for BalanceQuery {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        // Release 0.39: a text that is no uid names a token of which the wallet has nothing.
        let nothing = BalanceAnswer { available: Amount::ZERO, locked: Amount::ZERO };
        let Ok(token) = self.token.parse() else { return call.give(&nothing) };
        let balance = call.wallet.read(|state, now| state.balance(token, now))?;
        call.give(&BalanceAnswer { available: balance.available, locked: balance.locked })
    }
}
