//! `/wallet/tx-proposal`: transactions that are built here, signed where the keys are, and pushed.

use super::support::{GENESIS_WORDS, Server};
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
async fn watching() -> Server {
    let server = Server::start().await;
    server.start_wallet("genesis", json!({"xpubkey": keys().public().to_xpub()})).await;
    server
}

fn transaction(hex: &Value) -> Transaction {
    Transaction::from_bytes(&hex::decode(hex.as_str().unwrap()).unwrap()).unwrap()
}

fn hex(transaction: &Transaction) -> String {
    hex::encode(transaction.to_bytes().unwrap())
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
    let server = watching().await;
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

/// An unsigned transaction of the genesis wallet.
async fn planned(server: &Server) -> Transaction {
    let body = json!({"outputs": [{"address": FOREIGN, "value": 3}]});
    transaction(&server.done("tx-proposal", body).await["txHex"])
}

#[tokio::test]
async fn wrong_signatures_are_named_and_not_pushed() {
    let server = watching().await;
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
async fn a_repeated_proposal_is_the_first_one() {
    let server = watching().await;
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
