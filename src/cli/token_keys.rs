//! `headless-wallet signer token-keys`: the keys that a token has for a wallet.

use super::{say, tell};
use clap::{Args, Subcommand, ValueHint};
use headless_wallet::keys::{AddressKeys, KeyList};
use headless_wallet::server::{Config, Layer};
use headless_wallet::signer::{MOST_TOKEN_KEYS, PATIENCE, TokenError, TokenPlace, add_token_key, token_keys};
use std::error::Error;
use std::path::PathBuf;

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
        wallet: WalletArgs,
        /// How many.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_TOKEN_KEYS)))]
        count: u32,
    },
    /// Show the addresses of the keys that the token has for the wallet.
    List {
        #[command(flatten)]
        wallet: WalletArgs,
    },
}

#[derive(Args)]
struct WalletArgs {
    /// The wallet: the label of its keys, and one of `seeds` in the token's settings.
    seed: String,
    /// Reads the server's settings from this TOML file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    config: PathBuf,
}

impl WalletArgs {
    fn settings(&self) -> Result<(Config, TokenPlace), Box<dyn Error>> {
        let variables = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        let environment = Layer::environment(variables)?;
        let config = Config::from_layers([Layer::file(&self.config)?, environment])?;
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

pub async fn token_keys_command(args: TokenKeysArgs) -> Result<(), Box<dyn Error>> {
    match args.command {
        TokenKeysCommand::List { wallet } => {
            let (config, place) = wallet.settings()?;
            show(&config, token_keys(&place, &wallet.seed, PATIENCE).await?, 0);
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
            show(&config, token_keys(&place, &wallet.seed, PATIENCE).await?, before);
        }
    }
    Ok(())
}

/// A line for each address from the index `first` on.
fn show(config: &Config, keys: KeyList, first: u32) {
    let keys = AddressKeys::from(keys);
    // Others may well be served: it is the settings' `network`.
    tell(&format!("addresses of {}:", config.network.name()));
    for (index, hash) in (first..).zip(keys.hashes(first..keys.count())) {
        say(&format!("{index} {}", keys.address(config.network, hash)));
    }
}
