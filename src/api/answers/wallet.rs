//! A wallet's state, balance and addresses, and the refusals of wallet selection.

use super::json::Cents;
use crate::api::{Compat, texts};
use crate::ledger::Amount;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::value::RawValue;

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

/// A `POST /start` that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartFailure {
    /// What clients match on.
    pub message: String,
    /// Where the id is taken: [`texts::WALLET_ALREADY_STARTED`].
    pub error_code: Option<&'static str>,
    /// Why, where `message` doesn't say.
    pub cause: Option<String>,
    /// Whether a parameter can't be understood.
    pub malformed: bool,
}

impl StartFailure {
    /// A failure that has nothing but a message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), error_code: None, cause: None, malformed: false }
    }
    /// A parameter is not as it must be.
    pub fn malformed(message: impl Into<String>) -> Self {
        Self { malformed: true, ..Self::new(message) }
    }
    /// The wallet could not be started.
    pub fn failed(wallet_id: &str, cause: impl ToString) -> Self {
        Self { cause: Some(cause.to_string()), ..Self::new(texts::start_failed(wallet_id)) }
    }
    /// The id is taken.
    pub fn already_started(wallet_id: &str) -> Self {
        Self { error_code: Some(texts::WALLET_ALREADY_STARTED), ..Self::new(texts::start_failed(wallet_id)) }
    }
    /// The status that it is answered with.
    pub const fn status(&self, compat: Compat) -> u16 {
        if self.malformed && compat.refuses_malformed_starts() { 400 } else { 200 }
    }
    /// The JSON that it is answered with.
    pub const fn answer(&self, compat: Compat) -> impl Serialize + '_ {
        StartFailureAnswer { failure: self, compat }
    }
}

struct StartFailureAnswer<'a> {
    failure: &'a StartFailure,
    compat: Compat,
}

impl Serialize for StartFailureAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("success", &false)?;
        map.serialize_entry("message", &self.failure.message)?;
        if let Some(code) = self.failure.error_code {
            map.serialize_entry("errorCode", code)?;
        }
        if let Some(cause) = self.failure.cause.as_ref().filter(|_| self.compat.failures_have_causes()) {
            map.serialize_entry("error", cause)?;
        }
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
    /// Of a multisig wallet: how many must sign, and how many can.
    pub multisig: Option<(u8, usize)>,
    /// What was wrong with the last send, if it was a service's fault.
    pub problem: Option<&'a str>,
    #[allow(missing_docs)]
    pub compat: Compat,
}

impl Serialize for ReadyStatus<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("statusCode", &3)?;
        map.serialize_entry("statusMessage", "Ready")?;
        map.serialize_entry("network", self.network)?;
        map.serialize_entry("serverUrl", self.server_url)?;
        map.serialize_entry("serverInfo", self.server_info)?;
        if let Some((num_signatures, total_participants)) = self.multisig {
            map.serialize_entry("multisig", &Participants { num_signatures, total_participants })?;
        }
        if let Some(problem) = self.problem.filter(|_| self.compat.failures_have_causes()) {
            map.serialize_entry("error", problem)?;
        }
        map.end()
    }
}

#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct Participants {
    num_signatures: u8,
    total_participants: usize,
}

/// Where a wallet stands that is not ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotReadyState {
    /// The state's number.
    pub code: u8,
    /// The state's name.
    pub name: String,
    /// What stands in the way.
    pub problem: Option<String>,
    /// How far it has come, if it loads its history.
    pub progress: Option<LoadProgress>,
}

/// How much of a wallet's history is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LoadProgress {
    /// Addresses whose history was read to its end.
    pub addresses: u32,
    /// Transactions known.
    pub transactions: usize,
    /// When it should all be loaded, in Unix seconds: see [`crate::service::Progress::estimated_end`] for what that rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated_end: Option<u32>,
}

/// Why a request under `/wallet` doesn't reach a wallet. All are answered with 200.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalletRefusal {
    /// No `X-Wallet-Id` header.
    HeaderMissing,
    /// No started wallet has the id.
    Unknown,
    /// `confirmFirstAddress` is on and the header `X-First-Address` is not this.
    WrongFirstAddress(String),
    /// The wallet is not ready.
    NotReady(NotReadyState),
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
        let (message, state) = match self.refusal {
            WalletRefusal::HeaderMissing => (texts::WALLET_ID_HEADER_MISSING.to_owned(), None),
            WalletRefusal::Unknown => (texts::WALLET_ID_UNKNOWN.to_owned(), None),
            WalletRefusal::WrongFirstAddress(first) => {
                (format!("Wrong first address. This wallet's first address is: {first}"), None)
            }
            WalletRefusal::NotReady(state) => (texts::WALLET_NOT_READY.to_owned(), Some(state)),
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("success", &false)?;
        map.serialize_entry("message", &message)?;
        let Some(state) = state else {
            map.serialize_entry("statusMessage", "")?;
            return map.end();
        };
        map.serialize_entry("statusCode", &state.code)?;
        if self.compat.names_wallet_states() {
            map.serialize_entry("statusMessage", &state.name)?;
        }
        if let Some(problem) = state.problem.as_ref().filter(|_| self.compat.failures_have_causes()) {
            map.serialize_entry("error", problem)?;
        }
        if let Some(progress) = state.progress.filter(|_| self.compat.tells_progress()) {
            map.serialize_entry("progress", &progress)?;
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressAnswer(pub String);

impl Serialize for AddressAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("address", &self.0)?;
        map.end()
    }
}

/// The answer of addresses, in order of their index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressesAnswer<'a>(pub Vec<&'a str>);

impl Serialize for AddressesAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("addresses", &self.0)?;
        map.end()
    }
}

/// The answer of multisig-pubkey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XpubAnswer(pub String);

impl Serialize for XpubAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("success", &true)?;
        map.serialize_entry("xpubkey", &self.0)?;
        map.end()
    }
}
