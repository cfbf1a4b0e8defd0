//! Messages signed with the key of an address.

use super::{Ask, Call, CallError, Reply};
use crate::api::{Location, Refusal, SignMessage, SignedMessageAnswer, VerifiedMessageAnswer, VerifyMessage};
use crate::keys;
use crate::ledger::{Address, Network};
use crate::service::MessageError;

impl Ask for SignMessage {
    async fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let address = Address::parse(&self.address, call.network()).map_err(|_| MessageError::NotMine)?;
        let signed = call.wallet.sign_message(&address, &self.message).await?;
        Ok(call.reply.give(&SignedMessageAnswer {
            message: &self.message,
            signature: &signed.signature,
            address: &self.address,
            index: signed.index,
        }))
    }
}

/// Whether a signature is of a message, by the key of an address of `network`, or of any network. It takes no
/// wallet.
///
/// # Errors
/// That no key can have signed for the address.
pub fn verify_message(
    request: &VerifyMessage,
    network: Option<Network>,
) -> Result<VerifiedMessageAnswer, Refusal> {
    let VerifyMessage { message, address, signature } = request;
    keys::is_signed(address, network, message, signature)
        .map(VerifiedMessageAnswer)
        .map_err(|must| Refusal::field("address", address, Location::Body, must))
}
