//! After a push the wallet knows what became of it, or knows that it does not know.

use crate::server::{Answer, Server, nobody, ok};
use headless_wallet::ledger::{Outpoint, VertexId};
use headless_wallet::net::HttpClient;
use headless_wallet::node::{Fault, FullNode, PushError};
use std::time::Duration;

const ID: VertexId = VertexId([0xab; 32]);
const LONG: Duration = Duration::from_secs(10);
const PUSHED: &str = r#"{"success":true,"message":"","tx":{}}"#;
const FOUND: &str = r#"{"success":true,"tx":{},"meta":{"voided_by":[],"first_block":null}}"#;
const NOT_FOUND: &str = r#"{"success":false,"message":"Transaction not found"}"#;

const PUSH: &str = "POST /v1a/push_tx";

fn ask() -> String {
    format!("GET /v1a/transaction?id={ID}")
}

fn refused(message: &str) -> Answer {
    ok(format!(r#"{{"success":false,"message":"{message}"}}"#))
}

#[tokio::test]
async fn an_accepted_push_is_asked_for_no_more() {
    // What the node has already is a success, too.
    for answer in [ok(PUSHED), refused("Transaction already exists abab")] {
        let server = Server::script(vec![answer]).await;
        assert_eq!(server.node().push_until_known(&ID, &[0xca, 0xfe], &[], false, LONG).await, Ok(()));
        assert_eq!(server.lines(), [PUSH]);
        assert_eq!(server.seen()[0].body, r#"{"hex_tx":"cafe","force":false}"#);
    }
}

#[tokio::test]
async fn a_refusal_is_final_and_in_the_nodes_words() {
    let message = "Invalid transaction. At least one of your inputs has already been spent.";
    let server = Server::script(vec![refused(message)]).await;
    let failure = server.node().push_until_known(&ID, &[1], &[], false, LONG).await.unwrap_err();
    assert_eq!(failure, PushError::Rejected { message: message.to_owned() });
    assert_eq!(failure.to_string(), message);
    assert_eq!(server.lines(), [PUSH]);
}

#[tokio::test]
async fn a_push_that_breaks_off_is_looked_for() {
    // Gateways have words of their own, which are none of the node's.
    let gateway = |status, body: &str| Answer::Reply(status, body.to_owned());
    let lost_ones = [
        Answer::HangUp,
        Answer::Half("{".to_owned()),
        ok("?"),
        gateway(502, ""),
        gateway(503, r#"{"success":false,"message":"Service Unavailable"}"#),
        gateway(504, r#"{"error":"Gateway Timeout"}"#),
        gateway(524, r#"{"error":"a timeout occurred"}"#),
    ];
    for lost in lost_ones {
        let server = Server::script(vec![lost, ok(FOUND)]).await;
        assert_eq!(server.node().push_until_known(&ID, &[1], &[], false, LONG).await, Ok(()));
        assert_eq!(server.lines(), [PUSH.to_owned(), ask()]);
    }
}

#[tokio::test]
async fn a_push_that_got_lost_and_was_voided_since_is_no_success() {
    let voided = r#"{"success":true,"tx":{},"meta":{"voided_by":["abab"],"first_block":null}}"#;
    let server = Server::script(vec![Answer::HangUp, ok(voided)]).await;
    let failure = server.node().push_until_known(&ID, &[1], &[], false, LONG).await.unwrap_err();
    let message = format!("Transaction {ID} is voided: another one spends the same as it does.");
    assert_eq!(failure, PushError::Voided { message });
}

#[tokio::test]
async fn a_push_that_got_lost_is_made_again() {
    let exists = refused("Transaction already exists abab");
    for second in [ok(PUSHED), exists] {
        let server = Server::script(vec![Answer::Hang, ok(NOT_FOUND), second]).await;
        let node = server.node().with_limits(Duration::from_millis(100), LONG);
        assert_eq!(node.push_until_known(&ID, &[1], &[], false, LONG).await, Ok(()));
        assert_eq!(server.lines(), [PUSH.to_owned(), ask(), PUSH.to_owned()]);
    }
}

/// There may be several nodes at one address, and each answer another one's.
#[tokio::test]
async fn after_a_push_without_an_answer_a_refusal_proves_nothing() {
    let failed = || Answer::Reply(500, "<html>Processing Failed</html>".to_owned());
    let early = "full validation failed: tx=aa timestamp=7, parent=bb timestamp=9";
    for later in [refused("input not found"), refused(early), failed(), Answer::Reply(403, String::new())] {
        let answers = vec![Answer::HangUp, ok(NOT_FOUND), later, ok(NOT_FOUND), ok(PUSHED)];
        let server = Server::script(answers).await;
        assert_eq!(server.node().push_until_known(&ID, &[1], &[], false, LONG).await, Ok(()));
        assert_eq!(server.lines(), [PUSH.to_owned(), ask(), PUSH.to_owned(), ask(), PUSH.to_owned()]);
    }
    // Nor does it if the first push was made by somebody else.
    let server = Server::script(vec![refused("input not found"), ok(FOUND)]).await;
    assert_eq!(server.node().push_until_known(&ID, &[1], &[], true, LONG).await, Ok(()));
    assert_eq!(server.lines(), [PUSH.to_owned(), ask()]);
    // But what is dated too early can be solved again: it spends the same, so the ledger takes one of the
    // two.
    let server = Server::script(vec![refused(early)]).await;
    let failure = server.node().push_until_known(&ID, &[1], &[], true, LONG).await.unwrap_err();
    assert_eq!(failure, PushError::TooEarly { message: early.to_owned(), after: 9, confirmed: true });
    assert_eq!(server.lines(), [PUSH.to_owned()]);
}

#[tokio::test]
async fn a_node_that_failed_and_does_not_have_it_leaves_it_unknown() {
    let failed = Answer::Reply(500, "<html>Processing Failed</html>".to_owned());
    let server = Server::script(vec![failed.clone(), ok(NOT_FOUND), failed, ok(NOT_FOUND)]).await;
    let limit = Duration::from_millis(400);
    let failure = server.node().push_until_known(&ID, &[1], &[], false, limit).await.unwrap_err();
    let PushError::Unknown(call) = failure else { panic!("{failure:?}") };
    assert_eq!(call.fault, Fault::Status { status: 500, retry_after: None });
}

#[tokio::test]
async fn another_transaction_that_spends_the_same_is_the_end_of_it() {
    let (input, rival) = (Outpoint { tx: VertexId([1; 32]), index: 3 }, VertexId([2; 32]));
    let spent =
        |by| ok(format!(r#"{{"success":true,"tx":{{}},"meta":{{}},"spent_outputs":{{"3":"{by}"}}}}"#));
    let message = "Invalid transaction. At least one of your inputs has already been spent.";
    let server = Server::script(vec![Answer::HangUp, ok(NOT_FOUND), refused(message), spent(rival)]).await;
    let failure = server.node().push_until_known(&ID, &[1], &[input], false, LONG).await.unwrap_err();
    assert_eq!(failure, PushError::Conflict { message: message.to_owned(), spender: rival });
    let look = format!("GET /v1a/transaction?id={}", input.tx);
    assert_eq!(server.lines(), [PUSH.to_owned(), ask(), PUSH.to_owned(), look]);
    // Itself is none.
    let answers = vec![Answer::HangUp, ok(NOT_FOUND), refused(message), spent(ID), ok(FOUND)];
    let server = Server::script(answers).await;
    assert_eq!(server.node().push_until_known(&ID, &[1], &[input], false, LONG).await, Ok(()));
}

#[tokio::test]
async fn a_node_that_stays_silent_leaves_it_unknown() {
    let server = Server::script(vec![Answer::HangUp]).await;
    let limit = Duration::from_millis(300);
    let failure = server.node().push_until_known(&ID, &[1], &[], false, limit).await.unwrap_err();
    assert!(
        matches!(&failure, PushError::Unknown(call) if matches!(call.fault, Fault::Broken(_))),
        "{failure:?}"
    );
    assert_eq!(server.lines()[0], PUSH);
    assert!(server.lines()[1..].iter().all(|line| *line == ask()), "{:?}", server.lines());
}

#[tokio::test]
async fn what_was_never_sent_is_known_not_to_be_there() {
    let node = FullNode::new(HttpClient::shared(), &nobody().await).unwrap();
    let failure = node.push_until_known(&ID, &[1], &[], false, LONG).await.unwrap_err();
    assert!(
        matches!(&failure, PushError::NotSent(call) if matches!(call.fault, Fault::Unreachable(_))),
        "{failure:?}"
    );

    let server = Server::script(vec![Answer::WithHeader(429, "retry-after: 7", String::new())]).await;
    let failure = server.node().push_tx(&[1]).await.unwrap_err();
    let PushError::NotSent(call) = failure else { panic!("{failure:?}") };
    assert_eq!(call.fault, Fault::Status { status: 429, retry_after: Some(Duration::from_secs(7)) });
}

#[tokio::test]
async fn a_push_that_came_too_soon_after_others_is_made_again() {
    let busy = Answer::WithHeader(429, "retry-after: 0", r#"{"error":"too many requests"}"#.to_owned());
    let server = Server::script(vec![busy.clone(), busy, ok(PUSHED)]).await;
    assert_eq!(server.node().push_until_known(&ID, &[1], &[], false, LONG).await, Ok(()));
    assert_eq!(server.lines(), [PUSH; 3]);

    let server = Server::script(vec![Answer::WithHeader(429, "retry-after: 60", String::new())]).await;
    let failure = server.node().push_until_known(&ID, &[1], &[], false, LONG).await.unwrap_err();
    assert!(matches!(&failure, PushError::NotSent(call) if call.is_rate_limit()), "{failure:?}");
    assert_eq!(server.lines(), [PUSH]);
}

#[tokio::test]
async fn a_node_that_goes_away_after_a_lost_push_leaves_it_unknown() {
    let busy = Answer::Reply(429, String::new());
    let server = Server::script(vec![Answer::HangUp, ok(NOT_FOUND), busy.clone(), ok(NOT_FOUND), busy]).await;
    let node = server.node().with_limits(LONG, Duration::ZERO);
    let failure = node.push_until_known(&ID, &[1], &[], false, Duration::from_secs(1)).await.unwrap_err();
    assert!(
        matches!(&failure, PushError::Unknown(call) if matches!(call.fault, Fault::Broken(_))),
        "{failure:?}"
    );
}
