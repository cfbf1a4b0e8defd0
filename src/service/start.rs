//! A wallet's start, as a view of an account that may run already, and its end.

use super::account::RunningAccount;
use super::account::facts::EVENTS;
use super::account::live_state::lock;
use super::account::reserve::InFlightSends;
use super::backend::Backend;
use super::error::StartError;
use super::guard::WalletSigner;
use super::options::{Account, Options};
use super::send::recover;
use super::status::Phase;
use super::swap_proposals::SwapProposals;
use super::wallet::{Inner, Wallet};
use super::{settling, sync};
use crate::keys::AddressKeys;
use crate::ledger::Amount;
use crate::node::{Lane, NodeVersion};
use crate::rt;
use crate::store::{Owner, StoreError};
use crate::wallet::Scan;
use std::sync::{Arc, Once};
use std::time::Duration;
use tracing::Instrument;

/// How long a start waits for the node, so that its caller soon learns that it is down.
const START_LIMIT: Duration = Duration::from_secs(5);

/// Warns, once per process, of a node with an unusual deposit: tokens cost more or less there than expected.
fn warn_of_deposit(version: &NodeVersion) {
    static ONCE: Once = Once::new();
    if !version.deposit.is_usual() {
        ONCE.call_once(|| {
            let (network, deposit) = (&version.network, version.deposit.deposit(Amount::new(10_000)));
            tracing::warn!(
                "the full node of {network} asks for a deposit other than 1 %: {deposit} cents of HTR for 100.00 of a token"
            );
        });
    }
}

fn begin(account: &Arc<RunningAccount>, options: &Options) {
    let mut tasks = vec![follow(account, options)];
    tasks.push(rt::spawn(recover::run(account.clone()).in_current_span()));
    if EVENTS {
        tasks.push(rt::spawn(
            settling::follow(account.clone(), options.events_confirmations).in_current_span(),
        ));
    }
    *lock(&account.tasks) = tasks;
}

fn follow(account: &Arc<RunningAccount>, options: &Options) -> rt::TaskHandle {
    rt::spawn(sync::run(account.clone(), options.sync_mode).in_current_span())
}

impl Wallet {
    /// Asks the node for its version, checks its network, and begins to load. Returns before the history is
    /// loaded: see [`Wallet::ready`].
    ///
    /// # Errors
    /// [`StartError`]; nothing is left running.
    pub async fn start(account: Account, backend: Backend, options: Options) -> Result<Self, StartError> {
        let node = backend.node.in_lane(Lane::Check).with_limits(START_LIMIT, START_LIMIT);
        let version = node.version().await?;
        version.check_network(backend.network.name())?;
        warn_of_deposit(&version);
        let (public, signer) = account.into_sides();
        let scan = match &public {
            // The list is complete, and any of its addresses may be in use.
            AddressKeys::List(list) => Scan::IndexLimit { first: 0, last: list.count() - 1 },
            AddressKeys::Account(_) | AddressKeys::Multisig(_) => options.scan,
        };
        let owner = Owner {
            wallet: public.wallet_id(),
            network: version.network.clone(),
            genesis: version.genesis_block,
        };
        // The log lines of the account's tasks belong neither to this request nor to this wallet id.
        let span = tracing::error_span!(parent: None, "account", name = owner.name());
        let slot = options.shared.slot(&owner);
        let mut running = slot.lock().await;
        // An account that has lost its store ends without this start.
        running.take_if(|account| account.state.check_store() == Err(StoreError::Taken));
        if let Some(account) = &*running {
            account.check_joining(&backend.node)?;
        }
        let joins = running.is_some();
        let last_event = match &*running {
            Some(account) => Some(account.state.last_event().await?),
            None => None,
        };
        let (account, view) = match &*running {
            Some(account) => (account.clone(), account.add_view(scan).await),
            None => {
                let keys = (public, scan);
                let kept = (options.stores.as_deref(), &options.shared);
                let account = RunningAccount::load(keys, &backend, version.clone(), &owner, kept);
                let account = account.instrument(span.clone()).await?;
                span.in_scope(|| begin(&account, &options));
                *running = Some(account.clone());
                let view = account.state.read().this_view();
                (account, view)
            }
        };
        let status = account.ids.join(view, account.address_count());
        if account.ids.status().phase == Phase::Error {
            // The task may have ended because of an id that is gone by now.
            account.set_phase(Phase::Connecting, None);
            if let Some(task) = lock(&account.tasks).first_mut() {
                *task = span.in_scope(|| follow(&account, &options));
            }
        }
        if joins {
            account.wake.notify_one();
        }
        drop(running);
        let inner = Arc::new(Inner {
            sends: InFlightSends::new(&account),
            view,
            slot,
            backend,
            version,
            last_event_at_start: last_event.unwrap_or(account.last_event_at_start),
            account,
            signer: signer.map(WalletSigner::new),
            scan,
            wait_for_change: options.wait_for_change,
            status,
            swaps: SwapProposals::new(options.swap_service),
        });
        Ok(Self { inner, guard: None, lane: Lane::default() })
    }

    /// Refuses sends that wait for others' change, now and later. Sends that have their inputs continue.
    pub fn end_waiting(&self) {
        self.inner.sends.end_waiting();
        // Wakes sends that wait for the node, so that they see it.
        self.inner.status.send_modify(|_| {});
    }

    /// Accepts no more sends, and waits for those under way. The last wallet of an account ends it, once
    /// everything is written.
    pub async fn stop(&self) {
        self.inner.sends.close();
        // Wakes sends that wait for the node, so that they see it.
        self.inner.status.send_modify(|_| {});
        self.inner.sends.end().await;
        self.inner.swaps.forget_all();
        // A new start waits until the account has ended.
        let mut running = self.inner.slot.lock().await;
        let account = &self.inner.account;
        if account.ids.leave(self.inner.view) {
            // If the store was lost, the slot may have a successor already.
            running.take_if(|running| Arc::ptr_eq(running, account));
            account.end().await;
            self.inner.set_closed();
        } else {
            // A caller that finds the wallet ready, with the state locked, also finds its view.
            self.inner.set_closed();
            account.state.write().retain_views(&account.ids.views());
        }
    }
}
