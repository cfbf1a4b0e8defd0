//! The table of keys that are locked, for requests of one key to wait for each other at all servers.

use super::error::PgError;
use super::lease::Lease;
use super::pool::Pool;
use super::statement::bytes;
use crate::store::{PushRecord, RecordError};
use tokio_postgres::types::Type;

/// How often it is tried anew when the lease has ended.
const TRIES: usize = 3;

/// One lock of a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyLock {
    pub(super) wallet: i64,
    pub(super) key: [u8; 32],
    /// Random: tells it from all others of all servers.
    pub(super) number: i64,
}

/// Locks a key, and gives its record as it is then; `None` if another server has locked it.
pub(super) async fn lock(
    pool: &Pool,
    lease: &Lease,
    lock: KeyLock,
) -> Result<Option<Option<PushRecord>>, PgError> {
    let KeyLock { wallet, key, number } = lock;
    for _ in 0..TRIES {
        let server = lease.id(pool).await?;
        let lock = format!("lock_key({wallet}, {}, {server}, {number})", bytes(&key));
        match &*pool.begin().await?.call(&lock).await? {
            "taken" => return Ok(None),
            "ended" => lease.ended(server),
            "none" => return Ok(Some(None)),
            record => {
                let record = hex::decode(record).map_err(|_| RecordError::Damaged)?;
                return Ok(Some(Some(PushRecord::decode(key, &record)?)));
            }
        }
    }
    Err(PgError::LeaseEnded)
}

/// Whether it is locked so still, under the lease that there is now, and nobody is pushing for it: servers of
/// before lock no keys.
pub(super) async fn is_locked(pool: &Pool, lease: &Lease, lock: KeyLock) -> Result<bool, PgError> {
    let KeyLock { wallet, key, number } = lock;
    let me = lease.now();
    let find = " select from key_lock join server on server.id = key_lock.server \
                 where wallet = $1 and key = $2 and number = $3 and server = $4 and expires_at > clock_timestamp() \
                     and not exists (select from push_record where wallet = $1 and key = $2 and state = 1)";
    let params = [
        (&wallet as _, Type::INT8),
        (&&key[..] as _, Type::BYTEA),
        (&number as _, Type::INT8),
        (&me as _, Type::INT8),
    ];
    Ok(!pool.alone(&["key_lock", "server", "push_record"], find, &params).await?.is_empty())
}

/// Lets other servers lock them.
pub(super) async fn unlock(pool: &Pool, locks: &[KeyLock]) -> Result<(), PgError> {
    let wallets: Vec<i64> = locks.iter().map(|lock| lock.wallet).collect();
    let keys: Vec<&[u8]> = locks.iter().map(|lock| &lock.key[..]).collect();
    let numbers: Vec<i64> = locks.iter().map(|lock| lock.number).collect();
    let unlock = "delete from key_lock using unnest($1, $2, $3) as ended (wallet, key, number) \
                  where key_lock.wallet = ended.wallet and key_lock.key = ended.key \
                      and key_lock.number = ended.number";
    let params = [
        (&wallets as _, Type::INT8_ARRAY),
        (&keys as _, Type::BYTEA_ARRAY),
        (&numbers as _, Type::INT8_ARRAY),
    ];
    pool.begin_fleeting().await?.commit_with(unlock, &params).await.map(drop)
}

/// Lets other servers lock what this one has locked some time ago, but for some numbers.
pub(super) async fn unlock_all_but(
    pool: &Pool,
    lease: &Lease,
    numbers: impl FnOnce() -> Vec<i64>,
) -> Result<(), PgError> {
    let server = lease.now();
    let mut transaction = pool.begin_fleeting().await?;
    // Its time is from here on that of the database: whatever is locked later is younger.
    transaction.query("select", &[]).await?;
    let numbers = numbers();
    let unlock =
        "delete from key_lock where server = $1 and not (number = any($2)) and at < now() - interval '2 s'";
    let params = [(&server as _, Type::INT8), (&numbers as _, Type::INT8_ARRAY)];
    transaction.commit_with(unlock, &params).await.map(drop)
}
