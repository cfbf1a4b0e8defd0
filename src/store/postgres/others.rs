//! What a wallet's own row has: all of its changes but vertices and locks.

use super::error::PgError;
use super::pool::Transaction;
use crate::store::encode::FIRST_FORMAT;
use crate::store::{FORMAT, RecordError, decode_changes};
use crate::wallet::{ChangeSet, SwapPart};
use tokio_postgres::Row;
use tokio_postgres::types::Type;

/// What a wallet's row has, if this program can read it.
pub(super) fn others_in(row: &Row) -> Result<ChangeSet, PgError> {
    match u8::try_from(row.get::<_, i16>(0)) {
        Ok(FIRST_FORMAT..=FORMAT) => {}
        Ok(version) if version > FORMAT => return Err(RecordError::Newer(version).into()),
        _ => return Err(RecordError::Damaged.into()),
    }
    match row.get::<_, &[u8]>(1) {
        [] => Ok(ChangeSet::default()),
        record => Ok(decode_changes(record)?),
    }
}

/// What all servers have put into swaps.
pub(super) async fn swap_parts(reading: &mut Transaction<'_>, wallet: i64) -> Result<Vec<SwapPart>, PgError> {
    let others = "select format, others from wallet where id = $1";
    let row = reading.query_one(others, &[(&wallet, Type::INT8)]).await?;
    Ok(others_in(&row)?.swap_parts.unwrap_or_default())
}
