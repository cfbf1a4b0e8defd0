//! The operations of a wallet, by the names of the methods of `pkg-template/wallet.js`. Each is carried out
//! by its handler, as over HTTP.

use super::answer::to_js;
use super::failure::Failure;
use super::js_arg::JsArg;
use super::shape::{COMPAT, read};
use crate::api::{
    AddSignatures, AddressIndexQuery, AddressInfoQuery, AddressQuery, AuthoritiesAnswer, BalanceQuery,
    BuildTemplate, BuildTx, Consolidate, ContractHistoryQuery, ContractStateQuery, CreateBlueprint,
    CreateContract, CreateNft, CreateToken, Decode, ExecuteContract, GivenTransaction, HistoryQuery,
    HistoryTransaction, LastIndex, LoadMoreAddresses, MakeInputData, MakeSigningFile, MeltTokens, MintTokens,
    OracleDataQuery, OracleResultQuery, ProposeCreateToken, ProposeMeltTokens, ProposeMintTokens,
    ProposeSwap, ProposeTx, PushSigningFile, PushSwap, PushedAnswer, RegisterSwap, Request, RunTemplate,
    SelectUtxos, SendTx, SignMessage, SignProposal, SignShare, SignSwap, SimpleSendTx, SwapInputData,
    SwapProposalId, SwapSignatures, TokenAnswer, TokenDepositAnswer, TransactionQuery, UnlockSwap,
    UtxoFilter, WalletInputsQuery,
};
use crate::handlers::{
    self, Ask, Call, CallError, Done, Proposes, Read, Reply, SendMode, Sends, verify_message, would_send,
};
use crate::ledger::{Amount, ConfigurationString, TokenUid, Vertex, VertexId, sha256d};
use crate::node::TokenDescription;
use crate::rt::CpuShare;
use crate::service::{
    Deposit, IdempotentSend, NotReady, Operation, SendError, SendKey, Wallet, check_signed,
};
use crate::wallet::{Balance, State};
use futures_util::TryFutureExt;
use futures_util::future::{LocalBoxFuture, try_join};
use js_sys::{Array, JSON, Number, Promise};
use serde::Serialize;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

/// Makes JavaScript values of answers.
struct Js;

type Answer = Result<JsValue, Failure>;

impl Reply for Js {
    type Answer = Answer;
    fn give(&self, answer: &impl Serialize) -> Answer {
        to_js(answer)
    }
    fn transaction(&self, state: &State, vertex: &Vertex, call: &Call<'_, Self>) -> Answer {
        let (execution, effect) = (state.execution(vertex), call.wallet.effect(state, vertex));
        to_js(&HistoryTransaction { entry: call.entry(vertex), execution, effect })
    }
    fn history(&self, ids: &[VertexId], _: bool, call: &Call<'_, Self>) -> Result<Answer, NotReady> {
        call.wallet.read(|state, _| {
            let vertices = ids.iter().filter_map(|id| state.vertex(id));
            let entries = vertices.map(|vertex| self.transaction(state, &vertex, call));
            Ok(entries.collect::<Result<Array, _>>()?.into())
        })
    }
}

type Waits<'a> = LocalBoxFuture<'a, Result<Done<Answer>, CallError>>;

/// An operation whose request is read, and for which something has to be waited.
type Operate = Box<dyn for<'a> FnOnce(&'a Call<'a, Js>, SendMode) -> Waits<'a>>;

/// Carries out an operation.
pub(super) fn call(wallet: &Wallet, operation: &str, request: JsValue, options: JsValue) -> Promise {
    begin(wallet, operation, request, options).unwrap_or_else(|failure| Promise::reject(&failure.into()))
}

const fn of(wallet: &Wallet) -> Call<'_, Js> {
    Call { wallet, compat: COMPAT, reply: Js }
}

fn begin(wallet: &Wallet, operation: &str, request: JsValue, options: JsValue) -> Result<Promise, Failure> {
    let mode = mode(operation, &request, options)?;
    let given = JsArg::new(request, "request");
    let call = of(wallet);
    let answered = match operation {
        "balance" => answer::<BalanceQuery>(&call, given),
        "address" => answer::<AddressQuery>(&call, given),
        "tokens" => tokens(wallet),
        "authorities" => authorities(wallet, given),
        "addresses" => handlers::addresses(&call)?,
        "lastLoadedAddressIndex" => handlers::last_loaded_index(&call)?,
        "addressIndex" => answer::<AddressIndexQuery>(&call, given),
        "addressInfo" => answer::<AddressInfoQuery>(&call, given),
        "utxos" => answer::<UtxoFilter>(&call, given),
        "history" => answer::<HistoryQuery>(&call, given),
        "transaction" => answer::<TransactionQuery>(&call, given),
        "walletInputs" => answer::<WalletInputsQuery>(&call, given),
        "inputData" => answer::<MakeInputData>(&call, given),
        "selectUtxos" => answer::<SelectUtxos>(&call, given),
        "oracleData" => answer::<OracleDataQuery>(&call, given),
        "verifyMessage" => verified(&call, given),
        "swapInputData" => answer::<SwapInputData>(&call, given),
        "unlockSwap" => answer::<UnlockSwap>(&call, given),
        "lockedUtxos" => handlers::locked_utxos(&call)?,
        "swapProposals" => handlers::list_swaps(&call),
        "deleteSwapProposal" => handlers::forget_swap(&of_request(&call, given)?, &call),
        _ => {
            let (operate, wallet) = (operate(&call, operation, given)?, wallet.clone());
            return Ok(future_to_promise(async move { Ok(wait(&wallet, operate, mode).await?) }));
        }
    };
    Ok(Promise::resolve(&answered?))
}

fn operate(call: &Call<'_, Js>, operation: &str, given: JsArg) -> Result<Operate, Failure> {
    match operation {
        "sendTx" => send::<SendTx>(call, given),
        "simpleSendTx" => send::<SimpleSendTx>(call, given),
        "createToken" => send::<CreateToken>(call, given),
        "createNft" => send::<CreateNft>(call, given),
        "mintTokens" => send::<MintTokens>(call, given),
        "meltTokens" => send::<MeltTokens>(call, given),
        "createContract" => send::<CreateContract>(call, given),
        "executeContract" => send::<ExecuteContract>(call, given),
        "createBlueprint" => send::<CreateBlueprint>(call, given),
        "contractState" => ask::<ContractStateQuery>(call, given),
        "contractHistory" => ask::<ContractHistoryQuery>(call, given),
        "consolidateUtxos" => send::<Consolidate>(call, given),
        "proposeTx" => propose::<ProposeTx>(call, given),
        "proposeCreateToken" => propose::<ProposeCreateToken>(call, given),
        "proposeMintTokens" => propose::<ProposeMintTokens>(call, given),
        "proposeMeltTokens" => propose::<ProposeMeltTokens>(call, given),
        "runTemplate" => send::<RunTemplate>(call, given),
        "buildTemplate" => with::<BuildTemplate>(call, given, |request, call, mode| {
            Box::pin(call.build_template(request, mode.once))
        }),
        "buildTx" => {
            with::<BuildTx>(call, given, |request, call, mode| Box::pin(call.build(request, mode.once)))
        }
        "signProposal" => ask::<SignProposal>(call, given),
        "signAndPush" => with::<SignProposal>(call, given, |request, call, mode| {
            Box::pin(call.sign_and_push(request, mode))
        }),
        "signingFile" => ask::<MakeSigningFile>(call, given),
        "pushSigningFile" => with::<PushSigningFile>(call, given, |request, call, mode| {
            Box::pin(call.push_signing_file(request, mode))
        }),
        "mySignatures" => ask::<SignShare>(call, given),
        "pushTx" => with::<GivenTransaction>(call, given, |request, call, mode| {
            Box::pin(push(call.wallet, request, mode))
        }),
        "confirmations" => with::<TransactionQuery>(call, given, |request, call, _| {
            Box::pin(handlers::confirmations(request, call).map_ok(Done::from))
        }),
        "decodeTx" => ask::<Decode>(call, given),
        "signMessage" => ask::<SignMessage>(call, given),
        "oracleSignedResult" => ask::<OracleResultQuery>(call, given),
        "addSignatures" => ask::<AddSignatures>(call, given),
        "proposeSwap" => with::<ProposeSwap>(call, given, |request, call, mode| {
            Box::pin(call.propose_swap(request, mode.once))
        }),
        "mySwapSignatures" => ask::<SwapSignatures>(call, given),
        "signSwap" => ask::<SignSwap>(call, given),
        "swapProposal" => ask::<SwapProposalId>(call, given),
        "registerSwapProposal" => ask::<RegisterSwap>(call, given),
        "signAndPushSwap" => {
            with::<PushSwap>(call, given, |request, call, mode| Box::pin(call.push_swap(request, mode)))
        }
        "loadMoreAddresses" => ask::<LoadMoreAddresses>(call, given),
        "loadAddressesTo" => ask::<LastIndex>(call, given),
        "token" => {
            let [token] = given.members(["token"])?;
            let token = token.token()?;
            Ok(Box::new(move |call, _| Box::pin(self::token(call.wallet, token))))
        }
        "tokenDeposit" => {
            let [amount, token] = given.members(["amount", "token"])?;
            let (amount, token) = (output_amount(&amount)?, token.given().map(custom_token).transpose()?);
            Ok(Box::new(move |call, _| Box::pin(token_deposit(call.wallet, amount, token))))
        }
        _ => Err(Failure::internal(format!("there is no operation {operation}"))),
    }
}

async fn wait(wallet: &Wallet, operate: Operate, mode: SendMode) -> Answer {
    operate(&of(wallet), mode).await?.answer
}

/// Reads a request, with which `operate` is carried out.
fn with<R: Request + 'static>(
    call: &Call<'_, Js>,
    given: JsArg,
    operate: impl for<'a> FnOnce(R, &'a Call<'a, Js>, SendMode) -> Waits<'a> + 'static,
) -> Result<Operate, Failure> {
    let request = of_request(call, given)?;
    Ok(Box::new(move |call, mode| operate(request, call, mode)))
}

fn ask<A: Ask + 'static>(call: &Call<'_, Js>, given: JsArg) -> Result<Operate, Failure> {
    with::<A>(call, given, |request, call, _| Box::pin(request.answer(call).map_ok(Done::from)))
}

/// The uids of the tokens that the wallet has had to do with, HTR first.
fn tokens(wallet: &Wallet) -> Answer {
    let uids: Array =
        wallet.read(|state, _| state.tokens().map(|token| JsValue::from(token.to_string())).collect())?;
    Ok(uids.into())
}

/// What the wallet may do with a token now.
fn authorities(wallet: &Wallet, given: JsArg) -> Answer {
    let [token] = given.members(["token"])?;
    let token = token.token()?;
    let Balance { mint: (mint, _), melt: (melt, _), .. } =
        wallet.read(|state, now| state.balance(token, now))?;
    to_js(&AuthoritiesAnswer { mint, melt })
}

/// What the node says of a token.
async fn token(wallet: &Wallet, uid: TokenUid) -> Result<Done<Answer>, CallError> {
    let node = wallet.node();
    let asked = try_join(node.token(&uid), node.nft_data(&uid)).await;
    let (found, nft_data) =
        asked.map_err(|error| CallError::Send { error: Box::new(SendError::Node(error)), read_only: "" })?;
    let Some(found) = found else { return Ok(Ok(JsValue::NULL).into()) };
    let TokenDescription { name, symbol, version, total, can_mint, can_melt } = found;
    let configuration = &ConfigurationString { uid, name, symbol };
    Ok(to_js(&TokenAnswer { configuration, version, total, can_mint, can_melt, nft_data }).into())
}

async fn token_deposit(
    wallet: &Wallet,
    amount: Amount,
    token: Option<VertexId>,
) -> Result<Done<Answer>, CallError> {
    let found = wallet.deposit(amount, token).await;
    let Deposit { deposit, withdraw } =
        found.map_err(|error| CallError::Send { error: Box::new(error), read_only: "" })?;
    Ok(to_js(&TokenDepositAnswer { deposit, withdraw }).into())
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

/// For a transaction that is signed.
async fn push(
    wallet: &Wallet,
    GivenTransaction { transaction }: GivenTransaction,
    mode: SendMode,
) -> Result<Done<Answer>, CallError> {
    let backend = wallet.backend();
    if mode.dry_run {
        let preview = backend.preview_push(transaction).await?;
        return Ok(to_js(&would_send(&preview, COMPAT)).into());
    }
    check_signed(&transaction, CpuShare::Sends).await?;
    let pushed = match mode.once {
        None => backend.push(transaction).await.map(IdempotentSend::from),
        Some(key) => wallet.push_signed_once(transaction, key).await,
    };
    let IdempotentSend { sent, replayed } =
        pushed.map_err(|error| CallError::Send { error: Box::new(error), read_only: "" })?;
    let answer = to_js(&PushedAnswer { transaction: &sent.transaction, id: sent.id, compat: COMPAT });
    Ok(Done { answer, replayed })
}

#[inline(never)]
fn of_request<R: Request>(call: &Call<'_, Js>, given: JsArg) -> Result<R, Failure> {
    read(given, Some(call.wallet.backend().network))
}

#[inline(never)]
fn answer<R: Read>(call: &Call<'_, Js>, given: JsArg) -> Answer {
    of_request::<R>(call, given)?.answer(call)?
}

fn verified(call: &Call<'_, Js>, given: JsArg) -> Answer {
    to_js(&verify_message(&of_request(call, given)?, Some(call.wallet.backend().network))?)
}

fn send<S: Sends>(call: &Call<'_, Js>, given: JsArg) -> Result<Operate, Failure> {
    Ok(carry_out(of_request::<S>(call, given)?.operation(call)?))
}

fn carry_out(operation: Operation) -> Operate {
    Box::new(move |call, mode| Box::pin(call.carry_out(operation, mode, "")))
}

fn propose<P: Proposes>(call: &Call<'_, Js>, given: JsArg) -> Result<Operate, Failure> {
    let (operation, set_aside) = of_request::<P>(call, given)?.operation(call)?;
    Ok(propose_operation(operation, set_aside))
}

fn propose_operation(operation: Operation, set_aside: bool) -> Operate {
    Box::new(move |call, mode| Box::pin(call.propose_operation(operation, set_aside, mode.once)))
}

/// How the caller wants a transaction to be sent. What `signal` does is done in `pkg-template/wallet.js`.
fn mode(operation: &str, request: &JsValue, options: JsValue) -> Result<SendMode, Failure> {
    let Some(options) = JsArg::new(options, "options").given() else { return Ok(SendMode::default()) };
    let [dry_run, key, signal] = options.members(["dryRun", "idempotencyKey", "signal"])?;
    signal.given().map(|signal| signal.method("addEventListener")).transpose()?;
    let dry_run = dry_run.given().map_or(Ok(false), |dry_run| dry_run.boolean())?;
    let once = key.given().map(|key| send_key(operation, request, &key)).transpose()?;
    Ok(SendMode { dry_run, once })
}

/// Longest key, as over HTTP.
const MAX_KEY_LENGTH: usize = 255;

/// A key belongs to one operation, and to one request: its JSON, with amounts of either kind alike.
fn send_key(operation: &str, request: &JsValue, key: &JsArg) -> Result<SendKey, Failure> {
    let text = key.text()?;
    if text.is_empty() || text.len() > MAX_KEY_LENGTH {
        return Err(key.refuse(format!("must have 1 to {MAX_KEY_LENGTH} characters")));
    }
    let as_text =
        Closure::<dyn Fn(JsValue, JsValue) -> JsValue>::new(|_, value: JsValue| match value.is_bigint() {
            true => js_sys::BigInt::from(value).to_string(10).map_or(JsValue::NULL, JsValue::from),
            // A whole number as a bigint of the same value.
            false if value.as_f64().is_some() => {
                Number::from(value).to_string_with_radix(10).map_or(JsValue::NULL, JsValue::from)
            }
            false => value,
        });
    let asked =
        JSON::stringify_with_replacer(request, as_text.as_ref()).ok().and_then(|text| text.as_string());
    let asked = asked
        .ok_or_else(|| Failure::input("request", "must be plain data where it has an idempotencyKey"))?;
    let name = [operation.as_bytes(), &[0], text.as_bytes()].concat();
    Ok(SendKey { name: sha256d(&name), request: sha256d(asked.as_bytes()) })
}
