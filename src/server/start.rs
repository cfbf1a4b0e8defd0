//! Starting a wallet: the checks run in the order of hathor-wallet-headless, and the first that fails answers
//! alone.

use super::body::wipe;
use super::limit_targets;
use super::plugins;
use super::webhooks::Webhooks;
use super::{App, SignerSettings};
use crate::api::StartFailure;
use crate::api::texts::{
    self, FIREBLOCKS_NOT_CONFIGURED, FIREBLOCKS_OTHER_KEY, HSM_NO_KEY, HSM_NOT_CONFIGURED,
    MULTISIG_XPUB_INVALID, PASSPHRASE_NOT_ALLOWED, SEED_HAS_PASSPHRASE, SEED_LOCKED, SEED_NOT_FOUND,
    SEEDS_UNREADABLE, SIGNER_PASSPHRASE, TOKEN_MULTISIG, improperly_configured_multisig,
    not_configured_for_multisig,
};
use crate::keys::{AccountPublic, MultisigPublic, Seed, SignerError, account_key_of};
use crate::operations::{FireblocksStart, HsmStart, MultisigPubkey, ScanPolicy, StartRequest, StartSecret};
use crate::rt;
use crate::service::{Account, Options, StartError, SyncMode, Wallet};
use crate::signer::{FireblocksSigner, PATIENCE, RemoteSigner, TokenError, TokenSigner};
use crate::store::{ServerName, Started, StoreError};
use crate::wallet::Scan;
use secrecy::ExposeSecret;
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Duration;

/// How long a wallet is waited for whose server is ending.
const RELEASE_LIMIT: Duration = Duration::from_secs(20);
/// How often it is looked whether it is released.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A wallet that the store knows, started here if no server runs it; `None` if it is not started.
///
/// # Errors
/// The text of an answer: which server runs it, or why it can't be started here.
pub(super) async fn start_known(app: &App, id: &str) -> Result<Option<Wallet>, String> {
    until_released(app, id).await;
    // Not while the configuration changes.
    let _inside = app.gate().enter().map_err(|closed| closed.text().to_owned())?;
    let _turn = app.turn_of(id).await?;
    if let Some(wallet) = app.wallets().get(id) {
        return Ok(Some(wallet));
    }
    let known = async || match app.started(id).await {
        Ok(Some(Started { runs_on: Some(server), .. })) => Err(format!("wallet {id:?} runs on {server}")),
        Ok(known) => Ok(known),
        Err(error) => Err(error.to_string()),
    };
    let Some(Started { number, request: Some(request), .. }) = known().await? else { return Ok(None) };
    let mut body: Map<String, Value> = serde_json::from_str(&request)
        .map_err(|error| format!("what wallet {id:?} was started by can't be read: {error}"))?;
    body.insert("wallet-id".to_owned(), id.into());
    let seed_key = body.get("seedKey").cloned();
    match begin(app, body, Some(number)).await {
        Ok(()) => Ok(app.wallets().get(id)),
        Err(refused) => {
            // Another server may have been faster, or it was stopped.
            if known().await?.is_none_or(|now| now.number != number) {
                return Ok(None);
            }
            let why = refused.failure().message;
            let why = why.trim_end_matches('.');
            let key = seed_key.map_or_else(String::new, |key| format!(" (`seedKey` {key})"));
            Err(format!("wallet {id:?} is started, and can't be run by this server: {why}{key}"))
        }
    }
}

/// Waits for a server that is ending and runs a wallet.
async fn until_released(app: &App, id: &str) {
    let runs_on = async || Some(app.started(id).await.ok()??.runs_on?.is_ending);
    let released = async {
        while app.gate().closed().is_none() && runs_on().await == Some(true) {
            rt::sleep(LOOK_EVERY).await;
        }
    };
    let _ = rt::timeout(RELEASE_LIMIT, released).await;
}

/// What a wallet can be started by in every server: it names one of the seeds that all of them have, and has
/// no secret in it.
fn request_for_all(body: &Map<String, Value>) -> Option<String> {
    const NAMES: [&str; 7] = [
        "seedKey",
        "multisig",
        "scanPolicy",
        "gapLimit",
        "policyStartIndex",
        "policyEndIndex",
        "history_sync_mode",
    ];
    if !body.contains_key("seedKey") || is_given(body, "passphrase") {
        return None;
    }
    let named = NAMES.iter().filter_map(|name| Some(((*name).to_owned(), body.get(*name)?.clone())));
    serde_json::to_string(&named.collect::<Map<_, _>>()).ok()
}

/// Whether a body has a seed phrase or a passphrase.
pub(super) fn has_words(body: &Map<String, Value>) -> bool {
    is_given(body, "seed") || is_given(body, "passphrase")
}

fn is_given(body: &Map<String, Value>, name: &str) -> bool {
    body.get(name).is_some_and(|value| value.as_str() != Some("") && !value.is_null())
}

/// Why a wallet is not started.
pub(super) enum NotStarted {
    Failed(StartFailure),
    /// Another server runs the account of the wallet with an id.
    RunsOn(ServerName, String),
}

impl From<StartFailure> for NotStarted {
    fn from(failure: StartFailure) -> Self {
        Self::Failed(failure)
    }
}

impl NotStarted {
    pub(super) fn failure(self) -> StartFailure {
        match self {
            Self::Failed(failure) => failure,
            Self::RunsOn(server, id) => StartFailure::failed(&id, StoreError::RunsOn(server)),
        }
    }
}

/// Starts the wallet that a body asks for.
pub(super) async fn start_wallet(app: &App, body: Map<String, Value>) -> Result<(), NotStarted> {
    let id = body.get("wallet-id").map_or_else(String::new, |id| match id {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    let _turn = app.turn_of(&id).await.map_err(|busy| StartFailure::failed(&id, busy))?;
    begin(app, body, None).await
}

/// `known` is the number of a wallet that the store knows and that is started here.
async fn begin(app: &App, mut body: Map<String, Value>, known: Option<u64>) -> Result<(), NotStarted> {
    let for_all = request_for_all(&body);
    let request = StartRequest::read(&body).map_err(StartFailure::new);
    let unused = StartRequest::refuse_unused(&body, app.config().compat);
    wipe(&mut body);
    let request = request?;
    unused?;
    let id = request.wallet_id.clone();
    if let Some(started) = started(app, &id).await?
        && (started.runs_on.is_some() || started.request != for_all)
    {
        return Err(StartFailure::already_started(&id).into());
    }
    let participants = participants(app, &request)?;
    let scan = match request.scan_policy(app.config().compat)? {
        ScanPolicy::GapLimit(limit) => Scan::GapLimit(limit.unwrap_or(app.config().gap_limit)),
        ScanPolicy::IndexLimit { first, last } => Scan::IndexLimit { first, last },
    };
    let account = account(app, &request, participants).await?;
    let sync_mode = sync_mode(app, &request)?;
    run(app, &id, account, (scan, sync_mode), (for_all, known)).await
}

/// What the store knows of a wallet that does not run here.
async fn started(app: &App, id: &str) -> Result<Option<Started>, StartFailure> {
    match app.wallets().contains(id) {
        true => Err(StartFailure::already_started(id)),
        false => app.started(id).await.map_err(|error| StartFailure::failed(id, error)),
    }
}

async fn check_not_started(app: &App, id: &str) -> Result<(), StartFailure> {
    match started(app, id).await? {
        Some(_) => Err(StartFailure::already_started(id)),
        None => Ok(()),
    }
}

/// Starts a wallet of which all is known.
async fn run(
    app: &App,
    id: &str,
    account: Account,
    (scan, sync_mode): (Scan, SyncMode),
    (request, known): (Option<String>, Option<u64>),
) -> Result<(), NotStarted> {
    let options = Options {
        scan,
        sync_mode,
        stores: app.stores(),
        shared: app.shared_accounts().clone(),
        wait_for_change: app.config().wait_for_change,
        swap_service: app.swap_service(),
        events_confirmations: app.config().events_confirmations,
    };
    let mut refused = None;
    let wallet = async {
        let wallet = Wallet::start(account, app.backend(), options).await?;
        // Before there are requests for it: the id may be another wallet's.
        if let Err(failure) = share(app, id, &wallet, request.as_deref(), known).await {
            wallet.stop().await;
            refused = Some(failure);
            return Err(StartError::AlreadyStarted);
        }
        Ok(wallet)
    };
    let started = app.wallets().start(id, wallet).await;
    if let Some(failure) = refused {
        return Err(failure.into());
    }
    match started {
        Ok(wallet) => {
            tracing::info!("wallet {id:?} is started: account {}", wallet.owner_name());
            app.journal(id, &wallet);
            app.tasks(id, &wallet);
            Webhooks::begin(app, id, &wallet);
            plugins::begin(app, id, &wallet);
            limit_targets::look_when_ready(app, id, &wallet);
            Ok(())
        }
        Err(StartError::AlreadyStarted) => Err(StartFailure::already_started(id).into()),
        Err(StartError::Store(StoreError::RunsOn(server))) => Err(NotStarted::RunsOn(server, id.to_owned())),
        Err(error) => {
            tracing::warn!("wallet {id:?} was not started: {error}");
            Err(StartFailure::failed(id, error).into())
        }
    }
}

/// Starts a wallet whose keys Fireblocks has: the checks run in the order of hathor-wallet-headless.
pub(super) async fn start_at_fireblocks(app: &App, body: &Map<String, Value>) -> Result<(), NotStarted> {
    let FireblocksStart { wallet_id: id, xpub } = FireblocksStart::read(body).map_err(StartFailure::new)?;
    let _turn = app.turn_of(&id).await.map_err(|busy| StartFailure::failed(&id, busy))?;
    check_not_started(app, &id).await?;
    let config = app.config();
    let Some(settings) = &config.fireblocks else {
        return Err(StartFailure::new(FIREBLOCKS_NOT_CONFIGURED).into());
    };
    let invalid = |error: String| {
        tracing::error!("Fireblocks can't be asked: {error}");
        StartFailure::fault(format!("Could not validate Fireblocks client config, received error: {error}"))
    };
    let client = settings.client().map_err(invalid)?;
    let first = client.public_key(0).await.map_err(invalid)?;
    let account = AccountPublic::from_xpub(&xpub).map_err(|error| invalid(error.to_string()))?;
    if first != hex::encode(account.public_key(0)) {
        return Err(StartFailure::new(FIREBLOCKS_OTHER_KEY).into());
    }
    let signer = Arc::new(FireblocksSigner::new(client, account));
    let account = Account::signed_by(signer).expect("its account is of one key");
    run(app, &id, account, (Scan::GapLimit(config.gap_limit), config.history_sync_mode), (None, None)).await
}

/// Starts a wallet whose keys a token has: the checks run in the order of hathor-wallet-headless.
pub(super) async fn start_at_hsm(app: &App, body: &Map<String, Value>) -> Result<(), NotStarted> {
    let request = HsmStart::read(body).map_err(StartFailure::new)?;
    let id = &request.wallet_id;
    let _turn = app.turn_of(id).await.map_err(|busy| StartFailure::failed(id, busy))?;
    check_not_started(app, id).await?;
    let key = request.hsm_key()?;
    let config = app.config();
    if !config.signers.values().any(|signer| signer.token().is_some()) {
        return Err(StartFailure::new(HSM_NOT_CONFIGURED).into());
    }
    let place = config.signers.get(key).and_then(SignerSettings::token);
    let place = place.ok_or_else(|| StartFailure::new(HSM_NO_KEY))?;
    let signer = TokenSigner::of_label(place.clone(), key, PATIENCE).await.map_err(|error| {
        tracing::error!("{error}");
        StartFailure::new(match error {
            TokenError::NoKeys { .. } => HSM_NO_KEY.to_owned(),
            TokenError::Keys(text) => format!("Unexpected error on key retrieval: {text}"),
            TokenError::Unusable(text) | TokenError::Pin(text) | TokenError::Slow(text) => {
                format!("Unexpected error on HSM connection: {text}")
            }
        })
    })?;
    let account = Account::signed_by(Arc::new(signer)).expect("its addresses are of one key each");
    let started =
        run(app, id, account, (Scan::GapLimit(config.gap_limit), config.history_sync_mode), (None, None))
            .await;
    started.map_err(|refused| match refused {
        NotStarted::Failed(StartFailure { cause: Some(cause), .. }) => {
            StartFailure { cause: Some(cause), ..StartFailure::fault(texts::hsm_start_failed(id, key)) }
                .into()
        }
        refused => refused,
    })
}

/// Has the store know of a wallet that runs here.
async fn share(
    app: &App,
    id: &str,
    wallet: &Wallet,
    request: Option<&str>,
    known: Option<u64>,
) -> Result<(), StartFailure> {
    match app.keep_started(id, wallet, request, known).await {
        Ok(true) => Ok(()),
        Ok(false) => Err(StartFailure::already_started(id)),
        Err(error) => Err(StartFailure::failed(id, error)),
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

impl App {
    /// The words that a seed key names, of the settings, or kept sealed and open, and what passphrase goes
    /// with them: the one that was sealed with them, or that which is given.
    pub(super) async fn seed(&self, key: &str, passphrase: &str) -> Result<Seed, StartFailure> {
        if let Some(words) = self.config().seeds.get(key).cloned() {
            return Ok(Seed::new(words, passphrase));
        }
        if let Some(seed) = self.seeds().get(key) {
            return match (seed.passphrase(), passphrase) {
                ("", given) => Ok(Seed::new(seed.words().clone(), given)),
                (_, "") => Ok(seed),
                _ => Err(StartFailure::new(SEED_HAS_PASSPHRASE)),
            };
        }
        let stores = self.stores();
        let Some(documents) = stores.as_ref().and_then(|stores| stores.documents()) else {
            return Err(StartFailure::new(SEED_NOT_FOUND));
        };
        match self.seeds().is_locked(documents, key).await {
            Ok(true) => Err(StartFailure::new(SEED_LOCKED)),
            Ok(false) => Err(StartFailure::new(SEED_NOT_FOUND)),
            Err(error) => {
                tracing::error!("{error}");
                Err(StartFailure::new(SEEDS_UNREADABLE))
            }
        }
    }
}

/// The xpub by which others take a seed in as a participant.
pub(super) async fn participant_xpub(app: &App, request: &MultisigPubkey) -> Result<String, StartFailure> {
    let key = &request.seed_key;
    let passphrase = request.passphrase.as_ref().map_or("", ExposeSecret::expose_secret);
    let config = app.config();
    let Some(signer) = config.signers.get(key) else {
        return Ok(app.seed(key, passphrase).await?.participant().account_xpub());
    };
    if signer.token().is_some() {
        return Err(StartFailure::new(TOKEN_MULTISIG));
    }
    if !passphrase.is_empty() {
        return Err(StartFailure::new(SIGNER_PASSPHRASE));
    }
    let place = signer.place().map_err(StartFailure::new)?;
    let xpub = RemoteSigner::participant_xpub(place, key, PATIENCE).await;
    xpub.map_err(|error| StartFailure::new(error.to_string()))
}

/// The account of a seed whose keys another process has.
async fn at_signer(
    request: &StartRequest,
    key: &str,
    signer: &SignerSettings,
    participants: Option<MultisigPublic>,
) -> Result<Account, StartFailure> {
    let failed = |why: String| StartFailure::failed(&request.wallet_id, why);
    if participants.is_some() && signer.token().is_some() {
        return Err(failed(TOKEN_MULTISIG.to_owned()));
    }
    if request.passphrase.as_ref().is_some_and(|text| !text.expose_secret().is_empty()) {
        return Err(failed(SIGNER_PASSPHRASE.to_owned()));
    }
    if let Some(place) = signer.token() {
        let asked = TokenSigner::of_label(place.clone(), key, PATIENCE).await;
        let signer = asked.map_err(|error| failed(error.to_string()))?;
        return Ok(Account::signed_by(Arc::new(signer)).expect("its addresses are of one key each"));
    }
    let place = signer.place().map_err(failed)?;
    let unreachable = |error: SignerError| failed(error.to_string());
    if let Some(participants) = participants {
        let signer = RemoteSigner::of_participant(place, key, &participants, PATIENCE).await;
        return Ok(Account::External(participants.into(), Arc::new(signer.map_err(unreachable)?)));
    }
    let signer = RemoteSigner::of_seed(place, key, PATIENCE).await.map_err(unreachable)?;
    Ok(Account::signed_by(Arc::new(signer)).expect("its account is of one key"))
}

async fn account(
    app: &App,
    request: &StartRequest,
    participants: Option<MultisigPublic>,
) -> Result<Account, StartFailure> {
    let config = app.config();
    let passphrase = request.passphrase.as_ref().map_or("", ExposeSecret::expose_secret);
    let seed = match &request.secret {
        StartSecret::Xpub(xpub) => {
            let account = match participants {
                None => AccountPublic::from_xpub(xpub).map(Account::ReadOnly).map_err(|e| e.to_string()),
                Some(participants) => account_key_of(xpub)
                    .map(|_| Account::Multisig { participants, keys: None })
                    .ok_or_else(|| MULTISIG_XPUB_INVALID.to_owned()),
            };
            return account.map_err(|error| StartFailure::failed(&request.wallet_id, error));
        }
        StartSecret::SeedKey(key) if let Some(signer) = config.signers.get(key) => {
            return at_signer(request, key, signer, participants).await;
        }
        StartSecret::SeedKey(key) => app.seed(key, passphrase).await?,
        StartSecret::Seed(words) => Seed::new(words.parse().map_err(StartFailure::new)?, passphrase),
    };
    if !passphrase.is_empty() && !config.allow_passphrase {
        return Err(StartFailure::new(PASSPHRASE_NOT_ALLOWED));
    }
    Ok(match participants {
        None => Account::Signing(seed.account()),
        Some(participants) => Account::Multisig { participants, keys: Some(seed.participant()) },
    })
}
