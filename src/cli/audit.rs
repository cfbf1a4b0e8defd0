//! `headless-wallet audit`: the log of what was asked of a server and what came of it.

use super::place::PlaceArgs;
use super::{Done, say, tell};
use clap::{Args, Subcommand};
use headless_wallet::store::{AuditHead, AuditLog, Stores};
use std::error::Error;

const NONE: &str = "there is no audit log: a server with the setting audit_log = true writes one";

/// Lines that are read at a time.
const AT_ONCE: usize = 10_000;

/// What `audit` is asked to do.
#[derive(Args)]
#[command(
    after_help = "A server with the setting audit_log = true writes down whatever is asked of it beyond reading. Each line has the hash of \
the one before it (SHA-256 of its text), so nothing can be changed unnoticed by whoever knows the last hash: note it elsewhere from time \
to time (GET /metrics tells it, too), and give it to `verify --head`."
)]
pub struct AuditArgs {
    #[command(subcommand)]
    command: AuditCommand,
}

#[derive(Subcommand)]
enum AuditCommand {
    /// Check that every line of the log follows the one before it. Only --head shows whether lines were cut
    /// off at the end.
    Verify {
        /// A hash that was once the last one: it must still be in the log.
        #[arg(long, value_name = "HASH")]
        head: Option<String>,
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// Write the log to standard output, one JSON object per line.
    Export {
        /// Skips so many lines.
        #[arg(long, value_name = "N", default_value_t = 0)]
        after: u64,
        #[command(flatten)]
        place: PlaceArgs,
    },
}

pub async fn audit(args: AuditArgs) -> Done {
    match args.command {
        AuditCommand::Verify { head, place } => {
            verify(log_of(&*place.stores_there()?)?, head.as_deref()).await
        }
        AuditCommand::Export { mut after, place } => {
            let stores = place.stores_there()?;
            let log = log_of(&*stores)?;
            if log.head().await?.count == 0 {
                return Err(NONE.into());
            }
            loop {
                let lines = log.lines(after, AT_ONCE).await?;
                if lines.is_empty() {
                    return Ok(());
                }
                lines.iter().for_each(|line| say(line));
                after += lines.len() as u64;
            }
        }
    }
}

async fn verify(log: &dyn AuditLog, noted: Option<&str>) -> Done {
    if log.head().await?.count == 0 {
        return Err(NONE.into());
    }
    let mut head = AuditHead::default();
    // After which line the noted hash stands.
    let mut proven = None;
    loop {
        let lines = log.lines(head.count, AT_ONCE).await?;
        if lines.is_empty() {
            break;
        }
        for line in &lines {
            let next = head.with(line).ok_or_else(|| {
                format!(
                    "line {} does not follow the one before it: one of the two was changed",
                    head.count + 1
                )
            })?;
            head = next;
            if noted.is_some_and(|noted| noted.eq_ignore_ascii_case(&hex::encode(head.hash))) {
                proven = Some(head.count);
            }
        }
    }
    // Asked for before it is looked whether there are more: others may add to it meanwhile.
    let last = log.head().await?;
    let has_more = last.count > head.count && !log.lines(head.count, 1).await?.is_empty();
    if last != head && !has_more {
        return Err("the log does not match its recorded end: lines were dropped there, or changed".into());
    }
    if !has_more && log.has_rest().await? {
        return Err(format!(
            "after line {} there is a part of another one: it was being written at a crash (then nobody was told that it is kept, and \
             the next one takes its place), or was cut off",
            head.count
        )
        .into());
    }
    if noted.is_some() && proven.is_none() {
        return Err("the noted hash is not in the log: the log was changed, or lines were dropped".into());
    }
    say(&format!(
        "{} lines, and each follows the one before it; the last one's hash is {}",
        head.count,
        hex::encode(head.hash)
    ));
    if let Some(unproven) = unproven(head.count, proven) {
        tell(&format!("note: {unproven}"));
    }
    Ok(())
}

/// What the chain alone does not show: who can write the store can cut lines off its end, or make it anew.
fn unproven(count: u64, proven: Option<u64>) -> Option<String> {
    match proven {
        None => Some(format!(
            "without --head nothing shows that line {count} was the last one: lines after it may have been cut off, or all of them made anew. \
             Note the last hash elsewhere from time to time (GET /metrics: headless_wallet_audit_head_info; GET /wallet/events: audit:head), and \
             give it as --head HASH"
        )),
        Some(line) if line < count => Some(format!(
            "the hash that was noted is that of line {line}, which proves the lines up to it; the {} after it are unproven: give a later one as --head",
            count - line
        )),
        Some(_) => None,
    }
}

fn log_of(stores: &dyn Stores) -> Result<&dyn AuditLog, Box<dyn Error>> {
    stores.audit_log().ok_or_else(|| "the server's store keeps no audit log".into())
}
