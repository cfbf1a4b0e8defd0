//! What is declared of an operation besides what it does: its path, its fields, its answers, its names, and
//! who may carry it out. The router, the OpenAPI document, TypeScript's types, the command line and the
//! tables of the documentation are made of it.

use super::command::Command;
use super::declare::Member;
use super::dry_run::DryRun;
use super::group::Group;
use super::package_method::PackageMethod;
use super::right::{Right, Rights};
use super::shape::{Shape, Shaped};
use super::{DryRunAnswer, Location};

/// The declaration of an operation.
#[derive(Debug)]
pub struct Declared {
    /// Its name in the OpenAPI document.
    pub name: &'static str,
    pub method: Method,
    /// The whole path.
    pub path: &'static str,
    /// Where it stands among the others.
    pub group: Group,
    /// What it does, in a sentence or two.
    pub summary: &'static str,
    /// Its fields, and where they are.
    pub takes: Option<(Location, &'static [Member])>,
    /// The field that is the whole body, where there is such a one: the others are in the query then.
    pub bare: Option<&'static str>,
    /// Requests that are as they must be: a name, and JSON.
    pub examples: &'static [(&'static str, &'static str)],
    pub answers: Answers,
    /// What a 400 comes with, apart from what all operations of a kind share.
    pub refusals: &'static [Shape],
    /// When it is answered with status 503 and what that comes with, where that is not as of all others.
    pub unavailable: Option<(&'static str, &'static [Shape])>,
    /// What a 500 comes with.
    pub faults: &'static [Shape],
    /// Statuses that it has besides those of all others, and when.
    pub statuses: &'static [(u16, &'static str)],
    /// Most bytes of its body.
    pub max_body: usize,
    /// What somebody must be allowed who asks for it.
    pub right: Right,
    /// Whether it is of all wallets at once, or of those that are not there yet: it is not for those who may
    /// touch some wallets alone.
    pub is_of_all: bool,
    /// Whether a wallet it is for must be ready.
    pub needs_ready: bool,
    /// Whether it may wait for anything but this process.
    pub may_wait: bool,
    /// Whether it makes what is not sent, once for a key.
    pub makes: bool,
    /// Whether the caller chooses how its answer writes amounts. The OpenAPI document has numbers alone: the
    /// clients that are made of it would have to expect both.
    pub has_amounts: bool,
    /// Fields of its body that the audit log has, by their names there.
    pub audited: &'static [(&'static str, &'static str)],
    /// The methods of the npm package's `Wallet` that do the same, or why there is none.
    pub package: Result<&'static [PackageMethod], &'static str>,
    /// The commands of `headless-wallet wallet`, or why there is none.
    pub command: Result<&'static [Command], &'static str>,
}

/// What the HTTP request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
    Put,
    Delete,
}

impl Method {
    /// In lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Post => "post",
            Self::Put => "put",
            Self::Delete => "delete",
        }
    }
}

/// What a status 200 comes with.
#[derive(Clone, Copy, Debug)]
pub enum Answers {
    /// One of these.
    Json(&'static [Shape]),
    /// A text of a media type.
    Text(&'static str),
}

impl PartialEq for Declared {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Declared {
    /// Whether it is for a wallet, which `X-Wallet-Id` names.
    pub fn needs_wallet(&self) -> bool {
        self.path.starts_with("/wallet/") && self.right != Right::None
    }
    /// What somebody must be allowed who asks for it, as a set. Whatever is signed takes rights of its own.
    pub const fn rights(&self) -> Rights {
        Rights::NONE.and(self.right)
    }
    /// Whether it sends a transaction, which can be tried without sending.
    pub fn sends(&self) -> bool {
        let is_dry_run = |shape: &Shape| shape.schema == DryRunAnswer::SHAPE.schema;
        matches!(self.answers, Answers::Json(shapes) if shapes.iter().any(is_dry_run))
    }
    /// Whether it can be answered at once and carried out later.
    pub fn can_be_a_task(&self) -> bool {
        self.sends() && self.needs_wallet()
    }
    /// Whether it needs no right but to read, or none.
    pub fn only_reads(&self) -> bool {
        self.rights().without(Rights::NONE.and(Right::Read)).is_empty()
    }
    /// All fields of its query.
    pub fn query(&self) -> impl Iterator<Item = &'static Member> {
        let own = match self.takes {
            Some((Location::Query, members)) => members,
            Some((Location::Body, members)) if self.bare.is_some() => members,
            _ => &[],
        };
        own.iter()
            .filter(|member| !self.has_in_path(member) && self.bare != Some(member.name))
            .chain(self.dry_run())
    }
    /// Whether a field is a part of its path.
    pub fn has_in_path(&self, member: &Member) -> bool {
        self.path.split_once('{').is_some_and(|(_, name)| name.trim_end_matches('}') == member.name)
    }
    /// The fields that are parts of its path.
    pub fn in_path(&self) -> impl Iterator<Item = &'static Member> {
        self.members().iter().filter(|member| self.has_in_path(member))
    }
    /// All its fields.
    pub fn members(&self) -> &'static [Member] {
        self.takes.map_or(&[], |(_, members)| members)
    }
    /// The fields of its body, if it takes one.
    pub fn body(&self) -> Option<impl Iterator<Item = &'static Member> + Clone> {
        match self.takes {
            Some((Location::Body, members)) if self.bare.is_none() => {
                Some(members.iter().filter(|member| !self.has_in_path(member)).chain(self.dry_run()))
            }
            _ => None,
        }
    }
    /// The field that is its whole body, if there is such a one.
    pub fn bare_body(&self) -> Option<&'static Member> {
        self.members().iter().find(|member| self.bare == Some(member.name))
    }
    /// What sends takes this in its query and in its body.
    fn dry_run(&self) -> Option<&'static Member> {
        self.sends().then_some(&DryRun::MEMBER)
    }
}
