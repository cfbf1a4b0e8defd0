//! Why nothing is signed, and what stands for the addresses that it is about.

use crate::ledger::{Address, AddressKind, Network, Script};

/// A rule that is not kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{rule}: {why}")]
pub struct Breach {
    pub rule: &'static str,
    /// In plain words.
    pub why: String,
}

impl Breach {
    pub(super) fn new(rule: &'static str, why: impl Into<String>) -> Self {
        Self { rule, why: why.into() }
    }
}

/// Stands for an address, whatever its network: whether it is of several keys, and its hash.
pub type To = (bool, [u8; 20]);

/// The kind (whether of several) and hash of the address that a script pays, and its lock.
pub(super) fn paid(script: &[u8]) -> Option<(To, Option<u32>)> {
    match Script::parse(script, Network::Mainnet)? {
        Script::Pay { to, timelock } => Some((of_address(to), timelock)),
        Script::Data(_) => None,
    }
}

/// What stands for an address, whatever its network.
pub(super) fn of_address(address: Address) -> To {
    (address.kind() == AddressKind::P2sh, address.hash())
}
