//! Lines: what several wallets say and hear on one connection. The node of each test takes one connection
//! only.

use crate::server::address;
use crate::socket::{Peer, failure, hear, node, say};
use futures_util::StreamExt;
use headless_wallet::ledger::Address;
use headless_wallet::node::{Channel, Fault, FullNode, NodeEvent, StreamEvent, SubscribeRefusalKind};
use serde_json::{Value, json};

/// What a node tells of a transaction, but for the address.
const FRAMES: &str = include_str!("../recordings/clients/frames.jsonl");

async fn line(node: &FullNode) -> Channel {
    Channel::open(node, false, 1).await.unwrap()
}

fn subscribe(address: Address) -> String {
    format!(r#"{{"type":"subscribe_address","address":"{address}"}}"#)
}

fn unsubscribe(address: Address) -> String {
    format!(r#"{{"type":"unsubscribe_address","address":"{address}"}}"#)
}

async fn confirm(peer: &mut Peer, address: Address) {
    say(peer, &format!(r#"{{"type":"subscribe_address","address":"{address}","success":true}}"#)).await;
}

async fn say_height(peer: &mut Peer, height: u32) {
    say(peer, &format!(r#"{{"type":"dashboard:metrics","best_block_height":{height}}}"#)).await;
}

async fn say_vertex(peer: &mut Peer, address: Address) {
    let frame = FRAMES.lines().find(|line| line.contains(r#""wallet:address_history""#)).unwrap();
    let mut frame: Value = serde_json::from_str(frame).unwrap();
    frame["address"] = json!(address.to_string());
    say(peer, &frame.to_string()).await;
}

/// The address that the line is told of next.
async fn told_of(line: &mut Channel) -> Address {
    match line.recv().await.unwrap() {
        NodeEvent::Vertex { address, .. } => address,
        other => panic!("{other:?}"),
    }
}

async fn stays(mut peer: Peer) {
    while hear(&mut peer).await.contains("ping") {}
    panic!("something else is said");
}

#[tokio::test]
async fn a_subscription_is_asked_for_once_and_confirmed_once_it_stands() {
    let (x, y, z) = (address(1), address(2), address(3));
    let (node, _) = node(async move |mut peer: Peer| {
        assert_eq!(hear(&mut peer).await, subscribe(x));
        assert_eq!(hear(&mut peer).await, subscribe(y));
        confirm(&mut peer, y).await;
        confirm(&mut peer, x).await;
        assert_eq!(hear(&mut peer).await, subscribe(z));
        say_vertex(&mut peer, y).await;
        say_vertex(&mut peer, x).await;
        stays(peer).await;
    })
    .await;
    let (mut one, mut other) = (line(&node).await, line(&node).await);
    one.subscribe(&x);
    other.subscribe(&x);
    other.subscribe(&y);
    // Neither is told before the node has said so.
    assert_eq!(other.recv().await, Ok(NodeEvent::Subscribed { address: y }));
    assert_eq!(other.recv().await, Ok(NodeEvent::Subscribed { address: x }));
    assert_eq!(one.recv().await, Ok(NodeEvent::Subscribed { address: x }));
    let mut third = line(&node).await;
    third.subscribe(&x);
    assert_eq!(third.recv().await, Ok(NodeEvent::Subscribed { address: x }), "it stands");
    third.subscribe(&z);
    assert_eq!(told_of(&mut other).await, y);
    for line in [&mut one, &mut other, &mut third] {
        assert_eq!(told_of(line).await, x);
    }
}

#[tokio::test]
async fn a_subscription_is_given_up_with_its_last_line() {
    let (x, y) = (address(1), address(2));
    let (closed, was_closed) = tokio::sync::oneshot::channel();
    let (node, _) = node(async move |mut peer: Peer| {
        assert_eq!(hear(&mut peer).await, subscribe(x));
        confirm(&mut peer, x).await;
        assert_eq!(hear(&mut peer).await, subscribe(y), "nothing is given up before");
        // Its line is gone by now; it was not answered then.
        assert_eq!(hear(&mut peer).await, unsubscribe(x));
        confirm(&mut peer, y).await;
        assert_eq!(hear(&mut peer).await, unsubscribe(y));
        say_height(&mut peer, 7).await;
        assert!(peer.next().await.unwrap().unwrap().is_close());
        closed.send(()).unwrap();
    })
    .await;
    let (mut one, mut other, mut third) = (line(&node).await, line(&node).await, line(&node).await);
    one.subscribe(&x);
    other.subscribe(&x);
    assert_eq!(other.recv().await, Ok(NodeEvent::Subscribed { address: x }));
    drop(one);
    other.subscribe(&y);
    drop(other);
    assert_eq!(third.recv().await, Ok(NodeEvent::BestHeight(7)));
    drop(third);
    was_closed.await.unwrap();
}

fn begin(seq: u64) -> String {
    format!(r#"{{"type":"stream:history:begin","id":"history","seq":{seq}}}"#)
}

fn streamed(seq: u64, address: Address) -> String {
    format!(
        r#"{{"type":"stream:history:address","id":"history","seq":{seq},"index":{seq},"address":"{address}","subscribed":true}}"#
    )
}

const END: &str = r#"{"type":"stream:history:end","id":"history","seq":2}"#;
const END_READ: &str = r#"{"type":"request:history:ack","id":"history","ack":2}"#;

/// What is given up while the node streams could be what it has just subscribed to for the stream.
#[tokio::test]
async fn nothing_is_given_up_while_something_streams() {
    let (x, y) = (address(1), address(2));
    let (node, _) = node(async move |mut peer: Peer| {
        for address in [x, y] {
            assert_eq!(hear(&mut peer).await, subscribe(address));
            confirm(&mut peer, address).await;
        }
        assert!(hear(&mut peer).await.starts_with(r#"{"type":"request:history:xpub","#));
        say(&mut peer, &begin(0)).await;
        say(&mut peer, &streamed(1, x)).await;
        say(&mut peer, END).await;
        assert_eq!(hear(&mut peer).await, END_READ);
        assert_eq!(hear(&mut peer).await, unsubscribe(y));
        say_vertex(&mut peer, x).await;
        stays(peer).await;
    })
    .await;
    let (mut one, mut other) = (line(&node).await, line(&node).await);
    for address in [x, y] {
        one.subscribe(&address);
        assert_eq!(one.recv().await, Ok(NodeEvent::Subscribed { address }));
    }
    other.wait_to_stream(&node).await.unwrap();
    drop(one);
    other.stream_history("xpub", 0, 20);
    assert_eq!(other.recv().await, Ok(NodeEvent::Stream(StreamEvent::Begin)));
    let address = StreamEvent::Address { seq: 1, index: 1, address: x };
    assert_eq!(other.recv().await, Ok(NodeEvent::Stream(address)));
    assert_eq!(other.recv().await, Ok(NodeEvent::Stream(StreamEvent::End { seq: 2 })));
    other.acknowledge(2, None);
    assert_eq!(told_of(&mut other).await, x);
}

/// The node takes no other request before, and takes what is said of one stream for what is said of the next.
#[tokio::test]
async fn a_stream_begins_when_the_one_before_is_done_with() {
    let (node, _) = node(async move |mut peer: Peer| {
        for _ in 0..2 {
            assert!(hear(&mut peer).await.starts_with(r#"{"type":"request:history:xpub","#));
            say(&mut peer, &begin(0)).await;
            say(&mut peer, &streamed(1, address(1))).await;
            say(&mut peer, END).await;
            assert_eq!(hear(&mut peer).await, END_READ);
        }
        stays(peer).await;
    })
    .await;
    let mut lines = [line(&node).await, line(&node).await];
    for line in &mut lines {
        line.wait_to_stream(&node).await.unwrap();
        line.stream_history("xpub", 0, 20);
        while line.recv().await.unwrap() != NodeEvent::Stream(StreamEvent::End { seq: 2 }) {}
        line.acknowledge(2, None);
    }
}

#[tokio::test]
async fn a_stream_that_was_left_is_stopped_and_what_it_subscribes_to_is_given_up() {
    let (x, y) = (address(1), address(2));
    let (node, _) = node(async move |mut peer: Peer| {
        assert_eq!(hear(&mut peer).await, subscribe(x));
        confirm(&mut peer, x).await;
        assert!(hear(&mut peer).await.starts_with(r#"{"type":"request:history:xpub","#));
        say(&mut peer, &begin(0)).await;
        assert_eq!(hear(&mut peer).await, r#"{"type":"request:history:stop","id":"history"}"#);
        // They were on their way.
        say(&mut peer, &streamed(1, x)).await;
        say(&mut peer, &streamed(2, y)).await;
        assert_eq!(hear(&mut peer).await, unsubscribe(y));
        say_vertex(&mut peer, x).await;
        stays(peer).await;
    })
    .await;
    let (mut one, mut other) = (line(&node).await, line(&node).await);
    one.subscribe(&x);
    assert_eq!(one.recv().await, Ok(NodeEvent::Subscribed { address: x }));
    other.wait_to_stream(&node).await.unwrap();
    other.stream_history("xpub", 0, 20);
    assert_eq!(other.recv().await, Ok(NodeEvent::Stream(StreamEvent::Begin)));
    drop(other);
    assert_eq!(told_of(&mut one).await, x);
}

#[tokio::test]
async fn a_refusal_is_told_to_those_who_asked() {
    let (x, y) = (address(1), address(2));
    let text = "Reached maximum number of subscribed addresses (1).";
    let (node, _) = node(async move |mut peer: Peer| {
        assert_eq!(hear(&mut peer).await, subscribe(x));
        confirm(&mut peer, x).await;
        assert_eq!(hear(&mut peer).await, subscribe(y));
        let no = json!({ "type": "subscribe_address", "address": y.to_string(), "success": false, "message": text });
        say(&mut peer, &no.to_string()).await;
        assert_eq!(hear(&mut peer).await, subscribe(y), "it does not stand");
        confirm(&mut peer, y).await;
        stays(peer).await;
    })
    .await;
    let (mut one, mut other) = (line(&node).await, line(&node).await);
    one.subscribe(&x);
    assert_eq!(one.recv().await, Ok(NodeEvent::Subscribed { address: x }));
    other.subscribe(&y);
    match other.recv().await.unwrap() {
        NodeEvent::SubscribeRefused { address, refusal } => {
            assert_eq!((address, refusal.kind), (Some(y), SubscribeRefusalKind::Addresses));
            assert_eq!(refusal.message, text);
        }
        told => panic!("{told:?}"),
    }
    one.subscribe(&y);
    assert_eq!(one.recv().await, Ok(NodeEvent::Subscribed { address: y }));
}

#[tokio::test]
async fn heights_are_told_when_they_change() {
    let (node, _) = node(async move |mut peer: Peer| {
        for height in [6, 7, 7] {
            say_height(&mut peer, height).await;
        }
        hear(&mut peer).await;
        for height in [7, 7, 8, 7] {
            say_height(&mut peer, height).await;
        }
        stays(peer).await;
    })
    .await;
    let mut one = line(&node).await;
    for height in [6, 7] {
        assert_eq!(one.recv().await, Ok(NodeEvent::BestHeight(height)));
    }
    let mut late = line(&node).await;
    late.subscribe(&address(1));
    for height in [7, 8, 7] {
        assert_eq!(late.recv().await, Ok(NodeEvent::BestHeight(height)), "what it knows is older");
    }
    for height in [8, 7] {
        assert_eq!(one.recv().await, Ok(NodeEvent::BestHeight(height)));
    }
}

#[tokio::test]
async fn a_line_that_is_not_read_costs_the_others_nothing() {
    const SAID: u32 = 20_000;
    // And one for the address that it expects.
    const KEPT: u32 = 16_384 + 1;
    let (node, url) = node(async |mut peer: Peer| {
        for height in 0..SAID {
            say_height(&mut peer, height).await;
        }
        stays(peer).await;
    })
    .await;
    let (mut unread, mut read) = (line(&node).await, line(&node).await);
    let first = match read.recv().await.unwrap() {
        NodeEvent::BestHeight(first) => first,
        told => panic!("{told:?}"),
    };
    for height in first + 1..SAID {
        assert_eq!(read.recv().await, Ok(NodeEvent::BestHeight(height)));
    }
    let mut kept = 0;
    let end = loop {
        match unread.recv().await {
            Ok(_) => kept += 1,
            Err(end) => break end,
        }
    };
    assert_eq!(kept, KEPT);
    assert_eq!(end, failure(url, Fault::Broken("nobody listens to it any more".to_owned())));
}

#[tokio::test]
async fn all_lines_of_a_connection_that_breaks_are_told() {
    let (node, url) = node(async |mut peer: Peer| {
        hear(&mut peer).await;
        peer.close(None).await.unwrap();
    })
    .await;
    let opened = futures_util::future::join(line(&node), line(&node)).await;
    let (mut one, mut other) = opened;
    other.subscribe(&address(1));
    for line in [&mut one, &mut other] {
        let closed = Fault::Broken("closed by the node".to_owned());
        assert_eq!(line.recv().await, Err(failure(url.clone(), closed)));
    }
}
