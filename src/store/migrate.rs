//! Taking wallets from one place to another, with all that is kept of them.

use super::audit::AuditLog;
use super::told::Told;
use super::{
    DeliveryRecord, Documents, EventRecord, PushRecord, SinkRecord, Store, StoreError, TaskRecord,
    WholeSpending,
};
use crate::ledger::VertexId;
use crate::wallet::ChangeSet;
use std::sync::Arc;

/// A store that says all it has.
#[async_trait::async_trait]
pub trait WholeStore: Store {
    /// All push records, in no order.
    ///
    /// # Errors
    /// [`StoreError`] if any of them can't be read.
    async fn all_push_records(&self) -> Result<Vec<PushRecord>, StoreError>;

    /// All that its [`EventLog`](super::EventLog) has.
    ///
    /// # Errors
    /// [`StoreError`] if any of it can't be read.
    async fn whole_event_log(&self) -> Result<WholeEventLog, StoreError>;

    /// Keeps a log as it is, where nothing was kept of one: all of it or nothing.
    ///
    /// # Errors
    /// [`StoreError`] if it could not be kept.
    async fn keep_event_log(&self, log: WholeEventLog) -> Result<(), StoreError>;
}

/// All that is kept of a wallet's events, each part in the order of its keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WholeEventLog {
    /// The log's own number, once facts count as news.
    pub(super) begun: Option<u32>,
    /// The number of the last event, which may be kept no more.
    pub(super) last: u64,
    pub(super) events: Vec<EventRecord>,
    /// What was told of transactions. Without it all of that would be news again.
    pub(super) told: Vec<(VertexId, Told)>,
    pub(super) sinks: Vec<SinkRecord>,
    pub(super) deliveries: Vec<DeliveryRecord>,
}

/// Stores that say whose they are.
#[async_trait::async_trait]
pub trait NamedStores: Send + Sync {
    /// The names of those who have one (see [`Owner::name`](super::Owner::name)), in their order.
    ///
    /// # Errors
    /// [`StoreError`] if that can't be read, and while servers run on them, or have left pushes that are
    /// still to be brought to their end.
    async fn names(&self) -> Result<Vec<String>, StoreError>;

    /// The store of a name, and what it holds. An empty one the first time; nothing that is damaged is
    /// dropped.
    ///
    /// # Errors
    /// [`StoreError`] if it can't be opened, or what it holds can't be read.
    async fn open_named(&self, name: &str) -> Result<(Arc<dyn WholeStore>, ChangeSet), StoreError>;

    /// Servers may run on them from now on, once no store is open.
    async fn leave_all(&self) {}

    /// Where documents are kept.
    fn all_documents(&self) -> &dyn Documents;

    /// Where the audit log is kept.
    fn all_audit(&self) -> &dyn AuditLog;

    /// What was spent under limits.
    ///
    /// # Errors
    /// [`StoreError`] if that can't be read.
    async fn spent(&self) -> Result<WholeSpending, StoreError>;

    /// Keeps what was spent, all of it or nothing. `false` where something was counted already.
    ///
    /// # Errors
    /// [`StoreError`] if it could not be kept.
    async fn keep_spent(&self, spent: WholeSpending) -> Result<bool, StoreError>;
}

/// What was taken over of one wallet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migrated {
    pub vertices: usize,
    pub push_records: usize,
    pub tasks: usize,
    pub events: usize,
}

/// Takes what is kept under a name to other stores, and reads it there to see that it is the same. What it
/// was taken from stays as it is. `None` where the same is there already.
///
/// # Errors
/// [`StoreError`] if something can't be read or kept, or something else is there: that is left alone.
pub async fn migrate(
    name: &str,
    from: &dyn NamedStores,
    to: &dyn NamedStores,
    is_open: impl Fn(&TaskRecord) -> bool + Sync,
) -> Result<Option<Migrated>, StoreError> {
    let (source, kept) = from.open_named(name).await?;
    let (target, there) = to.open_named(name).await?;
    let log = source.whole_event_log().await?;
    let (records, tasks_kept) = (source.all_push_records().await?, tasks(&*source).await?);
    let is_same = async || {
        let is_same = target.load().await? == kept
            && target.whole_event_log().await? == log
            && by_key(target.all_push_records().await?) == by_key(records.clone())
            && by_id(tasks(&*target).await?) == by_id(tasks_kept.clone());
        Ok::<_, StoreError>(is_same)
    };
    let log_there = target.whole_event_log().await?;
    // The same log is what was taken before it broke off.
    let is_begun = log_there == log || log_there == WholeEventLog::default();
    if !is_begun
        || !there.is_empty()
        || !target.all_push_records().await?.is_empty()
        || !tasks(&*target).await?.is_empty()
    {
        return if is_same().await? { Ok(None) } else { Err(is_another(name)) };
    }
    if log_there != log {
        target.keep_event_log(log.clone()).await?;
    }
    // The history last: where there is one, everything is there.
    if let Some(place) = target.push_records().filter(|_| !records.is_empty()) {
        place.keep_push_records(records.clone()).await?;
    }
    if let Some(place) = target.task_records() {
        for task in &tasks_kept {
            place.keep_task(task.clone(), is_open(task)).await?;
        }
    }
    target.append(&kept).await?;
    if !is_same().await? {
        let what = "what was taken over is not the same there".to_owned();
        return Err(StoreError::Damaged { place: name.to_owned(), what });
    }
    Ok(Some(Migrated {
        vertices: kept.vertices.len(),
        push_records: records.len(),
        tasks: tasks_kept.len(),
        events: log.events.len(),
    }))
}

/// What is there may be older, so that requests which were sent since would be sent again.
fn is_another(name: &str) -> StoreError {
    let what = "is there already with other contents, and is left alone: to take it over, migrate to an empty directory or \
                another schema (?schema=…)";
    StoreError::Failed { place: name.to_owned(), what: what.to_owned() }
}

fn by_key(mut records: Vec<PushRecord>) -> Vec<PushRecord> {
    records.sort_by_key(|record| record.key);
    records
}

fn by_id(mut tasks: Vec<TaskRecord>) -> Vec<TaskRecord> {
    tasks.sort_by_key(|task| task.id);
    tasks
}

async fn tasks(store: &dyn WholeStore) -> Result<Vec<TaskRecord>, StoreError> {
    match store.task_records() {
        Some(tasks) => tasks.tasks().await,
        None => Ok(Vec::new()),
    }
}
