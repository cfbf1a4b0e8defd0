//! Bodies that are longer than nearly all: few have room at a time, and whoever has been sending for the
//! longest gives way. So those that don't come on hold up nobody.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// Most of them at a time.
const MOST: usize = 16;

#[derive(Default)]
pub(super) struct LongBodies(Mutex<Held>);

#[derive(Default)]
struct Held {
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
        if held.places.len() >= MOST {
            held.places.pop_front();
        }
        held.last_id += 1;
        let id = held.last_id;
        held.places.push_back((id, place));
        LongBody { bodies: self, id, given_up }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
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
