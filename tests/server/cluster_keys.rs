//! Requests of one `Idempotency-Key` at several servers on one database, and sends whose outcome is not
//! known.

use crate::cluster::{PATIENCE, STRANGER, Two};
use crate::postgres::Postgres;
use crate::support::{Answer, Server, ask};
use headless_wallet::devnet::{MiningFaults, MiningMode, NodeFaults, NodeMode};
use headless_wallet::keys::{AccountKeys, Mnemonic};
use headless_wallet::ledger::{Address, Amount, MiningJob, Network, TokenUid, Transaction, VertexId};
use headless_wallet::net::HttpClient;
use headless_wallet::node::{FullNode, MiningService};
use headless_wallet::service::{Account, Backend, Operation, Options, SendError, SendKey, Wallet};
use headless_wallet::store::PostgresStores;
use headless_wallet::wallet::{OutputRequest, SendRequest};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

impl Two {
    /// Asks a server, without waiting for the answer.
    fn begin(
        &self,
        server: usize,
        path: &'static str,
        body: &Value,
        key: &'static str,
    ) -> JoinHandle<Answer> {
        let (address, body) = (self.addresses[server].clone(), body.to_string());
        tokio::spawn(async move {
            let headers =
                [("content-type", "application/json"), ("x-wallet-id", "w"), ("idempotency-key", key)];
            ask(&address, "POST", path, &headers, body.as_bytes()).await
        })
    }
}

/// Long enough to do something meanwhile.
fn mined_slowly() -> MiningFaults {
    MiningFaults { delay: Duration::from_secs(5), ..MiningFaults::default() }
}

/// The funds are enough for one of the two.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_is_repeated_at_another_server_is_answered_with_what_the_first_one_sends() {
    let two = Two::new(1).await;
    let of = [("x-wallet-id", "w")];
    let utxos = ask(&two.addresses[0], "GET", "/wallet/utxo-filter", &of, b"").await.json();
    let utxo = &utxos["utxos"][0];
    let to = json!([{"address": STRANGER, "value": 600}]);
    let input = json!({"hash": utxo["tx_id"], "index": utxo["index"]});
    let chosen = json!({"outputs": to, "inputs": [input]});
    two.first.devnet.set_mining_faults(mined_slowly());
    let first = two.begin(0, "/wallet/send-tx", &chosen, "k");
    two.until_sql("select count(*) from reservation where state = 0", "1").await;
    let again = two.begin(1, "/wallet/send-tx", &chosen, "k");
    let (first, again) = (first.await.unwrap(), again.await.unwrap());
    assert_eq!(first.json()["success"], json!(true), "{}", first.text);
    assert_eq!(again.json()["hash"], first.json()["hash"], "{}", again.text);
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    two.until_both_have(400).await;
    two.until_sql("select count(*) from key_lock", "0").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_free_for_others_when_its_request_is_refused_or_its_server_is_gone() {
    let two = Two::new(1).await;
    let much = json!({"address": STRANGER, "value": 2_000});
    for server in [0, 1, 0] {
        let refused = two.post(server, "/wallet/simple-send-tx", &much, Some("much")).await;
        assert_eq!(refused["success"], json!(false), "{refused}");
    }
    // Of a server that died a moment ago.
    let row = "insert into key_lock (wallet, key, server, number) select wallet, key, -1, 7 from push_record";
    let paid = two.pay(0, Some("k")).await;
    two.until_sql("select count(*) from key_lock", "0").await;
    two.sql(row);
    assert_eq!(two.pay(1, Some("k")).await["hash"], paid["hash"], "{paid}");
    two.until_sql("select count(*) from key_lock", "0").await;
}

/// The other one may be at the same request, or gone.
#[tokio::test(flavor = "multi_thread")]
async fn that_another_server_has_an_input_is_not_the_last_word_on_a_request_with_a_key() {
    let two = Two::new(1).await;
    let of = [("x-wallet-id", "w")];
    let utxos = ask(&two.addresses[0], "GET", "/wallet/utxo-filter", &of, b"").await.json();
    let (tx, index) = (&utxos["utxos"][0]["tx_id"], &utxos["utxos"][0]["index"]);
    let to = json!([{"address": STRANGER, "value": 600}]);
    let chosen = json!({"outputs": to, "inputs": [{"hash": tx, "index": index}]});
    let claim = format!("00{}{:02x}", tx.as_str().unwrap(), index.as_u64().unwrap());
    two.sql(&format!(
        "insert into server (expires_at) values (now() + interval '1 hour'); \
         insert into reservation (wallet, claim, send, server) \
             select (select max(wallet) from vertex), '\\x{claim}', '\\x07', max(id) from server"
    ));
    let refused = two.begin(1, "/wallet/send-tx", &chosen, "k").await.unwrap();
    let error = "another server is at the same request, or spends the same: repeat the request";
    assert_eq!(refused.parts(), (503, json!({"success": false, "error": error})));
    // Without a key it is another payment.
    let in_use = two.post(1, "/wallet/send-tx", &chosen, None).await;
    assert!(in_use["error"].as_str().unwrap().ends_with("is locked or being used"), "{in_use}");
    two.sql("update server set expires_at = now() where expires_at > now() + interval '1 minute'");
    let paid = async {
        loop {
            let again = two.begin(1, "/wallet/send-tx", &chosen, "k").await.unwrap();
            if again.status == 200 {
                break again.json();
            }
        }
    };
    let paid = tokio::time::timeout(PATIENCE, paid).await.unwrap();
    assert_eq!(paid["success"], json!(true), "{paid}");
}

/// Another one may have begun it by then.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_with_a_key_of_a_server_that_had_lost_touch_is_to_be_repeated() {
    let two = Two::new(1).await;
    let pay = json!({"address": STRANGER, "value": 10});
    two.first.devnet.set_mining_faults(mined_slowly());
    let late = two.begin(0, "/wallet/simple-send-tx", &pay, "k");
    two.until_sql("select count(*) from reservation where state = 0", "1").await;
    two.sql("update server set expires_at = now() where id = (select server from key_lock)");
    let error = "another server is at the same request, or spends the same: repeat the request";
    assert_eq!(late.await.unwrap().parts(), (503, json!({"success": false, "error": error})));
    two.first.devnet.set_mining_faults(MiningFaults::default());
    assert_eq!(two.pay(0, Some("k")).await["success"], json!(true));
    two.until_both_have(990).await;
}

/// It is not sent here, and is sent there.
#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_not_the_last_word_where_another_server_has_the_key_by_then() {
    let two = Two::new(2).await;
    let pay = json!({"address": STRANGER, "value": 10});
    two.first.devnet.set_mining_faults(mined_slowly());
    let late = two.begin(0, "/wallet/simple-send-tx", &pay, "k");
    two.until_sql("select count(*) from reservation where state = 0", "1").await;
    two.sql("update server set expires_at = now() where id = (select server from key_lock)");
    two.first.devnet.set_mining_faults(MiningFaults::default());
    let paid = two.pay(1, Some("k")).await;
    assert_eq!(paid["success"], json!(true), "{paid}");
    let down = MiningFaults { mode: MiningMode::Down, status: 403, ..MiningFaults::default() };
    two.first.devnet.set_mining_faults(down);
    let error = "another server is at the same request, or spends the same: repeat the request";
    assert_eq!(late.await.unwrap().parts(), (503, json!({"success": false, "error": error})));
    assert_eq!(two.pay(0, Some("k")).await["hash"], paid["hash"]);
    two.until_both_have(1_990).await;
}

/// Several participants may push one payment: each proof of work makes another transaction of it.
#[tokio::test(flavor = "multi_thread")]
async fn of_two_transactions_that_are_one_payment_all_servers_know_the_one_on_the_ledger() {
    let two = Two::new(1).await;
    let template = json!([
        {"type": "input/utxo", "fill": 10},
        {"type": "output/token", "amount": 10, "address": STRANGER},
        {"type": "action/complete"},
    ]);
    let run = two.post(0, "/wallet/tx-template/run?dry_run=true", &template, None).await;
    let mut signed = Transaction::from_bytes(&hex::decode(run["txHex"].as_str().unwrap()).unwrap()).unwrap();
    let keys = AccountKeys::from_mnemonic(&two.words, "");
    signed.inputs[0].data = keys.sign(0, &signed.sighash().unwrap()).to_bytes().unwrap();
    signed.weight = 10.0;
    let wallet = two.apps[0].wallets().get("w").unwrap();
    two.first.devnet.set_mining_faults(mined_slowly());
    let pushing = tokio::spawn({
        let signed = signed.clone();
        async move { wallet.push_signed(signed).await }
    });
    two.until_sql("select count(*) from reservation where state = 0", "1").await;
    let on_ledger = two.first.devnet.change(|chain, now| {
        let spent = chain.vertex(&signed.inputs[0].spends.tx).unwrap().timestamp;
        signed.timestamp = now.max(spent + 1);
        signed.parents = chain.parents_before(signed.timestamp).to_vec();
        signed.weight = 15.0;
        let job = MiningJob::new(&signed.mining_bytes().unwrap(), signed.weight);
        signed.nonce = job.search(0..1 << 32).unwrap();
        chain.push(&signed.to_bytes().unwrap(), now).unwrap()
    });
    two.until_both_have(990).await;
    assert_eq!(pushing.await.unwrap().unwrap().id, on_ledger);
    two.until_sql("select count(*) from push_record where state is not null", "0").await;
    assert_eq!(two.sql("select count(*) from reservation"), "0");
    two.until_sql("select count(*) from vertex", "2").await;
    for app in &two.apps {
        let known = app.wallets().get("w").unwrap().read(|state, _| state.history_len()).unwrap();
        assert_eq!(known, 2);
    }
    two.until_both_have(990).await;
}

fn backend(server: &Server) -> Backend {
    let node = FullNode::new(HttpClient::shared(), &server.devnet.node_url()).unwrap();
    Backend {
        network: Network::Privatenet,
        // Two seconds are long enough not to know.
        node: node.with_limits(Duration::from_secs(1), Duration::from_secs(2)),
        mining: MiningService::new(HttpClient::shared(), &server.devnet.mining_url(), None).unwrap().into(),
    }
}

async fn pay(wallet: &Wallet) -> Result<VertexId, SendError> {
    let to = Address::p2pkh(Network::Privatenet, [7; 20]);
    let output =
        OutputRequest::Pay { to, value: Amount::from(10u64), token: TokenUid::Native, timelock: None };
    let send = Operation::Send(SendRequest { outputs: vec![output], ..SendRequest::default() });
    let key = SendKey { name: [1; 32], request: [2; 32] };
    wallet.carry_out_once(send, key).await.map(|sent| sent.sent.id)
}

/// There is no other server.
#[tokio::test(flavor = "multi_thread")]
async fn a_push_whose_outcome_is_not_known_is_brought_to_its_end_though_it_is_asked_for_again_at_once() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let server = Server::start_with("").await;
    let words = Mnemonic::generate().unwrap();
    let account = Account::Signing(AccountKeys::from_mnemonic(&words, ""));
    let stores = Arc::new(PostgresStores::new(url.parse().unwrap()));
    let options = Options { stores: Some(stores), ..Options::default() };
    let wallet = Wallet::start(account, backend(&server), options).await.unwrap();
    wallet.ready().await;
    let own = wallet.read(|state, _| state.address(0)).unwrap().unwrap();
    let mut events = wallet.events();
    server.devnet.change(|chain, now| chain.fund(own, Amount::from(1_000u64), now)).unwrap();
    while wallet.read(|state, _| state.history_len()).unwrap() == 0 {
        events.recv().await.unwrap();
    }
    let silent = NodeFaults { mode: NodeMode::Slow, path: "push_tx".to_owned(), ..NodeFaults::default() };
    server.devnet.set_node_faults(silent);
    let Err(SendError::Open { id, .. }) = pay(&wallet).await else { panic!("it is not open") };
    let again = tokio::spawn({
        let wallet = wallet.clone();
        async move { pay(&wallet).await }
    });
    let sql = |sql: &str| postgres.sql(&url, sql);
    let waits = async {
        while sql("select count(*) from key_lock") != "1" {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waits).await.unwrap();
    server.devnet.set_node_faults(NodeFaults::default());
    let again = tokio::time::timeout(PATIENCE, again).await.unwrap().unwrap();
    assert_eq!(again.unwrap(), id);
    assert_eq!(sql("select string_agg(state::text, ' ') from push_record where state is not null"), "2");
    assert_eq!(sql("select string_agg(state::text, ' ') from reservation"), "2");
    wallet.stop().await;
}
