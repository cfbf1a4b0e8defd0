//! The side that has the keys.

use super::breach::Breach;
use super::judge::{Shown, judge};
use super::limits::Limits;
use super::spent::Spent;
use super::wire::{Answer, Ask, Asked, Hex, What};
use crate::keys::{
    ADDRESS_INDEXES, AccountKeys, Previous, Purpose, Signer, SignerError, SigningRequest, ToSign,
    TransactionFacts, TransactionToSign, message_digest, message_fits,
};
use crate::ledger::{Network, Transaction};
use crate::rt::{self, BoxFuture};
use sha2::{Digest, Sha256};
use std::future::ready;
use std::sync::{Arc, Mutex, PoisonError};

/// What is signed of a transaction is the hash of a hash, and of what an oracle says its hash: so that must
/// not be as long as a hash.
const HASH_BYTES: usize = 32;

/// Most characters of a reason, which may quote what was asked: that can be as long as a frame.
const LONGEST_WHY: usize = 1_000;

/// The keys of a seed, by its name.
type KeysOf = dyn Fn(&str) -> Option<AccountKeys> + Send + Sync;

/// What answers.
pub struct SignerServer {
    keys: Box<KeysOf>,
    limits: Limits,
    /// What was signed within the last day; needed where there are limits.
    spent: Mutex<Option<Spent>>,
}

impl SignerServer {
    /// With the keys that `keys` has, within `limits`. What is signed is counted in `spent`: without it,
    /// nothing is signed that has limits.
    pub fn new(
        keys: impl Fn(&str) -> Option<AccountKeys> + Send + Sync + 'static,
        limits: Limits,
        spent: Option<Spent>,
    ) -> Arc<Self> {
        Arc::new(Self { keys: Box::new(keys), limits, spent: Mutex::new(spent) })
    }

    /// Answers a frame. What is refused is written to the log.
    pub async fn answer(&self, frame: &[u8]) -> Answer {
        let answered = match Asked::read(frame) {
            Ok(asked) => self.carry_out(asked).await,
            Err(why) => Err(Breach::new("protocol", why)),
        };
        answered.unwrap_or_else(|Breach { rule, why }| {
            let why: String = why.chars().take(LONGEST_WHY).collect();
            tracing::warn!("refused by rule {rule:?}: {why}");
            Answer::Refused { rule: rule.to_owned(), why }
        })
    }

    async fn carry_out(&self, Asked { seed, ask, .. }: Asked) -> Result<Answer, Breach> {
        let keys = (self.keys)(&seed);
        let keys = keys.ok_or_else(|| Breach::new("seed", format!("there is no open seed {seed:?} here")))?;
        match ask {
            Ask::Account => Ok(Answer::Account { xpub: keys.public().to_xpub() }),
            Ask::Sign { salt, what, .. } => self.sign(&seed, &keys, &salt.0, what).await,
        }
    }

    async fn sign(&self, seed: &str, keys: &AccountKeys, salt: &[u8], what: What) -> Result<Answer, Breach> {
        let allowed = self.limits.of(seed);
        let in_range = |index: u32| match index < ADDRESS_INDEXES {
            true => Ok(index),
            false => Err(Breach::new("keys", format!("there is no address {index}"))),
        };
        match what {
            What::Message { index, text } => {
                allowed.map_or(Ok(()), |allowed| allowed.check_message())?;
                message_fits(&text).map_err(|must| Breach::new("messages", format!("the message {must}")))?;
                let what = ToSign::Message { index: in_range(index)?, text: &text };
                signed(keys, what, message_digest(&text), salt).await
            }
            What::OracleData { index, data } => {
                allowed.map_or(Ok(()), |allowed| allowed.check_message())?;
                if data.0.len() <= HASH_BYTES {
                    let why = "what an oracle says has the contract's id and a value: this may be a transaction's hash";
                    return Err(Breach::new("oracle-data", why));
                }
                let what = ToSign::OracleData { index: in_range(index)?, data: &data.0 };
                signed(keys, what, Sha256::digest(&data.0).into(), salt).await
            }
            What::Transaction { bytes, inputs, caller, own, previous } => {
                let transaction = Transaction::from_bytes(&bytes.0);
                let transaction =
                    &transaction.map_err(|error| Breach::new("transaction-bytes", error.to_string()))?;
                let digest = transaction.sighash();
                let digest = digest.map_err(|error| Breach::new("transaction-bytes", error.to_string()))?;
                let previous: Vec<&[u8]> = previous.iter().map(|bytes| &bytes.0[..]).collect();
                let (own, previous) = (&own[..], &previous[..]);
                let shown = Shown { transaction, inputs: &inputs, caller, own, previous, scripts: &[] };
                let does = judge(shown, &keys.public().into()).await?;
                if let Some(allowed) = allowed {
                    allowed.check(&does)?;
                    let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
                    let spent = spent.as_mut();
                    let spent = spent
                        .ok_or_else(|| Breach::new("disk", "there is nowhere to count what is spent"))?;
                    spent.count((seed, allowed), &digest, &does, rt::unix_seconds().into())?;
                }
                let asked = TransactionToSign {
                    transaction,
                    network: Network::Mainnet,
                    inputs: &inputs,
                    caller,
                    facts: &Unasked,
                };
                signed(keys, ToSign::Transaction(asked), digest, salt).await
            }
        }
    }
}

/// Words in memory ask for nothing.
struct Unasked;

impl TransactionFacts for Unasked {
    fn previous(&self) -> BoxFuture<'_, Result<Previous, SignerError>> {
        Box::pin(ready(Ok(Vec::new())))
    }
    fn own_outputs(&self) -> Vec<(u8, u32)> {
        Vec::new()
    }
}

async fn signed(
    keys: &AccountKeys,
    what: ToSign<'_>,
    digest: [u8; 32],
    salt: &[u8],
) -> Result<Answer, Breach> {
    let request = SigningRequest { what, purpose: Purpose::Send, digest, salt };
    let signatures = Signer::sign(keys, request).await;
    let signatures = signatures.map_err(|error| Breach::new("keys", error.to_string()))?;
    let given = signatures.iter().map(|by| (Hex(by.public_key.to_vec()), Hex(by.compact.to_vec())));
    Ok(Answer::Signatures(given.collect()))
}
