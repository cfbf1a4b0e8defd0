//! The operations, each with the request that it is and how its answer is shown.

use super::arguments;
use super::call::Call;
use super::command::{STATUS, Signed, Signing, WalletCommand};
use super::commands::COMMANDS;
use super::failure::Failure;
use super::help::place_in_help;
use super::names;
use super::options::{self, Shown};
use super::service::Service;
use super::signing_file::{InspectArgs, SignFileArgs};
use super::start::StartArgs;
use super::table::Sheet;
use super::terminal;
use super::transaction_ids;
use super::views::{self, Show};
use super::words::NewArgs;
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use headless_wallet::api::Group;
use headless_wallet::api::Method;
use headless_wallet::operations;
use serde_json::{Map, Value};

/// What to do with a wallet.
pub enum Operation {
    New(NewArgs),
    /// Start a wallet at a server.
    Start(StartArgs),
    /// Say what others need to know of a multisig participant's words. Its passphrase is no argument: other
    /// users could see that.
    MultisigPubkey,
    /// Say the account's xpub of words.
    Xpub,
    /// Look at signing files.
    Inspect(InspectArgs),
    SignFile(SignFileArgs),
    /// List the wallet's tokens.
    Tokens,
    /// List the wallets that a server runs.
    List,
    /// One operation of the interface.
    Ask(Asked),
}

/// An operation of the interface, and what it is asked with.
#[derive(Clone)]
pub struct Asked {
    command: &'static WalletCommand,
    fields: Map<String, Value>,
    options: Option<SendOptions>,
    /// For what signs: whether nobody is asked.
    yes: bool,
    /// How it is shown.
    shown: Shown,
}

impl Subcommand for Operation {
    fn augment_subcommands(clap: Command) -> Command {
        let new = Command::new("new").about("Make a new wallet: 24 new words, made on this machine; then use `start`").after_help(
            "Write the words down on paper, in order, and keep them where nobody else finds them: whoever has them has the money, \
without them it is lost, and nobody can recover them. They are the whole wallet, on every network and in every Hathor wallet of 24 words.\n\n\
Then give them to `start`, or to any operation with --direct; `headless-wallet seeds add` has a server keep them sealed.\n\n\
Examples:\n  headless-wallet wallet new --out words.txt      (a new file that only you can read)\n  \
headless-wallet wallet start --wallet-id shop --seed-file words.txt",
        );
        let start = Command::new("start")
            .about("Start a wallet on the server from its words, under an id of your choice, and wait until it is ready")
            .after_help(
                "The words are asked for (and not shown), read from a file (--seed-file), or stored on the server under a name (--seed-key); they are \
never taken from the command line, where others can see them. An account's xpub (--xpub) starts a wallet that watches and can't spend.\n\n\
The server does not store words that are given here: after the server is restarted, start its wallets again. All other operations name the wallet \
by this id (--wallet-id, HEADLESS_WALLET_ID). Loading a long history for the first time can take minutes; --no-wait does not wait for it.\n\n\
Examples:\n  headless-wallet wallet start --wallet-id shop\n  \
headless-wallet wallet start --wallet-id shop --seed-file words.txt\n  \
headless-wallet wallet start --wallet-id shop --seed-key main",
            );
        let multisig_pubkey = Command::new("multisig-pubkey")
            .about("Show the xpub that the other participants of a multisig wallet need from you")
            .after_help(
                "Examples:\n  headless-wallet wallet multisig-pubkey --seed-key main\n  \
headless-wallet wallet multisig-pubkey --direct --seed-file words.txt    (no server and no network is asked)",
            );
        let xpub = Command::new("xpub")
            .about("Show a wallet's xpub: whoever has it can watch the wallet, but not spend")
            .after_help(
                "It is computed on this machine; no server and no network is asked. For words that a server keeps encrypted, use \
`headless-wallet seeds xpub`.\n\n\
Examples:\n  headless-wallet wallet xpub --seed-file words.txt\n  \
headless-wallet wallet start --wallet-id watched --xpub \"$(headless-wallet wallet xpub --seed-file words.txt)\"",
            );
        let inspect = Command::new("inspect")
            .about("Say in plain words what a signing file does; needs no seed words and no network")
            .after_help("Example:\n  headless-wallet wallet inspect payment.json");
        let sign_file = Command::new("sign-file")
            .about("Sign a signing file with your seed words; needs no network. Then use `push-file` to send it")
            .after_help(
                "Several files of one transaction are put together. The words are asked for, read from a file, or those that are kept sealed \
(--seed; their password is asked for, or read from --password-file or --unlock-fd), even while a server runs there. With \
--network, or a profile that has one, a file of another network is refused.\n\n\
Examples:\n  headless-wallet wallet sign-file payment.json --seed-file words.txt --out signed.json\n  \
headless-wallet wallet sign-file payment.json --seed main --data-dir /var/lib/headless-wallet --out signed.json",
            );
        let others = COMMANDS.iter().map(|command| {
            let clap = arguments::augment(Command::new(command.name), command);
            let clap = if command.of.sends() { SendOptions::augment_args(clap) } else { clap };
            let clap = if command.look.signs.is_some() { SignOptions::augment_args(clap) } else { clap };
            let clap = options::augment(clap, command);
            let of = command.of;
            let clap = if *of == operations::VERIFY_MESSAGE {
                options::without(clap, options::is_of_wallets)
            } else if *of == operations::STOP {
                options::without(clap, options::is_without_server)
            } else if is_of_server(of) {
                options::without(clap, options::is_of_starting)
            } else {
                clap
            };
            clap.about(command.about().trim_end_matches('.')).after_help(command.after_help)
        });
        let list = Command::new("list")
            .about("List the wallets that run on the server, as far as your API key may use them");
        let list = options::without(list, |arg| {
            options::is_of_starting(arg) || matches!(arg.get_id().as_str(), "wallet_id" | "first_address")
        });
        let own = [
            options::without(taking::<NewArgs>(new), options::is_of_wallets),
            options::without(taking::<StartArgs>(start), options::is_without_server),
            multisig_pubkey,
            options::without(xpub, options::is_without_server),
            options::without(taking::<InspectArgs>(inspect), options::is_of_wallets),
            taking::<SignFileArgs>(sign_file),
            Command::new("tokens").about("List the wallet's tokens, with names and balances"),
            list,
        ];
        let mut all: Vec<Command> = own.into_iter().chain(others).collect();
        all.sort_by_key(|command| place_in_help(command.get_name()));
        clap.subcommands(all)
    }
    fn augment_subcommands_for_update(clap: Command) -> Command {
        Self::augment_subcommands(clap)
    }
    fn has_subcommand(name: &str) -> bool {
        matches!(
            name,
            "new" | "start" | "multisig-pubkey" | "xpub" | "inspect" | "sign-file" | "tokens" | "list"
        ) || COMMANDS.iter().any(|command| command.name == name)
    }
}

impl FromArgMatches for Operation {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        match name {
            "new" => return NewArgs::from_arg_matches(matches).map(Self::New),
            "start" => return StartArgs::from_arg_matches(matches).map(Self::Start),
            "multisig-pubkey" => return Ok(Self::MultisigPubkey),
            "xpub" => return Ok(Self::Xpub),
            "inspect" => return InspectArgs::from_arg_matches(matches).map(Self::Inspect),
            "sign-file" => return SignFileArgs::from_arg_matches(matches).map(Self::SignFile),
            "tokens" => return Ok(Self::Tokens),
            "list" => return Ok(Self::List),
            _ => {}
        }
        let command = COMMANDS.iter().find(|command| command.name == name).ok_or_else(missing)?;
        let options = command.of.sends().then(|| SendOptions::from_arg_matches(matches)).transpose()?;
        let signs = command.look.signs.map(|_| SignOptions::from_arg_matches(matches)).transpose()?;
        let yes = signs.is_some_and(|options| options.yes);
        let mut fields = arguments::fields(command, matches)?;
        let shown = options::shown(matches, command, &mut fields)?;
        Ok(Self::Ask(Asked { command, fields, options, yes, shown }))
    }
    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Adds arguments to a command. It goes on saying what it does: clap would say of it what the type of its
/// arguments says of itself.
fn taking<A: Args>(command: Command) -> Command {
    let about = command.get_about().cloned().unwrap_or_default();
    A::augment_args(command).about(about)
}

/// Whether only a server's wallet has any: it tells, and carries out, what goes on between two commands.
pub fn is_of_server(of: &operations::Operation) -> bool {
    *of == operations::EVENTS || matches!(of.group, Group::Tasks | Group::Approvals | Group::Webhooks)
}

/// How to send.
#[derive(Args, Clone)]
pub struct SendOptions {
    /// Sends nothing: only shows what would be sent, and what it would cost.
    #[arg(long)]
    pub dry_run: bool,
    /// Sends without asking. (Scripts are never asked: their standard input is no terminal.)
    #[arg(short, long)]
    pub yes: bool,
    /// Gives the request a name: repeated with the same name, it is still carried out only once.
    #[arg(long, value_name = "KEY")]
    pub idempotency_key: Option<String>,
}

/// How to sign.
#[derive(Args)]
struct SignOptions {
    /// Signs without asking. (Scripts are never asked: their standard input is no terminal.)
    #[arg(short, long)]
    yes: bool,
}

impl SendOptions {
    /// The request's name: the given one, or a new one.
    pub fn key(&self) -> Result<String, Failure> {
        if let Some(key) = &self.idempotency_key {
            return Ok(key.clone());
        }
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)
            .map_err(|_| Failure::Failed("no randomness from the system".to_owned()))?;
        Ok(hex::encode(bytes))
    }
}

/// What an operation comes to.
pub struct Prepared {
    pub call: Call,
    /// What to read first, where people need it to read the answer.
    pub also: &'static [&'static str],
    pub show: Show,
    /// What is said of it to people alone.
    pub aside: fn(&Value) -> Sheet,
    /// Why it is none of success all the same, if it is.
    pub fails: fn(&Value) -> Option<String>,
    pub write: Option<Write>,
    /// For what signs, where somebody is asked.
    pub signing: Option<Signs>,
}

/// A request that signs.
pub struct Signs {
    /// What to ask before.
    pub question: &'static str,
    /// What says which transaction it is: a proposal's member of `decode`, or a request whose answer has it.
    pub what: Result<Map<String, Value>, Call>,
}

/// A request that sends.
pub struct Write {
    pub options: SendOptions,
    /// What to ask before.
    pub question: String,
    /// What to say before that of what a try has answered.
    pub tried: Show,
    /// Whether what it does to the wallet is said, too.
    pub tells: bool,
    /// Whether a wallet is there for sure.
    pub needs_wallet: bool,
}

impl Write {
    /// Whether somebody is asked.
    pub fn asks(&self) -> bool {
        !self.options.dry_run && !self.options.yes && terminal::can_ask()
    }
}

impl Operation {
    /// Whether it is nothing but a note to the wallet, for as long as it runs.
    pub fn is_remembered(&self) -> bool {
        matches!(self, Self::Ask(asked) if (asked.command.look.is_note)(&asked.fields))
    }
    /// Whether it starts or stops a wallet of a server.
    pub fn administers(&self) -> bool {
        match self {
            Self::Start(_) => true,
            Self::Ask(asked) => *asked.command.of == operations::STOP,
            _ => false,
        }
    }

    /// Whether it takes words, at a server too.
    pub fn starts(&self) -> bool {
        matches!(self, Self::Start(_) | Self::MultisigPubkey | Self::Xpub | Self::SignFile(_))
    }
    /// Which operation of the interface it is, if it is one, and the fields that are given.
    pub fn asked(&self) -> Option<(&'static operations::Operation, &Map<String, Value>)> {
        match self {
            Self::Ask(asked) => Some((asked.command.of, &asked.fields)),
            _ => None,
        }
    }
    /// Whether it is this one.
    pub fn is(&self, operation: &operations::Operation) -> bool {
        self.asked().is_some_and(|(asked, _)| asked == operation)
    }

    /// How its answer is shown.
    pub fn shown(&self) -> Shown {
        match self {
            Self::Ask(asked) => asked.shown.clone(),
            _ => Shown::default(),
        }
    }
    /// The same, with uids in the place of the tokens' other names, and whole ids in the place of short ones;
    /// see [`names::resolve`] and [`transaction_ids::resolve`].
    pub async fn resolved(&self, service: &Service, leaves: bool) -> Result<Self, Failure> {
        Ok(match self {
            Self::Ask(asked) => {
                let mut asked = asked.clone();
                names::resolve(service, &mut asked.fields, leaves).await?;
                names::resolve_ids(service, &mut asked.fields).await?;
                transaction_ids::resolve(service, asked.command.of, &mut asked.fields, leaves).await?;
                Self::Ask(asked)
            }
            _ => Self::Tokens,
        })
    }

    /// What it asks for. (`new`, `start` and `multisig-pubkey` are not made of fields alone.)
    pub fn prepare(&self) -> Prepared {
        let Self::Ask(Asked { command, fields, options, yes, .. }) = self else {
            return Prepared {
                call: Call::get(STATUS, &()),
                also: &[],
                show: views::status,
                aside: |_| Sheet::new(),
                fails: |_| None,
                write: None,
                signing: None,
            };
        };
        let (call, look) = (command.call(fields), command.look);
        let write = options.clone().map(|options| Write {
            options,
            question: (look.question)(fields),
            tried: if (look.tells)(fields) { views::moved } else { look.tried },
            tells: (look.tells)(fields),
            needs_wallet: command.of.needs_wallet(),
        });
        let signing = look.signs.filter(|_| !yes && terminal::can_ask());
        let signing = signing.and_then(|Signing { question, what }| {
            let what = match what {
                Signed::Given(field) => Ok(Map::from_iter([(field.to_owned(), fields[field].clone())])),
                Signed::Made(field) => {
                    let mut unsigned = fields.clone();
                    Err(command.call(unsigned.remove(field).map(|_| &unsigned)?))
                }
            };
            Some(Signs { question, what })
        });
        Prepared {
            call,
            also: look.also,
            show: command.shows(fields),
            aside: look.aside,
            fails: look.fails,
            write,
            signing,
        }
    }
}

impl WalletCommand {
    /// The request with these fields.
    fn call(&self, fields: &Map<String, Value>) -> Call {
        let operation = self.asks_for(fields);
        let (mut path, mut others) = (operation.path.to_owned(), fields.clone());
        for member in operation.in_path() {
            let given = others.remove(member.name);
            let text = given.as_ref().and_then(Value::as_str).unwrap_or_default();
            path = path.replace(&format!("{{{}}}", member.name), text);
        }
        match operation.method {
            Method::Get => Call::get(&path, &others),
            Method::Post => match operation.bare {
                None => Call::post(&path, &others),
                Some(list) => Call::post_list(&path, &others, list),
            },
            Method::Put => Call::put(&path, &others),
            Method::Delete => Call::delete(&path),
        }
    }
}
