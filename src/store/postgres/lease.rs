//! A server's lease, which stands for as long as it is renewed, by the database's clock; and what is free
//! once it has ended.

use super::error::PgError;
use super::pool::{ANSWER_LIMIT, Pool};
use crate::rt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use tokio_postgres::types::Type;

/// How long a server that is not heard of keeps what it has reserved.
const LEASE: Duration = Duration::from_millis(1_500);

/// This server's lease. Its id is 0 as long as it has none.
#[derive(Default)]
pub(super) struct Lease {
    id: AtomicI64,
    /// Held while one is begun.
    begin: tokio::sync::Mutex<()>,
}

impl Lease {
    /// Under which id it reserves. A server that has no lease gets one.
    pub(super) async fn id(&self, pool: &Pool) -> Result<i64, PgError> {
        match self.now() {
            0 => self.begin(pool).await,
            id => Ok(id),
        }
    }

    pub(super) fn now(&self) -> i64 {
        self.id.load(Ordering::SeqCst)
    }

    async fn begin(&self, pool: &Pool) -> Result<i64, PgError> {
        let turn = rt::timeout(ANSWER_LIMIT, self.begin.lock()).await;
        let _turn = turn.map_err(|rt::Elapsed| PgError::Busy(ANSWER_LIMIT))?;
        if self.now() != 0 {
            return Ok(self.now());
        }
        // A crash must not give the same id out twice.
        let mut transaction = pool.begin_durable().await?;
        let begin =
            "insert into server (expires_at) values (clock_timestamp() + $1 * interval '1 ms') returning id";
        let id = transaction.query_one(begin, &[(&millis(), Type::INT8)]).await?.get(0);
        transaction.commit().await?;
        self.id.store(id, Ordering::SeqCst);
        Ok(id)
    }

    /// Ends it, if the database can be told: so others need not wait for that.
    pub(super) async fn end(&self, pool: &Pool) {
        let end = "update server set expires_at = clock_timestamp() where id = $1 and expires_at > clock_timestamp()";
        let id = self.id.swap(0, Ordering::SeqCst);
        if let (1.., Ok(transaction)) = (id, pool.begin_fleeting().await) {
            // It ends by itself, too.
            let _ = transaction.commit_with(end, &[(&id, Type::INT8)]).await;
        }
    }

    /// It has ended, as the database says.
    pub(super) fn ended(&self, id: i64) {
        let _ = self.id.compare_exchange(id, 0, Ordering::SeqCst, Ordering::SeqCst);
    }
}

/// How long a lease is, for the database.
pub(super) fn millis() -> i64 {
    i64::try_from(LEASE.as_millis()).unwrap_or(i64::MAX)
}

/// Whether a server's lease has ended. Who renews it afterwards finds that it has: that is looked at by the
/// clock, and here by the time at which the statement began, before it looked at any row.
pub(super) const IS_GONE: &str = "not exists (select 1 from server where server.id = reservation.server and server.expires_at > statement_timestamp())";

/// That no server has a task any more. By the time at which the statement began, as with reservations.
pub(super) const IS_FREE: &str = "(task.server is null or not exists (select 1 from server \
     where server.id = task.server and server.expires_at > statement_timestamp()))";

/// That no server sees to a wallet. By the time at which the statement began, as with reservations.
pub(super) const IS_LEFT: &str = "(started.server is null or not exists (select 1 from server \
     where server.id = started.server and server.expires_at > statement_timestamp()))";

/// Whether a push is to be brought to its end: its server is gone, or has not got to know for a minute what
/// became of it.
pub(super) const IS_OPEN: &str = "push_record.state = 1 and (push_record.at < now() - interval '1 min' \
     or not exists (select 1 from server \
         where server.id = push_record.server and server.expires_at > statement_timestamp()))";
