//! Every error that programs can be told of, what it means and the remedy. The npm package's type of codes
//! and `docs/errors.md`, of which the documentation site has a page for each, are made of this.

mod codes;
mod sending;
mod server;
mod statuses;

pub use codes::{CODES, Code, Part};
pub use server::server;
pub use statuses::{STATUSES, code_of, status_of};

use super::typescript::MADE;
use std::fmt::Write;

/// The codes as TypeScript's type.
pub fn typescript() -> String {
    let mut text =
        format!("{MADE}\n/** What went wrong, for programs. `docs/errors.md` has the remedy of each. */\n");
    text += "export type WalletErrorCode =";
    for part in CODES.iter().filter(|part| !part.of_servers) {
        let _ = write!(text, "\n  // {}", part.title);
        for code in part.codes {
            let _ = write!(text, "\n  | \"{}\"", code.name);
        }
    }
    text + ";\n"
}

/// The document. A heading of the third level begins what is a page of the site.
pub fn document() -> String {
    let mut text = "# Errors\n\nWhat went wrong, and the remedy. This list is made of the declarations in `src/api/errors`.\n\n\
        The npm package's errors have a `code`, which programs go by; the server answers with the same reasons in words, in `error` or \
        `message`, and with `\"success\": false`. With the setting `http_status = \"real\"` its errors have the `code`, too, and \
        [its HTTP status](#http-statuses).\n"
        .to_owned();
    for part in CODES {
        let _ = write!(text, "\n## {}\n", part.title);
        for Code { name, what, remedy } in part.codes {
            let _ = write!(text, "\n### {name}\n\n{what}\n\n**Remedy.** {remedy}\n");
        }
    }
    text += "\n## HTTP statuses\n\nWith `http_status = \"real\"`. A transaction that may have been sent has status 409, so that no client \
        repeats the request by itself.\n\n| status | codes |\n|---|---|\n";
    for (status, codes) in STATUSES {
        let link = |name: &&str| format!("[{name}](#{})", name.to_lowercase());
        let _ = writeln!(text, "| {status} | {} |", codes.iter().map(link).collect::<Vec<_>>().join(", "));
    }
    text += "\n## What the server says\n\nTexts that clients match on, by what they are about, each with the HTTP status that \
        it comes with. A status of 200 does not mean success: what is refused once all fields are as they must be is answered so, as release \
        0.39 answers it, and `success` is false. In place of `…` stands what it is about.\n";
    for Messages { title, rows } in server() {
        let _ = write!(text, "\n### {title}\n\n| message | status | remedy |\n|---|---|---|\n");
        for Row { status, messages, remedy } in rows {
            let messages: Vec<_> = messages.iter().map(|message| code(message)).collect();
            let _ = writeln!(text, "| {} | {status} | {remedy} |", messages.join("<br>"));
        }
    }
    text
}

/// A text as code, in a cell of a table. Where it has marks of code itself, two stand around it.
fn code(text: &str) -> String {
    let text = text.replace('\n', " ").replace("  ", " ").replace('|', "\\|").replace(&"0".repeat(64), "…");
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

// One line of the list of what the server says.

/// Messages that belong together: what is said, and the remedy.
pub struct Messages {
    pub title: &'static str,
    pub rows: Vec<Row>,
}

/// Messages with one remedy.
pub struct Row {
    /// The HTTP status that they come with.
    pub status: u16,
    pub messages: Vec<String>,
    pub remedy: &'static str,
}

impl Row {
    fn with(self, status: u16) -> Self {
        Self { status, ..self }
    }
}

/// What stands in the place of a thing that is named.
const SOME: &str = "…";

/// What is refused once all fields are as they must be: release 0.39 says so with 200.
fn made<const N: usize>(messages: [String; N], remedy: &'static str) -> Row {
    Row { status: 200, messages: messages.to_vec(), remedy }
}

fn row<const N: usize>(messages: [&str; N], remedy: &'static str) -> Row {
    made(messages.map(str::to_owned), remedy)
}
