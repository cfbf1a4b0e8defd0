//! Where a server keeps its data: the flags of commands that look after it, beside a server that runs
//! or without one.

use super::Usage;
#[cfg(unix)]
use super::owner;
use clap::Args;
use headless_wallet::ledger::Network;
use headless_wallet::server::{Config, ConfigError, Layer, Origin, Setting};
use headless_wallet::store::Stores;
use headless_wallet::trusted_file::Role;
use std::error::Error;
use std::path::PathBuf;
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
        let mut layers = Vec::new();
        if let Some(path) = &self.config {
            layers.push(Layer::file(path)?);
        }
        let variables = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        layers.push(Layer::environment(variables)?);
        let mut flags = Layer::default();
        let given =
            [(Setting::DataDir, "--data-dir", &self.data_dir), (Setting::Store, "--store", &self.store)];
        for (setting, flag, value) in given {
            if let Some(value) = value {
                flags.set(setting, value, Origin::Flag(flag.to_owned()));
            }
        }
        layers.push(flags);
        Ok(layers)
    }
}

/// The store of these settings, if they name one, for what makes nothing.
pub fn stores_there(config: &Config, role: Role) -> Result<Option<Arc<dyn Stores>>, Box<dyn Error>> {
    if let Some(dir) = &config.data_dir {
        #[cfg(unix)]
        owner::check(dir)?;
        if !dir.is_dir() {
            return Err(format!("there is no directory {}", dir.display()).into());
        }
    }
    Ok(config.stores(role)?)
}
