//! What each field of a call of a contract does, and what the answers on contracts have.

use super::nano::{BET, action, authority, bet, mine};
use super::support::{Server, names};
use headless_wallet::ledger::{Network, Script};
use serde_json::{Value, json};

const FOREIGN: &str = "WNg45xLfAWsS2cEsrK2gzaWr3WYNkwSx6o";

/// Value, marker and address of each output; a text where it is one.
fn paid(answer: &Value) -> Vec<(u64, u64, String)> {
    let one = |output: &Value| {
        let script: Vec<u8> = serde_json::from_value(output["script"]["data"].clone()).unwrap();
        let number = |name: &str| output[name].as_u64().unwrap();
        let to = match Script::parse(&script, Network::Privatenet).unwrap() {
            Script::Pay { to, .. } => to.to_string(),
            Script::Data(text) => text,
        };
        (number("value"), number("tokenData"), to)
    };
    answer["outputs"].as_array().unwrap().iter().map(one).collect()
}

/// What a call would be.
async fn tried(server: &Server, body: Value) -> Value {
    server.done("nano-contracts/execute?dry_run=true", body).await
}

#[tokio::test]
async fn a_call_takes_from_and_gives_to_where_it_is_told() {
    let server = Server::with_wallet().await;
    let contract = bet(&server).await;
    let (from, change) = (server.address(7).await, server.address(6).await);
    let body = json!({"address": from, "value": 100});
    let funds = server.done("simple-send-tx", body).await;
    let call = |actions: Value| json!({"nc_id": contract, "method": "bet", "address": from, "data": {"args": [from, "1x0"], "actions": actions}});
    let deposit = action("deposit", "00", json!({"amount": 5, "address": from, "changeAddress": change}));
    let call_of_deposit = tried(&server, call(json!([deposit]))).await;
    assert_eq!(paid(&call_of_deposit), [(95, 0, change.clone())]);
    assert_eq!(call_of_deposit["inputs"].as_array().unwrap().len(), 1);
    assert_eq!(call_of_deposit["inputs"][0]["hash"], funds["hash"]);
    let withdrawal = action("withdrawal", "00", json!({"amount": 5, "address": FOREIGN}));
    assert_eq!(paid(&tried(&server, call(json!([withdrawal]))).await), [(5, 0, FOREIGN.to_owned())]);

    let contract = authority(&server).await;
    let own = server.address(5).await;
    let token = json!({"name": "T", "symbol": "T", "amount": 100, "mint_authority_address": own, "melt_authority_address": own});
    let token = server.done("create-token", token).await;
    let token = token["hash"].as_str().unwrap();
    let call = |method: &str, actions: Value| json!({"nc_id": contract, "method": method, "address": from, "data": {"actions": actions}});
    for (right, value) in [("mint", 1), ("melt", 2)] {
        let granted = json!({"authority": right, "address": own, "authorityAddress": change});
        let grant = action("grant_authority", token, granted);
        assert_eq!(
            paid(&tried(&server, call("grant_authority", json!([grant]))).await),
            [(value, 129, change.clone())]
        );
        let acquired = action("acquire_authority", token, json!({"authority": right, "address": FOREIGN}));
        let acquired = tried(&server, call("acquire_authority", json!([acquired]))).await;
        assert_eq!(paid(&acquired), [(value, 129, FOREIGN.to_owned())]);
    }
    server.shutdown().await;
}

#[tokio::test]
async fn every_option_of_a_token_reaches_the_call_that_creates_it() {
    let server = Server::with_wallet().await;
    let contract = bet(&server).await;
    let (own, change) = (server.address(7).await, server.address(6).await);
    let creates = async |options: Value| {
        let mut token = json!({"name": "Tea", "symbol": "TEA", "amount": 200, "contract_pays_deposit": false, "change_address": change});
        token.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
        let data = json!({"args": [own, "1x0"], "actions": []});
        let body = json!({
            "nc_id": contract, "method": "bet", "address": own, "data": data, "create_token_options": token,
        });
        let answer = tried(&server, body).await;
        assert_eq!(
            (&answer["name"], &answer["symbol"], &answer["version"]),
            (&json!("Tea"), &json!("TEA"), &json!(2))
        );
        // All but the change in HTR, whose amount depends on what the wallet has.
        let is_change = |(_, token, to): &&(u64, u64, String)| *token == 0 && *to == change;
        let paid = paid(&answer);
        assert_eq!(paid.iter().filter(is_change).count(), 1, "{paid:?}");
        (
            paid.iter().filter(|output| !is_change(output)).cloned().collect::<Vec<_>>(),
            answer["headers"].as_array().unwrap().len(),
        )
    };
    let to = |value: u64, token: u64, to: &str| (value, token, to.to_owned());
    let bare = json!({"mint_address": FOREIGN, "create_mint": false, "create_melt": false, "version": 1});
    assert_eq!(creates(bare.clone()).await, (vec![to(200, 1, FOREIGN)], 1));
    // A token that is paid for by fees has one of its own besides the call.
    let mut by_fee = bare;
    by_fee["version"] = json!(2);
    assert_eq!(creates(by_fee).await, (vec![to(200, 1, FOREIGN)], 2));
    let authorities =
        json!({"mint_address": own, "mint_authority_address": own, "melt_authority_address": change});
    assert_eq!(creates(authorities).await.0, [to(200, 1, &own), to(1, 129, &own), to(2, 129, &change)]);
    let external = json!({
        "mint_address": own, "mint_authority_address": FOREIGN, "melt_authority_address": FOREIGN,
        "allow_external_mint_authority_address": true, "allow_external_melt_authority_address": true,
    });
    assert_eq!(creates(external).await.0, [to(200, 1, &own), to(1, 129, FOREIGN), to(2, 129, FOREIGN)]);
    let texts = json!({"mint_address": own, "create_mint": false, "create_melt": false, "data": ["a", "b"]});
    assert_eq!(creates(texts).await.0, [to(200, 1, &own), to(1, 0, "a"), to(1, 0, "b")]);
    let nft = json!({"mint_address": own, "create_mint": false, "create_melt": false, "data": ["a"], "is_create_nft": true});
    assert_eq!(creates(nft).await.0, [to(1, 0, "a"), to(200, 1, &own)]);
    server.shutdown().await;
}

#[tokio::test]
async fn the_answers_on_contracts_have_these_members() {
    let server = Server::with_wallet_and("compat = '0.39'").await;
    let (caller, oracle) = (server.address(0).await, server.address(1).await);
    let script = server.read(&format!("/wallet/nano-contracts/oracle-data?oracle={oracle}")).await;
    assert_eq!(names(&script), ["oracleData", "success"]);
    let data = json!({"args": [script["oracleData"], "00", 4_000_000_000_u32]});
    let body = json!({"blueprint_id": BET, "address": caller, "data": data});
    let created = server.done("nano-contracts/create", body).await;
    mine(&server).await;
    let contract = created["hash"].as_str().unwrap();
    let deposit = action("deposit", "00", json!({"amount": 5}));
    let data = json!({"args": [caller, "1x0"], "actions": [deposit]});
    let body = json!({"nc_id": contract, "method": "bet", "address": caller, "data": data});
    let executed = server.done("nano-contracts/execute", body).await;
    for sent in [&created, &executed] {
        let members = [
            "_dataToSignCache",
            "hash",
            "headers",
            "inputs",
            "nonce",
            "outputs",
            "parents",
            "signalBits",
            "success",
            "timestamp",
            "tokens",
            "version",
            "weight",
        ];
        assert_eq!(sorted(sent), members);
    }
    mine(&server).await;
    let query = format!("id={contract}&fields[]=total&balances[]=00&calls[]=has_result()");
    let state = server.read(&format!("/wallet/nano-contracts/state?{query}")).await;
    assert_eq!(sorted(&state), ["state", "success"]);
    assert_eq!(
        sorted(&state["state"]),
        ["balances", "blueprint_id", "blueprint_name", "calls", "fields", "nc_id", "success"]
    );
    let history = server.read(&format!("/wallet/nano-contracts/history?id={contract}")).await;
    assert_eq!(sorted(&history), ["history", "success"]);
    let called: Vec<_> =
        history["history"].as_array().unwrap().iter().map(|call| &call["nc_method"]).collect();
    assert_eq!(called, ["bet", "initialize"]);
    let script = script["oracleData"].as_str().unwrap();
    let query = format!("oracle_data={script}&contract_id={contract}&result=1x0&type=str");
    let signed = server.read(&format!("/wallet/nano-contracts/oracle-signed-result?{query}")).await;
    assert_eq!(sorted(&signed), ["signedResult", "success"]);
    let (kind, value) = (&signed["signedResult"]["type"], &signed["signedResult"]["value"]);
    assert_eq!((kind, value), (&json!("str"), &json!("1x0")));
    server.shutdown().await;
}

fn sorted(answer: &Value) -> Vec<String> {
    let mut names: Vec<_> = names(answer).iter().map(ToString::to_string).collect();
    names.sort_unstable();
    names
}
