//! `GET /health`, and what is asked of no wallet.

use crate::api::declare::{Kind, Member, Need, request};
use crate::api::rules::{OPTIONAL_TEXT, flag};
use crate::api::texts::MULTISIG_SEED_KEY_MISSING;
use crate::api::{Compat, StartFailure};
use secrecy::SecretString;
use serde_json::{Map, Value};
use std::collections::HashSet;

request! {
    /// `GET /health`.
    pub struct HealthQuery in query {
        /// Wallets to look at, separated by commas, 100 at most; `*` stands for all that the key may touch.
        pub wallet_ids: Option<String> = OPTIONAL_TEXT,
        /// Whether the full node is asked.
        pub include_fullnode: bool = flag(false),
        /// Whether the mining service is asked.
        pub include_tx_mining: bool = flag(false),
    }
}

impl HealthQuery {
    /// The wallets to look at, each once.
    pub fn wallets(&self) -> Vec<&str> {
        let mut seen = HashSet::new();
        let named = self.wallet_ids.iter().flat_map(|ids| ids.split(',')).filter(|id| !id.is_empty());
        named.filter(|id| seen.insert(*id)).collect()
    }
    /// Whether all wallets are to be looked at. Release 0.39 has no such word.
    pub fn asks_for_all(&self, compat: Compat) -> bool {
        compat == Compat::Documented && self.wallet_ids.as_deref() == Some("*")
    }
    /// Whether there is something to look at.
    pub fn asks_something(&self) -> bool {
        self.include_fullnode || self.include_tx_mining || !self.wallets().is_empty()
    }
}

/// `POST /multisig-pubkey`.
#[derive(Debug)]
pub struct MultisigPubkey {
    /// A key of the configured seeds.
    pub seed_key: String,
    /// Part of the seed besides the words.
    pub passphrase: Option<SecretString>,
}

impl MultisigPubkey {
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
