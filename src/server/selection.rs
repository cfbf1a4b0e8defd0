//! Which wallet a request is for, and whether it can take it: looked at before all else on routes of wallets.

use super::App;
use super::answer::Refused;
use super::auth::Caller;
use super::idempotency::{RETRY_SECONDS, no_room};
use super::start::start_known;
use super::started::check;
use crate::api::{NotReadyState, WalletRefusal};
use crate::operations::Operation;
use crate::rt;
use crate::service::{Phase, Status, Wallet};
use crate::store::StoreError;
use axum::extract::Request;
use axum::http::HeaderMap;
use std::time::Duration;

/// How long a request waits for a wallet to be ready that is started for it.
const READY_LIMIT: Duration = Duration::from_secs(20);

/// The wallet that `X-Wallet-Id` names, with that id.
#[derive(Clone)]
pub(super) struct Selected {
    pub id: String,
    pub wallet: Wallet,
    /// Whether who asks may be told what they don't need to know for what they do.
    pub may_read: bool,
}

/// Selects the wallet and hands it to the route as an extension; refuses where there is none, and where it is
/// to be ready and is not. Whatever it signs is looked at by what limits who asks.
pub(super) async fn select_wallet(
    app: &App,
    request: &mut Request,
    needs_ready: bool,
    operation: Option<&Operation>,
) -> Result<(), Refused> {
    let (caller, headers) = (Caller::of(request), request.headers());
    let refuse = |refusal| Refused::from(app.refuse_wallet(&refusal));
    let id = wallet_id(headers).ok_or_else(|| refuse(WalletRefusal::HeaderMissing))?;
    let is_meant = |wallet: &Wallet| {
        if app.config().confirm_first_address {
            let first = wallet.first_address();
            if header(headers, "x-first-address").as_deref() != Some(&*first) {
                return Err(WalletRefusal::WrongFirstAddress(first));
            }
        }
        Ok(())
    };
    let selected = selected(app, caller, id, needs_ready, operation, is_meant).await?;
    request.extensions_mut().insert(selected);
    Ok(())
}

/// The wallet of an id, as somebody's requests may use it.
pub(super) async fn selected(
    app: &App,
    caller: &Caller,
    id: String,
    needs_ready: bool,
    operation: Option<&Operation>,
    is_meant: impl FnOnce(&Wallet) -> Result<(), WalletRefusal>,
) -> Result<Selected, Refused> {
    let refuse = |refusal| Refused::from(app.refuse_wallet(&refusal));
    // To those who may not touch a wallet, it is not there.
    if !caller.is_for(&id) {
        return Err(refuse(WalletRefusal::Unknown));
    }
    check_lease(app)?;
    let wallet = match app.wallets().get(&id) {
        Some(wallet) if check(&wallet) == Err(StoreError::Taken) => return Err(lost(StoreError::Taken)),
        Some(wallet) => wallet,
        None => Box::pin(known(app, &id)).await?.ok_or_else(|| refuse(WalletRefusal::Unknown))?,
    };
    if needs_ready && wallet.status().phase != Phase::Ready && app.started_ids().is_on_demand(&id) {
        // As it is then is said below.
        let _ = Box::pin(rt::timeout(READY_LIMIT, wallet.ready())).await;
    }
    is_meant(&wallet).map_err(refuse)?;
    if needs_ready {
        let status = wallet.status();
        if status.phase != Phase::Ready {
            return Err(refuse(WalletRefusal::NotReady(not_ready(status))));
        }
    }
    let may_wait = operation.is_some_and(|operation| operation.may_wait);
    let wallet = if may_wait { wallet.asked_by(caller.tenant(&id)) } else { wallet };
    let wallet = app.permitted(caller, &id, &wallet).unwrap_or(wallet);
    Ok(Selected { id, wallet, may_read: caller.may_read() })
}

/// Nothing is answered of wallets that another server may run by now.
pub(super) fn check_lease(app: &App) -> Result<(), Refused> {
    let setup = app.setup();
    let lease = setup.stores.as_ref().and_then(|stores| stores.lease());
    lease.map_or(Ok(()), |lease| lease.check()).map_err(lost)
}

fn lost(error: StoreError) -> Refused {
    no_room(format!("this server lost its lease: {error}"), RETRY_SECONDS).into()
}

/// A wallet that does not run here and that the store knows, started if no server runs it.
async fn known(app: &App, id: &str) -> Result<Option<Wallet>, Refused> {
    let (app, name) = (app.clone(), id.to_owned());
    // A caller that hangs up must not leave a wallet that is half started.
    let start = rt::detached(Box::pin(async move { start_known(&app, &name).await }));
    let started = match rt::timeout(READY_LIMIT, start).await {
        Ok(started) => started.expect("starting does not panic"),
        Err(rt::Elapsed) => Err(format!("wallet {id:?} is still being started: ask again")),
    };
    started.map_err(|why| no_room(why, RETRY_SECONDS).into())
}

/// How a state that is not ready is told.
pub(super) fn not_ready(status: Status) -> NotReadyState {
    NotReadyState {
        code: status.phase.code(),
        name: status.phase.to_string(),
        problem: status.problem,
        progress: (status.phase == Phase::Syncing).then(|| status.progress.into()),
    }
}

/// The id of the wallet that a request is for.
pub(super) fn wallet_id(headers: &HeaderMap) -> Option<String> {
    header(headers, "x-wallet-id")
}

/// A header's text, as existing clients write it: UTF-8, or else Latin-1.
fn header(headers: &HeaderMap, name: &str) -> Option<String> {
    let bytes = headers.get(name)?.as_bytes();
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    };
    Some(text).filter(|text| !text.is_empty())
}
