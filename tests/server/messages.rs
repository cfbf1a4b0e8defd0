//! Messages signed with the key of an address, over HTTP and on the command line.

use super::command_line::{Ended, failed, program, run};
use super::multisig::Three;
use super::support::Server;
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Network};
use serde_json::{Value, json};

/// What the genesis wallet's key at index 3 signs `hello` with, the same each time (RFC 6979).
const SIGNATURE: &str =
    "IKk3wmQPlEnh51zwXeCVfSzlqeuSdKV5Qm5JRzQKB8u4BXCzWtPqr+G0/YHFqEp+VmMpym2h35dvr4HSk9OR+sw=";
const FOREIGN: &str = "WPynsVhyU6nP7RSZAkqfijEutC88KgAyFc";

fn failure(error: &str) -> (u16, Value) {
    (200, json!({"success": false, "error": error}))
}

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

fn valid(yes: bool) -> (u16, Value) {
    (200, json!({"success": true, "valid": yes}))
}

#[tokio::test]
async fn a_message_is_signed_with_the_key_of_an_address_and_anybody_can_verify_it() {
    let server = Server::with_wallet().await;
    let address = server.address(3).await;
    let expected = json!({
        "success": true, "message": "hello", "signature": SIGNATURE, "address": address, "index": 3,
    });
    assert_eq!(sign(&server, "genesis", &address, "hello").await, (200, expected));
    assert_eq!(verify(&server, &address, "hello", SIGNATURE).await, valid(true));
    let cut = &SIGNATURE[..84];
    for (address, message, signature) in [
        (&*address, "hello ", SIGNATURE),
        (&*address, "", SIGNATURE),
        (FOREIGN, "hello", SIGNATURE),
        (&*address, "hello", cut),
        (&*address, "hello", ""),
        (&*address, "hello", "no base64"),
    ] {
        assert_eq!(verify(&server, address, message, signature).await, valid(false), "{message} {signature}");
    }
    for message in ["", "mensagem com acentuação 🚀", "\u{0}\u{1b}\n"] {
        let (_, signed) = sign(&server, "genesis", &address, message).await;
        assert_eq!(signed["message"], message);
        let signature = signed["signature"].as_str().unwrap();
        assert_eq!(verify(&server, &address, message, signature).await, valid(true), "{message}");
    }
    // A wallet that is not there does not matter to those who verify.
    let body = json!({"message": "hello", "address": address, "signature": SIGNATURE});
    assert_eq!(server.post("/wallet/verify-message", Some("nobodys"), &body).await.parts(), valid(true));
    assert_eq!(
        server.post("/wallet/sign-message", None, &body).await.parts(),
        (200, json!({"success": false, "message": "Header 'X-Wallet-Id' is required.", "statusMessage": ""}))
    );
    server.shutdown().await;
}

#[tokio::test]
async fn messages_have_a_limit_in_bytes() {
    let server = Server::with_wallet().await;
    let address = server.address(0).await;
    // The longest in a body: six characters of JSON for each byte.
    for longest in ["\u{1}".repeat(16_384), "é".repeat(8_192)] {
        let (_, signed) = sign(&server, "genesis", &address, &longest).await;
        let signature = signed["signature"].as_str().unwrap();
        assert_eq!(verify(&server, &address, &longest, signature).await, valid(true));
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
async fn who_can_not_sign_a_message_says_why() {
    let three = Three::new();
    let server = three.server().await;
    three.start(&server).await;
    let genesis = AccountKeys::from_mnemonic(&Mnemonic::parse(super::support::GENESIS_WORDS).unwrap(), "");
    server.start_wallet("watching", json!({"xpubkey": genesis.public().to_xpub()})).await;
    let address = server.address(0).await;

    let not_mine = failure("Address does not belong to this wallet.");
    for other in [FOREIGN, &*three.addresses[0], "nonsense", ""] {
        assert_eq!(sign(&server, "genesis", other, "hello").await, not_mine, "{other}");
    }
    assert_eq!(
        sign(&server, "watching", &address, "hello").await,
        failure(
            "this wallet was started from an xpub and can't sign: start it from its words to sign messages"
        )
    );
    assert_eq!(
        sign(&server, "0", &three.addresses[0], "hello").await,
        failure(
            "this wallet is multisig: its addresses are of several keys, and a message is signed by one; sign with an address of \
             a wallet of one key"
        )
    );
    server.shutdown().await;
}

#[tokio::test]
async fn a_message_is_verified_by_an_address_of_one_key_of_the_network() {
    let three = Three::new();
    let server = Server::start().await;
    let mainnet = Address::p2pkh(Network::Mainnet, [7; 20]).to_string();
    for (address, must) in [
        (
            &*three.addresses[0],
            "must be of one key (P2PKH): nobody signs messages for a multisig address".to_owned(),
        ),
        (
            &*mainnet,
            format!(
                "must be an address of privatenet: Invalid address: {mainnet}. Invalid network byte. Expected: 73 or 135 and received 40. It is an address of mainnet"
            ),
        ),
        (
            "",
            "must be an address of privatenet: Invalid address: . Address has 0 bytes and should have 25"
                .to_owned(),
        ),
    ] {
        assert_eq!(verify(&server, address, "hello", SIGNATURE).await, wrong("address", address, &must));
    }
    server.shutdown().await;
}

#[tokio::test]
async fn messages_on_the_command_line() {
    let server = Server::with_wallet().await;
    let address = server.address(3).await;
    let wallet = async |args: &[&str]| -> Ended {
        let mut program = program();
        program.args(["wallet", "--wallet-id", "genesis", "--url", &format!("http://{}", server.address)]);
        program.args(args);
        run(program, "").await
    };
    let fine = |out: &str| (0, format!("{out}\n"), String::new());
    assert_eq!(wallet(&["sign-message", &address, "hello"]).await, fine(SIGNATURE));
    let answer = json!({
        "success": true, "message": "hello", "signature": SIGNATURE, "address": address, "index": 3,
    });
    let (code, out, _) = wallet(&["sign-message", &address, "hello", "--json"]).await;
    assert_eq!((code, serde_json::from_str::<Value>(&out).unwrap()), (0, answer));
    assert_eq!(
        wallet(&["sign-message", FOREIGN, "hello"]).await,
        failed("Address does not belong to this wallet.")
    );

    // Nobody is asked.
    let alone = async |args: &[&str]| -> Ended {
        let mut program = program();
        program.arg("wallet").args(args);
        run(program, "").await
    };
    assert_eq!(
        alone(&["verify-message", &address, "hello", SIGNATURE]).await,
        fine("The signature is valid.")
    );
    assert_eq!(
        alone(&["verify-message", &address, "hello", SIGNATURE, "--json"]).await,
        fine(r#"{"success":true,"valid":true}"#)
    );
    assert_eq!(
        alone(&["verify-message", &address, "hallo", SIGNATURE]).await,
        failed("The signature is not of this message, or not by the key of this address.")
    );
    assert_eq!(
        alone(&["verify-message", &address, "hallo", SIGNATURE, "--json"]).await,
        (1, "{\"success\":true,\"valid\":false}\n".to_owned(), String::new())
    );
    assert_eq!(
        alone(&["verify-message", "0OIl", "hello", SIGNATURE]).await,
        failed("address must be an address: Invalid base58 address.")
    );
    server.shutdown().await;
}
