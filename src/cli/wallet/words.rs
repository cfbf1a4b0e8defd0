//! Secrets: made, asked for and read; never taken from the command line, which other users of the machine can
//! see.

use super::failure::Failure;
use super::flags::{Flags, WordFlags};
use crate::cli::place::stores_there;
use crate::cli::tell;
use clap::{Args, ValueHint};
use headless_wallet::keys::{Mnemonic, MnemonicError, Seed};
use headless_wallet::server::Config;
use headless_wallet::server::seeds::{self, SeedError};
use headless_wallet::trusted_file::{self, Role};
use serde_json::json;
use std::fs::OpenOptions;
use std::io::{ErrorKind, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// What files from Windows begin with.
pub const BYTE_ORDER_MARK: char = '\u{feff}';
/// Most bytes of a file with a secret.
const MAX_SECRET_BYTES: usize = 4096;
/// Words to a line for people.
const COLUMNS: usize = 4;

/// How new words are given out.
#[derive(Args)]
pub struct NewArgs {
    /// Writes the words into a new file that nobody else can read, instead of showing them. `-` shows them.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<PathBuf>,
}

/// What a wallet's keys come from.
pub enum Secret {
    Words(Mnemonic),
    /// Words that the settings have under this key.
    Key(String),
    /// An account's public key.
    Xpub(String),
}

/// Makes 24 words.
pub fn make(args: &NewArgs, json: bool) -> Result<String, Failure> {
    let words = Mnemonic::generate().map_err(|error| Failure::Failed(error.to_string()))?;
    if let Some(path) = args.out.as_deref().filter(|path| *path != Path::new("-")) {
        write(path, &words)?;
        let place = path.display().to_string();
        return Ok(if json {
            json!({"success": true, "file": place}).to_string()
        } else {
            format!(
                "24 new words are in {place}. Keep a copy on paper: whoever has them has the wallet's money, and without them \
                 it is lost."
            )
        });
    }
    if json {
        return Ok([r#"{"success":true,"seed":""#, words.words(), r#""}"#].concat());
    }
    tell(
        "Write these words down and keep them secret: whoever has them has the wallet's money, and without them it is lost.\n\
         They are not kept anywhere and not shown again.",
    );
    Ok(if std::io::stdout().is_terminal() { numbered(words.words()) } else { words.words().to_owned() })
}

pub fn numbered(words: &str) -> String {
    let words: Vec<_> = words.split(' ').collect();
    let mut text = String::with_capacity(words.len() * 16);
    for (line, some) in words.chunks(COLUMNS).enumerate() {
        for (column, word) in some.iter().enumerate() {
            text += &format!("{:>2} {word:<10}", line * COLUMNS + column + 1);
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text
}

fn write(path: &Path, words: &Mnemonic) -> Result<(), Failure> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(path).and_then(|mut file| {
        file.write_all(words.words().as_bytes())?;
        file.write_all(b"\n")?;
        file.sync_all()
    });
    written.map_err(|error| not_written(path, &error))
}

/// That a new file could not be written.
pub(super) fn not_written(path: &Path, error: &std::io::Error) -> Failure {
    let place = path.display();
    Failure::Failed(match error.kind() {
        ErrorKind::AlreadyExists => {
            format!("{place} already exists, and is not overwritten: choose another name")
        }
        _ => format!("can't write {place}: {}", reason(error)),
    })
}

/// What the wallet is started from, asked for where no flag says.
pub fn secret(flags: &WordFlags) -> Result<Secret, Failure> {
    if let Some(key) = &flags.seed_key {
        return Ok(Secret::Key(key.clone()));
    }
    if let Some(xpub) = &flags.xpub {
        return Ok(Secret::Xpub(xpub.clone()));
    }
    given(flags.seed_file.as_deref()).map(Secret::Words)
}

/// Words of a file, or asked for.
pub fn given(file: Option<&Path>) -> Result<Mnemonic, Failure> {
    let text = match file {
        Some(path) => {
            warn_of_readers(path);
            read(path)?
        }
        None => prompt("The wallet's 24 words (they are not shown): ", "--seed-file FILE")?,
    };
    Mnemonic::parse(&text).map_err(|error| {
        let places = match &error {
            MnemonicError::UnknownWords { positions } => {
                let places: Vec<_> = positions.iter().map(|place| format!("number {}", place + 1)).collect();
                format!(" Not in the English list: {}.", places.join(", "))
            }
            _ => String::new(),
        };
        Failure::Failed(format!("Invalid seed: {error}{places}"))
    })
}

/// The passphrase, if there is one.
pub fn passphrase(flags: &WordFlags) -> Result<Option<Zeroizing<String>>, Failure> {
    match &flags.passphrase_file {
        Some(path) => one_line(path).map(Some),
        None if flags.ask_passphrase => {
            prompt("The passphrase (it is not shown): ", "--passphrase-file FILE").map(Some)
        }
        None => Ok(None),
    }
}

/// What a file holds, without the end of its line.
pub fn one_line(path: &Path) -> Result<Zeroizing<String>, Failure> {
    let mut text = read(path)?;
    let length = text.trim_end_matches(['\r', '\n']).len();
    text.truncate(length);
    Ok(text)
}

fn read(path: &Path) -> Result<Zeroizing<String>, Failure> {
    // Room for all of it at once: a string that grows leaves copies of the secret behind.
    let mut text = Zeroizing::new(String::with_capacity(2 * MAX_SECRET_BYTES));
    let limit = MAX_SECRET_BYTES as u64;
    let read = match path.to_str() {
        Some("-") => std::io::stdin().lock().take(limit).read_to_string(&mut text),
        _ => trusted_file::open(path).and_then(|file| file.take(limit).read_to_string(&mut text)),
    };
    match read {
        Ok(_) => {
            // In its place: a copy would stay behind.
            if text.starts_with(BYTE_ORDER_MARK) {
                text.remove(0);
            }
            Ok(text)
        }
        Err(error) => Err(Failure::Failed(format!("can't read {}: {}", path.display(), reason(&error)))),
    }
}

/// Without the number that the operating system has for it.
pub(super) fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split_once(" (os error ").map_or(text.clone(), |(reason, _)| reason.to_owned())
}

#[cfg(unix)]
fn warn_of_readers(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let mode = path.metadata().map(|about| about.permissions().mode());
    if path != Path::new("-") && path.is_file() && mode.is_ok_and(|mode| mode & 0o077 != 0) {
        let place = path.display();
        tell(&format!("warning: other users of this machine may read the words: chmod 600 {place}"));
    }
}

#[cfg(not(unix))]
fn warn_of_readers(_path: &Path) {}

/// Asks at the terminal, without showing what is typed.
pub fn prompt(text: &str, instead: &str) -> Result<Zeroizing<String>, Failure> {
    if !std::io::stdin().is_terminal() {
        return Err(Failure::Usage(format!(
            "can't ask for a secret, because standard input is not a terminal: give {instead} (- is standard input)"
        )));
    }
    if is_in_background() {
        return Err(Failure::Usage(format!(
            "can't ask for a secret in the background (`&`): run this in a terminal of its own, or give {instead}"
        )));
    }
    rpassword::prompt_password(text).map(Zeroizing::new).map_err(|error| match error.kind() {
        ErrorKind::Interrupted => Failure::Interrupted { sending: false },
        _ => Failure::Failed(format!("can't ask at the terminal: {error}. Give {instead}.")),
    })
}

/// Whether the terminal is another job's: the shell would stop whoever asks there, and show what is typed.
#[cfg(unix)]
fn is_in_background() -> bool {
    let Ok(terminal) = std::fs::File::open("/dev/tty") else { return false };
    rustix::termios::tcgetpgrp(terminal).is_ok_and(|foreground| foreground != rustix::process::getpgrp())
}

#[cfg(not(unix))]
const fn is_in_background() -> bool {
    false
}

// Secrets that are handed over as an open file, by its number: they stand in no argument, no environment,
// and need no file of their own.

/// The line that a file descriptor has. It is read once, and closed: what this process starts gets none of
/// it. 0 is standard input, which stays open.
pub fn line_of_descriptor(number: u32) -> Result<Zeroizing<String>, Failure> {
    if number == 0 {
        return one_line(&PathBuf::from("-"));
    }
    // Open already; to open it anew, a pipe of another user's would have to be this one's.
    let read = one_line(&PathBuf::from(format!("/dev/fd/{number}")))?;
    close(number);
    Ok(read)
}

#[cfg(unix)]
fn close(number: u32) {
    if let Ok(number) = i32::try_from(number) {
        // It was read: so it is there, and nothing of this process's own has a password's line in it.
        let _ = nix::unistd::close(number);
    }
}

#[cfg(not(unix))]
fn close(_number: u32) {}

// Words that are kept sealed, for what is done with them in this process: no server opens them.

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
    let store = seeds::read(documents).await.map_err(|error| failed(&error))?;
    let seed = match store.get(name) {
        Ok(seed) => seed,
        Err(SeedError::Unknown(_)) => {
            let kept: Vec<_> = store.seeds.iter().map(|seed| seed.name.as_str()).collect();
            return Err(missing(name, &config, Some(&kept.join(", "))));
        }
        Err(error) => return Err(failed(&error)),
    };
    let password = match (&password.password_file, password.unlock_fd) {
        (Some(path), _) => one_line(path)?,
        (None, Some(number)) => line_of_descriptor(number)?,
        (None, None) => {
            prompt("The password of the sealed seeds (it is not shown): ", "--password-file FILE")?
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
