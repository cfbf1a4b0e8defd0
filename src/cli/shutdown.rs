//! The end, by signal.

/// Waits for Ctrl-C, or for SIGTERM where there is such a thing. After that, a second one ends the process at once.
pub async fn signal() {
    wait().await;
    tokio::spawn(async {
        wait().await;
        eprintln!("ended without finishing what was in flight");
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
