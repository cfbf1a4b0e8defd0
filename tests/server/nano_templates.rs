//! Contracts that are called by templates, as the reference library's own tests call them.

use super::nano::{AUTHORITY, BET, balance, contract_state, mine};
use super::support::Server;
use headless_wallet::ledger::Address;
use serde_json::{Value, json};

const RUN: &str = "tx-template/run";

fn set(name: &str, value: &str) -> Value {
    json!({"type": "action/setvar", "name": name, "value": value})
}

fn address(name: &str, index: u32) -> Value {
    json!({"type": "action/setvar", "name": name, "call": {"method": "get_wallet_address", "index": index}})
}

fn execute(method: &str, args: Value, actions: Value) -> Value {
    json!({"type": "nano/execute", "id": "{contract}", "method": method, "caller": "{caller}", "args": args, "actions": actions})
}

/// Runs a template, and has a block execute the call.
async fn run(server: &Server, template: Value) -> Value {
    let sent = server.done(RUN, template).await;
    mine(server).await;
    let id = sent["hash"].as_str().unwrap();
    let entry = server.read(&format!("/wallet/transaction?id={id}")).await;
    assert_eq!(entry["is_voided"], false, "{entry}");
    sent
}

fn id(sent: &Value) -> &str {
    sent["hash"].as_str().unwrap()
}

async fn bet(server: &Server) -> String {
    let created = json!([
        address("caller", 0),
        {"type": "action/setvar", "name": "oracle", "call": {"method": "get_oracle_script", "index": 0}},
        set("contract", BET),
        execute("initialize", json!(["{oracle}", "00", 4_000_000_000_u32]), json!([])),
    ]);
    id(&run(server, created).await).to_owned()
}

#[tokio::test]
async fn a_bet_is_made_decided_and_paid_by_templates() {
    let server = Server::with_wallet().await;
    let contract = bet(&server).await;
    let before = balance(&server).await;
    let place = async |index: u32, score: &str, amount: u64| {
        let deposit = json!([{"action": "deposit", "amount": amount, "changeAddress": "{caller}"}]);
        let call = execute("bet", json!(["{who}", score]), deposit);
        run(&server, json!([address("caller", 0), address("who", index), set("contract", &contract), call]))
            .await
    };
    let first = place(5, "1x0", 10).await;
    assert_eq!(first["outputs"].as_array().unwrap().len(), 1);
    place(7, "1x2", 20).await;
    assert_eq!(balance(&server).await, before - 30);
    let said = json!({"method": "get_oracle_signed_data", "index": 0, "ncId": "{contract}", "type": "SignedData[str]", "data": "1x0"});
    let decided = run(
        &server,
        json!([
            set("contract", &contract), address("caller", 0), {"type": "action/setvar", "name": "result", "call": said},
            execute("set_result", json!(["{result}"]), json!([])),
        ]),
    )
    .await;
    assert_eq!((&decided["inputs"], &decided["outputs"]), (&json!([]), &json!([])));
    let withdrawal = json!([{"action": "withdrawal", "amount": 30, "address": "{caller}"}]);
    let call = execute("withdraw", json!([]), withdrawal);
    run(&server, json!([address("caller", 5), set("contract", &contract), call])).await;
    assert_eq!(balance(&server).await, before);
    // A token that is created while a bet is made: 10 for it, 1 for the deposit and 1 for the text.
    let deposit =
        json!([{"action": "deposit", "amount": 10, "changeAddress": "{caller}", "skipSelection": true}]);
    let contract = bet(&server).await;
    let created = run(
        &server,
        json!([
            set("contract", &contract), address("caller", 0), address("who", 5),
            {"type": "action/config", "createToken": true, "tokenName": "Tk bet", "tokenSymbol": "tkBet"},
            {"type": "output/token", "amount": 100, "useCreatedToken": true, "address": "{caller}"},
            {"type": "output/data", "data": "foobar"},
            execute("bet", json!(["{who}", "1x0"]), deposit),
            {"type": "input/utxo", "fill": 12},
        ]),
    )
    .await;
    assert_eq!((&created["version"], created["outputs"].as_array().unwrap().len()), (&json!(2), 3));
    assert_eq!(balance(&server).await, before - 12);
    server.shutdown().await;
}

#[tokio::test]
async fn authorities_are_granted_and_acquired_by_templates() {
    let server = Server::with_wallet().await;
    let body = json!({"code": AUTHORITY, "address": server.address(0).await});
    let blueprint = server.done("nano-contracts/create-on-chain-blueprint", body).await;
    mine(&server).await;
    let before = balance(&server).await;
    let deposit = execute("initialize", json!([]), json!([{"action": "deposit", "amount": 100}]));
    let contract =
        run(&server, json!([address("caller", 0), set("contract", id(&blueprint)), deposit])).await;
    let head = [set("contract", id(&contract)), address("caller", 0)];
    let created = json!([
        head[0], head[1],
        {"type": "action/config", "createToken": true, "tokenName": "Authority Test Token", "tokenSymbol": "ATT"},
        {"type": "output/token", "amount": 100, "useCreatedToken": true, "address": "{caller}"},
        {"type": "output/authority", "authority": "mint", "useCreatedToken": true, "address": "{caller}"},
        {"type": "output/authority", "authority": "melt", "useCreatedToken": true, "address": "{caller}"},
        execute("create_token", json!([]), json!([{"action": "withdrawal", "amount": 5, "address": "{caller}", "skipOutputs": true}])),
        {"type": "output/token", "amount": 4, "address": "{caller}"},
    ]);
    let created = run(&server, created).await;
    assert_eq!((&created["inputs"], &created["outputs"][3]["value"]), (&json!([]), &json!(4)));
    assert_eq!(balance(&server).await, before - 96);
    let token = set("token", id(&created));
    let call = async |method: &str, args: Value, actions: Value| {
        let sent = run(&server, json!([head[0], head[1], token, execute(method, args, actions)])).await;
        let count = |name: &str| sent[name].as_array().unwrap().len();
        (count("inputs"), count("outputs"))
    };
    let right = |action: &str| json!([{"action": action, "authority": "mint", "token": "{token}"}]);
    assert_eq!(call("grant_authority", json!([]), right("grant_authority")).await, (1, 0));
    assert_eq!(call("mint", json!(["{token}", 200]), json!([])).await, (0, 0));
    let holds = |token: u64, can_mint: bool| {
        json!({
            "00": {"value": "93", "can_mint": false, "can_melt": false},
            id(&created): {"value": token.to_string(), "can_mint": can_mint, "can_melt": false},
        })
    };
    let state =
        async || contract_state(&server, id(&contract), "&balances[]=__all__").await["balances"].clone();
    assert_eq!(state().await, holds(200, true));
    assert_eq!(call("acquire_authority", json!([]), right("acquire_authority")).await, (0, 1));
    assert_eq!(call("revoke", json!(["{token}", true, false]), json!([])).await, (0, 0));
    assert_eq!(state().await, holds(200, false));
    server.shutdown().await;
}

#[tokio::test]
async fn a_call_that_is_built_and_signed_can_be_pushed_and_one_can_be_tried() {
    let server = Server::with_wallet().await;
    let contract = bet(&server).await;
    let deposit = json!([{"action": "deposit", "amount": 3}]);
    let call = execute("bet", json!(["{caller}", "1x0"]), deposit);
    let template = json!([address("caller", 2), set("contract", &contract), call]);
    let tried = server.call(&format!("{RUN}?dry_run=true"), template.clone()).await.json();
    assert_eq!(
        (&tried["success"], &tried["dry_run"], &tried["cost"]["total"]),
        (&json!(true), &json!(true), &json!(0))
    );
    let built = server.call("tx-template/build?sign=true", template).await.json();
    let pushed = server.post("/push-tx", None, &json!({"txHex": built["txHex"]})).await.json();
    assert_eq!(pushed["success"], true, "{pushed}");
    mine(&server).await;
    let state = contract_state(&server, &contract, "&fields[]=total").await;
    assert_eq!(state["fields"]["total"]["value"], 3);
    server.shutdown().await;
}

#[tokio::test]
async fn refusals_of_calls_by_templates_are_those_of_release_0_39_in_compat_mode() {
    let server = Server::with_wallet_and("compat = '0.39'").await;
    let contract = bet(&server).await;
    let unknown = "99".repeat(32);
    let head = [address("caller", 2), set("contract", &contract)];
    let call = |method: &str, args: Value| json!([head[0], head[1], execute(method, args, json!([]))]);
    let oracle =
        json!({"method": "get_oracle_signed_data", "index": 0, "ncId": contract, "type": "str", "data": 1});
    let stranger = "WNg45xLfAWsS2cEsrK2gzaWr3WYNkwSx6o";
    for (template, error) in [
        (call("bet", json!(["{caller}"])), "Method needs 2 parameters but data has 1."),
        (call("bet", json!(["{caller}", "{score}"])), "Variable score not found in available variables"),
        (call("no", json!([])), "Blueprint does not have method no."),
        (
            json!([
                head[0],
                head[1],
                execute("bet", json!([]), json!([])),
                execute("bet", json!([]), json!([]))
            ]),
            "Already building a nano contract tx.",
        ),
        (
            json!([head[0], set("contract", &unknown), execute("bet", json!([]), json!([]))]),
            &format!("Error getting nano contract transaction with id {unknown}."),
        ),
        (
            json!([head[0], set("contract", &unknown), execute("initialize", json!([]), json!([]))]),
            "Blueprint not found.",
        ),
        (json!([{"type": "action/setvar", "name": "x", "call": oracle}]), "Type is not SignedData"),
        (
            json!([set("caller", stranger), head[1], execute("bet", json!([stranger, "1x0"]), json!([]))]),
            &format!("Address used to sign the transaction ({stranger}) does not belong to the wallet."),
        ),
    ] {
        let answer = server.call(RUN, template.clone()).await;
        assert_eq!(answer.parts(), (200, json!({"success": false, "error": error})), "{template}");
    }
    server.shutdown().await;
}

#[tokio::test]
async fn arguments_are_not_copied_without_end() {
    let server = Server::with_wallet().await;
    let long = json!({"type": "action/setvar", "name": "a", "value": vec![0; 20_000]});
    let template = |args| {
        json!([address("caller", 0), long, set("contract", &"00".repeat(32)), execute("x", args, json!([]))])
    };
    for count in [2, 1_001, 10_000] {
        let refused = server
            .post("/wallet/tx-template/build", Some("genesis"), &template(json!(vec!["{a}"; count])))
            .await;
        let text = "args must have at most 1000 elements, and at most 1048576 bytes with its variables";
        assert_eq!((refused.status, refused.text.contains(text)), (200, true), "{count}: {}", refused.text);
    }
    let said = json!({"method": "get_oracle_signed_data", "index": 0, "ncId": "00".repeat(32), "type": "SignedData[str]", "data": "1x0"});
    let signed = vec![json!({"type": "action/setvar", "name": "said", "call": said}); 17];
    let refused = server.post("/wallet/tx-template/build", Some("genesis"), &json!(signed)).await;
    let text = "must have at most 16 calls of get_oracle_signed_data, and has 17";
    assert_eq!((refused.status, refused.text.contains(text)), (400, true), "{}", refused.text);
}

#[tokio::test]
async fn a_dry_run_says_what_is_called_and_what_that_moves() {
    let server = Server::with_wallet().await;
    let contract = bet(&server).await;
    let deposit = json!([{"action": "deposit", "amount": 10, "changeAddress": "{caller}"}]);
    let call = execute("bet", json!(["{caller}", "1x0"]), deposit);
    let template = json!([address("caller", 0), set("contract", &contract), call]);
    let tried = server.done("tx-template/run?dry_run=true", template).await;
    let header = &tried["headers"][0];
    assert_eq!((&header["method"], &header["actions"][0]["amount"]), (&json!("bet"), &json!(10)), "{tried}");
}

#[tokio::test]
async fn decode_says_what_is_called_and_what_that_moves() {
    for compat in ["", "compat = '0.39'"] {
        let server = Server::with_wallet_and(compat).await;
        let contract = bet(&server).await;
        let caller = server.address(0).await;
        let decoded = async |instruction: Value| {
            let template = json!([address("caller", 0), set("contract", &contract), instruction]);
            let built = server.call("tx-template/build", template).await.json();
            server.done("decode", json!({"txHex": built["txHex"]})).await
        };
        let nano = |method: &str, seqnum: u64, args: &str, action: Value| {
            json!({
                "nc_id": contract, "nc_method": method, "nc_address": caller, "nc_seqnum": seqnum,
                "nc_args": args, "actions": [action],
            })
        };
        let stranger = "WNg45xLfAWsS2cEsrK2gzaWr3WYNkwSx6o";
        let actions = json!([{"action": "withdrawal", "amount": 30, "address": stranger}]);
        let taken = decoded(execute("withdraw", json!([]), actions)).await;
        let action = json!({"type": "withdrawal", "token": "00", "amount": 30});
        assert_eq!(taken["tx"]["nano"], nano("withdraw", 1, "00", action));
        let outputs = taken["tx"]["outputs"].as_array().unwrap();
        assert_eq!((outputs.len(), &outputs[0]["decoded"]["address"]), (1, &json!(stranger)));
        assert_eq!((&outputs[0]["mine"], &taken["balance"]), (&json!(false), &json!({})));
        assert_eq!((taken["tx"].get("fees"), taken["tx"].get("blueprint")), (None, None));
        let actions = json!([{"action": "deposit", "amount": 10}]);
        let given = decoded(execute("bet", json!(["{caller}", "1x0"]), actions)).await;
        let action = json!({"type": "deposit", "token": "00", "amount": 10});
        let who = hex::encode(Address::parse_any(&caller).unwrap().to_bytes());
        assert_eq!(given["tx"]["nano"], nano("bet", 1, &format!("02{who}03317830"), action));
        assert_eq!(given["balance"]["00"]["tokens"]["available"], -10);
        server.shutdown().await;
    }
}
