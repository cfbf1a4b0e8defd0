//! The question before money moves.

use super::failure::Failure;
use std::io::{IsTerminal, Write};

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
