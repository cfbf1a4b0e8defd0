//! What is made once for a key and not sent: transactions to be signed elsewhere, and texts. The same records
//! as of sends tell a repetition what was answered.

use super::detached::detached;
use super::idempotent::{damaged, read};
use super::{NotReady, SendError, SendKey, Wallet};
use crate::ledger::Transaction;
use crate::rt::{self, SendOutsideWasm};
use crate::store::PushRecord;

/// A transaction that was made for a request and not sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    pub transaction: Transaction,
    /// Whether it was for an earlier request with the key.
    pub replayed: bool,
}

/// What was answered to a request that sends nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedText {
    pub text: String,
    /// Whether it was for an earlier request with the key.
    pub replayed: bool,
}

impl Wallet {
    /// What `make` gives for a request, or gave for an earlier one with the key. It is not pushed. Requests
    /// of one key wait for each other, and go on when their caller goes away.
    ///
    /// # Errors
    /// [`SendError::KeyTaken`] if the key was there with another request, and what `make` fails with.
    pub async fn make_once(
        &self,
        key: SendKey,
        make: impl Future<Output = Result<Transaction, SendError>> + SendOutsideWasm + 'static,
    ) -> Result<Recorded, SendError> {
        let wallet = self.clone();
        let make = async move {
            // A stop waits until it is recorded what was set aside.
            let sends = &wallet.inner.sends;
            let _turn = sends.begin().ok_or_else(NotReady::closed)?;
            if let Some(record) = wallet.inner.valid_record(key).await? {
                let transaction = read(&record)?;
                // It may have been signed for somebody else.
                wallet.inner.admit_given(&wallet.guard, &transaction).await?;
                return Ok(Recorded { transaction, replayed: true });
            }
            let transaction = make.await?;
            wallet.keep_answer(key, transaction.to_bytes()?).await?;
            Ok(Recorded { transaction, replayed: false })
        };
        self.in_turn(key, Box::pin(make)).await
    }

    /// [`Wallet::make_once`] of what is a text, and can fail in ways of its own. Without a key nothing is
    /// recorded, and it goes on to its end all the same.
    ///
    /// # Errors
    /// Those of [`Wallet::make_once`], and what `make` fails with.
    pub async fn answer_once<E: From<SendError> + SendOutsideWasm + 'static>(
        &self,
        key: Option<SendKey>,
        make: impl Future<Output = Result<String, E>> + SendOutsideWasm + 'static,
    ) -> Result<RecordedText, E> {
        let wallet = self.clone();
        let Some(key) = key else {
            let make = async move {
                let _turn = wallet.inner.sends.begin().ok_or_else(NotReady::closed)?;
                Ok(make.await.map(|text| RecordedText { text, replayed: false }))
            };
            return detached(Box::pin(make)).await?;
        };
        let make = async move {
            let sends = &wallet.inner.sends;
            let _turn = sends.begin().ok_or_else(NotReady::closed)?;
            if let Some(record) = wallet.inner.valid_record(key).await? {
                return Ok(Ok(RecordedText { text: text_of(record)?, replayed: true }));
            }
            let text = match make.await {
                Ok(text) => text,
                Err(error) => return Ok(Err(error)),
            };
            wallet.keep_answer(key, text.clone().into_bytes()).await?;
            Ok(Ok(RecordedText { text, replayed: false }))
        };
        self.in_turn(key, Box::pin(make)).await?
    }

    /// Keeps what is answered for a key.
    async fn keep_answer(&self, key: SendKey, answer: Vec<u8>) -> Result<(), SendError> {
        let SendKey { name: key, request } = key;
        let record =
            PushRecord { key, request, time: rt::unix_seconds(), transaction: answer, is_open: false };
        self.inner.account.records.keep(record).await.map_err(SendError::NotRecorded)
    }
}

fn text_of(record: PushRecord) -> Result<String, SendError> {
    String::from_utf8(record.transaction).map_err(|error| damaged(&error))
}
