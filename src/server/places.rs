//! Places for requests that may take long: streams of events, and all that waits for a node, a mining service
//! or another request.
//!
//! Each holds a connection that makes no room for others. So they get a part of all connections, streams a
//! quarter and waiting requests a half: whoever holds these leaves a quarter to requests that are answered at
//! once.

use super::answer::json_with;
use super::long_bodies::LongBodies;
use crate::api::Failure;
use crate::api::operations::OperationId as Id;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Seconds until there may be a place again.
const RETRY_AFTER_SECONDS: HeaderValue = HeaderValue::from_static("5");

/// The places of a server, and how many there are of each kind.
pub(super) struct Places {
    streams: (Arc<Semaphore>, usize),
    waiting: (Arc<Semaphore>, usize),
    pub long_bodies: LongBodies,
}

/// A place that is taken until this is dropped.
pub(super) type Place = OwnedSemaphorePermit;

impl Places {
    /// Those among so many connections, of which there are three at least.
    pub fn among(connections: usize) -> Self {
        let of = |count: usize| {
            let count = count.clamp(1, Semaphore::MAX_PERMITS);
            (Arc::new(Semaphore::new(count)), count)
        };
        Self {
            streams: of(connections / 4),
            waiting: of(connections / 2),
            long_bodies: LongBodies::default(),
        }
    }
    /// A place for a stream of events, or the answer where there is none.
    pub fn stream(&self) -> Result<Place, Box<Response>> {
        take(&self.streams, "streams of events are open")
    }
    /// A place for a request, if it may wait, or the answer where there is none.
    pub fn of(&self, operation: Id) -> Result<Option<Place>, Box<Response>> {
        may_wait(operation).then(|| take(&self.waiting, "requests wait for their end")).transpose()
    }
}

fn take((places, count): &(Arc<Semaphore>, usize), what: &str) -> Result<Place, Box<Response>> {
    places.clone().try_acquire_owned().map_err(|_| {
        let error = format!(
            "{count} {what}, as many as the setting `http_max_connections` leaves room for: try again later, or raise it."
        );
        let mut response = json_with(StatusCode::SERVICE_UNAVAILABLE, &Failure::new(error));
        response.headers_mut().insert(RETRY_AFTER, RETRY_AFTER_SECONDS);
        Box::new(response)
    })
}

/// Whether an operation may wait for anything but this process. Stopping a wallet must always find room.
const fn may_wait(id: Id) -> bool {
    !matches!(
        id,
        Id::Events
            | Id::Status
            | Id::Stop
            | Id::MultisigPubkey
            | Id::Balance
            | Id::Address
            | Id::Addresses
            | Id::AddressIndex
            | Id::AddressInfo
            | Id::UtxoFilter
            | Id::TxHistory
            | Id::Transaction
            | Id::LastLoadedAddressIndex
            | Id::GetWalletInputs
            | Id::InputData
            | Id::UtxosSelectedAsInput
            | Id::SwapInputData
            | Id::UnlockSwap
            | Id::GetLockedUtxos
            | Id::ListSwaps
            | Id::DeleteSwap
            | Id::ListTasks
            | Id::CancelTask
            | Id::ListWebhooks
            | Id::ListDeliveries
            | Id::Welcome
            | Id::Docs
            | Id::DocsUi
            | Id::Metrics
            | Id::Live
            | Id::Ready
    )
}
