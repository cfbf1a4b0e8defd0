//! The options that a wallet is started with.

use super::failure::Failure;
use super::js_arg::JsArg;
use super::secrets::{self, Keys};
use super::signer::JsSigner;
use super::store::JsStores;
use crate::api::camel_case;
use crate::api::options::{
    self as api, GAP_LIMITS, HISTORY_SYNC_MODES, IndexLimit, KeyOptions, MINING_MODES, MiningOptions,
    Participants, StartOptions, TransportOptions, index_limits,
};
use crate::keys::{MultisigKeys, MultisigPublic};
use crate::ledger::Network;
use crate::net::{HttpClient, Url, Ways};
use crate::node::{FullNode, Miner, Mining, MiningService, SwapService};
use crate::service::{Account, Backend, Options, SharedAccounts};
use crate::wallet::Scan;
use js_sys::Function;
use secrecy::SecretString;
use std::str::FromStr;
use std::sync::Arc;
use wasm_bindgen::JsValue;

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
        let StartOptions { node, mining, keys, service, transport } = read(&JsArg::new(options, "options"))?;
        let network = node.network.network()?;
        let node_url = address_of(&node.node_url, FullNode::public_url(network))?;
        let TransportOptions { fetch, socket, node_headers, mining_headers } = transport;
        let fetch = fetch.given().map(|fetch| fetch.function()).transpose()?;
        let socket = socket.given().map(|socket| socket.function()).transpose()?;
        let client = |headers: JsArg| {
            let headers = headers.given().map(|headers| headers.headers()).transpose()?.unwrap_or_default();
            Ok::<_, Failure>(HttpClient::by(Ways { fetch: fetch.clone(), socket: socket.clone(), headers }))
        };
        let backend = Backend {
            network,
            node: FullNode::new(client(node_headers)?, &node_url)?,
            mining: miner(mining, client(mining_headers)?, network)?,
        };
        let on_progress = service.on_progress.given().map(|callback| callback.function()).transpose()?;
        let shared = ACCOUNTS.with(SharedAccounts::clone);
        let mut options = Options { shared, ..Options::default() };
        if let Some(mode) = service.history_sync_mode.given() {
            options.sync_mode = known(&mode, HISTORY_SYNC_MODES)?;
        }
        let gap_limit = service.gap_limit.given();
        if let Some(limit) = &gap_limit {
            options.scan = Scan::GapLimit(limit.count(GAP_LIMITS)?);
        }
        if let Some(limits) = service.index_limit.given() {
            if gap_limit.is_some() {
                return Err(limits.refuse("must be left out where there is a gapLimit: give one of the two"));
            }
            let IndexLimit { first, last } = read(&limits)?;
            let first = first.given().map_or(Ok(0), |first| first.count(index_limits(None)))?;
            options.scan = Scan::IndexLimit { first, last: last.count(index_limits(Some(first)))? };
        }
        let swap_socket = service.swap_service_ws_url.given().map(|url| socket_url(&url)).transpose()?;
        if let Some(url) = service.swap_service_url.given() {
            let swaps = SwapService::new(client(JsArg::new(JsValue::UNDEFINED, ""))?, &url.text()?)?;
            options.swap_service = Some(match swap_socket {
                None => swaps,
                Some(url) => swaps.with_socket(url),
            });
        }
        if let Some(wait) = service.wait_for_change.given() {
            options.wait_for_change = wait.boolean()?;
        }
        if let Some(store) = service.store.given() {
            options.stores = Some(Arc::new(JsStores::read(&store)?));
        }
        // It was found to be an address above.
        let node_url = node_url.parse().map(|url: Url| url.printable()).unwrap_or_default();
        let account = account(keys)?;
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

/// Of a WebSocket.
fn socket_url(given: &JsArg) -> Result<Url, Failure> {
    let url = given.text()?.parse().ok().filter(|url: &Url| matches!(url.scheme(), "ws" | "wss"));
    url.ok_or_else(|| given.refuse("must be a URL that begins with ws:// or wss://"))
}

/// The address of a service: the network's public one, if none is given.
fn address_of(given: &JsArg, public: Option<&'static str>) -> Result<String, Failure> {
    match public.filter(|_| given.is_left_out()) {
        Some(public) => Ok(public.to_owned()),
        None => given.text(),
    }
}

/// The account of words, of an xpub or of a signer; or a multisig wallet, of whose participants one may sign
/// here.
fn account(keys: KeyOptions<JsArg>) -> Result<Account, Failure> {
    let KeyOptions { seed, passphrase, xpub, multisig, signer } = keys;
    let multisig = multisig.given();
    if let Some(signer) = signer.given() {
        if let Some(other) = [seed, passphrase, xpub].into_iter().find_map(JsArg::given) {
            return Err(other.refuse("must be left out where there is a signer: it has the keys"));
        }
        let participants = multisig.map(|multisig| participants(&multisig)).transpose()?;
        let signer = JsSigner::read(&signer, participants)?;
        return Ok(Account::External(signer.address_keys(), Arc::new(signer)));
    }
    let Some(multisig) = multisig else {
        return Ok(secrets::keys_of(seed, xpub, passphrase)?.into());
    };
    let participants = participants(&multisig)?;
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

fn participants(multisig: &JsArg) -> Result<MultisigPublic, Failure> {
    let Participants { pubkeys, num_signatures } = read(multisig)?;
    let xpubs = pubkeys.elements()?.iter().map(JsArg::text).collect::<Result<Vec<_>, _>>()?;
    let num_signatures = num_signatures.count(1..=255)?;
    MultisigPublic::new(&xpubs, num_signatures as u8)
        .map_err(|error| pubkeys.refuse(format!("can't be used: {error}")))
}

/// Who does the proof of work.
fn miner(options: MiningOptions<JsArg>, client: HttpClient, network: Network) -> Result<Miner, Failure> {
    let MiningOptions { mining, mining_url, mining_api_key } = options;
    let mining = mining.given().map_or(Ok(Mining::default()), |mining| known(&mining, MINING_MODES))?;
    let key = mining_api_key.given();
    let service = || {
        let url = address_of(&mining_url, MiningService::public_url(network))?;
        let key = key.as_ref().map(|key| key.text().map(SecretString::from)).transpose()?;
        Ok::<_, Failure>(MiningService::new(client.clone(), &url, key.as_ref())?)
    };
    Ok(match mining {
        Mining::Service => service()?.into(),
        Mining::Local => Miner::local(),
        Mining::ServiceThenLocal => Miner::service_then_local(service()?),
    })
}

/// What one of the names stands for that an option can have.
fn known<T: FromStr>(given: &JsArg, names: &[&'static str]) -> Result<T, Failure> {
    let name = given.one_of(names)?;
    name.parse().map_err(|_| Failure::internal(format!("{name} is declared and not known")))
}

/// The members of an object, by their names in camel case. Those that are left out come as `undefined`.
fn read<O: api::Options<JsArg>>(given: &JsArg) -> Result<O, Failure> {
    let names = O::GROUPS.iter().flat_map(|group| group.members);
    let names: Vec<_> = names.map(|member| camel_case(member.name)).collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let members = O::of(&mut given.known_members(&names)?.into_iter());
    members.ok_or_else(|| Failure::internal("an option is not declared"))
}
