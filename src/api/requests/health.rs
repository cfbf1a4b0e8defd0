//! `GET /health`, and what is asked of no wallet.

use crate::api::check::Checker;
use crate::api::record::{Kind, Need, note};
use crate::api::texts::{MULTISIG_SEED_KEY_MISSING, NOTHING_TO_CHECK};
use crate::api::{Refusal, StartFailure};
use secrecy::SecretString;
use serde_json::{Map, Value};

/// `GET /health`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HealthQuery {
    /// Wallets to look at.
    pub wallet_ids: Vec<String>,
    /// Whether the full node is asked.
    pub include_fullnode: bool,
    /// Whether the mining service is asked.
    pub include_tx_mining: bool,
}

/// Why a health check isn't made. Answered with 400.
#[derive(Clone, Debug, PartialEq)]
pub enum HealthRefusal {
    #[allow(missing_docs)]
    Fields(Refusal),
    /// With a text under `message`.
    Message(String),
}

impl HealthQuery {
    /// Reads the query of a request.
    pub fn from_query(query: &Map<String, Value>) -> Result<Self, HealthRefusal> {
        let mut check = Checker::query(query);
        let field = check.field("wallet_ids");
        let ids = check.optional_text(&field).unwrap_or_default();
        let include_fullnode = check.boolean("include_fullnode", false);
        let include_tx_mining = check.boolean("include_tx_mining", false);
        check.finish().map_err(HealthRefusal::Fields)?;
        let wallet_ids: Vec<_> = ids.split(',').filter(|id| !id.is_empty()).map(str::to_owned).collect();
        if wallet_ids.is_empty() && !include_fullnode && !include_tx_mining {
            return Err(HealthRefusal::Message(NOTHING_TO_CHECK.to_owned()));
        }
        Ok(Self { wallet_ids, include_fullnode, include_tx_mining })
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
    /// Reads the body of a request.
    pub fn from_json(body: &Map<String, Value>) -> Result<Self, StartFailure> {
        note("seedKey", Kind::Text, Need::Required);
        note("passphrase", Kind::Text, Need::Nullable);
        // What is no text is no key either.
        let seed_key = body.get("seedKey").ok_or_else(|| StartFailure::new(MULTISIG_SEED_KEY_MISSING))?;
        let passphrase = body.get("passphrase").and_then(Value::as_str).filter(|text| !text.is_empty());
        Ok(Self {
            seed_key: seed_key.as_str().unwrap_or_default().to_owned(),
            passphrase: passphrase.map(SecretString::from),
        })
    }
}
