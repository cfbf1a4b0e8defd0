//! `GET /wallet/events`: what happens to a wallet, as server-sent events.
//!
//! An event's id says how far its listener has come in two orders: among the notes of this process, and among
//! the events in the store, which are the same at every server (`epoch.log.event-note`). Whoever comes with
//! an id of another process is told what it has not heard of the latter, and then all the notes there are.

use crate::server::App;
use crate::server::auth::{self, Caller};
use crate::server::listener::{Listener, Told};
use crate::server::selection::Selected;
use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use std::convert::Infallible;

/// A stream that goes on until the wallet or the server is stopped, or the listener's key ends.
/// `Last-Event-ID` resumes an earlier one.
pub(super) async fn events(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
) -> Response {
    let place = match app.places().stream(caller.name()) {
        Ok(place) => place,
        Err(full) => return *full,
    };
    let last = headers.get("last-event-id").map(|id| String::from_utf8_lossy(id.as_bytes()));
    app.journal(&selected.id, &selected.wallet).begun().await;
    let listener = Listener::begin(&app, &selected.id, &selected.wallet, last.as_deref());
    let end = Box::pin(auth::end(app.clone(), caller));
    let told = stream::unfold(listener, async |mut listener| Some((listener.next().await?, listener)))
        .take_until(end);
    let told = told.map(move |event| {
        // Held as long as the stream.
        let _ = &place;
        Ok::<_, Infallible>(sse(event))
    });
    Sse::new(told).keep_alive(KeepAlive::default()).into_response()
}

fn sse(Told { id, name, data, .. }: Told) -> Event {
    let event = match id {
        Some(id) => Event::default().id(id),
        None => Event::default(),
    };
    event.event(name).data(data)
}
