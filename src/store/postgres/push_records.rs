//! The table of push records.

use super::cluster::record_in;
use super::error::PgError;
use super::pool::{Pool, Transaction};
use crate::store::{PushRecord, RECORD_LIFE};
use std::collections::BTreeMap;
use tokio_postgres::types::Type;

/// The record of a key.
pub(super) async fn read(pool: &Pool, wallet: i64, key: [u8; 32]) -> Result<Option<PushRecord>, PgError> {
    let find = "select record from push_record where wallet = $1 and key = $2";
    let params = [(&wallet as _, Type::INT8), (&&key[..] as _, Type::BYTEA)];
    let rows = pool.begin_reading().await?.commit_with(find, &params).await?;
    Ok(rows.first().map(|row| PushRecord::decode(key, row.get(0))).transpose()?)
}

/// All of a wallet.
pub(super) async fn all(pool: &Pool, wallet: i64) -> Result<Vec<PushRecord>, PgError> {
    let find = "select key, record from push_record where wallet = $1";
    let rows = pool.begin_reading().await?.commit_with(find, &[(&wallet, Type::INT8)]).await?;
    rows.iter().map(record_in).collect()
}

/// Keeps a record, unless there is another young one of its key: then it gives that one.
pub(super) async fn keep_first(
    pool: &Pool,
    wallet: i64,
    record: &PushRecord,
    instead_of: Option<[u8; 32]>,
) -> Result<Option<PushRecord>, PgError> {
    let insert = "insert into push_record (wallet, key, time, record, mark) values ($1, $2, $3, $4, $5) \
                  on conflict (wallet, key) do update set time = excluded.time, record = excluded.record, \
                      mark = excluded.mark \
                  where push_record.state is distinct from 1 \
                      and (push_record.mark in (excluded.mark, $7) or push_record.time < $6)";
    let (encoded, mark) = (record.encode(), record.mark());
    let (time, too_old) = (i64::from(record.time), i64::from(record.time.saturating_sub(RECORD_LIFE)));
    let instead_of = instead_of.as_ref().map(|mark| &mark[..]);
    let params = [
        (&wallet as _, Type::INT8),
        (&&record.key[..] as _, Type::BYTEA),
        (&time as _, Type::INT8),
        (&encoded as _, Type::BYTEA),
        (&&mark[..] as _, Type::BYTEA),
        (&too_old as _, Type::INT8),
        (&instead_of as _, Type::BYTEA),
    ];
    let mut transaction = pool.begin_durable().await?;
    if transaction.execute(insert, &params).await? == 1 {
        transaction.commit().await?;
        return Ok(None);
    }
    let find = "select record from push_record where wallet = $1 and key = $2";
    let rows = transaction.commit_with(find, &params[..2]).await?;
    Ok(rows.first().map(|row| PushRecord::decode(record.key, row.get(0))).transpose()?)
}

/// Keeps all of them or none, and lets go what is too old beside the newest of them.
pub(super) async fn write(pool: &Pool, wallet: i64, records: &[PushRecord]) -> Result<(), PgError> {
    // In the order of their keys, so that no two writers wait for each other; the last one of a key stands.
    let latest: BTreeMap<_, _> = records.iter().map(|record| (record.key, record)).collect();
    let Some(newest) = records.iter().map(|record| record.time).max() else { return Ok(()) };
    let keys: Vec<&[u8]> = latest.keys().map(|key| &key[..]).collect();
    let times: Vec<i64> = latest.values().map(|record| record.time.into()).collect();
    let encoded: Vec<Vec<u8>> = latest.values().map(|record| record.encode()).collect();
    let marks: Vec<[u8; 32]> = latest.values().map(|record| record.mark()).collect();
    let marks: Vec<&[u8]> = marks.iter().map(|mark| &mark[..]).collect();
    let insert = "insert into push_record (wallet, key, time, record, mark) \
                  select $1, key, time, record, mark from unnest($2, $3, $4, $5) as news (key, time, record, mark) \
                  on conflict (wallet, key) do update set time = excluded.time, record = excluded.record, \
                      mark = excluded.mark";
    let params = [
        (&wallet as _, Type::INT8),
        (&keys as _, Type::BYTEA_ARRAY),
        (&times as _, Type::INT8_ARRAY),
        (&encoded as _, Type::BYTEA_ARRAY),
        (&marks as _, Type::BYTEA_ARRAY),
    ];
    let mut transaction = pool.begin_durable().await?;
    transaction.execute(insert, &params).await?;
    forget_before(&mut transaction, wallet, newest.saturating_sub(RECORD_LIFE).into()).await?;
    transaction.commit().await
}

/// Lets records go that are older than a time, but for those of pushes whose outcome is not known.
pub(super) async fn forget_before(
    transaction: &mut Transaction<'_>,
    wallet: i64,
    time: i64,
) -> Result<(), PgError> {
    let expire = "delete from push_record where wallet = $1 and time < $2 and state is distinct from 1";
    transaction.execute(expire, &[(&wallet, Type::INT8), (&time, Type::INT8)]).await?;
    Ok(())
}
