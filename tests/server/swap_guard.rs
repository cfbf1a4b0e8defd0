//! What a wallet signs of a proposal that has been with others: what it put in itself, and nothing else
//! unless asked to.

use super::multisig::{Three, pay, read as look};
use super::p2sh::{self, failed, transaction};
use super::support::Server;
use super::swaps::{balanced, call, done, get, knows, propose, signatures, two};
use headless_wallet::ledger::{
    Address, Amount, Holding, Network, Outpoint, PartialInput, PartialOutput, PartialTx, TokenUid,
};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Why a proposal is not signed.
const CHANGED: &str = "The proposal is not what this wallet made of it: it spends more of its outputs, lacks what it was to get, or brings it \
                       nothing. Or the wallet does not know any more what it made: that was given up by unlock, or the wallet was started \
                       anew without a store. See what the proposal does (decode), and sign it with as_is if that is meant.";

/// A proposal is signed only as the wallet left it, or when that is asked for.
#[tokio::test]
async fn what_others_have_changed_is_signed_only_as_it_is() {
    let (server, token) = two("").await;
    let partial = balanced(&server, &token).await;
    let read = |text: &str| PartialTx::parse(text, Network::Privatenet).unwrap();
    let refused = json!({"success": false, "error": CHANGED});
    let sign = async |wallet: &str, partial: &PartialTx, as_is: bool| {
        let body = json!({"partial_tx": partial.to_text().unwrap(), "as_is": as_is});
        call(&server, wallet, "/get-my-signatures", body).await.parts()
    };
    let left = read(&partial);
    assert_eq!(sign("ana", &left, false).await.1["success"], true);
    // Genesis has ana's 30 of the token paid to itself: what ana gets is there, and not hers.
    let mut robbed = left.clone();
    let own = robbed.outputs[0].script.clone();
    let hers = robbed.outputs.iter_mut().find(|output| output.holds.value == Amount::new(30)).unwrap();
    hers.script = own;
    assert_eq!(sign("ana", &robbed, false).await, (200, refused.clone()));
    // The order is of no matter.
    let mut turned = left.clone();
    turned.outputs.reverse();
    turned.inputs.reverse();
    assert_eq!(sign("ana", &turned, false).await.1["success"], true);
    // Another output of ana's that she did not put in, and what it holds paid to genesis.
    let address = get(&server, "ana", "/wallet/address?index=4").await["address"].clone();
    let gift = server.done("simple-send-tx", json!({"address": address, "value": 77})).await;
    knows(&server, "ana", &gift["hash"]).await;
    let index = gift["outputs"].as_array().unwrap().iter().position(|output| output["value"] == 77).unwrap();
    let spends = Outpoint { tx: gift["hash"].as_str().unwrap().parse().unwrap(), index: index as u8 };
    let address = Address::parse(address.as_str().unwrap(), Network::Privatenet).unwrap();
    let holds = Holding::amount(TokenUid::Native, Amount::new(77));
    let mut more = left.clone();
    more.inputs.push(PartialInput { spends, holds, address });
    more.outputs.push(PartialOutput { holds, ..left.outputs[1].clone() });
    assert_eq!(sign("ana", &more, false).await, (200, refused.clone()));
    assert_eq!(sign("genesis", &more, false).await.1["success"], true);
    assert_eq!(sign("ana", &more, true).await.1["success"], true);
    // Who takes part twice gets all of it or nothing.
    let (first, _) = propose(&server, "ana", json!({"send": {"tokens": [{"value": 5}]}})).await;
    let get_five = json!({"partial_tx": first, "receive": {"tokens": [{"value": 5}]}});
    let (twice, complete) = propose(&server, "ana", get_five).await;
    assert!(complete);
    assert_eq!(sign("ana", &read(&twice), false).await.1["success"], true);
    let mut taken = read(&first);
    let theirs = read(&partial).outputs[0].clone();
    taken.outputs.push(PartialOutput { holds: read(&twice).outputs.last().unwrap().holds, ..theirs });
    assert_eq!(sign("ana", &taken, false).await, (200, refused));
    server.shutdown().await;
}

/// Proposals in which the wallet only gets something cost nothing: whoever has many made drives out none in
/// which it gives.
#[tokio::test]
async fn what_gives_is_remembered_before_what_only_gets() {
    let (server, token) = two("").await;
    let partial = balanced(&server, &token).await;
    for value in 1..=300 {
        propose(&server, "ana", json!({"receive": {"tokens": [{"value": value, "token": token}]}})).await;
    }
    let signed = call(&server, "ana", "/get-my-signatures", json!({"partial_tx": partial})).await;
    assert_eq!(signed.parts().1["success"], true);
    server.shutdown().await;
}

/// Ana, who has one output, asks for this much of the token for all of it.
async fn all_of_anas_for(server: &Server, token: &str, units: u64, lock: bool) -> PartialTx {
    let body = json!({
        "send": {"tokens": [{"value": 1_000}]},
        "receive": {"tokens": [{"token": token, "value": units}]},
        "lock": lock,
    });
    let (partial, _) = propose(server, "ana", body).await;
    PartialTx::parse(&partial, Network::Privatenet).unwrap()
}

/// Genesis answers a proposal of ana's: it gives the token and takes all the HTR.
async fn answered(server: &Server, token: &str, units: u64, partial: &PartialTx) -> String {
    let body = json!({
        "partial_tx": partial.to_text().unwrap(),
        "send": {"tokens": [{"token": token, "value": units}]},
        "receive": {"tokens": [{"value": 1_000}]},
        "lock": false,
    });
    let (partial, complete) = propose(server, "genesis", body).await;
    assert!(complete);
    partial
}

async fn is_signed(server: &Server, wallet: &str, partial: &str) -> bool {
    let body = json!({"partial_tx": partial});
    let answer = call(server, wallet, "/get-my-signatures", body).await.json();
    assert!(answer["success"] == true || answer["error"] == CHANGED, "{answer}");
    answer["success"] == true
}

#[tokio::test]
async fn what_was_given_up_is_not_signed_unasked() {
    let (server, token) = two("").await;
    let five = all_of_anas_for(&server, &token, 5, true).await;
    let five_answered = answered(&server, &token, 5, &five).await;
    assert!(is_signed(&server, "ana", &five_answered).await);
    done(&server, "ana", "/unlock", json!({"partial_tx": five.to_text().unwrap()})).await;
    assert!(!is_signed(&server, "ana", &five_answered).await);
    let fifty = all_of_anas_for(&server, &token, 50, true).await;
    let fifty_answered = answered(&server, &token, 50, &fifty).await;
    assert!(!is_signed(&server, "ana", &five_answered).await);
    assert!(is_signed(&server, "ana", &fifty_answered).await);
    let body = json!({"partial_tx": five_answered, "as_is": true});
    assert_eq!(call(&server, "ana", "/get-my-signatures", body).await.json()["success"], true);
    server.shutdown().await;
}

#[tokio::test]
async fn an_output_that_is_offered_again_is_signed_for_the_later_terms() {
    let (server, token) = two("").await;
    let five = all_of_anas_for(&server, &token, 5, false).await;
    let fifty = all_of_anas_for(&server, &token, 50, false).await;
    assert_eq!(five.inputs, fifty.inputs);
    let (five, fifty) =
        (answered(&server, &token, 5, &five).await, answered(&server, &token, 50, &fifty).await);
    assert!(!is_signed(&server, "ana", &five).await);
    assert!(is_signed(&server, "ana", &fifty).await);
    server.shutdown().await;
}

/// Ana gives, then gets by a second request. Whoever takes her change out in between does not get what she
/// gives for nothing.
#[tokio::test]
async fn parts_belong_together_although_one_of_them_was_changed_in_between() {
    let (server, _) = two("").await;
    let (first, _) = propose(&server, "ana", json!({"send": {"tokens": [{"value": 5}]}})).await;
    let first = PartialTx::parse(&first, Network::Privatenet).unwrap();
    let mut struck = first.clone();
    struck.outputs.retain(|output| !output.is_change);
    assert_eq!((first.outputs.len(), struck.outputs.len()), (1, 0));
    let get_five = json!({"partial_tx": struck.to_text().unwrap(), "receive": {"tokens": [{"value": 5}]}});
    propose(&server, "ana", get_five).await;
    let (partial, complete) = propose(
        &server,
        "genesis",
        json!({"partial_tx": first.to_text().unwrap(), "receive": {"tokens": [{"value": 5}]}}),
    )
    .await;
    assert!(complete);
    assert!(!is_signed(&server, "ana", &partial).await);
    server.shutdown().await;
}

#[tokio::test]
async fn a_restarted_wallet_signs_what_it_put_in_before_only_as_it_is() {
    let (server, token) = two("").await;
    let partial = balanced(&server, &token).await;
    server.post("/wallet/stop", Some("genesis"), &json!({})).await;
    server.start_wallet("genesis", json!({"seedKey": "genesis"})).await;
    let sign = async |body: Value| call(&server, "genesis", "/get-my-signatures", body).await.json();
    assert_eq!(sign(json!({"partial_tx": partial})).await["success"], false);
    assert_eq!(sign(json!({"partial_tx": partial, "as_is": true})).await["success"], true);
    server.shutdown().await;
}

#[tokio::test]
async fn a_wallet_that_is_kept_knows_after_a_restart_what_it_put_in() {
    let dir = TempDir::new().unwrap();
    let (server, token) = two(&format!("data_dir = {:?}", dir.path())).await;
    let partial = balanced(&server, &token).await;
    let restart = async || {
        server.post("/wallet/stop", Some("genesis"), &json!({})).await;
        server.start_wallet("genesis", json!({"seedKey": "genesis"})).await;
    };
    restart().await;
    assert!(is_signed(&server, "genesis", &partial).await);
    let mut robbed = PartialTx::parse(&partial, Network::Privatenet).unwrap();
    robbed.outputs.iter_mut().find(|output| output.holds.value == Amount::new(10)).unwrap().script[5] ^= 1;
    assert!(!is_signed(&server, "genesis", &robbed.to_text().unwrap()).await);
    // What it gave up, it gave up for good.
    done(&server, "genesis", "/unlock", json!({"partial_tx": partial})).await;
    restart().await;
    assert!(!is_signed(&server, "genesis", &partial).await);
    server.shutdown().await;
}

#[tokio::test]
async fn release_0_39_signs_whatever_is_the_wallets() {
    let (server, token) = two("compat = '0.39'").await;
    let partial = balanced(&server, &token).await;
    server.post("/wallet/stop", Some("genesis"), &json!({})).await;
    server.start_wallet("genesis", json!({"seedKey": "genesis"})).await;
    signatures(&server, "genesis", &partial).await;
    server.shutdown().await;
}

/// What is given for nothing is not what was agreed on: the wallet asked to get something before it gave, and
/// that was taken out.
#[tokio::test]
async fn a_wallet_that_gets_nothing_of_what_it_knows_signs_only_as_it_is() {
    let (server, token) = two("").await;
    let get_five = json!({"receive": {"tokens": [{"token": token, "value": 5}]}});
    propose(&server, "ana", get_five).await;
    let theirs = json!({"receive": {"tokens": [{"value": 10}]}});
    let (theirs, _) = propose(&server, "genesis", theirs).await;
    let give = json!({"partial_tx": theirs, "send": {"tokens": [{"value": 10}]}});
    let (robbed, complete) = propose(&server, "ana", give).await;
    assert!(complete);
    assert!(!is_signed(&server, "ana", &robbed).await);
    let body = json!({"partial_tx": robbed, "as_is": true});
    assert_eq!(call(&server, "ana", "/get-my-signatures", body).await.json()["success"], true);
    server.shutdown().await;
}

/// Two requests are of one proposal although the second gave, and what another asks to get is no part of it.
#[tokio::test]
async fn what_is_to_be_got_elsewhere_is_no_part_of_a_proposal() {
    let (server, token) = two("").await;
    let get = json!({"receive": {"tokens": [{"token": token, "value": 30}]}});
    let (first, _) = propose(&server, "ana", get.clone()).await;
    let give = json!({"partial_tx": first, "send": {"tokens": [{"value": 10}]}});
    let (mine, _) = propose(&server, "ana", give).await;
    // The same amount to the same address, in a proposal of its own.
    propose(&server, "ana", get).await;
    let answer = json!({
        "partial_tx": mine,
        "send": {"tokens": [{"token": token, "value": 30}]},
        "receive": {"tokens": [{"value": 10}]},
    });
    let (partial, complete) = propose(&server, "genesis", answer).await;
    assert!(complete);
    assert!(is_signed(&server, "ana", &partial).await);
    server.shutdown().await;
}

/// A multisig wallet that has 1,000 cents gives 10 of them for 30 of a token of genesis'.
async fn balanced_with_participants(settings: &str) -> (Server, PartialTx) {
    let three = Three::new();
    let server = three.server_with(settings).await;
    let token = server.done("create-token", json!({"name": "Tea", "symbol": "TEA", "amount": 500})).await;
    three.start(&server).await;
    pay(&server, &three.addresses[0], 1_000, "0").await;
    for wallet in ["0", "1", "2"] {
        while look(&server, wallet, "/wallet/balance").await["available"] != 1_000 {
            tokio::task::yield_now().await;
        }
    }
    let first = json!({
        "send": {"tokens": [{"value": 10}]},
        "receive": {"tokens": [{"token": token["hash"], "value": 30}]},
    });
    let (partial, _) = propose(&server, "0", first).await;
    let second = json!({
        "partial_tx": partial,
        "send": {"tokens": [{"token": token["hash"], "value": 30}]},
        "receive": {"tokens": [{"value": 10}]},
    });
    let (partial, complete) = propose(&server, "genesis", second).await;
    assert!(complete);
    (server, PartialTx::parse(&partial, Network::Privatenet).unwrap())
}

fn hex_of(partial: &PartialTx) -> String {
    hex::encode(partial.transaction().unwrap().to_bytes().unwrap())
}

/// What a participant is told who signs this.
async fn told(server: &Server, wallet: &str, partial: &PartialTx, as_is: bool) -> (u16, Value) {
    let body = json!({"txHex": hex_of(partial), "as_is": as_is});
    p2sh::call(server, wallet, "/get-my-signatures", body).await.parts()
}

#[tokio::test]
async fn participants_sign_of_a_swap_what_was_put_in() {
    let (server, partial) = balanced_with_participants("").await;
    let hex = hex_of(&partial);
    let mut shares = Vec::new();
    for wallet in ["0", "2"] {
        shares.push(p2sh::share(&server, wallet, &hex).await);
    }
    // What the wallet gets goes to genesis.
    let mut robbed = partial.clone();
    let theirs = robbed.outputs.last().unwrap().script.clone();
    robbed.outputs.iter_mut().find(|output| output.holds.value == Amount::new(30)).unwrap().script = theirs;
    // The same, and nobody else has any part in it.
    let mut taken = robbed.clone();
    taken.inputs.truncate(1);
    taken.outputs.retain(|output| output.holds.token == TokenUid::Native);
    for changed in [&robbed, &taken] {
        assert_eq!(told(&server, "0", changed, false).await, failed(CHANGED));
        assert_eq!(told(&server, "0", changed, true).await.1["success"], true);
    }
    let signed = p2sh::call(&server, "1", "/sign", json!({"txHex": hex, "signatures": shares})).await.json();
    let data = done(&server, "1", "/get-input-data", json!({"txHex": signed["txHex"]})).await;
    let text = partial.to_text().unwrap();
    let others = signatures(&server, "genesis", &text).await;
    let body = json!({"partial_tx": text, "signatures": [others, data["signatures"]]});
    let sent = done(&server, "genesis", "/sign-and-push", body).await;
    knows(&server, "0", &sent["hash"]).await;
    assert_eq!(look(&server, "0", "/wallet/balance").await["available"], 990);
    server.shutdown().await;
}

#[tokio::test]
async fn participants_sign_what_they_did_not_put_in_only_as_it_is() {
    let (server, partial) = balanced_with_participants("").await;
    done(&server, "1", "/unlock", json!({"partial_tx": partial.to_text().unwrap()})).await;
    assert_eq!(told(&server, "0", &partial, false).await, failed(CHANGED));
    assert_eq!(told(&server, "0", &partial, true).await.1["success"], true);
    // What they pay among themselves is no swap.
    let body = json!({"outputs": [{"address": Three::new().addresses[1], "value": 400}]});
    let hex = p2sh::proposed(&server, "", body).await;
    assert!(transaction(&hex).inputs.len() == 1);
    p2sh::share(&server, "2", &hex).await;
    server.shutdown().await;
}

#[tokio::test]
async fn participants_of_release_0_39_sign_whatever_is_the_wallets() {
    let (server, mut partial) = balanced_with_participants("compat = '0.39'\n").await;
    partial.outputs.retain(|output| output.holds.value != Amount::new(30));
    assert_eq!(told(&server, "0", &partial, false).await.1["success"], true);
    server.shutdown().await;
}
