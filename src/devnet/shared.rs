//! What the node, the mining service and the control interface of one local network share: the ledger, the
//! open WebSockets, and which web pages may use it.

use super::chain::{Chain, ChainEvent, addresses_of};
use super::faults::{Faults, NodeMode};
use super::{DevnetConfig, NETWORK, SubscriptionLimits, timestamp_now, unix_now, vertex_json};
use crate::ledger::{Address, VertexId};
use crate::net::head;
use crate::net::host::{is_fixed, is_loopback_origin, name_of};
use axum::extract::{Request, State};
use axum::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, HOST, HeaderName, ORIGIN, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, watch};

pub(super) struct Shared {
    chain: Mutex<Chain>,
    pub(super) hub: Hub,
    pub(super) faults: Faults,
    limits: Mutex<SubscriptionLimits>,
    /** The features that the node lists, and their states, by name. */
    features: Mutex<BTreeMap<String, String>>,
    pub(super) history_streaming: bool,
    block_interval: watch::Sender<Option<Duration>>,
    /** The time between blocks that the network was started with. */
    pub(super) usual_interval: Option<Duration>,
    stop: watch::Sender<bool>,
    pub(super) miner_script: Vec<u8>,
    pub(super) cors_origin: axum::http::HeaderValue,
    pub(super) started_at: f64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic while the lock was held has been reported already; the ledger is still the best answer there
    // is.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    pub(super) fn new(
        chain: Chain,
        miner_script: Vec<u8>,
        cors_origin: axum::http::HeaderValue,
        config: &DevnetConfig,
    ) -> Self {
        Self {
            chain: Mutex::new(chain),
            hub: Hub::default(),
            faults: Faults::default(),
            limits: Mutex::new(config.limits),
            features: Mutex::default(),
            history_streaming: config.history_streaming,
            block_interval: watch::Sender::new(config.block_interval),
            usual_interval: config.block_interval,
            stop: watch::Sender::new(false),
            miner_script,
            cors_origin,
            started_at: unix_now(),
        }
    }

    /// Looks at the ledger.
    pub(super) fn read<T>(&self, look: impl FnOnce(&Chain) -> T) -> T {
        look(&lock(&self.chain))
    }

    /// Changes the ledger and tells the open connections what happened, in its order.
    pub(super) fn change<T>(&self, act: impl FnOnce(&mut Chain, u32) -> T) -> T {
        let mut chain = lock(&self.chain);
        let result = act(&mut chain, timestamp_now());
        let events = chain.drain_events();
        let mut new_block = false;
        for event in &events {
            match event {
                ChainEvent::Touched(vertex) => {
                    let addresses = addresses_of(vertex, NETWORK).iter().map(ToString::to_string).collect();
                    let vertex = vertex_json::vertex_text(vertex);
                    self.hub.publish(&Notice::Watchers { addresses, vertex });
                }
                ChainEvent::Accepted(vertex) => {
                    new_block |= vertex.is_block();
                    self.hub.publish(&Notice::Everyone(vertex_json::new_vertex_frame(vertex)));
                }
            }
        }
        if new_block {
            self.hub.publish(&Notice::Everyone(vertex_json::metrics_frame(&chain)));
        }
        result
    }

    /// The ids of an address's history, oldest first; none for what is no address of the network.
    pub(super) fn history_of(&self, address: &str) -> Vec<VertexId> {
        match Address::parse(address, NETWORK) {
            Ok(address) => self.read(|chain| chain.history_of(&address).collect()),
            Err(_) => Vec::new(),
        }
    }

    /// What happens to a request for `path`, once it is no longer that nothing is answered.
    pub(super) async fn node_mode(&self, path: &str) -> NodeMode {
        tokio::select! {
            mode = self.faults.node_mode(path) => mode,
            () = self.stopped() => NodeMode::Down,
        }
    }

    pub(super) fn limits(&self) -> SubscriptionLimits {
        *lock(&self.limits)
    }

    pub(super) fn set_limits(&self, limits: SubscriptionLimits) {
        *lock(&self.limits) = limits;
    }

    pub(super) fn features(&self) -> BTreeMap<String, String> {
        lock(&self.features).clone()
    }

    /// Amounts have 18 decimals where that feature is active; the ledger's other rules stay as they are.
    pub(super) fn set_features(&self, features: BTreeMap<String, String>) {
        let amounts_v2 = features.get("TOKEN_AMOUNT_V2").is_some_and(|state| state == "ACTIVE");
        self.change(|chain, _| chain.rules_mut().amounts_v2 = amounts_v2);
        *lock(&self.features) = features;
    }

    /// The time between blocks; `None` while the timer stands still.
    pub(super) const fn block_interval(&self) -> &watch::Sender<Option<Duration>> {
        &self.block_interval
    }

    /// Ends when the network shuts down.
    pub(super) fn stopped(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut stop = self.stop.subscribe();
        async move {
            // An error means that the network is gone altogether.
            let _ = stop.wait_for(|stop| *stop).await;
        }
    }

    pub(super) fn stop(&self) {
        self.stop.send_replace(true);
    }
}

// Brings what happens on the ledger to every open WebSocket.

/// Events that may wait for one connection. One that reads slower than this is dropped, as a full node would.
const BACKLOG: usize = 16_384;

/// Most connections at a time.
const MOST_CONNECTIONS: usize = 4_096;

/// Something that connections are told.
#[derive(Clone, Debug)]
pub(super) enum Notice {
    /** A whole frame, for every connection. */
    Everyone(Arc<str>),
    /** A vertex's JSON, for the connections that watch one of these addresses. */
    Watchers { addresses: Arc<[String]>, vertex: Arc<str> },
}

#[derive(Default)]
pub(super) struct Hub(Mutex<Vec<mpsc::Sender<Notice>>>);

impl Hub {
    fn connections(&self) -> std::sync::MutexGuard<'_, Vec<mpsc::Sender<Notice>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new connection's notices, if there is room for it. They end when the connection has to be dropped.
    pub(super) fn join(&self) -> Option<mpsc::Receiver<Notice>> {
        let (sender, receiver) = mpsc::channel(BACKLOG);
        let mut connections = self.connections();
        if connections.len() >= MOST_CONNECTIONS {
            connections.retain(|connection| !connection.is_closed());
        }
        (connections.len() < MOST_CONNECTIONS).then(|| {
            connections.push(sender);
            receiver
        })
    }

    pub(super) fn publish(&self, notice: &Notice) {
        self.connections().retain(|connection| connection.try_send(notice.clone()).is_ok());
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.connections().iter().filter(|connection| !connection.is_closed()).count()
    }

    pub(super) fn drop_all(&self) {
        self.connections().clear();
    }
}

// Which web pages may use the local network: those that this machine serves to itself, and those of the
// configured origin.

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Refuses what other pages ask, and names by which a page may have pointed a browser here. Programs that are
/// no browser pass.
pub(super) async fn refuse_strangers(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let answer = |status, error: &str| (status, axum::Json(json!({ "error": error }))).into_response();
    if let Some(why) = head::problem(&request) {
        return answer(StatusCode::BAD_REQUEST, &why);
    }
    let refused = |error| answer(StatusCode::FORBIDDEN, error);
    let headers = request.headers();
    let authority = request.uri().authority().map(|authority| authority.as_str());
    let host = authority.or_else(|| headers.get(HOST).map(|host| host.to_str().unwrap_or_default()));
    if !host.is_none_or(|host| name_of(host).is_some_and(is_fixed)) {
        return refused("the local network is called localhost or by its address, and by no other name");
    }
    let is_let_in = match headers.get(ORIGIN) {
        Some(origin) => {
            is_of_this_machine(origin) || shared.cors_origin == origin || shared.cors_origin == "*"
        }
        None => headers.get(SEC_FETCH_SITE).is_none_or(|site| site != "cross-site"),
    };
    if !is_let_in {
        return refused("pages from elsewhere may not use the local network: serve yours at localhost");
    }
    next.run(request).await
}

fn is_of_this_machine(origin: &HeaderValue) -> bool {
    origin.to_str().is_ok_and(is_loopback_origin)
}

/// The origin that a request is from, if it is one of this machine.
pub(super) fn local_origin(request: &Request) -> Option<HeaderValue> {
    request.headers().get(ORIGIN).filter(|origin| is_of_this_machine(origin)).cloned()
}

/// Lets the pages read an answer: those of a local origin, or else those of the configured one.
pub(super) fn allow_origin(shared: &Shared, local: Option<HeaderValue>, headers: &mut HeaderMap) {
    if local.is_some() {
        headers.append(VARY, HeaderValue::from_static("Origin"));
    }
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, local.unwrap_or_else(|| shared.cors_origin.clone()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_have_a_number_and_make_room_when_they_end() {
        let hub = Hub::default();
        let mut all: Vec<_> = (0..MOST_CONNECTIONS).map(|_| hub.join().expect("room")).collect();
        assert!(hub.join().is_none());
        all.pop();
        assert!(hub.join().is_some());
    }
}
