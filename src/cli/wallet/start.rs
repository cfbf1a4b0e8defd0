//! What is more than one request: `wallet start`; `wallet list`, the wallets that a server runs; `wallet
//! tokens`, all that the wallet has or had.

use super::call::Call;
use super::failure::Failure;
use super::flags::Flags;
use super::names::{self, Names, is_uid};
use super::service::{Service, StartBody};
use super::table::{self, Column, Sheet};
use super::words;
use clap::Args;
use headless_wallet::operations;

use serde_json::{Value, json};

/// How a wallet is started at a server.
#[derive(Args)]
pub struct StartArgs {
    /// Doesn't wait until the wallet is ready.
    #[arg(long)]
    no_wait: bool,
    /// Sends words to another machine unencrypted: only for networks on which nobody else can listen.
    #[arg(long)]
    allow_plain_http: bool,
}

/// Starts a wallet and waits until it is ready.
pub async fn start(service: &Service, args: &StartArgs, flags: &Flags) -> Result<String, Failure> {
    let Some(wallet_id) = flags.server.wallet_id.as_deref().filter(|id| !id.is_empty()) else {
        return Err(Failure::Usage(
            "a wallet is started under an id of your choice: give --wallet-id, or set HEADLESS_WALLET_ID"
                .to_owned(),
        ));
    };
    let takes_words = flags.words.seed_key.is_none() && flags.words.xpub.is_none();
    if takes_words && service.is_plaintext_remote() && !args.allow_plain_http {
        return Err(Failure::Failed(format!(
            "{}: the words would be sent there unencrypted. Use https, or words that the server keeps (--seed-key), or give \
             --allow-plain-http if nobody else can listen on that network.",
            service.name()
        )));
    }
    let secret = words::secret(&flags.words)?;
    let passphrase = words::passphrase(&flags.words)?;
    let call = StartBody::new(wallet_id, &secret, passphrase.as_ref(), &flags.words).call();
    let answer = service.ask(&call).await?;
    if !args.no_wait {
        service.ready(flags).await?;
    }
    if flags.json {
        return answer.text();
    }
    Ok(if args.no_wait {
        format!("Wallet {wallet_id} is loading: `headless-wallet wallet status` says when it is ready.")
    } else {
        format!("Wallet {wallet_id} is ready.")
    })
}

// `wallet list`: the wallets that a server runs.

/// What to print.
pub async fn wallets(service: &Service, flags: &Flags) -> Result<String, Failure> {
    const COLUMNS: [Column; 2] = [Column::text("wallet"), Column::text("state")];
    let asked = json!({"wallet_ids": "*"});
    let health = service.health(&Call::get(operations::HEALTH.path, &asked)).await?;
    let checks = health["checks"].as_object().into_iter().flat_map(serde_json::Map::values);
    let text = |check: &Value, name: &str| check[0][name].as_str().unwrap_or_default().to_owned();
    let rows: Vec<_> =
        checks.map(|check| vec![text(check, "componentId"), state(&text(check, "output"))]).collect();
    if flags.json {
        let wallets: Vec<_> = rows.iter().map(|row| json!({"id": row[0], "state": row[1]})).collect();
        return Ok(json!({"success": true, "wallets": wallets}).to_string());
    }
    let sheet = Sheet::new().table(&COLUMNS, rows, "No wallets: `headless-wallet wallet start` starts one.");
    Ok(if flags.is_csv() { table::csv(&sheet) } else { sheet.to_string() })
}

/// `ready`, or the state that the wallet is in.
fn state(output: &str) -> String {
    match output.split_once("Current state: ") {
        Some((_, state)) => state.to_owned(),
        None => "Ready".to_owned(),
    }
}

// `wallet tokens`: all that the wallet has or had.

/// What to print.
pub async fn tokens(service: &Service, flags: &Flags) -> Result<String, Failure> {
    const COLUMNS: [Column; 5] = [
        Column::token("token"),
        Column::text("name"),
        Column::amount("available"),
        Column::amount("locked"),
        Column::text("uid"),
    ];
    let balances = names::of_wallet(service).await?;
    let uid = |balance: &Value| balance["token"].as_str().unwrap_or_default().to_owned();
    let names = Names::of_uids(service, balances.iter().map(uid).filter(|uid| is_uid(uid)).collect()).await;
    let (mut rows, mut tokens) = (Vec::new(), Vec::new());
    for balance in balances {
        let uid = uid(&balance);
        let known = match uid.as_str() {
            "00" => Some(("Hathor".to_owned(), "HTR".to_owned())),
            uid => names.get(uid).map(|known| (known.name.clone(), known.symbol.clone())),
        };
        let (name, symbol) = known.unzip();
        let amount = |which: &str| balance[which].to_string();
        rows.push(vec![
            uid.clone(),
            name.clone().unwrap_or_default(),
            amount("available"),
            amount("locked"),
            uid.clone(),
        ]);
        tokens.push(json!({
            "uid": uid, "name": name, "symbol": symbol,
            "available": balance["available"], "locked": balance["locked"],
        }));
    }
    if flags.json {
        return Ok(json!({"success": true, "tokens": tokens}).to_string());
    }
    let sheet = Sheet::new().table(&COLUMNS, rows, "No tokens.").named(names);
    Ok(if flags.is_csv() { table::csv(&sheet) } else { sheet.to_string() })
}
