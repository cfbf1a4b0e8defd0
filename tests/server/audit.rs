//! The audit log: what is written, and what can't be changed unnoticed.

use super::command_line::{Ended, program, run};
use super::raw::STRANGER;
use super::rights::{OWNER, setting};
use super::support::{Answer, GENESIS_WORDS, Server, ask, configuration};
use crate::postgres::Postgres;
use futures_util::future::join_all;
use headless_wallet::server::{App, Config, Layer, run as serve};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::path::Path;
use tempfile::TempDir;
use tokio::net::TcpListener;

async fn audit(arguments: &[&str], place: &[&str]) -> Ended {
    let mut program = program();
    program.arg("audit").args(arguments).args(place);
    run(program, "").await
}

async fn post(server: &Server, key: &str, path: &str, body: &Value) -> Answer {
    let headers = [("x-api-key", key), ("x-wallet-id", "genesis"), ("content-type", "application/json")];
    server.ask("POST", path, &headers, body.to_string().as_bytes()).await
}

async fn start(settings: &str) -> Server {
    let server = Server::start_with(&format!("api_key = 'owner'\naudit_log = true\n{settings}")).await;
    let body = json!({"wallet-id": "genesis", "seedKey": "genesis"});
    assert_eq!(post(&server, "owner", "/start", &body).await.parts(), (200, json!({"success": true})));
    server.app.wallets().get("genesis").unwrap().ready().await;
    server
}

fn lines(dir: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(dir.join("audit.log")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn sha256(bytes: impl AsRef<[u8]>) -> String {
    hex::encode(Sha256::digest(bytes))
}

#[tokio::test]
async fn who_asked_for_what_and_what_came_of_it_is_written_down() {
    let dir = TempDir::new().unwrap();
    let shop = setting("shop", "shop", &["read", "send"], &["genesis"]);
    let server = start(&format!("data_dir = {:?}\n{shop}", dir.path())).await;
    let pay = json!({"address": STRANGER, "value": 5});
    let sent = post(&server, "shop", "/wallet/simple-send-tx", &pay).await.json();
    let mint = post(&server, "shop", "/wallet/mint-tokens", &json!({})).await;
    let stop = post(&server, "shop", "/multisig-pubkey", &json!({})).await;
    assert_eq!((mint.status, stop.status), (403, 403));
    // Reading is not written down, nor what strangers try.
    assert_eq!(
        server.ask("GET", "/wallet/balance", &[OWNER, ("x-wallet-id", "genesis")], b"").await.status,
        200
    );
    assert_eq!(post(&server, "nobody", "/wallet/simple-send-tx", &pay).await.status, 401);

    let mut told = lines(dir.path());
    let start = json!({"wallet-id": "genesis", "seedKey": "genesis"}).to_string();
    let mut before = "00".repeat(32);
    for (line, text) in
        told.iter_mut().zip(std::fs::read_to_string(dir.path().join("audit.log")).unwrap().lines())
    {
        let members = line.as_object_mut().unwrap();
        assert_eq!(members.remove("before").unwrap(), json!(before));
        assert_eq!(members.remove("time").unwrap().as_str().unwrap().len(), 24);
        before = sha256(text);
    }
    let from = "127.0.0.1";
    assert_eq!(
        json!(told),
        json!([
            {
                "n": 1, "event": "asked", "who": "(owner)", "from": from, "operation": "start",
                "wallet": "genesis", "seed": "genesis", "body": sha256(start),
            },
            {"n": 2, "event": "answered", "of": 1, "status": 200, "success": true},
            {
                "n": 3, "event": "asked", "who": "shop", "from": from, "operation": "simple-send-tx",
                "wallet": "genesis", "body": sha256(pay.to_string()),
            },
            {"n": 4, "event": "answered", "of": 3, "status": 200, "success": true, "transaction": sent["hash"]},
            {
                "n": 5, "event": "refused", "who": "shop", "from": from, "operation": "mint-tokens",
                "wallet": "genesis", "rule": "rights: mint",
            },
            {
                "n": 6, "event": "refused", "who": "shop", "from": from, "operation": "multisig-pubkey",
                "rule": "rights: administer, all wallets",
            },
        ])
    );
    let metrics = server.ask("GET", "/metrics", &[OWNER], b"").await.text;
    assert!(metrics.contains("\nheadless_wallet_audit_records 6\n"));
    assert!(metrics.contains(&format!("\nheadless_wallet_audit_head_info{{hash=\"{before}\"}} 1\n")));
    server.shutdown().await;
}

#[tokio::test]
async fn what_cannot_be_written_down_is_not_done() {
    let dir = TempDir::new().unwrap();
    let server = start(&format!("data_dir = {:?}", dir.path())).await;
    std::fs::remove_file(dir.path().join("audit.log")).unwrap();
    std::fs::create_dir(dir.path().join("audit.log")).unwrap();
    let answer =
        post(&server, "owner", "/wallet/simple-send-tx", &json!({"address": STRANGER, "value": 5})).await;
    let error = "The audit log can't be written now, so nothing was done: try again.";
    assert_eq!(answer.parts(), (503, json!({"success": false, "error": error})));
    assert_eq!(answer.header("retry-after"), Some("1"));
    let history = [OWNER, ("x-wallet-id", "genesis")];
    let history = server.ask("GET", "/wallet/tx-history?limit=10", &history, b"").await.json();
    assert_eq!(history.as_array().unwrap().len(), 1, "the first transaction alone");
    server.shutdown().await;

    let toml = "audit_log = true";
    let refused = Config::from_layers([Layer::toml("test.toml", toml).unwrap()]).unwrap_err().to_string();
    assert_eq!(
        refused,
        "setting `audit_log` is true, and there is nowhere to keep it: set `data_dir` or `store`"
    );
}

#[tokio::test]
async fn a_change_of_any_line_is_found() {
    let dir = TempDir::new().unwrap();
    let server = start(&format!("data_dir = {:?}", dir.path())).await;
    for value in 1..4 {
        post(&server, "owner", "/wallet/simple-send-tx", &json!({"address": STRANGER, "value": value})).await;
    }
    server.shutdown().await;
    let (path, place) = (dir.path().join("audit.log"), ["--data-dir", dir.path().to_str().unwrap()]);
    let whole = std::fs::read_to_string(&path).unwrap();
    let hash = sha256(whole.lines().next_back().unwrap());
    let fine = format!("8 lines, and each follows the one before it; the last one's hash is {hash}\n");
    assert_eq!(audit(&["verify", "--head", &hash], &place).await, (0, fine.clone(), String::new()));
    assert_eq!(audit(&["export"], &place).await, (0, whole.clone(), String::new()));
    assert_eq!(audit(&["export", "--after", "6"], &place).await.1.lines().count(), 2);

    let all: Vec<_> = whole.lines().collect();
    let fails = async |text: String, error: &str| {
        std::fs::write(&path, text).unwrap();
        let expected = (1, String::new(), format!("error: {error}\n"));
        assert_eq!(audit(&["verify", "--head", &hash], &place).await, expected);
    };
    for number in 1..8 {
        let broken =
            format!("line {} does not follow the one before it: one of the two was changed", number + 1);
        let changed = all[number - 1].replace("\"time\":\"2", "\"time\":\"3");
        let lines: Vec<_> = all
            .iter()
            .enumerate()
            .map(|(place, line)| if place == number - 1 { &*changed } else { line })
            .collect();
        fails(lines.join("\n") + "\n", &broken).await;
        let broken = format!("line {number} does not follow the one before it: one of the two was changed");
        let lines: Vec<_> =
            all.iter().enumerate().filter(|(place, _)| *place != number - 1).map(|(_, line)| *line).collect();
        fails(lines.join("\n") + "\n", &broken).await;
    }
    let dropped = "the noted hash is not in the log: the log was changed, or lines were dropped";
    fails(all[..7].join("\n") + "\n", dropped).await;
    assert_eq!(audit(&["verify"], &place).await.0, 0, "without a hash it is whole");
    // A part of a line is one that was being written at a crash, or one that was cut: it is said, and what is
    // whole before it can be had.
    let part = "after line 8 there is a part of another one: it was being written at a crash (then nobody was told that it is kept, and \
                the next one takes its place), or was cut off";
    fails(format!("{whole}{{\"n\":9,\"bef"), part).await;
    let cut = part.replace("line 8", "line 7");
    fails(whole[..whole.len() - 1].to_owned(), &cut).await;
    assert_eq!(audit(&["export"], &place).await.1.lines().count(), 7);
    std::fs::write(&path, &whole).unwrap();
    let noted = "Note the last hash elsewhere from time to time (GET /metrics: headless_wallet_audit_head_info; GET /wallet/events: \
                 audit:head), and give it as --head HASH\n";
    let unproven = format!(
        "note: without --head nothing shows that line 8 was the last one: lines after it may have been cut off, or all of them made anew. {noted}"
    );
    assert_eq!(audit(&["verify"], &place).await, (0, fine.clone(), unproven));
    let unproven = "note: the hash that was noted is that of line 6, which proves the lines up to it; the 2 after it are unproven: give a later \
                    one as --head\n";
    let earlier = sha256(all[5]);
    assert_eq!(audit(&["verify", "--head", &earlier], &place).await, (0, fine, unproven.to_owned()));
}

#[tokio::test]
async fn servers_on_one_database_write_one_chain() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let first = start(&format!("store = '{url}'")).await;
    let settings = format!("api_key = 'owner'\naudit_log = true\nstore = '{url}'");
    let layer = Layer::toml("second.toml", &configuration(&first.devnet, &settings)).unwrap();
    let app = App::new(Config::from_layers([layer]).unwrap()).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let second = listener.local_addr().unwrap().to_string();
    tokio::spawn(serve(listener, std::future::pending(), app));
    join_all((0..20).map(|number| {
        let address = if number % 2 == 0 { &first.address } else { &second };
        async move { ask(address, "POST", "/multisig-pubkey", &[OWNER], b"").await }
    }))
    .await;
    let (code, told, error) = audit(&["verify"], &["--store", &url]).await;
    assert_eq!((code, told.split(',').next().unwrap()), (0, "42 lines"));
    assert!(
        error.starts_with("note: without --head nothing shows that line 42 was the last one: "),
        "{error}"
    );
    postgres.sql(&url, "delete from audit where n > 40");
    let dropped = "error: the log does not match its recorded end: lines were dropped there, or changed\n";
    assert_eq!(audit(&["verify"], &["--store", &url]).await, (1, String::new(), dropped.to_owned()));
    first.shutdown().await;
}

#[tokio::test]
async fn lines_say_which_key_task_or_wallet_was_meant() {
    let dir = TempDir::new().unwrap();
    let server = start(&format!("data_dir = {:?}", dir.path())).await;
    let ask = async |method: &str, path: &str, body: Value| {
        let text = if body.is_null() { String::new() } else { body.to_string() };
        let headers = [OWNER, ("x-wallet-id", "genesis"), ("content-type", "application/json")];
        server.ask(method, path, &headers, text.as_bytes()).await.status
    };
    let long = "x".repeat(300);
    let add = json!({"name": "shop", "wallets": ["genesis"], "rights": ["read"]});
    assert_eq!(ask("POST", "/keys", add).await, 200);
    assert_eq!(ask("POST", "/keys/rotate/shop", json!({"overlap": 1})).await, 200);
    assert_eq!(ask("DELETE", "/keys/shop", Value::Null).await, 200);
    assert_eq!(ask("DELETE", "/wallet/tasks/AbCd", Value::Null).await, 404);
    assert_eq!(ask("DELETE", "/wallet/atomic-swap/tx-proposal/delete/swap-1", Value::Null).await, 200);
    assert_eq!(ask("POST", "/wallet/webhooks/redeliver", json!({"deliveryId": long})).await, 404);
    let told: Vec<_> = lines(dir.path())
        .into_iter()
        .filter(|line| line["event"] == "asked")
        .map(|line| json!([line["operation"], line["name"], line["wallet"]]))
        .collect();
    assert_eq!(
        told,
        [
            json!(["start", null, "genesis"]),
            json!(["add-key", "shop", null]),
            json!(["rotate-key", "shop", null]),
            json!(["revoke-key", "shop", null]),
            json!(["cancel-task", "AbCd", "genesis"]),
            json!(["delete-swap", "swap-1", "genesis"]),
            json!(["redeliver", "x".repeat(200), "genesis"]),
        ]
    );
    server.shutdown().await;
}

#[tokio::test]
async fn a_server_does_nothing_more_where_its_log_is_another_one() {
    let dir = TempDir::new().unwrap();
    let server = start(&format!("data_dir = {:?}", dir.path())).await;
    let path = dir.path().join("audit.log");
    let whole = std::fs::read_to_string(&path).unwrap();
    let status = async || post(&server, "owner", "/multisig-pubkey", &json!({})).await.status;
    let shorter = whole.lines().next().unwrap().to_owned() + "\n";
    let changed = whole
        .replace("\"who\":\"(owner)\"", "\"who\":\"(other)\"")
        .replace("\"success\":true", "\"success\":1234");
    for other in [None, Some(String::new()), Some(shorter), Some(changed)] {
        match &other {
            Some(text) => std::fs::write(&path, text).unwrap(),
            None => std::fs::remove_file(&path).unwrap(),
        }
        assert_eq!(status().await, 503, "{other:?}");
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 2, "nothing was added");
    // What others add is no other log.
    std::fs::write(&path, &whole).unwrap();
    let place = ["--data-dir", dir.path().to_str().unwrap()];
    let mut program = program();
    program.args(["keys", "add", "shop", "--wallet", "a", "--rights", "read"]).args(place);
    assert_eq!(run(program, "").await.0, 0);
    assert_ne!(status().await, 503);
    assert_eq!(audit(&["verify"], &place).await.0, 0);
    server.shutdown().await;
}

#[tokio::test]
async fn a_server_does_nothing_more_where_its_log_in_a_database_is_another_one() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let server = start(&format!("store = '{url}'")).await;
    postgres.sql(&url, "update audit set line = replace(line, 'owner', 'other') where n = 2");
    assert_ne!(
        post(&server, "owner", "/multisig-pubkey", &json!({})).await.status,
        503,
        "that is for `verify`"
    );
    postgres.sql(&url, "delete from audit where n > 1");
    postgres.sql(&url, "update audit_head set count = 1");
    assert_eq!(post(&server, "owner", "/multisig-pubkey", &json!({})).await.status, 503);
    server.shutdown().await;
}

#[tokio::test]
async fn what_the_command_line_changes_is_written_down() {
    let dir = TempDir::new().unwrap();
    let server = start(&format!("data_dir = {:?}", dir.path())).await;
    let place = dir.path().to_str().unwrap();
    let password = dir.path().join("password");
    std::fs::write(&password, "correct horse").unwrap();
    let password = password.to_str().unwrap();
    let command = async |arguments: &[&str], input: &str| {
        let mut program = program();
        program.args(arguments).args(["--data-dir", place]);
        run(program, input).await.0
    };
    for (arguments, input, code) in [
        (&["keys", "add", "shop", "--wallet", "a", "--rights", "read"][..], "", 0),
        (&["keys", "rotate", "shop"], "", 0),
        (&["keys", "revoke", "shop"], "", 0),
        (&["keys", "revoke", "other"], "", 1),
        (&["seeds", "add", "mine", "--seed-file", "-", "--password-file", password], GENESIS_WORDS, 0),
        (&["seeds", "rename", "mine", "main", "--password-file", password], "", 0),
        (&["seeds", "change-password", "--new-password-file", password, "--password-file", password], "", 0),
        (&["seeds", "remove", "main", "--yes", "--password-file", password], "", 0),
        (&["keys", "list"], "", 0),
        (&["seeds", "list"], "", 0),
    ] {
        assert_eq!(command(arguments, input).await, code, "{arguments:?}");
    }
    let told: Vec<_> = lines(dir.path())
        .into_iter()
        .skip(2)
        .map(|line| match line["event"].as_str() {
            Some("asked") => json!([line["who"], line["operation"], line["name"], line["to"]]),
            _ => line["success"].clone(),
        })
        .collect();
    let by = "(command line)";
    assert_eq!(
        told,
        [
            json!([by, "keys add", "shop", null]),
            json!(true),
            json!([by, "keys rotate", "shop", null]),
            json!(true),
            json!([by, "keys revoke", "shop", null]),
            json!(true),
            json!([by, "keys revoke", "other", null]),
            json!(false),
            json!([by, "seeds add", "mine", null]),
            json!(true),
            json!([by, "seeds rename", "mine", "main"]),
            json!(true),
            json!([by, "seeds change-password", null, null]),
            json!(true),
            json!([by, "seeds remove", "main", null]),
            json!(true),
        ]
    );
    server.shutdown().await;
}

#[tokio::test]
async fn where_there_is_no_log_it_is_said_and_nothing_is_made() {
    let dir = TempDir::new().unwrap();
    let none = "error: there is no audit log: a server with the setting audit_log = true writes one\n";
    let empty = dir.path().to_str().unwrap();
    let slip = dir.path().join("slip");
    let slip = slip.to_str().unwrap();
    for command in ["verify", "export"] {
        assert_eq!(audit(&[command], &["--data-dir", empty]).await, (1, String::new(), none.to_owned()));
        let missing = format!("error: there is no directory {slip}\n");
        assert_eq!(audit(&[command], &["--data-dir", slip]).await, (1, String::new(), missing));
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

/// A directory is for the server's user alone. Root may read everything, and so tries it as somebody else.
#[cfg(unix)]
#[tokio::test]
async fn who_may_not_read_the_directory_is_told_whose_it_is() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    const NOBODY: u32 = 65_534;
    let dir = TempDir::new().unwrap();
    let path = dir.path().to_str().unwrap();
    let owner = std::fs::metadata(path).unwrap().uid();
    let mut program = program();
    program.args(["audit", "verify", "--data-dir", path]);
    if owner == 0 {
        program.uid(NOBODY);
    }
    let mode = if owner == 0 { 0o700 } else { 0o300 };
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    let (code, out, err) = run(program, "").await;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!((code, &*out), (1, ""), "{err}");
    let (begins, ends) = match owner {
        0 => {
            let user = "and this is nobody (user 65534), who may not read it: run this as the user of the server (sudo -u)\n";
            (format!("error: {path} belongs to root (user 0), "), user.to_owned())
        }
        own => (format!("error: {path} holds what this user, "), format!("user {own}), may not read\n")),
    };
    assert!(err.starts_with(&begins) && err.ends_with(&ends), "{err}");
}
