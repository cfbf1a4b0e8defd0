//! Multisig wallets: every participant signs its share of a transaction, and any of them puts enough shares
//! together and sends.

use super::account::Pushed;
use super::account::reserve::TO_ITS_END;
use super::guard::WalletSigner;
use super::send::WhileAllowed;
use super::send::operation::cost_of;
use super::send::push::solve_and_push;
use super::send::record::Recorder;
use super::send::sign::{SigningError, Unsigned};
use super::{InputsError, NotReady, Preview, Refused, SendError, Sent, Wallet};
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

/// It takes some milliseconds to derive more keys than this.
const FEW_KEYS: usize = 32;

/// Why a share can't be signed, or shares can't be put together.
#[derive(Debug, thiserror::Error)]
pub enum ShareError {
    #[error(transparent)]
    NotReady(#[from] NotReady),
    /// The wallet is of one key.
    #[error("{}", texts::WALLET_NOT_MULTISIG)]
    NotMultisig,
    /// The wallet was started from an xpub.
    #[error("{}", SendError::ReadOnly)]
    ReadOnly,
    /// The wallet's own words are not those of a participant.
    #[error(
        "this wallet's words are those of none of its participants: `pubkeys` of its multisig setting must have the answer of \
         POST /multisig-pubkey"
    )]
    Stranger,
    /// More or fewer shares than the participants that must sign.
    #[error("{}", texts::signature_count(*.expected, *.received))]
    Count { expected: u8, received: usize },
    #[error(transparent)]
    Parse(#[from] ParseSignaturesError),
    /// A share of somebody else.
    #[error("Invalid signatures: {0} is the key of no participant")]
    UnknownSigner(String),
    /// It takes more of this wallet than was put into a swap, or lacks what was put in with that.
    #[error("{}", texts::SWAP_CHANGED)]
    Changed,
    /// Two shares of one participant.
    #[error("Invalid signatures: participant {0} has signed twice")]
    Repeated(String),
    /// A share without the signature of an input.
    #[error("Invalid signatures: participant {signer} has not signed input {input}")]
    Missing { signer: String, input: u8 },
    /// A signature of something else, or by another key.
    #[error(
        "Invalid signatures: what participant {signer} gives for input {input} is no signature of this transaction"
    )]
    Wrong { signer: String, input: u8 },
    /// What a melt spends can't be looked up, or is not what the history says it is.
    #[error(transparent)]
    Node(#[from] CallError),
    /// What a swap spends can't be looked up.
    #[error(transparent)]
    Inputs(#[from] InputsError),
    /// More or fewer signatures for an input than must be, where none of them is checked.
    #[error("{}", texts::SIGNATURES_INCOMPATIBLE)]
    Incompatible,
    /// The guard of whoever asks refuses it.
    #[error(transparent)]
    Guard(Refused),
    /// The wallet's signer did not sign.
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
    /// This participant's signatures of the wallet's inputs that have no input data yet. Of a swap they must
    /// be those that this participant has put in, as for [`Wallet::sign_swap`], unless it is to be signed
    /// `as_is`.
    ///
    /// # Errors
    /// [`ShareError::Changed`] for a swap that is not as it was put together here, [`ShareError::Node`] if it
    /// melts, or is a swap of, what the node can't show to be on the ledger.
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

    /// What signs this participant's share, and its account key.
    fn share_signer(&self) -> Result<(&WalletSigner, [u8; 33]), ShareError> {
        let participants = self.participants().ok_or(ShareError::NotMultisig)?;
        let signer = self.inner.signer.as_ref().ok_or(ShareError::ReadOnly)?;
        let SignerAccount::Participant(key) = signer.account() else { return Err(ShareError::Stranger) };
        participants.position(&key).map(|_| (signer, key)).ok_or(ShareError::Stranger)
    }

    /// Puts shares into the wallet's inputs: of as many participants as must sign, in any order. Each
    /// signature is checked. The timestamp becomes the present time, and the weight what that takes.
    ///
    /// # Errors
    /// [`ShareError`]: the wallet is not ready or not multisig, there are more or fewer shares than must be,
    /// or one of them can't be read, is a stranger's, comes twice, or lacks a signature or has a wrong one.
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

    /// Puts shares into the wallet's inputs as [`assemble`](Self::assemble) does, but checks only the number
    /// of signatures: the full node refuses wrong ones, after the proof of work. A share that can't be read
    /// has none.
    ///
    /// # Errors
    /// [`ShareError::NotMultisig`], [`ShareError::NotReady`], [`ShareError::Count`] for more or fewer shares
    /// than must be, [`ShareError::Incompatible`] for more or fewer signatures of an input, and
    /// [`ShareError::Script`] for one of more than 255 bytes.
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

    /// The participants, if these are as many shares as must sign.
    fn enough(&self, shares: &[String]) -> Result<&MultisigPublic, ShareError> {
        let participants = self.participants().ok_or(ShareError::NotMultisig)?;
        let (expected, received) = (participants.num_signatures(), shares.len());
        if received != usize::from(expected) {
            return Err(ShareError::Count { expected, received });
        }
        Ok(participants)
    }

    /// Gives the wallet's inputs their input data, and the transaction the present time and the weight that
    /// takes. Many keys are derived for that on none of the threads that answer others.
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

    /// What a transaction that is signed would cost.
    ///
    /// # Errors
    /// [`SendError::NotReady`], or [`SendError::Plan`] if it spends what the wallet does not know.
    pub fn preview_signed(&self, transaction: Transaction) -> Result<Preview, SendError> {
        let cost = self.read(|state, _| cost_of(state, &transaction))?;
        Ok(Preview { cost: cost.ok_or(PlanError::InvalidInput)?, transaction, arguments: Vec::new() })
    }

    /// Does the proof of work for a transaction that is signed, pushes and applies it. Nothing else spends
    /// its inputs meanwhile, and they are free again if it fails.
    ///
    /// # Errors
    /// [`SendError::Plan`] if an input is spent, or if another send has it: several participants may push one
    /// transaction, and each proof of work would make another of it, of which the full node voids all.
    pub async fn push_signed(&self, transaction: Transaction) -> Result<Sent, SendError> {
        self.push_signed_before(Recorder::new(&self.inner.account, None), transaction).await
    }

    pub(super) async fn push_signed_before(
        &self,
        recorder: Recorder,
        transaction: Transaction,
    ) -> Result<Sent, SendError> {
        self.check_ready()?;
        // Those who signed it may not have looked.
        self.for_sending().check_melted(&transaction).await.map_err(SendError::Node)?;
        self.push_held(recorder, transaction, None).await
    }

    /// Pushes what is signed while nothing else spends those of its inputs that are the wallet's. `spends` is
    /// what all its inputs spend, in their order, where some are others'.
    pub(super) async fn push_held(
        &self,
        recorder: Recorder,
        transaction: Transaction,
        spends: Option<Vec<SpentOutput>>,
    ) -> Result<Sent, SendError> {
        let turn = self.inner.sends.begin().ok_or_else(NotReady::closed)?;
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
        self.run_detached(turn, Some(inputs), recorder, Box::pin(send)).await
    }
}

/// Reads shares, and puts them in the order that redeem scripts have their keys in, each with its key's place
/// there.
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
