//! Answers about one address, transaction or token.

use super::json::{Cents, Text};
use crate::ledger::{Amount, ConfigurationString, TokenUid, TokenVersion};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The answer of address-index and last-loaded-address-index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressIndexAnswer(pub Option<u32>);

impl Serialize for AddressIndexAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("success", &self.0.is_some())?;
        if let Some(index) = self.0 {
            map.serialize_entry("index", &index)?;
        }
        map.end()
    }
}

/// The answer of address-info: what an address received of one token, and where that is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressInfoAnswer<'a> {
    /// In cents.
    pub received: Amount,
    /// Spent of that.
    pub sent: Amount,
    /// Unspent and not locked.
    pub available: Amount,
    /// Unspent and locked.
    pub locked: Amount,
    /// The token's uid as asked for.
    pub token: &'a str,
    /// The address's index.
    pub index: u32,
}

impl Serialize for AddressInfoAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(7))?;
        map.serialize_entry("success", &true)?;
        map.serialize_entry("total_amount_received", &Cents(self.received))?;
        map.serialize_entry("total_amount_sent", &Cents(self.sent))?;
        map.serialize_entry("total_amount_available", &Cents(self.available))?;
        map.serialize_entry("total_amount_locked", &Cents(self.locked))?;
        map.serialize_entry("token", self.token)?;
        map.serialize_entry("index", &self.index)?;
        map.end()
    }
}

/// The answer of tx-confirmation-blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfirmationsAnswer(pub u32);

impl Serialize for ConfirmationsAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("success", &true)?;
        map.serialize_entry("confirmationNumber", &self.0)?;
        map.end()
    }
}

/// The answer of configuration-string.
pub struct ConfigurationAnswer(pub ConfigurationString);

impl Serialize for ConfigurationAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("success", &true)?;
        map.serialize_entry("configurationString", &Text(&self.0))?;
        map.end()
    }
}

/// What the node says of a token: for the npm package.
pub struct TokenAnswer<'a> {
    #[allow(missing_docs)]
    pub configuration: &'a ConfigurationString,
    /// `None` for HTR.
    pub version: Option<TokenVersion>,
    /// All that there is of it.
    pub total: Option<Amount>,
    #[allow(missing_docs)]
    pub can_mint: bool,
    #[allow(missing_docs)]
    pub can_melt: bool,
}

impl Serialize for TokenAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ConfigurationString { uid, name, symbol } = self.configuration;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("uid", &Text(uid))?;
        map.serialize_entry("name", name)?;
        map.serialize_entry("symbol", symbol)?;
        if *uid != TokenUid::Native {
            map.serialize_entry("configurationString", &Text(self.configuration))?;
        }
        map.serialize_entry("version", &self.version.map(|version| version as u8))?;
        map.serialize_entry("total", &self.total.map(Cents))?;
        map.serialize_entry("canMint", &self.can_mint)?;
        map.serialize_entry("canMelt", &self.can_melt)?;
        map.end()
    }
}
