//! How an answer is declared: once, and everything that is known of it comes from there.
//!
//! [`answer!`] makes of one list of members what writes an answer (as JSON and as a JavaScript value), its
//! JSON Schema in the OpenAPI document and its TypeScript interface. Each member has a kind: a type that
//! knows how values are written, and how they look. `answers::kinds` has those of single values, and whatever
//! is declared is one.

use super::exact_names::name_of_exact;
use super::node_json::Node;
use crate::json;
use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};
use std::marker::PhantomData;

/// A kind of value that a `V` can be written as.
pub(crate) trait SerializeAs<V: ?Sized> {
    fn serialize_as<S: Serializer>(value: &V, to: S) -> Result<S::Ok, S::Error>;
    /// An amount in words, where it has parts of a cent.
    fn exact(_value: &V) -> Option<String> {
        None
    }
    /// Writes it as a member of an object, and what is [`SerializeAs::exact`] as another one beside it.
    fn serialize_member<O: SerializeStruct>(
        value: &V,
        name: &'static str,
        to: &mut O,
    ) -> Result<(), O::Error> {
        to.serialize_field(name, &As::<Self, &V>::new(value))?;
        match Self::exact(value) {
            Some(words) => to.serialize_field(name_of_exact(name), &words),
            None => Ok(()),
        }
    }
}

/// A value that is written as a `K`.
pub(crate) struct As<K: ?Sized, V>(V, PhantomData<K>);

impl<K: ?Sized, V> As<K, V> {
    pub const fn new(value: V) -> Self {
        Self(value, PhantomData)
    }
}

impl<K: SerializeAs<V> + ?Sized, V> Serialize for As<K, V> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        K::serialize_as(&self.0, to)
    }
}

impl<K: SerializeAs<V> + ?Sized, V: ?Sized> SerializeAs<&V> for K {
    fn serialize_as<S: Serializer>(value: &&V, to: S) -> Result<S::Ok, S::Error> {
        <K as SerializeAs<V>>::serialize_as(value, to)
    }
    fn exact(value: &&V) -> Option<String> {
        <K as SerializeAs<V>>::exact(value)
    }
    fn serialize_member<O: SerializeStruct>(
        value: &&V,
        name: &'static str,
        to: &mut O,
    ) -> Result<(), O::Error> {
        <K as SerializeAs<V>>::serialize_member(value, name, to)
    }
}

/// An object whose members are declared.
pub(crate) trait Members {
    /// How many there may be.
    const COUNT: usize;
    /// Whether there may be others than those that are declared.
    const HAS_OTHERS: bool = false;
    fn write<O: SerializeStruct>(&self, to: &mut O) -> Result<(), O::Error>;
    /// Those that are not declared, as JSON without the braces.
    fn others(&self) -> Option<&str> {
        None
    }
}

pub(crate) fn object<T: Members, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    if T::HAS_OTHERS
        && let Some(others) = value.others()
    {
        let mut object = AsStruct(to.serialize_map(None)?);
        value.write(&mut object)?;
        let others = json::read(format!("{{{others}}}").as_bytes()).unwrap_or_default();
        for (name, value) in others.as_object().into_iter().flatten() {
            object.0.serialize_entry(name, &Node(value))?;
        }
        return object.0.end();
    }
    let mut object = to.serialize_struct("", T::COUNT)?;
    value.write(&mut object)?;
    object.end()
}

/// A map that is written as a struct is: its members' names are known.
struct AsStruct<M>(M);

impl<M: SerializeMap> SerializeStruct for AsStruct<M> {
    type Ok = M::Ok;
    type Error = M::Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), M::Error> {
        self.0.serialize_entry(name, value)
    }
    fn end(self) -> Result<M::Ok, M::Error> {
        self.0.end()
    }
}

/// Declares how a type is answered: each member with what it means, its name in JSON, its kind and its value.
/// Without a value it is the type's field of that name, and a constant needs no kind. `if` names the question
/// to the type's `compat` that says whether the member is there; `..` stands for members of the node that are
/// not declared. A type without a name in the OpenAPI
/// document (`as`) or in TypeScript (`type`) is described there where it is used.
///
/// ```ignore
/// answer! {
///     /// An unspent output.
///     this: UtxoAnswer<'_> as "Utxo", type "Utxo" {
///         address: Text,
///         /// Whether it can't be spent yet.
///         locked: Flag,
///         index: Count = this.outpoint.index,
///     }
/// }
/// ```
macro_rules! answer {
    (
        $(#[doc = $about:literal])*
        $this:ident: $Type:ty $(as $schema:literal)? $(, type $typescript:literal)? {
            $(
                $(#[doc = $meaning:literal])*
                $name:ident $(if $only_if:ident)? $(: $Kind:ty)? $(= $value:expr)?,
            )*
            $( .. = $others:expr, )?
        }
    ) => {
        impl $crate::api::answer::Members for $Type {
            const COUNT: usize = <[&str]>::len(&[$(stringify!($name)),*]);
            // Where there are no members, or constants alone.
            #[allow(unused_variables)]
            fn write<O: serde::ser::SerializeStruct>(&self, to: &mut O) -> Result<(), O::Error> {
                let $this = self;
                $( $(if $this.compat.$only_if())? {
                    $crate::api::answer::answer!(@write to, $this, $name, [$($Kind)?], [$($value)?])?;
                } )*
                Ok(())
            }
            $(
                const HAS_OTHERS: bool = true;
                fn others(&self) -> Option<&str> {
                    let $this = self;
                    $others
                }
            )?
        }

        impl serde::Serialize for $Type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                $crate::api::answer::object(self, to)
            }
        }

        impl $crate::api::answer::SerializeAs<Self> for $Type {
            fn serialize_as<S: serde::Serializer>(value: &Self, to: S) -> Result<S::Ok, S::Error> {
                $crate::api::answer::object(value, to)
            }
        }

        #[cfg(feature = "native")]
        impl $crate::api::shape::Shaped for $Type {
            const SHAPE: $crate::api::shape::Shape = {
                use $crate::api::shape::{AnswerMember, Form, Shape};
                const MEMBERS: &[AnswerMember] = &[$( AnswerMember {
                    name: stringify!($name),
                    meaning: concat!($($meaning),*),
                    shape: $crate::api::answer::answer!(@shape [$($Kind)?], [$($value)?]),
                    only_if: $crate::api::answer::answer!(@only_if $($only_if)?),
                }, )* $( {
                    const _: &str = stringify!($others);
                    AnswerMember::OTHERS
                } )?];
                Shape::new(Form::Object(MEMBERS)).about(concat!($($about),*))
                    $(.named($schema))?$(.typed($typescript))?
            };
        }
    };
    (@write $to:ident, $this:ident, $name:ident, [$Kind:ty], [$value:expr]) => {
        <$Kind as $crate::api::answer::SerializeAs<_>>::serialize_member(&$value, stringify!($name), $to)
    };
    (@write $to:ident, $this:ident, $name:ident, [$Kind:ty], []) => {
        <$Kind as $crate::api::answer::SerializeAs<_>>::serialize_member(&$this.$name, stringify!($name), $to)
    };
    (@write $to:ident, $this:ident, $name:ident, [], [$value:expr]) => {
        $to.serialize_field(stringify!($name), &$value)
    };
    (@shape [$Kind:ty], [$($value:expr)?]) => {
        <$Kind as $crate::api::shape::Shaped>::SHAPE
    };
    (@shape [], [$value:expr]) => {
        Shape::new(Form::Value(|| serde_json::json!({"const": $value})))
    };
    (@only_if $only_if:ident) => {
        Some($crate::api::Compat::$only_if)
    };
    (@only_if) => {
        None
    };
}
pub(crate) use answer;

/// Declares that a type, which serializes as the one of several that it holds, is answered.
macro_rules! any_of {
    (
        $(#[doc = $about:literal])*
        $Type:ty $(as $schema:literal)? $(, type $typescript:literal)?: $($Kind:ty)|+
    ) => {
        impl $crate::api::answer::SerializeAs<Self> for $Type {
            fn serialize_as<S: serde::Serializer>(value: &Self, to: S) -> Result<S::Ok, S::Error> {
                serde::Serialize::serialize(value, to)
            }
        }

        #[cfg(feature = "native")]
        impl $crate::api::shape::Shaped for $Type {
            const SHAPE: $crate::api::shape::Shape = {
                use $crate::api::shape::{Form, Shape, Shaped};
                const ALL: &[Shape] = &[$(<$Kind as Shaped>::SHAPE),+];
                Shape::new(Form::AnyOf(ALL)).about(concat!($($about),*))
                    $(.named($schema))?$(.typed($typescript))?
            };
        }
    };
}
pub(crate) use any_of;
