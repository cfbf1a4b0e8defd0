//! Limits on spending: each way to have a transaction signed, with each kind of limit.

use super::cluster::Two;
use super::nano::{BET, action, bet};
use super::p2sh;
use super::raw::STRANGER;
use super::rights::{OWNER, setting};
use super::support::{Answer, Server, ask, htr};
use super::swaps::{call, propose, two};
use crate::alone::alone;
use futures_util::future::join_all;
use headless_wallet::api::Right;
use headless_wallet::devnet::{MiningFaults, MiningMode};
use headless_wallet::ledger::{Address, Network, PartialTx, Script};
use headless_wallet::operations;
use headless_wallet::rt;
use headless_wallet::server::access::{self, Grant, Texts};
use headless_wallet::server::{Config, Layer};
use headless_wallet::store::{DataDir, Stores};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;
use tempfile::TempDir;

const DAY: &str = "spend 0.10 HTR per day";

/// A server with keys of these limits, which may send, and with the genesis wallet ready.
async fn server_with(dir: &TempDir, limits: &[(&str, &[&str])], more: &str) -> Server {
    begun(Server::start_with(&settings(dir, limits, more)).await).await
}

fn settings(dir: &TempDir, limits: &[(&str, &[&str])], more: &str) -> String {
    let mut settings = format!("api_key = 'owner'\ndata_dir = {:?}\n{more}\n", dir.path());
    for (name, limits) in limits {
        let key = setting(name, name, &["read", "send", "sign"], &["genesis"]);
        settings += &key.replace(" }", &format!(", limits = {} }}", json!(limits)));
    }
    settings
}

async fn begun(server: Server) -> Server {
    let headers = [OWNER, ("content-type", "application/json")];
    let body = json!({"wallet-id": "genesis", "seedKey": "genesis"}).to_string();
    assert_eq!(server.ask("POST", "/start", &headers, body.as_bytes()).await.status, 200);
    server.app.wallets().get("genesis").unwrap().ready().await;
    server
}

async fn post(server: &Server, key: &str, path: &str, body: Value) -> Answer {
    let headers = [("x-api-key", key), ("x-wallet-id", "genesis"), ("content-type", "application/json")];
    server.ask("POST", path, &headers, body.to_string().as_bytes()).await
}

async fn pay(server: &Server, key: &str, value: u64) -> Value {
    let body = json!({"address": STRANGER, "value": value});
    post(server, key, "/wallet/simple-send-tx", body).await.json()
}

fn refused(key: &str, rule: &str, amount: u64, left: u64) -> Value {
    let error = format!(
        "The limit \"{rule}\" of the API key \"{key}\" refuses this: it would spend {}, with {} left.",
        htr(amount),
        htr(left)
    );
    json!({"success": false, "error": error})
}

#[test]
fn a_key_spends_no_more_than_its_limits_say() {
    alone("limits::a_key_spends_no_more_than_its_limits_say", a_day_and_another());
}

async fn a_day_and_another() {
    let dir = TempDir::new().unwrap();
    let server = server_with(&dir, &[("shop", &[DAY]), ("till", &[DAY])], "").await;
    assert_eq!(pay(&server, "shop", 6).await["success"], true);
    assert_eq!(pay(&server, "shop", 5).await, refused("shop", DAY, 5, 4));
    // A dry run says so, and counts nothing.
    let dry = async |value: u64| {
        let body = json!({"address": STRANGER, "value": value});
        post(&server, "shop", "/wallet/simple-send-tx?dry_run=true", body).await.json()
    };
    assert_eq!(dry(5).await, refused("shop", DAY, 5, 4));
    assert_eq!((&dry(4).await["success"], &dry(4).await["success"]), (&json!(true), &json!(true)));
    // As a task, too; and the fee and the data output count.
    let headers = [
        ("x-api-key", "shop"),
        ("x-wallet-id", "genesis"),
        ("content-type", "application/json"),
        ("prefer", "respond-async, wait=60"),
    ];
    let body = json!({"address": STRANGER, "value": 5}).to_string();
    let task = server.ask("POST", "/wallet/simple-send-tx", &headers, body.as_bytes()).await;
    assert_eq!(task.json(), refused("shop", DAY, 5, 4));
    let data = json!({"outputs": [{"type": "data", "data": "x"}, {"address": STRANGER, "value": 4}]});
    assert_eq!(post(&server, "shop", "/wallet/send-tx", data).await.json(), refused("shop", DAY, 5, 4));
    assert_eq!(pay(&server, "shop", 4).await["success"], true);
    assert_eq!(pay(&server, "shop", 1).await, refused("shop", DAY, 1, 0));
    // Another key has its own; and to the wallet itself nothing is spent.
    assert_eq!(pay(&server, "till", 10).await["success"], true);
    let own =
        server.ask("GET", "/wallet/address?index=3", &[OWNER, ("x-wallet-id", "genesis")], b"").await.json();
    let body = json!({"address": own["address"], "value": 1_000});
    assert_eq!(post(&server, "shop", "/wallet/simple-send-tx", body).await.json()["success"], true);
    // A day later it may again.
    rt::shift_clock(86_400);
    assert_eq!((dry(11).await, &dry(10).await["success"]), (refused("shop", DAY, 11, 10), &json!(true)));
    rt::shift_clock(0);
    server.shutdown().await;

    // It outlives the server.
    let server = server_with(&dir, &[("shop", &[DAY])], "").await;
    assert_eq!(pay(&server, "shop", 1).await, refused("shop", DAY, 1, 0));
    server.shutdown().await;
}

/// What counts is what is kept: it outlives the server, and not its removal.
#[tokio::test]
async fn who_can_write_what_was_spent_can_have_it_forgotten() {
    let (dir, limits) = (TempDir::new().unwrap(), [("shop", &[DAY][..])]);
    let mut server = server_with(&dir, &limits, "").await;
    assert_eq!(pay(&server, "shop", 10).await["success"], true);
    for (is_kept, expected) in [(true, refused("shop", DAY, 1, 0)), (false, json!(true))] {
        let (ended, devnet) = server.begin_shutdown();
        ended.await.unwrap();
        if !is_kept {
            std::fs::remove_file(dir.path().join("spending.log")).unwrap();
        }
        server = begun(Server::on(devnet, &settings(&dir, &limits, "")).await).await;
        let paid = pay(&server, "shop", 1).await;
        assert_eq!(if is_kept { &paid } else { &paid["success"] }, &expected);
    }
    server.shutdown().await;
}

#[tokio::test]
async fn what_was_not_sent_does_not_count_and_what_was_signed_does() {
    let dir = TempDir::new().unwrap();
    let server = server_with(&dir, &[("shop", &[DAY])], "").await;
    server.devnet.set_mining_faults(MiningFaults { mode: MiningMode::Failed, ..MiningFaults::default() });
    for _ in 0..3 {
        let failed = pay(&server, "shop", 10).await;
        assert_eq!(failed["success"], false);
        assert!(!failed["error"].as_str().unwrap().contains("limit"), "{failed}");
    }
    server.devnet.set_mining_faults(MiningFaults::default());
    // A signed transaction can be sent by whoever has it.
    let build = async |amount: u64| {
        let pay = json!({"type": "output/token", "amount": amount, "address": STRANGER});
        let template = json!([pay, {"type": "action/complete"}]);
        post(&server, "shop", "/wallet/tx-template/build?sign=true", template).await.json()
    };
    let built = build(6).await;
    assert_eq!(built["success"], true, "{built}");
    assert_eq!(build(5).await, refused("shop", DAY, 5, 4));
    assert_eq!(build(6).await["success"], true, "the same payment again");
    assert_eq!(pay(&server, "shop", 5).await, refused("shop", DAY, 5, 4));
    // To send it counts no second time.
    let hex = json!({"txHex": built["txHex"]});
    assert_eq!(post(&server, "shop", "/push-tx", hex).await.json()["success"], true);
    assert_eq!(pay(&server, "shop", 4).await["success"], true);
    server.shutdown().await;
}

#[tokio::test]
async fn places_are_named() {
    let dir = TempDir::new().unwrap();
    let (to, not) = (format!("to {STRANGER}"), format!("not to {STRANGER}"));
    let other = format!("to {}", Address::p2pkh(Network::Privatenet, [9; 20]));
    let server =
        server_with(&dir, &[("to", &[&to]), ("not", &[&not]), ("other", &[&other])], "audit_log = true")
            .await;
    assert_eq!(pay(&server, "to", 1).await["success"], true);
    let error = format!("The limit \"{not}\" of the API key \"not\" refuses this.");
    assert_eq!(pay(&server, "not", 1).await, json!({"success": false, "error": error}));
    let log = std::fs::read_to_string(dir.path().join("audit.log")).unwrap();
    let last: Value = serde_json::from_str(log.lines().next_back().unwrap()).unwrap();
    assert_eq!((&last["event"], &last["rule"]), (&json!("answered"), &json!(error)));
    let error = format!(
        "The limits of the API key \"other\" refuse this: no `to` and no `call` of them names the address {STRANGER}."
    );
    assert_eq!(pay(&server, "other", 1).await, json!({"success": false, "error": error}));
    server.shutdown().await;
}

/// The address of a stranger as mainnet writes it.
fn on_mainnet(address: &str) -> String {
    Address::parse_any(address).unwrap().on(Network::Mainnet).to_string()
}

#[tokio::test]
async fn a_limit_that_can_never_hold_is_refused_where_it_is_set() {
    let other = on_mainnet(STRANGER);
    let elsewhere = |words: &str| {
        format!(
            "the limit \"{words} {other}\" has an address of another network than privatenet, where the address of the same key is {STRANGER}"
        )
    };
    // In the settings.
    let refused = |settings: &str| {
        let services = "network = 'privatenet'\nserver = 'http://127.0.0.1:1/v1a/'\ntx_mining_url = 'http://127.0.0.1:1/'";
        let layer = Layer::toml("a.toml", &format!("{services}\n{settings}")).unwrap();
        Config::from_layers([layer]).unwrap().check_limits().unwrap_err().to_string()
    };
    assert_eq!(
        refused(&format!("limits.g = ['not to {other}']")),
        format!("limits.g: {}", elsewhere("not to"))
    );
    let key = |limit: &str| {
        setting("shop", "shop", &["send"], &["g"]).replace(" }", &format!(", limits = ['{limit}'] }}"))
    };
    assert_eq!(refused(&key(&format!("to {other}"))), format!("keys.shop.limits: {}", elsewhere("to")));
    let wants = "spend 0.01 HTR per day unless approved by 1 of";
    assert_eq!(
        refused(&format!("limits.g = ['{wants} alice']")),
        format!(
            "limits.g: the limit \"{wants} alice\" needs `data_dir` or `store`, where what waits for approval is kept"
        )
    );
    assert_eq!(
        refused(&format!("data_dir = '/nowhere'\n{}", key(&format!("{wants} shop")))),
        format!(
            "keys.shop.limits: the limit \"{wants} shop\" wants the key's own approval: nobody approves what they ask for"
        )
    );

    // In requests.
    let dir = TempDir::new().unwrap();
    let more =
        setting("till", "till", &["read"], &["*"]) + &setting("alice", "alice", &["approve"], &["till"]);
    let server = server_with(&dir, &[], &more).await;
    let add = async |limit: &str| {
        let body = json!({"name": "shop", "wallets": ["genesis"], "rights": ["send"], "limits": [limit]});
        let (status, answer) = post(&server, "owner", "/keys", body).await.parts();
        assert_eq!((status, &answer["success"]), (200, &json!(answer.get("key").is_some())), "{answer}");
        answer["error"].as_str().map(str::to_owned)
    };
    let none = "07".repeat(32);
    let unknown = |limit: &str, what: &str| {
        format!("the limit \"{limit}\" names a {what} that the full node does not know")
    };
    let (token, call) = (format!("spend 1 cents of {none} per day"), format!("call {none}"));
    let method = format!("call {BET} bat");
    let approval = |name: &str, why: &str| format!("a limit wants the approval of the key {name:?}: {why}");
    for (limit, why) in [
        (format!("not to {other}"), elsewhere("not to")),
        (token.clone(), unknown(&token, "token")),
        (call.clone(), unknown(&call, "contract")),
        (method.clone(), unknown(&method, "method")),
        (format!("{wants} bob"), approval("bob", "there is no such key yet")),
        (format!("{wants} till"), approval("till", "it lacks the right approve")),
        (format!("{wants} alice"), approval("alice", "it may touch no wallet of the key \"shop\"")),
        (
            format!("{wants} shop"),
            "a limit of the key \"shop\" wants its own approval (\"1 of shop\"): nobody approves what they ask for".to_owned(),
        ),
    ] {
        assert_eq!(add(&limit).await, Some(format!("Nothing was made: {why}.")), "{limit}");
    }
    assert_eq!(add(&format!("call {BET} bet")).await, None);
    server.shutdown().await;
}

/// Made beside the server, on a machine that does not know its network.
#[tokio::test]
async fn a_denied_address_in_the_form_of_another_network_is_denied() {
    let dir = TempDir::new().unwrap();
    let denied = format!("not to {}", on_mainnet(STRANGER));
    let grant = Grant::try_from(Texts {
        rights: vec!["send".to_owned()],
        wallets: vec!["*".to_owned()],
        limits: vec![denied.clone()],
        ..Texts::default()
    });
    let key = {
        let stores = DataDir::new(dir.path()).unwrap();
        access::add(stores.documents().unwrap(), "shop", &grant.unwrap(), 0).await.unwrap()
    };
    let server = server_with(&dir, &[], "").await;
    let error = format!("The limit \"{denied}\" of the API key \"shop\" refuses this.");
    assert_eq!(pay(&server, key.expose_secret(), 1).await, json!({"success": false, "error": error}));
    server.shutdown().await;
}

#[tokio::test]
async fn limits_are_given_listed_and_kept() {
    let dir = TempDir::new().unwrap();
    let server = server_with(&dir, &[], "").await;
    let key = |limits: Value| json!({"name": "shop", "wallets": ["genesis"], "rights": ["read", "send"], "limits": limits});
    let add = async |limits: Value| post(&server, "owner", "/keys", key(limits)).await;
    let wrong = add(json!(["spend 0.10 HTR a day"])).await.json();
    assert!(wrong["error"].as_str().unwrap().starts_with("Nothing was made: limits must be as"), "{wrong}");
    let made = add(json!([DAY])).await.json();
    let listed = server.ask("GET", "/keys", &[OWNER], b"").await.json();
    assert_eq!(listed["keys"][0]["limits"], json!([DAY]));
    let key = made["key"].as_str().unwrap();
    assert_eq!(pay(&server, key, 11).await, refused("shop", DAY, 11, 10));
    // Another key of the name goes on with what is left.
    assert_eq!(pay(&server, key, 7).await["success"], true);
    let rotated = post(&server, "owner", "/keys/rotate/shop", json!({})).await.json();
    assert_eq!(pay(&server, rotated["key"].as_str().unwrap(), 4).await, refused("shop", DAY, 4, 3));
    // Whoever is limited gives no key that can spend.
    let admin =
        json!({"name": "admin", "wallets": ["*"], "rights": ["administer", "read", "send"], "limits": [DAY]});
    let admin = post(&server, "owner", "/keys", admin).await.json()["key"].as_str().unwrap().to_owned();
    let child = |rights: Value| json!({"name": "child", "wallets": ["*"], "rights": rights, "limits": [DAY]});
    assert_eq!(post(&server, &admin, "/keys", child(json!(["send"]))).await.status, 403);
    assert_eq!(post(&server, &admin, "/keys", child(json!(["read"]))).await.status, 200);
    server.shutdown().await;
}

#[tokio::test]
async fn sends_at_once_pass_no_limit_in_a_database() {
    let limits = "limits = { w = ['spend 0.70 HTR per day'] }";
    let two = Two::new_with(20, limits).await;
    let sends = join_all((0..16).map(|_| two.pay(0, None))).await;
    let sent = sends.iter().filter(|answer| answer["success"] == true).count();
    assert_eq!(sent, 7, "{sends:?}");
    for answer in sends.iter().filter(|answer| answer["success"] != true) {
        let error = "The limit \"spend 0.70 HTR per day\" of the wallet \"w\" refuses this: it would spend 0.10 HTR, with 0 HTR left.";
        assert_eq!(*answer, json!({"success": false, "error": error}));
    }
    two.first.shutdown().await;
}

/// The operations by which something is signed that is no message, each refused by the limits of the wallet
/// itself, whoever asks. Whoever declares another one says here how it is limited.
#[tokio::test]
async fn there_is_no_way_around_the_limits_of_a_wallet() {
    let dir = TempDir::new().unwrap();
    let place = format!("data_dir = {:?}", dir.path());
    let (server, token) = two(&place).await;
    let contract = bet(&server).await;
    let own = server.address(5).await;
    let send = json!({"send": {"tokens": [{"token": token, "value": 50}]}, "receive": {"tokens": [{"value": 10}]}, "lock": false});
    let (partial, _) = propose(&server, "genesis", send).await;
    let part = json!({
        "partial_tx": partial,
        "send": {"tokens": [{"value": 10}]},
        "receive": {"tokens": [{"token": token, "value": 50}]},
    });
    let (partial, complete) = propose(&server, "ana", part).await;
    assert!(complete);
    server.configure(&format!(
        "{place}\nlimits = {{ genesis = ['spend 0 * per transaction', 'mint 0 * per transaction', 'to {own}'] }}"
    ));
    assert_eq!(server.post("/reload-config", None, &json!({})).await.status, 200);
    let spend =
        "The limit \"spend 0 * per transaction\" of the wallet \"genesis\" refuses this: it would spend ";
    let call =
        "The limits of the wallet \"genesis\" refuse this: no `to` and no `call` of them names the method ";
    let deposit = action("deposit", "00", json!({"amount": 5}));
    let bet_data = json!({"args": [own, "1x0"], "actions": [deposit]});
    let template =
        json!([{"type": "output/token", "amount": 6, "address": STRANGER}, {"type": "action/complete"}]);
    let oracle = server.read(&format!("/wallet/nano-contracts/oracle-data?oracle={own}")).await;
    let create = json!({"args": [oracle["oracleData"], "00", 4_000_000_000u32]});
    let tried = [
        ("simple-send-tx", "simple-send-tx", json!({"address": STRANGER, "value": 5}), spend),
        (
            "send-tx",
            "send-tx",
            json!({"outputs": [{"address": STRANGER, "value": 5, "token": token}]}),
            spend,
        ),
        ("create-token", "create-token", json!({"name": "Mate", "symbol": "MATE", "amount": 100}), spend),
        (
            "create-nft",
            "create-nft",
            json!({"name": "Art", "symbol": "ART", "amount": 1, "data": "x"}),
            spend,
        ),
        ("mint-tokens", "mint-tokens", json!({"token": token, "amount": 100}), spend),
        ("melt-tokens", "melt-tokens", json!({"token": token, "amount": 100}), spend),
        ("run-tx-template", "tx-template/run", template.clone(), spend),
        ("build-tx-template", "tx-template/build?sign=true", template, spend),
        (
            "nano-execute",
            "nano-contracts/execute",
            json!({"nc_id": contract, "method": "bet", "address": own, "data": bet_data}),
            spend,
        ),
        (
            "nano-create",
            "nano-contracts/create",
            json!({"blueprint_id": BET, "address": own, "data": create}),
            call,
        ),
        (
            "swap-signatures",
            "atomic-swap/tx-proposal/get-my-signatures",
            json!({"partial_tx": partial}),
            spend,
        ),
    ];
    let mut seen: BTreeSet<_> = tried.iter().map(|(name, ..)| *name).collect();
    let pushed = server.devnet.read(|chain| chain.mempool().count());
    for (name, path, body, text) in &tried {
        let answer = server.call(path, body.clone()).await.json();
        assert_eq!(answer["success"], false, "{name}: {answer}");
        assert!(answer["error"].as_str().unwrap().starts_with(text), "{name}: {answer}");
    }
    assert_eq!(server.devnet.read(|chain| chain.mempool().count()), pushed, "nothing was sent");
    // What comes back to the wallet is not spent.
    server.done("utxo-consolidation", json!({"destination_address": own})).await;
    seen.insert("utxo-consolidation");
    server.shutdown().await;

    // Those sign nothing: what they send was counted when it was signed. A blueprint moves nothing, and
    // messages and what oracles say are no transactions. Shares of participants: below.
    seen.extend([
        "push-tx",
        "push-signing-file",
        "sign-and-push",
        "sign-and-push-swap",
        "cancel-task",
        "approve",
        "deny",
        "nano-create-on-chain-blueprint",
    ]);
    seen.extend(["sign-message", "nano-oracle-signed-result", "get-my-signatures"]);
    let harmless = [Right::Read, Right::Build, Right::Administer];
    let signing = operations::all()
        .filter(|operation| operation.rights().iter().any(|right| !harmless.contains(&right)));
    assert_eq!(seen, signing.map(|operation| operation.name).collect());
}

#[tokio::test]
async fn the_share_of_a_participant_is_limited() {
    let limits = "limits = { '1' = ['spend 0 HTR per transaction'] }\n";
    let server = p2sh::funded_with(limits, &[100]).await;
    let pay = json!({"outputs": [{"address": STRANGER, "value": 5}]});
    let hex = p2sh::proposed(&server, "", pay).await;
    p2sh::share(&server, "0", &hex).await;
    let error = "The limit \"spend 0 HTR per transaction\" of the wallet \"1\" refuses this: it would spend 0.05 HTR, with 0 HTR left.";
    let answer = p2sh::call(&server, "1", "/get-my-signatures", json!({"txHex": hex})).await;
    assert_eq!(answer.parts(), p2sh::failed(error));
    server.shutdown().await;
}

#[tokio::test]
async fn of_a_key_that_was_revoked_nothing_is_sent_that_was_not_recorded() {
    let dir = TempDir::new().unwrap();
    let server = server_with(&dir, &[], "").await;
    let made = json!({"name": "shop", "wallets": ["genesis"], "rights": ["read", "send"], "limits": [DAY]});
    let made = post(&server, "owner", "/keys", made).await.json();
    let key = made["key"].as_str().unwrap().to_owned();
    // It is being mined when the key is revoked.
    let delay = Duration::from_secs(3);
    server.devnet.set_mining_faults(MiningFaults { delay, ..MiningFaults::default() });
    let pushed = server.devnet.read(|chain| chain.mempool().count());
    let (sent, revoked) = tokio::join!(pay(&server, &key, 5), async {
        // It counts once it is to be signed.
        while std::fs::read(dir.path().join("spending.log")).map_or(0, |log| log.len()) == 0 {
            tokio::task::yield_now().await;
        }
        ask(&server.address, "DELETE", "/keys/shop", &[OWNER], b"").await.status
    });
    let gone = "The API key that this was asked with was revoked, or has ended: an administrator adds or rotates one.";
    assert_eq!((revoked, sent), (200, json!({"success": false, "error": gone})));
    assert_eq!(server.devnet.read(|chain| chain.mempool().count()), pushed);
    let log = std::fs::read_to_string(dir.path().join("spending.log")).unwrap();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), &lines[1]["back"]), (2, &json!(true)), "{log}");
    server.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_given_out_counts_also_where_the_same_is_not_sent_meanwhile() {
    let dir = TempDir::new().unwrap();
    let place = format!("data_dir = {:?}", dir.path());
    let (server, _) = two(&place).await;
    server.configure(&format!("{place}\nlimits = {{ genesis = ['spend 0.20 HTR per lifetime'] }}"));
    assert_eq!(server.post("/reload-config", None, &json!({})).await.status, 200);
    // Genesis gives 10 for nothing.
    let give = json!({"send": {"tokens": [{"value": 10}]}, "lock": false});
    let (partial, _) = propose(&server, "genesis", give).await;
    let take = json!({"partial_tx": partial, "receive": {"tokens": [{"value": 10}]}, "lock": false});
    let (partial, complete) = propose(&server, "ana", take).await;
    assert!(complete);
    // The same by a template, which is being mined, and fails, while the signatures are given out.
    let same = PartialTx::parse(&partial, Network::Privatenet).unwrap();
    let inputs = same.inputs.iter().map(|input| input.spends);
    let inputs = inputs.map(|of| json!({"type": "input/raw", "txId": of.tx.to_string(), "index": of.index}));
    let outputs = same.outputs.iter().map(|output| {
        let Some(Script::Pay { to, .. }) = Script::parse(&output.script, Network::Privatenet) else {
            panic!("pays")
        };
        let amount = u64::try_from(output.holds.value.cents()).unwrap();
        json!({"type": "output/token", "amount": amount, "address": to.to_string()})
    });
    let template = json!(inputs.chain(outputs).collect::<Vec<_>>());
    let delay = Duration::from_secs(3);
    server.devnet.set_mining_faults(MiningFaults {
        delay,
        mode: MiningMode::Failed,
        ..MiningFaults::default()
    });
    let log = dir.path().join("spending.log");
    let lines = || std::fs::read_to_string(&log).map_or(0, |log| log.lines().count());
    let (failed, given) =
        tokio::join!(server.post("/wallet/tx-template/run", Some("genesis"), &template), async {
            while lines() == 0 {
                tokio::task::yield_now().await;
            }
            call(&server, "genesis", "/get-my-signatures", json!({"partial_tx": partial, "as_is": true}))
                .await
        });
    assert_eq!(
        (&failed.json()["success"], &given.json()["success"]),
        (&json!(false), &json!(true)),
        "{}",
        failed.text
    );
    server.devnet.set_mining_faults(MiningFaults::default());
    let pay = async |value: u64| {
        let body = json!({"address": STRANGER, "value": value});
        server.post("/wallet/simple-send-tx", Some("genesis"), &body).await.json()
    };
    let refused = "The limit \"spend 0.20 HTR per lifetime\" of the wallet \"genesis\" refuses this: it would spend 0.11 HTR, with 0.10 HTR left.";
    assert_eq!(pay(11).await, json!({"success": false, "error": refused}));
    assert_eq!(pay(10).await["success"], true);
    server.shutdown().await;
}
