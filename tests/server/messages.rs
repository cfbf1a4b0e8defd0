//! The longest messages, and the command line, which verifies them without a server.

use super::command_line::{program, run};
use super::support::Server;
use serde_json::{Value, json};

/// What the genesis wallet's key at index 3 signs `hello` with, the same each time (RFC 6979).
const SIGNATURE: &str =
    "IKk3wmQPlEnh51zwXeCVfSzlqeuSdKV5Qm5JRzQKB8u4BXCzWtPqr+G0/YHFqEp+VmMpym2h35dvr4HSk9OR+sw=";

/// A 400 that names one field of the body.
fn wrong(field: &str, value: &str, must: &str) -> (u16, Value) {
    let entry = json!({"value": value, "msg": "Invalid value", "param": field, "location": "body"});
    (400, json!({"success": false, "error": [entry], "message": format!("{field} {must}.")}))
}

async fn sign(server: &Server, wallet: &str, address: &str, message: &str) -> (u16, Value) {
    let body = json!({"message": message, "address": address});
    server.post("/wallet/sign-message", Some(wallet), &body).await.parts()
}

async fn verify(server: &Server, address: &str, message: &str, signature: &str) -> (u16, Value) {
    let body = json!({"message": message, "address": address, "signature": signature});
    // Without a wallet.
    server.post("/wallet/verify-message", None, &body).await.parts()
}

#[tokio::test]
async fn messages_have_a_limit_in_bytes() {
    let server = Server::with_wallet().await;
    let address = server.address(0).await;
    // The longest in a body: six characters of JSON for each byte.
    for longest in ["\u{1}".repeat(16_384), "é".repeat(8_192)] {
        let (_, signed) = sign(&server, "genesis", &address, &longest).await;
        let signature = signed["signature"].as_str().unwrap();
        assert_eq!(
            verify(&server, &address, &longest, signature).await,
            (200, json!({"success": true, "valid": true}))
        );
    }
    let long = "é".repeat(8_193);
    let refused = wrong(
        "message",
        &long,
        "must have at most 16384 bytes in UTF-8, and has 16386: sign its hash instead",
    );
    assert_eq!(sign(&server, "genesis", &address, &long).await, refused);
    assert_eq!(verify(&server, &address, &long, SIGNATURE).await, refused);
    server.shutdown().await;
}

#[tokio::test]
async fn nobody_is_asked_whether_a_signature_is_valid() {
    let address = "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f";
    let mut program = program();
    program.args(["wallet", "verify-message", address, "hello", SIGNATURE, "--json"]);
    assert_eq!(run(program, "").await, (1, "{\"success\":true,\"valid\":false}\n".to_owned(), String::new()));
}
