//! What JavaScript is told went wrong: real `Error`s whose `name` and `code` are stable, and whose texts name
//! the way out.

use js_sys::Reflect;
use wasm_bindgen::prelude::*;

/// An error on its way to JavaScript.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) name: &'static str,
    pub(super) code: &'static str,
    pub(super) message: String,
    /// The argument that is not as it must be.
    pub(super) field: Option<String>,
    /// What was lacking, in cents of a token.
    pub(super) lack: Option<Lack>,
    /// The error that led to this one.
    pub(super) cause: Option<String>,
}

/// Too little of something.
#[derive(Debug)]
pub(super) struct Lack {
    pub(super) need: u128,
    pub(super) have: u128,
    pub(super) token: Option<String>,
}

pub(super) const INPUT: &str = "InputError";
const INTERNAL: &str = "InternalError";

impl Failure {
    pub(super) fn new(name: &'static str, code: &'static str, message: impl ToString) -> Self {
        Self { name, code, message: message.to_string(), field: None, lack: None, cause: None }
    }

    /// An argument that is not as it must be: `must` ends the sentence that begins with its path.
    pub(super) fn input(field: impl Into<String>, must: impl AsRef<str>) -> Self {
        let field = field.into();
        let message = format!("{field} {}", must.as_ref());
        Self { field: Some(field), ..Self::new(INPUT, "INVALID_INPUT", message) }
    }

    /// Keys that can't sign were asked to.
    pub(super) fn read_only() -> Self {
        Self::new(INPUT, "READ_ONLY", "this account is of an xpub and can't sign: make it from its words")
    }

    /// What should not be possible at all.
    pub(super) fn internal(what: impl ToString) -> Self {
        Self::new(INTERNAL, "INTERNAL", what)
    }
}

impl From<Failure> for JsValue {
    fn from(failure: Failure) -> Self {
        let error = js_sys::Error::new(&failure.message);
        error.set_name(failure.name);
        // A fresh object takes any property.
        let _ = Reflect::set(&error, &"code".into(), &failure.code.into());
        if let Some(field) = failure.field {
            let _ = Reflect::set(&error, &"field".into(), &field.into());
        }
        if let Some(Lack { need, have, token }) = failure.lack {
            let _ = Reflect::set(&error, &"need".into(), &need.into());
            let _ = Reflect::set(&error, &"have".into(), &have.into());
            token.map(|token| Reflect::set(&error, &"token".into(), &token.into()));
        }
        if let Some(cause) = failure.cause {
            error.set_cause(&js_sys::Error::new(&cause));
        }
        error.into()
    }
}
