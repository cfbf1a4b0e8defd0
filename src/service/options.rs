//! What a wallet is started with: whose it is, the services that it talks to, and its owner's wishes.

use super::{SharedAccounts, SyncMode};
use crate::keys::{
    AccountKeys, AccountPublic, AddressKeys, MultisigKeys, MultisigPublic, Signer, SignerAccount,
};
use crate::ledger::Network;
use crate::node::{FullNode, Lane, Miner, SwapService, Tenant};
use crate::store::Stores;
use crate::wallet::Scan;
use std::sync::Arc;

/// Blocks after which a transaction is told as confirmed, where nobody says how many.
pub const EVENTS_CONFIRMATIONS: u32 = 6;

/// The services that a wallet talks to.
#[derive(Clone)]
pub struct Backend {
    /// Whose addresses are meant; the node must be of it.
    pub network: Network,
    pub node: FullNode,
    /// Who does the proof of work.
    pub mining: Miner,
}

impl Backend {
    /// The same services, for somebody whose questions to the node take turns with those of others.
    #[must_use]
    pub fn asked_by(&self, tenant: Tenant) -> Self {
        Self { node: self.node.in_lane(Lane::Read(tenant)), ..self.clone() }
    }

    /// The same services, for what brings a signed transaction to the ledger.
    pub(super) fn for_pushes(&self) -> Self {
        Self { node: self.node.for_pushes(), ..self.clone() }
    }
}

/// Whose wallet it is.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "it is given away at once")]
pub enum Account {
    /// From words: can send.
    Signing(AccountKeys),
    /// Of one signer, which something else has the keys of: it is asked for each signature.
    External(AddressKeys, Arc<dyn Signer>),
    /// From an xpub: can watch.
    ReadOnly(AccountPublic),
    /// Of several participants: can send what enough of them have signed.
    Multisig {
        participants: MultisigPublic,
        /// Those of one participant; without, it can't sign its share.
        keys: Option<MultisigKeys>,
    },
}

impl Account {
    /// Whose keys a signer has, and the signer; `None` if it is a participant's in wallets of several.
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

/// A wallet owner's wishes.
#[derive(Clone)]
pub struct Options {
    /// Which addresses are watched.
    pub scan: Scan,
    /// How the history is loaded, if no wallet of the account is running.
    pub sync_mode: SyncMode,
    /// Where the wallet is kept; without, each start asks the node for everything. Wallets of one account
    /// that share something are kept where the first one is.
    pub stores: Option<Arc<dyn Stores>>,
    /// What it shares with other wallets of the process: those of one account, at one node, are one.
    pub shared: SharedAccounts,
    /// Whether a send of more than the wallet holds waits for the change of sends under way, instead of
    /// being refused at once.
    pub wait_for_change: bool,
    /// Who keeps proposals of atomic swaps, if somebody does.
    pub swap_service: Option<SwapService>,
    /// Blocks that must have come after a transaction's own before it is told as confirmed.
    pub events_confirmations: u32,
}

impl Default for Options {
    /// A gap limit of 20, as wallets of this network have; kept nowhere; sharing nothing; waiting for change.
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
