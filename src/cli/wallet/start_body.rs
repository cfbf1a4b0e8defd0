//! What a server is asked to start a wallet with.

use super::call::Call;
use super::flags::{Indexes, WordFlags};
use super::words::Secret;
use serde::Serialize;
use zeroize::Zeroizing;

/// The fields of `POST /start`.
#[derive(Serialize)]
pub struct StartBody<'a> {
    #[serde(rename = "wallet-id")]
    wallet_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<&'a str>,
    #[serde(rename = "seedKey", skip_serializing_if = "Option::is_none")]
    pub seed_key: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    xpubkey: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    passphrase: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    multisig: Option<bool>,
    #[serde(rename = "multisigKey", skip_serializing_if = "Option::is_none")]
    pub multisig_key: Option<&'a str>,
    #[serde(rename = "scanPolicy", skip_serializing_if = "Option::is_none")]
    scan_policy: Option<&'static str>,
    #[serde(rename = "gapLimit", skip_serializing_if = "Option::is_none")]
    gap_limit: Option<u32>,
    #[serde(rename = "policyStartIndex", skip_serializing_if = "Option::is_none")]
    first_index: Option<u32>,
    #[serde(rename = "policyEndIndex", skip_serializing_if = "Option::is_none")]
    last_index: Option<u32>,
}

impl<'a> StartBody<'a> {
    /// A wallet of this secret.
    pub fn new(
        wallet_id: &'a str,
        secret: &'a Secret,
        passphrase: Option<&'a Zeroizing<String>>,
        flags: &'a WordFlags,
    ) -> Self {
        let (gap_limit, indexes) = (flags.gap_limit, flags.indexes);
        let none = Self {
            wallet_id,
            seed: None,
            seed_key: None,
            xpubkey: None,
            passphrase: passphrase.map(|text| text.as_str()),
            multisig: flags.multisig_key.is_some().then_some(true),
            multisig_key: flags.multisig_key.as_deref(),
            // Without its policy a limit is not looked at.
            scan_policy: indexes.map(|_| "index-limit").or(gap_limit.map(|_| "gap-limit")),
            gap_limit,
            first_index: indexes.map(|Indexes { first, .. }| first),
            last_index: indexes.map(|Indexes { last, .. }| last),
        };
        match secret {
            Secret::Words(words) => Self { seed: Some(words.words()), ..none },
            Secret::Key(key) => Self { seed_key: Some(key), ..none },
            Secret::Xpub(xpub) => Self { xpubkey: Some(xpub), ..none },
        }
    }
    pub fn call(&self) -> Call {
        Call::post_secret("/start", self)
    }
}
