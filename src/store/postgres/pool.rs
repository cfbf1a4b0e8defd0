//! Connections to a database, and transactions over them. No connection has a state of its own, so that a
//! pooler (pgbouncer in transaction mode) may switch connections between transactions: there are no named
//! prepared statements, and no settings or locks of a session.

use super::connection::Connection;
use super::connection::{Answer, Param, Statement};
use super::error::PgError;
use super::url::PostgresUrl;
use crate::rt::{self, Instant};
use crate::store::RecordError;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{MutexGuard, Notify, Semaphore, SemaphorePermit};
use tokio_postgres::Row;

const CONNECTIONS: usize = 8;
/// How long to wait for a used connection before another one is opened: about as long as it takes both sides
/// to open one and to plan its first statements under load. Many short transactions end sooner.
const GROW_AFTER: Duration = Duration::from_millis(20);
const PLACE_LIMIT: Duration = Duration::from_secs(15);
/// How long the database may work on a statement, or wait for the next one of a transaction. A server that
/// stalls must not block rows for longer.
const STATEMENT_SECONDS: u64 = 15;
/// The limit between statements of a fenced transaction. Until it ends, no other server can take the account.
const FENCED_IDLE_SECONDS: u64 = 5;
/// How long to wait for an answer: longer than the database's own limit.
pub(super) const ANSWER_LIMIT: Duration = Duration::from_secs(STATEMENT_SECONDS + 5);

#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// Sees what others commit meanwhile.
    Writing,
    /// As [`Kind::Writing`], and on the disk once committed, even if the database's `synchronous_commit` is
    /// off.
    Durable,
    /// As [`Kind::Writing`], but a crash of the database may undo it: for what is then found missing or done
    /// again.
    Fleeting,
    /// A snapshot of one moment.
    Reading,
}

/// Who writes to an account. A transaction with it fails with [`PgError::Taken`] once another server runs the
/// account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fence {
    pub(crate) account: i64,
    pub(crate) server: i64,
    pub(crate) epoch: i64,
}

#[derive(Clone, Copy)]
pub(super) struct Fenced<'a> {
    pub(super) pool: &'a Pool,
    pub(super) fence: Fence,
}

impl<'a> Fenced<'a> {
    pub(super) fn account(self) -> i64 {
        self.fence.account
    }

    pub(super) async fn begin(self, kind: Kind) -> Result<Transaction<'a>, PgError> {
        self.pool.begin_fenced(kind, self.fence).await
    }
}

impl Kind {
    /// A further column of the first statement that sets how the transaction commits.
    fn commit(self) -> &'static str {
        match self {
            Self::Reading | Self::Writing => "",
            Self::Durable => DURABLY,
            Self::Fleeting => ", pg_catalog.set_config('synchronous_commit', 'off', true)",
        }
    }
}

/// Keeps a stronger setting of the database.
const DURABLY: &str = ", case when pg_catalog.current_setting('synchronous_commit') = 'off' \
     then pg_catalog.set_config('synchronous_commit', 'on', true) end";

pub(crate) struct Pool {
    url: PostgresUrl,
    places: Semaphore,
    /// Oldest first, and the oldest is used first: the connection used most has its plans and pages cached on
    /// both sides.
    idle: Mutex<Vec<Numbered>>,
    opened: AtomicU64,
    returned: Notify,
    /// Locked while a connection is opened: one at a time.
    opening: tokio::sync::Mutex<()>,
}

/// With its number in the order of opening.
struct Numbered {
    number: u64,
    connection: Connection,
}

impl Pool {
    pub(super) fn new(url: PostgresUrl) -> Self {
        Self {
            url,
            places: Semaphore::new(CONNECTIONS),
            idle: Mutex::default(),
            opened: AtomicU64::default(),
            returned: Notify::new(),
            opening: tokio::sync::Mutex::default(),
        }
    }

    pub(super) fn url(&self) -> &PostgresUrl {
        &self.url
    }

    pub(super) async fn begin(&self) -> Result<Transaction<'_>, PgError> {
        self.begin_as(Kind::Writing, None).await
    }

    /// As [`Pool::begin`], on the disk once committed.
    pub(super) async fn begin_durable(&self) -> Result<Transaction<'_>, PgError> {
        self.begin_as(Kind::Durable, None).await
    }

    /// As [`Pool::begin`], but the commit waits for no disk: a crash of the database may undo it.
    pub(super) async fn begin_fleeting(&self) -> Result<Transaction<'_>, PgError> {
        self.begin_as(Kind::Fleeting, None).await
    }

    pub(super) async fn begin_reading(&self) -> Result<Transaction<'_>, PgError> {
        self.begin_as(Kind::Reading, None).await
    }

    pub(super) async fn begin_fenced(&self, kind: Kind, fence: Fence) -> Result<Transaction<'_>, PgError> {
        self.begin_as(kind, Some(fence)).await
    }

    /// Runs a single statement, for frequent queries: one statement for the database, where a transaction is
    /// four. `tables` are the tables it names. It follows a list of subqueries (`with …`) and must be
    /// repeatable.
    pub(super) async fn alone(
        &self,
        tables: &[&str],
        sql: &str,
        params: &[Param<'_>],
    ) -> Result<Vec<Row>, PgError> {
        let schema = self.url.schema();
        let table = |name: &&str| format!("{name} as not materialized (select * from \"{schema}\".{name})");
        let tables: Vec<String> = tables.iter().map(table).collect();
        let mut transaction = self.begin().await?;
        let statement = format!("with {}{sql}", tables.join(", "));
        let rows = transaction.first(None, Statement::Rows(&statement, params)).await?.rows();
        transaction.give_back();
        Ok(rows)
    }

    async fn begin_as(&self, kind: Kind, fence: Option<Fence>) -> Result<Transaction<'_>, PgError> {
        let deadline = Instant::now() + ANSWER_LIMIT;
        let place = match rt::timeout(PLACE_LIMIT, self.places.acquire()).await {
            Ok(place) => place.expect("the semaphore is never closed"),
            Err(rt::Elapsed) => return Err(PgError::Busy(PLACE_LIMIT)),
        };
        Ok(Transaction { pool: self, kind, fence, deadline, connection: None, _place: place })
    }

    /// The first statement of a transaction. It relies on nothing of the session.
    fn beginning(&self, kind: Kind, fence: Option<Fence>) -> String {
        let isolation = match kind {
            Kind::Reading => "repeatable read, read only",
            Kind::Writing | Kind::Durable | Kind::Fleeting => "read committed",
        };
        let (schema, commit) = (self.url.schema(), kind.commit());
        let (idle, fence) = match fence {
            None => (STATEMENT_SECONDS, String::new()),
            Some(Fence { account, server, epoch }) => {
                (FENCED_IDLE_SECONDS, format!("; select fence({account}, {server}, {epoch})"))
            }
        };
        format!(
            "begin isolation level {isolation}; select pg_catalog.set_config('search_path', '{schema}', true), \
             pg_catalog.set_config('statement_timeout', '{STATEMENT_SECONDS}s', true), \
             pg_catalog.set_config('idle_in_transaction_session_timeout', '{idle}s', true){commit}{fence}"
        )
    }

    fn take_idle(&self) -> Option<Numbered> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain_mut(|idle| idle.connection.is_open());
        (!idle.is_empty()).then(|| idle.remove(0))
    }

    fn put_back(&self, connection: Numbered) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let place = idle.partition_point(|other| other.number < connection.number);
        idle.insert(place, connection);
        drop(idle);
        self.returned.notify_one();
    }

    async fn returned_or_new(&self) -> Result<Numbered, PgError> {
        let mut may_open = pin!(self.may_open());
        loop {
            tokio::select! {
                biased;
                () = self.returned.notified() => if let Some(connection) = self.take_idle() {
                    // Two connections returned before anybody is notified are one notification.
                    self.returned.notify_one();
                    return Ok(connection);
                },
                _lock = &mut may_open => return match self.take_idle() {
                    Some(connection) => Ok(connection),
                    None => self.connect().await,
                },
            }
        }
    }

    /// Resolves when opening a connection is due: nobody else opens one and the wait was long enough.
    async fn may_open(&self) -> MutexGuard<'_, ()> {
        let lock = self.opening.lock().await;
        if self.places.available_permits() + 1 < CONNECTIONS {
            rt::sleep(GROW_AFTER).await;
        }
        lock
    }

    async fn connect(&self) -> Result<Numbered, PgError> {
        let connection = Connection::open(&self.url, ANSWER_LIMIT).await?;
        Ok(Numbered { number: self.opened.fetch_add(1, Ordering::Relaxed), connection })
    }
}

/// A transaction. Unless it is ended, its connection is closed, and the database rolls it back.
///
/// It begins with its first statement and can end with its last one, each in one message: a transaction of
/// one statement costs one round trip.
pub(super) struct Transaction<'a> {
    pool: &'a Pool,
    kind: Kind,
    fence: Option<Fence>,
    deadline: Instant,
    /// Set once the transaction has begun.
    connection: Option<Numbered>,
    _place: SemaphorePermit<'a>,
}

impl Transaction<'_> {
    pub(super) async fn query(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>, PgError> {
        Ok(self.ask(Statement::Rows(sql, params)).await?.rows())
    }

    /// Fails unless there is exactly one row.
    pub(super) async fn query_one(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Row, PgError> {
        self.query_opt(sql, params).await?.ok_or_else(|| RecordError::Damaged.into())
    }

    pub(super) async fn query_opt(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
    ) -> Result<Option<Row>, PgError> {
        Ok(self.query(sql, params).await?.pop())
    }

    /// The number of affected rows.
    pub(super) async fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, PgError> {
        Ok(match self.ask(Statement::Count(sql, params)).await? {
            Answer::Rows(_) => 0,
            Answer::Count(count) => count,
        })
    }

    /// Statements without parameters.
    pub(super) async fn batch(&mut self, sql: &str) -> Result<(), PgError> {
        self.ask(Statement::Batch(sql)).await.map(drop)
    }

    /// Commits with the last statement. If this fails, the transaction may have been committed or not. An
    /// only statement must be repeatable: it is repeated if its connection breaks.
    pub(super) async fn commit_with(mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>, PgError> {
        let answer = self.ask(Statement::Last(sql, params)).await?;
        self.give_back();
        Ok(answer.rows())
    }

    /// If this fails, the transaction may have been committed or not.
    pub(super) async fn commit(self) -> Result<(), PgError> {
        self.end("commit").await
    }

    pub(super) async fn roll_back(self) -> Result<(), PgError> {
        self.end("rollback").await
    }

    /// Makes the connection idle again; nothing may be under way over it.
    fn give_back(&mut self) {
        self.connection.take().into_iter().for_each(|connection| self.pool.put_back(connection));
    }

    async fn end(mut self, how: &str) -> Result<(), PgError> {
        if self.connection.is_some() {
            self.batch(how).await?;
            self.give_back();
        }
        Ok(())
    }

    /// Asks, and begins the transaction if it has not begun.
    async fn ask(&mut self, statement: Statement<'_>) -> Result<Answer, PgError> {
        if let Some(Numbered { connection, .. }) = &mut self.connection {
            return connection.ask(None, statement, ANSWER_LIMIT).await;
        }
        let begin = self.pool.beginning(self.kind, self.fence);
        self.first(Some(&begin), statement).await
    }

    /// Begins the transaction over a connection. A connection found broken may have carried out the statement
    /// before the next one repeats it. If that fails, the first failure is reported.
    async fn first(&mut self, begin: Option<&str>, statement: Statement<'_>) -> Result<Answer, PgError> {
        let mut unanswered = None;
        // An idle connection may be gone. An answer counts even if the connection is gone right after it.
        while let Some(mut idle) = self.pool.take_idle() {
            let answered = idle.connection.ask(begin, statement, ANSWER_LIMIT).await;
            if answered.is_ok() || idle.connection.is_open() {
                self.connection = Some(idle);
                return answered;
            }
            unanswered = answered.err();
        }
        // Connections are opened one at a time, and each may take as long.
        let left = self.deadline.saturating_duration_since(Instant::now());
        let new = rt::timeout(left, self.pool.returned_or_new()).await;
        let new = match new.unwrap_or(Err(PgError::Busy(ANSWER_LIMIT))) {
            Ok(new) => new,
            Err(error) => return Err(unanswered.unwrap_or(error)),
        };
        let Numbered { connection, .. } = self.connection.insert(new);
        let answered = connection.ask(begin, statement, ANSWER_LIMIT).await;
        answered.map_err(|error| unanswered.unwrap_or(error))
    }
}
