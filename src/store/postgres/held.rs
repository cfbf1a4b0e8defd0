//! The table of ids that servers hold for wallets which they alone can start.

use super::Inner;
use super::error::PgError;
use super::lease::Lease;
use super::pool::{Pool, Transaction};
use tokio_postgres::types::Type;

/// An id, and the name of the store of the wallet that it is to be.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct HeldId {
    pub(super) network: String,
    pub(super) name: String,
    pub(super) owner: String,
}

/// That another server than `$4` holds an id, `$1` and `$2`, for another wallet than `$3`, and lives.
const IS_ANOTHERS: &str = "select 1 from held_id where network = $1 and name = $2 and owner <> $3 \
     and server in (select id from server where id <> $4 and expires_at > clock_timestamp())";

/// Takes the turn of an id, among all servers, until the transaction ends.
pub(super) async fn take_turn(transaction: &mut Transaction<'_>, id: &HeldId) -> Result<(), PgError> {
    let turn = "select pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))";
    let params = [(&id.network as _, Type::TEXT), (&id.name as _, Type::TEXT)];
    transaction.query(turn, &params).await.map(drop)
}

/// Whether it is held for another wallet than its owner, by another server than this one.
pub(super) async fn is_anothers(
    transaction: &mut Transaction<'_>,
    id: &HeldId,
    server: i64,
) -> Result<bool, PgError> {
    let params = [
        (&id.network as _, Type::TEXT),
        (&id.name as _, Type::TEXT),
        (&id.owner as _, Type::TEXT),
        (&server as _, Type::INT8),
    ];
    Ok(transaction.query_opt(IS_ANOTHERS, &params).await?.is_some())
}

/// Holds an id, unless it is taken or held for another wallet.
pub(super) async fn hold(stores: &Inner, id: HeldId) -> Result<bool, PgError> {
    let server = stores.server.lease.id(&stores.pool).await?;
    let mut transaction = stores.pool.begin().await?;
    take_turn(&mut transaction, &id).await?;
    let started = "select 1 from started where network = $1 and name = $2";
    let params = [(&id.network as _, Type::TEXT), (&id.name as _, Type::TEXT)];
    if transaction.query_opt(started, &params).await?.is_some()
        || is_anothers(&mut transaction, &id, server).await?
    {
        transaction.roll_back().await?;
        return Ok(false);
    }
    insert(&mut transaction, server, &id).await?;
    transaction.commit().await?;
    stores.server.holds(id);
    Ok(true)
}

async fn insert(transaction: &mut Transaction<'_>, server: i64, id: &HeldId) -> Result<(), PgError> {
    let insert = "insert into held_id (network, name, owner, server) values ($1, $2, $3, $4) \
                  on conflict (network, name, server) do update set owner = excluded.owner";
    let params = [
        (&id.network as _, Type::TEXT),
        (&id.name as _, Type::TEXT),
        (&id.owner as _, Type::TEXT),
        (&server as _, Type::INT8),
    ];
    transaction.execute(insert, &params).await.map(drop)
}

/// Holds them under a new lease, too.
pub(super) async fn hold_again(pool: &Pool, server: i64, ids: &[HeldId]) -> Result<(), PgError> {
    let mut transaction = pool.begin().await?;
    for id in ids {
        if is_anothers(&mut transaction, id, server).await? {
            tracing::error!(
                "the id {:?} is another wallet's at another server, since this one was not heard of: stop one of the two",
                id.name
            );
        }
        insert(&mut transaction, server, id).await?;
    }
    transaction.commit().await
}

pub(super) async fn let_go(pool: &Pool, lease: &Lease, network: &str, name: &str) -> Result<(), PgError> {
    let delete = "delete from held_id where network = $1 and name = $2 and server = $3";
    let server = lease.now();
    let params = [(&network as _, Type::TEXT), (&name as _, Type::TEXT), (&server as _, Type::INT8)];
    pool.begin().await?.commit_with(delete, &params).await.map(drop)
}
