//! Freeing what sends had reserved and what is too old, and telling all servers that there is something new.

use super::error::PgError;
use super::lease::IS_GONE;
use super::pool::{Pool, Transaction};
use crate::store::{RECORD_LIFE, SendId};
use tokio_postgres::types::Type;

/// Frees what was reserved and not recorded by servers that are gone. What somebody else is at is left for
/// the next time.
pub(super) async fn free_what_is_left(pool: &Pool) -> Result<(), PgError> {
    let mut transaction = pool.begin().await?;
    let free = format!(
        "delete from reservation where (wallet, claim) in (\
             select wallet, claim from reservation \
             where state = 0 and {IS_GONE} \
             for update skip locked) returning wallet"
    );
    let freed = transaction.query(&free, &[]).await?;
    let wallets: Vec<i64> = freed.iter().map(|row| row.get(0)).collect();
    tell(&mut transaction, wallets).await?;
    transaction.commit().await
}

/// Lets go the key locks of servers that are gone, and what is a day old: servers that are gone, reservations
/// of what was pushed (every server has heard of it from its node by now), records that count no more, and
/// outputs that were unlocked.
pub(super) async fn tidy(pool: &Pool) -> Result<(), PgError> {
    let mut transaction = pool.begin_fleeting().await?;
    let old = format!(
        "delete from server where expires_at < now() - interval '1 day'; \
         delete from reservation where state = 2 and at < now() - interval '1 day'; \
         delete from push_record where state is distinct from 1 \
             and time < extract(epoch from now()) - {RECORD_LIFE}; \
         delete from locked_output where until = 0 and at < now() - interval '1 day'; \
         delete from held_id where server not in (select id from server); \
         delete from key_lock where server not in (select id from server where expires_at > clock_timestamp())"
    );
    transaction.batch(&old).await?;
    transaction.commit().await
}

/// Frees what sends have reserved and not recorded.
pub(super) async fn release(pool: &Pool, sends: &[SendId]) -> Result<(), PgError> {
    let sends: Vec<&[u8]> = sends.iter().map(|send| &send.0[..]).collect();
    let mut transaction = pool.begin().await?;
    let release = "delete from reservation where send = any($1) and state = 0 returning wallet";
    let freed = transaction.query(release, &[(&sends, Type::BYTEA_ARRAY)]).await?;
    tell(&mut transaction, freed.iter().map(|row| row.get(0)).collect()).await?;
    transaction.commit().await
}

/// Has all servers find out what became of pushes.
pub(super) async fn disown(pool: &Pool, sends: &[SendId]) -> Result<(), PgError> {
    let sends: Vec<&[u8]> = sends.iter().map(|send| &send.0[..]).collect();
    let disown = "update push_record set server = null where send = any($1) and state = 1";
    pool.begin_fleeting().await?.commit_with(disown, &[(&sends, Type::BYTEA_ARRAY)]).await.map(drop)
}

/// Lets all servers know that there is something new. In the order of the wallets, so that no two of them
/// wait for each other.
pub(super) async fn tell(transaction: &mut Transaction<'_>, mut wallets: Vec<i64>) -> Result<(), PgError> {
    wallets.sort_unstable();
    wallets.dedup();
    for wallet in wallets {
        tell_of(transaction, wallet).await?;
    }
    Ok(())
}

/// The same of one wallet. Gives the number of the news.
pub(super) async fn tell_of(transaction: &mut Transaction<'_>, wallet: i64) -> Result<i64, PgError> {
    let tell = "insert into news (wallet, seq) values ($1, 1) \
                on conflict (wallet) do update set seq = news.seq + 1 returning seq";
    Ok(transaction.query_one(tell, &[(&wallet, Type::INT8)]).await?.get(0))
}
