//! The table of wallets that are started.

use super::error::PgError;
use super::pool::Pool;
use crate::store::Started;
use tokio_postgres::Row;
use tokio_postgres::types::Type;

fn started_in(row: &Row) -> Started {
    let number: i64 = row.get(0);
    Started { number: number.try_into().unwrap_or_default(), request: row.get(1) }
}

/// Takes a name for a request, unless it is taken; what stands then.
pub(super) async fn keep(pool: &Pool, network: &str, name: &str, request: &str) -> Result<Started, PgError> {
    let insert = "insert into started (network, name, request) values ($1, $2, $3) \
                  on conflict (network, name) do nothing";
    let params = [(&network as _, Type::TEXT), (&name as _, Type::TEXT), (&request as _, Type::TEXT)];
    loop {
        let mut transaction = pool.begin_durable().await?;
        transaction.execute(insert, &params).await?;
        let rows = transaction.commit_with(FIND, &params[..2]).await?;
        // Somebody may stop it right now.
        if let Some(row) = rows.first() {
            return Ok(started_in(row));
        }
    }
}

const FIND: &str = "select number, request from started where network = $1 and name = $2";

pub(super) async fn find(pool: &Pool, network: &str, name: &str) -> Result<Option<Started>, PgError> {
    let params = [(&network as _, Type::TEXT), (&name as _, Type::TEXT)];
    let rows = pool.begin_reading().await?.commit_with(FIND, &params).await?;
    Ok(rows.first().map(started_in))
}

pub(super) async fn forget(pool: &Pool, network: &str, name: &str, number: u64) -> Result<(), PgError> {
    let delete = "delete from started where network = $1 and name = $2 and number = $3";
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    let params = [(&network as _, Type::TEXT), (&name as _, Type::TEXT), (&number as _, Type::INT8)];
    pool.begin_durable().await?.commit_with(delete, &params).await.map(drop)
}

/// Those of the numbers that stand no more.
pub(super) async fn stopped_among(pool: &Pool, numbers: &[u64]) -> Result<Vec<u64>, PgError> {
    let numbers: Vec<i64> = numbers.iter().filter_map(|number| i64::try_from(*number).ok()).collect();
    let stopped = "select number from unnest($1) as known (number) \
                   where not exists (select 1 from started where started.number = known.number)";
    let rows = pool.begin_reading().await?.commit_with(stopped, &[(&numbers, Type::INT8_ARRAY)]).await?;
    Ok(rows.iter().filter_map(|row| u64::try_from(row.get::<_, i64>(0)).ok()).collect())
}
