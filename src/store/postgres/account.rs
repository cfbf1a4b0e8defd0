//! The tables of servers and of accounts: which server runs an account, by the database's clock.

use super::error::PgError;
use super::pool::{Fence, Pool, Transaction};
use super::{push_records, spending};
use crate::limits::{Charge, PaymentId};
use crate::rt::{self, BoxFuture};
use crate::store::{AccountState, LiveServer, ServerName};
use std::sync::Arc;
use std::time::Duration;
use tokio_postgres::Row;
use tokio_postgres::types::Type;

/// How long an account stays with a server that does not answer.
pub(crate) const LEASE: Duration = Duration::from_millis(1_800);

/// True for a server that lives. A lease longer than leases are was given before the database's clock was set
/// back, or by another machine's clock; a server that lives has renewed it since.
macro_rules! lives {
    () => {
        "server.lease_until between clock_timestamp() and clock_timestamp() + interval '1 minute'"
    };
}
pub(super) use lives;

/// True for the rows `account` and `server` if that server runs that account.
pub(super) const RUNS: &str = concat!("server.id = account.server and ", lives!());

/// The server other than parameter `than` that runs an account or else is to run it next: it is left to that
/// server. A server that is to run it waits as for one that is ending.
pub(super) fn other(than: &str) -> String {
    format!(
        "lateral (select id, url, is_ending or account.wanted_by is not distinct from {than} as is_ending from server \
             where id in (account.server, account.wanted_by) and id <> {than} and {} \
             order by id = account.server desc limit 1) as server",
        lives!()
    )
}

pub(crate) struct Renewed {
    /// Whether the lease had ended before the renewal.
    pub(crate) had_ended: bool,
    /// The database's time, in Unix milliseconds.
    pub(crate) time: u64,
}

/// The lease's queries: to PostgreSQL, or to the database of the simulation (`tests/simulation`).
#[async_trait::async_trait]
pub(crate) trait LeaseTable: Send + Sync {
    /// Begins a server's lease. Returns the server's id.
    async fn begin(&self, url: Option<&str>) -> Result<i64, PgError>;
    /// Renews a lease, even one that has ended: the lease only decides whether others may take accounts.
    /// `None` if the server's row is gone.
    async fn renew(&self, server: i64) -> Result<Option<Renewed>, PgError>;
    /// Announces that the server ends: others wait for the accounts it releases.
    async fn will_end(&self, server: i64) -> Result<(), PgError>;
    /// Ends the lease: others may take its accounts at once.
    async fn end(&self, server: i64) -> Result<(), PgError>;
    /// The id of the account with a name; made the first time.
    async fn account(&self, name: &str) -> Result<i64, PgError>;
    /// Takes an account for a server, unless another server runs it or is to run it. Durable.
    async fn take(&self, account: i64, server: i64) -> Result<Fence, PgError>;
    /// Releases accounts. If a crash undoes this, servers find the accounts by their ended lease.
    async fn release(&self, fences: &[Fence]) -> Result<(), PgError>;
    /// The accounts of a server, and the other live server that each is to move to.
    async fn of_server(&self, server: i64) -> Result<Vec<(Fence, Option<ServerName>)>, PgError>;
    /// The server's accounts that nobody is taking, after its lease had ended. A server that takes an account
    /// locks its row before it reads the lease: it has seen the end, or sees the renewal.
    async fn left_to(&self, server: i64) -> Result<Vec<Fence>, PgError>;
    /// The number of open pushes of a server's accounts.
    async fn open_pushes(&self, server: i64) -> Result<u64, PgError>;
    /// Deletes servers and records that ended a day ago.
    async fn tidy(&self) -> Result<(), PgError>;
    async fn take_back(&self, by: i64, id: PaymentId, charges: &[Charge]) -> Result<(), PgError>;
    /// A table with its own connections.
    fn apart(&self) -> Arc<dyn LeaseTable>;
    /// Runs the rounds of a lease where nothing else in the process delays them.
    fn go_on(&self, rounds: BoxFuture<'static, ()>) -> std::io::Result<()>;
}

#[async_trait::async_trait]
impl LeaseTable for Pool {
    async fn begin(&self, url: Option<&str>) -> Result<i64, PgError> {
        // Durable: a crash must not give an id twice.
        let mut transaction = self.begin_durable().await?;
        let begin = "insert into server (url, lease_until) values ($1, clock_timestamp() + $2 * interval '1 ms') \
                     returning id";
        let id = transaction.query_one(begin, &[(&url, Type::TEXT), (&lease(), Type::INT8)]).await?.get(0);
        transaction.commit().await?;
        Ok(id)
    }

    async fn renew(&self, server: i64) -> Result<Option<Renewed>, PgError> {
        let renew = "update server set lease_until = clock_timestamp() + $2 * interval '1 ms' from server before \
                     where server.id = $1 and before.id = $1 returning before.lease_until not between clock_timestamp() \
                     and clock_timestamp() + interval '1 minute', (extract(epoch from clock_timestamp()) * 1000)::int8";
        let params = [(&server as _, Type::INT8), (&lease() as _, Type::INT8)];
        // Not durable: if a crash undoes the renewal, the lease ends sooner than its server believes, mostly
        // by less than the difference between [`LEASE`] and the server's own limit.
        let rows = self.begin_fleeting().await?.commit_with(renew, &params).await?;
        let renewed = |row: &Row| Renewed {
            had_ended: row.get(0),
            time: row.get::<_, i64>(1).try_into().unwrap_or_default(),
        };
        Ok(rows.first().map(renewed))
    }

    async fn will_end(&self, server: i64) -> Result<(), PgError> {
        let say = "update server set is_ending = true where id = $1";
        self.begin_fleeting().await?.commit_with(say, &[(&server, Type::INT8)]).await.map(drop)
    }

    async fn end(&self, server: i64) -> Result<(), PgError> {
        let end = "update server set lease_until = least(lease_until, clock_timestamp()) where id = $1";
        self.begin_fleeting().await?.commit_with(end, &[(&server, Type::INT8)]).await.map(drop)
    }

    async fn account(&self, name: &str) -> Result<i64, PgError> {
        let find = "select id from account where name = $1";
        let mut transaction = self.begin().await?;
        let mut found = transaction.query_opt(find, &[(&name, Type::TEXT)]).await?;
        if found.is_none() {
            let insert = "with made as (insert into account (name) values ($1) on conflict do nothing returning id) \
                          insert into history (account) select id from made";
            transaction.execute(insert, &[(&name, Type::TEXT)]).await?;
            found = Some(transaction.query_one(find, &[(&name, Type::TEXT)]).await?);
        }
        transaction.commit().await?;
        Ok(found.map_or(0, |row| row.get(0)))
    }

    async fn take(&self, account: i64, server: i64) -> Result<Fence, PgError> {
        let mut transaction = self.begin_durable().await?;
        // Check without locks first, to lock nothing that a server uses.
        refuse_if_run(&mut transaction, account, server).await?;
        // Waits for transactions of the last owner that have begun. The state is read after that.
        let lock = "select 1 from account where id = $1 for no key update";
        transaction.query(lock, &[(&account, Type::INT8)]).await?;
        refuse_if_run(&mut transaction, account, server).await?;
        let take = "update account set server = $2, epoch = epoch + 1, wanted_by = null where id = $1 \
                    and exists (select from server where id = $2 and lease_until > clock_timestamp()) returning epoch";
        let taken = transaction.query_opt(take, &[(&account, Type::INT8), (&server, Type::INT8)]).await?;
        let epoch = taken.ok_or(PgError::LeaseEnded)?.get(0);
        transaction.commit().await?;
        Ok(Fence { account, server, epoch })
    }

    async fn release(&self, fences: &[Fence]) -> Result<(), PgError> {
        let column = |of: fn(&Fence) -> i64| fences.iter().map(of).collect::<Vec<_>>();
        let (accounts, servers) = (column(|of| of.account), column(|of| of.server));
        let epochs = column(|of| of.epoch);
        let release = "update account set server = null from unnest($1, $2, $3) as mine (account, server, epoch) \
                       where account.id = mine.account and account.server = mine.server and account.epoch = mine.epoch";
        let params = [
            (&accounts as _, Type::INT8_ARRAY),
            (&servers as _, Type::INT8_ARRAY),
            (&epochs as _, Type::INT8_ARRAY),
        ];
        self.begin_fleeting().await?.commit_with(release, &params).await.map(drop)
    }

    async fn of_server(&self, server: i64) -> Result<Vec<(Fence, Option<ServerName>)>, PgError> {
        let find = format!(
            "select account.id, epoch, server.id, server.url, server.is_ending from account \
             left join {} on true where account.server = $1",
            other("$1")
        );
        let rows = self.begin_reading().await?.commit_with(&find, &[(&server, Type::INT8)]).await?;
        let of_row = |row: &Row| {
            let wanted_by = row.get::<_, Option<i64>>(2).map(|_| server_in(row, 2));
            (Fence { account: row.get(0), server, epoch: row.get(1) }, wanted_by)
        };
        Ok(rows.iter().map(of_row).collect())
    }

    async fn left_to(&self, server: i64) -> Result<Vec<Fence>, PgError> {
        let find = "select id, epoch from account where server = $1 for share skip locked";
        let rows = self.begin_fleeting().await?.commit_with(find, &[(&server, Type::INT8)]).await?;
        Ok(rows.iter().map(|row| Fence { account: row.get(0), server, epoch: row.get(1) }).collect())
    }

    async fn open_pushes(&self, server: i64) -> Result<u64, PgError> {
        let count = "select count(*) from push_record \
                     where is_open and account in (select id from account where server = $1)";
        let rows = self.begin_reading().await?.commit_with(count, &[(&server, Type::INT8)]).await?;
        Ok(rows.first().map_or(0, |row| row.get::<_, i64>(0).try_into().unwrap_or_default()))
    }

    async fn tidy(&self) -> Result<(), PgError> {
        let mut transaction = self.begin_fleeting().await?;
        let gone = "delete from server where lease_until < now() - interval '1 day' \
                    and id not in (select server from account where server is not null)";
        transaction.batch(gone).await?;
        push_records::forget_old(&mut transaction).await?;
        transaction.commit().await
    }

    async fn take_back(&self, by: i64, id: PaymentId, charges: &[Charge]) -> Result<(), PgError> {
        spending::take_back(self, by, id, charges).await
    }

    fn apart(&self) -> Arc<dyn LeaseTable> {
        Arc::new(Self::new(self.url().clone()))
    }

    fn go_on(&self, rounds: BoxFuture<'static, ()>) -> std::io::Result<()> {
        rt::on_own_thread("store", rounds)
    }
}

fn lease() -> i64 {
    i64::try_from(LEASE.as_millis()).unwrap_or(i64::MAX)
}

/// The names of all accounts. Fails if a server runs, or if pushes have no known outcome.
pub(super) async fn names(pool: &Pool) -> Result<Vec<String>, PgError> {
    let mut reading = pool.begin_reading().await?;
    let at_rest = concat!(
        "select exists (select 1 from server where ",
        lives!(),
        ") or exists (select 1 from push_record where is_open)"
    );
    if reading.query_one(at_rest, &[]).await?.get(0) {
        return Err(PgError::InUse);
    }
    let rows = reading.commit_with("select name from account order by name", &[]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

pub(super) async fn is_live(pool: &Pool, server: i64) -> Result<bool, PgError> {
    let find = concat!("select from server where id = $1 and ", lives!());
    let found = pool.begin_reading().await?.commit_with(find, &[(&server, Type::INT8)]).await?;
    Ok(!found.is_empty())
}

async fn refuse_if_run(transaction: &mut Transaction<'_>, account: i64, server: i64) -> Result<(), PgError> {
    let find = format!(
        "select server.id, server.url, server.is_ending from account, {} where account.id = $1",
        other("$2")
    );
    let found = transaction.query_opt(&find, &[(&account, Type::INT8), (&server, Type::INT8)]).await?;
    found.map_or(Ok(()), |row| Err(PgError::RunsOn(server_in(&row, 0))))
}

/// Reads the server whose id, URL and `is_ending` start at column `at`.
pub(super) fn server_in(row: &Row, at: usize) -> ServerName {
    ServerName {
        id: row.get::<_, i64>(at).try_into().unwrap_or_default(),
        url: row.get(at + 1),
        is_ending: row.get(at + 2),
    }
}

pub(super) async fn all(pool: &Pool) -> Result<(Vec<AccountState>, Vec<LiveServer>), PgError> {
    let servers = concat!(
        "select server.id, server.url, \
         greatest(0, extract(epoch from clock_timestamp() - server.lease_until) * 1000 + $1)::int8, \
         (select count(*) from account where account.server = server.id) \
         from server where ",
        lives!(),
        " order by server.id"
    );
    let accounts = concat!(
        "select account.name, array_agg(started.name order by started.name), server.id, account.epoch, \
         account.wanted_by, bool_and(started.request is not null) \
         from account join started on started.account = account.id \
         left join server on server.id = account.server and ",
        lives!(),
        " where started.request is not null or (started.epoch = account.epoch and server.id is not null) \
         group by account.id, server.id order by 2"
    );
    let mut reading = pool.begin_reading().await?;
    let servers = reading.query(servers, &[(&lease(), Type::INT8)]).await?;
    let accounts = reading.commit_with(accounts, &[]).await?;
    let unsigned = |number: i64| u64::try_from(number).unwrap_or_default();
    let servers = servers.iter().map(|row| LiveServer {
        id: unsigned(row.get(0)),
        url: row.get(1),
        renewed: unsigned(row.get(2)),
        accounts: unsigned(row.get(3)),
    });
    let accounts = accounts.iter().map(|row| AccountState {
        name: row.get(0),
        wallets: row.get(1),
        server: row.get::<_, Option<i64>>(2).map(unsigned),
        epoch: unsigned(row.get(3)),
        wanted_by: row.get::<_, Option<i64>>(4).map(unsigned),
        is_movable: row.get(5),
    });
    Ok((accounts.collect(), servers.collect()))
}

/// Moves an account to a live server, if its epoch is unchanged.
pub(super) async fn move_to(pool: &Pool, account: &AccountState, server: u64) -> Result<bool, PgError> {
    let wanted = concat!(
        "update account set wanted_by = $3 where name = $1 and epoch = $2 \
         and exists (select from server where id = $3 and ",
        lives!(),
        ") returning 1"
    );
    let (epoch, server) = (account.epoch.cast_signed(), server.cast_signed());
    let params = [(&account.name as _, Type::TEXT), (&epoch as _, Type::INT8), (&server as _, Type::INT8)];
    Ok(!pool.begin_durable().await?.commit_with(wanted, &params).await?.is_empty())
}
