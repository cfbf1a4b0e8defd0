//! The keys in a server's store: one document.

use super::grant::Grant;
use super::key::{Before, NewKey, StoredKey};
use crate::store::{DocumentVersion, Documents, KEYS_DOCUMENT, StoreError};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

const FORMAT: u32 = 1;
/// Includes revoked keys.
const MAX_KEYS: usize = 10_000;
/// How often a change is retried after a concurrent one.
const TRIES: usize = 20;

/// The caller's key and its permissions; `None` if the caller may do everything.
pub type Own<'a> = Option<(&'a str, &'a Grant)>;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyStore {
    /// `None` if there is no document.
    pub version: Option<DocumentVersion>,
    /// Includes revoked keys: a name is never reused.
    pub keys: Vec<StoredKey>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Revoked keys keep their names.
    #[error(
        "there is a key called {0:?} already, or was: a name is never given twice, so that it always means one key"
    )]
    Taken(String),
    #[error("there is no key called {0:?}")]
    Unknown(String),
    #[error("the key {0:?} was revoked")]
    Revoked(String),
    /// Its validity has ended, which a rotated key would share.
    #[error("the key {0:?} has ended, and would have with another secret, too: add one of another name")]
    Over(String),
    /// The new key's validity would have ended already.
    #[error("its end is in the past")]
    Ended,
    /// The caller does not have all permissions of the key.
    #[error("the key {0:?} may do what your own may not: nobody gives or takes more than they have")]
    Beyond(String),
    #[error("there are {MAX_KEYS} keys, revoked ones included, and there is room for no more")]
    Full,
    /// The document is of a later version, or damaged.
    #[error("the list of keys can't be read: {0}")]
    Unreadable(String),
    #[error("no randomness from the system")]
    Randomness,
    #[error("others changed the keys at the same time, again and again: try again")]
    Busy,
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    format: u32,
    keys: Vec<StoredKey>,
}

pub async fn read(documents: &dyn Documents) -> Result<KeyStore, KeyError> {
    let Some(document) = documents.read_document(KEYS_DOCUMENT).await? else {
        return Ok(KeyStore::default());
    };
    #[derive(Deserialize)]
    struct Format {
        format: u32,
    }
    let unreadable = |error: serde_json::Error| KeyError::Unreadable(error.to_string());
    let Format { format } = serde_json::from_str(&document.text).map_err(unreadable)?;
    if format != FORMAT {
        return Err(KeyError::Unreadable(format!(
            "it is of format {format}, and this program knows {FORMAT}"
        )));
    }
    let Written { keys, .. } = serde_json::from_str(&document.text).map_err(unreadable)?;
    Ok(KeyStore { version: Some(document.version), keys })
}

pub(super) async fn version(documents: &dyn Documents) -> Result<Option<DocumentVersion>, StoreError> {
    documents.document_version(KEYS_DOCUMENT).await
}

pub async fn add(
    documents: &dyn Documents,
    name: &str,
    grant: &Grant,
    now: u64,
) -> Result<SecretString, KeyError> {
    if grant.has_ended(now) {
        return Err(KeyError::Ended);
    }
    let new = NewKey::make().map_err(|_| KeyError::Randomness)?;
    change(documents, |keys| {
        if keys.iter().any(|key| key.name == name) {
            return Err(KeyError::Taken(name.to_owned()));
        }
        if keys.len() >= MAX_KEYS {
            return Err(KeyError::Full);
        }
        let (name, grant) = (name.to_owned(), grant.clone());
        keys.push(StoredKey { name, hash: new.hash, before: None, grant, created: now, revoked: None });
        Ok(())
    })
    .await?;
    Ok(new.key)
}

/// Replaces a key, which stays valid for some seconds. `own` is the caller's key.
pub async fn rotate(
    documents: &dyn Documents,
    name: &str,
    overlap: u32,
    own: Own<'_>,
    now: u64,
) -> Result<SecretString, KeyError> {
    let new = NewKey::make().map_err(|_| KeyError::Randomness)?;
    change(documents, |keys| {
        let key = find(keys, name, own)?;
        if key.revoked.is_some() {
            return Err(KeyError::Revoked(name.to_owned()));
        }
        if key.grant.has_ended(now) {
            return Err(KeyError::Over(name.to_owned()));
        }
        let before = Before { hash: key.hash, until: now + u64::from(overlap) };
        key.before = (overlap > 0).then_some(before);
        key.hash = new.hash;
        Ok(())
    })
    .await?;
    Ok(new.key)
}

pub async fn revoke(documents: &dyn Documents, name: &str, own: Own<'_>, now: u64) -> Result<(), KeyError> {
    change(documents, |keys| {
        let key = find(keys, name, own)?;
        key.revoked.get_or_insert(now);
        key.before = None;
        Ok(())
    })
    .await
}

fn find<'a>(keys: &'a mut [StoredKey], name: &str, own: Own<'_>) -> Result<&'a mut StoredKey, KeyError> {
    let key = keys.iter_mut().find(|key| key.name == name);
    let key = key.ok_or_else(|| KeyError::Unknown(name.to_owned()))?;
    // With limits, an equal key has limits of its own.
    if own.is_some_and(|(own, grant)| own != key.name && !grant.covers(&key.grant)) {
        return Err(KeyError::Beyond(name.to_owned()));
    }
    Ok(key)
}

async fn change(
    documents: &dyn Documents,
    how: impl Fn(&mut Vec<StoredKey>) -> Result<(), KeyError>,
) -> Result<(), KeyError> {
    for _ in 0..TRIES {
        let KeyStore { version, mut keys } = read(documents).await?;
        how(&mut keys)?;
        let text = serde_json::to_string(&Written { format: FORMAT, keys });
        let text = text.expect("texts and numbers are JSON");
        if documents.replace_document(KEYS_DOCUMENT, version, &text).await? {
            return Ok(());
        }
    }
    Err(KeyError::Busy)
}
