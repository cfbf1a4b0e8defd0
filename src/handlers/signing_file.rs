//! Signing files: made of transactions, and sent once there are enough signatures in them.

use super::{Ask, Call, CallError, Done, Reply, SendMode, refused, would_send};
use crate::api::{Decode, MakeSigningFile, PushSigningFile, SigningFileAnswer};
use crate::service::{IdempotentSend, SendError, SignedSwap, SigningFileError, SwapError, Wallet};

impl Ask for MakeSigningFile {
    async fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let transaction = match self.what {
            Decode::Transaction(transaction) => transaction,
            Decode::Swap(text) => {
                let partial = call.partial_tx(&text)?;
                if !partial.is_complete() {
                    return Err(SwapError::NotBalanced.into());
                }
                partial.transaction().map_err(|error| refused(error.to_string()))?
            }
        };
        let file = call.wallet.signing_file(&transaction, self.label).await?;
        Ok(call.reply.give(&SigningFileAnswer(file)))
    }
}

impl<R: Reply> Call<'_, R> {
    /// Looks at files that are to be sent later for what [`Call::push_signing_file`] would refuse.
    ///
    /// # Errors
    /// Those of it.
    pub async fn check_push_signing_file(&self, request: PushSigningFile) -> Result<(), CallError> {
        finished(&self.wallet.for_sending(), request).await.map(drop)
    }

    /// Sends the transaction of signing files with their signatures, or says what it would do.
    ///
    /// # Errors
    /// As [`Call::send`].
    pub async fn push_signing_file(
        &self,
        request: PushSigningFile,
        mode: SendMode,
    ) -> Result<Done<R::Answer>, CallError> {
        // With its key, what was sent once is answered as it was then.
        let wallet = self.wallet_for(mode);
        let already = wallet.sent_already(&request.file).await;
        let explained = |error: CallError| match already {
            Some(id) => SigningFileError::Sent(id).into(),
            None => error,
        };
        let finished = finished(&wallet, request).await.map_err(explained)?;
        if mode.dry_run {
            if let Some(id) = already {
                return Err(SigningFileError::Sent(id).into());
            }
            let preview = self.wallet.preview_swap(finished);
            return Ok(self.reply.give(&would_send(&preview, self.compat)).into());
        }
        let sent = match mode.once {
            None => self.wallet.push_swap(finished).await.map(IdempotentSend::from),
            Some(key) => self.wallet.push_swap_once(finished, key).await,
        };
        let failed = |error: SendError| match error {
            SendError::Plan(_) | SendError::Rejected(_) => explained(send_error(error)),
            error => send_error(error),
        };
        let IdempotentSend { sent, replayed } = sent.map_err(failed)?;
        Ok(Done { answer: self.transaction(&sent), replayed })
    }
}

async fn finished(wallet: &Wallet, request: PushSigningFile) -> Result<SignedSwap, CallError> {
    Ok(wallet.finish_signing_file(&request.file).await?)
}

fn send_error(error: SendError) -> CallError {
    CallError::Send { error: Box::new(error), read_only: "" }
}

impl From<SigningFileError> for CallError {
    fn from(error: SigningFileError) -> Self {
        match error {
            SigningFileError::NotReady(not_ready) => not_ready.into(),
            SigningFileError::Inputs(error) => error.into(),
            SigningFileError::Signature(error) => error.into(),
            error => refused(error.to_string()),
        }
    }
}
