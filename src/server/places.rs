//! Places for requests that may take long: streams of events, and all that waits for a node, a mining service
//! or another request.
//!
//! Each holds a connection that makes no room for others. So they get a part of all connections, streams a
//! quarter and waiting requests a half: whoever holds these leaves a quarter to requests that are answered
//! at once. Of the places of waiting requests, half are for requests that are forwarded, whatever these ask
//! for: a server that is slow leaves room for what runs here. A key with a name gets half of each at most,
//! so that no one of them keeps all others out.

use super::answer::failed;
use crate::operations::{self, Operation};
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// Seconds until there may be a place again.
const RETRY_AFTER_SECONDS: HeaderValue = HeaderValue::from_static("5");

/// Most long bodies that are received at a time.
const MAX_LONG_BODIES: usize = 16;

/// The places of a server, and how many there are of each kind.
pub(super) struct Places {
    streams: Kind,
    waiting: Kind,
    forwarded: Kind,
    pub long_bodies: LongBodies,
}

struct Kind {
    /// What those who have these do.
    what: &'static str,
    count: usize,
    free: Arc<Semaphore>,
    /// How many each key with a name has.
    of_keys: Arc<OfKeys>,
}

#[derive(Default)]
struct OfKeys(Mutex<HashMap<Arc<str>, usize>>);

/// A place that is taken until this is dropped.
pub(super) struct Place {
    _permit: OwnedSemaphorePermit,
    _of_key: Option<OfKey>,
}

/// One of those that a key has.
struct OfKey {
    key: Arc<str>,
    of_keys: Arc<OfKeys>,
}

impl Places {
    /// Those among so many connections, of which there are three at least.
    pub fn among(connections: usize) -> Self {
        let of = |count: usize, what| {
            let count = count.clamp(1, Semaphore::MAX_PERMITS);
            Kind { what, count, free: Arc::new(Semaphore::new(count)), of_keys: Arc::default() }
        };
        Self {
            streams: of(connections / 4, "streams of events are open"),
            waiting: of(connections / 2, "requests wait for their end"),
            forwarded: of(connections / 4, "requests wait for other servers"),
            long_bodies: LongBodies::default(),
        }
    }
    /// A place for a stream of events of a key, if that has a name, or the answer where there is none.
    pub fn stream(&self, key: Option<&str>) -> Result<Place, Box<Response>> {
        self.streams.take(key)
    }
    /// A place for a request of a key, if it may wait, or the answer where there is none.
    pub fn of(&self, operation: &Operation, key: Option<&str>) -> Result<Option<Place>, Box<Response>> {
        operation.may_wait.then(|| self.waiting.take(key)).transpose()
    }
    /// Places for a request that another server answers, which has one already if it may wait here.
    pub fn forwarded(
        &self,
        operation: &Operation,
        key: Option<&str>,
        held: Option<Place>,
    ) -> Result<[Option<Place>; 2], Box<Response>> {
        if *operation == operations::EVENTS {
            return Ok([Some(self.streams.take(key)?), None]);
        }
        let waiting = held.map_or_else(|| self.waiting.take(key), Ok)?;
        Ok([Some(waiting), Some(self.forwarded.take(key)?)])
    }
}

impl Kind {
    fn take(&self, key: Option<&str>) -> Result<Place, Box<Response>> {
        let of_key = key.map(|key| self.of_keys.take(key, self.most_of_a_key())).transpose();
        let permit = self.free.clone().try_acquire_owned();
        match (of_key, permit) {
            (Ok(_of_key), Ok(_permit)) => Ok(Place { _permit, _of_key }),
            (Err(FullKey), _) => Err(self.full(self.most_of_a_key(), " of this API key")),
            (_, Err(_)) => Err(self.full(self.count, "")),
        }
    }

    fn most_of_a_key(&self) -> usize {
        self.count.div_ceil(2)
    }

    fn full(&self, count: usize, whose: &str) -> Box<Response> {
        let what = self.what;
        let error = format!(
            "{count} {what}{whose}, as many as the setting `http_max_connections` leaves room for: try again later, or raise it."
        );
        let mut response = failed(StatusCode::SERVICE_UNAVAILABLE, error);
        response.headers_mut().insert(RETRY_AFTER, RETRY_AFTER_SECONDS);
        Box::new(response)
    }
}

/// A key has as many as it may.
struct FullKey;

impl OfKeys {
    fn take(self: &Arc<Self>, key: &str, most: usize) -> Result<OfKey, FullKey> {
        let mut counts = self.lock();
        let key: Arc<str> = key.into();
        let count = counts.entry(key.clone()).or_default();
        if *count >= most {
            return Err(FullKey);
        }
        *count += 1;
        Ok(OfKey { key, of_keys: self.clone() })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Arc<str>, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OfKey {
    fn drop(&mut self) {
        let mut counts = self.of_keys.lock();
        if let Some(count) = counts.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.key);
            }
        }
    }
}

/// Bodies that are longer than nearly all: few have room at a time, and whoever has been sending for the
/// longest gives way. So those that don't come on hold up nobody.
#[derive(Default)]
pub(super) struct LongBodies(Mutex<BeingSent>);

#[derive(Default)]
struct BeingSent {
    last_id: u64,
    /// The oldest first. One that is dropped from here has to give way.
    places: VecDeque<(u64, oneshot::Sender<()>)>,
}

/// The place of one body.
pub(super) struct LongBody<'a> {
    bodies: &'a LongBodies,
    id: u64,
    given_up: oneshot::Receiver<()>,
}

impl LongBodies {
    /// A place for another one.
    pub(super) fn begin(&self) -> LongBody<'_> {
        let (place, given_up) = oneshot::channel();
        let mut held = self.held();
        if held.places.len() >= MAX_LONG_BODIES {
            held.places.pop_front();
        }
        held.last_id += 1;
        let id = held.last_id;
        held.places.push_back((id, place));
        LongBody { bodies: self, id, given_up }
    }

    fn held(&self) -> MutexGuard<'_, BeingSent> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LongBody<'_> {
    /// Waits until it has to give way.
    pub(super) async fn gives_way(&mut self) {
        // Nothing is ever sent: it ends when the place is taken away.
        let _ = (&mut self.given_up).await;
    }
}

impl Drop for LongBody<'_> {
    fn drop(&mut self) {
        self.bodies.held().places.retain(|(id, _)| *id != self.id);
    }
}
