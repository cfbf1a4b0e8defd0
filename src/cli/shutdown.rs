//! The end, by signal.

use std::time::Duration;

/// `npm start` hands on the Ctrl-C that the terminal has sent to every program of the group, this one
/// included: two signals this close together are one wish.
const ONE_WISH: Duration = Duration::from_secs(1);

/// Waits for Ctrl-C, or for SIGTERM where there is such a thing. After that, a second one ends the process at
/// once.
pub async fn signal() {
    wait().await;
    tokio::spawn(async {
        tokio::time::sleep(ONE_WISH).await;
        wait().await;
        super::tell("ended without finishing what was in flight");
        std::process::exit(130);
    });
}

#[cfg(unix)]
async fn wait() {
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
async fn wait() {
    interrupt().await;
}

async fn interrupt() {
    if let Err(error) = tokio::signal::ctrl_c().await {
        tracing::warn!("Ctrl-C can't be waited for: {error}");
        std::future::pending::<()>().await;
    }
}
