//! `/wallet/p2sh/tx-proposal`: 2 of 3 participants propose, sign and send, all on one server.

use super::multisig::{FOREIGN, Three, pay, read};
use super::support::{Answer, Server, short};
use headless_wallet::ledger::{InputData, RedeemScript, Transaction};
use serde_json::{Value, json};
use tempfile::TempDir;

const GROUP: &str = "/wallet/p2sh/tx-proposal";

pub fn failed(error: &str) -> (u16, Value) {
    (200, json!({"success": false, "error": error}))
}

pub fn transaction(hex: &str) -> Transaction {
    Transaction::from_bytes(&hex::decode(hex).unwrap()).unwrap()
}

fn hex(transaction: &Transaction) -> String {
    hex::encode(transaction.to_bytes().unwrap())
}

pub async fn call(server: &Server, wallet: &str, path: &str, body: Value) -> Answer {
    server.post(&format!("{GROUP}{path}"), Some(wallet), &body).await
}

/// What participant 0 proposes.
pub async fn proposed(server: &Server, path: &str, body: Value) -> String {
    let answer = call(server, "0", path, body).await.json();
    assert_eq!((answer.as_object().unwrap().len(), &answer["success"]), (2, &json!(true)), "{answer}");
    answer["txHex"].as_str().unwrap().to_owned()
}

/// What a participant gives to the others.
pub async fn share(server: &Server, wallet: &str, hex: &str) -> String {
    let answer = call(server, wallet, "/get-my-signatures", json!({"txHex": hex})).await.json();
    assert_eq!((answer.as_object().unwrap().len(), &answer["success"]), (2, &json!(true)), "{answer}");
    answer["signatures"].as_str().unwrap().to_owned()
}

/// Has two participants sign, and participant 0 send. Returns once all of them know of it.
async fn sent(server: &Server, hex: &str, signers: [&str; 2]) -> Value {
    let signatures = [share(server, signers[0], hex).await, share(server, signers[1], hex).await];
    let body = json!({"txHex": hex, "signatures": signatures});
    let answer = call(server, "0", "/sign-and-push", body).await.json();
    assert_eq!(answer["success"], true, "{answer}");
    let id = answer["hash"].as_str().unwrap().parse().unwrap();
    assert!(server.devnet.read(|chain| chain.get(&id).is_some()));
    for wallet in ["0", "1", "2"] {
        let wallet = server.app.wallets().get(wallet).unwrap();
        while wallet.read(|state, _| state.vertex(&id)).unwrap().is_none() {
            tokio::task::yield_now().await;
        }
    }
    answer
}

/// A server on which the three run and have these amounts.
async fn funded(amounts: &[u64]) -> Server {
    funded_with("", amounts).await
}

/// The same with further settings.
pub async fn funded_with(more: &str, amounts: &[u64]) -> Server {
    let three = Three::new();
    let server = three.server_with(more).await;
    three.start(&server).await;
    for amount in amounts {
        pay(&server, &three.addresses[0], *amount, "0").await;
    }
    for wallet in ["0", "1", "2"] {
        while read(&server, wallet, "/wallet/balance").await["available"] != amounts.iter().sum::<u64>() {
            tokio::task::yield_now().await;
        }
    }
    server
}

/// Values and token markers of the outputs.
fn outputs(answer: &Value) -> Vec<(u64, u64)> {
    let number = |value: &Value| value.as_u64().unwrap();
    let outputs = answer["outputs"].as_array().unwrap().iter();
    outputs.map(|output| (number(&output["value"]), number(&output["token_data"]))).collect()
}

#[tokio::test]
async fn two_of_three_create_mint_melt_and_send() {
    let server = funded(&[1000]).await;
    let balance = async |wallet: &str, token: &str| {
        read(&server, wallet, &format!("/wallet/balance?token={token}")).await["available"].as_u64().unwrap()
    };
    let body = json!({"name": "Tea", "symbol": "TEA", "amount": 100});
    let hex = proposed(&server, "/create-token", body).await;
    let built = transaction(&hex);
    assert!(built.weight > 0.0 && built.timestamp > 0 && built.inputs.iter().all(|i| i.data.is_empty()));
    // Whoever is asked, in whatever order: the signatures come in the order of the keys.
    let signed = json!({"txHex": hex, "signatures": [share(&server, "2", &hex).await, share(&server, "1", &hex).await]});
    let signed = transaction(call(&server, "1", "/sign", signed).await.json()["txHex"].as_str().unwrap());
    let Some(InputData::P2sh { signatures, redeem_script }) = InputData::parse(&signed.inputs[0].data) else {
        panic!("signed")
    };
    assert_eq!((signatures.len(), RedeemScript::parse(&redeem_script).unwrap().public_keys.len()), (2, 3));
    assert_eq!(Transaction { weight: 0.0, timestamp: 0, inputs: Vec::new(), ..signed }, {
        Transaction { weight: 0.0, timestamp: 0, inputs: Vec::new(), ..built }
    });

    let created = sent(&server, &hex, ["2", "0"]).await;
    assert_eq!(outputs(&created), [(999, 0), (100, 1), (1, 129), (2, 129)]);
    let token = created["hash"].as_str().unwrap();
    assert_eq!(created["configurationString"].as_str().unwrap()[..9], *"[Tea:TEA:");
    assert_eq!((balance("0", token).await, balance("2", "00").await), (100, 999));

    let mint = json!({"token": token, "amount": 200, "create_mint": false});
    let minted = sent(&server, &proposed(&server, "/mint-tokens", mint).await, ["0", "1"]).await;
    // No further authority to mint.
    assert_eq!(outputs(&minted), [(997, 0), (200, 1)]);
    let none = failed("Don't have mint authority output available.");
    assert_eq!(call(&server, "2", "/mint-tokens", json!({"token": token, "amount": 1})).await.parts(), none);

    let melt = json!({"token": token, "amount": 100, "deposit_address": FOREIGN});
    let melted = sent(&server, &proposed(&server, "/melt-tokens", melt).await, ["1", "2"]).await;
    assert_eq!(outputs(&melted), [(2, 129), (1, 0)]);

    let send = json!({"outputs": [{"address": FOREIGN, "value": "3"}, {"address": FOREIGN, "value": 2, "token": token}]});
    let hex = proposed(&server, "", send).await;
    let unsigned = transaction(&hex);
    assert_eq!((unsigned.weight, unsigned.timestamp), (0.0, 0));
    let last = sent(&server, &hex, ["0", "2"]).await;
    let mut all = outputs(&last);
    all.sort_unstable();
    assert_eq!((all[0], all[1]), ((2, 1), (3, 0)));
    for wallet in ["0", "1", "2"] {
        // The others learn of it from the node.
        while balance(wallet, token).await != 198 {
            tokio::task::yield_now().await;
        }
        assert_eq!(balance(wallet, "00").await, 994);
    }
    server.shutdown().await;
}

#[tokio::test]
async fn signatures_that_do_not_do_are_named_before_the_proof_of_work() {
    let server = funded(&[1000, 500]).await;
    let built = proposed(&server, "", json!({"outputs": [{"address": FOREIGN, "value": 1200}]})).await;
    assert_eq!(transaction(&built).inputs.len(), 2);
    let (zero, one) = (share(&server, "0", &built).await, share(&server, "1", &built).await);
    let key = |share: &str| share[..66].to_owned();
    let sign = async |hex: &str, signatures: &[&str]| {
        let body = json!({"txHex": hex, "signatures": signatures});
        let answer = call(&server, "0", "/sign-and-push", body.clone()).await.parts();
        assert_eq!(call(&server, "0", "/sign", body).await.parts(), answer);
        answer
    };
    let count = "Quantity of signatures different than expected. Expected 2 Received";
    assert_eq!(sign(&built, &[&zero]).await, failed(&format!("{count} 1")));
    assert_eq!(sign(&built, &[&zero, &one, &one]).await, failed(&format!("{count} 3")));
    let twice = format!("Invalid signatures: participant {} has signed twice", key(&zero));
    assert_eq!(sign(&built, &[&zero, &zero]).await, failed(&twice));
    let stranger = format!("{}{}", "02".repeat(33), &one[66..]);
    let unknown = format!("Invalid signatures: {} is the key of no participant", "02".repeat(33));
    assert_eq!(sign(&built, &[&zero, &stranger]).await, failed(&unknown));
    let first_alone = one.rsplit_once('|').unwrap().0;
    let missing = format!("Invalid signatures: participant {} has not signed input 1", key(&one));
    assert_eq!(sign(&built, &[&zero, first_alone]).await, failed(&missing));
    let nonsense =
        "Invalid signatures: the first part must be the participant's public key (33 bytes in hex)";
    assert_eq!(sign(&built, &["x", "y"]).await, failed(nonsense));
    let no_signature = |share: &str, input: u8| {
        failed(&format!(
            "Invalid signatures: what participant {} gives for input {input} is no signature of this transaction",
            key(share)
        ))
    };
    // Another's signature under one's own key, a signature cut short, and those of another transaction.
    let borrowed = format!("{}{}", key(&one), &zero[66..]);
    assert_eq!(sign(&built, &[&zero, &borrowed]).await, no_signature(&one, 0));
    assert_eq!(sign(&built, &[&zero, &one[..one.len() - 2]]).await, no_signature(&one, 1));
    let mut tampered = transaction(&built);
    tampered.outputs[0].value = 7_u64.into();
    let tampered = hex(&tampered);
    let least = if zero < one { &zero } else { &one };
    assert_eq!(sign(&tampered, &[&zero, &one]).await, no_signature(least, 0));
    let unreadable = "We currently support only the Transaction and CreateTokenTransaction types. Other types will be supported \
                      in the future.";
    assert_eq!(sign(&built[..40], &[&zero, &one]).await, failed(unreadable));

    // The node evaluates scripts too: it takes the signatures in no other order.
    let body = json!({"txHex": built, "signatures": [one, zero]});
    let signed = call(&server, "0", "/sign", body.clone()).await.json();
    let mut reversed = transaction(signed["txHex"].as_str().unwrap());
    for input in &mut reversed.inputs {
        let Some(InputData::P2sh { mut signatures, redeem_script }) = InputData::parse(&input.data) else {
            panic!("signed")
        };
        signatures.reverse();
        input.data = InputData::P2sh { signatures, redeem_script }.to_bytes().unwrap();
    }
    let pushed = server.post("/push-tx", None, &json!({"txHex": hex(&reversed)})).await;
    assert_eq!(
        pushed.parts(),
        failed("Input 0 has a signature that is not one of this transaction by its key.")
    );
    // Nothing of all this was held on to.
    let dry = server.post(&format!("{GROUP}/sign-and-push?dry_run=true"), Some("0"), &body).await.json();
    assert_eq!(
        (&dry["dry_run"], &dry["hash"], &dry["cost"]["total"]),
        (&json!(true), &Value::Null, &json!(0))
    );
    assert_eq!(call(&server, "0", "/sign-and-push", body.clone()).await.json()["success"], true);
    // Whoever sends it again has made another transaction of it, which would void the first.
    let spends = transaction(&built).inputs[0].spends;
    let spent = failed(&format!(
        "Token: 00. Output [{}] of transaction [{}] is already spent",
        spends.index, spends.tx
    ));
    assert_eq!(call(&server, "0", "/sign-and-push", body.clone()).await.parts(), spent);
    while read(&server, "2", "/wallet/balance").await["available"] != 300 {
        tokio::task::yield_now().await;
    }
    assert_eq!(call(&server, "2", "/sign-and-push", body).await.parts(), spent);
    server.shutdown().await;
}

#[tokio::test]
async fn inputs_are_set_aside_only_if_asked_for() {
    let server = funded(&[1000, 500]).await;
    let body =
        |mark: bool| json!({"outputs": [{"address": FOREIGN, "value": 1}], "mark_inputs_as_used": mark});
    let available = async || {
        let path = "/wallet/utxo-filter?only_available_utxos=true";
        read(&server, "0", path).await["total_amount_available"].as_u64().unwrap()
    };
    proposed(&server, "", body(false)).await;
    assert_eq!(available().await, 1500);
    let first = proposed(&server, "", body(true)).await;
    // Which of the two was chosen depends on whether a second has passed.
    let left = available().await;
    assert!([500, 1000].contains(&left), "{left}");
    // Another proposal spends other outputs.
    let second = proposed(&server, "", body(true)).await;
    assert_ne!(transaction(&first).inputs, transaction(&second).inputs);
    let short = short("00", 1, 0);
    assert_eq!(call(&server, "0", "", body(false)).await.parts(), short);
    // All wallets of the participants in one process keep them from other proposals.
    assert_eq!(call(&server, "1", "", body(false)).await.parts(), short);
    let back = json!({"txHex": first, "mark_as_used": false}).to_string();
    let headers = [("x-wallet-id", "0"), ("content-type", "application/json")];
    let answer =
        server.ask("PUT", "/wallet/utxos-selected-as-input", &headers, back.as_bytes()).await.parts();
    assert_eq!(answer, (200, json!({"success": true})));
    assert_eq!(available().await, 1500 - left);
    for (path, body) in [
        ("/create-token", json!({"name": "Tea", "symbol": "TEA", "amount": 1, "mark_inputs_as_used": true})),
        ("", json!({"outputs": [{"address": FOREIGN, "value": 1}]})),
    ] {
        let answer = call(&server, "0", path, body).await.json();
        assert_eq!(answer["success"], path == "/create-token", "{answer}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn proposals_spend_and_pay_what_they_are_told_to() {
    let server = funded(&[1000, 500]).await;
    let unspent = read(&server, "0", "/wallet/utxo-filter").await;
    let largest = unspent["utxos"].as_array().unwrap().iter().find(|utxo| utxo["amount"] == 1000).unwrap();
    let change = read(&server, "0", "/wallet/address?index=7").await["address"].clone();
    let body = json!({
        "outputs": [{"address": FOREIGN, "value": 30, "timelock": 4_000_000_000_u32}],
        "inputs": [{"txId": largest["tx_id"], "index": largest["index"]}],
        "change_address": change,
    });
    let built = transaction(&proposed(&server, "", body).await);
    assert_eq!(built.inputs.len(), 1);
    assert_eq!(built.inputs[0].spends.tx.to_string(), largest["tx_id"].as_str().unwrap());
    let decoded =
        server.post("/wallet/decode", Some("0"), &json!({"txHex": hex(&built)})).await.json()["tx"].clone();
    let to = |value: u64| {
        let outputs = decoded["outputs"].as_array().unwrap().iter();
        let output = outputs.into_iter().find(|output| output["value"] == value).unwrap();
        output["decoded"].clone()
    };
    assert_eq!(to(970), json!({"address": change, "timelock": null}));
    assert_eq!(to(30), json!({"address": FOREIGN, "timelock": 4_000_000_000_u32}));
    assert_eq!(decoded["completeSignatures"], false);

    let one = json!([{"address": FOREIGN, "value": 1}]);
    let token = "ab".repeat(32);
    let table = [
        (
            "",
            json!({"outputs": one, "change_address": FOREIGN}),
            "Change address does not belong to the loaded wallet.",
        ),
        (
            "",
            json!({"outputs": one, "change_address": "zz"}),
            "Change address does not belong to the loaded wallet.",
        ),
        ("", json!({"outputs": one, "inputs": [{"txId": token, "index": 0}]}), "invalid-input"),
        ("", json!({"outputs": one, "inputs": [{"txId": token, "index": -1}]}), "invalid-input"),
        (
            "/create-token",
            json!({"name": "T", "symbol": "T", "amount": 1, "change_address": FOREIGN}),
            "Change address is not from the wallet",
        ),
        (
            "/create-token",
            json!({"name": "T", "symbol": "T", "amount": 1, "melt_authority_address": FOREIGN}),
            "The melt authority address must belong to your wallet.",
        ),
        (
            "/create-token",
            json!({"name": "T", "symbol": "T", "amount": 1_000_000}),
            "Not enough HTR tokens for deposit or fee: 10000 required, 1500 available",
        ),
        (
            "/mint-tokens",
            json!({"token": token, "amount": 1, "change_address": FOREIGN}),
            "Change address is not from this wallet",
        ),
        ("/mint-tokens", json!({"token": "00", "amount": 1}), "Don't have mint authority output available."),
        (
            "/melt-tokens",
            json!({"token": token, "amount": 1, "change_address": FOREIGN}),
            "Change address is not from this wallet",
        ),
        ("/melt-tokens", json!({"token": token, "amount": 1}), "Don't have melt authority output available."),
    ];
    for (path, body, error) in table {
        let (status, answer) = call(&server, "0", path, body.clone()).await.parts();
        assert_eq!((status, &answer["error"]), (200, &json!(error)), "{path} {body}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn who_can_not_sign_can_still_propose_and_assemble() {
    let three = Three::new();
    let server = funded(&[700]).await;
    let body = json!({"xpubkey": three.xpubs[2], "multisig": true, "multisigKey": "cold"});
    server.start_wallet("watcher", body).await;
    // Words of none of the participants.
    let stranger = json!({"seedKey": "genesis", "multisig": true, "multisigKey": "cold"});
    let stranger = {
        let mut body = stranger;
        body.as_object_mut().unwrap().remove("seedKey");
        body["seed"] = json!(super::support::GENESIS_WORDS);
        body
    };
    server.start_wallet("stranger", stranger).await;
    let send = json!({"outputs": [{"address": FOREIGN, "value": 1}]});
    let built = call(&server, "watcher", "", send.clone()).await.json()["txHex"].clone();
    let sign = |wallet: &'static str| call(&server, wallet, "/get-my-signatures", json!({"txHex": built}));
    assert_eq!(
        sign("watcher").await.parts(),
        failed("this wallet was started from an xpub and can't sign: start it from its words to send")
    );
    assert_eq!(
        sign("stranger").await.parts(),
        failed(
            "this wallet's words are those of none of its participants: `pubkeys` of its multisig setting must have the answer \
             of POST /multisig-pubkey"
        )
    );
    let not_multisig = failed("Wallet is not a multisig wallet.");
    assert_eq!(sign("genesis").await.parts(), not_multisig);
    let body = json!({"txHex": built, "signatures": ["x", "y"]});
    assert_eq!(call(&server, "genesis", "/sign", body).await.parts(), not_multisig);
    // A wallet of one key proposes too.
    assert_eq!(call(&server, "genesis", "", send).await.json()["success"], true);

    let hex = built.as_str().unwrap();
    let body = json!({"txHex": built, "signatures": [share(&server, "0", hex).await, share(&server, "1", hex).await]});
    assert_eq!(call(&server, "watcher", "/sign-and-push", body).await.json()["success"], true);
    server.shutdown().await;
}

#[tokio::test]
async fn participants_that_sign_elsewhere_have_their_input_data_made() {
    let three = Three::new();
    let server = funded(&[700]).await;
    let data = async |signatures: Value| {
        let body = json!({"index": 0, "signatures": signatures});
        server.post("/wallet/tx-proposal/input-data", Some("0"), &body).await.parts()
    };
    let [first, second, third] = [0, 1, 2].map(|place| three.xpubs[place].as_str());
    // As hathor-wallet-headless makes it.
    let made = "01bb01aa4c69522102bcb9d5e9d7518384a3bbc923bb11af12520fd83519d00acaca89b4a909ee7c50210321d6a6136ed7f900f1740ff2\
                96420fee0c03ddcf2bdba0e4b78e06dd73cd1c542102fa56d5a4b0c75af1413f1dfe8a53200d8bc3d833392dccae65098b420691441553ae";
    let two = json!({third: "aa", first: "bb"});
    assert_eq!(data(two).await, (200, json!({"success": true, "inputData": made})));
    let three_of_three = json!({third: "aa", first: "bb", second: "cc"});
    assert_eq!(data(three_of_three).await, failed("3 signatures for a redeem script that takes 2"));
    let other = "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8";
    assert_eq!(data(json!({other: "aa"})).await, failed("signature from unknown signer"));
    let body = json!({"index": 0, "signature": "aa"});
    assert_eq!(
        server.post("/wallet/tx-proposal/input-data", Some("0"), &body).await.parts(),
        failed("this wallet is multisig: `signatures` must have those of its participants, by their xpubs")
    );
    let built = server
        .post("/wallet/tx-proposal", Some("0"), &json!({"outputs": [{"address": FOREIGN, "value": 1}]}))
        .await
        .json();
    let path = format!("/wallet/tx-proposal/get-wallet-inputs?txHex={}", built["txHex"].as_str().unwrap());
    let inputs = json!([{"inputIndex": 0, "addressIndex": 0, "addressPath": "m/45'/280'/0'/0/0"}]);
    assert_eq!(read(&server, "0", &path).await, json!({"success": true, "inputs": inputs}));
    server.shutdown().await;
}

#[tokio::test]
async fn every_option_of_a_token_reaches_the_proposal() {
    let server = funded(&[1000]).await;
    let own = read(&server, "0", "/wallet/address?index=5").await["address"].clone();
    // Who gets what: value, marker and address of each output.
    let paid = async |hex: &str| {
        let decoded = server.post("/wallet/decode", Some("0"), &json!({"txHex": hex})).await.json();
        let outputs = decoded["tx"]["outputs"].as_array().unwrap().iter();
        let one = |output: &Value| {
            let number = |name: &str| output[name].as_u64().unwrap();
            (number("value"), number("token_data"), output["decoded"]["address"].clone())
        };
        outputs.map(one).collect::<Vec<_>>()
    };
    let (own_value, foreign) = (own.clone(), json!(FOREIGN));
    let create = json!({
        "name": "Tea", "symbol": "TEA", "amount": 100, "address": FOREIGN, "change_address": own,
        "create_mint": true, "mint_authority_address": own, "create_melt": "false",
    });
    let hex = proposed(&server, "/create-token", create).await;
    let expected = [(999, 0, own_value.clone()), (100, 1, foreign.clone()), (1, 129, own_value.clone())];
    assert_eq!(paid(&hex).await, expected);
    let external = json!({
        "name": "Tea", "symbol": "TEA", "amount": 100, "create_mint": false,
        "melt_authority_address": FOREIGN, "allow_external_melt_authority_address": true,
    });
    assert_eq!(paid(&proposed(&server, "/create-token", external).await).await[2], (2, 129, foreign.clone()));

    let with_data = json!({
        "name": "Tea", "symbol": "TEA", "amount": 300, "change_address": own, "create_mint": false,
        "create_melt": false, "version": 2, "data": ["tea"],
    });
    let outputs = paid(&proposed(&server, "/create-token", with_data).await).await;
    // A cent for the data, and one for the fee: a deposit would be three.
    assert_eq!(outputs[0], (998, 0, own_value.clone()));
    assert_eq!(outputs.last(), Some(&(1, 0, json!(null))));

    let whole = json!({"name": "Tea", "symbol": "TEA", "amount": 300, "change_address": own, "address": own});
    let created = sent(&server, &proposed(&server, "/create-token", whole).await, ["0", "1"]).await;
    let token = created["hash"].as_str().unwrap();
    let mint = json!({
        "token": token, "amount": 100, "address": FOREIGN, "change_address": own,
        "mint_authority_address": FOREIGN, "allow_external_mint_authority_address": true,
    });
    let expected = [(996, 0, own_value.clone()), (100, 1, foreign.clone()), (1, 129, foreign.clone())];
    assert_eq!(paid(&proposed(&server, "/mint-tokens", mint).await).await, expected);
    let mint_back = json!({
        "token": token, "amount": 100, "mint_authority_address": own, "data": ["tea"], "unshift_data": false,
    });
    let outputs = paid(&proposed(&server, "/mint-tokens", mint_back).await).await;
    assert_eq!(outputs[2..], [(1, 129, own_value.clone()), (1, 0, json!(null))]);
    let melt = json!({
        "token": token, "amount": 100, "deposit_address": FOREIGN, "change_address": own,
        "melt_authority_address": FOREIGN, "allow_external_melt_authority_address": true, "data": ["tea"],
    });
    // The data takes the returned deposit, and comes first.
    let expected = [(1, 0, json!(null)), (200, 1, own_value.clone()), (2, 129, foreign.clone())];
    assert_eq!(paid(&proposed(&server, "/melt-tokens", melt).await).await, expected);
    let melt_away = json!({"token": token, "amount": 300, "create_melt": false, "mark_inputs_as_used": true});
    let hex = proposed(&server, "/melt-tokens", melt_away).await;
    assert_eq!(paid(&hex).await.len(), 1);
    let none = failed("Don't have melt authority output available.");
    assert_eq!(call(&server, "0", "/melt-tokens", json!({"token": token, "amount": 1})).await.parts(), none);
    let last = json!({"token": token, "amount": 1, "create_mint": false, "mark_inputs_as_used": true});
    proposed(&server, "/mint-tokens", last.clone()).await;
    let none = failed("Don't have mint authority output available.");
    assert_eq!(call(&server, "0", "/mint-tokens", last).await.parts(), none);
    server.shutdown().await;
}

#[tokio::test]
async fn what_was_pushed_with_a_key_is_not_pushed_again_after_a_restart() {
    let three = Three::new();
    let dir = TempDir::new().unwrap();
    let settings = three.settings(&format!("data_dir = '{}'\n", dir.path().display()));
    let server = Server::with_wallet_and(&settings).await;
    three.start(&server).await;
    pay(&server, &three.addresses[0], 700, "0").await;
    let hex = proposed(&server, "", json!({"outputs": [{"address": FOREIGN, "value": 100}]})).await;
    let signatures = [share(&server, "0", &hex).await, share(&server, "1", &hex).await];
    let body = json!({"txHex": hex, "signatures": signatures}).to_string();
    let headers = [("content-type", "application/json"), ("x-wallet-id", "0"), ("idempotency-key", "order")];
    let path = format!("{GROUP}/sign-and-push");
    let first = server.ask("POST", &path, &headers, body.as_bytes()).await;
    assert_eq!(first.json()["success"], true, "{}", first.text);

    let (task, devnet) = server.begin_shutdown();
    task.await.unwrap();
    let server = Server::on(devnet, &settings).await;
    three.start(&server).await;
    let again = server.ask("POST", &path, &headers, body.as_bytes()).await;
    assert_eq!((again.status, &again.text), (first.status, &first.text));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(read(&server, "0", "/wallet/balance").await, json!({"available": 600, "locked": 0}));
    server.shutdown().await;
}
