//! The WebSocket: commands, subscriptions and their limits, frames about conflicts and undone blocks.

use crate::shapes::same_shape;
use crate::support::{Net, htr, solve, within};
use headless_wallet::devnet::SubscriptionLimits;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

fn subscribe(address: &str) -> Value {
    json!({"type": "subscribe_address", "address": address})
}

#[tokio::test]
async fn commands_good_and_bad() {
    let net = Net::start().await;
    let mut socket = net.raw_socket().await;
    assert_eq!(socket.next_text().await, r#"{"type":"capabilities","capabilities":["history-streaming"]}"#);
    socket.say_text(r#"{"type": "ping", "id": 7}"#).await;
    assert_eq!(socket.next_text().await, r#"{"type":"pong"}"#);
    socket.say_binary(br#"{"type": "ping"}"#).await;
    assert_eq!(socket.next_text().await, r#"{"type":"pong"}"#);
    socket.say_text("not json").await;
    assert_eq!(socket.next_text().await, r#"{"type":"error","success":false,"errmsg":"Malformed command"}"#);
    // No answer to these: the next is that to the ping.
    for unknown in [json!({"type": "nope"}), json!({}), json!({"type": "request:history:foo"})] {
        socket.say(unknown).await;
    }
    let address = net.address(0).to_string();
    for never_subscribed in [json!(address), json!("short"), json!(5), Value::Null] {
        socket.say(json!({"type": "unsubscribe_address", "address": never_subscribed})).await;
    }
    assert_eq!(socket.ask(json!({"type": "ping"})).await, json!({"type": "pong"}));
    for _ in 0..2 {
        socket.say(subscribe(&address)).await;
        let answer = format!(r#"{{"type":"subscribe_address","address":"{address}","success":true}}"#);
        assert_eq!(socket.next_text().await, answer);
    }
    socket.say(json!({"type": "unsubscribe_address", "address": address})).await;
    assert_eq!(socket.next_text().await, r#"{"type":"unsubscribe_address","success":true}"#);
    for other in ["HBCQgVR8Xsyv1BLDjf9NJPK1Hwg4rKUh62", "Wgdj8A1tXPLM662s6cd9uu7h4VjCZUGgk1"] {
        assert_eq!(socket.ask(subscribe(other)).await["success"], true);
    }
    let metrics = loop {
        let frame = socket.any().await.unwrap();
        if frame["type"] == "dashboard:metrics" {
            break frame;
        }
    };
    assert_eq!(metrics["best_block_height"], net.get("feature").await["block_height"]);
    for bad in [
        "[1]",
        "5",
        "\"ping\"",
        "null",
        r#"{"type":"subscribe_address"}"#,
        r#"{"type":"unsubscribe_address"}"#,
        r#"{"type":"subscribe_address","address":"zz"}"#,
    ] {
        let mut socket = net.socket().await;
        socket.say_text(bad).await;
        socket.ends().await;
    }
    net.devnet.shutdown().await;
    socket.ends_or_closes().await;
}

#[tokio::test]
async fn metrics_follow_a_block_at_once() {
    let net = Net::start().await;
    let mut socket = net.socket().await;
    let height = net.control("blocks", json!({})).await["height"].clone();
    let metrics = loop {
        let text = socket.any_text().await;
        if text.contains("dashboard:metrics") {
            same_shape("dashboard:metrics", &text);
            let frame: Value = serde_json::from_str(&text).unwrap();
            if frame["best_block_height"] == height {
                break frame;
            }
        }
    };
    assert_eq!(metrics["peers"], 0);
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn the_limit_of_all_subscriptions() {
    let net = Net::start().await;
    net.devnet.set_limits(SubscriptionLimits { max_subscribed_addresses: Some(2), ..Default::default() });
    let mut socket = net.socket().await;
    let addresses = [60, 61, 62].map(|index| net.address(index).to_string());
    for address in &addresses[..2] {
        assert_eq!(socket.ask(subscribe(address)).await["success"], true);
    }
    for address in [&addresses[2], &addresses[0]] {
        let message = "Reached maximum number of subscribed addresses (2).";
        let refused =
            json!({"type": "subscribe_address", "address": address, "success": false, "message": message});
        assert_eq!(socket.ask(subscribe(address)).await, refused);
    }
    socket.ask(json!({"type": "unsubscribe_address", "address": addresses[0]})).await;
    assert_eq!(socket.ask(subscribe(&addresses[2])).await["success"], true);
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn the_limit_of_empty_subscriptions() {
    let net = Net::start().await;
    net.control("limits", json!({"max_subscribed_empty_addresses": 2})).await;
    net.funded(60, 1).await;
    let mut socket = net.socket().await;
    let addresses = [60, 61, 62, 63].map(|index| net.address(index).to_string());
    for address in &addresses[..3] {
        assert_eq!(socket.ask(subscribe(address)).await["success"], true);
    }
    let message = "Reached maximum number of subscribed empty addresses (2).";
    for address in [&addresses[3], &addresses[0]] {
        assert_eq!(socket.ask(subscribe(address)).await["message"], message);
    }
    net.control("fund", json!({"address": addresses[1], "amount": 1})).await;
    for _ in 0..3 {
        socket.next().await;
    }
    assert_eq!(socket.ask(subscribe(&addresses[3])).await["success"], true);
    let frame = socket
        .ask(json!({"type": "request:history:manual", "id": "l", "first": true, "last": true,
        "addresses": [[0, net.address(64).to_string()]]}))
        .await;
    assert_eq!(frame["type"], "stream:history:begin");
    let refused = format!(
        r#"{{"type":"stream:history:error","id":"l","errmsg":"Address subscription failed: {message}"}}"#
    );
    assert_eq!(socket.next_text().await, refused);
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn a_conflict_from_another_node_and_an_undone_block() {
    let net = Net::start().await;
    let coin = net.funded(50, 10).await;
    let mut socket = net.socket().await;
    let [light_to, heavy_to] = [51, 52].map(|index| net.address(index));
    for address in [light_to, heavy_to] {
        socket.ask(subscribe(&address.to_string())).await;
    }
    let light = net.spend(&[(coin, 50)], vec![htr(10, light_to)]);
    let mut heavy = net.spend(&[(coin, 50)], vec![htr(10, heavy_to)]);
    heavy.weight += 4.0;
    let heavy = solve(heavy);
    assert_eq!(net.push(&light).await["success"], true);
    assert_eq!(
        net.push(&heavy).await["message"],
        "Invalid transaction. At least one of your inputs has already been spent."
    );
    let answer = net.control("conflict", json!({"tx_hex": hex::encode(heavy.to_bytes().unwrap())})).await;
    assert_eq!(answer, json!({"tx_id": heavy.id().unwrap().to_string(), "voided": false}));
    let light_id = light.id().unwrap().to_string();
    loop {
        let frame = socket.next().await;
        if frame["history"]["tx_id"] == light_id && frame["history"]["is_voided"] == true {
            assert_eq!(frame["address"], light_to.to_string());
            break;
        }
    }
    let shown = net.get(&format!("transaction?id={light_id}")).await;
    assert_eq!(shown["meta"]["voided_by"], json!([light_id]));
    assert_eq!(shown["meta"]["conflict_with"], json!([heavy.id().unwrap().to_string()]));

    let mined = net.control("blocks", json!({"address": heavy_to.to_string()})).await;
    let undone = net.control("undo-blocks", json!({})).await;
    assert_eq!(undone["block_ids"], mined["block_ids"]);
    loop {
        let frame = socket.next().await;
        if frame["history"]["tx_id"] == mined["block_ids"][0] && frame["history"]["is_voided"] == true {
            break;
        }
    }
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn a_client_that_pings_and_does_not_read_is_not_read_either() {
    const MOST: usize = 64 << 20;
    let net = Net::start().await;
    let (mut answers, mut frames) = net.socket().await.into_bytes();
    let ping = [&[0x89, 0x80 | 125, 0, 0, 0, 0][..], &[b'p'; 125]].concat();
    let pings = ping.repeat(1 << 10);
    let mut written = 0;
    while let Ok(count) = timeout(Duration::from_secs(3), frames.write(&pings[written % ping.len()..])).await
    {
        written += count.unwrap();
        assert!(written < MOST, "pongs pile up");
    }
    // As soon as it reads, all goes on.
    let command = br#"{"type":"ping"}"#;
    let head = [0x81, 0x80 | u8::try_from(command.len()).unwrap(), 0, 0, 0, 0];
    let rest = [&ping[written % ping.len()..], &head, command].concat();
    let write = async { frames.write_all(&rest).await.unwrap() };
    let read = async {
        let (mut text, mut buffer) = (Vec::new(), vec![0; 1 << 16]);
        while !text.ends_with(br#"{"type":"pong"}"#) {
            let count = answers.read(&mut buffer).await.unwrap();
            text.drain(..text.len().saturating_sub(20));
            text.extend_from_slice(&buffer[..count]);
        }
    };
    within(async { tokio::join!(write, read) }).await;
    net.devnet.shutdown().await;
}
