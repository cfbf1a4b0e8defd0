//! What is about to be pushed, and what was answered, so that a repetition of a request finds it, after a
//! crash too.
//!
//! A record is written before the push. It holds the transaction as it goes to the node, signatures and all,
//! but nothing that signs. It is open until the outcome is known; open ones are pushed again by whoever opens
//! the store next.

use super::encode::{checked, with_check};
use super::{RecordError, StoreError};
use crate::rt::{SendOutsideWasm, SyncOutsideWasm};
use crate::wallet::{Reader, Writer};

/// How long a record is kept, in seconds.
pub const RECORD_LIFE: u32 = 24 * 3_600;

/// The version of what is written.
const PUSH_RECORD_FORMAT: u8 = 1;

/// A transaction that was about to be pushed, or what was answered to a request that pushes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushRecord {
    /// Stands for the key of the request, and for all that makes it another one; random without a key.
    pub key: [u8; 32],
    /// Stands for the request that came with it.
    pub request: [u8; 32],
    /// When the request came, in Unix seconds.
    pub time: u32,
    /// The transaction's bytes, or the answer's.
    pub transaction: Vec<u8>,
    /// Whether it is a push whose outcome is not known.
    pub is_open: bool,
}

/// A place for the push records of one account: in memory, in a file, or in a database.
#[cfg_attr(not(target_arch = "wasm32"), async_trait::async_trait)]
#[cfg_attr(target_arch = "wasm32", async_trait::async_trait(?Send))]
pub trait PushRecords: SendOutsideWasm + SyncOutsideWasm {
    /// Whether pushes without a key are to be recorded, too.
    fn records_each_push(&self) -> bool {
        false
    }
    /// Keeps all of them, each in the place of an earlier record of its key: they are durable once this
    /// returns. Records older than [`RECORD_LIFE`] may go if they are not open, younger ones never.
    ///
    /// # Errors
    /// [`StoreError`] if they could not be kept: then none of them is, but after [`StoreError::Unclear`].
    async fn keep_push_records(&self, records: Vec<PushRecord>) -> Result<(), StoreError>;
    /// The record of a key.
    ///
    /// # Errors
    /// [`StoreError::Full`] if it has none and there is no room for another.
    async fn push_record(&self, key: [u8; 32]) -> Result<Option<PushRecord>, StoreError>;
    /// Those that are open.
    ///
    /// # Errors
    /// [`StoreError`] if any of them can't be read.
    async fn open_pushes(&self) -> Result<Vec<PushRecord>, StoreError>;
    /// The outcome of these pushes is known: they are not open any more, and those without a key of a request
    /// are deleted. A crash may undo that: then they are found open, and the outcome is found out again.
    ///
    /// # Errors
    /// [`StoreError`] if that could not be kept.
    async fn settle(&self, keys: Vec<[u8; 32]>) -> Result<(), StoreError>;
    /// The same of one, durably: nobody pushes it again.
    ///
    /// # Errors
    /// [`StoreError`] if that could not be kept: then it may be open still.
    async fn withdraw(&self, key: [u8; 32]) -> Result<(), StoreError>;
}

impl PushRecord {
    /// A key for a push that nobody asks for again.
    pub fn unkeyed(random: [u8; 16]) -> [u8; 32] {
        let mut key = [0; 32];
        key[..16].copy_from_slice(&random);
        key
    }

    /// Whether a key is such a one. Those of requests are hashes.
    pub fn is_unkeyed(key: &[u8; 32]) -> bool {
        key[16..] == [0; 16]
    }

    /// As bytes without the key, which their check value covers nevertheless.
    pub fn encode(&self) -> Vec<u8> {
        let mut to = Writer(vec![PUSH_RECORD_FORMAT, self.is_open.into()]);
        to.0.extend(self.time.to_be_bytes());
        to.0.extend(self.request);
        to.bytes(&self.transaction);
        with_check(&self.key, to.0)
    }

    /// Reads what [`PushRecord::encode`] wrote of a key.
    ///
    /// # Errors
    /// That it is of a later version, or damaged.
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
