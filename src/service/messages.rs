//! Messages signed with the key of an address, as a proof of having it.

use super::error::NotReady;
use super::guard::Refused;
use super::wallet::Wallet;
use crate::api::texts::ADDRESS_NOT_MINE;
use crate::keys::SignerError;
use crate::ledger::Address;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedMessage {
    pub index: u32,
    /// 65 bytes in base64: a header, from which the public key is recovered, and the compact signature.
    pub signature: String,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    #[error(transparent)]
    NotReady(#[from] NotReady),
    #[error("this wallet was started from an xpub and can't sign: start it from its words to sign messages")]
    ReadOnly,
    /// An address of several participants has no single key.
    #[error(
        "this wallet is multisig: its addresses are of several keys, and a message is signed by one; sign with an address of a \
         wallet of one key"
    )]
    Multisig,
    #[error("{}", ADDRESS_NOT_MINE)]
    NotMine,
    #[error(transparent)]
    Guard(Refused),
    #[error(transparent)]
    Signer(SignerError),
}

impl Wallet {
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
