//! History streams by key and by list.

use crate::shapes::same_shape;
use crate::support::{Net, Socket, htr};
use headless_wallet::devnet::DevnetConfig;
use headless_wallet::keys::AccountPublic;
use serde_json::{Value, json};

/// Addresses 40 to 46 of the genesis wallet: 40 has two transactions, 42 has one, the others none.
async fn network() -> (Net, String) {
    let net = Net::start().await;
    for index in [40, 40, 42] {
        net.funded(index, 1).await;
    }
    let public: AccountPublic = net.keys.public();
    let xpub = public.to_xpub();
    (net, xpub)
}

fn by_key(id: &str, xpub: &str, gap_limit: u64) -> Value {
    json!({"type": "request:history:xpub", "id": id, "xpub": xpub, "first-index": 40, "gap-limit": gap_limit})
}

/// What kinds of frames follow, up to the one with this number.
async fn kinds(socket: &mut Socket, last: u64) -> Vec<String> {
    let mut kinds = Vec::new();
    loop {
        let frame = socket.next().await;
        let kind = frame["type"].as_str().unwrap().trim_start_matches("stream:history:").to_owned();
        kinds.push(frame["index"].as_u64().map_or(kind.clone(), |index| format!("{kind} {index}")));
        if frame["seq"] == last {
            return kinds;
        }
    }
}

fn error(id: &str, message: &str) -> Value {
    json!({"type": "stream:history:error", "id": id, "errmsg": message})
}

#[tokio::test]
async fn by_the_children_of_a_key() {
    let (net, xpub) = network().await;
    let mut socket = net.socket().await;
    socket.say(by_key("x1", &xpub, 3)).await;
    for kind in ["begin", "address", "vertex"] {
        same_shape(&format!("stream:history:{kind}"), &socket.next_text().await);
    }
    let expected =
        ["vertex", "address 41", "address 42", "vertex", "address 43", "address 44", "address 45", "end"];
    assert_eq!(kinds(&mut socket, 10).await, expected);
    assert_eq!(socket.ask(by_key("x2", &xpub, 3)).await, error("x2", "Streaming is already opened."));
    socket.say(json!({"type": "request:history:ack", "id": "x1", "ack": 10})).await;
    let ack = json!({"type": "request:history:ack", "id": "x1", "ack": 10});
    assert_eq!(socket.ask(ack).await, error("x1", "No streaming opened."));
    assert_eq!(
        socket.ask(by_key("x3", &xpub, 10_001)).await,
        error("x3", "GAP limit is too big. Maximum: 10000")
    );
    // Streamed addresses are subscribed.
    net.funded(43, 1).await;
    assert_eq!(socket.next().await["address"], net.address(43).to_string());
    for bad in [
        json!({"type": "request:history:xpub", "xpub": xpub}),
        json!({"type": "request:history:xpub", "id": "e"}),
    ] {
        let mut socket = net.socket().await;
        socket.say(bad).await;
        socket.ends().await;
    }
    let mut windowed = by_key("w", &xpub, 3);
    windowed["window-size"] = json!(4);
    let mut socket = net.socket().await;
    socket.say(windowed).await;
    socket.ends().await;
    let mut socket = net.socket().await;
    assert_eq!(socket.ask(by_key("b", "xpubBAD", 3)).await["type"], "stream:history:begin");
    assert_eq!(socket.ask(json!({"type": "ping"})).await, json!({"type": "pong"}));
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn by_list_within_a_window() {
    let (net, _) = network().await;
    let list =
        |from: u32, to: u32| (from..to).map(|i| json!([i, net.address(i).to_string()])).collect::<Vec<_>>();
    let request = |id: &str, first: bool, last: bool, addresses: Vec<Value>| json!({"type": "request:history:manual", "id": id, "first": first, "last": last, "addresses": addresses});
    let ack = |ack: Value, window: Value| json!({"type": "request:history:ack", "id": "m", "ack": ack, "window": window});
    let mut socket = net.socket().await;
    let message = "Streaming not found. You must send first=true in your first message.";
    assert_eq!(socket.ask(request("m", false, false, list(41, 42))).await, error("m", message));
    let short = json!([[0, "short"]]).as_array().unwrap().clone();
    let message = "Invalid address: AddressItem(index=0, address='short')";
    assert_eq!(socket.ask(request("m", true, false, short)).await, error("m", message));

    socket.say(request("m", true, false, list(41, 42))).await;
    assert_eq!(kinds(&mut socket, 1).await, ["begin", "address 41"]);
    assert_eq!(
        socket.ask(request("m", true, false, list(40, 41))).await,
        error("m", "Streaming is already opened.")
    );
    assert_eq!(
        socket.ask(request("n", false, false, list(40, 41))).await,
        error("n", "Streaming is already opened.")
    );
    assert_eq!(socket.ask(ack(json!("1"), Value::Null)).await, error("m", "Invalid ack."));
    assert_eq!(socket.ask(ack(Value::Null, json!("1"))).await, error("m", "Invalid window."));
    let other = json!({"type": "request:history:stop", "id": "other"});
    assert_eq!(socket.ask(other).await, error("other", "Current stream has a different id."));
    socket.say(ack(json!(1), json!(2))).await;
    socket.say(request("m", false, true, list(40, 43))).await;
    assert_eq!(kinds(&mut socket, 3).await, ["address 40", "vertex"]);
    assert_eq!(socket.ask(json!({"type": "ping"})).await, json!({"type": "pong"}));
    socket.say(ack(json!(3), Value::Null)).await;
    assert_eq!(kinds(&mut socket, 5).await, ["vertex", "address 41"]);
    socket.say(ack(Value::Null, json!(-1))).await;
    assert_eq!(kinds(&mut socket, 8).await, ["address 42", "vertex", "end"]);
    assert_eq!(socket.ask(ack(json!(2), Value::Null)).await, error("m", "Outdated ACK received (ack=2)"));
    socket.say(request("m", true, false, list(41, 42))).await;
    assert_eq!(kinds(&mut socket, 1).await, ["begin", "address 41"]);
    let message = "Received ACK is higher than the last sent message (ack=999)";
    assert_eq!(socket.ask(ack(json!(999), Value::Null)).await, error("m", message));
    let stop = json!({"type": "request:history:stop", "id": "m"});
    assert_eq!(socket.ask(stop).await, error("m", "No streaming opened."));
    for nameless in ["request:history:stop", "request:history:ack"] {
        assert_eq!(socket.ask(json!({ "type": nameless })).await, error("", "No streaming opened."));
    }
    // A gap below zero is over with the first empty address.
    let mut endless = request("g", true, true, list(45, 48));
    endless["gap-limit"] = json!(-1);
    socket.say(endless).await;
    assert_eq!(kinds(&mut socket, 2).await, ["begin", "address 45", "end"]);
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn a_payment_during_a_stream_comes_too() {
    let (net, _) = network().await;
    let coin = net.funded(48, 5).await;
    let mut socket = net.socket().await;
    let address = net.address(49);
    socket
        .say(json!({"type": "request:history:manual", "id": "s", "first": true, "last": true,
        "addresses": [[49, address.to_string()]]}))
        .await;
    assert_eq!(kinds(&mut socket, 2).await, ["begin", "address 49", "end"]);
    assert_eq!(net.push(&net.spend(&[(coin, 48)], vec![htr(5, address)])).await["success"], true);
    assert_eq!(socket.next().await["address"], address.to_string());
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn a_node_that_does_not_stream_says_so() {
    let config = DevnetConfig { block_interval: None, history_streaming: false, ..DevnetConfig::default() };
    let net = Net::start_with(config).await;
    let mut socket = net.socket().await;
    for kind in ["xpub", "manual"] {
        let request = json!({"type": format!("request:history:{kind}"), "id": "d"});
        assert_eq!(socket.ask(request).await, error("", "Streaming history is disabled."));
    }
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn a_list_may_come_later() {
    let (net, _) = network().await;
    let mut socket = net.socket().await;
    socket.say(json!({"type": "request:history:manual", "id": "l", "first": true})).await;
    assert_eq!(kinds(&mut socket, 0).await, ["begin"]);
    // None was acknowledged yet, which is what this says.
    socket.say(json!({"type": "request:history:ack", "id": "l", "ack": -1})).await;
    let address = net.address(42).to_string();
    let list = json!([[42, address]]);
    socket.say(json!({"type": "request:history:manual", "id": "l", "last": true, "addresses": list})).await;
    assert_eq!(kinds(&mut socket, 3).await, ["address 42", "vertex", "end"]);
    net.devnet.shutdown().await;
}
