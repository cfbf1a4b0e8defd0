//! Answers about messages signed with the key of an address.

use super::kinds::{Count, Flag, Text};
use crate::api::answer::answer;

/// The answer of sign-message.
pub struct SignedMessageAnswer<'a> {
    pub message: &'a str,
    /// 65 bytes in base64.
    pub signature: &'a str,
    pub address: &'a str,
    pub index: u32,
}

answer! {
    /// A message signed with the key of an address.
    this: SignedMessageAnswer<'_> as "SignedMessage", type "SignedMessage" {
        success = true,
        /// As given.
        message: Text,
        /// 65 bytes in base64, from which the public key is recovered.
        signature: Text,
        address: Text,
        /// The address's index.
        index: Count,
    }
}

/// The answer of verify-message: whether the signature is of this message, by the key of this address.
pub struct VerifiedMessageAnswer(pub bool);

answer! {
    this: VerifiedMessageAnswer as "VerifiedMessage" {
        success = true,
        /// Whether the key of the address signed the message.
        valid: Flag = this.0,
    }
}
