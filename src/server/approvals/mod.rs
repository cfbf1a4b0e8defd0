//! Approvals: what goes beyond a limit and waits for others' word, as it is, and who gave theirs.
//!
//! What is approved is a transaction, by the hash that its signatures are of. The document says who
//! approved what; whether that is enough is found where it is signed (`spending_guard`), by the limits as
//! they are then and the keys that still hold. Whoever can write the document can do as if there were
//! approvals, as whoever can write the keys can make keys.

mod book;
mod words;

pub use book::{Approval, Book, BookError, State};
pub(super) use words::{sum, words};

use super::App;
use crate::rt;
use crate::store::{APPROVALS_DOCUMENT, DocumentVersion, StoreError, Stores};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use tokio::sync::{Mutex, broadcast};

/// Changes at the same time that are tried again.
const TRIES: usize = 100;
/// How often to look what other servers changed, and whose time is over.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// Most news that a listener may be behind.
const NEWS: usize = 1_024;
/// Seconds at least between one head of the audit log that is told and the next.
const HEAD_AGAIN: u32 = 60;

/// Why approvals are not read or changed.
#[derive(Debug, thiserror::Error)]
pub(super) enum ApprovalError {
    #[error(transparent)]
    Book(#[from] BookError),
    #[error("There is nowhere to keep what waits for approval: start the server with `data_dir` or `store`.")]
    Nowhere,
    #[error("What waits for approval can't be read: {0}.")]
    Unreadable(String),
    #[error("Others changed what waits for approval at the same time, again and again: try again.")]
    Busy,
    #[error("What waits for approval can't be read or kept: {0}.")]
    Store(#[from] StoreError),
}

/// News of the server that those hear who listen to a wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum News {
    /// That something of a wallet waits, or what became of it.
    #[allow(missing_docs)]
    Approval { wallet: String, id: String, status: &'static str },
    /// The hash of the last line of the audit log.
    AuditHead(String),
}

/// Those who listen, and what they were told.
pub(super) struct Approvals {
    news: broadcast::Sender<News>,
    told: Mutex<Option<Told>>,
    is_watched: AtomicBool,
}

struct Told {
    version: Option<DocumentVersion>,
    book: Book,
    /// The status of each.
    statuses: HashMap<String, &'static str>,
}

impl Default for Approvals {
    fn default() -> Self {
        let news = broadcast::Sender::new(NEWS);
        Self { news, told: Mutex::default(), is_watched: AtomicBool::new(false) }
    }
}

impl App {
    /// Listens to what is asked, approved and denied from now on, at all servers, and to how far the audit
    /// log goes.
    pub(super) async fn server_news(&self) -> broadcast::Receiver<News> {
        self.tell_approvals().await;
        let news = self.approvals().news.subscribe();
        if !self.approvals().is_watched.swap(true, Relaxed) {
            tokio::spawn(watch(self.weak()));
        }
        news
    }

    /// What waits, and what did.
    pub(super) async fn read_approvals(&self) -> Result<Book, ApprovalError> {
        Ok(read(&*self.approval_stores()?).await?.1)
    }

    /// Changes it, and tells those who listen.
    pub(super) async fn change_approvals<T>(
        &self,
        how: impl Fn(&mut Book) -> Result<T, BookError> + Send + Sync,
    ) -> Result<T, ApprovalError> {
        let stores = self.approval_stores()?;
        for _ in 0..TRIES {
            let (version, mut book) = read(&*stores).await?;
            let before = book.clone();
            let done = how(&mut book)?;
            let documents = stores.documents().ok_or(ApprovalError::Nowhere)?;
            let text = serde_json::to_string(&book).expect("texts and numbers are JSON");
            if book == before || documents.replace_document(APPROVALS_DOCUMENT, version, &text).await? {
                self.tell_approvals().await;
                return Ok(done);
            }
        }
        Err(ApprovalError::Busy)
    }

    fn approval_stores(&self) -> Result<Arc<dyn Stores>, ApprovalError> {
        self.stores().filter(|stores| stores.documents().is_some()).ok_or(ApprovalError::Nowhere)
    }

    /// Tells what has changed since it was told last.
    async fn tell_approvals(&self) {
        let Ok(stores) = self.approval_stores() else { return };
        let mut told = self.approvals().told.lock().await;
        let version = match stores.documents() {
            Some(documents) => documents.document_version(APPROVALS_DOCUMENT).await,
            None => return,
        };
        let read = match (version, &*told) {
            (Ok(version), Some(told)) if version == told.version => Ok((version, told.book.clone())),
            _ => read(&*stores).await,
        };
        // While it can't be read, it is told later.
        let Ok((version, book)) = read else { return };
        let now = u64::from(rt::unix_seconds());
        let status = |approval: &Approval| (approval.id.clone(), approval.status(now));
        let statuses: HashMap<_, _> = book.approvals.iter().map(status).collect();
        if let Some(before) = &*told {
            for Approval { id, wallet, .. } in &book.approvals {
                let status = statuses[id];
                if before.statuses.get(id) != Some(&status) {
                    let news = News::Approval { wallet: wallet.clone(), id: id.clone(), status };
                    // Nobody may listen.
                    let _ = self.approvals().news.send(news);
                }
            }
        }
        *told = Some(Told { version, book, statuses });
    }
}

/// Looks after the document and the audit log as long as there is a server.
async fn watch(app: impl Fn() -> Option<App> + Send) {
    let (mut told, mut at) = (None, rt::unix_seconds());
    while let Some(app) = app() {
        app.tell_approvals().await;
        let (head, now) = (app.metrics().audit_head(), rt::unix_seconds());
        if let Some(last) = head.filter(|_| head != told && at.saturating_add(HEAD_AGAIN) <= now) {
            (told, at) = (head, now);
            let _ = app.approvals().news.send(News::AuditHead(hex::encode(last.hash)));
        }
        drop(app);
        rt::sleep(LOOK_AGAIN).await;
    }
}

async fn read(stores: &dyn Stores) -> Result<(Option<DocumentVersion>, Book), ApprovalError> {
    let documents = stores.documents().ok_or(ApprovalError::Nowhere)?;
    let Some(document) = documents.read_document(APPROVALS_DOCUMENT).await? else {
        return Ok((None, Book::default()));
    };
    let book = serde_json::from_str(&document.text);
    Ok((Some(document.version), book.map_err(|error| ApprovalError::Unreadable(error.to_string()))?))
}
