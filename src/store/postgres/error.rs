//! What goes wrong with a database, and what its user is told of it.

use crate::rt;
use crate::store::{RecordError, StoreError};
use std::error::Error;
use std::time::Duration;

/// What went wrong, before it is known to whom.
#[derive(Debug)]
pub(super) enum PgError {
    /// It can't be reached, or doesn't let us in.
    Connect(tokio_postgres::Error),
    Statement(tokio_postgres::Error),
    /// It does not answer.
    Silent(Duration),
    /// There was no connection that could be used.
    Busy(Duration),
    Tls(String),
    NoThread(std::io::Error),
    Record(RecordError),
    /// This server's lease has ended.
    LeaseEnded,
    /// It is too old, in its own words for its version.
    TooOld(String),
    /// A later version of this program has set it up.
    Newer,
    /// Servers run on it, or have left something to be done.
    InUse,
    /// The audit log is not the one that this process has added to.
    AuditReplaced,
    /// The system gives none.
    Randomness,
}

impl From<RecordError> for PgError {
    fn from(error: RecordError) -> Self {
        Self::Record(error)
    }
}

impl PgError {
    /// Whether it was before anything was asked.
    pub(super) fn is_not_reached(&self) -> bool {
        matches!(self, Self::Connect(_) | Self::Busy(_) | Self::Tls(_))
    }

    /// As an error of the store at `place`.
    pub(super) fn at(self, place: String) -> StoreError {
        let what = match self {
            Self::Record(error @ RecordError::Newer(_)) => return StoreError::Newer { place, error },
            Self::Record(error) => return StoreError::Damaged { place, what: error.to_string() },
            Self::Connect(error) if error.as_db_error().is_some() => {
                format!("PostgreSQL refuses this server: {}: check `store`", cause(&error))
            }
            Self::Connect(error) => {
                format!(
                    "can't connect to PostgreSQL: {}: check that it runs there, and `store`",
                    cause(&error)
                )
            }
            Self::Statement(error) => format!("PostgreSQL: {}", cause(&error)),
            Self::Silent(limit) => {
                format!("PostgreSQL gave no answer in {} s: check that it runs", rt::in_seconds(limit))
            }
            Self::Busy(limit) => {
                let limit = rt::in_seconds(limit);
                format!(
                    "no connection to PostgreSQL for {limit} s: all were in use, or it lets none in: check that it answers, and how much it \
                     has to do"
                )
            }
            Self::Tls(what) => what,
            Self::NoThread(error) => format!("the system gives this process no thread for it: {error}"),
            Self::TooOld(version) => {
                format!("PostgreSQL {version} is too old: version 13 or later is needed")
            }
            Self::InUse => "servers run on it, or have left pushes whose outcome is not known: start one, wait until its wallets are \
                            ready, and stop it"
                .to_owned(),
            Self::Newer => {
                "a later version of this program has set it up: use that one, or another schema (?schema=…)"
                    .to_owned()
            }
            Self::AuditReplaced => {
                "the audit log is another one than this server wrote: put that back, or end the server and start it anew".to_owned()
            }
            Self::LeaseEnded => "it has not heard of this server for too long: ask again".to_owned(),
            Self::Randomness => "no randomness from the system".to_owned(),
        };
        StoreError::Failed { place, what }
    }
}

/// The database's own words, or else the innermost reason, without the number that the system has for it.
fn cause(error: &tokio_postgres::Error) -> String {
    if let Some(said) = error.as_db_error() {
        // Not its details, which show what is in the rows.
        return said.message().to_owned();
    }
    let mut cause: &dyn Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let text = cause.to_string();
    text.split(" (os error ").next().unwrap_or_default().to_owned()
}
