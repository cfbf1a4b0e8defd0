//! What servers tell each other of a wallet: each news has a number.

use super::cluster::{claims_in, record_in};
use super::error::PgError;
use super::others;
use super::pool::{Pool, Transaction};
use crate::ledger::{Outpoint, VertexId};
use crate::store::{ClusterNews, RecordError, SharedAddresses};
use crate::wallet::ChangeSet;
use tokio_postgres::Row;
use tokio_postgres::types::Type;

/// What happened since some news, or in the last minutes.
pub(super) async fn read(
    pool: &Pool,
    server: i64,
    id: i64,
    after: Option<u64>,
) -> Result<ClusterNews, PgError> {
    let mut reading = pool.begin_reading().await?;
    let wallet = (&id as _, Type::INT8);
    let latest = "select seq, current_index, address_count, locks, swaps from news where wallet = $1";
    let latest = reading.query_opt(latest, std::slice::from_ref(&wallet)).await?;
    let [seq, current, end, locks_changed, swaps_changed] =
        latest.map_or([0; 5], |row| [0, 1, 2, 3, 4].map(|column| row.get(column)));
    let since = after.map_or(-1, |after| i64::try_from(after).unwrap_or(i64::MAX));
    let rows = match after {
        Some(_) => {
            let pushed = "select key, record from push_record where wallet = $1 and state = 2 and news > $2 order by news";
            reading.query(pushed, &[wallet.clone(), (&since, Type::INT8)]).await?
        }
        None => {
            let lately = "select key, record from push_record where wallet = $1 and state = 2 \
                          and at > now() - interval '10 min' order by news";
            reading.query(lately, std::slice::from_ref(&wallet)).await?
        }
    };
    let locks = if locks_changed > since {
        let locks = "select tx, index, until from locked_output where wallet = $1 and news > $2";
        locks_in(&reading.query(locks, &[wallet.clone(), (&since, Type::INT8)]).await?)?
    } else {
        Vec::new()
    };
    let swap_parts = match swaps_changed > since && swaps_changed > 0 {
        true => Some(others::swap_parts(&mut reading, id).await?),
        false => None,
    };
    let claims = "select claim from reservation \
         where wallet = $1 and state < 2 and (state = 0 and server <> $2 or state = 1)";
    let claims = reading.commit_with(claims, &[wallet, (&server, Type::INT8)]).await?;
    let pushed = rows.iter().map(|row| Ok(record_in(row)?.transaction)).collect::<Result<_, PgError>>()?;
    let addresses = SharedAddresses { current: index(current)?, end: index(end)? };
    Ok(ClusterNews { seq: number(seq), pushed, claims: claims_in(&claims)?, addresses, locks, swap_parts })
}

fn locks_in(rows: &[Row]) -> Result<Vec<(Outpoint, Option<u32>)>, PgError> {
    let lock = |row: &Row| {
        let tx = VertexId(row.get::<_, &[u8]>(0).try_into().map_err(|_| RecordError::Damaged)?);
        let output = row.get::<_, i16>(1).try_into().map_err(|_| RecordError::Damaged)?;
        let until = index(row.get(2))?;
        Ok((Outpoint { tx, index: output }, Some(until).filter(|until| *until > 0)))
    };
    rows.iter().map(lock).collect()
}

fn index(stored: i64) -> Result<u32, PgError> {
    stored.try_into().map_err(|_| RecordError::Damaged.into())
}

fn number(seq: i64) -> u64 {
    seq.try_into().unwrap_or_default()
}

/// The number of the last news.
pub(super) async fn latest(pool: &Pool, wallet: i64) -> Result<u64, PgError> {
    let latest = "select seq from news where wallet = $1";
    let rows = pool.begin_reading().await?.commit_with(latest, &[(&wallet, Type::INT8)]).await?;
    Ok(rows.first().map_or(0, |row| number(row.get(0))))
}

/// Has the next news have a number above this one.
pub(super) async fn raise(pool: &Pool, wallet: i64, told: u64) -> Result<(), PgError> {
    let told = i64::try_from(told).unwrap_or(i64::MAX);
    let raise = "update news set seq = $2 where wallet = $1 and seq < $2";
    let mut transaction = pool.begin().await?;
    transaction.execute(raise, &[(&wallet, Type::INT8), (&told, Type::INT8)]).await?;
    transaction.commit().await
}

/// See [`crate::store::Cluster::take_address`].
pub(super) async fn take_address(
    pool: &Pool,
    wallet: i64,
    current: u32,
    most: u32,
) -> Result<(u32, u64), PgError> {
    let mut transaction = pool.begin_durable().await?;
    let params = [(&wallet as _, Type::INT8)];
    let begin = "insert into news (wallet, seq) values ($1, 1) on conflict do nothing";
    transaction.execute(begin, &params).await?;
    let find = "select current_index, address_count from news where wallet = $1 for update";
    let known = transaction.query_one(find, &params).await?;
    let most = most.max(index(known.get(1))?.saturating_sub(1));
    let taken = current.max(index(known.get(0))?).min(most);
    let next = i64::from(taken.saturating_add(1).min(most));
    let moved = "update news set seq = seq + 1, current_index = greatest(current_index, $2) where wallet = $1 \
                 returning seq";
    let params = [(&wallet as _, Type::INT8), (&next as _, Type::INT8)];
    let rows = transaction.commit_with(moved, &params).await?;
    Ok((taken, rows.first().map_or(0, |row| number(row.get(0)))))
}

/// Tells all servers what changes have of addresses, locks and swaps. Gives the number of the news, if there
/// is anything new.
pub(super) async fn tell_changes(
    transaction: &mut Transaction<'_>,
    wallet: i64,
    changes: &ChangeSet,
) -> Result<Option<i64>, PgError> {
    let has_locks = !changes.locked_outpoints.is_empty();
    let has_swaps = changes.swap_parts.is_some();
    if !has_locks && !has_swaps && changes.current_index.is_none() && changes.address_count.is_none() {
        return Ok(None);
    }
    let tell = "insert into news (wallet, seq, current_index, address_count, locks, swaps) \
                values ($1, 1, $2, $3, $4::int8, $5::int8) \
                on conflict (wallet) do update set seq = news.seq + 1, \
                    current_index = greatest(news.current_index, excluded.current_index), \
                    address_count = greatest(news.address_count, excluded.address_count), \
                    locks = case when $4 = 1 then news.seq + 1 else news.locks end, \
                    swaps = case when $5 = 1 then news.seq + 1 else news.swaps end \
                where $4 = 1 or $5 = 1 or news.current_index < excluded.current_index \
                    or news.address_count < excluded.address_count \
                returning seq";
    let current = i64::from(changes.current_index.unwrap_or(0));
    let end = i64::from(changes.address_count.unwrap_or(0));
    let (locks, swaps) = (i64::from(has_locks), i64::from(has_swaps));
    let params = [
        (&wallet as _, Type::INT8),
        (&current as _, Type::INT8),
        (&end as _, Type::INT8),
        (&locks as _, Type::INT8),
        (&swaps as _, Type::INT8),
    ];
    Ok(transaction.query_opt(tell, &params).await?.map(|row| row.get(0)))
}
