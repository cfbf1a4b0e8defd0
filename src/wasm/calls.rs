//! The operations of a wallet, by the names of the methods of `pkg-template/wallet.js`. Each is read and
//! carried out as it is declared, as over HTTP.

use super::failure::Failure;
use super::js_arg::JsArg;
use super::shape::{COMPAT, fields};
use super::tokens;
use crate::ledger::sha256d;
use crate::operations::{self, Call, Operation, Run, SendMode};
use crate::service::{SendKey, Wallet};
use js_sys::{JSON, Number, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

/// Carries out an operation.
pub(super) fn call(wallet: &Wallet, operation: &str, request: JsValue, options: JsValue) -> Promise {
    begin(wallet, operation, request, options).unwrap_or_else(|failure| Promise::reject(&failure.into()))
}

fn begin(wallet: &Wallet, operation: &str, request: JsValue, options: JsValue) -> Result<Promise, Failure> {
    let mode = mode(operation, &request, options)?;
    let given = JsArg::new(request, "request");
    let Some(Operation { members, run, .. }) = operations::of_package(operation) else {
        return tokens::begin(wallet, operation, given);
    };
    let network = Some(wallet.backend().network);
    let given = fields(given, members, network)?;
    let answer = match *run {
        Run::Read(read) => read(&given, COMPAT)?.answer(&Call { wallet, compat: COMPAT })?,
        Run::Anywhere(run) => run(&given, COMPAT, network)?,
        _ => {
            let (run, wallet) = (read(*run, &given)?, wallet.clone());
            return Ok(future_to_promise(async move { Ok(carry_out(run, &wallet, mode).await?) }));
        }
    };
    Ok(Promise::resolve(&answer))
}

/// A request for which something has to be waited.
enum Waiting {
    Ask(Box<dyn operations::Ask>),
    Make(Box<dyn operations::Make>),
    Send(Box<dyn operations::Sends>),
}

fn read(run: Run, given: &serde_json::Map<String, serde_json::Value>) -> Result<Waiting, Failure> {
    Ok(match run {
        Run::Ask(read) => Waiting::Ask(read(given, COMPAT)?),
        Run::Make(read) | Run::Propose(read) => Waiting::Make(read(given, COMPAT)?),
        Run::Send(read, _) => Waiting::Send(read(given, COMPAT)?),
        Run::Read(_) | Run::Anywhere(_) | Run::Server => {
            return Err(Failure::internal("nothing is waited for"));
        }
    })
}

async fn carry_out(waiting: Waiting, wallet: &Wallet, mode: SendMode) -> Result<JsValue, Failure> {
    let call = Call { wallet, compat: COMPAT };
    Ok(match waiting {
        Waiting::Ask(request) => request.answer(&call).await?,
        Waiting::Make(request) => request.make(&call, mode.once).await?.answer,
        Waiting::Send(request) => call.send(request, "", mode).await?.answer,
    })
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
