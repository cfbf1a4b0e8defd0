//! What is made once for a key and not sent: transactions to be signed elsewhere, and texts. The same records
//! as of sends tell a repetition what was answered.

use super::detached::detached;
use super::idempotent::{damaged, read};
use super::{NotReady, SendError, SendKey, Wallet};
use crate::ledger::Transaction;
use crate::rt::{self, SendOutsideWasm};
#[cfg(target_arch = "wasm32")]
use crate::store::Cluster;
use crate::store::PushRecord;

/// A transaction that was made for a request and not sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    #[allow(missing_docs)]
    pub transaction: Transaction,
    /// Whether it was for an earlier request with the key.
    pub replayed: bool,
}

/// What was answered to a request that sends nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedText {
    #[allow(missing_docs)]
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
            let (_lock, record) = wallet.inner.record_of(key).await?;
            let first = match record {
                Some(record) => record,
                None => {
                    let transaction = make.await?;
                    match wallet.keep_first(key, transaction.to_bytes()?).await? {
                        Some(first) => first,
                        None => return Ok(Recorded { transaction, replayed: false }),
                    }
                }
            };
            let transaction = read(&first)?;
            // It may have been signed for somebody else.
            wallet.inner.admit_given(&wallet.guard, &transaction).await?;
            Ok(Recorded { transaction, replayed: true })
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
            let (_lock, record) = wallet.inner.record_of(key).await?;
            if let Some(record) = record {
                return Ok(Ok(RecordedText { text: text_of(record)?, replayed: true }));
            }
            let text = match make.await {
                Ok(text) => text,
                Err(error) => return Ok(Err(error)),
            };
            Ok(Ok(match wallet.keep_first(key, text.clone().into_bytes()).await? {
                Some(first) => RecordedText { text: text_of(first)?, replayed: true },
                None => RecordedText { text, replayed: false },
            }))
        };
        self.in_turn(key, Box::pin(make)).await?
    }

    /// Keeps what is answered for a key, unless another server was faster: then it gives what that one
    /// answers.
    async fn keep_first(&self, key: SendKey, answer: Vec<u8>) -> Result<Option<PushRecord>, SendError> {
        let (inner, time) = (&self.inner, rt::unix_seconds());
        let record = PushRecord { key: key.name, request: key.request, time, transaction: answer };
        let first = match &inner.cluster {
            Some(cluster) => cluster.keep_first(&record, None).await,
            None => inner.keep_push_record(record).await.map(|()| None),
        };
        match first.map_err(SendError::NotRecorded)? {
            Some(first) if first.request != key.request => Err(SendError::KeyTaken),
            first => Ok(first),
        }
    }
}

fn text_of(record: PushRecord) -> Result<String, SendError> {
    String::from_utf8(record.transaction).map_err(|error| damaged(&error))
}
