//! What each kind of API key may do: every operation, asked for with every kind of key.

use super::support::{Answer, Server, names};
use headless_wallet::api::Right;
use headless_wallet::operations::{self, Operation};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

pub const OWNER: (&str, &str) = ("x-api-key", "owner");

/// What each operation must need, written down once more: whoever adds one says here what it can do.
const NEEDED: &str = "
start: administer, all wallets
hsm-start: administer, all wallets
fireblocks-start: administer, all wallets
load-more-addresses: administer
last-index: administer
events: read
status: read
stop: administer
multisig-pubkey: administer, all wallets
balance: read
balances: read
address: read
addresses: read
address-index: read
address-info: read
utxo-filter: read
tx-history: read
transaction: read
tx-confirmation-blocks: read
last-loaded-address-index: read
configuration-string: read
simple-send-tx: send
send-tx: send
create-token: create-tokens
create-nft: create-tokens
mint-tokens: mint
melt-tokens: melt
utxo-consolidation: send
push-tx: send
decode: read
utxos-selected-as-input: build
list-tasks: read
task: read
cancel-task: send
list-approvals: read
approval: read
approve: approve
deny: approve
build-tx: build
get-wallet-inputs: read
input-data: build
add-signatures: build
signing-file: build
push-signing-file: send
propose: build
propose-create-token: build
propose-mint-tokens: build
propose-melt-tokens: build
get-my-signatures: sign
sign: build
sign-and-push: send
propose-swap: build
swap-signatures: sign
sign-swap: build
sign-and-push-swap: send
swap-input-data: build
unlock-swap: build
get-locked-utxos: read
list-swaps: read
fetch-swap: read
register-swap: build
delete-swap: build
run-tx-template: send
build-tx-template: sign
nano-state: read
nano-history: read
nano-oracle-data: read
nano-oracle-signed-result: sign
nano-create: contracts
nano-execute: contracts
nano-create-on-chain-blueprint: contracts
sign-message: sign
verify-message: none
list-webhooks: read
list-deliveries: read
redeliver: administer
welcome: none
docs: none
docs-ui: none
health: read
health-live: none
health-ready: none
reload-config: administer, all wallets
metrics: read, all wallets
list-keys: administer, all wallets
add-key: administer, all wallets
rotate-key: administer, all wallets
revoke-key: administer, all wallets
";

/// The rights that an operation must need, and whether it is of all wallets.
fn needed() -> BTreeMap<&'static str, (BTreeSet<&'static str>, bool)> {
    let lines = NEEDED.lines().filter(|line| !line.is_empty());
    let read = lines.map(|line| {
        let (name, rights) = line.split_once(": ").unwrap();
        let mut rights: BTreeSet<_> = rights.split(", ").filter(|right| *right != "none").collect();
        let is_of_all = rights.remove("all wallets");
        (name, (rights, is_of_all))
    });
    read.collect()
}

#[test]
fn each_operation_says_what_it_needs_and_what_can_move_value_or_sign_needs_more_than_reading() {
    let mut declared = String::from("\n");
    for operation in operations::all() {
        let rights = operation.rights().to_string();
        let rights = if rights.is_empty() { "none" } else { &rights };
        let all = if operation.is_of_all { ", all wallets" } else { "" };
        writeln!(declared, "{}: {rights}{all}", operation.name).unwrap();
    }
    assert_eq!(declared, NEEDED);
    let moving = [Right::Send, Right::CreateTokens, Right::Mint, Right::Melt, Right::Contracts];
    for operation in operations::all() {
        let (name, rights) = (operation.name, operation.rights());
        let moves = moving.iter().any(|right| rights.iter().any(|needed| needed == *right));
        assert!(moves || !operation.sends(), "{name}");
        // Whatever is for a wallet needs a right, and whatever administers and is for none is of all.
        assert!(
            operation.needs_wallet() || !operation.path.starts_with("/wallet/") || name == "verify-message"
        );
        let administers = operation.right == Right::Administer && !operation.needs_wallet();
        assert!(!administers || operation.is_of_all, "{name}");
    }
}

/// A key of the settings.
pub fn setting(name: &str, key: &str, rights: &[&str], wallets: &[&str]) -> String {
    use sha2::{Digest, Sha256};
    let list = |all: &[&str]| json!(all).to_string();
    let hash = hex::encode(Sha256::digest(key));
    format!("keys.{name} = {{ hash = '{hash}', rights = {}, wallets = {} }}\n", list(rights), list(wallets))
}

async fn ask(server: &Server, operation: &Operation, path: &str, key: &str, wallet: &str) -> Answer {
    let headers = [("x-api-key", key), ("x-wallet-id", wallet), ("content-type", "application/json")];
    let body = if operation.body().is_some() { &b"{}"[..] } else { b"" };
    server.ask(&operation.method.name().to_uppercase(), path, &headers, body).await
}

/// The path of an operation, with something in the place of its part that varies.
fn path_of(operation: &Operation) -> String {
    let (path, _) = operation.path.split_once('{').unwrap_or((operation.path, ""));
    if path == operation.path { path.to_owned() } else { format!("{path}nobody") }
}

#[tokio::test]
async fn each_operation_is_refused_to_each_key_that_lacks_a_right_for_it() {
    let all: Vec<_> = Right::ALL.iter().map(|right| right.name()).collect();
    // For each right a key that has it alone and one that lacks it alone, for all wallets and for one.
    let mut settings = "api_key = 'owner'\n".to_owned();
    let mut keys = Vec::new();
    for (number, right) in all.iter().enumerate() {
        let others: Vec<_> = all.iter().filter(|other| *other != right).copied().collect();
        for (kind, rights) in [("only", vec![*right]), ("all-but", others)] {
            for (scope, wallets) in [("all", "*"), ("one", "none-such")] {
                let name = format!("{kind}-{right}-{scope}");
                settings += &setting(&name, &format!("key-{name}"), &rights, &[wallets]);
                keys.push((name, rights.iter().copied().collect::<BTreeSet<_>>(), scope == "all"));
            }
        }
        assert_eq!(keys.len(), 4 * (number + 1));
    }
    let server = Server::start_with(&settings).await;
    let needed = needed();
    let mut refused = 0;
    for operation in operations::all() {
        let (rights, is_of_all) = &needed[operation.name];
        for (name, has, is_for_all) in &keys {
            let answer =
                ask(&server, operation, &path_of(operation), &format!("key-{name}"), "none-such").await;
            let place = format!("{} {name}: {}", operation.name, answer.text);
            let missing: Vec<_> =
                all.iter().copied().filter(|right| rights.contains(right) && !has.contains(right)).collect();
            let text = match &missing[..] {
                [] if *is_of_all && !is_for_all => {
                    format!(
                        "The API key {name:?} may not do this: it is for keys that may touch all wallets."
                    )
                }
                [] => {
                    assert!(![401, 403, 429].contains(&answer.status), "{place}");
                    continue;
                }
                [one] => format!("The API key {name:?} may not do this: it lacks the right {one}."),
                some => {
                    format!("The API key {name:?} may not do this: it lacks the rights {}.", some.join(", "))
                }
            };
            assert_eq!(answer.parts(), (403, json!({"success": false, "error": text})), "{place}");
            refused += 1;
        }
        // Without a key, and with one that is none, all but the page and the probes are refused.
        let open = ["docs-ui", "health-live", "health-ready"].contains(&operation.name);
        let answer = ask(&server, operation, &path_of(operation), "hwk_00", "none-such").await;
        assert_eq!(answer.status == 401, !open, "{}", operation.name);
    }
    assert!(refused > 1_000, "{refused}");
    server.shutdown().await;
}

/// An answer but for what differs by itself.
fn shown(answer: &Answer) -> (u16, String, Vec<String>) {
    let lines = answer.head.lines().filter(|line| {
        let line = line.to_ascii_lowercase();
        !line.starts_with("x-request-id") && !line.starts_with("date")
    });
    (answer.status, answer.text.clone(), lines.map(str::to_owned).collect())
}

#[tokio::test]
async fn a_key_cannot_tell_a_wallet_that_it_may_not_touch_from_none() {
    let all: Vec<_> = Right::ALL.iter().map(|right| right.name()).collect();
    let settings = format!("api_key = 'owner'\n{}", setting("shop", "shop", &all, &["shop", "till"]));
    let server = Server::start_with(&settings).await;
    for id in ["genesis", "shop"] {
        let body = json!({"wallet-id": id, "seedKey": "genesis"}).to_string();
        let headers = [OWNER, ("content-type", "application/json")];
        let answer = server.ask("POST", "/start", &headers, body.as_bytes()).await;
        assert_eq!(answer.parts(), (200, json!({"success": true})));
        server.app.wallets().get(id).unwrap().ready().await;
    }
    let mut seen = 0;
    for operation in operations::all().filter(|operation| operation.needs_wallet()) {
        let there = ask(&server, operation, &path_of(operation), "shop", "genesis").await;
        let nowhere = ask(&server, operation, &path_of(operation), "shop", "nowhere").await;
        assert_eq!(shown(&there), shown(&nowhere), "{}", operation.name);
        assert_eq!((there.status, &there.json()["message"]), (200, &json!("Invalid wallet id parameter.")));
        seen += 1;
    }
    assert!(seen > 50, "{seen}");
    // Paths and methods that are none, too.
    for (method, path) in [("GET", "/wallet/nothing"), ("PATCH", "/wallet/balance")] {
        let ask =
            async |id| server.ask(method, path, &[("x-api-key", "shop"), ("x-wallet-id", id)], b"").await;
        assert_eq!(shown(&ask("genesis").await), shown(&ask("nowhere").await), "{path}");
    }
    let health = async |ids: &str| {
        let answer =
            server.ask("GET", &format!("/health?wallet_ids={ids}"), &[("x-api-key", "shop")], b"").await;
        (answer.status, answer.text.replace(ids, "ID"))
    };
    assert_eq!(health("genesis").await, health("nowhere").await);
    assert_eq!(health("shop").await.0, 200);
    let all = async |key| {
        let answer = server.ask("GET", "/health?wallet_ids=*", &[("x-api-key", key)], b"").await;
        names(&answer.json()["checks"]).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(all("shop").await, ["Wallet shop"]);
    assert_eq!(all("owner").await, ["Wallet genesis", "Wallet shop"]);
    // What it may touch it can use, and those that are not there yet are none to it as to the owner.
    let balance = async |key, id| {
        let headers = [("x-api-key", key), ("x-wallet-id", id)];
        server.ask("GET", "/wallet/balance", &headers, b"").await.json()
    };
    assert_eq!(balance("shop", "shop").await, balance("owner", "genesis").await);
    assert_ne!(balance("shop", "shop").await["available"], Value::Null);
    assert_eq!(balance("shop", "till").await, balance("owner", "till").await);
    server.shutdown().await;
}
