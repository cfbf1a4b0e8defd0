//! What several servers on one store share of a wallet, so that each sends by itself, and no two of them
//! spend the same output.
//!
//! ```text
//! plan → reserve (all claims or none) → sign → proof of work → record (mine still? then durable) → push →
//! settle
//! ```
//!
//! What is reserved and not recorded is freed when its server's lease has ended: that server records nothing
//! any more, and so pushes nothing. What is recorded is never freed by time: the very same bytes are pushed
//! again by whoever is there, until the ledger tells.

use super::{PushRecord, StoreError};
use crate::ledger::{Outpoint, VertexId, sha256d};
use crate::rt::{SendOutsideWasm, SyncOutsideWasm};
use crate::wallet::SwapPart;
use std::time::Duration;

/// Something that only one send may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SharedClaim {
    /// To spend an output.
    Output(Outpoint),
    /// A number for a contract's call by the address at an index.
    #[allow(missing_docs)]
    Call { address: u32, seqnum: u64 },
}

/// One send, told from all others of all servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SendId(pub [u8; 16]);

/// What came of a wish to reserve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reserved {
    /// All of it is reserved.
    All,
    /// Nothing is: these are other sends', or locked, and among them is one that was asked for.
    Taken(Vec<SharedClaim>),
}

/// What came of a record before a push.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// It is durable, and the transaction may be pushed.
    Kept,
    /// What the send had reserved is reserved for it no more: it must not be pushed.
    Lost,
    /// Another request with the key was faster.
    Outrun,
    /// The store was not reached: nothing is recorded.
    NotReached(StoreError),
}

/// A key that is locked, until it is [unlocked](Cluster::unlock_key) or this server's lease has ended. What
/// is recorded for it in between is recorded only while it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockedKey {
    /// Tells it from all other locks.
    pub number: u64,
    /// The key's record as it was then.
    pub record: Option<PushRecord>,
}

/// What became of a push that was found open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PushOutcome {
    /// The node has it.
    Pushed,
    /// The node does not take it: what it spends is free again.
    Refused,
}

/// What happened in all servers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClusterNews {
    /// Up to where it goes.
    pub seq: u64,
    /// Transactions that were pushed, in that order.
    pub pushed: Vec<Vec<u8>>,
    /// All that sends of other servers have now, and that was recorded anywhere and not settled.
    pub claims: Vec<SharedClaim>,
    /// How far any server has come with the addresses.
    pub addresses: SharedAddresses,
    /// Outputs that were locked since, with the first second at which they are free again, or unlocked
    /// (`None`).
    pub locks: Vec<(Outpoint, Option<u32>)>,
    /// All that any server has put into proposals of swaps, if that changed since.
    pub swap_parts: Option<Vec<SwapPart>>,
}

/// How far any server has come with a wallet's addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SharedAddresses {
    /// Index of the current one.
    pub current: u32,
    /// The index after that of the last one that is watched.
    pub end: u32,
}

/// A transaction that was recorded by a server which is gone, or did not get to know what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenPush {
    #[allow(missing_docs)]
    pub send: SendId,
    /// Its bytes.
    pub transaction: Vec<u8>,
}

/// How it stands between this server and the store that several share, as of the last look at it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClusterHealth {
    /// Why the store did not answer, if it did not.
    pub problem: Option<String>,
    /// How long ago the lease was renewed; `None` without one: a server without wallets needs none.
    pub lease_renewed: Option<Duration>,
    /// Outputs and numbers of calls that this server has reserved and not recorded.
    pub reserved: u64,
    /// Pushes of the wallets started here that were recorded, by any server, and not settled.
    pub open_pushes: u64,
}

/// What the servers on one store share of one wallet.
#[cfg_attr(not(target_arch = "wasm32"), async_trait::async_trait)]
#[cfg_attr(target_arch = "wasm32", async_trait::async_trait(?Send))]
pub trait Cluster: SendOutsideWasm + SyncOutsideWasm {
    /// Reserves all of it for a send, or nothing. Outputs that are locked, in whichever server, are none that
    /// it can have, unless `may_be_locked`.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked: then nothing is reserved, or is soon free again.
    async fn reserve(
        &self,
        send: SendId,
        claims: &[SharedClaim],
        may_be_locked: bool,
    ) -> Result<Reserved, StoreError>;

    /// Frees what a send has reserved, unless it is recorded; soon, if the store can't be reached now.
    fn release(&self, send: SendId);

    /// Leaves it to all servers to find out what became of a send that may be recorded; soon, if the store
    /// can't be reached now.
    fn disown(&self, send: SendId);

    /// Looks whether all that a send has reserved (so many claims) is still its own, and records what it is
    /// about to push, in one transaction. The record takes the place of one with the mark `instead_of`, and
    /// of none else that is of its key and not older than [`RECORD_LIFE`](super::RECORD_LIFE).
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked. It may be recorded all the same, and then it is pushed by
    /// whoever finds it.
    async fn record(
        &self,
        send: SendId,
        claims: usize,
        record: &PushRecord,
        instead_of: Option<[u8; 32]>,
    ) -> Result<Recorded, StoreError>;

    /// The record of a key, at once: changes to the history that are being written are not waited for.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked, or the record can't be read.
    async fn push_record(&self, key: [u8; 32]) -> Result<Option<PushRecord>, StoreError>;

    /// Locks a key, and reads its record; `None` if another server has locked it. This server may lock it
    /// again: its own requests of one key wait for each other before that.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked, or the record can't be read: then it is not locked.
    async fn lock_key(&self, key: [u8; 32]) -> Result<Option<LockedKey>, StoreError>;

    /// Whether a key is still locked under a number, so that no other server can have begun to work for it.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn has_key_locked(&self, key: [u8; 32], number: u64) -> Result<bool, StoreError>;

    /// Lets other servers lock a key; soon, if the store can't be reached now.
    fn unlock_key(&self, key: [u8; 32], number: u64);

    /// Keeps a record that reserves nothing, unless there is one of its key that is not older than
    /// [`RECORD_LIFE`](super::RECORD_LIFE), other than that with the mark `instead_of`: then it gives that
    /// one.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked. It may be kept all the same.
    async fn keep_first(
        &self,
        record: &PushRecord,
        instead_of: Option<[u8; 32]>,
    ) -> Result<Option<PushRecord>, StoreError>;

    /// Tells all servers that a node has a push. Gives the number of that news.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked: then the push is found open later.
    async fn settle(&self, send: SendId) -> Result<u64, StoreError>;

    /// Takes a record back whose push no node has, and frees what it spends: from then on nobody pushes it.
    /// `false` if another server may push it, or has.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked: it may be taken back all the same.
    async fn withdraw(&self, send: SendId) -> Result<bool, StoreError>;

    /// Has this server bring a push to its end that was found open; `false` if another one does, or did, or
    /// it was recorded anew, or this server is at it already. It is open again when it is
    /// [disowned](Self::disown).
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn take_open(&self, push: &OpenPush) -> Result<bool, StoreError>;

    /// Tells all servers what became of a push that was found open, if that is open still: `None` if it was
    /// recorded anew since. Gives the number of that news.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked: then it is found open again.
    async fn settle_open(&self, push: &OpenPush, outcome: PushOutcome) -> Result<Option<u64>, StoreError>;

    /// Takes an address to give away, which no other server gives: the one at `current`, or the first one
    /// that is free after it. The last one that may be given, at `most`, is given again and again. Gives
    /// the number of that news, too.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked: then none is taken, or one is passed over.
    async fn take_address(&self, current: u32, most: u32) -> Result<(u32, u64), StoreError>;

    /// Up to where the news go now.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn latest(&self) -> Result<u64, StoreError>;

    /// Whether there were news of a number: then it is looked for them at once.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn look_for(&self, seq: u64) -> Result<bool, StoreError>;

    /// Where a selection is to begin among outputs of one value, in parts of 2^32 of them, so that servers do
    /// not choose the same ones; `None` as long as that is not known.
    fn share(&self) -> Option<u32>;

    /// Has other servers know that one more send waits here for outputs which they have.
    fn wait_begins(&self);

    /// One less of them does.
    fn wait_ends(&self);

    /// Whether sends of other servers wait for outputs that this one may have, as of the last look.
    fn others_wait(&self) -> bool;

    /// Waits until the store has not answered for some seconds, and says why.
    async fn away(&self) -> StoreError;

    /// Waits until something has happened since `after`, and says what; without that, at once and of the last
    /// minutes.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn news(&self, after: Option<u64>) -> Result<ClusterNews, StoreError>;

    /// Waits until there are pushes that somebody must bring to their end, and gives them. Those that are
    /// open still are given again, some time later.
    ///
    /// # Errors
    /// [`StoreError`] if the store can't be asked.
    async fn open_pushes(&self) -> Result<Vec<OpenPush>, StoreError>;
}

/// The servers on a wallet's store, where it is made for several.
#[cfg(not(target_arch = "wasm32"))]
pub type SharedCluster = std::sync::Arc<dyn Cluster>;
/// The same in pages, where each store is one program's: there is none, and the package has no code for what
/// would be done with one.
#[cfg(target_arch = "wasm32")]
pub type SharedCluster = super::NoCluster;

impl SharedClaim {
    /// As bytes, in the order of the claims.
    pub fn to_bytes(self) -> Vec<u8> {
        match self {
            Self::Output(output) => [&[0], &output.tx.0[..], &[output.index]].concat(),
            Self::Call { address, seqnum } => {
                [&[1], &address.to_be_bytes()[..], &seqnum.to_be_bytes()].concat()
            }
        }
    }

    /// Reads what [`SharedClaim::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        match bytes.split_first()? {
            (0, rest) => {
                let (tx, index) = rest.split_first_chunk::<32>()?;
                let [index] = *index else { return None };
                Some(Self::Output(Outpoint { tx: VertexId(*tx), index }))
            }
            (1, rest) => {
                let (address, seqnum) = rest.split_first_chunk::<4>()?;
                let seqnum = u64::from_be_bytes(seqnum.try_into().ok()?);
                Some(Self::Call { address: u32::from_be_bytes(*address), seqnum })
            }
            _ => None,
        }
    }
}

impl PushRecord {
    /// Tells what is recorded from anything else that may be for the key.
    pub fn mark(&self) -> [u8; 32] {
        sha256d(&self.transaction)
    }
}

impl OpenPush {
    /// [`PushRecord::mark`] of its record.
    pub fn mark(&self) -> [u8; 32] {
        sha256d(&self.transaction)
    }
}
