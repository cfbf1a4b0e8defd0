//! Transactions given as hexadecimal text: pushed, set aside, decoded.

use super::command_line::cells;
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
pub(super) fn signed(server: &Server, mut transaction: Transaction) -> Transaction {
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

/// One without inputs and outputs.
const EMPTY: &str = "0001000000000000000000000062bb48b50000000000";
pub(super) const STRANGER: &str = "WPynsVhyU6nP7RSZAkqfijEutC88KgAyFc";

/// A call by a stranger, with fees.
fn calling() -> Transaction {
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
    let contract = "07".repeat(32);
    let expected = [
        "kind Transaction",
        &format!("fees 0.01 HTR, 1.00 {token}"),
        "",
        "No inputs.",
        "",
        "No outputs.",
        "",
        "calls withdraw",
        &format!("contract {contract}"),
        &format!("caller {STRANGER}"),
        "",
        "ACTION AMOUNT TOKEN",
        "withdrawal 0.30 HTR",
        &format!("deposit 0.05 {token}"),
        &format!("grant authority to melt {token}"),
        &format!("acquire authority to mint and melt {token}"),
        "",
        "None of its inputs and outputs are this wallet's.",
    ];
    assert_eq!(cells(&server.printed(&["decode", &hex(&calling())]).await), expected);
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
