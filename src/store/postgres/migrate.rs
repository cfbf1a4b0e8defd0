//! Setting the tables up, and bringing older ones up to date: numbered steps, all of them in one transaction.
//! Numbers need not follow each other: a step is taken that was not, whatever was taken after it.

use super::error::PgError;
use super::pool::Pool;
use tokio_postgres::types::Type;

/// The steps by their numbers, in order. One that was released never changes.
const STEPS: [(i32, &str); 5] = [
    (1, include_str!("migrations/0001_wallets.sql")),
    (2, include_str!("migrations/0002_cluster.sql")),
    (3, include_str!("migrations/0003_tasks.sql")),
    (10, include_str!("migrations/0010_documents.sql")),
    (11, include_str!("migrations/0011_audit.sql")),
];
/// The oldest version that will do.
const OLDEST: i32 = 130_000;

/// Takes the steps that were not taken yet. Servers that start at once wait for each other.
pub(super) async fn migrate(pool: &Pool) -> Result<(), PgError> {
    let schema = pool.url().schema();
    let transaction = pool.begin().await?;
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
    let taken = transaction.query("select number from migration", &[]).await?;
    let taken: Vec<i32> = taken.iter().map(|row| row.get(0)).collect();
    if taken.iter().any(|number| STEPS.iter().all(|(known, _)| known != number)) {
        return Err(PgError::Newer);
    }
    for (number, step) in STEPS.iter().filter(|(number, _)| !taken.contains(number)) {
        transaction.batch(step).await?;
        let note = "insert into migration (number) values ($1)";
        transaction.execute(note, &[(number, Type::INT4)]).await?;
    }
    transaction.commit().await
}
