//! Background work for accounts where several servers use one store: a server starts wallets that no server
//! runs though they have work to do (tasks, open pushes, listeners), and stops wallets that another server
//! has taken.

use super::App;
use super::start::start_known;
use crate::rt::{self, Instant};
use crate::store::{ListenedTo, StoreError};
use std::collections::HashMap;
use std::future::pending;
use std::time::Duration;

const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How many accounts are taken at once, so that each server gets some.
const AT_ONCE: u32 = 8;
/// How long a wallet that could not be started here is left to other servers.
const RETRY: Duration = Duration::from_secs(30);
/// How long until the same failure is logged again.
const FORGOTTEN: Duration = Duration::from_secs(3_600);

pub(super) async fn watch(app: App) {
    tokio::select! {
        () = stop_what_others_have(&app) => {}
        () = take_what_is_left(&app) => {}
        () = app.clone().ending() => {}
    }
}

/// Separate from starts, so that a slow start does not delay it.
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
            // The store may have changed.
            Ok(()) = setups.changed() => {}
        }
    }
}

async fn take_what_is_left(app: &App) {
    let mut failed: HashMap<u64, Failed> = HashMap::new();
    let mut is_failing = false;
    join(app).await;
    loop {
        rt::sleep(LOOK_EVERY).await;
        join(app).await;
        failed.retain(|_, failed| failed.at.elapsed() < FORGOTTEN);
        match take_over(app, &mut failed).await {
            Ok(()) => is_failing = false,
            // Logged once, not every second.
            Err(failure) if !std::mem::replace(&mut is_failing, true) => {
                tracing::warn!("which wallets no server runs is not known: {failure}");
            }
            Err(_) => {}
        }
    }
}

/// Begins a lease before there are accounts, so that other servers hand accounts over and accept forwarded
/// requests.
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

/// The last time and reason that a wallet could not be started here.
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
            // It was stopped meanwhile.
            Ok(None) => continue,
            Err(why) => why,
        };
        let before = failed.insert(left.number, Failed { at: Instant::now(), why: why.clone() });
        // Logged once, not every half minute.
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
