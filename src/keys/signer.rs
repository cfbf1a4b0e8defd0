//! The interface to a wallet's keys. A [`Signer`] is a seed phrase in memory, or something that is asked and
//! may take its time, inspect what it is to sign, and refuse.

use super::signature::{der_of, find_recovery, verifies};
use super::{AccountKeys, AccountPublic, KeyList, MultisigKeys};
use crate::ledger::{Input, InputData, Network, Transaction, VertexId};
use crate::rt::{self, BoxFuture, CpuShare, SendOutsideWasm, SyncOutsideWasm};
use std::fmt::Debug;
use std::future::ready;

/// More keys take some milliseconds to sign with.
const FEW_KEYS: usize = 32;

pub trait Signer: Debug + SendOutsideWasm + SyncOutsideWasm {
    fn account(&self) -> SignerAccount;

    /// One signature per index of [`ToSign::indexes`], in their order.
    fn sign<'a>(&'a self, request: SigningRequest<'a>) -> BoxFuture<'a, Result<Vec<Signature>, SignerError>>;

    /// Whether the keys are in this process's memory. Signatures of other signers are verified before use.
    fn is_in_memory(&self) -> bool {
        false
    }
}

#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "a signer has one")]
pub enum SignerAccount {
    Account(AccountPublic),
    /// Of a wallet with exactly these keys.
    List(KeyList),
    /// Of a participant in multisig wallets: the compressed account key.
    Participant([u8; 33]),
}

/// A request to sign, with everything that a signer may want to know.
#[derive(Clone, Copy)]
pub struct SigningRequest<'a> {
    pub what: ToSign<'a>,
    pub purpose: Purpose,
    /// The hash to be signed.
    pub digest: [u8; 32],
    /// Requests with different salts get different signatures, if the signer supports it (RFC 6979, 3.6:
    /// additional data).
    pub salt: &'a [u8],
}

#[derive(Clone, Copy)]
pub enum ToSign<'a> {
    /// A finished transaction, except for signatures, proof of work, timestamp and parents.
    Transaction(TransactionToSign<'a>),
    /// A text, with the key of the address at an index.
    Message { index: u32, text: &'a str },
    /// An oracle's data, with the key of the address at an index.
    OracleData { index: u32, data: &'a [u8] },
}

#[derive(Clone, Copy)]
pub struct TransactionToSign<'a> {
    pub transaction: &'a Transaction,
    pub network: Network,
    /// The inputs to be signed, each with the index of the address whose key signs.
    pub inputs: &'a [(u8, u32)],
    /// The index of the address whose key signs the contract call or the blueprint.
    pub caller: Option<u32>,
    /// Facts that are looked up only if the signer asks.
    pub facts: &'a dyn super::TransactionFacts,
}

impl TransactionToSign<'_> {
    /// The redeem scripts of others' signed inputs, by the inputs' indexes: they name the keys of multisig
    /// wallets.
    pub fn others_scripts(&self) -> Vec<(u8, Vec<u8>)> {
        let is_asked = |place: u8| self.inputs.iter().any(|(other, _)| *other == place);
        let others = (0..=u8::MAX).zip(&self.transaction.inputs).filter(|(place, _)| !is_asked(*place));
        let script = |(place, input): (u8, &Input)| match InputData::parse(&input.data)? {
            InputData::P2sh { redeem_script, .. } => Some((place, redeem_script)),
            InputData::P2pkh { .. } => None,
        };
        others.filter_map(script).collect()
    }

    pub fn unsigned_bytes(&self) -> Result<Vec<u8>, SignerError> {
        let mut bare = self.transaction.clone();
        (bare.weight, bare.nonce) = (0.0, 0);
        bare.parents.clear();
        bare.inputs.iter_mut().for_each(|input| input.data.clear());
        bare.to_bytes().map_err(|error| SignerError::Facts(error.to_string()))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The wallet sends the transaction as soon as it is signed.
    Send,
    /// It is given to the caller, who may send it.
    Build,
    /// A swap: others sign as well.
    Swap,
    Share,
    Message,
    OracleData,
}

impl Purpose {
    pub const ALL: [Self; 6] =
        [Self::Send, Self::Build, Self::Swap, Self::Share, Self::Message, Self::OracleData];

    /// As in the signer's protocol.
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
    /// The indexes of the addresses whose keys sign, in the order of the signatures: inputs, then the caller.
    pub fn indexes(&self) -> impl Iterator<Item = u32> {
        let (inputs, other) = match self {
            Self::Transaction(transaction) => (transaction.inputs, transaction.caller),
            Self::Message { index, .. } | Self::OracleData { index, .. } => (&[][..], Some(*index)),
        };
        inputs.iter().map(|(_, index)| *index).chain(other)
    }
}

/// With low S.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub public_key: [u8; 33],
    /// `r` and `s`.
    pub compact: [u8; 64],
    /// The recovery id, if the signer states it.
    recovery: Option<u8>,
}

impl Signature {
    pub(super) const fn new(public_key: [u8; 33], compact: [u8; 64], recovery: u8) -> Self {
        Self { public_key, compact, recovery: Some(recovery) }
    }

    pub const fn given(public_key: [u8; 33], compact: [u8; 64]) -> Self {
        Self { public_key, compact, recovery: None }
    }

    /// With low S; `None` unless it is a signature of `digest` by its key.
    pub fn checked(&self, digest: &[u8; 32]) -> Option<Self> {
        let compact = verifies(&self.public_key, digest, &self.compact)?;
        Some(Self { public_key: self.public_key, compact, recovery: None })
    }

    pub fn to_der(&self) -> Vec<u8> {
        der_of(&self.compact)
    }

    pub(super) fn recovery(&self, digest: &[u8; 32]) -> Option<u8> {
        self.recovery.or_else(|| find_recovery(&self.public_key, digest, &self.compact))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignerError {
    #[error("the wallet's signer refuses this by its rule {rule:?}: {why}")]
    Refused { rule: String, why: String },
    /// The signer can't be reached, or takes too long.
    #[error("the wallet's signer can't be reached, and nothing was signed: {0}")]
    Unreachable(String),
    /// The answer is no signature by the wallet's keys.
    #[error("what the wallet's signer gave is not used: {0}")]
    Wrong(String),
    /// Facts that the signer needs can't be looked up.
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

/// Signs by keys in memory; by many, outside of the threads that answer requests.
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

/// Transactions and blocks: their ids and bytes.
pub type Previous = Vec<(VertexId, Vec<u8>)>;

pub trait TransactionFacts: SendOutsideWasm + SyncOutsideWasm {
    /// The bytes of all that it spends, each once. Their hashes are their ids, so nobody need be trusted.
    fn previous(&self) -> BoxFuture<'_, Result<Previous, SignerError>>;
    /// The outputs that pay the wallet, each with the index of the address.
    fn own_outputs(&self) -> Vec<(u8, u32)>;
}

/// For signers that ask for nothing, such as a seed phrase in memory.
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
