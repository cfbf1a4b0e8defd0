//! The table of push records.

use super::error::PgError;
use super::pool::{Fence, Kind, Pool, Transaction};
use crate::store::{PushRecord, RECORD_LIFE, RecordError};
use std::collections::BTreeMap;
use tokio_postgres::Row;
use tokio_postgres::types::Type;

fn record_in(row: &Row) -> Result<PushRecord, PgError> {
    let key = row.get::<_, &[u8]>(0).try_into().map_err(|_| RecordError::Damaged)?;
    // The column says whether it is open, not the record's bytes.
    Ok(PushRecord { is_open: row.get(2), ..PushRecord::decode(key, row.get(1))? })
}

/// The push records of an account: in PostgreSQL, or in the database of the simulation (`tests/simulation`).
/// A write has an attempt number and changes nothing after a write with a greater one.
#[async_trait::async_trait]
pub(crate) trait Records: Send + Sync {
    async fn read(&self, account: i64, key: [u8; 32]) -> Result<Option<PushRecord>, PgError>;
    /// Pushes whose outcome is unknown, in the order of their requests.
    async fn open(&self, account: i64) -> Result<Vec<PushRecord>, PgError>;
    /// Writes all of the records or none.
    async fn write(&self, fence: Fence, attempt: i64, records: &[PushRecord]) -> Result<(), PgError>;
    /// Settles pushes whose outcome is known. Records without a request's key are deleted. A crash of the
    /// database may undo it.
    async fn settle(&self, fence: Fence, attempt: i64, keys: &[[u8; 32]]) -> Result<(), PgError>;
    /// Settles a push that is not made (again), durably. Its row stays: an unanswered write of its record may
    /// still be under way and would otherwise make an open row.
    async fn withdraw(&self, fence: Fence, attempt: i64, key: [u8; 32]) -> Result<(), PgError>;
}

#[async_trait::async_trait]
impl Records for Pool {
    async fn read(&self, account: i64, key: [u8; 32]) -> Result<Option<PushRecord>, PgError> {
        let find = "select key, record, is_open from push_record \
                    where account = $1 and key = $2 and record is not null";
        let params = [(&account as _, Type::INT8), (&&key[..] as _, Type::BYTEA)];
        let rows = self.begin_reading().await?.commit_with(find, &params).await?;
        rows.first().map(record_in).transpose()
    }

    async fn open(&self, account: i64) -> Result<Vec<PushRecord>, PgError> {
        let find =
            "select key, record, is_open from push_record where account = $1 and is_open order by time";
        let rows = self.begin_reading().await?.commit_with(find, &[(&account, Type::INT8)]).await?;
        rows.iter().map(record_in).collect()
    }

    async fn write(&self, fence: Fence, attempt: i64, records: &[PushRecord]) -> Result<(), PgError> {
        // The last record of a key counts: one statement can't write a row twice.
        let latest: BTreeMap<_, _> = records.iter().map(|record| (record.key, record)).collect();
        let keys: Vec<&[u8]> = latest.keys().map(|key| &key[..]).collect();
        let times: Vec<i64> = latest.values().map(|record| record.time.into()).collect();
        let encoded: Vec<Vec<u8>> = latest.values().map(|record| record.encode()).collect();
        let are_open: Vec<bool> = latest.values().map(|record| record.is_open).collect();
        let insert = "insert into push_record (account, key, time, record, is_open, attempt) \
                      select $1, key, time, record, is_open, $6 \
                      from unnest($2, $3, $4, $5) as added (key, time, record, is_open) \
                      on conflict (account, key) do update set time = excluded.time, record = excluded.record, \
                          is_open = excluded.is_open, attempt = excluded.attempt \
                          where push_record.attempt < excluded.attempt";
        let params = [
            (&fence.account as _, Type::INT8),
            (&keys as _, Type::BYTEA_ARRAY),
            (&times as _, Type::INT8_ARRAY),
            (&encoded as _, Type::BYTEA_ARRAY),
            (&are_open as _, Type::BOOL_ARRAY),
            (&attempt as _, Type::INT8),
        ];
        self.begin_fenced(Kind::Durable, fence).await?.commit_with(insert, &params).await.map(drop)
    }

    async fn settle(&self, fence: Fence, attempt: i64, keys: &[[u8; 32]]) -> Result<(), PgError> {
        let part = |is_unkeyed: bool| -> Vec<&[u8]> {
            let keys = keys.iter().filter(|key| PushRecord::is_unkeyed(key) == is_unkeyed);
            keys.map(|key| &key[..]).collect()
        };
        let (keyed, unkeyed) = (part(false), part(true));
        let settle = "with settled as (update push_record set is_open = false \
                          where account = $1 and key = any($2) and is_open and attempt < $4) \
                      delete from push_record where account = $1 and key = any($3) and attempt < $4";
        let params = [
            (&fence.account as _, Type::INT8),
            (&keyed as _, Type::BYTEA_ARRAY),
            (&unkeyed as _, Type::BYTEA_ARRAY),
            (&attempt as _, Type::INT8),
        ];
        self.begin_fenced(Kind::Fleeting, fence).await?.commit_with(settle, &params).await.map(drop)
    }

    async fn withdraw(&self, fence: Fence, attempt: i64, key: [u8; 32]) -> Result<(), PgError> {
        let withdraw = "insert into push_record (account, key, time, is_open, attempt) \
                        values ($1, $2, extract(epoch from now())::bigint, false, $3) \
                        on conflict (account, key) do update set is_open = false, attempt = excluded.attempt, \
                            record = case when $4 then null else push_record.record end \
                            where push_record.attempt < excluded.attempt";
        let params = [
            (&fence.account as _, Type::INT8),
            (&&key[..] as _, Type::BYTEA),
            (&attempt as _, Type::INT8),
            (&PushRecord::is_unkeyed(&key) as _, Type::BOOL),
        ];
        self.begin_fenced(Kind::Durable, fence).await?.commit_with(withdraw, &params).await.map(drop)
    }
}

pub(super) async fn all(pool: &Pool, account: i64) -> Result<Vec<PushRecord>, PgError> {
    let find = "select key, record, is_open from push_record where account = $1 and record is not null";
    let rows = pool.begin_reading().await?.commit_with(find, &[(&account, Type::INT8)]).await?;
    rows.iter().map(record_in).collect()
}

/// Deletes old records, except those of pushes whose outcome is unknown.
pub(super) async fn forget_old(transaction: &mut Transaction<'_>) -> Result<(), PgError> {
    let forget = format!(
        "delete from push_record where not is_open and time < extract(epoch from now()) - {RECORD_LIFE}"
    );
    transaction.batch(&forget).await
}
