//! Connections to a database, and transactions over them. Nothing is kept of a connection but that it is
//! open, so a pooler between (pgbouncer in transaction mode) may give each transaction another one: no
//! prepared statements with names, no settings or locks of a session.

use super::error::PgError;
use super::tls::Encrypted;
use super::url::PostgresUrl;
use crate::rt;
use std::future::Future;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, NoTls, Row};
use tracing::Instrument;

/// Most connections at a time.
const CONNECTIONS: usize = 8;
/// How long to wait for one of them.
const PLACE_LIMIT: Duration = Duration::from_secs(15);
/// How long the database may work on a statement, or wait for the next one of a transaction: a server that
/// stalls must not hold the rows that others wait for.
const STATEMENT_SECONDS: u64 = 15;
/// How long to wait for an answer: longer than the database takes to give up by itself.
const ANSWER_LIMIT: Duration = Duration::from_secs(STATEMENT_SECONDS + 5);

/// So that a commit is on a disk, where the database does not see to that by itself.
pub(super) const DURABLY: &str = "select set_config('synchronous_commit', 'on', true) \
                                  where current_setting('synchronous_commit') = 'off'";

/// A parameter of a statement. Its type is said, so that nothing need be prepared.
pub(super) type Param<'a> = (&'a (dyn ToSql + Sync), Type);

pub(super) struct Pool {
    url: PostgresUrl,
    places: Semaphore,
    idle: Mutex<Vec<Client>>,
}

impl Pool {
    pub(super) fn new(url: PostgresUrl) -> Self {
        Self { url, places: Semaphore::new(CONNECTIONS), idle: Mutex::default() }
    }

    pub(super) fn url(&self) -> &PostgresUrl {
        &self.url
    }

    /// Begins a transaction, which sees what others commit meanwhile.
    pub(super) async fn begin(&self) -> Result<Transaction<'_>, PgError> {
        self.begin_as("read committed").await
    }

    /// Begins a transaction that reads what there is now, all of one moment.
    pub(super) async fn begin_reading(&self) -> Result<Transaction<'_>, PgError> {
        self.begin_as("repeatable read, read only").await
    }

    async fn begin_as(&self, kind: &str) -> Result<Transaction<'_>, PgError> {
        let place = match rt::timeout(PLACE_LIMIT, self.places.acquire()).await {
            Ok(place) => place.expect("the semaphore is never closed"),
            Err(rt::Elapsed) => return Err(PgError::Busy(PLACE_LIMIT)),
        };
        let begin = format!(
            "begin isolation level {kind}; set local search_path = {}; set local statement_timeout = '{STATEMENT_SECONDS}s'; set local \
             idle_in_transaction_session_timeout = '{STATEMENT_SECONDS}s'",
            self.url.schema()
        );
        // One that waited may be gone since; nothing has been asked of it yet.
        while let Some(client) = self.take_idle() {
            if answer(client.batch_execute(&begin)).await.is_ok() {
                return Ok(Transaction { pool: self, client, _place: place });
            }
        }
        let client = self.connect().await?;
        answer(client.batch_execute(&begin)).await?;
        Ok(Transaction { pool: self, client, _place: place })
    }

    fn take_idle(&self) -> Option<Client> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    async fn connect(&self) -> Result<Client, PgError> {
        let tls = Encrypted::by(self.url.tls()).map_err(PgError::Tls)?;
        let config = self.url.config();
        let connected = async {
            Ok(match tls {
                None => {
                    let (client, connection) = config.connect(NoTls).await?;
                    run(connection);
                    client
                }
                Some(tls) => {
                    let (client, connection) = config.connect(tls).await?;
                    run(connection);
                    client
                }
            })
        };
        match rt::timeout(ANSWER_LIMIT, connected).await {
            Ok(client) => client.map_err(PgError::Connect),
            Err(rt::Elapsed) => Err(PgError::Silent(ANSWER_LIMIT)),
        }
    }
}

/// The connection's own work. What it fails of, its users are told.
fn run(connection: impl Future<Output = Result<(), tokio_postgres::Error>> + Send + 'static) {
    rt::spawn(async move { drop(connection.await) }.in_current_span());
}

async fn answer<T>(asked: impl Future<Output = Result<T, tokio_postgres::Error>>) -> Result<T, PgError> {
    match rt::timeout(ANSWER_LIMIT, asked).await {
        Ok(answered) => answered.map_err(PgError::Statement),
        Err(rt::Elapsed) => Err(PgError::Silent(ANSWER_LIMIT)),
    }
}

/// A transaction. Unless it is ended, its connection is closed, and the database undoes it.
pub(super) struct Transaction<'a> {
    pool: &'a Pool,
    client: Client,
    _place: SemaphorePermit<'a>,
}

impl Transaction<'_> {
    pub(super) async fn query(&self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>, PgError> {
        answer(self.client.query_typed(sql, params)).await
    }

    /// The one row there is.
    pub(super) async fn query_one(&self, sql: &str, params: &[Param<'_>]) -> Result<Row, PgError> {
        answer(self.client.query_typed_one(sql, params)).await
    }

    pub(super) async fn query_opt(&self, sql: &str, params: &[Param<'_>]) -> Result<Option<Row>, PgError> {
        answer(self.client.query_typed_opt(sql, params)).await
    }

    /// How many rows it was about.
    pub(super) async fn execute(&self, sql: &str, params: &[Param<'_>]) -> Result<u64, PgError> {
        answer(self.client.execute_typed(sql, params)).await
    }

    /// Statements without parameters, one after the other.
    pub(super) async fn batch(&self, sql: &str) -> Result<(), PgError> {
        answer(self.client.batch_execute(sql)).await
    }

    /// All of it holds once this returns. If it fails, all of it may hold or nothing.
    pub(super) async fn commit(self) -> Result<(), PgError> {
        self.end("commit").await
    }

    /// Nothing of it holds.
    pub(super) async fn roll_back(self) -> Result<(), PgError> {
        self.end("rollback").await
    }

    async fn end(self, how: &str) -> Result<(), PgError> {
        answer(self.client.batch_execute(how)).await?;
        self.pool.idle.lock().unwrap_or_else(PoisonError::into_inner).push(self.client);
        Ok(())
    }
}
