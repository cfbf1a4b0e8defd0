//! What `Wallet.start` of the npm package takes.

use super::{OptionForm, OptionGroup, OptionMember, Options, options};
use crate::api::declare::{Kind, Literal, told};
use crate::api::rules::MAX_INDEX;
use std::ops::RangeInclusive;

/// Deriving more addresses at once would hold up the page for seconds, and no full node lets that many be
/// watched.
const PACKAGE_MAX_ADDRESSES: u32 = 10_000;

/// What `gapLimit` may be.
pub const GAP_LIMITS: RangeInclusive<u32> = 1..=PACKAGE_MAX_ADDRESSES;

/// The names of ways to load a history.
pub const HISTORY_SYNC_MODES: &[&str] = &["auto", "manual_stream_ws", "xpub_stream_ws", "polling_http_api"];

/// Who may do the proof of work.
pub const MINING_MODES: &[&str] = &["service", "local", "service-then-local"];

const TEXT: Kind = Kind::Text;

options! {
    /// Options of `Wallet.start`.
    pub struct StartOptions of {
        node: NodeOptions,
        mining: MiningOptions,
        keys: KeyOptions,
        service: ServiceOptions,
        transport: TransportOptions,
    }
}

options! {
    /// The network and the full node.
    pub struct NodeOptions in [
        OptionForm::of(&["network"], &["node_url"]).where_one_of("network", &["mainnet", "testnet"]),
        OptionForm::of(&["network", "node_url"], &[]).where_one_of("network", &["privatenet"]),
        OptionForm::of(&["network", "node_url"], &[]),
    ] {
        /// The network of the full node.
        network: OptionMember::javascript("Network"),
        /// The full node's API, such as `http://localhost:8080/v1a/`; of mainnet and testnet a public node if
        /// left out. Wallets of one account that run at the same time use the same.
        node_url: OptionMember::optional(TEXT),
    }
}

options! {
    /// Where the proof of work is done: by the transaction mining service ("service"), by this program
    /// ("local"), or by this program when the service is down, overloaded or slow ("service-then-local").
    /// This program works on the wallet's thread, in slices of some ten milliseconds: for smooth pages run
    /// the wallet in a worker.
    pub struct MiningOptions {
        /// Where the proof of work is done.
        mining: OptionMember::optional(Kind::OneOf(MINING_MODES)).default(Literal::Text("service")),
        /// The transaction mining service, such as `http://localhost:8035/`; the public one of mainnet and
        /// testnet if left out.
        mining_url: OptionMember::optional(TEXT),
        /// The API key of the service.
        mining_api_key: OptionMember::optional(TEXT),
    }
}

options! {
    /// Where the wallet's keys come from.
    pub struct KeyOptions in [
        OptionForm::of(&["seed"], &["passphrase"])
            .named("SeedOptions", "Keys from a seed phrase: the wallet can send."),
        OptionForm::of(&["xpub"], &[])
            .named("XpubOptions", "Keys from an xpub: the wallet can watch, not send."),
        OptionForm::of(&["signer"], &["multisig"])
            .named("SignerOptions", "Keys held by a signer: a device, a service, a worker."),
        OptionForm::of(&["multisig"], &["seed", "passphrase"])
            .named("MultisigOptions", "A multisig wallet."),
    ] {
        /// The seed phrase: 24 words of the English list. In a multisig wallet your own; without it, the
        /// wallet can only watch and propose.
        seed: OptionMember::optional(TEXT),
        /// A passphrase in addition to the seed phrase: another passphrase is another wallet.
        passphrase: OptionMember::optional(TEXT),
        /// The xpub of the account (`m/44'/280'/0'`) or its change level (`m/44'/280'/0'/0`).
        xpub: OptionMember::optional(TEXT),
        /// Holds the keys, and gives each signature; in a multisig wallet those of one participant, for its
        /// share.
        signer: OptionMember::javascript("WalletSigner"),
        /// The participants.
        multisig: OptionMember::object(&Participants::<()>::GROUP),
    }
}

options! {
    /// The participants of a multisig wallet.
    pub struct Participants {
        /// The xpubs of all participants (`m/45'/280'/0'`), as returned by `Account.multisigXpub`, in any
        /// order.
        pubkeys: OptionMember::required(Kind::Array { of: &TEXT, least: 1, most: None }),
        /// The number of required signatures.
        num_signatures: OptionMember::required(Kind::Integer(Some(1), None)),
    }
}

options! {
    /// Options of `Wallet.start` that every wallet needs.
    pub struct ServiceOptions {
        /// The number of unused addresses that are watched past the last used one.
        gap_limit: OptionMember::optional(Kind::Integer(Some(1), Some(PACKAGE_MAX_ADDRESSES as i128)))
            .default(Literal::Number(20)),
        /// Watches the addresses between two indexes, at most 10,000, instead of all up to `gapLimit` unused
        /// ones.
        index_limit: OptionMember::object(&IndexLimit::<()>::GROUP),
        /// Whether a send of more than is available waits for the change of pending sends, for five minutes
        /// at most.
        wait_for_change: OptionMember::optional(Kind::StrictFlag).default(Literal::Flag(true)),
        /// How the history is loaded. "manual_stream_ws": as a stream for the wallet's addresses.
        /// "xpub_stream_ws": as a stream for the addresses that the node derives from the wallet's xpub,
        /// which reveals all future addresses to it. "polling_http_api": page by page. "auto": as a stream
        /// for addresses, or page by page where that is faster. A node that can't stream is read page by
        /// page; only "xpub_stream_ws" sends the xpub.
        history_sync_mode: OptionMember::optional(Kind::OneOf(HISTORY_SYNC_MODES))
            .default(Literal::Text("auto")),
        /// A service that stores proposals of atomic swaps, encrypted, on request.
        swap_service_url: OptionMember::optional(TEXT),
        /// The WebSocket of that service (`ws://` or `wss://`), if it has another address.
        swap_service_ws_url: OptionMember::optional(TEXT),
        /// Stores the history between starts, so that the next one loads only new transactions. Wallets of
        /// one account that run at the same time use the store of the first. No store if left out.
        store: OptionMember::javascript("WalletStore"),
        /// Called while the history is loaded, at the start and later.
        on_progress: OptionMember::javascript("(progress: Progress) => void"),
        /// Aborts the start.
        signal: OptionMember::javascript("Global<\"AbortSignal\">"),
    }
}

options! {
    /// A range of watched addresses.
    pub struct IndexLimit {
        /// The index of the first address; 0 if left out.
        first: OptionMember::optional(Kind::Integer(Some(0), Some(MAX_INDEX as i128))),
        /// The index of the last address.
        last: OptionMember::required(Kind::Integer(Some(0), Some(MAX_INDEX as i128))),
    }
}

/// What `indexLimit.first` may be, or where that is given, `indexLimit.last`.
pub fn index_limits(first: Option<u32>) -> RangeInclusive<u32> {
    match first {
        None => 0..=MAX_INDEX,
        Some(first) => first..=first.saturating_add(PACKAGE_MAX_ADDRESSES - 1).min(MAX_INDEX),
    }
}

options! {
    /// Custom transport to the full node and the mining service, for proxies, gateways and tests.
    pub struct TransportOptions {
        /// Replaces the global `fetch` for all requests of the wallet.
        fetch: OptionMember::javascript("(url: string, options: FetchOptions) => Promise<FetchAnswer>"),
        /// Replaces the global class `WebSocket` for all sockets of the wallet. With `nodeHeaders`, it also
        /// gets `{ headers }`, as the package `ws` takes them.
        socket: OptionMember::javascript("new (url: string, options?: never) => object").named("WebSocket"),
        /// Headers of each request to the full node; also of sockets, except in browsers, which don't support
        /// that.
        node_headers: OptionMember::javascript("Record<string, string>"),
        /// Headers of each request to the mining service.
        mining_headers: OptionMember::javascript("Record<string, string>"),
    }
}
