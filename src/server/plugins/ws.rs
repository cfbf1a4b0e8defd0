//! The WebSocket of events, at a port of its own: each message is an event of any wallet that the listener
//! may read, as JSON. Messages from listeners are ignored.

use crate::net::head;
use crate::net::serve::{Limits, serve};
use crate::net::{Accepted, Message, accept};
use crate::operations;
use crate::rt;
use crate::server::answer::failed;
use crate::server::auth::{self, Caller};
use crate::server::listener::{Listener, Told};
use crate::server::places::Place;
use crate::server::{App, cross_site};
use crate::service::Wallet;
use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::Response;
use futures_util::{SinkExt, StreamExt};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::broadcast::{self, error::RecvError};

const KEPT: usize = 256;
/// Most bytes of a message from a listener.
const MAX_RECEIVED: usize = 1_024;
/// How often listeners are pinged, and how long they may take for a message.
const PING: Duration = Duration::from_secs(30);

pub(in crate::server) struct EventsSocket(broadcast::Sender<Arc<OfWallet>>);

struct OfWallet {
    wallet_id: String,
    /// JSON.
    data: String,
}

impl Default for EventsSocket {
    fn default() -> Self {
        Self(broadcast::Sender::new(KEPT))
    }
}

/// Sends a wallet's events to listeners until it is closed; does nothing without a socket.
pub(in crate::server) fn begin(app: &App, wallet_id: &str, wallet: &Wallet) {
    if app.config().plugins.ws.is_none() {
        return;
    }
    let (app, mut listener) = (app.clone(), Listener::plugin(app, wallet_id, wallet));
    let wallet_id = wallet_id.to_owned();
    tokio::spawn(async move {
        while let Some(Told { data, .. }) = listener.next().await {
            let event = OfWallet { wallet_id: wallet_id.clone(), data };
            // An error means that there is no listener.
            let _ = app.events_socket().0.send(Arc::new(event));
        }
    });
}

/// Serves the WebSocket of events until the server ends.
pub async fn serve_events(listener: TcpListener, app: App) {
    let ending = app.clone();
    let answer = move |request: axum::http::Request<_>| {
        let app = app.clone();
        async move { Ok::<_, Infallible>(open(app, request.map(Body::new)).await) }
    };
    let limits = Limits::of(ending.config().http_max_connections);
    serve(listener, limits, answer, ending.ending()).await;
}

async fn open(app: App, mut request: Request) -> Response {
    let config = app.config();
    if let Some(why) = head::problem(&request) {
        return failed(StatusCode::BAD_REQUEST, why);
    }
    let is_known = config.cors_origins.allowed(request.headers()).is_some();
    if let Some(why) = cross_site::refusal(&config, &request, is_known) {
        return failed(StatusCode::FORBIDDEN, why);
    }
    let caller = match auth::find(&app, &config, "", request.headers(), request.extensions()).await {
        Ok(caller) => caller,
        Err(refused) => return refused,
    };
    if let Some(refused) = auth::refusal(&caller, &operations::EVENTS) {
        return refused;
    }
    let place = match app.places().stream(caller.name()) {
        Ok(place) => place,
        Err(full) => return *full,
    };
    // Subscribed before the listener is answered: nothing is missed from then on.
    let events = app.events_socket().0.subscribe();
    let listener = move |socket| send_events(app, caller, events, socket, place);
    accept(&mut request, Some(MAX_RECEIVED), listener)
        .unwrap_or_else(|lacking| failed(StatusCode::BAD_REQUEST, format!("here is a WebSocket: {lacking}")))
}

/// Sends events until the listener goes, its key ends, or the server does.
async fn send_events(
    app: App,
    caller: Caller,
    mut events: broadcast::Receiver<Arc<OfWallet>>,
    mut socket: Accepted,
    _place: Place,
) {
    let mut end = Box::pin(auth::end(app.clone(), caller.clone()));
    loop {
        let message = tokio::select! {
            event = events.recv() => match event {
                Ok(event) if caller.is_for(&event.wallet_id) => Message::text(event.data.clone()),
                Ok(_) => continue,
                Err(RecvError::Lagged(count)) => {
                    Message::text(format!(r#"{{"type":"events:missed","data":{count}}}"#))
                }
                Err(RecvError::Closed) => break,
            },
            received = socket.next() => match received {
                Some(Ok(Message::Close(_))) => {
                    // The answer to its close frame: without it, browsers report an error.
                    let _ = rt::timeout(PING, socket.flush()).await;
                    return;
                }
                Some(Err(_)) | None => return,
                Some(Ok(_)) => continue,
            },
            () = rt::sleep(PING) => Message::Ping(Default::default()),
            () = &mut end => break,
        };
        if !matches!(rt::timeout(PING, socket.send(message)).await, Ok(Ok(()))) {
            return;
        }
    }
    let _ = rt::timeout(PING, socket.send(Message::Close(None))).await;
}
