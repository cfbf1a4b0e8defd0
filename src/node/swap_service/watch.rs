//! What the swap service tells of proposals by its WebSocket (wallet-lib: `AtomicSwapServiceConnection`): one
//! connection for all who want to know, as long as there are some.

use super::super::socket::LiveSocket;
use super::super::{Backoff, CallError, Service, object};
use super::{MAX_ANSWER, is_id};
use crate::net::{HttpClient, Url};
use crate::rt;
use litemap::LiteMap;
use serde::Deserialize;
use serde_json::json;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, broadcast};

/// How long a connection may take to come about.
const CONNECT_LIMIT: Duration = Duration::from_secs(20);
/// The pause after each frame: whatever a service sends, there is time for other things.
const PACE: Duration = Duration::from_millis(1);
/// A proposal is told of once in this time: changes that come faster are told of as one.
const PAUSE: Duration = Duration::from_secs(2);

/// A proposal changed at the service, or may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwapNews {
    /// Which; `None` if the connection was broken: any may have changed meanwhile.
    pub id: Option<String>,
    /// Of which version the service says that it is, if it says so.
    pub version: Option<u32>,
}

impl SwapNews {
    /// Any proposal may have changed.
    pub const ANY: Self = Self { id: None, version: None };
}

/// The connection of a swap service.
pub(super) struct Watch {
    client: HttpClient,
    url: Url,
    watched: Mutex<Watched>,
    /// Somebody wants to know of another proposal, or nobody of one any more.
    changed: Notify,
}

#[derive(Default)]
struct Watched {
    proposals: LiteMap<String, Proposal>,
    last_listener: u64,
    is_served: bool,
}

#[derive(Default)]
struct Proposal {
    listeners: Vec<(u64, broadcast::Sender<SwapNews>)>,
    /// The service has been asked to tell of it.
    is_subscribed: bool,
}

/// That somebody is told of a proposal, until it is dropped.
pub struct SwapSubscription {
    watch: Arc<Watch>,
    id: String,
    listener: u64,
}

/// What the service says. wallet-lib leaves open by which name it says the id.
#[derive(Deserialize)]
struct Frame {
    r#type: String,
    #[serde(default)]
    id: Option<String>,
    #[serde(default, rename = "proposalId")]
    proposal_id: Option<String>,
    #[serde(default)]
    version: Option<u32>,
}

impl Watch {
    pub(super) fn new(client: HttpClient, url: Url) -> Arc<Self> {
        Arc::new(Self { client, url, watched: Mutex::default(), changed: Notify::new() })
    }

    pub(super) fn is_at_same(&self, other: &Self) -> bool {
        self.url == other.url
    }

    /// Tells `listener` of a proposal from now on.
    pub(super) fn subscribe(
        self: &Arc<Self>,
        id: &str,
        listener: broadcast::Sender<SwapNews>,
    ) -> SwapSubscription {
        let mut watched = self.watched();
        watched.last_listener += 1;
        let number = watched.last_listener;
        match watched.proposals.get_mut(id) {
            Some(proposal) => proposal.listeners.push((number, listener)),
            None => {
                let proposal = Proposal { listeners: vec![(number, listener)], is_subscribed: false };
                watched.proposals.insert(id.to_owned(), proposal);
            }
        }
        if !std::mem::replace(&mut watched.is_served, true) {
            rt::spawn(self.clone().serve());
        }
        self.changed.notify_one();
        SwapSubscription { watch: self.clone(), id: id.to_owned(), listener: number }
    }

    /// Connects again and again, until nobody wants to know any more.
    async fn serve(self: Arc<Self>) {
        let mut backoff = Backoff::reconnect();
        let mut may_have_missed = false;
        while self.is_wanted() {
            if let Err(failure) = self.follow(&mut backoff, may_have_missed).await {
                may_have_missed = true;
                let delay = backoff.next_delay();
                tracing::debug!("{failure}; again in {delay:?}");
                rt::sleep(delay).await;
            }
        }
    }

    /// One connection, until nobody wants to know any more.
    async fn follow(&self, backoff: &mut Backoff, may_have_missed: bool) -> Result<(), CallError> {
        let (service, max) = (Service::SwapService, Some(MAX_ANSWER));
        let mut socket = LiveSocket::connect(service, &self.client, &self.url, CONNECT_LIMIT, max).await?;
        self.watched().proposals.iter_mut().for_each(|(_, proposal)| proposal.is_subscribed = false);
        let mut is_to_say = may_have_missed;
        // What was told of in this pause, and what is to be told of it after that.
        let mut recent: LiteMap<String, Option<SwapNews>> = LiteMap::new();
        let mut pause = pin!(rt::sleep(PAUSE));
        while self.ask_for_all(&mut socket) {
            if std::mem::take(&mut is_to_say) {
                self.tell(&SwapNews::ANY);
            }
            tokio::select! {
                () = self.changed.notified() => {}
                text = socket.recv() => {
                    let text = text?;
                    // Only a service that says something is well again.
                    backoff.reset();
                    if let Some((id, news)) = read(&text) {
                        if let Some(next) = recent.get_mut(&id) {
                            *next = Some(news);
                        } else if self.tell(&news) {
                            if recent.is_empty() {
                                pause.set(rt::sleep(PAUSE));
                            }
                            recent.insert(id, None);
                        }
                    }
                    rt::sleep(PACE).await;
                }
                () = &mut pause, if !recent.is_empty() => {
                    for (id, next) in std::mem::take(&mut recent) {
                        if next.is_some_and(|news| self.tell(&news)) {
                            recent.insert(id, None);
                        }
                    }
                    pause.set(rt::sleep(PAUSE));
                }
            }
        }
        socket.close().await;
        Ok(())
    }

    /// Subscribes to what somebody wants to know of, and to nothing else. Gives whether there is anything.
    fn ask_for_all(&self, socket: &mut LiveSocket) -> bool {
        let mut watched = self.watched();
        let mut ask = |what: &str, id: &str| socket.send(json!({"type": what, "proposalId": id}).to_string());
        for (id, proposal) in watched.proposals.iter_mut() {
            let is_wanted = !proposal.listeners.is_empty();
            match (proposal.is_subscribed, is_wanted) {
                (false, true) => ask("subscribe_proposal", id),
                (true, false) => ask("unsubscribe_proposal", id),
                _ => {}
            }
            proposal.is_subscribed = is_wanted;
        }
        watched.proposals.retain(|_, proposal| proposal.is_subscribed);
        !watched.proposals.is_empty()
    }

    /// Whether somebody wants to know of anything; if not, the next one who does must have it served anew.
    fn is_wanted(&self) -> bool {
        let mut watched = self.watched();
        watched.proposals.retain(|_, proposal| !proposal.listeners.is_empty());
        watched.is_served = !watched.proposals.is_empty();
        watched.is_served
    }

    /// Tells each who wants to know, once, and gives whether there are some.
    fn tell(&self, news: &SwapNews) -> bool {
        let watched = self.watched();
        let of_it = |id: &str| news.id.as_deref().is_none_or(|meant| meant == id);
        let meant = watched.proposals.iter().filter(|(id, _)| of_it(id));
        let mut told: Vec<&broadcast::Sender<SwapNews>> = Vec::new();
        for (_, listener) in meant.flat_map(|(_, proposal)| &proposal.listeners) {
            if !told.iter().any(|other| other.same_channel(listener)) {
                told.push(listener);
                // Nobody need be listening.
                let _ = listener.send(news.clone());
            }
        }
        !told.is_empty()
    }

    fn watched(&self) -> MutexGuard<'_, Watched> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SwapSubscription {
    fn drop(&mut self) {
        if let Some(proposal) = self.watch.watched().proposals.get_mut(&self.id) {
            proposal.listeners.retain(|(number, _)| *number != self.listener);
        }
        self.watch.changed.notify_one();
    }
}

/// The news in a frame, and of which proposal. What makes no sense is none.
fn read(text: &str) -> Option<(String, SwapNews)> {
    let frame: Frame = object::read(text.as_bytes()).ok()?;
    // As wallet-lib reads the types of all frames.
    let is_update = frame.r#type.split(':').next() == Some("proposal_updated");
    let id = frame.id.or(frame.proposal_id).filter(|id| is_update && is_id(id))?;
    Some((id.clone(), SwapNews { id: Some(id), version: frame.version }))
}
