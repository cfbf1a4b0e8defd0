//! What was about to be pushed for a key, so that a repetition of its request finds the transaction after a crash.
//!
//! A note is written before the push and says nothing of the outcome: that the ledger says. It holds the transaction as it went to the
//! node, signatures and all, but nothing that signs.

use super::encode::{checked, with_check};
use super::{RecordError, StoreError};
use crate::wallet::{Reader, Writer};

/// How long a note is kept, in seconds.
pub const NOTE_LIFE: u32 = 24 * 3_600;

/// The version of what is written.
const NOTE_FORMAT: u8 = 1;

/// A transaction that was about to be pushed for a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Stands for the key, and for all that makes it another one.
    pub key: [u8; 32],
    /// Stands for the request that came with it.
    pub request: [u8; 32],
    /// When the request came, in Unix seconds.
    pub time: u32,
    /// The transaction's bytes.
    pub transaction: Vec<u8>,
}

/// A change of what is noted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoteChange {
    /// Takes the place of an earlier note of the key.
    Keep(Note),
    /// The note of this key is not needed any more: its transaction was refused.
    Forget([u8; 32]),
}

/// A place for notes that outlives the process.
#[async_trait::async_trait]
pub trait Notes: Send + Sync {
    /// Makes all changes or, when it fails, none: they are durable once this returns. Notes older than [`NOTE_LIFE`] may go.
    async fn change_notes(&self, changes: Vec<NoteChange>) -> Result<(), StoreError>;
    /// The note of a key.
    async fn note(&self, key: [u8; 32]) -> Result<Option<Note>, StoreError>;
}

impl Note {
    /// As bytes without the key, which their check value covers all the same.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut to = Writer(vec![NOTE_FORMAT]);
        to.0.extend(self.time.to_be_bytes());
        to.0.extend(self.request);
        to.bytes(&self.transaction);
        with_check(&self.key, to.0)
    }

    /// Reads what [`Note::encode`] wrote of a key.
    pub(super) fn decode(key: [u8; 32], bytes: &[u8]) -> Result<Self, RecordError> {
        match bytes.first() {
            Some(&version) if version > NOTE_FORMAT => Err(RecordError::Newer(version)),
            _ => checked(&key, bytes).and_then(|bytes| read(key, bytes)).ok_or(RecordError::Damaged),
        }
    }
}

fn read(key: [u8; 32], bytes: &[u8]) -> Option<Note> {
    let mut from = Reader(bytes);
    if from.byte()? != NOTE_FORMAT {
        return None;
    }
    let (time, request, transaction) = (from.u32()?, from.array()?, from.bytes()?.to_vec());
    from.is_empty().then_some(Note { key, request, time, transaction })
}
