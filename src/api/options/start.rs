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
    /// The network, and the full node that is asked.
    pub struct NodeOptions in [
        OptionForm::of(&["network"], &["node_url"]).where_one_of("network", &["mainnet", "testnet"]),
        OptionForm::of(&["network", "node_url"], &[]).where_one_of("network", &["privatenet"]),
        OptionForm::of(&["network", "node_url"], &[]),
    ] {
        /// The network that the full node must be of.
        network: OptionMember::javascript("Network"),
        /// The full node's API, such as `http://localhost:8080/v1a/`; of mainnet and testnet a public node if
        /// left out. Wallets of one account that run at the same time use the same.
        node_url: OptionMember::optional(TEXT),
    }
}

options! {
    /// Who does the proof of work: the transaction mining service ("service"), this program ("local"), or
    /// this program when the service is down, overloaded or slow ("service-then-local"). This program does it
    /// on the thread that the wallet runs on, in pieces of some ten milliseconds between which everything
    /// else goes on: for smooth pages put the wallet into a worker.
    pub struct MiningOptions {
        /// Who does the proof of work.
        mining: OptionMember::optional(Kind::OneOf(MINING_MODES)).default(Literal::Text("service")),
        /// The transaction mining service, such as `http://localhost:8035/`; the public one of mainnet and
        /// testnet if left out.
        mining_url: OptionMember::optional(TEXT),
        /// The key that the service asks for.
        mining_api_key: OptionMember::optional(TEXT),
    }
}

options! {
    /// Where the wallet's keys come from.
    pub struct KeyOptions in [
        OptionForm::of(&["seed"], &["passphrase"])
            .named("SeedOptions", "Keys from words: the wallet can send."),
        OptionForm::of(&["xpub"], &[])
            .named("XpubOptions", "Keys from an xpub: the wallet can watch, not send."),
        OptionForm::of(&["signer"], &["multisig"])
            .named("SignerOptions", "Keys that something else has, which signs: a device, a service, a worker."),
        OptionForm::of(&["multisig"], &["seed", "passphrase"])
            .named("MultisigOptions", "A wallet of several participants, of whom so many must sign."),
    ] {
        /// 24 words of the English list; of a multisig wallet those of the participant who signs here:
        /// without, it can only watch and propose.
        seed: OptionMember::optional(TEXT),
        /// Part of the keys besides the words: another passphrase is another wallet.
        passphrase: OptionMember::optional(TEXT),
        /// Of the account (`m/44'/280'/0'`) or its change level (`m/44'/280'/0'/0`).
        xpub: OptionMember::optional(TEXT),
        /// Has the keys, and is asked for each signature; in a multisig wallet those of one participant,
        /// for the share of that one.
        signer: OptionMember::javascript("WalletSigner"),
        /// The participants.
        multisig: OptionMember::object(&Participants::<()>::GROUP),
    }
}

options! {
    /// The participants of a multisig wallet.
    pub struct Participants {
        /// The xpubs of all participants (`m/45'/280'/0'`), as `Account.multisigXpub` gives them, in any
        /// order.
        pubkeys: OptionMember::required(Kind::Array { of: &TEXT, least: 1, most: None }),
        /// How many must sign.
        num_signatures: OptionMember::required(Kind::Integer(Some(1), None)),
    }
}

options! {
    /// Options of `Wallet.start` that every wallet needs.
    pub struct ServiceOptions {
        /// How many unused addresses are watched past the last used one.
        gap_limit: OptionMember::optional(Kind::Integer(Some(1), Some(PACKAGE_MAX_ADDRESSES as i128)))
            .default(Literal::Number(20)),
        /// The addresses between two indexes are watched, at most 10,000, rather than all up to `gapLimit`
        /// unused ones.
        index_limit: OptionMember::object(&IndexLimit::<()>::GROUP),
        /// Whether a send of more than the wallet holds waits for the change of sends under way, for five
        /// minutes at most.
        wait_for_change: OptionMember::optional(Kind::StrictFlag).default(Literal::Flag(true)),
        /// How the history is loaded. "manual_stream_ws": in a stream of addresses that the node is told.
        /// "xpub_stream_ws": in a stream of addresses that the node derives from the wallet's xpub, which
        /// gives away all addresses to come. "polling_http_api": page by page. "auto": in a stream of
        /// addresses, or page by page where that is faster. Where a node can't stream, pages are asked for;
        /// it is given the xpub only by "xpub_stream_ws".
        history_sync_mode: OptionMember::optional(Kind::OneOf(HISTORY_SYNC_MODES))
            .default(Literal::Text("auto")),
        /// Keeps proposals of atomic swaps, encrypted, where that is asked for.
        swap_service_url: OptionMember::optional(TEXT),
        /// Where that service tells of changes (`ws://` or `wss://`), if that is elsewhere.
        swap_service_ws_url: OptionMember::optional(TEXT),
        /// Keeps the history between starts: the next one asks the full node only for what is new. Kept
        /// nowhere if left out. Wallets of one account that run at the same time are kept in the store of the
        /// first.
        store: OptionMember::javascript("WalletStore"),
        /// Called while the history is being loaded, now and later.
        on_progress: OptionMember::javascript("(progress: Progress) => void"),
        /// Ends the start.
        signal: OptionMember::javascript("Global<\"AbortSignal\">"),
    }
}

options! {
    /// Which addresses are watched.
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
    /// A program's own ways to the full node and to the mining service, for proxies, gateways and tests.
    pub struct TransportOptions {
        /// Takes the place of the global `fetch`: all requests of the wallet go through it.
        fetch: OptionMember::javascript("(url: string, options: FetchOptions) => Promise<FetchAnswer>"),
        /// Takes the place of the global class `WebSocket`: all sockets of the wallet are made by it. Where
        /// there are `nodeHeaders`, it is given `{ headers }` as well, as the package `ws` takes them.
        socket: OptionMember::javascript("new (url: string, options?: never) => object").named("WebSocket"),
        /// Headers of each request to the full node. The sockets have them too, save in browsers, which give
        /// sockets no headers.
        node_headers: OptionMember::javascript("Record<string, string>"),
        /// Headers of each request to the mining service.
        mining_headers: OptionMember::javascript("Record<string, string>"),
    }
}
