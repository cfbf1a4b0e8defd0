//! A small swap service: it answers as the real one does (hathor-atomic-swap-service), over HTTP and by its
//! WebSocket. `tests/node/wallet-lib.test.mjs` has the same one for the published client.

use super::exact_header::{EXACT, ExactHeader};
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::{self, Upgraded};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::sync::{broadcast, watch};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tokio_tungstenite::tungstenite::protocol::Role;

pub(super) type Kept = Arc<Mutex<BTreeMap<String, Value>>>;

/// What its connections have subscribed to, each by its number, and what they are told.
pub(super) struct Sockets {
    subscribed: watch::Sender<BTreeMap<u64, BTreeSet<String>>>,
    opened: watch::Sender<u64>,
    say: broadcast::Sender<Said>,
}

#[derive(Clone, Debug)]
enum Said {
    /// To those who have subscribed to this.
    News(String, String),
    /// To all.
    Raw(String),
    Cut,
}

#[derive(Clone)]
struct Service {
    kept: Kept,
    sockets: Arc<Sockets>,
}

impl Sockets {
    /// Waits until the open connections have subscribed to these, and to nothing else.
    pub(super) async fn subscribed(&self, expected: &[&[&str]]) {
        let expected: Vec<BTreeSet<_>> =
            expected.iter().map(|ids| ids.iter().map(ToString::to_string).collect()).collect();
        let mut now = self.subscribed.subscribe();
        now.wait_for(|now| now.values().cloned().collect::<Vec<_>>() == expected).await.unwrap();
    }
    /// Waits until there have been so many connections, and no more.
    pub(super) async fn opened(&self, expected: u64) {
        let mut opened = self.opened.subscribe();
        let opened = *opened.wait_for(|opened| *opened >= expected).await.unwrap();
        assert_eq!(opened, expected);
    }
    /// Says this to all that are connected.
    pub(super) fn say(&self, text: impl ToString) {
        self.say.send(Said::Raw(text.to_string())).unwrap();
    }
    /// Breaks all connections.
    pub(super) fn cut(&self) {
        self.say.send(Said::Cut).unwrap();
    }
}

/// A swap service, its address, and what it keeps.
pub(super) async fn service() -> (String, Kept) {
    let (url, kept, _) = service_with_sockets().await;
    (url, kept)
}

/// A swap service, its address, what it keeps, and its connections.
pub(super) async fn service_with_sockets() -> (String, Kept, Arc<Sockets>) {
    service_at(TcpListener::bind("127.0.0.1:0").await.unwrap())
}

/// A service that answers who comes to this listener.
pub(super) fn service_at(listener: TcpListener) -> (String, Kept, Arc<Sockets>) {
    let sockets = Sockets {
        subscribed: watch::Sender::default(),
        opened: watch::Sender::default(),
        say: broadcast::Sender::new(64),
    };
    let service = Service { kept: Kept::default(), sockets: Arc::new(sockets) };
    let (kept, sockets) = (service.kept.clone(), service.sockets.clone());
    let app = Router::new()
        .route("/", post(create).get(connect))
        .route("/{id}", get(read).put(update))
        .with_state(service);
    let url = format!("http://{}/", listener.local_addr().unwrap());
    // It ends with the test's runtime.
    tokio::spawn(async { axum::serve(ExactHeader(listener), app).await });
    (url, kept, sockets)
}

async fn create(State(Service { kept, .. }): State<Service>, Json(body): Json<Value>) -> Json<Value> {
    let mut kept = kept.lock().unwrap();
    let id = format!("Proposal-{}", kept.len());
    let proposal = json!({
        "id": id, "version": 0, "timestamp": "Fri Mar 10 2023", "partialTx": body["partialTx"], "signatures": null,
        "history": [], "authPassword": body["authPassword"],
    });
    kept.insert(id.clone(), proposal);
    Json(json!({"success": true, "id": id}))
}

/// Why the real one does not do as it is asked.
type Refused = (StatusCode, Json<Value>);

fn refused(status: StatusCode, code: &str, message: &str) -> Refused {
    let stack = format!("Error: {message}\n    at main");
    (status, Json(json!({"code": code, "errorMessage": message, "stack": stack})))
}

fn known(kept: &BTreeMap<String, Value>, id: &str, headers: &HeaderMap) -> Result<Value, Refused> {
    let given = headers.get(EXACT).and_then(|value| value.to_str().ok()).filter(|given| given.len() >= 3);
    let given =
        given.ok_or_else(|| refused(StatusCode::BAD_REQUEST, "INVALID_PASSWORD", "Invalid password"))?;
    let unknown = || refused(StatusCode::NOT_FOUND, "PROPOSAL_NOT_FOUND", "Proposal not found");
    let proposal = kept.get(id).ok_or_else(unknown)?;
    if proposal["authPassword"] == given {
        Ok(proposal.clone())
    } else {
        Err(refused(StatusCode::FORBIDDEN, "INCORRECT_PASSWORD", "Incorrect password"))
    }
}

async fn read(
    State(Service { kept, .. }): State<Service>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Value>, Refused> {
    known(&kept.lock().unwrap(), &id, &headers).map(Json)
}

async fn update(
    State(Service { kept, sockets }): State<Service>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Result<Json<Value>, Refused> {
    let mut kept = kept.lock().unwrap();
    let mut proposal = known(&kept, &id, &headers)?;
    if body["version"] != proposal["version"] {
        return Err(refused(StatusCode::CONFLICT, "VERSION_CONFLICT", "Version conflict"));
    }
    let past = json!({"partialTx": proposal["partialTx"], "timestamp": proposal["timestamp"]});
    proposal["history"].as_array_mut().unwrap().insert(0, past);
    proposal["version"] = json!(proposal["version"].as_u64().unwrap() + 1);
    proposal["partialTx"] = body["partialTx"].clone();
    proposal["signatures"] = body["signatures"].clone();
    let news = json!({
        "type": "proposal_updated", "id": id, "version": proposal["version"], "timestamp": proposal["timestamp"],
        "partialTx": proposal["partialTx"], "signatures": proposal["signatures"],
    });
    kept.insert(id.clone(), proposal);
    // There need be nobody.
    let _ = sockets.say.send(Said::News(id, news.to_string()));
    Ok(Json(json!({"success": true})))
}

async fn connect(State(Service { sockets, .. }): State<Service>, mut request: Request) -> Response {
    let response = create_response_with_body(&request, Body::empty).unwrap();
    let upgrade = upgrade::on(&mut request);
    tokio::spawn(async move {
        let stream = TokioIo::new(upgrade.await.unwrap());
        serve(WebSocketStream::from_raw_socket(stream, Role::Server, None).await, sockets).await;
    });
    response
}

async fn serve(mut socket: WebSocketStream<TokioIo<Upgraded>>, sockets: Arc<Sockets>) {
    let mut number = 0;
    sockets.opened.send_modify(|opened| {
        *opened += 1;
        number = *opened;
    });
    let mut says = sockets.say.subscribe();
    sockets.subscribed.send_modify(|now| drop(now.insert(number, BTreeSet::new())));
    loop {
        let answer = tokio::select! {
            frame = socket.next() => match frame {
                Some(Ok(Message::Text(text))) => heard(&sockets, number, &serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => None,
                _ => break,
            },
            said = says.recv() => match said.unwrap() {
                Said::News(id, news) => sockets.subscribed.borrow()[&number].contains(&id).then_some(news),
                Said::Raw(text) => Some(text),
                Said::Cut => break,
            },
        };
        if let Some(text) = answer
            && socket.send(Message::text(text)).await.is_err()
        {
            break;
        }
    }
    sockets.subscribed.send_modify(|now| drop(now.remove(&number)));
}

/// Takes a frame, and gives its answer, if it has one.
fn heard(sockets: &Sockets, number: u64, frame: &Value) -> Option<String> {
    let id = || frame["proposalId"].as_str().unwrap().to_owned();
    let change = |act: &dyn Fn(&mut BTreeSet<String>) -> bool| {
        sockets.subscribed.send_modify(|now| assert!(act(now.get_mut(&number).unwrap()), "{frame}"));
    };
    match frame["type"].as_str().unwrap() {
        "ping" => return Some(json!({"type": "pong"}).to_string()),
        "subscribe_proposal" => change(&|ids| ids.insert(id())),
        "unsubscribe_proposal" => change(&|ids| ids.remove(&id())),
        other => panic!("{other}"),
    }
    None
}
