//! `headless-wallet seeds`: words that the server keeps sealed with a password.

use super::place::{Kept, NO_PLACE, PlaceArgs, now};
use super::wallet::failure::Failure;
use super::wallet::{offline, words};
use super::{Done, new_name, say, tell};
use clap::{Args, Subcommand, ValueHint};
use headless_wallet::calendar::UtcTime;
use headless_wallet::keys::{Mnemonic, Seed};
use headless_wallet::server::seeds::{self, SeedError, SeedStore};
#[cfg(unix)]
use headless_wallet::trusted_file::check_listener;
use serde_json::json;
use std::error::Error;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use zeroize::Zeroizing;

/// What `seeds` is asked to do.
#[derive(Args)]
#[command(
    after_help = "Words are sealed (Argon2id, XChaCha20-Poly1305) with one password for all, in --data-dir or the database of --store, and \
opened when the server starts (serve --unlock, --unlock-fd, systemd's credential headless-wallet-password) or later (seeds unlock). \
`seedKey` of POST /start names them. Keep a copy of the words on paper: without the password nobody can open them. \
docs/custody.md tells all of it."
)]
pub struct SeedsArgs {
    #[command(subcommand)]
    command: SeedsCommand,
}

/// Where the password comes from.
#[derive(Args)]
struct PasswordArgs {
    /// Reads the password from this file (- is standard input) instead of asking for it.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    password_file: Option<PathBuf>,
}

#[derive(Subcommand)]
enum SeedsCommand {
    /// Encrypt words and store them: yours, which are asked for, or new ones.
    Add {
        /// Their name, as `seedKey` gives it: 1 to 64 of a–z, 0–9, '.', '_' and '-'.
        #[arg(value_parser = new_name)]
        name: String,
        /// Makes 24 new words and shows them once.
        #[arg(long, conflicts_with = "seed_file")]
        new: bool,
        /// Reads the words from this file (- is standard input) instead of asking for them.
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        seed_file: Option<PathBuf>,
        /// Seals a passphrase with them, read from this file (- is standard input): an extra secret, with
        /// which the same words give a different wallet.
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        passphrase_file: Option<PathBuf>,
        /// Asks for the passphrase.
        #[arg(long, conflicts_with = "passphrase_file")]
        ask_passphrase: bool,
        #[command(flatten)]
        password: PasswordArgs,
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// List the names of the stored seeds, and since when each is stored.
    List {
        /// As JSON.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// Show the xpub of a seed: whoever has it can watch the wallet, but not spend.
    Xpub {
        name: String,
        #[command(flatten)]
        password: PasswordArgs,
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// Give a seed another name.
    Rename {
        name: String,
        /// The other name.
        #[arg(value_parser = new_name)]
        to: String,
        #[command(flatten)]
        password: PasswordArgs,
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// Delete a seed. The server can't give its words back afterwards.
    Remove {
        name: String,
        /// Removes it without asking.
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        password: PasswordArgs,
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// Encrypt all seeds with a new password.
    ChangePassword {
        #[command(flatten)]
        password: PasswordArgs,
        /// Reads the new password from this file.
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        new_password_file: Option<PathBuf>,
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// Unlock the seeds of a server that runs on this machine (serve --unlock-socket).
    #[cfg(unix)]
    Unlock {
        /// Where the server listens.
        #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
        socket: PathBuf,
        #[command(flatten)]
        password: PasswordArgs,
    },
}

pub async fn seeds(args: SeedsArgs) -> Done {
    match args.command {
        SeedsCommand::Add { name, new, seed_file, passphrase_file, ask_passphrase, password, place } => {
            let kept = Kept::made(&place.settings()?)?.ok_or(NO_PLACE)?;
            // Whatever is in the way is found before anybody types 24 words.
            let store = seeds::read(kept.documents("seeds")?).await?;
            store.check_name(&name)?;
            let password = if store.seeds.is_empty() {
                new_password(password.password_file, "--password-file FILE")?
            } else {
                let password = password.ask()?;
                store.check_password(&password)?;
                password
            };
            let words = if new { new_words()? } else { words::given(seed_file.as_deref())? };
            let passphrase = passphrase(passphrase_file, ask_passphrase)?;
            let seed = Seed::new(words, passphrase.as_ref().map_or("", |text| text.as_str()));
            let work = seeds::add(kept.documents("seeds")?, &name, &seed, &password, now());
            kept.audited("seeds add", &[("name", &name)], work).await?;
            tell(&format!("the seed {name:?} is kept, sealed"));
            Ok(())
        }
        SeedsCommand::List { json, place } => {
            list(&seeds::read(place.kept()?.documents("seeds")?).await?, json);
            Ok(())
        }
        SeedsCommand::Xpub { name, password, place } => {
            let store = seeds::read(place.kept()?.documents("seeds")?).await?;
            let seed = store.get(&name)?.open(&password.ask()?)?;
            say(&offline::xpub_of(seed.words(), seed.passphrase()));
            Ok(())
        }
        SeedsCommand::Rename { name, to, password, place } => {
            let kept = place.kept()?;
            // Before anybody types a password.
            let store = seeds::read(kept.documents("seeds")?).await?;
            store.get(&name)?;
            store.check_name(&to)?;
            let password = password.ask()?;
            let work = seeds::rename(kept.documents("seeds")?, &name, &to, &password);
            kept.audited("seeds rename", &[("name", &name), ("to", &to)], work).await?;
            tell(&format!("the seed {name:?} is called {to:?} now"));
            Ok(())
        }
        SeedsCommand::Remove { name, yes, password, place } => {
            let kept = place.kept()?;
            let store = seeds::read(kept.documents("seeds")?).await?;
            let seed = store.get(&name)?;
            let password = password.ask()?;
            let opened = seed.open(&password)?;
            if !yes {
                ask_whether_to_remove(&name, &opened)?;
            }
            let work = seeds::remove(kept.documents("seeds")?, &name, &password);
            kept.audited("seeds remove", &[("name", &name)], work).await?;
            tell(&format!("the seed {name:?} was removed"));
            Ok(())
        }
        SeedsCommand::ChangePassword { password, new_password_file, place } => {
            let kept = place.kept()?;
            let old = password.ask()?;
            seeds::read(kept.documents("seeds")?).await?.check_password(&old)?;
            let new = new_password(new_password_file, "--new-password-file FILE")?;
            let work = seeds::change_password(kept.documents("seeds")?, &old, &new);
            kept.audited("seeds change-password", &[], work).await?;
            tell("all seeds are sealed with the new password");
            Ok(())
        }
        #[cfg(unix)]
        SeedsCommand::Unlock { socket, password } => unlock(&socket, &password.ask()?).await,
    }
}

impl PasswordArgs {
    fn ask(self) -> Result<Zeroizing<String>, Failure> {
        match self.password_file {
            Some(path) => words::one_line(&path),
            None => words::prompt("The password (it is not shown): ", "--password-file FILE"),
        }
    }
}

/// A secret of a file; or typed twice, where there is none.
fn new_secret(file: Option<PathBuf>, text: &str, instead: &str) -> Result<Zeroizing<String>, Box<dyn Error>> {
    if let Some(path) = file {
        return Ok(words::one_line(&path)?);
    }
    let first = words::prompt(text, instead)?;
    if *first != *words::prompt("The same again: ", instead)? {
        return Err("the two are not the same: nothing was done".into());
    }
    Ok(first)
}

/// A password that is to be.
fn new_password(file: Option<PathBuf>, instead: &str) -> Result<Zeroizing<String>, Box<dyn Error>> {
    let password = new_secret(file, "A new password for all sealed seeds (it is not shown): ", instead)?;
    if password.chars().count() < seeds::MIN_PASSWORD {
        return Err(SeedError::ShortPassword.into());
    }
    Ok(password)
}

/// Makes words, and shows them. At a terminal they are to be typed again: nobody keeps words that they have
/// not written down.
fn new_words() -> Result<Mnemonic, Box<dyn Error>> {
    let made = Mnemonic::generate()?;
    if !std::io::stdout().is_terminal() {
        say(made.words());
        return Ok(made);
    }
    tell(
        "Write these words down and keep them secret: whoever has them has the wallet's money, and without them and the password it is \
         lost.",
    );
    say(&words::numbered(made.words()));
    loop {
        let typed = words::prompt("Type them again (they are not shown): ", "--seed-file FILE")?;
        match Mnemonic::parse(&typed) {
            Ok(again) if again.words() == made.words() => return Ok(made),
            _ => {
                tell("These are not the words that were shown: look again. Ctrl-C ends, and nothing is kept.")
            }
        }
    }
}

/// The passphrase that is to be sealed along, if there is one. Any text is one, and leads to a wallet.
fn passphrase(file: Option<PathBuf>, ask: bool) -> Result<Option<Zeroizing<String>>, Box<dyn Error>> {
    if file.is_none() && !ask {
        return Ok(None);
    }
    let given = new_secret(file, "The passphrase (it is not shown): ", "--passphrase-file FILE")?;
    if given.is_empty() || given.contains('\0') {
        return Err(
            "a passphrase needs at least one character, and no zero bytes: leave the flag out for none"
                .into(),
        );
    }
    Ok(Some(given))
}

/// Nobody removes words without having been able to see them.
fn ask_whether_to_remove(name: &str, seed: &Seed) -> Done {
    if !std::io::stdin().is_terminal() {
        return Err(
            "can't ask whether to remove it, because standard input is not a terminal: give --yes".into()
        );
    }
    loop {
        let mut err = std::io::stderr().lock();
        write!(err, "Type the name of the seed to remove it, or `show` to see its words first: ")?;
        err.flush()?;
        let mut line = String::new();
        std::io::stdin().read_line(&mut line)?;
        match line.trim() {
            typed if typed == name => return Ok(()),
            "show" => {
                say(&words::numbered(seed.words().words()));
                if !seed.passphrase().is_empty() {
                    say(&format!("passphrase: {}", seed.passphrase()));
                }
            }
            _ => return Err("nothing was removed: another name was typed".into()),
        }
    }
}

fn list(store: &SeedStore, json: bool) {
    let time = |created| format!("{}Z", UtcTime::from_unix(created).iso());
    if json {
        let seeds: Vec<_> = store
            .seeds
            .iter()
            .map(|seed| json!({"name": seed.name, "createdAt": time(seed.created)}))
            .collect();
        return say(&json!({"success": true, "seeds": seeds}).to_string());
    }
    if store.seeds.is_empty() {
        tell("no seeds are kept");
    }
    store.seeds.iter().for_each(|seed| say(&format!("{}  sealed {}", seed.name, time(seed.created))));
}

#[cfg(unix)]
async fn unlock(socket: &std::path::Path, password: &str) -> Done {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let connected = tokio::net::UnixStream::connect(socket).await;
    let mut stream =
        connected.map_err(|error| format!("no server listens at {}: {error}", socket.display()))?;
    check_listener(socket, stream.peer_cred()?.uid())?;
    stream.write_all(password.as_bytes()).await?;
    stream.write_all(b"\n").await?;
    let mut answer = String::new();
    stream.take(1 << 20).read_to_string(&mut answer).await?;
    let answer: serde_json::Value = serde_json::from_str(&answer)
        .map_err(|_| "the server hung up: it listens to its own user and to root alone")?;
    let names = |field: &str| -> String {
        let names = answer[field].as_array().into_iter().flatten().filter_map(serde_json::Value::as_str);
        names.collect::<Vec<_>>().join(", ")
    };
    if answer["success"] != true {
        return Err(answer["error"].as_str().unwrap_or("the server refused").to_owned().into());
    }
    match &*names("open") {
        "" if names("locked").is_empty() => {
            tell("there are no sealed seeds: `headless-wallet seeds add` keeps some")
        }
        "" => {}
        open => say(&format!("open: {open}")),
    }
    if !names("locked").is_empty() {
        tell(&format!("warning: the password is not that of {}", names("locked")));
    }
    Ok(())
}
