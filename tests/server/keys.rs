//! API keys with names: made, listed, rotated and revoked, and where they hold.

use super::events::Listener;
use super::process::{PROGRAM, Process};
use super::raw::STRANGER;
use super::rights::{OWNER, setting};
use super::support::{Answer, Server, ask, configuration};
use crate::postgres::Postgres;
use headless_wallet::calendar::UtcTime;
use headless_wallet::devnet::{NodeFaults, NodeMode};
use headless_wallet::rt;
use headless_wallet::server::{App, Config, Layer, run};
use serde_json::{Value, json};
use std::process::{Command, Stdio};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpListener;

/// A server that keeps keys, with the genesis wallet ready as `genesis`.
struct World {
    server: Server,
    dir: TempDir,
}

impl World {
    async fn new(settings: &str) -> Self {
        let dir = TempDir::new().unwrap();
        let settings = format!("api_key = 'owner'\ndata_dir = {:?}\n{settings}", dir.path());
        let server = Server::start_with(&settings).await;
        let world = Self { server, dir };
        let started =
            world.as_owner("POST", "/start", json!({"wallet-id": "genesis", "seedKey": "genesis"})).await;
        assert_eq!(started.parts(), (200, json!({"success": true})));
        world.server.app.wallets().get("genesis").unwrap().ready().await;
        world
    }

    async fn as_owner(&self, method: &str, path: &str, body: Value) -> Answer {
        self.with(OWNER.1, method, path, body).await
    }

    async fn with(&self, key: &str, method: &str, path: &str, body: Value) -> Answer {
        let text = if body.is_null() { String::new() } else { body.to_string() };
        let headers = [("x-api-key", key), ("x-wallet-id", "genesis"), ("content-type", "application/json")];
        self.server.ask(method, path, &headers, text.as_bytes()).await
    }

    /// Makes a key and gives it.
    async fn key(&self, grant: Value) -> String {
        let answer = self.as_owner("POST", "/keys", grant).await;
        assert_eq!((answer.status, &answer.json()["success"]), (200, &json!(true)), "{}", answer.text);
        answer.json()["key"].as_str().unwrap().to_owned()
    }

    async fn balance(&self, key: &str) -> (u16, Value) {
        self.with(key, "GET", "/wallet/balance", Value::Null).await.parts()
    }

    async fn keys(&self, key: &str) -> Value {
        self.with(key, "GET", "/keys", Value::Null).await.json()["keys"].clone()
    }
}

fn wrong() -> (u16, Value) {
    (401, json!({"auth": false, "message": "Wrong api key."}))
}

fn error(status: u16, error: &str) -> (u16, Value) {
    (status, json!({"success": false, "error": error}))
}

fn reader(name: &str) -> Value {
    json!({"name": name, "wallets": ["genesis"], "rights": ["read"]})
}

#[tokio::test]
async fn a_key_is_made_used_rotated_and_revoked() {
    let world = World::new("").await;
    let key = world.key(reader("shop")).await;
    assert_eq!((key.len(), key.starts_with("hwk_")), (68, true), "256 bits");
    assert_eq!(world.balance(&key).await.0, 200);
    assert_eq!(
        world
            .with(&key, "POST", "/wallet/simple-send-tx", json!({"address": STRANGER, "value": 1}))
            .await
            .parts(),
        error(403, "The API key \"shop\" may not do this: it lacks the right send.")
    );
    // Names are given once.
    let taken = "There is a key called \"shop\" already, or was: a name is never given twice, so that it always means one key.";
    assert_eq!(world.as_owner("POST", "/keys", reader("shop")).await.parts(), error(200, taken));
    // With an overlap both hold, without one only the new one does, and no key three times.
    let rotate = async |overlap: u32| {
        let answer = world.as_owner("POST", "/keys/rotate/shop", json!({"overlap": overlap})).await;
        answer.json()["key"].as_str().unwrap().to_owned()
    };
    let second = rotate(1_000).await;
    assert_eq!((world.balance(&key).await.0, world.balance(&second).await.0), (200, 200));
    let third = rotate(0).await;
    assert_eq!((world.balance(&key).await, world.balance(&second).await), (wrong(), wrong()));
    assert_eq!(world.balance(&third).await.0, 200);
    let listed = world.keys("owner").await;
    let created = listed[0]["createdAt"].as_str().unwrap();
    assert_eq!(
        listed,
        json!([{
            "name": "shop", "rights": ["read"], "wallets": ["genesis"], "networks": [], "limits": [], "createdAt": created,
            "revoked": false, "setting": false,
        }])
    );
    // What is kept tells no key.
    let kept = std::fs::read_to_string(world.dir.path().join("keys.document")).unwrap();
    for key in [&key, &second, &third] {
        assert!(!kept.contains(&key[4..]) && !listed.to_string().contains(&key[4..]));
    }
    let done = (200, json!({"success": true}));
    assert_eq!(world.as_owner("DELETE", "/keys/shop", Value::Null).await.parts(), done);
    assert_eq!(world.balance(&third).await, wrong());
    assert_eq!(world.keys("owner").await[0]["revoked"], json!(true));
    let revoked = "The key \"shop\" was revoked.";
    assert_eq!(world.as_owner("POST", "/keys/rotate/shop", json!({})).await.parts(), error(200, revoked));
    assert_eq!(world.as_owner("POST", "/keys", reader("shop")).await.parts(), error(200, taken));
    for (method, path) in [("DELETE", "/keys/other"), ("POST", "/keys/rotate/other")] {
        let unknown = error(404, "There is no key called \"other\".");
        assert_eq!(world.as_owner(method, path, Value::Null).await.parts(), unknown);
    }
    world.server.shutdown().await;
}

#[tokio::test]
async fn what_a_key_may_not_be_is_refused() {
    let world = World::new("").await;
    let with = |field: &str, value: Value| {
        let mut key = reader("shop");
        key[field] = value;
        key
    };
    for (field, value) in [
        ("name", json!("")),
        ("name", json!(".hidden")),
        ("name", json!("Shop")),
        ("name", json!("a/b")),
        ("name", json!("a".repeat(65))),
        ("wallets", json!([])),
        ("wallets", json!("*")),
        ("wallets", json!([1])),
        ("rights", json!([])),
        ("rights", json!(["read", "everything"])),
        ("perSecond", json!(0)),
        ("perSecond", json!(1_000_001)),
        ("networks", json!("10.0.0.0/8")),
    ] {
        let answer = world.as_owner("POST", "/keys", with(field, value)).await;
        assert_eq!(
            (answer.status, &answer.json()["error"][0]["param"]),
            (400, &json!(field)),
            "{}",
            answer.text
        );
    }
    // A limit by another name would be none.
    let known = "there are name, wallets, rights, networks, until, perSecond, limits. Nothing was done.";
    for field in ["expires", "ips", "x"] {
        let answer = world.as_owner("POST", "/keys", with(field, json!("2020-01-01"))).await;
        let told = format!("{field} is not known: {known}");
        assert_eq!((answer.status, &answer.json()["message"]), (400, &json!(told)), "{}", answer.text);
    }
    let answer = world.as_owner("POST", "/keys/rotate/shop", json!({"grace": 60})).await;
    let told = "grace is not known: there are overlap. Nothing was done.";
    assert_eq!((answer.status, &answer.json()["message"]), (400, &json!(told)), "{}", answer.text);
    for (field, value, text) in [
        ("wallets", json!(["*", "a"]), "wallets must be \"*\" alone, or ids of wallets"),
        (
            "networks",
            json!(["10.0.0.0/33"]),
            "networks must be addresses, or networks as 10.0.0.0/8, and \"10.0.0.0/33\" is none",
        ),
        (
            "until",
            json!("2027-02-29"),
            "until must be a date as 2027-12-31, or a time as 2027-12-31T12:00:00Z, and is \"2027-02-29\"",
        ),
    ] {
        let answer = world.as_owner("POST", "/keys", with(field, value)).await;
        assert_eq!(answer.parts(), error(200, &format!("Nothing was made: {text}.")));
    }
    assert_eq!(world.keys("owner").await, json!([]));
    world.server.shutdown().await;
}

#[tokio::test]
async fn nobody_gives_or_takes_more_than_they_have() {
    let world = World::new("").await;
    let admin = json!({"name": "admin", "wallets": ["*"], "rights": ["administer", "read"], "networks": ["127.0.0.0/8"]});
    let admin = world.key(admin).await;
    world
        .key(json!({"name": "sender", "wallets": ["*"], "rights": ["send"], "networks": ["127.0.0.1"]}))
        .await;
    let beyond = |name: &str| {
        error(
            403,
            &format!(
                "The key {name:?} may do what your own may not: nobody gives or takes more than they have."
            ),
        )
    };
    for more in [
        json!({"rights": ["read", "send"]}),
        json!({"networks": []}),
        json!({"networks": ["127.0.0.0/7"]}),
        json!({"networks": ["127.0.0.1", "10.0.0.1"]}),
    ] {
        let mut key =
            json!({"name": "new", "wallets": ["genesis"], "rights": ["read"], "networks": ["127.0.0.1"]});
        key.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        assert_eq!(world.with(&admin, "POST", "/keys", key).await.parts(), beyond("new"));
    }
    assert_eq!(world.with(&admin, "POST", "/keys/rotate/sender", json!({})).await.parts(), beyond("sender"));
    assert_eq!(world.with(&admin, "DELETE", "/keys/sender", Value::Null).await.parts(), beyond("sender"));
    let names = |keys: Value| -> Vec<Value> {
        keys.as_array().unwrap().iter().map(|key| key["name"].clone()).collect()
    };
    assert_eq!(names(world.keys(&admin).await), ["admin"], "and sees no more");
    let mut within = reader("new");
    within["networks"] = json!(["127.0.0.1"]);
    assert_eq!(world.with(&admin, "POST", "/keys", within).await.status, 200);
    assert_eq!(names(world.keys(&admin).await), ["admin", "new"]);
    assert_eq!(world.with(&admin, "DELETE", "/keys/new", Value::Null).await.status, 200);
    world.server.shutdown().await;
}

#[tokio::test]
async fn a_key_holds_from_its_networks_until_its_end_and_at_its_pace() {
    let world = World::new("").await;
    let with = |name: &str, field: &str, value: Value| {
        let mut key = reader(name);
        key[field] = value;
        key
    };
    let away = world.key(with("away", "networks", json!(["10.0.0.0/8", "::1"]))).await;
    let text = "The API key \"away\" may not be used from 127.0.0.1.";
    assert_eq!(world.balance(&away).await, error(403, text));
    // What somebody says of where they come from is nothing.
    let forged = [("x-api-key", &*away), ("x-forwarded-for", "10.0.0.1"), ("forwarded", "for=10.0.0.1")];
    assert_eq!(world.server.ask("GET", "/docs", &forged, b"").await.parts(), error(403, text));
    let here = world.key(with("here", "networks", json!(["10.0.0.0/8", "127.0.0.0/31"]))).await;
    assert_eq!(world.balance(&here).await.0, 200);
    let past = with("past", "until", json!("2026-01-01T00:00:01Z"));
    let refused = error(200, "Its end is in the past.");
    assert_eq!(world.as_owner("POST", "/keys", past).await.parts(), refused);
    let soon = format!("{}Z", UtcTime::from_unix(u64::from(rt::unix_seconds()) + 3).iso());
    let ended = world.key(with("ended", "until", json!(soon))).await;
    let end = (
        401,
        json!({"auth": false, "message": "The API key has ended: its time is over, or it was rotated. An administrator adds another one, or has the one that took its place."}),
    );
    loop {
        let answer = world.balance(&ended).await;
        if answer.0 != 200 {
            assert_eq!(answer, end);
            break;
        }
        tokio::task::yield_now().await;
    }
    // Another secret would be over as well.
    let again = world.as_owner("POST", "/keys/rotate/ended", json!({})).await;
    let over =
        "The key \"ended\" has ended, and would have with another secret, too: add one of another name.";
    assert_eq!(again.parts(), error(200, over));
    let later = world.key(with("later", "until", json!("2999-01-01"))).await;
    assert_eq!(world.balance(&later).await.0, 200);
    assert_eq!(world.keys("owner").await[3]["until"], json!("2999-01-01T00:00:00Z"));

    let slow = world.key(with("slow", "perSecond", json!(1))).await;
    assert_eq!(world.balance(&slow).await.0, 200);
    let answer = world.with(&slow, "GET", "/wallet/balance", Value::Null).await;
    assert_eq!(answer.parts(), error(429, "The API key \"slow\" may make 1 requests a second: wait."));
    assert_eq!(answer.header("retry-after"), Some("1"));
    // A new key of the name goes on at the pace of the old one.
    let rotated = world.as_owner("POST", "/keys/rotate/slow", json!({})).await.json();
    assert_eq!(world.balance(rotated["key"].as_str().unwrap()).await.0, 429);
    world.server.shutdown().await;
}

#[tokio::test]
async fn revoking_the_last_key_lets_nobody_in() {
    let dir = TempDir::new().unwrap();
    // Nobody is asked for a key where there is none.
    let server = Server::start_with(&format!("data_dir = {:?}", dir.path())).await;
    let address = server.address.clone();
    let ask = async |method: &str, path: &str, key: &str, body: &str| {
        let headers = [("x-api-key", key), ("content-type", "application/json")];
        let headers = if key.is_empty() { &headers[1..] } else { &headers[..] };
        ask(&address, method, path, headers, body.as_bytes()).await
    };
    assert_eq!(ask("GET", "/docs", "", "").await.status, 200);
    let admin = json!({"name": "admin", "wallets": ["*"], "rights": ["administer"]}).to_string();
    let made = ask("POST", "/keys", "", &admin).await.json();
    let key = made["key"].as_str().unwrap();
    assert_eq!(
        ask("GET", "/docs", "", "").await.json(),
        json!({"auth": false, "message": "Missing X-API-KEY header."})
    );
    assert_eq!(ask("DELETE", "/keys/admin", key, "").await.status, 200);
    assert_eq!(
        (ask("GET", "/docs", "", "").await.status, ask("GET", "/docs", key, "").await.status),
        (401, 401)
    );
    server.shutdown().await;
}

#[tokio::test]
async fn a_list_that_cannot_be_read_lets_nobody_in_but_the_owner() {
    let dir = TempDir::new().unwrap();
    for damaged in ["", "not a document\n", &format!("{}\n{{\"format\":2,\"keys\":[]}}", "00".repeat(16))] {
        std::fs::write(dir.path().join("keys.document"), damaged).unwrap();
        for (settings, nobody, owner) in [("", 503, 503), ("api_key = 'owner'\n", 401, 200)] {
            let server = Server::start_with(&format!("{settings}data_dir = {:?}", dir.path())).await;
            let status = async |headers: &[(&str, &str)]| {
                ask(&server.address, "GET", "/docs", headers, b"").await.status
            };
            let stranger = [("x-api-key", "hwk_00")];
            let statuses = (status(&[]).await, status(&stranger).await, status(&[OWNER]).await);
            assert_eq!(statuses, (nobody, 503, owner), "{damaged:?} {settings}");
            server.shutdown().await;
        }
    }
}

#[tokio::test]
async fn keys_of_the_settings_hold_as_they_stand_there() {
    let settings = format!("api_key = 'owner'\n{}", setting("shop", "open sesame", &["read"], &["genesis"]));
    let server = Server::start_with(&settings).await;
    let status = async |key: &str| server.ask("GET", "/docs", &[("x-api-key", key)], b"").await.status;
    assert_eq!((status("open sesame").await, status("sesame").await), (200, 401));
    let listed = server.ask("GET", "/keys", &[OWNER], b"").await.json();
    assert_eq!(
        listed["keys"],
        json!([{"name": "shop", "rights": ["read"], "wallets": ["genesis"], "networks": [], "limits": [], "revoked": false, "setting": true}])
    );
    let headers = [OWNER, ("content-type", "application/json")];
    let none =
        "This server keeps no keys: start it with `data_dir` or `store`, or change `[keys]` in its settings.";
    let add = server.ask("POST", "/keys", &headers, reader("new").to_string().as_bytes()).await;
    assert_eq!(add.parts(), error(200, none));
    // One that is taken out is one no more, without a new start.
    server.configure("api_key = 'owner'");
    assert_eq!(server.ask("POST", "/reload-config", &[OWNER], b"").await.status, 200);
    assert_eq!(status("open sesame").await, 401);
    server.shutdown().await;
}

#[tokio::test]
async fn one_key_has_one_name_and_one_name_one_key() {
    let dir = TempDir::new().unwrap();
    let none = |name: &str, key: &str, rights: &[&str]| setting(name, key, rights, &["*"]);
    let first = Server::start_with(&format!("api_key = 'owner'\ndata_dir = {:?}", dir.path())).await;
    let headers = [OWNER, ("content-type", "application/json")];
    let made = first.ask("POST", "/keys", &headers, reader("shop").to_string().as_bytes()).await.json();
    let stored = made["key"].as_str().unwrap();
    first.shutdown().await;
    // The settings come first, in the order of their names.
    let settings = format!(
        "api_key = 'owner'\ndata_dir = {:?}\n{}{}{}",
        dir.path(),
        none("shop", "another", &["read"]),
        none("a", "same", &["read"]),
        none("b", "same", &["administer"]),
    );
    let server = Server::start_with(&settings).await;
    let status =
        async |key: &str, path: &str| server.ask("GET", path, &[("x-api-key", key)], b"").await.status;
    assert_eq!((status(stored, "/docs").await, status("another", "/docs").await), (401, 200));
    assert_eq!((status("same", "/metrics").await, status("same", "/keys").await), (200, 403));
    server.shutdown().await;
}

#[tokio::test]
async fn a_task_of_a_key_that_was_revoked_is_not_carried_out() {
    let world = World::new("tasks_at_once = 1\naudit_log = true").await;
    let key = world.key(json!({"name": "shop", "wallets": ["genesis"], "rights": ["read", "send"]})).await;
    let other = world.key(json!({"name": "other", "wallets": ["genesis"], "rights": ["read", "send"]})).await;
    let hold = |held: bool| {
        let mode = if held { NodeMode::Slow } else { NodeMode::Normal };
        world.server.devnet.set_node_faults(NodeFaults {
            mode,
            path: "push_tx".into(),
            ..NodeFaults::default()
        });
    };
    hold(true);
    let mut tasks = Vec::new();
    for key in [&other, &key, &other] {
        let headers = [
            ("x-api-key", &**key),
            ("x-wallet-id", "genesis"),
            ("content-type", "application/json"),
            ("prefer", "respond-async"),
        ];
        let body = json!({"address": STRANGER, "value": 5}).to_string();
        let answer = world.server.ask("POST", "/wallet/simple-send-tx", &headers, body.as_bytes()).await;
        assert_eq!(answer.status, 202);
        tasks.push(answer.json()["taskId"].as_str().unwrap().to_owned());
    }
    assert_eq!(world.as_owner("DELETE", "/keys/shop", Value::Null).await.status, 200);
    hold(false);
    let mut ends = Vec::new();
    for id in &tasks {
        let task = world.as_owner("GET", &format!("/wallet/tasks/{id}?wait=60"), Value::Null).await.json();
        ends.push((task["status"].clone(), task["error"].clone()));
    }
    let gone = json!(
        "The API key that this was asked with was revoked, or has ended: an administrator adds or rotates one."
    );
    let sent = (json!("pushed"), Value::Null);
    assert_eq!(ends, [sent.clone(), (json!("failed"), gone), sent]);
    let log = std::fs::read_to_string(world.dir.path().join("audit.log")).unwrap();
    let refused = log.lines().find(|line| line.contains("\"event\":\"refused\"")).unwrap();
    let refused: Value = serde_json::from_str(refused).unwrap();
    assert_eq!(
        (&refused["who"], &refused["rule"]),
        (&json!("shop"), &json!("the key was revoked, or has ended"))
    );
    world.server.shutdown().await;
}

#[tokio::test]
async fn streams_end_with_the_key_of_their_listener() {
    let world = World::new("").await;
    let keys = [world.key(reader("shop")).await, world.key(reader("other")).await];
    let mut listeners = Vec::new();
    for key in &keys {
        listeners.push(Listener::connect(&world.server, &[("x-api-key", key)]).await);
    }
    // Not that of another key.
    assert_eq!(world.as_owner("POST", "/keys/rotate/other", json!({"overlap": 1_000})).await.status, 200);
    assert_eq!(world.as_owner("DELETE", "/keys/shop", Value::Null).await.status, 200);
    let mut other = listeners.pop().unwrap();
    listeners.pop().unwrap().end().await;
    world.server.devnet.change(|chain, now| chain.mine_block(vec![0x51], now));
    other.find("node:best-block-update").await;
    assert_eq!(world.as_owner("POST", "/keys/rotate/other", json!({})).await.status, 200);
    other.end().await;
    world.server.shutdown().await;
}

#[tokio::test]
async fn keys_of_requests_are_the_api_keys_own_where_there_is_no_wallet() {
    let world = World::new("").await;
    let (one, other) = (
        world.key(json!({"name": "one", "wallets": ["*"], "rights": ["send"]})).await,
        world.key(json!({"name": "other", "wallets": ["*"], "rights": ["send"]})).await,
    );
    let push = async |key: &str, hex: &str| {
        let headers = [("x-api-key", key), ("content-type", "application/json"), ("idempotency-key", "k")];
        world.server.ask("POST", "/push-tx", &headers, json!({"txHex": hex}).to_string().as_bytes()).await
    };
    let mut pushed = Vec::new();
    for (key, amount) in [(&one, 1), (&one, 2), (&other, 3)] {
        let template = json!([
            {"type": "output/token", "amount": amount, "address": STRANGER},
            {"type": "action/complete"},
        ]);
        let built = world.as_owner("POST", "/wallet/tx-template/build?sign=true", template).await.json();
        pushed.push(push(key, built["txHex"].as_str().unwrap()).await);
    }
    let statuses: Vec<_> = pushed.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [200, 422, 200], "to another API key it is another name");
    assert_eq!((&pushed[0].json()["success"], &pushed[2].json()["success"]), (&json!(true), &json!(true)));
    assert_eq!(pushed[2].header("idempotency-replayed"), None);
    world.server.shutdown().await;
}

#[tokio::test]
async fn a_key_that_is_revoked_at_one_server_is_used_at_no_other() {
    let postgres = Postgres::shared();
    let settings = format!("api_key = 'owner'\nstore = '{}'", postgres.url());
    let first = Server::start_with(&settings).await;
    let layer = Layer::toml("second.toml", &configuration(&first.devnet, &settings)).unwrap();
    let app = App::new(Config::from_layers([layer]).unwrap()).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let second = listener.local_addr().unwrap().to_string();
    tokio::spawn(run(listener, std::future::pending(), app));
    let headers = [OWNER, ("content-type", "application/json")];
    // Many at once, at both: each is made, and no other is lost.
    let made = futures_util::future::join_all((0..10).map(|number| {
        let address = if number % 2 == 0 { &first.address } else { &second };
        let body = reader(&format!("key{number}")).to_string();
        let headers = &headers;
        async move { ask(address, "POST", "/keys", headers, body.as_bytes()).await.json()["key"].clone() }
    }));
    let made = made.await;
    let status = async |address: &str, key: &str| {
        ask(address, "GET", "/docs", &[("x-api-key", key)], b"").await.status
    };
    for key in &made {
        for address in [&first.address, &second] {
            while status(address, key.as_str().unwrap()).await != 200 {
                tokio::task::yield_now().await;
            }
        }
    }
    assert_eq!(ask(&second, "DELETE", "/keys/key0", &headers, b"").await.status, 200);
    let key = made[0].as_str().unwrap();
    assert_eq!(status(&second, key).await, 401);
    while status(&first.address, key).await != 401 {
        tokio::task::yield_now().await;
    }
    assert_eq!(status(&first.address, made[1].as_str().unwrap()).await, 200);
    first.shutdown().await;
}

#[tokio::test]
async fn what_is_wrong_with_limits_is_in_the_log_before_the_first_request() {
    let dir = TempDir::new().unwrap();
    let config = dir.path().join("config.toml");
    let limits = "[limits]\n'*' = ['spend 0.01 HTR per day unless approved by 1 of alice']\n";
    std::fs::write(&config, format!("api_key = 'owner'\ndata_dir = {:?}\n{limits}", dir.path())).unwrap();
    let mut serve = tokio::process::Command::new(PROGRAM);
    serve.arg("serve").arg("--config").arg(&config);
    let mut server = Process::by(serve, Stdio::piped()).await;
    let mut lines = BufReader::new(server.child.stderr.take().unwrap()).lines();
    let warning = "a limit wants the approval of the key \"alice\": there is no such key yet";
    while !lines.next_line().await.unwrap().unwrap().contains(warning) {}
    server.end().await;
}

#[tokio::test]
async fn the_command_line_makes_and_ends_keys_of_a_server_that_runs() {
    let dir = TempDir::new().unwrap();
    let place = dir.path().to_str().unwrap();
    let keys = |arguments: &[&str]| {
        let output =
            Command::new(PROGRAM).arg("keys").args(arguments).args(["--data-dir", place]).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let past = ["add", "shop", "--wallet", "a", "--rights", "read", "--until", "2026-01-01"];
    assert_eq!(keys(&past), (Some(1), String::new(), "error: its end is in the past\n".to_owned()));
    let (code, key, told) = keys(&["add", "shop", "--wallet", "a,b", "--rights", "read,send"]);
    assert_eq!((code, &*told), (Some(0), ""));
    let key = key.trim();
    // Whose approval is wanted must be there.
    let limit = "spend 0.10 HTR per day unless approved by 1 of alice,shop";
    let till = ["add", "till", "--wallet", "a", "--rights", "send", "--limit", limit];
    let refused = "error: a limit wants the approval of the key \"alice\": there is no such key yet; a limit wants the approval of the key \
                   \"shop\": it lacks the right approve\n";
    assert_eq!(keys(&till), (Some(1), String::new(), refused.to_owned()));
    let limit = "spend 0.10 HTR per day unless approved by 1 of alice";
    assert_eq!(keys(&["add", "alice", "--wallet", "*", "--rights", "approve"]).0, Some(0));
    let till = ["add", "till", "--wallet", "a", "--rights", "send", "--limit", limit];
    assert_eq!(keys(&till).0, Some(0));
    assert_eq!(keys(&["revoke", "alice"]).0, Some(0));
    assert_eq!(keys(&["revoke", "till"]).0, Some(0));
    // Pieces or hundredths? Nobody guesses.
    let unclear = "spend 10 * per day";
    let (code, out, told) = keys(&["add", "other", "--wallet", "a", "--rights", "send", "--limit", unclear]);
    assert_eq!((code, &*out), (Some(2), ""));
    let line = told.lines().next().unwrap();
    assert!(
        line.starts_with(
            "error: invalid value 'spend 10 * per day' for '--limit <LIMIT>': limits must be as "
        ),
        "{line}"
    );
    let server = Process::start(&["serve", "--data-dir", place]).await;
    let status =
        async |key: &str| ask(&server.address, "GET", "/docs", &[("x-api-key", key)], b"").await.status;
    assert_eq!((status(key).await, status("other").await), (200, 401));
    let (code, listed, _) = keys(&["list"]);
    let json: Value = serde_json::from_str(&keys(&["list", "--json"]).1).unwrap();
    assert_eq!(json["keys"][2]["limits"], json!(["spend 0.10 HTR per day unless approved by 1 of alice"]));
    let till = format!("alice: approve; wallets *; revoked\ntill: send; wallets a; {limit}; revoked\n");
    assert_eq!((code, listed), (Some(0), format!("shop: read, send; wallets a, b\n{till}")));
    let (_, new, _) = keys(&["rotate", "shop"]);
    while status(key).await != 401 {
        tokio::task::yield_now().await;
    }
    assert_eq!(status(new.trim()).await, 200);
    assert_eq!(
        keys(&["revoke", "shop"]),
        (Some(0), String::new(), "the key \"shop\" was revoked\n".to_owned())
    );
    while status(new.trim()).await != 401 {
        tokio::task::yield_now().await;
    }
    assert_eq!(keys(&["list"]).1, format!("shop: read, send; wallets a, b; revoked\n{till}"));
    let unknown = (Some(1), String::new(), "error: there is no key called \"other\"\n".to_owned());
    assert_eq!(keys(&["revoke", "other"]), unknown);
    server.end().await;
}

#[test]
fn without_a_store_the_command_line_says_what_to_write_into_the_settings() {
    let output = Command::new(PROGRAM)
        .args(["keys", "add", "shop", "--wallet", "a", "--rights", "read", "--network", "10.1.2.3/8"])
        .args(["--until", "2027-12-31", "--per-second", "5"])
        .output()
        .unwrap();
    let (key, told) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    let (_, toml) = told.split_once("\n\n").unwrap();
    let config = Config::from_layers([Layer::toml("test.toml", toml).unwrap()]).unwrap();
    let kept = &config.keys[0];
    assert_eq!(
        (&*kept.name, kept.hash),
        ("shop", headless_wallet::server::access::hash_of(key.trim().as_bytes()))
    );
    assert_eq!(
        (kept.grant.wallets(), kept.grant.networks()),
        (vec!["a".to_owned()], vec!["10.0.0.0/8".to_owned()])
    );
    assert_eq!((kept.grant.until, kept.grant.per_second), (Some(1_830_211_200), Some(5)));
}

#[test]
fn commands_that_make_nothing_find_a_slip_in_the_name_of_the_place() {
    let dir = TempDir::new().unwrap();
    let slip = dir.path().join("slip");
    let slip = slip.to_str().unwrap();
    let told = |arguments: &[&str]| {
        let output = Command::new(PROGRAM).args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let missing = (Some(1), format!("error: there is no directory {slip}\n"));
    for command in [
        &["keys", "list"][..],
        &["keys", "revoke", "a"],
        &["keys", "rotate", "a"],
        &["seeds", "list"],
        &["seeds", "rename", "a", "b"],
        &["seeds", "remove", "a"],
        &["seeds", "change-password"],
    ] {
        assert_eq!(told(&[command, &["--data-dir", slip]].concat()), missing, "{command:?}");
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "nothing was made");
    let nowhere = "error: say where the server keeps its data: --data-dir, --store or --config\n";
    for command in [["keys", "list"], ["seeds", "list"], ["audit", "verify"]] {
        assert_eq!(told(&command), (Some(2), nowhere.to_owned()), "{command:?}");
    }
    let name = "error: invalid value 'My key' for '<NAME>': a name is 1 to 64 of a-z, 0-9, '.', '_' and '-', \
                and does not begin with '.'\n\nFor more information, try '--help'.\n";
    let add = ["keys", "add", "My key", "--wallet", "w", "--rights", "read", "--data-dir", slip];
    assert_eq!(told(&add), (Some(2), name.to_owned()));
    let none = format!("error: there is no store in {}\n", dir.path().display());
    assert_eq!(told(&["store", "check", "--data-dir", dir.path().to_str().unwrap()]), (Some(1), none));
}
