//! This server's lease: renewed in a thread of its own, and valid by this machine's clock.
//!
//! ```text
//! valid here        ├───────────── 1.5 s ──────┤
//! in the database      ├─────────────── 1.8 s ───────────┤   others may take its accounts
//!               asked ─┘ written
//! ```
//!
//! A server that was paused finds its lease ended. It renews it, and looks which accounts others have taken
//! meanwhile, before it answers other requests. Writes don't depend on this: they are fenced.
//!
//! A machine that was suspended together with its clock learns that from the database at its next renewal;
//! its reads may be stale until then.

use super::Inner;
use super::account::{LeaseTable, Renewed};
use super::error::PgError;
use super::lock;
use super::pool::{ANSWER_LIMIT, Fence};
use super::store::PostgresStore;
use crate::limits::{Charge, PaymentId};
use crate::rt::{self, Instant};
use crate::store::{LeaseHealth, ServerName, Store, StoreError};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tracing::Instrument;

/// How long a renewal counts here: less than in the database, because clocks drift, and because a crash of
/// the database may undo a renewal.
const VALID: Duration = Duration::from_millis(1_500);
const RENEW_EVERY: Duration = Duration::from_millis(400);
/// The time without an answer after which a warning is logged; the server waits on.
const SILENT_AFTER: Duration = Duration::from_secs(2);
/// How often this server looks which accounts it has.
const LOOK_EVERY: Duration = Duration::from_secs(2);
const TIDY_EVERY: Duration = Duration::from_secs(600);
const PAUSE: Duration = Duration::from_millis(400);
/// How long the end of a server waits for the end of its lease, which also expires; and a stop for the
/// release of its account.
const END_LIMIT: Duration = Duration::from_secs(1);
const RELEASED_EVERY: Duration = Duration::from_millis(5);

/// A payment to be taken back, with the send that counted it.
type Uncounted = (i64, PaymentId, Vec<Charge>);

struct Opened {
    fence: Fence,
    name: String,
    store: Weak<PostgresStore>,
}

/// Marks that accounts are being taken, until it is dropped.
pub(super) struct Taking<'a>(&'a Server);

impl Drop for Taking<'_> {
    fn drop(&mut self) {
        self.0.taking[0].fetch_sub(1, Ordering::SeqCst);
    }
}

#[derive(Default)]
pub(super) struct Server {
    url: OnceLock<String>,
    /// 0 without a lease.
    id: AtomicI64,
    /// Locked while a lease is begun.
    begin: tokio::sync::Mutex<()>,
    /// Until then no other server takes its accounts; `None` without a lease.
    valid_until: watch::Sender<Option<Instant>>,
    /// The database's time (Unix milliseconds) at a renewal.
    time: Mutex<Option<(Instant, u64)>>,
    /// The open stores, with the lock for opening each: the first opener takes the account, others share its
    /// store.
    open: Mutex<HashMap<i64, Opened>>,
    opening: Mutex<HashMap<i64, Arc<tokio::sync::Mutex<()>>>>,
    /// How many attempts to take accounts are under way, and how many have begun so far.
    taking: [AtomicU64; 2],
    /// Stores fail [`Store::check`].
    pub(super) has_changed: Notify,
    released: Mutex<Vec<Fence>>,
    uncounted: Mutex<Vec<Uncounted>>,
    /// There is something to release or to take back.
    added: Notify,
    /// Why the last renewal had no answer, if it had none.
    problem: watch::Sender<Option<StoreError>>,
    open_pushes: AtomicU64,
    is_running: AtomicBool,
    is_leaving: AtomicBool,
    leave: Notify,
    left: Notify,
}

impl Server {
    /// 0 without a lease.
    pub(super) fn now(&self) -> i64 {
        self.id.load(Ordering::SeqCst)
    }

    /// Only the first call counts.
    pub(super) fn reached_at(&self, url: &str) {
        let _ = self.url.set(url.to_owned());
    }

    pub(super) fn name(&self) -> Option<ServerName> {
        let id = u64::try_from(self.now()).ok().filter(|id| *id > 0)?;
        Some(ServerName { id, url: self.url.get().cloned(), is_ending: false })
    }

    /// The server's id. A server without a lease begins one, and renews it from then on.
    pub(super) async fn id(&self, stores: &Arc<Inner>) -> Result<i64, PgError> {
        let locked = rt::timeout(ANSWER_LIMIT, self.begin.lock()).await;
        let _lock = locked.map_err(|rt::Elapsed| PgError::Busy(ANSWER_LIMIT))?;
        if self.now() == 0 {
            let asked = Instant::now();
            let id = stores.accounts.begin(self.url.get().map(String::as_str)).await?;
            self.id.store(id, Ordering::SeqCst);
            self.valid_until.send_replace(Some(asked + VALID));
        }
        if !self.is_running.swap(true, Ordering::SeqCst) {
            let rounds = run(Arc::downgrade(stores), stores.server.clone());
            stores.accounts.go_on(Box::pin(rounds.in_current_span())).map_err(|error| {
                self.has_left();
                PgError::NoThread(error)
            })?;
        }
        Ok(self.now())
    }

    /// The store of an account, which this server runs from now on.
    pub(super) async fn open(
        &self,
        stores: &Arc<Inner>,
        account: i64,
        name: &str,
    ) -> Result<Arc<PostgresStore>, PgError> {
        let opening = self.opening(account);
        let locked = rt::timeout(ANSWER_LIMIT, opening.lock()).await;
        let _lock = locked.map_err(|rt::Elapsed| PgError::Busy(ANSWER_LIMIT))?;
        let known = lock(&self.open).get(&account).and_then(|opened| opened.store.upgrade());
        if let Some(store) = known {
            match store.check() {
                Ok(()) => return Ok(store),
                Err(StoreError::RunsOn(server)) => return Err(PgError::RunsOn(server)),
                // Taken again, by another fence.
                Err(_) => {}
            }
        }
        let _taking = self.taking();
        let id = self.id(stores).await?;
        let fence = match stores.accounts.take(account, id).await {
            Err(PgError::LeaseEnded) => {
                self.renewed().await?;
                stores.accounts.take(account, self.id(stores).await?).await
            }
            taken => taken,
        };
        Ok(self.opened(stores, fence?, name))
    }

    /// Until this is dropped, the database may have given this server accounts that it does not know of.
    pub(super) fn taking(&self) -> Taking<'_> {
        for count in &self.taking {
            count.fetch_add(1, Ordering::SeqCst);
        }
        Taking(self)
    }

    pub(super) fn opened(&self, stores: &Arc<Inner>, fence: Fence, name: &str) -> Arc<PostgresStore> {
        let store = Arc::new(PostgresStore::new(stores.clone(), fence, name));
        let opened = Opened { fence, name: name.to_owned(), store: Arc::downgrade(&store) };
        lock(&self.open).insert(fence.account, opened);
        store
    }

    pub(super) fn fence_of(&self, name: &str) -> Option<Fence> {
        self.stores()
            .into_iter()
            .find(|store| store.name == name && store.check() != Err(StoreError::Taken))
            .map(|store| store.fence)
    }

    fn opening(&self, account: i64) -> Arc<tokio::sync::Mutex<()>> {
        let mut opening = lock(&self.opening);
        opening.retain(|_, lock| Arc::strong_count(lock) > 1);
        opening.entry(account).or_default().clone()
    }

    fn stores(&self) -> Vec<Arc<PostgresStore>> {
        lock(&self.open).values().filter_map(|opened| opened.store.upgrade()).collect()
    }

    async fn renewed(&self) -> Result<(), PgError> {
        let mut valid = self.valid_until.subscribe();
        let is_valid = |until: &Option<Instant>| until.is_some_and(|until| until > Instant::now());
        let renewed = rt::timeout(END_LIMIT, valid.wait_for(is_valid)).await;
        renewed.map(drop).map_err(|rt::Elapsed| PgError::LeaseEnded)
    }

    /// Whether no other server can have taken an account.
    pub(super) fn is_valid(&self) -> bool {
        self.valid_until.borrow().is_none_or(|until| until > Instant::now())
    }

    /// As of the last renewal, plus the time since.
    pub(super) fn database_time(&self) -> Option<u64> {
        let (at, time) = (*lock(&self.time))?;
        time.checked_add(u64::try_from(at.elapsed().as_millis()).ok()?)
    }

    pub(super) fn problem(&self) -> Option<StoreError> {
        self.problem.borrow().clone()
    }

    pub(super) fn health(&self) -> LeaseHealth {
        let renewed = self.valid_until.borrow().filter(|_| self.now() != 0);
        let age = |until: Instant| {
            Instant::now().saturating_duration_since(until.checked_sub(VALID).unwrap_or(until))
        };
        LeaseHealth {
            problem: self.problem().map(|problem| problem.to_string()),
            renewed: renewed.map(age),
            accounts: self.stores().len() as u64,
            open_pushes: self.open_pushes.load(Ordering::Relaxed),
        }
    }

    pub(super) fn closed(&self, fence: Fence) {
        self.release(fence);
        let mut open = lock(&self.open);
        if open.get(&fence.account).is_some_and(|opened| opened.fence == fence) {
            open.remove(&fence.account);
        }
    }

    fn release(&self, fence: Fence) {
        lock(&self.released).push(fence);
        self.added.notify_one();
    }

    /// Waits, with a limit, until an account is released whose last store is about to be dropped.
    pub(super) async fn released(&self, name: &str) {
        let released = async {
            let is_open = || lock(&self.open).values().any(|opened| opened.name == name);
            while is_open() || !lock(&self.released).is_empty() {
                rt::sleep(RELEASED_EVERY).await;
            }
        };
        let _ = rt::timeout(END_LIMIT, released).await;
    }

    pub(super) fn take_back(&self, by: i64, id: PaymentId, charges: Vec<Charge>) {
        lock(&self.uncounted).push((by, id, charges));
        self.added.notify_one();
    }

    /// Announces to other servers that this one ends, if the database answers soon.
    pub(super) async fn will_leave(&self, accounts: &dyn LeaseTable) {
        // Without the announcement they don't wait, which costs no more than that.
        let _ = rt::timeout(END_LIMIT, accounts.will_end(self.now())).await;
    }

    /// Ends the rounds, and the lease if the database answers soon.
    pub(super) async fn leave(&self) {
        if self.is_running.load(Ordering::SeqCst) {
            self.is_leaving.store(true, Ordering::SeqCst);
            self.leave.notify_one();
            let _ = rt::timeout(END_LIMIT, self.left.notified()).await;
        }
    }

    fn has_left(&self) {
        self.is_leaving.store(false, Ordering::SeqCst);
        self.is_running.store(false, Ordering::SeqCst);
        self.left.notify_one();
    }

    /// Renews the lease. If it had ended, looks which accounts others have taken.
    async fn renew(&self, accounts: &dyn LeaseTable) -> Result<(), PgError> {
        let (id, asked) = (self.now(), Instant::now());
        if id == 0 {
            return Ok(());
        }
        let Some(Renewed { had_ended, time }) = accounts.renew(id).await? else {
            // The row is gone: this server was away for more than a day.
            self.id.store(0, Ordering::SeqCst);
            self.valid_until.send_replace(None);
            self.stores().iter().for_each(|store| store.lose());
            return Ok(());
        };
        *lock(&self.time) = Some((asked, time));
        if had_ended || !self.is_valid() {
            tracing::warn!("this server's lease had ended: it was renewed, and its accounts are looked for");
            self.valid_until.send_replace(Some(asked));
            let (here, left) = (self.stores(), accounts.left_to(id).await?);
            here.iter().filter(|store| !left.contains(&store.fence)).for_each(|store| store.lose());
        }
        self.valid_until.send_replace(Some(asked + VALID));
        Ok(())
    }

    /// Finds accounts that others have taken, and accounts of this server that a lost answer gave it.
    async fn look(&self, accounts: &dyn LeaseTable) -> Result<(), PgError> {
        let [taking, begun] = self.taking.each_ref().map(|count| count.load(Ordering::SeqCst));
        let here = self.stores();
        let there = accounts.of_server(self.now()).await?;
        for store in &here {
            match there.iter().find(|(fence, _)| *fence == store.fence) {
                Some((_, wanted_by)) => store.move_to(wanted_by.clone()),
                None => store.lose(),
            }
        }
        if here.iter().any(|store| store.check().is_err()) {
            self.has_changed.notify_one();
        }
        if taking == 0 && self.taking[1].load(Ordering::SeqCst) == begun {
            let fences: Vec<Fence> = self.stores().iter().map(|store| store.fence).collect();
            let left = there.into_iter().filter(|(fence, _)| !fences.contains(fence));
            left.for_each(|(fence, _)| self.release(fence));
        }
        Ok(())
    }

    async fn do_added(&self, accounts: &dyn LeaseTable) -> Result<(), PgError> {
        let fences: Vec<Fence> = lock(&self.released).clone();
        if !fences.is_empty() {
            accounts.release(&fences).await?;
            lock(&self.released).retain(|fence| !fences.contains(fence));
        }
        loop {
            let Some((by, id, charges)) = lock(&self.uncounted).first().cloned() else { return Ok(()) };
            let taken_back = accounts.take_back(by, id, &charges).await;
            let mut uncounted = lock(&self.uncounted);
            match taken_back {
                Ok(()) => drop(uncounted.remove(0)),
                Err(error) => {
                    // One payment that fails must not block the rest.
                    uncounted.rotate_left(1);
                    return Err(error);
                }
            }
        }
    }
}

/// Renews the lease until the stores are dropped or the server leaves.
async fn run(stores: Weak<Inner>, server: Arc<Server>) {
    let Some(apart) = stores.upgrade().map(|stores| [(); 2].map(|()| stores.accounts.apart())) else {
        return server.has_left();
    };
    let [renewing, doing] = apart.each_ref().map(|accounts| &**accounts);
    tokio::select! {
        biased;
        () = renew(&stores, renewing, &server) => {}
        () = chores(&stores, doing, &server) => {}
    }
    let end = async {
        let _ = server.do_added(doing).await;
        let id = server.id.swap(0, Ordering::SeqCst);
        server.valid_until.send_replace(None);
        // The lease also expires.
        let _ = renewing.end(id).await;
    };
    let _ = rt::timeout(END_LIMIT, end).await;
    server.has_left();
}

async fn renew(stores: &Weak<Inner>, accounts: &dyn LeaseTable, server: &Server) {
    while let Some(stores) = stores.upgrade().filter(|_| !server.is_leaving.load(Ordering::SeqCst)) {
        let mut renewal = std::pin::pin!(server.renew(accounts));
        let renewed = match rt::timeout(SILENT_AFTER, &mut renewal).await {
            Ok(renewed) => renewed,
            Err(rt::Elapsed) => {
                found(server, Some(stores.failed(PgError::Silent(SILENT_AFTER))));
                renewal.await
            }
        };
        found(server, renewed.err().map(|error| stores.failed(error)));
        drop(stores);
        let _ = rt::timeout(RENEW_EVERY, server.leave.notified()).await;
    }
}

/// Logs a change of the problem once.
fn found(server: &Server, problem: Option<StoreError>) {
    match (&problem, server.problem.send_replace(problem.clone())) {
        (Some(now), None) => tracing::error!("{now}"),
        (None, Some(_)) => tracing::info!("the store answers again"),
        _ => {}
    }
}

/// Work that may wait for locked rows, kept apart so that it can't delay renewals.
async fn chores(stores: &Weak<Inner>, accounts: &dyn LeaseTable, server: &Server) {
    let [mut looked, mut tidied] = [Instant::now(); 2];
    let mut is_logged = false;
    loop {
        let _ = rt::timeout(LOOK_EVERY, server.added.notified()).await;
        let added = server.do_added(accounts).await;
        let looked_after = async {
            if looked.elapsed() >= LOOK_EVERY {
                looked = Instant::now();
                server.look(accounts).await?;
                let open = accounts.open_pushes(server.now()).await?;
                server.open_pushes.store(open, Ordering::Relaxed);
            }
            if tidied.elapsed() >= TIDY_EVERY {
                tidied = Instant::now();
                accounts.tidy().await?;
            }
            Ok::<_, PgError>(())
        };
        match looked_after.await.and(added) {
            Ok(()) => is_logged = false,
            Err(error) => {
                let Some(stores) = stores.upgrade() else { return };
                // Logged once, and not if the renewals report that there is no answer.
                if !std::mem::replace(&mut is_logged, true) && server.problem.borrow().is_none() {
                    tracing::warn!("{}: it is tried again", stores.failed(error));
                }
                drop(stores);
                rt::sleep(PAUSE).await;
            }
        }
        if stores.strong_count() == 0 {
            return;
        }
    }
}
