//! Payments and sends, told by `GET /wallet/events` wherever and whenever somebody listens.

use super::cluster::{PATIENCE, Two};
use super::events::{Listener, Told};
use super::raw::STRANGER;
use super::support::Server;
use crate::postgres::Postgres;
use headless_wallet::ledger::{Address, Amount, Network, Script, VertexId};
use headless_wallet::rt;
use serde_json::{Value, json};
use tempfile::TempDir;

impl Listener {
    /// The next event of those that are kept.
    async fn kept(&mut self) -> Told {
        loop {
            let event = self.next().await.unwrap();
            if event.name.starts_with("deposit.") || event.name.starts_with("send.") {
                assert_eq!(event.data["type"], event.name, "{event:?}");
                return event;
            }
        }
    }
}

/// What is told, without what differs from run to run: the id and the time, which must be as they must be.
fn plain(mut told: Value) -> Value {
    let id = told["id"].take();
    assert!(id.as_str().is_some_and(|id| id.len() == 36 && id.starts_with("evt_")), "{id}");
    let time = told["createdAt"].take().as_u64().unwrap();
    assert!(rt::unix_millis().abs_diff(time) < 600_000, "{time}");
    told.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    told
}

fn address(text: &str) -> Address {
    Address::parse(text, Network::Privatenet).unwrap()
}

/// Pays the genesis wallet's address at an index from outside.
async fn fund(server: &Server, index: u32, amount: u64) -> (VertexId, String) {
    let to = server.address(index).await;
    let id = server.devnet.change(|chain, now| chain.fund(address(&to), Amount::from(amount), now)).unwrap();
    (id, to)
}

fn mine(server: &Server, count: u32) {
    let nobody = Script::Pay { to: Address::p2pkh(Network::Privatenet, [1; 20]), timelock: None };
    for _ in 0..count {
        server.devnet.change(|chain, now| chain.mine_block(nobody.to_bytes().unwrap(), now));
    }
}

#[tokio::test]
async fn a_deposit_is_told_as_seen_and_as_confirmed() {
    let server = Server::with_wallet().await;
    let mut listener = Listener::connect(&server, &[]).await;
    let (id, to) = fund(&server, 3, 250).await;
    let timestamp = server.devnet.read(|chain| chain.vertex(&id).unwrap().timestamp);
    let output = json!({"index": 0, "address": to, "addressIndex": 3, "token": "00", "value": 250});
    let mut data = json!({
        "txId": id.to_string(), "timestamp": timestamp, "amounts": {"00": 250}, "outputs": [output],
    });
    let seen = listener.kept().await;
    assert_eq!(
        plain(seen.data),
        json!({"type": "deposit.seen", "walletId": "genesis", "seq": 1, "data": data})
    );
    // The first one has it, six more must come.
    mine(&server, 6);
    let height = server.devnet.read(|chain| chain.first_block_height(&id)).unwrap();
    let confirmations = format!("/wallet/tx-confirmation-blocks?id={id}");
    while server.read(&confirmations).await["confirmationNumber"] != 5 {
        tokio::task::yield_now().await;
    }
    mine(&server, 1);
    let confirmed = listener.kept().await;
    assert_eq!(server.read(&confirmations).await["confirmationNumber"], 6);
    data["firstBlockHeight"] = json!(height);
    assert_eq!(
        plain(confirmed.data),
        json!({"type": "deposit.confirmed", "walletId": "genesis", "seq": 2, "data": data})
    );
    server.shutdown().await;
}

#[tokio::test]
async fn a_send_is_told_as_pushed_and_as_confirmed() {
    let server = Server::with_wallet_and("events_confirmations = 0").await;
    let mut listener = Listener::connect(&server, &[]).await;
    let outputs = json!([{"address": STRANGER, "value": 70}, {"type": "data", "data": "order 1"}]);
    let sent = server.done("send-tx", json!({"outputs": outputs})).await;
    let pushed = listener.kept().await;
    let told = json!([
        {"index": 0, "address": STRANGER, "token": "00", "value": 70},
        {"index": 1, "token": "00", "value": 1, "data": "order 1"},
    ]);
    let data = &pushed.data["data"];
    assert_eq!((&pushed.name[..], &data["txId"]), ("send.pushed", &sent["hash"]));
    assert_eq!(data["amounts"], json!({"00": -71}));
    let places: Vec<u64> =
        data["outputs"].as_array().unwrap().iter().map(|o| o["index"].as_u64().unwrap()).collect();
    assert_eq!(places.len(), 2, "{data}");
    // Outputs stand in any order, with the change somewhere among them.
    let mut outputs = data["outputs"].as_array().unwrap().clone();
    outputs.sort_by_key(|output| std::cmp::Reverse(output["value"].as_u64()));
    for (index, output) in outputs.iter_mut().enumerate() {
        output["index"] = json!(index);
    }
    assert_eq!(Value::from(outputs), told);
    // In a block is enough here.
    mine(&server, 1);
    let confirmed = listener.kept().await;
    assert_eq!((&confirmed.name[..], &confirmed.data["data"]["txId"]), ("send.confirmed", &sent["hash"]));
    assert_ne!(confirmed.data["id"], pushed.data["id"]);
    server.shutdown().await;
}

#[tokio::test]
async fn what_is_undone_is_told_as_reverted() {
    let server = Server::with_wallet().await;
    let mut listener = Listener::connect(&server, &[]).await;
    let to = server.address(2).await;
    let script = Script::Pay { to: address(&to), timelock: None }.to_bytes().unwrap();
    let block = server.devnet.change(|chain, now| chain.mine_block(script, now));
    let seen = listener.kept().await.data;
    assert_eq!((&seen["type"], &seen["data"]["txId"]), (&json!("deposit.seen"), &json!(block.to_string())));
    server.devnet.change(|chain, _| chain.undo_blocks(1));
    let reverted = listener.kept().await.data;
    assert_eq!(reverted["type"], "deposit.reverted");
    assert_eq!((&reverted["data"], &reverted["seq"]), (&seen["data"], &json!(2)));
    server.shutdown().await;
}

#[tokio::test]
async fn what_came_while_the_server_was_down_is_told_after_its_start_and_a_first_load_never_is() {
    let dir = TempDir::new().unwrap();
    let settings = format!("data_dir = '{}'", dir.path().display());
    let server = Server::start_with(&settings).await;
    // The genesis transaction, and this one, come with the first load.
    let keys = headless_wallet::keys::Mnemonic::parse(super::support::GENESIS_WORDS).unwrap();
    let keys = headless_wallet::keys::AccountKeys::from_mnemonic(&keys, "").public();
    let own = |index: u32| Address::p2pkh(Network::Privatenet, keys.key_hashes(index..index + 1)[0]);
    let fund = |devnet: &headless_wallet::devnet::Devnet, index, amount: u64| {
        devnet.change(|chain, now| chain.fund(own(index), Amount::from(amount), now)).unwrap().to_string()
    };
    fund(&server.devnet, 1, 5);
    server.start_wallet("genesis", json!({"seedKey": "genesis"})).await;
    let mut listener = Listener::connect(&server, &[]).await;
    let first = fund(&server.devnet, 2, 10);
    let seen = listener.kept().await;
    assert_eq!((&seen.data["data"]["txId"], &seen.data["seq"]), (&json!(first), &json!(1)));
    let heard = seen.id.unwrap();
    drop(listener);
    let second = fund(&server.devnet, 3, 20);
    let (ended, devnet) = server.begin_shutdown();
    ended.await.unwrap();
    let missed = fund(&devnet, 4, 40);
    let server = Server::on(devnet, &settings).await;
    server.start_wallet("genesis", json!({"seedKey": "genesis"})).await;
    let mut listener = Listener::connect(&server, &[("last-event-id", &heard)]).await;
    let mut told = Vec::new();
    for _ in 0..2 {
        let event = listener.kept().await.data;
        assert_eq!(event["type"], "deposit.seen");
        told.push((event["seq"].as_u64().unwrap(), event["data"]["txId"].as_str().unwrap().to_owned()));
    }
    assert_eq!(told, [(2, second), (3, missed)]);
    // What was unconfirmed at the end of the first server is confirmed by the second one.
    mine(&server, 7);
    let mut confirmed = Vec::new();
    for _ in 0..3 {
        let event = listener.kept().await.data;
        assert_eq!(event["type"], "deposit.confirmed");
        confirmed.push(event["data"]["txId"].as_str().unwrap().to_owned());
    }
    confirmed.sort();
    let mut all = vec![first, told[0].1.clone(), told[1].1.clone()];
    all.sort();
    assert_eq!(confirmed, all);
    server.shutdown().await;
}

#[tokio::test]
async fn a_listener_without_a_place_to_go_on_hears_what_comes_next() {
    let server = Server::with_wallet().await;
    let (_, _) = fund(&server, 1, 10).await;
    let mut listener = Listener::connect(&server, &[("last-event-id", "00000000.00000000.0-0")]).await;
    let seen = listener.kept().await;
    assert_eq!(seen.data["seq"], 1);
    // Of another log: nobody knows what was missed, so all that is kept is told.
    let mut other = Listener::connect(&server, &[("last-event-id", "00000000.0badcafe.7-0")]).await;
    assert_eq!(other.next().await.unwrap().name, "events:missed");
    assert_eq!(other.kept().await.data, seen.data);
    let mut new = Listener::connect(&server, &[]).await;
    let (next, _) = fund(&server, 2, 20).await;
    for listener in [&mut listener, &mut other, &mut new] {
        assert_eq!(listener.kept().await.data["data"]["txId"], next.to_string());
    }
    server.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listener_goes_on_at_another_server() {
    let two = Two::new_with(0, "").await;
    let own = two.apps[0].wallets().get("w").unwrap().read(|state, _| state.address(0)).unwrap().unwrap();
    let fund = |amount: u64| {
        two.first.devnet.change(|chain, now| chain.fund(own, Amount::from(amount), now)).unwrap().to_string()
    };
    let mut listener = Listener::connect_to(&two.addresses[0], "w", &[]).await;
    let (mut ids, mut told, mut last) = (Vec::new(), Vec::new(), None);
    // From one server to the other and back, and some come while nobody listens.
    for round in 0..6 {
        ids.push(fund(10 + round));
        ids.push(fund(20 + round));
        let seen = listener.kept().await;
        told.push((
            seen.data["seq"].as_u64().unwrap(),
            seen.data["data"]["txId"].clone(),
            seen.data["id"].clone(),
        ));
        last = seen.id.or(last);
        drop(listener);
        ids.push(fund(30 + round));
        let next = usize::from(round % 2 == 0);
        two.move_to(next).await;
        listener =
            Listener::connect_to(&two.addresses[next], "w", &[("last-event-id", last.as_ref().unwrap())])
                .await;
    }
    while told.len() < ids.len() {
        let seen = listener.kept().await;
        told.push((
            seen.data["seq"].as_u64().unwrap(),
            seen.data["data"]["txId"].clone(),
            seen.data["id"].clone(),
        ));
    }
    let seqs: Vec<u64> = told.iter().map(|(seq, ..)| *seq).collect();
    assert_eq!(seqs, (1..=18).collect::<Vec<_>>());
    let mut named: Vec<_> = told.iter().map(|(_, tx, _)| tx.as_str().unwrap().to_owned()).collect();
    named.sort();
    ids.sort();
    assert_eq!(named, ids);
    // Whoever tells them, they are the same.
    drop(listener);
    for server in [0, 1] {
        if server == 1 {
            two.move_to(1).await;
        }
        let address = &two.addresses[server];
        let mut all = Listener::connect_to(address, "w", &[("last-event-id", "x.00000000.0-0")]).await;
        for (seq, _, id) in &told {
            let event = all.kept().await.data;
            assert_eq!((&event["seq"], &event["id"]), (&json!(seq), id));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_is_asked_for_events_no_more_often_than_it_has_news_however_many_listen() {
    let postgres = Postgres::start(None);
    let url = postgres.url();
    postgres.sql(&url, "alter system set log_statement = 'all'");
    postgres.sql(&url, "select pg_reload_conf()");
    let server = Server::with_wallet_and(&format!("store = '{url}'")).await;
    let mut listeners = [Listener::connect(&server, &[]).await, Listener::connect(&server, &[]).await];
    for _ in 0..20 {
        server.done("simple-send-tx", json!({"address": STRANGER, "value": 10})).await;
    }
    for listener in &mut listeners {
        for seq in 1..=20 {
            assert_eq!(listener.kept().await.data["seq"], seq);
        }
    }
    let log = std::fs::read_to_string(format!("{}/log", postgres.dir)).unwrap();
    let asked = log.lines().filter(|line| line.contains("select seq, record from event")).count();
    // Once for each send, and once for each listener as it begins.
    assert!((1..=22).contains(&asked), "{asked} times");
}

/// The notes of a server are older than what a listener has heard elsewhere: also who goes on from one of
/// them is told nothing twice.
#[tokio::test(flavor = "multi_thread")]
async fn who_goes_on_twice_is_told_nothing_twice() {
    let two = Two::new_with(0, "").await;
    let own = two.apps[0].wallets().get("w").unwrap().read(|state, _| state.address(0)).unwrap().unwrap();
    let fund = || two.first.devnet.change(|chain, now| chain.fund(own, Amount::from(10u64), now)).unwrap();
    let mut listener = Listener::connect_to(&two.addresses[0], "w", &[]).await;
    fund();
    let id = listener.kept().await.id.unwrap();
    fund();
    assert_eq!(listener.kept().await.data["seq"], 2);
    drop(listener);
    two.move_to(1).await;
    let mut elsewhere = Listener::connect_to(&two.addresses[1], "w", &[("last-event-id", &id)]).await;
    assert_eq!(elsewhere.kept().await.data["seq"], 2);
    let note = elsewhere.next().await.unwrap();
    assert!(!note.name.starts_with("deposit."), "{note:?}");
    let id = note.id.unwrap();
    let mut again = Vec::new();
    for _ in 0..2 {
        again.push(Listener::connect_to(&two.addresses[1], "w", &[("last-event-id", &id)]).await);
    }
    fund();
    for listener in &mut again {
        assert_eq!(listener.kept().await.data["seq"], 3);
    }
}

/// The database can't be read from the moment at which the next server begins to run the wallet.
#[tokio::test(flavor = "multi_thread")]
async fn who_goes_on_while_the_database_can_not_be_read_hears_all_once_it_can() {
    let two = Two::new_with(0, "").await;
    let own = two.apps[0].wallets().get("w").unwrap().read(|state, _| state.address(0)).unwrap().unwrap();
    let fund = || two.first.devnet.change(|chain, now| chain.fund(own, Amount::from(10u64), now)).unwrap();
    let mut listener = Listener::connect_to(&two.addresses[0], "w", &[]).await;
    fund();
    let id = listener.kept().await.id.unwrap();
    fund();
    assert_eq!(listener.kept().await.data["seq"], 2);
    drop(listener);
    two.sql(
        "create function away() returns trigger language plpgsql as $$ begin \
             alter table history rename to elsewhere; return new; end $$; \
         create trigger away before insert on started for each row execute function away()",
    );
    two.move_to(1).await;
    let go_on = async || {
        let mut listener = Listener::connect_to(&two.addresses[1], "w", &[("last-event-id", &id)]).await;
        let missed = tokio::time::timeout(PATIENCE, listener.next()).await.unwrap().unwrap();
        assert_eq!(missed.name, "events:missed");
        listener
    };
    let mut elsewhere = go_on().await;
    two.sql("alter table elsewhere rename to history");
    fund();
    for seq in 2..=3 {
        let kept = tokio::time::timeout(PATIENCE, elsewhere.kept()).await.unwrap();
        assert_eq!(kept.data["seq"], seq);
    }
    // Where the wallet is stopped meanwhile, nothing comes whose id says that the others were heard.
    two.sql("alter table history rename to elsewhere");
    let mut elsewhere = go_on().await;
    assert_eq!(two.post(1, "/wallet/stop", &Value::Null, None).await, json!({"success": true}));
    assert!(tokio::time::timeout(PATIENCE, elsewhere.next()).await.unwrap().is_none());
}
