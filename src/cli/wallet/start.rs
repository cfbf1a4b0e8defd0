//! `wallet start`.

use super::call::Call;
use super::failure::Failure;
use super::flags::{Flags, Indexes, WordFlags};
use super::service::Service;
use super::words::{self, Secret};
use clap::Args;
use serde::Serialize;
use zeroize::Zeroizing;

/// How a wallet is started at a server.
#[derive(Args)]
pub struct StartArgs {
    /// Doesn't wait until the wallet is ready.
    #[arg(long)]
    no_wait: bool,
    /// Sends words to another machine without encryption: for networks that nobody else listens in.
    #[arg(long)]
    allow_plain_http: bool,
}

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
    /// The request.
    pub fn call(&self) -> Call {
        Call::post_secret("/start", self)
    }
}

/// Starts a wallet and waits until it is ready.
pub async fn start(service: &Service, args: &StartArgs, flags: &Flags) -> Result<String, Failure> {
    let Some(wallet_id) = flags.server.wallet_id.as_deref().filter(|id| !id.is_empty()) else {
        return Err(Failure::Usage(
            "a wallet is started under an id of your choice: give --wallet-id, or set HEADLESS_WALLET_ID"
                .to_owned(),
        ));
    };
    let takes_words = flags.words.seed_key.is_none() && flags.words.xpub.is_none();
    if takes_words && service.is_plaintext_remote() && !args.allow_plain_http {
        return Err(Failure::Failed(format!(
            "{}: words would travel there without encryption. Use https, or have the server know them (--seed-key), or give \
             --allow-plain-http if nobody else listens in that network.",
            service.name()
        )));
    }
    let secret = words::secret(&flags.words)?;
    let passphrase = words::passphrase(&flags.words)?;
    let call = StartBody::new(wallet_id, &secret, passphrase.as_ref(), &flags.words).call();
    let answer = service.ask(&call).await?;
    if !args.no_wait {
        service.ready(flags).await?;
    }
    if flags.json {
        return answer.text();
    }
    Ok(if args.no_wait {
        format!("Wallet {wallet_id} is loading: `headless-wallet wallet status` says when it is ready.")
    } else {
        format!("Wallet {wallet_id} is ready.")
    })
}
