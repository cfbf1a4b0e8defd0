//! What was about to be pushed for a key, so that a repetition of its request finds the transaction, after a
//! crash too.
//!
//! A record is written before the push and says nothing of the outcome: that the ledger says. It holds the
//! transaction as it went to the node, signatures and all, but nothing that signs.

use super::encode::{checked, with_check};
use super::{RecordError, StoreError};
use crate::rt::{SendOutsideWasm, SyncOutsideWasm};
use crate::wallet::{Reader, Writer};

/// How long a record is kept, in seconds.
pub const RECORD_LIFE: u32 = 24 * 3_600;

/// The version of what is written.
const PUSH_RECORD_FORMAT: u8 = 1;

/// A transaction that was about to be pushed for a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushRecord {
    /// Stands for the key, and for all that makes it another one.
    pub key: [u8; 32],
    /// Stands for the request that came with it.
    pub request: [u8; 32],
    /// When the request came, in Unix seconds.
    pub time: u32,
    /// The transaction's bytes.
    pub transaction: Vec<u8>,
}

/// A place for the push records of one account: in memory, in a file that outlives the process, or in a
/// database that several servers share. Where there are several writers, the first one of a key wins, and the
/// others find its record.
#[cfg_attr(not(target_arch = "wasm32"), async_trait::async_trait)]
#[cfg_attr(target_arch = "wasm32", async_trait::async_trait(?Send))]
pub trait PushRecords: SendOutsideWasm + SyncOutsideWasm {
    /// Keeps all of them, each in the place of an earlier record of its key: they are durable once this
    /// returns. Records older than [`RECORD_LIFE`] may go, younger ones never.
    ///
    /// # Errors
    /// [`StoreError`] if they could not be kept: then none of them is.
    async fn keep_push_records(&self, records: Vec<PushRecord>) -> Result<(), StoreError>;
    /// The record of a key.
    ///
    /// # Errors
    /// [`StoreError::Full`] if it has none and there is no room for another.
    async fn push_record(&self, key: [u8; 32]) -> Result<Option<PushRecord>, StoreError>;
}

impl PushRecord {
    /// As bytes without the key, which their check value covers all the same.
    pub fn encode(&self) -> Vec<u8> {
        let mut to = Writer(vec![PUSH_RECORD_FORMAT]);
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
    let (time, request, transaction) = (from.u32()?, from.array()?, from.bytes()?.to_vec());
    from.is_empty().then_some(PushRecord { key, request, time, transaction })
}
