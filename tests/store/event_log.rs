//! Events that are kept until they are told, in every backend.

use crate::backends::owner;
use crate::cluster::Postgres;
use crate::given::some_vertices;
use headless_wallet::ledger::VertexId;
use headless_wallet::store::{
    DataDir, DeliveryRecord, EventFact, EventFacts, EventKind, EventRecord, MemoryStores, Movement,
    PostgresStores, SinkRecord, Standing, Store, Stores,
};
use headless_wallet::wallet::ChangeSet;
use std::sync::Arc;
use tempfile::TempDir;

fn tx(number: u8) -> VertexId {
    VertexId([number; 32])
}

fn fact(number: u8, standing: Standing) -> EventFact {
    let data = format!("{{\"number\":{number}}}");
    EventFact { tx: tx(number), movement: Movement::Deposit, standing, data }
}

async fn state(store: &Arc<dyn Store>, facts: Vec<EventFact>, begin_at: Option<usize>) {
    store.append_telling(&ChangeSet::default(), &EventFacts { facts, begin_at }).await.unwrap();
}

/// What is kept: each event's number, kind, transaction, and how often that was told.
async fn told(store: &Arc<dyn Store>, after: u64) -> Vec<(u64, &'static str, u8, u32)> {
    let events = store.event_log().unwrap().events(after, 1_000).await.unwrap();
    events.iter().map(|event| (event.seq, event.kind.name(), event.tx.0[0], event.times)).collect()
}

/// Every backend, each with a way to open the wallet's store as after a restart.
struct Backends {
    dir: TempDir,
    memory: MemoryStores,
    postgres: Arc<Postgres>,
    url: String,
}

impl Backends {
    const COUNT: usize = 3;

    fn new() -> Self {
        let postgres = Postgres::shared();
        let (dir, memory, url) = (TempDir::new().unwrap(), MemoryStores::default(), postgres.url());
        Self { dir, memory, postgres, url }
    }

    async fn open(&self, which: usize) -> Arc<dyn Store> {
        let opened = match which {
            0 => self.memory.open(&owner(1)).await,
            1 => DataDir::new(self.dir.path()).unwrap().open(&owner(1)).await,
            _ => PostgresStores::new(self.url.parse().unwrap()).open(&owner(1)).await,
        };
        opened.unwrap().0
    }
}

#[tokio::test]
async fn facts_are_told_once_in_one_order_and_after_a_restart() {
    use Standing::{Confirmed, Entered, Valid, Voided};
    let backends = Backends::new();
    for which in 0..Backends::COUNT {
        let store = backends.open(which).await;
        let log = store.event_log().unwrap();
        assert_eq!((log.events_begun().await, log.last_event().await), (Ok(None), Ok(0)));
        // What a first load brings is no news, and is known from then on.
        state(&store, vec![fact(1, Entered)], None).await;
        state(&store, vec![fact(2, Entered), fact(3, Entered), fact(4, Entered)], Some(1)).await;
        let tag = log.events_begun().await.unwrap();
        assert!(tag.is_some());
        // Whoever states it again, and what does not follow from what was told.
        state(&store, vec![fact(3, Entered), fact(3, Valid), fact(5, Confirmed)], Some(0)).await;
        assert_eq!(told(&store, 0).await, [(1, "deposit.seen", 3, 1), (2, "deposit.seen", 4, 1)]);
        assert_eq!(log.unconfirmed().await.unwrap().len(), 2);
        state(&store, vec![fact(3, Confirmed), fact(3, Confirmed), fact(4, Voided)], None).await;
        state(&store, vec![fact(3, Voided), fact(4, Valid), fact(4, Entered), fact(4, Confirmed)], None)
            .await;
        assert_eq!(log.unconfirmed().await, Ok(vec![]));
        drop(store);
        let store = backends.open(which).await;
        let log = store.event_log().unwrap();
        let later = [
            (3, "deposit.confirmed", 3, 1),
            (4, "deposit.reverted", 4, 1),
            (5, "deposit.reverted", 3, 1),
            (6, "deposit.seen", 4, 2),
            (7, "deposit.confirmed", 4, 2),
        ];
        assert_eq!(told(&store, 2).await, later);
        assert_eq!((log.events_begun().await, log.last_event().await), (Ok(tag), Ok(7)));
        let seen = log.events(0, 1).await.unwrap().remove(0);
        assert_eq!((seen.kind, &*seen.data), (EventKind::DepositSeen, "{\"number\":3}"));
    }
    drop(backends.postgres);
}

#[tokio::test]
async fn what_is_loaded_anew_is_no_news() {
    let backends = Backends::new();
    for which in 0..Backends::COUNT {
        let store = backends.open(which).await;
        let vertices = some_vertices(3);
        let ids: Vec<VertexId> = vertices.keys().copied().collect();
        let changes = ChangeSet { vertices: vertices.clone(), ..ChangeSet::default() };
        let stated = |standing| {
            let movement = Movement::Send;
            ids.iter().map(move |tx| EventFact { tx: *tx, movement, standing, data: "{}".to_owned() })
        };
        let first = EventFacts { facts: stated(Standing::Entered).collect(), begin_at: Some(3) };
        store.append_telling(&changes, &first).await.unwrap();
        // The history was wrong: it is dropped, and comes again.
        store.append(&ChangeSet { forget: true, ..ChangeSet::default() }).await.unwrap();
        let again = EventFacts { facts: stated(Standing::Entered).collect(), begin_at: None };
        store.append_telling(&changes, &again).await.unwrap();
        assert_eq!(told(&store, 0).await, []);
        // But what becomes of it is.
        let voided = EventFacts { facts: stated(Standing::Voided).take(1).collect(), begin_at: None };
        store.append_telling(&ChangeSet::default(), &voided).await.unwrap();
        assert_eq!(told(&store, 0).await, [(1, "send.reverted", ids[0].0[0], 1)]);
    }
    drop(backends.postgres);
}

#[tokio::test]
async fn listeners_begin_with_what_is_to_come_and_go_on_where_they_were() {
    let backends = Backends::new();
    for which in 0..Backends::COUNT {
        let store = backends.open(which).await;
        let log = store.event_log().unwrap();
        state(&store, vec![fact(1, Standing::Entered)], Some(0)).await;
        let new = SinkRecord { key: [7; 16], after: 1, state: vec![] };
        assert_eq!(log.claim_sink([7; 16]).await, Ok(Some(new)));
        assert_eq!(log.sink([8; 16]).await, Ok(None));
        let had = SinkRecord { key: [7; 16], after: 2, state: vec![5] };
        let delivery = |seq| DeliveryRecord { sink: [7; 16], seq, record: vec![seq as u8] };
        assert_eq!(log.keep_sink(had.clone(), Some(delivery(2))).await, Ok(true));
        log.keep_delivery(delivery(1), None).await.unwrap();
        log.keep_delivery(delivery(2), Some(vec![6])).await.unwrap();
        let had = SinkRecord { state: vec![6], ..had };
        assert_eq!(log.sink([7; 16]).await, Ok(Some(had.clone())));
        assert_eq!(log.deliveries([7; 16]).await, Ok(vec![delivery(2), delivery(1)]));
        // So many are kept.
        let far = SinkRecord { after: 1_002, ..had };
        assert_eq!(log.keep_sink(far, Some(delivery(1_002))).await, Ok(true));
        assert_eq!(log.deliveries([7; 16]).await, Ok(vec![delivery(1_002)]));
    }
    drop(backends.postgres);
}

#[tokio::test]
async fn no_more_events_than_so_many_are_kept() {
    let backends = Backends::new();
    for which in 0..Backends::COUNT {
        let store = backends.open(which).await;
        let one = |number: u32| {
            let mut id = [0; 32];
            id[..4].copy_from_slice(&number.to_be_bytes());
            EventFact { tx: VertexId(id), ..fact(0, Standing::Entered) }
        };
        state(&store, (0..10_003).map(one).collect(), Some(0)).await;
        let log = store.event_log().unwrap();
        let kept = log.events(0, usize::MAX).await.unwrap();
        assert_eq!((kept.len(), kept[0].seq, log.last_event().await), (10_000, 4, Ok(10_003)));
    }
    drop(backends.postgres);
}

#[tokio::test]
async fn a_listener_is_one_servers_at_a_time() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let server = async || PostgresStores::new(url.parse().unwrap()).open(&owner(1)).await.unwrap().0;
    let (one, two) = (server().await, server().await);
    let (one, two) = (one.event_log().unwrap(), two.event_log().unwrap());
    let sink = SinkRecord { key: [7; 16], after: 0, state: vec![] };
    assert_eq!(one.claim_sink([7; 16]).await, Ok(Some(sink.clone())));
    assert_eq!(two.claim_sink([7; 16]).await, Ok(None));
    assert_eq!(one.claim_sink([7; 16]).await, Ok(Some(sink.clone())));
    assert_eq!(two.keep_sink(SinkRecord { after: 9, ..sink.clone() }, None).await, Ok(false));
    // The first one is gone, or stands still for too long.
    postgres.sql(&url, "update server set expires_at = now() - interval '1 second'");
    let taken = two.claim_sink([7; 16]).await;
    assert_eq!(taken, Ok(Some(sink.clone())));
    assert_eq!(one.keep_sink(SinkRecord { after: 9, ..sink.clone() }, None).await, Ok(false));
    assert_eq!(two.keep_sink(SinkRecord { after: 3, ..sink.clone() }, None).await, Ok(true));
    assert_eq!(one.sink([7; 16]).await, Ok(Some(SinkRecord { after: 3, ..sink })));
}

#[tokio::test]
async fn servers_that_state_the_same_at_once_tell_it_once() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let server = async || PostgresStores::new(url.parse().unwrap()).open(&owner(1)).await.unwrap().0;
    let stores = [server().await, server().await, server().await];
    state(&stores[0], vec![], Some(0)).await;
    let all = stores.iter().flat_map(|store| {
        (0..20).map(move |number| async move {
            state(store, vec![fact(number, Standing::Entered)], Some(0)).await;
            state(store, vec![fact(number, Standing::Confirmed)], Some(0)).await;
        })
    });
    futures_util::future::join_all(all).await;
    let seen = told(&stores[0], 0).await;
    assert_eq!(seen.len(), 40);
    for (place, (seq, ..)) in (1..).zip(&seen) {
        assert_eq!(*seq, place);
    }
    for number in 0..20 {
        let of_it: Vec<_> = seen.iter().filter(|(_, _, tx, _)| *tx == number).map(|told| told.1).collect();
        assert_eq!(of_it, ["deposit.seen", "deposit.confirmed"]);
    }
    assert_eq!(told(&stores[1], 0).await, seen);
}

#[test]
fn events_are_read_as_they_were_written_and_have_ids_of_their_content() {
    let event = EventRecord {
        seq: 9,
        kind: EventKind::SendReverted,
        tx: tx(3),
        times: 2,
        time: 1_795_251_265_007,
        data: "{}".to_owned(),
    };
    let bytes = event.encode();
    assert_eq!(EventRecord::decode(9, &bytes), Ok(event.clone()));
    assert!(EventRecord::decode(8, &bytes).is_err());
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        assert!(EventRecord::decode(9, &damaged).is_err(), "{place}");
    }
    let id = event.id("privatenet-unknown-01", "shop");
    assert_eq!(id, "evt_59ff3626c70fad210ebb9e66ebdabdbc");
    assert_eq!(
        EventRecord { seq: 1, time: 0, data: String::new(), ..event.clone() }
            .id("privatenet-unknown-01", "shop"),
        id
    );
    for other in [
        EventRecord { times: 1, ..event.clone() }.id("privatenet-unknown-01", "shop"),
        EventRecord { tx: tx(4), ..event.clone() }.id("privatenet-unknown-01", "shop"),
        EventRecord { kind: EventKind::SendPushed, ..event.clone() }.id("privatenet-unknown-01", "shop"),
        event.id("privatenet-unknown-02", "shop"),
        event.id("privatenet-unknown-01", "shop2"),
    ] {
        assert_ne!(other, id);
    }
}
