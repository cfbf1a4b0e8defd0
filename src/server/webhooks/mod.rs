//! Webhooks: events are posted to those whom `[[webhooks]]` names, signed as Standard Webhooks has it
//! (<https://www.standardwebhooks.com>).
//!
//! Each listener gets a wallet's events in their order, one after the other: what it does not take is posted
//! again, with growing pauses, for a day; then it counts as gone, and is told nothing until somebody has a
//! delivery made again. How far it has got is kept in the store. Of several servers one tells it.

mod deliver;
mod record;
mod sign;

pub(super) use deliver::{Redelivered, redeliver};
pub(super) use record::{Delivery, SinkState};

use super::App;
use super::config::WebhookSettings;
use crate::service::{Phase, Wallet};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::future::pending;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Mutex as AsyncMutex;
use tracing::Instrument;

/// What a server did for its webhooks, and how they are.
#[derive(Default)]
pub(super) struct Webhooks {
    /// By wallet and key.
    standing: Mutex<BTreeMap<(String, [u8; 16]), Standing>>,
    wallets: Mutex<HashMap<String, Wallet>>,
    delivered: AtomicU64,
    failed: AtomicU64,
    /// Events that were let go before their listener has had them.
    dropped: AtomicU64,
    /// Held while what is known of a delivery is read and written anew, so that no post is lost count of.
    noting: AsyncMutex<()>,
    /// Whose deliveries are being made again.
    again: Mutex<HashSet<[u8; 16]>>,
}

/// Makes deliveries of a listener again, while it is there: one at a time.
pub(super) struct Again<'a>(&'a Webhooks, [u8; 16]);

impl Drop for Again<'_> {
    fn drop(&mut self) {
        self.0.again().remove(&self.1);
    }
}

/// How a listener is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Standing {
    /// Events that it has not had.
    pub behind: u64,
    /// It is told nothing any more.
    pub is_off: bool,
}

impl Webhooks {
    /// Begins to tell of a wallet's events, until it is stopped.
    pub fn begin(app: &App, id: &str, wallet: &Wallet) {
        let mut wallets = app.webhooks().wallets();
        if wallets.get(id).is_some_and(|told| told.is(wallet)) {
            return;
        }
        wallets.insert(id.to_owned(), wallet.clone());
        let span = tracing::error_span!(parent: None, "webhooks", wallet = id);
        let work = supervise(app.clone(), id.to_owned(), wallet.clone());
        tokio::spawn(work.instrument(span));
    }

    /// How many events each listener has not had, of all their wallets, and how many listeners are off.
    pub fn behind_and_off(&self) -> (u64, usize) {
        let standing = self.standing();
        let behind = standing.values().map(|standing| standing.behind).sum();
        (behind, standing.values().filter(|standing| standing.is_off).count())
    }

    /// Posts that were taken and that were not, and events that were let go.
    pub fn counts(&self) -> (u64, u64, u64) {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        (count(&self.delivered), count(&self.failed), count(&self.dropped))
    }

    /// The turn of a listener to have a delivery made again; `None` while another one is.
    pub fn begin_again(&self, key: [u8; 16]) -> Option<Again<'_>> {
        self.again().insert(key).then(|| Again(self, key))
    }

    fn again(&self) -> MutexGuard<'_, HashSet<[u8; 16]>> {
        self.again.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, wallet_id: &str, key: [u8; 16], standing: Standing) {
        self.standing().insert((wallet_id.to_owned(), key), standing);
    }

    fn forget(&self, wallet_id: &str) {
        self.standing().retain(|(of, _), _| of != wallet_id);
    }

    fn count(&self, was_taken: bool) {
        let counter = if was_taken { &self.delivered } else { &self.failed };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    fn standing(&self) -> MutexGuard<'_, BTreeMap<(String, [u8; 16]), Standing>> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wallets(&self) -> MutexGuard<'_, HashMap<String, Wallet>> {
        self.wallets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The listeners of a wallet.
pub(super) fn of_wallet(app: &App, wallet_id: &str) -> Vec<WebhookSettings> {
    app.config().webhooks.iter().filter(|webhook| webhook.is_for(wallet_id)).cloned().collect()
}

/// Tells a wallet's listeners, as the configuration has them at the time.
async fn supervise(app: App, wallet_id: String, wallet: Wallet) {
    let mut setups = app.setups();
    let end = std::pin::pin!(end(app.clone(), &wallet));
    let mut end = end;
    loop {
        setups.borrow_and_update();
        let work = of_wallet(&app, &wallet_id).into_iter().map(|webhook| {
            let url = webhook.url.to_string();
            let span = tracing::error_span!("webhook", url);
            deliver::run(&app, &wallet_id, &wallet, webhook).instrument(span)
        });
        let work: Vec<_> = work.collect();
        let telling = async {
            if !work.is_empty() {
                futures_util::future::join_all(work).await;
            }
            pending::<()>().await
        };
        tokio::select! {
            () = telling => {}
            changed = setups.changed() => if changed.is_err() { break },
            () = &mut end => break,
        }
        app.webhooks().forget(&wallet_id);
    }
    app.webhooks().forget(&wallet_id);
    let mut wallets = app.webhooks().wallets();
    if wallets.get(&wallet_id).is_some_and(|told| told.is(&wallet)) {
        wallets.remove(&wallet_id);
    }
}

/// Waits for the end of the wallet, or of the server.
async fn end(app: App, wallet: &Wallet) {
    let mut status = wallet.watch();
    tokio::select! {
        () = app.ending() => {}
        // Without anybody who could tell, it is.
        _ = status.wait_for(|status| status.phase == Phase::Closed) => {}
    }
}
