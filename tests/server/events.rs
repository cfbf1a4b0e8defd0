//! `GET /wallet/events`: what happens to a wallet, as it happens.

use super::support::Server;
use headless_wallet::ledger::{Address, Network, Script};
use headless_wallet::wallet::Event;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};

/// A listener's connection.
pub(super) struct Listener(BufReader<TcpStream>);

/// One event as it is told: its id, its name and its data.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) data: Value,
}

impl Told {
    /// The number in its id.
    fn number(&self) -> u64 {
        self.id.as_ref().and_then(|id| id.split_once('-')).unwrap().1.parse().unwrap()
    }
}

impl Listener {
    pub(super) async fn connect(server: &Server, headers: &[(&str, &str)]) -> Self {
        Self::connect_to(&server.address, "genesis", headers).await
    }

    pub(super) async fn connect_to(address: &str, wallet: &str, headers: &[(&str, &str)]) -> Self {
        let mut request = format!("GET /wallet/events HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n");
        for (name, value) in [("x-wallet-id", wallet)].iter().chain(headers) {
            request += &format!("{name}: {value}\r\n");
        }
        // Little waits in the connection of a listener that doesn't read.
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4_096).unwrap();
        let mut connection = socket.connect(address.parse().unwrap()).await.unwrap();
        connection.write_all((request + "\r\n").as_bytes()).await.unwrap();
        let mut listener = Self(BufReader::new(connection));
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(listener.0.read_line(&mut head).await.unwrap(), 0, "{head}");
        }
        let head = head.to_ascii_lowercase();
        assert!(
            head.starts_with("http/1.1 200") && head.contains("content-type: text/event-stream"),
            "{head}"
        );
        listener
    }

    /// The next event; `None` at the end.
    pub(super) async fn next(&mut self) -> Option<Told> {
        let (mut id, mut name) = (None, None);
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).await.unwrap_or(0) == 0 {
                return None;
            }
            // Lines that say how long a chunk is are passed over.
            match line.trim_end().split_once(": ") {
                Some(("id", text)) => id = Some(text.to_owned()),
                Some(("event", text)) => name = Some(text.to_owned()),
                Some(("data", text)) => {
                    let data = serde_json::from_str(text).unwrap();
                    return Some(Told { id, name: name.unwrap(), data });
                }
                _ => {}
            }
        }
    }

    /// The next event of a name.
    pub(super) async fn find(&mut self, name: &str) -> Told {
        loop {
            let event = self.next().await.unwrap();
            assert_eq!(event.data["type"], event.name, "{event:?}");
            assert_eq!(event.data["walletId"], "genesis", "{event:?}");
            if event.name == name {
                return event;
            }
        }
    }
}

#[tokio::test]
async fn a_send_is_told_with_what_it_does_to_the_wallet() {
    let server = Server::with_wallet().await;
    let mut listener = Listener::connect(&server, &[]).await;
    let to = "WPynsVhyU6nP7RSZAkqfijEutC88KgAyFc";
    let sent = server.done("simple-send-tx", json!({"address": to, "value": 70})).await;
    // The node may tell of what was spent before or after the wallet takes its own transaction in.
    let mut updated = false;
    let event = loop {
        let event = listener.next().await.unwrap();
        updated |= event.name == "wallet:update-tx";
        if event.name == "wallet:new-tx" {
            break event;
        }
    };
    assert_eq!(event.data["data"]["tx_id"], sent["hash"]);
    let none = json!({"locked": 0, "unlocked": 0});
    assert_eq!(
        event.data["balance"],
        json!({"00": {
            "tokens": {"locked": 0, "unlocked": -70}, "authorities": {"mint": none, "melt": none},
        }})
    );
    let script = Script::Pay { to: Address::p2pkh(Network::Privatenet, [1; 20]), timelock: None };
    let script = script.to_bytes().unwrap();
    server.devnet.change(|chain, now| chain.mine_block(script.clone(), now));
    let height = server.devnet.read(|chain| chain.best_block().1);
    let mut block = None;
    while block.is_none() || !updated {
        let event = listener.next().await.unwrap();
        match &*event.name {
            "node:best-block-update" => block = Some(event.data["data"].clone()),
            "wallet:update-tx" => updated |= event.data["data"]["tx_id"] == sent["inputs"][0]["tx_id"],
            _ => {}
        }
    }
    assert_eq!(block.unwrap(), height);

    let stopped = server.post("/wallet/stop", Some("genesis"), &json!({})).await;
    assert_eq!(stopped.json(), json!({"success": true}));
    let event = listener.find("wallet:state-change").await;
    assert_eq!((&event.data["data"], &event.data["stateName"]), (&json!(0), &json!("Closed")));
    assert!(listener.next().await.is_none(), "the end of the wallet is the end of the stream");
    server.shutdown().await;
}

#[tokio::test]
async fn a_listener_hears_how_far_loading_has_come() {
    let server = Server::start().await;
    for mode in ["polling_http_api", "manual_stream_ws"] {
        let body = json!({
            "wallet-id": "genesis", "seedKey": "genesis", "history_sync_mode": mode,
            "scanPolicy": "index-limit", "policyStartIndex": 1, "policyEndIndex": 60,
        });
        assert_eq!(server.post("/start", None, &body).await.parts(), (200, json!({"success": true})));
        let mut listener = Listener::connect(&server, &[("last-event-id", "00000000-0")]).await;
        let mut last = 0;
        while last < 60 {
            let data = listener.find("wallet:load-partial-update").await.data["data"].take();
            let found = data["addressesFound"].as_u64().unwrap();
            assert!(found >= last, "{found} after {last}");
            // The genesis transaction pays the address at index 1, which is read first.
            assert_eq!(data["historyLength"], u64::from(found > 0), "{data}");
            assert_eq!(data["estimatedEnd"].is_u64(), (1..60).contains(&found), "{data}");
            last = found;
        }
        assert_eq!(server.app.wallets().get("genesis").unwrap().ready().await.phase.to_string(), "Ready");
        let stopped = server.post("/wallet/stop", Some("genesis"), &json!({})).await;
        assert_eq!(stopped.json(), json!({"success": true}));
    }
    server.shutdown().await;
}

#[tokio::test]
async fn a_listener_goes_on_where_it_was_cut_off() {
    let server = Server::with_wallet().await;
    let mut listener = Listener::connect(&server, &[]).await;
    let send = async || {
        server.done("send-tx", json!({"outputs": [{"type": "data", "data": "x"}]})).await["hash"].clone()
    };
    let first = send().await;
    let seen = listener.find("wallet:new-tx").await;
    assert_eq!(seen.data["data"]["tx_id"], first);
    drop(listener);
    let missed = [send().await, send().await];
    let id = seen.id.unwrap();
    let mut listener = Listener::connect(&server, &[("last-event-id", &id)]).await;
    for hash in missed {
        assert_eq!(listener.find("wallet:new-tx").await.data["data"]["tx_id"], hash);
    }

    // An id of another journal: all that is kept is told, from the wallet's start on.
    let mut listener = Listener::connect(&server, &[("last-event-id", "00000000-5")]).await;
    let event = listener.next().await.unwrap();
    assert_eq!(
        (event.name.as_str(), &event.data),
        ("events:missed", &json!({"type": "events:missed", "walletId": "genesis", "data": null}))
    );
    let mut states = Vec::new();
    while states.last() != Some(&json!("Ready")) {
        states.push(listener.find("wallet:state-change").await.data["stateName"].clone());
    }
    assert_eq!(listener.find("wallet:new-tx").await.data["data"]["tx_id"], first, "the load is no news");
    server.shutdown().await;
    let rest = async { while listener.next().await.is_some() {} };
    tokio::time::timeout(Duration::from_secs(30), rest).await.expect("streams end with the server");
}

#[tokio::test]
async fn a_listener_that_reads_too_slowly_is_told_how_many_it_missed() {
    const BLOCKS: usize = 30;
    let server = Server::with_wallet().await;
    let to = server.address(3).await;
    let outputs = vec![json!({"address": to, "value": 1}); 250];
    let large = server.done("send-tx", json!({"outputs": outputs})).await;
    let coins =
        large["outputs"].as_array().unwrap().iter().zip(0..).filter(|(output, _)| output["value"] == 1);
    let mut listener = Listener::connect(&server, &[]).await;
    // From here on it doesn't read. Each of these changes what takes 90 kB to tell, so that its connection is
    // soon full.
    for (_, index) in coins.take(80) {
        let input = json!({"hash": large["hash"], "index": index});
        let data = json!({"type": "data", "data": "x"});
        server.done("send-tx", json!({"inputs": [input], "outputs": [data]})).await;
    }
    // Rewards that come and go, until the oldest events that it hasn't seen are no longer kept.
    let mut events = server.app.wallets().get("genesis").unwrap().events();
    let reward = Script::Pay { to: Address::parse(&to, Network::Privatenet).unwrap(), timelock: None };
    let reward = reward.to_bytes().unwrap();
    for _ in 0..40 {
        server.devnet.change(|chain, now| {
            for _ in 0..BLOCKS {
                chain.mine_block(reward.clone(), now);
            }
            chain.undo_blocks(BLOCKS as u32);
        });
        let mut undone = 0;
        while undone < BLOCKS {
            let event = events.recv().await.unwrap();
            undone += usize::from(matches!(event, Event::UpdatedVertex { voided: Some(true), .. }));
        }
    }
    let mut last = listener.next().await.unwrap().number();
    let missed = loop {
        let event = listener.next().await.unwrap();
        if event.name == "events:missed" {
            break event;
        }
        assert_eq!(event.number(), last + 1);
        last += 1;
    };
    let count = missed.data["data"].as_u64().unwrap();
    assert_eq!(missed.data, json!({"type": "events:missed", "walletId": "genesis", "data": count}));
    assert_eq!(missed.number(), last + count, "its id stands for all of them");
    assert_eq!(listener.next().await.unwrap().number(), last + count + 1);
    server.shutdown().await;
}
