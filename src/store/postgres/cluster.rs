//! The tables that servers share: what is reserved, and what was recorded before it was pushed.

use super::error::PgError;
use super::pool::Pool;
use super::servers::{IS_OPEN, Lease};
use crate::store::{
    OpenPush, PushOutcome, PushRecord, RECORD_LIFE, RecordError, Recorded, Reserved, SendId, SharedClaim,
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
    may_be_locked: bool,
) -> Result<Reserved, PgError> {
    let mut claims: Vec<Vec<u8>> = claims.iter().map(|claim| claim.to_bytes()).collect();
    // In one order, so that no two servers wait for each other.
    claims.sort();
    claims.dedup();
    for _ in 0..TRIES {
        let server = lease.id(pool).await?;
        // What a crash of the database takes back of it is found missing before the push.
        let mut transaction = pool.begin_fleeting().await?;
        let insert = "with lease as (select id from server where id = $4 and expires_at > clock_timestamp()), \
                      gained as (insert into reservation (wallet, claim, send, server) \
                          select $1, claim, $3, lease.id from lease, unnest($2) as wanted (claim) order by claim \
                          on conflict do nothing returning 1) \
                      select (select count(*) from lease), (select count(*) from gained)";
        // A statement of its own: what is locked was reserved until then, and its lock is seen once it is
        // not.
        let locked =
            format!("select count(*) from unnest($2) as wanted (claim) where not $3 and {IS_LOCKED}");
        let params = [
            (&wallet as _, Type::INT8),
            (&claims as _, Type::BYTEA_ARRAY),
            (&&send.0[..] as _, Type::BYTEA),
            (&server as _, Type::INT8),
        ];
        let of_locked = [params[0].clone(), params[1].clone(), (&may_be_locked as _, Type::BOOL)];
        let [row, locked] = transaction.query_both([(insert, &params), (&locked, &of_locked)]).await?;
        let ([row], [locked]) = (&row[..], &locked[..]) else { return Err(RecordError::Damaged.into()) };
        if row.get::<_, i64>(0) == 0 {
            lease.ended(server);
            transaction.roll_back().await?;
            continue;
        }
        let is_locked = locked.get::<_, i64>(0) > 0;
        if !is_locked && usize::try_from(row.get::<_, i64>(1)).is_ok_and(|gained| gained == claims.len()) {
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

/// Whether a claim is an output (its first byte says so) that a user has locked.
const IS_LOCKED: &str = "(get_byte(wanted.claim, 0) = 0 and exists (select 1 from locked_output \
     where locked_output.wallet = $1 and tx = substring(wanted.claim from 2 for 32) \
     and index = get_byte(wanted.claim, 33) and until > extract(epoch from now())))";

/// What sends of other servers have, what was recorded and not settled, and which of `wanted` anybody has, or
/// has locked.
async fn taken(
    pool: &Pool,
    wallet: i64,
    server: i64,
    wanted: &[Vec<u8>],
) -> Result<Vec<SharedClaim>, PgError> {
    let taken = format!(
        "select claim from reservation where wallet = $1 \
         and (state = 0 and server <> $2 or state = 1 or claim = any($3)) \
         union select claim from unnest($3) as wanted (claim) where {IS_LOCKED}"
    );
    let params = [(&wallet as _, Type::INT8), (&server as _, Type::INT8), (&wanted as _, Type::BYTEA_ARRAY)];
    claims_in(&pool.begin_reading().await?.commit_with(&taken, &params).await?)
}

pub(super) fn claims_in(rows: &[Row]) -> Result<Vec<SharedClaim>, PgError> {
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
    let mut transaction = pool.begin_durable().await?;
    // The claims are marked as recorded, which keeps them from being freed, if all of them and the lease
    // stand.
    let insert = "with lease as (select 1 from server where id = $7 and expires_at > clock_timestamp()), \
                  mine as (update reservation set state = 1, at = now() \
                      where wallet = $1 and send = $6 and state < 2 and exists (select 1 from lease) returning 1), \
                  kept as (insert into push_record (wallet, key, time, record, mark, send, server, state) \
                      select $1, $2, $3, $4, $5, $6, $7, 1 from lease where (select count(*) from mine) = $10 \
                      on conflict (wallet, key) do update set time = excluded.time, record = excluded.record, \
                          mark = excluded.mark, send = excluded.send, server = excluded.server, state = 1, \
                          news = null, at = now() \
                      where push_record.send = excluded.send or push_record.mark = $8 or push_record.time < $9 \
                      returning 1) \
                  select (select count(*) from lease), (select count(*) from mine), (select count(*) from kept)";
    let (time, too_old) = (i64::from(record.time), i64::from(record.time.saturating_sub(RECORD_LIFE)));
    let (encoded, mark) = (record.encode(), record.mark());
    let instead_of = instead_of.as_ref().map(|mark| &mark[..]);
    let claims = i64::try_from(claims).unwrap_or(i64::MAX);
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
        (&claims as _, Type::INT8),
    ];
    let row = transaction.query_one(insert, &params).await?;
    let (leases, mine, kept): (i64, i64, i64) = (row.get(0), row.get(1), row.get(2));
    if leases == 1 && mine == claims && kept == 1 {
        transaction.commit().await?;
        return Ok(Recorded::Kept);
    }
    transaction.roll_back().await?;
    Ok(if leases == 1 && mine == claims { Recorded::Outrun } else { Recorded::Lost })
}

/// Tells all servers what became of a push. If a crash of the database takes that back, the push is found
/// open and the same is found out again.
pub(super) async fn settle(
    pool: &Pool,
    wallet: i64,
    send: SendId,
    outcome: PushOutcome,
) -> Result<u64, PgError> {
    let of_send = [(&wallet as _, Type::INT8), (&&send.0[..] as _, Type::BYTEA)];
    let settle = match outcome {
        PushOutcome::Pushed => {
            "with told as (insert into news (wallet, seq) values ($1, 1) \
                 on conflict (wallet) do update set seq = news.seq + 1 returning seq), \
             kept as (update reservation set state = 2, at = now() where wallet = $1 and send = $2), \
             pushed as (update push_record set state = 2, news = (select seq from told) \
                 where wallet = $1 and send = $2) \
             select seq from told"
        }
        // A repetition of the request looks for it on the ledger all the same.
        PushOutcome::Refused => {
            "with freed as (delete from reservation where wallet = $1 and send = $2), \
             refused as (update push_record set state = null where wallet = $1 and send = $2) \
             insert into news (wallet, seq) values ($1, 1) \
                 on conflict (wallet) do update set seq = news.seq + 1 returning seq"
        }
    };
    let rows = pool.begin_fleeting().await?.commit_with(settle, &of_send).await?;
    let [row] = &rows[..] else { return Err(RecordError::Damaged.into()) };
    Ok(row.get::<_, i64>(0).try_into().unwrap_or_default())
}

pub(super) fn record_in(row: &Row) -> Result<PushRecord, PgError> {
    let key = row.get::<_, &[u8]>(0).try_into().map_err(|_| RecordError::Damaged)?;
    Ok(PushRecord::decode(key, row.get(1))?)
}

/// Pushes that are to be brought to their end.
pub(super) async fn open_pushes(pool: &Pool, wallet: i64) -> Result<Vec<OpenPush>, PgError> {
    let mut reading = pool.begin_reading().await?;
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
