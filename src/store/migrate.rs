//! Migrating wallets between stores, with all that is kept of them.

use super::announced::Announced;
use super::audit::AuditLog;
use super::{
    DeliveryRecord, Documents, EventRecord, PushRecord, SinkRecord, Store, StoreError, TaskRecord,
    WholeSpending,
};
use crate::ledger::VertexId;
use crate::wallet::ChangeSet;
use std::sync::Arc;

/// A store that can be read as a whole.
#[async_trait::async_trait]
pub trait WholeStore: Store {
    async fn all_push_records(&self) -> Result<Vec<PushRecord>, StoreError>;

    async fn whole_event_log(&self) -> Result<WholeEventLog, StoreError>;

    /// Writes a log unchanged into a store without events: all of it or nothing.
    async fn keep_event_log(&self, log: WholeEventLog) -> Result<(), StoreError>;
}

/// All events of an account, each part in the order of its keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WholeEventLog {
    /// The log's own number, once facts count.
    pub(super) begun: Option<u32>,
    /// The number of the last event, which may no longer be kept.
    pub(super) last: u64,
    pub(super) events: Vec<EventRecord>,
    /// The last events of transactions. Without them every transaction would have new events.
    pub(super) announced: Vec<(VertexId, Announced)>,
    pub(super) sinks: Vec<SinkRecord>,
    pub(super) deliveries: Vec<DeliveryRecord>,
}

#[async_trait::async_trait]
pub trait NamedStores: Send + Sync {
    /// The names of all owners that have a store (see [`Owner::name`](super::Owner::name)), sorted.
    ///
    /// # Errors
    /// [`StoreError`], also while servers run on the stores, or have left pushes whose outcome is unknown.
    async fn names(&self) -> Result<Vec<String>, StoreError>;

    /// The store of a name and its content; an empty one the first time. Nothing damaged is dropped.
    async fn open_named(&self, name: &str) -> Result<(Arc<dyn WholeStore>, ChangeSet), StoreError>;

    /// Releases all accounts, once no store is open: servers may run on them from now on.
    async fn leave_all(&self) {}

    fn all_documents(&self) -> &dyn Documents;

    fn all_audit(&self) -> &dyn AuditLog;

    async fn spent(&self) -> Result<WholeSpending, StoreError>;

    /// Keeps what was spent, all of it or nothing. `false` if something was counted already.
    async fn keep_spent(&self, spent: WholeSpending) -> Result<bool, StoreError>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migrated {
    pub vertices: usize,
    pub push_records: usize,
    pub tasks: usize,
    pub events: usize,
}

/// Copies a wallet to other stores, and reads it there to see that it is the same. The source is unchanged.
/// `None` if the same is there already.
///
/// # Errors
/// [`StoreError`], also if there is something else: that is left alone.
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
    // The same log: a migration broke off after copying it.
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
    // The history comes last: a store with a history is complete.
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

/// The store there may be older: requests sent since would be sent again.
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
