//! The swap service: it keeps proposals of atomic swaps for those who know their passwords, and can read
//! none of them (wallet-lib: `swapService`).

mod watch;

pub use watch::{SwapNews, SwapSubscription};

use super::endpoint::Endpoint;
use super::object::{self, Object};
use super::{BadUrl, CallError, Fault, Service};
use crate::net::{HttpClient, Response, Url, brief};
use aes::Aes256;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use cbc::cipher::block_padding::Pkcs7;
use cbc::cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit};
use md5::Md5;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde::de::{Deserializer, Error};
use serde_json::json;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use tokio::sync::broadcast;
use watch::Watch;
use zeroize::Zeroizing;

/// What names a proposal's password to the service: a hash of it. The service minds the case.
const PASSWORD_HEADER: &str = "X-Auth-Password";
/// Most characters of a proposal's id.
const MAX_ID: usize = 100;
/// Most bytes that the service may answer: a proposal, and what it was before.
const MAX_ANSWER: usize = 4 * 1024 * 1024;
/// How proposals begin, and signatures.
const PROPOSAL: &str = "PartialTx|";
const SIGNATURES: &str = "PartialTxInputData|";

/// The swap service at one address. Clones share what it tells by its WebSocket.
#[derive(Clone)]
pub struct SwapService {
    endpoint: Endpoint,
    watch: Arc<Watch>,
}

/// A proposal, as the service has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwapProposal {
    pub id: String,
    pub version: u64,
    /// When it was changed, in the service's words.
    pub timestamp: String,
    pub partial_tx: String,
    /// Those of the participants so far, if there are some.
    pub signatures: Option<String>,
    /// What it was before.
    pub history: Vec<PastProposal>,
}

/// What a proposal was before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastProposal {
    pub partial_tx: String,
    pub timestamp: String,
}

/// A change of a proposal.
#[derive(Clone, Debug)]
pub struct SwapUpdate<'a> {
    pub partial_tx: &'a str,
    /// The version that is changed, which must be the newest.
    pub version: u64,
    pub signatures: Option<&'a str>,
}

/// Why the service was of no use.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SwapServiceError {
    #[error(transparent)]
    Call(#[from] CallError),
    /// It has no such proposal.
    #[error("the swap service has no proposal {0}")]
    NotFound(String),
    /// It was told another password when the proposal was made.
    #[error("Incorrect password for proposal {0}")]
    IncorrectPassword(String),
    /// It is encrypted with another password.
    #[error("Incorrect password: could not decode the proposal")]
    WrongPassword,
    /// It did not take a new proposal.
    #[error("Unable to create the proposal on the Atomic Swap Service")]
    NotCreated,
    /// The version that was to be changed is not the newest.
    #[error("the swap service has another version of proposal {0} by now: fetch it, and change that one")]
    OtherVersion(String),
    /// It did not take a change.
    #[error("Unable to update the proposal on the Atomic Swap Service")]
    NotUpdated,
    /// The system gives no random numbers.
    #[error("no randomness from the system")]
    Randomness,
}

impl SwapServiceError {
    /// The HTTP status with which the service refused, if it did so.
    pub const fn status(&self) -> Option<u16> {
        match self {
            Self::Call(CallError { fault: Fault::Status { status, .. }, .. }) => Some(*status),
            Self::NotFound(_) => Some(404),
            Self::IncorrectPassword(_) => Some(403),
            Self::OtherVersion(_) => Some(409),
            _ => None,
        }
    }
}

/// What the service says with a status that says no.
#[derive(Deserialize)]
struct Refused {
    code: String,
}

#[derive(Deserialize)]
struct Created {
    success: bool,
    #[serde(default)]
    id: Option<String>,
}

#[derive(Deserialize)]
struct Updated {
    #[serde(default)]
    success: bool,
}

#[derive(Deserialize)]
struct Kept {
    id: String,
    version: u32,
    timestamp: Timestamp,
    #[serde(rename = "partialTx")]
    partial_tx: String,
    #[serde(default)]
    signatures: Option<String>,
    #[serde(default)]
    history: Vec<Object<KeptBefore>>,
}

#[derive(Deserialize)]
struct KeptBefore {
    #[serde(rename = "partialTx")]
    partial_tx: String,
    timestamp: Timestamp,
}

/// A time in the service's words, which may be a number.
struct Timestamp(String);

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = <&RawValue>::deserialize(deserializer)?.get();
        match json.parse::<i64>() {
            Ok(number) => Ok(Self(number.to_string())),
            Err(_) => serde_json::from_slice(json.as_bytes()).map(Self).map_err(Error::custom),
        }
    }
}

impl SwapService {
    /// The service at a base address.
    pub fn new(client: HttpClient, url: &str) -> Result<Self, BadUrl> {
        let endpoint = Endpoint::new(client, Service::SwapService, url)?;
        let watch = Watch::new(endpoint.client.clone(), endpoint.url("").into_socket());
        Ok(Self { endpoint, watch })
    }

    /// The same service, whose WebSocket is at another address: that of the public ones is.
    pub fn with_socket(self, url: Url) -> Self {
        Self { watch: Watch::new(self.endpoint.client.clone(), url.into_socket()), ..self }
    }

    /// Whether both talk to the service in the same place.
    pub fn is_at_same(&self, other: &Self) -> bool {
        self.endpoint.url("") == other.endpoint.url("") && self.watch.is_at_same(&other.watch)
    }

    /// Tells `listener` of changes of a proposal, as long as the subscription is kept. The service does not
    /// ask for its password, nor say when it has begun.
    pub fn subscribe(&self, id: &str, listener: broadcast::Sender<SwapNews>) -> SwapSubscription {
        self.watch.subscribe(id, listener)
    }

    /// Has a proposal kept, and gives its id.
    ///
    /// # Errors
    /// [`SwapServiceError::NotCreated`] if the service refuses it, [`SwapServiceError::Call`] if it can't be
    /// asked.
    pub async fn create(
        &self,
        partial_tx: &str,
        password: &SecretString,
    ) -> Result<String, SwapServiceError> {
        let body = json!({
            "partialTx": encrypt(partial_tx, password)?,
            "authPassword": hashed(password),
        });
        let response = self.endpoint.post("", &[], body.to_string()).await?;
        let created: Created = self.read("", response)?;
        created.id.filter(|id| created.success && is_id(id)).ok_or(SwapServiceError::NotCreated)
    }

    /// A proposal as it is now.
    ///
    /// # Errors
    /// [`SwapServiceError::NotFound`] if there is none, [`SwapServiceError::IncorrectPassword`] if it has
    /// another password, [`SwapServiceError::WrongPassword`] if it can't be decrypted,
    /// [`SwapServiceError::Call`] if the service can't be asked.
    pub async fn proposal(
        &self,
        id: &str,
        password: &SecretString,
    ) -> Result<SwapProposal, SwapServiceError> {
        let response = checked(id, self.known(id, password)?.get_any(id).await?)?;
        let kept: Kept = self.read(id, response)?;
        if kept.id != id {
            let what = "it gives another proposal than was asked for".to_owned();
            return Err(self.endpoint.error(id, Fault::InvalidAnswer(what)).into());
        }
        // Another password may give a text all the same, and a partner may write what is none of these.
        let read = |text: &str, prefix: &str| {
            let text = decrypt_with(text, password.expose_secret());
            let is_plain = |text: &String| text.bytes().all(|byte| byte.is_ascii_graphic());
            let text = text.filter(|text| text.starts_with(prefix) && is_plain(text));
            text.ok_or(SwapServiceError::WrongPassword)
        };
        let past = |Object(past): Object<KeptBefore>| {
            let partial_tx = read(&past.partial_tx, PROPOSAL)?;
            Ok(PastProposal { partial_tx, timestamp: brief(&past.timestamp.0) })
        };
        let signatures = kept.signatures.filter(|text| !text.is_empty());
        Ok(SwapProposal {
            id: kept.id,
            version: kept.version.into(),
            timestamp: brief(&kept.timestamp.0),
            partial_tx: read(&kept.partial_tx, PROPOSAL)?,
            signatures: signatures.map(|text| read(&text, SIGNATURES)).transpose()?,
            history: kept.history.into_iter().map(past).collect::<Result<_, SwapServiceError>>()?,
        })
    }

    /// Changes a proposal.
    ///
    /// # Errors
    /// [`SwapServiceError::NotFound`] if there is none, [`SwapServiceError::OtherVersion`] if it was changed
    /// meanwhile, [`SwapServiceError::NotUpdated`] if the service refuses the change for another reason,
    /// [`SwapServiceError::Call`] if it can't be asked.
    pub async fn update(
        &self,
        id: &str,
        password: &SecretString,
        SwapUpdate { partial_tx, version, signatures }: SwapUpdate<'_>,
    ) -> Result<(), SwapServiceError> {
        let body = json!({
            "partialTx": encrypt(partial_tx, password)?,
            "version": version,
            "signatures": signatures.map(|text| encrypt(text, password)).transpose()?,
        });
        let response = checked(id, self.known(id, password)?.put(id, body.to_string()).await?)?;
        let Updated { success } = self.read(id, response)?;
        if success { Ok(()) } else { Err(SwapServiceError::NotUpdated) }
    }

    /// The endpoint for who knows a proposal's password. What is no id names no proposal.
    fn known(&self, id: &str, password: &SecretString) -> Result<Endpoint, SwapServiceError> {
        if !is_id(id) {
            return Err(SwapServiceError::NotFound(id.to_owned()));
        }
        Ok(self.endpoint.clone().with_header(PASSWORD_HEADER, hashed(password)))
    }

    fn read<T: for<'a> Deserialize<'a>>(
        &self,
        path: &str,
        response: Response,
    ) -> Result<T, SwapServiceError> {
        let response = self.endpoint.check_status(path, response)?;
        if response.body.len() > MAX_ANSWER {
            let fault = Fault::InvalidAnswer(format!("it is longer than {MAX_ANSWER} bytes"));
            return Err(self.endpoint.error(path, fault).into());
        }
        let read = object::read(&response.body);
        read.map_err(|error| self.endpoint.error(path, Fault::InvalidAnswer(error.to_string())).into())
    }
}

/// What the service answers of a proposal, unless it refuses because of what it was told of it. What stands
/// before a service has a 403 of its own.
fn checked(id: &str, response: Response) -> Result<Response, SwapServiceError> {
    let code = || object::read(&response.body).map(|Refused { code }| code).unwrap_or_default();
    match response.status {
        404 => Err(SwapServiceError::NotFound(id.to_owned())),
        403 if code() == "INCORRECT_PASSWORD" => Err(SwapServiceError::IncorrectPassword(id.to_owned())),
        409 => Err(SwapServiceError::OtherVersion(id.to_owned())),
        _ => Ok(response),
    }
}

/// Whether a text can be the id of a proposal: it is a part of an address.
fn is_id(text: &str) -> bool {
    (1..=MAX_ID).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// What the service knows of a password.
fn hashed(password: &SecretString) -> String {
    hex::encode(Sha256::digest(password.expose_secret()))
}

fn encrypt(text: &str, password: &SecretString) -> Result<String, SwapServiceError> {
    let mut salt = [0; 8];
    getrandom::fill(&mut salt).map_err(|_| SwapServiceError::Randomness)?;
    Ok(encrypt_with(text, password.expose_secret(), salt))
}

// How proposals are encrypted for the swap service: as OpenSSL does with a password, which is what the
// crypto-js of wallet-lib writes. `Salted__`, eight bytes of salt, then AES-256 in CBC mode with a key and
// an initialization vector that MD5 makes of password and salt; all in base64.

const MAGIC: &[u8; 8] = b"Salted__";
const SALT: usize = 8;

/// Encrypts a text with a salt that is new for each.
pub(super) fn encrypt_with(text: &str, password: &str, salt: [u8; SALT]) -> String {
    let key = derived(password, &salt);
    let (key, iv) = key.split_at(32);
    let cipher = cbc::Encryptor::<Aes256>::new_from_slices(key, iv).expect("32 and 16 bytes");
    let encrypted = cipher.encrypt_padded_vec::<Pkcs7>(text.as_bytes());
    STANDARD.encode([MAGIC.as_slice(), &salt, &encrypted].concat())
}

/// What was encrypted; `None` if the password is another one, or it was not encrypted like that.
pub(super) fn decrypt_with(encrypted: &str, password: &str) -> Option<String> {
    let bytes = STANDARD.decode(encrypted).ok()?;
    let (salt, encrypted) = bytes.strip_prefix(MAGIC)?.split_at_checked(SALT)?;
    let key = derived(password, salt);
    let (key, iv) = key.split_at(32);
    let cipher = cbc::Decryptor::<Aes256>::new_from_slices(key, iv).expect("32 and 16 bytes");
    String::from_utf8(cipher.decrypt_padded_vec::<Pkcs7>(encrypted).ok()?).ok()
}

/// Key and initialization vector (OpenSSL: `EVP_BytesToKey` with MD5 and one round).
fn derived(password: &str, salt: &[u8]) -> Zeroizing<[u8; 48]> {
    let mut derived = Zeroizing::new([0; 48]);
    let mut last: &[u8] = &[];
    for block in derived.chunks_exact_mut(16) {
        let digest = Md5::new().chain_update(last).chain_update(password).chain_update(salt).finalize();
        block.copy_from_slice(&digest);
        last = block;
    }
    derived
}

#[cfg(test)]
mod tests {
    use super::{decrypt_with, encrypt_with};

    /// Of `CryptoJS.AES.encrypt('PartialTx|0001||', 'abc123')` of crypto-js 4.2, as wallet-lib calls it.
    const ENCRYPTED: &str = "U2FsdGVkX19zd2Fwc2FsdLwGr9vPEgMmZSVwW37gJu0pb71Y8K/SCZGS4LMyDjLR";

    #[test]
    fn what_the_library_encrypts_is_read_and_written() {
        assert_eq!(decrypt_with(ENCRYPTED, "abc123").as_deref(), Some("PartialTx|0001||"));
        let salt = *b"swapsalt";
        assert_eq!(encrypt_with("PartialTx|0001||", "abc123", salt), ENCRYPTED);
        assert_ne!(decrypt_with(ENCRYPTED, "abc124").as_deref(), Some("PartialTx|0001||"));
        for wrong in ["", "U2FsdGVkX18=", "U2FsdGVkX1", "U2FsdGVkX19h", "%%%"] {
            assert_eq!(decrypt_with(wrong, "abc123"), None, "{wrong}");
        }
    }
}
