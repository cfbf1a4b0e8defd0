//! Two servers and a wallet of too few outputs for both.

use super::cluster::Two;
use futures_util::future::join_all;
use serde_json::json;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_busy_with_the_only_output_lets_others_have_it_in_turn() {
    let two = Two::new(1).await;
    let (is_over, by_the_busy) = (AtomicBool::new(false), AtomicUsize::new(0));
    let busy = join_all((0..3).map(|_| async {
        // An output is spent a second after it was made, so each of these takes a second.
        while !is_over.load(Ordering::Relaxed) && by_the_busy.load(Ordering::Relaxed) < 30 {
            let sent = two.pay(0, None).await;
            assert_eq!(sent["success"], json!(true), "{sent}");
            by_the_busy.fetch_add(1, Ordering::Relaxed);
        }
    }));
    let other = async {
        let mut waited = Vec::new();
        for _ in 0..2 {
            // It is the busy one's now.
            let begun = by_the_busy.load(Ordering::Relaxed);
            while by_the_busy.load(Ordering::Relaxed) == begun {
                tokio::task::yield_now().await;
            }
            let before = by_the_busy.load(Ordering::Relaxed);
            let sent = two.pay(1, None).await;
            assert_eq!(sent["success"], json!(true), "{sent}");
            waited.push(by_the_busy.load(Ordering::Relaxed) - before);
        }
        is_over.store(true, Ordering::Relaxed);
        waited
    };
    let (_, waited) = futures_util::join!(busy, other);
    assert!(waited.iter().all(|sends| *sends <= 6), "sends of the busy server meanwhile: {waited:?}");
    // Nobody waits any more, which the next round says.
    while two.sql("select count(*) from server where waits_for <> '{}'") != "0" {
        tokio::task::yield_now().await;
    }
}
