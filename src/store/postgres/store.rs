//! One wallet in a database.

use super::followed::Followed;
use super::shared::SharedWallet;
use super::tasks::Which;
use super::{Inner, events, history, push_records, tasks};
use crate::ledger::VertexId;
use crate::store::{
    Cluster, DeliveryRecord, EventFacts, EventLog, EventRecord, PushRecord, PushRecords, SharedTask,
    SharedTasks, SinkRecord, Store, StoreError, TaskFacts, TaskRecord, TaskRecords,
};
use crate::wallet::ChangeSet;
use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tokio::sync::watch;

pub(super) struct PostgresStore {
    pub(super) stores: Arc<Inner>,
    pub(super) wallet: i64,
    /// Once somebody waits for events.
    followed: OnceLock<Arc<Followed>>,
    /// The listeners that are told by this server.
    sinks: Mutex<HashSet<[u8; 16]>>,
}

impl PostgresStore {
    pub(super) fn new(stores: Arc<Inner>, wallet: i64) -> Self {
        Self { stores, wallet, followed: OnceLock::new(), sinks: Mutex::new(HashSet::new()) }
    }

    async fn read_tasks(&self, which: &Which) -> Result<Vec<SharedTask>, StoreError> {
        let Inner { pool, server, .. } = &*self.stores;
        let tasks = tasks::read(pool, &server.lease, self.wallet, which).await;
        tasks.map_err(|error| self.stores.failed(error))
    }
}

impl Drop for PostgresStore {
    /// The wallet was stopped here: other servers need not wait until its listeners count as left.
    fn drop(&mut self) {
        for sink in self.sinks.get_mut().unwrap_or_else(PoisonError::into_inner).drain() {
            self.stores.server.chores.give_sink_back(self.wallet, sink);
        }
    }
}

#[async_trait::async_trait]
impl Store for PostgresStore {
    async fn load(&self) -> Result<ChangeSet, StoreError> {
        history::load(&self.stores.pool, self.wallet).await.map_err(|error| self.stores.failed(error))
    }

    async fn append(&self, changes: &ChangeSet) -> Result<(), StoreError> {
        self.append_telling(changes, &EventFacts::default()).await
    }

    async fn append_telling(&self, changes: &ChangeSet, facts: &EventFacts) -> Result<(), StoreError> {
        let appended = async {
            let _turn = self.stores.turn_to_append(self.wallet).await?;
            history::append(&self.stores.pool, self.wallet, changes, facts).await
        };
        let appended = appended.await;
        let tells_events = appended.map_err(|error| self.stores.failed(error))?;
        // Without somebody who waits for them it would only be more for the database to do.
        if tells_events && self.followed.get().is_some() {
            self.stores.server.look_now();
        }
        Ok(())
    }

    fn event_log(&self) -> Option<&dyn EventLog> {
        Some(self)
    }

    fn push_records(&self) -> Option<&dyn PushRecords> {
        Some(self)
    }

    fn task_records(&self) -> Option<&dyn TaskRecords> {
        Some(self)
    }

    fn cluster(&self) -> Option<Arc<dyn Cluster>> {
        Some(Arc::new(SharedWallet::new(self.stores.clone(), self.wallet)))
    }
}

#[async_trait::async_trait]
impl PushRecords for PostgresStore {
    async fn keep_push_records(&self, records: Vec<PushRecord>) -> Result<(), StoreError> {
        let kept = push_records::write(&self.stores.pool, self.wallet, &records).await;
        kept.map_err(|error| self.stores.failed(error))
    }

    async fn push_record(&self, key: [u8; 32]) -> Result<Option<PushRecord>, StoreError> {
        let record = push_records::read(&self.stores.calls, self.wallet, key).await;
        record.map_err(|error| self.stores.failed(error))
    }
}

#[async_trait::async_trait]
impl TaskRecords for PostgresStore {
    async fn keep_task(&self, record: TaskRecord, facts: TaskFacts) -> Result<bool, StoreError> {
        let Inner { pool, server, .. } = &*self.stores;
        let kept = tasks::write(pool, &server.lease, self.wallet, &record, facts).await;
        kept.map_err(|error| self.stores.failed(error))
    }

    async fn keep_ended_task(&self, record: TaskRecord) -> Result<(), StoreError> {
        let Inner { pool, server, .. } = &*self.stores;
        let kept = tasks::write_ended(pool, &server.lease, self.wallet, &record).await;
        kept.map_err(|error| self.stores.failed(error))
    }

    async fn tasks(&self) -> Result<Vec<TaskRecord>, StoreError> {
        let tasks = self.read_tasks(&Which::All).await?;
        Ok(tasks.into_iter().map(|task| task.record).collect())
    }

    async fn forget_tasks(&self, ids: Vec<[u8; 16]>) -> Result<(), StoreError> {
        let forgotten = tasks::forget(&self.stores.pool, self.wallet, &ids).await;
        forgotten.map_err(|error| self.stores.failed(error))
    }

    fn shared(&self) -> Option<&dyn SharedTasks> {
        Some(self)
    }
}

#[async_trait::async_trait]
impl SharedTasks for PostgresStore {
    async fn keep_first_task(
        &self,
        record: TaskRecord,
        facts: TaskFacts,
    ) -> Result<Option<SharedTask>, StoreError> {
        loop {
            let kept = tasks::write_first(&self.stores.pool, self.wallet, &record, facts).await;
            let is_kept = kept.map_err(|error| self.stores.failed(error))?;
            let Some(key) = facts.key.filter(|_| !is_kept) else { return Ok(None) };
            // It may have failed since.
            if let Some(first) = self.task_of_key(key).await? {
                return Ok(Some(first));
            }
        }
    }

    async fn task_of_key(&self, key: [u8; 32]) -> Result<Option<SharedTask>, StoreError> {
        Ok(self.read_tasks(&Which::OfKey(key)).await?.pop())
    }

    async fn task(&self, id: [u8; 16]) -> Result<Option<SharedTask>, StoreError> {
        Ok(self.read_tasks(&Which::OfId(id)).await?.pop())
    }

    async fn all_tasks(&self) -> Result<Vec<SharedTask>, StoreError> {
        self.read_tasks(&Which::All).await
    }

    async fn open_tasks(&self) -> Result<Vec<SharedTask>, StoreError> {
        self.read_tasks(&Which::Open).await
    }

    async fn claim_task(&self, id: [u8; 16]) -> Result<bool, StoreError> {
        let Inner { pool, server, .. } = &*self.stores;
        server.chores.claims(self.wallet, id);
        let claimed = tasks::claim(pool, &server.lease, self.wallet, id).await;
        claimed.map_err(|error| self.stores.failed(error))
    }

    fn give_back_task(&self, id: [u8; 16]) {
        self.stores.server.chores.give_back(self.wallet, id);
    }

    async fn withdraw_task(&self, record: TaskRecord, send: [u8; 32]) -> Result<bool, StoreError> {
        let withdrawn = tasks::withdraw(&self.stores.pool, self.wallet, &record, send).await;
        withdrawn.map_err(|error| self.stores.failed(error))
    }

    fn has_open_tasks(&self) -> bool {
        self.stores.server.follow(self.wallet).has_tasks.load(Ordering::Relaxed)
    }

    async fn tasks_left(&self) {
        let followed = self.stores.server.follow(self.wallet);
        followed.left_tasks.notified().await;
    }
}

#[async_trait::async_trait]
impl EventLog for PostgresStore {
    fn watch(&self) -> watch::Receiver<i64> {
        let follow = || self.stores.server.follow(self.wallet);
        self.followed.get_or_init(follow).news.subscribe()
    }

    fn are_events_shared(&self) -> bool {
        true
    }

    async fn events_begun(&self) -> Result<Option<u32>, StoreError> {
        let log = events::log(&self.stores.pool, self.wallet).await;
        let begun = log.map_err(|error| self.stores.failed(error))?.begun;
        Ok(begun.map(|tag| tag as u32))
    }

    async fn last_event(&self) -> Result<u64, StoreError> {
        let log = events::log(&self.stores.pool, self.wallet).await;
        Ok(log.map_err(|error| self.stores.failed(error))?.last as u64)
    }

    async fn events(&self, after: u64, most: usize) -> Result<Vec<EventRecord>, StoreError> {
        let events = events::read(&self.stores.pool, self.wallet, after, most).await;
        events.map_err(|error| self.stores.failed(error))
    }

    async fn unconfirmed(&self) -> Result<Vec<VertexId>, StoreError> {
        let unconfirmed = events::unconfirmed(&self.stores.pool, self.wallet).await;
        unconfirmed.map_err(|error| self.stores.failed(error))
    }

    async fn claim_sink(&self, key: [u8; 16], from: u64) -> Result<Option<SinkRecord>, StoreError> {
        let Inner { pool, server, .. } = &*self.stores;
        server.chores.claims_sink(self.wallet, key);
        let claimed = events::claim_sink(pool, &server.lease, self.wallet, key, from).await;
        if matches!(claimed, Ok(Some(_))) {
            self.sinks.lock().unwrap_or_else(PoisonError::into_inner).insert(key);
        }
        claimed.map_err(|error| self.stores.failed(error))
    }

    async fn keep_sink(
        &self,
        sink: SinkRecord,
        delivery: Option<DeliveryRecord>,
    ) -> Result<bool, StoreError> {
        let Inner { pool, server, .. } = &*self.stores;
        let kept = events::write_sink(pool, &server.lease, self.wallet, &sink, delivery.as_ref()).await;
        kept.map_err(|error| self.stores.failed(error))
    }

    async fn keep_delivery(
        &self,
        delivery: DeliveryRecord,
        state: Option<Vec<u8>>,
    ) -> Result<(), StoreError> {
        let pool = &self.stores.pool;
        let kept = events::keep_delivery(pool, self.wallet, &delivery, state.as_deref()).await;
        kept.map_err(|error| self.stores.failed(error))
    }

    async fn sink(&self, key: [u8; 16]) -> Result<Option<SinkRecord>, StoreError> {
        let sink = events::sink(&self.stores.pool, self.wallet, key).await;
        sink.map_err(|error| self.stores.failed(error))
    }

    async fn delivery(&self, key: [u8; 16], seq: u64) -> Result<Option<DeliveryRecord>, StoreError> {
        let delivery = events::delivery(&self.stores.pool, self.wallet, key, seq).await;
        delivery.map_err(|error| self.stores.failed(error))
    }

    async fn deliveries(&self, key: [u8; 16]) -> Result<Vec<DeliveryRecord>, StoreError> {
        let deliveries = events::deliveries(&self.stores.pool, self.wallet, key).await;
        deliveries.map_err(|error| self.stores.failed(error))
    }
}
