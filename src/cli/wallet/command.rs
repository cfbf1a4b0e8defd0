//! What a command is: an operation of the interface, and what of it the command line does in its own way.

use super::table::Sheet;
use super::views::{self, Show};
use headless_wallet::api::{Compat, Member, Need};
use headless_wallet::operations::Operation;
use serde_json::{Map, Value};

/// Says which addresses are the wallet's.
pub const ADDRESSES: &str = "/wallet/addresses";
/// Names the network, without which scripts can't be read as addresses.
pub const STATUS: &str = "/wallet/status";

pub struct WalletCommand {
    pub name: &'static str,
    /// What it asks for.
    pub(super) of: &'static Operation,
    /// What it asks for instead, where one of that operation's fields is given.
    pub(super) instead: Option<&'static Operation>,
    /// What it does, where that is not all of what its operation does.
    pub(super) summary: Option<&'static str>,
    /// Said below its arguments.
    pub after_help: &'static str,
    /// The fields that are given without a flag, in this order.
    pub places: &'static [&'static str],
    /// The fields that are given by other flags than their names.
    pub arguments: &'static [Argument],
    /// Values of fields that are not given, where the command line has its own.
    pub defaults: &'static [(&'static str, &'static str)],
    /// A flag that leaves a field out, and its help.
    pub whole: Option<(&'static str, &'static str, &'static str)>,
    /// One of these fields must be given, and no more.
    pub one_of: &'static [&'static str],
    /// Of these fields at most one can be given.
    pub not_both: &'static [&'static str],
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

/// How a field is given.
pub struct Argument {
    pub member: &'static str,
    pub flag: &'static str,
    /// Of the objects in it, the members that stand between colons.
    pub of: &'static [&'static str],
    /// A member of each of these objects that says what they are.
    pub with: Option<(&'static str, &'static str)>,
    /// What it means, where that is not what the field means.
    pub help: Option<&'static str>,
    /// What of the field is given, where the field is an object.
    pub part: Option<&'static str>,
    /// Whether it is a number of pieces, though it is declared as an amount.
    pub counts: bool,
}

impl Argument {
    pub(super) const fn flag(member: &'static str, flag: &'static str) -> Self {
        Self { member, flag, of: &[], with: None, help: None, part: None, counts: false }
    }
    pub(super) const fn objects(
        member: &'static str,
        flag: &'static str,
        of: &'static [&'static str],
    ) -> Self {
        Self { member, flag, of, with: None, help: None, part: None, counts: false }
    }
    pub(super) const fn part(mut self, part: &'static str) -> Self {
        self.part = Some(part);
        self
    }
    pub(super) const fn help(mut self, help: &'static str) -> Self {
        self.help = Some(help);
        self
    }
    pub(super) const fn counted(mut self) -> Self {
        self.counts = true;
        self
    }
}

impl WalletCommand {
    pub(super) const fn new(
        name: &'static str,
        of: &'static Operation,
        places: &'static [&'static str],
        show: Show,
    ) -> Self {
        Self {
            name,
            of,
            instead: None,
            summary: None,
            after_help: "",
            places,
            arguments: &[],
            defaults: &[],
            whole: None,
            one_of: &[],
            not_both: &[],
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
    pub(super) const fn by(mut self, arguments: &'static [Argument]) -> Self {
        self.arguments = arguments;
        self
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
    pub(super) const fn does(mut self, summary: &'static str) -> Self {
        self.summary = Some(summary);
        self
    }
    pub(super) const fn after(mut self, help: &'static str) -> Self {
        self.after_help = help;
        self
    }
    pub(super) const fn note(mut self, is_note: fn(&Map<String, Value>) -> bool) -> Self {
        self.is_note = is_note;
        self
    }

    /// What it asks for.
    pub fn operation(&self) -> &'static Operation {
        self.of
    }
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
        self.summary.unwrap_or(self.operation().summary)
    }
    /// How the answer is shown to a request with these fields.
    pub fn shows(&self, fields: &Map<String, Value>) -> Show {
        if self.instead.is_some() && !fields.is_empty() {
            return views::done;
        }
        self.show
    }
}
