//! Events that are kept until they are told, in every backend.

use crate::backends::owner;
use crate::cluster::Postgres;
use crate::commands::migrate;
use crate::given::some_vertices;
use headless_wallet::ledger::VertexId;
use headless_wallet::store::{
    DataDir, DeliveryRecord, EventFact, EventFacts, EventKind, EventRecord, Happening, MemoryStores,
    Movement, NamedStores, PostgresStores, SinkRecord, Standing, Store, StoreError, Stores,
};
use headless_wallet::wallet::ChangeSet;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

fn tx(number: u8) -> VertexId {
    VertexId([number; 32])
}

fn fact(number: u8, standing: Standing) -> EventFact {
    let data = format!("{{\"number\":{number}}}");
    EventFact { tx: tx(number), happened: Happening::Moved(Movement::Deposit, standing), data }
}

async fn state(store: &Arc<dyn Store>, facts: Vec<EventFact>, begin_at: Option<usize>) {
    store.append_with_events(&ChangeSet::default(), &EventFacts { facts, begin_at }).await.unwrap();
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
            _ => loop {
                // Another process, as it were: the account is released soon after its store is dropped.
                match PostgresStores::new(self.url.parse().unwrap()).open(&owner(1)).await {
                    Err(StoreError::RunsOn(_)) => tokio::time::sleep(Duration::from_millis(20)).await,
                    opened => break opened,
                }
            },
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

/// Whoever hands a step over may do so again, late, and beside others.
#[tokio::test]
async fn each_step_of_an_approval_is_told_once_in_its_order() {
    use EventKind::{ApprovalDenied, ApprovalGiven, ApprovalWaiting};
    let backends = Backends::new();
    let step = |number: u8, kind, step| EventFact {
        tx: tx(number),
        happened: Happening::Step(kind, step),
        data: format!("{{\"step\":{step}}}"),
    };
    for which in 0..Backends::COUNT {
        let store = backends.open(which).await;
        let log = store.event_log().unwrap();
        state(&store, vec![step(1, ApprovalWaiting, 1)], None).await;
        assert_eq!(told(&store, 0).await, [], "before the first load has ended");
        state(&store, vec![], Some(0)).await;
        state(&store, vec![step(1, ApprovalWaiting, 1), fact(2, Standing::Entered)], None).await;
        state(&store, vec![step(1, ApprovalWaiting, 1), step(1, ApprovalGiven, 2)], None).await;
        state(&store, vec![step(3, ApprovalWaiting, 1), step(1, ApprovalDenied, 3)], None).await;
        state(&store, vec![step(1, ApprovalGiven, 2), step(1, ApprovalDenied, 3)], None).await;
        assert_eq!(log.unconfirmed().await, Ok(vec![tx(2)]));
        drop(store);
        let store = backends.open(which).await;
        state(&store, vec![step(1, ApprovalWaiting, 1), step(3, ApprovalWaiting, 1)], None).await;
        let all = [
            (1, "approval.waiting", 1, 1),
            (2, "deposit.seen", 2, 1),
            (3, "approval.given", 1, 2),
            (4, "approval.waiting", 3, 1),
            (5, "approval.denied", 1, 3),
        ];
        assert_eq!(told(&store, 0).await, all);
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
            ids.iter().map(move |tx| EventFact {
                tx: *tx,
                happened: Happening::Moved(movement, standing),
                data: "{}".to_owned(),
            })
        };
        let first = EventFacts { facts: stated(Standing::Entered).collect(), begin_at: Some(3) };
        store.append_with_events(&changes, &first).await.unwrap();
        // The history was wrong: it is dropped, and comes again.
        store.append(&ChangeSet { forget: true, ..ChangeSet::default() }).await.unwrap();
        let again = EventFacts { facts: stated(Standing::Entered).collect(), begin_at: None };
        store.append_with_events(&changes, &again).await.unwrap();
        assert_eq!(told(&store, 0).await, []);
        // But what becomes of it is.
        let voided = EventFacts { facts: stated(Standing::Voided).take(1).collect(), begin_at: None };
        store.append_with_events(&ChangeSet::default(), &voided).await.unwrap();
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
        assert_eq!(log.sink_or_new([7; 16], u64::MAX).await, Ok(new));
        assert_eq!(log.sink([8; 16]).await, Ok(None));
        // Or with what has come since a time, which matters no more once it has begun.
        let earlier = SinkRecord { key: [9; 16], after: 0, state: vec![] };
        assert_eq!(log.sink_or_new([9; 16], 0).await, Ok(earlier.clone()));
        assert_eq!(log.sink_or_new([9; 16], 1).await, Ok(earlier));
        let had = SinkRecord { key: [7; 16], after: 2, state: vec![5] };
        let delivery = |seq| DeliveryRecord { sink: [7; 16], seq, record: vec![seq as u8] };
        assert_eq!(log.keep_sink(had.clone(), Some(delivery(2))).await, Ok(()));
        log.keep_delivery(delivery(1), None).await.unwrap();
        log.keep_delivery(delivery(2), Some(vec![6])).await.unwrap();
        let had = SinkRecord { state: vec![6], ..had };
        assert_eq!(log.sink([7; 16]).await, Ok(Some(had.clone())));
        assert_eq!(log.deliveries([7; 16]).await, Ok(vec![delivery(2), delivery(1)]));
        // So many are kept.
        let far = SinkRecord { after: 1_002, ..had };
        assert_eq!(log.keep_sink(far, Some(delivery(1_002))).await, Ok(()));
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

/// The wallets of an account in one process.
#[tokio::test]
async fn wallets_that_state_the_same_at_once_tell_it_once() {
    let postgres = Postgres::shared();
    let server = PostgresStores::new(postgres.url().parse().unwrap());
    let open = async || server.open(&owner(1)).await.unwrap().0;
    let stores = [open().await, open().await, open().await];
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
    let of_approval = EventRecord { kind: EventKind::ApprovalSent, ..event.clone() };
    assert_eq!(EventRecord::decode(9, &of_approval.encode()), Ok(of_approval));
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

/// What a log has: its own number, the last event's, events, what is to be confirmed, listeners, deliveries.
type Kept = (Option<u32>, u64, Vec<EventRecord>, Vec<VertexId>, Vec<Option<SinkRecord>>, Vec<DeliveryRecord>);

async fn kept(store: &dyn Store) -> Kept {
    let log = store.event_log().unwrap();
    let (begun, last) = (log.events_begun().await.unwrap(), log.last_event().await.unwrap());
    let mut unconfirmed = log.unconfirmed().await.unwrap();
    unconfirmed.sort();
    let mut sinks = Vec::new();
    for key in [7, 8, 9] {
        sinks.push(log.sink([key; 16]).await.unwrap());
    }
    let events = log.events(0, 100).await.unwrap();
    (begun, last, events, unconfirmed, sinks, log.deliveries([7; 16]).await.unwrap())
}

#[tokio::test]
async fn a_migrated_wallet_tells_on_where_it_was() {
    use Standing::{Confirmed, Entered, Valid, Voided};
    let (dir, back) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let mut vertices = some_vertices(2);
    let gone = *vertices.keys().next().unwrap();
    let entered = |tx| EventFact { tx, ..fact(0, Entered) };
    let delivery = |seq| DeliveryRecord { sink: [7; 16], seq, record: vec![seq as u8; 3] };
    let listener = |key, after, state| SinkRecord { key: [key; 16], after, state };
    let original = {
        let store = DataDir::new(dir.path()).unwrap().open(&owner(1)).await.unwrap().0;
        store.append(&ChangeSet { vertices: vertices.clone(), ..ChangeSet::default() }).await.unwrap();
        state(&store, vec![fact(11, Entered), fact(12, Entered), fact(13, Entered)], Some(0)).await;
        // One is known not to be news, though the history has it no more.
        store.append(&ChangeSet { forget: true, ..ChangeSet::default() }).await.unwrap();
        vertices.remove(&gone);
        store.append(&ChangeSet { vertices, ..ChangeSet::default() }).await.unwrap();
        state(&store, vec![fact(11, Confirmed), fact(12, Voided), fact(12, Valid)], None).await;
        let log = store.event_log().unwrap();
        assert_eq!(log.sink_or_new([8; 16], u64::MAX).await, Ok(listener(8, 6, vec![])));
        assert_eq!(log.keep_sink(listener(7, 4, vec![5]), Some(delivery(4))).await, Ok(()));
        log.keep_delivery(delivery(1), None).await.unwrap();
        kept(&*store).await
    };
    assert!(original.0.is_some());
    assert_eq!((original.1, original.2.len(), &*original.3), (6, 6, &[tx(12), tx(13)][..]));
    assert_eq!(original.4, [Some(listener(7, 4, vec![5])), Some(listener(8, 6, vec![])), None]);
    assert_eq!(original.5, [delivery(4), delivery(1)]);

    let postgres = Postgres::shared();
    let (url, name) = (postgres.url(), owner(1).name());
    let (first, last) = (dir.path().to_str().unwrap(), back.path().to_str().unwrap());
    let taken = |events| {
        let said =
            format!("{name}: 1 transactions and blocks, 0 records of pushes, 0 tasks, {events} events\n");
        (0, said, String::new())
    };
    let others = format!(
        "error: store {name}: is there already with other contents, and is left alone: to take it over, migrate to an empty directory \
         or another schema (?schema=…)\nerror: 1 of 1 wallets failed\n"
    );
    assert_eq!(migrate(first, &url), taken(6));
    // It broke off before the history was there, and goes on; but the log of another is no rest of that.
    postgres.sql(&url, "delete from vertex; update history set others = '', last_event = 7");
    assert_eq!(migrate(first, &url), (1, String::new(), others));
    postgres.sql(&url, "update history set last_event = 6");
    assert_eq!(migrate(first, &url), taken(6));
    let stores = PostgresStores::new(url.parse().unwrap());
    let in_database = stores.open_named(&name).await.unwrap().0;
    assert_eq!(kept(&*in_database).await, original);
    drop(in_database);
    stores.leave_all().await;
    // Those that were let go leave the others their numbers.
    postgres.sql(&url, "delete from event where seq = 1");
    assert_eq!(migrate(&url, last), taken(5));
    let in_database = stores.open_named(&name).await.unwrap().0;
    let in_directory = DataDir::new(back.path()).unwrap().open_named(&name).await.unwrap().0;
    let without_first = (original.0, 6, original.2[1..].to_vec(), original.3, original.4, original.5);
    assert_eq!(kept(&*in_directory).await, without_first);

    for store in [in_database as Arc<dyn Store>, in_directory] {
        let log = store.event_log().unwrap();
        assert_eq!(log.sink_or_new([7; 16], u64::MAX).await, Ok(listener(7, 4, vec![5])));
        assert_eq!(log.sink_or_new([8; 16], u64::MAX).await, Ok(listener(8, 6, vec![])));
        let untold = [(5, "deposit.reverted", 12, 1), (6, "deposit.seen", 12, 2)];
        assert_eq!(told(&store, 4).await, untold);
        let again = vec![entered(gone), fact(11, Entered), fact(11, Confirmed), fact(12, Valid)];
        state(&store, again, Some(0)).await;
        assert_eq!(told(&store, 4).await, untold);
        state(&store, vec![fact(11, Voided), fact(13, Confirmed), fact(12, Voided), fact(12, Valid)], None)
            .await;
        let news = [
            (7, "deposit.reverted", 11, 1),
            (8, "deposit.confirmed", 13, 1),
            (9, "deposit.reverted", 12, 2),
            (10, "deposit.seen", 12, 3),
        ];
        assert_eq!(told(&store, 6).await, news);
        assert_eq!(log.events_begun().await, Ok(original.0));
    }
}
