//! What a swap service tells of proposals by its WebSocket.

use super::events::Listener;
use super::support::Server;
use super::swap_server::{service, service_at, service_with_sockets};
use serde_json::{Value, json};
use tokio::net::TcpListener;

const GROUP: &str = "atomic-swap/tx-proposal";

/// Has the wallet of a server keep a new proposal, and gives its text.
async fn propose(server: &Server) -> Value {
    let receive = json!({"tokens": [{"value": 5}]});
    let new = json!({"receive": receive, "service": {"is_new": true, "password": "abc123"}});
    server.done(GROUP, new).await["data"].clone()
}

/// What the next event on proposals says.
async fn news(listener: &mut Listener) -> Value {
    listener.find("wallet:update-atomic-swap-proposal").await.data["data"].clone()
}

async fn ask(server: &Server, wallet: &str, method: &str, path: &str, body: &Value) {
    let path = format!("/wallet/{GROUP}/{path}");
    let body = body.to_string();
    let headers = [("x-wallet-id", wallet), ("content-type", "application/json")];
    let answer = server.ask(method, &path, &headers, body.as_bytes()).await;
    assert_eq!(answer.parts(), (200, json!({"success": true})));
}

#[tokio::test]
async fn a_change_at_the_service_is_told_to_all_who_are_registered_over_one_connection() {
    let (url, _, sockets) = service_with_sockets().await;
    let server = Server::with_wallet_and(&format!("atomic_swap_service = '{url}'")).await;
    let mut listener = Listener::connect(&server, &[]).await;
    sockets.opened(0).await;
    let text = propose(&server).await;
    sockets.subscribed(&[&["Proposal-0"]]).await;
    propose(&server).await;
    sockets.subscribed(&[&["Proposal-0", "Proposal-1"]]).await;

    server.start_wallet("partner", json!({"seedKey": "genesis"})).await;
    let password = json!({"password": "abc123"});
    ask(&server, "partner", "POST", "register/Proposal-0", &password).await;
    let change = json!({
        "partial_tx": text, "send": {"tokens": [{"value": 5}]}, "lock": false,
        "service": {"proposal_id": "Proposal-0", "version": 0},
    });
    let answered = server.post(&format!("/wallet/{GROUP}"), Some("partner"), &change).await.json();
    assert_eq!(answered["success"], true, "{answered}");
    assert_eq!(news(&mut listener).await, json!({"proposalId": "Proposal-0", "version": 1}));
    let fetched = server.read(&format!("/wallet/{GROUP}/fetch/Proposal-0")).await;
    assert_eq!(
        (&fetched["proposal"]["version"], &fetched["proposal"]["partialTx"]),
        (&json!(1), &answered["data"])
    );

    // One gives up, the other still wants to know.
    ask(&server, "genesis", "DELETE", "delete/Proposal-0", &json!({})).await;
    ask(&server, "genesis", "DELETE", "delete/Proposal-1", &json!({})).await;
    sockets.subscribed(&[&["Proposal-0"]]).await;
    let stopped = server.post("/wallet/stop", Some("partner"), &json!({})).await.json();
    assert_eq!(stopped["success"], true);
    sockets.subscribed(&[]).await;
    sockets.opened(1).await;
    // Who comes back is told again.
    ask(&server, "genesis", "POST", "register/Proposal-1", &password).await;
    sockets.subscribed(&[&["Proposal-1"]]).await;
    server.shutdown().await;
}

#[tokio::test]
async fn nonsense_of_a_service_is_passed_over_and_a_connection_that_breaks_is_made_anew() {
    let (url, _, sockets) = service_with_sockets().await;
    let server = Server::with_wallet_and(&format!("atomic_swap_service = '{url}'")).await;
    let mut listener = Listener::connect(&server, &[]).await;
    propose(&server).await;
    sockets.subscribed(&[&["Proposal-0"]]).await;
    let update =
        |id: Value, version: Value| json!({"type": "proposal_updated", "id": id, "version": version});
    for nonsense in
        ["", "{", "[]", "null", r#"{"type":"proposal_updated"}"#, r#"{"id":"Proposal-0","version":1}"#]
    {
        sockets.say(nonsense);
    }
    sockets.say(json!({"type": "pong", "id": "Proposal-0"}));
    sockets.say(update(json!("Proposal-7"), json!(1)));
    sockets.say(update(json!("../Proposal-0"), json!(1)));
    sockets.say(update(json!("Proposal-0"), json!(-1)));
    sockets.say(update(json!("Proposal-0"), json!("one")));
    sockets.say(update(json!(["Proposal-0"]), json!(1)));
    // wallet-lib leaves open which of the two names the proposal, and whether the version is told.
    sockets.say(json!({"type": "proposal_updated:v2", "proposalId": "Proposal-0"}));
    assert_eq!(news(&mut listener).await, json!({"proposalId": "Proposal-0", "version": null}));
    sockets.say(update(json!("Proposal-0"), json!(3)));
    assert_eq!(news(&mut listener).await, json!({"proposalId": "Proposal-0", "version": 3}));
    sockets.opened(1).await;

    // What was told meanwhile, nobody knows.
    sockets.cut();
    assert_eq!(news(&mut listener).await, json!({"proposalId": null, "version": null}));
    sockets.subscribed(&[&["Proposal-0"]]).await;
    sockets.opened(2).await;
    // A frame longer than any proposal ends the connection.
    sockets.say("x".repeat((4 << 20) + 1));
    assert_eq!(news(&mut listener).await, json!({"proposalId": null, "version": null}));
    sockets.opened(3).await;
    server.shutdown().await;
}

/// However often a service tells of a proposal, other events are not drowned in it, and the end of the
/// connection is noticed behind it all.
#[tokio::test]
async fn changes_that_come_fast_are_told_as_one() {
    let (url, _, sockets) = service_with_sockets().await;
    let server = Server::with_wallet_and(&format!("atomic_swap_service = '{url}'")).await;
    let mut listener = Listener::connect(&server, &[]).await;
    propose(&server).await;
    sockets.subscribed(&[&["Proposal-0"]]).await;
    for version in 1..=50 {
        sockets.say(json!({"type": "proposal_updated", "id": "Proposal-0", "version": version}));
    }
    for version in [1, 50] {
        let told = json!({"proposalId": "Proposal-0", "version": version});
        assert_eq!(news(&mut listener).await, told);
    }
    sockets.cut();
    assert_eq!(news(&mut listener).await, json!({"proposalId": null, "version": null}));
    server.shutdown().await;
}

/// What changed before the first connection came about is not told either.
#[tokio::test]
async fn a_service_whose_web_socket_comes_late_is_listened_to_all_the_same() {
    let (url, _) = service().await;
    let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = socket.local_addr().unwrap();
    let settings = format!("atomic_swap_service = '{url}'\natomic_swap_service_ws = 'ws://{address}/'");
    let server = Server::with_wallet_and(&settings).await;
    let mut listener = Listener::connect(&server, &[]).await;
    propose(&server).await;
    drop(socket.accept().await.unwrap());
    let (_, _, sockets) = service_at(socket);
    assert_eq!(news(&mut listener).await, json!({"proposalId": null, "version": null}));
    sockets.subscribed(&[&["Proposal-0"]]).await;
    server.shutdown().await;
}

#[tokio::test]
async fn the_web_socket_may_be_elsewhere() {
    let ((url, _), (elsewhere, _, sockets)) = (service().await, service_with_sockets().await);
    let socket = elsewhere.replace("http", "ws");
    let settings = format!("atomic_swap_service = '{url}'\natomicSwapServiceWs = '{socket}'");
    let server = Server::with_wallet_and(&settings).await;
    propose(&server).await;
    sockets.subscribed(&[&["Proposal-0"]]).await;
    server.shutdown().await;
}
