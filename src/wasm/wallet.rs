//! `Wallet`: a running wallet.

use super::answer::to_js;
use super::events::{self, Listeners, Topic};
use super::failure::Failure;
use super::given::Given;
use super::shape::{COMPAT, read};
use super::start::Start;
use crate::api::{
    BalanceAnswer, CreateNft, CreateToken, CreatedToken, HistoryEntry, HistoryQuery, MeltTokens, Refusal,
    Request, SendTx, TransactionAnswer, UtxoAnswer, UtxoFilter, UtxoList,
};
use crate::keys::ADDRESS_INDEXES;
use crate::ledger::{Network, TokenUid};
use crate::service::{self, SendError, Sent};
use crate::wallet::CreateTokenRequest;
use js_sys::{Array, Promise};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// A running wallet: it follows its full node until it is stopped.
///
/// Amounts are whole cents of a token: `bigint` in answers, `bigint` or safe integers in requests.
#[wasm_bindgen]
pub struct Wallet {
    running: service::Wallet,
    node_url: String,
    listeners: Rc<Listeners>,
}

#[wasm_bindgen]
impl Wallet {
    /// Starts a wallet, and loads its history from the full node: the wallet it resolves to is ready for everything.
    ///
    /// Rejects when an option is wrong (`INVALID_INPUT`), the node is of another network (`WRONG_NETWORK`), or the node can't be
    /// reached or followed; then nothing goes on running.
    #[wasm_bindgen(unchecked_return_type = "Wallet")]
    pub async fn start(
        #[wasm_bindgen(unchecked_param_type = "StartOptions")] options: JsValue,
    ) -> Result<Wallet, JsValue> {
        let Start { account, backend, options, on_progress, node_url } = Start::read(options)?;
        let running = service::Wallet::start(account, backend, options).await.map_err(Failure::from)?;
        if let Err(failure) = events::until_ready(&running, on_progress.as_ref()).await {
            running.stop().await;
            return Err(failure.into());
        }
        let listeners = Rc::new(Listeners::default());
        if let Some(callback) = on_progress {
            listeners.add(Topic::Progress, callback);
        }
        events::follow(running.clone(), listeners.clone());
        Ok(Self { running, node_url, listeners })
    }

    /// Where the wallet stands. Works in every state.
    #[wasm_bindgen(unchecked_return_type = "WalletStatus")]
    pub fn status(&self) -> Result<JsValue, JsValue> {
        events::status(&self.running, &self.node_url).map_err(JsValue::from)
    }

    /// What the wallet holds of a token: of HTR, unless a token's uid is given.
    #[wasm_bindgen(unchecked_return_type = "Promise<Balance>")]
    pub fn balance(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "string | BalanceRequest")] token: JsValue,
    ) -> Promise {
        settled(|| {
            let token = if token.is_undefined() || token.is_string() {
                Given::new(token, "token")
            } else {
                let [token] = Given::new(token, "request").members(["token"])?;
                token
            };
            let token = token.given().map_or(Ok(TokenUid::Native), |token| token.token())?;
            let balance = self.read(|state, now| state.balance(token, now))?;
            Ok(to_js(&BalanceAnswer { available: balance.available, locked: balance.locked })?)
        })
    }

    /// The uids of the tokens that the wallet has had to do with, HTR (`"00"`) first.
    #[wasm_bindgen(unchecked_return_type = "Promise<string[]>")]
    pub fn tokens(&self) -> Promise {
        settled(|| {
            let tokens: Vec<_> =
                self.read(|state, _| state.tokens().map(|token| token.to_string()).collect())?;
            Ok(texts(tokens).into())
        })
    }

    /// The addresses derived so far, in index order: used ones, and as many unused ones as the gap limit asks for.
    #[wasm_bindgen(unchecked_return_type = "Promise<string[]>")]
    pub fn addresses(&self) -> Promise {
        settled(|| {
            let addresses: Vec<_> =
                self.read(|state, _| state.addresses().map(|address| address.to_string()).collect())?;
            Ok(texts(addresses).into())
        })
    }

    /// The address to receive on next, or the one at an index.
    #[wasm_bindgen(unchecked_return_type = "Promise<string>")]
    pub fn address(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "AddressRequest")] request: JsValue,
    ) -> Promise {
        settled(|| {
            let Some(request) = Given::new(request, "request").given() else {
                return Ok(self.running.current_address(false).map_err(Failure::from)?.into());
            };
            let [index, mark_as_used] = request.members(["index", "mark_as_used"])?;
            let address = match index.given() {
                Some(index) => {
                    let index = index.count(0..=ADDRESS_INDEXES - 1)?;
                    self.read(|state, _| state.address(index))?
                        .ok_or_else(|| Failure::input("index", "has no address"))?
                        .to_string()
                }
                None => {
                    let mark = mark_as_used.given().map_or(Ok(false), |mark| mark.boolean())?;
                    self.running.current_address(mark).map_err(Failure::from)?
                }
            };
            Ok(address.into())
        })
    }

    /// The unspent outputs that match a filter (of HTR, at most 255, unless it says otherwise), and their totals.
    #[wasm_bindgen(unchecked_return_type = "Promise<UtxoList>")]
    pub fn utxos(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "UtxoFilter")] filter: JsValue,
    ) -> Promise {
        settled(|| {
            let filter: UtxoFilter = self.request(filter)?;
            let Some(filter) = filter.for_network(self.network(), COMPAT) else {
                return Ok(to_js(&UtxoList::default())?);
            };
            let answer = self.read(|state, now| {
                let found = state.utxos(&filter, now);
                let utxos = found.utxos.iter().map(|utxo| UtxoAnswer {
                    address: state
                        .address_text(utxo.address_index)
                        .expect("outputs are of derived addresses"),
                    amount: utxo.value,
                    outpoint: utxo.outpoint,
                    locked: utxo.locked,
                });
                to_js(&UtxoList(utxos.collect()))
            })?;
            Ok(answer?)
        })
    }

    /// The wallet's transactions, newest first: all of them, or the newest `limit`.
    #[wasm_bindgen(unchecked_return_type = "Promise<HistoryTransaction[]>")]
    pub fn history(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "HistoryRequest")] request: JsValue,
    ) -> Promise {
        settled(|| {
            let HistoryQuery { limit } = self.request(request)?;
            let vertices: Vec<_> =
                self.read(|state, _| state.history().take(limit.count(state.history_len())).collect())?;
            let network = self.network();
            let entries: Vec<_> =
                vertices.iter().map(|vertex| HistoryEntry { vertex, network, compat: COMPAT }).collect();
            Ok(to_js(&entries)?)
        })
    }

    /// Pays addresses, writes data on the ledger, or both. Resolves once the full node has taken the transaction.
    #[wasm_bindgen(js_name = sendTx, unchecked_return_type = "Transaction")]
    pub async fn send_tx(
        &self,
        #[wasm_bindgen(unchecked_param_type = "SendTxRequest")] request: JsValue,
    ) -> Result<JsValue, JsValue> {
        let request = self.request::<SendTx>(request)?.for_network(self.network()).map_err(Failure::from)?;
        sent(self.running.send(request).await)
    }

    /// Creates a token. A hundredth of the amount, in HTR, is deposited for it; melting returns that.
    #[wasm_bindgen(js_name = createToken, unchecked_return_type = "CreatedToken")]
    pub async fn create_token(
        &self,
        #[wasm_bindgen(unchecked_param_type = "CreateTokenRequest")] request: JsValue,
    ) -> Result<JsValue, JsValue> {
        self.create(self.request::<CreateToken>(request)?.for_network(self.network())).await
    }

    /// Creates an NFT: a token whose creation carries `data` that identifies it.
    #[wasm_bindgen(js_name = createNft, unchecked_return_type = "CreatedToken")]
    pub async fn create_nft(
        &self,
        #[wasm_bindgen(unchecked_param_type = "CreateNftRequest")] request: JsValue,
    ) -> Result<JsValue, JsValue> {
        self.create(self.request::<CreateNft>(request)?.for_network(self.network())).await
    }

    /// Melts some of a token, and gets its deposit back.
    #[wasm_bindgen(js_name = meltTokens, unchecked_return_type = "Transaction")]
    pub async fn melt_tokens(
        &self,
        #[wasm_bindgen(unchecked_param_type = "MeltTokensRequest")] request: JsValue,
    ) -> Result<JsValue, JsValue> {
        let request =
            self.request::<MeltTokens>(request)?.for_network(self.network()).map_err(Failure::from)?;
        sent(self.running.melt(request).await)
    }

    /// Calls `listener` from now on for every event of a kind. Returns the function that ends that.
    #[wasm_bindgen(skip_typescript)]
    pub fn on(&self, event: JsValue, listener: JsValue) -> Result<JsValue, JsValue> {
        let topic = Topic::read(&Given::new(event, "event"))?;
        let callback = Given::new(listener, "listener").function()?;
        let id = self.listeners.add(topic, callback);
        let listeners = self.listeners.clone();
        Ok(Closure::<dyn Fn()>::new(move || listeners.remove(id)).into_js_value())
    }

    /// Tries at once to reach the full node again, if the wallet waits to.
    pub fn reconnect(&self) {
        self.running.reconnect();
    }

    /// Takes no more requests, finishes the sends under way, and ends. A stopped wallet can't be started again: start another.
    pub async fn stop(&self) {
        self.running.stop().await;
    }
}

impl Wallet {
    fn network(&self) -> Network {
        self.running.backend().network
    }

    /// A request as JavaScript gave it.
    fn request<R: Request>(&self, given: JsValue) -> Result<R, Failure> {
        read(Given::new(given, "request"), self.network())
    }

    fn read<T>(&self, read: impl FnOnce(&crate::wallet::State, u32) -> T) -> Result<T, Failure> {
        Ok(self.running.read(read)?)
    }

    async fn create(&self, request: Result<CreateTokenRequest, Refusal>) -> Result<JsValue, JsValue> {
        let created = self.running.create_token(request.map_err(Failure::from)?).await;
        let Sent { id, transaction } = created.map_err(Failure::from)?;
        Ok(to_js(&CreatedToken { transaction: &transaction, id, compat: COMPAT })?)
    }
}

fn sent(result: Result<Sent, SendError>) -> Result<JsValue, JsValue> {
    let Sent { id, transaction } = result.map_err(Failure::from)?;
    Ok(to_js(&TransactionAnswer { transaction: &transaction, id, compat: COMPAT })?)
}

/// The promise of what is known at once. Asynchronous functions take 3 kB each.
fn settled(read: impl FnOnce() -> Result<JsValue, JsValue>) -> Promise {
    match read() {
        Ok(answer) => Promise::resolve(&answer),
        Err(error) => Promise::reject(&error),
    }
}

fn texts(texts: Vec<String>) -> Array {
    texts.into_iter().map(JsValue::from).collect()
}
