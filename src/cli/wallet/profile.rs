//! Profiles: where wallets are, by names of the user's choice, in a file of theirs.

use super::failure::Failure;
use super::flags::{Flags, server_url};
use headless_wallet::trusted_file;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};

/// Where a wallet is: at a server, or in this process. No secret stands in it, but the file of one may.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Profile {
    url: Option<String>,
    wallet_id: Option<String>,
    api_key_file: Option<PathBuf>,
    first_address: Option<String>,
    #[serde(default)]
    direct: bool,
    network: Option<String>,
    node_url: Option<String>,
    mining_url: Option<String>,
    data_dir: Option<PathBuf>,
    seed_file: Option<PathBuf>,
}

impl Flags {
    /// Takes what no flag says from the profile that is named, or from the environment. Never from both: a
    /// key or an id of one place is not for another. `starts` says whether the operation starts a wallet.
    pub fn complete(&mut self, starts: bool) -> Result<(), Failure> {
        self.profile = self.profile.take().or_else(|| variable("HEADLESS_PROFILE"));
        let profile = match &self.profile {
            Some(name) => named(name)?,
            None => Profile {
                url: variable("HEADLESS_URL"),
                wallet_id: variable("HEADLESS_WALLET_ID"),
                first_address: variable("HEADLESS_FIRST_ADDRESS"),
                ..Profile::default()
            },
        };
        let (server, direct) = (&mut self.server, &mut self.direct);
        let at_server = server.url.is_some() || server.wallet_id.is_some();
        direct.direct |= profile.direct && !at_server;
        let takes_words = self.words.secrets() == 0 && (starts || direct.direct);
        self.words.seed_file = self.words.seed_file.take().or(profile.seed_file.filter(|_| takes_words));
        if direct.network.is_none() {
            direct.network_of_profile.clone_from(&profile.network);
        }
        if direct.direct {
            let path = |path: PathBuf| path.to_string_lossy().into_owned();
            direct.node_url = direct.node_url.take().or(profile.node_url);
            direct.mining_url = direct.mining_url.take().or(profile.mining_url);
            direct.network = direct.network.take().or(profile.network);
            direct.data_dir = direct.data_dir.take().or(profile.data_dir.map(path));
            return Ok(());
        }
        if let Some(url) = profile.url.filter(|_| server.url.is_none()) {
            let wrong = |why| Failure::Usage(format!("{url:?} is not a server's URL: {why}"));
            server.url = Some(server_url(&url).map_err(wrong)?);
        }
        server.wallet_id = server.wallet_id.take().or(profile.wallet_id);
        server.api_key_file = server.api_key_file.take().or(profile.api_key_file);
        server.first_address = server.first_address.take().or(profile.first_address);
        Ok(())
    }
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// The profile of this name. Files are named from where the profiles are.
fn named(name: &str) -> Result<Profile, Failure> {
    let failed = |why: String| Failure::Failed(format!("profile {name:?}: {why}"));
    let path = file().ok_or_else(|| failed("there is no home directory to have profiles in".to_owned()))?;
    let text = trusted_file::read(&path)
        .map_err(|error| failed(format!("{} can't be read: {error}", path.display())))?;
    // Not the error's Display, which shows the line: somebody may have written a secret there.
    let wrong = |error: toml::de::Error| failed(format!("{}: {}", path.display(), error.message()));
    let mut profiles: BTreeMap<String, toml::Value> = toml::from_str(&text).map_err(wrong)?;
    let found = profiles.remove(name).ok_or_else(|| {
        let names: Vec<_> = profiles.keys().map(String::as_str).collect();
        let has = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        failed(format!("{} has no profile of this name; it has: {has}", path.display()))
    })?;
    let mut profile = Profile::deserialize(found).map_err(wrong)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    for file in [&mut profile.api_key_file, &mut profile.data_dir, &mut profile.seed_file] {
        *file = file.take().map(|file| folder.join(file));
    }
    Ok(profile)
}

/// Where the platform has its users' settings.
fn file() -> Option<PathBuf> {
    let home = |below: &str| Some(Path::new(&env::var_os("HOME")?).join(below));
    let settings = match env::consts::OS {
        "windows" => env::var_os("APPDATA").map(PathBuf::from),
        "macos" => home("Library/Application Support"),
        _ => {
            let named = env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
            named.or_else(|| home(".config"))
        }
    };
    Some(settings?.join("headless-wallet").join("profiles.toml"))
}
