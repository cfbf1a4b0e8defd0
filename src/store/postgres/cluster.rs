//! The tables that servers share: what is reserved, and what was recorded before it was pushed.

use super::error::PgError;
use super::lease::{IS_OPEN, Lease};
use super::pool::Pool;
use super::statement::{byte_array, bytes, number_array};
use crate::ledger::{Outpoint, VertexId};
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
    let mut wanted: Vec<Vec<u8>> = claims.iter().map(|claim| claim.to_bytes()).collect();
    // In one order, so that no two servers wait for each other.
    wanted.sort();
    wanted.dedup();
    let outputs = if may_be_locked { Vec::new() } else { outputs_of(claims) };
    let lockable: Vec<&[u8]> = outputs.iter().map(|output| &output.tx.0[..]).collect();
    let send = bytes(&send.0);
    let of_claims = byte_array(wanted.iter().map(Vec::as_slice));
    let of_txs = byte_array(lockable.iter().copied());
    let of_indexes = number_array(outputs.iter().map(|output| output.index));
    for _ in 0..TRIES {
        let server = lease.id(pool).await?;
        let reserve = format!("reserve({wallet}, {send}, {server}, {of_claims}, {of_txs}, {of_indexes})");
        // What a crash of the database takes back of it is found missing before the push.
        if pool.begin().await?.call(&reserve).await? == "true" {
            return Ok(Reserved::All);
        }
        match taken(pool, wallet, server, claims, &wanted, &lockable).await? {
            None => lease.ended(server),
            Some(taken) if taken.iter().any(|taken| claims.contains(taken)) => {
                return Ok(Reserved::Taken(taken));
            }
            Some(_) => {}
        }
    }
    Ok(Reserved::Taken(claims.to_vec()))
}

/// Outputs that a user has locked, of some transactions.
const LOCKED: &str = "select tx, index from locked_output \
     where wallet = $1 and tx = any($2) and until > extract(epoch from now())";

fn outputs_of(claims: &[SharedClaim]) -> Vec<&Outpoint> {
    let outputs = claims.iter().filter_map(|claim| match claim {
        SharedClaim::Output(output) => Some(output),
        SharedClaim::Call { .. } => None,
    });
    outputs.collect()
}

/// Those of the claims that are among the locked outputs.
fn locked_of(claims: &[SharedClaim], locked: &[Row]) -> Result<Vec<SharedClaim>, PgError> {
    let locked = locked.iter().map(|row| {
        let tx = VertexId(row.get::<_, &[u8]>(0).try_into().map_err(|_| RecordError::Damaged)?);
        let index = row.get::<_, i16>(1).try_into().map_err(|_| RecordError::Damaged)?;
        Ok(SharedClaim::Output(Outpoint { tx, index }))
    });
    let mut locked = locked.collect::<Result<Vec<_>, RecordError>>()?;
    locked.retain(|locked| claims.contains(locked));
    Ok(locked)
}

/// What sends of other servers have, what was recorded and not settled, and which of `wanted` anybody has, or
/// has locked. `None` if this server's lease has ended.
async fn taken(
    pool: &Pool,
    wallet: i64,
    server: i64,
    wanted: &[SharedClaim],
    bytes: &[Vec<u8>],
    lockable: &[&[u8]],
) -> Result<Option<Vec<SharedClaim>>, PgError> {
    let mut reading = pool.begin_reading().await?;
    let stands = "select 1 from server where id = $1 and expires_at > clock_timestamp()";
    if reading.query_opt(stands, &[(&server, Type::INT8)]).await?.is_none() {
        reading.commit().await?;
        return Ok(None);
    }
    let taken = "select claim from reservation where wallet = $1 \
                 and (state = 0 and server <> $2 or state = 1 or claim = any($3))";
    let params = [(&wallet as _, Type::INT8), (&server as _, Type::INT8), (&bytes as _, Type::BYTEA_ARRAY)];
    let of_locked = [params[0].clone(), (&lockable as _, Type::BYTEA_ARRAY)];
    let [taken, locked] = reading.query_both([(taken, &params), (LOCKED, &of_locked)]).await?;
    reading.commit().await?;
    let mut taken = claims_in(&taken)?;
    taken.extend(locked_of(wanted, &locked)?);
    Ok(Some(taken))
}

pub(super) fn claims_in(rows: &[Row]) -> Result<Vec<SharedClaim>, PgError> {
    let claims = rows.iter().map(|row| SharedClaim::from_bytes(row.get(0)));
    claims.collect::<Option<_>>().ok_or_else(|| RecordError::Damaged.into())
}

/// What is about to be pushed.
pub(super) struct Push<'a> {
    pub(super) wallet: i64,
    pub(super) send: SendId,
    pub(super) claims: usize,
    pub(super) record: &'a PushRecord,
    pub(super) instead_of: Option<[u8; 32]>,
    /// The number under which its key is locked, if it is.
    pub(super) lock: Option<i64>,
}

/// Records what is about to be pushed, if all of its claims stand, the lock of its key, and the lease.
pub(super) async fn record(pool: &Pool, server: i64, push: &Push<'_>) -> Result<Recorded, PgError> {
    let Push { wallet, send, claims, record, instead_of, lock } = *push;
    let (time, too_old) = (record.time, record.time.saturating_sub(RECORD_LIFE));
    let (key, encoded, mark) = (bytes(&record.key), bytes(&record.encode()), bytes(&record.mark()));
    let (send, instead_of) = (bytes(&send.0), instead_of.map_or("null".to_owned(), |mark| bytes(&mark)));
    let lock = lock.map_or("null".to_owned(), |number| number.to_string());
    let record = format!(
        "record_push({wallet}, {key}, {time}, {encoded}, {mark}, {send}, {server}, {instead_of}, {too_old}, {claims}, {lock})"
    );
    let mut unanswered = None;
    let recorded = pool.begin().await?.call_noting(&record, &mut unanswered).await?;
    match (&*recorded, unanswered) {
        ("kept", _) => Ok(Recorded::Kept),
        ("outrun", _) => Ok(Recorded::Outrun),
        // It may have been recorded by then, or be recorded yet.
        (_, Some(error)) => Err(error),
        _ => Ok(Recorded::Lost),
    }
}

/// Tells all servers that a node has a push. If a crash of the database takes that back, the push is found
/// open and the same is found out again.
pub(super) async fn settle(pool: &Pool, wallet: i64, send: SendId) -> Result<u64, PgError> {
    let settle = format!("settle({wallet}, {}, true)", bytes(&send.0));
    Ok(pool.begin().await?.call(&settle).await?.parse().map_err(|_| RecordError::Damaged)?)
}

/// Takes a record back whose push no node has, unless another server may push it.
pub(super) async fn withdraw(pool: &Pool, server: i64, wallet: i64, send: SendId) -> Result<bool, PgError> {
    let withdraw = format!("withdraw({wallet}, {}, {server})", bytes(&send.0));
    Ok(pool.begin().await?.call(&withdraw).await? == "true")
}

/// Has this server bring a push to its end, if it is open and the same still. On a disk, so that no crash of
/// the database gives it back to who had recorded it, and may then say that it was not sent.
pub(super) async fn take_open(
    pool: &Pool,
    server: i64,
    wallet: i64,
    push: &OpenPush,
) -> Result<bool, PgError> {
    let take = format!(
        "update push_record set server = $4, at = now() \
         where wallet = $1 and send = $2 and mark = $3 and {IS_OPEN} returning 1"
    );
    let (send, mark) = (&push.send.0[..], push.mark());
    let mark = &mark[..];
    let params = [
        (&wallet as _, Type::INT8),
        (&send as _, Type::BYTEA),
        (&mark as _, Type::BYTEA),
        (&server as _, Type::INT8),
    ];
    Ok(!pool.begin_durable().await?.commit_with(&take, &params).await?.is_empty())
}

/// Tells all servers what became of a push that was found open, if it is the same still.
pub(super) async fn settle_open(
    pool: &Pool,
    wallet: i64,
    push: &OpenPush,
    outcome: PushOutcome,
) -> Result<Option<u64>, PgError> {
    let pushed = matches!(outcome, PushOutcome::Pushed);
    let (send, mark) = (bytes(&push.send.0), bytes(&push.mark()));
    let settle = format!("settle_open({wallet}, {send}, {pushed}, {mark})");
    let told: u64 = pool.begin().await?.call(&settle).await?.parse().map_err(|_| RecordError::Damaged)?;
    Ok((told > 0).then_some(told))
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
