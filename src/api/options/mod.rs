//! How the options of the npm package are declared: once, and what JavaScript is read by and TypeScript is
//! told comes from there. Unlike the fields of a request they never travel as JSON: functions, stores and
//! signals are among them.

mod start;

pub use start::{
    GAP_LIMITS, HISTORY_SYNC_MODES, IndexLimit, KeyOptions, MINING_MODES, MiningOptions, NodeOptions,
    Participants, ServiceOptions, StartOptions, TransportOptions, index_limits,
};

use super::declare::{Kind, Literal, told};

/// What an option holds.
#[derive(Clone, Copy, Debug)]
pub enum Holds {
    /// What a field of a request can hold.
    Kind(Kind),
    /// An object with options of its own.
    Object(&'static OptionGroup),
    /// What JavaScript alone has: its type in TypeScript.
    JavaScript(&'static str),
}

#[derive(Clone, Copy, Debug)]
pub struct OptionMember {
    /// As in Rust. In JavaScript it is in camel case.
    pub name: &'static str,
    /// What it means, in plain sentences. Not in the WebAssembly file, which has no use for it.
    pub meaning: &'static str,
    pub holds: Holds,
    pub is_required: bool,
    /// What stands for it if it is left out.
    pub default: Option<Literal>,
}

impl OptionMember {
    const fn new(holds: Holds, is_required: bool) -> Self {
        let holds = if cfg!(feature = "native") { holds } else { Holds::JavaScript("") };
        Self { name: "", meaning: "", holds, is_required, default: None }
    }
    /// An option that must be given.
    const fn required(kind: Kind) -> Self {
        Self::new(Holds::Kind(kind), true)
    }
    /// An option that may be left out.
    const fn optional(kind: Kind) -> Self {
        Self::new(Holds::Kind(kind), false)
    }
    /// An object that may be left out.
    const fn object(of: &'static OptionGroup) -> Self {
        Self::new(Holds::Object(of), false)
    }
    /// What JavaScript alone has, of this type in TypeScript. It may be left out.
    const fn javascript(typescript: &'static str) -> Self {
        Self::new(Holds::JavaScript(typescript), false)
    }
    /// With something that stands for it.
    const fn default(self, default: Literal) -> Self {
        Self { default: Some(default), ..self }
    }
    /// By another name in JavaScript than in Rust.
    const fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }
    /// The option that Rust calls `name`.
    const fn described(self, name: &'static str, meaning: &'static str) -> Self {
        let name = if self.name.is_empty() { name } else { self.name };
        Self { name, meaning: told(meaning), ..self }
    }
}

/// Options that belong together: an interface in TypeScript or, where they can be given in several forms, one
/// for each.
#[derive(Clone, Copy, Debug)]
pub struct OptionGroup {
    /// The name in TypeScript.
    pub name: &'static str,
    /// What they are for.
    pub about: &'static str,
    pub members: &'static [OptionMember],
    /// None where each member alone says whether it must be given.
    pub forms: &'static [OptionForm],
}

/// A form in which options can be given: those that it does not name must be left out.
#[derive(Clone, Copy, Debug)]
pub struct OptionForm {
    /// The name in TypeScript and what it is for, where it has one.
    pub named: Option<(&'static str, &'static str)>,
    pub required: &'static [&'static str],
    pub optional: &'static [&'static str],
    /// A member that can't have all its values, and those that it can have.
    pub narrowed: Option<(&'static str, &'static [&'static str])>,
}

impl OptionForm {
    const fn of(required: &'static [&'static str], optional: &'static [&'static str]) -> Self {
        Self { named: None, required, optional, narrowed: None }
    }
    const fn named(self, name: &'static str, about: &'static str) -> Self {
        Self { named: Some((name, about)), ..self }
    }
    const fn where_one_of(self, member: &'static str, values: &'static [&'static str]) -> Self {
        Self { narrowed: Some((member, values)), ..self }
    }
}

/// A type that holds options, each as a `V`.
pub trait Options<V>: Sized {
    /// What they are, in the order in which they are given to [`Self::of`].
    const GROUPS: &'static [OptionGroup];
    /// Puts them into their places; `None` if there are too few.
    fn of(values: &mut impl Iterator<Item = V>) -> Option<Self>;
}

/// Declares options: each with what it means, its name and its [`OptionMember`], or all of other groups.
macro_rules! options {
    (
        $(#[doc = $about:literal])*
        pub struct $Name:ident $(in [$($form:expr),* $(,)?])? {
            $( $(#[doc = $meaning:literal])* $field:ident: $option:expr, )*
        }
    ) => {
        $(#[doc = $about])*
        pub struct $Name<V> {
            $( $(#[doc = $meaning])* pub $field: V, )*
        }

        impl $Name<()> {
            /// What is known of them.
            pub const GROUP: OptionGroup = OptionGroup {
                name: stringify!($Name),
                about: told(concat!($($about),*)),
                members: &[$( $option.described(stringify!($field), concat!($($meaning),*)) ),*],
                forms: if cfg!(feature = "native") { &[$($($form),*)?] } else { &[] },
            };
        }

        impl<V> Options<V> for $Name<V> {
            const GROUPS: &'static [OptionGroup] = &[$Name::<()>::GROUP];
            fn of(values: &mut impl Iterator<Item = V>) -> Option<Self> {
                Some(Self { $( $field: values.next()?, )* })
            }
        }
    };
    (
        $(#[doc = $about:literal])*
        pub struct $Name:ident of { $( $field:ident: $Group:ident, )* }
    ) => {
        $(#[doc = $about])*
        pub struct $Name<V> {
            $( pub $field: $Group<V>, )*
        }

        impl<V> Options<V> for $Name<V> {
            const GROUPS: &'static [OptionGroup] = &[$( $Group::<()>::GROUP ),*];
            fn of(values: &mut impl Iterator<Item = V>) -> Option<Self> {
                Some(Self { $( $field: $Group::of(values)?, )* })
            }
        }
    };
}
use options;
