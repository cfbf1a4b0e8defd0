//! What stands for other servers on a store in pages, where there are none.

use super::{
    Cluster, ClusterNews, LockedKey, OpenPush, PushOutcome, PushRecord, Recorded, Reserved, SendId,
    SharedClaim, StoreError,
};

/// None: its methods are never called.
#[derive(Clone)]
pub enum NoCluster {}

#[async_trait::async_trait(?Send)]
impl Cluster for NoCluster {
    async fn reserve(&self, _: SendId, _: &[SharedClaim], _: bool) -> Result<Reserved, StoreError> {
        match *self {}
    }
    fn release(&self, _: SendId) {
        match *self {}
    }
    fn disown(&self, _: SendId) {
        match *self {}
    }
    async fn record(
        &self,
        _: SendId,
        _: usize,
        _: &PushRecord,
        _: Option<[u8; 32]>,
    ) -> Result<Recorded, StoreError> {
        match *self {}
    }
    async fn push_record(&self, _: [u8; 32]) -> Result<Option<PushRecord>, StoreError> {
        match *self {}
    }
    async fn lock_key(&self, _: [u8; 32]) -> Result<Option<LockedKey>, StoreError> {
        match *self {}
    }
    async fn has_key_locked(&self, _: [u8; 32], _: u64) -> Result<bool, StoreError> {
        match *self {}
    }
    fn unlock_key(&self, _: [u8; 32], _: u64) {
        match *self {}
    }
    async fn keep_first(
        &self,
        _: &PushRecord,
        _: Option<[u8; 32]>,
    ) -> Result<Option<PushRecord>, StoreError> {
        match *self {}
    }
    async fn settle(&self, _: SendId) -> Result<u64, StoreError> {
        match *self {}
    }
    async fn withdraw(&self, _: SendId) -> Result<bool, StoreError> {
        match *self {}
    }
    async fn take_open(&self, _: &OpenPush) -> Result<bool, StoreError> {
        match *self {}
    }
    async fn settle_open(&self, _: &OpenPush, _: PushOutcome) -> Result<Option<u64>, StoreError> {
        match *self {}
    }
    async fn take_address(&self, _: u32, _: u32) -> Result<(u32, u64), StoreError> {
        match *self {}
    }
    async fn latest(&self) -> Result<u64, StoreError> {
        match *self {}
    }
    async fn look_for(&self, _: u64) -> Result<bool, StoreError> {
        match *self {}
    }
    fn share(&self) -> Option<u32> {
        match *self {}
    }
    fn wait_begins(&self) {
        match *self {}
    }
    fn wait_ends(&self) {
        match *self {}
    }
    fn others_wait(&self) -> bool {
        match *self {}
    }
    async fn away(&self) -> StoreError {
        match *self {}
    }
    async fn news(&self, _: Option<u64>) -> Result<ClusterNews, StoreError> {
        match *self {}
    }
    async fn open_pushes(&self) -> Result<Vec<OpenPush>, StoreError> {
        match *self {}
    }
}
