//! The HTTP layer: bodies, paths, methods, keys, the end.

use super::support::{Server, ask, hanging_send};
use headless_wallet::devnet::NodeFaults;
use miniz_oxide::deflate::compress_to_vec_zlib;
use serde_json::json;

const PLAIN: &str = r#"{"wallet-id":"genesis","seedKey":"genesis"}"#;
#[tokio::test]
async fn bodies_that_are_no_json_object_are_refused_in_json() {
    let server = Server::start().await;
    let json_type = "application/json";
    let large = format!("{{\"a\":\"{}\"}}", "x".repeat(102_400));
    let deep = "[".repeat(100_000);
    let table = [
        (
            json_type,
            "{\"a\":",
            "The request body is not valid JSON: EOF while parsing a value at line 1 column 5.",
        ),
        (json_type, "{\n a}", "The request body is not valid JSON: key must be a string at line 2 column 2."),
        (
            json_type,
            deep.as_str(),
            "The request body is not valid JSON: recursion limit exceeded at line 1 column 128.",
        ),
        (json_type, "[1]", "The request body must be a JSON object, and is an array."),
        (json_type, "\"x\"", "The request body must be a JSON object, and is a string."),
        (json_type, "5", "The request body must be a JSON object, and is a number."),
        (json_type, "null", "The request body must be a JSON object, and is null."),
        (json_type, large.as_str(), "The request body is too large: at most 102400 bytes are read."),
        (
            "text/plain",
            "{}",
            "The request's Content-Type is text/plain: send `Content-Type: application/json`.",
        ),
        (
            "application/x-www-form-urlencoded",
            "{\"a\":1}",
            "The request body is JSON, and its Content-Type says that it is a form: send `Content-Type: application/json`.",
        ),
        (
            "application/x-www-form-urlencoded",
            "a[b][c][d][e][f]=1",
            "The form's field \"a[b][c][d][e][f]\" can't be read: send the request as JSON.",
        ),
    ];
    for (content_type, body, error) in table {
        let answer = server.ask("POST", "/start", &[("content-type", content_type)], body.as_bytes()).await;
        assert_eq!(answer.parts(), (400, json!({"success": false, "error": error})));
        assert_eq!(answer.header("content-type"), Some("application/json; charset=utf-8"));
    }
    let answer = server.ask("POST", "/start", &[], b"{}").await;
    assert_eq!(
        answer.parts(),
        (
            400,
            json!({
                "success": false,
                "error": "The request has a body and no Content-Type: send `Content-Type: application/json`.",
            })
        )
    );
    server.shutdown().await;
}

/// `{"wallet-id":"genesis","seedKey":"genesis"}` as Node's `zlib` has it.
const GZIP: &str = "1f8b0800000000000003ab562a4fccc9492dd1cd4c51b2524a4fcd4b2dce2c56d2512a4e4d4df14ead4412ab050019215e7a2b000000";
const DEFLATE: &str = "789cab562a4fccc9492dd1cd4c51b2524a4fcd4b2dce2c56d2512a4e4d4df14ead4412ab050045b30ed2";

#[tokio::test]
async fn compressed_bodies_are_read_and_others_refused_by_the_name_of_their_header() {
    for settings in ["", "compat = '0.39'"] {
        let server = Server::start_with(settings).await;
        let json_type = ("content-type", "application/json");
        let post = |encoding, body: Vec<u8>| {
            let headers = [json_type, ("content-encoding", encoding)];
            let server = &server;
            async move { server.ask("POST", "/start", &headers, &body).await }
        };
        assert_eq!(post("gzip", hex::decode(GZIP).unwrap()).await.parts(), (200, json!({"success": true})));
        server.app.wallets().get("genesis").unwrap().ready().await;
        for (encoding, body) in [("deflate", hex::decode(DEFLATE).unwrap()), ("Identity", PLAIN.into())] {
            let answer = post(encoding, body).await;
            assert_eq!((answer.status, &answer.json()["errorCode"]), (200, &json!("WALLET_ALREADY_STARTED")));
        }
        let refused = |error: &str| json!({"success": false, "error": error});
        for encoding in ["br", "gzip, gzip", "zstd"] {
            let answer = post(encoding, PLAIN.into()).await;
            let error = format!(
                "The request's Content-Encoding is {encoding}: send the body without, or with one of gzip, deflate."
            );
            assert_eq!(answer.parts(), (415, refused(&error)));
            assert_eq!(answer.header("accept-encoding"), Some("gzip, deflate"));
        }
        for encoding in ["gzip", "deflate"] {
            let error = format!(
                "The request's Content-Encoding is {encoding}, and the body is not valid {encoding}."
            );
            assert_eq!(post(encoding, PLAIN.into()).await.parts(), (400, refused(&error)));
        }
        // A hundred megabytes of zeros.
        let bomb = compress_to_vec_zlib(&vec![0; 100 << 20], 1);
        let answer = post("deflate", bomb[..100_000].to_vec()).await;
        let error = "The request body is too large: at most 102400 bytes are read.";
        assert_eq!(answer.parts(), (400, refused(error)));
        server.shutdown().await;
    }
}

#[tokio::test]
async fn a_byte_order_mark_before_a_body_is_ignored() {
    let server = Server::start().await;
    let json_type = ("content-type", "application/json; charset=utf-8");
    let answer = server.ask("POST", "/start", &[json_type], format!("\u{feff}{PLAIN}").as_bytes()).await;
    assert_eq!(answer.parts(), (200, json!({"success": true})));
    server.shutdown().await;
}

/// A request is the same one, compressed or not.
#[tokio::test]
async fn a_key_stands_for_a_body_in_whatever_encoding() {
    let server = Server::with_wallet().await;
    let body = br#"{"outputs":[{"type":"data","data":"once"}]}"#;
    let headers =
        [("content-type", "application/json"), ("x-wallet-id", "genesis"), ("idempotency-key", "one")];
    let plain = server.ask("POST", "/wallet/send-tx", &headers, body).await;
    assert_eq!((plain.status, &plain.json()["success"]), (200, &json!(true)));
    let headers = [&headers[..], &[("content-encoding", "deflate")]].concat();
    let answer = server.ask("POST", "/wallet/send-tx", &headers, &compress_to_vec_zlib(body, 6)).await;
    assert_eq!((answer.header("idempotency-replayed"), answer.parts()), (Some("true"), plain.parts()));
    server.shutdown().await;
}

#[tokio::test]
async fn forms_are_read_as_curl_sends_them() {
    let server = Server::start().await;
    let form = ("content-type", "application/x-www-form-urlencoded");
    let answer = server.ask("POST", "/start", &[form], b"wallet-id=genesis&seedKey=genesis").await;
    assert_eq!(answer.parts(), (200, json!({"success": true})));
    server.app.wallets().get("genesis").unwrap().ready().await;
    let wallet = ("x-wallet-id", "genesis");
    let outputs = b"outputs[0][type]=data&outputs[0][data]=a%20b&outputs[1][address]=WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f&outputs[1][value]=5";
    let answer = server.ask("POST", "/wallet/send-tx", &[form, wallet], outputs).await;
    assert_eq!((answer.status, &answer.json()["success"]), (200, &json!(true)), "{}", answer.text);
    server.shutdown().await;
}

#[tokio::test]
async fn paths_and_methods() {
    let server = Server::with_wallet().await;
    let wallet = [("x-wallet-id", "genesis")];
    for path in ["/wallet/balance", "/WALLET/Balance", "/wallet/balance/", "/wallet/balance/?token=00"] {
        let answer = server.ask("GET", path, &wallet, b"").await;
        assert_eq!(answer.parts(), (200, json!({"available": 100_000_000_000_u64, "locked": 0})), "{path}");
    }
    let head = server.ask("HEAD", "/wallet/balance", &wallet, b"").await;
    assert_eq!((head.status, head.text.as_str(), head.header("content-length")), (200, "", Some("37")));
    let welcome = server.ask("GET", "/", &[], b"").await;
    assert_eq!((welcome.status, welcome.header("content-type")), (200, Some("text/html; charset=utf-8")));

    for (method, path) in [
        ("GET", "/nothing"),
        ("GET", "/Start"),
        ("DELETE", "/wallet/balance"),
        ("GET", "/wallet/create-token"),
        ("OPTIONS", "/nothing"),
        ("GET", "/wallet/nothing/"),
        ("GET", "/wallet/balance//"),
    ] {
        let answer = server.ask(method, path, &wallet, b"").await;
        let error = format!("Cannot {method} {path}: no such endpoint.");
        assert_eq!(answer.parts(), (404, json!({"success": false, "error": error})));
    }
    let options = server.ask("OPTIONS", "/start", &[], b"").await;
    assert_eq!((options.status, options.header("allow"), options.text.as_str()), (200, Some("POST"), "POST"));
    let options = server.ask("OPTIONS", "/wallet/balance", &wallet, b"").await;
    assert_eq!(
        (options.status, options.header("allow"), options.text.as_str()),
        (200, Some("GET,HEAD"), "GET,HEAD")
    );
    assert_eq!(options.header("content-type"), Some("text/html; charset=utf-8"));
    // What was refused for want of a wallet says nothing of methods.
    let refused = server.ask("OPTIONS", "/wallet/balance", &[], b"").await;
    assert_eq!((refused.status, refused.header("allow")), (200, None));
    for answer in [welcome, head, options] {
        assert!(!answer.head.to_ascii_lowercase().contains("access-control"), "{}", answer.head);
    }
    server.shutdown().await;
}

#[tokio::test]
async fn the_api_key_is_asked_for_on_every_path() {
    let server = Server::start_with("api_key = 'open sesame'").await;
    for path in ["/", "/start", "/nothing", "/wallet/status"] {
        let answer = server.ask("GET", path, &[], b"").await;
        assert_eq!(answer.parts(), (401, json!({"auth": false, "message": "Missing X-API-KEY header."})));
        let answer = server.ask("GET", path, &[("x-api-key", "sesame")], b"").await;
        assert_eq!(answer.parts(), (401, json!({"auth": false, "message": "Wrong api key."})));
    }
    assert_eq!(server.ask("GET", "/", &[("x-api-key", "open sesame")], b"").await.status, 200);
    server.shutdown().await;
}

#[tokio::test]
async fn the_end_waits_for_requests_in_flight_and_says_so_to_others() {
    let server = Server::with_wallet().await;
    let send = hanging_send(&server.devnet, &server.address).await;
    let address = server.address.clone();
    let (end, devnet) = server.begin_shutdown();
    let error = "The service is shutting down and takes no new requests.";
    let refused = (503, json!({"success": false, "error": error}));
    while ask(&address, "GET", "/", &[], b"").await.status != 503 {
        tokio::task::yield_now().await;
    }
    for path in ["/wallet/balance", "/health", "/nothing"] {
        assert_eq!(ask(&address, "GET", path, &[], b"").await.parts(), refused, "{path}");
    }
    devnet.set_node_faults(NodeFaults::default());
    let answer = send.await.unwrap();
    assert_eq!((answer.status, &answer.json()["success"]), (200, &json!(true)), "{}", answer.text);
    end.await.unwrap();
    devnet.shutdown().await;
}
