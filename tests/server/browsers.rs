//! Cross-origin headers, as the interface document asks for them.

use super::support::{Answer, Server};

fn cors(answer: &Answer) -> Vec<(String, String)> {
    let lines = answer.head.lines().filter_map(|line| line.split_once(": "));
    let cors = lines.filter(|(name, _)| name.starts_with("access-control") || *name == "vary");
    let mut found: Vec<_> = cors.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    found.sort();
    found
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

const HEADERS: &str = "X-Wallet-Id,X-API-KEY,X-First-Address,X-Request-Id,Idempotency-Key,Prefer,Priority,DNT,\
    User-Agent,X-Requested-With,If-Modified-Since,Cache-Control,Content-Type,Range";
const METHODS: &str = "GET, POST, PUT, DELETE, OPTIONS";
const EXPOSED: &str = "Content-Length,Content-Range,Retry-After,X-Request-Id,Idempotency-Replayed";

#[tokio::test]
async fn any_origin() {
    let server = Server::start_with("cors_origins = '*'\napi_key = 'k'").await;
    let allowed = pairs(&[
        ("access-control-allow-headers", HEADERS),
        ("access-control-allow-methods", METHODS),
        ("access-control-allow-origin", "*"),
        ("access-control-expose-headers", EXPOSED),
    ]);
    let key = ("x-api-key", "k");
    for (path, headers, status) in [
        ("/", &[key][..], 200),
        ("/wallet/balance", &[key, ("x-wallet-id", "a")], 200),
        ("/wallet/balance", &[], 401),
        ("/nothing", &[key, ("origin", "https://example.com")], 404),
    ] {
        let answer = server.ask("GET", path, headers, b"").await;
        assert_eq!((answer.status, cors(&answer)), (status, allowed.clone()), "{path}");
    }
    // A pre-flight has neither wallet nor key.
    for path in ["/wallet/send-tx", "/start", "/nothing"] {
        let answer = server.ask("OPTIONS", path, &[("origin", "https://example.com")], b"").await;
        let preflight = pairs(&[
            ("access-control-allow-headers", HEADERS),
            ("access-control-allow-methods", METHODS),
            ("access-control-allow-origin", "*"),
            ("access-control-max-age", "1728000"),
        ]);
        assert_eq!((answer.status, cors(&answer), answer.text.as_str()), (204, preflight, ""), "{path}");
        assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
    }
    server.shutdown().await;
}

#[tokio::test]
async fn listed_origins() {
    let server = Server::start_with("cors_origins = ['https://a.example', 'http://localhost:3000']").await;
    let ask = async |method: &str, origin: &[(&str, &str)]| server.ask(method, "/", origin, b"").await;
    for origin in ["https://a.example", "http://localhost:3000"] {
        let answer = ask("GET", &[("origin", origin)]).await;
        assert_eq!(answer.header("access-control-allow-origin"), Some(origin));
        assert_eq!(answer.header("vary"), Some("Origin"));
        assert_eq!(ask("OPTIONS", &[("origin", origin)]).await.status, 204);
    }
    for (origin, status) in [
        (&[("origin", "https://b.example")][..], 403),
        (&[("origin", "https://a.example.b")], 403),
        // No page asks.
        (&[], 200),
    ] {
        for method in ["GET", "OPTIONS"] {
            let answer = ask(method, origin).await;
            assert_eq!((answer.status, cors(&answer)), (status, vec![]), "{method} {origin:?}");
        }
    }
    server.shutdown().await;
}
