//! The terminal: how loading goes, questions before money moves, and addresses as QR codes.

use super::failure::Failure;
use headless_wallet::net::clean;
use qrcode::{Color, EcLevel, QrCode};
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

// The question before money moves.

/// Whether there is somebody to ask.
pub fn can_ask() -> bool {
    std::io::stdin().is_terminal()
}

/// Says what it comes to, and asks; anything but a yes is a no. `done` is what is not done then.
pub async fn ask(question: &str, told: &str, done: &str) -> Result<(), Failure> {
    let told = if told.is_empty() { String::new() } else { format!("{told}\n") };
    let mut err = std::io::stderr().lock();
    // Nobody may be reading: then there is nobody to answer either.
    let _ = write!(err, "{told}{question} [y/N] ");
    let _ = err.flush();
    drop(err);
    let line = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).map(|_| line)
    });
    let line = line.await.expect("reading a line neither panics nor is aborted").unwrap_or_default();
    match line.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(Failure::Failed(format!("nothing was {done}: the question was not answered with yes"))),
    }
}

// Addresses as QR codes, for phones that are held before the terminal.

/// What must be free around a code.
const MARGIN: usize = 2;

/// The code of what wallets for phones read, two rows of modules to a line.
pub fn qr_code(address: &str) -> String {
    let Ok(code) = QrCode::with_error_correction_level(format!("hathor:{address}"), EcLevel::L) else {
        return String::new();
    };
    let (width, modules) = (code.width(), code.to_colors());
    let is_dark = |x: usize, y: usize| {
        let inside = |place: usize| place.checked_sub(MARGIN).filter(|place| *place < width);
        matches!((inside(x), inside(y)), (Some(x), Some(y)) if modules[y * width + x] == Color::Dark)
    };
    // Black on white where that can be said; else light on the terminal's ground, which most often is dark.
    let (colored, whole) = (is_colored(), width + 2 * MARGIN);
    let lines = (0..whole).step_by(2).map(|y| {
        let line: String = (0..whole)
            .map(|x| match (is_dark(x, y) == colored, is_dark(x, y + 1) == colored) {
                (true, true) => '\u{2588}',
                (true, false) => '\u{2580}',
                (false, true) => '\u{2584}',
                (false, false) => ' ',
            })
            .collect();
        if colored { format!("\x1b[30;107m{line}\x1b[0m") } else { line }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The columns of the terminal that standard output is: `COLUMNS` where that is set.
pub fn terminal_width() -> Option<usize> {
    let set = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    set.filter(|columns| *columns > 0).or_else(|| {
        let is_terminal = std::io::stdout().is_terminal();
        let (width, _) = terminal_size::terminal_size_of(std::io::stdout()).filter(|_| is_terminal)?;
        Some(width.0.into())
    })
}

/// Whether standard output is a terminal that has colours, and nobody minds.
pub fn is_colored() -> bool {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    std::io::stdout().is_terminal()
        && set("NO_COLOR").is_none()
        && set("TERM").is_some_and(|term| term != "dumb")
}
