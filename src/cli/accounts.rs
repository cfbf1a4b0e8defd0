//! `headless-wallet accounts`: which of several servers on one database runs which account.

use super::place::{Kept, PlaceArgs};
use super::{Done, say, tell};
use clap::{Args, Subcommand};
use headless_wallet::rt;
use headless_wallet::store::{AccountState, Accounts, LiveServer};
use serde_json::json;
use std::error::Error;
use std::time::Duration;

/// How long a move is waited for.
const MOVE_LIMIT: Duration = Duration::from_secs(60);
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// What `accounts` is asked to do.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct AccountsArgs {
    #[command(subcommand)]
    command: Option<AccountsCommand>,
    #[command(flatten)]
    list: ListArgs,
}

#[derive(Args)]
struct ListArgs {
    /// As JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: PlaceArgs,
}

#[derive(Subcommand)]
enum AccountsCommand {
    /// Have another server run an account. The one that runs it finishes its sends under way first.
    Move {
        /// The id of one of its wallets, or the account's name.
        #[arg(value_name = "WALLET")]
        what: String,
        /// The number or the URL of the server [default: the one that runs the fewest accounts].
        #[arg(long, value_name = "SERVER")]
        to: Option<String>,
        #[command(flatten)]
        place: PlaceArgs,
    },
}

pub async fn accounts(args: AccountsArgs) -> Done {
    match args.command {
        None => list(&args.list).await,
        Some(AccountsCommand::Move { what, to, place }) => {
            move_account(&place.kept()?, &what, to.as_deref()).await
        }
    }
}

const NO_DATABASE: &str = "a directory has one server: --store names the database of several";

async fn list(args: &ListArgs) -> Done {
    let kept = args.place.kept()?;
    let (accounts, servers) = kept.accounts().ok_or(NO_DATABASE)?.all().await?;
    if args.json {
        let accounts = accounts.iter().map(|account| {
            json!({
                "account": account.name,
                "wallets": account.wallets,
                "server": account.server,
                "epoch": account.epoch,
                "movesTo": account.wanted_by,
            })
        });
        let servers = servers.iter().map(|server| {
            json!({
                "id": server.id, "url": server.url, "leaseAgeMs": server.renewed, "accounts": server.accounts,
            })
        });
        let (accounts, servers) = (accounts.collect::<Vec<_>>(), servers.collect::<Vec<_>>());
        say(&json!({"servers": servers, "accounts": accounts}).to_string());
        return Ok(());
    }
    for server in &servers {
        let LiveServer { accounts, renewed, .. } = server;
        let seconds = format!("{}.{}", renewed / 1_000, renewed % 1_000 / 100);
        say(&format!("{}: {accounts} accounts, lease renewed {seconds} s ago", named(server)));
    }
    if accounts.is_empty() {
        tell("no wallet is started");
    }
    for AccountState { name, wallets, server, epoch, wanted_by, .. } in &accounts {
        let runs = server.map_or_else(|| "no server runs it".to_owned(), |id| format!("server {id}"));
        let moves = wanted_by.map(|id| format!(", moves to server {id}")).unwrap_or_default();
        say(&format!("{}: {runs}, epoch {epoch}{moves}, account {name}", wallets.join(" ")));
    }
    Ok(())
}

fn named(LiveServer { id, url, .. }: &LiveServer) -> String {
    match url {
        Some(url) => format!("server {id} ({url})"),
        None => format!("server {id}"),
    }
}

async fn move_account(kept: &Kept, what: &str, to: Option<&str>) -> Done {
    let all = kept.accounts().ok_or(NO_DATABASE)?;
    let (accounts, servers) = all.all().await?;
    let account = one(&accounts, what)?;
    if !account.is_movable {
        return Err(format!(
            "account {} has wallets that were started by a seed phrase or a passphrase, which no other server has: stop them, and \
             start them at the other server",
            account.name
        )
        .into());
    }
    let target = target(&servers, account, to)?;
    if account.server == Some(target.id) {
        return Err(format!("{} runs account {} already", named(target), account.name).into());
    }
    let about = [("name", &*account.name), ("to", &*target.id.to_string())];
    kept.audited("accounts move", &about, move_to(all, account, target)).await
}

async fn move_to(all: &dyn Accounts, account: &AccountState, target: &LiveServer) -> Done {
    if !all.move_to(account, target.id).await? {
        return Err(
            "another server has taken the account just now, or the other one has ended: try again".into()
        );
    }
    let moved = async {
        loop {
            let (now, _) = all.all().await?;
            let now = now.iter().find(|now| now.name == account.name);
            match now {
                Some(now) if now.epoch == account.epoch => rt::sleep(LOOK_EVERY).await,
                Some(AccountState { server: Some(id), .. }) if *id == target.id => return Ok(true),
                _ => return Ok::<_, Box<dyn Error>>(false),
            }
        }
    };
    let (server, name) = (named(target), &account.name);
    match rt::timeout(MOVE_LIMIT, moved).await {
        Ok(Ok(true)) => say(&format!("{server} runs account {name} now")),
        Ok(Ok(false)) => return Err(format!("{server} could not run account {name}: see its log").into()),
        Ok(Err(error)) => return Err(error),
        Err(rt::Elapsed) => {
            tell(&format!("account {name} has sends under way: {server} runs it once they have ended"));
        }
    }
    Ok(())
}

/// The account of a name, or of a wallet's id.
fn one<'a>(accounts: &'a [AccountState], what: &str) -> Result<&'a AccountState, String> {
    let is_it = |account: &&AccountState| account.name == what || account.wallets.iter().any(|id| id == what);
    let mut found = accounts.iter().filter(is_it);
    match (found.next(), found.next()) {
        (Some(account), None) => Ok(account),
        (None, _) => {
            Err(format!("there is no account and no started wallet {what:?}: see `headless-wallet accounts`"))
        }
        (Some(one), Some(other)) => {
            Err(format!("there is a wallet {what:?} in {} and in {}: name the account", one.name, other.name))
        }
    }
}

/// The server that is named, or the one with the fewest accounts that does not run this one.
fn target<'a>(
    servers: &'a [LiveServer],
    account: &AccountState,
    to: Option<&str>,
) -> Result<&'a LiveServer, String> {
    let Some(to) = to else {
        let others = servers.iter().filter(|server| account.server != Some(server.id));
        return others.min_by_key(|server| server.accounts).ok_or_else(|| {
            "there is no other server: one without wallets is there once it has a `cluster_secret`".to_owned()
        });
    };
    let plain = |url: &str| url.trim_end_matches('/').to_owned();
    let is_it = |server: &&LiveServer| {
        server.id.to_string() == to || server.url.as_deref().is_some_and(|url| plain(url) == plain(to))
    };
    servers.iter().find(is_it).ok_or_else(|| {
        let all: Vec<_> = servers.iter().map(named).collect();
        format!("there is no server {to:?} now: the servers are {}", all.join(", "))
    })
}
