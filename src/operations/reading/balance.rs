//! How much of its tokens a wallet has.

use crate::api::rules::TOKEN_OR_HTR;
use crate::api::{BalanceAnswer, BalancesAnswer, TokenBalance};
use crate::ledger::{Amount, TokenUid};
use crate::operations::prelude::*;
use crate::service::Wallet;

pub static BALANCE: Operation = get("balance", "/wallet/balance", Group::Reading, Right::Read)
    .does("Show how much of a token the wallet has.")
    .package(&[method("balance")
        .takes("token?: string | BalanceRequest")
        .example("const { available, locked } = await wallet.balance(); // HTR, in cents")])
    .command(&[command("balance")])
    .reads::<BalanceQuery>(&[("example", r#"{"token": "00"}"#)])
    .answers(answers![BalanceAnswer])
    .with_amounts();

pub static BALANCES: Operation = get("balances", "/wallet/balances", Group::Reading, Right::Read)
    .does("Show how much the wallet has of each token that it has or had, HTR first.")
    .package(&[method("balances").gives("TokenBalance[]")])
    .command(&[command("tokens").apart()])
    .reads::<BalancesQuery>(&[])
    .answers(answers![BalancesAnswer])
    .with_amounts();

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

request! {
    /// `GET /wallet/balances`.
    pub struct BalancesQuery in query {}
}

impl Read for BalancesQuery {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        let balances = call.wallet.read(|state, now| {
            let of = |token: TokenUid| {
                let balance = state.balance(token, now);
                let balance = BalanceAnswer { available: balance.available, locked: balance.locked };
                TokenBalance { token, balance }
            };
            state.tokens().map(of).collect()
        })?;
        call.give(&BalancesAnswer(balances))
    }

    /// A wallet may have thousands of tokens; which ones an account has among others' is read in its history.
    fn is_long(&self, _: &Wallet) -> bool {
        true
    }
}
