//! Push records: the transaction about to be pushed, and the answer, so that a repeated request finds them,
//! also after a crash.
//!
//! A record is written before the push. It contains the transaction as the node gets it, with signatures but
//! without any key. It is open until the outcome is known. The next process that opens the store pushes open
//! transactions again.

use super::encode::{checked, with_check};
use super::{RecordError, StoreError};
use crate::rt::{SendOutsideWasm, SyncOutsideWasm};
use crate::wallet::{Reader, Writer};

/// In seconds.
pub const RECORD_LIFE: u32 = 24 * 3_600;

const PUSH_RECORD_FORMAT: u8 = 1;

/// A transaction about to be pushed, or the answer to a request that pushes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushRecord {
    /// A hash of the request's idempotency key and of all that makes it another key; random for a request
    /// without a key.
    pub key: [u8; 32],
    pub request: [u8; 32],
    /// When the request came, in Unix seconds.
    pub time: u32,
    /// The bytes of the transaction or of the answer.
    pub transaction: Vec<u8>,
    pub is_open: bool,
}

/// The push records of one account: in memory, in a file, or in a database.
#[cfg_attr(not(target_arch = "wasm32"), async_trait::async_trait)]
#[cfg_attr(target_arch = "wasm32", async_trait::async_trait(?Send))]
pub trait PushRecords: SendOutsideWasm + SyncOutsideWasm {
    /// Whether pushes of requests without a key are recorded, too.
    fn records_each_push(&self) -> bool {
        false
    }
    /// Keeps the records durably; each replaces an earlier record of its key. Records older than
    /// [`RECORD_LIFE`] may be deleted if they are not open, younger ones never.
    ///
    /// # Errors
    /// [`StoreError`]: none of them is kept, except after [`StoreError::Unclear`], where all may be.
    async fn keep_push_records(&self, records: Vec<PushRecord>) -> Result<(), StoreError>;
    /// # Errors
    /// [`StoreError::Full`] if there is no record of the key and no room for another.
    async fn push_record(&self, key: [u8; 32]) -> Result<Option<PushRecord>, StoreError>;
    async fn open_pushes(&self) -> Result<Vec<PushRecord>, StoreError>;
    /// The outcome of these pushes is known: they are no longer open. Records of requests without a key are
    /// deleted. A crash may undo this; the push is then found open, and its outcome looked up again.
    async fn settle(&self, keys: Vec<[u8; 32]>) -> Result<(), StoreError>;
    /// Settles one push durably, so that nobody pushes it again.
    ///
    /// # Errors
    /// [`StoreError`]: the record may still be open.
    async fn withdraw(&self, key: [u8; 32]) -> Result<(), StoreError>;
}

impl PushRecord {
    /// A random key for a push that no request repeats.
    pub fn unkeyed(random: [u8; 16]) -> [u8; 32] {
        let mut key = [0; 32];
        key[..16].copy_from_slice(&random);
        key
    }

    /// Keys of requests are hashes, so they can't be mistaken for one.
    pub fn is_unkeyed(key: &[u8; 32]) -> bool {
        key[16..] == [0; 16]
    }

    /// Encodes the record without its key, which the check value covers nevertheless.
    pub fn encode(&self) -> Vec<u8> {
        let mut to = Writer(vec![PUSH_RECORD_FORMAT, self.is_open.into()]);
        to.0.extend(self.time.to_be_bytes());
        to.0.extend(self.request);
        to.bytes(&self.transaction);
        with_check(&self.key, to.0)
    }

    /// # Errors
    /// [`RecordError`] for a record of a later version, or a damaged one.
    pub fn decode(key: [u8; 32], bytes: &[u8]) -> Result<Self, RecordError> {
        match bytes.first() {
            Some(&version) if version > PUSH_RECORD_FORMAT => Err(RecordError::Newer(version)),
            _ => checked(&key, bytes).and_then(|bytes| read(key, bytes)).ok_or(RecordError::Damaged),
        }
    }
}

fn read(key: [u8; 32], bytes: &[u8]) -> Option<PushRecord> {
    let mut from = Reader(bytes);
    if from.byte()? != PUSH_RECORD_FORMAT {
        return None;
    }
    let (is_open, time, request) = (from.flag()?, from.u32()?, from.array()?);
    let transaction = from.bytes()?.to_vec();
    from.is_empty().then_some(PushRecord { key, request, time, transaction, is_open })
}
