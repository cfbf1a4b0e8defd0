//! Messages signed with the key of an address.

use crate::api::Request as _;
use crate::api::rules::{ADDRESS, TEXT, or_noted};
use crate::api::texts::INVALID_VALUE;
use crate::api::{Location, SignedMessageAnswer, VerifiedMessageAnswer};
use crate::keys;
use crate::keys::{MAX_MESSAGE_BYTES, message_fits};
use crate::ledger::{Address, Network};
use crate::operations::answer::write;
use crate::operations::prelude::*;
use crate::service::MessageError;
use serde_json::{Map, Value};

pub static SIGN_MESSAGE: Operation = post(
    "sign-message",
    "/wallet/sign-message",
    Group::Messages,
    Right::Sign,
)
.does("Sign a message with the key of one of the wallet's addresses.")
.package(&[method("signMessage").throws(&["READ_ONLY"])])
.command(&[command("sign-message").places(&["address", "message"]).after(
    "Example:\n  headless-wallet wallet sign-message WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6 'I am the shop'",
)])
.asks::<SignMessage>(&[(
    "example",
    r#"{"message": "hello", "address": "WhpJeUtBLrDHbKDoMC9ffMxwHqvsrNzTFV"}"#,
)])
.answers(answers![SignedMessageAnswer, Failure]);

pub static VERIFY_MESSAGE: Operation = post("verify-message", "/wallet/verify-message", Group::Messages, Right::None)
    .does("Check whether a message was signed with the key of an address, whoever it belongs to. It needs no wallet.")
    .package(&[method("verifyMessage").gives("boolean").about("Check whether a message was signed with the key of an address of this network, whether or not it belongs to this wallet.")])
    .command(&[command("verify-message").places(&["address", "message", "signature"]).does("Check whether a message was signed with the key of an address.").after("This needs neither a wallet nor a server. The exit code is 0 if the signature is valid, and 1 if it is not.")])
    .runs_anywhere::<VerifyMessage>(verify, &[(
        "example",
        r#"{"message": "hello", "address": "WhpJeUtBLrDHbKDoMC9ffMxwHqvsrNzTFV", "signature": "IKk3wmQPlEnh51zwXeCVfSzlqeuSdKV5Qm5JRzQKB8u4BXCzWtPqr+G0/YHFqEp+VmMpym2h35dvr4HSk9OR+sw="}"#,
    )])
    .answers(answers![VerifiedMessageAnswer]);

request! {
    /// `POST /wallet/sign-message`.
    pub struct SignMessage in body {
        /// The text to sign, which may be empty: at most 16,384 bytes in UTF-8.
        pub message: String = MESSAGE,
        /// The address of the wallet whose key signs.
        pub address: String = ADDRESS,
    }
}

request! {
    /// `POST /wallet/verify-message`.
    pub struct VerifyMessage in body {
        /// The text that was signed: at most 16,384 bytes in UTF-8.
        pub message: String = MESSAGE,
        /// The address of one key (P2PKH), whosever it is, that is said to have signed it.
        pub address: String = ADDRESS,
        /// The signature: 65 bytes in base64, as sign-message answers it.
        pub signature: String = TEXT,
    }
}

const MESSAGE: Rule<String> = TEXT.of(Kind::ShortText(MAX_MESSAGE_BYTES)).read_by(|check, field, _| {
    or_noted(check.text(field).and_then(|text| match message_fits(text) {
        Ok(()) => Some(text.to_owned()),
        Err(must) => {
            check.problem(field, INVALID_VALUE, must);
            None
        }
    }))
});

impl Ask for SignMessage {
    fn answer<'a>(self: Box<Self>, call: &'a Call<'a>) -> Waits<'a, Answer> {
        Box::pin(async move {
            let address = Address::parse(&self.address, call.network()).map_err(|_| MessageError::NotMine)?;
            let signed = call.wallet.sign_message(&address, &self.message).await?;
            call.give(&SignedMessageAnswer {
                message: &self.message,
                signature: &signed.signature,
                address: &self.address,
                index: signed.index,
            })
        })
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

fn verify(given: &Map<String, Value>, compat: Compat, network: Option<Network>) -> Result<Answer, CallError> {
    write(&verify_message(&VerifyMessage::read(given, compat)?, network)?)
}
