//! Proof of work: by a service that may be fast, slow, busy, absent, forgetful or wrong, and by this machine.

use crate::server::{Answer, Seen, Server, address, ok};
use headless_wallet::ledger::{
    Amount, Input, MiningJob, Outpoint, Output, Script, TokenData, Transaction, VertexId, target_met,
};
use headless_wallet::node::{CallError, Fault, JobState, MiningError, MiningService, Service, mine_locally};
use headless_wallet::rt;
use serde_json::{Value, json};
use std::sync::Mutex;
use std::time::Duration;

const PARENTS: [VertexId; 2] = [VertexId([0xa1; 32]), VertexId([0xb2; 32])];
const SECOND: Duration = Duration::from_secs(1);

pub fn transaction() -> Transaction {
    let script = Script::Pay { to: address(1), timelock: None }.to_bytes().unwrap();
    let spends = Outpoint { tx: VertexId([3; 32]), index: 0 };
    Transaction {
        signal_bits: 0,
        tokens: vec![],
        inputs: vec![Input { spends, data: vec![1, 2, 3] }],
        outputs: vec![Output { value: Amount::from(5), token_data: TokenData::NATIVE, script }],
        creates: None,
        blueprint: None,
        weight: 4.1,
        timestamp: 0,
        parents: vec![],
        nonce: 0,
        headers: vec![],
    }
}

fn submitted(seen: &Seen) -> Transaction {
    let body: Value = serde_json::from_str(&seen.body).unwrap();
    assert_eq!((&body["propagate"], &body["add_parents"]), (&json!(false), &json!(true)));
    Transaction::from_bytes(&hex::decode(body["tx"].as_str().unwrap()).unwrap()).unwrap()
}

fn job(state: &str, tx: Value) -> Answer {
    let expected =
        json!({"status": state, "job_id": "ab", "message": "", "tx": tx, "expected_total_time": 0.1});
    ok(expected.to_string())
}

fn waiting(state: &str) -> Answer {
    job(state, json!({"nonce": null, "parents": [], "timestamp": null, "weight": 4.1}))
}

/// Solves as the service does, with `timestamp`.
fn solved(mut tx: Transaction, timestamp: u32) -> Answer {
    tx.parents = PARENTS.to_vec();
    tx.timestamp = timestamp;
    let nonce = MiningJob::new(&tx.mining_bytes().unwrap(), tx.weight).search(0..1 << 32).unwrap();
    job(
        "done",
        json!({"nonce": format!("{nonce:08x}"), "parents": PARENTS.map(|p| p.to_string()),
            "timestamp": timestamp, "weight": tx.weight}),
    )
}

/// A service that answers submissions in order with `states`, and solves a job when it is asked for its
/// status.
async fn service(answer: impl Fn(usize, &Transaction) -> Answer + Send + Sync + 'static) -> Server {
    let last: Mutex<(usize, Option<Transaction>)> = Mutex::default();
    Server::start(move |_, seen| {
        let mut last = last.lock().unwrap();
        if seen.line == "POST /submit-job" {
            *last = (last.0 + 1, Some(submitted(seen)));
            return waiting("pending");
        }
        if seen.line == "POST /cancel-job?job-id=ab" {
            return ok(r#"{"cancelled":true,"job-id":"ab"}"#);
        }
        assert_eq!(seen.line, "GET /job-status?job-id=ab");
        answer(last.0, last.1.as_ref().unwrap())
    })
    .await
}

fn submissions(server: &Server) -> Vec<Transaction> {
    server.seen().iter().filter(|seen| seen.line == "POST /submit-job").map(submitted).collect()
}

#[tokio::test]
async fn a_job_is_followed_until_it_is_solved() {
    let server = service(|_, tx| solved(tx.clone(), rt::unix_seconds())).await;
    let before = rt::unix_seconds();
    let tx = server.mining().solve(transaction(), 0).await.unwrap();
    assert_eq!(tx.parents, PARENTS);
    assert!(tx.timestamp >= before);
    assert!(target_met(&tx.id().unwrap(), 4.1));
    let unsolved = Transaction { parents: vec![], nonce: 0, timestamp: 0, ..tx };
    assert_eq!(unsolved, transaction());
    assert_eq!(server.lines(), ["POST /submit-job", "GET /job-status?job-id=ab"]);
}

#[tokio::test]
async fn a_job_that_is_done_at_once_is_not_asked_for() {
    let server = Server::start(|_, seen| solved(submitted(seen), rt::unix_seconds())).await;
    server.mining().solve(transaction(), 0).await.unwrap();
    assert_eq!(server.lines(), ["POST /submit-job"]);
}

#[tokio::test]
async fn parents_that_it_has_are_kept() {
    let given = [VertexId([7; 32]), VertexId([8; 32])];
    let tx = Transaction { parents: given.to_vec(), ..transaction() };
    let server = Server::start(move |_, seen| {
        let body: Value = serde_json::from_str(&seen.body).unwrap();
        assert_eq!(body["add_parents"], false);
        let tx = Transaction::from_bytes(&hex::decode(body["tx"].as_str().unwrap()).unwrap()).unwrap();
        assert_eq!(tx.parents, given);
        // With others than it was given.
        solved(tx, rt::unix_seconds())
    })
    .await;
    let failure = server.mining().solve(tx, 0).await.unwrap_err();
    let MiningError::Call(CallError { fault: Fault::InvalidAnswer(what), .. }) = failure else {
        panic!("{failure:?}")
    };
    assert_eq!(what, "a job that is done has other parents than it was given");
}

/// The service answers with the job that it has for the same bytes, even if that one has failed.
#[tokio::test]
async fn a_job_that_has_failed_before_is_submitted_as_another_one() {
    let server = Server::start(|n, seen| match n {
        0 | 1 => waiting("failed"),
        _ => solved(submitted(seen), rt::unix_seconds()),
    })
    .await;
    server.mining().solve(transaction(), 0).await.unwrap();
    let times: Vec<_> = submissions(&server).iter().map(|tx| tx.timestamp).collect();
    assert_eq!(times, [times[0], times[0] - 1, times[0] - 2]);
}

#[tokio::test]
async fn the_time_of_what_is_spent_is_waited_out() {
    let server = service(|_, tx| solved(tx.clone(), rt::unix_seconds())).await;
    let min = rt::unix_seconds() + 2;
    assert!(server.mining().solve(transaction(), min).await.unwrap().timestamp >= min);
    assert_eq!(submissions(&server).len(), 1);
}

#[tokio::test]
async fn a_service_whose_clock_is_behind_is_waited_for() {
    let server = service(|_, tx| solved(tx.clone(), rt::unix_seconds() - 2)).await;
    let min = rt::unix_seconds();
    let tx = server.mining().solve(transaction(), min).await.unwrap();
    assert!(tx.timestamp >= min);
    assert_eq!(submissions(&server).len(), 2);
}

#[tokio::test]
async fn a_service_whose_clock_is_far_behind_is_named() {
    let server = service(|_, tx| solved(tx.clone(), rt::unix_seconds() - 3600)).await;
    let failure = server.mining().solve(transaction(), rt::unix_seconds()).await.unwrap_err();
    let MiningError::Call(CallError { fault: Fault::InvalidAnswer(what), .. }) = failure else {
        panic!("{failure:?}")
    };
    assert!(["its clock is 3600 s behind", "its clock is 3599 s behind"].contains(&what.as_str()), "{what}");
}

#[tokio::test]
async fn a_time_too_far_ahead_is_not_waited_for() {
    let server = service(|_, tx| solved(tx.clone(), 0)).await;
    let failure = server.mining().solve(transaction(), rt::unix_seconds() + 1000).await.unwrap_err();
    let MiningError::TooEarly { seconds } = failure else { panic!("{failure:?}") };
    assert!((999..=1000).contains(&seconds));
    assert_eq!(
        failure.to_string(),
        format!(
            "the transaction spends one with a later timestamp: \
             try again in {seconds} s, and check this machine's clock"
        )
    );
    assert!(server.lines().is_empty());
}

#[tokio::test]
async fn a_service_without_time_gets_three_different_submissions() {
    let server = service(|_, _| waiting("timeout")).await;
    let failure = server.mining().solve(transaction(), 0).await.unwrap_err();
    assert_eq!(failure, MiningError::Timeout);
    assert_eq!(failure.to_string(), "Timeout solving transaction's proof-of-work.");
    let times: Vec<u32> = submissions(&server).iter().map(|tx| tx.timestamp).collect();
    assert_eq!(times.len(), 3);
    assert!(times[0] < times[1] && times[1] < times[2], "{times:?}");
}

#[tokio::test]
async fn a_job_that_is_forgotten_is_submitted_again() {
    let server = service(|n, tx| match n {
        1 => Answer::Reply(404, r#"{"error":"job-not-found"}"#.to_owned()),
        _ => solved(tx.clone(), rt::unix_seconds()),
    })
    .await;
    server.mining().solve(transaction(), 0).await.unwrap();
    assert_eq!(submissions(&server).len(), 2);
}

#[tokio::test]
async fn a_failed_job_is_final() {
    let answer = json!({"job_id": "ab", "status": "failed", "message": "no parents", "tx":
        {"nonce": null, "parents": [], "timestamp": null, "weight": 1.0}});
    let server = Server::script(vec![ok(answer.to_string())]).await;
    let failure = server.mining().solve(transaction(), 0).await.unwrap_err();
    let url = format!("{}/job-status", server.origin);
    let message = "no parents".to_owned();
    assert_eq!(failure, MiningError::Ended { url: url.clone(), state: JobState::Failed, message });
    assert_eq!(
        failure.to_string(),
        format!("mining service {url}: the job ended as Failed \"no parents\": try again later")
    );
}

#[tokio::test]
async fn an_old_service_without_miners_says_so_and_loses_the_job() {
    let answer = json!({"job_id": "ab", "status": "enqueued", "message": "", "expected_total_time": -1, "tx":
        {"nonce": null, "parents": [], "timestamp": null, "weight": 1.0}});
    let server = Server::script(vec![ok(answer.to_string())]).await;
    let failure = server.mining().solve(transaction(), 0).await.unwrap_err();
    assert_eq!(failure, MiningError::NoMiners);
    assert_eq!(failure.to_string(), "There are no miners to resolve the proof of work of this transaction.");
    server.wait_for("POST /cancel-job?job-id=ab").await;
}

#[tokio::test]
async fn a_job_that_nobody_waits_for_is_cancelled() {
    let server = service(|_, _| waiting("mining")).await;
    let mining = server.mining();
    let waiting = tokio::spawn(async move { mining.solve(transaction(), 0).await });
    server.wait_for("GET /job-status?job-id=ab").await;
    waiting.abort();
    server.wait_for("POST /cancel-job?job-id=ab").await;
}

#[tokio::test]
async fn a_job_that_takes_too_long_is_given_up_and_cancelled() {
    let server = service(|_, _| waiting("mining")).await;
    let mining = server.mining().with_limits(SECOND, Duration::from_millis(200));
    assert_eq!(mining.solve(transaction(), 0).await, Err(MiningError::Timeout));
    server.wait_for("POST /cancel-job?job-id=ab").await;
}

#[tokio::test]
async fn a_few_failed_looks_do_no_harm() {
    let looks = Mutex::new(0);
    let server = service(move |_, tx| {
        let mut looks = looks.lock().unwrap();
        *looks += 1;
        match *looks {
            1 => Answer::HangUp,
            2 => Answer::Reply(502, String::new()),
            3 => Answer::WithHeader(429, "retry-after: 0", String::new()),
            _ => solved(tx.clone(), rt::unix_seconds()),
        }
    })
    .await;
    server.mining().solve(transaction(), 0).await.unwrap();
    assert_eq!(submissions(&server).len(), 1);
}

#[tokio::test]
async fn refusals_carry_the_services_code() {
    let server = Server::script(vec![Answer::Reply(400, r#"{"error":"non-standard-tx"}"#.to_owned())]).await;
    let failure = server.mining().solve(transaction(), 0).await.unwrap_err();
    assert_eq!(
        failure.to_string(),
        format!("mining service {}/submit-job: refused the transaction: non-standard-tx", server.origin)
    );
    assert_eq!(server.lines().len(), 1);
}

#[tokio::test]
async fn a_service_that_asks_for_much_patience_is_left_alone() {
    let server = Server::script(vec![Answer::WithHeader(429, "retry-after: 60", String::new())]).await;
    let failure = server.mining().solve(transaction(), 0).await.unwrap_err();
    assert_eq!(failure, MiningError::RateLimited { retry_after: Some(Duration::from_secs(60)) });
    assert_eq!(failure.to_string(), "Too many transactions sent in a short time-span.");
    assert_eq!(server.lines().len(), 1);
}

#[tokio::test]
async fn a_busy_service_is_asked_again() {
    let server = Server::start(|n, seen| match n {
        0 => Answer::WithHeader(429, "retry-after: 0", String::new()),
        1 => Answer::Reply(502, String::new()),
        _ => solved(submitted(seen), rt::unix_seconds()),
    })
    .await;
    server.mining().solve(transaction(), 0).await.unwrap();
    assert_eq!(server.lines(), ["POST /submit-job"; 3]);
}

#[tokio::test]
async fn wrong_solutions_are_caught() {
    let done = |nonce: Value, parents: usize, weight: f64| {
        let parents: Vec<_> = PARENTS.iter().take(parents).map(ToString::to_string).collect();
        job("done", json!({"nonce": nonce, "parents": parents, "timestamp": 1_700_000_000, "weight": weight}))
    };
    for (answer, what) in [
        // At this weight no nonce that is made up is right.
        (done(json!("0000002a"), 2, 60.0), "the nonce does not solve the transaction"),
        (done(json!("0000002a"), 2, 4.0), "the weight is less than that asked for"),
        (done(json!("0000002a"), 1, 4.1), "a job that is done has not two parents"),
        (done(json!("xyz"), 2, 4.1), "the nonce is not hexadecimal"),
        (done(json!(null), 2, 4.1), "a job that is done has no nonce"),
    ] {
        let server = Server::script(vec![answer]).await;
        let failure = server.mining().solve(transaction(), 0).await.unwrap_err();
        let url = format!("{}/job-status", server.origin);
        let fault = Fault::InvalidAnswer(what.to_owned());
        assert_eq!(failure, MiningError::Call(CallError { service: Service::MiningService, url, fault }));
    }
}

#[tokio::test]
async fn a_service_that_is_down_is_named() {
    let origin = crate::server::nobody().await;
    let mining = MiningService::new(headless_wallet::net::HttpClient::shared(), &origin, None).unwrap();
    assert_eq!(
        mining.solve(transaction(), 0).await.unwrap_err().to_string(),
        format!(
            "mining service {origin}/submit-job: can't be reached (Connection refused): \
             check that it runs and that `tx_mining_url` is right"
        )
    );
}

#[tokio::test]
async fn this_machine_can_mine_too() {
    // The heavier one takes more than a first try, so all cores look for it.
    for weight in [10.0, 18.0] {
        let tx = Transaction { weight, ..transaction() };
        let min = rt::unix_seconds() + 1;
        let mined = mine_locally(tx.clone(), PARENTS, min).await.unwrap();
        assert!(mined.timestamp >= min);
        assert_eq!(mined.parents, PARENTS);
        assert!(target_met(&mined.id().unwrap(), weight));
        let (parents, timestamp, nonce) = (mined.parents.clone(), mined.timestamp, mined.nonce);
        assert_eq!(mined, Transaction { parents, timestamp, nonce, ..tx });
    }
}

#[tokio::test]
async fn this_machine_dates_ahead_what_has_to_be() {
    let min = rt::unix_seconds() + 200;
    assert_eq!(mine_locally(transaction(), PARENTS, min).await.unwrap().timestamp, min);
}

#[tokio::test]
async fn what_would_take_this_machine_too_long_is_not_begun() {
    let tx = Transaction { weight: 60.0, ..transaction() };
    assert_eq!(mine_locally(tx, PARENTS, 0).await, Err(MiningError::Timeout));
    let far = rt::unix_seconds() + 1_000;
    let failure = mine_locally(transaction(), PARENTS, far).await.unwrap_err();
    // As soon as a node would take it, 295 s ahead of the clock, it can be mined.
    assert!(matches!(failure, MiningError::TooEarly { seconds: 703..=705 }), "{failure}");
}
