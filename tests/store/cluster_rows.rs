//! What several servers on one database share of a wallet.

use crate::backends::owner;
use crate::breaker::Breaker;
use crate::cluster::{Postgres, free_port};
use headless_wallet::ledger::{Outpoint, VertexId};
use headless_wallet::store::{
    Cluster, ListenedTo, PostgresStores, PushOutcome, PushRecord, RECORD_LIFE, Recorded, Reserved, SendId,
    SharedAddresses, SharedClaim, StartedWallets, Stores, TaskFacts, TaskRecord,
};
use headless_wallet::wallet::ChangeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A server's side of the wallet.
async fn server(url: &str) -> Arc<dyn Cluster> {
    PostgresStores::new(url.parse().unwrap()).open(&owner(1)).await.unwrap().0.cluster().unwrap()
}

fn claim(place: u8) -> SharedClaim {
    SharedClaim::Output(Outpoint { tx: VertexId([place; 32]), index: place })
}

fn send(number: u8) -> SendId {
    SendId([number; 16])
}

fn record(key: u8, transaction: u8) -> PushRecord {
    PushRecord { key: [key; 32], request: [9; 32], time: 1_000, transaction: vec![transaction; 300] }
}

/// As if no server had been heard of for some time, nor any push.
fn let_time_pass(postgres: &Postgres, url: &str) {
    postgres.sql(url, "update server set expires_at = now() - interval '1 second'");
}

#[test]
fn claims_are_read_as_they_were_written() {
    for claim in [claim(7), SharedClaim::Call { address: 3, seqnum: u64::MAX }] {
        let bytes = claim.to_bytes();
        assert_eq!(SharedClaim::from_bytes(&bytes), Some(claim));
        assert_eq!(SharedClaim::from_bytes(&bytes[1..]), None);
        assert_eq!(SharedClaim::from_bytes(&[&bytes[..], &[0]].concat()), None);
    }
}

#[tokio::test]
async fn all_is_reserved_or_nothing_and_released_for_others() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let (one, two) = (server(&url).await, server(&url).await);
    assert_eq!(one.reserve(send(1), &[claim(1), claim(2)], false).await, Ok(Reserved::All));
    let Ok(Reserved::Taken(mut taken)) = two.reserve(send(2), &[claim(3), claim(2)], false).await else {
        panic!()
    };
    taken.sort();
    assert_eq!(taken, [claim(1), claim(2)]);
    assert_eq!(two.reserve(send(3), &[claim(3)], false).await, Ok(Reserved::All));
    let news = two.news(None).await.unwrap();
    assert_eq!((news.pushed.len(), news.claims.len()), (0, 2));
    one.release(send(1));
    let news = two.news(Some(news.seq)).await.unwrap();
    assert_eq!(news.claims, []);
    assert_eq!(two.reserve(send(2), &[claim(1), claim(2)], false).await, Ok(Reserved::All));
}

#[tokio::test]
async fn that_sends_wait_for_outputs_of_others_is_known_to_these_until_they_do_no_more() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let (one, two) = (server(&url).await, server(&url).await);
    let until = async |server: &Arc<dyn Cluster>, waits: bool| {
        let told = async {
            while server.others_wait() != waits {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), told).await.unwrap();
    };
    one.wait_begins();
    one.wait_begins();
    until(&two, true).await;
    assert!(!one.others_wait());
    one.wait_ends();
    two.wait_begins();
    until(&one, true).await;
    assert!(two.others_wait());
    one.wait_ends();
    until(&two, false).await;
    assert!(one.others_wait());
    // Who is gone waits no more.
    postgres.sql(&url, "update server set expires_at = now() - interval '1 second' where waits_for <> '{}'");
    until(&one, false).await;
}

#[tokio::test]
async fn no_two_of_many_at_once_have_the_same() {
    // Its own: the setting is the whole database's.
    let postgres = Postgres::start(None);
    // In transactions of another kind a server would not see what others commit meanwhile, or fail of it.
    for isolation in ["read committed", "serializable"] {
        let url = postgres.url();
        let set = format!(
            "do $$ begin execute format('alter database %I set default_transaction_isolation = %L', \
             current_database(), '{isolation}'); end $$"
        );
        postgres.sql(&url, &set);
        let claims = many_at_once(&url).await;
        assert_eq!(postgres.sql(&url, "show default_transaction_isolation"), isolation);
        assert_eq!(postgres.sql(&url, "select count(*) from reservation"), claims.to_string());
    }
}

/// A send needs a row now, whatever long work has the connections of the history.
#[tokio::test(flavor = "multi_thread")]
async fn a_send_does_not_wait_behind_appends_to_the_history() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let stores = PostgresStores::new(url.parse().unwrap());
    let store = stores.open(&owner(1)).await.unwrap().0;
    let server = store.cluster().unwrap();
    assert_eq!(server.reserve(send(1), &[claim(1)], false).await, Ok(Reserved::All));
    let histories = (2..=20).map(async |number| stores.open(&owner(number)).await.unwrap());
    let histories = futures_util::future::join_all(histories).await;
    let lock = postgres.lock_table(&url, "wallet");
    let changes = ChangeSet { current_index: Some(1), ..ChangeSet::default() };
    let appends = histories.iter().map(|(store, _)| store.append(&changes));
    let mut appends = std::pin::pin!(futures_util::future::join_all(appends));
    tokio::select! {
        _ = &mut appends => panic!("the table is locked"),
        () = async {
            while lock.waiting().len() < 8 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            let record = record(1, 1);
            assert_eq!(server.push_record(record.key).await, Ok(None));
            assert_eq!(server.record(send(1), 1, &record, None).await, Ok(Recorded::Kept));
            assert_eq!(server.push_record(record.key).await, Ok(Some(record)));
            assert_eq!(server.reserve(send(2), &[claim(2)], false).await, Ok(Reserved::All));
            let told = server.settle(send(1)).await.unwrap();
            assert_eq!(server.latest().await, Ok(told));
            assert_eq!(lock.waiting().len(), 8);
        } => {}
    }
    lock.release();
    assert!(appends.await.into_iter().all(|appended| appended.is_ok()));
}

/// Several ids may be one wallet. They must not have all connections while they wait for its row.
#[tokio::test(flavor = "multi_thread")]
async fn appends_to_one_history_wait_for_each_other_over_one_connection() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let stores = PostgresStores::new(url.parse().unwrap());
    let ids = (0..20).map(async |_| stores.open(&owner(1)).await.unwrap().0);
    let ids = futures_util::future::join_all(ids).await;
    let lock = postgres.lock_table(&url, "wallet");
    let changes = ChangeSet { current_index: Some(1), ..ChangeSet::default() };
    let appends = ids.iter().map(|store| store.append(&changes));
    let mut appends = std::pin::pin!(futures_util::future::join_all(appends));
    tokio::select! {
        _ = &mut appends => panic!("the table is locked"),
        () = async {
            while lock.waiting().is_empty() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            // There is room for others.
            assert!(ids[0].cluster().unwrap().take_address(0, 20).await.is_ok());
            assert_eq!(lock.waiting().len(), 1);
        } => {}
    }
    lock.release();
    assert!(appends.await.into_iter().all(|appended| appended.is_ok()));
}

/// How many claims three servers have that want the same ones at the same time, none of them twice.
async fn many_at_once(url: &str) -> usize {
    let servers = [server(url).await, server(url).await, server(url).await];
    let sends = (0..24u8).map(|number| {
        let server = servers[usize::from(number) % 3].clone();
        // In any order: nobody waits for anybody in a circle.
        let mut claims = [claim(number % 5), claim((number * 3 + 1) % 5), claim(number + 50)];
        claims.rotate_left(usize::from(number) % 3);
        async move {
            (server.reserve(send(number), &claims, false).await.unwrap() == Reserved::All).then_some(claims)
        }
    });
    let reserved: Vec<_> = futures_util::future::join_all(sends).await.into_iter().flatten().collect();
    assert!(!reserved.is_empty());
    let mut all: Vec<_> =
        reserved.iter().flat_map(|claims| std::collections::BTreeSet::from(*claims)).collect();
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count);
    count
}

#[tokio::test]
async fn what_was_reserved_is_free_when_its_server_is_gone_and_what_was_recorded_never_is() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let (one, two) = (server(&url).await, server(&url).await);
    assert_eq!(one.reserve(send(1), &[claim(1)], false).await, Ok(Reserved::All));
    assert_eq!(one.reserve(send(2), &[claim(2)], false).await, Ok(Reserved::All));
    assert_eq!(one.record(send(2), 1, &record(2, 2), None).await, Ok(Recorded::Kept));
    let before = two.news(None).await.unwrap();
    assert_eq!(before.claims.len(), 2);
    let_time_pass(&postgres, &url);
    let after = two.news(Some(before.seq)).await.unwrap();
    assert_eq!(after.claims, [claim(2)]);
    // That server wakes up: it pushes nothing that it has not recorded.
    assert_eq!(one.record(send(1), 1, &record(1, 1), None).await, Ok(Recorded::Lost));
    assert_eq!(two.reserve(send(3), &[claim(1)], false).await, Ok(Reserved::All));
    let Ok(Reserved::Taken(taken)) = two.reserve(send(4), &[claim(2)], false).await else { panic!() };
    assert!(taken.contains(&claim(2)), "{taken:?}");
    // Somebody brings it to its end, and all hear of it.
    let open = two.open_pushes().await.unwrap();
    assert_eq!(
        open.iter().map(|open| (open.send, open.transaction.len())).collect::<Vec<_>>(),
        [(send(2), 300)]
    );
    two.settle(send(2)).await.unwrap();
    let news = one.news(Some(after.seq)).await.unwrap();
    assert_eq!(news.pushed, [vec![2; 300]]);
    assert_eq!(postgres.sql(&url, "select count(*) from push_record where state = 1"), "0");
    // Who had it, too late.
    assert_eq!(one.record(send(2), 1, &record(2, 3), None).await, Ok(Recorded::Lost));
}

#[tokio::test]
async fn what_is_recorded_is_on_the_disk_where_the_database_would_not_see_to_that() {
    // Its own: the settings are the whole database's, and so is its log.
    let postgres = Postgres::start(None);
    let url = postgres.url();
    for set in ["synchronous_commit = off", "wal_writer_delay = '10s'"] {
        postgres.sql(&url, &format!("alter system set {set}"));
    }
    postgres.sql(&url, "select pg_reload_conf()");
    let server = server(&url).await;
    assert_eq!(server.reserve(send(1), &[claim(1)], false).await, Ok(Reserved::All));
    let before = postgres.sql(&url, "select pg_current_wal_insert_lsn()");
    assert_eq!(server.record(send(1), 1, &record(1, 1), None).await, Ok(Recorded::Kept));
    let is_written =
        format!("select pg_current_wal_flush_lsn() > '{before}', current_setting('synchronous_commit')");
    assert_eq!(postgres.sql(&url, &is_written), "t|off");
}

#[tokio::test]
async fn the_first_record_of_a_key_stands() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let (one, two) = (server(&url).await, server(&url).await);
    assert_eq!(one.reserve(send(1), &[claim(1)], false).await, Ok(Reserved::All));
    assert_eq!(two.reserve(send(2), &[claim(2)], false).await, Ok(Reserved::All));
    assert_eq!(one.record(send(1), 1, &record(7, 1), None).await, Ok(Recorded::Kept));
    assert_eq!(two.record(send(2), 1, &record(7, 2), None).await, Ok(Recorded::Outrun));
    // It may be solved again by the same send, and tried again after an answer that got lost.
    assert_eq!(one.record(send(1), 1, &record(7, 3), None).await, Ok(Recorded::Kept));
    assert_eq!(one.record(send(1), 1, &record(7, 3), None).await, Ok(Recorded::Kept));
    // It lost on the ledger: who has seen that record may take its place, and nobody who has seen another.
    assert_eq!(one.withdraw(send(1)).await, Ok(true));
    let (seen, other) = (record(7, 3).mark(), record(7, 1).mark());
    assert_eq!(two.record(send(2), 1, &record(7, 2), Some(other)).await, Ok(Recorded::Outrun));
    assert_eq!(two.record(send(2), 1, &record(7, 2), Some(seen)).await, Ok(Recorded::Kept));
    // What was refused is free.
    assert_eq!(one.reserve(send(5), &[claim(1)], false).await, Ok(Reserved::All));
}

#[tokio::test]
async fn an_open_record_is_not_replaced_before_it_is_known_what_became_of_it() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let (one, two) = (server(&url).await, server(&url).await);
    let old = |transaction| PushRecord { time: 1_000 + RECORD_LIFE + 1, ..record(7, transaction) };
    assert_eq!(one.reserve(send(1), &[claim(1), claim(2)], false).await, Ok(Reserved::All));
    assert_eq!(two.reserve(send(2), &[claim(3)], false).await, Ok(Reserved::All));
    assert_eq!(one.record(send(1), 2, &record(7, 1), None).await, Ok(Recorded::Kept));
    // It holds what it spends: neither who has seen that it lost on the ledger nor its age is enough.
    let seen = Some(record(7, 1).mark());
    assert_eq!(two.keep_first(&old(2), seen).await, Ok(Some(record(7, 1))));
    assert_eq!(two.record(send(2), 1, &record(7, 2), seen).await, Ok(Recorded::Outrun));
    assert_eq!(two.record(send(2), 1, &old(2), None).await, Ok(Recorded::Outrun));
    let_time_pass(&postgres, &url);
    let open = two.open_pushes().await.unwrap().pop().unwrap();
    assert_eq!(two.take_open(&open).await, Ok(true));
    assert!(two.settle_open(&open, PushOutcome::Refused).await.unwrap().is_some());
    assert_eq!(postgres.sql(&url, "select count(*) from reservation where state = 1"), "0");
    assert_eq!(two.reserve(send(3), &[claim(3)], false).await, Ok(Reserved::All));
    assert_eq!(two.record(send(3), 1, &record(7, 2), seen).await, Ok(Recorded::Kept));
}

#[tokio::test]
async fn a_key_is_locked_by_one_server_at_a_time_for_as_long_as_its_lease_stands() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let (one, two) = (server(&url).await, server(&url).await);
    let first = one.lock_key([7; 32]).await.unwrap().unwrap();
    assert_eq!(first.record, None);
    assert_eq!(two.lock_key([7; 32]).await, Ok(None));
    assert!(two.lock_key([8; 32]).await.unwrap().is_some());
    // The same server may, and the end of its earlier lock is not that of the later one.
    let second = one.lock_key([7; 32]).await.unwrap().unwrap();
    one.unlock_key([7; 32], first.number);
    assert_eq!(one.reserve(send(1), &[claim(1)], false).await, Ok(Reserved::All));
    assert_eq!(one.record(send(1), 1, &record(7, 1), None).await, Ok(Recorded::Kept));
    assert_eq!(two.lock_key([7; 32]).await, Ok(None));
    one.unlock_key([7; 32], second.number);
    let locked = loop {
        if let Some(locked) = two.lock_key([7; 32]).await.unwrap() {
            break locked;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    assert_eq!(locked.record, Some(record(7, 1)));
    let_time_pass(&postgres, &url);
    assert!(one.lock_key([7; 32]).await.unwrap().is_some());
    // Nobody waits for the answer any more.
    let lock = postgres.lock_table(&url, "key_lock");
    assert!(tokio::time::timeout(Duration::from_millis(200), two.lock_key([9; 32])).await.is_err());
    lock.release();
    while one.lock_key([9; 32]).await.unwrap().is_none() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Another server may have begun the same request since.
#[tokio::test]
async fn nothing_is_recorded_for_a_key_whose_lock_was_lost() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let (one, two) = (server(&url).await, server(&url).await);
    let lock = one.lock_key([7; 32]).await.unwrap().unwrap();
    assert_eq!(one.has_key_locked([7; 32], lock.number).await, Ok(true));
    assert_eq!(two.has_key_locked([7; 32], lock.number).await, Ok(false));
    let_time_pass(&postgres, &url);
    assert_eq!(one.has_key_locked([7; 32], lock.number).await, Ok(false));
    // Under its next lease.
    assert_eq!(one.reserve(send(1), &[claim(1)], false).await, Ok(Reserved::All));
    assert_eq!(one.record(send(1), 1, &record(7, 1), None).await, Ok(Recorded::Lost));
    let other = two.lock_key([7; 32]).await.unwrap().unwrap();
    two.unlock_key([7; 32], other.number);
    assert_eq!(one.reserve(send(2), &[claim(2)], false).await, Ok(Reserved::All));
    assert_eq!(one.record(send(2), 1, &record(7, 1), None).await, Ok(Recorded::Lost));
    assert_eq!(one.has_key_locked([7; 32], lock.number).await, Ok(false));
    // Another key's.
    assert_eq!(one.reserve(send(3), &[claim(3)], false).await, Ok(Reserved::All));
    assert_eq!(one.record(send(3), 1, &record(8, 1), None).await, Ok(Recorded::Kept));
}

#[tokio::test]
async fn what_became_of_a_task_is_kept_by_who_carries_it_out() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let open = async || PostgresStores::new(url.parse().unwrap()).open(&owner(1)).await.unwrap().0;
    let (one, two) = (open().await, open().await);
    let task = |task: &[u8]| TaskRecord { id: [5; 16], task: task.to_vec() };
    let facts = |is_open| TaskFacts { is_open, key: None };
    let (ones, twos) = (one.task_records().unwrap(), two.task_records().unwrap());
    assert_eq!(ones.shared().unwrap().keep_first_task(task(b"asked"), facts(true)).await, Ok(None));
    assert_eq!(ones.shared().unwrap().claim_task([5; 16]).await, Ok(true));
    // Not heard of, and heard of again when another one has begun, and when it has ended.
    let_time_pass(&postgres, &url);
    assert_eq!(twos.shared().unwrap().claim_task([5; 16]).await, Ok(true));
    assert_eq!(ones.keep_task(task(b"failed"), facts(false)).await, Ok(false));
    // It may have sent, as may one that is gone: it is not cancelled any more.
    let cancel = async || twos.shared().unwrap().withdraw_task(task(b"cancelled"), [7; 32]).await;
    assert_eq!(cancel().await, Ok(false));
    let_time_pass(&postgres, &url);
    assert_eq!(cancel().await, Ok(false));
    assert_eq!(twos.shared().unwrap().claim_task([5; 16]).await, Ok(true));
    assert_eq!(twos.keep_task(task(b"sent"), facts(false)).await, Ok(true));
    assert_eq!(ones.keep_task(task(b"failed"), facts(false)).await, Ok(false));
    assert_eq!(ones.tasks().await.unwrap(), [task(b"sent")]);
    ones.keep_ended_task(task(b"confirmed")).await.unwrap();
    assert_eq!(twos.tasks().await.unwrap(), [task(b"confirmed")]);
    // One that is forgotten stays so.
    twos.forget_tasks(vec![[5; 16]]).await.unwrap();
    ones.keep_ended_task(task(b"confirmed")).await.unwrap();
    assert_eq!(twos.tasks().await.unwrap(), []);
    // An end that could not be kept is kept with what is known later.
    assert_eq!(ones.shared().unwrap().keep_first_task(task(b"asked"), facts(true)).await, Ok(None));
    assert_eq!(ones.shared().unwrap().claim_task([5; 16]).await, Ok(true));
    ones.keep_ended_task(task(b"confirmed")).await.unwrap();
    assert_eq!(twos.shared().unwrap().open_tasks().await.unwrap(), []);
    // One that nobody has begun with is cancelled, unless something was recorded for its key.
    twos.forget_tasks(vec![[5; 16]]).await.unwrap();
    assert_eq!(ones.shared().unwrap().keep_first_task(task(b"asked"), facts(true)).await, Ok(None));
    let cluster = one.cluster().unwrap();
    assert_eq!(cluster.reserve(send(1), &[claim(1)], false).await, Ok(Reserved::All));
    assert_eq!(cluster.record(send(1), 1, &record(7, 1), None).await, Ok(Recorded::Kept));
    assert_eq!(cancel().await, Ok(false));
    assert_eq!(cluster.withdraw(send(1)).await, Ok(true));
    assert_eq!(cancel().await, Ok(true));
}

#[tokio::test]
async fn servers_whose_clocks_are_an_hour_apart_pay_a_key_once_and_keep_what_is_the_others() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let (late, early) = (server(&url).await, server(&url).await);
    // The only times that a server gives are those of its records: leases go by the database's clock.
    let at = |time, key, transaction| PushRecord { time, ..record(key, transaction) };
    let now = 1_800_000_000;
    for (key, first, second) in [(1, now + 3_600, now), (2, now, now + 3_600)] {
        let (one, two) = (send(10 * key), send(10 * key + 1));
        assert_eq!(late.reserve(one, &[claim(key)], false).await, Ok(Reserved::All));
        assert_eq!(early.reserve(two, &[claim(10 + key)], false).await, Ok(Reserved::All));
        assert_eq!(late.record(one, 1, &at(first, key, 1), None).await, Ok(Recorded::Kept));
        assert_eq!(early.record(two, 1, &at(second, key, 2), None).await, Ok(Recorded::Outrun));
        late.settle(one).await.unwrap();
        assert_eq!(early.record(two, 1, &at(second, key, 2), None).await, Ok(Recorded::Outrun));
        // For its day the key is that payment's, by the later clock, too.
        let ends = first.max(second) + RECORD_LIFE;
        assert_eq!(early.record(two, 1, &at(first + RECORD_LIFE, key, 2), None).await, Ok(Recorded::Outrun));
        assert_eq!(early.record(two, 1, &at(ends + 1, key, 2), None).await, Ok(Recorded::Kept));
    }
}

#[tokio::test]
async fn a_record_whose_answer_was_lost_and_that_others_brought_to_its_end_is_not_said_to_be_none() {
    let (postgres, port, url, breaker, one) = through_breaker().await;
    let two = server(&over_port(&postgres, &url, port)).await;
    assert_eq!(one.reserve(send(1), &[claim(1)], false).await, Ok(Reserved::All));
    // From here on no commit is answered; each second one holds.
    breaker.break_one_in(1);
    let recording = tokio::spawn({
        let one = one.clone();
        async move { one.record(send(1), 1, &record(1, 1), None).await }
    });
    while postgres.sql(&url, "select count(*) from push_record where state = 1") != "1" {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    // Meanwhile it counts as gone, and another server pushes what it has recorded.
    let_time_pass(&postgres, &url);
    let open = two.open_pushes().await.unwrap();
    assert_eq!(open.iter().map(|open| open.send).collect::<Vec<_>>(), [send(1)]);
    two.settle(send(1)).await.unwrap();
    breaker.break_one_in(0);
    let recorded = recording.await.unwrap();
    assert!(recorded.is_err(), "nobody may be told that nothing was sent: {recorded:?}");
}

/// The same database, not by its socket.
fn over_port(postgres: &Postgres, url: &str, port: u16) -> String {
    url.replace(&format!("host={}", postgres.dir), &format!("host=127.0.0.1&port={port}"))
}

/// A server whose connections go through a breaker.
async fn through_breaker() -> (Postgres, u16, String, Breaker, Arc<dyn Cluster>) {
    let port = free_port();
    let postgres = Postgres::start(Some(port));
    let breaker = Breaker::before(port).await;
    let url = postgres.url();
    let server = server(&over_port(&postgres, &url, breaker.port)).await;
    (postgres, port, url, breaker, server)
}

#[tokio::test]
async fn a_record_whose_answer_was_lost_is_not_called_lost_where_its_lease_ends_before_it_is_asked_again() {
    let (postgres, _, url, breaker, one) = through_breaker().await;
    assert_eq!(one.reserve(send(1), &[claim(1)], false).await, Ok(Reserved::All));
    postgres.sql(
        &url,
        "create function end_leases() returns trigger language plpgsql as $$ begin \
             update server set expires_at = now() - interval '1 second'; return null; end $$; \
         create trigger end_leases after insert on push_record execute function end_leases()",
    );
    breaker.break_next_record();
    let recorded = one.record(send(1), 1, &record(1, 1), None).await;
    assert!(recorded.is_err(), "it is recorded, and others push it: {recorded:?}");
    assert_eq!(breaker.broken(), [0, 1]);
    assert_eq!(postgres.sql(&url, "select count(*) from push_record where state = 1"), "1");
}

#[tokio::test]
async fn an_answer_counts_though_its_connection_is_closed_right_after_it() {
    let (postgres, port, url, breaker, one) = through_breaker().await;
    breaker.answer_before_breaking();
    for number in 1..=20 {
        assert_eq!(one.reserve(send(number), &[claim(number)], false).await, Ok(Reserved::All));
        breaker.break_next_record();
        // There is no other connection that it could be asked over again.
        breaker.go_to(1);
        assert_eq!(one.record(send(number), 1, &record(number, number), None).await, Ok(Recorded::Kept));
        breaker.go_to(port);
    }
    assert_eq!(postgres.sql(&url, "select count(*) from push_record where state = 1"), "20");
}

#[tokio::test]
async fn what_is_recorded_and_not_sent_is_taken_back_unless_another_server_may_push_it() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let (one, two) = (server(&url).await, server(&url).await);
    for number in 1..=4 {
        assert_eq!(one.reserve(send(number), &[claim(number)], false).await, Ok(Reserved::All));
        let recorded = one.record(send(number), 1, &record(number, number), None).await;
        assert_eq!(recorded, Ok(Recorded::Kept));
    }
    let states = "select string_agg(coalesce(state::text, '-'), ' ' order by key) from push_record";
    assert_eq!(one.withdraw(send(1)).await, Ok(true));
    // As after an answer that got lost.
    assert_eq!(one.withdraw(send(1)).await, Ok(true));
    assert_eq!(postgres.sql(&url, states), "- 1 1 1");
    assert_eq!(two.reserve(send(5), &[claim(1)], false).await, Ok(Reserved::All));
    // It is not heard of for too long. What another server has found open it may be pushing, and pushes only
    // what it has taken.
    let_time_pass(&postgres, &url);
    let open = two.open_pushes().await.unwrap();
    assert_eq!(open.iter().map(|open| open.send).collect::<Vec<_>>(), [send(2), send(3), send(4)]);
    assert_eq!(two.take_open(&open[0]).await, Ok(true));
    assert_eq!(two.take_open(&open[0]).await, Ok(false), "it is at it");
    assert_eq!(one.withdraw(send(2)).await, Ok(false));
    assert_eq!(postgres.sql(&url, states), "- 1 1 1");
    assert!(two.settle_open(&open[0], PushOutcome::Pushed).await.unwrap().is_some());
    assert_eq!(one.withdraw(send(2)).await, Ok(false));
    assert_eq!(postgres.sql(&url, states), "- 2 1 1");
    // Left by who was at it, it is open again.
    assert_eq!(two.take_open(&open[2]).await, Ok(true));
    two.disown(send(4));
    let reopened =
        async { while one.open_pushes().await.unwrap().iter().all(|open| open.send != send(4)) {} };
    tokio::time::timeout(Duration::from_secs(60), reopened).await.unwrap();
}

#[tokio::test]
async fn an_id_is_held_under_the_lease_that_there_is_whenever_it_was_begun_to_hold_it() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let [one, two] = [(); 2].map(|()| PostgresStores::new(url.parse().unwrap()));
    // It has a lease, and renews it, for a wallet that somebody follows.
    let (store, _) = one.open(&owner(1)).await.unwrap();
    let _followed = store.cluster().unwrap();
    assert_eq!(one.hold_id("testnet", "other", "o").await, Ok(true));
    let lock = postgres.lock_table(&url, "started");
    let holds = "select count(distinct held_id.server) from held_id join server on server.id = held_id.server \
                 where held_id.name = 'mine' and expires_at > now()";
    let (held, ()) = tokio::join!(one.hold_id("testnet", "mine", "m"), async {
        while lock.waiting().is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let_time_pass(&postgres, &url);
        let again = async {
            while postgres.sql(&url, "select count(*) from server where expires_at > now()") == "0" {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), again).await.unwrap();
        lock.release();
    });
    assert_eq!(held, Ok(true));
    let held_again = async {
        while postgres.sql(&url, holds) != "1" {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), held_again).await.unwrap();
    assert_eq!(two.hold_id("testnet", "mine", "another's").await, Ok(false));
    one.let_id_go("testnet", "mine").await;
    assert_eq!(two.hold_id("testnet", "mine", "another's").await, Ok(true));
}

#[tokio::test]
async fn who_told_a_listener_leaves_it_to_others_when_its_wallet_is_stopped() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let [one, two] = [(); 2].map(|()| PostgresStores::new(url.parse().unwrap()));
    let (first, second) = (one.open(&owner(1)).await.unwrap().0, two.open(&owner(1)).await.unwrap().0);
    let mine = first.event_log().unwrap().claim_sink([1; 16], 0).await.unwrap();
    assert!(mine.is_some());
    let other = second.event_log().unwrap();
    assert_eq!(other.claim_sink([1; 16], 0).await, Ok(None), "the first one tells it");
    drop(first);
    let left = async {
        while postgres.sql(&url, "select count(*) from sink where server is not null") != "0" {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), left).await.unwrap();
    assert_eq!(other.claim_sink([1; 16], 0).await, Ok(mine));
}

/// What is said of the database, once there is something to say or nothing any more.
async fn problem(stores: &PostgresStores, is_one: bool) -> Option<String> {
    let problem = async {
        loop {
            match stores.cluster_health().unwrap().problem {
                problem if problem.is_some() == is_one => return problem,
                _ => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(30), problem).await.unwrap()
}

#[tokio::test]
async fn of_a_record_that_did_not_reach_the_database_it_is_known_that_there_is_none() {
    let postgres = Postgres::start(None);
    let stores = PostgresStores::new(postgres.url().parse().unwrap());
    let one = stores.open(&owner(1)).await.unwrap().0.cluster().unwrap();
    assert_eq!(one.reserve(send(1), &[claim(1)], false).await, Ok(Reserved::All));
    tokio::task::spawn_blocking(move || drop(postgres)).await.unwrap();
    let recorded = one.record(send(1), 1, &record(1, 1), None).await;
    assert!(matches!(recorded, Ok(Recorded::NotReached(_))), "{recorded:?}");
}

#[tokio::test]
async fn a_database_that_hangs_is_said_to_give_no_answer_until_it_does() {
    let postgres = Arc::new(Postgres::start(None));
    let url = postgres.url();
    let stores = PostgresStores::new(url.parse().unwrap());
    let followed = stores.open(&owner(1)).await.unwrap().0.cluster().unwrap();
    assert_eq!(followed.reserve(send(1), &[claim(1)], false).await, Ok(Reserved::All));
    let lock = postgres.lock_table(&url, "server");
    let said = problem(&stores, true).await.unwrap();
    assert!(said.ends_with("PostgreSQL gave no answer in 2 s: check that it runs"), "{said}");
    lock.release();
    assert_eq!(problem(&stores, false).await, None);
}

#[tokio::test]
async fn no_two_servers_give_the_same_address() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let (one, two) = (server(&url).await, server(&url).await);
    let mut given = Vec::new();
    for round in 0..5 {
        // Both know of no address that is taken, and watch ten.
        let (first, second) = tokio::join!(one.take_address(0, 9), two.take_address(0, 9));
        let (first, second) = (first.unwrap(), second.unwrap());
        assert_eq!([first.1, second.1].iter().max(), Some(&(2 * round + 3)));
        given.extend([first.0, second.0]);
    }
    given.sort();
    assert_eq!(given, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    // The last one of the gap limit is given on.
    assert_eq!(one.take_address(0, 9).await.unwrap().0, 9);
    // Who knows of more that are used begins after them.
    assert_eq!(two.take_address(30, 49).await.unwrap().0, 30);
    assert_eq!(one.take_address(9, 28).await.unwrap().0, 28);
    let news = one.news(None).await.unwrap();
    assert_eq!(news.addresses, SharedAddresses { current: 31, end: 0 });
}

#[tokio::test]
async fn what_one_server_locks_or_unlocks_others_hear_of() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let stores = [PostgresStores::new(url.parse().unwrap()), PostgresStores::new(url.parse().unwrap())];
    let (one, _) = stores[0].open(&owner(1)).await.unwrap();
    let two = stores[1].open(&owner(1)).await.unwrap().0.cluster().unwrap();
    let output = |place: u8| Outpoint { tx: VertexId([place; 32]), index: place };
    let changes = |place, until| ChangeSet {
        locked_outpoints: [(output(place), until)].into(),
        ..ChangeSet::default()
    };
    one.append(&changes(1, Some(u32::MAX))).await.unwrap();
    one.append(&changes(2, Some(77))).await.unwrap();
    let mut news = two.news(None).await.unwrap();
    news.locks.sort();
    assert_eq!(news.locks, [(output(1), Some(u32::MAX)), (output(2), Some(77))]);
    // So nothing that plans takes it, but who has it locked for himself does.
    let seven = SharedClaim::Output(output(1));
    assert_eq!(two.reserve(send(1), &[seven, claim(3)], false).await, Ok(Reserved::Taken(vec![seven])));
    assert_eq!(two.reserve(send(1), &[seven, claim(3)], true).await, Ok(Reserved::All));
    one.append(&changes(1, None)).await.unwrap();
    let seq = news.seq;
    let news = two.news(Some(seq)).await.unwrap();
    assert_eq!((news.seq, news.locks), (seq + 1, vec![(output(1), None)]));
    // What is unlocked is so at the next start, too.
    let (_, kept) = stores[1].open(&owner(1)).await.unwrap();
    assert_eq!(kept.locked_outpoints, [(output(2), Some(77))].into());
    // What is no news is not told: others would hear of it for ever.
    let addresses = |current, end| ChangeSet {
        current_index: Some(current),
        address_count: Some(end),
        ..ChangeSet::default()
    };
    one.append(&addresses(3, 23)).await.unwrap();
    assert_eq!(two.latest().await, Ok(seq + 2));
    one.append(&addresses(2, 23)).await.unwrap();
    one.append(&ChangeSet { best_height: Some(5), ..ChangeSet::default() }).await.unwrap();
    assert_eq!(two.latest().await, Ok(seq + 2));
    assert_eq!(two.news(Some(seq)).await.unwrap().addresses, SharedAddresses { current: 3, end: 23 });
}

#[tokio::test]
async fn an_id_is_one_wallets_in_all_servers_until_it_is_stopped() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let (one, two) = (PostgresStores::new(url.parse().unwrap()), PostgresStores::new(url.parse().unwrap()));
    let (one, two) = (one.started_wallets().unwrap(), two.started_wallets().unwrap());
    assert_eq!(two.started("testnet", "w").await, Ok(None));
    let first = one.keep_started("testnet", "w", "{1}", "o").await.unwrap().unwrap();
    assert_eq!(first.request, "{1}");
    assert_eq!(two.keep_started("testnet", "w", "{2}", "o").await, Ok(Some(first.clone())));
    assert_eq!(two.started("testnet", "w").await, Ok(Some(first.clone())));
    assert_eq!(two.started("mainnet", "w").await, Ok(None));
    let other = one.keep_started("mainnet", "w", "{1}", "o").await.unwrap().unwrap();
    assert_eq!(two.stopped_among(&[first.number, other.number, 999]).await, Ok(vec![999]));
    two.forget_started("testnet", "w", first.number + 99).await.unwrap();
    two.forget_started("testnet", "w", first.number).await.unwrap();
    assert_eq!(one.stopped_among(&[first.number, other.number]).await, Ok(vec![first.number]));
    // Started anew it is another one: who knows the earlier one stops that.
    let second = two.keep_started("testnet", "w", "{2}", "o").await.unwrap().unwrap();
    assert_eq!(second.request, "{2}");
    assert_eq!(one.stopped_among(&[first.number, second.number]).await, Ok(vec![first.number]));
}

#[tokio::test]
async fn a_wallet_that_is_left_is_taken_over_by_one_server_and_given_to_it_until_it_runs() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let servers = [(); 2].map(|()| PostgresStores::new(url.parse().unwrap()));
    let [one, two] = [0, 1].map(|place| servers[place].started_wallets().unwrap());
    let mut numbers = Vec::new();
    for id in ["a", "b", "c", "d"] {
        numbers.push(one.keep_started("testnet", id, "{}", "o").await.unwrap().unwrap().number);
    }
    one.keep_started("mainnet", "a", "{}", "o").await.unwrap();
    let listened_to = |ids: &[&str]| ListenedTo::Ids(ids.iter().map(|id| (*id).to_owned()).collect());
    let taken = async |by: &dyn StartedWallets, listened_to: &ListenedTo, but: &[u64], most: u32| {
        let taken = by.take_over("testnet", listened_to, but, most).await.unwrap();
        let mut taken: Vec<_> = taken.into_iter().map(|left| (left.id, left.number)).collect();
        taken.sort();
        taken.into_iter().map(|(id, _)| id).collect::<String>()
    };
    // No one listens to any, and none has tasks.
    assert_eq!(taken(one, &listened_to(&[]), &[], 9).await, "");
    // As when the answer was lost: it is told again.
    for _ in 0..2 {
        assert_eq!(taken(one, &listened_to(&["a", "b", "x"]), &[], 9).await, "ab");
        assert_eq!(taken(two, &listened_to(&["a", "b"]), &[], 9).await, "");
    }
    assert_eq!(one.runs_here(numbers[0], "no store of it").await, Ok(true));
    assert_eq!(taken(one, &ListenedTo::All, &[], 1).await, "b");
    assert_eq!(taken(one, &ListenedTo::All, &[numbers[1]], 1).await, "c");
    one.leave(numbers[1]).await.unwrap();
    assert_eq!(taken(two, &ListenedTo::All, &[], 9).await, "bd");
    // What runs at two is seen to by the first one.
    assert_eq!(two.runs_here(numbers[0], "no store of it").await, Ok(true));
    two.leave(numbers[0]).await.unwrap();
    assert_eq!(taken(two, &listened_to(&["a"]), &[], 9).await, "");
    // What was stopped runs nowhere.
    one.forget_started("testnet", "c", numbers[2]).await.unwrap();
    assert_eq!(one.runs_here(numbers[2], "no store of it").await, Ok(false));
    // Of a server that is gone all are left.
    postgres.sql(&url, "update server set expires_at = now()");
    assert_eq!(taken(two, &ListenedTo::All, &[], 9).await, "abd");
    // Tasks are enough.
    postgres.sql(&url, "insert into wallet (name, format, others) values ('t', 1, '')");
    postgres.sql(&url, "insert into task (wallet, id, record, is_open) select id, 'x', '', true from wallet");
    assert_eq!(two.runs_here(numbers[3], "t").await, Ok(true));
    postgres.sql(&url, "update server set expires_at = now()");
    assert_eq!(taken(one, &listened_to(&[]), &[], 9).await, "d");
}

/// A server that lives on need not know of it: what became of the push is found out all the same.
#[tokio::test]
async fn a_push_that_a_crash_says_is_not_settled_is_left_to_all_servers_and_one_that_is_not_stays() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let (one, two) = (server(&url).await, server(&url).await);
    for number in [1, 2, 3] {
        // The last one has nothing to reserve.
        let claims = if number == 3 { vec![] } else { vec![claim(number)] };
        if number < 3 {
            assert_eq!(one.reserve(send(number), &claims, false).await, Ok(Reserved::All));
        }
        let record = record(number, number);
        assert_eq!(one.record(send(number), claims.len(), &record, None).await, Ok(Recorded::Kept));
    }
    one.settle(send(1)).await.unwrap();
    postgres.sql(&url, "update push_record set news = null, state = 1, at = now() - interval '10 s'");
    let began = Instant::now();
    let open = two.open_pushes().await.unwrap();
    assert_eq!(open.iter().map(|open| open.send).collect::<Vec<_>>(), [send(1)]);
    assert!(began.elapsed() < Duration::from_secs(40), "{:?}", began.elapsed());
    two.settle(send(1)).await.unwrap();
    one.settle(send(3)).await.unwrap();
}

/// What a crash takes back is given the same number as what was heard before it.
#[tokio::test(flavor = "multi_thread")]
async fn after_a_crash_of_the_database_news_are_heard_whose_number_was_there_before() {
    // Its own: others must not lose their connections.
    let postgres = Postgres::start(None);
    let url = postgres.url();
    let stores = PostgresStores::new(url.parse().unwrap());
    let store = stores.open(&owner(1)).await.unwrap().0;
    let one = store.cluster().unwrap();
    let mut events = store.event_log().unwrap().watch();
    let push = async |number: u8| {
        assert_eq!(one.reserve(send(number), &[claim(number)], false).await, Ok(Reserved::All));
        assert_eq!(one.record(send(number), 1, &record(number, number), None).await, Ok(Recorded::Kept));
        one.settle(send(number)).await.unwrap()
    };
    assert_eq!(push(1).await, 1);
    let mut news = one.news(None).await.unwrap();
    while news.seq < 1 {
        news = one.news(Some(news.seq)).await.unwrap();
    }
    events.wait_for(|latest| *latest == 1).await.unwrap();
    events.borrow_and_update();
    // As if the crash had taken the news back, and others had pushed before anybody looked.
    let crash = "update news set seq = 0; update push_record set news = null, state = 1; \
                 select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'headless-wallet'";
    let again = "update news set seq = 1; update push_record set news = 1, state = 2";
    postgres.sql(&url, &format!("begin; {crash}; {again}; commit"));
    events.changed().await.unwrap();
    let news = one.news(Some(1)).await.unwrap();
    assert_eq!((news.seq, news.pushed.len()), (1, 1));
    // What callers were told of goes on: the next number is a higher one, whoever takes it.
    postgres.sql(&url, &format!("begin; {crash}; commit"));
    assert_eq!(one.news(Some(1)).await.unwrap().seq, 1);
    assert_eq!(one.latest().await, Ok(1));
    assert_eq!(push(2).await, 2);
}
