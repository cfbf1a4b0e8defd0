//! Parents: sends of the same moment ask the node for them once.

use crate::server::{Answer, Server, ok};
use futures_util::FutureExt;
use futures_util::future::join_all;
use headless_wallet::ledger::VertexId;
use std::time::{Duration, Instant};

/// The n-th answer.
fn answer(n: usize) -> Answer {
    let one = format!("{n:064x}");
    ok(format!(r#"{{"success":true,"tx_parents":["{one}","{}"]}}"#, "ab".repeat(32)))
}

fn parents(n: u8) -> [VertexId; 2] {
    let mut one = [0; 32];
    one[31] = n;
    [VertexId(one), VertexId([0xab; 32])]
}

#[tokio::test]
async fn a_hundred_sends_of_a_moment_ask_once_and_later_ones_again() {
    let server = Server::start(|n, _| answer(n)).await;
    let (node, began) = (server.node(), Instant::now());
    let told = join_all((0..100).map(|_| node.recent_parents())).await;
    assert!(told.iter().all(|told| *told == Ok(parents(0))), "{told:?}");
    assert_eq!(server.lines(), ["GET /v1a/tx_parents"]);
    // A clone's answer is the same one, until a second has passed.
    while node.clone().recent_parents().await == Ok(parents(0)) {
        assert!(began.elapsed() < Duration::from_secs(10));
        tokio::task::yield_now().await;
    }
    assert!(began.elapsed() >= Duration::from_secs(1));
    assert_eq!(node.recent_parents().await, Ok(parents(1)));
    assert_eq!(server.lines().len(), 2);
}

#[tokio::test]
async fn a_failure_fails_one() {
    let server =
        Server::start(|n, _| if n == 0 { Answer::Reply(400, String::new()) } else { answer(n) }).await;
    let node = server.node();
    let told = join_all((0..10).map(|_| node.recent_parents())).await;
    assert_eq!(told.iter().filter(|told| told.is_err()).count(), 1);
    assert!(told.iter().flatten().all(|told| *told == parents(1)), "{told:?}");
    assert_eq!(server.lines().len(), 2);
}

/// Nobody waits ten times as long as it takes to find out that the node does not answer.
#[tokio::test]
async fn a_node_that_does_not_answer_fails_all_who_wait_for_it() {
    let server = Server::script(vec![Answer::Hang]).await;
    let limit = Duration::from_millis(1_200);
    let (node, began) = (server.node().with_limits(limit, limit), Instant::now());
    let told = join_all((0..10).map(|_| node.recent_parents())).await;
    assert!(told.iter().all(Result::is_err), "{told:?}");
    assert!(began.elapsed() < 5 * limit, "{:?}", began.elapsed());
    assert_eq!(server.lines().len(), 1);
}

#[tokio::test]
async fn a_caller_that_gives_up_takes_nothing_from_the_others() {
    let server = Server::start(|_, _| answer(0)).await;
    let node = server.node();
    assert!(node.recent_parents().now_or_never().is_none());
    assert_eq!(node.recent_parents().await, Ok(parents(0)));
}
