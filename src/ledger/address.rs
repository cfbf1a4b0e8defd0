//! Addresses: 25 bytes in base58 with a checksum.

use super::{AmountVersion, checksum};
use std::fmt;

/// Version byte, hash, checksum.
const BYTES: usize = 25;
const TEXT: usize = 34;
/// Texts up to here are decoded; an address has 34 characters.
const MAX_TEXT: usize = 128;

/// What an address is paid by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AddressKind {
    /// The hash of one public key.
    P2pkh,
    /// The hash of a redeem script (multisig).
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
    /// Reads base58 text and demands that it is an address of `network`.
    ///
    /// # Errors
    /// [`AddressError::Base58`], [`AddressError::Length`] or [`AddressError::Checksum`] if the text is no
    /// address, and [`AddressError::OtherNetwork`] for any other first byte than the two of `network`.
    pub fn parse(text: &str, network: Network) -> Result<Self, AddressError> {
        let found = Self::decode(text)?;
        if found.version == network.p2pkh_byte() || found.version == network.p2sh_byte() {
            return Ok(found);
        }
        Err(AddressError::OtherNetwork {
            address: text.to_owned(),
            expected: network,
            received: found.version,
        })
    }

    /// Reads base58 text of any known network.
    ///
    /// # Errors
    /// [`AddressError::Base58`], [`AddressError::Length`] or [`AddressError::Checksum`] if the text is no
    /// address, and [`AddressError::UnknownNetwork`] if its first byte is no known network's.
    pub fn parse_any(text: &str) -> Result<Self, AddressError> {
        let found = Self::decode(text)?;
        if owners(found.version).is_some() {
            return Ok(found);
        }
        Err(AddressError::UnknownNetwork { address: text.to_owned(), received: found.version })
    }

    /// Base58, length and checksum; the version byte is left to the caller.
    fn decode(text: &str) -> Result<Self, AddressError> {
        let mut bytes = [0; MAX_TEXT];
        let len = if text.len() <= MAX_TEXT {
            bs58::decode(text).onto(&mut bytes).map_err(|_| AddressError::Base58)?
        } else {
            decoded_len_of_long(text)?
        };
        if len != BYTES {
            return Err(AddressError::Length { address: text.to_owned(), bytes: len });
        }
        let found = Self { version: bytes[0], hash: bytes[1..21].try_into().expect("20 bytes") };
        let (expected, received) = (found.checksum(), [bytes[21], bytes[22], bytes[23], bytes[24]]);
        if expected != received {
            let [expected, received] = [expected, received].map(hex::encode);
            return Err(AddressError::Checksum { address: text.to_owned(), expected, received });
        }
        Ok(found)
    }

    /// Reads what [`Self::to_bytes`] gives. `None` for a wrong checksum, and for a first byte that is no
    /// known network's.
    pub fn from_bytes(bytes: [u8; BYTES]) -> Option<Self> {
        let found = Self { version: bytes[0], hash: bytes[1..21].try_into().expect("20 bytes") };
        (owners(found.version).is_some() && found.to_bytes() == bytes).then_some(found)
    }

    fn checksum(self) -> [u8; 4] {
        let mut payload = [0; BYTES - 4];
        payload[0] = self.version;
        payload[1..].copy_from_slice(&self.hash);
        checksum(&payload)
    }

    /// How it is paid.
    pub const fn kind(self) -> AddressKind {
        if self.version == 0x28 || self.version == 0x49 { AddressKind::P2pkh } else { AddressKind::P2sh }
    }
    /// The 20-byte hash.
    pub const fn hash(self) -> [u8; 20] {
        self.hash
    }
    /// Whether both are of one key or one redeem script, whatever the network.
    pub fn is_same_key(self, other: Self) -> bool {
        (self.kind(), self.hash) == (other.kind(), other.hash)
    }
    /// The address of a network that is of the same key or redeem script.
    #[must_use]
    pub const fn on(self, network: Network) -> Self {
        match self.kind() {
            AddressKind::P2pkh => Self::p2pkh(network, self.hash),
            AddressKind::P2sh => Self::p2sh(network, self.hash),
        }
    }
    pub const fn version(self) -> u8 {
        self.version
    }
    /// The 25 bytes with checksum.
    pub fn to_bytes(self) -> [u8; 25] {
        let mut bytes = [0; BYTES];
        bytes[0] = self.version;
        bytes[1..21].copy_from_slice(&self.hash);
        bytes[21..].copy_from_slice(&self.checksum());
        bytes
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(std::str::from_utf8(&base58(&self.to_bytes())).expect("base58 digits are ASCII"))
    }
}

/// The 34 digits of an address: every known version byte makes a number between 58^33 and 58^34. Divides by
/// 58^5, so by five digits at a time: histories are long, and most of what it takes to write one is its
/// addresses.
fn base58(bytes: &[u8; BYTES]) -> [u8; TEXT] {
    const DIGITS: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    let mut limbs = [0; BYTES.div_ceil(4)];
    limbs[0] = u32::from(bytes[0]);
    for (limb, bytes) in limbs[1..].iter_mut().zip(bytes[1..].chunks_exact(4)) {
        *limb = u32::from_be_bytes(bytes.try_into().expect("4 bytes"));
    }
    let mut text = [DIGITS[0]; TEXT];
    for five in text.rchunks_mut(5) {
        let mut rest = 0;
        for limb in &mut limbs {
            let number = rest << 32 | u64::from(*limb);
            // Fits: the rest is less than the divisor.
            *limb = (number / 58u64.pow(5)) as u32;
            rest = number % 58u64.pow(5);
        }
        for digit in five.iter_mut().rev() {
            *digit = DIGITS[(rest % 58) as usize];
            rest /= 58;
        }
    }
    text
}
impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Whose addresses start with `version`.
const fn owners(version: u8) -> Option<&'static str> {
    match version {
        0x28 | 0x64 => Some("mainnet"),
        0x49 | 0x87 => Some("a test or private network"),
        _ => None,
    }
}

/// How many bytes a long text stands for, perhaps one more. Reading base58 takes time that grows with the
/// square of the length, so a text that can't be an address isn't read.
fn decoded_len_of_long(text: &str) -> Result<usize, AddressError> {
    let is_base58 = |piece: &[u8]| bs58::decode(piece).onto(&mut [0; MAX_TEXT]).is_ok();
    if !text.as_bytes().chunks(MAX_TEXT).all(is_base58) {
        return Err(AddressError::Base58);
    }
    let zeros = text.bytes().take_while(|&byte| byte == b'1').count();
    // A digit holds log 58 / log 256 = 0.7322 bytes.
    Ok(zeros + (text.len() - zeros) / 1_000 * 733 + (text.len() - zeros) % 1_000 * 733 / 1_000)
}

impl AddressError {
    /// What the text must be, as the end of a sentence that begins with what it is called: an address of
    /// `network`, or of any.
    pub fn must_be(&self, network: Option<Network>) -> String {
        let error = self.to_string();
        let error = error.trim_end_matches('.');
        match network {
            Some(network) => format!("must be an address of {}: {error}", network.name()),
            None => format!("must be an address: {error}"),
        }
    }
}

/// Why a text is not an address of the network. Clients match on these texts, but for the sentence after a
/// network byte, which names the network; every entry point has them, that for keys alone too.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    #[error("Invalid base58 address")]
    Base58,
    #[error("Invalid address: {address}. Address has {bytes} bytes and should have 25.")]
    Length { address: String, bytes: usize },
    #[error("Invalid address: {address}. Invalid checksum. Expected: {expected} != Received: {received}.")]
    Checksum { address: String, expected: String, received: String },
    #[error(
        "Invalid address: {address}. Invalid network byte. Expected: {} or {} and received {received}.{}",
        expected.p2pkh_byte(),
        expected.p2sh_byte(),
        owners(*received).map(|owner| format!(" It is an address of {owner}.")).unwrap_or_default()
    )]
    OtherNetwork { address: String, expected: Network, received: u8 },
    #[error("Invalid address: {address}. Invalid network byte. No known network has {received}.")]
    UnknownNetwork { address: String, received: u8 },
}

// The networks and what differs between them.

/// A Hathor network, as far as its addresses tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Network {
    /// The network with value: addresses start with `H` and `h`.
    Mainnet,
    /// The public test network: addresses start with `W` and `w`.
    Testnet,
    /// A private network, with the address bytes of the test network.
    Privatenet,
}

impl Network {
    /// The network's name in configuration: `mainnet`, `testnet` or `privatenet`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mainnet => "mainnet",
            Self::Testnet => "testnet",
            Self::Privatenet => "privatenet",
        }
    }
    /// First byte of an address that is paid by public key hash.
    pub const fn p2pkh_byte(self) -> u8 {
        match self {
            Self::Mainnet => 0x28,
            _ => 0x49,
        }
    }
    /// First byte of an address that is paid by script hash.
    pub const fn p2sh_byte(self) -> u8 {
        match self {
            Self::Mainnet => 0x64,
            _ => 0x87,
        }
    }
    /// The last version of amounts that is written there, and read in the bytes of spent outputs. Nodes up to
    /// 0.70 read other amounts in bytes of the second one, and only a node says what the network reads.
    pub const fn amounts(self) -> AmountVersion {
        match self {
            Self::Privatenet => AmountVersion::V2,
            _ => AmountVersion::V1,
        }
    }
}

impl std::str::FromStr for Network {
    type Err = UnknownNetwork;
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        [Self::Mainnet, Self::Testnet, Self::Privatenet]
            .into_iter()
            .find(|n| n.name() == name)
            .ok_or_else(|| UnknownNetwork(name.to_owned()))
    }
}

/// A network name that is none of the three.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown network {0:?}: expected mainnet, testnet or privatenet")]
pub struct UnknownNetwork(pub String);
