//! The process itself: its memory and limits, log lines on standard error, and its end by signal.

use super::json_log::JsonLines;
use super::tell;
use headless_wallet::server::LogFormat;
use std::io::IsTerminal;
use std::sync::Once;
use std::time::Duration;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

/// Keeps the memory from core dumps, debuggers and other programs of the same user. Every command begins with
/// this: each may read a seed phrase, a password or an API key.
pub fn keep_private() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};
        let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
        if let Err(error) = set_dumpable_behavior(DumpableBehavior::NotDumpable) {
            tell(&format!("warning: other programs of this user may read the memory: {error}"));
        }
    }
}

/// Keeps the memory off swap disks, where the system allows; says where it doesn't. Once.
pub fn keep_from_swap() {
    static ONCE: Once = Once::new();
    ONCE.call_once(keep_in_memory);
}

fn keep_in_memory() {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{MlockAllFlags, mlockall};
        use rustix::process::{Resource, getrlimit};
        // With a limit, memory that is asked for later would be refused beyond it, and the server end.
        let is_free = getrlimit(Resource::Memlock).current.is_none();
        let all = MlockAllFlags::CURRENT | MlockAllFlags::FUTURE | MlockAllFlags::ONFAULT;
        let locked =
            if is_free { mlockall(all).map_err(|error| error.to_string()) } else { Err(LIMITED.to_owned()) };
        if let Err(why) = locked {
            tell(&format!("warning: words in memory may get onto a swap disk: {why}"));
        }
    }
    #[cfg(not(target_os = "linux"))]
    tell("warning: words in memory may get onto a swap disk: this system is not asked to keep them from it");
}

#[cfg(target_os = "linux")]
const LIMITED: &str =
    "it can't be locked (ulimit -l unlimited, or LimitMEMLOCK=infinity or MemorySwapMax=0 of systemd)";

// How many files and connections the process may have open.

/// As many as the system lets it have, instead of the few (1,024, often) that programs begin with: each
/// wallet has a connection, and a file where wallets are kept.
pub fn allow_many_files() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let maximum = getrlimit(Resource::Nofile).maximum;
        // Where it is forbidden it stays as it is.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
}

// Log lines on standard error.

/// Lines of this program from `level` on, of its libraries from warnings on; `RUST_LOG` overrides both.
pub fn log_to_stderr(level: tracing::Level, format: LogFormat) {
    let asked_for = std::env::var("RUST_LOG").ok().filter(|text| !text.is_empty());
    let asked_for = asked_for.and_then(|text| text.parse::<Targets>().ok());
    let usual = || Targets::new().with_default(tracing::Level::WARN).with_target("headless_wallet", level);
    let filter = asked_for.unwrap_or_else(usual);
    let no_color = std::env::var_os("NO_COLOR");
    let text = || {
        tracing_subscriber::fmt::layer()
            .with_target(false)
            .with_ansi(std::io::stderr().is_terminal() && no_color.is_none_or(|value| value.is_empty()))
            .with_writer(std::io::stderr)
    };
    match format {
        LogFormat::Text => tracing_subscriber::registry().with(text()).with(filter).init(),
        LogFormat::Json => tracing_subscriber::registry().with(JsonLines).with(filter).init(),
    }
}

// The end, by signal.

/// `npm start` hands on the Ctrl-C that the terminal has sent to every program of the group, this one
/// included: two signals this close together are one wish.
const ONE_WISH: Duration = Duration::from_secs(1);

/// Waits for Ctrl-C, or for SIGTERM where there is such a thing. After that, a second one ends the process at
/// once.
pub async fn shutdown_signal() {
    wait_for_signal().await;
    tokio::spawn(async {
        tokio::time::sleep(ONE_WISH).await;
        wait_for_signal().await;
        super::tell("ended without finishing what was in flight");
        std::process::exit(130);
    });
}

#[cfg(unix)]
async fn wait_for_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => tokio::select! {
            () = interrupt() => {}
            _ = terminate.recv() => {}
        },
        Err(error) => {
            tracing::warn!("SIGTERM can't be waited for: {error}");
            interrupt().await;
        }
    }
}

#[cfg(not(unix))]
async fn wait_for_signal() {
    interrupt().await;
}

async fn interrupt() {
    if let Err(error) = tokio::signal::ctrl_c().await {
        tracing::warn!("Ctrl-C can't be waited for: {error}");
        std::future::pending::<()>().await;
    }
}
