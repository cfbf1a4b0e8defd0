//! Messages signed with the key of an address, which prove that the signer has it.

use super::{NotReady, Refused, Wallet};
use crate::api::texts::ADDRESS_NOT_MINE;
use crate::keys::SignerError;
use crate::ledger::Address;

/// A signature of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedMessage {
    /// The index of the address whose key signed.
    pub index: u32,
    /// 65 bytes in base64: a header, from which the public key is recovered, and the compact signature.
    pub signature: String,
}

/// Why a message is not signed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    #[error(transparent)]
    NotReady(#[from] NotReady),
    /// The wallet was started from an xpub.
    #[error("this wallet was started from an xpub and can't sign: start it from its words to sign messages")]
    ReadOnly,
    /// No single key stands for an address of several participants.
    #[error(
        "this wallet is multisig: its addresses are of several keys, and a message is signed by one; sign with an address of a \
         wallet of one key"
    )]
    Multisig,
    /// The address is not one that the wallet watches.
    #[error("{}", ADDRESS_NOT_MINE)]
    NotMine,
    /// The guard of whoever asks refuses it.
    #[error(transparent)]
    Guard(Refused),
    /// The wallet's signer did not sign.
    #[error(transparent)]
    Signer(SignerError),
}

impl Wallet {
    /// Signs a message with the key of one of the wallet's addresses.
    ///
    /// # Errors
    /// [`MessageError`] says why it is not signed.
    pub async fn sign_message(
        &self,
        address: &Address,
        message: &str,
    ) -> Result<SignedMessage, MessageError> {
        let signer = self.inner.message_signer()?;
        let index = self.read(|state, _| state.index_of(address))?.ok_or(MessageError::NotMine)?;
        let signature = self.sign_text(signer, index, message).await?;
        Ok(SignedMessage { index, signature })
    }
}
