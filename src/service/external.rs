//! Transactions that were made or signed outside of this wallet: their signatures are checked, their
//! inputs reserved, and they are pushed. A push needs no wallet: with a key it is recorded in the memory of
//! the process, or in the store for pushes of no wallet. After that the ledger decides: it takes a payment
//! only once.

use super::detached::detached;
use super::send::once::{checked, read};
use super::send::push::{PushObserver, SamePayment, Unrecorded, push, solve_and_push};
use super::{Backend, IdempotentSend, NotReady, Preview, SendError, SendKey, Sent, SharedAccounts, Wallet};
use crate::api::texts;
use crate::keys::{self, check_input};
use crate::ledger::{
    Cost, EncodeError, Network, Outpoint, Script, SpentOutput, Transaction, Vertex, VertexId,
};
use crate::node::{CallError, FullNode, TxStatus};
use crate::rt::{self, BoxFuture, CpuShare};
use crate::store::{MemoryPushRecords, PushRecord, PushRecords, Store, Stores};
use crate::wallet::State;
use futures_util::StreamExt;
use futures_util::stream::iter;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::Duration;

/// Transactions that the node is asked for at the same time for one request: fewer than one who reads may
/// have under way.
const ASKED_AT_ONCE: usize = 4;

/// Why it can't be said what a transaction spends.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InputsError {
    #[error(transparent)]
    NotReady(#[from] NotReady),
    /// Neither the wallet nor the node knows a transaction, or it has no such output.
    #[error("{}", crate::api::texts::no_input_transaction(&.0.to_string()))]
    Unknown(VertexId),
    /// The node could not be asked.
    #[error(transparent)]
    Node(#[from] CallError),
}

impl Backend {
    /// Does the proof of work for a transaction that is signed, and pushes it. Where its weight is 0, it gets
    /// the least one that will do. Goes on to its end when the caller goes away. What is on the ledger
    /// already, or is being pushed, is not pushed again: it is one payment.
    ///
    /// # Errors
    /// [`SendError::Mining`] without a proof of work, [`SendError::Rejected`] if the node refuses it,
    /// [`SendError::Node`] if the node can't be asked or reached, [`SendError::Unknown`] or
    /// [`SendError::CutOff`] if it may have been sent.
    pub async fn push(&self, transaction: Transaction) -> Result<Sent, SendError> {
        let backend = self.for_pushes();
        let push = async move { backend.push_before(Unrecorded::new(), transaction).await };
        detached(Box::pin(push)).await
    }

    pub(super) async fn push_before(
        &self,
        observer: Box<dyn PushObserver>,
        mut transaction: Transaction,
    ) -> Result<Sent, SendError> {
        if transaction.weight == 0.0 {
            let constants = self.node.version().await.map_err(SendError::Node)?.weight;
            transaction.parents.clear();
            transaction.weight = constants.wallet_weight(&transaction);
        }
        let (id, transaction) = solve_and_push(self, transaction, 0, &*observer).await?;
        Ok(Sent { id, transaction })
    }

    /// What pushing a transaction would cost, if it is signed as it must be. Nothing is sent.
    ///
    /// # Errors
    /// [`SignatureError`] if an input is not signed as it must be, or the node can't be asked, or does not
    /// know what it spends.
    pub async fn preview_push(&self, mut transaction: Transaction) -> Result<Preview, SignatureError> {
        check_signed(&transaction, CpuShare::Reads).await?;
        let spends = spent_by(&self.node, &transaction, |_| None).await?;
        check_against(&transaction, &spends, self.network, CpuShare::Reads).await?;
        if transaction.weight == 0.0 {
            let constants = self.node.version().await.map_err(InputsError::Node)?.weight;
            transaction.weight = constants.wallet_weight(&transaction);
        }
        Ok(Preview { cost: Cost::of(&transaction, &spends), transaction, arguments: Vec::new() })
    }
}

/// What the inputs of a transaction spend, in their order: as `known`, or else from the node.
async fn spent_by(
    node: &FullNode,
    transaction: &Transaction,
    known: impl Fn(&VertexId) -> Option<Vec<SpentOutput>>,
) -> Result<Vec<SpentOutput>, InputsError> {
    let mut outputs = HashMap::new();
    let mut unknown = Vec::new();
    for Outpoint { tx, .. } in transaction.spends() {
        if let Entry::Vacant(place) = outputs.entry(tx) {
            let found = known(&tx);
            unknown.extend(found.is_none().then_some(tx));
            place.insert(Ok(found));
        }
    }
    let ask = |id: VertexId| async move { (id, node.outputs(&id).await) };
    let mut asked = iter(unknown).map(ask).buffered(ASKED_AT_ONCE);
    while let Some((id, answer)) = asked.next().await {
        // No more are asked for: one that was not has its place behind this one.
        let is_last = !matches!(answer, Ok(Some(_)));
        outputs.insert(id, answer);
        if is_last {
            break;
        }
    }
    let output = |Outpoint { tx, index }: Outpoint| {
        let outputs = outputs.get(&tx).map(Result::as_ref).transpose().map_err(CallError::clone)?;
        let output = outputs.and_then(Option::as_ref).and_then(|outputs| outputs.get(usize::from(index)));
        // What is not known says nothing of what is spent.
        output.filter(|output| output.unknown.is_none()).cloned().ok_or(InputsError::Unknown(tx))
    };
    transaction.spends().into_iter().map(output).collect()
}

impl Wallet {
    /// Locks outputs, so that no send selects them: for a time (in whole seconds, rounded up), or until they
    /// are unlocked or spent, in all wallets of the account and, where they are kept, across starts. Others
    /// than the wallet's unspent ones are passed over.
    ///
    /// # Errors
    /// [`NotReady`]: nothing is locked then.
    pub fn lock_outpoints(&self, outputs: &[Outpoint], ttl: Option<Duration>) -> Result<(), NotReady> {
        self.check_ready()?;
        let now = rt::unix_seconds();
        let until = ttl.map_or(u32::MAX, |ttl| {
            let seconds = ttl.as_secs().saturating_add(u64::from(ttl.subsec_nanos() > 0));
            now.saturating_add(u32::try_from(seconds).unwrap_or(u32::MAX))
        });
        let lock = |state: &mut State| state.lock_outpoints(outputs, now, until);
        self.inner.account.state.apply_through(self.inner.view, lock);
        Ok(())
    }

    /// Unlocks outputs that [`Wallet::lock_outpoints`] locked, and gives up what was put into proposals of
    /// swaps with them. Those that the wallet does not see are passed over.
    ///
    /// # Errors
    /// [`NotReady`]: nothing is unlocked then.
    pub fn unlock_outpoints(&self, outputs: &[Outpoint]) -> Result<(), NotReady> {
        self.check_ready()?;
        self.inner.account.state.apply_through(self.inner.view, |state| state.unlock_outpoints(outputs));
        Ok(())
    }

    /// Unlocks what was locked for a transaction that was given up, whichever wallet of the account sees it
    /// now.
    ///
    /// # Errors
    /// [`NotReady`]: nothing is unlocked then.
    pub fn unlock_reserved(&self, outputs: &[Outpoint]) -> Result<(), NotReady> {
        self.check_ready()?;
        self.inner.account.state.apply(|state| state.unlock_outpoints(outputs));
        Ok(())
    }

    /// What the inputs of a transaction spend, in their order: from the history, or else from the node.
    ///
    /// # Errors
    /// [`InputsError`] if the wallet is not ready, if nobody knows an output that is spent, or if the node
    /// can't be asked of one that the wallet does not know.
    pub async fn spent_by(&self, transaction: &Transaction) -> Result<Vec<SpentOutput>, InputsError> {
        self.check_ready()?;
        let outputs = |vertex: Vertex| vertex.outputs.into_iter().map(|output| output.output).collect();
        spent_by(&self.node(), transaction, |tx| self.inner.account.state.read().vertex(tx).map(outputs))
            .await
    }

    /// What the inputs of a transaction spend, in their order, as the bytes of it say that the node has. The
    /// wallet's history must say the same where it knows of it: that is the node's word without proof.
    ///
    /// # Errors
    /// Those of [`Wallet::spent_by`], and [`InputsError::Node`] if the node said otherwise in the history.
    pub async fn proven_spends(&self, transaction: &Transaction) -> Result<Vec<SpentOutput>, InputsError> {
        self.check_ready()?;
        let node = self.node();
        let proven = spent_by(&node, transaction, |_| None).await?;
        let state = self.inner.account.state.read();
        let is_other =
            |place: Outpoint, proven: &SpentOutput| state.output(place).is_some_and(|known| known != *proven);
        let mut places = transaction.spends().into_iter().zip(&proven);
        match places.find(|(place, proven)| is_other(*place, proven)) {
            Some((place, _)) => Err(node.other_output(place).into()),
            None => Ok(proven),
        }
    }
}

/// It takes some milliseconds to look at the signatures in more bytes of input data than this: some forty.
const SLOW_TO_CHECK: usize = 4 * 1024;

/// Why a transaction that was signed outside of this wallet is not taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SignatureError {
    /// An input that may not spend.
    #[error("Input {place} {error}.")]
    Input {
        /// Its place among the inputs, counted from 0.
        place: usize,
        error: keys::InputError,
    },
    /// It can't be said what the transaction spends.
    #[error(transparent)]
    Inputs(#[from] InputsError),
    /// It can't be written.
    #[error("{}", texts::not_encodable(.0))]
    Encode(#[from] EncodeError),
}

/// Whether every input has a signature of this transaction, by the key beside it. Whether those keys are the
/// right ones only the outputs spent can tell: see [`Wallet::check_signatures`].
///
/// # Errors
/// [`SignatureError::Input`] for the first input that has no signature or a wrong one,
/// [`SignatureError::Encode`] if the transaction can't be written.
pub async fn check_signed(transaction: &Transaction, share: CpuShare) -> Result<(), SignatureError> {
    let digest = transaction.sighash()?;
    let check = || {
        let mut inputs = transaction.inputs.iter().enumerate();
        inputs.try_for_each(|(place, input)| {
            check_input(&input.data, &digest, None).map_err(|error| SignatureError::Input { place, error })
        })
    };
    looking(transaction, share, check).await
}

/// Looks at the signatures of a transaction: if there are many, on none of the threads that answer others.
async fn looking<T>(transaction: &Transaction, share: CpuShare, look: impl FnOnce() -> T) -> T {
    let bytes: usize = transaction.inputs.iter().map(|input| input.data.len()).sum();
    if bytes > SLOW_TO_CHECK { rt::offload(share, look).await } else { look() }
}

/// Whether those inputs that have data may spend these outputs, of which they are the inputs in order.
pub(super) async fn check_against(
    transaction: &Transaction,
    spends: &[SpentOutput],
    network: Network,
    share: CpuShare,
) -> Result<(), SignatureError> {
    let digest = transaction.sighash()?;
    let check = || {
        let mut inputs = transaction.inputs.iter().zip(spends).enumerate();
        inputs.try_for_each(|(place, (input, spent))| {
            let script = Script::parse(&spent.script, network).filter(|_| !input.data.is_empty());
            let checked = script.map_or(Ok(()), |script| check_input(&input.data, &digest, Some(&script)));
            checked.map_err(|error| SignatureError::Input { place, error })
        })
    };
    looking(transaction, share, check).await
}

impl Wallet {
    /// Whether those inputs that have data may spend what they spend, be it the wallet's or somebody else's.
    ///
    /// # Errors
    /// [`SignatureError::Input`] for the first input that may not, [`SignatureError::Inputs`] if it can't be
    /// said what is spent, [`SignatureError::Encode`] if the transaction can't be written.
    pub async fn check_signatures(&self, transaction: &Transaction) -> Result<(), SignatureError> {
        let spends = self.spent_by(transaction).await?;
        check_against(transaction, &spends, self.backend().network, self.cpu_share()).await
    }
}

impl Backend {
    /// [`Backend::push`], counted among the pushes of the process; with a key, or what it came to when the
    /// key was there before, within a day. Requests of one key wait for each other.
    ///
    /// # Errors
    /// [`SendError::KeyTaken`] if the key was there with another request. After [`SendError::Open`] a
    /// repetition finds out more.
    pub async fn push_once(
        &self,
        transaction: Transaction,
        key: Option<SendKey>,
        shared: &SharedAccounts,
        stores: Option<Arc<dyn Stores>>,
    ) -> Result<IdempotentSend, SendError> {
        let (backend, under_way) = (self.for_pushes(), shared.pushes.begin());
        let (keys, memory) = (shared.keys.clone(), shared.push_records().of(self.network.name()));
        detached(Box::pin(async move {
            let _under_way = under_way;
            let Some(key) = key else {
                return backend.push_before(Unrecorded::new(), transaction).await.map(Into::into);
            };
            let _turn = keys.lock(key.name).await;
            let records = Records::new(memory, stores, backend.network.name()).await?;
            let known = records.find(key).await?;
            let observer = ExternalRecorder::new(records, key, known.as_ref());
            let (replayed, sent) = match &known {
                Some(record) => (true, push_again(&backend, observer, read(record)?).await),
                None => (false, backend.push_before(Box::new(observer), transaction).await),
            };
            Ok(IdempotentSend { sent: sent?, replayed })
        }))
        .await
    }
}

async fn push_again(
    backend: &Backend,
    observer: ExternalRecorder,
    transaction: Transaction,
) -> Result<Sent, SendError> {
    let id = transaction.id()?;
    let status =
        backend.node.transaction(&id).await.map_err(|cause| SendError::Open { id, cause: cause.into() })?;
    if let Some(TxStatus { voided: false, .. }) = status {
        return Ok(Sent { id, transaction });
    }
    let pushed = push(backend, transaction, 0, &observer, SamePayment::AnySignatures).await;
    match pushed {
        Ok((id, transaction)) => Ok(Sent { id, transaction }),
        Err(SendError::Node(cause)) => Err(SendError::Open { id, cause: cause.into() }),
        Err(failure) => Err(failure),
    }
}

/// Where pushes are recorded.
enum Records {
    Memory(MemoryPushRecords),
    Store(Arc<dyn Store>),
}

impl Records {
    async fn new(
        memory: MemoryPushRecords,
        stores: Option<Arc<dyn Stores>>,
        network: &str,
    ) -> Result<Self, SendError> {
        if let Some(stores) = stores
            && let Some(store) = stores.pushes_of_nobody(network).await.map_err(SendError::Store)?
        {
            return Ok(Self::Store(store));
        }
        Ok(Self::Memory(memory))
    }

    fn place(&self) -> Option<&dyn PushRecords> {
        match self {
            Self::Memory(records) => Some(records),
            Self::Store(store) => store.push_records(),
        }
    }

    async fn find(&self, key: SendKey) -> Result<Option<PushRecord>, SendError> {
        let Some(place) = self.place() else { return Ok(None) };
        checked(place.push_record(key.name).await, key)
    }

    async fn keep(&self, record: PushRecord) -> Result<(), SendError> {
        let Some(place) = self.place() else { return Ok(()) };
        place.keep_push_records(vec![record]).await.map_err(SendError::NotRecorded)
    }
}

struct ExternalRecorder {
    records: Records,
    key: SendKey,
    since: u32,
    /// Whether the transaction may have been pushed before.
    again: bool,
}

impl ExternalRecorder {
    /// For a request that comes now, or goes on from what is recorded.
    fn new(records: Records, key: SendKey, known: Option<&PushRecord>) -> Self {
        let since = known.map_or_else(rt::unix_seconds, |record| record.time);
        Self { records, key, since, again: known.is_some() }
    }
}

impl PushObserver for ExternalRecorder {
    fn salt(&self) -> &[u8] {
        &self.key.name
    }
    fn pushed_before(&self) -> bool {
        self.again
    }
    fn unknown(&self, id: VertexId, cause: CallError) -> SendError {
        SendError::Open { id, cause: cause.into() }
    }
    fn before_push<'a>(&'a self, transaction: &'a Transaction) -> BoxFuture<'a, Result<(), SendError>> {
        Box::pin(async {
            let SendKey { name: key, request } = self.key;
            let transaction = transaction.to_bytes()?;
            // Without a wallet nobody pushes it again but by a repetition: it is never open.
            let record = PushRecord { key, request, time: self.since, transaction, is_open: false };
            self.records.keep(record).await
        })
    }
}
