//! Approvals: transactions beyond a limit that wait unchanged for others' approval, and who approved them.
//!
//! A transaction is approved by the hash that its signatures are of. The document states who approved what;
//! whether that is enough is decided at signing (`spending_guard`), by the limits and keys at that time.
//! Whoever can write the document can invent approvals, as whoever can write the keys can make keys.

mod approval;
mod describe;
mod list;
mod steps;

pub use approval::{Approval, State, Step};
pub(super) use describe::{describe, sum};
pub use list::{ApprovalList, ListError};
pub(super) use steps::{is_for, members};

use super::App;
use crate::rt;
use crate::store::{APPROVALS_DOCUMENT, DocumentVersion, EventFacts, StoreError, Stores};
use crate::wallet::ChangeSet;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use tokio::sync::{Mutex, Notify, broadcast};

const TRIES: usize = 100;
/// How often to look for other servers' changes, and for expired approvals.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// Notifications that a listener may be behind.
const NEWS: usize = 1_024;
/// Seconds between two notifications of the audit log's head, at least.
const HEAD_AGAIN: u32 = 60;

#[derive(Debug, thiserror::Error)]
pub(super) enum ApprovalError {
    #[error(transparent)]
    List(#[from] ListError),
    #[error("There is nowhere to keep what waits for approval: start the server with `data_dir` or `store`.")]
    Nowhere,
    #[error("What waits for approval can't be read: {0}.")]
    Unreadable(String),
    #[error("Others changed what waits for approval at the same time, again and again: try again.")]
    Busy,
    #[error("What waits for approval can't be read or kept: {0}.")]
    Store(#[from] StoreError),
}

/// Notifications to those who listen to a wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum News {
    /// An approval of a wallet has a new status.
    Approval { wallet: String, id: String, status: &'static str },
    /// The hash of the audit log's last line.
    AuditHead(String),
}

pub(super) struct Approvals {
    news: broadcast::Sender<News>,
    announced: Mutex<Option<Announced>>,
    is_watched: AtomicBool,
    /// There may be steps that the wallets' logs lack.
    steps: Arc<Notify>,
}

struct Announced {
    version: Option<DocumentVersion>,
    list: ApprovalList,
    statuses: HashMap<String, &'static str>,
}

impl Default for Approvals {
    fn default() -> Self {
        let news = broadcast::Sender::new(NEWS);
        Self { news, announced: Mutex::default(), is_watched: AtomicBool::new(false), steps: Arc::default() }
    }
}

impl App {
    /// Notifications of requests, approvals and denials on all servers, and of the audit log's head.
    pub(super) async fn server_news(&self) -> broadcast::Receiver<News> {
        self.announce_approvals().await;
        let news = self.approvals().news.subscribe();
        if !self.approvals().is_watched.swap(true, Relaxed) {
            tokio::spawn(watch(self.weak()));
        }
        news
    }

    pub(super) async fn read_approvals(&self) -> Result<ApprovalList, ApprovalError> {
        Ok(read(&*self.approval_stores()?).await?.1)
    }

    /// Changes the document, adds the steps of the change, and notifies listeners.
    pub(super) async fn change_approvals<T>(
        &self,
        how: impl Fn(&mut ApprovalList) -> Result<T, ListError> + Send + Sync,
    ) -> Result<T, ApprovalError> {
        let stores = self.approval_stores()?;
        for _ in 0..TRIES {
            let (version, mut list) = read(&*stores).await?;
            let (before, now) = (list.clone(), u64::from(rt::unix_seconds()));
            list.expire(now);
            let done = how(&mut list)?;
            let lost = list.note_steps(&before, now);
            if lost > 0 {
                tracing::error!("{lost} events of approvals were deleted before they were delivered");
            }
            let documents = stores.documents().ok_or(ApprovalError::Nowhere)?;
            let text = serde_json::to_string(&list).expect("texts and numbers are JSON");
            if list == before || documents.replace_document(APPROVALS_DOCUMENT, version, &text).await? {
                self.announce_approvals().await;
                self.approvals().steps.notify_one();
                return Ok(done);
            }
        }
        Err(ApprovalError::Busy)
    }

    fn approval_stores(&self) -> Result<Arc<dyn Stores>, ApprovalError> {
        self.stores().filter(|stores| stores.documents().is_some()).ok_or(ApprovalError::Nowhere)
    }

    async fn announce_approvals(&self) {
        let Ok(stores) = self.approval_stores() else { return };
        let mut announced = self.approvals().announced.lock().await;
        let version = match stores.documents() {
            Some(documents) => documents.document_version(APPROVALS_DOCUMENT).await,
            None => return,
        };
        let read = match (version, &*announced) {
            (Ok(version), Some(announced)) if version == announced.version => {
                Ok((version, announced.list.clone()))
            }
            _ => read(&*stores).await,
        };
        // If it can't be read now, listeners are notified later.
        let Ok((version, list)) = read else { return };
        let now = u64::from(rt::unix_seconds());
        let status = |approval: &Approval| (approval.id.clone(), approval.status(now));
        let statuses: HashMap<_, _> = list.approvals.iter().map(status).collect();
        if let Some(before) = &*announced {
            for Approval { id, wallet, .. } in &list.approvals {
                let status = statuses[id];
                if before.statuses.get(id) != Some(&status) {
                    let news = News::Approval { wallet: wallet.clone(), id: id.clone(), status };
                    // There may be no listener.
                    let _ = self.approvals().news.send(news);
                }
            }
        }
        *announced = Some(Announced { version, list, statuses });
    }

    /// Marks expired approvals, and hands steps over to the logs of wallets that run here. A log ignores
    /// repeated steps.
    async fn hand_over_steps(&self) -> Result<(), ApprovalError> {
        let list = self.approvals().announced.lock().await.as_ref().map(|announced| announced.list.clone());
        let Some(list) = list else { return Ok(()) };
        let mut done = Vec::new();
        for wallet_id in list.steps.iter().map(|step| &*step.wallet).collect::<BTreeSet<_>>() {
            let of_wallet = list.steps.iter().filter(|step| step.wallet == wallet_id);
            let of_wallet: Vec<_> = of_wallet.cloned().collect();
            match self.hand_over_steps_of(wallet_id, &of_wallet).await {
                Ok(true) => done.extend(of_wallet),
                Ok(false) => {}
                Err(failure) => tracing::warn!("{failure}: events of approvals come later"),
            }
        }
        if !done.is_empty() || list.has_expired(rt::unix_seconds().into()) {
            self.change_approvals(|list| {
                list.steps_done(&done);
                Ok(())
            })
            .await?;
        }
        Ok(())
    }

    async fn hand_over_steps_of(&self, wallet_id: &str, steps: &[Step]) -> Result<bool, StoreError> {
        let store = self.wallets().get(wallet_id).and_then(|wallet| wallet.store());
        let Some(store) = store else { return Ok(false) };
        let Some(log) = store.event_log() else { return Ok(false) };
        // Before the first load has ended, the log accepts nothing.
        if log.events_begun().await?.is_none() {
            return Ok(false);
        }
        let facts = EventFacts { facts: steps.iter().filter_map(Step::fact).collect(), begin_at: None };
        store.append_with_events(&ChangeSet::default(), &facts).await?;
        Ok(true)
    }
}

/// Watches the document and the audit log while the server exists.
async fn watch(app: impl Fn() -> Option<App> + Send) {
    let (mut announced, mut at) = (None, rt::unix_seconds());
    while let Some(app) = app() {
        app.announce_approvals().await;
        if let Err(failure) = app.hand_over_steps().await {
            tracing::warn!("{failure} Events of approvals come later.");
        }
        let (head, now) = (app.metrics().audit_head(), rt::unix_seconds());
        if let Some(last) = head.filter(|_| head != announced && at.saturating_add(HEAD_AGAIN) <= now) {
            (announced, at) = (head, now);
            let _ = app.approvals().news.send(News::AuditHead(hex::encode(last.hash)));
        }
        let more = app.approvals().steps.clone();
        drop(app);
        let _ = rt::timeout(LOOK_AGAIN, more.notified()).await;
    }
}

async fn read(stores: &dyn Stores) -> Result<(Option<DocumentVersion>, ApprovalList), ApprovalError> {
    let documents = stores.documents().ok_or(ApprovalError::Nowhere)?;
    let Some(document) = documents.read_document(APPROVALS_DOCUMENT).await? else {
        return Ok((None, ApprovalList::default()));
    };
    let list = serde_json::from_str(&document.text);
    Ok((Some(document.version), list.map_err(|error| ApprovalError::Unreadable(error.to_string()))?))
}
