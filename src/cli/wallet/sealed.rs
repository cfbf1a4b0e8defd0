//! Words that are kept sealed, for what is done with them in this process: no server opens them.

use super::descriptor;
use super::failure::Failure;
use super::flags::Flags;
use super::words;
use crate::cli::place::stores_there;
use clap::{Args, ValueHint};
use headless_wallet::keys::Seed;
use headless_wallet::server::Config;
use headless_wallet::server::seeds::{self, SeedError};
use headless_wallet::trusted_file::Role;
use std::path::PathBuf;

/// Where the password of sealed words comes from.
#[derive(Args)]
pub struct SealedArgs {
    /// Reads the password of sealed words (--seed) from this file (- is standard input) instead of asking for
    /// it.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    password_file: Option<PathBuf>,
    /// Reads the password of sealed words (--seed) from this file descriptor, and closes that.
    #[arg(long, value_name = "N", conflicts_with = "password_file")]
    unlock_fd: Option<u32>,
}

/// What a name stands for: words of the settings, or those sealed where these say, with their passphrase.
pub async fn seed_of(name: &str, flags: &Flags, password: &SealedArgs) -> Result<Seed, Failure> {
    let config = flags.direct.settings_of_place()?;
    if let Some(words) = config.seeds.get(name) {
        return Ok(Seed::new(words.clone(), ""));
    }
    let failed = |why: &dyn ToString| Failure::Failed(why.to_string());
    let Some(stores) = stores_there(&config, Role::Tool).map_err(|error| failed(&error))? else {
        return Err(missing(name, &config, None));
    };
    let documents = stores.documents().ok_or_else(|| missing(name, &config, None))?;
    let chest = seeds::read(documents).await.map_err(|error| failed(&error))?;
    let seed = match chest.get(name) {
        Ok(seed) => seed,
        Err(SeedError::Unknown(_)) => {
            let kept: Vec<_> = chest.seeds.iter().map(|seed| seed.name.as_str()).collect();
            return Err(missing(name, &config, Some(&kept.join(", "))));
        }
        Err(error) => return Err(failed(&error)),
    };
    let password = match (&password.password_file, password.unlock_fd) {
        (Some(path), _) => words::one_line(path)?,
        (None, Some(number)) => descriptor::one_line(number)?,
        (None, None) => {
            words::prompt("The password of the sealed seeds (it is not shown): ", "--password-file FILE")?
        }
    };
    seed.open(&password).map_err(|error| failed(&error))
}

/// That there are no such words: which, and where they were looked for. `kept` are the names of those that
/// are sealed there.
fn missing(name: &str, config: &Config, kept: Option<&str>) -> Failure {
    let place =
        config.data_dir.as_ref().map_or_else(|| "the database".to_owned(), |dir| dir.display().to_string());
    let sealed = match kept {
        None => "and no place of sealed ones is named: give --data-dir DIR, or --config FILE".to_owned(),
        Some("") => format!("and none is sealed in {place}"),
        Some(kept) => format!("and those sealed in {place} are: {kept}"),
    };
    Failure::Failed(format!("there is no seed called {name:?}: none in the settings ([seeds]), {sealed}"))
}
