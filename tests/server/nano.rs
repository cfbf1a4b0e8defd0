//! Contracts: created, called, read, and what their calls do to the wallet, in the block that has them.

use super::support::{Server, names};
use headless_wallet::ledger::VertexId;
use headless_wallet::wallet::State;
use serde_json::{Value, json};
use std::time::Duration;

/// The blueprint that every full node has.
pub(super) const BET: &str = "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595";
/// The local network goes by the name of the class.
pub(super) const AUTHORITY: &str = "@export\nclass AuthorityBlueprint(Blueprint):\n    pass\n";
const LATER: u32 = 4_000_000_000;

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
    let data = json!({"args": [script["oracleData"], "00", LATER]});
    let caller = server.address(0).await;
    let body = json!({"blueprint_id": BET, "address": caller, "data": data});
    let created = server.done("nano-contracts/create", body).await;
    mine(server).await;
    created["hash"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_bet_is_made_decided_and_paid() {
    let server = Server::with_wallet().await;
    let contract = bet(&server).await;
    let (winner, loser) = (server.address(2).await, server.address(3).await);
    let before = balance(&server).await;
    for (who, score, amount) in [(&winner, "1x0", 100), (&loser, "2x0", 200)] {
        let deposit = action("deposit", "00", json!({"amount": amount}));
        execute(&server, &contract, "bet", who, json!({"args": [who, score], "actions": [deposit]})).await;
    }
    mine(&server).await;
    assert_eq!(balance(&server).await, before - 300);
    let state =
        contract_state(&server, &contract, "&fields[]=total&fields[]=final_result&balances[]=00").await;
    assert_eq!(state["fields"], json!({"total": {"value": 300}, "final_result": {"value": null}}));
    assert_eq!(state["balances"]["00"], json!({"value": "300", "can_mint": false, "can_melt": false}));

    let oracle = server.address(1).await;
    let script = server.read(&format!("/wallet/nano-contracts/oracle-data?oracle={oracle}")).await;
    let script = script["oracleData"].as_str().unwrap();
    let query = format!("oracle_data={script}&contract_id={contract}&result=1x0&type=str");
    let signed = server.read(&format!("/wallet/nano-contracts/oracle-signed-result?{query}")).await;
    assert_eq!(names(&signed["signedResult"]), ["signature", "type", "value"]);
    execute(&server, &contract, "set_result", &oracle, json!({"args": [signed["signedResult"]]})).await;
    mine(&server).await;

    let withdrawal = action("withdrawal", "00", json!({"amount": 300, "address": winner}));
    let paid = execute(&server, &contract, "withdraw", &winner, json!({"actions": [withdrawal]})).await;
    mine(&server).await;
    assert_eq!(balance(&server).await, before);
    let calls = format!("&calls[]=get_max_withdrawal(%22{winner}%22)&calls[]=has_result()");
    let state = contract_state(&server, &contract, &calls).await;
    assert_eq!(
        state["calls"],
        json!({format!("get_max_withdrawal(\"{winner}\")"): {"value": 0}, "has_result()": {"value": true}})
    );

    let history = server.read(&format!("/wallet/nano-contracts/history?id={contract}&count=2")).await;
    let history = history["history"].as_array().unwrap();
    assert_eq!(history.iter().map(|call| &call["nc_method"]).collect::<Vec<_>>(), ["withdraw", "set_result"]);
    let id = paid["hash"].as_str().unwrap();
    assert_eq!(history[0]["hash"], id);
    let entry = server.read(&format!("/wallet/transaction?id={id}")).await;
    assert_eq!(
        (&entry["nc_id"], &entry["nc_method"], &entry["nc_address"], &entry["nc_seqnum"], &entry["nc_args"]),
        (&json!(contract), &json!("withdraw"), &json!(winner), &json!(1), &json!("00")),
    );
    assert_eq!(entry["nc_blueprint_id"], BET);
    assert_eq!(
        entry["nc_context"]["actions"],
        json!([{"type": "withdrawal", "token_uid": "00", "amount": 300}])
    );
    server.shutdown().await;
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

#[tokio::test]
async fn authorities_are_granted_used_and_acquired() {
    let server = Server::with_wallet().await;
    let (own, other) = (server.address(0).await, server.address(1).await);
    let contract = authority(&server).await;
    // The contract pays 10 for the deposit, and the rest of what is withdrawn goes to the wallet.
    let before = balance(&server).await;
    let withdrawal = action("withdrawal", "00", json!({"amount": 30, "address": other}));
    let token = json!({
        "name": "Authority", "symbol": "ATT", "amount": 1000, "contract_pays_deposit": true, "mint_address": own,
    });
    let created = server
        .done(
            "nano-contracts/execute",
            json!({
                "nc_id": contract, "method": "create_token", "address": other,
                "data": {"actions": [withdrawal]}, "create_token_options": token,
            }),
        )
        .await;
    mine(&server).await;
    assert_eq!(balance(&server).await, before + 20);
    let token = created["hash"].as_str().unwrap();
    for (method, data) in [
        (
            "grant_authority",
            json!({"actions": [action("grant_authority", token, json!({"authority": "mint"}))]}),
        ),
        (
            "grant_authority",
            json!({"actions": [action("grant_authority", token, json!({"authority": "melt", "authorityAddress": other}))]}),
        ),
        ("mint", json!({"args": [token, 2000]})),
        ("melt", json!({"args": [token, 1000]})),
        (
            "acquire_authority",
            json!({"actions": [action("acquire_authority", token, json!({"authority": "mint", "address": other}))]}),
        ),
        ("revoke", json!({"args": [token, true, false]})),
    ] {
        let sent = execute(&server, &contract, method, &own, data).await;
        mine(&server).await;
        let id = sent["hash"].as_str().unwrap();
        assert_eq!(
            server.read(&format!("/wallet/transaction?id={id}")).await["is_voided"],
            false,
            "{method}"
        );
    }
    let state = contract_state(&server, &contract, "&balances[]=__all__").await;
    assert_eq!(
        state["balances"],
        json!({
            "00": {"value": "60", "can_mint": false, "can_melt": false},
            token: {"value": "1000", "can_mint": false, "can_melt": true},
        })
    );
    server.shutdown().await;
}

#[tokio::test]
async fn what_can_not_be_called_is_refused() {
    let server = Server::with_wallet().await;
    let contract = bet(&server).await;
    let caller = server.address(2).await;
    let nobody = "WNg45xLfAWsS2cEsrK2gzaWr3WYNkwSx6o";
    let deposit = |amount: u64| action("deposit", "00", json!({"amount": amount}));
    let with = |nc_id: &str, method: &str, address: &str, data: Value| json!({"nc_id": nc_id, "method": method, "address": address, "data": data});
    let args = json!([caller, "1x0"]);
    for (body, expected) in [
        (
            with(&contract, "bet", &caller, json!({"args": [caller]})),
            "Method needs 2 parameters but data has 1.",
        ),
        (with(&contract, "bet", &caller, json!({"args": [caller, 1]})), "data.args[1] must be a text"),
        (with(&contract, "no", &caller, json!({})), "Blueprint does not have method no."),
        (
            with(&contract, "bet", nobody, json!({"args": args})),
            "Address used to sign the transaction (WNg45xLfAWsS2cEsrK2gzaWr3WYNkwSx6o) does not belong to the wallet.",
        ),
        (
            with(&contract, "bet", "123", json!({"args": args})),
            "Address used to sign the transaction (123) does not belong to the wallet.",
        ),
        (
            with(&"00".repeat(32), "bet", &caller, json!({"args": args})),
            "Error getting nano contract transaction data with id 0000000000000000000000000000000000000000000000000000000000000000 from the full node: Nano contract not found.",
        ),
        (
            with(&contract, "bet", &caller, json!({"args": args, "actions": [deposit(1 << 62)]})),
            "Not enough utxos to execute the deposit.",
        ),
        (
            with(
                &contract,
                "bet",
                &caller,
                json!({"args": args, "actions": [action("grant_authority", &"ab".repeat(32), json!({"authority": "mint"}))]}),
            ),
            "Not enough authority utxos to execute the grant authority.",
        ),
        (
            with(
                &contract,
                "bet",
                &caller,
                json!({"args": args, "actions": [action("deposit", "00", json!({"amount": 1, "changeAddress": nobody}))]}),
            ),
            "Change address must belong to the same wallet.",
        ),
    ] {
        let answer = server.call("nano-contracts/execute", body.clone()).await;
        assert_eq!((answer.status, &answer.json()["error"]), (200, &json!(expected)), "{body}");
    }
    let create = json!({"blueprint_id": "00".repeat(32), "address": caller, "data": {}});
    let answer = server.call("nano-contracts/create", create).await;
    assert_eq!(answer.json(), json!({"success": false, "error": "Blueprint not found."}));
    let code = "@export\nclass Lottery(Blueprint):\n    pass\n";
    let answer = server
        .call("nano-contracts/create-on-chain-blueprint", json!({"code": code, "address": caller}))
        .await;
    assert_eq!(
        answer.json()["error"],
        "full validation failed: the local network can't execute the blueprint Lottery: it knows Bet and AuthorityBlueprint"
    );
    let missing = server.get(&format!("/wallet/nano-contracts/state?id={}", "00".repeat(32))).await;
    assert_eq!(missing.parts(), (200, json!({"success": false, "error": "Nano contract not found."})));
    server.shutdown().await;
}

/// The node alone would say how arguments are written: what it says can be demanded, and is shown.
#[tokio::test]
async fn types_of_arguments_are_shown_and_can_be_demanded() {
    // What release 0.39 does not know is not dropped under `compat`, either: the call would not be guarded.
    for settings in ["", "compat = '0.39'"] {
        check_arg_types(Server::with_wallet_and(settings).await).await;
    }
}

async fn check_arg_types(server: Server) {
    let contract = bet(&server).await;
    let caller = server.address(2).await;
    let call = async |types: Value, extra: &str| {
        let data = json!({"args": [caller, "1x0"], "arg_types": types});
        let body = json!({"nc_id": contract, "method": "bet", "address": caller, "data": data});
        server.call(&format!("nano-contracts/execute{extra}"), body).await
    };
    let differs = "The full node says that the method bet takes (Address, str), and `data.arg_types` expects (Address, Amount): \
                   nothing was signed.";
    for extra in ["", "?dry_run=true"] {
        let answer = call(json!(["Address", "Amount"]), extra).await;
        assert_eq!(answer.parts(), (200, json!({"success": false, "error": differs})));
    }
    let dry = call(json!(["Address", "str"]), "?dry_run=true").await.json();
    let arguments = json!([{"type": "Address", "value": caller}, {"type": "str", "value": "1x0"}]);
    assert_eq!(dry["arguments"], arguments, "{dry}");
    let wrong = call(json!(["Address", "text"]), "").await;
    assert_eq!(
        (wrong.status, &wrong.json()["details"]),
        (
            400,
            &json!([
                "data.arg_types is not an array of types of arguments, such as Timestamp or SignedData[str]"
            ])
        )
    );
    assert_eq!(call(json!(["Address", "str"]), "").await.json()["success"], true);
    let data = json!({"args": [], "arg_types": ["str"]});
    let create = json!({"blueprint_id": BET, "address": caller, "data": data});
    let takes = "The full node says that the method initialize takes (TxOutputScript, TokenUid, Timestamp), and `data.arg_types` \
                 expects (str): nothing was signed.";
    let answer = server.call("nano-contracts/create", create).await;
    assert_eq!(answer.json(), json!({"success": false, "error": takes}));
    server.shutdown().await;
}

#[tokio::test]
async fn wrong_fields_are_named_as_release_0_39_names_them() {
    let server = Server::with_wallet_and("compat = '0.39'").await;
    for (body, details) in [
        (
            json!({}),
            json!(["nc_id is Required", "method is Required", "address is Required", "data is Required"]),
        ),
        (
            json!({"nc_id": "a", "method": "b", "address": "c", "data": {"actions": [{"type": "deposit", "token": "00"}, {"type": "x"}]}}),
            json!([
                "data.actions.0.amount is Invalid input",
                "data.actions.1.type is Invalid discriminator value. Expected 'withdrawal' | 'deposit' | 'grant_authority' | 'acquire_authority'",
            ]),
        ),
        (
            json!({"nc_id": "a", "method": "b", "address": "c", "data": {"actions": [{"type": "withdrawal", "token": "00", "amount": 1}]}}),
            json!(["data.actions.0.address is Required"]),
        ),
    ] {
        let answer = server.call("nano-contracts/execute", body).await;
        assert_eq!(answer.parts(), (400, json!({"success": false, "details": details})));
    }
    server.shutdown().await;
}

#[tokio::test]
async fn the_state_after_an_earlier_block_can_be_asked_for() {
    let server = Server::with_wallet().await;
    let contract = bet(&server).await;
    let (block, height) = server.devnet.read(|chain| chain.best_block());
    let caller = server.address(2).await;
    let deposit = action("deposit", "00", json!({"amount": 7}));
    execute(&server, &contract, "bet", &caller, json!({"args": [caller, "1x0"], "actions": [deposit]})).await;
    mine(&server).await;
    for (rest, total) in
        [(String::new(), 7), (format!("&block_hash={block}"), 0), (format!("&block_height={height}"), 0)]
    {
        let state = contract_state(&server, &contract, &format!("&fields[0]=total{rest}")).await;
        assert_eq!(state["fields"]["total"]["value"], total, "{rest}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn a_history_has_pages() {
    let server = Server::with_wallet().await;
    let contract = bet(&server).await;
    let caller = server.address(2).await;
    let mut ids = vec![json!(contract)];
    for _ in 0..3 {
        let deposit = action("deposit", "00", json!({"amount": 7}));
        let data = json!({"args": [caller, "1x0"], "actions": [deposit]});
        ids.insert(0, execute(&server, &contract, "bet", &caller, data).await["hash"].clone());
        mine(&server).await;
    }
    let page = async |rest: String| {
        let answer = server.read(&format!("/wallet/nano-contracts/history?id={contract}{rest}")).await;
        let calls = answer["history"].as_array().unwrap();
        calls.iter().map(|call| call["hash"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(page(String::new()).await, ids);
    assert_eq!(page("&count=2".to_owned()).await, ids[..2]);
    let second = ids[1].as_str().unwrap();
    assert_eq!(page(format!("&count=2&after={second}")).await, ids[2..]);
    let last = ids[3].as_str().unwrap();
    assert_eq!(page(format!("&count=2&before={last}")).await, [ids[2].clone(), ids[1].clone()]);
    server.shutdown().await;
}

#[tokio::test]
async fn a_blueprint_is_answered_as_release_0_39_answers_it() {
    for (settings, more) in [("compat = '0.39'", true), ("", false)] {
        let server = Server::with_wallet_and(settings).await;
        let body = json!({"code": AUTHORITY, "address": server.address(0).await});
        let sent = server.done("nano-contracts/create-on-chain-blueprint", body).await;
        let all = [
            "_dataToSignCache",
            "code",
            "hash",
            "headers",
            "inputs",
            "nonce",
            "outputs",
            "parents",
            "pubkey",
            "signalBits",
            "signature",
            "success",
            "timestamp",
            "tokens",
            "version",
            "weight",
        ];
        let is_more = |name: &&str| ["code", "headers", "pubkey", "signalBits", "signature"].contains(name);
        let expected: Vec<_> = all.into_iter().filter(|name| more || !is_more(name)).collect();
        let mut members = names(&sent);
        members.sort_unstable();
        assert_eq!(members, expected);
        if more {
            let bytes = |value: &Value| serde_json::from_value::<Vec<u8>>(value["data"].clone()).unwrap();
            assert_eq!(
                (&sent["code"]["kind"], bytes(&sent["code"]["content"])),
                (&json!(1), AUTHORITY.as_bytes().to_vec())
            );
            assert_eq!((&sent["pubkey"]["type"], bytes(&sent["pubkey"]).len()), (&json!("Buffer"), 33));
            assert_eq!(bytes(&sent["signature"])[0], 0x30);
        }
        server.shutdown().await;
    }
}
