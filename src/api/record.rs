//! What the checks of a request look at, noted down for the OpenAPI document: a field's name, type, limits and default are
//! written once, where they are checked, and the document can't say anything else.
//!
//! Only the server has a document: elsewhere noting does nothing.

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "native"), allow(dead_code))]
pub(super) enum Kind {
    /// Any text.
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
    /// An array of what is noted as `name[]`, of at least and at most so many elements.
    Array(usize, Option<usize>),
    /// An object whose members are noted as `name.member`. It must have all members of one of these lists.
    Object(&'static [&'static [&'static str]]),
    /// A token by its uid, or by the deprecated `{uid, name, symbol}`.
    Token,
    /// The deprecated `{uid, name, symbol}`.
    TokenObject,
}

/// Whether a field must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "native"), allow(dead_code))]
pub(super) enum Need {
    Required,
    Optional,
    /// It may be left out, or be `null`.
    Nullable,
}

#[cfg(feature = "native")]
pub(super) use recording::{Noted, default, note, note_elements, recorded};

#[cfg(not(feature = "native"))]
pub(super) use silent::{default, note, note_elements};

#[cfg(feature = "native")]
mod recording {
    use super::{Kind, Need};
    use serde_json::Value;
    use std::cell::RefCell;

    /// A field that was looked at. Elements of arrays are `name[]`.
    #[derive(Debug)]
    pub(in crate::api) struct Noted {
        pub path: String,
        pub kind: Kind,
        pub need: Need,
        pub default: Option<Value>,
    }

    thread_local! {
        static RECORD: RefCell<Option<Vec<Noted>>> = const { RefCell::new(None) };
    }

    /// All fields that `read` looks at, each once, in the order of the first look.
    pub(in crate::api) fn recorded(read: impl FnOnce()) -> Vec<Noted> {
        RECORD.set(Some(Vec::new()));
        read();
        RECORD.take().unwrap_or_default()
    }

    /// Notes a field; the first word on it counts.
    pub(in crate::api) fn note(path: &str, kind: Kind, need: Need) {
        RECORD.with_borrow_mut(|record| {
            let Some(record) = record else { return };
            let path = without_indexes(path);
            if !record.iter().any(|noted| noted.path == path) {
                record.push(Noted { path, kind, need, default: None });
            }
        });
    }

    /// Notes what the elements of an array are.
    pub(in crate::api) fn note_elements(path: &str, kind: Kind) {
        note(&format!("{path}[]"), kind, Need::Required);
    }

    /// Notes what stands for a field that is not given.
    pub(in crate::api) fn default(path: &str, value: impl Into<Value>) {
        RECORD.with_borrow_mut(|record| {
            let noted = record.iter_mut().flatten().find(|noted| noted.path == path);
            if let Some(noted) = noted {
                noted.default = Some(value.into());
            }
        });
    }

    /// `outputs[0].value` as `outputs[].value`.
    fn without_indexes(path: &str) -> String {
        path.split_inclusive('[').map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit())).collect()
    }
}

#[cfg(not(feature = "native"))]
mod silent {
    use super::{Kind, Need};

    #[inline(always)]
    pub(in crate::api) fn note(_path: &str, _kind: Kind, _need: Need) {}

    #[inline(always)]
    pub(in crate::api) fn note_elements(_path: &str, _kind: Kind) {}

    #[inline(always)]
    pub(in crate::api) fn default<T>(_path: &str, _value: T) {}
}
