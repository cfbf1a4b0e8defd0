//! Signatures made elsewhere: whether they are as they must be, before anything is done with the transaction.

use super::{InputsError, Wallet};
use crate::api::texts;
use crate::keys::{self, check_input};
use crate::ledger::{EncodeError, Network, Script, SpentOutput, Transaction};
use crate::rt::{self, CpuShare};

/// It takes some milliseconds to look at the signatures in more bytes of input data than this: some forty.
const SLOW_TO_CHECK: usize = 4 * 1024;

/// Why a transaction that was signed elsewhere is not taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SignatureError {
    /// An input that may not spend.
    #[error("Input {place} {error}.")]
    Input {
        /// Its place among the inputs, counted from 0.
        place: usize,
        error: keys::InputError,
    },
    /// It can't be said what the transaction spends.
    #[error(transparent)]
    Inputs(#[from] InputsError),
    /// It can't be written.
    #[error("{}", texts::not_encodable(.0))]
    Encode(#[from] EncodeError),
}

/// Whether every input has a signature of this transaction, by the key beside it. Whether those keys are the
/// right ones only the outputs spent can tell: see [`Wallet::check_signatures`].
///
/// # Errors
/// [`SignatureError::Input`] for the first input that has no signature or a wrong one,
/// [`SignatureError::Encode`] if the transaction can't be written.
pub async fn check_signed(transaction: &Transaction, share: CpuShare) -> Result<(), SignatureError> {
    let digest = transaction.sighash()?;
    let check = || {
        let mut inputs = transaction.inputs.iter().enumerate();
        inputs.try_for_each(|(place, input)| {
            check_input(&input.data, &digest, None).map_err(|error| SignatureError::Input { place, error })
        })
    };
    looking(transaction, share, check).await
}

/// Looks at the signatures of a transaction: if there are many, on none of the threads that answer others.
async fn looking<T>(transaction: &Transaction, share: CpuShare, look: impl FnOnce() -> T) -> T {
    let bytes: usize = transaction.inputs.iter().map(|input| input.data.len()).sum();
    if bytes > SLOW_TO_CHECK { rt::offload(share, look).await } else { look() }
}

/// Whether those inputs that have data may spend these outputs, of which they are the inputs in order.
pub(super) async fn check_against(
    transaction: &Transaction,
    spends: &[SpentOutput],
    network: Network,
    share: CpuShare,
) -> Result<(), SignatureError> {
    let digest = transaction.sighash()?;
    let check = || {
        let mut inputs = transaction.inputs.iter().zip(spends).enumerate();
        inputs.try_for_each(|(place, (input, spent))| {
            let script = Script::parse(&spent.script, network).filter(|_| !input.data.is_empty());
            let checked = script.map_or(Ok(()), |script| check_input(&input.data, &digest, Some(&script)));
            checked.map_err(|error| SignatureError::Input { place, error })
        })
    };
    looking(transaction, share, check).await
}

impl Wallet {
    /// Whether those inputs that have data may spend what they spend, be it the wallet's or somebody else's.
    ///
    /// # Errors
    /// [`SignatureError::Input`] for the first input that may not, [`SignatureError::Inputs`] if it can't be
    /// said what is spent, [`SignatureError::Encode`] if the transaction can't be written.
    pub async fn check_signatures(&self, transaction: &Transaction) -> Result<(), SignatureError> {
        let spends = self.spent_by(transaction).await?;
        check_against(transaction, &spends, self.backend().network, self.cpu_share()).await
    }
}
