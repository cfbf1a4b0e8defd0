//! Multisig wallets: every participant signs its share of a transaction, and any of them combines enough
//! shares and sends.

use super::account::Pushed;
use super::account::Sent;
use super::account::reserve::TO_ITS_END;
use super::error::{NotReady, SendError};
use super::external::InputsError;
use super::guard::Refused;
use super::guard::WalletSigner;
use super::send::WhileAllowed;
use super::send::operation::Preview;
use super::send::operation::cost_of;
use super::send::push::solve_and_push;
use super::send::record::Recorder;
use super::send::sign::{SigningError, Unsigned};
use super::wallet::Wallet;
use crate::api::texts;
use crate::keys::{
    MultisigPublic, MultisigSignatures, ParseSignaturesError, Purpose, SignerAccount, SignerError,
    verify_digest,
};
use crate::ledger::{EncodeError, InputData, RedeemScript, ScriptError, SpentOutput, Transaction};
use crate::node::CallError;
use crate::rt;
use crate::wallet::{PlanError, State};
use litemap::LiteMap;

/// More keys take some milliseconds to derive.
const FEW_KEYS: usize = 32;

#[derive(Debug, thiserror::Error)]
pub enum ShareError {
    #[error(transparent)]
    NotReady(#[from] NotReady),
    #[error("{}", texts::WALLET_NOT_MULTISIG)]
    NotMultisig,
    #[error("{}", SendError::ReadOnly)]
    ReadOnly,
    /// The wallet's own seed phrase is none of the participants'.
    #[error(
        "this wallet's words are those of none of its participants: `pubkeys` of its multisig setting must have the answer of \
         POST /multisig-pubkey"
    )]
    Stranger,
    /// The number of shares is not the number of required signers.
    #[error("{}", texts::signature_count(*.expected, *.received))]
    Count { expected: u8, received: usize },
    #[error(transparent)]
    Parse(#[from] ParseSignaturesError),
    #[error("Invalid signatures: {0} is the key of no participant")]
    UnknownSigner(String),
    /// It takes more of this wallet than was put into a swap, or lacks what was put in with that.
    #[error("{}", texts::SWAP_CHANGED)]
    Changed,
    #[error("Invalid signatures: participant {0} has signed twice")]
    Repeated(String),
    #[error("Invalid signatures: participant {signer} has not signed input {input}")]
    Missing { signer: String, input: u8 },
    /// A signature of something else, or by another key.
    #[error(
        "Invalid signatures: what participant {signer} gives for input {input} is no signature of this transaction"
    )]
    Wrong { signer: String, input: u8 },
    /// The outputs that a melt spends can't be looked up, or differ from the history.
    #[error(transparent)]
    Node(#[from] CallError),
    /// The outputs that a swap spends can't be looked up.
    #[error(transparent)]
    Inputs(#[from] InputsError),
    /// The number of signatures for an input is wrong, where signatures are not verified.
    #[error("{}", texts::SIGNATURES_INCOMPATIBLE)]
    Incompatible,
    #[error(transparent)]
    Guard(Refused),
    #[error(transparent)]
    Signer(SignerError),
    #[error("{}", texts::not_encodable(.0))]
    Encode(#[from] EncodeError),
    #[error(transparent)]
    Script(#[from] ScriptError),
}

impl From<SigningError> for ShareError {
    fn from(error: SigningError) -> Self {
        match error {
            SigningError::Encode(error) => Self::Encode(error),
            SigningError::Signer(error) => Self::Signer(error),
            SigningError::Guard(refused) => Self::Guard(refused),
        }
    }
}

impl Wallet {
    /// Signs the wallet's inputs that have no input data yet. In a swap they must be those that this
    /// participant put in, as for [`Wallet::sign_swap`], unless it is signed `as_is`.
    ///
    /// # Errors
    /// [`ShareError::Changed`] for a swap that is not as it was put together here, [`ShareError::Node`] for a
    /// melt or a swap of outputs that the node can't prove.
    pub async fn sign_share(
        &self,
        transaction: &Transaction,
        as_is: bool,
    ) -> Result<MultisigSignatures, ShareError> {
        let (signer, account_key) = self.share_signer()?;
        let (own, is_of_swap, is_as_put_in) = self.read(|state, _| {
            (state.own_inputs(transaction), state.is_of_swap(transaction), state.is_as_put_in(transaction))
        })?;
        if is_of_swap && !as_is && !is_as_put_in {
            return Err(ShareError::Changed);
        }
        let own = own.into_iter();
        if is_of_swap && own.len() > 0 {
            self.proven_spends(transaction).await?;
        }
        self.check_melted(transaction).await?;
        let unsigned = own.filter(|(place, _)| transaction.inputs[usize::from(*place)].data.is_empty());
        let inputs: Vec<_> = unsigned.collect();
        let unsigned =
            Unsigned { transaction, inputs: &inputs, caller: None, purpose: Purpose::Share, salt: b"" };
        let signed = self.sign_transaction(signer, unsigned).await?;
        let mut signatures = LiteMap::new();
        for ((place, _), signature) in inputs.iter().zip(&signed) {
            signatures.insert(*place, signature.to_der());
        }
        Ok(MultisigSignatures { account_key, signatures })
    }

    fn share_signer(&self) -> Result<(&WalletSigner, [u8; 33]), ShareError> {
        let participants = self.participants().ok_or(ShareError::NotMultisig)?;
        let signer = self.inner.signer.as_ref().ok_or(ShareError::ReadOnly)?;
        let SignerAccount::Participant(key) = signer.account() else { return Err(ShareError::Stranger) };
        participants.position(&key).map(|_| (signer, key)).ok_or(ShareError::Stranger)
    }

    /// Puts shares of the required number of participants, in any order, into the wallet's inputs. Verifies
    /// each signature. Sets the timestamp to the present and the weight to match.
    pub async fn assemble(
        &self,
        transaction: Transaction,
        shares: &[String],
    ) -> Result<Transaction, ShareError> {
        let participants = self.enough(shares)?;
        let shares = in_script_order(participants, shares)?;
        let digest = transaction.sighash()?;
        let signature = |(position, share): &(usize, MultisigSignatures), script: &RedeemScript, input| {
            let signer = || hex::encode(share.account_key);
            let signature = share.signatures.get(&input);
            let signature = signature.ok_or_else(|| ShareError::Missing { signer: signer(), input })?;
            if !verify_digest(&script.public_keys[*position], &digest, signature) {
                return Err(ShareError::Wrong { signer: signer(), input });
            }
            Ok(signature.clone())
        };
        self.fill(transaction, participants, |script, input| {
            shares.iter().map(|share| signature(share, script, input)).collect()
        })
        .await
    }

    /// As [`assemble`](Self::assemble), but checks only the number of signatures: the full node refuses wrong
    /// ones, after the proof of work. An unreadable share counts as empty.
    ///
    /// # Errors
    /// [`ShareError::Incompatible`] for a wrong number of signatures of an input, [`ShareError::Script`] for
    /// input data of more than 255 bytes.
    pub async fn assemble_unchecked(
        &self,
        transaction: Transaction,
        shares: &[String],
    ) -> Result<Transaction, ShareError> {
        let participants = self.enough(shares)?;
        let mut sorted: Vec<MultisigSignatures> = Vec::with_capacity(shares.len());
        for share in shares.iter().filter_map(|share| share.parse().ok()) {
            sorted.insert(sorted.partition_point(|other| *other < share), share);
        }
        self.fill(transaction, participants, |script, input| {
            let signatures = sorted.iter().filter_map(|share| share.signatures.get(&input).cloned());
            let signatures: Vec<_> = signatures.collect();
            let fits = signatures.len() == usize::from(script.num_signatures);
            fits.then_some(signatures).ok_or(ShareError::Incompatible)
        })
        .await
    }

    /// The participants, if the number of shares is right.
    fn enough(&self, shares: &[String]) -> Result<&MultisigPublic, ShareError> {
        let participants = self.participants().ok_or(ShareError::NotMultisig)?;
        let (expected, received) = (participants.num_signatures(), shares.len());
        if received != usize::from(expected) {
            return Err(ShareError::Count { expected, received });
        }
        Ok(participants)
    }

    /// Puts input data into the wallet's inputs, and sets timestamp and weight. Deriving many keys runs
    /// outside of the threads that answer requests.
    async fn fill(
        &self,
        mut transaction: Transaction,
        participants: &MultisigPublic,
        signatures: impl Fn(&RedeemScript, u8) -> Result<Vec<Vec<u8>>, ShareError>,
    ) -> Result<Transaction, ShareError> {
        let (own, earliest) = self
            .read(|state, _| (state.own_inputs(&transaction), state.min_timestamp(&transaction.spends())))?;
        let data = |(input, index)| {
            let script = participants.redeem_script(index);
            let signatures = signatures(&script, input)?;
            let redeem_script = script.to_bytes()?;
            Ok((input, InputData::P2sh { signatures, redeem_script }.to_bytes()?))
        };
        let keys = own.len() * participants.len();
        let all = || own.into_iter().map(data).collect::<Result<Vec<_>, ShareError>>();
        let all = if keys > FEW_KEYS { rt::offload(self.cpu_share(), all).await } else { all() };
        for (input, data) in all? {
            transaction.inputs[usize::from(input)].data = data;
        }
        transaction.timestamp = rt::unix_seconds().max(earliest);
        transaction.weight = self.inner.version.weight.wallet_weight(&transaction);
        Ok(transaction)
    }

    /// # Errors
    /// [`SendError::NotReady`], or [`SendError::Plan`] if it spends outputs that the wallet does not know.
    pub fn preview_signed(&self, transaction: Transaction) -> Result<Preview, SendError> {
        let cost = self.read(|state, _| cost_of(state, &transaction))?;
        Ok(Preview { cost: cost.ok_or(PlanError::InvalidInput)?, transaction, arguments: Vec::new() })
    }

    /// Does the proof of work for a signed transaction, pushes and applies it. Its inputs are reserved
    /// meanwhile, and released if it fails.
    ///
    /// # Errors
    /// [`SendError::Plan`] if an input is spent or reserved by another send: several participants may push
    /// one transaction, each proof of work makes another transaction of it, and the full node would void all
    /// of them.
    pub async fn push_signed(&self, transaction: Transaction) -> Result<Sent, SendError> {
        self.push_signed_before(Recorder::new(&self.inner.account, None), transaction).await
    }

    pub(super) async fn push_signed_before(
        &self,
        recorder: Recorder,
        transaction: Transaction,
    ) -> Result<Sent, SendError> {
        self.check_ready()?;
        // The signers may not have checked this.
        self.for_sending().check_melted(&transaction).await.map_err(SendError::Node)?;
        self.push_reserved(recorder, transaction, None).await
    }

    /// Pushes a signed transaction while its inputs that are the wallet's are reserved. `spends` are the
    /// outputs spent by all inputs, in order, if some are others'.
    pub(super) async fn push_reserved(
        &self,
        recorder: Recorder,
        transaction: Transaction,
        spends: Option<Vec<SpentOutput>>,
    ) -> Result<Sent, SendError> {
        let counted = self.inner.sends.begin().ok_or_else(NotReady::closed)?;
        let (backend, outputs) = (self.pushes(), transaction.spends());
        let hold = |state: &mut State| {
            let held = state.hold(&outputs, None, rt::unix_seconds(), TO_ITS_END)?;
            Ok((held, state.min_timestamp(&outputs)))
        };
        let account = &self.inner.account;
        let (min_timestamp, inputs) = account.reserve(&mut account.state.write(), hold)?;
        let observer = WhileAllowed::over(Box::new(recorder.clone()), &self.guard);
        let send = async move {
            let (id, transaction) = solve_and_push(&backend, transaction, min_timestamp, &*observer).await?;
            Ok(Pushed { id, transaction, spends })
        };
        self.run_detached(counted, Some(inputs), recorder, Box::pin(send)).await
    }
}

/// Reads shares and sorts them by their keys' order in redeem scripts, each with its key's index there.
fn in_script_order(
    participants: &MultisigPublic,
    shares: &[String],
) -> Result<Vec<(usize, MultisigSignatures)>, ShareError> {
    let mut ordered = Vec::with_capacity(shares.len());
    for share in shares {
        let share: MultisigSignatures = share.parse()?;
        let signer = || hex::encode(share.account_key);
        let position =
            participants.position(&share.account_key).ok_or_else(|| ShareError::UnknownSigner(signer()))?;
        if ordered.iter().any(|(other, _)| *other == position) {
            return Err(ShareError::Repeated(signer()));
        }
        let place = ordered.partition_point(|(other, _)| *other < position);
        ordered.insert(place, (position, share));
    }
    Ok(ordered)
}
