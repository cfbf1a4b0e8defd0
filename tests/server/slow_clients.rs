//! Clients that are slow, silent or too many: they harm nobody but themselves.

use super::rights::{OWNER, setting};
use super::support::{Answer, Server, ask, hanging_send};
use headless_wallet::devnet::NodeFaults;
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// What a crowd sends, and then no more.
const HALF_A_HEAD: &str = "POST /start HTTP/1.1\r\nhost: localhost\r\ncontent-";
const HALF_A_BODY: &str =
    "POST /start HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{";
const AN_ENDLESS_BODY: &str = "POST /start HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
     transfer-encoding: chunked\r\n\r\n1\r\n{\r\n";
const GARBAGE: &str = "\x16\x03\x01\x02";
const NOTHING: &str = "";

/// Less than the ten seconds that whoever stalls has: nobody else waits for them, on a slow machine either.
const USUAL: Duration = Duration::from_secs(8);

async fn connect(server: &Server, text: &str) -> TcpStream {
    let mut connection = TcpStream::connect(&server.address).await.unwrap();
    connection.write_all(text.as_bytes()).await.unwrap();
    connection
}

async fn crowd(server: &Server, size: usize, text: &str) -> Vec<TcpStream> {
    let mut crowd = Vec::new();
    for _ in 0..size {
        crowd.push(connect(server, text).await);
    }
    crowd
}

/// What comes until the server closes the connection.
async fn rest(connection: &mut TcpStream) -> String {
    let mut text = Vec::new();
    // Closed in the middle of what was sent, it may be reset.
    let _ = connection.read_to_end(&mut text).await;
    String::from_utf8(text).unwrap()
}

#[tokio::test]
async fn a_crowd_that_holds_connections_locks_nobody_out() {
    let server = Server::with_wallet_and("http_max_connections = 40").await;
    for text in [HALF_A_HEAD, HALF_A_BODY, AN_ENDLESS_BODY, GARBAGE, NOTHING] {
        let crowd = crowd(&server, 400, text).await;
        let begin = Instant::now();
        for _ in 0..5 {
            assert_eq!(
                server.read("/wallet/balance").await,
                json!({"available": 100_000_000_000_u64, "locked": 0})
            );
        }
        assert!(begin.elapsed() < USUAL, "{text}: {:?}", begin.elapsed());
        drop(crowd);
    }
    server.shutdown().await;
}

#[tokio::test]
async fn what_is_worked_on_makes_no_room() {
    let server = Server::with_wallet_and("http_max_connections = 10").await;
    let mut events =
        connect(&server, "GET /wallet/events HTTP/1.1\r\nhost: localhost\r\nx-wallet-id: genesis\r\n\r\n")
            .await;
    let mut lines = BufReader::new(&mut events).lines();
    while !lines.next_line().await.unwrap().unwrap().is_empty() {}
    let send = hanging_send(&server.devnet, &server.address).await;
    for text in [HALF_A_HEAD, HALF_A_BODY] {
        drop(crowd(&server, 100, text).await);
    }
    server.devnet.set_node_faults(NodeFaults::default());
    let sent = send.await.unwrap().json();
    assert_eq!(sent["success"], true, "{sent}");
    // The stream goes on to tell of it.
    while !lines
        .next_line()
        .await
        .unwrap()
        .expect("the stream was cut")
        .contains(sent["hash"].as_str().unwrap())
    {}
    drop(lines);
    drop(events);
    server.shutdown().await;
}

#[tokio::test]
async fn the_one_that_waits_longest_makes_room() {
    let server = Server::start_with("http_max_connections = 3").await;
    let get = "GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let mut idle = connect(&server, HALF_A_HEAD).await;
    let mut used = connect(&server, NOTHING).await;
    let mut first = connect(&server, HALF_A_BODY).await;
    // It waits since its answer, and no longer.
    used.write_all(get.as_bytes()).await.unwrap();
    let mut buffer = [0; 16];
    used.read_exact(&mut buffer).await.unwrap();
    let mut newest = connect(&server, get).await;
    newest.read_exact(&mut buffer).await.unwrap();
    assert_eq!(rest(&mut idle).await, "");
    let another = connect(&server, NOTHING).await;
    assert_eq!(rest(&mut first).await, "");
    used.write_all(get.as_bytes()).await.unwrap();
    newest.write_all(get.as_bytes()).await.unwrap();
    drop((another, used, newest));
    server.shutdown().await;
}

#[tokio::test]
async fn stalled_bodies_delay_no_reload_and_no_shutdown() {
    let server = Server::with_wallet().await;
    let mut stalled = crowd(&server, 20, HALF_A_BODY).await;
    stalled.extend(crowd(&server, 20, AN_ENDLESS_BODY).await);
    let begin = Instant::now();
    let reloaded = server.post("/reload-config", None, &json!({})).await;
    assert_eq!(reloaded.parts(), (200, json!({"success": true})));
    server.read("/wallet/balance").await;
    server.shutdown().await;
    assert!(begin.elapsed() < USUAL, "{:?}", begin.elapsed());
    let ending = r#"{"success":false,"error":"The service is shutting down and takes no new requests."}"#;
    for mut connection in stalled {
        let answer = rest(&mut connection).await;
        assert!(answer.starts_with("HTTP/1.1 503 ") && answer.ends_with(ending), "{answer}");
    }
}

#[tokio::test]
async fn a_head_that_does_not_come_delays_the_shutdown_for_seconds_only() {
    let server = Server::start().await;
    let stalled = crowd(&server, 20, HALF_A_HEAD).await;
    let begin = Instant::now();
    server.shutdown().await;
    assert!(begin.elapsed() < 2 * USUAL, "{:?}", begin.elapsed());
    drop(stalled);
}

#[tokio::test]
async fn bodies_have_their_time() {
    let server = Server::start().await;
    let begin = Instant::now();
    let crowd = [connect(&server, HALF_A_BODY).await, connect(&server, AN_ENDLESS_BODY).await];
    for mut connection in crowd {
        let answer = rest(&mut connection).await;
        let error = r#"{"success":false,"error":"The request body did not come within 10 s: send the request again."}"#;
        assert!(answer.starts_with("HTTP/1.1 400 ") && answer.ends_with(error), "{answer}");
    }
    assert!(begin.elapsed() >= Duration::from_secs(10), "{:?}", begin.elapsed());
    server.shutdown().await;
}

#[tokio::test]
async fn heads_have_a_size() {
    let server = Server::start().await;
    let ask = async |size: usize| -> Answer {
        ask(&server.address, "GET", "/metrics", &[("x-padding", &"a".repeat(size))], b"").await
    };
    assert_eq!(ask(60_000).await.status, 200);
    let mut connection =
        connect(&server, &format!("GET / HTTP/1.1\r\nhost: localhost\r\nx: {}", "a".repeat(70_000))).await;
    let too_long = |status: &str, why: &str| {
        let body = json!({"success": false, "error": why}).to_string();
        format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: {}\r\n\
             connection: close\r\n\r\n{body}",
            body.len()
        )
    };
    let head = "The request's head is too long: its address and headers may have 65536 bytes together, and 100 headers.";
    let head = too_long("431 Request Header Fields Too Large", head);
    assert_eq!(rest(&mut connection).await, head);
    let many = format!("GET / HTTP/1.1\r\nhost: localhost\r\n{}\r\n", "a: b\r\n".repeat(101));
    assert_eq!(rest(&mut connect(&server, &many).await).await, head);
    let long =
        format!("GET /{} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n", "a".repeat(65_400));
    let mut answered = rest(&mut connect(&server, &long).await).await;
    assert!(answered.starts_with("HTTP/1.1 404 "), "{answered}");
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(65_540));
    answered = rest(&mut connect(&server, &long).await).await;
    let why = "The request's address is too long: at most 65534 bytes are read.";
    assert_eq!(answered, too_long("414 URI Too Long", why));
    server.shutdown().await;
}

#[tokio::test]
async fn the_local_network_bears_a_crowd_too() {
    let server = Server::with_wallet().await;
    let url = server.devnet.node_url();
    let place = url.strip_prefix("http://").unwrap().split_once('/').unwrap().0;
    let mut stalled = Vec::new();
    for _ in 0..100 {
        let mut connection = TcpStream::connect(place).await.unwrap();
        connection.write_all(HALF_A_HEAD.as_bytes()).await.unwrap();
        stalled.push(connection);
    }
    let begin = Instant::now();
    assert_eq!(ask(place, "GET", "/v1a/version", &[], b"").await.status, 200);
    assert!(begin.elapsed() < USUAL, "{:?}", begin.elapsed());
    server.shutdown().await;
}

/// A stream of the genesis wallet's events that has begun, or the answer that came instead.
async fn listen(server: &Server) -> Result<TcpStream, String> {
    listen_with(server, "").await
}

async fn listen_with(server: &Server, header: &str) -> Result<TcpStream, String> {
    let get = format!(
        "GET /wallet/events HTTP/1.1\r\nhost: localhost\r\nx-wallet-id: genesis\r\n{header}connection: close\r\n\r\n"
    );
    let mut connection = connect(server, &get).await;
    let mut status = [0; "HTTP/1.1 200".len()];
    connection.read_exact(&mut status).await.unwrap();
    if status.ends_with(b"200") { Ok(connection) } else { Err(rest(&mut connection).await) }
}

#[tokio::test]
async fn a_key_with_a_name_leaves_half_of_the_places_to_others() {
    let shop = setting("shop", "open sesame", &["read"], &["genesis"]);
    let server = Server::start_with(&format!("api_key = 'owner'\nhttp_max_connections = 40\n{shop}")).await;
    let start = json!({"wallet-id": "genesis", "seedKey": "genesis"}).to_string();
    let headers = [OWNER, ("content-type", "application/json")];
    assert_eq!(server.ask("POST", "/start", &headers, start.as_bytes()).await.json()["success"], true);
    server.app.wallets().get("genesis").unwrap().ready().await;
    let (as_shop, as_owner) = ("x-api-key: open sesame\r\n", "x-api-key: owner\r\n");
    let mut streams = Vec::new();
    for _ in 0..5 {
        streams.push(listen_with(&server, as_shop).await.unwrap());
    }
    for _ in 0..20 {
        let refused = listen_with(&server, as_shop).await.unwrap_err();
        assert!(refused.contains("\"5 streams of events are open of this API key, as many as"), "{refused}");
    }
    for _ in 0..5 {
        streams.push(listen_with(&server, as_owner).await.unwrap());
    }
    let refused = listen_with(&server, as_owner).await.unwrap_err();
    assert!(refused.contains("\"10 streams of events are open, as many as"), "{refused}");
    // One that ends makes room for its key again.
    streams.remove(0);
    while listen_with(&server, as_shop).await.is_err() {
        tokio::task::yield_now().await;
    }
    drop(streams);
    server.shutdown().await;
}

#[tokio::test]
async fn streams_and_requests_that_wait_leave_room_for_all_others() {
    let server = Server::with_wallet_and("http_max_connections = 40").await;
    let refused = |answer: &str, what: &str| {
        let error = format!(
            "{{\"success\":false,\"error\":\"{what}, as many as the setting `http_max_connections` leaves room for: try again later, \
             or raise it.\"}}"
        );
        assert!(answer.contains("retry-after: 5\r\n") && answer.ends_with(&error), "{answer}");
    };
    let mut streams = Vec::new();
    for _ in 0..10 {
        streams.push(listen(&server).await.unwrap());
    }
    for _ in 0..60 {
        refused(&listen(&server).await.unwrap_err(), "10 streams of events are open");
    }

    let send = hanging_send(&server.devnet, &server.address).await;
    let body = r#"{"outputs":[{"type":"data","data":"too many"}]}"#;
    // They wait for the change of the first, or for one of their own key.
    let mut waiting = JoinSet::new();
    for number in 0..60 {
        let key = if number % 2 == 0 { "idempotency-key: same\r\n" } else { "" };
        let length = body.len();
        let mut connection = connect(
            &server,
            &format!(
                "POST /wallet/send-tx HTTP/1.1\r\nhost: localhost\r\nx-wallet-id: genesis\r\nconnection: close\r\n{key}\
                 content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
            ),
        )
        .await;
        waiting.spawn(async move { rest(&mut connection).await });
        if number >= 19 {
            let answer = timeout(USUAL, waiting.join_next()).await.expect("all have a place").unwrap();
            refused(&answer.unwrap(), "20 requests wait for their end");
        }
    }
    assert_eq!(waiting.len(), 19);
    let begin = Instant::now();
    assert_eq!(server.read("/wallet/balance").await["locked"], 0);
    assert_eq!(server.get("/metrics").await.status, 200);
    assert!(begin.elapsed() < USUAL, "{:?}", begin.elapsed());

    // Places are given back.
    server.devnet.set_node_faults(NodeFaults::default());
    assert_eq!(send.await.unwrap().json()["success"], true);
    while let Some(answer) = waiting.join_next().await {
        assert!(answer.as_ref().unwrap().starts_with("HTTP/1.1 200"), "{answer:?}");
    }
    assert_eq!(server.done("send-tx", serde_json::from_str(body).unwrap()).await["success"], true);
    drop(streams);
    while listen(&server).await.is_err() {
        tokio::task::yield_now().await;
    }
    server.shutdown().await;
}

#[tokio::test]
async fn nobody_waits_for_a_body_that_no_route_takes() {
    let server = Server::start_with("api_key = 'k'").await;
    let key = "x-api-key: k\r\n";
    for (line, key, status) in [
        ("POST /docs/ui", "", 404),
        ("GET /docs/ui", "", 200),
        ("POST /start", "", 401),
        ("POST /nothing", "", 401),
        ("POST /nothing", key, 404),
        ("PUT /start", key, 404),
        ("GET /metrics", key, 200),
        // The wallet is looked for before the method.
        ("POST /wallet/balance", key, 200),
    ] {
        let length = "content-length: 9\r\n\r\n{";
        let chunks = "transfer-encoding: chunked\r\n\r\n1\r\n{\r\n";
        for body in [length, chunks] {
            let head = format!(
                "{line} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n{key}{body}"
            );
            let mut connection = connect(&server, &head).await;
            let answer = timeout(USUAL, rest(&mut connection)).await.expect("the connection is closed");
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{line}: {answer}");
        }
    }
    server.shutdown().await;
}
