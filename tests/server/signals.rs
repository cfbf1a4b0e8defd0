//! The server as a process: what signals do to it.

use super::process::Process;
use super::support::hanging_send;
use headless_wallet::devnet::NodeFaults;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use std::time::Duration;

impl Process {
    fn signal(&self, signal: Signal) {
        let id = i32::try_from(self.child.id().unwrap()).unwrap();
        kill_process(Pid::from_raw(id).unwrap(), signal).unwrap();
    }

    /// Waits until it refuses requests because it ends.
    async fn is_ending(&self) {
        while self.get("/wallet/balance").await.status != 503 {
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn a_send_under_way_is_finished_and_answered() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut process = Process::with_wallet().await;
        let send = hanging_send(&process.devnet, &process.address).await;
        process.signal(signal);
        process.is_ending().await;
        let error = "The service is shutting down and takes no new requests.";
        let refused = process.get("/wallet/balance").await;
        assert_eq!(refused.parts(), (503, json!({"success": false, "error": error})));

        process.devnet.set_node_faults(NodeFaults::default());
        let sent = send.await.unwrap().json();
        assert_eq!(sent["success"], true, "{sent}");
        assert_eq!(process.child.wait().await.unwrap().code(), Some(0));
        let id = sent["hash"].as_str().unwrap().parse().unwrap();
        let vertex = process.devnet.read(|chain| chain.vertex(&id)).expect("it is on the ledger");
        assert!(!vertex.voided);
        process.devnet.shutdown().await;
    }
}

#[tokio::test]
async fn a_second_signal_ends_it_at_once() {
    let mut process = Process::with_wallet().await;
    let send = hanging_send(&process.devnet, &process.address).await;
    process.signal(Signal::TERM);
    process.is_ending().await;
    // Two within a second are one wish.
    let code = loop {
        if let Ok(status) = tokio::time::timeout(Duration::from_millis(50), process.child.wait()).await {
            break status.unwrap().code();
        }
        process.signal(Signal::TERM);
    };
    assert_eq!(code, Some(130));
    send.abort();
    process.devnet.shutdown().await;
}
