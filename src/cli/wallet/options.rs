//! Flags of single commands that say how an answer is shown.

use super::command::{Extra, WalletCommand};
use super::flags::{Flags, STARTING, WITHOUT_SERVER};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command};
use headless_wallet::api::{Method, Right};
use headless_wallet::operations;
use serde_json::{Map, Value};

const QR: &str = "qr";
const ALL: &str = "all-tokens";
const WATCH: &str = "watch";
/// Fields of the history that say what is looked for.
const FILTERS: [&str; 4] = ["after", "since", "token", "address"];

/// What is asked of an answer, and not of the server.
#[derive(Clone, Default)]
pub struct Shown {
    /// Whether an address is shown as a QR code, too.
    pub qr: bool,
    /// Whether the balance is that of each token.
    pub all: bool,
    /// Seconds after which it is asked again.
    pub watch: Option<u64>,
}

pub fn augment(clap: Command, command: &WalletCommand) -> Command {
    let clap = match command.look.extra {
        Extra::Qr => clap.arg(switch(QR, "qr", "Also shows it as a QR code")),
        Extra::AllTokens => {
            let help = "Shows all tokens that the wallet has or had: the same as `tokens`";
            clap.arg(switch(ALL, "all", help).conflicts_with("token"))
        }
        Extra::History | Extra::None => clap,
    };
    match is_watched(command) {
        true => clap.arg(
            Arg::new(WATCH)
                .long("watch")
                .value_name("SECONDS")
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("2")
                .value_parser(clap::value_parser!(u64).range(1..=86_400))
                .help("Repeats the request every so many seconds until Ctrl-C, and shows the answer whenever it changes [default: 2]"),
        ),
        false => clap,
    }
}

/// What is given of them.
pub fn shown(
    matches: &ArgMatches,
    command: &WalletCommand,
    fields: &mut Map<String, Value>,
) -> Result<Shown, clap::Error> {
    let mut shown = Shown::default();
    match command.look.extra {
        Extra::Qr => shown.qr = matches.get_flag(QR),
        Extra::AllTokens => shown.all = matches.get_flag(ALL),
        // Whoever says what to look for means all of it.
        Extra::History => {
            let looks = FILTERS.iter().any(|name| fields.contains_key(*name));
            if looks && matches.value_source("limit") == Some(ValueSource::DefaultValue) {
                fields.remove("limit");
            }
        }
        Extra::None => {}
    }
    if is_watched(command) {
        shown.watch = matches.get_one(WATCH).copied();
    }
    Ok(shown)
}

/// What only reads can be asked for again and again.
fn is_watched(command: &WalletCommand) -> bool {
    let operation = command.of;
    operation.method == Method::Get && operation.right == Right::Read && *operation != operations::EVENTS
}

fn switch(id: &'static str, flag: &'static str, help: &'static str) -> Arg {
    Arg::new(id).long(flag).action(ArgAction::SetTrue).help(help)
}

/// Leaves out of a command's help what every operation takes and this one does not use.
pub fn without(clap: Command, unused: impl Fn(&Arg) -> bool) -> Command {
    let all = Flags::augment_args(Command::new(""));
    let hidden: Vec<_> =
        all.get_arguments().filter(|arg| unused(arg)).map(|arg| arg.clone().hide(true)).collect();
    clap.args(hidden)
}

/// Of those that need neither a wallet nor a server.
pub fn is_of_wallets(arg: &Arg) -> bool {
    !matches!(arg.get_id().as_str(), "json" | "output")
}

/// Of those that are at a server alone.
pub fn is_without_server(arg: &Arg) -> bool {
    arg.get_help_heading() == Some(WITHOUT_SERVER)
}

/// Of those that are at a server alone, of a wallet that is started.
pub fn is_of_starting(arg: &Arg) -> bool {
    matches!(arg.get_help_heading(), Some(WITHOUT_SERVER | STARTING))
}
