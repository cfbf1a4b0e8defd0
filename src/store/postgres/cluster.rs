//! The tables that servers share: what is reserved, and what was recorded before it was pushed.

use super::error::PgError;
use super::lease::{IS_OPEN, Lease};
use super::pool::Pool;
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
    let mut bytes: Vec<Vec<u8>> = claims.iter().map(|claim| claim.to_bytes()).collect();
    // In one order, so that no two servers wait for each other.
    bytes.sort();
    bytes.dedup();
    let outputs = if may_be_locked { Vec::new() } else { outputs_of(claims) };
    let lockable: Vec<&[u8]> = outputs.iter().map(|output| &output.tx.0[..]).collect();
    let indexes: Vec<i16> = outputs.iter().map(|output| output.index.into()).collect();
    for _ in 0..TRIES {
        let server = lease.id(pool).await?;
        let params = [
            (&wallet as _, Type::INT8),
            (&&send.0[..] as _, Type::BYTEA),
            (&server as _, Type::INT8),
            (&bytes as _, Type::BYTEA_ARRAY),
            (&lockable as _, Type::BYTEA_ARRAY),
            (&indexes as _, Type::INT2_ARRAY),
        ];
        // What a crash of the database takes back of it is found missing before the push.
        let reserved = pool.begin().await?.call("reserve($1, $2, $3, $4, $5, $6)", &params).await?;
        if reserved.get(0) {
            return Ok(Reserved::All);
        }
        match taken(pool, wallet, server, claims, &bytes, &lockable).await? {
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
    let record = "record_push($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    match pool.begin().await?.call(record, &params).await?.get(0) {
        "kept" => Ok(Recorded::Kept),
        "outrun" => Ok(Recorded::Outrun),
        _ => Ok(Recorded::Lost),
    }
}

/// Tells all servers what became of a push. If a crash of the database takes that back, the push is found
/// open and the same is found out again.
pub(super) async fn settle(
    pool: &Pool,
    wallet: i64,
    send: SendId,
    outcome: PushOutcome,
) -> Result<u64, PgError> {
    let pushed = matches!(outcome, PushOutcome::Pushed);
    let params = [(&wallet as _, Type::INT8), (&&send.0[..] as _, Type::BYTEA), (&pushed as _, Type::BOOL)];
    let settled = pool.begin().await?.call("settle($1, $2, $3)", &params).await?;
    Ok(settled.get::<_, i64>(0).try_into().unwrap_or_default())
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
