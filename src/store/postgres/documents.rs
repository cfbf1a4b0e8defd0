//! The table of documents.

use super::error::PgError;
use super::pool::Pool;
use crate::store::RecordError;
use crate::store::document::{Document, DocumentVersion, new_version};
use tokio_postgres::types::Type;

pub(super) async fn read(pool: &Pool, name: &str) -> Result<Option<Document>, PgError> {
    let find = "select version, text from document where name = $1";
    let row = pool.begin_reading().await?.commit_with(find, &[(&name, Type::TEXT)]).await?.pop();
    row.map(|row| Ok(Document { version: version_of(row.get(0))?, text: row.get(1) })).transpose()
}

pub(super) async fn version(pool: &Pool, name: &str) -> Result<Option<DocumentVersion>, PgError> {
    let find = " select version from document where name = $1";
    let row = pool.alone(&["document"], find, &[(&name, Type::TEXT)]).await?.pop();
    row.map(|row| version_of(row.get(0))).transpose()
}

/// Replaces a document if its version is still `before`.
pub(super) async fn replace(
    pool: &Pool,
    name: &str,
    before: Option<DocumentVersion>,
    text: &str,
) -> Result<bool, PgError> {
    let version = new_version().map_err(|_| PgError::Randomness)?;
    let (version, before) = (&version[..], before.as_ref().map(|before| &before[..]));
    let mut transaction = pool.begin_durable().await?;
    let statement = match before {
        Some(_) => "update document set version = $2, text = $3 where name = $1 and version = $4",
        None => {
            "insert into document (name, version, text) select $1, $2, $3 where $4::bytea is null on conflict do nothing"
        }
    };
    let params = [
        (&name as _, Type::TEXT),
        (&version as _, Type::BYTEA),
        (&text as _, Type::TEXT),
        (&before as _, Type::BYTEA),
    ];
    let rows = transaction.execute(statement, &params).await?;
    transaction.commit().await?;
    Ok(rows == 1)
}

fn version_of(bytes: &[u8]) -> Result<DocumentVersion, PgError> {
    Ok(bytes.try_into().map_err(|_| RecordError::Damaged)?)
}
