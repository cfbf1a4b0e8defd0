//! The options that a wallet is started with.

use super::failure::Failure;
use super::js_arg::JsArg;
use super::secrets::{self, Keys};
use super::store::JsStores;
use crate::keys::{ADDRESS_INDEXES, MultisigKeys, MultisigPublic};
use crate::ledger::Network;
use crate::net::{HttpClient, Url, Ways};
use crate::node::{FullNode, Miner, Mining, MiningService};
use crate::service::{Account, Backend, Options, SharedAccounts, SyncMode};
use crate::wallet::Scan;
use js_sys::Function;
use secrecy::SecretString;
use std::sync::Arc;
use wasm_bindgen::JsValue;

/// Deriving more at once would hold up the page for seconds, and no full node lets that many be watched.
const MAX_GAP_LIMIT: u32 = 10_000;

thread_local! {
    /// So that two wallets of one account never spend the same output, nor carry out one key twice.
    static ACCOUNTS: SharedAccounts = SharedAccounts::default();
}

pub(super) struct Start {
    pub account: Account,
    pub backend: Backend,
    pub options: Options,
    pub on_progress: Option<Function>,
    /// Without user and password.
    pub node_url: String,
}

impl Start {
    pub(super) fn read(options: JsValue) -> Result<Self, Failure> {
        let [
            network,
            node_url,
            mining_url,
            mining_api_key,
            mining,
            seed,
            xpub,
            passphrase,
            multisig,
            gap_limit,
            index_limit,
            wait_for_change,
            history_sync_mode,
            store,
            on_progress,
            fetch,
            socket,
            node_headers,
            mining_headers,
            _signal,
        ] = JsArg::new(options, "options").members([
            "network",
            "nodeUrl",
            "miningUrl",
            "miningApiKey",
            "mining",
            "seed",
            "xpub",
            "passphrase",
            "multisig",
            "gapLimit",
            "indexLimit",
            "waitForChange",
            "historySyncMode",
            "store",
            "onProgress",
            "fetch",
            "WebSocket",
            "nodeHeaders",
            "miningHeaders",
            "signal",
        ])?;
        let network = network.network()?;
        let node_url = address_of(&node_url, FullNode::public_url(network))?;
        let fetch = fetch.given().map(|fetch| fetch.function()).transpose()?;
        let socket = socket.given().map(|socket| socket.function()).transpose()?;
        let client = |headers: JsArg| {
            let headers = headers.given().map(|headers| headers.headers()).transpose()?.unwrap_or_default();
            Ok::<_, Failure>(HttpClient::by(Ways { fetch: fetch.clone(), socket: socket.clone(), headers }))
        };
        let backend = Backend {
            network,
            node: FullNode::new(client(node_headers)?, &node_url)?,
            mining: miner(
                mining.given(),
                client(mining_headers)?,
                &mining_url,
                mining_api_key.given(),
                network,
            )?,
        };
        let on_progress = on_progress.given().map(|callback| callback.function()).transpose()?;
        // Unless asked to, a program does not tell a node which addresses it will have.
        let shared = ACCOUNTS.with(SharedAccounts::clone);
        let mut options = Options { sync_mode: SyncMode::ManualStream, shared, ..Options::default() };
        if let Some(mode) = history_sync_mode.given() {
            let known = mode.text().ok().and_then(|name| name.parse().ok());
            options.sync_mode = known.ok_or_else(|| mode.refuse(format!("must be {}", SyncMode::NAMES)))?;
        }
        let gap_limit = gap_limit.given();
        if let Some(limit) = &gap_limit {
            options.scan = Scan::GapLimit(limit.count(1..=MAX_GAP_LIMIT)?);
        }
        if let Some(limits) = index_limit.given() {
            if gap_limit.is_some() {
                return Err(limits.refuse("must be left out where there is a gapLimit: give one of the two"));
            }
            let [first, last] = limits.members(["first", "last"])?;
            let first = first.given().map_or(Ok(0), |first| first.count(0..=ADDRESS_INDEXES - 1))?;
            let last =
                last.count(first..=first.saturating_add(MAX_GAP_LIMIT - 1).min(ADDRESS_INDEXES - 1))?;
            options.scan = Scan::IndexLimit { first, last };
        }
        if let Some(wait) = wait_for_change.given() {
            options.wait_for_change = wait.boolean()?;
        }
        if let Some(store) = store.given() {
            options.stores = Some(Arc::new(JsStores::read(&store)?));
        }
        // It was found to be an address above.
        let node_url = node_url.parse().map(|url: Url| url.printable()).unwrap_or_default();
        let account = match multisig.given() {
            None => secrets::keys_of(seed, xpub, passphrase)?.into(),
            Some(multisig) => participant(&multisig, seed, xpub, passphrase)?,
        };
        Ok(Self { account, backend, options, on_progress, node_url })
    }
}

impl From<Keys> for Account {
    fn from(keys: Keys) -> Self {
        match keys {
            Keys::Signing(keys) => Self::Signing(keys),
            Keys::Public(public) => Self::ReadOnly(public),
        }
    }
}

/// The address of a service: the network's public one, if none is given.
fn address_of(given: &JsArg, public: Option<&'static str>) -> Result<String, Failure> {
    match public.filter(|_| given.is_left_out()) {
        Some(public) => Ok(public.to_owned()),
        None => given.text(),
    }
}

/// A multisig wallet, of whose participants one may sign here.
fn participant(multisig: &JsArg, seed: JsArg, xpub: JsArg, passphrase: JsArg) -> Result<Account, Failure> {
    let [pubkeys, num_signatures] = multisig.members(["pubkeys", "numSignatures"])?;
    let xpubs = pubkeys.elements()?.iter().map(JsArg::text).collect::<Result<Vec<_>, _>>()?;
    let num_signatures = num_signatures.count(1..=255)?;
    let participants = MultisigPublic::new(&xpubs, num_signatures as u8)
        .map_err(|error| pubkeys.refuse(format!("can't be used: {error}")))?;
    if let Some(xpub) = xpub.given() {
        return Err(xpub.refuse("must be left out: `multisig.pubkeys` has those of all participants"));
    }
    let keys = match seed.given() {
        None => None,
        Some(seed) => {
            let words = secrets::words(&seed)?;
            let passphrase = passphrase.given().map(|passphrase| passphrase.secret()).transpose()?;
            let passphrase = passphrase.as_deref().map_or("", String::as_str);
            Some(MultisigKeys::from_mnemonic(&words, passphrase))
        }
    };
    Ok(Account::Multisig { participants, keys })
}

/// Who does the proof of work.
fn miner(
    mining: Option<JsArg>,
    client: HttpClient,
    url: &JsArg,
    api_key: Option<JsArg>,
    network: Network,
) -> Result<Miner, Failure> {
    let mining = match mining {
        None => Mining::default(),
        Some(mining) => {
            let name = mining.text().ok().and_then(|name| name.parse().ok());
            name.ok_or_else(|| mining.refuse("must be \"service\", \"local\" or \"service-then-local\""))?
        }
    };
    let service = || {
        let url = address_of(url, MiningService::public_url(network))?;
        let key = api_key.as_ref().map(|key| key.text().map(SecretString::from)).transpose()?;
        Ok::<_, Failure>(MiningService::new(client.clone(), &url, key.as_ref())?)
    };
    Ok(match mining {
        Mining::Service => service()?.into(),
        Mining::Local => Miner::local(),
        Mining::ServiceThenLocal => Miner::service_then_local(service()?),
    })
}
