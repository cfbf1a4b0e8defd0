//! Every error that programs handle, its cause and its remedy. The npm package's type of codes and
//! `docs/errors.md`, which becomes one page of the documentation site for each code, are generated from this.

mod codes;
mod sending;
mod server;
mod statuses;

pub use codes::{CODES, Code, Part};
pub use server::server;
pub use statuses::{STATUSES, code_of, status_of};

use super::typescript::MADE;
use std::collections::HashSet;
use std::fmt::Write;

/// The codes as TypeScript's type.
pub fn typescript() -> String {
    let mut text = format!(
        "{MADE}\n/** What went wrong, for programs. `docs/errors.md` has the remedy of each code. */\n"
    );
    text += "export type WalletErrorCode =";
    for part in CODES.iter().filter(|part| !part.of_servers) {
        let _ = write!(text, "\n  // {}", part.title);
        for code in part.codes {
            let _ = write!(text, "\n  | \"{}\"", code.name);
        }
    }
    text + ";\n"
}

/// The document. Each heading of the third level starts a page of the site.
pub fn document() -> String {
    let mut text = "# Errors\n\nCodes and messages, their causes and remedies. Generated from `src/api/errors`.\n\n\
        Errors of the npm package have a `code`, which programs check. The server answers with `\"success\": false` and the \
        [message](#messages-of-the-server) in `error` or `message`; with the setting `http_status = \"real\"` also with the `code` and \
        [its HTTP status](#http-statuses).\n"
        .to_owned();
    for part in CODES {
        let _ = write!(text, "\n## {}\n", part.title);
        for Code { name, what, remedy } in part.codes {
            let _ = write!(text, "\n### {name}\n\n{what}\n\nRemedy: {remedy}\n");
        }
    }
    text += "\n## HTTP statuses\n\nWith `http_status = \"real\"`. A transaction that may have been sent (`OUTCOME_UNKNOWN`, `CUT_OFF`) has status 409, so that no client \
        repeats the request automatically.\n\n| status | codes |\n|---|---|\n";
    for (status, codes) in STATUSES {
        let _ = writeln!(text, "| {status} | {} |", codes.join(", "));
    }
    text += "\n## Messages of the server\n\nMessages that clients match on, with their HTTP status. Status 200 does not mean success: \
        requests with valid fields are refused with it, as in hathor-wallet-headless 0.39, and `success` is false. `…` stands for a name \
        or a number.\n";
    for Messages { title, rows } in server() {
        let _ = write!(text, "\n### {title}\n\n| message | status | remedy |\n|---|---|---|\n");
        for Row { status, messages, remedy } in rows {
            let messages: Vec<_> = messages.iter().map(|message| code(message)).collect();
            let _ = writeln!(text, "| {} | {status} | {remedy} |", messages.join("<br>"));
        }
    }
    text
}

/// A text as code, in a cell of a table; with two backticks if it contains one.
fn code(text: &str) -> String {
    let text = text.replace('\n', " ").replace("  ", " ").replace('|', "\\|").replace(&"0".repeat(64), "…");
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

/// Messages about one subject.
pub struct Messages {
    pub title: &'static str,
    pub rows: Vec<Row>,
}

/// Messages with one remedy.
pub struct Row {
    pub status: u16,
    pub messages: Vec<String>,
    pub remedy: &'static str,
}

impl Row {
    fn with(self, status: u16) -> Self {
        Self { status, ..self }
    }
}

/// Placeholder of a name or a number.
const SOME: &str = "…";

/// A request with valid fields is refused with status 200, as in release 0.39.
fn made<const N: usize>(messages: [String; N], remedy: &'static str) -> Row {
    let mut messages = messages.to_vec();
    // Several constants may have one text.
    let mut seen = HashSet::new();
    messages.retain(|message| seen.insert(message.clone()));
    Row { status: 200, messages, remedy }
}

fn row<const N: usize>(messages: [&str; N], remedy: &'static str) -> Row {
    made(messages.map(str::to_owned), remedy)
}
