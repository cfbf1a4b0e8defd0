//! A wallet's state, balance and addresses, and the refusals of wallet selection.

use super::json::{Cents, List, Text};
use crate::api::{Compat, texts};
use crate::ledger::{Address, Amount};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

/// The states that callers see a wallet in, with the numbers of the existing service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum WalletState {
    Closed = 0,
    Connecting = 1,
    Syncing = 2,
    Ready = 3,
    Error = 4,
    Processing = 5,
}

impl WalletState {
    /// Its number.
    pub const fn code(self) -> u8 {
        self as u8
    }
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Closed => "Closed",
            Self::Connecting => "Connecting",
            Self::Syncing => "Syncing",
            Self::Ready => "Ready",
            Self::Error => "Error",
            Self::Processing => "Processing",
        }
    }
}

/// `{"success":true}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Success;

impl Serialize for Success {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("success", &true)?;
        map.end()
    }
}

/// The answer of status, which only a ready wallet gives.
pub struct ReadyStatus<'a> {
    /// The configured network.
    pub network: &'a str,
    /// The full node's URL.
    pub server_url: &'a str,
    /// The full node's `version` answer, unchanged.
    pub server_info: &'a RawValue,
}

impl Serialize for ReadyStatus<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("statusCode", &WalletState::Ready.code())?;
        map.serialize_entry("statusMessage", WalletState::Ready.name())?;
        map.serialize_entry("network", self.network)?;
        map.serialize_entry("serverUrl", self.server_url)?;
        map.serialize_entry("serverInfo", self.server_info)?;
        map.end()
    }
}

/// Why a request under `/wallet` doesn't reach a wallet. All are answered with 200.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalletRefusal {
    /// No `X-Wallet-Id` header.
    HeaderMissing,
    /// No started wallet has the id.
    Unknown,
    /// `confirmFirstAddress` is on and the header `X-First-Address` is not this.
    WrongFirstAddress(Address),
    /// The wallet is not ready: its state, and why it failed if it did.
    NotReady(WalletState, Option<String>),
    /// The wallet can't be stopped while it starts.
    NotStoppable(WalletState),
}

impl WalletRefusal {
    /// The JSON that it is answered with.
    pub const fn answer(&self, compat: Compat) -> impl Serialize + '_ {
        WalletRefusalAnswer { refusal: self, compat }
    }
}

struct WalletRefusalAnswer<'a> {
    refusal: &'a WalletRefusal,
    compat: Compat,
}

impl Serialize for WalletRefusalAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (message, state, cause) = match self.refusal {
            WalletRefusal::HeaderMissing => (texts::WALLET_ID_HEADER_MISSING.to_owned(), None, None),
            WalletRefusal::Unknown => (texts::WALLET_ID_UNKNOWN.to_owned(), None, None),
            WalletRefusal::WrongFirstAddress(first) => {
                (format!("Wrong first address. This wallet's first address is: {first}"), None, None)
            }
            WalletRefusal::NotReady(state, cause) => {
                (texts::WALLET_NOT_READY.to_owned(), Some(*state), cause.as_deref())
            }
            WalletRefusal::NotStoppable(state) => {
                (texts::WALLET_NOT_STOPPABLE.to_owned(), Some(*state), None)
            }
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("success", &false)?;
        map.serialize_entry("message", &message)?;
        let Some(state) = state else {
            map.serialize_entry("statusMessage", "")?;
            return map.end();
        };
        map.serialize_entry("statusCode", &state.code())?;
        if self.compat.names_wallet_states() {
            map.serialize_entry("statusMessage", state.name())?;
            if let Some(cause) = cause {
                map.serialize_entry("error", cause)?;
            }
        }
        map.end()
    }
}

/// The answer of balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BalanceAnswer {
    /// In cents.
    pub available: Amount,
    /// In cents.
    pub locked: Amount,
}

impl Serialize for BalanceAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("available", &Cents(self.available))?;
        map.serialize_entry("locked", &Cents(self.locked))?;
        map.end()
    }
}

/// The answer of address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressAnswer(pub Address);

impl Serialize for AddressAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("address", &Text(self.0))?;
        map.end()
    }
}

/// The answer of addresses, in order of their index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressesAnswer(pub Vec<Address>);

impl Serialize for AddressesAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("addresses", &List(|| self.0.iter().map(Text)))?;
        map.end()
    }
}
