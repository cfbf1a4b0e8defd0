//! Connections to a database, and transactions over them. Nothing is kept of a connection but that it is
//! open, so a pooler between (pgbouncer in transaction mode) may give each transaction another one: no
//! prepared statements with names, no settings or locks of a session.

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

/// Most connections of a pool at a time.
const CONNECTIONS: usize = 8;
/// How long to wait for one that is in use before another one is opened: about as long as it takes both sides
/// to open one and to plan its first statements where they have much to do, which many short transactions are
/// done in.
const GROW_AFTER: Duration = Duration::from_millis(20);
/// How long to wait for one of them.
const PLACE_LIMIT: Duration = Duration::from_secs(15);
/// How long the database may work on a statement, or wait for the next one of a transaction: a server that
/// stalls must not hold the rows that others wait for.
const STATEMENT_SECONDS: u64 = 15;
/// The same for the next statement of one that is fenced: until it has ended, no other server can take the
/// account.
const FENCED_IDLE_SECONDS: u64 = 5;
/// How long to wait for an answer: longer than the database takes to give up by itself.
pub(super) const ANSWER_LIMIT: Duration = Duration::from_secs(STATEMENT_SECONDS + 5);

/// What a transaction is for.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// Sees what others commit meanwhile.
    Writing,
    /// The same; committed, it is on a disk, also where the database does not see to that by itself.
    Durable,
    /// The same; what the database forgets of it when it crashes is found missing, or done again.
    Fleeting,
    /// Reads what there is now, all of one moment.
    Reading,
}

/// Who writes to an account: a transaction that begins with it fails with [`PgError::Taken`] once another
/// server runs the account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fence {
    pub(crate) account: i64,
    pub(crate) server: i64,
    pub(crate) epoch: i64,
}

/// An account's transactions that write, over a pool.
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
    /// What else is selected, so that it is committed so.
    fn commit(self) -> &'static str {
        match self {
            Self::Reading | Self::Writing => "",
            Self::Durable => DURABLY,
            Self::Fleeting => ", pg_catalog.set_config('synchronous_commit', 'off', true)",
        }
    }
}

/// A stronger setting of the database's stands.
const DURABLY: &str = ", case when pg_catalog.current_setting('synchronous_commit') = 'off' \
     then pg_catalog.set_config('synchronous_commit', 'on', true) end";

pub(crate) struct Pool {
    url: PostgresUrl,
    places: Semaphore,
    /// In the order of their age. The eldest is used first: what works most of the time has its plans and
    /// pages at hand, on both sides.
    idle: Mutex<Vec<Numbered>>,
    /// How many were opened.
    opened: AtomicU64,
    /// One was put back among the idle ones.
    returned: Notify,
    /// Held by who opens one: that is done one after the other.
    opening: tokio::sync::Mutex<()>,
}

/// The how many-th that was opened.
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

    /// A transaction that sees what others commit meanwhile.
    pub(super) async fn begin(&self) -> Result<Transaction<'_>, PgError> {
        self.begin_as(Kind::Writing, None).await
    }

    /// The same. Once it is committed it is on a disk, also where `synchronous_commit` is off.
    pub(super) async fn begin_durable(&self) -> Result<Transaction<'_>, PgError> {
        self.begin_as(Kind::Durable, None).await
    }

    /// The same, for what may be lost when the database crashes: its commit waits for no disk.
    pub(super) async fn begin_fleeting(&self) -> Result<Transaction<'_>, PgError> {
        self.begin_as(Kind::Fleeting, None).await
    }

    /// A transaction that reads what there is now, all of one moment.
    pub(super) async fn begin_reading(&self) -> Result<Transaction<'_>, PgError> {
        self.begin_as(Kind::Reading, None).await
    }

    /// A transaction that writes to an account.
    pub(super) async fn begin_fenced(&self, kind: Kind, fence: Fence) -> Result<Transaction<'_>, PgError> {
        self.begin_as(kind, Some(fence)).await
    }

    /// The rows of a statement that is all there is to do, which is one statement for the database, where a
    /// transaction is four: for what is asked again and again. `tables` are those that it names; it goes on
    /// after a list of subqueries (`with …`). It must be one that may be done twice.
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

    /// What a transaction begins with: nothing of a session is relied on.
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

    /// One that another transaction gives back, or else a new one.
    async fn returned_or_new(&self) -> Result<Numbered, PgError> {
        let mut turn = pin!(self.turn_to_open());
        loop {
            tokio::select! {
                biased;
                () = self.returned.notified() => if let Some(connection) = self.take_idle() {
                    // Two that are put back before anybody hears of it are one notice.
                    self.returned.notify_one();
                    return Ok(connection);
                },
                _turn = &mut turn => return match self.take_idle() {
                    Some(connection) => Ok(connection),
                    None => self.connect().await,
                },
            }
        }
    }

    /// Comes when it has been waited long enough for one of the others.
    async fn turn_to_open(&self) -> MutexGuard<'_, ()> {
        let turn = self.opening.lock().await;
        if self.places.available_permits() + 1 < CONNECTIONS {
            rt::sleep(GROW_AFTER).await;
        }
        turn
    }

    async fn connect(&self) -> Result<Numbered, PgError> {
        let connection = Connection::open(&self.url, ANSWER_LIMIT).await?;
        Ok(Numbered { number: self.opened.fetch_add(1, Ordering::Relaxed), connection })
    }
}

/// A transaction. Unless it is ended, its connection is closed, and the database undoes it.
///
/// It begins with its first statement, and can end with its last one, each in one message: what a transaction
/// of one statement costs is one round trip.
pub(super) struct Transaction<'a> {
    pool: &'a Pool,
    kind: Kind,
    fence: Option<Fence>,
    /// Until when to wait for a connection.
    deadline: Instant,
    /// Once it has begun.
    connection: Option<Numbered>,
    _place: SemaphorePermit<'a>,
}

impl Transaction<'_> {
    pub(super) async fn query(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>, PgError> {
        Ok(self.ask(Statement::Rows(sql, params)).await?.rows())
    }

    /// The one row there is.
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

    /// How many rows it was about.
    pub(super) async fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, PgError> {
        Ok(match self.ask(Statement::Count(sql, params)).await? {
            Answer::Rows(_) => 0,
            Answer::Count(count) => count,
        })
    }

    /// Statements without parameters, one after the other.
    pub(super) async fn batch(&mut self, sql: &str) -> Result<(), PgError> {
        self.ask(Statement::Batch(sql)).await.map(drop)
    }

    /// The last statement: all holds once this returns. If it fails, all may hold or nothing. As the only
    /// statement it must be one that may be done twice: it is where a connection breaks.
    pub(super) async fn commit_with(mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>, PgError> {
        let answer = self.ask(Statement::Last(sql, params)).await?;
        self.give_back();
        Ok(answer.rows())
    }

    /// All of it holds once this returns. If it fails, all of it may hold or nothing.
    pub(super) async fn commit(self) -> Result<(), PgError> {
        self.end("commit").await
    }

    /// Nothing of it holds.
    pub(super) async fn roll_back(self) -> Result<(), PgError> {
        self.end("rollback").await
    }

    /// Others may use its connection, over which nothing is under way.
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

    /// Asks, and begins before that if nothing was asked so far.
    async fn ask(&mut self, statement: Statement<'_>) -> Result<Answer, PgError> {
        if let Some(Numbered { connection, .. }) = &mut self.connection {
            return connection.ask(None, statement, ANSWER_LIMIT).await;
        }
        let begin = self.pool.beginning(self.kind, self.fence);
        self.first(Some(&begin), statement).await
    }

    /// Asks over a connection of its own from now on. One that is found to be broken may have carried it out
    /// before it is asked again over the next one: where that fails, it is the first failure that is told.
    async fn first(&mut self, begin: Option<&str>, statement: Statement<'_>) -> Result<Answer, PgError> {
        let mut unanswered = None;
        // One that waited may be gone since. An answer counts also if it is gone right after that.
        while let Some(mut idle) = self.pool.take_idle() {
            let answered = idle.connection.ask(begin, statement, ANSWER_LIMIT).await;
            if answered.is_ok() || idle.connection.is_open() {
                self.connection = Some(idle);
                return answered;
            }
            unanswered = answered.err();
        }
        // One after the other is opened, and each may take as long.
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
