//! What the node, the mining service and the control interface of one local network share.

use super::basics::{NETWORK, timestamp_now, unix_now};
use super::chain::{Chain, ChainEvent, addresses_of};
use super::faults::{Faults, NodeMode};
use super::frames;
use super::hub::{Hub, Notice};
use super::{DevnetConfig, SubscriptionLimits};
use crate::ledger::{Address, VertexId};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

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
                    let vertex = frames::vertex(vertex);
                    self.hub.publish(&Notice::Watchers { addresses, vertex });
                }
                ChainEvent::Accepted(vertex) => {
                    new_block |= vertex.is_block();
                    self.hub.publish(&Notice::Everyone(frames::new_vertex(vertex)));
                }
            }
        }
        if new_block {
            self.hub.publish(&Notice::Everyone(frames::metrics(&chain)));
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

    pub(super) fn set_features(&self, features: BTreeMap<String, String>) {
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
