//! `headless-wallet wallet`: a wallet for people and scripts, by the same requests that other programs send.
//!
//! An [`operation`] says what to ask, a [`service`] answers: a running server, or one inside of this process
//! that knows no wallet but this. [`views`] and [`table`] make the answer readable.

mod arguments;
mod call;
mod check;
mod command;
mod commands;
#[cfg(test)]
mod described;
mod effect;
mod events;
pub mod failure;
mod flags;
mod from_file;
mod help;
mod lack;
mod names;
pub mod offline;
mod operation;
mod options;
mod service;
mod signing_file;
mod start;
mod table;
mod terminal;
mod transaction_ids;
mod values;
mod views;
pub mod words;

use self::call::Call;
use self::failure::Failure;
use self::flags::{Flags, Output};
use self::names::Names;
use self::operation::{Operation, Prepared, Write};
use self::service::Service;
use self::table::Sheet;
use super::{process, say, tell};
use clap::Args;
use headless_wallet::operations;

use serde_json::{Map, Value, json};
use std::cell::{Cell, OnceCell};
use std::process::ExitCode;
use std::time::Duration;
use zeroize::Zeroizing;

/// Digits of an id, or of a uid beside a symbol, that tables show and that are enough to name it by.
const SHORT: usize = 8;

const AMOUNTS_AND_WALLETS: &str = "Write an amount as 12.50, 12 HTR or 1250 cents (of an NFT: 2 pieces), or with another token as 12.50 TEA or \
1250 cents of TEA; 12 alone is refused, because it could be 12.00 or 0.12. A token is HTR, or is named by its symbol or by its uid, the hash of \
the transaction that created it; the first eight digits of the uid are enough. A transaction of the wallet is named by its id or by the id's \
first digits, at least four, if no other one begins with them.\n\n\
The wallet is one that runs on a server (`headless-wallet serve`), named by its id; or, with --direct, one that is started in this \
process for this operation only.";

const PROFILES_AND_JSON: &str = "A profile says where a wallet is, under a name of your choice. Profiles are kept in \
~/.config/headless-wallet/profiles.toml ($XDG_CONFIG_HOME; macOS: ~/Library/Application Support; Windows: %APPDATA%), for example:\n\n  \
[shop]\n  url = \"https://wallet.example\"\n  wallet_id = \"shop\"\n  api_key_file = \"shop.key\"\n\n  \
[try]\n  direct = true\n  network = \"testnet\"\n  seed_file = \"words.txt\"\n\n\
A profile can also have first_address, node_url, mining_url and data_dir. Flags take precedence over the profile; with a profile, \
HEADLESS_URL and similar variables are ignored.\n\n\
With --json, standard output is the server's answer, unchanged, as one JSON value; the server's /docs/ui describes the answers. Errors of \
this program itself look the same: {\"success\":false,\"error\":\"…\"}.";

const EXIT_CODES: &str = "Exit codes: 0 for success, 1 if the operation failed or was refused, 2 for a mistake in the command line, \
130 after Ctrl-C.";

const EXAMPLES: &str = "Examples:\n  \
headless-wallet wallet new --out words.txt\n  \
export HEADLESS_WALLET_ID=shop\n  \
headless-wallet wallet start --seed-file words.txt\n  \
headless-wallet wallet address\n  \
headless-wallet wallet send WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6 15.00\n  \
headless-wallet wallet create-token 'Tour Token' TOUR 100.00 --dry-run\n  \
headless-wallet wallet history --limit 5 --json\n  \
headless-wallet wallet balance --direct --network testnet --seed-file words.txt";

/// What `wallet` is asked to do.
#[derive(Args)]
#[command(
    subcommand_value_name = "OPERATION",
    subcommand_help_heading = "Operations",
    after_help = format!("{AMOUNTS_AND_WALLETS}\n\n{EXIT_CODES}"),
    after_long_help = format!("{AMOUNTS_AND_WALLETS}\n\n{PROFILES_AND_JSON}\n\n{EXIT_CODES}\n\n{EXAMPLES}")
)]
pub struct WalletArgs {
    #[command(subcommand)]
    operation: Operation,
    #[command(flatten)]
    flags: Flags,
}

/// Carries it out and says how it went.
pub async fn wallet(mut args: WalletArgs) -> ExitCode {
    args.flags.json |= args.flags.output == Some(Output::Json);
    let json = args.flags.json;
    let (seed_key, direct) = (args.flags.words.seed_key.clone(), args.flags.direct.direct);
    // Wiped in the end: new words are in it.
    match carry_out(args).await.map(Zeroizing::new) {
        Ok(text) => {
            if !text.is_empty() {
                say(&text);
            }
            ExitCode::SUCCESS
        }
        Err(failure) => failure.naming_seed(seed_key.as_deref(), direct).report(json),
    }
}

/// The help, with the operations in groups.
pub fn help_in_groups(help: &str) -> String {
    help::with_headings(help, terminal::is_colored())
}

/// What to print.
async fn carry_out(args: WalletArgs) -> Result<String, Failure> {
    let WalletArgs { operation, mut flags } = args;
    flags.complete(operation.starts())?;
    check::check(&flags, &operation)?;
    if let Operation::New(new) = &operation {
        return words::make(new, flags.json);
    }
    if let Some((operation, fields)) = operation.asked()
        && *operation == operations::VERIFY_MESSAGE
    {
        return offline::verified_message(fields, flags.json);
    }
    if matches!(operation, Operation::Xpub) {
        return offline::xpub(&flags);
    }
    flags.direct.reads_only = operation.prepare().write.is_none();
    if let Operation::Inspect(files) = &operation {
        return signing_file::show(files, flags.json).await;
    }
    let (service, sending) = (OnceCell::new(), Cell::new(false));
    let work = async {
        if matches!(operation, Operation::MultisigPubkey) && flags.direct.direct {
            return offline::multisig_pubkey(&flags);
        }
        if let Operation::SignFile(files) = &operation {
            return signing_file::sign(files, &flags).await;
        }
        let service = service.get_or_init(|| Service::open(&flags)).as_ref().map_err(Failure::clone)?;
        match &operation {
            Operation::Start(start) => start::start(service, start, &flags).await,
            Operation::MultisigPubkey => offline::multisig_pubkey_of_server(service, &flags).await,
            Operation::List => start::wallets(service, &flags).await,
            operation if operation.is(&operations::EVENTS) => {
                events::follow(service, &operation.prepare().call).await
            }
            operation => {
                service.begin(&flags).await?;
                let operation = operation.resolved(service, flags.json).await?;
                match operation.shown().watch {
                    None => operate(service, &operation, &flags, &sending).await,
                    Some(seconds) => watch(service, &operation, &flags, seconds).await,
                }
            }
        }
    };
    // The signal first: it must be waited for before words are asked for, or else the terminal would stay
    // silent after it.
    let result = tokio::select! {
        biased;
        // The way to end what has no end.
        () = process::shutdown_signal() => match operation.is(&operations::EVENTS) || operation.shown().watch.is_some() {
            true => Ok(String::new()),
            false => Err(Failure::Interrupted { sending: sending.get() }),
        },
        result = work => result,
    };
    if let Some(Ok(service)) = service.into_inner() {
        if matches!(result, Err(Failure::Interrupted { sending: true })) && flags.direct.direct {
            tell("finishing what is being sent; another Ctrl-C ends without that");
        }
        service.end().await;
    }
    result
}

/// Asks again and again; what has changed is shown in the place of what was, or below it where that is no
/// terminal.
async fn watch(
    service: &Service,
    operation: &Operation,
    flags: &Flags,
    seconds: u64,
) -> Result<String, Failure> {
    const CLEAR: &str = "\x1b[H\x1b[2J";
    let mut shown = String::new();
    loop {
        let text = operate(service, operation, flags, &Cell::new(false)).await?;
        if text != shown {
            say(&if terminal::is_colored() { format!("{CLEAR}{text}") } else { text.clone() });
            shown = text;
        }
        tokio::time::sleep(Duration::from_secs(seconds)).await;
    }
}

/// Asks, and says what was answered.
async fn operate(
    service: &Service,
    operation: &Operation,
    flags: &Flags,
    sending: &Cell<bool>,
) -> Result<String, Failure> {
    let shown = operation.shown();
    if matches!(operation, Operation::Tokens) || shown.all {
        return start::tokens(service, flags).await;
    }
    let Prepared { mut call, also, show, aside, fails, write, signing } = operation.prepare();
    // Before anything is sent: what was sent is told, whatever happens then.
    let mut about = match &write {
        Some(write) if !write.needs_wallet => effect::about_any(service, write, also, flags.json).await,
        Some(write) if !flags.json || write.asks() => all_of(service, also).await?,
        None if !flags.json => all_of(service, also).await?,
        _ => Value::Null,
    };
    let asked: Map<_, _> = operation.asked().into_iter().flat_map(|(_, fields)| fields.clone()).collect();
    if let Some(signing) = signing {
        effect::ask_to_sign(service, &signing).await?;
    }
    if let Some(write) = &write {
        call = match ready_to_send(service, call, write, &mut about).await {
            Ok(call) => call,
            Err(failure) => return Err(lack::explained(service, failure).await),
        };
    }
    sending.set(call.key().is_some());
    let answer = service.ask(&call).await;
    sending.set(false);
    let answer = match answer {
        Ok(answer) => answer,
        Err(failure) => return Err(lack::explained(service, failure).await),
    };
    if let Some(sentence) = fails(&answer.json) {
        return Err(Failure::Refused { answer: answer.text()?, sentence });
    }
    if let Some((asked, fields)) = operation.asked()
        && *asked == operations::CURRENT_ADDRESS
    {
        warn_of_unwatched(service, fields).await;
    }
    if flags.json {
        return answer.text();
    }
    if let Some(write) = write.filter(|write| write.options.dry_run) {
        effect::add(service, &write, &answer.json, &mut about).await;
    }
    let aside = aside(&answer.json).to_string();
    if !aside.is_empty() {
        tell(&aside);
    }
    if !about.is_object() {
        about = json!({});
    }
    about[views::ASKED] = Value::Object(asked);
    let sheet = named(service, show(&answer.json, &about)).await;
    if flags.is_csv() {
        return Ok(table::csv(&sheet));
    }
    let code = answer.json["address"].as_str().filter(|_| shown.qr).map(terminal::qr_code);
    Ok([Some(sheet.to_string()), code].into_iter().flatten().collect::<Vec<_>>().join("\n\n"))
}

/// The sheet, with names of its tokens.
pub async fn named(service: &Service, sheet: Sheet) -> Sheet {
    let names = Names::of_uids(service, sheet.tokens()).await;
    sheet.named(names)
}

/// The members of all that these paths answer.
async fn all_of(service: &Service, paths: &[&str]) -> Result<Value, Failure> {
    let mut all = Map::new();
    for path in paths {
        if let Value::Object(answer) = service.ask(&Call::get(path, &())).await?.json {
            all.extend(answer);
        }
    }
    Ok(Value::Object(all))
}

/// Says so where an address is shown that the wallet doesn't watch yet.
async fn warn_of_unwatched(service: &Service, fields: &Map<String, Value>) {
    let Some(index) = fields.get("index").and_then(Value::as_u64) else { return };
    let path = operations::LAST_LOADED_INDEX.path;
    // The address was told: a failure to say more is none.
    let Ok(last) = service.ask(&Call::get(path, &())).await else { return };
    if let Some(last) = last.json["index"].as_u64().filter(|last| index > *last) {
        tell(&format!(
            "warning: the wallet watches addresses up to index {last} so far: it does not see payments to this one"
        ));
    }
}

/// The request as a mere try, or with a name and with the consent of whoever sits at the terminal.
async fn ready_to_send(
    service: &Service,
    call: Call,
    write: &Write,
    about: &mut Value,
) -> Result<Call, Failure> {
    if write.options.dry_run {
        return Ok(call.dry_run());
    }
    if write.asks() {
        let tried = service.ask(&call.clone().dry_run()).await?;
        effect::add(service, write, &tried.json, about).await;
        // At a terminal, both may come from the environment or a profile, out of sight.
        if let Some(wallet) = service.wallet_and_server()
            && about.is_object()
        {
            about[views::PAYER] = wallet.into();
        }
        let told = (write.tried)(&tried.json, about).sentence(write.question.clone());
        let told = named(service, told).await.to_string();
        let (told, question) = told.rsplit_once("\n\n").unwrap_or(("", &told));
        terminal::ask(question, told, "sent").await?;
    }
    Ok(call.once(write.options.key()?))
}
