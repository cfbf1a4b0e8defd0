//! Requests that are refused: in clear words, and without changing anything.

use super::raw::STRANGER;
use super::support::Server;
use headless_wallet::devnet::{MiningFaults, MiningMode};
use headless_wallet::ledger::{Address, Network};
use serde_json::{Value, json};

/// Everything that a caller can see of the wallet's money.
async fn holdings(server: &Server) -> (Value, Value) {
    (server.read("/wallet/balance").await, server.read("/wallet/utxo-filter?only_available_utxos=true").await)
}

#[tokio::test]
async fn bad_requests_change_nothing() {
    let server = Server::with_wallet().await;
    let before = holdings(&server).await;
    let mine = server.address(0).await;
    let mainnet = Address::p2pkh(Network::Mainnet, [1; 20]).to_string();
    let long_name = json!({"name": "x".repeat(31), "symbol": "ABCDEF", "amount": 1});
    let answer = server.call("create-token", long_name).await;
    assert_eq!(answer.status, 400);
    assert_eq!(
        answer.json()["details"],
        json!([
            "name is String must contain at most 30 character(s)",
            "symbol is String must contain at most 5 character(s)",
        ])
    );
    let too_many = json!({"outputs": vec![json!({"type": "data", "data": "x"}); 26]});
    let answer = server.call("send-tx", too_many).await;
    assert_eq!(answer.status, 400);
    assert_eq!(answer.json()["error"][0]["msg"], "Transaction has 26 data outputs and can have at most 25.");

    let token = "ab".repeat(32);
    let table = [
        (
            "send-tx",
            json!({"outputs": [{"address": mainnet, "value": 1}]}),
            format!(
                "Invalid address: {mainnet}. Invalid network byte. Expected: 73 or 135 and received 40. \
                 It is an address of mainnet."
            ),
        ),
        (
            "create-token",
            json!({"name": "T", "symbol": "T", "amount": 1, "address": "0OIl"}),
            "Invalid base58 address".to_owned(),
        ),
        (
            "send-tx",
            json!({"outputs": [{"address": mine, "value": 1, "token": token}]}),
            format!("Token: {token}. Insufficient amount of tokens to fill the amount."),
        ),
        (
            "send-tx",
            json!({"outputs": [{"address": mine, "value": 100_000_000_001_u64}]}),
            "Token: 00. Insufficient amount of tokens to fill the amount.".to_owned(),
        ),
        (
            "send-tx",
            json!({"outputs": [{"address": mine, "value": 1}], "inputs": [{"hash": "zz", "index": 0}]}),
            "invalid-input".to_owned(),
        ),
        ("send-tx", json!({"outputs": [{"type": "data", "data": ""}]}), "You must provide data.".to_owned()),
        (
            "melt-tokens",
            json!({"token": token, "amount": 1}),
            "Don't have melt authority output available.".to_owned(),
        ),
        (
            "melt-tokens",
            json!({"token": "00", "amount": 1}),
            "Don't have melt authority output available.".to_owned(),
        ),
        (
            "create-token",
            json!({"name": "", "symbol": "T", "amount": 1}),
            "Token name and symbol are required when creating a new token".to_owned(),
        ),
        (
            "create-token",
            json!({"name": "T", "symbol": "T", "amount": 100_000_000_000_000_u64}),
            "Not enough HTR tokens for deposit or fee: 1000000000000 required, 100000000000 available"
                .to_owned(),
        ),
        (
            "create-nft",
            json!({"name": "T", "symbol": "T", "amount": 1, "data": "x", "change_address": "WPynsVhyU6nP7RSZAkqfijEutC88KgAyFc"}),
            "Change address is not from this wallet".to_owned(),
        ),
    ];
    for (operation, body, error) in table {
        let answer = server.call(operation, body.clone()).await;
        assert_eq!((answer.status, &answer.json()["error"]), (200, &json!(error)), "{operation} {body}");
    }
    let poor = json!({"name": "T", "symbol": "T", "amount": 100_000_000_000_000_u64});
    let (_, poor) = server.call("create-token", poor).await.parts();
    let amounts = (&poor["token"], &poor["required"], &poor["available"]);
    assert_eq!(amounts, (&json!("00"), &json!(1_000_000_000_000_u64), &json!(100_000_000_000_u64)));
    assert_eq!(holdings(&server).await, before);
    server.shutdown().await;
}

#[tokio::test]
async fn texts_that_are_no_addresses_are_not_the_wallets() {
    let server = Server::with_wallet().await;
    let mine = server.address(0).await;
    let token = server.done("create-token", json!({"name": "T", "symbol": "T", "amount": 100})).await;
    let token = token["hash"].as_str().unwrap();
    let not_this = "Change address is not from this wallet";
    let supply = json!({"token": token, "amount": 1, "change_address": "none"});
    let created = json!({"name": "U", "symbol": "U", "amount": 1, "change_address": "none"});
    let nft = json!({"name": "U", "symbol": "U", "amount": 1, "data": "d", "change_address": "none"});
    let outputs = json!([{"address": mine, "value": 1}]);
    let table = [
        ("create-token", created, not_this),
        ("create-nft", nft, not_this),
        ("mint-tokens", supply.clone(), not_this),
        ("melt-tokens", supply, not_this),
        ("simple-send-tx", json!({"address": mine, "value": 1, "change_address": "none"}), not_this),
        (
            "send-tx",
            json!({"outputs": outputs, "change_address": "none"}),
            "Change address is not from the wallet",
        ),
        (
            "utxo-consolidation",
            json!({"destination_address": "none"}),
            "Utxo consolidation to an address not owned by this wallet isn't allowed.",
        ),
        (
            "create-token",
            json!({"name": "U", "symbol": "U", "amount": 1, "mint_authority_address": "none"}),
            "The mint authority address must belong to your wallet.",
        ),
        (
            "melt-tokens",
            json!({"token": token, "amount": 1, "melt_authority_address": "none"}),
            "The melt authority address must belong to your wallet.",
        ),
        // Nothing says that this one must be the wallet's, so it is the text itself that is wrong.
        (
            "mint-tokens",
            json!({
                "token": token,
                "amount": 1,
                "mint_authority_address": "0OIl",
                "allow_external_mint_authority_address": true,
            }),
            "Invalid base58 address",
        ),
    ];
    for (operation, body, error) in table {
        let answer = server.call(operation, body.clone()).await;
        assert_eq!(answer.parts(), (200, json!({"success": false, "error": error})), "{operation} {body}");
    }
    let query = json!([{"type": "query", "filter_address": STRANGER}]);
    let answer = server.call("send-tx", json!({"inputs": query, "outputs": outputs})).await;
    let error = "No utxos available for the query filter for this amount.";
    assert_eq!(answer.parts(), (200, json!({"success": false, "error": error, "token": "00"})));
    server.shutdown().await;
}

#[tokio::test]
async fn a_mining_timeout_is_told_with_its_remedy_and_frees_the_inputs() {
    let server = Server::with_wallet().await;
    let before = holdings(&server).await;
    server.devnet.set_mining_faults(MiningFaults { mode: MiningMode::Timeout, ..MiningFaults::default() });
    let body = json!({"outputs": [{"type": "data", "data": "x"}]});
    let answer = server.call("send-tx", body.clone()).await.json();
    let error = answer["error"].as_str().unwrap();
    assert!(error.starts_with("Timeout solving transaction's proof-of-work.\n\n"), "{error}");
    assert_eq!(holdings(&server).await, before);
    assert_eq!(server.read("/wallet/status").await["error"], error);

    server.devnet.set_mining_faults(MiningFaults::default());
    server.done("send-tx", body).await;
    assert_eq!(server.read("/wallet/status").await.get("error"), None);
    server.shutdown().await;
}
