//! Errors of a store's file, and their texts for users.

use crate::store::{RecordError, StoreError};
use std::io::ErrorKind;

pub(super) enum RedbError {
    Redb(redb::Error),
    Record(RecordError),
    NotAStore,
    OtherOwner,
}

impl From<RecordError> for RedbError {
    fn from(error: RecordError) -> Self {
        Self::Record(error)
    }
}

macro_rules! from_redb {
    ($($error:ident),*) => { $(
        impl From<redb::$error> for RedbError {
            fn from(error: redb::$error) -> Self {
                Self::Redb(error.into())
            }
        }
    )* };
}
from_redb!(CommitError, CompactionError, DatabaseError, StorageError, TableError, TransactionError);

impl RedbError {
    pub(super) fn at(self, place: &str) -> StoreError {
        let place = place.to_owned();
        match self {
            Self::Redb(redb::Error::DatabaseAlreadyOpen) => StoreError::InUse(place),
            // A file that ends too early is damage, not a failure of the disk.
            Self::Redb(redb::Error::Io(error))
                if !matches!(error.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof) =>
            {
                StoreError::Failed { place, what: error.to_string() }
            }
            Self::Redb(
                error @ (redb::Error::PreviousIo
                | redb::Error::DatabaseClosed
                | redb::Error::ValueTooLarge(_)),
            ) => StoreError::Failed { place, what: error.to_string() },
            Self::Redb(error) => StoreError::Damaged { place, what: format!("it is damaged: {error}") },
            Self::Record(error @ RecordError::Newer(_)) => StoreError::Newer { place, error },
            Self::Record(error) => StoreError::Damaged { place, what: error.to_string() },
            Self::NotAStore => StoreError::Damaged { place, what: "it is no store of a wallet".to_owned() },
            Self::OtherOwner => StoreError::Damaged {
                place,
                what: "it belongs to another wallet or chain, and was renamed".to_owned(),
            },
        }
    }
}
