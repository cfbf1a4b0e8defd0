//! Whether what an input shows lets it spend.

use super::verify_digest;
use crate::ledger::{AddressKind, InputData, RedeemScript, Script, hash160};

/// Why an input's data doesn't let it spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InputError {
    /// It has none.
    #[error("has no signature yet")]
    Unsigned,
    /// Neither a signature and its key, nor signatures and their redeem script.
    #[error("has data that is no signature with its key")]
    Malformed,
    /// The output that it spends pays another key or another redeem script.
    #[error("has the key of another address than the one that it spends from")]
    Foreign,
    /// Of another transaction, or by another key than the one beside it.
    #[error("has a signature that is not one of this transaction by its key")]
    WrongSignature,
}

/// Checks an input's data: the signatures of a digest, and the keys against the spent output's script where
/// that is known. A script of a kind that wallets don't write is not looked at.
///
/// # Errors
/// [`InputError`]: there is no data, it can't be read, it shows another key than the output pays, or a
/// signature is not one of `digest`.
pub fn check_input(data: &[u8], digest: &[u8; 32], spends: Option<&Script>) -> Result<(), InputError> {
    if data.is_empty() {
        return Err(InputError::Unsigned);
    }
    let data = InputData::parse(data).ok_or(InputError::Malformed)?;
    if let Some(Script::Pay { to, .. }) = spends {
        let shown = match &data {
            InputData::P2pkh { public_key, .. } => (AddressKind::P2pkh, hash160(public_key)),
            InputData::P2sh { redeem_script, .. } => (AddressKind::P2sh, hash160(redeem_script)),
        };
        if shown != (to.kind(), to.hash()) {
            return Err(InputError::Foreign);
        }
    }
    let signed = match &data {
        InputData::P2pkh { signature, public_key } => verify_digest(public_key, digest, signature),
        InputData::P2sh { signatures, redeem_script } => {
            let keys = RedeemScript::parse(redeem_script).ok_or(InputError::Malformed)?.public_keys;
            let mut keys = keys.iter();
            // Signatures come in the order of their keys.
            signatures.iter().all(|signature| keys.any(|key| verify_digest(key, digest, signature)))
        }
    };
    if signed { Ok(()) } else { Err(InputError::WrongSignature) }
}
