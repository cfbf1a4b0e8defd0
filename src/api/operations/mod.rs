//! Every operation of the interface, declared once: its path, its fields, its answers and who may carry it
//! out. The router, the OpenAPI document and the tables of the documentation are made from this list.

/// Lists what an operation can be answered with.
macro_rules! answers {
    ($($Answer:ty),+) => {
        &[$(<$Answer as $crate::api::shape::Shaped>::SHAPE),+]
    };
}

mod access;
mod approvals;
mod bodies;
mod group;
mod id;
mod messages;
mod nano;
mod package;
mod proposals;
mod reads;
mod right;
mod sends;
mod service;
mod swaps;
mod tasks;
mod templates;
mod wallets;
mod webhooks;

pub use group::Group;
pub use id::OperationId;
pub use package::Names;
pub use right::{Right, Rights, UnknownRight};

use super::declare::{Member, Request};
use super::shape::{Form, Shape, Shaped};
use super::{DryRun, DryRunAnswer, InvalidFields, Location};
use serde_json::json;

/// All operations, in the order in which one meets them.
pub fn all() -> impl Iterator<Item = &'static Operation> {
    [
        wallets::ALL,
        reads::ALL,
        sends::ALL,
        tasks::ALL,
        approvals::ALL,
        proposals::ALL,
        swaps::ALL,
        templates::ALL,
        nano::ALL,
        messages::ALL,
        webhooks::ALL,
        service::ALL,
        access::ALL,
    ]
    .into_iter()
    .flatten()
}

#[derive(Debug)]
pub struct Operation {
    pub id: OperationId,
    pub method: Method,
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
    pub answer: Answer,
    /// What a 400 comes with, apart from what all operations of a kind share.
    pub refusals: &'static [Shape],
    /// Most bytes of its body.
    pub max_body: usize,
    /// What somebody must be allowed who asks for it.
    pub right: Right,
    /// Whether it is of all wallets at once, or of those that are not there yet: it is not for those who may
    /// touch some wallets alone.
    pub is_of_all: bool,
    /// Whether a wallet it is for must be ready.
    pub needs_ready: bool,
    /// Statuses that it has besides those of all others, and when.
    pub statuses: &'static [(u16, &'static str)],
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
pub enum Answer {
    Json(&'static [Shape]),
    /// A text of a media type.
    Text(&'static str),
}

struct OpenApi;

impl Shaped for OpenApi {
    const SHAPE: Shape =
        Shape::new(Form::Value(|| json!({"type": "object"}))).about("This document.").named("OpenApi");
}

impl Operation {
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
        matches!(self.answer, Answer::Json(shapes) if shapes.iter().any(is_dry_run))
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
        let all = self.takes.map_or(&[][..], |(_, members)| members).iter();
        all.filter(|member| self.has_in_path(member))
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
        let (_, members) = self.takes?;
        members.iter().find(|member| self.bare == Some(member.name))
    }
    /// What sends takes this in its query and in its body.
    fn dry_run(&self) -> Option<&'static Member> {
        self.sends().then_some(&DryRun::MEMBER)
    }

    const fn refusing(mut self, refusals: &'static [Shape]) -> Self {
        self.refusals = refusals;
        self
    }
    const fn also(mut self, statuses: &'static [(u16, &'static str)]) -> Self {
        self.statuses = statuses;
        self
    }
    const fn with_body_of(mut self, most: usize) -> Self {
        self.max_body = most;
        self
    }
    /// Of all wallets at once.
    const fn of_all_wallets(mut self) -> Self {
        self.is_of_all = true;
        self
    }
    /// For a wallet that is not ready, too.
    const fn ready_or_not(mut self) -> Self {
        self.needs_ready = false;
        self
    }
    const fn of<R: Request>(self, examples: &'static [(&'static str, &'static str)]) -> Self {
        let operation = self.fields(R::IN, R::MEMBERS, examples).refusing(answers![InvalidFields]);
        Self { bare: R::BARE, ..operation }
    }
    const fn fields(
        mut self,
        place: Location,
        members: &'static [Member],
        examples: &'static [(&'static str, &'static str)],
    ) -> Self {
        self.takes = Some((place, members));
        self.examples = examples;
        self
    }
}

const fn get(
    id: OperationId,
    path: &'static str,
    group: Group,
    right: Right,
    summary: &'static str,
    answer: Answer,
) -> Operation {
    let (takes, examples, refusals): (_, &[_], &[_]) = (None, &[], &[]);
    let (method, needs_ready) = (Method::Get, true);
    let is_of_all = false;
    let (statuses, bare, max_body): (&[_], _, _) = (&[], None, bodies::USUAL);
    Operation {
        id,
        method,
        path,
        group,
        summary,
        takes,
        bare,
        examples,
        answer,
        refusals,
        max_body,
        right,
        is_of_all,
        needs_ready,
        statuses,
    }
}

const fn post(
    id: OperationId,
    path: &'static str,
    group: Group,
    right: Right,
    summary: &'static str,
    answer: Answer,
) -> Operation {
    let mut operation = get(id, path, group, right, summary, answer);
    operation.method = Method::Post;
    operation
}
