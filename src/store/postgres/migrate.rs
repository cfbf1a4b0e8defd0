//! Setting the tables up, and bringing older ones up to date: numbered steps, all of them in one transaction.

use super::error::PgError;
use super::pool::Pool;
use tokio_postgres::types::Type;

/// The steps, in order. One that was released never changes.
const STEPS: [&str; 20] = [
    include_str!("migrations/0001_wallets.sql"),
    include_str!("migrations/0002_cluster.sql"),
    include_str!("migrations/0003_tasks.sql"),
    include_str!("migrations/0004_shared.sql"),
    include_str!("migrations/0005_documents.sql"),
    include_str!("migrations/0006_events.sql"),
    include_str!("migrations/0007_audit.sql"),
    include_str!("migrations/0008_spending.sql"),
    include_str!("migrations/0009_swaps.sql"),
    include_str!("migrations/0010_sends.sql"),
    include_str!("migrations/0011_calls.sql"),
    include_str!("migrations/0012_lighter_sends.sql"),
    include_str!("migrations/0013_task_keys.sql"),
    include_str!("migrations/0014_turns.sql"),
    include_str!("migrations/0015_found_by_send.sql"),
    include_str!("migrations/0016_running.sql"),
    include_str!("migrations/0017_held.sql"),
    include_str!("migrations/0018_withdraw.sql"),
    include_str!("migrations/0019_key_locks.sql"),
    include_str!("migrations/0020_counted_by.sql"),
];
/// The oldest version that will do.
const OLDEST: i32 = 130_000;

/// Takes the steps that were not taken yet. Servers that start at once wait for each other.
pub(super) async fn migrate(pool: &Pool) -> Result<(), PgError> {
    let schema = pool.url().schema();
    let mut transaction = pool.begin().await?;
    let version = transaction
        .query_one(
            "select current_setting('server_version_num')::int4, current_setting('server_version')",
            &[],
        )
        .await?;
    if version.get::<_, i32>(0) < OLDEST {
        return Err(PgError::TooOld(version.get(1)));
    }
    let lock = "select pg_advisory_xact_lock(hashtextextended('headless-wallet ' || $1, 0))";
    transaction.query(lock, &[(&schema, Type::TEXT)]).await?;
    // Not `if not exists`: that asks for the right to make schemas even where there is one.
    let is_there = "select 1 from pg_namespace where nspname = $1";
    if transaction.query_opt(is_there, &[(&schema, Type::TEXT)]).await?.is_none() {
        transaction.batch(&format!("create schema {schema}")).await?;
    }
    let table = "create table if not exists migration (number int4 primary key, at timestamptz not null default now())";
    transaction.batch(table).await?;
    let taken: i32 =
        transaction.query_one("select coalesce(max(number), 0) from migration", &[]).await?.get(0);
    if usize::try_from(taken).is_ok_and(|taken| taken > STEPS.len()) {
        return Err(PgError::Newer);
    }
    for (number, step) in (1..).zip(STEPS).filter(|(number, _)| *number > taken) {
        transaction.batch(step).await?;
        let note = "insert into migration (number) values ($1)";
        transaction.execute(note, &[(&number, Type::INT4)]).await?;
    }
    transaction.commit().await
}
