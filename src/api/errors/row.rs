//! One line of the list of what the server says.

/// Messages that belong together: what is said, and the way out.
pub struct Messages {
    pub title: &'static str,
    pub rows: Vec<Row>,
}

/// Messages with one way out.
pub struct Row {
    /// The HTTP status that they come with.
    pub status: u16,
    pub messages: Vec<String>,
    pub way_out: &'static str,
}

impl Row {
    pub(super) fn with(self, status: u16) -> Self {
        Self { status, ..self }
    }
}

/// What stands in the place of a thing that is named.
pub(super) const SOME: &str = "…";

/// What is refused once all fields are as they must be: release 0.39 says so with 200.
pub(super) fn made<const N: usize>(messages: [String; N], way_out: &'static str) -> Row {
    Row { status: 200, messages: messages.to_vec(), way_out }
}

pub(super) fn row<const N: usize>(messages: [&str; N], way_out: &'static str) -> Row {
    made(messages.map(str::to_owned), way_out)
}
