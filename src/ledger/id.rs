//! Identifiers: vertices, tokens, outputs.

use ripemd::Ripemd160;
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// The hash of a transaction or block, in the byte order in which it is displayed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VertexId(pub [u8; 32]);

/// Why a text is not a hash.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 hexadecimal digits")]
pub struct ParseIdError;

impl FromStr for VertexId {
    type Err = ParseIdError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // Reckoned rather than looked up, so that many digits are at a time: histories hold many thousands of
        // ids.
        const NONE: u8 = 0xff;
        const fn value(digit: u8) -> u8 {
            let (number, letter) = (digit.wrapping_sub(b'0'), (digit | 0x20).wrapping_sub(b'a'));
            if number < 10 {
                number
            } else if letter < 6 {
                letter + 10
            } else {
                NONE
            }
        }
        let mut values: [u8; 64] = text.as_bytes().try_into().map_err(|_| ParseIdError)?;
        values.iter_mut().for_each(|digit| *digit = value(*digit));
        if values.contains(&NONE) {
            return Err(ParseIdError);
        }
        let mut bytes = [0; 32];
        for (byte, [high, low]) in bytes.iter_mut().zip(values.as_chunks::<2>().0) {
            *byte = high << 4 | low;
        }
        Ok(Self(bytes))
    }
}

impl VertexId {
    /// Its 64 hexadecimal digits. Reckoned rather than looked up, as they are read.
    pub fn digits(&self) -> [u8; 64] {
        const fn digit(number: u8) -> u8 {
            if number < 10 { b'0' + number } else { b'a' - 10 + number }
        }
        let mut digits = [0; 64];
        for (pair, byte) in digits.as_chunks_mut::<2>().0.iter_mut().zip(self.0) {
            *pair = [digit(byte >> 4), digit(byte & 15)];
        }
        digits
    }
}

impl fmt::Display for VertexId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.digits()).expect("hexadecimal digits are ASCII"))
    }
}

impl fmt::Debug for VertexId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Which token an amount is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenUid {
    /// The native token, HTR, written `00`.
    Native,
    /// A token created on the ledger, named by the hash of its creation transaction.
    Custom(VertexId),
}

impl FromStr for TokenUid {
    type Err = ParseIdError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "00" { Ok(Self::Native) } else { text.parse().map(Self::Custom) }
    }
}

impl fmt::Display for TokenUid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Native => f.write_str("00"),
            Self::Custom(id) => id.fmt(f),
        }
    }
}

impl From<VertexId> for TokenUid {
    fn from(creation: VertexId) -> Self {
        Self::Custom(creation)
    }
}

/// One output of one transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outpoint {
    /// The transaction that has the output.
    pub tx: VertexId,
    /// The output's place in it.
    pub index: u8,
}

// The two hashes of the ledger.

/// SHA-256 applied twice.
pub fn sha256d(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(Sha256::digest(bytes)).into()
}

/// What stands behind the bytes of an address or key, so that slips are seen: the first of their [`sha256d`].
pub(crate) fn checksum(bytes: &[u8]) -> [u8; 4] {
    let [a, b, c, d, ..] = sha256d(bytes);
    [a, b, c, d]
}

/// RIPEMD-160 of SHA-256: what addresses hold of a key or script.
pub fn hash160(bytes: &[u8]) -> [u8; 20] {
    Ripemd160::digest(Sha256::digest(bytes)).into()
}
