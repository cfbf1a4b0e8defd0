//! `wallet inspect` and `wallet sign-file`: signing files are looked at and signed here, without a server and
//! without a network.

use super::failure::Failure;
use super::flags::Flags;
use super::views::{inspected, inspected_json};
use super::words::{self, SealedArgs, Secret, not_written};
use super::{from_file, terminal};
use crate::cli::tell;
use clap::{Args, ValueHint};
use headless_wallet::api::{MAX_FILE_BYTES, read_signing_file};
use headless_wallet::keys::{
    AddressKeys, FileSignature, Seed, Signature, Signer, SigningFile, SigningRequest, ToSign,
    TransactionToSign, Unasked,
};
use headless_wallet::ledger::Network;
use headless_wallet::net::clean_json;
use headless_wallet::signer::{Breach, inspect};
use serde_json::json;
use std::env;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Which files are looked at.
#[derive(Args)]
pub struct InspectArgs {
    /// Signing files of one transaction; - is standard input.
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<String>,
}

/// Which files are signed.
#[derive(Args)]
pub struct SignFileArgs {
    /// Signing files of one transaction; - is standard input.
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<String>,
    /// Writes what is signed into a new file, instead of showing it.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<PathBuf>,
    /// Doesn't ask before it signs. (Scripts, whose standard input is no terminal, are never asked.)
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    sealed: SealedArgs,
}

/// What files say and do.
pub async fn show(args: &InspectArgs, json: bool) -> Result<String, Failure> {
    let file = read_all(&args.files)?;
    let found = inspect(&file, &file.account).await.map_err(|broken| refusal(&broken))?;
    Ok(if json { clean_json(&inspected_json(&file, &found).to_string()) } else { inspected(&file, &found) })
}

/// Signs by one's words, after a look at what is signed.
pub async fn sign(args: &SignFileArgs, flags: &Flags) -> Result<String, Failure> {
    let file = read_all(&args.files)?;
    // Whatever it says: words are asked for last.
    let found = inspect(&file, &file.account).await.map_err(|broken| refusal(&broken))?;
    check_network(file.network, flags)?;
    let seed = match words::secret(&flags.words)? {
        Secret::Words(words) => Seed::new(words, ""),
        Secret::Key(name) => words::seed_of(&name, flags, &args.sealed).await?,
        Secret::Xpub(_) => return Err(Failure::Usage("--xpub can't sign: give the words".to_owned())),
    };
    let seed = match words::passphrase(&flags.words)? {
        None => seed,
        Some(_) if !seed.passphrase().is_empty() => {
            return Err(Failure::Usage(
                "the words were sealed with a passphrase of their own, and take no other".to_owned(),
            ));
        }
        Some(passphrase) => Seed::new(seed.words().clone(), &passphrase),
    };
    let signatures = signatures(&file, &seed).await?;
    let told = inspected(&file, &found);
    if !args.yes && terminal::can_ask() {
        let question = format!("Sign this transaction of {}?", file.network.name());
        terminal::ask(&question, &told, "signed").await?;
    } else if !flags.json {
        tell(&told);
    }
    let signed = file.with(signatures).map_err(|bad| Failure::Failed(bad.to_string()))?;
    let mut text =
        text_of(&signed, "put the signatures of fewer into it (each can sign the file as it was made)")?;
    let Some(path) = &args.out else { return Ok(text) };
    text.push('\n');
    write(path, &text)?;
    let place = path.display();
    let is_whole = signed.signed_so_far().iter().all(|(there, needs)| there == needs);
    Ok(match (flags.json, is_whole) {
        (true, _) => json!({"success": true, "file": place.to_string(), "complete": is_whole}).to_string(),
        (_, true) => format!("Signed: {place} has all signatures, and can be sent (`push-file`)."),
        (_, false) => format!("Signed: {place} lacks signatures of others."),
    })
}

/// Refuses a file of another network than the caller's, where they say which that is. A signature holds on
/// every network.
fn check_network(of_file: Network, flags: &Flags) -> Result<(), Failure> {
    let direct = &flags.direct;
    let environment = || env::var("HEADLESS_NETWORK").ok().filter(|_| flags.profile.is_none());
    let (expected, says) = match (&direct.network_of_profile, &direct.network, &direct.config) {
        (Some(name), _, _) => (name.clone(), "the profile"),
        (None, Some(name), _) => (name.clone(), "--network"),
        (None, None, Some(_)) => (direct.settings()?.network.name().to_owned(), "--config"),
        (None, None, None) => match environment() {
            Some(name) => (name, "HEADLESS_NETWORK"),
            None => return Ok(()),
        },
    };
    match expected.parse::<Network>() {
        Ok(network) if network == of_file => Ok(()),
        Ok(network) => {
            let (of_file, of_caller) = (of_file.name(), network.name());
            let remedy = match direct.network_of_profile {
                Some(_) => format!("use a profile for {of_file}"),
                None => format!("give --network {of_file}"),
            };
            Err(Failure::Failed(format!(
                "the file is for {of_file}, but {says} says {of_caller}: nothing was signed. Ask whoever made it for one for {of_caller}, \
                 or, if you mean {of_file}, {remedy}"
            )))
        }
        Err(_) => Err(Failure::Usage(format!(
            "{says} says {expected:?}, which is not a network: give mainnet, testnet or privatenet"
        ))),
    }
}

fn refusal(Breach { rule, why }: &Breach) -> Failure {
    Failure::Failed(format!(
        "this file is not what it says, and nobody should sign it: it breaks the rule {rule:?}: {why}"
    ))
}

/// A file's text, for people to read where there is room for that.
fn text_of(file: &SigningFile, remedy: &str) -> Result<String, Failure> {
    let spaced = clean_json(&serde_json::to_string_pretty(file).expect("a file is JSON"));
    let text = match spaced.len() < MAX_FILE_BYTES {
        true => spaced,
        false => clean_json(&serde_json::to_string(file).expect("a file is JSON")),
    };
    // With the end of its line.
    if text.len() >= MAX_FILE_BYTES {
        return Err(Failure::Failed(format!(
            "a signing file has at most {MAX_FILE_BYTES} bytes, and this would have {}: {remedy}",
            text.len() + 1
        )));
    }
    Ok(text)
}

/// The signatures that are the words' to give, and are not there yet.
async fn signatures(file: &SigningFile, seed: &Seed) -> Result<Vec<FileSignature>, Failure> {
    let digest = file.digest().map_err(|bad| Failure::Failed(bad.to_string()))?;
    let failed = |text: &str| Err(Failure::Failed(text.to_owned()));
    let (signer, inputs): (Box<dyn Signer>, _) = match &file.account {
        AddressKeys::Multisig(participants) => {
            let keys = seed.participant();
            let position = participants.position(&keys.account_key());
            let Some(position) = position.filter(|_| participants.is_of(&keys)) else {
                return failed("these words belong to none of the file's participants: nothing was signed");
            };
            let key_of = |index| participants.redeem_script(index).public_keys[position];
            (Box::new(keys), file.unsigned_by(key_of))
        }
        account => {
            let keys = seed.account();
            if account.xpub() != Some(keys.public().to_xpub()) {
                return failed(
                    "the file is for a different wallet than the one of these words: nothing was signed",
                );
            }
            let inputs = file.unsigned_by(|index| keys.public().public_key(index));
            (Box::new(keys), inputs)
        }
    };
    if inputs.is_empty() {
        return failed("these words have nothing more to sign in this file");
    }
    let what = ToSign::Transaction(TransactionToSign {
        transaction: &file.transaction,
        network: file.network,
        inputs: &inputs,
        caller: None,
        facts: &Unasked,
    });
    let request = SigningRequest { what, purpose: file.purpose, digest, salt: b"" };
    let signed = signer.sign(request).await.map_err(|error| Failure::Failed(error.to_string()))?;
    let of_input = |((input, _), by): ((u8, u32), Signature)| FileSignature {
        input,
        public_key: by.public_key,
        signature: by.to_der(),
    };
    Ok(inputs.into_iter().zip(signed).map(of_input).collect())
}

/// The files put together.
fn read_all(paths: &[String]) -> Result<SigningFile, Failure> {
    let mut together: Option<SigningFile> = None;
    for path in paths {
        let bad = |why: &dyn std::fmt::Display| Failure::Failed(format!("{path}: {why}"));
        let text = from_file::read(path).map_err(|why| bad(&why))?;
        let file = read_signing_file(text.as_bytes()).map_err(|why| bad(&why))?;
        together = Some(match together {
            None => file,
            Some(others) => others.combined(file).map_err(|why| bad(&why))?,
        });
    }
    together.ok_or_else(|| Failure::Usage("a signing file is missing".to_owned()))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let made = OpenOptions::new().write(true).create_new(true).open(path);
    made.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| not_written(path, &error))
}
