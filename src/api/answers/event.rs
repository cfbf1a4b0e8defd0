//! What listeners of a wallet are told: the events of the existing service's plugins, by the same names.

use super::history::HistoryEntry;
use super::wallet::LoadProgress;
use crate::ledger::{Amount, Output, TokenUid};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use std::collections::BTreeMap;

/// One event of a wallet.
pub struct EventAnswer<'a> {
    /// The name that the wallet was started by.
    pub wallet_id: &'a str,
    #[allow(missing_docs)]
    pub body: EventBody<'a>,
}

/// What happened.
pub enum EventBody<'a> {
    /// The wallet's state.
    #[allow(missing_docs)]
    WalletState { code: u8, name: &'a str },
    /// The connection to the node: 0 closed, 1 connecting, 2 connected.
    NodeState(u8),
    /// How far loading has come.
    Loading(LoadProgress),
    /// A transaction entered the history (`true`) or changed (`false`).
    #[allow(missing_docs)]
    Transaction { is_new: bool, entry: HistoryEntry<'a>, balance: EventBalance },
    /// The height of the best block.
    BestBlock(u32),
    /// The listener missed events: so many of them, where that is known.
    Missed(Option<u64>),
}

impl EventBody<'_> {
    /// The event's name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::WalletState { .. } => "wallet:state-change",
            Self::NodeState(_) => "node:state-change",
            Self::Loading(_) => "wallet:load-partial-update",
            Self::Transaction { is_new: true, .. } => "wallet:new-tx",
            Self::Transaction { is_new: false, .. } => "wallet:update-tx",
            Self::BestBlock(_) => "node:best-block-update",
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
                map.serialize_entry("balance", &balance.0)?;
            }
            EventBody::BestBlock(height) => map.serialize_entry("data", height)?,
            EventBody::Missed(count) => map.serialize_entry("data", count)?,
        }
        map.end()
    }
}

/// What a transaction did to the wallet, by token; below zero for what went out.
#[derive(Default)]
pub struct EventBalance(BTreeMap<String, Change>);

#[derive(Default, Serialize)]
struct Change {
    tokens: Sums,
    authorities: Authorities,
}

#[derive(Default, Serialize)]
struct Authorities {
    mint: Sums,
    melt: Sums,
}

#[derive(Default, Serialize)]
struct Sums {
    locked: i128,
    unlocked: i128,
}

impl EventBalance {
    /// Counts an output of the wallet that was made (`sign` 1) or spent (-1).
    pub fn count(&mut self, token: TokenUid, authority: bool, value: Amount, locked: bool, sign: i128) {
        let change = self.0.entry(token.to_string()).or_default();
        let add = |sums: &mut Sums, amount: i128| {
            let sum = if locked { &mut sums.locked } else { &mut sums.unlocked };
            *sum = sum.saturating_add(sign.saturating_mul(amount));
        };
        if !authority {
            add(&mut change.tokens, i128::try_from(value.cents()).unwrap_or(i128::MAX));
            return;
        }
        let Authorities { mint, melt } = &mut change.authorities;
        for (bit, sums) in [(Output::MINT, mint), (Output::MELT, melt)] {
            if value.cents() & u128::from(bit) != 0 {
                add(sums, 1);
            }
        }
    }
}
