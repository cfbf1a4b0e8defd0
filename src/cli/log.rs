//! Log lines on standard error.

use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// Lines of this program from `level` on, of its libraries from warnings on; `RUST_LOG` overrides both.
pub fn to_stderr(level: tracing::Level) {
    let filter = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new(format!("warn,headless_wallet={level}")));
    let no_color = std::env::var_os("NO_COLOR");
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_target(false)
        .with_ansi(std::io::stderr().is_terminal() && no_color.is_none_or(|value| value.is_empty()))
        .with_writer(std::io::stderr)
        .init();
}
