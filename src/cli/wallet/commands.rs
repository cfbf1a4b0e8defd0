//! The commands that are an operation of the interface each: their fields are those that are declared for it.

use super::command::{ADDRESSES, Argument, Extra, STATUS, Signed, WalletCommand};
use super::names::unnamed;
use super::views;
use crate::cli::amount::decimal;
use headless_wallet::operations;

use serde_json::{Map, Value};

const PAYMENTS: Argument = Argument::objects("outputs", "to", &["address", "value", "token"])
    .help("Pays an address, in HTR or in a token");
const TEXTS: Argument = Argument {
    with: Some(("type", "data")),
    ..Argument::objects("outputs", "data", &["data"])
        .help("Writes this text to the ledger, where everyone can read it forever; costs 0.01 HTR")
};
const NOTES: Argument = Argument::flag("data", "data")
    .help("Also writes this text to the ledger, where everyone can read it forever; costs 0.01 HTR");
const DIGITS: Argument = TEXTS.help(
    "Writes these hexadecimal digits to the ledger, as the text that they are, where everyone can read it \
forever; costs 0.01 HTR",
);
const SPENT: Argument = Argument::objects("inputs", "input", &["hash", "index"]).help(SPENDS);
const SPENT_BY_ID: Argument = Argument::objects("inputs", "input", &["txId", "index"]).help(SPENDS);
const SPENDS: &str = "Spends this output; if none is given, the wallet chooses";
const NO_MINT: Argument =
    Argument::flag("create_mint", "no-mint").help("Creates it without the right to mint more");
const NO_MELT: Argument =
    Argument::flag("create_melt", "no-melt").help("Creates it without the right to melt");
const TOKEN_VERSION: Argument = Argument::flag("version", "token-version");
const LAST_MINT: Argument =
    Argument::flag("create_mint", "no-mint").help("Uses up the right to mint: afterwards, it is gone");
const LAST_MELT: Argument =
    Argument::flag("create_melt", "no-melt").help("Uses up the right to melt: afterwards, it is gone");
const SET_ASIDE: Argument = Argument::flag("mark_inputs_as_used", "set-aside")
    .help("Reserves its inputs for a week, so that no other proposal or send uses them");
const DATA_LAST: Argument =
    Argument::flag("unshift_data", "data-last").help("Puts the outputs of --data last, in their order");

const CALL_DATA: Argument = Argument::flag("data", "data").help(
    "The input of the call, as JSON: the method's arguments in order (args), and what moves into and out of the contract (actions). Each \
     action has a type (deposit, withdrawal, grant_authority or acquire_authority), a token, and an amount (a number of cents) or an authority (mint \
     or melt); a withdrawal or an acquire_authority also has an address",
);
const CALL_TOKEN: Argument = Argument::flag("create_token_options", "create-token-options").help(
    "A token that the same transaction creates, as JSON with name, symbol, amount (a number of cents) and contract_pays_deposit (whether its deposit comes out \
of what is withdrawn)",
);

const SHORT_ID: &str = "The first eight digits of an id are enough.";

/// Never on the command line itself, where others can see it.
const PASSWORD: Argument =
    Argument::flag("password", "password-file").help("Reads the proposal's password from this file");

/// All of them, in the order of the help but for what a newcomer needs first.
pub static COMMANDS: &[WalletCommand] = &[
    WalletCommand::new("stop", &operations::STOP, &[], views::done)
        .does("Stop a wallet once it has finished sending; its id can then be used again."),
    WalletCommand::new("status", &operations::STATUS, &[], views::status).does("Say whether the wallet is ready."),
    WalletCommand {
        not_both: &["index", "mark_as_used"],
        extra: Extra::Qr,
        ..WalletCommand::new("address", &operations::CURRENT_ADDRESS, &[], views::address)
            .by(&[Argument::flag("mark_as_used", "new")
                .help("Marks the address as used, so that the next time another one is shown")])
            .note(|fields| fields.contains_key("mark_as_used"))
    },
    WalletCommand::new("addresses", &operations::ADDRESSES, &[], views::addresses),
    WalletCommand {
        instead: Some(&operations::LAST_INDEX),
        ..WalletCommand::new("last-index", &operations::LAST_LOADED_INDEX, &[], views::index)
            .does("Show the index of the last watched address, or set it (--set).")
            .by(&[Argument::flag("index", "set")])
            .note(|fields| !fields.is_empty())
    },
    WalletCommand::new("load-more-addresses", &operations::LOAD_MORE_ADDRESSES, &["count"], views::done)
        .does("Watch more addresses after those between two indexes, and wait until their history is loaded.")
        .note(|_| true),
    WalletCommand::new("address-index", &operations::ADDRESS_INDEX, &["address"], views::index)
        .does("Show the index of one of the wallet's addresses."),
    WalletCommand::new("address-info", &operations::ADDRESS_INFO, &["address"], views::address_info),
    WalletCommand::new("events", &operations::EVENTS, &[], views::done)
        .does("Print what happens to the wallet, one line of JSON for each event, until it is stopped or Ctrl-C is pressed.")
        .after(
            "If the connection breaks, it is made again and continues after the last event that was printed.\n\n\
Example:\n  headless-wallet wallet events | jq --unbuffered 'select(.type == \"wallet:new-tx\").data.tx_id'",
        ),
    WalletCommand {
        extra: Extra::AllTokens,
        ..WalletCommand::new("balance", &operations::BALANCE, &[], views::balance)
    },
    WalletCommand::new("utxos", &operations::UTXO_FILTER, &[], views::utxos),
    WalletCommand {
        extra: Extra::History,
        defaults: &[("limit", "20")],
        whole: Some(("all", "limit", "The whole history")),
        ..WalletCommand::new("history", &operations::TX_HISTORY, &[], views::history)
            .does("List transactions, newest first, with what they changed.")
            .with(&[ADDRESSES])
    },
    WalletCommand::new("tx", &operations::ONE_TRANSACTION, &["id"], views::transaction).with(&[ADDRESSES]),
    WalletCommand::new("confirmations", &operations::CONFIRMATIONS, &["id"], views::confirmations),
    WalletCommand::new("token", &operations::CONFIGURATION_STRING, &["token"], views::configuration)
        .does("Show a token's configuration string, with which it can be registered in a wallet."),
    WalletCommand::new("send", &operations::SIMPLE_SEND_TX, &["address", "value"], views::sent)
        .asks(|of| format!("Pay {} to {}?", amount(of, "value"), of.text("address")))
        .after(
            "Examples:\n  headless-wallet wallet send WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6 15.00\n  \
headless-wallet wallet send WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6 15.00 --dry-run",
        ),
    WalletCommand::new("send-many", &operations::SEND_TX, &[], views::sent)
        .does("Pay several addresses and write texts to the ledger, in one transaction.")
        .by(&[PAYMENTS, TEXTS, SPENT])
        .asks(|of| format!("Send this transaction, of {}?", outputs(of)))
        .tells(chooses)
        .after(
            "Example:\n  headless-wallet wallet send-many --to WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6:15.00 \
--to WeBBm1LfKBH3V5rEL5DAHtjjDiAws3Z83m:2.50 --data 'invoice 17'",
        ),
    WalletCommand::new("send-data", &operations::SEND_TX, &["outputs"], views::sent)
        .does("Write texts to the ledger, where everyone can read them forever; each costs 0.01 HTR.")
        .by(&[TEXTS, SPENT])
        .asks(|of| format!("Write this to the ledger forever, in {}?", outputs(of)))
        .tells(chooses),
    WalletCommand::new("create-token", &operations::CREATE_TOKEN, &["name", "symbol", "amount"], views::sent)
        .by(&[NO_MINT, NO_MELT, NOTES, TOKEN_VERSION])
        .asks(|of| {
            let (name, symbol) = (of.text("name"), of.text("symbol"));
            format!("Create the token {name} ({symbol}), {} of it?", decimal(&of["amount"].to_string()))
        })
        .after("Example:\n  headless-wallet wallet create-token 'Tour Token' TOUR 100.00"),
    WalletCommand::new("create-nft", &operations::CREATE_NFT, &["name", "symbol", "amount", "data"], views::sent)
        .by(&[Argument::flag("amount", "amount").counted()])
        .asks(|of| {
            let (name, symbol) = (of.text("name"), of.text("symbol"));
            format!("Create the NFT {name} ({symbol}), {} of it?", of["amount"])
        })
        .after("Example:\n  headless-wallet wallet create-nft 'A picture' PIC 1 ipfs://picture.json"),
    WalletCommand::new("mint", &operations::MINT_TOKENS, &["token", "amount"], views::sent)
        .by(&[LAST_MINT, NOTES, DATA_LAST])
        .asks(|of| format!("Mint {}?", amount(of, "amount"))),
    WalletCommand {
        tried: views::returned,
        ..WalletCommand::new("melt", &operations::MELT_TOKENS, &["token", "amount"], views::melted)
            .by(&[LAST_MELT, NOTES, DATA_LAST])
            .asks(|of| format!("Melt {}? It can't be undone.", amount(of, "amount")))
    },
    WalletCommand {
        tried: views::moved,
        ..WalletCommand::new("consolidate", &operations::CONSOLIDATE, &["destination_address"], views::consolidated)
            .asks(|of| format!("Combine them into one output, at {}?", of.text("destination_address")))
    },
    WalletCommand {
        one_of: &["txHex", "partial_tx"],
        ..WalletCommand::new("decode", &operations::DECODE, &["txHex"], views::decoded)
            .does("Show what a transaction contains, and what it would do to the wallet.")
    },
    // It needs no wallet, and there may be none.
    WalletCommand::new("push", &operations::PUSH_TX, &["txHex"], views::sent).with(&[STATUS]).tells(|_| true),
    WalletCommand::new("hold", &operations::SELECT_UTXOS, &["txHex"], views::done)
        .by(&[Argument::flag("mark_as_used", "release").help("Releases them instead")])
        .note(|_| true),
    WalletCommand::new("build-tx", &operations::BUILD_TX, &[], views::proposal).beside(views::to_be_signed).by(&[PAYMENTS, DIGITS, SPENT]).after(
        "Then, to sign and send it:\n  \
wallet-inputs HEX               says which keys must sign the hash that this shows\n  \
input-data INDEX SIGNATURE      makes an input's data from a signature\n  \
add-signatures HEX --input 0:…  puts the data in\n  \
push HEX                        sends it",
    ),
    WalletCommand::new("wallet-inputs", &operations::WALLET_INPUTS, &["txHex"], views::wallet_inputs),
    WalletCommand {
        one_of: &["signature", "signatures"],
        ..WalletCommand::new("input-data", &operations::INPUT_DATA, &["index", "signature"], views::input_data)
            .by(&[Argument::flag("signatures", "of")
                .help("For a multisig wallet, one participant's signature: the xpub of their account, and the signature in hexadecimal")])
    },
    WalletCommand::new("add-signatures", &operations::ADD_SIGNATURES, &["txHex"], views::proposal)
        .by(&[Argument::objects("signatures", "input", &["index", "data"])
            .help("An input's place in the transaction, and its data as `input-data` makes it")]),
    WalletCommand {
        one_of: &["txHex", "partial_tx"],
        ..WalletCommand::new("signing-file", &operations::SIGNING_FILE, &["txHex"], views::signing_file)
            .beside(views::made_file)
            .after(
                "Whoever has the keys runs `inspect FILE` and `sign-file FILE`, without a network; then `push-file FILE …` sends it.\n\n\
Example:\n  headless-wallet wallet signing-file $(headless-wallet wallet build-tx --to WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6:15.00) > payment.json",
            )
    },
    WalletCommand::new("push-file", &operations::PUSH_SIGNING_FILE, &["files"], views::sent)
        .does("Send the transaction in signing files, with the signatures that they hold.")
        .asks_of_all(|_| "Send this transaction?".to_owned()),
    WalletCommand::new("propose", &operations::PROPOSE_TX, &[], views::proposal)
        .by(&[PAYMENTS, SPENT_BY_ID, SET_ASIDE])
        .note(sets_aside)
        .after("Then each participant runs `my-signatures HEX`, and one of them `sign-and-push HEX SIGNATURES …`."),
    WalletCommand::new("propose-create-token", &operations::PROPOSE_CREATE_TOKEN, &["name", "symbol", "amount"], views::proposal)
        .by(&[NO_MINT, NO_MELT, NOTES, TOKEN_VERSION, SET_ASIDE])
        .note(sets_aside),
    WalletCommand::new("propose-mint", &operations::PROPOSE_MINT_TOKENS, &["token", "amount"], views::proposal)
        .by(&[LAST_MINT, NOTES, DATA_LAST, SET_ASIDE])
        .note(sets_aside),
    WalletCommand::new("propose-melt", &operations::PROPOSE_MELT_TOKENS, &["token", "amount"], views::proposal)
        .by(&[LAST_MELT, NOTES, DATA_LAST, SET_ASIDE])
        .note(sets_aside),
    WalletCommand::new("my-signatures", &operations::MY_SIGNATURES, &["txHex"], views::signatures)
        .signs("Sign this transaction?", Signed::Given("txHex")),
    WalletCommand::new("sign", &operations::SIGN_PROPOSAL, &["txHex", "signatures"], views::proposal)
        .signs("Put the signatures into this transaction?", Signed::Given("txHex")),
    WalletCommand::new("sign-and-push", &operations::SIGN_AND_PUSH, &["txHex", "signatures"], views::sent)
        .asks_of_all(|_| "Sign and send this transaction?".to_owned()),
    WalletCommand::new("swap-propose", &operations::PROPOSE_SWAP, &[], views::swap)
        .beside(views::swap_state)
        .by(&[
            Argument::objects("send", "send", &["value", "token"]).part("tokens").help("Gives this much"),
            Argument::objects("send", "utxo", &["txId", "index"])
                .part("utxos")
                .help("Spends only these outputs; if none is given, the wallet chooses"),
            Argument::objects("receive", "receive", &["value", "token", "address"])
                .part("tokens")
                .help("Gets this much"),
            Argument::flag("partial_tx", "proposal"),
            Argument::flag("service", "new-at-service")
                .part("is_new")
                .help("Stores the proposal at the server's swap service, as a new one"),
            Argument::flag("service", "password-file")
                .part("password")
                .help("Reads the password of a new proposal at the swap service from this file"),
            Argument::flag("service", "service-id").part("proposal_id"),
            Argument::flag("service", "service-version").part("version"),
            Argument::flag("lock", "no-lock").help("Does not lock what the wallet gives: it may be spent elsewhere in the meantime"),
        ])
        .note(|fields| fields.get("lock") != Some(&Value::Bool(false)))
        .after(
            "The proposal goes to the others, who add their parts with --proposal. Once it is balanced, each runs \
`decode --partial-tx PROPOSAL` and `swap-signatures PROPOSAL`, and one of them `swap-push PROPOSAL SIGNATURES …`.\n\n\
Example:\n  headless-wallet wallet swap-propose --send 10.00 --receive 5.00:560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f",
        ),
    WalletCommand::new("swap-signatures", &operations::SWAP_SIGNATURES, &["partial_tx"], views::signatures)
        .signs("Sign this swap?", Signed::Given("partial_tx")),
    WalletCommand::new("swap-sign", &operations::SIGN_SWAP, &["partial_tx", "signatures"], views::proposal).by(&[
        Argument::flag("service", "service-id").part("proposal_id"),
        Argument::flag("service", "service-version").part("version"),
    ])
    .signs("Put the signatures into this swap?", Signed::Given("partial_tx")),
    WalletCommand::new("swap-push", &operations::SIGN_AND_PUSH_SWAP, &["partial_tx", "signatures"], views::sent)
        .asks_of_all(|_| "Send this swap?".to_owned()),
    WalletCommand::new("swap-input-data", &operations::SWAP_INPUT_DATA, &["txHex"], views::signatures),
    WalletCommand::new("swap-unlock", &operations::UNLOCK_SWAP, &["partial_tx"], views::done).note(|_| true),
    WalletCommand::new("swap-list", &operations::LIST_SWAPS, &[], views::swap_list),
    WalletCommand::new("swap-fetch", &operations::FETCH_SWAP, &["proposalId"], views::swap_fetched).beside(views::swap_version),
    WalletCommand::new("swap-register", &operations::REGISTER_SWAP, &["proposalId"], views::done).by(&[PASSWORD]).note(|_| true),
    WalletCommand::new("swap-delete", &operations::DELETE_SWAP, &["proposalId"], views::done).note(|_| true),
    WalletCommand::new("locked-utxos", &operations::LOCKED_UTXOS, &[], views::locked),
    WalletCommand::new("run-template", &operations::RUN_TEMPLATE, &["template"], views::sent)
        .asks_of_all(|_| "Send the transaction that this template makes?".to_owned())
        .after(
            "The instructions are JSON: each as an argument of its own, or all in one array.\n\n\
Example:\n  headless-wallet wallet run-template --template-file template.json --dry-run",
        ),
    WalletCommand::new("build-template", &operations::BUILD_TEMPLATE, &["template"], views::proposal)
        .signs("Sign the transaction that this template makes?", Signed::Made("sign"))
        .after("The instructions are JSON: each as an argument of its own, or all in one array."),
    WalletCommand::new("nano-state", &operations::CONTRACT_STATE, &["id"], views::node_answer).by(&[
        Argument::flag("fields", "field"),
        Argument::flag("balances", "balance"),
        Argument::flag("calls", "call"),
    ]),
    WalletCommand::new("nano-history", &operations::CONTRACT_HISTORY, &["id"], views::node_answer),
    WalletCommand::new("oracle-data", &operations::ORACLE_DATA, &["oracle"], views::node_answer),
    WalletCommand::new(
        "oracle-signed-result",
        &operations::ORACLE_SIGNED_RESULT,
        &["oracle_data", "contract_id", "result", "type"],
        views::node_answer,
    ),
    WalletCommand::new("nano-create", &operations::CREATE_CONTRACT, &["blueprint_id", "address", "data"], views::sent)
        .by(&[CALL_DATA, CALL_TOKEN])
        .asks_of_all(|of| format!("Create a contract of blueprint {}?", of.text("blueprint_id")))
        .after("Example:\n  headless-wallet wallet nano-create BLUEPRINT ADDRESS '{\"args\":[\"76a9…\",\"00\",1795361637]}'"),
    WalletCommand::new("nano-execute", &operations::EXECUTE_CONTRACT, &["nc_id", "method", "address", "data"], views::sent)
        .by(&[CALL_DATA, CALL_TOKEN])
        .asks_of_all(|of| format!("Call {} of contract {}?", of.text("method"), of.text("nc_id")))
        .after(
            "Example:\n  headless-wallet wallet nano-execute CONTRACT bet ADDRESS \\\n    \
'{\"args\":[\"ADDRESS\",\"1x0\"],\"actions\":[{\"type\":\"deposit\",\"token\":\"00\",\"amount\":100}]}'",
        ),
    WalletCommand::new("nano-blueprint", &operations::CREATE_BLUEPRINT, &["code", "address"], views::sent)
        .asks(|of| format!("Put this blueprint on the ledger, signed by {}?", of.text("address")))
        .after("Example:\n  headless-wallet wallet nano-blueprint --code-file bet.py ADDRESS"),
    WalletCommand::new("tasks", &operations::LIST_TASKS, &[], views::tasks),
    WalletCommand::new("task", &operations::ONE_TASK, &["taskId"], views::task)
        .does("Show a task's progress and its result.")
        .after(SHORT_ID),
    WalletCommand::new("task-cancel", &operations::CANCEL_TASK, &["taskId"], views::task).after(SHORT_ID),
    WalletCommand::new("approvals", &operations::LIST_APPROVALS, &[], views::approvals),
    WalletCommand::new("approval", &operations::ONE_APPROVAL, &["approvalId"], views::approval).after(SHORT_ID),
    WalletCommand::new("approve", &operations::APPROVE, &["approvalId"], views::approval)
        .asks(|of| format!("Approve {}? It is sent as soon as it has enough approvals.", of.text("approvalId")))
        .fails(views::not_sent)
        .after(SHORT_ID),
    WalletCommand::new("deny", &operations::DENY, &["approvalId"], views::approval).after(SHORT_ID),
    WalletCommand::new("webhooks", &operations::LIST_WEBHOOKS, &[], views::webhooks),
    WalletCommand::new("webhook-deliveries", &operations::LIST_DELIVERIES, &[], views::deliveries),
    WalletCommand::new("webhook-redeliver", &operations::REDELIVER, &["deliveryId"], views::delivery)
        .does("Post an event to a webhook again, and show the result")
        .after("A webhook that was off is on again if it accepts the event."),
    WalletCommand::new("sign-message", &operations::SIGN_MESSAGE, &["address", "message"], views::message_signature)
        .after("Example:\n  headless-wallet wallet sign-message WY1URKUnqCTyiixW1Dw29vmeG99hNN4EW6 'I am the shop'"),
    // Worked out here: it is never sent.
    WalletCommand::new("verify-message", &operations::VERIFY_MESSAGE, &["address", "message", "signature"], views::done)
        .does("Check whether a message was signed with the key of an address.")
        .after("This needs neither a wallet nor a server. The exit code is 0 if the signature is valid, and 1 if it is not."),
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
