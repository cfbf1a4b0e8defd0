//! Services that are down, slow, busy or mad: what is said of them, and how often they are asked.

use crate::server::{Answer, Server, nobody, ok};
use headless_wallet::ledger::{Address, Network};
use headless_wallet::net::HttpClient;
use headless_wallet::node::{
    Backoff, BadUrl, Fault, FeatureState, FullNode, Lane, MiningService, NodeSocket, PushError, Service,
    Tenant,
};
use secrecy::SecretString;
use std::collections::HashSet;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

const SECOND: Duration = Duration::from_secs(1);
const HEIGHT: &str = r#"{"block_hash":"00","block_height":12,"features":[]}"#;

#[tokio::test]
async fn nobody_listens() {
    let origin = nobody().await;
    let node = FullNode::new(HttpClient::shared(), &format!("{origin}/v1a")).unwrap();
    let failure = node.with_limits(SECOND, Duration::ZERO).best_height().await.unwrap_err();
    assert_eq!(
        failure.to_string(),
        format!(
            "full node {origin}/v1a/feature: can't be reached (Connection refused): \
             check that it runs and that `server` is right"
        )
    );
    let mining = MiningService::new(HttpClient::shared(), &origin, None).unwrap();
    assert_eq!(
        mining.health().await.unwrap_err().to_string(),
        format!(
            "mining service {origin}/health: can't be reached (Connection refused): \
             check that it runs and that `tx_mining_url` is right"
        )
    );
}

#[tokio::test]
async fn only_histories_are_longer_than_eight_mebibytes() {
    const MOST: usize = 8 * 1024 * 1024;
    let padded = |answer: &str, bytes: usize| ok(answer.to_owned() + &" ".repeat(bytes - answer.len()));
    let page = r#"{"success":true,"history":[],"has_more":false}"#;
    let server =
        Server::script(vec![padded(HEIGHT, MOST), padded(HEIGHT, MOST + 1), padded(page, 2 * MOST)]).await;
    let node = server.node();
    assert_eq!(node.best_height().await.unwrap(), 12);
    let Fault::InvalidAnswer(what) = node.best_height().await.unwrap_err().fault else {
        panic!("the answer is too long")
    };
    assert_eq!(what, "more than 8388608 bytes");
    let address = Address::p2pkh(Network::Testnet, [9; 20]);
    assert!(node.address_history(&[address], None).await.unwrap().vertices.is_empty());
}

#[tokio::test]
async fn whatever_a_node_says_of_features_its_height_is_known() {
    let of = |features: &str| ok(format!(r#"{{"block_height":12,"features":{features}}}"#));
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let answers = vec![
        ok(r#"{"block_height":12}"#),
        of("null"),
        of(r#"{"name":"X"}"#),
        of(r#"[[],7,{"name":{},"state":"ACTIVE"},{"name":"TOKEN_AMOUNT_V2","state":"LOCKED_IN"}]"#),
        of("true"),
        of(&deep),
        of("[]"),
    ];
    let server = Server::script(answers).await;
    let node = server.node();
    let mut known: Vec<Vec<(String, FeatureState)>> = Vec::new();
    for _ in 0..7 {
        assert_eq!(node.best_height().await, Ok(12));
        known.push(node.unsupported_features().iter().map(|one| (one.name.clone(), one.state)).collect());
    }
    let locked_in = vec![("TOKEN_AMOUNT_V2".to_owned(), FeatureState::LockedIn)];
    assert_eq!(known, [vec![], vec![], vec![], locked_in.clone(), locked_in.clone(), locked_in, vec![]]);
    assert_eq!(server.lines(), ["GET /v1a/feature"; 7]);
}

#[tokio::test]
async fn encrypted_addresses_are_understood() {
    let origin = nobody().await.replace("http", "https");
    let node = FullNode::new(HttpClient::shared(), &origin).unwrap().with_limits(SECOND, Duration::ZERO);
    let failure = node.version().await.unwrap_err();
    assert_eq!(failure.fault, Fault::Unreachable("Connection refused".to_owned()));
    let failure = NodeSocket::connect(&node).await.err().unwrap();
    assert_eq!(failure.url, format!("{}/ws/", origin.replace("https", "wss")));
    assert_eq!(failure.fault, Fault::Unreachable("Connection refused".to_owned()));

    // Whoever answers in the clear is not believed.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("https://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
        std::future::pending::<()>().await;
    });
    let node = FullNode::new(HttpClient::shared(), &origin).unwrap().with_limits(SECOND, Duration::ZERO);
    let reason = "received corrupt message of type InvalidContentType".to_owned();
    assert_eq!(node.best_height().await.unwrap_err().fault, Fault::Unreachable(reason));
}

#[tokio::test]
async fn no_answer() {
    let server = Server::script(vec![Answer::Hang]).await;
    let node = server.node().with_limits(Duration::from_millis(50), Duration::ZERO);
    assert_eq!(
        node.version().await.unwrap_err().to_string(),
        format!(
            "full node {}/v1a/version: did not answer within 0.05 s: \
             check that it runs and that `server` is right",
            server.origin
        )
    );
}

#[tokio::test]
async fn half_an_answer() {
    let server = Server::script(vec![Answer::Half(HEIGHT.to_owned())]).await;
    let node = server.node().with_limits(SECOND, Duration::ZERO);
    assert_eq!(
        node.best_height().await.unwrap_err().to_string(),
        format!(
            "full node {}/v1a/feature: the connection broke (end of file before message length reached): \
             check that it runs and that `server` is right",
            server.origin
        )
    );
}

#[tokio::test]
async fn other_kinds_of_wrong_answers() {
    for (answer, text) in [
        (
            ok("<html>hello</html>"),
            "gave an invalid answer (expected value at line 1 column 1): \
             check that `server` is the address of a full node",
        ),
        (
            ok(r#"{"block_height":-1}"#),
            "gave an invalid answer (invalid value: integer `-1`, expected u32 at line 1 column 18): \
             check that `server` is the address of a full node",
        ),
        (
            Answer::Reply(404, "<html>404 - No Such Resource</html>".to_owned()),
            "answered status 404: check that `server` is the address of a full node",
        ),
        (
            Answer::WithHeader(301, "location: http://127.0.0.1:1/", String::new()),
            "answered status 301: check that `server` is the address of a full node",
        ),
        (
            Answer::Reply(403, String::new()),
            "does not let this wallet in (status 403): check its access rules and keys",
        ),
        (
            Answer::Reply(500, "<html>Processing Failed</html>".to_owned()),
            "failed with status 500: look at its log, or try again later",
        ),
        (ok(r#"{"success":false,"message":"Node syncing"}"#), "refused: Node syncing"),
    ] {
        let server = Server::script(vec![answer]).await;
        let failure = server.node().best_height().await.unwrap_err();
        assert_eq!(failure.to_string(), format!("full node {}/v1a/feature: {text}", server.origin));
        assert_eq!(server.lines(), ["GET /v1a/feature"], "asking again would not help");
    }
}

#[tokio::test]
async fn reads_are_tried_again() {
    let server = Server::script(vec![
        Answer::HangUp,
        Answer::Reply(503, "busy".to_owned()),
        Answer::WithHeader(429, "retry-after: 0", "slower".to_owned()),
        ok(HEIGHT),
    ])
    .await;
    assert_eq!(server.node().best_height().await, Ok(12));
    assert_eq!(server.lines(), ["GET /v1a/feature"; 4]);
}

#[tokio::test]
async fn what_is_down_is_soon_said_to_be_down() {
    let server = Server::script(vec![Answer::HangUp]).await;
    let fault = server.node().best_height().await.unwrap_err().fault;
    assert!(matches!(fault, Fault::Broken(_)), "{fault:?}");
    assert_eq!(server.lines().len(), 4);

    let server = Server::script(vec![Answer::Hang]).await;
    let limit = Duration::from_millis(50);
    let node = server.node().with_limits(limit, Duration::from_secs(30));
    assert_eq!(node.best_height().await.unwrap_err().fault, Fault::TimedOut(limit));
    assert_eq!(server.lines().len(), 2);
}

#[tokio::test]
async fn reads_are_not_tried_for_ever() {
    let server = Server::script(vec![Answer::Reply(429, String::new())]).await;
    let node = server.node().with_limits(SECOND, Duration::from_millis(700));
    let failure = node.best_height().await.unwrap_err();
    assert_eq!(
        failure.to_string(),
        format!(
            "full node {}/v1a/feature: asks for fewer requests (status 429): wait a little and try again",
            server.origin
        )
    );
    // At once and after 250 ms or a little more; after 500 ms more the time would be up.
    assert_eq!(server.lines().len(), 2);
}

#[tokio::test]
async fn a_service_that_asks_for_much_patience_is_not_asked_again() {
    let server = Server::script(vec![Answer::WithHeader(429, "retry-after: 3600", String::new())]).await;
    assert!(server.node().best_height().await.unwrap_err().is_rate_limit());
    assert_eq!(server.lines().len(), 1);
}

/// What one wallet is told holds for all wallets of the process, for requests of that kind.
#[tokio::test]
async fn a_service_that_asks_for_patience_is_left_alone_by_everybody() {
    let busy = Answer::WithHeader(429, "retry-after: 3600", String::new());
    let server = Server::start(move |_, seen| match seen.line.as_str() {
        "GET /v1a/feature" => busy.clone(),
        _ => Answer::Hang,
    });
    let server = server.await;
    let node = server.node().with_limits(SECOND, Duration::ZERO);
    for _ in 0..3 {
        assert!(node.clone().best_height().await.unwrap_err().is_rate_limit());
    }
    assert_eq!(server.lines(), ["GET /v1a/feature"]);
    assert_eq!(node.version().await.unwrap_err().fault, Fault::TimedOut(SECOND));
    assert_eq!(server.lines(), ["GET /v1a/feature", "GET /v1a/version"]);
}

/// Who only reads may be told to wait for an hour: that stops no send.
#[tokio::test]
async fn a_pause_is_for_those_of_the_same_lane() {
    let busy = || Answer::WithHeader(429, "retry-after: 3600", String::new());
    let server = Server::script(vec![busy(), busy(), ok(HEIGHT)]).await;
    let reader = server.node().in_lane(Lane::Read(Tenant::new("key", "wallet")));
    let [another, loader, sender] = [
        reader.in_lane(Lane::Read(Tenant::new("key", "another"))),
        reader.in_lane(Lane::Load),
        reader.in_lane(Lane::Send(Tenant::new("key", "wallet"))),
    ];
    for told in [&reader, &another, &loader] {
        assert!(told.best_height().await.unwrap_err().is_rate_limit());
    }
    assert_eq!(sender.best_height().await, Ok(12));
    assert_eq!(server.lines(), ["GET /v1a/feature"; 3], "the other one who reads was told without asking");
}

#[tokio::test]
async fn a_short_pause_that_a_service_asks_for_is_waited_for() {
    let server = Server::script(vec![Answer::WithHeader(503, "retry-after: 1", String::new()), ok(HEIGHT)]);
    let server = server.await;
    let began = std::time::Instant::now();
    let node = server.node().with_limits(SECOND * 5, Duration::ZERO);
    assert!(node.best_height().await.is_err());
    assert_eq!(node.best_height().await, Ok(12));
    assert!(began.elapsed() >= SECOND);
}

#[tokio::test]
async fn who_finds_no_place_is_told_that_the_service_is_busy() {
    let server = Server::script(vec![Answer::Hang]).await;
    let patient = server.node();
    let hurried = patient.clone().with_limits(SECOND / 100, Duration::ZERO);
    let places = 5;
    let mut asks: Vec<_> = (0..places)
        .map(|_| {
            let node = patient.clone();
            tokio::spawn(async move { drop(node.best_height().await) })
        })
        .collect();
    until(|| server.lines().len() == places).await;
    let url = format!("{}/v1a", server.origin);
    let busy = "is busy, and the request was not sent: others waited for its answers all the time. Try again in a while, and check how \
                fast it answers";
    assert_eq!(
        hurried.best_height().await.unwrap_err().to_string(),
        format!("full node {url}/feature: {busy}")
    );
    assert_eq!(server.lines().len(), places);

    asks.extend((0..places).map(|_| {
        let node = patient.clone();
        tokio::spawn(async move { drop(node.push_tx(&[1]).await) })
    }));
    // Four places of others are reserved, and one of the ten is left for pushes.
    until(|| server.lines().len() == places + 1).await;
    let PushError::NotSent(failure) = hurried.push_tx(&[1]).await.unwrap_err() else { panic!() };
    assert_eq!(failure.to_string(), format!("full node {url}/push_tx: {busy}"));
    asks.iter().for_each(tokio::task::JoinHandle::abort);
}

/// Waits until something is so.
async fn until(is_so: impl Fn() -> bool) {
    while !is_so() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn secrets_stay_secret() {
    let server = Server::script(vec![Answer::Reply(500, String::new())]).await;
    let with_password = server.origin.replace("http://", "http://user:s3cret@");
    let key = SecretString::from("s3cret-key".to_owned());
    let mining = MiningService::new(HttpClient::shared(), &with_password, Some(&key)).unwrap();
    let failure = mining.submit(&[1], true).await.unwrap_err();
    let shown = format!("{failure} {failure:?}");
    assert_eq!(
        failure.to_string(),
        format!(
            "mining service {}/submit-job: failed with status 500: look at its log, or try again later",
            server.origin
        )
    );
    assert!(!shown.contains("s3cret"), "{shown}");
    let headers = &server.seen()[0].headers;
    assert!(headers.contains("\r\nApikey: s3cret-key"), "{headers}");
    assert!(
        headers.contains(concat!("User-Agent: headless-wallet/", env!("CARGO_PKG_VERSION"))),
        "{headers}"
    );
    assert_eq!(server.seen()[0].body, r#"{"tx":"01","propagate":false,"add_parents":true}"#);
}

#[test]
fn addresses_that_are_none() {
    let refused = |url: &str| FullNode::new(HttpClient::shared(), url).err().map(|e: BadUrl| e.to_string());
    assert_eq!(
        refused("localhost:8080"),
        Some(
            "`server` must be an address like http://localhost:8080/v1a/: \
             it must start with http:// or https://"
                .to_owned()
        )
    );
    let mining = MiningService::new(HttpClient::shared(), "", None).err().unwrap();
    assert_eq!(mining.service, Service::MiningService);
    assert_eq!(
        mining.to_string(),
        "`tx_mining_url` must be an address like http://localhost:8035/: relative URL without a base"
    );
    assert_eq!(refused(" https://node.example/v1a "), None);
}

#[test]
fn backoff_doubles_up_to_its_limit() {
    let mut backoff = Backoff::reconnect();
    for seconds in [1, 2, 4, 8, 16, 30, 30, 30] {
        let delay = backoff.next_delay();
        let least = Duration::from_secs(seconds);
        assert!((least..=least * 5 / 4).contains(&delay), "{delay:?}");
    }
    // Not all who wait do so in step.
    let delays: HashSet<Duration> = (0..20).map(|_| Backoff::reconnect().next_delay()).collect();
    assert!(delays.len() > 5, "{delays:?}");
    backoff.reset();
    assert!(backoff.next_delay() < Duration::from_secs(2));
    let mut long = Backoff::new(SECOND, Duration::MAX);
    for _ in 0..100 {
        long.next_delay();
    }
}
