//! Events for the listeners in the configuration: posted to `[[webhooks]]`, signed as by Standard Webhooks
//! (<https://www.standardwebhooks.com>), and published to RabbitMQ.
//!
//! Each listener gets a wallet's events in order, one at a time. An event that it does not accept is retried
//! with growing pauses. After a day a webhook is turned off until a delivery made again succeeds; a broker
//! never is. Each listener's position is in the store.

mod deliver;
mod record;
mod sink;

pub(super) use deliver::{Redelivered, redeliver};
pub(super) use record::{Delivery, SinkState};
pub(super) use sink::Sink;

use super::App;
use super::config::WebhookSettings;
use super::plugins::publish_others;
use crate::service::{Phase, Wallet};
use futures_util::future::join_all;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::future::pending;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Mutex as AsyncMutex;
use tracing::Instrument;

/// The counters of deliveries, and the state of each listener.
#[derive(Default)]
pub(super) struct Webhooks {
    /// By wallet and key.
    standing: Mutex<BTreeMap<(String, [u8; 16]), Standing>>,
    wallets: Mutex<HashMap<String, Wallet>>,
    posts: Counts,
    messages: Counts,
    dropped: AtomicU64,
    /// Locked while the record of a delivery is read and rewritten, so that no post is lost.
    noting: AsyncMutex<()>,
    redelivered: Mutex<HashSet<[u8; 16]>>,
}

/// Delivers again to a listener until it is dropped: one delivery at a time.
pub(super) struct Redelivery<'a>(&'a Webhooks, [u8; 16]);

impl Drop for Redelivery<'_> {
    fn drop(&mut self) {
        self.0.redelivered().remove(&self.1);
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Standing {
    pub behind: u64,
    pub is_off: bool,
    pub is_broker: bool,
}

#[derive(Default)]
struct Counts {
    taken: AtomicU64,
    failed: AtomicU64,
}

impl Counts {
    fn counts(&self) -> [u64; 2] {
        [&self.taken, &self.failed].map(|count| count.load(Ordering::Relaxed))
    }
}

impl Webhooks {
    /// Begins to deliver a wallet's events, until it is stopped.
    pub fn begin(app: &App, id: &str, wallet: &Wallet) {
        let mut wallets = app.webhooks().wallets();
        if wallets.get(id).is_some_and(|known| known.is(wallet)) {
            return;
        }
        wallets.insert(id.to_owned(), wallet.clone());
        let span = tracing::error_span!(parent: None, "webhooks", wallet = id);
        let work = supervise(app.clone(), id.to_owned(), wallet.clone());
        tokio::spawn(work.instrument(span));
    }

    /// Events not delivered yet, in all wallets: to webhooks, and to the broker.
    pub fn behind(&self) -> [u64; 2] {
        let standing = self.standing();
        [false, true].map(|is_broker| {
            let of_kind = standing.values().filter(|standing| standing.is_broker == is_broker);
            of_kind.map(|standing| standing.behind).sum()
        })
    }

    pub fn off(&self) -> usize {
        self.standing().values().filter(|standing| standing.is_off).count()
    }

    /// Accepted and failed posts.
    pub fn posts(&self) -> [u64; 2] {
        self.posts.counts()
    }

    /// Accepted and failed messages.
    pub fn messages(&self) -> [u64; 2] {
        self.messages.counts()
    }

    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// The right to make one of a listener's deliveries again; `None` while another is being made.
    pub fn begin_redelivery(&self, key: [u8; 16]) -> Option<Redelivery<'_>> {
        self.redelivered().insert(key).then(|| Redelivery(self, key))
    }

    fn redelivered(&self) -> MutexGuard<'_, HashSet<[u8; 16]>> {
        self.redelivered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, wallet_id: &str, key: [u8; 16], standing: Standing) {
        self.standing().insert((wallet_id.to_owned(), key), standing);
    }

    fn forget(&self, wallet_id: &str) {
        self.standing().retain(|(of, _), _| of != wallet_id);
    }

    fn count(&self, is_broker: bool, was_taken: bool) {
        let counts = if is_broker { &self.messages } else { &self.posts };
        let count = if was_taken { &counts.taken } else { &counts.failed };
        count.fetch_add(1, Ordering::Relaxed);
    }

    fn standing(&self) -> MutexGuard<'_, BTreeMap<(String, [u8; 16]), Standing>> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wallets(&self) -> MutexGuard<'_, HashMap<String, Wallet>> {
        self.wallets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) fn of_wallet(app: &App, wallet_id: &str) -> Vec<WebhookSettings> {
    app.config().webhooks.iter().filter(|webhook| webhook.is_for(wallet_id)).cloned().collect()
}

/// Delivers to a wallet's listeners, by the configuration of the time.
async fn supervise(app: App, wallet_id: String, wallet: Wallet) {
    let mut setups = app.setups();
    let end = std::pin::pin!(end(app.clone(), &wallet));
    let mut end = end;
    // Events from before this task are delivered, too: the wallet may be ready, and paid, earlier.
    let mut from = Some(wallet.last_event_at_start());
    loop {
        setups.borrow_and_update();
        let rabbitmq = app.setup().rabbitmq.clone();
        let webhooks = of_wallet(&app, &wallet_id).into_iter().map(Sink::Webhook);
        // Release 0.39 does not have these events.
        let broker = rabbitmq.clone().filter(|_| !app.config().compat.tells_plugins_as_0_39());
        let sinks = webhooks.chain(broker.map(Sink::RabbitMq)).map(|sink| {
            let span = tracing::error_span!("sink", to = %sink);
            deliver::run(&app, &wallet_id, &wallet, sink, from).instrument(span)
        });
        let sinks: Vec<_> = sinks.collect();
        let delivering = async {
            if let Some(publisher) = &rabbitmq {
                tokio::join!(join_all(sinks), publish_others(&app, &wallet_id, &wallet, publisher));
            } else if !sinks.is_empty() {
                join_all(sinks).await;
            }
            pending::<()>().await
        };
        tokio::select! {
            () = delivering => {}
            changed = setups.changed() => if changed.is_err() { break },
            () = &mut end => break,
        }
        app.webhooks().forget(&wallet_id);
        // Listeners added later begin with new events.
        from = None;
    }
    app.webhooks().forget(&wallet_id);
    let mut wallets = app.webhooks().wallets();
    if wallets.get(&wallet_id).is_some_and(|known| known.is(&wallet)) {
        wallets.remove(&wallet_id);
    }
}

async fn end(app: App, wallet: &Wallet) {
    let mut status = wallet.watch();
    tokio::select! {
        () = app.ending() => {}
        // The sender is gone: the wallet has ended.
        _ = status.wait_for(|status| status.phase == Phase::Closed) => {}
    }
}
