//! How loading goes, on standard error: a line that changes for people, nothing but trouble for logs.

use headless_wallet::net::clean;
use serde_json::Value;
use std::io::{IsTerminal, Write};

/// What was told last.
pub struct Progress {
    /// Whether the line can be written over.
    in_place: bool,
    /// The terminal's columns.
    width: Option<usize>,
    shown: String,
}

impl Default for Progress {
    fn default() -> Self {
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let in_place = std::io::stderr().is_terminal() && !dumb;
        let width = terminal_size::terminal_size_of(std::io::stderr()).map(|(width, _)| width.0.into());
        Self { in_place, width, shown: String::new() }
    }
}

impl Progress {
    /// Tells where the wallet is, from its status, and how much is loaded.
    pub fn tell(&mut self, status: &Value, loaded: Option<(u32, usize)>) {
        let text = |name: &str| status[name].as_str().unwrap_or_default();
        let state = match text("statusMessage") {
            "" => "Loading",
            state => state,
        };
        let line = match (text("error"), loaded) {
            ("", Some((addresses, transactions))) if self.in_place => {
                format!("{state}: {addresses} addresses, {transactions} transactions")
            }
            ("", _) if self.in_place => format!("{state} …"),
            ("", _) => return,
            (problem, _) => clean(&format!("{state}: {problem}")),
        };
        if line == self.shown {
            return;
        }
        // A line that goes on in the next one can't be written over.
        let room = self.width.filter(|_| self.in_place).map_or(usize::MAX, |width| width.saturating_sub(1));
        let cut: String = line.chars().take(room).collect();
        let mut err = std::io::stderr().lock();
        // Nobody may be reading: that is no reason to end.
        let _ = if self.in_place { write!(err, "\r\x1b[K{cut}") } else { writeln!(err, "{cut}") };
        let _ = err.flush();
        self.shown = line;
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.in_place && !self.shown.is_empty() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
