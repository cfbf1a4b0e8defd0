//! What the command line changes beside a server: written down in its audit log, where there is one.

use headless_wallet::store::{Stores, write_audit};
use serde_json::{Map, Value};
use std::error::Error;

/// Carries out what changes something, and writes down what was asked and what came of it, as a server does.
/// A log that is there is added to whatever the settings say: they need not be known here.
pub async fn audited<T, E: Into<Box<dyn Error>>>(
    stores: &dyn Stores,
    is_on: bool,
    operation: &str,
    about: &[(&str, &str)],
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, Box<dyn Error>> {
    let log = match stores.audit_log() {
        Some(log) if is_on || log.head().await?.count > 0 => log,
        _ => return work.await.map_err(Into::into),
    };
    let mut entry = Map::new();
    entry.insert("who".to_owned(), "(command line)".into());
    #[cfg(unix)]
    entry.insert("uid".to_owned(), rustix::process::getuid().as_raw().into());
    entry.insert("operation".to_owned(), operation.into());
    entry.extend(about.iter().map(|(member, text)| ((*member).to_owned(), Value::from(*text))));
    let asked = write_audit(log, "asked", entry).await?;
    let done = work.await.map_err(Into::into);
    let mut entry = Map::new();
    entry.insert("of".to_owned(), asked.count.into());
    entry.insert("success".to_owned(), done.is_ok().into());
    write_audit(log, "answered", entry).await?;
    done
}
