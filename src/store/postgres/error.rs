//! Errors of a database, and their texts for users.

use crate::rt;
use crate::store::{RecordError, ServerName, StoreError};
use std::error::Error;
use std::time::Duration;
use tokio_postgres::error::{Severity, SqlState};

/// The SQLSTATE that the schema's function `fence` raises.
const FENCED: &str = "HW001";

#[derive(Debug)]
pub(crate) enum PgError {
    Connect(tokio_postgres::Error),
    Statement(tokio_postgres::Error),
    Silent(Duration),
    Busy(Duration),
    Tls(String),
    NoThread(std::io::Error),
    Record(RecordError),
    /// Another server runs the account by now: nothing was written.
    Taken,
    RunsOn(ServerName),
    LeaseEnded,
    /// PostgreSQL is too old; with its version as it states it.
    TooOld(String),
    /// The tables were made by a version of this program that this one can't read.
    OtherVersion(&'static str),
    /// Servers run on it, or have left pushes without a known outcome.
    InUse,
    /// The audit log is not the one that this process has added to.
    AuditReplaced,
    Randomness,
}

impl From<tokio_postgres::Error> for PgError {
    fn from(error: tokio_postgres::Error) -> Self {
        match error.code().map(SqlState::code) {
            Some(FENCED) => Self::Taken,
            _ => Self::Statement(error),
        }
    }
}

impl From<RecordError> for PgError {
    fn from(error: RecordError) -> Self {
        Self::Record(error)
    }
}

impl PgError {
    /// Whether the database may have carried out a statement that it did not answer. Anything answered with
    /// an error is rolled back, unless the database was shutting down.
    pub(super) fn is_unclear(&self) -> bool {
        match self {
            Self::Silent(_) => true,
            Self::Statement(error) => error
                .as_db_error()
                .is_none_or(|said| !matches!(said.parsed_severity(), Some(Severity::Error))),
            _ => false,
        }
    }

    pub(crate) fn at(self, place: String) -> StoreError {
        let is_unclear = self.is_unclear();
        let what = match self {
            Self::Taken => return StoreError::Taken,
            Self::RunsOn(server) => return StoreError::RunsOn(server),
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
            Self::OtherVersion(what) => what.to_owned(),
            Self::AuditReplaced => {
                "the audit log is another one than this server wrote: put that back, or end the server and start it anew".to_owned()
            }
            Self::LeaseEnded => "this server's lease has ended: ask again".to_owned(),
            Self::Randomness => "no randomness from the system".to_owned(),
        };
        if is_unclear { StoreError::Unclear { place, what } } else { StoreError::Failed { place, what } }
    }
}

/// The database's own message, or else the innermost reason, without the operating system's error number.
fn cause(error: &tokio_postgres::Error) -> String {
    if let Some(said) = error.as_db_error() {
        // Not the details, which quote rows.
        return said.message().to_owned();
    }
    let mut cause: &dyn Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let text = cause.to_string();
    text.split(" (os error ").next().unwrap_or_default().to_owned()
}
