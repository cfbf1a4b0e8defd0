//! API keys, and their stored form.

use super::grant::Grant;
use crate::api::KeyMembers;
use crate::calendar::UtcTime;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// Begins each key, so that it is recognized in a text.
const PREFIX: &str = "hwk_";

pub type KeyHash = [u8; 32];

pub struct NewKey {
    /// The value of `X-API-KEY`.
    pub key: SecretString,
    pub hash: KeyHash,
}

impl NewKey {
    pub fn make() -> Result<Self, getrandom::Error> {
        let mut bits = Zeroizing::new([0; 32]);
        getrandom::fill(&mut *bits)?;
        let mut text = Zeroizing::new(String::with_capacity(PREFIX.len() + 64));
        text.push_str(PREFIX);
        text.push_str(&Zeroizing::new(hex::encode(*bits)));
        Ok(Self { hash: hash_of(text.as_bytes()), key: SecretString::from(text.as_str()) })
    }
}

pub fn hash_of(given: &[u8]) -> KeyHash {
    Sha256::digest(given).into()
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredKey {
    pub name: String,
    #[serde(with = "hex_hash")]
    pub hash: KeyHash,
    /// The rotated key, which stays valid for a while.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Before>,
    pub grant: Grant,
    /// In Unix seconds; 0 in settings.
    pub created: u64,
    /// In Unix seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked: Option<u64>,
}

impl StoredKey {
    /// The public description of the key.
    pub fn description(&self, is_setting: bool) -> KeyMembers {
        KeyMembers {
            name: self.name.clone(),
            rights: self.grant.rights.iter().collect(),
            wallets: self.grant.wallets(),
            networks: self.grant.networks(),
            until: self.grant.until_text(),
            per_second: self.grant.per_second,
            limits: self.grant.limits(),
            created: (self.created > 0).then(|| format!("{}Z", UtcTime::from_unix(self.created).iso())),
            is_revoked: self.revoked.is_some(),
            is_setting,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Before {
    #[serde(with = "hex_hash")]
    pub hash: KeyHash,
    /// When it ends, in Unix seconds.
    pub until: u64,
}

pub fn parse_hash(text: &str) -> Option<KeyHash> {
    let mut hash = [0; 32];
    hex::decode_to_slice(text, &mut hash).ok().map(|()| hash)
}

mod hex_hash {
    use super::{KeyHash, parse_hash};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(hash: &KeyHash, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&hex::encode(hash))
    }
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<KeyHash, D::Error> {
        let text = String::deserialize(from)?;
        parse_hash(&text).ok_or_else(|| D::Error::custom("a hash has 64 hexadecimal digits"))
    }
}
