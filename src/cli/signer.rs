//! `headless-wallet signer`: keys in a process of their own, and `signer token-keys`: the keys that a token
//! has for a wallet.

use super::place::{NO_PLACE, PlaceArgs, environment, stores_there};
use super::serve::{self, UnlockArgs};
use super::{Done, Usage, process, say, tell};
use clap::{Args, Subcommand, ValueHint};
use headless_wallet::keys::{AddressKeys, KeyList, Seed};
use headless_wallet::ledger::Network;
use headless_wallet::rt::BoxFuture;
use headless_wallet::server::seeds::{self, SealedSeeds};
use headless_wallet::server::{Config, Layer};
use headless_wallet::signer::{
    Limits, Listening, MOST_TOKEN_KEYS, PATIENCE, SeedKeys, SignerServer, Spent, TokenError, TokenPlace,
    add_token_key, listen, token_keys,
};
use headless_wallet::trusted_file::{self, Role, check_dir};
use std::collections::HashMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The file in `data_dir` that says what was signed within the last day.
const SPENT: &str = "signer-spent.log";

/// How to sign, and for whom.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "The seeds are those of `headless-wallet seeds`, in --data-dir or the database of --store, and are opened as those of `serve` \
are. A server's settings name the signer: [signers.NAME] socket = \"PATH\", seeds = [\"SEED\"]; then `seedKey` of POST /start may be one of \
them. docs/signer.md tells what is signed, and what is refused."
)]
pub struct SignerArgs {
    #[command(subcommand)]
    command: Option<SignerCommand>,
    /// Listens at this Unix socket, for its own user and for root.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, required_unless_present = "listen")]
    socket: Option<PathBuf>,
    /// Lets this user, given by its number, connect to the socket as well.
    #[arg(long, value_name = "UID", requires = "socket")]
    allow_uid: Vec<u32>,
    /// Listens at this address and port instead, over TLS with certificates on both sides.
    #[arg(long, value_name = "ADDR:PORT", conflicts_with = "socket", requires_all = ["tls_ca", "tls_certificate", "tls_key"])]
    listen: Option<String>,
    /// The certificates (PEM) of the authority that signs the servers' certificates.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    tls_ca: Option<PathBuf>,
    /// The signer's own certificate (PEM).
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    tls_certificate: Option<PathBuf>,
    /// Its key (PEM).
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    tls_key: Option<PathBuf>,
    /// Reads what may be signed from this TOML file. Without one, all that is right is signed.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    limits: Option<PathBuf>,
    /// The file that counts what was signed within a day [default: signer-spent.log in the data directory].
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    spent: Option<PathBuf>,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    unlock: UnlockArgs,
}

/// What is done instead of signing.
#[derive(Subcommand)]
enum SignerCommand {
    /// Manage the keys that a token (PKCS#11) has for a wallet of a server.
    TokenKeys(TokenKeysArgs),
}

/// Signs until told to end.
pub async fn signer(args: SignerArgs) -> Done {
    if let Some(SignerCommand::TokenKeys(args)) = args.command {
        return token_keys_command(args).await;
    }
    process::keep_from_swap();
    let settings = args.place.settings()?;
    process::log_to_stderr(settings.console_level, settings.log_format);
    process::allow_many_files();
    let stores = stores_there(&settings, Role::Service)?.ok_or(NO_PLACE)?;
    let limits = limits(args.limits.as_deref(), args.place.network()?)?;
    let spent = spent(&limits, args.spent.as_deref(), settings.data_dir.as_deref())?;
    let sealed = SealedSeeds::default();
    let names: Option<Vec<String>> = match stores.documents() {
        Some(documents) => {
            Some(seeds::read(documents).await?.seeds.into_iter().map(|seed| seed.name).collect())
        }
        None => None,
    };
    if let (Some(file), Some(names)) = (&args.limits, &names) {
        compare(file, &limits, names)?;
    }
    let opened = sealed.clone();
    let open = move |password| -> BoxFuture<'static, _> {
        let (sealed, stores) = (opened.clone(), stores.clone());
        Box::pin(async move {
            match stores.documents() {
                Some(documents) => sealed.unlock(documents, password).await,
                None => Ok(seeds::Opened::default()),
            }
        })
    };
    let _unlocking = serve::unlock(&args.unlock, names, Box::new(open)).await?;
    let server = SignerServer::new(keys_of(sealed), limits, spent);
    let place = place(&args)?;
    let listening = listen(server, &place).await;
    let listening = listening.map_err(|error| format!("can't listen at {place}: {error}"))?;
    say(&format!("headless-wallet signs at {}", listening.address));
    process::shutdown_signal().await;
    Ok(())
}

/// The keys of seeds that are open, made once of each for as long as its name means the same words.
fn keys_of(sealed: SealedSeeds) -> impl Fn(&str) -> Option<SeedKeys> + Send + Sync {
    let known: Mutex<HashMap<String, (Seed, SeedKeys)>> = Mutex::default();
    move |name| {
        let seed = sealed.get(name)?;
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same =
            |of: &Seed| of.words().words() == seed.words().words() && of.passphrase() == seed.passphrase();
        if let Some((_, keys)) = known.get(name).filter(|(of, _)| is_same(of)) {
            return Some(keys.clone());
        }
        let keys = SeedKeys::of(&seed);
        known.insert(name.to_owned(), (seed, keys.clone()));
        Some(keys)
    }
}

fn limits(file: Option<&Path>, network: Option<Network>) -> Result<Limits, Box<dyn Error>> {
    let Some(file) = file else {
        tell("warning: there are no limits (--limits FILE): all that is right is signed");
        return Ok(Limits::default());
    };
    let text = trusted_file::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(Limits::read(&text, network).map_err(|error| format!("{}: {error}", file.display()))?)
}

/// Refuses limits of seeds that are not there, which would be a slip of one that then had none, and says
/// which have none.
fn compare(file: &Path, limits: &Limits, names: &[String]) -> Done {
    if let Some(unknown) = limits.seeds().find(|limited| !names.iter().any(|name| name == limited)) {
        let known = names.join(", ");
        return Err(format!("{}: there is no sealed seed {unknown:?} here: {known}", file.display()).into());
    }
    let free: Vec<_> = names.iter().filter(|name| limits.of(name).is_none()).map(String::as_str).collect();
    if !free.is_empty() {
        tell(&format!(
            "warning: without limits: {}: all that is right is signed with these",
            free.join(", ")
        ));
    }
    Ok(())
}

fn spent(limits: &Limits, file: Option<&Path>, dir: Option<&Path>) -> Result<Option<Spent>, Box<dyn Error>> {
    if limits.is_empty() {
        return Ok(None);
    }
    let file = match (file, dir) {
        (Some(file), _) => file.to_owned(),
        (None, Some(dir)) => dir.join(SPENT),
        (None, None) => return Err(Usage("say where to count what is spent: --spent FILE").into()),
    };
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let opened = check_dir(folder, Role::Service)
        .map_err(|error| format!("{}: {error}", folder.display()))
        .and_then(|()| Spent::open(&file).map_err(|error| format!("{}: {error}", file.display())))?;
    Ok(Some(opened))
}

fn place(args: &SignerArgs) -> Result<Listening, Box<dyn Error>> {
    match (&args.socket, &args.listen, &args.tls_ca, &args.tls_certificate, &args.tls_key) {
        (Some(path), ..) => Ok(Listening::Socket { path: path.clone(), users: args.allow_uid.clone() }),
        (None, Some(address), Some(roots), Some(certificate), Some(key)) => Ok(Listening::Tls {
            address: address.clone(),
            roots: roots.clone(),
            certificate: certificate.clone(),
            key: key.clone(),
        }),
        _ => Err("say where to listen: --socket PATH, or --listen ADDR:PORT with its three files".into()),
    }
}

// `headless-wallet signer token-keys`: the keys that a token has for a wallet.

/// What is asked of a token.
#[derive(Args)]
#[command(
    after_help = "The token is that of the server's settings: [signers.NAME] module = \"PATH\", token = \"LABEL\", pin_file = \"PATH\", \
seeds = [\"SEED\"]. A wallet has one key for each address, and no addresses but those; docs/signer.md tells all of it."
)]
pub struct TokenKeysArgs {
    #[command(subcommand)]
    command: TokenKeysCommand,
}

#[derive(Subcommand)]
enum TokenKeysCommand {
    /// Generate more keys for the wallet in the token, and show their addresses.
    Add {
        #[command(flatten)]
        wallet: TokenWalletArgs,
        /// How many.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_TOKEN_KEYS)))]
        count: u32,
    },
    /// Show the addresses of the keys that the token has for the wallet.
    List {
        #[command(flatten)]
        wallet: TokenWalletArgs,
    },
}

#[derive(Args)]
struct TokenWalletArgs {
    /// The wallet: the label of its keys, and one of `seeds` in the token's settings.
    seed: String,
    /// Reads the server's settings from this TOML file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    config: PathBuf,
}

impl TokenWalletArgs {
    fn settings(&self) -> Result<(Config, TokenPlace), Box<dyn Error>> {
        let config = Config::from_layers([Layer::file(&self.config)?, environment()?])?;
        let place = config.signers.get(&self.seed).and_then(|signer| signer.token()).cloned();
        let place = place.ok_or_else(|| {
            format!(
                "no token has the seed {:?} in {}: name it in `seeds` of one",
                self.seed,
                self.config.display()
            )
        })?;
        Ok((config, place))
    }
}

pub async fn token_keys_command(args: TokenKeysArgs) -> Done {
    match args.command {
        TokenKeysCommand::List { wallet } => {
            let (config, place) = wallet.settings()?;
            show_addresses(&config, token_keys(&place, &wallet.seed, PATIENCE).await?, 0);
        }
        TokenKeysCommand::Add { wallet, count } => {
            let (config, place) = wallet.settings()?;
            let before = match token_keys(&place, &wallet.seed, PATIENCE).await {
                Ok(keys) => keys.count(),
                Err(TokenError::NoKeys { .. }) => 0,
                Err(error) => return Err(error.into()),
            };
            let end = before + count;
            if end > MOST_TOKEN_KEYS {
                return Err(
                    format!("a wallet has {MOST_TOKEN_KEYS} keys at most, and {before} are there").into()
                );
            }
            for index in before..end {
                add_token_key(&place, &wallet.seed, index, PATIENCE).await?;
            }
            show_addresses(&config, token_keys(&place, &wallet.seed, PATIENCE).await?, before);
        }
    }
    Ok(())
}

/// A line for each address from the index `first` on.
fn show_addresses(config: &Config, keys: KeyList, first: u32) {
    let keys = AddressKeys::from(keys);
    // Others may well be served: it is the settings' `network`.
    tell(&format!("addresses of {}:", config.network.name()));
    for (index, hash) in (first..).zip(keys.hashes(first..keys.count())) {
        say(&format!("{index} {}", keys.address(config.network, hash)));
    }
}
