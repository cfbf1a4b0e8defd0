//! Where a server keeps its data: the flags of commands that look after it, beside a server that runs
//! or without one.

use super::Usage;
use clap::Args;
use headless_wallet::ledger::Network;
use headless_wallet::rt;
use headless_wallet::server::{Config, ConfigError, Layer, Origin, Setting};
use headless_wallet::store::{Accounts, Documents, Stores, write_audit};
use headless_wallet::trusted_file::Role;
use serde_json::{Map, Value};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Settings that say where, as `serve` has them.
#[derive(Args)]
pub struct PlaceArgs {
    /// Reads the settings from this TOML file.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Where it is kept: the setting `data_dir`.
    #[arg(long, value_name = "DIR")]
    data_dir: Option<String>,
    /// The database where it is kept: the setting `store`. One with a password is better given as
    /// HEADLESS_STORE: other users of this machine can see flags.
    #[arg(long, value_name = "URL")]
    store: Option<String>,
}

/// What to do where no place is named.
pub const NO_PLACE: Usage = Usage("say where the server keeps its data: --data-dir, --store or --config");

impl PlaceArgs {
    /// The server's store, for what makes nothing: a slip in its name is found, and no directory made of it.
    pub fn stores_there(&self) -> Result<Arc<dyn Stores>, Box<dyn Error>> {
        let config = self.settings()?;
        Ok(stores_there(&config, Role::Tool)?.ok_or(NO_PLACE)?)
    }

    /// The server's store, for what makes nothing.
    pub fn kept(&self) -> Result<Kept, Box<dyn Error>> {
        Ok(Kept::there(&self.settings()?)?.ok_or(NO_PLACE)?)
    }

    /// All settings: file, environment, flags.
    pub fn settings(&self) -> Result<Config, ConfigError> {
        Config::from_layers(self.layers()?)
    }

    /// The server's network, if the settings say so: a directory does not.
    pub fn network(&self) -> Result<Option<Network>, Box<dyn Error>> {
        let is_said = self.layers()?.iter().any(|layer| layer.get(Setting::Network).is_some());
        Ok(if is_said { Some(self.settings()?.network) } else { None })
    }

    fn layers(&self) -> Result<Vec<Layer>, ConfigError> {
        let given =
            [(Setting::DataDir, "--data-dir", &self.data_dir), (Setting::Store, "--store", &self.store)];
        layers(self.config.as_deref(), flags(given))
    }
}

/// Settings in layers, of which later ones win: the file, the environment, and flags.
pub fn layers(file: Option<&Path>, flags: Layer) -> Result<Vec<Layer>, ConfigError> {
    let file = file.map(Layer::file).transpose()?;
    Ok(file.into_iter().chain([environment()?, flags]).collect())
}

/// The settings that these flags give.
pub fn flags<const N: usize>(given: [(Setting, &str, &Option<String>); N]) -> Layer {
    let mut flags = Layer::default();
    for (setting, flag, value) in given {
        if let Some(value) = value {
            flags.set(setting, value, Origin::Flag(flag.to_owned()));
        }
    }
    flags
}

/// The settings that the environment has.
pub fn environment() -> Result<Layer, ConfigError> {
    let variables = std::env::vars_os();
    Layer::environment(
        variables.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
    )
}

/// The store of these settings, if they name one, for what makes nothing.
pub fn stores_there(config: &Config, role: Role) -> Result<Option<Arc<dyn Stores>>, Box<dyn Error>> {
    if let Some(dir) = &config.data_dir {
        #[cfg(unix)]
        check_owner(dir)?;
        if !dir.is_dir() {
            return Err(format!("there is no directory {}", dir.display()).into());
        }
    }
    Ok(config.stores(role)?)
}

// Whose a server's directory is: what is in it is for its user alone.

/// Refuses a directory that is another user's, and that this one may not read.
#[cfg(unix)]
fn check_owner(dir: &std::path::Path) -> Result<(), String> {
    use headless_wallet::trusted_file::user;
    use std::os::unix::fs::MetadataExt;
    let denied = |result: &std::io::Result<()>| {
        result.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::PermissionDenied)
    };
    if !denied(&readable(dir)) {
        return Ok(());
    }
    let own = rustix::process::geteuid().as_raw();
    Err(match std::fs::metadata(dir) {
        Ok(about) if about.uid() != own => format!(
            "{} belongs to {}, and this is {}, who may not read it: run this as the user of the server (sudo -u)",
            dir.display(),
            user(about.uid()),
            user(own)
        ),
        Ok(_) => format!("{} holds what this user, {}, may not read", dir.display(), user(own)),
        Err(_) => format!(
            "{} is in a directory that this user, {}, may not enter: run this as the user of the server (sudo -u)",
            dir.display(),
            user(own)
        ),
    })
}

/// Whether the directory, and each file of it, can be read.
#[cfg(unix)]
fn readable(dir: &std::path::Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_file() {
            std::fs::File::open(path)?;
        }
    }
    Ok(())
}

/// The store of a server, which its commands look after.
pub struct Kept {
    stores: Arc<dyn Stores>,
    /// Whether the settings ask for an audit log.
    is_audited: bool,
}

impl Kept {
    /// The one that these settings name, if they do; made if it is not there.
    pub fn made(config: &Config) -> Result<Option<Self>, Box<dyn Error>> {
        let is_audited = config.audit_log;
        Ok(config.stores(Role::Tool)?.map(|stores| Self { stores, is_audited }))
    }

    /// The same, for what makes nothing.
    pub fn there(config: &Config) -> Result<Option<Self>, Box<dyn Error>> {
        let is_audited = config.audit_log;
        Ok(stores_there(config, Role::Tool)?.map(|stores| Self { stores, is_audited }))
    }

    /// Its accounts, where several servers can have them.
    pub fn accounts(&self) -> Option<&dyn Accounts> {
        self.stores.accounts()
    }

    /// Its documents, where `what` is kept.
    pub fn documents(&self, what: &str) -> Result<&dyn Documents, Box<dyn Error>> {
        self.stores.documents().ok_or_else(|| format!("the server's store keeps no {what}").into())
    }

    /// Carries out what changes something, and writes down what was asked and what came of it, as a server
    /// does. A log that is there is added to whatever the settings say: they need not be known here.
    pub async fn audited<T, E: Into<Box<dyn Error>>>(
        &self,
        operation: &str,
        about: &[(&str, &str)],
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Box<dyn Error>> {
        let log = match self.stores.audit_log() {
            Some(log) if self.is_audited || log.head().await?.count > 0 => log,
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
}

/// Unix seconds, as documents have them.
pub fn now() -> u64 {
    rt::unix_seconds().into()
}
