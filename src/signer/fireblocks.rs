//! Raw signing by Fireblocks, as its public API documents it: a request is a transaction of the operation
//! `RAW`, whose messages are signed by the keys of paths below a vault, once the necessary people have
//! approved it. Each call is authorized by a token (JWT, RS256) for its own path and body.

use crate::keys::{AccountPublic, Signature, Signer, SignerAccount, SignerError, SigningRequest};
use crate::net::{HttpClient, Request, Response, Url, brief};
use crate::rt::{self, BoxFuture, Instant};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

const ALGORITHM: &str = "MPC_ECDSA_SECP256K1";
const NOTE: &str = "Hathor tx sent from headless wallet using raw signing";
/// The `code` of a refusal because the request was made before: its answer is then awaited.
const KNOWN_ALREADY: i64 = 1438;
const TOKEN_SECONDS: u32 = 60;
const PATIENCE: Duration = Duration::from_secs(600);
/// Between two queries for the approval.
const PAUSE: Duration = Duration::from_secs(1);
/// Fireblocks derives keys at `m/44/280/0/0/index`, none of them hardened.
const PATH: [u32; 4] = [44, 280, 0, 0];

#[derive(Clone)]
pub struct Fireblocks {
    client: HttpClient,
    /// Without a `/` at its end.
    base: String,
    api_key: String,
    key: Arc<RsaKeyPair>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Standing {
    id: String,
    status: String,
    #[serde(default)]
    signed_messages: Vec<SignedMessage>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SignedMessage {
    content: String,
    derivation_path: Vec<u32>,
    public_key: String,
    signature: Parts,
}

#[derive(Deserialize)]
struct Parts {
    r: String,
    s: String,
}

impl Fireblocks {
    /// At `base`, for an API key and its secret (an RSA key in PEM).
    ///
    /// # Errors
    /// What is wrong with the secret, without quoting it.
    pub fn new(client: HttpClient, base: &str, api_key: &str, secret: &str) -> Result<Self, String> {
        let key = match PrivateKeyDer::from_pem_slice(secret.as_bytes()) {
            Ok(PrivateKeyDer::Pkcs8(key)) => RsaKeyPair::from_pkcs8(key.secret_pkcs8_der()),
            Ok(PrivateKeyDer::Pkcs1(key)) => RsaKeyPair::from_der(key.secret_pkcs1_der()),
            _ => return Err("the API secret is no RSA key in PEM".to_owned()),
        };
        let key = key.map_err(|error| format!("the API secret can't be used: {error}"))?;
        let base = base.trim_end_matches('/').to_owned();
        Ok(Self { client, base, api_key: api_key.to_owned(), key: Arc::new(key) })
    }

    /// Compressed, in hexadecimal.
    pub async fn public_key(&self, index: u32) -> Result<String, String> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Info {
            public_key: String,
        }
        let [a, b, c, d] = PATH;
        // Encoded as on the wire, because this is signed.
        let path = format!(
            "/v1/vault/public_key_info?derivationPath=%5B{a},{b},{c},{d},{index}%5D&algorithm={ALGORITHM}&compressed=true"
        );
        let info: Info = read(self.call(&path, None).await?)?;
        Ok(info.public_key)
    }

    async fn call(&self, path: &str, body: Option<String>) -> Result<Response, String> {
        let url: Url = format!("{}{path}", self.base).parse().map_err(|error| format!("{error:?}"))?;
        let token = self.token(path, body.as_deref().unwrap_or_default())?;
        let mut request = match body {
            Some(json) => Request::post(url, json),
            None => Request::get(url),
        };
        request.headers =
            vec![("X-API-Key", self.api_key.clone()), ("Authorization", format!("Bearer {token}"))];
        self.client.request(request).await.map_err(|error| error.to_string())
    }

    fn token(&self, path: &str, body: &str) -> Result<String, String> {
        let mut nonce = [0; 16];
        getrandom::fill(&mut nonce).map_err(|error| error.to_string())?;
        let now = rt::unix_seconds();
        let claims = json!({
            "uri": path, "nonce": hex::encode(nonce), "iat": now, "exp": now + TOKEN_SECONDS, "sub": self.api_key,
            "bodyHash": hex::encode(Sha256::digest(body.as_bytes())),
        });
        let text = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let head = format!("{}.{}", text(&json!({"alg": "RS256", "typ": "JWT"})), text(&claims));
        let mut signature = vec![0; self.key.public().modulus_len()];
        let signed = self.key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), head.as_bytes(), &mut signature);
        signed.map_err(|_| "the API secret can't sign".to_owned())?;
        Ok(format!("{head}.{}", URL_SAFE_NO_PAD.encode(signature)))
    }

    /// Has a hash signed by the keys of some addresses.
    async fn sign(&self, digest: &[u8; 32], indexes: &[u32]) -> Result<Standing, SignerError> {
        let (content, away) = (hex::encode(digest), SignerError::Unreachable);
        let [a, b, c, d] = PATH;
        let message = |index: &u32| json!({"content": content, "derivationPath": [a, b, c, d, index]});
        let messages: Vec<_> = indexes.iter().map(message).collect();
        let asked = json!({
            "operation": "RAW", "externalTxId": content, "note": NOTE,
            "extraParameters": {"rawMessageData": {"algorithm": ALGORITHM, "messages": messages}},
        });
        let answer = self.call("/v1/transactions", Some(asked.to_string())).await.map_err(away)?;
        if !(200..300).contains(&answer.status) && code_of(&answer) != Some(KNOWN_ALREADY) {
            return Err(away(refusal(&answer)));
        }
        let deadline = Instant::now() + PATIENCE;
        let path = format!("/v1/transactions/external_tx_id/{content}");
        loop {
            // A failed query is repeated: the hash is being signed nevertheless.
            match self.call(&path, None).await.and_then(read::<Standing>) {
                Ok(standing) if standing.status == "COMPLETED" => return Ok(standing),
                Ok(Standing { status, id, .. })
                    if ["FAILED", "REJECTED", "CANCELLED", "BLOCKED", "TIMEOUT"].contains(&&*status) =>
                {
                    let why = format!("its transaction {id} is {status}");
                    return Err(SignerError::Refused { rule: "fireblocks".to_owned(), why });
                }
                Err(error) if Instant::now() > deadline => return Err(away(error)),
                Ok(Standing { status, id, .. }) if Instant::now() > deadline => {
                    return Err(away(format!("transaction {id} is still {status} after {PATIENCE:?}")));
                }
                _ => rt::sleep(PAUSE).await,
            }
        }
    }
}

fn code_of(answer: &Response) -> Option<i64> {
    serde_json::from_slice::<Value>(&answer.body).ok()?["code"].as_i64()
}

fn refusal(answer: &Response) -> String {
    format!(
        "Fireblocks answers with status {}: {}",
        answer.status,
        brief(&String::from_utf8_lossy(&answer.body))
    )
}

fn read<T: for<'de> Deserialize<'de>>(answer: Response) -> Result<T, String> {
    if !(200..300).contains(&answer.status) {
        return Err(refusal(&answer));
    }
    serde_json::from_slice(&answer.body).map_err(|error| format!("Fireblocks' answer can't be read: {error}"))
}

pub struct FireblocksSigner {
    service: Fireblocks,
    account: AccountPublic,
}

impl FireblocksSigner {
    /// `account` must be that of an xpub from Fireblocks.
    pub const fn new(service: Fireblocks, account: AccountPublic) -> Self {
        Self { service, account }
    }

    async fn sign_there(&self, request: SigningRequest<'_>) -> Result<Vec<Signature>, SignerError> {
        let indexes: Vec<_> = request.what.indexes().collect();
        let mut once = indexes.clone();
        once.sort_unstable();
        once.dedup();
        let signed = self.service.sign(&request.digest, &once).await?;
        let wrong =
            |what: &str| SignerError::Wrong(format!("{what} in Fireblocks' transaction {}", signed.id));
        let mut by_index = BTreeMap::new();
        for message in &signed.signed_messages {
            let [a, b, c, d, index] = message.derivation_path[..] else { return Err(wrong("another path")) };
            if message.content != hex::encode(request.digest) || [a, b, c, d] != PATH {
                return Err(wrong("a signature of something else"));
            }
            let (mut key, mut compact) = ([0; 33], [0; 64]);
            let (r, s) = compact.split_at_mut(32);
            hex::decode_to_slice(&message.public_key, &mut key)
                .and_then(|()| hex::decode_to_slice(&message.signature.r, r))
                .and_then(|()| hex::decode_to_slice(&message.signature.s, s))
                .map_err(|_| wrong("a signature that can't be read"))?;
            by_index.insert(index, Signature::given(key, compact));
        }
        let of = |index: &u32| {
            by_index.get(index).cloned().ok_or_else(|| wrong(&format!("no signature for address {index}")))
        };
        indexes.iter().map(of).collect()
    }
}

impl Signer for FireblocksSigner {
    fn account(&self) -> SignerAccount {
        SignerAccount::Account(self.account.clone())
    }

    fn sign<'a>(&'a self, request: SigningRequest<'a>) -> BoxFuture<'a, Result<Vec<Signature>, SignerError>> {
        Box::pin(self.sign_there(request))
    }
}

impl std::fmt::Debug for FireblocksSigner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("FireblocksSigner(<redacted>)")
    }
}
