//! The server side, with the keys.

use super::limits::{Limits, Spent};
use super::policy::{Breach, Shown, judge};
use super::wire::{Answer, Ask, Asked, Hex, Several, What, short};
use crate::keys::{
    ADDRESS_INDEXES, AccountKeys, AddressKeys, MultisigKeys, MultisigPublic, Purpose, Seed, Signer,
    SigningRequest, ToSign, TransactionToSign, Unasked, message_digest, message_fits,
};
use crate::ledger::{Network, RedeemScript, Transaction};
use crate::rt;
use sha2::{Digest, Sha256};
use std::sync::{Arc, Mutex, PoisonError};

/// A transaction's digest is a hash of a hash, and an oracle's data is hashed once: data as long as a hash
/// could be a transaction's.
const HASH_BYTES: usize = 32;

#[derive(Clone, Debug)]
pub struct SeedKeys {
    account: AccountKeys,
    /// As a participant in multisig wallets.
    participant: MultisigKeys,
}

impl SeedKeys {
    /// Takes some milliseconds.
    pub fn of(seed: &Seed) -> Self {
        Self { account: seed.account(), participant: seed.participant() }
    }
}

type KeysOf = dyn Fn(&str) -> Option<SeedKeys> + Send + Sync;

pub struct SignerServer {
    keys: Box<KeysOf>,
    limits: Limits,
    /// What was signed within the last day; required if there are limits.
    spent: Mutex<Option<Spent>>,
}

impl SignerServer {
    /// What is signed is counted in `spent`; without it, nothing with limits is signed.
    pub fn new(
        keys: impl Fn(&str) -> Option<SeedKeys> + Send + Sync + 'static,
        limits: Limits,
        spent: Option<Spent>,
    ) -> Arc<Self> {
        Arc::new(Self { keys: Box::new(keys), limits, spent: Mutex::new(spent) })
    }

    /// Answers a frame. Refusals are logged.
    pub async fn answer(&self, frame: &[u8]) -> Answer {
        let answered = match Asked::read(frame) {
            Ok(asked) => self.carry_out(asked).await,
            Err(why) => Err(Breach::new("protocol", why)),
        };
        answered.unwrap_or_else(|Breach { rule, why }| {
            let why = short(&why);
            tracing::warn!("refused by rule {rule:?}: {why}");
            Answer::Refused { rule: rule.to_owned(), why }
        })
    }

    async fn carry_out(&self, Asked { seed, ask, .. }: Asked) -> Result<Answer, Breach> {
        let keys = (self.keys)(&seed);
        let keys = keys
            .ok_or_else(|| Breach::new("seed", format!("there is no open seed {:?} here", short(&seed))))?;
        match ask {
            Ask::Account => Ok(Answer::Account { xpub: keys.account.public().to_xpub() }),
            Ask::Participant => Ok(Answer::Account { xpub: keys.participant.account_xpub() }),
            Ask::Sign { salt, what, .. } => self.sign(&seed, &keys, &salt.0, what).await,
        }
    }

    async fn sign(&self, seed: &str, keys: &SeedKeys, salt: &[u8], what: What) -> Result<Answer, Breach> {
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
                signed(&keys.account, what, message_digest(&text), salt).await
            }
            What::OracleData { index, data } => {
                allowed.map_or(Ok(()), |allowed| allowed.check_message())?;
                if data.0.len() <= HASH_BYTES {
                    let why = "what an oracle says has the contract's id and a value: this may be a transaction's hash";
                    return Err(Breach::new("oracle-data", why));
                }
                let what = ToSign::OracleData { index: in_range(index)?, data: &data.0 };
                signed(&keys.account, what, Sha256::digest(&data.0).into(), salt).await
            }
            What::Transaction { bytes, inputs, caller, own, previous, multisig, scripts } => {
                let transaction = Transaction::from_bytes(&bytes.0);
                let transaction =
                    &transaction.map_err(|error| Breach::new("transaction-bytes", error.to_string()))?;
                let digest = transaction.sighash();
                let digest = digest.map_err(|error| Breach::new("transaction-bytes", error.to_string()))?;
                let previous: Vec<&[u8]> = previous.iter().map(|bytes| &bytes.0[..]).collect();
                let (own, previous) = (&own[..], &previous[..]);
                let (signer, account) = keys.of_wallet(multisig)?;
                let scripts =
                    scripts.iter().map(|(place, bytes)| Ok((*place, redeem_script(*place, bytes)?)));
                let scripts = scripts.collect::<Result<Vec<_>, Breach>>()?;
                let scripts: Vec<_> = scripts.iter().map(|(place, script)| (*place, script)).collect();
                let shown = Shown { transaction, inputs: &inputs, caller, own, previous, scripts: &scripts };
                let does = judge(shown, &account).await?;
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
                signed(signer, ToSign::Transaction(asked), digest, salt).await
            }
        }
    }
}

impl SeedKeys {
    /// The signer of a wallet, and the source of its addresses. The client names the participants: inputs
    /// must be theirs, so that another wallet's output can't pass as change.
    fn of_wallet(&self, several: Option<Several>) -> Result<(&dyn Signer, AddressKeys), Breach> {
        let Some(Several { num_signatures, participants }) = several else {
            return Ok((&self.account, self.account.public().into()));
        };
        let all = MultisigPublic::new(&participants, num_signatures);
        let all = all.map_err(|error| Breach::new("participants", error.to_string()))?;
        if !all.is_of(&self.participant) {
            return Err(Breach::new("participants", "the seed is none of the wallet's participants"));
        }
        Ok((&self.participant, all.into()))
    }
}

fn redeem_script(place: u8, bytes: &Hex) -> Result<RedeemScript, Breach> {
    let script = RedeemScript::parse(&bytes.0);
    script.ok_or_else(|| Breach::new("keys", format!("the redeem script of input {place} can't be read")))
}

async fn signed(
    keys: &dyn Signer,
    what: ToSign<'_>,
    digest: [u8; 32],
    salt: &[u8],
) -> Result<Answer, Breach> {
    let request = SigningRequest { what, purpose: Purpose::Send, digest, salt };
    let signatures = keys.sign(request).await;
    let signatures = signatures.map_err(|error| Breach::new("keys", error.to_string()))?;
    let given = signatures.iter().map(|by| (Hex(by.public_key.to_vec()), Hex(by.compact.to_vec())));
    Ok(Answer::Signatures(given.collect()))
}
