//! `headless-wallet store migrate` of all that belongs to no wallet alone: it is the same there, to the byte,
//! and limits go on.

use crate::backends::owner;
use crate::cluster::Postgres;
use crate::commands::{migrate, with_a_store};
use headless_wallet::ledger::{Amount, TokenUid, VertexId};
use headless_wallet::limits::{Account, Assessment, Charge, Counted, Limit, Verb};
use headless_wallet::store::{DataDir, Documents, NamedStores, PostgresStores, Stores, write_audit};
use serde_json::{Map, Value, json};
use std::process::Command;
use tempfile::TempDir;

const DOCUMENTS: [&str; 3] = ["keys", "seeds", "approvals"];
const APPROVALS: &str = r#"{"approvals":[{"id":"0f1e2d3c","wallet":"shop","by":"shop","digest":"aa","transaction":"0001","key":"bb","request":"cc","does":["pays 6000"],"why":"a limit","of":["alice"],"created":1795257959,"until":1795344359,"approved":["alice"],"state":"waiting","error":null,"steps":2}],"steps":[{"wallet":"shop","id":"0f1e2d3c","number":2,"kind":"approval.given","data":"{}"}]}"#;

fn charge(scope: &str, verb: Verb, token: TokenUid, amount: u64) -> Charge {
    Charge { account: Account { scope: scope.to_owned(), verb, token }, amount: Amount::from(amount) }
}

/// A payment under one limit, of all that is counted for ever.
fn within(charge: Charge, most: u64) -> Assessment {
    let limit =
        Limit { charge: 0, window: None, most: Amount::from(most), rule: String::new(), unless: None };
    Assessment { charges: vec![charge], limits: vec![limit], wanted: Vec::new() }
}

fn of_shop(amount: u64) -> Assessment {
    within(charge("key shop", Verb::Spend, TokenUid::Native, amount), 1_000)
}

/// As a user runs it; gives what it says.
fn keys(args: &[&str], dir: &TempDir) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_headless-wallet"));
    let output = command.arg("keys").args(args).arg("--data-dir").arg(dir.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Two keys with names, one of which is revoked; sealed words; an approval that waits; what was spent and
/// minted; a log.
async fn in_use(dir: &TempDir) {
    let stores = DataDir::new(dir.path()).unwrap();
    let log = stores.audit_log().unwrap();
    write_audit(log, "begun", Map::new()).await.unwrap();
    let limit = "spend 10.00 HTR per day unless approved by 1 of alice";
    keys(&["add", "alice", "--wallet", "shop", "--rights", "approve"], dir);
    let shop = ["add", "shop", "--wallet", "shop", "--rights", "read,send", "--limit", limit];
    assert_eq!(keys(&shop, dir).trim().len(), 68);
    keys(&["revoke", "alice"], dir);
    assert!(stores.replace_document("seeds", None, "sealed words").await.unwrap());
    assert!(stores.replace_document("approvals", None, APPROVALS).await.unwrap());
    let token = TokenUid::Custom(VertexId([7; 32]));
    let minted = within(charge("wallet shop", Verb::Mint, token, 5), 100);
    for (id, assessment) in [(1, of_shop(300)), (2, of_shop(400)), (3, minted)] {
        let counted = stores.spending().unwrap().count("", [id; 32], 1, &assessment).await.unwrap();
        assert!(matches!(counted, Counted::Yes(_)));
    }
    write_audit(log, "ended", json!({"by": "shop"}).as_object().cloned().unwrap()).await.unwrap();
}

/// All that there is but wallets' stores.
async fn whole(stores: &dyn NamedStores) -> Value {
    let mut documents = Map::new();
    for name in DOCUMENTS {
        let document = stores.all_documents().read_document(name).await.unwrap();
        documents.insert(name.to_owned(), document.map(|document| document.text).into());
    }
    let spent = stores.spent().await.unwrap();
    let amount = |of: &Charge| {
        let Account { scope, verb, token } = &of.account;
        json!([scope, format!("{verb:?}"), token.to_string(), of.amount.to_string()])
    };
    let mut older: Vec<_> = spent.older.iter().filter(|of| of.amount > Amount::ZERO).map(amount).collect();
    older.sort_by_key(Value::to_string);
    let mut lately: Vec<_> =
        spent.lately.iter().map(|(time, id, of)| json!([time, hex::encode(id), amount(of)])).collect();
    lately.sort_by_key(Value::to_string);
    let audit = stores.all_audit().lines(0, 99).await.unwrap();
    json!({"documents": documents, "older": older, "lately": lately, "audit": audit})
}

/// 700 of 1,000 were spent.
async fn goes_on_counting(stores: &dyn Stores) {
    let spending = stores.spending().unwrap();
    let beyond = spending.look([9; 32], &of_shop(301)).await.unwrap();
    assert_eq!(beyond, Counted::Passed(0, Amount::from(300)));
    assert!(matches!(spending.look([9; 32], &of_shop(300)).await.unwrap(), Counted::Yes(_)));
    // What was counted once is not counted anew.
    assert_eq!(spending.look([1; 32], &of_shop(300)).await.unwrap(), Counted::Yes(Vec::new()));
}

fn files(dir: &TempDir) -> Vec<String> {
    let names = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    names.retain(|name| !name.ends_with(".lock"));
    names.sort();
    names
}

#[tokio::test]
async fn keys_words_approvals_sums_and_the_log_go_to_a_database_and_back() {
    let (first, last) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    with_a_store(&first);
    in_use(&first).await;
    let original = whole(&DataDir::new(first.path()).unwrap()).await;
    for name in DOCUMENTS {
        assert!(original["documents"][name].is_string(), "{name}");
    }
    assert_eq!(original["documents"]["approvals"], APPROVALS);
    let amounts: Vec<_> = original["lately"].as_array().unwrap().iter().map(|of| of[2].clone()).collect();
    let token = "07".repeat(32);
    assert_eq!(
        amounts,
        [
            json!(["key shop", "Spend", "00", "300"]),
            json!(["key shop", "Spend", "00", "400"]),
            json!(["wallet shop", "Mint", token, "5"])
        ]
    );
    let lines = original["audit"].as_array().unwrap().len();
    assert_eq!(lines, 8, "two of ours, and two of each change of keys");

    let postgres = Postgres::shared();
    let url = postgres.url();
    let (from, to) = (first.path().to_str().unwrap(), last.path().to_str().unwrap());
    let wallet =
        format!("{}: 2 transactions and blocks, 0 records of pushes, 0 tasks, 0 events\n", owner(1).name());
    let rest = "keys\nseeds\napprovals\nlimits: what was spent under 2 of them\naudit log: 8 lines\n";
    assert_eq!(migrate(from, &url), (0, format!("{wallet}{rest}"), String::new()));
    let database = PostgresStores::new(url.parse().unwrap());
    assert_eq!(whole(&database).await, original);
    goes_on_counting(&database).await;

    assert_eq!(migrate(&url, to), (0, format!("{wallet}{rest}"), String::new()));
    let back = DataDir::new(last.path()).unwrap();
    assert_eq!(whole(&back).await, original);
    goes_on_counting(&back).await;
    drop(back);
    assert_eq!(files(&last), files(&first), "whatever else a directory comes to have");
    assert_eq!(keys(&["list"], &last), keys(&["list"], &first));

    // What is there already is said, and left alone.
    let other = TempDir::new().unwrap();
    keys(&["add", "till", "--wallet", "till", "--rights", "read"], &other);
    let before = keys(&["list"], &other);
    let (code, said, _) = migrate(from, other.path().to_str().unwrap());
    assert_eq!(code, 0);
    assert!(
        said.contains("\nkeys: others are there already, and are left alone\nseeds\napprovals\n"),
        "{said}"
    );
    assert_eq!(keys(&["list"], &other), before);
}

/// Keys and words are made before any wallet is started.
#[tokio::test]
async fn what_there_is_before_the_first_wallet_goes_along() {
    let (first, last) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    in_use(&first).await;
    let said = "keys\nseeds\napprovals\nlimits: what was spent under 2 of them\naudit log: 8 lines\n";
    let taken = migrate(first.path().to_str().unwrap(), last.path().to_str().unwrap());
    assert_eq!(taken, (0, said.to_owned(), String::new()));
    let places = [&first, &last].map(|dir| DataDir::new(dir.path()).unwrap());
    assert_eq!(whole(&places[1]).await, whole(&places[0]).await);
}
