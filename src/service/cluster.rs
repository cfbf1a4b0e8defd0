//! What the servers on one store do for each other: what a send takes is reserved in all of them, what it is
//! about to push is recorded for all of them, and what one has pushed the others know ahead of their nodes.

use super::in_flight::SendGuard;
use super::inner::Inner;
use super::pushing::{PushObserver, Pushed};
use super::reservation::Reservation;
use super::shared_hold::{Hold, SharedHold};
use super::{SendError, SendKey};
use crate::ledger::{Outpoint, Transaction, VertexId};
use crate::node::{CallError, PushError};
use crate::rt::{self, BoxFuture, Instant};
#[cfg(target_arch = "wasm32")]
use crate::store::Cluster;
use crate::store::{
    ClusterNews, OpenPush, PushOutcome, PushRecord, Recorded, Reserved, SendId, SharedCluster, StoreError,
};
use crate::wallet::{PlanError, ReservationId, Scan, State};
use futures_util::stream::{FuturesUnordered, StreamExt};
use std::collections::HashMap;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

/// How long to wait before the store is asked again after it could not be.
const PAUSE: Duration = Duration::from_secs(1);

/// Most that is waited before a push that is open still is made again.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// How long it is tried at a time.
const TRY_LIMIT: Duration = Duration::from_secs(10);
/// Most that are tried at a time: of some the node says neither yes nor no.
const TRIES_AT_ONCE: usize = 16;

/// Plans in a row that lose an input to other servers. Each loss tells what these have.
const MAX_LOST: u32 = 100;
/// From this one on there is a pause after each, in which it may be heard what all others have.
const PATIENT_AFTER: u32 = 5;
const LOST_PAUSE: Duration = Duration::from_millis(20);

/// What follows when so many plans in a row were lost.
///
/// # Errors
/// [`SendError::SentElsewhere`] when these are too many.
pub(super) async fn after_loss(lost: u32) -> Result<(), SendError> {
    if lost == MAX_LOST {
        return Err(SendError::SentElsewhere);
    }
    if lost > PATIENT_AFTER {
        rt::sleep(LOST_PAUSE).await;
    }
    Ok(())
}

/// Whether outputs may be reserved that a user has locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Locked {
    /// As for whom they were locked.
    Too,
    /// They are left alone.
    Not,
}

/// Records for all servers what is about to be pushed.
pub(super) struct ClusterRecorder {
    observer: Box<dyn PushObserver>,
    hold: Hold,
}

impl ClusterRecorder {
    /// `observer`, if the inputs are reserved in this server alone.
    pub(super) fn over(observer: Box<dyn PushObserver>, inputs: &Reservation) -> Box<dyn PushObserver> {
        match &inputs.shared {
            Some(hold) => Box::new(Self { observer, hold: hold.clone() }),
            None => observer,
        }
    }
}

impl PushObserver for ClusterRecorder {
    fn salt(&self) -> &[u8] {
        self.observer.salt()
    }

    fn key(&self) -> Option<SendKey> {
        self.observer.key()
    }

    fn pushed_before(&self) -> bool {
        self.observer.pushed_before()
    }

    fn unknown(&self, id: VertexId, cause: CallError) -> SendError {
        self.observer.unknown(id, cause)
    }

    fn before_push<'a>(&'a self, transaction: &'a Transaction) -> BoxFuture<'a, Result<(), SendError>> {
        Box::pin(async {
            let hold = &self.hold;
            let (record, instead_of) = match self.observer.record(transaction)? {
                Some(keyed) => keyed,
                None => (unkeyed(hold.send(), transaction)?, None),
            };
            let id = transaction.id()?;
            match hold.record(id, &record, instead_of).await {
                Ok(Recorded::Kept) => Ok(()),
                Ok(Recorded::Lost) => Err(SendError::LeaseEnded),
                Ok(Recorded::Outrun) => Err(SendError::SentElsewhere),
                Ok(Recorded::NotReached(cause)) => Err(SendError::NotReserved(cause)),
                // It may be recorded all the same: then another server pushes it.
                Err(cause) => Err(SendError::RecordUnclear { id, cause }),
            }
        })
    }
}

/// The record of a send that nobody will ask for again: so that it is brought to its end by somebody.
fn unkeyed(send: SendId, transaction: &Transaction) -> Result<PushRecord, SendError> {
    let mut key = [0; 32];
    key[..16].copy_from_slice(&send.0);
    let (time, transaction) = (rt::unix_seconds(), transaction.to_bytes()?);
    Ok(PushRecord { key, request: [0; 32], time, transaction })
}

impl Inner {
    /// Reserves in all servers what is reserved in this one; `false` if others were faster: what they have is
    /// passed over from then on.
    ///
    /// # Errors
    /// [`SendError::NotReserved`] if the store can't be asked.
    #[cfg_attr(
        target_arch = "wasm32",
        allow(unused_variables, clippy::useless_conversion, reason = "there is never a cluster")
    )]
    pub(super) async fn reserve_everywhere(
        &self,
        inputs: &mut Reservation,
        locked: Locked,
    ) -> Result<bool, SendError> {
        let Some(cluster) = self.cluster.as_ref().filter(|_| inputs.shared.is_none()) else {
            return Ok(true);
        };
        let mut send = SendId([0; 16]);
        getrandom::fill(&mut send.0).map_err(|error| {
            let (place, what) = ("of the wallet".to_owned(), error.to_string());
            SendError::NotReserved(StoreError::Failed { place, what })
        })?;
        let claims = inputs.claims();
        // Dropped, it frees what an answer that got lost has reserved, or that was waited for long enough.
        let hold = SharedHold::new(cluster.clone(), send, claims.len());
        let reserved = tokio::select! {
            biased;
            reserved = hold.reserve(&claims, locked == Locked::Too) => reserved.map_err(SendError::NotReserved)?,
            away = self.store_is_away() => return Err(away),
        };
        match reserved {
            Reserved::All => {
                inputs.shared = Some(hold.into());
                Ok(true)
            }
            Reserved::Taken(claims) => {
                self.account.add_elsewhere(claims);
                Ok(false)
            }
        }
    }

    /// Waits until the store that servers share has not answered for some seconds; for ever where none is
    /// shared.
    #[cfg_attr(target_arch = "wasm32", allow(unreachable_code, reason = "there is never a cluster"))]
    pub(super) async fn store_is_away(&self) -> SendError {
        match &self.cluster {
            Some(cluster) => SendError::NotReserved(cluster.away().await),
            None => std::future::pending().await,
        }
    }

    /// Whether what refuses a plan may be what another server has let go of, which is heard of a moment
    /// later: what was set aside there for this very send was reserved before.
    pub(super) fn may_be_let_go(&self, refusal: &PlanError, locked: Locked) -> bool {
        locked == Locked::Too && self.cluster.is_some() && matches!(refusal, PlanError::LockedOrUsed { .. })
    }

    /// Plans, or holds, and reserves that in all servers; plans anew where others were faster.
    ///
    /// # Errors
    /// [`SendError::Plan`] if it can't be planned, [`SendError::NotReserved`] if the store can't be asked.
    pub(super) async fn reserve_planned<T>(
        &self,
        turn: &mut SendGuard,
        locked: Locked,
        plan: impl Fn(&mut State) -> Result<(ReservationId, T), PlanError>,
    ) -> Result<(T, Reservation), SendError> {
        let mut lost = 0;
        loop {
            let refusal = match Reservation::make(&self.state, &self.account, turn, &plan) {
                Ok((planned, mut inputs)) => {
                    if self.reserve_everywhere(&mut inputs, locked).await? {
                        return Ok((planned, inputs));
                    }
                    drop(inputs);
                    turn.let_inputs_go();
                    SendError::SentElsewhere
                }
                Err(used) if self.may_be_let_go(&used, locked) => used.into(),
                Err(refusal) => return Err(refusal.into()),
            };
            lost += 1;
            after_loss(lost).await.map_err(|_| refusal)?;
        }
    }

    /// Locks outputs that are reserved, in all wallets of the account and all servers.
    pub(super) async fn lock_reserved(
        &self,
        outputs: &[Outpoint],
        now: u32,
        until: u32,
    ) -> Result<(), SendError> {
        self.account.apply_to_all(&self.state, |state| state.lock_outpoints(outputs, now, until));
        #[cfg(feature = "native")]
        self.tell_servers().await.map_err(SendError::NotReserved)?;
        Ok(())
    }

    /// Takes in what another server has pushed.
    fn hear_of_push(&self, bytes: &[u8]) {
        let Ok(transaction) = Transaction::from_bytes(bytes) else { return };
        let Ok(id) = transaction.id() else { return };
        let is_known = self.state.read().vertex(&id).is_some();
        if !is_known {
            self.sent(Pushed { id, transaction, spends: None });
        }
    }

    /// Pushes what a server that is gone has recorded: the very same bytes. What is open still after that is
    /// left to all servers.
    async fn end_open_push(&self, cluster: &SharedCluster, open: &OpenPush) -> Result<(), SendError> {
        let Ok(transaction) = Transaction::from_bytes(&open.transaction) else { return Ok(()) };
        let id = transaction.id()?;
        if !cluster.take_open(open).await.map_err(SendError::NotReserved)? {
            return Ok(());
        }
        let _taken = Taken { cluster, send: open.send };
        let (node, inputs) = (&self.backend.node, transaction.spends());
        let limit = node.read_limit().min(TRY_LIMIT);
        let outcome = match node.push_until_known(&id, &open.transaction, &inputs, true, limit).await {
            Ok(()) | Err(PushError::AlreadyExists { .. }) => PushOutcome::Pushed,
            Err(PushError::Conflict { .. } | PushError::Voided { .. } | PushError::Rejected { .. }) => {
                PushOutcome::Refused
            }
            // With this timestamp it is valid at no node, whenever it is pushed.
            Err(PushError::TooEarly { after, .. }) if after >= transaction.timestamp => PushOutcome::Refused,
            Err(PushError::TooEarly { .. } | PushError::NotSent(_) | PushError::Unknown(_)) => return Ok(()),
        };
        tracing::info!("a push of transaction {id} that another server had recorded: {outcome:?}");
        if outcome == PushOutcome::Pushed {
            self.hear_of_push(&open.transaction);
        }
        match cluster.settle_open(open, outcome).await {
            Ok(told) => self.has_told(told),
            Err(failure) => tracing::warn!("the other servers are not told what became of {id}: {failure}"),
        }
        Ok(())
    }

    /// What was told to the other servers is news of a number.
    #[cfg_attr(target_arch = "wasm32", allow(clippy::unused_self, reason = "there are no other servers"))]
    pub(super) fn has_told(&self, _seq: Option<u64>) {
        #[cfg(feature = "native")]
        _seq.into_iter().for_each(|seq| self.seq.has_told(seq));
    }

    /// What was found in the store is news of a number that may be heard of only later.
    pub(super) async fn note_latest(&self) {
        let Some(cluster) = &self.cluster else { return };
        match cluster.latest().await {
            Ok(seq) => self.has_told(Some(seq)),
            Err(failure) => tracing::debug!("the number of the latest news is not known: {failure}"),
        }
    }

    /// Has a plan begin where those of other servers don't.
    pub(super) fn spread(&self, state: &mut State) {
        let share = self.cluster.as_ref().and_then(|cluster| cluster.share());
        share.into_iter().for_each(|share| state.begin_among_equals_at(share));
    }

    /// Takes in what other servers did.
    fn hear(&self, news: ClusterNews, is_first: bool) {
        news.pushed.iter().for_each(|bytes| self.hear_of_push(bytes));
        // Between two indexes are at the start those that are asked for now, whatever was asked for earlier.
        let end = match self.scan {
            Scan::IndexLimit { .. } if is_first => 0,
            _ => news.addresses.end,
        };
        let watches_more = self.state.read().addresses_to_watch(0).end < end;
        self.state.take_in(|state| {
            let events = state.hear(news.addresses.current, end, &news.locks);
            news.swap_parts.into_iter().for_each(|parts| state.hear_of_swaps(parts));
            events
        });
        if watches_more {
            self.wake.notify_one();
        }
        // Last: what is reserved no more is spent or locked by now, as far as it is not free.
        self.account.set_elsewhere(news.claims);
        #[cfg(feature = "native")]
        self.seq.has_taken_in(news.seq);
    }
}

/// An open push that this server is at: left to all servers then, if it is open still.
struct Taken<'a> {
    cluster: &'a SharedCluster,
    send: SendId,
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.cluster.disown(self.send);
    }
}

/// Follows what other servers do with a wallet, until it is aborted.
pub(super) async fn follow(wallet: Arc<Inner>, cluster: SharedCluster) {
    futures_util::join!(hear(&wallet, &cluster), end_open_pushes(&wallet, &cluster));
}

async fn hear(wallet: &Inner, cluster: &SharedCluster) {
    let (mut after, mut is_deaf) = (None, false);
    loop {
        match cluster.news(after).await {
            Ok(news) => {
                is_deaf = false;
                let seq = news.seq;
                wallet.hear(news, after.is_none());
                after = Some(seq);
            }
            Err(failure) => {
                // Said once, not every second.
                if !std::mem::replace(&mut is_deaf, true) {
                    tracing::warn!("what other servers do is not known: {failure}");
                }
                rt::sleep(PAUSE).await;
            }
        }
    }
}

async fn end_open_pushes(wallet: &Inner, cluster: &SharedCluster) {
    // When those that are still open are pushed next, and the pause after that.
    let mut later: HashMap<SendId, (Instant, Duration)> = HashMap::new();
    let mut under_way = FuturesUnordered::new();
    let mut look = pin!(open_pushes(cluster, Duration::ZERO));
    loop {
        let open = tokio::select! {
            open = look.as_mut() => open,
            Some((send, pause)) = under_way.next() => {
                later.insert(send, (Instant::now() + pause, (pause * 2).min(LONGEST_PAUSE)));
                continue;
            }
        };
        match open {
            Ok(open) => {
                later.retain(|_, (due, _)| due.elapsed() < LONGEST_PAUSE);
                for open in open {
                    let (due, pause) = later.get(&open.send).copied().unwrap_or((Instant::now(), PAUSE));
                    if due <= Instant::now() && under_way.len() < TRIES_AT_ONCE {
                        under_way.push(try_open_push(wallet, cluster, open, pause));
                    }
                }
            }
            Err(failure) => tracing::warn!("pushes that others have recorded can't be looked for: {failure}"),
        }
        // Those whose outcome could not be found out are open still.
        look.set(open_pushes(cluster, PAUSE));
    }
}

async fn open_pushes(cluster: &SharedCluster, after: Duration) -> Result<Vec<OpenPush>, StoreError> {
    rt::sleep(after).await;
    cluster.open_pushes().await
}

/// Gives which it was, and the pause after it.
async fn try_open_push(
    wallet: &Inner,
    cluster: &SharedCluster,
    open: OpenPush,
    pause: Duration,
) -> (SendId, Duration) {
    if let Err(failure) = wallet.end_open_push(cluster, &open).await {
        tracing::warn!("a push that was recorded is not brought to its end: {failure}");
    }
    (open.send, pause)
}
