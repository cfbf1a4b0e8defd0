//! simple-send-tx and mint-tokens, what is tried without sending, and wallets that can't sign.

use super::support::{Server, names};
use headless_wallet::devnet::{NodeFaults, NodeMode};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, Network};
use headless_wallet::service::Phase;
use serde_json::{Value, json};

const FOREIGN: &str = "WPynsVhyU6nP7RSZAkqfijEutC88KgAyFc";

/// Values and token data of the outputs, in order.
fn outputs(answer: &Value) -> Vec<(u64, u64)> {
    let outputs = answer["outputs"].as_array().unwrap();
    outputs.iter().map(|o| (o["value"].as_u64().unwrap(), o["token_data"].as_u64().unwrap())).collect()
}

fn failed(error: &str) -> (u16, Value) {
    (200, json!({"success": false, "error": error}))
}

#[tokio::test]
async fn simple_send_pays_one_address() {
    let server = Server::with_wallet().await;
    let (to, change) = (server.address(6).await, server.address(7).await);
    let answer =
        server.done("simple-send-tx", json!({"address": to, "value": "12", "change_address": change})).await;
    let mut made = outputs(&answer);
    made.sort_unstable();
    assert_eq!((made.len(), made[0]), (2, (12, 0)));
    assert_eq!(answer["tokens"], json!([]));
    assert_eq!(
        server.read(&format!("/wallet/address-info?address={change}")).await["total_amount_available"],
        made[1].0
    );

    let token = server.done("create-token", json!({"name": "T", "symbol": "T", "amount": 500})).await;
    let token = &token["hash"];
    for given in [token.clone(), json!({"uid": token, "name": "T", "symbol": "T"})] {
        let answer =
            server.done("simple-send-tx", json!({"address": to, "value": 100, "token": given})).await;
        assert_eq!(answer["tokens"], json!([token]));
    }
    assert_eq!(
        server.read(&format!("/wallet/address-info?address={to}&token={}", token.as_str().unwrap())).await["total_amount_received"],
        200
    );
    server.shutdown().await;
}

#[tokio::test]
async fn simple_send_refuses_in_the_known_words() {
    let server = Server::with_wallet().await;
    let to = server.address(6).await;
    let table = [
        (
            json!({"address": to, "value": 1, "change_address": FOREIGN}),
            "Change address is not from this wallet".to_owned(),
        ),
        (json!({"address": "0OIl", "value": 1}), "Invalid base58 address".to_owned()),
        (
            json!({"address": to, "value": 100_000_000_001_u64}),
            "Token: 00. Insufficient amount of tokens to fill the amount.".to_owned(),
        ),
        (
            json!({"address": to, "value": 9_223_372_036_854_775_809_u64}),
            "Maximum value is 92,233,720,368,547,758.08".to_owned(),
        ),
    ];
    for (body, error) in table {
        let (status, answer) = server.call("simple-send-tx", body.clone()).await.parts();
        assert_eq!((status, &answer["error"]), (200, &json!(error)), "{body}");
    }
    let answer = server.call("simple-send-tx", json!({})).await;
    let entry = |param| json!({"msg": "Invalid value", "param": param, "location": "body"});
    assert_eq!(
        answer.parts(),
        (
            400,
            json!({
                "success": false,
                "error": [entry("address"), entry("value")],
                "message": "address is required and must be a string. value is required and must be an integer of at \
                            least 1, in cents.",
            })
        )
    );
    server.shutdown().await;
}

#[tokio::test]
async fn mint_takes_a_deposit_and_keeps_the_authority() {
    let server = Server::with_wallet().await;
    let (to, change, authority) = (server.address(6).await, server.address(7).await, server.address(8).await);
    let token = server.done("create-token", json!({"name": "T", "symbol": "T", "amount": 100})).await;
    let token = token["hash"].as_str().unwrap();
    let before = server.read("/wallet/balance").await["available"].as_u64().unwrap();
    let answer = server
        .done(
            "mint-tokens",
            json!({
                "token": token, "amount": 1001, "address": to, "change_address": change,
                "mint_authority_address": authority, "data": ["first", "second"],
            }),
        )
        .await;
    assert_eq!(answer["tokens"], json!([token]));
    let made = outputs(&answer);
    // Data comes first, in reverse order; 11 cents of deposit and 2 for the data.
    assert_eq!((made[0], made[1]), ((1, 0), (1, 0)));
    assert_eq!(answer["outputs"][0]["script"]["data"][1], b's');
    assert_eq!(made[2].1, 0, "change");
    assert_eq!(made[3..], [(1001, 1), (1, 129)]);
    assert_eq!(server.read("/wallet/balance").await["available"], before - 13);
    assert_eq!(
        server.read(&format!("/wallet/balance?token={token}")).await,
        json!({"available": 1101, "locked": 0})
    );

    let answer = server
        .done("mint-tokens", json!({"token": token, "amount": 1, "data": ["last"], "unshift_data": false}))
        .await;
    assert_eq!(outputs(&answer)[1..], [(1, 1), (1, 129), (1, 0)]);
    let external = json!({"token": token, "amount": 1, "mint_authority_address": FOREIGN});
    assert_eq!(
        server.call("mint-tokens", external).await.parts(),
        failed("The mint authority address must belong to your wallet.")
    );
    let allowed = json!({
        "token": token, "amount": 1, "mint_authority_address": FOREIGN,
        "allow_external_mint_authority_address": true,
    });
    server.done("mint-tokens", allowed).await;
    let gone = "Don't have mint authority output available.";
    for token in [token, "00"] {
        let answer = server.call("mint-tokens", json!({"token": token, "amount": 1})).await;
        assert_eq!(answer.parts(), failed(gone), "{token}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn a_dry_run_says_what_would_be_sent_and_sends_nothing() {
    let server = Server::with_wallet().await;
    let token = server.done("create-token", json!({"name": "T", "symbol": "T", "amount": 1000})).await;
    let token = token["hash"].as_str().unwrap();
    let to = server.address(6).await;
    let before = (
        server.read("/wallet/utxo-filter?only_available_utxos=true").await,
        server.read("/wallet/tx-history").await,
    );
    let cost = |deposit: i64, fee: u64, data: u64| {
        json!({
            "deposit": deposit, "fee": fee, "data": data,
            "total": deposit + i64::try_from(fee + data).unwrap(),
        })
    };
    let table = [
        ("simple-send-tx", json!({"address": to, "value": 5}), cost(0, 0, 0)),
        (
            "send-tx",
            json!({"outputs": [{"type": "data", "data": "x"}, {"address": to, "value": 5, "token": token}]}),
            cost(0, 0, 1),
        ),
        ("create-token", json!({"name": "T", "symbol": "T", "amount": 150, "data": ["x"]}), cost(2, 0, 1)),
        ("create-nft", json!({"name": "T", "symbol": "T", "amount": 1, "data": "x"}), cost(1, 0, 1)),
        ("mint-tokens", json!({"token": token, "amount": 101}), cost(2, 0, 0)),
        ("melt-tokens", json!({"token": token, "amount": 299}), cost(-2, 0, 0)),
    ];
    for (operation, body, cost) in table {
        let answer = server.done(&format!("{operation}?dry_run=true"), body.clone()).await;
        assert_eq!((&answer["dry_run"], &answer["cost"]), (&json!(true), &cost), "{operation}");
        assert_eq!((&answer["hash"], &answer["parents"]), (&Value::Null, &json!([])));
        assert!(!answer["outputs"].as_array().unwrap().is_empty());
        assert_eq!(answer["inputs"][0]["data"], json!({"type": "Buffer", "data": []}));
    }
    let after = (
        server.read("/wallet/utxo-filter?only_available_utxos=true").await,
        server.read("/wallet/tx-history").await,
    );
    assert_eq!(after, before);
    let refused = server.call("simple-send-tx?dry_run=true", json!({"address": to, "value": u64::MAX})).await;
    assert_eq!(refused.parts(), failed("Maximum value is 92,233,720,368,547,758.08"));
    let answer = server.call("simple-send-tx?dry_run=yes", json!({"address": to, "value": 5})).await;
    assert_eq!(answer.status, 400);
    assert_eq!(answer.json()["message"], "dry_run must be true or false.");
    let sent = server.done("simple-send-tx?dry_run=false", json!({"address": to, "value": 5})).await;
    assert!(!names(&sent).contains(&"dry_run"));
    server.shutdown().await;
}

/// Account xpub of the genesis words.
async fn xpub(server: &Server) -> String {
    use headless_wallet::keys::{AccountKeys, Mnemonic};
    let words = Mnemonic::parse(super::support::GENESIS_WORDS).unwrap();
    let xpub = AccountKeys::from_mnemonic(&words, "").public().to_xpub();
    server.start_wallet("watcher", json!({"xpubkey": xpub})).await;
    xpub
}

/// Every write, with a body that would do for a wallet that can sign.
fn every_write(to: &str) -> [(&'static str, Value, &'static str); 7] {
    let token = "ab".repeat(32);
    [
        ("simple-send-tx", json!({"address": to, "value": 1}), "sendTransaction"),
        ("send-tx", json!({"outputs": [{"address": to, "value": 1}]}), "sendManyOutputsTransaction"),
        ("create-token", json!({"name": "T", "symbol": "T", "amount": 1}), "createNewToken"),
        ("create-nft", json!({"name": "T", "symbol": "T", "amount": 1, "data": "x"}), "createNewToken"),
        ("mint-tokens", json!({"token": token, "amount": 1}), "mintTokens"),
        ("melt-tokens", json!({"token": token, "amount": 1}), "meltTokens"),
        ("utxo-consolidation", json!({"destination_address": to}), "consolidateUtxos"),
    ]
}

#[tokio::test]
async fn a_read_only_wallet_reads_all_and_says_why_it_does_not_send() {
    let server = Server::with_wallet().await;
    xpub(&server).await;
    for path in ["/wallet/balance", "/wallet/addresses", "/wallet/utxo-filter", "/wallet/tx-history"] {
        let watched = server.ask("GET", path, &[("x-wallet-id", "watcher")], b"").await;
        assert_eq!(watched.json(), server.read(path).await, "{path}");
    }
    let to = server.address(6).await;
    let error = "this wallet was started from an xpub and can't sign: start it from its words to send";
    for (operation, body, _) in every_write(&to) {
        let answer = server.post(&format!("/wallet/{operation}"), Some("watcher"), &body).await;
        assert_eq!(answer.parts(), failed(error), "{operation}");
    }
    let answer = server.post("/wallet/send-tx?dry_run=true", Some("watcher"), &every_write(&to)[1].1).await;
    assert_eq!(answer.json()["success"], true, "{}", answer.text);
    server.shutdown().await;
}

#[tokio::test]
async fn a_read_only_wallet_of_release_0_39_names_a_method() {
    let server = Server::with_wallet_and("compat = '0.39'").await;
    xpub(&server).await;
    let to = server.address(6).await;
    for (operation, body, method) in every_write(&to) {
        let answer = server.post(&format!("/wallet/{operation}"), Some("watcher"), &body).await;
        assert_eq!(answer.parts(), failed(method), "{operation}");
    }
    server.shutdown().await;
}

/// One transaction has at most 255 inputs. What needs more is refused, and the refusal says how to go on;
/// doing so helps.
#[tokio::test]
async fn a_send_of_more_than_255_inputs_says_how_and_goes_through_after_that() {
    let server = Server::start().await;
    let words = Mnemonic::generate().unwrap();
    let keys = AccountKeys::from_mnemonic(&words, "").public();
    let home = Address::p2pkh(Network::Privatenet, keys.key_hashes(0..1)[0]);
    for _ in 0..300 {
        server.devnet.change(|chain, now| chain.fund(home, Amount::from(2), now)).unwrap();
    }
    server.start_wallet("crumbs", json!({ "seed": words.words() })).await;
    let all = json!({"address": FOREIGN, "value": 600});
    let send = || server.post("/wallet/simple-send-tx", Some("crumbs"), &all);
    let error = "Transaction has 300 inputs and can have at most 255. Token 00 is spread over many outputs of which one transaction can \
                 move 510: send that much or less to an address of this wallet first, to make one output of many";
    assert_eq!(send().await.parts(), (200, json!({"success": false, "error": error})));
    let merge = json!({"destination_address": home.to_string()});
    let merged = server.post("/wallet/utxo-consolidation", Some("crumbs"), &merge).await.json();
    assert_eq!((&merged["success"], &merged["total_utxos_consolidated"]), (&json!(true), &json!(255)));
    assert_eq!(send().await.json()["success"], true);
    server.shutdown().await;
}

/// The push is taken while the WebSocket is gone: what was sent is told all the same.
#[tokio::test]
async fn a_consolidation_is_answered_as_done_when_the_connection_to_the_node_broke_meanwhile() {
    let server = Server::with_wallet().await;
    let to = server.address(6).await;
    let pay = |value: u64| json!({"address": to, "value": value});
    let paid = server.done("send-tx", json!({"outputs": [pay(3), pay(4)]})).await;
    let faults = |mode, path: &str| {
        server.devnet.set_node_faults(NodeFaults { mode, path: path.to_owned(), ..NodeFaults::default() });
    };
    faults(NodeMode::Slow, "push_tx");
    let body = json!({"destination_address": server.address(7).await, "filter_address": to});
    let break_connection = async {
        let free = format!("/wallet/utxo-filter?only_available_utxos=true&filter_address={to}");
        while server.read(&free).await["total_utxos_available"] != 0 {
            tokio::task::yield_now().await;
        }
        // The push that waits is turned away, and made again until the node takes it.
        faults(NodeMode::Down, "");
        let wallet = server.app.wallets().get("genesis").unwrap();
        wallet.watch().wait_for(|status| status.phase != Phase::Ready).await.unwrap();
        faults(NodeMode::Down, "ws");
    };
    let (answer, ()) = tokio::join!(server.call("utxo-consolidation", body), break_connection);
    let not_ready = server.get("/wallet/balance").await;
    assert_eq!(not_ready.json()["success"], false, "{}", not_ready.text);
    // In the order of the outputs, which is a random one.
    let places = outputs(&paid).into_iter().enumerate().filter(|(_, (value, _))| [3, 4].contains(value));
    let utxos = places.map(|(index, (amount, _))| {
        json!({"address": to, "amount": amount, "tx_id": paid["hash"], "locked": false, "index": index})
    });
    let merged = answer.json();
    let id = merged["txId"].clone();
    assert_eq!(
        (answer.status, merged),
        (
            200,
            json!({
                "success": true, "txId": id, "total_utxos_consolidated": 2, "total_amount": 7,
                "utxos": utxos.collect::<Vec<_>>(),
            })
        )
    );
    let id = id.as_str().unwrap().parse().unwrap();
    assert!(server.devnet.read(|chain| chain.get(&id).is_some()));
    server.shutdown().await;
}
