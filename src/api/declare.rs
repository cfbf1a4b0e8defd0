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
        Self { name, meaning: told(meaning), kind, need, default: None, deprecated: false, in_0_39: None }
    }
    /// What was given for it. To an interface that does not have it, it is never given.
    fn given<'a>(&self, mut field: Field<'a>, compat: Compat) -> Field<'a> {
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

/// Reads one member of each of some objects.
pub(crate) type Column<T> = for<'a> fn(&mut Checker<'a>, &[Field<'a>]) -> Vec<Option<T>>;

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
    read_each: Option<Column<T>>,
}

impl<T> Rule<T> {
    /// A field that must be there.
    pub const fn required(kind: Kind, read: Reader<T>) -> Self {
        Self { member: Member::new("", "", kind, Need::Required), called: None, read, read_each: None }
    }
    /// A field that may be left out.
    pub const fn optional(kind: Kind, read: Reader<T>) -> Self {
        Self { member: Member::new("", "", kind, Need::Optional), called: None, read, read_each: None }
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
    /// Whether it must be there, the forms of the object say.
    pub const fn by_form(mut self) -> Self {
        self.member.need = Need::Optional;
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
    /// Read of all elements of an array at once, where what is noted is not in their order.
    pub(crate) const fn each_by(mut self, read_each: Column<T>) -> Self {
        self.read_each = Some(read_each);
        self
    }
    /// Reads the member that Rust calls `name` of each of some objects.
    #[inline(never)]
    pub fn read_each<'a>(
        &'static self,
        check: &mut Checker<'a>,
        elements: &[Field<'a>],
        name: &'static str,
        compat: Compat,
    ) -> Vec<Option<T>> {
        let name = if self.member.name.is_empty() { name } else { self.member.name };
        let context = Context { compat, kind: &self.member.kind, default: self.member.default };
        let fields: Vec<_> =
            elements.iter().map(|element| self.member.given(element.member(name), compat)).collect();
        let read = |check: &mut Checker<'a>| match self.read_each {
            Some(read_each) => read_each(check, &fields),
            None => {
                let one =
                    |field| (self.read)(check, field, context).map_err(|refusal| check.refuse(refusal)).ok();
                fields.iter().map(one).collect()
            }
        };
        match self.called {
            None => read(check),
            Some(msg) => check.called(msg, read),
        }
    }
    /// Reads the field that Rust calls `name`; `None` where [`Checker::finish`] will refuse.
    // There are hundreds of fields: once for each, its code would be a twentieth of the WebAssembly file.
    #[inline(never)]
    pub fn read(&'static self, check: &mut Checker<'_>, name: &'static str, compat: Compat) -> Option<T> {
        let name = if self.member.name.is_empty() { name } else { self.member.name };
        let field = self.member.given(check.field(name), compat);
        let context = Context { compat, kind: &self.member.kind, default: self.member.default };
        let read = match self.called {
            None => (self.read)(check, &field, context),
            Some(msg) => check.called(msg, |check| (self.read)(check, &field, context)),
        };
        read.map_err(|refusal| check.refuse(refusal)).ok()
    }
}

/// Objects within a request.
pub(crate) trait Nested: Sized {
    /// Their members.
    const MEMBERS: &'static [Member];
    /// Reads the elements of an array. What is wrong with them is noted by member, then by element, as
    /// release 0.39 does. One that can't be read is left out: it is refused.
    fn read_each<'a>(check: &mut Checker<'a>, elements: &[Field<'a>], compat: Compat) -> Vec<Self>;
}

/// Reads one object; where there is none, one without members.
pub(crate) fn object<'a, N: Nested>(
    check: &mut Checker<'a>,
    field: &Field<'a>,
    context: Context,
) -> Result<N, Refusal> {
    let read = N::read_each(check, std::slice::from_ref(field), context.compat).pop();
    read.ok_or_else(|| Refusal::Fields(Vec::new()))
}

/// Declares objects within a request, as [`request!`] declares requests. They are read in the order of their
/// members; where they are described in another order, that comes after `as`.
macro_rules! nested {
    (
        $(#[$about:meta])*
        $visible:vis struct $Name:ident {
            $( $(#[doc = $meaning:literal])* pub $field:ident: $Type:ty = $rule:expr, )*
        }
    ) => {
        $crate::api::declare::nested! {
            $(#[$about])*
            $visible struct $Name as [$($field),*] {
                $( $(#[doc = $meaning])* pub $field: $Type = $rule, )*
            }
        }
    };
    (
        $(#[$about:meta])*
        $visible:vis struct $Name:ident as [$($described:ident),*] {
            $( $(#[doc = $meaning:literal])* pub $field:ident: $Type:ty = $rule:expr, )*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        $visible struct $Name {
            $( $(#[doc = $meaning])* pub $field: $Type, )*
        }

        #[allow(non_upper_case_globals)]
        impl $crate::api::declare::Nested for $Name {
            const MEMBERS: &'static [$crate::api::Member] = {
                $( const $field: $crate::api::Member = {
                    const RULE: &$crate::api::declare::Rule<$Type> = &$rule;
                    RULE.member(stringify!($field), concat!($($meaning),*))
                }; )*
                &[$($described),*]
            };
            fn read_each<'a>(
                check: &mut $crate::api::check::Checker<'a>,
                elements: &[$crate::api::check::Field<'a>],
                compat: $crate::api::Compat,
            ) -> Vec<Self> {
                $( let mut $field = {
                    const RULE: &$crate::api::declare::Rule<$Type> = &$rule;
                    RULE.read_each(check, elements, stringify!($field), compat).into_iter()
                }; )*
                let read = elements.iter().map(|_| {
                    $( let $field = $field.next().flatten(); )*
                    Some(Self { $( $field: $field? ),* })
                });
                read.flatten().collect()
            }
        }
    };
}
pub(crate) use nested;

/// Where the fields of a request are, by the name of the [`Checker`] for it.
#[allow(non_upper_case_globals)]
pub(crate) mod place {
    use crate::api::Location;
    pub const body: Location = Location::Body;
    pub const body_with_details: Location = Location::Body;
    pub const query: Location = Location::Query;
}

/// Declares a request: each field with what it means, its name, its type and its [`Rule`]. Fields are read in
/// their order; where they are described in another order, that comes after `as`. The function after
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
        $crate::api::declare::request! {
            $(#[$about])*
            pub struct $Name in $place as [$($field),*] $(, also = $also)? {
                $( $(#[doc = $meaning])* pub $field: $Type = $rule, )*
            }
        }
    };
    (
        $(#[$about:meta])*
        pub struct $Name:ident in $place:ident as [$($described:ident),*] $(, also = $also:path)? {
            $( $(#[doc = $meaning:literal])* pub $field:ident: $Type:ty = $rule:expr, )*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $Name {
            $( $(#[doc = $meaning])* pub $field: $Type, )*
        }

        #[allow(non_upper_case_globals)]
        impl $crate::api::Request for $Name {
            const IN: $crate::api::Location = $crate::api::declare::place::$place;
            const MEMBERS: &'static [$crate::api::Member] = {
                $( const $field: $crate::api::Member = {
                    const RULE: &$crate::api::declare::Rule<$Type> = &$rule;
                    RULE.member(stringify!($field), concat!($($meaning),*))
                }; )*
                &[$($described),*]
            };
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
