//! The rounds in which a server renews its lease and looks what is new, and beside them its chores.

use super::Inner;
use super::error::PgError;
use super::freeing::{free_what_is_left, tidy};
use super::pool::Pool;
use super::servers::{Seen, Server};
use crate::rt::{self, Instant};
use std::pin::pin;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::watch;
use tracing::Instrument;

/// How often the lease is renewed.
const RENEW_EVERY: Duration = Duration::from_millis(400);
/// After how long without an answer it is said that the database gives none: it is waited for all the same.
const SILENT_AFTER: Duration = Duration::from_secs(2);
/// How often it is looked for what is reserved and should not be.
const SWEEP_EVERY: Duration = Duration::from_secs(2);
/// How often it is looked for keys that are locked and should not be.
const UNLOCK_EVERY: Duration = Duration::from_secs(30);
/// How often what is too old is let go.
const TIDY_EVERY: Duration = Duration::from_secs(600);
/// How long to wait after a chore that failed.
const PAUSE: Duration = Duration::from_millis(400);
/// How much later the next round is while there is no answer: each send that ends would begin one.
const AWAY_PAUSE: Duration = Duration::from_millis(200);

/// Begins the rounds, once, in a thread and over connections of their own: the lease must not end because the
/// server is busy. They end with the stores.
pub(super) fn run(stores: &Arc<Inner>) -> Result<(), PgError> {
    if !stores.server.is_first() {
        return Ok(());
    }
    let rounds = until_the_end(Arc::downgrade(stores), stores.server.clone());
    rt::on_own_thread("store", rounds.in_current_span()).map_err(|error| {
        stores.server.has_left();
        PgError::NoThread(error)
    })
}

async fn until_the_end(stores: Weak<Inner>, server: Arc<Server>) {
    let Some(pool) = stores.upgrade().map(|stores| Pool::new(stores.pool.url().clone())) else { return };
    let (seen, to_do) = watch::channel(Seen::default());
    tokio::select! {
        () = rounds(&stores, &pool, &server, &seen) => {}
        () = chores(&stores, &server, to_do) => {}
    }
    server.lease.end(&pool).await;
    server.has_left();
}

async fn rounds(stores: &Weak<Inner>, pool: &Pool, server: &Server, seen: &watch::Sender<Seen>) {
    let mut renewed = Instant::now();
    while let Some(stores) = stores.upgrade().filter(|_| !server.is_leaving()) {
        let renews = renewed.elapsed() >= RENEW_EVERY;
        if renews {
            renewed = Instant::now();
        }
        let mut look = pin!(server.look(pool, renews));
        let looked = match rt::timeout(SILENT_AFTER, &mut look).await {
            Ok(looked) => looked,
            Err(rt::Elapsed) => {
                server.found(Some(stores.failed(PgError::Silent(SILENT_AFTER))));
                look.await
            }
        };
        let is_away = looked.is_err();
        match looked {
            Ok(found) => {
                server.found(None);
                seen.send_replace(found);
            }
            Err(error) => server.found(Some(stores.failed(error))),
        }
        drop(stores);
        server.next_round().await;
        if is_away {
            rt::sleep(AWAY_PAUSE).await;
        }
    }
}

/// Does what there is to be done, as it comes and as rounds find it, until the stores are gone.
async fn chores(stores: &Weak<Inner>, server: &Server, mut seen: watch::Receiver<Seen>) {
    let Server { chores, lease, held, .. } = server;
    let Some(pool) = stores.upgrade().map(|stores| Pool::new(stores.pool.url().clone())) else { return };
    let [mut swept, mut unlocked, mut tidied] = [Instant::now(); 3];
    let mut is_told = false;
    loop {
        let seen = tokio::select! {
            () = chores.added.notified() => Seen::default(),
            changed = seen.changed() => match changed {
                Ok(()) => *seen.borrow_and_update(),
                Err(_) => return,
            },
        };
        let done = async {
            if chores.do_added(&pool, lease).await? {
                server.look_now();
            }
            held.keep_up(&pool, lease).await?;
            if seen.is_anything_left {
                free_what_is_left(&pool).await?;
            }
            if seen.has_open_sends && swept.elapsed() >= SWEEP_EVERY {
                swept = Instant::now();
                chores.release_what_is_over(&pool, lease).await?;
            }
            if unlocked.elapsed() >= UNLOCK_EVERY {
                unlocked = Instant::now();
                chores.unlock_what_is_over(&pool, lease).await?;
            }
            if tidied.elapsed() >= TIDY_EVERY {
                tidied = Instant::now();
                tidy(&pool).await?;
            }
            Ok(())
        };
        match done.await {
            Ok(()) => is_told = false,
            Err(error) => {
                let Some(stores) = stores.upgrade() else { return };
                // Said once, and not where the rounds say that there is no answer.
                if !std::mem::replace(&mut is_told, true) && !server.is_away() {
                    tracing::warn!("what is left of sends is freed later: {}", stores.failed(error));
                }
                drop(stores);
                rt::sleep(PAUSE).await;
            }
        }
    }
}
