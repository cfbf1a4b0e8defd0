//! Log lines on standard error.

use std::io::IsTerminal;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

/// Lines of this program from `level` on, of its libraries from warnings on; `RUST_LOG` overrides both.
pub fn to_stderr(level: tracing::Level) {
    let asked_for = std::env::var("RUST_LOG").ok().filter(|text| !text.is_empty());
    let asked_for = asked_for.and_then(|text| text.parse::<Targets>().ok());
    let usual = || Targets::new().with_default(tracing::Level::WARN).with_target("headless_wallet", level);
    let no_color = std::env::var_os("NO_COLOR");
    let lines = tracing_subscriber::fmt::layer()
        .with_target(false)
        .with_ansi(std::io::stderr().is_terminal() && no_color.is_none_or(|value| value.is_empty()))
        .with_writer(std::io::stderr);
    tracing_subscriber::registry().with(lines).with(asked_for.unwrap_or_else(usual)).init();
}
