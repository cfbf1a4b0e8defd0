//! Addresses: 25 bytes in base58 with a checksum.

use super::Network;
use std::fmt;

/// What an address is paid by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AddressKind {
    /** The hash of one public key. */
    P2pkh,
    /** The hash of a redeem script (multisig). */
    P2sh,
}

/// A valid address of some network: version byte and hash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    version: u8,
    hash: [u8; 20],
}

impl Address {
    /// The address of `network` that is paid by the hash of a public key.
    pub const fn p2pkh(network: Network, hash: [u8; 20]) -> Self {
        Self { version: network.p2pkh_byte(), hash }
    }
    /// The address of `network` that is paid by the hash of a redeem script.
    pub const fn p2sh(network: Network, hash: [u8; 20]) -> Self {
        Self { version: network.p2sh_byte(), hash }
    }
    /// Reads base58 text and demands that it is an address of `network`. Errors carry the texts of http-api 9.9.
    pub fn parse(text: &str, network: Network) -> Result<Self, AddressError> {
        todo!("{text} {network:?}")
    }
    /// Reads base58 text of any known network.
    pub fn parse_any(text: &str) -> Result<Self, AddressError> {
        todo!("{text}")
    }
    /// How it is paid.
    pub const fn kind(self) -> AddressKind {
        if self.version == 0x28 || self.version == 0x49 { AddressKind::P2pkh } else { AddressKind::P2sh }
    }
    /// The 20-byte hash.
    pub const fn hash(self) -> [u8; 20] {
        self.hash
    }
    /// First byte.
    pub const fn version(self) -> u8 {
        self.version
    }
    /// The 25 bytes with checksum.
    pub fn to_bytes(self) -> [u8; 25] {
        todo!()
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let _ = f;
        todo!()
    }
}
impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text is not an address of the network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum AddressError {
    #[error("Invalid base58 address")]
    Base58 { address: String },
    #[error("Invalid address: {address}. Address has {bytes} bytes and should have 25.")]
    Length { address: String, bytes: usize },
    #[error("Invalid address: {address}. Invalid checksum.")]
    Checksum { address: String },
    /// Names the network the address is of, where it is a known one.
    #[error("Invalid address: {address}. Invalid network byte. Expected: {} or {} and received {received}.", expected.p2pkh_byte(), expected.p2sh_byte())]
    OtherNetwork { address: String, expected: Network, received: u8 },
}
