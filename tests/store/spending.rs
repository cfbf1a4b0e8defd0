//! What was spent under limits, in each store against sums in memory.

use crate::backends::owner;
use crate::breaker::Breaker;
use crate::cluster::{Postgres, free_port};
use crate::commands::migrate;
use crate::process::PATIENCE;
use headless_wallet::ledger::{Amount, TokenUid};
use headless_wallet::limits::{Account, Assessment, Charge, Counted, Counters, Limit, Verb};
use headless_wallet::store::{
    AuditHead, DataDir, NamedStores, PostgresStores, RedbStore, Stores, write_audit,
};
use serde_json::Map;
use std::time::Duration;
use tempfile::TempDir;

fn account(scope: &str) -> Account {
    Account { scope: scope.to_owned(), verb: Verb::Spend, token: TokenUid::Native }
}

fn assessment(scopes: &[&str], amount: u64, most: u64) -> Assessment {
    let charge = |scope: &&str| Charge { account: account(scope), amount: Amount::from(amount) };
    let limit = |charge| {
        [Some(3_600), Some(86_400), None].map(|window| Limit {
            charge,
            window,
            most: Amount::from(most),
            rule: String::new(),
            unless: None,
        })
    };
    Assessment {
        charges: scopes.iter().map(charge).collect(),
        limits: (0..scopes.len()).flat_map(limit).collect(),
        wanted: Vec::new(),
    }
}

/// Counts, comes again, passes limits and takes back as sums in memory do.
async fn as_in_memory(stores: &dyn Stores) {
    // In a database, of an account that runs here.
    let _running = match stores.lease() {
        Some(_) => Some(stores.open(&owner(3)).await.unwrap()),
        None => None,
    };
    let spending = stores.spending().unwrap();
    let mut counters = Counters::default();
    for step in 0..60u8 {
        let id = [step % 13; 32];
        let scopes = [&["a"][..], &["b"], &["b", "a"]][usize::from(step % 3)];
        let assessment = assessment(scopes, u64::from(step % 5) + 1, 17);
        if step % 7 == 3 {
            spending.take_back(id, 1, &assessment.charges).await.unwrap();
            counters.take_back(1, id, &assessment.charges);
            continue;
        }
        assert_eq!(spending.look(id, &assessment).await, Ok(counters.look(1, id, &assessment)), "{step}");
        assert_eq!(
            spending.count(&owner(3).name(), id, 1, &assessment).await,
            Ok(counters.count(1, id, &assessment)),
            "{step}"
        );
    }
    assert!(counters.total(&account("a")) > Amount::ZERO);
}

#[tokio::test]
async fn what_is_counted_in_a_directory_outlives_the_process() {
    let dir = TempDir::new().unwrap();
    as_in_memory(&DataDir::new(dir.path()).unwrap()).await;
    let path = dir.path().join("spending.log");
    // A line that was being written at a crash is none.
    let whole = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{whole}{{\"time\":1")).unwrap();
    let again = DataDir::new(dir.path()).unwrap();
    let (none, one) = (assessment(&["c"], 1, 1), assessment(&["a"], 18, 17));
    let spending = again.spending().unwrap();
    assert!(
        matches!(spending.count("", [99; 32], 1, &one).await, Ok(Counted::Passed(0, left)) if left < Amount::from(17u64))
    );
    assert_eq!(spending.count("", [99; 32], 1, &none).await, Ok(Counted::Yes(none.charges.clone())));
    // Another process has it: nothing is counted beside it.
    let beside = DataDir::new(dir.path()).unwrap();
    let in_use = beside.spending().unwrap().look([98; 32], &none).await.unwrap_err().to_string();
    assert!(in_use.contains("another process uses it"), "{in_use}");
    drop(again);
    assert_eq!(
        beside.spending().unwrap().look([98; 32], &none).await,
        Ok(Counted::Passed(0, Amount::ZERO)),
        "and finds what was counted"
    );
    drop(beside);
    // A long file is written anew, and says the same.
    let line = whole.lines().next().unwrap();
    let aged = line.replacen(&line[..line.find(',').unwrap()], "{\"time\":1", 1);
    let times = 5 * 1024 * 1024 / line.len();
    std::fs::write(&path, format!("{}\n", aged).repeat(times) + &whole).unwrap();
    let long = DataDir::new(dir.path()).unwrap();
    let sum =
        async |stores: &DataDir| stores.spending().unwrap().look([98; 32], &assessment(&["a"], 1, 1)).await;
    assert_eq!(sum(&long).await, Ok(Counted::Passed(0, Amount::ZERO)));
    assert!(std::fs::metadata(&path).unwrap().len() < 100_000);
    let total = assessment(&["a"], u64::MAX / 2, u64::MAX);
    let mut total = Assessment { limits: vec![total.limits[2].clone()], ..total };
    total.limits[0].most = Amount::from(times as u64 + 1_000 + u64::MAX / 2);
    assert!(matches!(long.spending().unwrap().look([97; 32], &total).await, Ok(Counted::Yes(_))));
    total.limits[0].most = Amount::from(times as u64 + u64::MAX / 2);
    assert!(matches!(long.spending().unwrap().look([97; 32], &total).await, Ok(Counted::Passed(..))));
    drop(long);
    // What can't be read is not taken for nothing.
    std::fs::write(&path, format!("{{}}\n{whole}")).unwrap();
    let damaged = DataDir::new(dir.path()).unwrap();
    assert!(damaged.spending().unwrap().look([98; 32], &none).await.is_err());
}

/// So that no payment which was not sent is counted for ever.
#[tokio::test]
async fn what_can_not_be_taken_back_now_is_taken_back_later() {
    let port = free_port();
    let postgres = Postgres::start(Some(port));
    let breaker = Breaker::before(port).await;
    let url = postgres.url();
    let through =
        url.replace(&format!("host={}", postgres.dir), &format!("host=127.0.0.1&port={}", breaker.port));
    let stores = PostgresStores::new(through.parse().unwrap());
    let (_store, name) = (stores.open(&owner(1)).await.unwrap(), owner(1).name());
    let (spending, assessment) = (stores.spending().unwrap(), assessment(&["x"], 5, 100));
    for payment in 0..4 {
        assert!(matches!(spending.count(&name, [payment; 32], 1, &assessment).await, Ok(Counted::Yes(_))));
    }
    assert_eq!(postgres.sql(&url, "select total from spent_total"), "20");
    // Before they hold, and after that, in turn.
    breaker.break_one_in(1);
    for payment in 0..4 {
        assert!(spending.take_back([payment; 32], 1, &assessment.charges).await.is_err());
    }
    assert_ne!(postgres.sql(&url, "select total from spent_total"), "0");
    // What is sent after all is another send's.
    breaker.break_one_in(0);
    let again = spending.count(&name, [3; 32], 2, &assessment).await;
    assert!(matches!(again, Ok(Counted::Yes(_))), "{again:?}");
    let taken_back = async {
        while postgres.sql(&url, "select total from spent_total") != "5" {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, taken_back).await.unwrap();
    assert_eq!(postgres.sql(&url, "select id from spent"), format!("\\x{}", "03".repeat(32)));
}

#[tokio::test]
async fn what_is_counted_in_a_database_is_counted_for_all_servers() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    as_in_memory(&PostgresStores::new(url.parse().unwrap())).await;
    // Of a key that pays from several accounts.
    let servers = [(); 2].map(|()| PostgresStores::new(url.parse().unwrap()));
    let owners = [owner(1), owner(2)];
    let _running = (servers[0].open(&owners[0]).await.unwrap(), servers[1].open(&owners[1]).await.unwrap());
    let assessment = assessment(&["x", "y"], 1, 7);
    let counts = (0..40u8).map(|number| {
        let place = usize::from(number % 2);
        let (spending, name) = (servers[place].spending().unwrap(), owners[place].name());
        let assessment = &assessment;
        async move { spending.count(&name, [number + 100; 32], 1, assessment).await.unwrap() }
    });
    let counted = futures_util::future::join_all(counts).await;
    let within = counted.iter().filter(|counted| matches!(counted, Counted::Yes(_))).count();
    assert_eq!(within, 7, "never past it, and never refused within it");
    // What is older than an hour or a day counts no more, but for all time.
    postgres.sql(&url, "update spent set at = at - interval '61 minutes' where scope in ('x', 'y')");
    let mut by_hour = assessment.clone();
    by_hour.limits.retain(|limit| limit.window == Some(3_600));
    let spending = servers[0].spending().unwrap();
    assert_eq!(spending.look([1; 32], &by_hour).await, Ok(Counted::Yes(assessment.charges.clone())));
    assert!(matches!(spending.look([1; 32], &assessment).await, Ok(Counted::Passed(1, _))), "the day");
    postgres.sql(&url, "update spent set at = at - interval '23 hours' where scope in ('x', 'y')");
    assert!(matches!(spending.look([1; 32], &assessment).await, Ok(Counted::Passed(2, _))), "for ever");
}

/// A store, so that there is something to migrate, 40 payments counted and 3 lines of the audit log.
async fn in_use(dir: &TempDir) {
    drop(RedbStore::open(&dir.path().join("privatenet-1.redb"), "privatenet-1").unwrap());
    let stores = DataDir::new(dir.path()).unwrap();
    as_in_memory(&stores).await;
    // More of it than a day ago.
    let path = dir.path().join("spending.log");
    drop(stores);
    let whole = std::fs::read_to_string(&path).unwrap();
    let line = whole.lines().next().unwrap();
    let old = line.replacen(&line[..line.find(',').unwrap()], "{\"time\":1", 1);
    std::fs::write(&path, format!("{old}\n{whole}")).unwrap();
    let stores = DataDir::new(dir.path()).unwrap();
    for event in ["one", "two", "three"] {
        write_audit(stores.audit_log().unwrap(), event, Map::new()).await.unwrap();
    }
}

#[tokio::test]
async fn what_was_spent_and_the_audit_log_are_migrated_and_go_on_there() {
    let (first, last) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    in_use(&first).await;
    let postgres = Postgres::shared();
    let url = postgres.url();
    let (from, to) = (first.path().to_str().unwrap(), last.path().to_str().unwrap());
    let said = "privatenet-1: 0 transactions and blocks, 0 records of pushes, 0 tasks, 0 events\n\
                limits: what was spent under 2 of them\naudit log: 3 lines\n";
    assert_eq!(migrate(from, &url), (0, said.to_owned(), String::new()));
    assert_eq!(migrate(&url, to), (0, said.to_owned(), String::new()));
    let whole = async |stores: &dyn NamedStores| {
        let mut spent = stores.spent().await.unwrap();
        spent.older.sort_by(|one, other| one.account.cmp(&other.account));
        spent
            .lately
            .sort_by(|one, other| (one.0, one.1, &one.2.account).cmp(&(other.0, other.1, &other.2.account)));
        (spent, stores.all_audit().lines(0, 9).await.unwrap(), stores.all_audit().head().await.unwrap())
    };
    let original = whole(&DataDir::new(first.path()).unwrap()).await;
    assert_eq!((original.0.older.len(), original.1.len(), original.2.count), (2, 3, 3));
    assert!(original.0.older.iter().any(|charge| charge.amount > Amount::ZERO), "older than a day");
    assert_eq!(
        original.1.iter().try_fold(AuditHead::default(), |head, line| head.with(line)),
        Some(original.2)
    );
    assert_eq!(whole(&PostgresStores::new(url.parse().unwrap())).await, original);
    assert_eq!(whole(&DataDir::new(last.path()).unwrap()).await, original);
    // The chain goes on, and what came since is taken back to where the rest of it is.
    let stores = PostgresStores::new(url.parse().unwrap());
    let head = write_audit(stores.audit_log().unwrap(), "four", Map::new()).await.unwrap();
    assert_eq!(head.count, 4);
    let there = "privatenet-1: 0 transactions and blocks, 0 records of pushes, 0 tasks, 0 events\n";
    assert_eq!(migrate(&url, from), (0, format!("{there}audit log: 1 lines\n"), String::new()));
    assert_eq!(DataDir::new(first.path()).unwrap().all_audit().head().await, Ok(head));
    assert_eq!(migrate(to, from), (0, there.to_owned(), String::new()), "it has gone on there");
    // Others are not mixed.
    let other = TempDir::new().unwrap();
    in_use(&other).await;
    let spending = DataDir::new(other.path()).unwrap();
    spending.spending().unwrap().count("", [77; 32], 1, &assessment(&["b"], 1, u64::MAX)).await.unwrap();
    drop(spending);
    let (code, _, said) = migrate(other.path().to_str().unwrap(), &url);
    assert_eq!((code, said.contains("other spending is counted there already")), (1, true), "{said}");
}
