//! `headless-wallet wallet`: a wallet for people and scripts, by the same requests that other programs send.
//!
//! An [`operation`] says what to ask, a [`service`] answers: a running server, or one inside of this process that knows no
//! wallet but this. [`sheets`] and [`table`] make the answer readable.

mod call;
mod failure;
mod fields;
mod flags;
mod operation;
mod progress;
mod question;
mod service;
mod sheets;
mod start;
mod table;
mod words;

use self::failure::Failure;
use self::flags::Flags;
use self::operation::{Operation, Row, Write};
use self::service::Service;
use super::{say, shutdown};
use clap::Args;
use serde_json::Value;
use std::cell::Cell;
use std::process::ExitCode;

/// What `wallet` is asked to do.
#[derive(Args)]
#[command(
    subcommand_value_name = "OPERATION",
    subcommand_help_heading = "Operations",
    after_help = "Amounts are whole numbers of cents: 1250 is 12.50. A token is named by its uid, the hash of the transaction \
that created it, or is HTR.\n\n\
A wallet is found by its id at a running server (`headless-wallet serve`), or is started in this process for the one \
operation (--direct).\n\n\
Exit codes: 0 when it was done, 1 when it was refused or failed, 2 for a command line that can't be understood, 130 after \
Ctrl-C.",
    after_long_help = "Amounts are whole numbers of cents: 1250 is 12.50. A token is named by its uid, the hash of the \
transaction that created it, or is HTR.\n\n\
A wallet is found by its id at a running server (`headless-wallet serve`), or is started in this process for the one \
operation (--direct).\n\n\
With --json, standard output is the server's answer as it is, one JSON value: docs/ui of the server describes them. What this \
program has to say itself looks the same: {\"success\":false,\"error\":\"…\"}.\n\n\
Exit codes: 0 when it was done, 1 when it was refused or failed, 2 for a command line that can't be understood, 130 after \
Ctrl-C.\n\n\
Examples:\n  \
headless-wallet wallet new --out words.txt\n  \
export HEADLESS_WALLET_ID=shop\n  \
headless-wallet wallet start --seed-file words.txt\n  \
headless-wallet wallet address\n  \
headless-wallet wallet send WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6 1500\n  \
headless-wallet wallet create-token 'Tour Token' TOUR 10000 --dry-run\n  \
headless-wallet wallet history --limit 5 --json\n  \
headless-wallet wallet balance --direct --network testnet --seed-file words.txt"
)]
pub struct WalletArgs {
    #[command(subcommand)]
    operation: Operation,
    #[command(flatten)]
    flags: Flags,
}

/// Carries it out and says how it went.
pub async fn wallet(args: WalletArgs) -> ExitCode {
    let json = args.flags.json;
    match carry_out(args).await {
        Ok(text) => {
            say(&text);
            ExitCode::SUCCESS
        }
        Err(failure) => failure.report(json),
    }
}

/// What to print.
async fn carry_out(args: WalletArgs) -> Result<String, Failure> {
    let WalletArgs { operation, flags } = args;
    flags.check(&operation)?;
    if let Operation::New(new) = &operation {
        return words::make(new, flags.json);
    }
    let service = Service::open(&flags)?;
    let sending = Cell::new(false);
    let work = async {
        match &operation {
            Operation::Start(start) => start::start(&service, start, &flags).await,
            operation => {
                service.begin(&flags).await?;
                operate(&service, operation, &flags, &sending).await
            }
        }
    };
    let result = tokio::select! {
        result = work => result,
        () = shutdown::signal() => Err(Failure::Interrupted { sending: sending.get() }),
    };
    service.end().await;
    result
}

/// Asks, and says what was answered.
async fn operate(
    service: &Service,
    operation: &Operation,
    flags: &Flags,
    sending: &Cell<bool>,
) -> Result<String, Failure> {
    let Row { mut call, also, show, write } = operation.row();
    // Before anything is sent: what was sent is told, whatever happens then.
    let also = match also.filter(|_| !flags.json) {
        Some(path) => service.ask(&call::Call::get(path, &())).await?.json,
        None => Value::Null,
    };
    if let Some(Write { options, question, can_try }) = &write {
        if options.dry_run && !can_try {
            return Err(Failure::Usage(
                "this can't be tried without sending: look at it with `decode`".to_owned(),
            ));
        } else if options.dry_run {
            call = call.dry_run();
        } else {
            if !options.yes && question::can_ask() {
                let cost = match can_try {
                    true => Some(service.ask(&call.clone().dry_run()).await?),
                    false => None,
                };
                question::ask(question, cost.as_ref().map(|answer| &answer.json)).await?;
            }
            call = call.once(options.key()?);
        }
    }
    sending.set(call.key().is_some());
    let answer = service.ask(&call).await?;
    sending.set(false);
    if flags.json { answer.text() } else { Ok(show(&answer.json, &also).to_string()) }
}
