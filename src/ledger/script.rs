//! Output scripts and input data.

use super::{Address, Network};

/// Most data outputs of a standard transaction (full node: `MAX_DATA_SCRIPT_OUTPUTS`).
pub const MAX_DATA_OUTPUTS: usize = 25;
/// Most characters of a data output's text (interface document, section 8).
pub const MAX_DATA_TEXT_CHARS: usize = 150;
/// Most bytes of a standard output script (full node: `PUSHTX_MAX_OUTPUT_SCRIPT_SIZE`).
pub const MAX_STANDARD_SCRIPT_BYTES: usize = 256;

/// An output script that the wallet understands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Script {
    /// Pays an address, perhaps only after a time (Unix seconds).
    Pay {
        /** Whom. */
        to: Address,
        /** Spendable only by a transaction with a later timestamp. */
        timelock: Option<u32>,
    },
    /// Text kept on the ledger; can't be spent.
    Data(String),
}

impl Script {
    /// The bytes. Fails when the data text is empty or past 255 bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ScriptError> {
        todo!()
    }
    /// The script as `network` reads it; `None` for a script of no known kind.
    pub fn parse(bytes: &[u8], network: Network) -> Option<Self> {
        todo!("{bytes:?} {network:?}")
    }
}

/// What an input shows to spend an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputData {
    /// One signature (DER) and its compressed public key.
    P2pkh {
        #[allow(missing_docs)]
        signature: Vec<u8>,
        #[allow(missing_docs)]
        public_key: [u8; 33],
    },
    /// Signatures (DER) in the order of their keys in the redeem script.
    P2sh {
        #[allow(missing_docs)]
        signatures: Vec<Vec<u8>>,
        #[allow(missing_docs)]
        redeem_script: Vec<u8>,
    },
}

impl InputData {
    /// The bytes of the input's data field.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ScriptError> {
        todo!()
    }
}

/// An m-of-n redeem script: `OP_m keys OP_n OP_CHECKMULTISIG`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedeemScript {
    #[allow(missing_docs)]
    pub num_signatures: u8,
    #[allow(missing_docs)]
    pub public_keys: Vec<[u8; 33]>,
}

impl RedeemScript {
    /// The bytes; refuses more than 7 keys, whose script could never be shown as input data.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ScriptError> {
        todo!()
    }
    /// Reads a redeem script.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        todo!("{bytes:?}")
    }
}

/// Why a script can't be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ScriptError {
    #[error("You must provide data.")]
    EmptyData,
    #[error("a push holds at most 255 bytes and this has {0}")]
    PushTooLong(usize),
    #[error("{num_signatures} of {keys} keys: multisig takes 1 to 7 keys and no more signatures than keys")]
    BadMultisig { num_signatures: u8, keys: usize },
}
