//! Making the tables.

use super::error::PgError;
use super::pool::Pool;
use tokio_postgres::types::Type;

const SCHEMA: &str = include_str!("schema.sql");
/// From the first release on, a released schema is migrated, never changed.
const VERSION: i32 = 1;
const OLDEST: i32 = 130_000;

/// Makes the tables if there are none. Servers that start at once wait for each other.
pub(super) async fn set_up(pool: &Pool) -> Result<(), PgError> {
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
    // Not `if not exists`, which needs the right to make schemas even if there is one.
    let is_there = "select 1 from pg_namespace where nspname = $1";
    if transaction.query_opt(is_there, &[(&schema, Type::TEXT)]).await?.is_none() {
        transaction.batch(&format!("create schema {schema}")).await?;
    }
    let is_there = "select name from unnest(array['version', 'migration']) as name \
                    where to_regclass(format('%I.%I', $1, name)) is not null";
    let found = transaction.query_opt(is_there, &[(&schema, Type::TEXT)]).await?;
    match found.as_ref().map(|row| row.get::<_, &str>(0)) {
        None => transaction.batch(SCHEMA).await?,
        Some("version") => {
            let number: i32 = transaction.query_one("select number from version", &[]).await?.get(0);
            if number != VERSION {
                return Err(PgError::OtherVersion(
                    "a later version of this program has set it up: use that one, or another schema (?schema=…)",
                ));
            }
        }
        Some(_) => {
            return Err(PgError::OtherVersion(
                "a version before 0.1.0 has set it up: use another schema (?schema=…); histories are loaded again",
            ));
        }
    }
    transaction.commit().await
}
