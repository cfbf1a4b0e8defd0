//! `headless-wallet keys`: API keys with names, in the server's store. A server that runs on it goes by a
//! change within two seconds.

use super::place::{Kept, NO_PLACE, PlaceArgs, now};
use super::{Done, new_name, say, tell};
use clap::{Args, Subcommand};
use headless_wallet::api::Right;
use headless_wallet::api::{KeyListAnswer, KeyMembers};
use headless_wallet::limits::{Rule, RuleError};
use headless_wallet::server::access::{self, Grant, KeyError, NewKey, Texts};
use secrecy::ExposeSecret;
use std::error::Error;

/// What `keys` is asked to do.
#[derive(Args)]
#[command(
    after_help = "A key is refused whatever it was not given. The server's `api_key` may do everything, and is not one of these. Where \
the server has neither --data-dir nor --store, keys stand in its settings: `keys add` says what to write there. \
docs/custody.md tells all of it."
)]
pub struct KeysArgs {
    #[command(subcommand)]
    command: KeysCommand,
}

#[derive(Subcommand)]
enum KeysCommand {
    /// Make a key and print it. It is not stored, and not shown again.
    Add {
        /// Its name: 1 to 64 of a–z, 0–9, '.', '_' and '-'.
        #[arg(value_parser = new_name)]
        name: String,
        /// The id of a wallet that it may use, or '*' for all of them; separate several with commas.
        #[arg(long = "wallet", value_name = "ID", required = true, value_delimiter = ',')]
        wallets: Vec<String>,
        /// What it may do; separate several with commas.
        #[arg(long = "rights", value_name = "RIGHT", required = true, value_delimiter = ',', value_parser = Right::NAMES.to_vec())]
        rights: Vec<String>,
        /// An address that it may come from, or a network as 10.0.0.0/8; give several with commas [default:
        /// from everywhere].
        #[arg(long = "network", value_name = "NETWORK", value_delimiter = ',')]
        networks: Vec<String>,
        /// When it ends, in UTC: 2027-12-31 (its first second) or 2027-12-31T12:00:00Z [default: never].
        #[arg(long, value_name = "DATE")]
        until: Option<String>,
        /// Requests per second that it may send to each server [default: no limit].
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        per_second: Option<u32>,
        /// A limit on spending, as 'spend 10.00 HTR per day'; repeat it for several limits. Also mint; per
        /// transaction, hour or lifetime; 'to ADDRESS', 'not to ADDRESS', 'call CONTRACT METHOD'. Amounts
        /// have decimals, or are in cents ('spend 500 cents of UID per day'). With 'unless approved by 2 of
        /// alice,bob,carol' at its end, what goes beyond is not refused but waits for so many of these keys,
        /// which need the right approve.
        #[arg(long = "limit", value_name = "LIMIT", value_parser = limit)]
        limits: Vec<String>,
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// List all keys and what each may do, also those that were revoked.
    List {
        /// As JSON.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// Revoke a key, forever.
    Revoke {
        /// Its name.
        name: String,
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// Make a new key with the same name and rights, and print it.
    Rotate {
        /// Its name.
        name: String,
        /// Seconds for which the old key still works.
        #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=2_592_000))]
        overlap: u32,
        #[command(flatten)]
        place: PlaceArgs,
    },
}

pub async fn keys(args: KeysArgs) -> Done {
    match args.command {
        KeysCommand::Add { name, wallets, rights, networks, until, per_second, limits, place } => {
            add(&name, Texts { rights, wallets, networks, until, per_second, limits }, &place).await
        }
        KeysCommand::List { json, place } => list(json, &place).await,
        KeysCommand::Revoke { name, place } => {
            let kept = kept(&place, &name)?;
            let work = access::revoke(kept.documents("keys")?, &name, None, now());
            kept.audited("keys revoke", &[("name", &name)], work).await?;
            tell(&format!("the key {name:?} was revoked"));
            Ok(())
        }
        KeysCommand::Rotate { name, overlap, place } => {
            let kept = kept(&place, &name)?;
            let work = access::rotate(kept.documents("keys")?, &name, overlap, None, now());
            let key = kept.audited("keys rotate", &[("name", &name)], work).await?;
            say(key.expose_secret());
            Ok(())
        }
    }
}

async fn add(name: &str, texts: Texts, place: &PlaceArgs) -> Done {
    let config = place.settings()?;
    let grant = Grant::try_from(texts.clone())?;
    if grant.has_ended(now()) {
        return Err(KeyError::Ended.into());
    }
    if config.keys.iter().any(|key| key.name == name) {
        return Err(KeyError::Taken(name.to_owned()).into());
    }
    if let Some(network) = place.network()? {
        grant.limits.iter().try_for_each(|rule| rule.check_network(network))?;
    }
    let Some(kept) = Kept::made(&config)? else {
        let new = NewKey::make()?;
        // The others may be written there later.
        if let Err(warning) = access::check_approvers(name, &grant, &config.keys) {
            tell(&format!("warning: {warning}"));
        }
        tell(&for_settings(name, &hex::encode(new.hash), &Texts::from(grant)));
        say(new.key.expose_secret());
        return Ok(());
    };
    if grant.limits.iter().any(|rule| rule.quorum().is_some()) {
        let stored = access::read(kept.documents("keys")?).await?.keys;
        access::check_approvers(name, &grant, &[config.keys, stored].concat())?;
    }
    let work = access::add(kept.documents("keys")?, name, &grant, now());
    let key = kept.audited("keys add", &[("name", name)], work).await?;
    say(key.expose_secret());
    Ok(())
}

/// What is to be written into the settings.
fn for_settings(name: &str, hash: &str, texts: &Texts) -> String {
    let list = |texts: &[String]| {
        let quoted: Vec<_> = texts.iter().map(|text| toml::Value::from(text.as_str()).to_string()).collect();
        format!("[{}]", quoted.join(", "))
    };
    let mut lines = vec![
        "There is no --data-dir and no --store: write this into the server's settings, and have it read them again \
         (POST /reload-config) or start it anew."
            .to_owned(),
        String::new(),
        format!("[keys.{}]", toml::Value::from(name)),
        format!("hash = \"{hash}\""),
        format!("rights = {}", list(&texts.rights)),
        format!("wallets = {}", list(&texts.wallets)),
    ];
    if !texts.networks.is_empty() {
        lines.push(format!("networks = {}", list(&texts.networks)));
    }
    lines.extend(texts.until.as_ref().map(|until| format!("until = \"{until}\"")));
    lines.extend(texts.per_second.map(|number| format!("per_second = {number}")));
    if !texts.limits.is_empty() {
        lines.push(format!("limits = {}", list(&texts.limits)));
    }
    lines.push(String::new());
    lines.join("\n")
}

async fn list(json: bool, place: &PlaceArgs) -> Done {
    let config = place.settings()?;
    let stored = match Kept::there(&config)? {
        Some(kept) => access::read(kept.documents("keys")?).await?.keys,
        None if config.keys.is_empty() => return Err(NO_PLACE.into()),
        None => Vec::new(),
    };
    let of_settings = config.keys.iter().map(|key| (key, true));
    let all: Vec<_> = of_settings
        .chain(stored.iter().map(|key| (key, false)))
        .map(|(key, is_setting)| key.description(is_setting))
        .collect();
    if json {
        say(&serde_json::to_string(&KeyListAnswer(&all))?);
        return Ok(());
    }
    if all.is_empty() {
        tell("there are no keys");
    }
    all.iter().for_each(|key| say(&line(key)));
    Ok(())
}

fn limit(text: &str) -> Result<String, RuleError> {
    text.parse::<Rule>().map(|rule| rule.to_string())
}

fn line(key: &KeyMembers) -> String {
    let rights: Vec<_> = key.rights.iter().map(|right| right.name()).collect();
    let mut parts = vec![format!("{}: {}; wallets {}", key.name, rights.join(", "), key.wallets.join(", "))];
    if !key.networks.is_empty() {
        parts.push(format!("from {}", key.networks.join(", ")));
    }
    parts.extend(key.until.as_ref().map(|until| format!("until {until}")));
    parts.extend(key.per_second.map(|number| format!("{number} a second")));
    parts.extend(key.limits.iter().cloned());
    parts.extend(key.is_setting.then(|| "in the settings".to_owned()));
    parts.extend(key.is_revoked.then(|| "revoked".to_owned()));
    parts.join("; ")
}

/// The place of a key that is to be changed: not the settings.
fn kept(place: &PlaceArgs, name: &str) -> Result<Kept, Box<dyn Error>> {
    let config = place.settings()?;
    if config.keys.iter().any(|key| key.name == name) {
        return Err(format!("the key {name:?} is in the settings: change or remove [keys.{name}] there, and have the server read them \
        again (POST /reload-config)").into());
    }
    Ok(Kept::there(&config)?.ok_or(NO_PLACE)?)
}
