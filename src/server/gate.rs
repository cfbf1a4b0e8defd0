//! What requests pass before their route: it is closed while the configuration changes, and when the server
//! ends.
//!
//! A `TaskTracker` of tokio-util counts as well, but does not refuse in the same step: who came just as it
//! was closed would be inside, and not waited for.

use super::answer::failed;
use crate::api::texts::{SERVICE_ENDING, SERVICE_UNAVAILABLE};
use axum::http::header::{CONNECTION, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use tokio::sync::Notify;

/// Another server may be asked by then, or this one again.
const RETRY_AFTER_SECONDS: HeaderValue = HeaderValue::from_static("1");

/// Who is inside, and whether others may follow. Every request passes twice, so that passing is an addition
/// and nothing else.
#[derive(Default)]
pub(super) struct RequestGate(Arc<Passing>);

#[derive(Default)]
struct Passing {
    /// How many are inside, and why no others may follow: [`RELOADING`], [`ENDING`].
    state: AtomicU64,
    /// Told when somebody may wait for it: the gate was closed for good, or the last one left a closed gate.
    changed: Notify,
}

const RELOADING: u64 = 1 << 63;
const ENDING: u64 = 1 << 62;

/// Why the gate is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closed {
    Reloading,
    Ending,
}

impl Closed {
    /// What callers are told.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Reloading => SERVICE_UNAVAILABLE,
            Self::Ending => SERVICE_ENDING,
        }
    }
}

/// One that is inside, until this is dropped.
pub(super) struct GatePermit(Arc<Passing>);

/// The gate, closed for a change of the configuration, until this is dropped.
pub(super) struct Reloading<'a>(&'a RequestGate);

const fn closed(state: u64) -> Option<Closed> {
    match state {
        _ if state & ENDING != 0 => Some(Closed::Ending),
        _ if state & RELOADING != 0 => Some(Closed::Reloading),
        _ => None,
    }
}

const fn inside(state: u64) -> u64 {
    state & !(RELOADING | ENDING)
}

impl RequestGate {
    /// Lets a request in.
    pub fn enter(&self) -> Result<GatePermit, Closed> {
        let before = self.0.state.fetch_add(1, SeqCst);
        // Dropped again where it may not stay.
        let entered = GatePermit(self.0.clone());
        match closed(before) {
            None => Ok(entered),
            Some(why) => Err(why),
        }
    }
    /// Why others may not follow now.
    pub fn closed(&self) -> Option<Closed> {
        closed(self.0.state.load(SeqCst))
    }
    /// How many are inside.
    pub fn inside(&self) -> u64 {
        inside(self.0.state.load(SeqCst))
    }
    /// Closes the gate until the configuration is changed; refused while it is closed already.
    pub fn reload(&self) -> Result<Reloading<'_>, Closed> {
        match closed(self.0.state.fetch_or(RELOADING, SeqCst)) {
            None => Ok(Reloading(self)),
            Some(why) => Err(why),
        }
    }
    /// Closes the gate for good.
    pub fn end(&self) {
        self.0.state.fetch_or(ENDING, SeqCst);
        self.0.changed.notify_waiters();
    }
    /// Waits until it is closed for good.
    pub async fn ending(&self) {
        self.wait_for(|state| state & ENDING != 0).await;
    }
    /// Waits until nobody is inside. To be asked of a closed gate.
    pub async fn empty(&self) {
        self.wait_for(|state| inside(state) == 0).await;
    }
    async fn wait_for(&self, is_so: impl Fn(u64) -> bool) {
        loop {
            let mut changed = pin!(self.0.changed.notified());
            // Before looking, so that no change in between is missed.
            changed.as_mut().enable();
            if is_so(self.0.state.load(SeqCst)) {
                return;
            }
            changed.await;
        }
    }
}

impl Drop for GatePermit {
    fn drop(&mut self) {
        let before = self.0.state.fetch_sub(1, SeqCst);
        if inside(before) == 1 && closed(before).is_some() {
            self.0.changed.notify_waiters();
        }
    }
}

impl Drop for Reloading<'_> {
    fn drop(&mut self) {
        self.0.0.state.fetch_and(!RELOADING, SeqCst);
    }
}

/// The answer while the gate is closed.
pub(super) fn unavailable(closed: Closed) -> Response {
    let mut response = failed(StatusCode::SERVICE_UNAVAILABLE, closed.text());
    response.headers_mut().insert(RETRY_AFTER, RETRY_AFTER_SECONDS);
    if closed == Closed::Ending {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
