//! Wallets that no server runs any more, though there is something to do for them: tasks to carry out, or
//! listeners to tell. Where servers share a database, one of them starts such a wallet without being asked.

use super::App;
use super::start::start_as_elsewhere;
use crate::rt::{self, Instant};
use crate::store::{LeftWallet, ListenedTo, StoreError};
use std::collections::HashMap;
use std::time::Duration;

/// How often it is looked for them.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How many are started after one look: each server is to have some.
const AT_ONCE: u32 = 8;
/// How long a wallet that could not be started here is left to others.
const RETRY: Duration = Duration::from_secs(30);
/// After how long it is said anew that it can't be started here.
const FORGOTTEN: Duration = Duration::from_secs(3_600);

/// Starts them, until the server ends.
pub(super) async fn watch(app: App) {
    let mut failed: HashMap<u64, Failed> = HashMap::new();
    let mut is_deaf = false;
    loop {
        tokio::select! {
            () = rt::sleep(LOOK_EVERY) => {}
            () = app.clone().ending() => return,
        }
        failed.retain(|_, failed| failed.at.elapsed() < FORGOTTEN);
        match take_over(&app, &mut failed).await {
            Ok(()) => is_deaf = false,
            // Said once, not every second.
            Err(failure) if !std::mem::replace(&mut is_deaf, true) => {
                tracing::warn!("which wallets no server runs any more is not known: {failure}");
            }
            Err(_) => {}
        }
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
        if let Some(wallet) = app.started_for_all().wallet(&left.id, left.number) {
            all.runs_here(left.number, wallet.owner_name()).await?;
            continue;
        }
        match start(app, &left).await {
            Ok(true) => tracing::info!("wallet {:?} is started here: no server ran it", left.id),
            Ok(false) => {}
            Err(why) => {
                all.leave(left.number).await?;
                let before = failed.insert(left.number, Failed { at: Instant::now(), why: why.clone() });
                // Said once, not every half minute.
                if before.is_none_or(|before| before.why != why) {
                    tracing::warn!("{why}: left to other servers");
                }
            }
        }
    }
    Ok(())
}

/// Starts one; `false` if it was stopped since. Says why that can't be.
async fn start(app: &App, left: &LeftWallet) -> Result<bool, String> {
    match start_as_elsewhere(app, &left.id).await? {
        Some(_) if app.started_for_all().wallet(&left.id, left.number).is_none() => {
            Err(format!("wallet {:?} of another server has the id of another one here", left.id))
        }
        started => Ok(started.is_some()),
    }
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
