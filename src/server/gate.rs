//! What requests pass before their route: it is closed while the configuration changes, and when the server ends.

use super::App;
use super::answer::json_with;
use crate::api::Failure;
use crate::api::texts::{SERVICE_ENDING, SERVICE_UNAVAILABLE};
use axum::extract::{Request, State};
use axum::http::header::CONNECTION;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use tokio::sync::watch;

/// Who is inside, and whether others may follow.
#[derive(Default)]
pub(super) struct Gate(watch::Sender<Passing>);

#[derive(Clone, Copy, Debug, Default)]
struct Passing {
    reloading: bool,
    ending: bool,
    /// What routes are at work on.
    inside: usize,
}

/// Why the gate is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closed {
    Reloading,
    Ending,
}

/// One that is inside, until this is dropped.
pub(super) struct Inside(watch::Sender<Passing>);

/// The gate, closed for a change of the configuration, until this is dropped.
pub(super) struct Reloading<'a>(&'a Gate);

impl Passing {
    const fn closed(self) -> Option<Closed> {
        match self {
            Self { ending: true, .. } => Some(Closed::Ending),
            Self { reloading: true, .. } => Some(Closed::Reloading),
            _ => None,
        }
    }
}

impl Gate {
    /// Lets a request in.
    pub fn enter(&self) -> Result<Inside, Closed> {
        let mut closed = None;
        // Nobody waits for more to come in.
        self.0.send_if_modified(|passing| {
            closed = passing.closed();
            passing.inside += usize::from(closed.is_none());
            false
        });
        closed.map_or_else(|| Ok(Inside(self.0.clone())), Err)
    }
    /// Counts work that goes on when its request is given up, from a route on.
    pub fn stay(&self) -> Inside {
        self.0.send_if_modified(|passing| {
            passing.inside += 1;
            false
        });
        Inside(self.0.clone())
    }
    /// How many are inside.
    pub fn inside(&self) -> usize {
        self.0.borrow().inside
    }
    /// Closes the gate until the configuration is changed; refused while it is closed already.
    pub fn reload(&self) -> Result<Reloading<'_>, Closed> {
        let mut closed = None;
        self.0.send_if_modified(|passing| {
            closed = passing.closed();
            passing.reloading = true;
            false
        });
        closed.map_or_else(|| Ok(Reloading(self)), Err)
    }
    /// Closes the gate for good.
    pub fn end(&self) {
        self.0.send_modify(|passing| passing.ending = true);
    }
    /// Waits until it is closed for good.
    pub async fn ending(&self) {
        self.wait_for(|passing| passing.ending).await;
    }
    /// Waits until nobody is inside.
    pub async fn empty(&self) {
        self.wait_for(|passing| passing.inside == 0).await;
    }
    async fn wait_for(&self, is_so: impl Fn(&Passing) -> bool) {
        // The sender is held here, so waiting can't fail.
        let _ = self.0.subscribe().wait_for(is_so).await;
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        self.0.send_if_modified(|passing| {
            passing.inside -= 1;
            passing.inside == 0
        });
    }
}

impl Drop for Reloading<'_> {
    fn drop(&mut self) {
        self.0.0.send_if_modified(|passing| {
            passing.reloading = false;
            false
        });
    }
}

/// Lets a request pass to its route, or says why not.
pub(super) async fn through(State(app): State<App>, request: Request, next: Next) -> Response {
    match app.gate().enter() {
        Ok(inside) => {
            let response = next.run(request).await;
            drop(inside);
            response
        }
        Err(closed) => unavailable(closed),
    }
}

/// The answer while the gate is closed.
pub(super) fn unavailable(closed: Closed) -> Response {
    let text = match closed {
        Closed::Reloading => SERVICE_UNAVAILABLE,
        Closed::Ending => SERVICE_ENDING,
    };
    let mut response = json_with(StatusCode::SERVICE_UNAVAILABLE, &Failure::new(text));
    if closed == Closed::Ending {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
