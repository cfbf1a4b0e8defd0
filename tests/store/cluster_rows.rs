//! What several servers on one database share of a wallet.

use crate::backends::owner;
use crate::cluster::Postgres;
use headless_wallet::ledger::{Outpoint, VertexId};
use headless_wallet::store::{
    Cluster, PostgresStores, PushOutcome, PushRecord, Recorded, Reserved, SendId, SharedClaim, Stores,
};
use std::sync::Arc;

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
    assert_eq!(one.reserve(send(1), &[claim(1), claim(2)]).await, Ok(Reserved::All));
    let Ok(Reserved::Taken(mut taken)) = two.reserve(send(2), &[claim(3), claim(2)]).await else { panic!() };
    taken.sort();
    assert_eq!(taken, [claim(1), claim(2)]);
    assert_eq!(two.reserve(send(3), &[claim(3)]).await, Ok(Reserved::All));
    let news = two.news(None).await.unwrap();
    assert_eq!((news.pushed.len(), news.claims.len()), (0, 2));
    one.release(send(1));
    let news = two.news(Some(news.seq)).await.unwrap();
    assert_eq!(news.claims, []);
    assert_eq!(two.reserve(send(2), &[claim(1), claim(2)]).await, Ok(Reserved::All));
}

#[tokio::test]
async fn no_two_of_many_at_once_have_the_same() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let servers = [server(&url).await, server(&url).await, server(&url).await];
    let sends =
        (0..24u8).map(|number| {
            let server = servers[usize::from(number) % 3].clone();
            // In any order: nobody waits for anybody in a circle.
            let mut claims = [claim(number % 5), claim((number * 3 + 1) % 5), claim(number + 50)];
            claims.rotate_left(usize::from(number) % 3);
            async move {
                (server.reserve(send(number), &claims).await.unwrap() == Reserved::All).then_some(claims)
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
    assert_eq!(postgres.sql(&url, "select count(*) from reservation"), count.to_string());
}

#[tokio::test]
async fn what_was_reserved_is_free_when_its_server_is_gone_and_what_was_recorded_never_is() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let (one, two) = (server(&url).await, server(&url).await);
    assert_eq!(one.reserve(send(1), &[claim(1)]).await, Ok(Reserved::All));
    assert_eq!(one.reserve(send(2), &[claim(2)]).await, Ok(Reserved::All));
    assert_eq!(one.record(send(2), 1, &record(2, 2), None).await, Ok(Recorded::Kept));
    let before = two.news(None).await.unwrap();
    assert_eq!(before.claims.len(), 2);
    let_time_pass(&postgres, &url);
    let after = two.news(Some(before.seq)).await.unwrap();
    assert_eq!(after.claims, [claim(2)]);
    // That server wakes up: it pushes nothing that it has not recorded.
    assert_eq!(one.record(send(1), 1, &record(1, 1), None).await, Ok(Recorded::Lost));
    assert_eq!(two.reserve(send(3), &[claim(1)]).await, Ok(Reserved::All));
    let Ok(Reserved::Taken(taken)) = two.reserve(send(4), &[claim(2)]).await else { panic!() };
    assert!(taken.contains(&claim(2)), "{taken:?}");
    // Somebody brings it to its end, and all hear of it.
    let open = two.open_pushes().await.unwrap();
    assert_eq!(
        open.iter().map(|open| (open.send, open.transaction.len())).collect::<Vec<_>>(),
        [(send(2), 300)]
    );
    two.settle(send(2), PushOutcome::Pushed).await.unwrap();
    let news = one.news(Some(after.seq)).await.unwrap();
    assert_eq!(news.pushed, [vec![2; 300]]);
    assert_eq!(postgres.sql(&url, "select count(*) from push_record where state = 1"), "0");
    // Who had it, too late.
    assert_eq!(one.record(send(2), 1, &record(2, 3), None).await, Ok(Recorded::Lost));
}

#[tokio::test]
async fn the_first_record_of_a_key_stands() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let (one, two) = (server(&url).await, server(&url).await);
    assert_eq!(one.reserve(send(1), &[claim(1)]).await, Ok(Reserved::All));
    assert_eq!(two.reserve(send(2), &[claim(2)]).await, Ok(Reserved::All));
    assert_eq!(one.record(send(1), 1, &record(7, 1), None).await, Ok(Recorded::Kept));
    assert_eq!(two.record(send(2), 1, &record(7, 2), None).await, Ok(Recorded::Outrun));
    // It may be solved again by the same send, and tried again after an answer that got lost.
    assert_eq!(one.record(send(1), 1, &record(7, 3), None).await, Ok(Recorded::Kept));
    assert_eq!(one.record(send(1), 1, &record(7, 3), None).await, Ok(Recorded::Kept));
    // It lost on the ledger: who has seen that record may take its place, and nobody who has seen another.
    one.settle(send(1), PushOutcome::Refused).await.unwrap();
    let (seen, other) = (record(7, 3).mark(), record(7, 1).mark());
    assert_eq!(two.record(send(2), 1, &record(7, 2), Some(other)).await, Ok(Recorded::Outrun));
    assert_eq!(two.record(send(2), 1, &record(7, 2), Some(seen)).await, Ok(Recorded::Kept));
    // What was refused is free.
    assert_eq!(one.reserve(send(5), &[claim(1)]).await, Ok(Reserved::All));
}
