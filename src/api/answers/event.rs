//! What listeners of a wallet are told: the events of hathor-wallet-headless's plugins, by the same names.

use super::history::HistoryEntry;
use super::kinds::Change as SignedCents;
use super::wallet::LoadProgress;
use crate::api::answer::answer;
use crate::ledger::{Change, SignedAmount, TokenChange, TokenUid};
use litemap::LiteMap;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// One event of a wallet.
pub struct EventAnswer<'a> {
    /// The name that the wallet was started by.
    pub wallet_id: &'a str,
    pub body: EventBody<'a>,
}

pub enum EventBody<'a> {
    WalletState {
        code: u8,
        name: &'a str,
    },
    /// The connection to the node: 0 closed, 1 connecting, 2 connected.
    NodeState(u8),
    /// How far loading has come.
    Loading(LoadProgress),
    /// A transaction entered the history (`true`) or changed (`false`).
    Transaction {
        is_new: bool,
        entry: HistoryEntry<'a>,
        balance: EventBalance,
    },
    /// The height of the best block.
    BestBlock(u32),
    /// A proposal at the swap service changed; without an id, any of them may have.
    SwapProposal {
        id: Option<&'a str>,
        version: Option<u32>,
    },
    /// Something waits for approval, or what became of it.
    Approval {
        id: &'a str,
        status: &'a str,
    },
    /// The hash of the last line of the server's audit log.
    AuditHead(&'a str),
    /// The listener missed events: so many of them, where that is known.
    Missed(Option<u64>),
}

impl EventBody<'_> {
    pub const fn name(&self) -> &'static str {
        match self {
            Self::WalletState { .. } => "wallet:state-change",
            Self::NodeState(_) => "node:state-change",
            Self::Loading(_) => "wallet:load-partial-update",
            Self::Transaction { is_new: true, .. } => "wallet:new-tx",
            Self::Transaction { is_new: false, .. } => "wallet:update-tx",
            Self::BestBlock(_) => "node:best-block-update",
            Self::SwapProposal { .. } => "wallet:update-atomic-swap-proposal",
            Self::Approval { .. } => "wallet:approval",
            Self::AuditHead(_) => "audit:head",
            Self::Missed(_) => "events:missed",
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Loading {
    addresses_found: u32,
    history_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated_end: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChangedProposal<'a> {
    proposal_id: Option<&'a str>,
    version: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChangedApproval<'a> {
    approval_id: &'a str,
    status: &'a str,
}

impl Serialize for EventAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", self.body.name())?;
        map.serialize_entry("walletId", self.wallet_id)?;
        match &self.body {
            EventBody::WalletState { code, name } => {
                map.serialize_entry("data", code)?;
                map.serialize_entry("stateName", name)?;
            }
            EventBody::NodeState(state) => map.serialize_entry("data", state)?,
            EventBody::Loading(LoadProgress { addresses, transactions, estimated_end }) => {
                let data = Loading {
                    addresses_found: *addresses,
                    history_length: *transactions,
                    estimated_end: *estimated_end,
                };
                map.serialize_entry("data", &data)?;
            }
            EventBody::Transaction { entry, balance, .. } => {
                map.serialize_entry("data", entry)?;
                map.serialize_entry("balance", balance)?;
            }
            EventBody::BestBlock(height) => map.serialize_entry("data", height)?,
            EventBody::SwapProposal { id, version } => {
                map.serialize_entry("data", &ChangedProposal { proposal_id: *id, version: *version })?;
            }
            EventBody::Approval { id, status } => {
                map.serialize_entry("data", &ChangedApproval { approval_id: id, status })?;
            }
            EventBody::AuditHead(hash) => map.serialize_entry("data", hash)?,
            EventBody::Missed(count) => map.serialize_entry("data", count)?,
        }
        map.end()
    }
}

/// What a transaction did to the wallet, by token.
#[derive(Default)]
pub struct EventBalance(pub LiteMap<TokenUid, TokenChange>);

impl Serialize for EventBalance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(token, change)| (token.to_string(), Changed(change))))
    }
}

struct Changed<'a>(&'a TokenChange);

answer! {
    this: Changed<'_> {
        tokens: Sums<'_, SignedAmount> = Sums(&this.0.amount),
        authorities: Authorities<'_> = Authorities(this.0),
    }
}

struct Authorities<'a>(&'a TokenChange);

answer! {
    this: Authorities<'_> {
        mint: Sums<'_, i64> = Sums(&this.0.mint),
        melt: Sums<'_, i64> = Sums(&this.0.melt),
    }
}

struct Sums<'a, N>(&'a Change<N>);

answer! {
    this: Sums<'_, SignedAmount> {
        locked: SignedCents = this.0.locked,
        unlocked: SignedCents = this.0.unlocked,
    }
}

answer! {
    this: Sums<'_, i64> {
        locked: SignedCents = this.0.locked,
        unlocked: SignedCents = this.0.unlocked,
    }
}
