//! What release 0.39 does differently from the documented interface.

use super::multisig::{FOREIGN, read};
use super::p2sh::{call, failed, funded_with, proposed, share, transaction};
use super::support::Server;
use headless_wallet::ledger::InputData;
use serde_json::json;

#[tokio::test]
async fn refusals_of_release_0_39() {
    let server = Server::start_with("compat = '0.39'").await;
    // Unknown content types count as no body at all.
    let answer = server.ask("POST", "/start", &[("content-type", "text/plain")], b"x").await;
    let message = "Parameter 'seedKey', 'seed' or 'xpubkey' is required.";
    assert_eq!(answer.parts(), (200, json!({"success": false, "message": message})));
    let answer = server.ask("GET", "/nowhere", &[], b"").await;
    assert_eq!((answer.status, answer.header("content-type")), (404, Some("text/html; charset=utf-8")));
    assert!(answer.text.contains("<pre>Cannot GET /nowhere</pre>"), "{}", answer.text);
    server.shutdown().await;
}

#[tokio::test]
async fn release_0_39_takes_any_signatures_of_participants() {
    let server = funded_with("compat = '0.39'\n", &[1000, 500]).await;
    let built = proposed(&server, "", json!({"outputs": [{"address": FOREIGN, "value": 1200}]})).await;
    assert_eq!(transaction(&built).inputs.len(), 2);
    let (zero, one) = (share(&server, "0", &built).await, share(&server, "1", &built).await);
    let body = |second: &str| json!({"txHex": built, "signatures": [zero, second]});
    let key = &one[..66];
    let count = failed("Quantity of signatures different than expected. Expected 2 Received 1");
    let alone = json!({"txHex": built, "signatures": [zero]});
    assert_eq!(call(&server, "0", "/sign-and-push", alone).await.parts(), count);

    // One signature for each input is missed where a share can't be read or has none.
    let incompatible = failed("Signatures are incompatible with redeemScript");
    let first_alone = one.rsplit_once('|').unwrap().0;
    for second in
        [key, first_alone, "x", &format!("{key}|0"), &format!("{key}|0:zz|1:zz"), &format!("{one}|")]
    {
        for path in ["/sign", "/sign-and-push"] {
            assert_eq!(call(&server, "0", path, body(second)).await.parts(), incompatible, "{path} {second}");
        }
    }

    // All others are put together, in the order of their keys (a stranger's is not that of the redeem
    // script), and the node refuses them.
    let (own, stranger) = (&zero[66..], if one < zero { "ff" } else { "00" }.repeat(33));
    for second in [zero.clone(), format!("{key}{own}"), format!("{stranger}{}", &one[66..])] {
        let signed = call(&server, "0", "/sign", body(&second)).await.json();
        let mut both = [&zero, &second];
        both.sort();
        for (place, input) in (0..).zip(&transaction(signed["txHex"].as_str().unwrap()).inputs) {
            let Some(InputData::P2sh { signatures, .. }) = InputData::parse(&input.data) else {
                panic!("signed")
            };
            let given = both.map(|share| share.split('|').nth(place + 1).unwrap()[2..].to_owned());
            assert_eq!(signatures.iter().map(hex::encode).collect::<Vec<_>>(), given);
        }
        let refused = call(&server, "0", "/sign-and-push", body(&second)).await.json();
        assert!(refused["error"].as_str().unwrap().starts_with("full validation failed: "), "{refused}");
    }

    // Their inputs are free again.
    assert_eq!(call(&server, "0", "/sign-and-push", body(&one)).await.json()["success"], true);
    assert_eq!(read(&server, "0", "/wallet/balance").await["available"], 300);
    server.shutdown().await;
}

/// As the routers of release 0.39 have them: walked through in Node, not read in its documents.
const ROUTES: &[&str] = &[
    "GET /",
    "GET /docs",
    "POST /start",
    "POST /multisig-pubkey",
    "POST /push-tx",
    "GET /configuration-string",
    "POST /reload-config",
    "POST /wallet/atomic-swap/tx-proposal",
    "POST /wallet/atomic-swap/tx-proposal/unlock",
    "GET /wallet/atomic-swap/tx-proposal/get-locked-utxos",
    "GET /wallet/atomic-swap/tx-proposal/fetch/:proposalId",
    "POST /wallet/atomic-swap/tx-proposal/get-my-signatures",
    "POST /wallet/atomic-swap/tx-proposal/sign",
    "POST /wallet/atomic-swap/tx-proposal/sign-and-push",
    "POST /wallet/atomic-swap/tx-proposal/get-input-data",
    "GET /wallet/atomic-swap/tx-proposal/list",
    "POST /wallet/atomic-swap/tx-proposal/register/:proposalId",
    "DELETE /wallet/atomic-swap/tx-proposal/delete/:proposalId",
    "POST /wallet/p2sh/tx-proposal",
    "POST /wallet/p2sh/tx-proposal/create-token",
    "POST /wallet/p2sh/tx-proposal/mint-tokens",
    "POST /wallet/p2sh/tx-proposal/melt-tokens",
    "POST /wallet/p2sh/tx-proposal/get-my-signatures",
    "POST /wallet/p2sh/tx-proposal/sign",
    "POST /wallet/p2sh/tx-proposal/sign-and-push",
    "POST /wallet/tx-proposal",
    "POST /wallet/tx-proposal/add-signatures",
    "GET /wallet/tx-proposal/get-wallet-inputs",
    "POST /wallet/tx-proposal/input-data",
    "POST /wallet/tx-template/run",
    "POST /wallet/tx-template/build",
    "GET /wallet/config/last-loaded-address-index",
    "POST /wallet/config/index-limit/load-more-addresses",
    "POST /wallet/config/index-limit/last-index",
    "GET /wallet/nano-contracts/state",
    "GET /wallet/nano-contracts/oracle-data",
    "GET /wallet/nano-contracts/oracle-signed-result",
    "GET /wallet/nano-contracts/history",
    "POST /wallet/nano-contracts/create",
    "POST /wallet/nano-contracts/execute",
    "POST /wallet/nano-contracts/create-on-chain-blueprint",
    "GET /wallet/status",
    "GET /wallet/balance",
    "GET /wallet/address",
    "GET /wallet/address-index",
    "GET /wallet/addresses",
    "GET /wallet/address-info",
    "GET /wallet/tx-history",
    "GET /wallet/transaction",
    "GET /wallet/tx-confirmation-blocks",
    "POST /wallet/simple-send-tx",
    "POST /wallet/decode",
    "POST /wallet/send-tx",
    "POST /wallet/create-token",
    "POST /wallet/mint-tokens",
    "POST /wallet/melt-tokens",
    "GET /wallet/utxo-filter",
    "POST /wallet/utxo-consolidation",
    "POST /wallet/create-nft",
    "POST /wallet/stop",
    "PUT /wallet/utxos-selected-as-input",
    "POST /hsm/start",
    "POST /fireblocks/start",
    "GET /health",
];

#[tokio::test]
async fn every_path_of_release_0_39_is_there() {
    for settings in ["compat = '0.39'", ""] {
        let server = Server::with_wallet_and(settings).await;
        let mut missing = Vec::new();
        for route in ROUTES {
            let (method, path) = route.split_once(' ').unwrap();
            let ask = async |path: &str| {
                // No wallet of this name, so that nothing is done.
                let headers = [("content-type", "application/json"), ("x-wallet-id", "nobody")];
                let answer = server.ask(method, path, &headers, b"{}").await;
                (answer.status, answer.text)
            };
            let path = path.replace(":proposalId", "b11948c7-4801-4a13-a5c0-2ee87dd9c2c9");
            let nowhere = format!("{}-nowhere", path.trim_end_matches('/'));
            let (status, text) = ask(&path).await;
            let (_, unknown) = ask(&nowhere).await;
            if status == 404 && text.replace(&path, "") == unknown.replace(&nowhere, "") {
                missing.push(*route);
            }
        }
        assert_eq!(missing, Vec::<&str>::new(), "{settings}");
        server.shutdown().await;
    }
}
