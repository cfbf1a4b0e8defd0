//! Output scripts and input data.

use super::{Address, AddressKind, Network};
use smallvec::SmallVec;

/// Most data outputs of a standard transaction (full node: `MAX_DATA_SCRIPT_OUTPUTS`).
pub const MAX_DATA_OUTPUTS: usize = 25;
/// Most characters of a data output's text (interface document, section 8).
pub const MAX_DATA_TEXT_CHARS: usize = 150;
/// Most bytes of a standard output script (full node: `PUSHTX_MAX_OUTPUT_SCRIPT_SIZE`).
pub const MAX_STANDARD_SCRIPT_BYTES: usize = 256;

/// Most keys of a multisig: the redeem script of eight is past the 255 bytes that one push holds.
const MAX_MULTISIG_KEYS: usize = 7;
/// Longer data is pushed with OP_PUSHDATA1.
const MAX_DIRECT_PUSH: usize = 75;

const OP_PUSHDATA1: u8 = 0x4c;
/// Pushes the number 0; the numbers up to 16 follow. (Bitcoin's is another byte.)
const OP_0: u8 = 0x50;
const OP_GREATERTHAN_TIMESTAMP: u8 = 0x6f;
const OP_DUP: u8 = 0x76;
const OP_EQUAL: u8 = 0x87;
const OP_EQUALVERIFY: u8 = 0x88;
const OP_HASH160: u8 = 0xa9;
const OP_CHECKSIG: u8 = 0xac;
const OP_CHECKMULTISIG: u8 = 0xae;

/// What stands before and after the 20 bytes of hash.
pub(crate) const P2PKH_HEAD: [u8; 3] = [OP_DUP, OP_HASH160, 20];
pub(crate) const P2PKH_TAIL: [u8; 2] = [OP_EQUALVERIFY, OP_CHECKSIG];
const P2SH_HEAD: [u8; 2] = [OP_HASH160, 20];
const P2SH_TAIL: [u8; 1] = [OP_EQUAL];
/// A push of four bytes and the opcode that compares them.
const LOCK_BYTES: usize = 6;

/// The bytes of an output script. Nearly all pay the hash of a public key, in 25 bytes or, with a time lock,
/// 31: these need no allocation.
pub type ScriptBytes = SmallVec<[u8; 31]>;

/// An output script that the wallet understands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Script {
    /// Pays an address, perhaps only after a time (Unix seconds).
    Pay {
        to: Address,
        /// Spendable only by a transaction with a later timestamp. Write none, not 0, for an output without
        /// a lock.
        timelock: Option<u32>,
    },
    /// Text kept on the ledger; can't be spent.
    Data(String),
}

impl Script {
    /// The script's bytes, as an output has them.
    ///
    /// # Errors
    /// [`ScriptError::EmptyData`] for an empty data text, [`ScriptError::PushTooLong`] for one of more than
    /// 255 bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ScriptError> {
        match self {
            Self::Pay { to, timelock } => Ok(pay(*to, *timelock)),
            Self::Data(text) if text.is_empty() => Err(ScriptError::EmptyData),
            Self::Data(text) => {
                let mut bytes = Vec::with_capacity(push_size(text.len()) + 1);
                push(&mut bytes, text.as_bytes())?;
                bytes.push(OP_CHECKSIG);
                Ok(bytes)
            }
        }
    }

    /// The script as `network` reads it; `None` for a script of no known kind. Payments must have exactly the
    /// bytes that [`Self::to_bytes`] gives. Full nodes are laxer about some, which nobody's wallet writes
    /// or counts.
    pub fn parse(bytes: &[u8], network: Network) -> Option<Self> {
        parse_pay(bytes, network).or_else(|| data_of(bytes).map(|text| Self::Data(text.to_owned())))
    }
}

fn pay(to: Address, timelock: Option<u32>) -> Vec<u8> {
    let lock_size = if timelock.is_some() { LOCK_BYTES } else { 0 };
    let (head, tail): (&[u8], &[u8]) = match to.kind() {
        AddressKind::P2pkh => (&P2PKH_HEAD, &P2PKH_TAIL),
        AddressKind::P2sh => (&P2SH_HEAD, &P2SH_TAIL),
    };
    let mut bytes = Vec::with_capacity(lock_size + head.len() + 20 + tail.len());
    if let Some(timelock) = timelock {
        bytes.push(4);
        bytes.extend_from_slice(&timelock.to_be_bytes());
        bytes.push(OP_GREATERTHAN_TIMESTAMP);
    }
    bytes.extend_from_slice(head);
    bytes.extend_from_slice(&to.hash());
    bytes.extend_from_slice(tail);
    bytes
}

fn parse_pay(bytes: &[u8], network: Network) -> Option<Script> {
    let (timelock, payment) = match *bytes {
        [4, a, b, c, d, OP_GREATERTHAN_TIMESTAMP, ..] => {
            (Some(u32::from_be_bytes([a, b, c, d])), &bytes[LOCK_BYTES..])
        }
        _ => (None, bytes),
    };
    let hash = |head: &[u8], tail: &[u8]| -> Option<[u8; 20]> {
        payment.strip_prefix(head)?.strip_suffix(tail)?.try_into().ok()
    };
    let to = match hash(&P2PKH_HEAD, &P2PKH_TAIL) {
        Some(hash) => Address::p2pkh(network, hash),
        None => Address::p2sh(network, hash(&P2SH_HEAD, &P2SH_TAIL)?),
    };
    Some(Script::Pay { to, timelock })
}

/// The text that an output script keeps on the ledger, if that is what it does, and all it does: a text that
/// may be a public key is none, as who has its private key can spend the output (hathor-core,
/// `op_checksig`).
pub fn data_of(script: &[u8]) -> Option<&str> {
    pushed_text(script).filter(|text| !may_be_key(text.as_bytes()))
}

/// The text of a script that full nodes relay as data, whatever else it does.
#[cfg(feature = "native")]
pub(crate) fn relayed_data_of(script: &[u8]) -> Option<&str> {
    pushed_text(script)
}

fn pushed_text(script: &[u8]) -> Option<&str> {
    let (text, rest) = read_push(script)?;
    if rest == [OP_CHECKSIG] { std::str::from_utf8(text).ok() } else { None }
}

/// Whether these bytes look like a compressed public key, the one kind that full nodes take. Keys that are
/// texts as well are found in minutes.
const fn may_be_key(bytes: &[u8]) -> bool {
    matches!(bytes, [2 | 3, ..] if bytes.len() == 33)
}

/// How many bytes a push of `len` bytes takes.
const fn push_size(len: usize) -> usize {
    if len <= MAX_DIRECT_PUSH { 1 + len } else { 2 + len }
}

/// Appends a push of `data`: its length in one byte, after OP_PUSHDATA1 if it is past 75.
fn push(bytes: &mut Vec<u8>, data: &[u8]) -> Result<(), ScriptError> {
    let len = u8::try_from(data.len()).map_err(|_| ScriptError::PushTooLong(data.len()))?;
    if data.len() > MAX_DIRECT_PUSH {
        bytes.push(OP_PUSHDATA1);
    }
    bytes.push(len);
    bytes.extend_from_slice(data);
    Ok(())
}

/// The data of a push at the start of `bytes`, and what follows it. An empty push is none, as full nodes have
/// it.
fn read_push(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    match *bytes {
        [OP_PUSHDATA1, len, ref rest @ ..] if len > 0 => rest.split_at_checked(len.into()),
        [len @ 1..OP_PUSHDATA1, ref rest @ ..] => rest.split_at_checked(len.into()),
        _ => None,
    }
}

/// What an input shows to spend an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputData {
    /// One signature (DER) and its compressed public key.
    P2pkh { signature: Vec<u8>, public_key: [u8; 33] },
    /// Signatures (DER) in the order of their keys in the redeem script.
    P2sh { signatures: Vec<Vec<u8>>, redeem_script: Vec<u8> },
}

impl InputData {
    /// Reads an input's data field. What is pushed is not looked at, save for its length and that of a redeem
    /// script's keys.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let parts = read_pushes(bytes)?;
        let (last, signatures) = parts.split_last()?;
        if let ([signature], Ok(public_key)) = (signatures, <[u8; 33]>::try_from(*last)) {
            return Some(Self::P2pkh { signature: signature.to_vec(), public_key });
        }
        let takes = RedeemScript::parse(last)?.num_signatures;
        (signatures.len() == usize::from(takes)).then(|| Self::P2sh {
            signatures: signatures.iter().map(|signature| signature.to_vec()).collect(),
            redeem_script: last.to_vec(),
        })
    }

    /// Whether it shows the same key, or the same redeem script.
    pub fn is_by_keys_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::P2pkh { public_key, .. }, Self::P2pkh { public_key: theirs, .. }) => public_key == theirs,
            (Self::P2sh { redeem_script, .. }, Self::P2sh { redeem_script: theirs, .. }) => {
                redeem_script == theirs
            }
            _ => false,
        }
    }

    /// The bytes of the input's data field.
    ///
    /// # Errors
    /// [`ScriptError::NotRedeemScript`] if the redeem script can't be read,
    /// [`ScriptError::WrongSignatureCount`] if it takes another number of signatures,
    /// [`ScriptError::PushTooLong`] for a part of more than 255 bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ScriptError> {
        match self {
            Self::P2pkh { signature, public_key } => pushes(&[signature, public_key]),
            Self::P2sh { signatures, redeem_script } => {
                let takes =
                    RedeemScript::parse(redeem_script).ok_or(ScriptError::NotRedeemScript)?.num_signatures;
                if signatures.len() != usize::from(takes) {
                    return Err(ScriptError::WrongSignatureCount { given: signatures.len(), takes });
                }
                let mut parts: Vec<&[u8]> = signatures.iter().map(Vec::as_slice).collect();
                parts.push(redeem_script);
                pushes(&parts)
            }
        }
    }
}

/// All pushes that bytes consist of; `None` where something else is among them.
fn read_pushes(mut bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let mut parts = Vec::new();
    while !bytes.is_empty() {
        let (part, rest) = read_push(bytes)?;
        parts.push(part);
        bytes = rest;
    }
    Some(parts)
}

fn pushes(parts: &[&[u8]]) -> Result<Vec<u8>, ScriptError> {
    let mut bytes = Vec::with_capacity(parts.iter().map(|part| push_size(part.len())).sum());
    parts.iter().try_for_each(|part| push(&mut bytes, part))?;
    Ok(bytes)
}

/// An m-of-n redeem script: `OP_m keys OP_n OP_CHECKMULTISIG`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedeemScript {
    pub num_signatures: u8,
    pub public_keys: Vec<[u8; 33]>,
}

impl RedeemScript {
    /// The script's bytes. More than 7 keys are refused: their script could never be shown as input data.
    ///
    /// # Errors
    /// [`ScriptError::BadMultisig`] for no key or more than 7, and for no signature or more than there are
    /// keys.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ScriptError> {
        if !self.is_spendable() {
            let (num_signatures, keys) = (self.num_signatures, self.public_keys.len());
            return Err(ScriptError::BadMultisig { num_signatures, keys });
        }
        let mut bytes = Vec::with_capacity(3 + 34 * self.public_keys.len());
        bytes.push(OP_0 + self.num_signatures);
        for key in &self.public_keys {
            bytes.push(33);
            bytes.extend_from_slice(key);
        }
        bytes.push(OP_0 + u8::try_from(self.public_keys.len()).expect("at most 7"));
        bytes.push(OP_CHECKMULTISIG);
        Ok(bytes)
    }

    /// Reads a redeem script that [`Self::to_bytes`] could have written.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let [signatures_op, keys @ .., keys_op, OP_CHECKMULTISIG] = bytes else { return None };
        let (keys, rest) = keys.as_chunks::<34>();
        if !rest.is_empty() || usize::from(keys_op.checked_sub(OP_0)?) != keys.len() {
            return None;
        }
        let public_keys = keys.iter().map(|push| match push {
            [33, key @ ..] => Some(*key),
            _ => None,
        });
        let public_keys = public_keys.collect::<Option<Vec<_>>>()?;
        let script = Self { num_signatures: signatures_op.checked_sub(OP_0)?, public_keys };
        script.is_spendable().then_some(script)
    }

    fn is_spendable(&self) -> bool {
        let keys = self.public_keys.len();
        (1..=MAX_MULTISIG_KEYS).contains(&keys) && (1..=keys).contains(&self.num_signatures.into())
    }
}

/// Why a script can't be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    #[error("You must provide data.")]
    EmptyData,
    #[error("a push holds at most 255 bytes and this has {0}")]
    PushTooLong(usize),
    #[error("{num_signatures} of {keys} keys: multisig takes 1 to 7 keys and no more signatures than keys")]
    BadMultisig { num_signatures: u8, keys: usize },
    #[error("not a redeem script of 1 to 7 keys")]
    NotRedeemScript,
    #[error("{given} signatures for a redeem script that takes {takes}")]
    WrongSignatureCount { given: usize, takes: u8 },
}
