//! `GET /wallet/events`: what happens to a wallet, as server-sent events.

use crate::server::App;
use crate::server::auth::Caller;
use crate::server::events::Journal;
use crate::server::selection::Selected;
use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt, stream};
use std::convert::Infallible;
use std::sync::Arc;

/// A stream that goes on until the wallet or the server is stopped, or the listener's key ends.
/// `Last-Event-ID` resumes an earlier one.
pub(super) async fn events(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
) -> Response {
    let place = match app.places().stream() {
        Ok(place) => place,
        Err(full) => return *full,
    };
    let journal = app.journal(&selected.id, &selected.wallet);
    let last = headers.get("last-event-id").map(|id| String::from_utf8_lossy(id.as_bytes()));
    let (next, missed) = journal.resume(last.as_deref());
    let first = missed.then(|| {
        let (name, data) = journal.tell_missed();
        Ok::<_, Infallible>(Event::default().event(name).data(data))
    });
    let end = Box::pin(end(app.clone(), caller));
    let told = stream::iter(first).chain(from(&app, journal, next)).take_until(end);
    let told = told.map(move |event| {
        // Held as long as the stream.
        let _ = &place;
        event
    });
    Sse::new(told).keep_alive(KeepAlive::default()).into_response()
}

/// Waits for the end of the server, or of the key of whoever listens.
async fn end(app: App, caller: Caller) {
    match caller {
        Caller::Named(key) => tokio::select! {
            () = app.clone().ending() => {}
            () = app.access().ended(key) => {}
        },
        Caller::Owner | Caller::Nobody => app.ending().await,
    }
}

/// The events from a number on, until the wallet is closed.
fn from(
    app: &App,
    journal: Arc<Journal>,
    next: u64,
) -> impl Stream<Item = Result<Event, Infallible>> + use<> {
    let more = journal.watch();
    let (network, compat) = (app.config().network, app.config().compat);
    stream::unfold((journal, more, next, false), move |(journal, mut more, mut next, closed)| async move {
        if closed {
            return None;
        }
        loop {
            // Seen before looking, so that what comes in between wakes it again.
            more.borrow_and_update();
            let Some((number, note)) = journal.event(next) else {
                more.changed().await.ok()?;
                continue;
            };
            next = number + 1;
            if let Some((name, data)) = journal.tell(&note, network, compat) {
                let event = Event::default().id(journal.id(number)).event(name).data(data);
                let closed = note.is_end();
                return Some((Ok(event), (journal, more, next, closed)));
            }
        }
    })
}
