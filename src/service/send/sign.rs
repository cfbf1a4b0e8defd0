//! The only module that hands a transaction, a message or an oracle's data to the signer, after the caller's
//! guard has admitted it. A signer outside of this process asks for facts of the transaction.

use crate::keys::{
    AddressKeys, Previous, Purpose, Signature, SignerAccount, SignerError, ToSign, TransactionFacts,
    TransactionToSign, message_digest, signed_message,
};
use crate::ledger::{EncodeError, Header, InputData, Output, Transaction, VertexId, hash160};
use crate::limits::Effects;
use crate::node::FullNode;
use crate::rt;
use crate::rt::BoxFuture;
use crate::service::error::SendError;
use crate::service::guard::{Admitted, Guarded, Refused, ToAdmit, WalletSigner};
use crate::service::messages::MessageError;
use crate::service::wallet::{Inner, Wallet};
use futures_util::StreamExt;
use futures_util::stream::iter;
use sha2::{Digest, Sha256};

/// From this many signatures on, which take half a millisecond, they are verified on a thread of its own.
const WORTH_A_THREAD: u32 = 8;

pub struct Unsigned<'a> {
    pub transaction: &'a Transaction,
    /// The inputs to be signed, each with the index of the address whose key signs.
    pub inputs: &'a [(u8, u32)],
    /// The index of the address whose key signs the contract call or the blueprint.
    pub caller: Option<u32>,
    pub purpose: Purpose,
    /// Sends with different salts never make the same signatures.
    pub salt: &'a [u8],
}

#[derive(Debug)]
pub enum SigningError {
    Encode(EncodeError),
    Signer(SignerError),
    Guard(Refused),
}

impl From<SigningError> for SendError {
    fn from(error: SigningError) -> Self {
        match error {
            SigningError::Encode(error) => Self::Encode(error),
            SigningError::Signer(error) => Self::Signer(Box::new(error)),
            SigningError::Guard(refused) => refused.into(),
        }
    }
}

impl From<SigningError> for MessageError {
    fn from(error: SigningError) -> Self {
        match error {
            SigningError::Encode(error) => Self::Signer(SignerError::Facts(error.to_string())),
            SigningError::Signer(error) => Self::Signer(error),
            SigningError::Guard(refused) => Self::Guard(refused),
        }
    }
}

impl Inner {
    /// The signer, if it can sign alone.
    pub fn signer_alone(&self) -> Result<&WalletSigner, SendError> {
        match (&self.account.public, &self.signer) {
            (AddressKeys::Multisig(_), _) => Err(SendError::OneOfSeveral),
            (_, Some(signer)) => Ok(signer),
            (_, None) => Err(SendError::ReadOnly),
        }
    }

    pub fn message_signer(&self) -> Result<&WalletSigner, MessageError> {
        self.signer_alone().map_err(|error| match error {
            SendError::OneOfSeveral => MessageError::Multisig,
            _ => MessageError::ReadOnly,
        })
    }

    /// Asks the guard about something signed earlier that is returned to a caller now, as if it were signed
    /// anew.
    pub async fn admit_given(&self, guard: &Guarded, transaction: &Transaction) -> Result<(), SigningError> {
        if guard.is_none() || !is_signed(transaction) {
            return Ok(());
        }
        let id = given_out(&transaction.sighash().map_err(SigningError::Encode)?);
        let effects = &self.effects(transaction);
        let what = ToAdmit::Transaction { purpose: Purpose::Build, effects, id };
        Admitted::by(guard, what).await.map(drop).map_err(SigningError::Guard)
    }

    /// Has an admitted request signed. Verifies signatures from outside this process's memory.
    async fn signatures(
        &self,
        signer: &WalletSigner,
        admitted: Admitted,
        what: ToSign<'_>,
        (digest, salt): ([u8; 32], &[u8]),
    ) -> Result<Vec<Signature>, SignerError> {
        let signatures = signer.signatures(admitted, what, (digest, salt)).await?;
        if signer.is_in_memory() {
            return Ok(signatures);
        }
        self.checked((&what, digest), &signatures, &signer.account())
    }

    /// Verifies that signatures are those asked for, by the wallet's keys.
    fn checked(
        &self,
        (what, digest): (&ToSign<'_>, [u8; 32]),
        given: &[Signature],
        account: &SignerAccount,
    ) -> Result<Vec<Signature>, SignerError> {
        let indexes: Vec<u32> = what.indexes().collect();
        let asked = indexes.len();
        if given.len() != asked {
            let given = given.len();
            return Err(SignerError::Wrong(format!("{given} signatures of {asked} that it was asked for")));
        }
        let wrong = |how| SignerError::Wrong(format!("a signature {how}"));
        for (index, Signature { public_key, .. }) in indexes.iter().zip(given) {
            let is_own = match (&self.account.public, account) {
                (AddressKeys::Multisig(all), SignerAccount::Participant(key)) => {
                    all.position(key).is_some_and(|place| {
                        all.redeem_script(*index).public_keys.get(place) == Some(public_key)
                    })
                }
                (AddressKeys::Multisig(_), _) => false,
                // Compared by hash, which is known; the key would have to be derived.
                _ => self.read().address(*index).is_some_and(|own| own.hash() == hash160(public_key)),
            };
            if !is_own {
                return Err(wrong(format!("by another key than that of address {index}")));
            }
        }
        let all = 0..u32::try_from(asked).unwrap_or(u32::MAX);
        let checked = rt::parallel_map(all, WORTH_A_THREAD, |part| {
            part.map(|at| given[at as usize].checked(&digest)).collect()
        });
        let of_another = |(index, checked): (&u32, Option<Signature>)| {
            checked.ok_or_else(|| wrong(format!("for address {index} of something else")))
        };
        indexes.iter().zip(checked).map(of_another).collect()
    }
}

impl Wallet {
    /// Signs a finished transaction. Returns the signatures of inputs in the order of `unsigned.inputs`, then
    /// the caller's.
    pub(in crate::service) async fn sign_transaction(
        &self,
        signer: &WalletSigner,
        unsigned: Unsigned<'_>,
    ) -> Result<Vec<Signature>, SigningError> {
        let Unsigned { transaction, inputs, caller, purpose, salt } = unsigned;
        let (wallet, guard) = (&self.inner, &self.guard);
        let digest = transaction.sighash().map_err(SigningError::Encode)?;
        let id = if purpose == Purpose::Send { digest } else { given_out(&digest) };
        let effects = match guard {
            Some(_) => wallet.effects(transaction),
            None => Effects::default(),
        };
        let to_admit = ToAdmit::Transaction { purpose, effects: &effects, id };
        let admitted = Admitted::by(guard, to_admit).await.map_err(SigningError::Guard)?;
        let what = ToSign::Transaction(TransactionToSign {
            transaction,
            network: wallet.backend.network,
            inputs,
            caller,
            facts: &self::Facts { wallet, node: self.node(), transaction },
        });
        let signed = wallet.signatures(signer, admitted, what, (digest, salt)).await;
        // Not for signatures that are given out: another caller may have got the same ones.
        if let (Err(_), Some(guard), Purpose::Send) = (&signed, guard, purpose) {
            guard.take_back(id).await;
        }
        signed.map_err(SigningError::Signer)
    }

    /// As [`Self::sign_transaction`], and puts the input data of a wallet of one key into the transaction.
    pub(in crate::service) async fn sign_into(
        &self,
        signer: &WalletSigner,
        transaction: &mut Transaction,
        inputs: &[(u8, u32)],
        caller: Option<u32>,
        (purpose, salt): (Purpose, &[u8]),
    ) -> Result<(), SigningError> {
        let unsigned = Unsigned { transaction, inputs, caller, purpose, salt };
        let mut signatures = self.sign_transaction(signer, unsigned).await?.into_iter().map(p2pkh);
        for ((place, _), signed) in inputs.iter().zip(&mut signatures) {
            transaction.inputs[usize::from(*place)].data = bytes(&signed);
        }
        if let Some(signed) = signatures.next() {
            set_caller_signature(transaction, signed);
        }
        Ok(())
    }

    /// Signs a message with the key of the address at `index`; 65 bytes in base64.
    pub(in crate::service) async fn sign_text(
        &self,
        signer: &WalletSigner,
        index: u32,
        text: &str,
    ) -> Result<String, SigningError> {
        let (what, digest) = (ToSign::Message { index, text }, message_digest(text));
        let signature = self.sign_statement(signer, Purpose::Message, what, digest).await?;
        signed_message(&signature, text).ok_or_else(|| SigningError::Signer(no_signature()))
    }

    /// Signs an oracle's data, as the script that pays its address demands it.
    pub(in crate::service) async fn sign_said(
        &self,
        signer: &WalletSigner,
        index: u32,
        said: &[u8],
    ) -> Result<Vec<u8>, SigningError> {
        // Hashed once; a transaction's digest is a hash of a hash.
        let (what, digest) = (ToSign::OracleData { index, data: said }, Sha256::digest(said).into());
        let signature = self.sign_statement(signer, Purpose::OracleData, what, digest).await?;
        Ok(bytes(&p2pkh(signature)))
    }

    async fn sign_statement(
        &self,
        signer: &WalletSigner,
        purpose: Purpose,
        what: ToSign<'_>,
        digest: [u8; 32],
    ) -> Result<Signature, SigningError> {
        let admitted =
            Admitted::by(&self.guard, ToAdmit::Statement(purpose)).await.map_err(SigningError::Guard)?;
        let signatures = self.inner.signatures(signer, admitted, what, (digest, b"")).await;
        let signature = signatures.map_err(SigningError::Signer)?.into_iter().next();
        signature.ok_or_else(|| SigningError::Signer(no_signature()))
    }
}

fn no_signature() -> SignerError {
    SignerError::Wrong("it gave no signature".to_owned())
}

fn p2pkh(signature: Signature) -> InputData {
    InputData::P2pkh { signature: signature.to_der(), public_key: signature.public_key }
}

fn bytes(signed: &InputData) -> Vec<u8> {
    signed.to_bytes().expect("one signature and one key are short")
}

fn is_signed(transaction: &Transaction) -> bool {
    transaction.inputs.iter().any(|input| !input.data.is_empty())
        || transaction.nano().is_some_and(|call| !call.script.is_empty())
        || transaction.blueprint.as_ref().is_some_and(|blueprint| !blueprint.signature.is_empty())
}

/// Puts the caller's signature into a call or a blueprint.
fn set_caller_signature(transaction: &mut Transaction, signed: InputData) {
    for header in &mut transaction.headers {
        if let Header::Nano(call) = header {
            call.script = bytes(&signed);
        }
    }
    if let (Some(blueprint), InputData::P2pkh { signature, .. }) = (&mut transaction.blueprint, signed) {
        blueprint.signature = signature;
    }
}

/// The id under which spending is counted for signatures that are given to the caller. It differs from the id
/// of a send: a failed send takes its count back, but the caller could still send these signatures.
fn given_out(digest: &[u8; 32]) -> [u8; 32] {
    Sha256::new().chain_update(b"given out").chain_update(digest).finalize().into()
}

const ASKED_AT_ONCE: usize = 8;

/// Facts of a transaction, for a signer that asks.
pub struct Facts<'a> {
    pub wallet: &'a Inner,
    pub node: FullNode,
    pub transaction: &'a Transaction,
}

impl TransactionFacts for Facts<'_> {
    fn previous(&self) -> BoxFuture<'_, Result<Previous, SignerError>> {
        let mut ids: Vec<_> = self.transaction.spends().into_iter().map(|spent| spent.tx).collect();
        ids.sort_unstable();
        ids.dedup();
        let node = &self.node;
        Box::pin(async move {
            let ask = |id: VertexId| async move {
                match node.vertex_bytes(&id).await {
                    Ok(Some(bytes)) => Ok((id, bytes)),
                    Ok(None) => Err(SignerError::Facts(format!("the full node does not know {id}"))),
                    Err(error) => Err(SignerError::Facts(error.to_string())),
                }
            };
            let asked: Vec<_> = iter(ids).map(ask).buffered(ASKED_AT_ONCE).collect().await;
            asked.into_iter().collect()
        })
    }

    fn own_outputs(&self) -> Vec<(u8, u32)> {
        let state = self.wallet.read();
        let own = |(place, output): (u8, &Output)| Some((place, state.paid_index(&output.script)?));
        (0..=u8::MAX).zip(&self.transaction.outputs).filter_map(own).collect()
    }
}
