//! The commands that are an operation of the interface each, as the operations declare them, and how each is
//! shown.

use super::command::{ADDRESSES, Extra, Look, STATUS, Signed, WalletCommand};
use super::names::unnamed;
use super::views;
use crate::cli::amount::decimal;
use headless_wallet::api::Method;
use headless_wallet::operations::{self, Operation};
use serde_json::{Map, Value};
use std::sync::LazyLock;

pub static COMMANDS: LazyLock<Vec<WalletCommand>> = LazyLock::new(declared);

/// One for each command that is declared.
fn declared() -> Vec<WalletCommand> {
    let mut all: Vec<WalletCommand> = Vec::new();
    for of in operations::all() {
        for declared in of.command.unwrap_or_default().iter().filter(|command| !command.is_apart) {
            match all.iter_mut().find(|command| command.name == declared.name) {
                None => {
                    all.push(WalletCommand { of, declared, instead: None, look: look(of, declared.name) })
                }
                Some(same) if of.method == Method::Get => {
                    let instead = Some(same.of);
                    *same = WalletCommand { of, declared, instead, look: look(of, declared.name) };
                }
                Some(same) => same.instead = Some(of),
            }
        }
    }
    all
}

/// How a command is shown; one that is not in the list shows its answer as it is, or what it sends.
fn look(of: &Operation, name: &str) -> Look {
    match LOOKS.iter().find(|(of, _)| *of == name) {
        Some((_, look)) => *look,
        None if of.sends() => Look::new(views::sent).asks_of_all(|_| "Send this transaction?".to_owned()),
        None => Look::new(views::plain),
    }
}

static LOOKS: &[(&str, Look)] = &[
    ("stop", Look::new(views::done)),
    ("status", Look::new(views::status)),
    (
        "address",
        Look::new(views::address).note(|fields| fields.contains_key("mark_as_used")).extra(Extra::Qr),
    ),
    ("addresses", Look::new(views::addresses)),
    ("last-index", Look::new(views::index).note(|fields| !fields.is_empty())),
    ("load-more-addresses", Look::new(views::done).note(|_| true)),
    ("address-index", Look::new(views::index)),
    ("address-info", Look::new(views::address_info)),
    ("events", Look::new(views::done)),
    ("balance", Look::new(views::balance).extra(Extra::AllTokens)),
    ("utxos", Look::new(views::utxos)),
    ("history", Look::new(views::history).with(&[ADDRESSES]).extra(Extra::History)),
    ("tx", Look::new(views::transaction).with(&[ADDRESSES])),
    ("confirmations", Look::new(views::confirmations)),
    ("token", Look::new(views::configuration)),
    (
        "send",
        Look::new(views::sent).asks(|of| format!("Pay {} to {}?", amount(of, "value"), of.text("address"))),
    ),
    (
        "send-many",
        Look::new(views::sent)
            .asks(|of| format!("Send this transaction, of {}?", outputs(of)))
            .tells(chooses),
    ),
    (
        "send-data",
        Look::new(views::sent)
            .asks(|of| format!("Write this to the ledger forever, in {}?", outputs(of)))
            .tells(chooses),
    ),
    (
        "create-token",
        Look::new(views::sent).asks(|of| {
            let (name, symbol) = (of.text("name"), of.text("symbol"));
            format!("Create the token {name} ({symbol}), {} of it?", decimal(&of["amount"].to_string()))
        }),
    ),
    (
        "create-nft",
        Look::new(views::sent).asks(|of| {
            let (name, symbol) = (of.text("name"), of.text("symbol"));
            format!("Create the NFT {name} ({symbol}), {} of it?", of["amount"])
        }),
    ),
    ("mint", Look::new(views::sent).asks(|of| format!("Mint {}?", amount(of, "amount")))),
    (
        "melt",
        Look::new(views::melted)
            .asks(|of| format!("Melt {}? It can't be undone.", amount(of, "amount")))
            .tried(views::returned),
    ),
    (
        "consolidate",
        Look::new(views::consolidated)
            .asks(|of| format!("Combine them into one output, at {}?", of.text("destination_address")))
            .tried(views::moved),
    ),
    ("decode", Look::new(views::decoded)),
    // It needs no wallet, and there may be none.
    ("push", Look::new(views::sent).with(&[STATUS]).tells(|_| true)),
    ("hold", Look::new(views::done).note(|_| true)),
    ("build-tx", Look::new(views::proposal).beside(views::to_be_signed)),
    ("wallet-inputs", Look::new(views::wallet_inputs)),
    ("input-data", Look::new(views::input_data)),
    ("add-signatures", Look::new(views::proposal)),
    ("signing-file", Look::new(views::signing_file).beside(views::made_file)),
    ("propose", Look::new(views::proposal).note(sets_aside)),
    ("propose-create-token", Look::new(views::proposal).note(sets_aside)),
    ("propose-mint", Look::new(views::proposal).note(sets_aside)),
    ("propose-melt", Look::new(views::proposal).note(sets_aside)),
    ("my-signatures", Look::new(views::signatures).signs("Sign this transaction?", Signed::Given("txHex"))),
    (
        "sign",
        Look::new(views::proposal).signs("Put the signatures into this transaction?", Signed::Given("txHex")),
    ),
    ("sign-and-push", Look::new(views::sent).asks_of_all(|_| "Sign and send this transaction?".to_owned())),
    (
        "swap-propose",
        Look::new(views::swap)
            .beside(views::swap_state)
            .note(|fields| fields.get("lock") != Some(&Value::Bool(false))),
    ),
    ("swap-signatures", Look::new(views::signatures).signs("Sign this swap?", Signed::Given("partial_tx"))),
    (
        "swap-sign",
        Look::new(views::proposal).signs("Put the signatures into this swap?", Signed::Given("partial_tx")),
    ),
    ("swap-push", Look::new(views::sent).asks_of_all(|_| "Send this swap?".to_owned())),
    ("swap-input-data", Look::new(views::signatures)),
    ("swap-unlock", Look::new(views::done).note(|_| true)),
    ("swap-list", Look::new(views::swap_list)),
    ("swap-fetch", Look::new(views::swap_fetched).beside(views::swap_version)),
    ("swap-register", Look::new(views::done).note(|_| true)),
    ("swap-delete", Look::new(views::done).note(|_| true)),
    ("locked-utxos", Look::new(views::locked)),
    (
        "run-template",
        Look::new(views::sent).asks_of_all(|_| "Send the transaction that this template makes?".to_owned()),
    ),
    (
        "build-template",
        Look::new(views::proposal)
            .signs("Sign the transaction that this template makes?", Signed::Made("sign")),
    ),
    (
        "nano-create",
        Look::new(views::sent)
            .asks_of_all(|of| format!("Create a contract of blueprint {}?", of.text("blueprint_id"))),
    ),
    (
        "nano-execute",
        Look::new(views::sent)
            .asks_of_all(|of| format!("Call {} of contract {}?", of.text("method"), of.text("nc_id"))),
    ),
    (
        "nano-blueprint",
        Look::new(views::sent)
            .asks(|of| format!("Put this blueprint on the ledger, signed by {}?", of.text("address"))),
    ),
    ("tasks", Look::new(views::tasks)),
    ("task", Look::new(views::task)),
    ("task-cancel", Look::new(views::task)),
    ("approvals", Look::new(views::approvals)),
    ("approval", Look::new(views::approval)),
    (
        "approve",
        Look::new(views::approval)
            .asks(|of| {
                format!("Approve {}? It is sent as soon as it has enough approvals.", of.text("approvalId"))
            })
            .fails(views::not_sent),
    ),
    ("deny", Look::new(views::approval)),
    ("webhooks", Look::new(views::webhooks)),
    ("webhook-deliveries", Look::new(views::deliveries)),
    ("webhook-redeliver", Look::new(views::delivery)),
    ("sign-message", Look::new(views::message_signature)),
    // Worked out here: it is never sent.
    ("verify-message", Look::new(views::done)),
];

/// Whether what is spent is chosen by whoever asks, so that it may be more than what is paid.
fn chooses(fields: &Map<String, Value>) -> bool {
    fields.get("inputs").and_then(Value::as_array).is_some_and(|inputs| !inputs.is_empty())
}

fn sets_aside(fields: &Map<String, Value>) -> bool {
    fields.contains_key("mark_inputs_as_used")
}

/// An amount of the token that is meant.
fn amount(fields: &Map<String, Value>, name: &str) -> String {
    let cents = fields[name].to_string();
    match fields.text("token") {
        "" | "00" => format!("{} HTR", decimal(&cents)),
        uid => unnamed(&cents, &format!("token {uid}")),
    }
}

fn outputs(fields: &Map<String, Value>) -> String {
    match fields["outputs"].as_array().map_or(0, Vec::len) {
        1 => "1 output".to_owned(),
        count => format!("{count} outputs"),
    }
}

/// Fields that are texts.
trait Texts {
    fn text(&self, name: &str) -> &str;
}

impl Texts for Map<String, Value> {
    fn text(&self, name: &str) -> &str {
        self.get(name).and_then(Value::as_str).unwrap_or_default()
    }
}
