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
    /// Whether it takes what can be waited with.
    pub waits: bool,
}

/// A method whose TypeScript follows from request and answer.
pub const fn method(name: &'static str) -> PackageMethod {
    PackageMethod { name, takes: None, gives: None, about: None, waits: false }
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
}
