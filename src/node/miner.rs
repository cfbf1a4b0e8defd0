//! Who does the proof of work: the mining service, this machine, or this machine when the service does not.

use super::{CallError, FullNode, Health, MiningError, MiningService, is_far_ahead, mine_locally};
use crate::ledger::{Transaction, VertexId};
use crate::rt::Instant;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long the service has for a transaction that this machine can do as well: what the service itself gives
/// one job.
const SERVICE_LIMIT: Duration = Duration::from_secs(20);
/// How long a service that failed is left alone.
const PAUSE: Duration = Duration::from_secs(30);

/// Who does the proof of work, as the setting `mining` says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mining {
    /// The mining service. When it does not, sends fail, saying why. What has to be dated ahead of the clock
    /// is the exception: the service dates by its clock alone, so this machine does that.
    #[default]
    Service,
    /// This machine, on all cores, in the background.
    Local,
    /// The mining service; this machine when it is down, overloaded or too slow.
    ServiceThenLocal,
}

impl FromStr for Mining {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "service" => Ok(Self::Service),
            "local" => Ok(Self::Local),
            "service-then-local" => Ok(Self::ServiceThenLocal),
            _ => Err(()),
        }
    }
}

/// What gives transactions their parents, timestamp and nonce. Clones are the same miner.
#[derive(Clone)]
pub struct Miner(Arc<Mutex<Shared>>);

#[derive(Clone)]
struct Shared {
    service: Option<MiningService>,
    local: bool,
    /// When the service may be asked again.
    resumes: Option<Instant>,
}

impl From<MiningService> for Miner {
    /// The service alone.
    fn from(service: MiningService) -> Self {
        Self::new(Some(service), false)
    }
}

impl Miner {
    fn new(service: Option<MiningService>, local: bool) -> Self {
        Self(Arc::new(Mutex::new(Shared { service, local, resumes: None })))
    }

    /// What the mining service says of its health, tried once; `None` where there is no service.
    pub async fn health(&self) -> Option<Result<Health, CallError>> {
        let service = self.shared().service.clone();
        match service {
            Some(service) => Some(service.health().await),
            None => None,
        }
    }

    /// This machine alone.
    pub fn local() -> Self {
        Self::new(None, true)
    }

    /// The service, and this machine when it is down, overloaded, or takes more than 20 s. After that this
    /// machine goes first for half a minute.
    pub fn service_then_local(service: MiningService) -> Self {
        Self::new(Some(service), true)
    }

    /// Works as `other` does from now on, as do all clones. What is being solved already stays with who
    /// solves it.
    pub fn reconfigure(&self, other: &Self) {
        let shared = other.shared().clone();
        *self.shared() = shared;
    }

    /// Has a signed transaction solved: it comes back with a timestamp of at least `min_timestamp`, which is
    /// one past the greatest timestamp of what it spends, with the parents that it has or else with new ones
    /// that `node` has, and a nonce. When service and machine both fail, the service's failure is told.
    ///
    /// # Errors
    /// [`MiningError::Call`] if the node gives no parents; else why the service, or this machine where it
    /// alone does the work, found no solution.
    pub async fn solve(
        &self,
        node: &FullNode,
        transaction: Transaction,
        min_timestamp: u32,
    ) -> Result<Transaction, MiningError> {
        let Shared { service, local, resumes } = self.shared().clone();
        let Some(mut service) = service.filter(|_| !is_far_ahead(min_timestamp)) else {
            return solve_locally(node, transaction, min_timestamp).await;
        };
        service.endpoint = service.endpoint.in_lane(node.endpoint.lane.of_pushes());
        if local
            && resumes.is_some_and(|time| Instant::now() < time)
            && let Ok(solved) = solve_locally(node, transaction.clone(), min_timestamp).await
        {
            return Ok(solved);
        }
        let asked = with_parents(node, transaction.clone()).await?;
        // The clock may have been set back while the node was asked.
        if is_far_ahead(min_timestamp) {
            return solve_locally(node, transaction, min_timestamp).await;
        }
        if !local {
            return service.solve(asked, min_timestamp).await;
        }
        let mut capped = service;
        capped.solve_limit = capped.solve_limit.min(SERVICE_LIMIT);
        let failure = match capped.solve(asked, min_timestamp).await {
            Ok(solved) => {
                self.shared().resumes = None;
                return Ok(solved);
            }
            Err(failure) if is_of_the_service(&failure) => failure,
            Err(failure) => return Err(failure),
        };
        self.shared().resumes = Some(Instant::now() + PAUSE);
        tracing::info!("{failure}: this machine does the proof of work");
        solve_locally(node, transaction, min_timestamp).await.map_err(|_| failure)
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The transaction with parents of our own node, unless it has some: one of the mining service's choice could
/// be void, and the transaction with it.
async fn with_parents(node: &FullNode, mut transaction: Transaction) -> Result<Transaction, CallError> {
    if transaction.parents.is_empty() {
        transaction.parents = node.recent_parents().await?.into();
    }
    Ok(transaction)
}

async fn solve_locally(
    node: &FullNode,
    transaction: Transaction,
    min_timestamp: u32,
) -> Result<Transaction, MiningError> {
    let (parents, min_timestamp) = match transaction.parents.as_slice() {
        [one, other] => ([*one, *other], min_timestamp),
        _ => choose_parents(node, &transaction, min_timestamp).await?,
    };
    mine_locally(transaction, parents, min_timestamp).await
}

/// The node's newest transactions and a timestamp past them; older ones when these are far ahead of the
/// clock.
async fn choose_parents(
    node: &FullNode,
    transaction: &Transaction,
    min_timestamp: u32,
) -> Result<([VertexId; 2], u32), CallError> {
    let (parents, newest) = node.parents_and_time().await?;
    if newest < min_timestamp || !is_far_ahead(newest) {
        return Ok((parents, min_timestamp.max(newest.saturating_add(1))));
    }
    Ok((node.older_parents(transaction).await?, min_timestamp))
}

/// Whether another miner may do better: not so where the transaction is what is wrong.
const fn is_of_the_service(failure: &MiningError) -> bool {
    match failure {
        MiningError::Timeout
        | MiningError::RateLimited { .. }
        | MiningError::NoMiners
        | MiningError::Ended { .. }
        | MiningError::Call(_) => true,
        MiningError::TooEarly { .. } | MiningError::Refused { .. } | MiningError::Encode(_) => false,
    }
}
