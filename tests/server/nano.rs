//! Calls of contracts that fail in their block, or are under way at once.

use super::support::Server;
use headless_wallet::ledger::VertexId;
use headless_wallet::wallet::State;
use serde_json::{Value, json};
use std::time::Duration;

/// The blueprint that every full node has.
pub(super) const BET: &str = "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595";
/// The local network goes by the name of the class.
pub(super) const AUTHORITY: &str = "@export\nclass AuthorityBlueprint(Blueprint):\n    pass\n";

pub(super) async fn mine(server: &Server) {
    let calls: Vec<_> = server.devnet.read(|chain| {
        let is_call = |id: &VertexId| {
            chain.vertex(id).is_some_and(|vertex| vertex.nano.is_some_and(|nano| nano.call().is_some()))
        };
        chain.mempool().filter(is_call).collect()
    });
    server.devnet.change(|chain, now| chain.mine_block(vec![0x51], now));
    let wallet = server.app.wallets().get("genesis").unwrap();
    let has_block =
        |state: &State, id: &VertexId| state.vertex(id).is_some_and(|vertex| vertex.first_block.is_some());
    let all_told = || wallet.look(|state, _| calls.iter().all(|id| has_block(state, id)));
    let told = async {
        while !all_told() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), told).await.expect("the wallet finds out what a block has");
}

pub(super) fn action(kind: &str, token: &str, rest: Value) -> Value {
    let mut action = rest;
    action["type"] = kind.into();
    action["token"] = token.into();
    action
}

async fn execute(server: &Server, contract: &str, method: &str, caller: &str, data: Value) -> Value {
    let body = json!({"nc_id": contract, "method": method, "address": caller, "data": data});
    server.done("nano-contracts/execute", body).await
}

pub(super) async fn contract_state(server: &Server, contract: &str, rest: &str) -> Value {
    let answer = server.read(&format!("/wallet/nano-contracts/state?id={contract}{rest}")).await;
    assert_eq!(answer["success"], true);
    answer["state"].clone()
}

pub(super) async fn balance(server: &Server) -> u64 {
    server.read("/wallet/balance").await["available"].as_u64().unwrap()
}

/// A contract of Bet, whose oracle is the wallet's address 1.
pub(super) async fn bet(server: &Server) -> String {
    let oracle = server.address(1).await;
    let script = server.read(&format!("/wallet/nano-contracts/oracle-data?oracle={oracle}")).await;
    let data = json!({"args": [script["oracleData"], "00", 4_000_000_000_u32]});
    let caller = server.address(0).await;
    let body = json!({"blueprint_id": BET, "address": caller, "data": data});
    let created = server.done("nano-contracts/create", body).await;
    mine(server).await;
    created["hash"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_call_that_fails_in_its_block_leaves_the_wallet_as_a_new_scan_finds_it() {
    let server = Server::with_wallet().await;
    let contract = bet(&server).await;
    let caller = server.address(2).await;
    let before = balance(&server).await;
    // There is no result yet.
    let withdrawal = action("withdrawal", "00", json!({"amount": 300, "address": caller}));
    let failing = execute(&server, &contract, "withdraw", &caller, json!({"actions": [withdrawal]})).await;
    assert_eq!(balance(&server).await, before + 300);
    // What may never be there is not taken while there is anything else.
    let paid = server.done("simple-send-tx", json!({"address": server.address(4).await, "value": 300})).await;
    assert_ne!(paid["inputs"][0]["hash"], failing["hash"]);
    mine(&server).await;
    assert_eq!(balance(&server).await, before);
    let failing = failing["hash"].as_str().unwrap();
    let entry = server.read(&format!("/wallet/transaction?id={failing}")).await;
    assert_eq!(entry["is_voided"], true);

    let history = server.read("/wallet/tx-history").await;
    server.start_wallet("again", json!({"seedKey": "genesis"})).await;
    let again = server.ask("GET", "/wallet/tx-history", &[("x-wallet-id", "again")], b"").await.json();
    assert_eq!(history, again);
    // The number of the call is used up.
    let deposit = action("deposit", "00", json!({"amount": 1}));
    let data = json!({"args": [caller, "1x0"], "actions": [deposit]});
    execute(&server, &contract, "bet", &caller, data).await;
    mine(&server).await;
    let state = contract_state(&server, &contract, "&fields[]=total").await;
    assert_eq!(state["fields"]["total"]["value"], 1);
    server.shutdown().await;
}

/// A contract that can be granted authorities, of a blueprint that the wallet puts on the ledger.
pub(super) async fn authority(server: &Server) -> String {
    let own = server.address(0).await;
    let body = json!({"code": AUTHORITY, "address": own});
    let blueprint = server.done("nano-contracts/create-on-chain-blueprint", body).await;
    assert_eq!(blueprint["version"], 6);
    mine(server).await;
    let blueprint = blueprint["hash"].as_str().unwrap();
    let entry = server.read(&format!("/wallet/transaction?id={blueprint}")).await;
    assert_eq!(entry["nc_pubkey"].as_str().map(str::len), Some(66));
    let data = json!({"actions": [action("deposit", "00", json!({"amount": 100}))]});
    let body = json!({"blueprint_id": blueprint, "address": own, "data": data});
    let contract = server.done("nano-contracts/create", body).await;
    mine(server).await;
    contract["hash"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn calls_under_way_at_once_have_numbers_of_their_own() {
    let server = Server::with_wallet().await;
    let contract = authority(&server).await;
    let caller = server.address(2).await;
    let calls = (0..5).map(|_| execute(&server, &contract, "create_token_no_deposit", &caller, json!({})));
    let sent = futures_util::future::join_all(calls).await;
    mine(&server).await;
    let mut seqnums = Vec::new();
    for call in &sent {
        let id = call["hash"].as_str().unwrap();
        let entry = server.read(&format!("/wallet/transaction?id={id}")).await;
        assert_eq!(entry["is_voided"], false);
        seqnums.push(entry["nc_seqnum"].as_u64().unwrap());
    }
    seqnums.sort_unstable();
    assert_eq!(seqnums, [0, 1, 2, 3, 4]);
    server.shutdown().await;
}

#[tokio::test]
async fn calls_of_two_wallets_of_one_account_have_numbers_of_their_own() {
    let server = Server::with_wallet().await;
    let contract = authority(&server).await;
    server.start_wallet("again", json!({"seedKey": "genesis"})).await;
    let caller = server.address(2).await;
    let body = json!({"nc_id": contract, "method": "create_token_no_deposit", "address": caller, "data": {}});
    let call = async |wallet: &str| {
        let sent = server.post("/wallet/nano-contracts/execute", Some(wallet), &body).await.json();
        sent["hash"].as_str().unwrap_or_else(|| panic!("{sent}")).to_owned()
    };
    let sent = (0..8).map(|turn| call(if turn % 2 == 0 { "genesis" } else { "again" }));
    let sent = futures_util::future::join_all(sent).await;
    mine(&server).await;
    let mut seqnums = Vec::new();
    for id in &sent {
        let entry = server.read(&format!("/wallet/transaction?id={id}")).await;
        seqnums.push((entry["nc_seqnum"].as_u64().unwrap(), entry["is_voided"].as_bool().unwrap()));
    }
    seqnums.sort_unstable();
    assert_eq!(seqnums, (0..8).map(|number| (number, false)).collect::<Vec<_>>());
    server.shutdown().await;
}
