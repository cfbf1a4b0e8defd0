//! Which web pages the local network lets in: any that this machine serves to itself, and no other.

use super::support::{Answer, Server, ask, exchange};
use serde_json::json;

const UPGRADE: &[(&str, &str)] = &[
    ("upgrade", "websocket"),
    ("sec-websocket-version", "13"),
    ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
];

fn place(url: &str) -> String {
    url.strip_prefix("http://").unwrap().split_once('/').unwrap().0.to_owned()
}

/// The status of a WebSocket's handshake.
async fn handshake(node: &str, origin: &str) -> u16 {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut head =
        format!("GET /v1a/ws/ HTTP/1.1\r\nhost: {node}\r\nconnection: upgrade\r\norigin: {origin}\r\n");
    for (name, value) in UPGRADE {
        head += &format!("{name}: {value}\r\n");
    }
    let mut connection = tokio::net::TcpStream::connect(node).await.unwrap();
    connection.write_all((head + "\r\n").as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    connection.read_exact(&mut answer).await.unwrap();
    std::str::from_utf8(&answer).unwrap().split(' ').nth(1).unwrap().parse().unwrap()
}

#[tokio::test]
async fn pages_of_this_machine() {
    let server = Server::start().await;
    let (node, mining) = (place(&server.devnet.node_url()), place(&server.devnet.mining_url()));
    let allowed = |answer: &Answer| {
        let header = |name| answer.header(name).map(str::to_owned);
        (answer.status, header("access-control-allow-origin"), header("vary"))
    };
    for origin in ["http://localhost:5173", "https://127.0.0.1", "http://[::1]:8080"] {
        let local = (200, Some(origin.to_owned()), Some("Origin".to_owned()));
        let headers = [("origin", origin), ("sec-fetch-site", "cross-site")];
        for (place, path) in [(&node, "/v1a/version"), (&node, "/devnet/status"), (&mining, "/health")] {
            assert_eq!(allowed(&ask(place, "GET", path, &headers, b"").await), local, "{path}");
        }
        for (place, path) in [(&node, "/v1a/push_tx"), (&mining, "/submit-job")] {
            let answer = ask(place, "OPTIONS", path, &headers, b"").await;
            assert_eq!(allowed(&answer), local, "{path}");
            assert!(answer.header("access-control-allow-headers").unwrap().contains("content-type"));
        }
        assert_eq!(handshake(&node, origin).await, 101);
    }
    // As real nodes say to everybody.
    let usual = (200, Some("http://localhost:3000".to_owned()), None);
    assert_eq!(allowed(&ask(&node, "GET", "/v1a/version", &[], b"").await), usual);
    server.shutdown().await;
}

#[tokio::test]
async fn pages_from_elsewhere() {
    let server = Server::start().await;
    let (node, mining) = (place(&server.devnet.node_url()), place(&server.devnet.mining_url()));
    let refused =
        json!({"error": "pages from elsewhere may not use the local network: serve yours at localhost"});
    let down = br#"{"mode":"down"}"#;
    for headers in [
        [("origin", "https://evil.example"), ("content-type", "text/plain")],
        [("origin", "http://localhost.evil.example:3000"), ("content-type", "application/json")],
        [("origin", "null"), ("content-type", "application/json")],
        [("sec-fetch-site", "cross-site"), ("content-type", "text/plain")],
    ] {
        for (place, method, path) in [
            (&node, "POST", "/devnet/node"),
            (&node, "POST", "/v1a/push_tx"),
            (&node, "GET", "/v1a/version"),
            (&mining, "POST", "/submit-job"),
        ] {
            let answer = ask(place, method, path, &headers, down).await;
            assert_eq!(answer.parts(), (403, refused.clone()), "{path}");
            assert_eq!(answer.header("access-control-allow-origin"), None);
        }
    }
    assert_eq!(handshake(&node, "https://evil.example").await, 403);
    // A name that a page has pointed here.
    let named = b"GET /devnet/status HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n";
    let error = "the local network is called localhost or by its address, and by no other name";
    let answer = exchange(&node, named, b"").await;
    assert_eq!(answer.parts(), (403, json!({"error": error})));
    // What a page could send without asking, and what nobody sends by mistake.
    for media_type in ["text/plain", "application/x-www-form-urlencoded"] {
        let answer = ask(&node, "POST", "/devnet/node", &[("content-type", media_type)], down).await;
        let error = "body: send it with `Content-Type: application/json`";
        assert_eq!(answer.parts(), (400, json!({"error": error})));
    }
    let typed = [("content-type", "Application/JSON; charset=utf-8")];
    assert_eq!(ask(&node, "POST", "/devnet/node", &typed, down).await.status, 200);
    server.shutdown().await;
}
