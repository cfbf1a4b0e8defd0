//! What a wallet is started with: its account, and options.

use super::account::SharedAccounts;
use crate::keys::{
    AccountKeys, AccountPublic, AddressKeys, MultisigKeys, MultisigPublic, Signer, SignerAccount,
};
use crate::node::SwapService;
use crate::store::Stores;
use crate::wallet::Scan;
use std::str::FromStr;
use std::sync::Arc;

/// The default number of blocks after which a transaction counts as confirmed in events.
pub const EVENTS_CONFIRMATIONS: u32 = 6;

#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "it is given away at once")]
pub enum Account {
    /// From a seed phrase: can send.
    Signing(AccountKeys),
    /// Of one signer that has the keys elsewhere: it is asked for each signature.
    External(AddressKeys, Arc<dyn Signer>),
    /// From an xpub: can only watch.
    ReadOnly(AccountPublic),
    /// Of several participants: can send what enough of them have signed.
    Multisig {
        participants: MultisigPublic,
        /// The keys of one participant; without them the wallet can't sign a share.
        keys: Option<MultisigKeys>,
    },
}

impl Account {
    /// `None` for the signer of a participant in multisig wallets.
    pub fn signed_by(signer: Arc<dyn Signer>) -> Option<Self> {
        match signer.account() {
            SignerAccount::Account(public) => Some(Self::External(public.into(), signer)),
            SignerAccount::List(list) => Some(Self::External(list.into(), signer)),
            SignerAccount::Participant(_) => None,
        }
    }

    pub(super) fn into_sides(self) -> (AddressKeys, Option<Arc<dyn Signer>>) {
        match self {
            Self::Signing(keys) => (keys.public().into(), Some(Arc::new(keys))),
            Self::External(public, signer) => (public, Some(signer)),
            Self::ReadOnly(public) => (public.into(), None),
            Self::Multisig { participants, keys } => {
                (participants.into(), keys.map(|keys| Arc::new(keys) as Arc<dyn Signer>))
            }
        }
    }
}

#[derive(Clone)]
pub struct Options {
    pub scan: Scan,
    /// Not used if a wallet of the account is running already.
    pub sync_mode: SyncMode,
    /// Where the wallet is kept; without, each start loads everything from the node. Wallets of one account
    /// that share `shared` are kept where the first one is.
    pub stores: Option<Arc<dyn Stores>>,
    /// What it shares with other wallets of the process: those of one account, at one node, are one.
    pub shared: SharedAccounts,
    /// Whether a send of more than is available waits for change of sends under way, instead of being refused
    /// at once.
    pub wait_for_change: bool,
    pub swap_service: Option<SwapService>,
    /// Blocks after which a transaction counts as confirmed in events.
    pub events_confirmations: u32,
}

impl Default for Options {
    /// The usual gap limit of this network's wallets, 20; not stored; shares nothing; waits for change.
    fn default() -> Self {
        Self {
            scan: Scan::GapLimit(20),
            sync_mode: SyncMode::default(),
            stores: None,
            shared: SharedAccounts::default(),
            wait_for_change: true,
            swap_service: None,
            events_confirmations: EVENTS_CONFIRMATIONS,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SyncMode {
    /// By stream or by pages, whichever is faster. A node streams a transaction once for each address that it
    /// pays, and has it once on a page of at most 900 inputs and outputs. So this begins with a stream, and
    /// continues by pages once these bring less.
    #[default]
    Auto,
    /// In one stream over the WebSocket, if the node can; else by pages. The node derives the addresses from
    /// the wallet's xpub. It gets a list if an address has several keys, or if an index limit gives the
    /// addresses.
    XpubStream,
    /// In one stream as [`Self::XpubStream`], but always of a list of addresses: the node doesn't learn
    /// future addresses.
    ManualStream,
    /// Page by page over HTTP, for several addresses at a time.
    Pages,
}

impl SyncMode {
    /// For the end of a sentence.
    pub const NAMES: &str = "auto, polling_http_api, xpub_stream_ws or manual_stream_ws";
}

impl FromStr for SyncMode {
    type Err = ();
    /// The names of hathor-wallet-headless, and `auto`.
    fn from_str(name: &str) -> Result<Self, ()> {
        match name {
            "auto" => Ok(Self::Auto),
            "polling_http_api" => Ok(Self::Pages),
            "xpub_stream_ws" => Ok(Self::XpubStream),
            "manual_stream_ws" => Ok(Self::ManualStream),
            _ => Err(()),
        }
    }
}
