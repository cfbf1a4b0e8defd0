//! What an operation is called in the npm package.

/// A method of the npm package, and its TypeScript where that does not follow from request and answer.
#[derive(Clone, Copy, Debug)]
pub struct PackageMethod {
    pub name: &'static str,
    /// Its arguments, where they are not the request as an object.
    pub takes: Option<&'static str>,
    /// Its result, where that is a part of the answer, or more than it.
    pub gives: Option<&'static str>,
    /// Its description, where it does something else than the request over HTTP.
    pub about: Option<&'static str>,
    /// Whether it takes options of calls that wait.
    pub waits: bool,
    /// Codes of its errors besides those of all methods of its kind.
    pub throws: &'static [&'static str],
    /// JavaScript that uses it, with a `wallet`.
    pub example: Option<&'static str>,
}

/// A method whose TypeScript follows from request and answer.
pub const fn method(name: &'static str) -> PackageMethod {
    PackageMethod { name, takes: None, gives: None, about: None, waits: false, throws: &[], example: None }
}

impl PackageMethod {
    pub const fn takes(mut self, arguments: &'static str) -> Self {
        self.takes = Some(arguments);
        self
    }
    pub const fn gives(mut self, result: &'static str) -> Self {
        self.gives = Some(result);
        self
    }
    pub const fn about(mut self, about: &'static str) -> Self {
        self.about = Some(about);
        self
    }
    pub const fn waits(mut self) -> Self {
        self.waits = true;
        self
    }
    pub const fn throws(mut self, codes: &'static [&'static str]) -> Self {
        self.throws = codes;
        self
    }
    pub const fn example(mut self, javascript: &'static str) -> Self {
        self.example = Some(javascript);
        self
    }
}
