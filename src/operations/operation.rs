//! How an operation is declared: one value has its path, its names, its fields, its answers, who may carry it
//! out, and what it does. The WebAssembly file has no use for most of it, and leaves that out.

#[cfg(feature = "native")]
use super::bodies;
use super::call::{Answer, Ask, Make, Read, Sends};
use super::error::CallError;
#[cfg(feature = "native")]
use crate::api::{Answers, Declared, Failure, InvalidFields, Location, Method, Shape, Shaped};
use crate::api::{Command, Compat, Group, Member, PackageMethod, Refusal, Request, Right};
use crate::ledger::Network;
use serde_json::{Map, Value};
#[cfg(feature = "native")]
use std::ops::Deref;

/// Lists what an operation can be answered with.
#[cfg(feature = "native")]
macro_rules! answers {
    ($($Answer:ty),+) => {
        &[$(<$Answer as $crate::api::Shaped>::SHAPE),+]
    };
}
#[cfg(not(feature = "native"))]
macro_rules! answers {
    ($($Answer:ty),+) => {{
        $( let _ = std::marker::PhantomData::<$Answer>; )+
        &[]
    }};
}
pub(crate) use answers;

#[cfg(feature = "native")]
type Shapes = &'static [Shape];
#[cfg(not(feature = "native"))]
type Shapes = &'static [()];

/// Requests that are as they must be: a name, and JSON.
type Examples = &'static [(&'static str, &'static str)];

/// Reads a request from its fields: all that is wrong with it is found before anything is done.
pub type Reader<T> = fn(&Map<String, Value>, Compat) -> Result<Box<T>, Refusal>;

/// What needs no wallet: addresses are of a network, or of any.
pub type AnywhereFn = fn(&Map<String, Value>, Compat, Option<Network>) -> Result<Answer, CallError>;

/// What an operation does.
#[derive(Clone, Copy)]
pub enum Run {
    /// It is answered from what the wallet knows.
    Read(Reader<dyn Read>),
    /// Others have to be asked, or waited for.
    Ask(Reader<dyn Ask>),
    /// It makes something that is not sent.
    Make(Reader<dyn Make>),
    /// The same for others to sign: it must not be taken for a dry run.
    Propose(Reader<dyn Make>),
    /// It sends a transaction. The text is what release 0.39 says to a wallet that can't sign.
    Send(Reader<dyn Sends>, &'static str),
    /// It needs no wallet.
    Anywhere(AnywhereFn),
    /// The server carries it out.
    Server,
}

/// An operation of the interface.
pub struct Operation {
    #[cfg(feature = "native")]
    declared: Declared,
    /// The method of the npm package's `Wallet`; empty where there is none.
    #[cfg(not(feature = "native"))]
    pub method: &'static str,
    /// Its fields.
    #[cfg(not(feature = "native"))]
    pub members: &'static [Member],
    pub run: Run,
}

#[cfg(feature = "native")]
impl Deref for Operation {
    type Target = Declared;
    fn deref(&self) -> &Declared {
        &self.declared
    }
}

#[cfg(feature = "native")]
impl PartialEq for Operation {
    fn eq(&self, other: &Self) -> bool {
        self.declared == other.declared
    }
}

pub(super) const fn get(name: &'static str, path: &'static str, group: Group, right: Right) -> Operation {
    #[cfg(not(feature = "native"))]
    let _ = (name, path, group, right);
    Operation {
        #[cfg(feature = "native")]
        declared: Declared {
            name,
            method: Method::Get,
            path,
            group,
            summary: "",
            takes: None,
            bare: None,
            examples: &[],
            answers: Answers::Json(&[]),
            refusals: &[],
            unavailable: None,
            faults: &[Failure::SHAPE],
            statuses: &[],
            max_body: bodies::USUAL,
            right,
            is_of_all: false,
            needs_ready: true,
            may_wait: true,
            makes: false,
            has_amounts: false,
            audited: &[],
            package: Err(""),
            command: Err(""),
        },
        #[cfg(not(feature = "native"))]
        method: "",
        #[cfg(not(feature = "native"))]
        members: &[],
        run: Run::Server,
    }
}

pub(super) const fn post(name: &'static str, path: &'static str, group: Group, right: Right) -> Operation {
    #[cfg_attr(not(feature = "native"), allow(unused_mut))]
    let mut operation = get(name, path, group, right);
    #[cfg(feature = "native")]
    {
        operation.declared.method = Method::Post;
    }
    operation
}

/// What the WebAssembly file has no use for.
macro_rules! native {
    ($declares:expr) => {
        #[cfg(feature = "native")]
        {
            $declares;
        }
    };
}

/// How it is carried out.
impl Operation {
    /// It is answered from what the wallet knows.
    pub(super) const fn reads<R: Request + Read + 'static>(mut self, examples: Examples) -> Self {
        self.run = Run::Read(|given, compat| Ok(Box::new(R::read(given, compat)?)));
        native!(self.declared.may_wait = false);
        self.takes::<R>(examples)
    }
    /// Others have to be asked, or waited for.
    pub(super) const fn asks<R: Request + Ask + 'static>(mut self, examples: Examples) -> Self {
        self.run = Run::Ask(|given, compat| Ok(Box::new(R::read(given, compat)?)));
        self.takes::<R>(examples)
    }
    /// It makes something that is not sent.
    pub(super) const fn makes<R: Request + Make + 'static>(mut self, examples: Examples) -> Self {
        self.run = Run::Make(|given, compat| Ok(Box::new(R::read(given, compat)?)));
        native!(self.declared.makes = true);
        self.takes::<R>(examples)
    }
    /// It makes something for others to sign.
    pub(super) const fn proposes<R: Request + Make + 'static>(mut self, examples: Examples) -> Self {
        self.run = Run::Propose(|given, compat| Ok(Box::new(R::read(given, compat)?)));
        native!(self.declared.makes = true);
        self.takes::<R>(examples)
    }
    /// It sends a transaction. `read_only` is what release 0.39 says to a wallet that can't sign.
    pub(super) const fn sends<R: Request + Sends + 'static>(
        mut self,
        read_only: &'static str,
        examples: Examples,
    ) -> Self {
        self.run = Run::Send(|given, compat| Ok(Box::new(R::read(given, compat)?)), read_only);
        self.takes::<R>(examples)
    }
    /// It sends a transaction of anybody's. Over HTTP that needs no wallet, and the server does it.
    #[cfg(feature = "native")]
    pub(super) const fn pushes<R: Request>(self, examples: Examples) -> Self {
        self.takes::<R>(examples)
    }
    /// It sends a transaction of anybody's.
    #[cfg(not(feature = "native"))]
    pub(super) const fn pushes<R: Request + Sends + 'static>(self, examples: Examples) -> Self {
        self.sends::<R>("", examples)
    }
    /// It needs no wallet.
    pub(super) const fn runs_anywhere<R: Request>(mut self, run: AnywhereFn, examples: Examples) -> Self {
        self.run = Run::Anywhere(run);
        self.takes::<R>(examples)
    }
    /// Its fields. Only what the server carries out itself is declared by this alone.
    pub(super) const fn takes<R: Request>(self, examples: Examples) -> Self {
        if R::MEMBERS.is_empty() {
            return self;
        }
        #[cfg_attr(not(feature = "native"), allow(unused_mut))]
        let mut operation = self.fields::<R>(examples);
        #[cfg(feature = "native")]
        {
            operation.declared.bare = R::BARE;
            operation.declared.refusals = answers![InvalidFields];
        }
        operation
    }
    const fn fields<R: Request>(mut self, examples: Examples) -> Self {
        #[cfg(feature = "native")]
        {
            self.declared.takes = Some((R::IN, R::MEMBERS));
            self.declared.examples = examples;
        }
        #[cfg(not(feature = "native"))]
        {
            let _ = examples;
            self.members = R::MEMBERS;
        }
        self
    }
}

/// What else is declared of it.
#[cfg_attr(not(feature = "native"), allow(unused_mut, unused_variables))]
impl Operation {
    pub(super) const fn put(mut self) -> Self {
        native!(self.declared.method = Method::Put);
        self
    }
    pub(super) const fn delete(mut self) -> Self {
        native!(self.declared.method = Method::Delete);
        self
    }
    /// What it does, in a sentence or two.
    pub(super) const fn does(mut self, summary: &'static str) -> Self {
        native!(self.declared.summary = summary);
        self
    }
    pub(super) const fn answers(mut self, shapes: Shapes) -> Self {
        native!(self.declared.answers = Answers::Json(shapes));
        self
    }
    /// The caller chooses how the answer writes amounts.
    pub(super) const fn with_amounts(mut self) -> Self {
        native!(self.declared.has_amounts = true);
        self
    }
    /// What a 400 comes with.
    pub(super) const fn refuses(mut self, shapes: Shapes) -> Self {
        native!(self.declared.refusals = shapes);
        self
    }
    pub(super) const fn also(mut self, statuses: &'static [(u16, &'static str)]) -> Self {
        native!(self.declared.statuses = statuses);
        self
    }
    pub(super) const fn body_of(mut self, most: usize) -> Self {
        native!(self.declared.max_body = most);
        self
    }
    /// The methods of the npm package; the first one's name is that by which they ask for it.
    pub(super) const fn package(mut self, methods: &'static [PackageMethod]) -> Self {
        native!(self.declared.package = Ok(methods));
        #[cfg(not(feature = "native"))]
        {
            self.method = methods[0].name;
        }
        self
    }
    /// The commands of `headless-wallet wallet`. Of two operations with one command, it asks for the one that
    /// changes something where fields are given.
    pub(super) const fn command(mut self, commands: &'static [Command]) -> Self {
        native!(self.declared.command = Ok(commands));
        self
    }
}

/// What is declared of those that only a server has.
#[cfg(feature = "native")]
impl Operation {
    /// Fields that are read in their own way, and refused in their own words.
    pub(super) const fn takes_body(mut self, members: &'static [Member], examples: Examples) -> Self {
        self.declared.takes = Some((Location::Body, members));
        self.declared.examples = examples;
        self
    }
    pub(super) const fn answers_text(mut self, media_type: &'static str) -> Self {
        self.declared.answers = Answers::Text(media_type);
        self
    }
    /// It waits for nothing but this process.
    pub(super) const fn at_once(mut self) -> Self {
        self.declared.may_wait = false;
        self
    }
    pub(super) const fn not_in_package(mut self, why: &'static str) -> Self {
        self.declared.package = Err(why);
        self
    }
    pub(super) const fn no_command(mut self, why: &'static str) -> Self {
        self.declared.command = Err(why);
        self
    }
    pub(super) const fn of_all_wallets(mut self) -> Self {
        self.declared.is_of_all = true;
        self
    }
    /// For a wallet that is not ready, too.
    pub(super) const fn ready_or_not(mut self) -> Self {
        self.declared.needs_ready = false;
        self
    }
    /// When it is answered with status 503, and what that comes with.
    pub(super) const fn unavailable(mut self, when: &'static str, shapes: Shapes) -> Self {
        self.declared.unavailable = Some((when, shapes));
        self
    }
    /// What a 500 comes with.
    pub(super) const fn faults(mut self, shapes: Shapes) -> Self {
        self.declared.faults = shapes;
        self
    }
    /// Fields of its body that the audit log has, by their names there.
    pub(super) const fn audits(mut self, fields: &'static [(&'static str, &'static str)]) -> Self {
        self.declared.audited = fields;
        self
    }
}
