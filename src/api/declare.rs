//! How a request is declared: once, and everything that is known of it comes from there.
//!
//! [`request!`] makes of one list of fields the Rust type, its reader, and the [`Member`]s from which the
//! OpenAPI document, the TypeScript types, the reader of JavaScript arguments and the command line's flags
//! are made. A field's documentation is what all of them say of it.

use super::check::{Checker, Field};
use super::{Compat, Location, Refusal};
use serde_json::{Map, Value};

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    /// A text of at most so many characters.
    ShortText(usize),
    /// A text of at least one character.
    NonEmptyText,
    /// Hexadecimal digits.
    Hex,
    /// A text that such a regular expression matches.
    Pattern(&'static str),
    /// Any names, each with hexadecimal digits.
    HexByName,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// An address of the wallet's network.
    Address,
    /// A token's uid; `00` is HTR.
    TokenUid,
    /// A token by its uid, or by the deprecated `{uid, name, symbol}`.
    Token,
    /// The deprecated `{uid, name, symbol}`.
    TokenObject,
    TransactionId,
    /// An amount of at least 1.
    Amount,
    /// An integer, not below the first and not above the second.
    Integer(Option<i128>, Option<i128>),
    /// A yes or no, in a body also as text.
    Flag,
    /// A yes or no that must be a JSON boolean.
    StrictFlag,
    /// A JSON number that is one of these.
    Numbers(&'static [u8]),
    /// Any JSON.
    Any,
    Array {
        /// What its elements are.
        of: &'static Kind,
        /// How many it has at least.
        least: usize,
        /// How many it has at most.
        most: Option<usize>,
    },
    Object {
        /// What it may have.
        members: &'static [Member],
        /// It must have all members of one of these lists.
        any_of: &'static [&'static [&'static str]],
    },
}

/// Whether a field must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    Required,
    /// It may be left out.
    Optional,
    /// It may be left out, or be `null`.
    Nullable,
}

/// What stands for a field that is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literal {
    Flag(bool),
    Number(i128),
    Text(&'static str),
}

/// Whether a field may be too long for an argument of a command: the system takes none of more than 128 KiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    Short,
    /// A file may hold it. Ends of lines at its end are none of it.
    Long,
    /// The same, to the byte.
    Exact,
    /// Only a file may hold it.
    File,
}

/// A field of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// As it stands in JSON.
    pub name: &'static str,
    /// What it means, in plain sentences. Not in the WebAssembly file, which has no use for it.
    pub meaning: &'static str,
    pub kind: Kind,
    pub need: Need,
    pub default: Option<Literal>,
    pub length: Length,
    /// Whether it is there for old clients alone: what is new (JavaScript, the command line) does without
    /// it.
    pub deprecated: bool,
    /// Its kind and default in release 0.39, where they are others there; `None` within it: release 0.39
    /// does not have the field.
    pub in_0_39: Option<Option<(Kind, Option<Literal>)>>,
}

impl Member {
    /// A member of an object within a request: what nests is read by hand.
    pub(crate) const fn new(name: &'static str, meaning: &'static str, kind: Kind, need: Need) -> Self {
        let (length, meaning) = (Length::Short, told(meaning));
        Self { name, meaning, kind, need, default: None, length, deprecated: false, in_0_39: None }
    }
    pub(crate) const fn long(self) -> Self {
        Self { length: Length::Long, ..self }
    }
    pub(crate) const fn in_file(self) -> Self {
        Self { length: Length::File, ..self }
    }
    /// What was given for it, which Rust calls `name` where it has no name itself. To an interface that does
    /// not have the field, it is never given.
    fn field<'a>(&self, check: &Checker<'a>, name: &str, compat: Compat) -> Field<'a> {
        let mut field = check.field(if self.name.is_empty() { name } else { self.name });
        if self.in_0_39 == Some(None) && compat == Compat::V0_39 {
            field.value = None;
        }
        field
    }
    /// The member as one of the interfaces has it, if it does.
    pub fn under(&self, compat: Compat) -> Option<Self> {
        match self.in_0_39 {
            Some(other) if compat == Compat::V0_39 => {
                other.map(|(kind, default)| Self { kind, default, ..*self })
            }
            _ => Some(*self),
        }
    }
}

/// A meaning, where there is somebody to read it: the WebAssembly file leaves it out.
pub(crate) const fn told(meaning: &'static str) -> &'static str {
    if cfg!(feature = "native") { meaning } else { "" }
}

/// `change_address` as `changeAddress`.
pub fn camel_case(text: &str) -> String {
    let mut camel = String::with_capacity(text.len());
    let mut upper = false;
    for letter in text.chars() {
        if letter == '_' && !camel.is_empty() {
            upper = true;
        } else {
            camel.push(if upper { letter.to_ascii_uppercase() } else { letter });
            upper = false;
        }
    }
    camel
}

/// A request: what it may hold, and how it is read.
pub trait Request: Sized {
    /// Whether its fields are in the query or in the body.
    const IN: Location;
    /// The field that is the whole body over HTTP, where there is such a one: the others are in the query
    /// then.
    const BARE: Option<&'static str> = None;
    const MEMBERS: &'static [Member];
    /// Reads it whole: all that is wrong with it is found before anything is done.
    ///
    /// # Errors
    /// Every field that is not as it must be, in the wording of the interface that `compat` names.
    fn read(given: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal>;
}

/// Reads one field. An `Err` is a refusal that counts only when all fields are as they must be: those that
/// are not were noted with the [`Checker`], and come first.
pub(crate) type Reader<T> = for<'a> fn(&mut Checker<'a>, &Field<'a>, Context) -> Result<T, Refusal>;

/// What a reader goes by.
#[derive(Clone, Copy)]
pub(crate) struct Context {
    pub compat: Compat,
    /// As declared, limits included.
    pub kind: &'static Kind,
    pub default: Option<Literal>,
}

/// How a field is read, and what is known of it.
pub(crate) struct Rule<T> {
    member: Member,
    /// What a problem with it is called, where that is not `Invalid value`.
    called: Option<&'static str>,
    read: Reader<T>,
}

impl<T> Rule<T> {
    /// A field that must be there.
    pub const fn required(kind: Kind, read: Reader<T>) -> Self {
        Self { member: Member::new("", "", kind, Need::Required), called: None, read }
    }
    /// A field that may be left out.
    pub const fn optional(kind: Kind, read: Reader<T>) -> Self {
        Self { member: Member::new("", "", kind, Need::Optional), called: None, read }
    }
    /// Of another kind, and read in the same way.
    pub const fn of(mut self, kind: Kind) -> Self {
        self.member.kind = kind;
        self
    }
    /// Read in another way.
    pub const fn read_by(mut self, read: Reader<T>) -> Self {
        self.read = read;
        self
    }
    /// It may also be `null`.
    pub const fn or_null(mut self) -> Self {
        self.member.need = Need::Nullable;
        self
    }
    /// With something that stands for it.
    pub const fn default(mut self, default: Literal) -> Self {
        self.member.default = Some(default);
        self
    }
    /// Of another kind in release 0.39. A default that is given before is that of release 0.39, too.
    pub const fn in_0_39(mut self, kind: Kind) -> Self {
        self.member.in_0_39 = Some(Some((kind, self.member.default)));
        self
    }
    /// Not there in release 0.39.
    pub const fn not_in_0_39(mut self) -> Self {
        self.member.in_0_39 = Some(None);
        self
    }
    pub const fn length(mut self, length: Length) -> Self {
        self.member.length = length;
        self
    }
    /// There for old clients alone.
    pub const fn deprecated(mut self) -> Self {
        self.member.deprecated = true;
        self
    }
    /// By another name in JSON than in Rust.
    pub const fn named(mut self, name: &'static str) -> Self {
        self.member.name = name;
        self
    }
    /// With a text of its own for what is wrong with it.
    pub const fn called(mut self, msg: &'static str) -> Self {
        self.called = Some(msg);
        self
    }
    /// The field that Rust calls `name`.
    pub const fn member(&self, name: &'static str, meaning: &'static str) -> Member {
        let name = if self.member.name.is_empty() { name } else { self.member.name };
        Member { name, meaning: told(meaning), ..self.member }
    }
    /// Reads the field that Rust calls `name`; `None` where [`Checker::finish`] will refuse.
    // There are hundreds of fields: once for each, its code would be a twentieth of the WebAssembly file.
    #[inline(never)]
    pub fn read(&'static self, check: &mut Checker<'_>, name: &'static str, compat: Compat) -> Option<T> {
        let field = self.member.field(check, name, compat);
        let context = Context { compat, kind: &self.member.kind, default: self.member.default };
        let read = match self.called {
            None => (self.read)(check, &field, context),
            Some(msg) => check.called(msg, |check| (self.read)(check, &field, context)),
        };
        read.map_err(|refusal| check.refuse(refusal)).ok()
    }
}

/// Where the fields of a request are, by the name of the [`Checker`] for it.
#[allow(non_upper_case_globals)]
pub(crate) mod place {
    use crate::api::Location;
    pub const body: Location = Location::Body;
    pub const body_with_details: Location = Location::Body;
    pub const query: Location = Location::Query;
}

/// Declares a request: each field with what it means, its name, its type and its [`Rule`]. The function after
/// `also` looks at fields together, when each of them has been read.
///
/// ```ignore
/// request! {
/// /// `POST /wallet/create-nft`.
/// pub struct CreateNft in body {
/// /// The token's name.
/// pub name: String = token_text(MAX_TOKEN_NAME_CHARS),
/// }
/// }
/// ```
macro_rules! request {
    (
        $(#[$about:meta])*
        pub struct $Name:ident in $place:ident $(, also = $also:path)? {
            $( $(#[doc = $meaning:literal])* pub $field:ident: $Type:ty = $rule:expr, )*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $Name {
            $( $(#[doc = $meaning])* pub $field: $Type, )*
        }

        impl $crate::api::Request for $Name {
            const IN: $crate::api::Location = $crate::api::declare::place::$place;
            const MEMBERS: &'static [$crate::api::Member] = &[
                $( {
                    const RULE: &$crate::api::declare::Rule<$Type> = &$rule;
                    RULE.member(stringify!($field), concat!($($meaning),*))
                }, )*
            ];
            fn read(
                given: &serde_json::Map<String, serde_json::Value>,
                compat: $crate::api::Compat,
            ) -> Result<Self, $crate::api::Refusal> {
                // A request may have no fields.
                let _ = compat;
                #[allow(unused_mut)]
                let mut check = $crate::api::check::Checker::$place(given);
                $( let $field = {
                    const RULE: &$crate::api::declare::Rule<$Type> = &$rule;
                    RULE.read(&mut check, stringify!($field), compat)
                }; )*
                $( $also(&mut check, compat); )?
                check.finish()?;
                Ok(Self { $( $field: $field.expect("what could not be read is refused") ),* })
            }
        }
    };
}
pub(crate) use request;
