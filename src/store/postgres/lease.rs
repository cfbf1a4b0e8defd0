//! This server's lease: renewed in a thread of its own, and known to be valid by this machine's clock.
//!
//! ```text
//! valid here        ├───────────── 1.5 s ──────┤
//! in the database      ├──────────────── 2 s ──────────────┤   others may take its accounts
//!               asked ─┘ written
//! ```
//!
//! A server that was paused finds its lease ended. It renews it, and looks which accounts others have taken
//! meanwhile, before it answers anything of the others. Writes need none of this: they are fenced.
//!
//! A machine that was suspended with its clock finds that out from the database, at its next renewal: what it
//! reads until then may be old.

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

/// How long a renewal counts here: less than in the database, for clocks that run apart, and for renewals
/// that a crash of the database takes back.
const VALID: Duration = Duration::from_millis(1_500);
/// How often the lease is renewed.
const RENEW_EVERY: Duration = Duration::from_millis(400);
/// After how long without an answer it is said that the database gives none: it is waited for all the same.
const SILENT_AFTER: Duration = Duration::from_secs(2);
/// How often it is looked which accounts are this server's.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// How often what is too old is deleted.
const TIDY_EVERY: Duration = Duration::from_secs(600);
/// How long to wait after a chore that failed.
const PAUSE: Duration = Duration::from_millis(400);
/// How long the end of a server waits for that of its lease, which ends by itself, too; and a stop until its
/// account is released.
const END_LIMIT: Duration = Duration::from_secs(1);
/// How often it is looked whether an account is released.
const RELEASED_EVERY: Duration = Duration::from_millis(5);

/// What was counted of a payment, by which send, and is to be taken back.
type Uncounted = (i64, PaymentId, Vec<Charge>);

/// An account that this server runs.
struct Opened {
    fence: Fence,
    name: String,
    store: Weak<PostgresStore>,
}

/// Accounts are being taken, until this is dropped.
pub(super) struct Taking<'a>(&'a Server);

impl Drop for Taking<'_> {
    fn drop(&mut self) {
        self.0.taking[0].fetch_sub(1, Ordering::SeqCst);
    }
}

/// This process, among those on the database.
#[derive(Default)]
pub(super) struct Server {
    /// Where it is reached.
    url: OnceLock<String>,
    /// 0 as long as it has no lease.
    id: AtomicI64,
    /// Held while one is begun.
    begin: tokio::sync::Mutex<()>,
    /// Until when no other server takes its accounts; `None` without a lease.
    valid_until: watch::Sender<Option<Instant>>,
    /// The database's time (Unix milliseconds) at a renewal.
    time: Mutex<Option<(Instant, u64)>>,
    /// The stores of accounts that this server runs, and the turns to open them: who opens one first takes
    /// the account, others have the same store.
    open: Mutex<HashMap<i64, Opened>>,
    turns: Mutex<HashMap<i64, Arc<tokio::sync::Mutex<()>>>>,
    /// How many times accounts are being taken at the moment, and were begun to be so far.
    taking: [AtomicU64; 2],
    /// Stores fail [`Store::check`].
    pub(super) has_changed: Notify,
    released: Mutex<Vec<Fence>>,
    uncounted: Mutex<Vec<Uncounted>>,
    /// There is something to do.
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

    /// Where it is reached, said once.
    pub(super) fn reached_at(&self, url: &str) {
        let _ = self.url.set(url.to_owned());
    }

    pub(super) fn name(&self) -> Option<ServerName> {
        let id = u64::try_from(self.now()).ok().filter(|id| *id > 0)?;
        Some(ServerName { id, url: self.url.get().cloned(), is_ending: false })
    }

    /// Under which id it takes accounts. A server that has no lease begins one, and renews it from then on.
    pub(super) async fn id(&self, stores: &Arc<Inner>) -> Result<i64, PgError> {
        let turn = rt::timeout(ANSWER_LIMIT, self.begin.lock()).await;
        let _turn = turn.map_err(|rt::Elapsed| PgError::Busy(ANSWER_LIMIT))?;
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
        let turn = self.turn(account);
        let turn = rt::timeout(ANSWER_LIMIT, turn.lock()).await;
        let _turn = turn.map_err(|rt::Elapsed| PgError::Busy(ANSWER_LIMIT))?;
        let known = lock(&self.open).get(&account).and_then(|opened| opened.store.upgrade());
        if let Some(store) = known {
            match store.check() {
                Ok(()) => return Ok(store),
                Err(StoreError::RunsOn(server)) => return Err(PgError::RunsOn(server)),
                // It is taken anew, by another fence.
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

    /// Until this is dropped, the database may have given accounts to this server of which it does not know.
    pub(super) fn taking(&self) -> Taking<'_> {
        for count in &self.taking {
            count.fetch_add(1, Ordering::SeqCst);
        }
        Taking(self)
    }

    /// The store of an account that was taken.
    pub(super) fn opened(&self, stores: &Arc<Inner>, fence: Fence, name: &str) -> Arc<PostgresStore> {
        let store = Arc::new(PostgresStore::new(stores.clone(), fence, name));
        let opened = Opened { fence, name: name.to_owned(), store: Arc::downgrade(&store) };
        lock(&self.open).insert(fence.account, opened);
        store
    }

    /// Whose writes those of an account are, if this server runs it.
    pub(super) fn fence_of(&self, name: &str) -> Option<Fence> {
        self.stores()
            .into_iter()
            .find(|store| store.name == name && store.check() != Err(StoreError::Taken))
            .map(|store| store.fence)
    }

    fn turn(&self, account: i64) -> Arc<tokio::sync::Mutex<()>> {
        let mut turns = lock(&self.turns);
        turns.retain(|_, turn| Arc::strong_count(turn) > 1);
        turns.entry(account).or_default().clone()
    }

    /// Those that are open here.
    fn stores(&self) -> Vec<Arc<PostgresStore>> {
        lock(&self.open).values().filter_map(|opened| opened.store.upgrade()).collect()
    }

    /// Waits for the next renewal.
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

    /// The database's time, as of the last renewal and by what has passed since.
    pub(super) fn database_time(&self) -> Option<u64> {
        let (at, time) = (*lock(&self.time))?;
        time.checked_add(u64::try_from(at.elapsed().as_millis()).ok()?)
    }

    /// Why the database gave no answer, if it gave none.
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

    /// The store of an account is dropped.
    pub(super) fn closed(&self, fence: Fence) {
        self.release(fence);
        let mut open = lock(&self.open);
        if open.get(&fence.account).is_some_and(|opened| opened.fence == fence) {
            open.remove(&fence.account);
        }
    }

    /// Gives an account up.
    fn release(&self, fence: Fence) {
        lock(&self.released).push(fence);
        self.added.notify_one();
    }

    /// Waits, not for long, until an account is released whose last store is about to be dropped.
    pub(super) async fn released(&self, name: &str) {
        let released = async {
            let is_open = || lock(&self.open).values().any(|opened| opened.name == name);
            while is_open() || !lock(&self.released).is_empty() {
                rt::sleep(RELEASED_EVERY).await;
            }
        };
        let _ = rt::timeout(END_LIMIT, released).await;
    }

    /// Takes back, as soon as that can be, what was counted of a payment.
    pub(super) fn take_back(&self, by: i64, id: PaymentId, charges: Vec<Charge>) {
        lock(&self.uncounted).push((by, id, charges));
        self.added.notify_one();
    }

    /// Tells the others that it ends soon, if the database can be told in a moment.
    pub(super) async fn will_leave(&self, accounts: &dyn LeaseTable) {
        // Without it they don't wait, and no more.
        let _ = rt::timeout(END_LIMIT, accounts.will_end(self.now())).await;
    }

    /// Ends the rounds and the lease, if the database can be told in a moment.
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

    /// Renews the lease. After one that had ended it is looked which accounts others have taken.
    async fn renew(&self, accounts: &dyn LeaseTable) -> Result<(), PgError> {
        let (id, asked) = (self.now(), Instant::now());
        if id == 0 {
            return Ok(());
        }
        let Some(Renewed { had_ended, time }) = accounts.renew(id).await? else {
            // It was away for so long that it was forgotten.
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

    /// Finds accounts that others have taken, and those that are this server's by an answer that was lost.
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

    /// Does what was added.
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
                    // The others are not kept from their turn.
                    uncounted.rotate_left(1);
                    return Err(error);
                }
            }
        }
    }
}

/// Renews the lease until the stores are gone, or the server leaves.
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
        // It ends by itself, too.
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

/// Why the database gave no answer, if it gave none. It is logged once.
fn found(server: &Server, problem: Option<StoreError>) {
    match (&problem, server.problem.send_replace(problem.clone())) {
        (Some(now), None) => tracing::error!("{now}"),
        (None, Some(_)) => tracing::info!("the store answers again"),
        _ => {}
    }
}

/// What may have to wait for rows that others have, by which no lease must end.
async fn chores(stores: &Weak<Inner>, accounts: &dyn LeaseTable, server: &Server) {
    let [mut looked, mut tidied] = [Instant::now(); 2];
    let mut is_told = false;
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
            Ok(()) => is_told = false,
            Err(error) => {
                let Some(stores) = stores.upgrade() else { return };
                // Said once, and not where the renewals say that there is no answer.
                if !std::mem::replace(&mut is_told, true) && server.problem.borrow().is_none() {
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
