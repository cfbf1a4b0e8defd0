//! `/start`, `/hsm/start` and `/fireblocks/start`: wallets begin.

use super::addresses::MAX_GAP_LIMIT;
use crate::api::integer::integer;
use crate::api::rules::{MAX_INDEX, says_something};
use crate::api::texts::{
    SEED_NOT_TEXT, START_FIREBLOCKS_XPUB_MISSING, START_HSM_KEY_MISSING, START_SECRET_MISSING,
    START_SEED_AND_XPUB, START_TWO_SEEDS, START_WALLET_ID_MISSING,
};
use crate::api::{Member, MessageFailure, Need, StartFailure};
use crate::keys::Mnemonic;
use crate::operations::prelude::*;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

pub static START: Operation = post("start", "/start", Group::Wallets, Right::Administer)
    .does("Start a wallet. The answer comes once the wallet begins to load; `/wallet/status` says when it is ready.")
    .package(&[method("Wallet.start")])
    .command(&[command("start").apart()])
    .takes_body(StartRequest::MEMBERS, &[
            // Words that the server knows are named: a form is no place to paste words into.
            ("example", r#"{"wallet-id": "mine", "seedKey": "genesis"}"#),
            ("gap limit", r#"{"wallet-id": "mine", "seedKey": "genesis", "scanPolicy": "gap-limit", "gapLimit": 20}"#),
            (
                "words",
                r#"{"wallet-id": "mine", "seed": "avocado spot town typical traffic vault danger century property shallow divorce festival spend attack anchor afford rotate green audit adjust fade wagon depart level"}"#,
            ),
        ])
    .answers(answers![Success, MessageFailure])
    .refuses(answers![MessageFailure])
    .of_all_wallets()
    .audits(&[("wallet", "wallet-id"), ("seed", "seedKey")]);

pub static HSM_START: Operation = post("hsm-start", "/hsm/start", Group::Wallets, Right::Administer)
    .does("Start a wallet with keys on a token (PKCS#11), which signs. The answer comes once the wallet begins to load.")
    .not_in_package("only on servers")
    .no_command("over HTTP only")
    .takes_body(HsmStart::MEMBERS, &[("example", r#"{"wallet-id": "hardware-wallet-1", "hsm-key": "hathor_wallet_1"}"#)])
    .answers(answers![Success, MessageFailure])
    .refuses(answers![MessageFailure])
    .of_all_wallets()
    .faults(answers![MessageFailure, Failure]);

pub static FIREBLOCKS_START: Operation = post("fireblocks-start", "/fireblocks/start", Group::Wallets, Right::Administer)
    .does("Start a wallet with keys at Fireblocks, which signs. The answer comes once the wallet begins to load.")
    .not_in_package("only on servers")
    .no_command("over HTTP only")
    .takes_body(FireblocksStart::MEMBERS, &[(
            "example",
            r#"{"wallet-id": "vault", "xpub": "xpub6DCyPHg4AwXsdiMh7QSTHR7afmNVwZKHBBMFUiy5aCYQNaWp68ceQXYXCGQr5fZyLAe5hiJDdXrq6w3AXzvVmjFX9F7EdM87repxJEhsmjL"}"#,
        )])
    .answers(answers![Success, MessageFailure])
    .refuses(answers![MessageFailure])
    .of_all_wallets()
    .faults(answers![MessageFailure, Failure]);

/// What an index of PostgreSQL has room for, and every proxy passes on in a header.
const MAX_WALLET_ID: usize = 1_000;

/// `POST /start`. Refusals are texts: the `message` of an answer with status 200.
#[derive(Debug)]
pub struct StartRequest {
    /// What `X-Wallet-Id` will name the wallet by.
    pub wallet_id: String,
    pub secret: StartSecret,
    /// Part of the seed besides the words.
    pub passphrase: Option<SecretString>,
    /// The multisig key asked for, where a multisig wallet is asked for at all.
    pub multisig: Option<Option<String>>,
    /// `auto`, `polling_http_api`, `xpub_stream_ws` or `manual_stream_ws`, if it is one that there is.
    pub history_sync_mode: Option<String>,
    scan_policy: Option<String>,
    gap_limit: Option<Value>,
    policy_start_index: Option<Value>,
    policy_end_index: Option<Value>,
}

/// `POST /fireblocks/start`. Refusals are texts, as those of [`StartRequest`].
#[derive(Debug)]
pub struct FireblocksStart {
    /// What `X-Wallet-Id` will name the wallet by.
    pub wallet_id: String,
    pub xpub: String,
}

impl FireblocksStart {
    pub const MEMBERS: &'static [Member] = &[
        Member::new("wallet-id", "What `X-Wallet-Id` will name the wallet by.", Kind::Text, Need::Required),
        Member::new("xpub", "The xpub of Fireblocks' account, `m/44/280/0`.", Kind::Text, Need::Required),
    ];

    /// Reads the body.
    ///
    /// # Errors
    /// The `message` of the answer: `wallet-id` or `xpub` is missing, or `wallet-id` can't stand in a header.
    pub fn read(body: &Map<String, Value>) -> Result<Self, String> {
        let wallet_id = wallet_id(body)?;
        let xpub = given(body, "xpub").map(text).ok_or(START_FIREBLOCKS_XPUB_MISSING)?;
        Ok(Self { wallet_id, xpub })
    }
}

/// `POST /hsm/start`. Refusals are texts, as those of [`StartRequest`].
#[derive(Debug)]
pub struct HsmStart {
    /// What `X-Wallet-Id` will name the wallet by.
    pub wallet_id: String,
    hsm_key: Option<String>,
}

impl HsmStart {
    pub const MEMBERS: &'static [Member] = &[
        Member::new("wallet-id", "What `X-Wallet-Id` will name the wallet by.", Kind::Text, Need::Required),
        Member::new(
            "hsm-key",
            "The label of the keys on the token: one of the `seeds` of a signer with a `module`.",
            Kind::Text,
            Need::Required,
        ),
    ];

    /// Reads the body.
    ///
    /// # Errors
    /// The `message` of the answer: `wallet-id` is missing, or can't stand in a header.
    pub fn read(body: &Map<String, Value>) -> Result<Self, String> {
        Ok(Self { wallet_id: wallet_id(body)?, hsm_key: given(body, "hsm-key").map(text) })
    }

    /// The label of the keys: asked for once it is known that the wallet id is free.
    ///
    /// # Errors
    /// The `message` of the answer: it is missing.
    pub fn hsm_key(&self) -> Result<&str, StartFailure> {
        self.hsm_key.as_deref().ok_or_else(|| StartFailure::new(START_HSM_KEY_MISSING))
    }
}

/// The id that a wallet gets.
fn wallet_id(body: &Map<String, Value>) -> Result<String, String> {
    match given(body, "wallet-id") {
        None => Err(START_WALLET_ID_MISSING.to_owned()),
        Some(Value::String(id)) if !fits_a_header(id) => {
            Err("Parameter 'wallet-id' must fit the header 'X-Wallet-Id': no line breaks or other control \
                 characters, and no spaces at its ends."
                .to_owned())
        }
        Some(id @ (Value::String(_) | Value::Number(_))) => match text(id) {
            id if id.len() > MAX_WALLET_ID => {
                Err(format!("Parameter 'wallet-id' must have at most {MAX_WALLET_ID} bytes."))
            }
            id => Ok(id),
        },
        Some(_) => Err("Parameter 'wallet-id' must be a string.".to_owned()),
    }
}

/// What a wallet's keys come from.
#[derive(Debug)]
pub enum StartSecret {
    /// A key of the configured seeds.
    SeedKey(String),
    Seed(GivenWords),
    /// A public key: the wallet can only watch.
    Xpub(String),
}

/// A range of watched addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanPolicy {
    /// As many unused ones past the last used; `None` is the configured number.
    GapLimit(Option<u32>),
    /// Those from one index to another.
    IndexLimit { first: u32, last: u32 },
}

impl StartRequest {
    pub const MEMBERS: &'static [Member] = &[
        Member::new("wallet-id", "What `X-Wallet-Id` will name the wallet by.", Kind::Text, Need::Required),
        optional("scanPolicy", "Which addresses are watched.", Kind::OneOf(&["gap-limit", "index-limit"])),
        optional(
            "policyStartIndex",
            "With an index limit: the index of the first address that is watched; 0 if not given.",
            Kind::Integer(Some(0), Some(MAX_INDEX as i128)),
        ),
        optional(
            "policyEndIndex",
            "With an index limit: the index of the last address that is watched; the first if not given.",
            Kind::Integer(Some(0), Some(MAX_INDEX as i128)),
        ),
        optional(
            "gapLimit",
            "How many unused addresses are watched past the last used one.",
            Kind::Integer(Some(1), Some(MAX_GAP_LIMIT as i128)),
        ),
        optional("multisig", "Whether it is a wallet of several participants.", Kind::StrictFlag),
        optional("seedKey", "The name of one of the configured seeds.", Kind::Text),
        optional(
            "seed",
            "The wallet's 24 words. One of `seed`, `seedKey` and `xpubkey` is needed.",
            Kind::Text,
        ),
        optional("xpubkey", "An account's public key, for a wallet that only watches.", Kind::Text),
        nullable(
            "multisigKey",
            "The name of the configured participants, where there is no `seedKey`.",
            Kind::Text,
        ),
        nullable("passphrase", "Part of the seed besides the words.", Kind::Text),
        nullable(
            "history_sync_mode",
            "How the history is loaded: `auto`, `xpub_stream_ws`, `manual_stream_ws` or `polling_http_api`.",
            Kind::Text,
        ),
        Member {
            deprecated: true,
            ..optional("preCalculatedAddresses", "Has no effect: addresses are always derived.", Kind::Any)
        },
    ];

    /// Reads the body: rows 1 to 4 of the checks.
    ///
    /// # Errors
    /// The `message` of the answer: there is no secret or more than one, or `wallet-id` is missing, is
    /// neither text nor number, or can't stand in a header.
    pub fn read(body: &Map<String, Value>) -> Result<Self, String> {
        // Whatever is in them: what is no secret is refused as that.
        let [seed_key, seed, xpub] = ["seedKey", "seed", "xpubkey"].map(|name| body.get(name));
        let secret = match (seed_key, seed, xpub) {
            (None, None, None) => return Err(START_SECRET_MISSING.to_owned()),
            (Some(_), Some(_), _) => return Err(START_TWO_SEEDS.to_owned()),
            (Some(_), _, Some(_)) | (_, Some(_), Some(_)) => return Err(START_SEED_AND_XPUB.to_owned()),
            (Some(key), None, None) => StartSecret::SeedKey(text(key)),
            (None, Some(seed), None) => StartSecret::Seed(GivenWords(seed.as_str().map(SecretString::from))),
            (None, None, Some(xpub)) => StartSecret::Xpub(text(xpub)),
        };
        let wallet_id = wallet_id(body)?;
        let multisig = body.get("multisig").filter(|value| !matches!(value, Value::Bool(false)));
        let key = match &secret {
            StartSecret::SeedKey(key) => Some(key.clone()),
            _ => given(body, "multisigKey").map(text),
        };
        Ok(Self {
            wallet_id,
            secret,
            passphrase: given(body, "passphrase").map(|value| SecretString::from(text(value))),
            multisig: multisig.map(|_| key),
            history_sync_mode: given(body, "history_sync_mode").map(text),
            scan_policy: body.get("scanPolicy").map(text),
            gap_limit: body.get("gapLimit").cloned(),
            policy_start_index: body.get("policyStartIndex").cloned(),
            policy_end_index: given(body, "policyEndIndex").cloned(),
        })
    }

    /// Refuses a body with a field that has no effect beside the others: another wallet than was meant would
    /// be started.
    ///
    /// # Errors
    /// [`StartFailure`], which names the field.
    #[cfg(feature = "native")]
    pub fn refuse_unused(body: &Map<String, Value>, compat: Compat) -> Result<(), StartFailure> {
        if !compat.refuses_unused_fields() {
            return Ok(());
        }
        let is_given = |name: &str| given(body, name).is_some();
        let by_index = body.get("scanPolicy").is_some_and(|policy| policy == "index-limit");
        let key = given(body, "multisigKey");
        let unused = [
            ("passphrase", is_given("xpubkey"), "belongs to words: an xpub has none"),
            ("multisigKey", !is_given("multisig"), "has no effect unless 'multisig' is true"),
            (
                "multisigKey",
                given(body, "seedKey").is_some_and(|seed_key| Some(seed_key) != key),
                "must be left out or be the same: 'seedKey' names the participants",
            ),
            ("policyStartIndex", !by_index, "has no effect unless 'scanPolicy' is index-limit"),
            ("policyEndIndex", !by_index, "has no effect unless 'scanPolicy' is index-limit"),
            ("gapLimit", by_index, "has no effect where 'scanPolicy' is index-limit"),
        ];
        match unused.into_iter().find(|(name, is_unused, _)| *is_unused && is_given(name)) {
            None => Ok(()),
            Some((name, _, why)) => {
                Err(StartFailure::malformed(format!("Parameter '{name}' {why}. Nothing was started.")))
            }
        }
    }

    /// Row 8: which addresses are watched.
    ///
    /// # Errors
    /// [`StartFailure`] if there is no policy of that name, or a limit or an index is no integer within its
    /// bounds.
    pub fn scan_policy(&self, compat: Compat) -> Result<ScanPolicy, StartFailure> {
        let policy = match self.scan_policy.as_deref() {
            None if self.gap_limit.is_none() || !compat.takes_gap_limit_alone() => {
                return Ok(ScanPolicy::GapLimit(None));
            }
            None => "gap-limit",
            Some(policy) => policy,
        };
        match policy {
            "gap-limit" => match &self.gap_limit {
                None => Ok(ScanPolicy::GapLimit(None)),
                Some(value) => {
                    let limit = bounded("gapLimit", value, 1..=MAX_GAP_LIMIT)?;
                    Ok(ScanPolicy::GapLimit(Some(limit)))
                }
            },
            "index-limit" => {
                let read = |name, value: &Option<Value>, default, range| {
                    value.as_ref().map_or(Ok(default), |value| bounded(name, value, range))
                };
                let first = read("policyStartIndex", &self.policy_start_index, 0, 0..=MAX_INDEX)?;
                let most = MAX_INDEX.min(first.saturating_add(MAX_GAP_LIMIT - 1));
                let least = if compat.takes_end_below_start() { first.min(1) } else { first };
                let last = read("policyEndIndex", &self.policy_end_index, first, least..=most)?;
                // Release 0.39 finds nothing to load from the start on, and goes on at 1 up to the end.
                let first = if last < first { 1 } else { first };
                Ok(ScanPolicy::IndexLimit { first, last })
            }
            other => Err(StartFailure::new(format!("Address scanning policy {other} is not supported."))),
        }
    }
}

/// Words as given, not checked yet.
#[derive(Debug)]
pub struct GivenWords(Option<SecretString>);

impl GivenWords {
    /// Row 10: checks them.
    ///
    /// # Errors
    /// The `message` of the answer: they are no text, or what [`Mnemonic::parse`] finds wrong with them.
    pub fn parse(&self) -> Result<Mnemonic, String> {
        let words = self.0.as_ref().ok_or(SEED_NOT_TEXT)?;
        Mnemonic::parse(words.expose_secret()).map_err(|error| format!("Invalid seed: {error}"))
    }
}

/// Whether a header can name a wallet so: what it can't carry could be neither used nor stopped.
fn fits_a_header(id: &str) -> bool {
    id.trim_matches(' ') == id && !id.contains(char::is_control)
}

/// An integer within limits.
fn bounded(name: &str, value: &Value, range: RangeInclusive<u32>) -> Result<u32, StartFailure> {
    let found = integer(value).and_then(|n| u32::try_from(n).ok()).filter(|n| range.contains(n));
    let (least, most) = (range.start(), range.end());
    found.ok_or_else(|| {
        StartFailure::malformed(format!("Parameter '{name}' must be an integer from {least} to {most}."))
    })
}

const fn optional(name: &'static str, meaning: &'static str, kind: Kind) -> Member {
    Member::new(name, meaning, kind, Need::Optional)
}

const fn nullable(name: &'static str, meaning: &'static str, kind: Kind) -> Member {
    Member::new(name, meaning, kind, Need::Nullable)
}

/// A field that is there and neither `null`, `false`, 0 nor empty.
fn given<'a>(body: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    body.get(name).filter(|value| says_something(value))
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
