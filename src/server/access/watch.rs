//! A server's keys, kept up to date: other servers and the command line change the document.

use super::key::StoredKey;
use super::key_store::{self, KeyError, KeyStore};
use super::known::{Entry, Known, KnownState};
use super::limit_names::{Whose, lacking_approvers, misspelt_wallets};
use crate::ledger::Network;
use crate::limits::Rule;
use crate::rt;
use crate::server::Config;
use crate::store::Stores;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::watch;

/// How often the document is checked for changes, and how long a key revoked on another server stays valid.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// How long a request waits for the first read.
const FIRST_READ_LIMIT: Duration = Duration::from_secs(5);

pub(in crate::server) struct Access(Arc<Inner>);

struct Inner {
    sources: Mutex<Sources>,
    known: watch::Sender<Arc<Known>>,
    /// Whether there is a document to watch, and whether it is being watched.
    is_kept: AtomicBool,
    is_watched: AtomicBool,
}

#[derive(Default)]
struct Sources {
    settings: Vec<StoredKey>,
    /// By wallet; keys have their own.
    limits: BTreeMap<String, Arc<[Rule]>>,
    /// The names of seeds, which are often wallets' ids, too.
    seeds: Vec<String>,
    network: Option<Network>,
    /// The warnings logged last.
    warnings: BTreeSet<String>,
    stores: Option<Arc<dyn Stores>>,
    /// `None` until it is read.
    key_store: Option<KeyStore>,
    is_unreadable: bool,
}

impl Access {
    pub fn new(settings: &Config, stores: Option<&Arc<dyn Stores>>) -> Self {
        let access = Self(Arc::new(Inner {
            sources: Mutex::default(),
            known: watch::Sender::default(),
            is_kept: AtomicBool::new(false),
            is_watched: AtomicBool::new(false),
        }));
        access.configure(settings, stores);
        access
    }

    pub fn configure(&self, settings: &Config, stores: Option<&Arc<dyn Stores>>) {
        let mut sources = self.0.sources();
        let place = |stores: Option<&Arc<dyn Stores>>| stores.map(|stores| Arc::as_ptr(stores).cast::<()>());
        if place(sources.stores.as_ref()) != place(stores) {
            (sources.key_store, sources.is_unreadable) = (None, false);
        }
        sources.settings = settings.keys.clone();
        sources.limits = settings.limits.clone();
        sources.seeds = settings.seeds.keys().chain(settings.signers.keys()).cloned().collect();
        sources.network = Some(settings.network);
        sources.stores = stores.cloned();
        self.0.is_kept.store(sources.are_kept(), Relaxed);
        self.0.publish(&mut sources);
    }

    pub fn known(&self) -> Arc<Known> {
        self.watch();
        self.0.known.borrow().clone()
    }

    /// Reads the store's document and watches it from then on. Needs a runtime.
    pub fn watch(&self) {
        if self.0.is_kept.load(Relaxed) && !self.0.is_watched.swap(true, Relaxed) {
            tokio::spawn(keep_looking(Arc::downgrade(&self.0)));
        }
    }

    /// All keys; `None` if the store's keys were never read.
    pub async fn whole(&self) -> Option<Arc<Known>> {
        let known = self.known();
        match known.state {
            KnownState::Whole => return Some(known),
            KnownState::Unreadable => return None,
            KnownState::Unread => {}
        }
        // Boxed: otherwise each request's future has room for it.
        let first = Box::pin(async {
            let mut changes = self.0.known.subscribe();
            let read =
                rt::timeout(FIRST_READ_LIMIT, changes.wait_for(|known| known.state != KnownState::Unread));
            Some(read.await.ok()?.ok()?.clone())
        });
        first.await.filter(|known| known.state == KnownState::Whole)
    }

    /// Checks at once for changes of the document.
    ///
    /// # Errors
    /// [`KeyError`] if it can't be read: the known keys stay.
    pub async fn refresh(&self) -> Result<(), KeyError> {
        self.0.refresh().await
    }

    pub async fn ended(&self, key: Entry) {
        let mut changes = self.0.known.subscribe();
        loop {
            let left = {
                let known = changes.borrow_and_update();
                let now = u64::from(rt::unix_seconds());
                let same = known.by_hash(&key.hash).filter(|entry| !entry.has_ended(now));
                match same {
                    None => return,
                    Some(entry) => entry.ends().map(|until| until.saturating_sub(now)),
                }
            };
            let pause = rt::sleep(Duration::from_secs(left.unwrap_or(u64::from(u32::MAX)).min(86_400)));
            tokio::select! {
                changed = changes.changed() => if changed.is_err() { return },
                () = pause => {}
            }
        }
    }
}

impl Sources {
    /// A sentence for each name in limits that does not exist or is probably a typo.
    fn wrong_names(&self, keys: &[StoredKey]) -> BTreeSet<String> {
        let valid = || keys.iter().filter(|key| key.revoked.is_none());
        let of_keys = valid().map(|key| (Whose::Key(&key.name, &key.grant), &*key.grant.limits));
        let of_wallets = self.limits.iter().map(|(id, rules)| (Whose::Wallet(id), &**rules));
        let mut said = lacking_approvers(of_wallets.chain(of_keys), keys);
        let wallets: Vec<_> = valid().flat_map(|key| key.grant.wallets()).collect();
        let named = wallets.iter().chain(&self.seeds).map(String::as_str).collect();
        said.extend(misspelt_wallets(self.limits.keys().map(String::as_str), &named));
        // Keys in the settings were checked before.
        let other_network = |key: &StoredKey| {
            let wrong = key.grant.limits.iter().find_map(|rule| rule.check_network(self.network?).err());
            wrong.map(|error| format!("the API key {:?}: {error}", key.name))
        };
        said.extend(valid().filter_map(other_network));
        said
    }

    fn are_kept(&self) -> bool {
        self.stores.as_ref().is_some_and(|stores| stores.documents().is_some())
    }
}

impl Inner {
    fn sources(&self) -> MutexGuard<'_, Sources> {
        self.sources.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn publish(&self, sources: &mut Sources) {
        let stored = sources.key_store.as_ref().map_or(&[][..], |key_store| &key_store.keys);
        let state = match &sources.key_store {
            None if sources.are_kept() && sources.is_unreadable => KnownState::Unreadable,
            None if sources.are_kept() => KnownState::Unread,
            _ => KnownState::Whole,
        };
        let before = self.known.borrow().clone();
        if state == KnownState::Whole {
            let keys = [&sources.settings, stored].concat();
            let warnings = sources.wrong_names(&keys);
            for warning in warnings.difference(&sources.warnings) {
                tracing::warn!("{warning}");
            }
            sources.warnings = warnings;
        }
        let stored = sources.key_store.as_ref().map_or(&[][..], |key_store| &key_store.keys);
        self.known.send_replace(Arc::new(Known::of(&sources.settings, stored, state, &before)));
    }

    async fn refresh(&self) -> Result<(), KeyError> {
        let (stores, known) = {
            let sources = self.sources();
            (sources.stores.clone(), sources.key_store.as_ref().map(|key_store| key_store.version))
        };
        let Some(documents) = stores.as_ref().and_then(|stores| stores.documents()) else { return Ok(()) };
        if known == Some(key_store::version(documents).await?) {
            return Ok(());
        }
        let key_store = key_store::read(documents).await?;
        let mut sources = self.sources();
        let is_same = match (&sources.stores, &stores) {
            (Some(now), Some(read)) => Arc::ptr_eq(now, read),
            _ => false,
        };
        // The settings may have changed meanwhile.
        if is_same {
            sources.key_store = Some(key_store);
            self.publish(&mut sources);
        }
        Ok(())
    }
}

/// Watches the document while the server exists.
async fn keep_looking(inner: Weak<Inner>) {
    let mut is_told = false;
    while let Some(inner) = inner.upgrade() {
        match inner.refresh().await {
            Ok(()) => {
                if std::mem::take(&mut is_told) {
                    tracing::info!("the API keys can be read again");
                }
            }
            Err(error) if !is_told => {
                tracing::error!("the API keys can't be read, and those known before go on: {error}");
                is_told = true;
                let mut sources = inner.sources();
                sources.is_unreadable = true;
                inner.publish(&mut sources);
            }
            Err(_) => {}
        }
        drop(inner);
        rt::sleep(LOOK_AGAIN).await;
    }
}
