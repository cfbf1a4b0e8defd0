//! Messages signed with the key of an address.

use crate::api::declare::{Kind, Rule, request};
use crate::api::rules::{ADDRESS, TEXT, or_noted};
use crate::api::texts::INVALID_VALUE;
use crate::keys::{MAX_MESSAGE_BYTES, message_fits};

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
