//! A running wallet.

use super::calls;
use super::events::{self, Listeners};
use super::failure::Failure;
use super::js_arg::JsArg;
use super::start::Start;
use crate::api::Topic;
use crate::service;
use futures_util::future::{Either, select};
use js_sys::Promise;
use std::pin::pin;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// A running wallet: what stands behind the class of `pkg-template/wallet.js`.
#[wasm_bindgen(skip_typescript)]
pub struct Wallet {
    running: service::Wallet,
    node_url: String,
    listeners: Rc<Listeners>,
}

#[wasm_bindgen]
impl Wallet {
    /// Starts a wallet, and waits until it is ready. `aborted` is a promise that is rejected when the caller
    /// does not want to wait any more; then, and after any other failure, nothing goes on running.
    #[wasm_bindgen(skip_typescript)]
    pub async fn start(options: JsValue, aborted: Option<Promise>) -> Result<Wallet, JsValue> {
        let Start { account, backend, options, on_progress, node_url } = Start::read(options)?;
        let running = service::Wallet::start(account, backend, options).await.map_err(Failure::from)?;
        let ready = events::until_ready(&running, on_progress.as_ref());
        let ready = match aborted {
            None => ready.await.map_err(JsValue::from),
            Some(aborted) => match select(pin!(ready), JsFuture::from(aborted)).await {
                Either::Left((ready, _)) => ready.map_err(JsValue::from),
                Either::Right((aborted, _)) => aborted.map(drop),
            },
        };
        if let Err(failure) = ready {
            running.stop().await;
            return Err(failure);
        }
        let listeners = Rc::new(Listeners::default());
        if let Some(callback) = on_progress {
            listeners.add(Topic::Progress, callback);
        }
        events::follow(running.clone(), listeners.clone());
        Ok(Self { running, node_url, listeners })
    }

    /// Where the wallet stands. Works in every state.
    #[wasm_bindgen(skip_typescript)]
    pub fn status(&self) -> Result<JsValue, JsValue> {
        events::status(&self.running, &self.node_url).map_err(JsValue::from)
    }

    /// Carries out the operation of this name. `options` says how a transaction is sent.
    #[wasm_bindgen(skip_typescript)]
    pub fn call(&self, operation: &str, request: JsValue, options: JsValue) -> Promise {
        calls::call(&self.running, operation, request, options)
    }

    /// Calls `listener` from now on for every event of a kind. Returns the function that ends that.
    #[wasm_bindgen(skip_typescript)]
    pub fn on(&self, event: JsValue, listener: JsValue) -> Result<JsValue, JsValue> {
        let topic = events::topic(&JsArg::new(event, "event"))?;
        let callback = JsArg::new(listener, "listener").function()?;
        let id = self.listeners.add(topic, callback);
        let listeners = self.listeners.clone();
        Ok(Closure::<dyn Fn()>::new(move || listeners.remove(id)).into_js_value())
    }

    /// Tries at once to reach the full node again, if the wallet waits to.
    #[wasm_bindgen(skip_typescript)]
    pub fn reconnect(&self) {
        self.running.reconnect();
    }

    /// Takes no more requests, finishes the sends under way, and ends. A stopped wallet can't be started
    /// again: start another.
    #[wasm_bindgen(skip_typescript)]
    pub async fn stop(&self) {
        self.running.stop().await;
    }
}
