//! How a request is declared: once, and everything that is known of it comes from there.
//!
//! [`request!`] makes of one list of fields the Rust type, its reader, and the [`Member`]s from which the
//! OpenAPI document, the TypeScript types, the reader of JavaScript arguments and the command line's flags
//! are made; [`object!`] does the same for an object within a request. A field's documentation is what all of
//! them say of it. Texts and order of release 0.39's messages are declared, too.

use super::check::{Checker, Field};
use super::check_twice::Form;
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
    pub(crate) const fn new(name: &'static str, meaning: &'static str, kind: Kind, need: Need) -> Self {
        let (length, meaning) = (Length::Short, told(meaning));
        Self { name, meaning, kind, need, default: None, length, deprecated: false, in_0_39: None }
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
    const BARE: Option<&'static str>;
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
    /// As declared for that interface, limits included.
    pub kind: &'static Kind,
    pub default: Option<Literal>,
    /// Whether it need not be there.
    pub may_lack: bool,
    pub array: Option<&'static Elements>,
}

impl Context {
    /// The least integer.
    pub const fn least(&self) -> Option<i128> {
        if let Kind::Integer(least, _) = *self.kind { least } else { None }
    }
}

/// How an array is refused that is none, or has too few or too many elements.
#[derive(Clone, Copy)]
pub(crate) struct Elements {
    pub must: &'static str,
    pub called: &'static str,
    /// Whether release 0.39 checks it twice: see [`check_twice`](super::check_twice).
    pub twice: bool,
}

/// An object that is declared: a request, or one within a request.
pub(crate) trait Fields: Sized {
    const MEMBERS: &'static [Member];
    /// It must have all members of one of these lists.
    const NEEDS: &'static [&'static [&'static str]];
    const KIND: Kind = Kind::Object { members: Self::MEMBERS, any_of: Self::NEEDS };
    const KIND_OF_ELEMENTS: &'static Kind = &Self::KIND;
    /// Reads the object that the [`Checker`] is in; `None` where [`Checker::finish`] will refuse.
    fn read_one(check: &mut Checker<'_>, compat: Compat) -> Option<Self>;
    /// Reads objects beside each other as release 0.39 does: a field of all of them, then the next field.
    fn read_each<'a>(check: &mut Checker<'a>, objects: &[Field<'a>], compat: Compat) -> Vec<Self>;
}

/// How a field is read, and what is known of it.
pub(crate) struct Rule<T> {
    about: About,
    read: Reader<T>,
}

/// What is known of a field.
struct About {
    member: Member,
    /// What a problem with it is called, where that is not `Invalid value`.
    called: Option<&'static str>,
    form: Option<&'static Form>,
    array: Option<&'static Elements>,
    decides: bool,
}

impl About {
    /// Looks at the form of fields before they are read.
    #[inline(never)]
    fn begin<'a>(
        &'static self,
        check: &mut Checker<'a>,
        fields: &[Field<'a>],
        compat: Compat,
    ) -> (Context, usize, Vec<bool>) {
        let kind = match &self.member.in_0_39 {
            Some(Some((kind, _))) if compat == Compat::V0_39 => kind,
            _ => &self.member.kind,
        };
        let may_lack = self.member.need != Need::Required;
        let context = Context { compat, kind, default: self.member.default, may_lack, array: self.array };
        let before = check.count_problems();
        (context, before, check.fit(fields, self.form, may_lack))
    }
    /// Words what was noted since [`begin`](Self::begin).
    fn end(&self, check: &mut Checker<'_>, before: usize) {
        if let Some(msg) = self.called {
            check.call(before, msg);
        }
    }
}

impl<T> Rule<T> {
    /// A field that must be there.
    pub const fn required(kind: Kind, read: Reader<T>) -> Self {
        let member = Member::new("", "", kind, Need::Required);
        Self { about: About { member, called: None, form: None, array: None, decides: false }, read }
    }
    /// A field that may be left out.
    pub const fn optional(kind: Kind, read: Reader<T>) -> Self {
        Self::required(kind, read).or_nothing()
    }
    /// A text of a form, which release 0.39 checks after the type. What does not fit is not read.
    pub const fn formed(mut self, form: &'static Form) -> Self {
        self.about.form = Some(form);
        self
    }
    /// An array, and how it is refused.
    pub const fn array(mut self, array: &'static Elements) -> Self {
        self.about.array = Some(array);
        self
    }
    /// Nothing else in its object is looked at where it is wrong.
    pub const fn decides(mut self) -> Self {
        self.about.decides = true;
        self
    }
    /// Of another kind, and read in the same way.
    pub const fn of(mut self, kind: Kind) -> Self {
        self.about.member.kind = kind;
        self
    }
    /// Read in another way.
    pub const fn read_by(mut self, read: Reader<T>) -> Self {
        self.read = read;
        self
    }
    /// It may be left out.
    pub const fn or_nothing(mut self) -> Self {
        self.about.member.need = Need::Optional;
        self
    }
    /// It may also be `null`.
    pub const fn or_null(mut self) -> Self {
        self.about.member.need = Need::Nullable;
        self
    }
    /// With something that stands for it.
    pub const fn default(mut self, default: Literal) -> Self {
        self.about.member.default = Some(default);
        self
    }
    /// Of another kind in release 0.39. A default that is given before is that of release 0.39, too.
    pub const fn in_0_39(mut self, kind: Kind) -> Self {
        self.about.member.in_0_39 = Some(Some((kind, self.about.member.default)));
        self
    }
    /// Not there in release 0.39.
    pub const fn not_in_0_39(mut self) -> Self {
        self.about.member.in_0_39 = Some(None);
        self
    }
    pub const fn length(mut self, length: Length) -> Self {
        self.about.member.length = length;
        self
    }
    /// There for old clients alone.
    pub const fn deprecated(mut self) -> Self {
        self.about.member.deprecated = true;
        self
    }
    /// By another name in JSON than in Rust.
    pub const fn named(mut self, name: &'static str) -> Self {
        self.about.member.name = name;
        self
    }
    /// With a text of its own for what is wrong with it.
    pub const fn called(mut self, msg: &'static str) -> Self {
        self.about.called = Some(msg);
        self
    }
    /// Whether nothing else in its object is looked at where it is wrong.
    pub const fn is_decisive(&self) -> bool {
        self.about.decides
    }
    /// The field that Rust calls `name`.
    pub const fn member(&self, name: &'static str, meaning: &'static str) -> Member {
        let member = self.about.member;
        let name = if member.name.is_empty() { name } else { member.name };
        Member { name, meaning: told(meaning), ..member }
    }
    /// Reads the field that Rust calls `name`; `None` where [`Checker::finish`] will refuse.
    // There are hundreds of fields: once for each, its code would be a twentieth of the WebAssembly file.
    #[inline(never)]
    pub fn read(&'static self, check: &mut Checker<'_>, name: &'static str, compat: Compat) -> Option<T> {
        let field = self.about.member.field(check, name, compat);
        let (context, before, fits) = self.about.begin(check, std::slice::from_ref(&field), compat);
        let read = if fits[0] { self.read_if_fit(check, &field, context) } else { None };
        self.about.end(check, before);
        read
    }
    /// Reads it in each of these objects.
    #[inline(never)]
    pub fn read_each<'a>(
        &'static self,
        check: &mut Checker<'a>,
        objects: &[Field<'a>],
        name: &'static str,
        compat: Compat,
    ) -> std::vec::IntoIter<Option<T>> {
        let field = |object| check.within(object, |check| self.about.member.field(check, name, compat));
        let fields: Vec<_> = objects.iter().map(field).collect();
        let (context, before, fits) = self.about.begin(check, &fields, compat);
        let read = |(field, fits)| if fits { self.read_if_fit(check, field, context) } else { None };
        let read: Vec<_> = fields.iter().zip(fits).map(read).collect();
        self.about.end(check, before);
        read.into_iter()
    }
    fn read_if_fit<'a>(&self, check: &mut Checker<'a>, field: &Field<'a>, context: Context) -> Option<T> {
        (self.read)(check, field, context).map_err(|refusal| check.refuse(refusal)).ok()
    }
}

/// Where the fields of a request are, by the name of the [`Checker`] for it; and whether the first is the
/// whole body over HTTP, and the others are in the query.
#[allow(non_upper_case_globals)]
pub(crate) mod place {
    use crate::api::Location;
    pub const body: (Location, bool) = (Location::Body, false);
    pub const body_with_details: (Location, bool) = (Location::Body, false);
    pub const query: (Location, bool) = (Location::Query, false);
    pub const body_beside_query: (Location, bool) = (Location::Body, true);
}

/// Declares a request: each field with what it means, its name, its type and its [`Rule`]. What else may be
/// declared is as in [`object!`]. A request that comes in several forms is an `enum` of them: `takes` says
/// which counts if several fit, `none` what is said if none does; what is noted by the functions after `also`
/// comes before that.
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
    ($(#[$about:meta])* pub struct $Name:ident in $place:ident $($rest:tt)*) => {
        $crate::api::declare::object! { $(#[$about])* pub struct $Name $($rest)* }

        impl $crate::api::Request for $Name {
            const IN: $crate::api::Location = $crate::api::declare::place::$place.0;
            const BARE: Option<&'static str> =
                if $crate::api::declare::place::$place.1 { Some(<Self as $crate::api::Request>::MEMBERS[0].name) } else { None };
            const MEMBERS: &'static [$crate::api::Member] = <Self as $crate::api::declare::Fields>::MEMBERS;
            fn read(
                given: &serde_json::Map<String, serde_json::Value>,
                compat: $crate::api::Compat,
            ) -> Result<Self, $crate::api::Refusal> {
                let mut check = $crate::api::check::Checker::$place(given);
                let read = $crate::api::declare::Fields::read_one(&mut check, compat);
                check.finish()?;
                Ok(read.expect("what could not be read is refused"))
            }
        }
    };
    (
        $(#[$about:meta])*
        pub enum $Name:ident in $place:ident, takes = $takes:ident, none = $none:path $(, also = $also:path)* {
            $( $Form:ident { $( $(#[doc = $meaning:literal])* $field:ident: $Type:ty = $rule:expr, )* } )*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $Name {
            $( $Form { $( $(#[doc = $meaning])* $field: $Type, )* }, )*
        }

        impl $crate::api::Request for $Name {
            const IN: $crate::api::Location = $crate::api::declare::place::$place.0;
            const BARE: Option<&'static str> = None;
            const MEMBERS: &'static [$crate::api::Member] = {
                const JOINED: &$crate::api::Joined = &$crate::api::Joined::of(&[$( &[$( {
                    const RULE: &$crate::api::declare::Rule<$Type> = &$rule;
                    RULE.member(stringify!($field), concat!($($meaning),*))
                } ),*] ),*]);
                JOINED.members()
            };
            fn read(
                given: &serde_json::Map<String, serde_json::Value>,
                compat: $crate::api::Compat,
            ) -> Result<Self, $crate::api::Refusal> {
                $crate::api::check::Checker::$place(given).read(|check| {
                    $( $also(check, compat); )*
                    let forms = [$( check.form(|check| {
                        $( let $field = {
                            const RULE: &$crate::api::declare::Rule<$Type> = &$rule;
                            RULE.read(check, stringify!($field), compat)
                        }; )*
                        Some(Self::$Form { $($field: $field?),* })
                    }) ),*];
                    check.$takes(forms, $none)
                })
            }
        }
    };
}
pub(crate) use request;

/// Declares an object within a request. What it `needs` are lists of members, of which it must have one.
/// `reads` has its fields in the order in which release 0.39 looks at them, where that is not theirs. The
/// functions after `also` look at fields together, when each of them has been read; that after `then` only
/// where each is as it must be.
macro_rules! object {
    (
        $(#[$about:meta])*
        pub struct $Name:ident
        $(, needs = [$([$($need:literal),*]),*])?
        $(, reads = [$($order:ident),*])?
        $(, also = $also:path)*
        $(, then = $then:path)?
        {
            $( $(#[doc = $meaning:literal])* pub $field:ident: $Type:ty = $rule:expr, )*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $Name {
            $( $(#[doc = $meaning])* pub $field: $Type, )*
        }

        #[allow(non_upper_case_globals)]
        impl $Name {
            $( const $field: &'static $crate::api::declare::Rule<$Type> = &$rule; )*
        }

        // It may have no fields.
        #[allow(unused_variables)]
        impl $crate::api::declare::Fields for $Name {
            const MEMBERS: &'static [$crate::api::Member] =
                &[$( Self::$field.member(stringify!($field), concat!($($meaning),*)), )*];
            const NEEDS: &'static [&'static [&'static str]] = &[$($( &[$($need),*] ),*)?];
            fn read_one(
                check: &mut $crate::api::check::Checker<'_>,
                compat: $crate::api::Compat,
            ) -> Option<Self> {
                let before = check.count_problems();
                $crate::api::declare::object! { @one [$($($order)*)?] [$($field)*] check compat }
                $( $also(check, compat); )*
                let read = Self { $($field: $field?),* };
                $( if check.count_problems() == before { $then(&read, check, compat) } )?
                Some(read)
            }
            fn read_each<'a>(
                check: &mut $crate::api::check::Checker<'a>,
                objects: &[$crate::api::check::Field<'a>],
                compat: $crate::api::Compat,
            ) -> Vec<Self> {
                let before = check.count_problems();
                $crate::api::declare::object! { @each [$($($order)*)?] [$($field)*] check objects compat }
                $( objects.iter().for_each(|object| check.within(object, |check| $also(check, compat))); )*
                let fine = check.count_problems() == before;
                let read = |object| {
                    $( let $field = $field.next().flatten(); )*
                    let read = Self { $($field: $field?),* };
                    $( if fine { check.within(object, |check| $then(&read, check, compat)) } )?
                    Some(read)
                };
                objects.iter().filter_map(read).collect()
            }
        }
    };
    (@one [] [$($field:ident)*] $check:ident $compat:ident) => {
        $(
            let $field = Self::$field.read($check, stringify!($field), $compat);
            if Self::$field.is_decisive() && $field.is_none() {
                return None;
            }
        )*
    };
    (@one [$($field:ident)*] [$($unordered:ident)*] $check:ident $compat:ident) => {
        $crate::api::declare::object! { @one [] [$($field)*] $check $compat }
    };
    (@each [] [$($field:ident)*] $check:ident $objects:ident $compat:ident) => {
        $( let mut $field = Self::$field.read_each($check, $objects, stringify!($field), $compat); )*
    };
    (@each [$($field:ident)*] [$($unordered:ident)*] $check:ident $objects:ident $compat:ident) => {
        $crate::api::declare::object! { @each [] [$($field)*] $check $objects $compat }
    };
}
pub(crate) use object;
