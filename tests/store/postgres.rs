//! What a database does that files don't: being away, being older or newer, being reached by several at
//! once, and over TLS.

use crate::backends::owner;
use crate::cluster::{Postgres, free_port, shell};
use headless_wallet::ledger::{Outpoint, VertexId};
use headless_wallet::store::{PostgresStores, PostgresUrl, PushRecord, Store, StoreError, Stores};
use headless_wallet::wallet::ChangeSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::Arc;

fn stores(url: &str) -> PostgresStores {
    PostgresStores::new(url.parse().unwrap())
}

async fn open(stores: &PostgresStores) -> Result<(Arc<dyn Store>, ChangeSet), StoreError> {
    stores.open(&owner(1)).await
}

fn height(height: u32) -> ChangeSet {
    ChangeSet { best_height: Some(height), ..ChangeSet::default() }
}

#[tokio::test]
async fn a_database_that_is_away_is_named_without_its_password() {
    // Nothing listens there.
    let url = "postgres://anna:hush@127.0.0.1:1/wallets";
    let error = open(&stores(url)).await.err().unwrap();
    assert_eq!(
        error.to_string(),
        "store 127.0.0.1:1/wallets: can't connect to PostgreSQL: Connection refused: check that it runs there, and `store`"
    );
}

#[tokio::test]
async fn one_that_ends_is_said_and_comes_back_to_life_by_itself() {
    // Its own: others must not lose their connections.
    let postgres = Postgres::start(None);
    let url = postgres.url();
    let stores = stores(&url);
    let (store, _) = open(&stores).await.unwrap();
    store.append(&height(1)).await.unwrap();
    let killed = "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'headless-wallet'";
    assert_ne!(postgres.sql(&url, killed), "0");
    // Connections that were idle are known to be gone, or found to be: nobody is told of that.
    store.append(&height(2)).await.unwrap();
    assert_eq!(store.load().await, Ok(height(2)));
}

#[tokio::test]
async fn servers_that_start_at_once_set_the_tables_up_once() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let all = (1..=6).map(|number| {
        let stores = stores(&url);
        async move { stores.open(&owner(number)).await.map(|(_, kept)| kept) }
    });
    for kept in futures_util::future::join_all(all).await {
        assert_eq!(kept, Ok(ChangeSet::default()));
    }
    assert_eq!(postgres.sql(&url, "select string_agg(number::text, ' ') from version"), "1");
    assert_eq!(postgres.sql(&url, "select count(*) from account"), "6");
}

#[tokio::test]
async fn tables_of_another_version_are_refused_and_left_alone() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let place = format!("store {}/postgres", postgres.dir);
    open(&stores(&url)).await.unwrap();
    postgres.sql(&url, "update version set number = 2");
    assert_eq!(
        open(&stores(&url)).await.err().unwrap().to_string(),
        format!(
            "{place}: a later version of this program has set it up: use that one, or another schema (?schema=…)"
        )
    );
    postgres.sql(&url, "alter table version rename to migration");
    assert_eq!(
        open(&stores(&url)).await.err().unwrap().to_string(),
        format!(
            "{place}: a version before 0.1.0 has set it up: use another schema (?schema=…); histories are loaded again"
        )
    );
}

#[tokio::test]
async fn a_damaged_record_is_found_and_the_history_loaded_anew() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let stores = stores(&url);
    let (store, _) = open(&stores).await.unwrap();
    store.append(&height(1)).await.unwrap();
    postgres.sql(&url, r"insert into vertex select id, decode(repeat('01', 32), 'hex'), '\x00' from account");
    let place = format!("{}/postgres", postgres.dir);
    let damaged = StoreError::Damaged { place, what: "a record is damaged".to_owned() };
    assert_eq!(store.load().await, Err(damaged));
    assert_eq!(open(&stores).await.unwrap().1, ChangeSet::default());
    assert_eq!(store.load().await, Ok(ChangeSet::default()));
}

/// An append that fails half way leaves nothing, and succeeds when it is tried again.
#[tokio::test]
async fn an_append_is_there_whole_or_not_at_all() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let (store, _) = open(&stores(&url)).await.unwrap();
    store.append(&height(1)).await.unwrap();
    let forget = ChangeSet { forget: true, ..height(2) };
    postgres.sql(&url, "alter table history add constraint is_full check (others = '\\x') not valid");
    assert_eq!(
        store.append(&forget).await.unwrap_err().to_string(),
        format!(
            "store {}/postgres: PostgreSQL: new row for relation \"history\" violates check constraint \"is_full\"",
            postgres.dir
        )
    );
    assert_eq!(store.load().await, Ok(height(1)));
    postgres.sql(&url, "alter table history drop constraint is_full");
    store.append(&forget).await.unwrap();
    assert_eq!(store.load().await, Ok(height(2)));
}

#[tokio::test]
async fn connections_are_encrypted_as_the_url_says() {
    let port = free_port();
    let postgres = Postgres::start(Some(port));
    let roots = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/tls/ca.pem");
    let base = |host: &str| format!("postgres://test@{host}:{port}/postgres?schema=tls");
    let verified = format!("&sslmode=verify-full&sslrootcert={roots}");
    let count = "select (count(*) > 0)::int4 from pg_stat_ssl join pg_stat_activity using (pid) where ssl and application_name = 'headless-wallet'";
    for (url, encrypted) in [
        (base("localhost"), "0"),
        (format!("{}&sslmode=require", base("127.0.0.1")), "1"),
        (format!("{}{verified}", base("localhost")), "1"),
    ] {
        let stores = stores(&url);
        open(&stores).await.unwrap();
        assert_eq!(postgres.sql("schema=tls", count), encrypted, "{url}");
    }
    let refused = async |more: &str, host: &str| {
        let url: PostgresUrl = format!("{}{more}", base(host)).parse().unwrap();
        PostgresStores::new(url).open(&owner(1)).await.err().unwrap().to_string()
    };
    let failed = |host: &str, why: &str| {
        format!(
            "store {host}:{port}/postgres: can't connect to PostgreSQL: invalid peer certificate: {why}: check that it runs there, and `store`"
        )
    };
    assert_eq!(refused("&sslmode=verify-full", "localhost").await, failed("localhost", "UnknownIssuer"));
    let other = refused(&verified, "127.0.0.1").await;
    let name =
        "certificate not valid for name \"127.0.0.1\"; certificate is only valid for DnsName(\"localhost\")";
    assert_eq!(other, failed("127.0.0.1", name));
}

/// pgbouncer in transaction mode: each transaction may come over another connection.
const POOLER: &str = include_str!("pooler.sh");

/// pgbouncer before a database: two connections for all who come, each for one transaction at a time. Runs
/// until it is dropped, or the process has ended.
pub struct Pooler {
    process: Child,
    dir: String,
}

impl Pooler {
    /// Before one whose socket is that of a port.
    pub fn before(postgres: &Postgres, port: u16) -> Self {
        let mut command = shell();
        command.args(["-c", POOLER, "pooler", &postgres.dir, &port.to_string()]).current_dir("/");
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut dir = String::new();
        BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut dir).unwrap();
        assert!(!dir.is_empty(), "pgbouncer did not start: scripts/setup postgres installs it");
        Self { process, dir: dir.trim().to_owned() }
    }

    /// The URL of a schema, by way of the pooler.
    pub fn through(&self, url: &str) -> String {
        let (before, rest) = url.split_once("host=").unwrap();
        format!("{before}host={}&{}", self.dir, rest.split_once('&').unwrap().1)
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

#[tokio::test]
async fn a_pooler_may_stand_between() {
    let postgres = Postgres::shared();
    let direct = postgres.url();
    let pooler = Pooler::before(&postgres, 5432);
    let url = pooler.through(&direct);
    let several: Vec<_> = (0..3).map(|_| stores(&url)).collect();
    let appended = several.iter().zip(1..).map(|(stores, number)| async move {
        let store = stores.open(&owner(number)).await.unwrap().0;
        let records = store.push_records().unwrap();
        for place in 0..10u8 {
            let id = VertexId([place; 32]);
            let (key, request, transaction) = ([place; 32], [9; 32], vec![7; 300]);
            let record = PushRecord { key, request, time: 1_000, transaction, is_open: true };
            records.keep_push_records(vec![record]).await.unwrap();
            let locked = ChangeSet {
                locked_outpoints: [(Outpoint { tx: id, index: 0 }, Some(9))].into(),
                ..height(1)
            };
            store.append(&locked).await.unwrap();
        }
        store
    });
    let running = futures_util::future::join_all(appended).await;
    assert_eq!(postgres.sql(&direct, "select count(*) from locked_output"), "30");
    assert_eq!(postgres.sql(&direct, "select count(*) from push_record where is_open"), "30");
    drop(running);
}
