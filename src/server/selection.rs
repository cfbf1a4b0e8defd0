//! Which wallet a request is for, and whether it can take it: looked at before all else under `/wallet`.

use super::App;
use super::auth::Caller;
use crate::api::{NotReadyState, WalletRefusal};
use crate::service::{Phase, Status, Wallet};
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::Response;

/// The wallet that `X-Wallet-Id` names, with that id.
#[derive(Clone)]
pub(super) struct Selected {
    pub id: String,
    pub wallet: Wallet,
}

/// Selects the wallet, ready or not, and hands it to the route as an extension; refuses where there is none.
pub(super) async fn select_wallet(State(app): State<App>, request: Request, next: Next) -> Response {
    let selected = selected(&app, &request);
    hand_over(&app, selected, request, next).await
}

/// Selects the wallet in the same way, and refuses while it is not ready.
pub(super) async fn select_ready_wallet(State(app): State<App>, request: Request, next: Next) -> Response {
    let selected = selected(&app, &request).and_then(ready);
    hand_over(&app, selected, request, next).await
}

async fn hand_over(
    app: &App,
    selected: Result<Selected, WalletRefusal>,
    mut request: Request,
    next: Next,
) -> Response {
    match selected {
        Ok(selected) => {
            request.extensions_mut().insert(selected);
            next.run(request).await
        }
        Err(refusal) => app.refuse_wallet(&refusal),
    }
}

fn selected(app: &App, request: &Request) -> Result<Selected, WalletRefusal> {
    let headers = request.headers();
    let id = header(headers, "x-wallet-id").ok_or(WalletRefusal::HeaderMissing)?;
    // To those who may not touch a wallet, it is not there.
    let wallet = app.wallets().get(&id).filter(|_| Caller::of(request).is_for(&id));
    let wallet = wallet.ok_or(WalletRefusal::Unknown)?;
    if app.config().confirm_first_address {
        let first = wallet.first_address();
        if header(headers, "x-first-address").as_deref() != Some(&*first) {
            return Err(WalletRefusal::WrongFirstAddress(first));
        }
    }
    Ok(Selected { id, wallet })
}

fn ready(selected: Selected) -> Result<Selected, WalletRefusal> {
    let status = selected.wallet.status();
    match status.phase {
        Phase::Ready => Ok(selected),
        _ => Err(WalletRefusal::NotReady(not_ready(status))),
    }
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

/// A header's text, as existing clients write it: UTF-8, or else Latin-1.
fn header(headers: &HeaderMap, name: &str) -> Option<String> {
    let bytes = headers.get(name)?.as_bytes();
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    };
    Some(text).filter(|text| !text.is_empty())
}
