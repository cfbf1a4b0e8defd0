//! What JavaScript is told went wrong: real `Error`s whose `name` and `code` are stable, and whose texts name
//! the remedy.

use js_sys::Reflect;
use wasm_bindgen::prelude::*;

/// An error on its way to JavaScript. In a box: it is moved from function to function.
#[derive(Debug)]
pub(super) struct Failure(Box<Parts>);

#[derive(Debug)]
struct Parts {
    name: &'static str,
    code: &'static str,
    message: String,
    field: Option<String>,
    lack: Option<Lack>,
    cause: Option<String>,
}

/// Too little of something.
#[derive(Debug)]
pub(super) struct Lack {
    pub(super) need: u128,
    pub(super) have: u128,
    pub(super) token: Option<String>,
}

impl Lack {
    /// `Not enough HTR: 15.00 needed, 3.20 available`; of other tokens in cents, which are pieces of an NFT.
    pub(super) fn sentence(&self) -> String {
        let Self { need, have, .. } = self;
        let htr = |cents: &u128| format!("{}.{:02}", cents / 100, cents % 100);
        match self.token.as_deref() {
            Some("00") => format!("Not enough HTR: {} needed, {} available", htr(need), htr(have)),
            Some(uid) => format!("Not enough of token {uid}: {need} needed, {have} available, in cents"),
            None => format!("Not enough of the token: {need} needed, {have} available, in cents"),
        }
    }
}

pub(super) const INPUT: &str = "InputError";
const INTERNAL: &str = "InternalError";

impl Failure {
    pub(super) fn new(name: &'static str, code: &'static str, message: impl ToString) -> Self {
        let message = message.to_string();
        Self(Box::new(Parts { name, code, message, field: None, lack: None, cause: None }))
    }

    /// Says which argument is not as it must be.
    pub(super) fn of_field(mut self, field: Option<String>) -> Self {
        self.0.field = field;
        self
    }

    /// Says what was lacking, in cents of a token.
    pub(super) fn with_lack(mut self, lack: Option<Lack>) -> Self {
        self.0.lack = lack;
        self
    }

    /// Says which error led to this one.
    pub(super) fn caused_by(mut self, cause: Option<String>) -> Self {
        self.0.cause = cause;
        self
    }

    /// What it says.
    pub(super) fn message(&self) -> &str {
        &self.0.message
    }

    /// An argument that is not as it must be: `must` ends the sentence that begins with its path.
    pub(super) fn input(field: impl Into<String>, must: impl AsRef<str>) -> Self {
        let field = field.into();
        let message = format!("{field} {}", must.as_ref());
        Self::new(INPUT, "INVALID_INPUT", message).of_field(Some(field))
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
    fn from(Failure(failure): Failure) -> Self {
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
