//! What a server does about accounts without being asked, where several use one store: it starts wallets that
//! no server runs, though there is something to do for them (tasks to carry out, pushes to bring to their
//! end, listeners to tell), and stops those that another server has taken.

use super::App;
use super::start::start_known;
use crate::rt::{self, Instant};
use crate::store::{ListenedTo, StoreError};
use std::collections::HashMap;
use std::future::pending;
use std::time::Duration;

/// How often it is looked for them.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How many accounts are taken at one look: each server is to have some.
const AT_ONCE: u32 = 8;
/// How long a wallet that could not be started here is left to others.
const RETRY: Duration = Duration::from_secs(30);
/// After how long it is said anew that it can't be started here.
const FORGOTTEN: Duration = Duration::from_secs(3_600);

/// Until the server ends.
pub(super) async fn watch(app: App) {
    tokio::select! {
        () = stop_what_others_have(&app) => {}
        () = take_what_is_left(&app) => {}
        () = app.clone().ending() => {}
    }
}

/// At once, however long others take to be started.
async fn stop_what_others_have(app: &App) {
    let mut setups = app.setups();
    loop {
        let stores = app.stores();
        let lease = stores.as_ref().and_then(|stores| stores.lease());
        let changed = async {
            match lease {
                Some(lease) => lease.changed().await,
                None => pending().await,
            }
        };
        tokio::select! {
            () = changed => app.stop_what_others_have(),
            // It may have another store now.
            Ok(()) = setups.changed() => {}
        }
    }
}

async fn take_what_is_left(app: &App) {
    let mut failed: HashMap<u64, Failed> = HashMap::new();
    let mut is_deaf = false;
    join(app).await;
    loop {
        rt::sleep(LOOK_EVERY).await;
        join(app).await;
        failed.retain(|_, failed| failed.at.elapsed() < FORGOTTEN);
        match take_over(app, &mut failed).await {
            Ok(()) => is_deaf = false,
            // Said once, not every second.
            Err(failure) if !std::mem::replace(&mut is_deaf, true) => {
                tracing::warn!("which wallets no server runs is not known: {failure}");
            }
            Err(_) => {}
        }
    }
}

/// Begins a lease before there are accounts to run: others hand theirs over, and take what is forwarded.
async fn join(app: &App) {
    let stores = app.stores();
    if app.config().cluster_secret.is_some()
        && app.gate().closed().is_none()
        && let Some(lease) = stores.as_ref().and_then(|stores| stores.lease())
        && lease.server().is_none()
        && let Err(error) = lease.join().await
    {
        tracing::debug!("this server is not known to others yet: {error}");
    }
}

/// When a wallet could last not be started here, and why.
struct Failed {
    at: Instant,
    why: String,
}

async fn take_over(app: &App, failed: &mut HashMap<u64, Failed>) -> Result<(), StoreError> {
    let Some(stores) = app.stores().filter(|_| !app.is_draining()) else { return Ok(()) };
    let Some(all) = stores.started_wallets() else { return Ok(()) };
    let lately = failed.iter().filter(|(_, failed)| failed.at.elapsed() < RETRY);
    let but: Vec<u64> = lately.map(|(number, _)| *number).collect();
    let network = app.config().network.name();
    for left in all.take_over(network, &listened_to(app), &but, AT_ONCE).await? {
        let why = match start_known(app, &left.id).await {
            Ok(Some(_)) if app.started_ids().is(&left.id, left.number) => {
                tracing::info!("wallet {:?} is started here: no server ran it", left.id);
                continue;
            }
            Ok(Some(_)) => format!("another wallet has the id {:?} here", left.id),
            // It was stopped since.
            Ok(None) => continue,
            Err(why) => why,
        };
        let before = failed.insert(left.number, Failed { at: Instant::now(), why: why.clone() });
        // Said once, not every half minute.
        if before.is_none_or(|before| before.why != why) {
            tracing::warn!("{why}: left to other servers");
        }
    }
    Ok(())
}

fn listened_to(app: &App) -> ListenedTo {
    let config = app.config();
    let of_webhooks: Option<Vec<_>> = config.webhooks.iter().map(|webhook| webhook.wallets.clone()).collect();
    match of_webhooks {
        Some(ids) if config.plugins.rabbitmq.is_none() => {
            ListenedTo::Ids(ids.into_iter().flatten().collect())
        }
        _ => ListenedTo::All,
    }
}
