//! The socket: every recorded frame is understood, nothing is lost, and a dead connection is noticed.

use crate::recorded::{assert_same, assert_tame, wild};
use crate::server::address;
use futures_util::{SinkExt, StreamExt};
use headless_wallet::ledger::Address;
use headless_wallet::net::HttpClient;
use headless_wallet::node::{
    CallError, Fault, FullNode, NodeEvent, NodeSocket, Service, StreamEvent, SubscribeRefusal,
    SubscribeRefusalKind,
};
use headless_wallet::rt;
use serde_json::Value;
use std::future::Future;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

const FRAMES: &str = include_str!("../recordings/clients/frames.jsonl");
const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(50);

pub type Peer = WebSocketStream<TcpStream>;

/// A node for one connection, whose side `talk` speaks.
pub async fn node<F>(talk: impl FnOnce(Peer) -> F + Send + 'static) -> (FullNode, String)
where
    F: Future<Output = ()> + Send,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        talk(tokio_tungstenite::accept_async(stream).await.unwrap()).await;
    });
    (FullNode::new(HttpClient::shared(), &format!("http://{at}/v1a/")).unwrap(), format!("ws://{at}/v1a/ws/"))
}

pub async fn say(peer: &mut Peer, text: &str) {
    peer.send(Message::text(text)).await.unwrap();
}

pub async fn hear(peer: &mut Peer) -> String {
    peer.next().await.unwrap().unwrap().into_text().unwrap().to_string()
}

pub fn failure(url: String, fault: Fault) -> CallError {
    CallError { service: Service::FullNode, url, fault }
}

/// What the frame should be understood as.
fn assert_event(event: &NodeEvent, json: &Value) {
    let text = |field: &str| json[field].as_str().unwrap_or_default().to_owned();
    match event {
        NodeEvent::Capabilities { history_streaming } => {
            assert_eq!(text("type"), "capabilities");
            assert!(history_streaming);
        }
        NodeEvent::Subscribed { address } => {
            assert_eq!((text("type").as_str(), json["success"].as_bool()), ("subscribe_address", Some(true)));
            assert_eq!(address.to_string(), text("address"));
        }
        NodeEvent::SubscribeRefused { address, refusal } => {
            assert_eq!(
                (text("type").as_str(), json["success"].as_bool()),
                ("subscribe_address", Some(false))
            );
            assert_eq!(address.map(|a| a.to_string()).unwrap_or_default(), text("address"));
            assert_eq!(refusal.message, text("message"));
            let empty = refusal.message.contains("empty addresses");
            let kind =
                if empty { SubscribeRefusalKind::EmptyAddresses } else { SubscribeRefusalKind::Addresses };
            assert_eq!(refusal.kind, kind);
        }
        NodeEvent::Stream(StreamEvent::Vertex { seq, vertex }) => {
            assert_eq!((text("type").as_str(), Some(*seq)), ("stream:history:vertex", json["seq"].as_u64()));
            assert_same(vertex, &json["data"]);
        }
        NodeEvent::Stream(StreamEvent::Address { seq, index, address }) => {
            assert_eq!((text("type").as_str(), Some(*seq)), ("stream:history:address", json["seq"].as_u64()));
            assert_eq!(
                (Some(u64::from(*index)), address.to_string()),
                (json["index"].as_u64(), text("address"))
            );
        }
        NodeEvent::Stream(_) => assert!(text("type").starts_with("stream:"), "{json}"),
        NodeEvent::Vertex { address, vertex } => {
            assert_eq!(text("type"), "wallet:address_history");
            assert_eq!(address.to_string(), text("address"));
            assert_same(vertex, &json["history"]);
        }
        NodeEvent::BestHeight(height) => {
            assert_eq!(text("type"), "dashboard:metrics");
            assert_eq!(u64::from(*height), json["best_block_height"].as_u64().unwrap());
        }
        NodeEvent::NewTransaction { id, is_block } => {
            assert_eq!(text("type"), "network:new_tx_accepted");
            assert_eq!((id.to_string(), Some(*is_block)), (text("tx_id"), json["is_block"].as_bool()));
        }
    }
}

/// What a node says with these frames before it closes the connection.
async fn events_of(frames: Vec<String>) -> Vec<NodeEvent> {
    let (node, url) = node(async move |mut peer: Peer| {
        for frame in &frames {
            say(&mut peer, frame).await;
        }
        peer.close(None).await.unwrap();
    })
    .await;
    let mut socket = NodeSocket::connect(&node).await.unwrap();
    let mut events = Vec::new();
    let end = loop {
        match socket.recv().await {
            Ok(event) => events.push(event),
            Err(end) => break end,
        }
    };
    assert_eq!(end, failure(url, Fault::Broken("closed by the node".to_owned())));
    events
}

#[tokio::test]
async fn recorded_frames_are_understood() {
    let events = events_of(FRAMES.lines().map(str::to_owned).collect()).await;
    let told = |json: &Value| {
        let kind = json["type"].as_str().unwrap().to_owned();
        let no_address = json["address"].as_str().is_some_and(|text| Address::parse_any(text).is_err());
        !["pong", "error", "unsubscribe_address"].contains(&kind.as_str()) && !no_address
    };
    let frames: Vec<Value> =
        FRAMES.lines().map(|line| serde_json::from_str(line).unwrap()).filter(told).collect();
    assert_eq!(events.len(), frames.len());
    for (event, json) in events.iter().zip(&frames) {
        assert_event(event, json);
    }
}

#[tokio::test]
async fn members_of_a_frame_come_in_any_order_and_spacing() {
    let json: Vec<Value> = FRAMES.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let as_recorded: Vec<_> = FRAMES.lines().map(str::to_owned).collect();
    for (kind, count) in [("vertex", 12), ("address", 20)] {
        let start = format!(r#"{{"type":"stream:history:{kind}""#);
        assert_eq!(as_recorded.iter().filter(|frame| frame.starts_with(&start)).count(), count);
    }
    let spaced = as_recorded.iter().map(|frame| frame.replace("\"type\":\"", "\"type\": \"")).collect();
    // Sorted, so that the type comes last.
    let sorted = json.iter().map(Value::to_string).collect();
    let pretty = json.iter().map(|json| serde_json::to_string_pretty(json).unwrap()).collect();
    let events = events_of(as_recorded).await;
    for other in [spaced, sorted, pretty] {
        assert_eq!(events_of(other).await, events);
    }
}

#[test]
fn refusals_of_every_wording_are_sorted() {
    use SubscribeRefusalKind::{Addresses, EmptyAddresses, Other};
    for (message, kind) in [
        ("Reached maximum number of subscribed empty addresses (40).", EmptyAddresses),
        ("Reached maximum number of subscribed addresses without output (40).", EmptyAddresses),
        ("Reached maximum number of subscribed addresses without output", EmptyAddresses),
        ("Reached maximum number of subscribed addresses (3).", Addresses),
        ("Invalid address: zz", Other),
        ("", Other),
    ] {
        let refusal = SubscribeRefusal::of_message(message);
        assert_eq!(refusal, SubscribeRefusal { kind, message: message.to_owned() });
        assert_eq!(refusal.to_string(), message);
    }
}

#[tokio::test]
async fn subscriptions_reach_the_node() {
    let (node, _) = node(async |mut peer: Peer| {
        let address = address(1);
        let subscribe = format!(r#"{{"type":"subscribe_address","address":"{address}"}}"#);
        assert_eq!(hear(&mut peer).await, subscribe);
        say(&mut peer, &format!(r#"{{"type":"subscribe_address","address":"{address}","success":true}}"#))
            .await;
        assert_eq!(hear(&mut peer).await, subscribe.replace("subscribe", "unsubscribe"));
        say(&mut peer, r#"{"type":"dashboard:metrics","best_block_height":7}"#).await;
        assert!(matches!(peer.next().await, Some(Ok(Message::Close(_)))));
    })
    .await;
    let mut socket = NodeSocket::connect(&node).await.unwrap();
    socket.subscribe(&address(1));
    assert_eq!(socket.recv().await, Ok(NodeEvent::Subscribed { address: address(1) }));
    socket.unsubscribe(&address(1));
    assert_eq!(socket.recv().await, Ok(NodeEvent::BestHeight(7)));
    socket.close().await;
}

#[tokio::test]
async fn any_number_of_subscriptions_passes() {
    // More than both sides' buffers hold, with a node that answers each before it reads the next.
    const COUNT: u32 = 50_000;
    let (node, _) = node(async |mut peer: Peer| {
        for _ in 0..COUNT {
            let answer = hear(&mut peer).await.replace('}', r#","success":true,"more":"PADDING"}"#);
            say(&mut peer, &answer.replace("PADDING", &"x".repeat(200))).await;
        }
    })
    .await;
    let mut socket = NodeSocket::connect(&node).await.unwrap().with_keep_alive(LONG, LONG);
    for _ in 0..COUNT {
        socket.subscribe(&address(2));
    }
    for _ in 0..COUNT {
        assert_eq!(socket.recv().await, Ok(NodeEvent::Subscribed { address: address(2) }));
    }
}

#[tokio::test]
async fn nothing_is_lost_when_waiting_is_given_up() {
    let (node, _) = node(async |mut peer: Peer| {
        for height in 0..500 {
            say(&mut peer, &format!(r#"{{"type":"dashboard:metrics","best_block_height":{height}}}"#)).await;
            if height % 50 == 0 {
                tokio::task::yield_now().await;
            }
        }
        std::future::pending::<()>().await;
    })
    .await;
    let mut socket = NodeSocket::connect(&node).await.unwrap();
    let mut heights = Vec::new();
    while heights.len() < 500 {
        if let Ok(event) = rt::timeout(Duration::ZERO, socket.recv()).await {
            heights.push(event.unwrap());
        }
        tokio::task::yield_now().await;
    }
    assert_eq!(heights, (0..500).map(NodeEvent::BestHeight).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_quiet_connection_is_kept_alive() {
    let (node, url) = node(async |mut peer: Peer| {
        for _ in 0..3 {
            assert_eq!(hear(&mut peer).await, r#"{"type":"ping"}"#);
            say(&mut peer, r#"{"type":"pong"}"#).await;
        }
        peer.close(None).await.unwrap();
    })
    .await;
    let mut socket = NodeSocket::connect(&node).await.unwrap().with_keep_alive(SHORT, LONG);
    assert_eq!(
        socket.recv().await,
        Err(failure(url, Fault::Broken("closed by the node".to_owned()))),
        "after three pings and pongs"
    );
}

#[tokio::test]
async fn a_dead_connection_is_noticed() {
    let (node, url) = node(async |peer: Peer| {
        let _held = peer;
        std::future::pending::<()>().await;
    })
    .await;
    let mut socket = NodeSocket::connect(&node).await.unwrap().with_keep_alive(SHORT, SHORT);
    let dead = socket.recv().await.unwrap_err();
    assert_eq!(dead, failure(url.clone(), Fault::TimedOut(SHORT)));
    assert_eq!(
        dead.to_string(),
        format!(
            "full node {url}: did not answer within 0.05 s: check that it runs and that `server` is right"
        )
    );
}

#[tokio::test]
async fn what_came_in_time_is_read_even_late() {
    let (pinged, ping) = tokio::sync::oneshot::channel();
    let (node, _) = node(async |mut peer: Peer| {
        assert_eq!(hear(&mut peer).await, r#"{"type":"ping"}"#);
        pinged.send(()).unwrap();
        say(&mut peer, r#"{"type":"dashboard:metrics","best_block_height":7}"#).await;
        std::future::pending::<()>().await;
    })
    .await;
    let mut socket = NodeSocket::connect(&node).await.unwrap().with_keep_alive(SHORT, SHORT);
    tokio::select! {
        biased;
        seen = ping => seen.unwrap(),
        event = socket.recv() => panic!("{event:?}"),
    }
    // Its owner is busy for longer than the pong may take, and nothing else runs meanwhile.
    std::thread::sleep(SHORT * 6);
    assert_eq!(socket.recv().await, Ok(NodeEvent::BestHeight(7)));
}

#[tokio::test]
async fn frames_that_are_not_as_documented_end_the_connection() {
    for (frame, what) in [
        ("hello", "WebSocket frame: expected value at line 1 column 1"),
        (
            r#"{"type":"wallet:address_history","address":"WTjhJXzQJETVx7BVXdyZmvk396DRRsubdw","history":{}}"#,
            "wallet:address_history frame: `history`: missing field `tx_id` at line 1 column 2",
        ),
        (r#"{"type":"subscribe_address","success":true}"#, "subscribe_address frame: no `address`"),
        (r#"{"type":"stream:history:vertex","seq":1}"#, "stream:history:vertex frame: no `data`"),
        (
            r#"{"type":"stream:history:vertex","seq":1,"data":{"tx_id":"00"}}"#,
            "stream:history:vertex frame: `data`: expected 64 hexadecimal digits at line 1 column 13",
        ),
        (
            r#"{"type":"stream:history:vertex","seq":1,"type":"pong"}"#,
            "WebSocket frame: duplicate field `type` at line 1 column 46",
        ),
    ] {
        let (node, url) = node(async move |mut peer: Peer| {
            say(&mut peer, r#"{"type":"news","address":7}"#).await;
            say(&mut peer, frame).await;
            std::future::pending::<()>().await;
        })
        .await;
        let mut socket = NodeSocket::connect(&node).await.unwrap();
        assert_eq!(socket.recv().await, Err(failure(url, Fault::InvalidAnswer(what.to_owned()))));
    }
}

#[tokio::test]
async fn connecting_to_what_is_no_node() {
    let origin = crate::server::nobody().await;
    let node = FullNode::new(HttpClient::shared(), &origin).unwrap();
    let url = format!("{}/ws/", origin.replace("http", "ws"));
    let refused = Fault::Unreachable("Connection refused".to_owned());
    assert_eq!(NodeSocket::connect(&node).await.err(), Some(failure(url, refused)));

    let server = crate::server::Server::script(vec![crate::server::ok("<html></html>")]).await;
    let url = format!("{}/v1a/ws/", server.origin.replace("http", "ws"));
    let page = Fault::Unreachable("HTTP error: 200 OK".to_owned());
    assert_eq!(NodeSocket::connect(&server.node()).await.err(), Some(failure(url, page)));
}

#[tokio::test]
async fn addresses_of_any_network_are_read() {
    let mainnet = "HBCQgVR8Xsyv1BLDjf9NJPK1Hwg4rKUh62";
    let (node, _) = node(async move |mut peer: Peer| {
        let frame = format!(r#"{{"type":"subscribe_address","address":"{mainnet}","success":true}}"#);
        say(&mut peer, &frame).await;
        std::future::pending::<()>().await;
    })
    .await;
    let mut socket = NodeSocket::connect(&node).await.unwrap();
    let address = Address::parse_any(mainnet).unwrap();
    assert_eq!(socket.recv().await, Ok(NodeEvent::Subscribed { address }));
}

#[tokio::test]
async fn pongs_that_the_node_does_not_read_do_not_pile_up() {
    const PINGS: usize = 1 << 20;
    const MOST_KEPT: usize = 24 << 20;
    let (answers, counted) = tokio::sync::oneshot::channel();
    let (node, _) = node(async move |peer| {
        let mut stream = peer.into_inner();
        let ping = [&[0x89, 125][..], &[b'p'; 125]].concat();
        for _ in 0..PINGS >> 10 {
            stream.write_all(&ping.repeat(1 << 10)).await.unwrap();
        }
        let metrics = br#"{"type":"dashboard:metrics","best_block_height":7}"#;
        stream.write_all(&[0x81, metrics.len().try_into().unwrap()]).await.unwrap();
        stream.write_all(metrics).await.unwrap();
        let mut pongs = 0;
        let mut buffer = vec![0; 1 << 16];
        while let Ok(count @ 1..) = stream.read(&mut buffer).await {
            pongs += count;
        }
        answers.send(pongs).unwrap();
    })
    .await;
    let mut socket = NodeSocket::connect(&node).await.unwrap().with_keep_alive(LONG, LONG);
    assert_eq!(socket.recv().await.unwrap(), NodeEvent::BestHeight(7));
    // Writes what waits to be written.
    socket.close().await;
    let pongs = counted.await.unwrap();
    // What the system keeps, and a little.
    assert!(pongs < MOST_KEPT, "{pongs} of {} bytes were kept", PINGS * 127);
}

#[tokio::test]
async fn words_of_a_node_are_cut_and_cleaned_in_its_frames() {
    let wild = wild();
    let address = "WYBwT3xLpDnHNtYZiU52oanupVeDKhAvNp";
    let events = events_of(vec![
        format!(r#"{{"type":"subscribe_address","address":"{address}","success":false,"message":"{wild}"}}"#),
        format!(r#"{{"type":"stream:history:error","id":"history","errmsg":"{wild}"}}"#),
    ])
    .await;
    let [NodeEvent::SubscribeRefused { refusal, .. }, NodeEvent::Stream(StreamEvent::Failed(message))] =
        &events[..]
    else {
        panic!("{events:?}")
    };
    assert_tame(&refusal.message);
    assert_tame(message);
}
