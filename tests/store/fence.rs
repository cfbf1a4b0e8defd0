//! An account is one server's: what others write to it is refused, whatever it is, and whenever they began.

use crate::backends::{leave, owner};
use crate::breaker::Breaker;
use crate::cluster::{Postgres, free_port};
use crate::process::PATIENCE;
use futures_util::future::BoxFuture;
use headless_wallet::ledger::{Amount, Outpoint, TokenUid, VertexId};
use headless_wallet::limits::{Account, Assessment, Charge, Verb};
use headless_wallet::store::{
    DeliveryRecord, EventFact, EventFacts, Happening, ListenedTo, Movement, PostgresStores, PushRecord,
    ServerName, SinkRecord, Standing, StartedWallets, Store, StoreError, Stores, TaskRecord,
};
use headless_wallet::wallet::ChangeSet;
use std::sync::Arc;
use std::time::Duration;

fn server(url: &str) -> PostgresStores {
    PostgresStores::new(url.parse().unwrap())
}

async fn open(stores: &PostgresStores) -> Result<Arc<dyn Store>, StoreError> {
    stores.open(&owner(1)).await.map(|(store, _)| store)
}

/// A server that has an account, alone in its schema.
async fn alone() -> (Arc<Postgres>, String, PostgresStores, Arc<dyn Store>) {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let one = server(&url);
    let store = open(&one).await.unwrap();
    (postgres, url, one, store)
}

/// Waits until a question has the answer yes.
async fn met(mut is_met: impl FnMut() -> bool) {
    let met = async {
        while !is_met() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, met).await.unwrap();
}

/// What another session does, which then sleeps with its transaction open until it is ended.
struct Asleep {
    postgres: Arc<Postgres>,
    url: String,
    name: String,
    session: tokio::task::JoinHandle<String>,
}

impl Asleep {
    async fn after(postgres: &Arc<Postgres>, url: &str, sql: &str) -> Self {
        let name = format!("asleep {}", url.rsplit('=').next().unwrap());
        let sql = format!("begin; set application_name = '{name}'; {sql}; select pg_sleep(60)");
        let (other, place) = (postgres.clone(), url.to_owned());
        let session = tokio::task::spawn_blocking(move || other.sql(&place, &sql));
        let sleeps = format!(
            "select count(*) from pg_stat_activity where application_name = '{name}' and wait_event = 'PgSleep'"
        );
        until(postgres, url, &sleeps, "1").await;
        Self { postgres: postgres.clone(), url: url.to_owned(), name, session }
    }

    /// It is undone.
    async fn end(self) {
        let name = &self.name;
        let end = format!(
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = '{name}'"
        );
        assert_eq!(self.postgres.sql(&self.url, &end), "t");
        assert!(self.session.await.is_err(), "as a session that was ended by another one");
    }
}

fn height(height: u32) -> ChangeSet {
    ChangeSet { best_height: Some(height), ..ChangeSet::default() }
}

fn record(key: u8) -> PushRecord {
    PushRecord { key: [key; 32], request: [9; 32], time: 1_000, transaction: vec![key; 300], is_open: true }
}

/// As if the server that runs an account had not been heard of, and another one had taken the account.
const TAKEN: &str = "with other as (insert into server (lease_until) values (now() + interval '1 hour') returning id) \
                     update account set server = other.id, epoch = epoch + 1 from other";

/// All that there is of accounts.
fn rows(postgres: &Postgres, url: &str) -> String {
    let tables = [
        "history",
        "vertex",
        "locked_output",
        "push_record",
        "task",
        "event",
        "told",
        "sink",
        "delivery",
        "started",
        "spent",
    ];
    let rows = tables.map(|table| format!("select '{table}', t::text from {table} t"));
    postgres.sql(url, &format!("{} order by 1, 2", rows.join(" union all ")))
}

async fn until(postgres: &Postgres, url: &str, sql: &str, says: &str) {
    let met = async {
        while postgres.sql(url, sql) != says {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let met = tokio::time::timeout(PATIENCE, met).await;
    met.unwrap_or_else(|_| panic!("{sql}: {}, not {says}", postgres.sql(url, sql)));
}

/// Every kind of write.
fn writes<'a>(
    stores: &'a PostgresStores,
    store: &'a Arc<dyn Store>,
) -> Vec<(&'static str, BoxFuture<'a, Result<(), StoreError>>)> {
    let (records, tasks) = (store.push_records().unwrap(), store.task_records().unwrap());
    let (log, spending) = (store.event_log().unwrap(), stores.spending().unwrap());
    let name = owner(1).name();
    let output = Outpoint { tx: VertexId([1; 32]), index: 0 };
    let locked = ChangeSet { locked_outpoints: [(output, Some(9))].into(), ..height(2) };
    let happened = Happening::Moved(Movement::Deposit, Standing::Entered);
    let fact = EventFact { tx: VertexId([2; 32]), happened, data: "{}".to_owned() };
    let facts = EventFacts { facts: vec![fact], begin_at: Some(0) };
    let sink = SinkRecord { key: [7; 16], after: 1, state: vec![1] };
    let delivery = DeliveryRecord { sink: [7; 16], seq: 1, record: vec![1] };
    let task = TaskRecord { id: [4; 16], task: b"{}".to_vec() };
    let nothing = Assessment { charges: Vec::new(), limits: Vec::new(), wanted: Vec::new() };
    let (one, count) = (delivery.clone(), name.clone());
    vec![
        ("a history", Box::pin(async move { store.append(&locked).await })),
        ("events", Box::pin(async move { store.append_with_events(&height(3), &facts).await })),
        ("a record", Box::pin(records.keep_push_records(vec![record(2)]))),
        ("an outcome", Box::pin(records.settle(vec![[1; 32]]))),
        ("a refusal", Box::pin(records.withdraw([1; 32]))),
        ("a task", Box::pin(tasks.keep_task(task, true))),
        ("old tasks", Box::pin(tasks.forget_tasks(vec![[3; 16]]))),
        ("a new listener", Box::pin(async move { log.sink_or_new([8; 16], 0).await.map(drop) })),
        ("a listener", Box::pin(log.keep_sink(sink, Some(one)))),
        ("a delivery", Box::pin(log.keep_delivery(delivery, Some(vec![2])))),
        (
            "what is spent",
            Box::pin(async move { spending.count(&count, [1; 32], 1, &nothing).await.map(drop) }),
        ),
        (
            "an id",
            Box::pin(async move {
                stores.started_wallets().unwrap().keep_started("privatenet", "w", None, &name).await.map(drop)
            }),
        ),
    ]
}

#[tokio::test]
async fn nothing_is_written_to_an_account_that_another_server_has_taken() {
    let (postgres, url, one, store) = alone().await;
    store.push_records().unwrap().keep_push_records(vec![record(1)]).await.unwrap();
    let task = TaskRecord { id: [3; 16], task: b"{}".to_vec() };
    store.task_records().unwrap().keep_task(task, true).await.unwrap();
    store.event_log().unwrap().sink_or_new([7; 16], 0).await.unwrap();
    postgres.sql(&url, TAKEN);
    let before = rows(&postgres, &url);
    for (what, write) in writes(&one, &store) {
        assert_eq!(write.await, Err(StoreError::Taken), "{what}");
        assert_eq!(rows(&postgres, &url), before, "{what}");
    }
    one.lease().unwrap().changed().await;
    assert_eq!(store.check(), Err(StoreError::Taken));
}

/// Each of them writes something where the account is this server's.
#[tokio::test]
async fn everything_is_written_to_an_account_that_is_this_servers() {
    let (_postgres, _url, one, store) = alone().await;
    for (what, write) in writes(&one, &store) {
        assert_eq!(write.await, Ok(()), "{what}");
    }
}

/// A take is under way when the write begins.
#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_waits_behind_a_take_is_refused() {
    let (postgres, url, _one, store) = alone().await;
    let (other, taking) = (postgres.clone(), format!("begin; {TAKEN}; select pg_sleep(2); commit"));
    let place = url.clone();
    let take = tokio::task::spawn_blocking(move || other.sql(&place, &taking));
    until(&postgres, &url, "select count(*) from pg_stat_activity where wait_event = 'PgSleep'", "1").await;
    let write = store.push_records().unwrap().keep_push_records(vec![record(1)]);
    assert_eq!(write.await, Err(StoreError::Taken));
    take.await.unwrap();
    assert_eq!(postgres.sql(&url, "select count(*) from push_record"), "0");
}

/// A write is under way when the take begins.
#[tokio::test(flavor = "multi_thread")]
async fn a_take_waits_for_writes_that_began_in_time_and_sees_them() {
    let (postgres, url, _one, store) = alone().await;
    // It has its fence, and waits for the table.
    let lock = postgres.lock_table(&url, "push_record");
    let writing = store.clone();
    let write =
        tokio::spawn(async move { writing.push_records().unwrap().keep_push_records(vec![record(1)]).await });
    met(|| !lock.waiting().is_empty()).await;
    let (other, place) = (postgres.clone(), url.clone());
    let take = tokio::task::spawn_blocking(move || {
        other.sql(&place, &format!("{TAKEN}; select count(*) from push_record"))
    });
    let waits = "select count(*) from pg_locks where not granted and locktype = 'transactionid'";
    until(&postgres, &url, waits, "1").await;
    lock.release();
    assert_eq!(write.await.unwrap(), Ok(()));
    take.await.unwrap();
    assert_eq!(postgres.sql(&url, "select count(*) from push_record"), "1");
}

#[tokio::test]
async fn an_account_is_one_servers_until_it_is_released_or_the_lease_has_ended() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let (one, two) = (server(&url), server(&url));
    two.lease().unwrap().reached_at("http://two:8000");
    let store = open(&one).await.unwrap();
    let first = one.lease().unwrap().server().unwrap();
    let refused = StoreError::RunsOn(first.clone());
    assert_eq!(open(&two).await.err(), Some(refused.clone()));
    assert_eq!(refused.to_string(), format!("the account runs on server {}", first.id));
    // Several wallets of it share it: the last one that is stopped releases it.
    let again = open(&one).await.unwrap();
    assert_eq!(postgres.sql(&url, "select epoch from account"), "1");
    drop(store);
    assert_eq!(open(&two).await.err(), Some(refused));
    drop(again);
    one.lease().unwrap().released(&owner(1).name()).await;
    let store = open(&two).await.unwrap();
    let second = two.lease().unwrap().server().unwrap();
    assert_eq!(second, ServerName { url: Some("http://two:8000".to_owned()), ..second.clone() });
    assert_eq!(open(&one).await.err(), Some(StoreError::RunsOn(second)));
    // A server that ends ends its lease, whatever it still has.
    leave(&two).await;
    let taken = open(&one).await.unwrap();
    assert_eq!(store.append(&height(2)).await, Err(StoreError::Taken));
    taken.append(&height(3)).await.unwrap();
}

/// As after a standby has taken over whose clock is an hour behind.
#[tokio::test]
async fn a_lease_that_was_given_by_another_clock_binds_nobody() {
    let (postgres, url, one, store) = alone().await;
    let two = server(&url);
    drop(store);
    one.lease().unwrap().released(&owner(1).name()).await;
    postgres.sql(&url, &TAKEN.replace("1 hour", "55 s"));
    assert!(matches!(open(&two).await, Err(StoreError::RunsOn(_))));
    postgres.sql(&url, TAKEN);
    open(&two).await.unwrap();
}

/// That another server has an account, or is to have it, counts for one take of it, not for the next one.
#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_comes_back_is_not_stopped_for_what_was_before() {
    let (postgres, url, one, store) = alone().await;
    let two = server(&url);
    let _other = two.open(&owner(2)).await.unwrap().0;
    let (name, second) = (owner(1).name(), two.lease().unwrap().server().unwrap());
    postgres.sql(&url, &TAKEN.replace("1 hour", "55 s"));
    met(|| store.check() == Err(StoreError::Taken)).await;
    postgres.sql(&url, &format!("update account set server = null where name = '{name}'"));
    let again = open(&one).await.unwrap();
    let epoch = "select epoch from account where name";
    assert_eq!(postgres.sql(&url, &format!("{epoch} = '{name}'")), "3");
    postgres.sql(&url, "select pg_sleep(2.5)");
    assert_eq!([store.check(), again.check()], [Err(StoreError::Taken), Ok(())]);
    // While it is to move, nobody begins to use it here, and it is not taken back.
    let wants = format!("update account set wanted_by = {} where name = '{name}'", second.id);
    postgres.sql(&url, &wants);
    let moves = StoreError::RunsOn(second);
    met(|| again.check() == Err(moves.clone())).await;
    assert_eq!(open(&one).await.err(), Some(moves.clone()));
    drop(again);
    assert_eq!(open(&one).await.err(), Some(moves));
    one.lease().unwrap().released(&name).await;
    open(&two).await.unwrap();
    assert_eq!(postgres.sql(&url, &format!("{epoch} = '{name}'")), "4");
}

/// As after a pause: the lease is renewed, and accounts that nobody has taken are this server's still.
#[tokio::test]
async fn a_lease_that_had_ended_goes_on_with_what_nobody_has_taken() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let one = server(&url);
    let (store, other) = (open(&one).await.unwrap(), one.open(&owner(2)).await.unwrap().0);
    let ended = "update server set lease_until = now() - interval '1 s'";
    let name = owner(2).name();
    postgres.sql(&url, &format!("{ended}; {TAKEN} where name = '{name}'"));
    one.lease().unwrap().changed().await;
    assert_eq!([store.check(), other.check()], [Ok(()), Err(StoreError::Taken)]);
    assert_eq!(other.append(&height(1)).await, Err(StoreError::Taken));
    assert_eq!(store.append(&height(1)).await, Ok(()));
}

/// As after a suspension of the machine, which its own clock does not know of.
#[tokio::test(flavor = "multi_thread")]
async fn a_lease_that_has_ended_for_the_database_alone_is_noticed_when_it_is_renewed() {
    let (postgres, url, one, store) = alone().await;
    // What else looks for accounts waits for this table.
    let lock = postgres.lock_table(&url, "push_record");
    met(|| !lock.waiting().is_empty()).await;
    let waiting = lock.waiting();
    postgres.sql(&url, &format!("update server set lease_until = now() - interval '1 s'; {TAKEN}"));
    one.lease().unwrap().changed().await;
    assert_eq!(store.check(), Err(StoreError::Taken));
    assert_eq!(lock.waiting(), waiting, "it was found when the lease was renewed");
    lock.release();
}

/// The take has looked at the lease before that was renewed, and is not committed yet.
#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_is_being_taken_is_lost_when_the_lease_is_renewed() {
    let (postgres, url, one, store) = alone().await;
    let take = Asleep::after(&postgres, &url, TAKEN).await;
    postgres.sql(&url, "update server set lease_until = now() - interval '1 s'");
    tokio::time::timeout(PATIENCE, one.lease().unwrap().changed()).await.unwrap();
    assert_eq!(store.check(), Err(StoreError::Taken));
    take.end().await;
}

/// Whoever wanted it has gone away.
#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_released_that_was_taken_for_nobody() {
    let (postgres, url, one, _store) = alone().await;
    let (wanted, name) = (owner(2), owner(2).name());
    postgres.sql(&url, &format!("insert into account (name) values ('{name}')"));
    let locked = Asleep::after(&postgres, &url, "select from account where server is null for update").await;
    let waits = "select count(*) from pg_stat_activity where query like '%no key update%' and wait_event_type = 'Lock'";
    tokio::select! {
        _ = one.open(&wanted) => panic!("its row is locked"),
        () = until(&postgres, &url, waits, "1") => {}
    }
    locked.end().await;
    // The answer to another take was lost.
    let left = "update account set server = (select id from server), epoch = 1 where name";
    postgres.sql(&url, &format!("{left} = '{name}'"));
    until(&postgres, &url, "select count(*) from account where server is not null", "1").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_that_can_not_be_renewed_is_not_valid_until_it_is() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let one = server(&url);
    let lease = one.lease().unwrap();
    assert_eq!(lease.check(), Ok(()), "a server without accounts needs none");
    let _store = open(&one).await.unwrap();
    assert_eq!(lease.check(), Ok(()));
    let lock = postgres.lock_table(&url, "server");
    met(|| lease.check().is_err()).await;
    met(|| lease.health().problem.is_some()).await;
    let silent =
        format!("store {}/postgres: PostgreSQL gave no answer in 2 s: check that it runs", postgres.dir);
    assert_eq!(lease.check().unwrap_err().to_string(), silent);
    lock.release();
    met(|| lease.check().is_ok()).await;
}

/// By an answer that was lost, an account may be a server's that does not know of it. It is looked for,
/// whatever else can't be done.
#[tokio::test]
async fn an_account_that_nobody_runs_is_released() {
    let (postgres, url, one, _store) = alone().await;
    postgres.sql(&url, "alter table spent_total rename to elsewhere");
    let account = Account { scope: "all".to_owned(), verb: Verb::Spend, token: TokenUid::Native };
    let charge = Charge { account, amount: Amount::from(1u64) };
    assert!(one.spending().unwrap().take_back([1; 32], 1, &[charge]).await.is_err());
    postgres.sql(&url, "insert into account (name, server, epoch) select 'left', id, 1 from server");
    until(&postgres, &url, "select count(*) from account where server is not null", "1").await;
}

#[tokio::test]
async fn what_is_recorded_is_on_the_disk_where_the_database_would_not_see_to_that() {
    // Its own: the setting is the whole database's.
    let postgres = Postgres::start(None);
    let url = postgres.url();
    let one = server(&url);
    let store = open(&one).await.unwrap();
    postgres.sql(&url, "alter system set synchronous_commit = off");
    postgres.sql(&url, "select pg_reload_conf()");
    store.push_records().unwrap().keep_push_records(vec![record(1)]).await.unwrap();
    postgres.kill_and_start();
    let found = server(&url);
    leave(&one).await;
    until(&postgres, &url, "select count(*) from server where lease_until > now()", "0").await;
    let store = found.open(&owner(1)).await.unwrap().0;
    assert_eq!(store.push_records().unwrap().open_pushes().await, Ok(vec![record(1)]));
}

fn through(postgres: &Postgres, url: &str, port: u16) -> String {
    url.replace(&format!("host={}", postgres.dir), &format!("host=127.0.0.1&port={port}"))
}

/// Where an answer was lost, it is asked again.
#[tokio::test]
async fn a_record_whose_answer_was_lost_is_known_to_be_kept() {
    let port = free_port();
    let postgres = Postgres::start(Some(port));
    let breaker = Breaker::before(port).await;
    let url = postgres.url();
    let one = server(&through(&postgres, &url, breaker.port));
    let store = open(&one).await.unwrap();
    let records = store.push_records().unwrap();
    breaker.break_next_record();
    assert_eq!(records.keep_push_records(vec![record(1)]).await, Ok(()));
    breaker.answer_before_breaking();
    breaker.break_next_record();
    assert_eq!(records.keep_push_records(vec![record(2)]).await, Ok(()));
    assert_eq!(records.open_pushes().await.unwrap().len(), 2);
}

/// The answer was lost, and the account by the time at which it is asked again: it may be recorded.
#[tokio::test]
async fn a_record_whose_answer_was_lost_with_the_account_is_not_said_to_be_none() {
    let port = free_port();
    let postgres = Postgres::start(Some(port));
    let breaker = Breaker::before(port).await;
    let url = postgres.url();
    let one = server(&through(&postgres, &url, breaker.port));
    let store = open(&one).await.unwrap();
    postgres.sql(
        &url,
        "create function lose() returns trigger language plpgsql as $$ begin \
             update account set epoch = epoch + 1; return null; end $$; \
         create trigger lose after insert on push_record execute function lose()",
    );
    breaker.break_next_record();
    let recorded = store.push_records().unwrap().keep_push_records(vec![record(1)]).await;
    assert!(matches!(recorded, Err(StoreError::Unclear { .. })), "{recorded:?}");
    assert_eq!(postgres.sql(&url, "select count(*) from push_record"), "1");
}

/// A task whose first write has no answer is written again, and the first write does not undo its
/// cancellation if the database gets it only then.
#[tokio::test]
async fn the_first_write_of_a_task_that_comes_late_does_not_open_it_again() {
    let port = free_port();
    let postgres = Postgres::start(Some(port));
    let breaker = Breaker::before(port).await;
    let one = server(&through(&postgres, &postgres.url(), breaker.port));
    let store = open(&one).await.unwrap();
    let tasks = store.task_records().unwrap();
    let task = |text: &str| TaskRecord { id: [4; 16], task: text.as_bytes().to_vec() };
    breaker.keep_next_task();
    assert_eq!(tasks.keep_task(task("open"), true).await, Ok(()), "tried again");
    assert_eq!(tasks.keep_task(task("cancelled"), false).await, Ok(()));
    breaker.deliver().await;
    assert_eq!(tasks.tasks().await, Ok(vec![task("cancelled")]));
    breaker.break_next_task();
    let other = TaskRecord { id: [5; 16], ..task("open") };
    assert_eq!(tasks.keep_task(other.clone(), true).await, Ok(()), "tried again");
    assert_eq!(tasks.tasks().await.unwrap().len(), 2);
}

/// The database gets a write only after its server has given it up and withdrawn the record.
#[tokio::test]
async fn a_record_that_comes_after_it_was_withdrawn_is_not_open() {
    let port = free_port();
    let postgres = Postgres::start(Some(port));
    let breaker = Breaker::before(port).await;
    let one = server(&through(&postgres, &postgres.url(), breaker.port));
    let store = open(&one).await.unwrap();
    let records = store.push_records().unwrap();
    for key in [[1; 32], PushRecord::unkeyed([1; 16])] {
        let record = PushRecord { key, ..record(1) };
        breaker.keep_next_record();
        assert_eq!(records.keep_push_records(vec![record.clone()]).await, Ok(()), "tried again");
        assert_eq!(records.withdraw(key).await, Ok(()));
        breaker.deliver().await;
        assert_eq!(records.open_pushes().await, Ok(Vec::new()));
        // Its key is free for another one.
        assert_eq!(records.keep_push_records(vec![record.clone()]).await, Ok(()));
        assert_eq!(records.open_pushes().await, Ok(vec![record]));
        assert_eq!(records.settle(vec![key]).await, Ok(()));
        assert_eq!(records.open_pushes().await, Ok(Vec::new()));
    }
}

#[tokio::test]
async fn of_a_record_that_did_not_reach_the_database_it_is_known_that_there_is_none() {
    let postgres = Postgres::start(None);
    let one = server(&postgres.url());
    let store = open(&one).await.unwrap();
    drop(postgres);
    let recorded = store.push_records().unwrap().keep_push_records(vec![record(1)]).await;
    assert!(matches!(recorded, Err(StoreError::Failed { .. })), "{recorded:?}");
}

/// A send needs a row now, whatever long work has the connections of the history.
#[tokio::test(flavor = "multi_thread")]
async fn a_record_does_not_wait_behind_appends_to_the_history() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let one = server(&url);
    let histories = (1..=20).map(async |number| one.open(&owner(number)).await.unwrap().0);
    let histories = futures_util::future::join_all(histories).await;
    let lock = postgres.lock_table(&url, "history");
    let changes = height(1);
    let appends = histories.iter().map(|store| store.append(&changes));
    let mut appends = std::pin::pin!(futures_util::future::join_all(appends));
    tokio::select! {
        _ = &mut appends => panic!("the table is locked"),
        () = async {
            while lock.waiting().len() < 8 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            let records = histories[0].push_records().unwrap();
            assert_eq!(records.keep_push_records(vec![record(1)]).await, Ok(()));
            assert_eq!(records.push_record([1; 32]).await, Ok(Some(record(1))));
            assert_eq!(records.settle(vec![[1; 32]]).await, Ok(()));
        } => {}
    }
    lock.release();
    appends.await.into_iter().for_each(|appended| appended.unwrap());
}

async fn started(stores: &PostgresStores, request: Option<&str>) -> u64 {
    let kept = stores.keep_started("privatenet", "w", request, &owner(1).name()).await.unwrap();
    assert_eq!((kept.request.as_deref(), kept.account, kept.runs_on), (request, owner(1).name(), None));
    kept.number
}

#[tokio::test]
async fn an_id_is_one_wallets_until_it_is_stopped() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let (one, two) = (server(&url), server(&url));
    let store = open(&one).await.unwrap();
    let number = started(&one, Some("{}")).await;
    let _other = two.open(&owner(2)).await.unwrap().0;
    let taken = two.keep_started("privatenet", "w", Some("{}"), &owner(2).name()).await.unwrap();
    let first = one.lease().unwrap().server();
    assert_eq!(
        (taken.number, taken.account.clone(), taken.runs_on.clone()),
        (number, owner(1).name(), first)
    );
    assert_eq!(two.started("privatenet", "w").await, Ok(Some(taken)));
    assert_eq!(two.started("testnet", "w").await, Ok(None));
    // Whichever server has its account: what any can start stays started.
    drop(store);
    one.lease().unwrap().released(&owner(1).name()).await;
    let left = two.started("privatenet", "w").await.unwrap().unwrap();
    assert_eq!((left.number, left.runs_on), (number, None));
    two.forget_started("privatenet", "w", number + 1).await.unwrap();
    assert!(two.started("privatenet", "w").await.unwrap().is_some(), "that is another one");
    two.forget_started("privatenet", "w", number).await.unwrap();
    assert_eq!(two.started("privatenet", "w").await, Ok(None));
}

/// No other server could start it.
#[tokio::test]
async fn an_id_of_a_wallet_that_was_started_by_words_is_free_when_its_server_is_gone() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let (one, two) = (server(&url), server(&url));
    let _store = open(&one).await.unwrap();
    let number = started(&one, None).await;
    assert!(two.started("privatenet", "w").await.unwrap().is_some());
    leave(&one).await;
    assert_eq!(two.started("privatenet", "w").await, Ok(None));
    let _taken = open(&two).await.unwrap();
    assert_eq!(two.started("privatenet", "w").await, Ok(None));
    assert!(started(&two, Some("{}")).await > number);
}

/// As when its server was paused, another one took the account, and it came back by a move.
#[tokio::test]
async fn a_wallet_that_was_started_by_words_is_gone_once_its_account_was_taken() {
    let (postgres, url, one, store) = alone().await;
    let (number, name) = (started(&one, None).await, owner(1).name());
    let main = async |by: &PostgresStores| by.keep_started("privatenet", "main", Some("{}"), &name).await;
    main(&one).await.unwrap();
    let listed = async || {
        let (accounts, _) = one.accounts().unwrap().all().await.unwrap();
        accounts.into_iter().map(|account| (account.wallets, account.is_movable)).collect::<Vec<_>>()
    };
    assert_eq!(listed().await, [(vec!["main".to_owned(), "w".to_owned()], false)]);
    postgres.sql(&url, &TAKEN.replace("1 hour", "55 s"));
    one.lease().unwrap().changed().await;
    assert_eq!(store.check(), Err(StoreError::Taken));
    drop(store);
    postgres.sql(&url, "update account set server = null");
    let _back = open(&one).await.unwrap();
    assert_eq!(listed().await, [(vec!["main".to_owned()], true)]);
    assert_eq!(one.started("privatenet", "w").await, Ok(None));
    // The id is free for another wallet.
    let _other = one.open(&owner(2)).await.unwrap();
    let kept = one.keep_started("privatenet", "w", None, &owner(2).name()).await.unwrap();
    assert!(kept.number > number && kept.account == owner(2).name(), "{kept:?}");
}

#[tokio::test]
async fn a_wallet_with_something_to_do_is_taken_over_by_one_server() {
    let (postgres, url, one, store) = alone().await;
    let number = started(&one, Some("{}")).await;
    let two = [(); 3].map(|()| server(&url));
    let take = async |by: &PostgresStores, listened_to: &ListenedTo, but: &[u64]| {
        let taken = by.take_over("privatenet", listened_to, but, 8).await.unwrap();
        taken.into_iter().map(|left| (left.number, left.id, left.held)).collect::<Vec<_>>()
    };
    let none = ListenedTo::Ids([].into());
    store.push_records().unwrap().keep_push_records(vec![record(1)]).await.unwrap();
    assert_eq!(take(&two[0], &none, &[]).await.len(), 0, "its server lives");
    leave(&one).await;
    assert_eq!(take(&two[0], &none, &[number]).await.len(), 0, "it can't be started there");
    let all = futures_util::future::join_all(two.iter().map(|by| take(by, &none, &[]))).await;
    let taken: Vec<_> = all.into_iter().flatten().collect();
    assert_eq!(taken.iter().map(|(number, id, _)| (*number, &**id)).collect::<Vec<_>>(), [(number, "w")]);
    assert_eq!(store.append(&height(1)).await, Err(StoreError::Taken));
    // It is left again.
    let (.., held) = taken.into_iter().next().unwrap();
    held.push_records().unwrap().settle(vec![[1; 32]]).await.unwrap();
    drop(held);
    until(&postgres, &url, "select count(*) from account where server is not null", "0").await;
    assert_eq!(take(&two[0], &none, &[]).await.len(), 0, "there is nothing to do");
    let told = ListenedTo::Ids(["w".to_owned()].into());
    assert_eq!(take(&two[0], &told, &[]).await.len(), 1);
}
