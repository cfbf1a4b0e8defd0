//! What a command is: an operation of the interface, and what of it the command line does in its own way.

use super::table::Sheet;
use super::views::{self, Show};
use headless_wallet::api::{Command, Compat, Member, Need};
use headless_wallet::operations::Operation;
use serde_json::{Map, Value};
use std::ops::Deref;

/// Says which addresses are the wallet's.
pub const ADDRESSES: &str = "/wallet/addresses";
/// Names the network, without which scripts can't be read as addresses.
pub const STATUS: &str = "/wallet/status";

/// A command that is an operation of the interface.
pub struct WalletCommand {
    /// What it asks for.
    pub of: &'static Operation,
    pub(super) declared: &'static Command,
    /// What it asks for instead, where one of that operation's fields is given.
    pub(super) instead: Option<&'static Operation>,
    pub look: Look,
}

impl Deref for WalletCommand {
    type Target = Command;
    fn deref(&self) -> &Command {
        self.declared
    }
}

/// What the command line shows, says and asks around a request.
#[derive(Clone, Copy)]
pub struct Look {
    /// How the answer is shown.
    pub show: Show,
    /// What to read first, where people need it to read the answer.
    pub also: &'static [&'static str],
    /// What to ask before it is sent.
    pub question: fn(&Map<String, Value>) -> String,
    /// What to say before that of what a try has answered.
    pub tried: Show,
    /// Whether what it does to the wallet is said then, which its request doesn't say itself.
    pub tells: fn(&Map<String, Value>) -> bool,
    /// For what signs, and sends nothing: what is shown and asked before.
    pub signs: Option<Signing>,
    /// What is said of the answer to people alone, on standard error: scripts want one thing.
    pub aside: fn(&Value) -> Sheet,
    /// What an answer tells that is none of success, though it is no refusal: the exit code tells, too.
    pub fails: fn(&Value) -> Option<String>,
    /// Whether it is nothing but a note to the wallet, for as long as that runs.
    pub is_note: fn(&Map<String, Value>) -> bool,
    /// Which flags it has besides.
    pub extra: Extra,
}

/// Which flags it has besides, which say how its answer is shown.
#[derive(Clone, Copy)]
pub enum Extra {
    None,
    /// An address as a QR code.
    Qr,
    /// The balance of each token.
    AllTokens,
    /// None: what is looked for in the history has no default limit.
    History,
}

/// What is asked before something is signed.
#[derive(Clone, Copy)]
pub struct Signing {
    pub question: &'static str,
    pub what: Signed,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Signed {
    /// The transaction or the proposal that this field has.
    Given(&'static str),
    /// What the request makes, where this field says that it is to be signed.
    Made(&'static str),
}

impl Look {
    pub(super) const fn new(show: Show) -> Self {
        Self {
            show,
            also: &[],
            question: |_| "Send this transaction?".to_owned(),
            tried: views::cost,
            tells: |_| false,
            signs: None,
            aside: |_| Sheet::new(),
            fails: |_| None,
            is_note: |_| false,
            extra: Extra::None,
        }
    }
    /// One that sends. Change is told from what others get.
    pub(super) const fn asks(mut self, question: fn(&Map<String, Value>) -> String) -> Self {
        self.question = question;
        self.also = &[STATUS, ADDRESSES];
        self
    }
    pub(super) const fn with(mut self, also: &'static [&'static str]) -> Self {
        self.also = also;
        self
    }
    /// One that sends what its request alone doesn't tell: what would move is said first.
    pub(super) const fn asks_of_all(self, question: fn(&Map<String, Value>) -> String) -> Self {
        self.asks(question).tells(|_| true)
    }
    /// With such fields, its request doesn't tell what would move.
    pub(super) const fn tells(mut self, tells: fn(&Map<String, Value>) -> bool) -> Self {
        self.tells = tells;
        self
    }
    /// One that signs what its request alone doesn't tell.
    pub(super) const fn signs(mut self, question: &'static str, what: Signed) -> Self {
        self.signs = Some(Signing { question, what });
        self
    }
    pub(super) const fn beside(mut self, aside: fn(&Value) -> Sheet) -> Self {
        self.aside = aside;
        self
    }
    pub(super) const fn fails(mut self, fails: fn(&Value) -> Option<String>) -> Self {
        self.fails = fails;
        self
    }
    pub(super) const fn note(mut self, is_note: fn(&Map<String, Value>) -> bool) -> Self {
        self.is_note = is_note;
        self
    }
    pub(super) const fn tried(mut self, tried: Show) -> Self {
        self.tried = tried;
        self
    }
    pub(super) const fn extra(mut self, extra: Extra) -> Self {
        self.extra = extra;
        self
    }
}

impl WalletCommand {
    /// What it asks for with these fields.
    pub fn asks_for(&self, fields: &Map<String, Value>) -> &'static Operation {
        self.instead.filter(|_| !fields.is_empty()).unwrap_or(self.of)
    }
    /// The fields that it takes.
    pub fn members(&self) -> Vec<Member> {
        let own = self.of.members().iter().copied();
        let others = self.instead.into_iter().flat_map(|operation| operation.members());
        let all = own.chain(others.map(|member| Member { need: Need::Optional, ..*member }));
        all.filter(|member| !member.deprecated)
            .filter_map(|member| member.under(Compat::Documented))
            .collect()
    }
    pub fn about(&self) -> &'static str {
        self.summary.unwrap_or(self.of.summary)
    }
    /// How the answer is shown to a request with these fields.
    pub fn shows(&self, fields: &Map<String, Value>) -> Show {
        if self.instead.is_some() && !fields.is_empty() {
            return views::done;
        }
        self.look.show
    }
}
