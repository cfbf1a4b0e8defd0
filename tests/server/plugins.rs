//! Events told to RabbitMQ and at a WebSocket, as hathor-wallet-headless's plugins do.

use super::events::Listener as Stream;
use super::support::Server;
use amqprs::BasicProperties;
use amqprs::channel::{BasicGetArguments, Channel, QueueDeclareArguments};
use amqprs::connection::{Connection, OpenConnectionArguments};
use futures_util::StreamExt;
use headless_wallet::keys::Mnemonic;
use headless_wallet::ledger::{Address, Amount, Network};
use headless_wallet::server::serve_events;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Longer than anything takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Pays the genesis wallet from outside.
async fn fund(server: &Server, amount: u64) -> String {
    let to = Address::parse(&server.address(1).await, Network::Privatenet).unwrap();
    server.devnet.change(|chain, now| chain.fund(to, Amount::from(amount), now)).unwrap().to_string()
}

/// Waits until so many messages have come to an outcome.
async fn messages(server: &Server, outcome: &str, count: u64) {
    let name = format!("headless_wallet_rabbitmq_messages_total{{outcome=\"{outcome}\"}} ");
    let so_many = async {
        loop {
            let text = server.ask("GET", "/metrics", &[], b"").await.text;
            let value = text.lines().find_map(|line| line.strip_prefix(&name)).unwrap();
            if value.parse::<u64>().unwrap() >= count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, so_many).await.expect("so many messages in time");
}

/// Runs until it is dropped, or the process has ended.
struct Broker(Child);

impl Broker {
    /// With what an earlier one left in the directory.
    async fn start(dir: &Path, ports: [u16; 3]) -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", include_str!("../common/rabbitmq.sh"), "rabbitmq"]).arg(dir);
        command.args(ports.map(|port| port.to_string()));
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let out = process.stdout.take().unwrap();
        let said = tokio::task::spawn_blocking(|| {
            let mut line = String::new();
            BufReader::new(out).read_line(&mut line).unwrap();
            line
        });
        assert_eq!(
            said.await.unwrap(),
            "ready\n",
            "RabbitMQ did not start: scripts/setup rabbitmq installs it"
        );
        Self(process)
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

async fn free_ports() -> [u16; 3] {
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(TcpListener::bind("127.0.0.1:0").await.unwrap());
    }
    [0, 1, 2].map(|place: usize| held[place].local_addr().unwrap().port())
}

/// Somebody at the other end of a queue.
struct Consumer {
    _connection: Connection,
    channel: Channel,
}

impl Consumer {
    async fn connect(port: u16) -> Self {
        let connection = Connection::open(&OpenConnectionArguments::new("127.0.0.1", port, "guest", "guest"))
            .await
            .unwrap();
        let channel = connection.open_channel(None).await.unwrap();
        channel.queue_declare(QueueDeclareArguments::durable_client_named("wallet")).await.unwrap();
        Self { _connection: connection, channel }
    }
    /// The next message, as soon as there is one.
    async fn next(&self) -> (BasicProperties, Value) {
        let got = async {
            loop {
                let asked = BasicGetArguments::new("wallet").no_ack(true).finish();
                if let Some((_, properties, body)) = self.channel.basic_get(asked).await.unwrap() {
                    return (properties, serde_json::from_slice(&body).unwrap());
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, got).await.expect("a message in time")
    }
    /// The next one of an event that is kept until it is told.
    async fn kept(&self) -> (BasicProperties, Value) {
        loop {
            let (properties, body) = self.next().await;
            if body["type"].as_str().unwrap().starts_with("deposit.") {
                return (properties, body);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn events_wait_for_the_broker_and_its_queue_and_outlive_it() {
    let (dir, ports) = (TempDir::new().unwrap(), free_ports().await);
    let settings = format!(
        "enabled_plugins = ['rabbitmq']\nplugin_rabbitmq_url = 'amqp://127.0.0.1:{}'\nplugin_rabbitmq_queue = 'wallet'",
        ports[0]
    );
    let server = Server::with_wallet_and(&settings).await;
    let first = fund(&server, 250).await;
    let broker = Broker::start(dir.path(), ports).await;
    let consumer = Consumer::connect(ports[0]).await;
    let (properties, body) = consumer.kept().await;
    assert_eq!((&body["data"]["txId"], &body["walletId"]), (&json!(first), &json!("genesis")));
    assert_eq!(properties.message_id().map(String::as_str), body["id"].as_str());
    assert_eq!(properties.message_type().map(String::as_str), Some("deposit.seen"));
    assert_eq!(
        (properties.content_type().map(String::as_str), properties.delivery_mode()),
        (Some("application/json"), Some(2))
    );
    // What is not kept is told, too, as it comes.
    let second = fund(&server, 70).await;
    let (mut kept, mut new) = (None, None);
    while kept.is_none() || new.is_none() {
        let (properties, body) = consumer.next().await;
        match body["type"].as_str().unwrap() {
            "deposit.seen" => kept = Some(body["data"]["txId"].clone()),
            "wallet:new-tx" if body["data"]["tx_id"] == json!(second) => {
                assert_eq!(properties.message_id(), None);
                new = Some(body["walletId"].clone());
            }
            _ => {}
        }
    }
    assert_eq!((kept, new), (Some(json!(second)), Some(json!("genesis"))));
    // Known to be taken: what a broker was killed with may come twice.
    messages(&server, "taken", 2).await;
    // It is killed, and started again with what it has on its disk.
    drop((consumer, broker));
    let third = fund(&server, 30).await;
    let _broker = Broker::start(dir.path(), ports).await;
    let consumer = Consumer::connect(ports[0]).await;
    // What it was killed with may be given once more: that it was taken is not on its disk.
    let mut given = consumer.kept().await.1["data"]["txId"].clone();
    while given != json!(third) {
        assert!([json!(first), json!(second)].contains(&given), "{given}");
        given = consumer.kept().await.1["data"]["txId"].clone();
    }
    server.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_queue_takes_is_published_again_until_one_does() {
    let (dir, ports) = (TempDir::new().unwrap(), free_ports().await);
    let _broker = Broker::start(dir.path(), ports).await;
    let settings = format!(
        "enabled_plugins = ['rabbitmq']\nplugin_rabbitmq_url = 'amqp://127.0.0.1:{}/%2F'\n\
         plugin_rabbitmq_exchange = 'amq.direct'\nplugin_rabbitmq_routing_key = 'shop'",
        ports[0]
    );
    let server = Server::with_wallet_and(&settings).await;
    let first = fund(&server, 250).await;
    messages(&server, "failed", 1).await;
    let consumer = Consumer::connect(ports[0]).await;
    let binding = amqprs::channel::QueueBindArguments::new("wallet", "amq.direct", "shop");
    consumer.channel.queue_bind(binding).await.unwrap();
    assert_eq!(consumer.kept().await.1["data"]["txId"], json!(first));
    server.shutdown().await;
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// The next event that is one of these.
async fn told(socket: &mut Socket, wanted: &[&str]) -> Value {
    let next = async {
        loop {
            let Message::Text(text) = socket.next().await.expect("an event").unwrap() else { continue };
            let event: Value = serde_json::from_str(&text).unwrap();
            if wanted.contains(&event["type"].as_str().unwrap()) {
                return event;
            }
        }
    };
    tokio::time::timeout(PATIENCE, next).await.expect("an event in time")
}

async fn open(port: u16, headers: &[(&'static str, &str)]) -> Result<Socket, u16> {
    let mut request = format!("ws://127.0.0.1:{port}/").into_client_request().unwrap();
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    match connect_async(request).await {
        Ok((socket, _)) => Ok(socket),
        Err(Error::Http(response)) => Err(response.status().as_u16()),
        Err(other) => panic!("{other}"),
    }
}

#[tokio::test]
async fn the_websocket_tells_of_the_wallets_that_a_listener_may_read() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = Server::with_wallet_and(&format!("enabled_plugins = ['ws']\nplugin_ws_port = {port}")).await;
    let serving = tokio::spawn(serve_events(listener, server.app.clone()));
    assert_eq!(open(port, &[("origin", "https://evil.example")]).await.err(), Some(403));
    assert_eq!(open(port, &[("host", "evil.example")]).await.err(), Some(403));
    let mut leaving = open(port, &[]).await.unwrap();
    leaving.close(None).await.unwrap();
    assert_eq!(
        leaving.next().await.unwrap().unwrap(),
        Message::Close(None),
        "who goes gets an answer to that"
    );
    let mut socket = open(port, &[]).await.unwrap();
    let id = fund(&server, 250).await;
    // In whichever order: one of them is told when it is in the store.
    let (mut new, mut seen) = (None, None);
    while new.is_none() || seen.is_none() {
        let event = told(&mut socket, &["wallet:new-tx", "deposit.seen"]).await;
        assert_eq!(event["walletId"], json!("genesis"));
        match event["type"] == "deposit.seen" {
            true => seen = Some(event["data"]["txId"].clone()),
            false => new = Some(event["data"]["tx_id"].clone()),
        }
    }
    assert_eq!((new, seen), (Some(json!(id)), Some(json!(id))));
    assert_eq!(server.call("stop", json!({})).await.status, 200);
    let closed = told(&mut socket, &["wallet:state-change"]).await;
    assert_eq!((&closed["walletId"], &closed["data"]), (&json!("genesis"), &json!(0)));
    server.shutdown().await;
    while let Some(Ok(_)) = socket.next().await {}
    serving.await.unwrap();
}

/// As `onNewTx` of `@hathor/wallet-lib` 2.15 has it: `new-tx` for what is not known yet, `update-tx` each
/// time that the node tells of it again. A node tells of a transaction once for each of its addresses, at
/// least.
#[tokio::test]
async fn plugins_of_release_0_39_are_told_what_it_tells_them() {
    const NEW: &str = "wallet:new-tx";
    const UPDATED: &str = "wallet:update-tx";
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let settings = format!("compat = '0.39'\nenabled_plugins = ['ws']\nplugin_ws_port = {port}");
    let server = Server::with_wallet_and(&settings).await;
    server.start_wallet("shop", json!({"seed": Mnemonic::generate().unwrap().words()})).await;
    let serving = tokio::spawn(serve_events(listener, server.app.clone()));
    let mut socket = open(port, &[]).await.unwrap();
    let mut stream = Stream::connect_to(&server.address, "shop", &[]).await;

    let shop = ("x-wallet-id", "shop");
    let mut outputs = Vec::new();
    for index in 1..=3 {
        let path = format!("/wallet/address?index={index}");
        let address = server.ask("GET", &path, &[shop], b"").await.json()["address"].take();
        outputs.push(json!({"address": address, "value": index}));
    }
    let sent = server.done("send-tx", json!({"outputs": outputs})).await;
    let paid_in = json!(sent["hash"]);
    // What can be spent only from the next second on has no event.
    while server.ask("GET", "/wallet/balance", &[shop], b"").await.json()["available"] != 6 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let outputs = json!({"outputs": [{"address": server.address(0).await, "value": 6}]});
    let sent = server.post("/wallet/send-tx", Some("shop"), &outputs).await.json();
    let paid_out = json!(sent["hash"]);
    assert_eq!(sent["success"], true, "{sent}");

    // The payment is told of for each of its three addresses; the send for each of the three that it spends
    // from, and when it is pushed.
    let mut kinds = std::collections::BTreeSet::new();
    let mut told = [Vec::new(), Vec::new()];
    let end = tokio::time::Instant::now() + PATIENCE;
    while told.iter().zip([3, 4]).any(|(told, count): (&Vec<String>, _)| told.len() < count) {
        let next = tokio::time::timeout_at(end, socket.next()).await;
        let next = next.unwrap_or_else(|_| panic!("{told:?}, and other events: {kinds:?}"));
        let Message::Text(text) = next.expect("an event").unwrap() else { continue };
        let event: Value = serde_json::from_str(&text).unwrap();
        let kind = event["type"].as_str().unwrap();
        kinds.insert(kind.to_owned());
        if event["walletId"] != "shop" {
            continue;
        }
        for (told, of) in told.iter_mut().zip([&paid_in, &paid_out]) {
            if event["data"]["tx_id"] == *of {
                assert!(event["balance"]["00"].is_object(), "{event}");
                told.push(kind.to_owned());
            }
        }
    }
    assert_eq!(told[0][..3], [NEW, UPDATED, UPDATED]);
    assert_eq!(told[1][..4], [NEW, UPDATED, UPDATED, UPDATED]);
    let of_release = [
        NEW,
        UPDATED,
        "wallet:state-change",
        "wallet:load-partial-update",
        "node:state-change",
        "node:best-block-update",
    ];
    assert!(kinds.iter().all(|kind| of_release.contains(&&**kind)), "{kinds:?}");

    // Those who listen otherwise are told each change once, and of deposits and sends.
    let mut of_payment = Vec::new();
    loop {
        let event = stream.next().await.unwrap();
        if event.data["data"]["tx_id"] == paid_in {
            of_payment.push(event.name.clone());
        }
        if event.name == "send.pushed" {
            break;
        }
    }
    assert!(of_payment.starts_with(&[NEW.to_owned()]) && of_payment.len() <= 2, "{of_payment:?}");
    drop(socket);
    server.shutdown().await;
    stream.end().await;
    serving.await.unwrap();
}

#[tokio::test]
async fn the_websocket_asks_for_a_key_where_the_server_does() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let hash = |key: &str| hex::encode(<sha2::Sha256 as sha2::Digest>::digest(key));
    let key = |name: &str, rights: &str, wallet: &str| {
        let hash = hash(&format!("hwk_{name}"));
        format!("keys.{name} = {{ hash = '{hash}', rights = ['{rights}'], wallets = ['{wallet}'] }}\n")
    };
    let keys = key("reader", "read", "genesis") + &key("sender", "send", "*");
    let server = Server::start_with(&format!("{keys}enabled_plugins = 'ws'")).await;
    let serving = tokio::spawn(serve_events(listener, server.app.clone()));
    assert_eq!(open(port, &[]).await.err(), Some(401));
    assert_eq!(open(port, &[("x-api-key", "wrong")]).await.err(), Some(401));
    assert_eq!(open(port, &[("x-api-key", "hwk_sender")]).await.err(), Some(403));
    assert!(open(port, &[("x-api-key", "hwk_reader")]).await.is_ok());
    server.shutdown().await;
    serving.await.unwrap();
}
