//! Who may ask at all: programs, the server's own page, and pages of allowed origins; by a name that the
//! server is known by.

use super::command_line::{program, run};
use super::support::{Answer, GENESIS_WORDS, Server, ask, exchange};
use serde_json::{Value, json};

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

fn refused(error: &str) -> (u16, Value) {
    (403, json!({"success": false, "error": error}))
}

fn other_origin(origin: &str) -> (u16, Value) {
    refused(&format!(
        "Web pages of {origin} may not use this server: if they are yours, add their origin to the setting `cors_origins`."
    ))
}

fn other_pages() -> (u16, Value) {
    refused(
        "Web pages of other origins may not use this server: if they are yours, add their origin to the setting `cors_origins`, \
         and let them ask with `fetch`.",
    )
}

fn other_host(host: &str) -> (u16, Value) {
    refused(&format!(
        "This server is not known as {host}: a web page may have given it that name. If it is yours, add it to the setting \
         `http_hosts`, or set an `api_key`."
    ))
}

#[tokio::test]
async fn pages_of_others_do_nothing() {
    let server = Server::start().await;
    let start = format!("wallet-id=main&seed={}", GENESIS_WORDS.replace(' ', "%20"));
    for (path, body) in [("/start", start.as_str()), ("/reload-config", ""), ("/push-tx", "txHex=00")] {
        for origin in ["https://evil.example", "http://localhost:3000", "http://127.0.0.1", "null", "file://"]
        {
            let headers = [FORM, ("origin", origin)];
            let answer = server.ask("POST", path, &headers, body.as_bytes()).await;
            assert_eq!(answer.parts(), other_origin(origin), "{path}");
            assert_eq!(answer.header("access-control-allow-origin"), None);
        }
        for site in ["cross-site", "same-site", "anything"] {
            let headers = [FORM, ("sec-fetch-site", site)];
            let answer = server.ask("POST", path, &headers, body.as_bytes()).await;
            assert_eq!(answer.parts(), other_pages(), "{path}");
        }
    }
    assert!(server.app.wallets().get("main").is_none());
    // What can't be read, or is very long, is shown safely.
    let long = format!("http://{}", "a".repeat(1000));
    let answer = server.ask("GET", "/", &[("origin", &long)], b"").await;
    assert_eq!(answer.parts(), other_origin(&format!("{}…", &long[..100])));
    let head =
        format!("GET / HTTP/1.1\r\nhost: {}\r\nconnection: close\r\norigin: é\x7f\r\n\r\n", server.address);
    assert_eq!(exchange(&server.address, head.as_bytes(), b"").await.status, 400, "no header at all");
    let head =
        format!("GET / HTTP/1.1\r\nhost: {}\r\nconnection: close\r\norigin: é\r\n\r\n", server.address);
    assert_eq!(exchange(&server.address, head.as_bytes(), b"").await.parts(), other_origin("?"));
    server.shutdown().await;
}

#[tokio::test]
async fn programs_and_the_own_page_notice_nothing() {
    let server = Server::start().await;
    let own = format!("http://{}", server.address);
    let own = ("origin", own.as_str());
    let json = ("content-type", "application/json");
    for (id, headers) in [
        ("program", vec![json]),
        ("form", vec![FORM]),
        ("page", vec![json, own, ("sec-fetch-site", "same-origin")]),
        ("typed", vec![json, ("sec-fetch-site", "none")]),
    ] {
        let body = match id {
            "form" => format!("wallet-id={id}&seedKey=genesis"),
            _ => json!({"wallet-id": id, "seedKey": "genesis"}).to_string(),
        };
        let answer = server.ask("POST", "/start", &headers, body.as_bytes()).await;
        assert_eq!(answer.parts(), (200, json!({"success": true})), "{id}");
    }
    // A link to the documentation may stand anywhere, and the page can't be framed.
    let link = [("sec-fetch-site", "cross-site"), ("sec-fetch-dest", "document")];
    for (path, status) in [("/docs/ui", 200), ("/Docs/UI/", 200), ("/docs", 403), ("/", 403)] {
        assert_eq!(server.ask("GET", path, &link, b"").await.status, status, "{path}");
    }
    let framed = [("sec-fetch-site", "cross-site"), ("sec-fetch-dest", "iframe")];
    assert_eq!(server.ask("GET", "/docs/ui", &framed, b"").await.parts(), other_pages());
    server.shutdown().await;
}

#[tokio::test]
async fn allowed_pages_may_ask() {
    let server = Server::start_with("cors_origins = 'https://a.example'").await;
    let headers = [("origin", "https://a.example"), ("sec-fetch-site", "cross-site")];
    assert_eq!(server.ask("GET", "/", &headers, b"").await.status, 200);
    assert_eq!(server.ask("GET", "/", &[("sec-fetch-site", "cross-site")], b"").await.parts(), other_pages());
    server.shutdown().await;
}

/// The answer to a request for this host, or without one.
async fn called(server: &Server, target: &str, host: Option<&str>) -> Answer {
    let host = host.map(|host| format!("host: {host}\r\n")).unwrap_or_default();
    let head = format!("GET {target} HTTP/1.1\r\n{host}connection: close\r\n\r\n");
    exchange(&server.address, head.as_bytes(), b"").await
}

#[tokio::test]
async fn names_that_a_page_could_have_given_are_refused() {
    let server = Server::start_with("http_hosts = ['Wallet.example', 'wallet']").await;
    for host in [
        "localhost",
        "LOCALHOST:8000",
        "localhost.:1",
        "127.0.0.1:8000",
        "10.1.2.3",
        "[::1]",
        "[::1]:8000",
        "wallet.example",
        "WALLET.example.:443",
        "wallet:8000",
        "",
    ] {
        assert_eq!(called(&server, "/", Some(host)).await.status, 200, "{host:?}");
    }
    for host in
        ["evil.example:8000", "wallet.example.evil", "localhost.evil", "localhost:x", "me@localhost", "a b"]
    {
        assert_eq!(called(&server, "/", Some(host)).await.parts(), other_host(host));
    }
    // Programs of old name no host; what a proxy is asked names it in the target.
    let old = exchange(&server.address, b"GET / HTTP/1.0\r\n\r\n", b"").await;
    assert_eq!(old.status, 200);
    assert_eq!(called(&server, "http://localhost:8000/", Some("localhost:8000")).await.status, 200);
    let evil = other_host("evil.example");
    assert_eq!(called(&server, "http://evil.example/", Some("localhost")).await.parts(), evil);
    assert_eq!(called(&server, "http://localhost/", Some("evil.example")).await.parts(), evil);
    // A page that is served by the name that it gave is of one origin with the server.
    let headers = [("x-wallet-id", "genesis"), ("sec-fetch-site", "same-origin")];
    let answer = ask_as(&server, "evil.example", &headers).await;
    assert_eq!(answer.parts(), evil);
    server.shutdown().await;
}

async fn ask_as(server: &Server, host: &str, headers: &[(&str, &str)]) -> Answer {
    let mut head = format!("GET /wallet/balance HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n");
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    exchange(&server.address, (head + "\r\n").as_bytes(), b"").await
}

#[tokio::test]
async fn where_a_key_is_asked_for_any_name_will_do() {
    let server = Server::start_with("api_key = 'k'").await;
    let wrong = json!({"auth": false, "message": "X-API-KEY header is missing"});
    let answer = called(&server, "/", Some("evil.example")).await;
    assert_eq!(answer.status, 401, "{} {wrong}", answer.text);
    let answer = ask_as(&server, "wallet.example", &[("x-api-key", "k")]).await;
    assert_eq!(answer.json()["message"], "Header 'X-Wallet-Id' is required.");
    // Behind a proxy that does TLS, too.
    let origin = [("x-api-key", "k"), ("origin", "https://wallet.example")];
    assert_eq!(ask_as(&server, "wallet.example", &origin).await.status, 200);
    server.shutdown().await;
}

#[tokio::test]
async fn answers_are_not_to_be_taken_for_something_else() {
    let server = Server::start().await;
    for path in ["/", "/docs", "/docs/ui", "/wallet/balance", "/nothing", "/metrics"] {
        let answer = ask(&server.address, "GET", path, &[], b"").await;
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn methods_that_callers_make_up_count_as_one() {
    let server = Server::start_with("api_key = 'k'").await;
    for method in ["D", "A", "BB", &"C".repeat(5_000)] {
        let answer = ask(&server.address, method, "/wallet/status", &[], b"").await;
        assert_eq!(answer.status, 401);
        let answer = ask(&server.address, method, "/wallet/status", &[("x-api-key", "k")], b"").await;
        assert_eq!(answer.status, 200);
    }
    let metrics = server.ask("GET", "/metrics", &[("x-api-key", "k")], b"").await.text;
    let counted = |line: &&str| line.starts_with("headless_wallet_http_requests_total{");
    assert_eq!(
        metrics.lines().filter(counted).collect::<Vec<_>>(),
        [
            "headless_wallet_http_requests_total{method=\"other\",route=\"/wallet/status\",status=\"200\",refused=\"true\"} 4",
            "headless_wallet_http_requests_total{method=\"other\",route=\"none\",status=\"401\",refused=\"false\"} 4",
        ]
    );
    server.shutdown().await;
}

#[tokio::test]
async fn the_program_does_not_open_itself_to_others_unasked() {
    let mut command = program();
    command.args(["serve", "--network=testnet", "--http-bind=0.0.0.0", "--http-port=0"]);
    let error = "error: other machines can reach 0.0.0.0, and whoever reaches the server can spend from its wallets: set an \
                 `api_key`, or `http_bind` to 127.0.0.1, or `allow_unauthenticated` to true where something else keeps others out\n";
    assert_eq!(run(command, "").await, (1, String::new(), error.to_owned()));
}

#[tokio::test]
async fn a_hundred_problems_are_told_and_the_rest_counted() {
    let server = Server::with_wallet().await;
    // What a transaction has at most 255 of is refused in one problem; this is refused one by one.
    let signatures = vec!["0"; 40_000].join(",");
    let body = format!("{{\"txHex\":\"00\",\"signatures\":[{signatures}]}}");
    let headers = [("content-type", "application/json"), ("x-wallet-id", "genesis")];
    let path = "/wallet/tx-proposal/add-signatures";
    let answer = server.ask("POST", path, &headers, body.as_bytes()).await;
    assert_eq!(answer.status, 400);
    assert!(answer.text.len() < 60_000, "{}", answer.text.len());
    let (_, rest) = answer.text.split_once("\"msg\":\"has ").unwrap();
    let (more, _) = rest.split_once(" more problems\"").unwrap();
    assert!(more.parse::<usize>().unwrap() >= 39_900, "{more}");
    assert_eq!(answer.json()["error"].as_array().unwrap().len(), 101);
    server.shutdown().await;
}

/// Asks for one thing twice, in each header that can be: at the server, at a full node and at a mining
/// service.
#[tokio::test]
async fn headers_that_say_one_thing_come_once() {
    let server = Server::start_with("api_key = 'k'\ncors_origins = '*'").await;
    let node = server.devnet.node_url();
    let mining = server.devnet.mining_url();
    let place = |url: &str| url.strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned();
    let others = [(place(&node), "/v1a/version"), (place(&mining), "/health")];
    let ask = async |place: &str, path: &str, lines: &str| {
        let head = format!("GET {path} HTTP/1.1\r\n{lines}connection: close\r\n\r\n");
        exchange(place, head.as_bytes(), b"").await
    };
    for name in [
        "Host",
        "Origin",
        "Sec-Fetch-Site",
        "Sec-Fetch-Dest",
        "Content-Type",
        "Authorization",
        "X-API-KEY",
        "X-Wallet-Id",
        "X-First-Address",
        "X-Request-Id",
        "Idempotency-Key",
        "Last-Event-ID",
    ] {
        let host = if name == "Host" { "" } else { "host: localhost\r\n" };
        let why = format!("The header {name} comes more than once: send it once.");
        for lines in [
            format!("{host}{name}: localhost\r\n{}: evil\r\n", name.to_lowercase()),
            format!("{name}: k\r\nx-api-key: k\r\n{name}: k\r\n{host}"),
        ] {
            let answer = ask(&server.address, "/metrics", &lines).await;
            assert_eq!(answer.parts(), (400, json!({"success": false, "error": why})), "{lines}");
            for (place, path) in &others {
                assert_eq!(ask(place, path, &lines).await.parts(), (400, json!({"error": why})), "{lines}");
            }
        }
    }
    // Of lengths, hyper refuses two that differ.
    let lengths = "host: localhost\r\ncontent-length: 0\r\ncontent-length: 1\r\n";
    assert_eq!(ask(&server.address, "/metrics", lengths).await.status, 400);
    // What may be a list may come twice.
    let lists =
        "host: localhost\r\nx-api-key: k\r\naccept: a/b\r\naccept: c/d\r\nvia: 1.1 a\r\nvia: 1.1 b\r\n";
    assert_eq!(ask(&server.address, "/metrics", lists).await.status, 200);

    let why = "The header Host is missing, which HTTP/1.1 asks for.";
    let answer = ask(&server.address, "/metrics", "x-api-key: k\r\n").await;
    assert_eq!(answer.parts(), (400, json!({"success": false, "error": why})));
    for (place, path) in &others {
        assert_eq!(ask(place, path, "").await.parts(), (400, json!({"error": why})));
        let old = exchange(place, format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes(), b"").await;
        assert_eq!(old.status, 200);
    }
    server.shutdown().await;
}
