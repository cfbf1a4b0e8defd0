//! `POST /start`: its checks run in the order of the existing service, and the first that fails answers
//! alone.

use crate::api::texts::{
    MULTISIG_XPUB_INVALID, PASSPHRASE_NOT_ALLOWED, SEED_NOT_FOUND, improperly_configured_multisig,
    not_configured_for_multisig,
};
use crate::api::{ScanPolicy, StartFailure, StartRequest, StartSecret, Success};
use crate::keys::{AccountKeys, AccountPublic, MultisigKeys, MultisigPublic, account_key_of};
use crate::server::App;
use crate::server::answer::{json, json_with};
use crate::server::body::Body;
use crate::server::webhooks::Webhooks;
use crate::service::{Account, Options, StartError, SyncMode, Wallet};
use crate::wallet::Scan;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use secrecy::ExposeSecret;
use serde_json::{Map, Value};
use tracing::Instrument;
use zeroize::Zeroize;

/// Answers once the wallet has begun to load; when it is ready, `/wallet/status` says so.
pub(super) async fn start(State(app): State<App>, Body(body): Body) -> Response {
    match start_wallet(&app, body).await {
        Ok(()) => json(&Success),
        Err(failure) => {
            let compat = app.config().compat;
            let status = StatusCode::from_u16(failure.status(compat)).expect("200 or 400");
            json_with(status, &failure.answer(compat))
        }
    }
}

async fn start_wallet(app: &App, mut body: Map<String, Value>) -> Result<(), StartFailure> {
    let request = StartRequest::read(&body).map_err(StartFailure::new);
    let slips = StartRequest::refuse_slips(&body, app.config().compat);
    wipe(&mut body);
    let request = request?;
    slips?;
    let id = request.wallet_id.clone();
    if app.wallets().contains(&id) {
        return Err(StartFailure::already_started(&id));
    }
    let participants = participants(app, &request)?;
    let scan = match request.scan_policy()? {
        ScanPolicy::GapLimit(limit) => Scan::GapLimit(limit.unwrap_or(app.config().gap_limit)),
        ScanPolicy::IndexLimit { first, last } => Scan::IndexLimit { first, last },
    };
    let account = account(app, &request, participants)?;
    let options = Options {
        scan,
        sync_mode: sync_mode(app, &request)?,
        stores: app.stores(),
        shared: app.shared_accounts().clone(),
        wait_for_change: app.config().wait_for_change,
        swap_service: app.swap_service(),
        events_confirmations: app.config().events_confirmations,
    };
    // A wallet's own lines in the log outlast the request.
    let span = tracing::error_span!(parent: None, "wallet", id);
    let wallet = Wallet::start(account, app.backend(), options).instrument(span);
    match app.wallets().start(&id, wallet).await {
        Ok(wallet) => {
            app.journal(&id, &wallet);
            app.tasks(&id, &wallet);
            Webhooks::begin(app, &id, &wallet);
            Ok(())
        }
        Err(StartError::AlreadyStarted) => Err(StartFailure::already_started(&id)),
        Err(error) => {
            tracing::warn!("wallet {id:?} was not started: {error}");
            Err(StartFailure::failed(&id, error))
        }
    }
}

/// How the history is loaded.
fn sync_mode(app: &App, request: &StartRequest) -> Result<SyncMode, StartFailure> {
    let config = app.config();
    let Some(name) = &request.history_sync_mode else { return Ok(config.history_sync_mode) };
    match name.parse() {
        Ok(mode) => Ok(mode),
        Err(()) if config.compat.checks_sync_mode() => Err(StartFailure::malformed(format!(
            "Parameter 'history_sync_mode' must be {}.",
            SyncMode::NAMES
        ))),
        Err(()) => Ok(SyncMode::default()),
    }
}

/// Words and passphrase must not stay in memory that others get next.
fn wipe(body: &mut Map<String, Value>) {
    for value in body.values_mut() {
        if let Value::String(text) = value {
            text.zeroize();
        }
    }
}

/// The participants of the multisig wallet that is asked for, if one is: rows 6 and 7.
fn participants(app: &App, request: &StartRequest) -> Result<Option<MultisigPublic>, StartFailure> {
    let Some(key) = request.multisig.as_ref().map(Option::as_deref) else { return Ok(None) };
    let config = app.config();
    let configured = key.and_then(|key| Some((key, config.multisig.get(key)?)));
    let (key, settings) = configured.ok_or_else(|| StartFailure::new(not_configured_for_multisig(key)))?;
    let participants = settings.participants();
    let participants = participants.ok_or_else(|| StartFailure::new(improperly_configured_multisig(key)))?;
    participants.map(Some).map_err(|error| StartFailure::failed(&request.wallet_id, error))
}

fn account(
    app: &App,
    request: &StartRequest,
    participants: Option<MultisigPublic>,
) -> Result<Account, StartFailure> {
    let config = app.config();
    let words = match &request.secret {
        StartSecret::Xpub(xpub) => {
            let account = match participants {
                None => AccountPublic::from_xpub(xpub).map(Account::ReadOnly).map_err(|e| e.to_string()),
                Some(participants) => account_key_of(xpub)
                    .map(|_| Account::Multisig { participants, keys: None })
                    .ok_or_else(|| MULTISIG_XPUB_INVALID.to_owned()),
            };
            return account.map_err(|error| StartFailure::failed(&request.wallet_id, error));
        }
        StartSecret::SeedKey(key) => {
            config.seeds.get(key).cloned().ok_or_else(|| StartFailure::new(SEED_NOT_FOUND))?
        }
        StartSecret::Seed(words) => words.parse().map_err(StartFailure::new)?,
    };
    let passphrase = request.passphrase.as_ref().map_or("", ExposeSecret::expose_secret);
    if !passphrase.is_empty() && !config.allow_passphrase {
        return Err(StartFailure::new(PASSPHRASE_NOT_ALLOWED));
    }
    Ok(match participants {
        None => Account::Signing(AccountKeys::from_mnemonic(&words, passphrase)),
        Some(participants) => {
            Account::Multisig { participants, keys: Some(MultisigKeys::from_mnemonic(&words, passphrase)) }
        }
    })
}
