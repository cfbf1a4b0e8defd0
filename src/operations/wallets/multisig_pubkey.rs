//! What a participant of a multisig wallet tells the others.

use crate::api::texts::MULTISIG_SEED_KEY_MISSING;
use crate::api::{Member, MessageFailure, Need, StartFailure, XpubAnswer};
use crate::operations::prelude::*;
use secrecy::SecretString;
use serde_json::{Map, Value};

pub static MULTISIG_PUBKEY: Operation = post(
    "multisig-pubkey",
    "/multisig-pubkey",
    Group::Wallets,
    Right::Administer,
)
.does("Show the xpub of one of the server's seeds that the other participants of a multisig wallet need.")
.package(&[method("Account.multisigXpub")])
.command(&[command("multisig-pubkey").apart()])
.takes_body(MultisigPubkey::MEMBERS, &[("example", r#"{"seedKey": "default"}"#)])
.answers(answers![XpubAnswer, MessageFailure])
.of_all_wallets()
.at_once();

/// `POST /multisig-pubkey`.
#[derive(Debug)]
pub struct MultisigPubkey {
    /// A key of the configured seeds.
    pub seed_key: String,
    /// Part of the seed besides the words.
    pub passphrase: Option<SecretString>,
}

impl MultisigPubkey {
    /// Its fields.
    pub const MEMBERS: &'static [Member] = &[
        Member::new("seedKey", "The name of one of the configured seeds.", Kind::Text, Need::Required),
        Member::new("passphrase", "Part of the seed besides the words.", Kind::Text, Need::Nullable),
    ];

    /// Reads the body of a request.
    ///
    /// # Errors
    /// That `seedKey` is missing.
    pub fn read(body: &Map<String, Value>) -> Result<Self, StartFailure> {
        // What is no text is no key either.
        let seed_key = body.get("seedKey").ok_or_else(|| StartFailure::new(MULTISIG_SEED_KEY_MISSING))?;
        let passphrase = body.get("passphrase").and_then(Value::as_str).filter(|text| !text.is_empty());
        Ok(Self {
            seed_key: seed_key.as_str().unwrap_or_default().to_owned(),
            passphrase: passphrase.map(SecretString::from),
        })
    }
}
