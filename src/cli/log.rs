//! Log lines on standard error.

use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// Lines of this program from `level` on, of its libraries from warnings on; `RUST_LOG` overrides both.
pub fn to_stderr(level: tracing::Level) {
    let filter = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new(format!("warn,headless_wallet={level}")));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_target(false)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr)
        .init();
}
