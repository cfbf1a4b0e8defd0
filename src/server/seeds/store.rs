//! The sealed seed phrases in a server's store: one document.

use crate::keys::{Mnemonic, Seed, VaultError, open_vault_for, seal_vault_for};
use crate::operations::is_key_name;
use crate::store::{Document, DocumentVersion, Documents, SEEDS_DOCUMENT, StoreError};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

const FORMAT: u32 = 1;
/// Opening one takes some tenths of a second.
const MAX_SEEDS: usize = 100;
/// Separates seed phrase and passphrase.
const BETWEEN: char = '\n';
/// In characters.
pub const MIN_PASSWORD: usize = 8;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeedStore {
    /// `None` if there is no document.
    version: Option<DocumentVersion>,
    pub seeds: Vec<SealedSeed>,
}

/// A seed phrase, sealed with its passphrase, if it has one: the seal does not show whether it has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealedSeed {
    /// `seedKey` of `/start`.
    pub name: String,
    /// By [`seal_vault_for`] with the name, so that nobody without the password can pass one seed off as
    /// another.
    sealed: String,
    /// In Unix seconds.
    pub created: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeedError {
    #[error("a seed's name is 1 to 64 of a-z, 0-9, '.', '_' and '-', and does not begin with '.'")]
    Name,
    #[error("there is a seed called {0:?} already: nothing is written over")]
    Taken(String),
    #[error("there is no sealed seed called {0:?}")]
    Unknown(String),
    #[error("a password has at least {MIN_PASSWORD} characters")]
    ShortPassword,
    #[error("there are {MAX_SEEDS} seeds, and there is room for no more")]
    Full,
    /// The document is of a later version, or damaged.
    #[error("the sealed seeds can't be read: {0}")]
    Unreadable(String),
    #[error("somebody else changed the seeds at the same time, and nothing was done: try again")]
    Busy,
    #[error(transparent)]
    Vault(#[from] VaultError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    format: u32,
    seeds: Vec<SealedSeed>,
}

impl SealedSeed {
    fn seal(name: &str, seed: &Seed, password: &str, created: u64) -> Result<Self, SeedError> {
        let text = text_of(seed);
        let sealed = seal_vault_for(&text, password, name)?;
        // Never store a seed that can't be opened again.
        if open_vault_for(&sealed, password, name)? != text {
            return Err(SeedError::Unreadable("what was sealed opens to something else".to_owned()));
        }
        Ok(Self { name: name.to_owned(), sealed, created })
    }

    /// Takes some tenths of a second, on purpose.
    ///
    /// # Errors
    /// [`SeedError::Vault`] if the password is wrong, [`SeedError::Unreadable`] if the content is no seed
    /// phrase.
    pub fn open(&self, password: &str) -> Result<Seed, SeedError> {
        let text = open_vault_for(&self.sealed, password, &self.name)?;
        let (words, passphrase) = text.split_once(BETWEEN).unwrap_or((&text, ""));
        let words = Mnemonic::parse(words).map_err(|error| SeedError::Unreadable(error.to_string()))?;
        Ok(Seed::new(words, passphrase))
    }
}

/// The text to be sealed: the seed phrase, and the passphrase in a line of its own if there is one.
fn text_of(seed: &Seed) -> Zeroizing<String> {
    let (words, passphrase) = (seed.words().words(), seed.passphrase());
    // Allocated once: a string that grows leaves copies of the secret behind.
    let mut text = Zeroizing::new(String::with_capacity(words.len() + passphrase.len() + 1));
    text.push_str(words);
    if !passphrase.is_empty() {
        text.push(BETWEEN);
        text.push_str(passphrase);
    }
    text
}

pub async fn read(documents: &dyn Documents) -> Result<SeedStore, SeedError> {
    let Some(Document { version, text }) = documents.read_document(SEEDS_DOCUMENT).await? else {
        return Ok(SeedStore::default());
    };
    let written: Written =
        serde_json::from_str(&text).map_err(|error| SeedError::Unreadable(error.to_string()))?;
    if written.format != FORMAT {
        let format = written.format;
        return Err(SeedError::Unreadable(format!(
            "they are of format {format}, and this program knows {FORMAT}"
        )));
    }
    Ok(SeedStore { version: Some(version), seeds: written.seeds })
}

impl SeedStore {
    pub fn get(&self, name: &str) -> Result<&SealedSeed, SeedError> {
        let seed = self.seeds.iter().find(|seed| seed.name == name);
        seed.ok_or_else(|| SeedError::Unknown(name.to_owned()))
    }

    pub fn check_name(&self, name: &str) -> Result<(), SeedError> {
        if !is_key_name(name) {
            return Err(SeedError::Name);
        }
        match self.get(name) {
            Ok(_) => Err(SeedError::Taken(name.to_owned())),
            Err(_) => Ok(()),
        }
    }

    /// Whether the password opens them: there is one for all.
    pub fn check_password(&self, password: &str) -> Result<(), SeedError> {
        self.seeds.first().map_or(Ok(()), |seed| seed.open(password).map(drop))
    }

    async fn write(self, documents: &dyn Documents) -> Result<(), SeedError> {
        let text = serde_json::to_string(&Written { format: FORMAT, seeds: self.seeds });
        let text = text.expect("texts and numbers are JSON");
        match documents.replace_document(SEEDS_DOCUMENT, self.version, &text).await? {
            true => Ok(()),
            false => Err(SeedError::Busy),
        }
    }
}

/// Seals and stores a seed. The password must open the stored ones.
pub async fn add(
    documents: &dyn Documents,
    name: &str,
    seed: &Seed,
    password: &str,
    now: u64,
) -> Result<(), SeedError> {
    let mut store = read(documents).await?;
    store.check_name(name)?;
    check_length(password)?;
    if store.seeds.len() >= MAX_SEEDS {
        return Err(SeedError::Full);
    }
    store.check_password(password)?;
    store.seeds.push(SealedSeed::seal(name, seed, password, now)?);
    store.write(documents).await
}

/// Renames a seed, which is sealed again, because the seal includes the name.
pub async fn rename(
    documents: &dyn Documents,
    name: &str,
    to: &str,
    password: &str,
) -> Result<(), SeedError> {
    let mut store = read(documents).await?;
    store.get(name)?;
    store.check_name(to)?;
    for seed in store.seeds.iter_mut().filter(|seed| seed.name == name) {
        *seed = SealedSeed::seal(to, &seed.open(password)?, password, seed.created)?;
    }
    store.write(documents).await
}

/// Deletes a seed. The password must open it, so that nobody deletes a seed without being able to read it.
pub async fn remove(documents: &dyn Documents, name: &str, password: &str) -> Result<(), SeedError> {
    let mut store = read(documents).await?;
    store.get(name)?.open(password)?;
    store.seeds.retain(|seed| seed.name != name);
    store.write(documents).await
}

/// Seals all seeds with another password, or none.
pub async fn change_password(documents: &dyn Documents, old: &str, new: &str) -> Result<(), SeedError> {
    check_length(new)?;
    let mut store = read(documents).await?;
    for seed in &mut store.seeds {
        *seed = SealedSeed::seal(&seed.name, &seed.open(old)?, new, seed.created)?;
    }
    store.write(documents).await
}

fn check_length(password: &str) -> Result<(), SeedError> {
    if password.chars().count() < MIN_PASSWORD { Err(SeedError::ShortPassword) } else { Ok(()) }
}
