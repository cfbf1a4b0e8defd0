//! The tables that servers share: what is reserved, and what was recorded before it was pushed.

use super::error::PgError;
use super::pool::{DURABLY, Pool, Transaction};
use super::push_records::forget_before;
use super::servers::{IS_OPEN, Lease, tell_of};
use crate::store::{
    ClusterNews, OpenPush, PushOutcome, PushRecord, RECORD_LIFE, RecordError, Recorded, Reserved, SendId,
    SharedClaim,
};
use tokio_postgres::Row;
use tokio_postgres::types::Type;

/// How often a reservation is tried anew when its lease has ended, or what was in the way is gone.
const TRIES: usize = 3;

/// Reserves all claims or nothing.
pub(super) async fn reserve(
    pool: &Pool,
    lease: &Lease,
    wallet: i64,
    send: SendId,
    claims: &[SharedClaim],
) -> Result<Reserved, PgError> {
    let mut claims: Vec<Vec<u8>> = claims.iter().map(|claim| claim.to_bytes()).collect();
    // In one order, so that no two servers wait for each other.
    claims.sort();
    claims.dedup();
    for _ in 0..TRIES {
        let server = lease.id(pool).await?;
        let transaction = pool.begin().await?;
        let insert = "with lease as (select id from server where id = $4 and expires_at > clock_timestamp()), \
                      gained as (insert into reservation (wallet, claim, send, server) \
                          select $1, claim, $3, lease.id from lease, unnest($2) as wanted (claim) order by claim \
                          on conflict do nothing returning 1) \
                      select (select count(*) from lease), (select count(*) from gained)";
        let params = [
            (&wallet as _, Type::INT8),
            (&claims as _, Type::BYTEA_ARRAY),
            (&&send.0[..] as _, Type::BYTEA),
            (&server as _, Type::INT8),
        ];
        let row = transaction.query_one(insert, &params).await?;
        if row.get::<_, i64>(0) == 0 {
            lease.ended(server);
            transaction.roll_back().await?;
            continue;
        }
        if usize::try_from(row.get::<_, i64>(1)).is_ok_and(|gained| gained == claims.len()) {
            transaction.commit().await?;
            return Ok(Reserved::All);
        }
        transaction.roll_back().await?;
        let taken = taken(pool, wallet, server, &claims).await?;
        if taken.iter().any(|claim| claims.contains(&claim.to_bytes())) {
            return Ok(Reserved::Taken(taken));
        }
    }
    Ok(Reserved::Taken(claims.iter().filter_map(|claim| SharedClaim::from_bytes(claim)).collect()))
}

/// What sends of other servers have, what was recorded and not settled, and which of `wanted` anybody has.
async fn taken(
    pool: &Pool,
    wallet: i64,
    server: i64,
    wanted: &[Vec<u8>],
) -> Result<Vec<SharedClaim>, PgError> {
    let reading = pool.begin_reading().await?;
    let rows = reading
        .query(
            "select claim from reservation where wallet = $1 \
             and (state = 0 and server <> $2 or state = 1 or claim = any($3))",
            &[(&wallet, Type::INT8), (&server, Type::INT8), (&wanted, Type::BYTEA_ARRAY)],
        )
        .await?;
    reading.commit().await?;
    claims_in(&rows)
}

fn claims_in(rows: &[Row]) -> Result<Vec<SharedClaim>, PgError> {
    let claims = rows.iter().map(|row| SharedClaim::from_bytes(row.get(0)));
    claims.collect::<Option<_>>().ok_or_else(|| RecordError::Damaged.into())
}

/// Records what is about to be pushed, if all of its claims stand, and the lease.
pub(super) async fn record(
    pool: &Pool,
    server: i64,
    wallet: i64,
    send: SendId,
    claims: usize,
    record: &PushRecord,
    instead_of: Option<[u8; 32]>,
) -> Result<Recorded, PgError> {
    let transaction = pool.begin().await?;
    transaction.batch(DURABLY).await?;
    if !still_stand(&transaction, server, wallet, send, claims).await? {
        transaction.roll_back().await?;
        return Ok(Recorded::Lost);
    }
    let insert = "insert into push_record (wallet, key, time, record, mark, send, server, state) \
                  values ($1, $2, $3, $4, $5, $6, $7, 1) \
                  on conflict (wallet, key) do update set time = excluded.time, record = excluded.record, \
                      mark = excluded.mark, send = excluded.send, server = excluded.server, state = 1, \
                      news = null, at = now() \
                  where push_record.send = excluded.send or push_record.mark = $8 or push_record.time < $9";
    let (time, too_old) = (i64::from(record.time), i64::from(record.time.saturating_sub(RECORD_LIFE)));
    let (encoded, mark) = (record.encode(), record.mark());
    let instead_of = instead_of.as_ref().map(|mark| &mark[..]);
    let params = [
        (&wallet as _, Type::INT8),
        (&&record.key[..] as _, Type::BYTEA),
        (&time as _, Type::INT8),
        (&encoded as _, Type::BYTEA),
        (&&mark[..] as _, Type::BYTEA),
        (&&send.0[..] as _, Type::BYTEA),
        (&server as _, Type::INT8),
        (&instead_of as _, Type::BYTEA),
        (&too_old as _, Type::INT8),
    ];
    if transaction.execute(insert, &params).await? == 0 {
        transaction.roll_back().await?;
        return Ok(Recorded::Outrun);
    }
    forget_before(&transaction, wallet, too_old).await?;
    transaction.commit().await?;
    Ok(Recorded::Kept)
}

/// Marks a send's claims as recorded, which keeps them from being freed, if they and the lease stand.
async fn still_stand(
    transaction: &Transaction<'_>,
    server: i64,
    wallet: i64,
    send: SendId,
    claims: usize,
) -> Result<bool, PgError> {
    let lease = "select 1 from server where id = $1 and expires_at > clock_timestamp()";
    if transaction.query_opt(lease, &[(&server, Type::INT8)]).await?.is_none() {
        return Ok(false);
    }
    let mark = "update reservation set state = 1, at = now() where wallet = $1 and send = $2 and state < 2";
    let params = [(&wallet as _, Type::INT8), (&&send.0[..] as _, Type::BYTEA)];
    let marked = transaction.execute(mark, &params).await?;
    Ok(usize::try_from(marked).is_ok_and(|marked| marked == claims))
}

/// Tells all servers what became of a push.
pub(super) async fn settle(
    pool: &Pool,
    wallet: i64,
    send: SendId,
    outcome: PushOutcome,
) -> Result<(), PgError> {
    let transaction = pool.begin().await?;
    let of_send = [(&wallet as _, Type::INT8), (&&send.0[..] as _, Type::BYTEA)];
    match outcome {
        PushOutcome::Pushed => {
            let keep = "update reservation set state = 2, at = now() where wallet = $1 and send = $2";
            transaction.execute(keep, &of_send).await?;
            let news = tell_of(&transaction, wallet).await?;
            let pushed = "update push_record set state = 2, news = $3 where wallet = $1 and send = $2";
            let params = [of_send[0].clone(), of_send[1].clone(), (&news as _, Type::INT8)];
            transaction.execute(pushed, &params).await?;
            // By now every server has heard of it from its node.
            let old =
                "delete from reservation where wallet = $1 and state = 2 and at < now() - interval '1 day'";
            transaction.execute(old, &of_send[..1]).await?;
        }
        PushOutcome::Refused => {
            let free = "delete from reservation where wallet = $1 and send = $2";
            transaction.execute(free, &of_send).await?;
            // A repetition of the request looks for it on the ledger all the same.
            let refused = "update push_record set state = null where wallet = $1 and send = $2";
            transaction.execute(refused, &of_send).await?;
            tell_of(&transaction, wallet).await?;
        }
    }
    transaction.commit().await
}

/// What happened since some news, or in the last minutes.
pub(super) async fn news(
    pool: &Pool,
    server: i64,
    wallet: i64,
    after: Option<u64>,
) -> Result<ClusterNews, PgError> {
    let reading = pool.begin_reading().await?;
    let wallet = (&wallet as _, Type::INT8);
    let latest = "select coalesce(max(seq), 0) from news where wallet = $1";
    let seq: i64 = reading.query_one(latest, std::slice::from_ref(&wallet)).await?.get(0);
    let rows = match after {
        Some(after) => {
            let after = i64::try_from(after).unwrap_or(i64::MAX);
            let since = "select key, record from push_record where wallet = $1 and state = 2 and news > $2 order by news";
            reading.query(since, &[wallet.clone(), (&after, Type::INT8)]).await?
        }
        None => {
            let lately = "select key, record from push_record where wallet = $1 and state = 2 \
                          and at > now() - interval '10 min' order by news";
            reading.query(lately, std::slice::from_ref(&wallet)).await?
        }
    };
    let claims =
        "select claim from reservation where wallet = $1 and (state = 0 and server <> $2 or state = 1)";
    let claims = reading.query(claims, &[wallet, (&server, Type::INT8)]).await?;
    reading.commit().await?;
    let pushed = rows.iter().map(|row| Ok(record_in(row)?.transaction)).collect::<Result<_, PgError>>()?;
    Ok(ClusterNews { seq: seq.try_into().unwrap_or_default(), pushed, claims: claims_in(&claims)? })
}

fn record_in(row: &Row) -> Result<PushRecord, PgError> {
    let key = row.get::<_, &[u8]>(0).try_into().map_err(|_| RecordError::Damaged)?;
    Ok(PushRecord::decode(key, row.get(1))?)
}

/// Pushes that are to be brought to their end.
pub(super) async fn open_pushes(pool: &Pool, wallet: i64) -> Result<Vec<OpenPush>, PgError> {
    let reading = pool.begin_reading().await?;
    let open = format!(
        "select key, record, send from push_record where wallet = $1 and {IS_OPEN} order by at limit 100"
    );
    let rows = reading.query(&open, &[(&wallet, Type::INT8)]).await?;
    reading.commit().await?;
    let open = |row: &Row| {
        let send = SendId(row.get::<_, &[u8]>(2).try_into().map_err(|_| RecordError::Damaged)?);
        Ok(OpenPush { send, transaction: record_in(row)?.transaction })
    };
    rows.iter().map(open).collect()
}
