//! The seam behind which a wallet's keys are. What signs for a wallet is a [`Signer`]: words in memory, or
//! something that is asked and may take its time, look at what it is to sign, and refuse.

use super::signature::{der_of, find_recovery, verifies};
use super::{AccountKeys, AccountPublic, KeyList, MultisigKeys};
use crate::ledger::{Input, InputData, Network, Transaction, VertexId};
use crate::rt::{self, BoxFuture, CpuShare, SendOutsideWasm, SyncOutsideWasm};
use std::fmt::Debug;
use std::future::ready;

/// It takes some milliseconds to sign with more keys than these.
const FEW_KEYS: usize = 32;

/// What signs for one wallet.
pub trait Signer: Debug + SendOutsideWasm + SyncOutsideWasm {
    /// Whose keys it has.
    fn account(&self) -> SignerAccount;

    /// Signs, by each of [`ToSign::indexes`] once, in their order.
    fn sign<'a>(&'a self, request: SigningRequest<'a>) -> BoxFuture<'a, Result<Vec<Signature>, SignerError>>;

    /// Whether the keys are in this process's memory. What other signers give is looked at before it is used.
    fn is_in_memory(&self) -> bool {
        false
    }
}

/// What is public of a signer's keys.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "a signer has one")]
pub enum SignerAccount {
    /// Of a wallet of one key.
    Account(AccountPublic),
    /// Of a wallet that has these keys and no others.
    List(KeyList),
    /// Of a participant in wallets of several: the compressed account key.
    Participant([u8; 33]),
}

/// What is to be signed, and everything that a signer may want to know of it.
#[derive(Clone, Copy)]
pub struct SigningRequest<'a> {
    pub what: ToSign<'a>,
    /// What it is for.
    pub purpose: Purpose,
    /// The hash that signatures are of.
    pub digest: [u8; 32],
    /// Two requests that differ in this get other signatures, where the signer can do that (RFC 6979, 3.6:
    /// additional data).
    pub salt: &'a [u8],
}

/// What is to be signed.
#[derive(Clone, Copy)]
pub enum ToSign<'a> {
    /// A finished transaction, but for signatures, proof of work, timestamp and parents.
    Transaction(TransactionToSign<'a>),
    /// A text, with the key of the address at an index.
    Message { index: u32, text: &'a str },
    /// What an oracle says, with the key of the address at an index.
    OracleData { index: u32, data: &'a [u8] },
}

/// A transaction to be signed.
#[derive(Clone, Copy)]
pub struct TransactionToSign<'a> {
    pub transaction: &'a Transaction,
    pub network: Network,
    /// The places of the inputs to be signed, each with the index of the address whose key signs.
    pub inputs: &'a [(u8, u32)],
    /// The index of the address whose key signs the call of a contract, or the blueprint.
    pub caller: Option<u32>,
    /// What is found out only if the signer asks.
    pub facts: &'a dyn super::TransactionFacts,
}

impl TransactionToSign<'_> {
    /// The redeem scripts of inputs that others have signed, by their places: of wallets of several keys they
    /// say which keys those are.
    pub fn others_scripts(&self) -> Vec<(u8, Vec<u8>)> {
        let is_asked = |place: u8| self.inputs.iter().any(|(other, _)| *other == place);
        let others = (0..=u8::MAX).zip(&self.transaction.inputs).filter(|(place, _)| !is_asked(*place));
        let script = |(place, input): (u8, &Input)| match InputData::parse(&input.data)? {
            InputData::P2sh { redeem_script, .. } => Some((place, redeem_script)),
            InputData::P2pkh { .. } => None,
        };
        others.filter_map(script).collect()
    }

    /// The transaction's bytes, without what is not signed.
    pub fn unsigned_bytes(&self) -> Result<Vec<u8>, SignerError> {
        let mut bare = self.transaction.clone();
        (bare.weight, bare.nonce) = (0.0, 0);
        bare.parents.clear();
        bare.inputs.iter_mut().for_each(|input| input.data.clear());
        bare.to_bytes().map_err(|error| SignerError::Facts(error.to_string()))
    }
}

/// What a signature is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The transaction is sent by this wallet, as soon as it is signed.
    Send,
    /// It is given to the caller, who may send it.
    Build,
    /// It is a swap: others sign as well.
    Swap,
    /// It is a participant's share of what several sign.
    Share,
    Message,
    OracleData,
}

impl Purpose {
    pub const ALL: [Self; 6] =
        [Self::Send, Self::Build, Self::Swap, Self::Share, Self::Message, Self::OracleData];

    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Build => "build",
            Self::Swap => "swap",
            Self::Share => "share",
            Self::Message => "message",
            Self::OracleData => "oracle-data",
        }
    }
}

impl ToSign<'_> {
    /// The indexes of the addresses whose keys sign, in the order of the signatures: those of inputs, then
    /// the caller's.
    pub fn indexes(&self) -> impl Iterator<Item = u32> {
        let (inputs, other) = match self {
            Self::Transaction(transaction) => (transaction.inputs, transaction.caller),
            Self::Message { index, .. } | Self::OracleData { index, .. } => (&[][..], Some(*index)),
        };
        inputs.iter().map(|(_, index)| *index).chain(other)
    }
}

/// A signature, of low S.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The compressed public key that it is by.
    pub public_key: [u8; 33],
    /// `r` and `s`.
    pub compact: [u8; 64],
    /// Which of the keys that fit is the one, if the signer says so.
    recovery: Option<u8>,
}

impl Signature {
    pub(super) const fn new(public_key: [u8; 33], compact: [u8; 64], recovery: u8) -> Self {
        Self { public_key, compact, recovery: Some(recovery) }
    }

    /// What a signer gave. Nobody has looked at it.
    pub const fn given(public_key: [u8; 33], compact: [u8; 64]) -> Self {
        Self { public_key, compact, recovery: None }
    }

    /// With low S, if it is a signature of `digest` by its key.
    pub fn checked(&self, digest: &[u8; 32]) -> Option<Self> {
        let compact = verifies(&self.public_key, digest, &self.compact)?;
        Some(Self { public_key: self.public_key, compact, recovery: None })
    }

    /// As transactions have it.
    pub fn to_der(&self) -> Vec<u8> {
        der_of(&self.compact)
    }

    /// Which of the keys that fit is the one.
    pub(super) fn recovery(&self, digest: &[u8; 32]) -> Option<u8> {
        self.recovery.or_else(|| find_recovery(&self.public_key, digest, &self.compact))
    }
}

/// Why nothing is signed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignerError {
    /// The signer does not sign such a thing.
    #[error("the wallet's signer refuses this by its rule {rule:?}: {why}")]
    Refused { rule: String, why: String },
    /// The signer is away, or takes too long.
    #[error("the wallet's signer can't be reached, and nothing was signed: {0}")]
    Unreachable(String),
    /// What it gave is no signature by the wallet's keys.
    #[error("what the wallet's signer gave is not used: {0}")]
    Wrong(String),
    /// What the signer wants to see can't be shown to it.
    #[error("nothing was signed, since what is spent can't be shown to the wallet's signer: {0}")]
    Facts(String),
}

impl Signer for AccountKeys {
    fn account(&self) -> SignerAccount {
        SignerAccount::Account(self.public())
    }

    fn sign<'a>(&'a self, request: SigningRequest<'a>) -> BoxFuture<'a, Result<Vec<Signature>, SignerError>> {
        Box::pin(signed(request, |index, digest, salt| self.signature(index, digest, salt)))
    }

    fn is_in_memory(&self) -> bool {
        true
    }
}

/// By keys in memory: by many, on none of the threads that answer others.
async fn signed(
    SigningRequest { what, purpose, digest, salt }: SigningRequest<'_>,
    sign: impl Fn(u32, &[u8; 32], &[u8]) -> Signature,
) -> Result<Vec<Signature>, SignerError> {
    let all = || what.indexes().map(|index| sign(index, &digest, salt)).collect();
    let share = if purpose == Purpose::Send { CpuShare::Sends } else { CpuShare::Reads };
    Ok(if what.indexes().count() > FEW_KEYS { rt::offload(share, all).await } else { all() })
}

impl Signer for MultisigKeys {
    fn account(&self) -> SignerAccount {
        SignerAccount::Participant(self.account_key())
    }

    fn sign<'a>(&'a self, request: SigningRequest<'a>) -> BoxFuture<'a, Result<Vec<Signature>, SignerError>> {
        Box::pin(signed(request, |index, digest, salt| self.signature(index, digest, salt)))
    }

    fn is_in_memory(&self) -> bool {
        true
    }
}

// What a signer may ask of a transaction that it is to sign.

/// Transactions and blocks: their ids and bytes.
pub type Previous = Vec<(VertexId, Vec<u8>)>;

/// What a signer may ask of a transaction.
pub trait TransactionFacts: SendOutsideWasm + SyncOutsideWasm {
    /// The bytes of all that it spends, each once: whoever hashes them has their ids, and takes nobody's
    /// word.
    fn previous(&self) -> BoxFuture<'_, Result<Previous, SignerError>>;
    /// The places of the outputs that pay the wallet, each with the index of the address.
    fn own_outputs(&self) -> Vec<(u8, u32)>;
}

/// For signers that ask for nothing, as words in memory do.
#[derive(Clone, Copy, Debug)]
pub struct Unasked;

impl TransactionFacts for Unasked {
    fn previous(&self) -> BoxFuture<'_, Result<Previous, SignerError>> {
        Box::pin(ready(Ok(Vec::new())))
    }
    fn own_outputs(&self) -> Vec<(u8, u32)> {
        Vec::new()
    }
}
