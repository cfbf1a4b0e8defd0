//! Transactions given as hexadecimal text: pushed, set aside, decoded.

use super::support::{GENESIS_WORDS, Server, ask};
use headless_wallet::api::Request;
use headless_wallet::devnet::{MiningFaults, NodeFaults, NodeMode};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::nano::{ActionKind, Blueprint, NanoAction, NanoHeader};
use headless_wallet::ledger::{Address, Amount, FeeEntry, Header, Network, Transaction, VertexId};
use headless_wallet::operations::SendTx;
use headless_wallet::rt;
use headless_wallet::service::Operation;
use serde_json::{Value, json};
use std::time::Duration;

/// What the genesis wallet would send for `body`, unsigned.
async fn planned(server: &Server, body: Value) -> Transaction {
    let request = SendTx::read(body.as_object().unwrap(), headless_wallet::api::Compat::Documented).unwrap();
    let request = request.for_network(Network::Privatenet).unwrap();
    let wallet = server.app.wallets().get("genesis").unwrap();
    wallet.preview(Operation::Send(request)).await.unwrap().transaction
}

/// Signed with the genesis words.
fn signed(server: &Server, mut transaction: Transaction) -> Transaction {
    let keys = AccountKeys::from_mnemonic(&Mnemonic::parse(GENESIS_WORDS).unwrap(), "");
    let digest = transaction.sighash().unwrap();
    let wallet = server.app.wallets().get("genesis").unwrap();
    for input in &mut transaction.inputs {
        let spent = wallet.read(|state, _| state.vertex(&input.spends.tx)).unwrap().unwrap();
        let script = &spent.outputs[usize::from(input.spends.index)].output.script;
        let signer = wallet.read(|state, _| state.paid_index(script)).unwrap().unwrap();
        input.data = keys.sign(signer, &digest).to_bytes().unwrap();
    }
    transaction
}

fn hex(transaction: &Transaction) -> String {
    hex::encode(transaction.to_bytes().unwrap())
}

fn failed(error: &str) -> (u16, Value) {
    (200, json!({"success": false, "error": error}))
}

const NOT_SUPPORTED: &str = "We currently support only the Transaction and CreateTokenTransaction types. Other types will be \
                             supported in the future.";

#[tokio::test]
async fn push_needs_no_wallet_and_nests_the_transaction() {
    let server = Server::with_wallet().await;
    let to = server.address(5).await;
    let mut transaction =
        signed(&server, planned(&server, json!({"outputs": [{"address": to, "value": 9}]})).await);
    let mut rival = transaction.clone();
    rival.outputs.reverse();
    let rival = signed(&server, rival);
    // A weight of 0 is put right.
    transaction.weight = 0.0;
    let answer = server.post("/push-tx", None, &json!({"txHex": hex(&transaction)})).await;
    let (status, answer) = answer.parts();
    assert_eq!((status, &answer["success"]), (200, &json!(true)), "{answer}");
    let tx = &answer["tx"];
    assert_eq!(tx["outputs"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&tx["version"], &tx["tokens"], &tx["_dataToSignCache"]),
        (&json!(1), &json!([]), &Value::Null)
    );
    assert_eq!(tx["parents"].as_array().unwrap().len(), 2);
    let id = tx["hash"].as_str().unwrap().parse().unwrap();
    assert!(server.devnet.read(|chain| chain.get(&id).is_some()));

    let again = server.post("/push-tx", None, &json!({"txHex": hex(&rival)})).await;
    let spent = "Invalid transaction. At least one of your inputs has already been spent.";
    assert_eq!(again.parts(), failed(spent));
    server.shutdown().await;
}

/// Each push would solve it anew, and the ledger takes only one solution.
#[tokio::test]
async fn one_payment_pushed_twice_is_one_transaction() {
    let server = Server::with_wallet().await;
    let to = server.address(5).await;
    let transaction =
        signed(&server, planned(&server, json!({"outputs": [{"address": to, "value": 9}]})).await);
    let body = json!({"txHex": hex(&transaction)});
    let push = || server.post("/push-tx", None, &body);
    // In another second it has another timestamp, and so another solution.
    let next_second = async || {
        let now = rt::unix_seconds();
        while rt::unix_seconds() == now {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    // Long enough that the second comes while the first is being solved.
    let delay = Duration::from_millis(1_500);
    server.devnet.set_mining_faults(MiningFaults { delay, ..MiningFaults::default() });
    let second = async {
        next_second().await;
        push().await
    };
    let (one, two) = tokio::join!(push(), second);
    server.devnet.set_mining_faults(MiningFaults::default());
    let first = one.json();
    assert_eq!(first["success"], true, "{first}");
    assert_eq!(two.json(), first);
    // And later, with a key and without.
    next_second().await;
    assert_eq!(push().await.json(), first);
    let headers = [("content-type", "application/json"), ("idempotency-key", "order")];
    let keyed =
        async |body: &Value| server.ask("POST", "/push-tx", &headers, body.to_string().as_bytes()).await;
    let answer = keyed(&body).await;
    assert_eq!((answer.json(), answer.header("idempotency-replayed")), (first.clone(), None));
    let again = keyed(&body).await;
    assert_eq!((again.json(), again.header("idempotency-replayed")), (first, Some("true")));
    server.shutdown().await;
}

#[tokio::test]
async fn a_push_with_a_key_is_answered_again() {
    let server = Server::with_wallet().await;
    let to = server.address(5).await;
    let plan = async |value: u64| {
        signed(&server, planned(&server, json!({"outputs": [{"address": to, "value": value}]})).await)
    };
    let body = json!({"txHex": hex(&plan(9).await)});
    let headers = [("content-type", "application/json"), ("idempotency-key", "order")];
    let push =
        async |body: &Value| server.ask("POST", "/push-tx", &headers, body.to_string().as_bytes()).await;
    let (one, two) = tokio::join!(push(&body), push(&body));
    assert_eq!(one.json()["success"], true, "{}", one.text);
    assert_eq!(one.text, two.text);
    let replayed = |answer: &super::support::Answer| answer.header("idempotency-replayed").is_some();
    assert_eq!(usize::from(replayed(&one)) + usize::from(replayed(&two)), 1);
    let other = push(&json!({"txHex": hex(&plan(10).await)})).await;
    let error = "This Idempotency-Key was used with another request: use a new key for each request.";
    assert_eq!(other.parts(), (422, json!({"success": false, "error": error})));
    server.shutdown().await;
}

#[tokio::test]
async fn the_end_waits_for_a_push_whose_caller_hung_up() {
    let server = Server::with_wallet().await;
    let to = server.address(5).await;
    let transaction =
        signed(&server, planned(&server, json!({"outputs": [{"address": to, "value": 9}]})).await);
    let slow = NodeFaults { mode: NodeMode::Slow, path: "push_tx".into(), ..NodeFaults::default() };
    server.devnet.set_node_faults(slow);
    let in_flight = async || {
        let text = server.ask("GET", "/metrics", &[], b"").await.text;
        let line =
            text.lines().find_map(|line| line.strip_prefix("headless_wallet_http_requests_in_flight "));
        line.unwrap().parse::<u32>().unwrap()
    };
    let (address, body) = (server.address.clone(), json!({"txHex": hex(&transaction)}).to_string());
    let push = tokio::spawn(async move {
        let headers = [("content-type", "application/json")];
        ask(&address, "POST", "/push-tx", &headers, body.as_bytes()).await
    });
    // The request, and the push itself.
    while in_flight().await != 2 {
        tokio::task::yield_now().await;
    }
    push.abort();
    while in_flight().await != 1 {
        tokio::task::yield_now().await;
    }
    let address = server.address.clone();
    let (end, devnet) = server.begin_shutdown();
    while ask(&address, "GET", "/", &[], b"").await.status != 503 {
        tokio::task::yield_now().await;
    }
    devnet.set_node_faults(NodeFaults::default());
    end.await.unwrap();
    let spent = transaction.inputs[0].spends;
    assert!(devnet.read(|chain| chain.spender(spent).is_some()), "it is on the ledger");
    devnet.shutdown().await;
}

#[tokio::test]
async fn a_dry_run_of_a_push_says_what_it_would_cost() {
    let server = Server::with_wallet().await;
    let to = server.address(5).await;
    let body = json!({"outputs": [{"address": to, "value": 9}, {"type": "data", "data": "x"}]});
    let mut transaction = signed(&server, planned(&server, body).await);
    transaction.weight = 0.0;
    let push = async |path: &str, transaction: &Transaction| {
        server.post(path, None, &json!({"txHex": hex(transaction)})).await
    };
    let before = server.read("/wallet/tx-history").await;
    let dry = push("/push-tx?dry_run=true", &transaction).await.json();
    assert_eq!((&dry["success"], &dry["dry_run"], &dry["hash"]), (&json!(true), &json!(true), &Value::Null));
    assert_eq!(dry["cost"], json!({"deposit": 0, "fee": 0, "data": 1, "total": 1}));
    assert!(dry["weight"].as_f64().unwrap() >= 1.0);
    assert_eq!(server.read("/wallet/tx-history").await, before);

    // All that the node would refuse in the signatures is found, without a wallet.
    let stranger = AccountKeys::from_mnemonic(&Mnemonic::generate().unwrap(), "");
    let mut foreign = transaction.clone();
    foreign.inputs[0].data = stranger.sign(0, &foreign.sighash().unwrap()).to_bytes().unwrap();
    let error = "Input 0 has the key of another address than the one that it spends from.";
    assert_eq!(push("/push-tx?dry_run=true", &foreign).await.parts(), failed(error));
    let mut unknown = transaction.clone();
    unknown.inputs[0].spends.tx = "ab".repeat(32).parse().unwrap();
    let unknown = signed_by(&unknown, &stranger);
    let error = format!("Could not find input transaction for txId {}", "ab".repeat(32));
    assert_eq!(push("/push-tx?dry_run=true", &unknown).await.parts(), failed(&error));
    assert_eq!(push("/push-tx?dry_run=perhaps", &transaction).await.status, 400);
    assert_eq!(push("/push-tx", &transaction).await.json()["success"], true);
    server.shutdown().await;
}

/// Signed with the first key of an account.
fn signed_by(transaction: &Transaction, keys: &AccountKeys) -> Transaction {
    let mut signed = transaction.clone();
    let digest = signed.sighash().unwrap();
    signed.inputs.iter_mut().for_each(|input| input.data = keys.sign(0, &digest).to_bytes().unwrap());
    signed
}

#[tokio::test]
async fn text_that_is_no_transaction_is_refused() {
    let server = Server::with_wallet().await;
    let entry = json!({"msg": "Invalid txHex", "param": "txHex", "location": "body"});
    let wrong = json!({"value": "zz", "msg": "Invalid txHex", "param": "txHex", "location": "body"});
    let ask = async |path: &str, method: &str, body: Value| {
        let headers = [("content-type", "application/json"), ("x-wallet-id", "genesis")];
        server.ask(method, path, &headers, body.to_string().as_bytes()).await
    };
    for (path, method) in [("/push-tx", "POST"), ("/wallet/utxos-selected-as-input", "PUT")] {
        let answer = ask(path, method, json!({})).await;
        assert_eq!((answer.status, &answer.json()["error"]), (400, &json!([entry, entry])), "{path}");
        let answer = ask(path, method, json!({"txHex": "zz"})).await;
        assert_eq!((answer.status, &answer.json()["error"]), (400, &json!([wrong])), "{path}");
        for text in ["00", "abc", &"00".repeat(40)] {
            let answer = ask(path, method, json!({"txHex": text})).await;
            assert_eq!(answer.parts(), failed(NOT_SUPPORTED), "{path} {text}");
        }
    }
    let decode = async |body: Value| ask("/wallet/decode", "POST", body).await;
    let none_of = |nested: Value| json!([{"msg": "Required at least one of txHex or partial_tx", "param": "_error", "nestedErrors": nested}]);
    let answer = decode(json!({})).await;
    let no_partial = json!({"msg": "Invalid partial tx", "param": "partial_tx", "location": "body"});
    assert_eq!((answer.status, &answer.json()["error"]), (400, &none_of(json!([entry, entry, no_partial]))));
    let answer = decode(json!({"txHex": "zz"})).await;
    assert_eq!((answer.status, &answer.json()["error"]), (400, &none_of(json!([wrong, no_partial]))));
    for (hex, partial) in [("00", json!("PartialTx|")), ("zz", json!("x")), ("00", json!(5))] {
        assert_eq!(
            decode(json!({"txHex": hex, "partial_tx": partial})).await.parts(),
            (400, json!({"success": false, "error": "Required only one of txHex or partialTx"}))
        );
    }
    assert_eq!(decode(json!({"txHex": "00"})).await.parts(), failed(NOT_SUPPORTED));
    assert_eq!(
        decode(json!({"partial_tx": "PartialTx|00||"})).await.parts(),
        failed("Invalid PartialTx: malformed version: cut short, 0 of 1 bytes")
    );
    assert_eq!(decode(json!({"partial_tx": "x"})).await.parts(), failed("Invalid PartialTx"));
    server.shutdown().await;
}

#[tokio::test]
async fn decode_says_what_a_transaction_does_to_the_wallet() {
    let server = Server::with_wallet().await;
    let token = server.done("create-token", json!({"name": "T", "symbol": "T", "amount": 500})).await;
    let token = token["hash"].as_str().unwrap();
    let mine = server.address(5).await;
    let foreign = "WPynsVhyU6nP7RSZAkqfijEutC88KgAyFc";
    let body = json!({"outputs": [
        {"type": "data", "data": "hi"},
        {"address": foreign, "value": 500, "token": token},
        {"address": mine, "value": 40, "timelock": 4_000_000_000_u32},
    ]});
    let unsigned = planned(&server, body).await;
    let decoded = server.done("decode", json!({"txHex": hex(&unsigned)})).await;
    let tx = &decoded["tx"];
    assert_eq!((&tx["version"], &tx["type"]), (&json!(1), &json!("Transaction")));
    assert_eq!((&tx["tokens"], &tx["completeSignatures"]), (&json!([token]), &json!(false)));
    let input = &tx["inputs"][0];
    assert_eq!(
        (&input["txId"], &input["index"]),
        (&json!(unsigned.inputs[0].spends.tx.to_string()), &json!(1))
    );
    assert_eq!(
        (&input["token"], &input["value"], &input["token_data"], &input["tokenData"]),
        (&json!(token), &json!(500), &json!(1), &json!(1))
    );
    assert_eq!((&input["mine"], &input["signed"]), (&json!(true), &json!(false)));
    assert_eq!(input["decoded"]["type"], "P2PKH");
    // Nothing is signed where there is nothing to sign.
    let empty = server.done("decode", json!({"txHex": "0001000000000000000000000062bb48b50000000000"})).await;
    let nothing = json!({
        "version": 1, "type": "Transaction", "tokens": [], "inputs": [], "outputs": [], "completeSignatures": false,
    });
    assert_eq!(empty, json!({"success": true, "tx": nothing, "balance": {}}));
    let outputs = tx["outputs"].as_array().unwrap();
    let find = |value: u64| outputs.iter().find(|output| output["value"] == value).unwrap();
    assert_eq!(
        find(1),
        &json!({
            "value": 1, "token_data": 0, "tokenData": 0, "script": "AmhprA==", "type": "data",
            "decoded": {"data": "hi"}, "mine": false, "token": "00",
        })
    );
    let locked = find(40);
    assert_eq!((&locked["type"], &locked["mine"]), (&json!("p2pkh"), &json!(true)));
    assert_eq!(locked["decoded"], json!({"address": mine, "timelock": 4_000_000_000_u32}));
    let none = json!({"melt": {"available": 0, "locked": 0}, "mint": {"available": 0, "locked": 0}});
    assert_eq!(
        decoded["balance"],
        json!({
            "00": {"tokens": {"available": -41, "locked": 40}, "authorities": none},
            token: {"tokens": {"available": -500, "locked": 0}, "authorities": none},
        })
    );

    let complete = signed(&server, unsigned.clone());
    let decoded = server.done("decode", json!({"txHex": hex(&complete)})).await;
    assert_eq!(decoded["tx"]["completeSignatures"], true);
    // Another wallet asks the node for what the inputs spend.
    let words = Mnemonic::generate().unwrap();
    let xpub = AccountKeys::from_mnemonic(&words, "").public().to_xpub();
    server.start_wallet("other", json!({"xpubkey": xpub})).await;
    let decoded =
        server.post("/wallet/decode", Some("other"), &json!({"txHex": hex(&complete)})).await.json();
    assert_eq!((&decoded["tx"]["inputs"][0]["value"], &decoded["balance"]), (&json!(500), &json!({})));

    let mut lost = unsigned;
    lost.inputs[0].spends.tx.0 = [7; 32];
    let error = format!("Could not find input transaction for txId {}", "07".repeat(32));
    assert_eq!(server.call("decode", json!({"txHex": hex(&lost)})).await.parts(), failed(&error));
    server.shutdown().await;
}

/// One without inputs and outputs.
const EMPTY: &str = "0001000000000000000000000062bb48b50000000000";
pub(super) const STRANGER: &str = "WPynsVhyU6nP7RSZAkqfijEutC88KgAyFc";

/// A call by a stranger, with fees.
pub(super) fn calling() -> Transaction {
    let mut transaction = Transaction::from_bytes(&hex::decode(EMPTY).unwrap()).unwrap();
    transaction.tokens = vec![VertexId([0xab; 32])];
    let action = |kind, token_index, cents| NanoAction { kind, token_index, amount: Amount::new(cents) };
    let call = NanoHeader {
        id: VertexId([7; 32]),
        seqnum: 300,
        method: "withdraw".to_owned(),
        args: vec![1, 0],
        actions: vec![
            action(ActionKind::Withdrawal, 0, 30),
            action(ActionKind::Deposit, 1, 5),
            action(ActionKind::GrantAuthority, 1, 2),
            action(ActionKind::AcquireAuthority, 1, 3),
        ],
        caller: Address::parse_any(STRANGER).unwrap(),
        script: Vec::new(),
    };
    let fee = |token_index, cents| FeeEntry { token_index, amount: Amount::new(cents) };
    transaction.headers = vec![Header::Nano(Box::new(call)), Header::Fee(vec![fee(0, 1), fee(1, 100)])];
    transaction
}

#[tokio::test]
async fn decode_says_what_headers_and_blueprints_say() {
    let server = Server::with_wallet().await;
    let decoded =
        async |transaction: &Transaction| server.done("decode", json!({"txHex": hex(transaction)})).await;
    let token = "ab".repeat(32);
    let expected = json!({
        "version": 1, "type": "Transaction", "tokens": [token], "inputs": [], "outputs": [], "completeSignatures": false,
        "nano": {
            "nc_id": "07".repeat(32), "nc_method": "withdraw", "nc_address": STRANGER, "nc_seqnum": 300, "nc_args": "0100",
            "actions": [
                {"type": "withdrawal", "token": "00", "amount": 30},
                {"type": "deposit", "token": token, "amount": 5},
                {"type": "grant_authority", "token": token, "mint": false, "melt": true},
                {"type": "acquire_authority", "token": token, "mint": true, "melt": true},
            ],
        },
        "fees": [{"token": "00", "amount": 1}, {"token": token, "amount": 100}],
    });
    assert_eq!(decoded(&calling()).await, json!({"success": true, "tx": expected, "balance": {}}));
    // A token that isn't there is no other one.
    let mut transaction = calling();
    transaction.headers = vec![Header::Fee(vec![FeeEntry { token_index: 129, amount: Amount::new(1) }])];
    assert_eq!(decoded(&transaction).await["tx"]["fees"], json!([{"amount": 1}]));

    let mut transaction = Transaction::from_bytes(&hex::decode(EMPTY).unwrap()).unwrap();
    let blueprint = Blueprint { code: vec![0; 9], public_key: vec![2; 33], signature: vec![] };
    transaction.blueprint = Some(Box::new(blueprint));
    let expected = json!({
        "version": 6, "type": "Transaction", "tokens": [], "inputs": [], "outputs": [], "completeSignatures": false,
        "blueprint": {"code_size": 9, "public_key": "02".repeat(33)},
    });
    assert_eq!(decoded(&transaction).await, json!({"success": true, "tx": expected, "balance": {}}));
    server.shutdown().await;
}

#[tokio::test]
async fn outputs_set_aside_are_left_alone_until_they_are_given_back() {
    let server = Server::with_wallet().await;
    let to = server.address(5).await;
    let transaction = planned(&server, json!({"outputs": [{"address": to, "value": 9}]})).await;
    let put = async |body: Value| {
        let headers = [("content-type", "application/json"), ("x-wallet-id", "genesis")];
        let path = "/wallet/utxos-selected-as-input";
        server.ask("PUT", path, &headers, body.to_string().as_bytes()).await
    };
    let available = async || {
        server.read("/wallet/utxo-filter?only_available_utxos=true").await["total_utxos_available"].clone()
    };
    let done = (200, json!({"success": true}));
    let all = available().await.as_u64().unwrap();
    assert_eq!(put(json!({"txHex": hex(&transaction)})).await.parts(), done);
    assert_eq!(available().await, all - 1);
    let listed = server.read("/wallet/utxo-filter").await;
    assert_eq!((&listed["total_utxos_available"], &listed["total_utxos_locked"]), (&json!(all), &json!(0)));
    let spends = transaction.inputs[0].spends;
    let input = json!({"hash": spends.tx.to_string(), "index": spends.index});
    let body = json!({"inputs": [input], "outputs": [{"address": to, "value": 9}]});
    let error = format!("Token: 00. Output [{}, {}] is locked or being used", spends.tx, spends.index);
    assert_eq!(server.call("send-tx", body.clone()).await.parts(), failed(&error));

    // Setting aside again changes the time; giving back ends it.
    assert_eq!(
        put(json!({"txHex": hex(&transaction), "mark_as_used": true, "ttl": 60_000})).await.parts(),
        done
    );
    assert_eq!(available().await, all - 1);
    assert_eq!(put(json!({"txHex": hex(&transaction), "mark_as_used": "false"})).await.parts(), done);
    assert_eq!(available().await, all);
    server.done("send-tx", body).await;
    assert_eq!(put(json!({"txHex": hex(&transaction)})).await.parts(), done, "spent ones are passed over");
    assert_eq!(available().await, all + 1);

    let hex = hex(&transaction);
    for (field, value, msg) in [
        ("mark_as_used", json!("yes"), "Invalid mark"),
        ("ttl", json!(0), "Invalid ttl"),
        ("ttl", json!(-1), "Invalid ttl"),
        ("ttl", json!("x"), "Invalid ttl"),
        ("ttl", json!(1.5), "Invalid ttl"),
    ] {
        let answer = put(json!({"txHex": hex, field: value})).await;
        let entry = json!({"value": value, "msg": msg, "param": field, "location": "body"});
        assert_eq!((answer.status, &answer.json()["error"]), (400, &json!([entry])), "{field} {value}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn consolidation_makes_one_output_of_many() {
    let server = Server::with_wallet().await;
    let (many, one) = (server.address(5).await, server.address(6).await);
    let outputs: Vec<Value> = (1..=6).map(|n| json!({"address": many, "value": n * 10})).collect();
    let paid = server.done("send-tx", json!({"outputs": outputs})).await;
    let consolidate = async |body: Value| server.call("utxo-consolidation", body).await.parts();
    let (_, answer) =
        consolidate(json!({"destination_address": one, "filter_address": many, "amount_smaller_than": 35, "amount_bigger_than": 15}))
            .await;
    assert_eq!(
        (&answer["success"], &answer["total_utxos_consolidated"], &answer["total_amount"]),
        (&json!(true), &json!(2), &json!(50)),
        "{answer}"
    );
    for utxo in answer["utxos"].as_array().unwrap() {
        let amount = utxo["amount"].as_u64().unwrap();
        assert!(amount == 20 || amount == 30);
        assert_eq!(
            utxo,
            &json!({"address": many, "amount": amount, "tx_id": paid["hash"], "locked": false, "index": utxo["index"]})
        );
    }
    let found = server.read(&format!("/wallet/utxo-filter?filter_address={one}")).await;
    assert_eq!((&found["total_utxos_available"], &found["utxos"][0]["amount"]), (&json!(1), &json!(50)));
    assert_eq!(found["utxos"][0]["tx_id"], answer["txId"]);

    let limited = json!({"destination_address": one, "filter_address": many, "max_utxos": "1"});
    assert_eq!(consolidate(limited).await.1["total_utxos_consolidated"], 1);
    let capped = json!({"destination_address": one, "filter_address": many, "maximum_amount": 60});
    let (_, answer) = consolidate(capped).await;
    assert!(answer["total_amount"].as_u64().unwrap() <= 60, "{answer}");
    let dry =
        server.call("utxo-consolidation?dry_run=true", json!({"destination_address": one})).await.json();
    assert_eq!((&dry["dry_run"], dry["outputs"].as_array().unwrap().len()), (&json!(true), 1));

    let table = [
        (
            json!({"destination_address": "WPynsVhyU6nP7RSZAkqfijEutC88KgAyFc"}),
            "Utxo consolidation to an address not owned by this wallet isn't allowed.",
        ),
        (json!({"destination_address": one, "token": "ab".repeat(32)}), "No available utxo to consolidate."),
    ];
    for (body, error) in table {
        assert_eq!(consolidate(body.clone()).await, failed(error), "{body}");
    }
    server.shutdown().await;
}
