//! `/wallet/tx-proposal`: transactions that are built here, signed where the keys are, and pushed.

use super::support::{Answer, GENESIS_WORDS, Server};
use headless_wallet::devnet::{MiningFaults, MiningMode};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{InputData, Transaction};
use serde_json::{Value, json};

const FOREIGN: &str = "WPynsVhyU6nP7RSZAkqfijEutC88KgAyFc";

fn failed(error: &str) -> (u16, Value) {
    (200, json!({"success": false, "error": error}))
}

/// The keys of the genesis words, which the server is not told.
fn keys() -> AccountKeys {
    AccountKeys::from_mnemonic(&Mnemonic::parse(GENESIS_WORDS).unwrap(), "")
}

/// A server on which the genesis wallet is watched, as `genesis`.
async fn watching(settings: &str) -> Server {
    let server = Server::start_with(settings).await;
    server.start_wallet("genesis", json!({"xpubkey": keys().public().to_xpub()})).await;
    server
}

fn transaction(hex: &Value) -> Transaction {
    Transaction::from_bytes(&hex::decode(hex.as_str().unwrap()).unwrap()).unwrap()
}

fn hex(transaction: &Transaction) -> String {
    hex::encode(transaction.to_bytes().unwrap())
}

async fn get(server: &Server, path: &str) -> Answer {
    server.ask("GET", path, &[("x-wallet-id", "genesis")], b"").await
}

/// The signature (DER) of a digest by the key of an address.
fn signature(index: u32, digest: &[u8; 32]) -> Vec<u8> {
    let InputData::P2pkh { signature, .. } = keys().sign(index, digest) else { unreachable!() };
    signature
}

/// Signs all inputs of a proposal outside, and has their data put into it.
async fn signed(server: &Server, proposal: &Value) -> Value {
    let digest: [u8; 32] =
        hex::decode(proposal["dataToSignHash"].as_str().unwrap()).unwrap().try_into().unwrap();
    let hex = proposal["txHex"].as_str().unwrap();
    let inputs = server.read(&format!("/wallet/tx-proposal/get-wallet-inputs?txHex={hex}")).await;
    let mut signatures = Vec::new();
    for input in inputs["inputs"].as_array().unwrap() {
        let index = u32::try_from(input["addressIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(input["addressPath"], format!("m/44'/280'/0'/0/{index}"));
        let signature = hex::encode(signature(index, &digest));
        let data =
            server.done("tx-proposal/input-data", json!({"index": index, "signature": signature})).await;
        signatures.push(json!({"index": input["inputIndex"], "data": data["inputData"]}));
    }
    server.done("tx-proposal/add-signatures", json!({"txHex": hex, "signatures": signatures})).await
}

#[tokio::test]
async fn a_read_only_wallet_builds_what_is_signed_elsewhere_and_pushed() {
    let server = watching("").await;
    let before = server.read("/wallet/balance").await["available"].as_u64().unwrap();
    let body = json!({"outputs": [
        {"address": FOREIGN, "value": "7"},
        {"type": "data", "data": "c0ffee"},
    ]});
    let proposal = server.done("tx-proposal", body).await;
    assert_eq!(proposal.as_object().unwrap().len(), 3, "{proposal}");
    let unsigned = transaction(&proposal["txHex"]);
    assert_eq!((unsigned.weight, unsigned.timestamp, unsigned.nonce), (0.0, 0, 0));
    assert_eq!(proposal["dataToSignHash"], hex::encode(unsigned.sighash().unwrap()));
    assert!(unsigned.inputs.iter().all(|input| input.data.is_empty()));
    // Nothing is reserved.
    let all = server.read("/wallet/utxo-filter").await;
    assert_eq!(server.read("/wallet/utxo-filter?only_available_utxos=true").await, all);

    let whole = signed(&server, &proposal).await;
    assert_eq!(whole.as_object().unwrap().len(), 2, "{whole}");
    let pushed = server.post("/push-tx", None, &json!({"txHex": whole["txHex"]})).await.json();
    assert_eq!(pushed["success"], true, "{pushed}");
    let id = pushed["tx"]["hash"].as_str().unwrap().parse().unwrap();
    assert!(server.devnet.read(|chain| chain.get(&id).is_some()));
    let outputs = pushed["tx"]["outputs"].as_array().unwrap();
    let data = outputs.iter().find(|output| output["value"] == 1).unwrap();
    // The digits as they are, not the bytes that they stand for.
    assert_eq!(data["script"]["data"], json!([6, 99, 48, 102, 102, 101, 101, 172]));
    let wallet = server.app.wallets().get("genesis").unwrap();
    while wallet.read(|state, _| state.vertex(&id)).unwrap().is_none() {
        tokio::task::yield_now().await;
    }
    assert_eq!(server.read("/wallet/balance").await["available"], before - 8);
    server.shutdown().await;
}

#[tokio::test]
async fn a_proposal_spends_what_it_is_told_to() {
    let server = Server::with_wallet().await;
    let (to, change) = (server.address(5).await, server.address(6).await);
    let sent = server.done("simple-send-tx", json!({"address": to, "value": 40})).await;
    let place = sent["outputs"].as_array().unwrap().iter().position(|output| output["value"] == 40).unwrap();
    let chosen = json!({
        "outputs": [{"address": FOREIGN, "value": 30, "token": "00", "timelock": 4_000_000_000_u32}],
        "inputs": [{"hash": sent["hash"], "index": place.to_string()}],
        "change_address": change,
    });
    let matching = json!({
        "outputs": [{"address": FOREIGN, "value": 30}],
        "inputs": [{"type": "query", "filter_address": to, "max_utxos": 1}],
    });
    for body in [chosen, matching] {
        let proposal = server.done("tx-proposal", body).await;
        let built = transaction(&proposal["txHex"]);
        assert_eq!(built.inputs.len(), 1);
        assert_eq!(built.inputs[0].spends.tx.to_string(), sent["hash"].as_str().unwrap());
        let mut values: Vec<_> = built.outputs.iter().map(|output| output.value.cents()).collect();
        values.sort_unstable();
        assert_eq!(values, [10, 30]);
        let inputs = json!([{"inputIndex": 0, "addressIndex": 5, "addressPath": "m/44'/280'/0'/0/5"}]);
        let hex = proposal["txHex"].as_str().unwrap();
        assert_eq!(
            server.read(&format!("/wallet/tx-proposal/get-wallet-inputs?txHex={hex}")).await,
            json!({"success": true, "inputs": inputs})
        );
    }
    // Of another wallet it has none.
    let other = AccountKeys::from_mnemonic(&Mnemonic::generate().unwrap(), "");
    server.start_wallet("other", json!({"xpubkey": other.public().to_xpub()})).await;
    let path = format!("/wallet/tx-proposal/get-wallet-inputs?txHex={}", hex(&planned(&server).await));
    let answer = server.ask("GET", &path, &[("x-wallet-id", "other")], b"").await;
    assert_eq!(answer.parts(), (200, json!({"success": true, "inputs": []})));
    server.shutdown().await;
}

/// An unsigned transaction of the genesis wallet.
async fn planned(server: &Server) -> Transaction {
    let body = json!({"outputs": [{"address": FOREIGN, "value": 3}]});
    transaction(&server.done("tx-proposal", body).await["txHex"])
}

#[tokio::test]
async fn what_cannot_be_built_is_refused_in_the_known_words() {
    let server = watching("").await;
    let unknown = "ab".repeat(32);
    let table = [
        (
            json!({"outputs": [{"address": "zz", "value": 1}]}),
            "Invalid address: zz. Address has 2 bytes and should have 25.".to_owned(),
        ),
        (json!({"outputs": [{"address": "0OIl", "value": 1}]}), "Invalid base58 address".to_owned()),
        (
            json!({"outputs": [{"address": FOREIGN, "value": 1, "token": unknown}]}),
            format!("Token: {unknown}. Insufficient amount of tokens to fill the amount."),
        ),
        (
            json!({"outputs": [{"address": FOREIGN, "value": 1}], "inputs": [{"hash": unknown, "index": 0}]}),
            "invalid-input".to_owned(),
        ),
        (
            json!({"outputs": [{"address": FOREIGN, "value": 1}], "change_address": FOREIGN}),
            "Change address is not from the wallet".to_owned(),
        ),
    ];
    for (body, error) in table {
        let (status, answer) = server.call("tx-proposal", body.clone()).await.parts();
        assert_eq!((status, &answer["error"]), (200, &json!(error)), "{body}");
    }
    let query = json!({
        "outputs": [{"address": FOREIGN, "value": 1}],
        "inputs": [{"type": "query", "amount_bigger_than": 1_000_000_000_000_000_u64}],
    });
    assert_eq!(
        server.call("tx-proposal", query).await.parts(),
        (
            200,
            json!({
                "success": false, "error": "No utxos available for the query filter for this amount.", "token": "00",
            })
        )
    );
    server.shutdown().await;
}

#[tokio::test]
async fn wrong_signatures_are_named_and_not_pushed() {
    let server = watching("").await;
    let built = planned(&server).await;
    let digest = built.sighash().unwrap();
    let inputs = server.read(&format!("/wallet/tx-proposal/get-wallet-inputs?txHex={}", hex(&built))).await;
    let index = u32::try_from(inputs["inputs"][0]["addressIndex"].as_u64().unwrap()).unwrap();
    let right = keys().sign(index, &digest).to_bytes().unwrap();
    let of_another = keys().sign(index, &[7; 32]).to_bytes().unwrap();
    let stranger = AccountKeys::from_mnemonic(&Mnemonic::generate().unwrap(), "");
    let by_another = stranger.sign(0, &digest).to_bytes().unwrap();
    let wrong_signature = "Input 0 has a signature that is not one of this transaction by its key.";
    let table = [
        (vec![0xab], "Input 0 has data that is no signature with its key."),
        (of_another.clone(), wrong_signature),
        (by_another, "Input 0 has the key of another address than the one that it spends from."),
    ];
    let add = async |place: Value, data: &[u8]| {
        let signatures = json!([{"index": place, "data": hex::encode(data)}]);
        server
            .call("tx-proposal/add-signatures", json!({"txHex": hex(&built), "signatures": signatures}))
            .await
    };
    for (data, error) in table {
        assert_eq!(add(json!(0), &data).await.parts(), failed(error));
    }
    let none = "There is no input 7: the transaction has 1, and they are counted from 0.";
    assert_eq!(add(json!("7"), &right).await.parts(), failed(none));

    let push = async |data: Vec<u8>| {
        let mut signed = built.clone();
        signed.inputs[0].data = data;
        server.post("/push-tx", None, &json!({"txHex": hex(&signed)})).await
    };
    // Nobody is asked for a proof of work.
    server.devnet.set_mining_faults(MiningFaults { mode: MiningMode::Failed, ..MiningFaults::default() });
    assert_eq!(push(Vec::new()).await.parts(), failed("Input 0 has no signature yet."));
    assert_eq!(push(of_another).await.parts(), failed(wrong_signature));
    server.devnet.set_mining_faults(MiningFaults::default());
    assert_eq!(push(right.clone()).await.json()["success"], true);

    // None added is no mistake; of two for one input, the last counts.
    let body = json!({"txHex": hex(&built), "signatures": []});
    assert_eq!(server.done("tx-proposal/add-signatures", body).await["txHex"], hex(&built));
    let twice = json!([{"index": 0, "data": "ab"}, {"index": 0, "data": hex::encode(&right)}]);
    server.done("tx-proposal/add-signatures", json!({"txHex": hex(&built), "signatures": twice})).await;
    server.shutdown().await;
}

#[tokio::test]
async fn release_0_39_takes_any_input_data() {
    let server = watching("compat = '0.39'").await;
    let built = planned(&server).await;
    let signatures = json!([{"index": 0, "data": "abcd"}]);
    let body = json!({"txHex": hex(&built), "signatures": signatures});
    let added = server.done("tx-proposal/add-signatures", body).await;
    assert_eq!(transaction(&added["txHex"]).inputs[0].data, [0xab, 0xcd]);
    server.shutdown().await;
}

#[tokio::test]
async fn input_data_is_a_signature_with_its_key() {
    let server = watching("").await;
    let answer = server.done("tx-proposal/input-data", json!({"index": "3", "signature": "abcd"})).await;
    let key = hex::encode(keys().public().public_key(3));
    assert_eq!(answer, json!({"success": true, "inputData": format!("02abcd21{key}")}));
    let several = json!({"index": 3, "signatures": {}});
    assert_eq!(
        server.call("tx-proposal/input-data", several).await.parts(),
        failed("wallet is not MultiSig")
    );
    let long = json!({"index": 3, "signature": "ab".repeat(256)});
    assert_eq!(
        server.call("tx-proposal/input-data", long).await.parts(),
        failed("a push holds at most 255 bytes and this has 256")
    );
    let not_supported = "We currently support only the Transaction and CreateTokenTransaction types. Other types will be \
                         supported in the future.";
    let answer = get(&server, "/wallet/tx-proposal/get-wallet-inputs?txHex=00").await;
    assert_eq!(answer.parts(), failed(not_supported));
    let body = json!({"txHex": "00", "signatures": []});
    assert_eq!(server.call("tx-proposal/add-signatures", body).await.parts(), failed(not_supported));
    server.shutdown().await;
}

#[tokio::test]
async fn a_repeated_proposal_is_the_first_one() {
    let server = watching("").await;
    let body = json!({"outputs": [{"address": FOREIGN, "value": 3}]}).to_string();
    let headers =
        [("x-wallet-id", "genesis"), ("content-type", "application/json"), ("idempotency-key", "order-1")];
    let mut texts = Vec::new();
    // Their outputs are shuffled: that all are alike is no chance.
    for _ in 0..8 {
        texts.push(server.ask("POST", "/wallet/tx-proposal", &headers, body.as_bytes()).await.text);
    }
    texts.dedup();
    assert_eq!(texts.len(), 1);
    server.shutdown().await;
}
