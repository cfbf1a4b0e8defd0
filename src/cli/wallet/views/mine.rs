//! Which addresses are the wallet's.

use headless_wallet::ledger::{Address, AddressKind, Network, Script};
use serde_json::Value;
use std::collections::HashSet;

/// The wallet's addresses, whatever the network: scripts don't say it.
pub struct Mine(HashSet<(AddressKind, [u8; 20])>);

impl Mine {
    /// What `/wallet/addresses` answers.
    pub fn read(addresses: &Value) -> Self {
        let texts = addresses["addresses"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let addresses = texts.filter_map(|text| Address::parse_any(text).ok());
        Self(addresses.map(|address| (address.kind(), address.hash())).collect())
    }
    /// Whether a script pays one of them.
    pub fn is_paid_by(&self, script: &[u8]) -> bool {
        match Script::parse(script, Network::Mainnet) {
            Some(Script::Pay { to, .. }) => self.0.contains(&(to.kind(), to.hash())),
            _ => false,
        }
    }
}
