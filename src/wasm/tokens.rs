//! Queries about tokens that only the package has.

use super::answer::to_js;
use super::failure::Failure;
use super::js_arg::JsArg;
use crate::api::{AuthoritiesAnswer, TokenAnswer, TokenDepositAnswer};
use crate::ledger::{Amount, ConfigurationString, TokenUid, VertexId};
use crate::node::TokenDescription;
use crate::service::{Deposit, SendError, Wallet};
use crate::wallet::Balance;
use futures_util::future::try_join;
use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

type Answered = Result<JsValue, Failure>;

/// Carries out a method that is no operation of the interface.
pub(super) fn begin(wallet: &Wallet, method: &str, given: JsArg) -> Result<Promise, Failure> {
    let owned = wallet.clone();
    Ok(match method {
        "authorities" => Promise::resolve(&authorities(wallet, given)?),
        "token" => {
            let [token] = given.members(["token"])?;
            let token = token.token()?;
            future_to_promise(async move { Ok(self::token(&owned, token).await?) })
        }
        "tokenDeposit" => {
            let [amount, token] = given.members(["amount", "token"])?;
            let (amount, token) = (output_amount(&amount)?, token.given().map(custom_token).transpose()?);
            future_to_promise(async move { Ok(token_deposit(&owned, amount, token).await?) })
        }
        _ => return Err(Failure::internal(format!("there is no operation {method}"))),
    })
}

/// Outputs with which the wallet can mint or melt a token now.
fn authorities(wallet: &Wallet, given: JsArg) -> Answered {
    let [token] = given.members(["token"])?;
    let token = token.token()?;
    let Balance { mint: (mint, _), melt: (melt, _), .. } =
        wallet.read(|state, now| state.balance(token, now))?;
    to_js(&AuthoritiesAnswer { mint, melt })
}

/// The node's description of a token.
async fn token(wallet: &Wallet, uid: TokenUid) -> Answered {
    let node = wallet.node();
    let asked = try_join(node.token(&uid), node.nft_data(&uid)).await;
    let (found, nft_data) = asked.map_err(SendError::Node)?;
    let Some(found) = found else { return Ok(JsValue::NULL) };
    let TokenDescription { name, symbol, version, total, can_mint, can_melt } = found;
    let configuration = &ConfigurationString { uid, name, symbol };
    to_js(&TokenAnswer { configuration, version, total, can_mint, can_melt, nft_data })
}

async fn token_deposit(wallet: &Wallet, amount: Amount, token: Option<VertexId>) -> Answered {
    let Deposit { deposit, withdraw } = wallet.deposit(amount, token).await?;
    to_js(&TokenDepositAnswer { deposit, withdraw })
}

/// An amount that an output can hold, or none.
fn output_amount(given: &JsArg) -> Result<Amount, Failure> {
    let amount = u128::try_from(given.integer()?).ok().map(Amount::new);
    amount
        .filter(|amount| *amount <= Amount::MAX_OUTPUT)
        .ok_or_else(|| given.refuse(format!("must be from 0 to {}", Amount::MAX_OUTPUT.cents())))
}

fn custom_token(given: JsArg) -> Result<VertexId, Failure> {
    match given.token()? {
        TokenUid::Custom(token) => Ok(token),
        TokenUid::Native => Err(given.refuse("must be a custom token: HTR has no deposit")),
    }
}
