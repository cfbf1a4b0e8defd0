//! `headless-wallet store`: looking after what `--data-dir` keeps. No server may run on it meanwhile.

use super::{Done, say, tell};
use clap::{Args, Subcommand};
use headless_wallet::api::{Compat, HistoryEntry};
use headless_wallet::ledger::{Network, Vertex};
use headless_wallet::server::task_is_open;
use headless_wallet::store::{
    DataDir, Migrated, NamedStores, PostgresStores, RedbStore, migrate, migrate_audit_log, migrate_documents,
    migrate_spending,
};
use headless_wallet::trusted_file::Role;
use std::error::Error;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// What `store` is asked to do.
#[derive(Args)]
#[command(after_help = "Stop the server first: it locks the stores of its wallets.

A store is a copy of what the ledger says, and contains no seed and no key. If it is lost or damaged, the history is loaded \
again. It also keeps what was sent with an Idempotency-Key within the last day: without that, a repeated request sends \
again. Encrypted seeds and API keys are in other files of the same directory (*.document). These are not copies: back them up.

Of these commands, `migrate` alone is for a PostgreSQL database, too. That has tools of its own, such as pg_dump.")]
pub struct StoreArgs {
    #[command(subcommand)]
    command: StoreCommand,
}

#[derive(Subcommand)]
enum StoreCommand {
    /// Read every record and verify it.
    Check {
        #[command(flatten)]
        at: At,
    },
    /// Write the history to standard output, oldest first, one JSON object per line.
    Export {
        #[command(flatten)]
        at: At,
    },
    /// Copy all wallets from a directory to a PostgreSQL database, or back.
    ///
    /// What is kept of each: its history, locked outputs, what was sent with an Idempotency-Key, tasks,
    /// events and who was told of them. It is read again where it was taken to, and stays where it was. API
    /// keys, sealed words, what waits for approval, what was spent under limits and the audit log go along. A
    /// wallet that is there already with other contents is left alone, which is a failure: migrate to an
    /// empty place. Keys, sealed words and approvals that are there already are left alone, too.
    Migrate {
        /// From this directory, or postgres://… (with a password better in the environment).
        #[arg(long, value_name = "PLACE", env = "HEADLESS_MIGRATE_FROM")]
        from: String,
        /// To this directory, or postgres://….
        #[arg(long, value_name = "PLACE", env = "HEADLESS_MIGRATE_TO")]
        to: String,
    },
    /// Make the files as small as possible.
    Compact {
        #[command(flatten)]
        at: At,
    },
}

/// Where stores are.
#[derive(Args)]
#[group(required = true)]
struct At {
    /// A store, or a directory of stores.
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,
    /// The same: the server's --data-dir.
    #[arg(long, value_name = "DIR", conflicts_with = "path")]
    data_dir: Option<PathBuf>,
}

impl At {
    fn path(&self) -> Result<&Path, Box<dyn Error>> {
        let path = self.path.as_ref().or(self.data_dir.as_ref()).expect("one of them is asked for");
        // Not repeated: it may have a password.
        if path.to_string_lossy().contains("://") {
            return Err(
                "this is for the stores in a directory: a database has tools of its own, such as pg_dump"
                    .into(),
            );
        }
        Ok(path)
    }
}

pub async fn store(args: StoreArgs) -> Done {
    // A panic of redb's at a damaged file comes back as an error: that it was one is nothing to its reader.
    std::panic::set_hook(Box::new(|_| {}));
    match args.command {
        StoreCommand::Check { at } => each(at.path()?, check),
        StoreCommand::Export { at } => export(&only_one(at.path()?)?),
        StoreCommand::Compact { at } => each(at.path()?, compact),
        StoreCommand::Migrate { from, to } => migrate_all(&from, &to).await,
    }
}

/// The stores in a directory or a database.
fn stores_at(place: &str, must_be_there: bool) -> Result<Box<dyn NamedStores>, Box<dyn Error>> {
    if place.contains("://") {
        return Ok(Box::new(PostgresStores::new(place.parse()?)));
    }
    let path = Path::new(place);
    if must_be_there && !DataDir::has_documents_or_logs(path) {
        stores_in(path)?;
    }
    let dir = DataDir::used_by(Role::Tool, path).map_err(|error| format!("can't use {place}: {error}"))?;
    Ok(Box::new(dir))
}

async fn migrate_all(from: &str, to: &str) -> Done {
    let (from, to) = (stores_at(from, true)?, stores_at(to, false)?);
    // Looks whether servers run there.
    to.names().await?;
    let (names, mut failed) = (from.names().await?, 0);
    for name in &names {
        match migrate(name, &*from, &*to, task_is_open).await {
            Ok(Some(Migrated { vertices, push_records, tasks, events })) => say(&format!(
                "{name}: {vertices} transactions and blocks, {push_records} records of pushes, {tasks} tasks, \
                 {events} events"
            )),
            Ok(None) => say(&format!("{name}: is there already, and is left alone")),
            Err(failure) => {
                tell(&format!("error: {failure}"));
                failed += 1;
            }
        }
    }
    for (document, taken) in migrate_documents(&*from, &*to).await? {
        match taken {
            true => say(document),
            false => say(&format!("{document}: others are there already, and are left alone")),
        }
    }
    match migrate_spending(&*from, &*to).await? {
        0 => {}
        accounts => say(&format!("limits: what was spent under {accounts} of them")),
    }
    match migrate_audit_log(&*from, &*to).await? {
        0 => {}
        lines => say(&format!("audit log: {lines} lines")),
    }
    from.leave_all().await;
    to.leave_all().await;
    let all = names.len();
    if failed > 0 { Err(format!("{failed} of {all} wallets failed").into()) } else { Ok(()) }
}

/// Works on a store or on all of a directory; goes on after a failure, and fails at the end.
fn each(path: &Path, work: fn(&Path) -> Done) -> Done {
    if !path.is_dir() {
        return work(path);
    }
    let files = stores_in(path)?;
    let (all, mut failed) = (files.len(), 0);
    for file in files {
        if let Err(failure) = work(&file) {
            tell(&format!("error: {failure}"));
            failed += 1;
        }
    }
    if failed > 0 { Err(format!("{failed} of {all} stores failed").into()) } else { Ok(()) }
}

fn stores_in(path: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let files = DataDir::files(path).map_err(|error| format!("can't read {}: {error}", path.display()))?;
    if files.is_empty() {
        return Err(format!("there is no store in {}", path.display()).into());
    }
    Ok(files)
}

/// A store that was named, or that is alone in the directory that was.
fn only_one(path: &Path) -> Result<PathBuf, Box<dyn Error>> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    match <[PathBuf; 1]>::try_from(stores_in(path)?) {
        Ok([file]) => Ok(file),
        Err(files) => {
            let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
            Err(format!("there are several stores in {}: name one: {}", path.display(), names.join(", "))
                .into())
        }
    }
}

fn check(path: &Path) -> Done {
    let store = open(path)?;
    let kept = store.check()?;
    say(&format!(
        "{}: fine: {} transactions and blocks, {} addresses, best height {}",
        path.display(),
        kept.vertices.len(),
        kept.address_count.unwrap_or(0),
        kept.best_height.unwrap_or(0)
    ));
    Ok(())
}

fn compact(path: &Path) -> Done {
    open(path)?;
    let sizes = RedbStore::compact(path)?;
    say(&format!("{}: {} bytes, before {}", path.display(), sizes.after, sizes.before));
    Ok(())
}

fn export(path: &Path) -> Done {
    let store = open(path)?;
    let owner = store.owner()?;
    let network = [Network::Testnet, Network::Privatenet].into_iter().find(|n| owner.contains(n.name()));
    let network = network.unwrap_or(Network::Mainnet);
    let kept = store.read()?;
    let mut vertices: Vec<Vertex> = kept.history().collect();
    vertices.sort_by_key(|vertex| (vertex.timestamp, vertex.id));
    match write_lines(&vertices, network) {
        // Its reader has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

fn write_lines(vertices: &[Vertex], network: Network) -> std::io::Result<()> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    for vertex in vertices {
        // Release 0.39 shows blocks' heights and what confirmed a transaction, the documented interface does
        // not.
        serde_json::to_writer(&mut out, &HistoryEntry { vertex, network, compat: Compat::V0_39 })?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

fn open(path: &Path) -> Result<RedbStore, Box<dyn Error>> {
    if !path.is_file() {
        return Err(format!("there is no store at {}", path.display()).into());
    }
    Ok(RedbStore::open_any(path)?)
}
