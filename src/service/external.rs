//! Transactions made or signed outside of this wallet: signatures are verified, inputs reserved, and the
//! transaction pushed. A push needs no wallet: with a key it is recorded in the memory of the process, or in
//! the store for pushes without a wallet. After that the ledger decides, which accepts a payment only once.

use super::account::{Sent, SharedAccounts};
use super::backend::Backend;
use super::detached::detached;
use super::error::{NotReady, SendError};
use super::guard::SendKey;
use super::send::once::IdempotentSend;
use super::send::once::{checked, read};
use super::send::operation::Preview;
use super::send::push::{PushObserver, SamePayment, Unrecorded, push, solve_and_push};
use super::wallet::Wallet;
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

/// Concurrent requests to the node for one request: fewer than the limit of one reader.
const ASKED_AT_ONCE: usize = 4;

/// Why the outputs that a transaction spends are unknown.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InputsError {
    #[error(transparent)]
    NotReady(#[from] NotReady),
    /// Neither the wallet nor the node has the output.
    #[error("{}", crate::api::texts::no_input_transaction(&.0.to_string()))]
    Unknown(VertexId),
    #[error(transparent)]
    Node(#[from] CallError),
}

impl Backend {
    /// Does the proof of work for a signed transaction and pushes it. A weight of 0 becomes the least that is
    /// valid. Continues when the caller goes away. A transaction that is on the ledger already, or is being
    /// pushed, is not pushed again: it is one payment.
    ///
    /// # Errors
    /// [`SendError::Unknown`] or [`SendError::CutOff`] if it may have been sent.
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

    /// The costs of a signed transaction. Nothing is sent.
    pub async fn preview_push(&self, mut transaction: Transaction) -> Result<Preview, SignatureError> {
        check_signed(&transaction, CpuShare::Reads).await?;
        let spends = spent_by(&self.node, self.network, &transaction, |_| None).await?;
        check_against(&transaction, &spends, self.network, CpuShare::Reads).await?;
        if transaction.weight == 0.0 {
            let constants = self.node.version().await.map_err(InputsError::Node)?.weight;
            transaction.weight = constants.wallet_weight(&transaction);
        }
        Ok(Preview { cost: Cost::of(&transaction, &spends), transaction, arguments: Vec::new() })
    }
}

/// The outputs spent by a transaction's inputs, in order: from `known`, or else from the node.
async fn spent_by(
    node: &FullNode,
    network: Network,
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
    let ask = |id: VertexId| async move { (id, node.outputs(&id, network).await) };
    let mut asked = iter(unknown).map(ask).buffered(ASKED_AT_ONCE);
    while let Some((id, answer)) = asked.next().await {
        // After the first failure no more are asked for.
        let is_last = !matches!(answer, Ok(Some(_)));
        outputs.insert(id, answer);
        if is_last {
            break;
        }
    }
    let output = |Outpoint { tx, index }: Outpoint| {
        let outputs = outputs.get(&tx).map(Result::as_ref).transpose().map_err(CallError::clone)?;
        let output = outputs.and_then(Option::as_ref).and_then(|outputs| outputs.get(usize::from(index)));
        // An output of an unknown kind says nothing about its value.
        output.filter(|output| output.unknown.is_none()).cloned().ok_or(InputsError::Unknown(tx))
    };
    transaction.spends().into_iter().map(output).collect()
}

impl Wallet {
    /// Locks outputs, so that no send selects them: for a time (in whole seconds, rounded up), or until they
    /// are unlocked or spent. Locks count in all wallets of the account and, if stored, across starts.
    /// Outputs other than the wallet's unspent ones are ignored.
    ///
    /// # Errors
    /// [`NotReady`]: nothing is locked.
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

    /// Unlocks outputs that [`Wallet::lock_outpoints`] locked, and withdraws them from swap proposals.
    /// Outputs that the wallet does not see are ignored.
    ///
    /// # Errors
    /// [`NotReady`]: nothing is unlocked.
    pub fn unlock_outpoints(&self, outputs: &[Outpoint]) -> Result<(), NotReady> {
        self.check_ready()?;
        self.inner.account.state.apply_through(self.inner.view, |state| state.unlock_outpoints(outputs));
        Ok(())
    }

    /// Unlocks the inputs of an abandoned transaction, whichever wallet of the account sees them now.
    ///
    /// # Errors
    /// [`NotReady`]: nothing is unlocked.
    pub fn unlock_reserved(&self, outputs: &[Outpoint]) -> Result<(), NotReady> {
        self.check_ready()?;
        self.inner.account.state.apply(|state| state.unlock_outpoints(outputs));
        Ok(())
    }

    /// The outputs spent by a transaction's inputs, in order: from the history, or else from the node.
    pub async fn spent_by(&self, transaction: &Transaction) -> Result<Vec<SpentOutput>, InputsError> {
        self.check_ready()?;
        let outputs = |vertex: Vertex| vertex.outputs.into_iter().map(|output| output.output).collect();
        let known = |tx: &VertexId| self.inner.account.state.read().vertex(tx).map(outputs);
        spent_by(&self.node(), self.backend().network, transaction, known).await
    }

    /// As [`Wallet::spent_by`], but from the bytes of transactions, whose ids prove them. The history must
    /// agree, which is the node's word without proof.
    ///
    /// # Errors
    /// [`InputsError::Node`] also if the history differs.
    pub async fn proven_spends(&self, transaction: &Transaction) -> Result<Vec<SpentOutput>, InputsError> {
        self.check_ready()?;
        let node = self.node();
        let proven = spent_by(&node, self.backend().network, transaction, |_| None).await?;
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

/// More bytes of input data, some forty signatures, take milliseconds to verify.
const SLOW_TO_CHECK: usize = 4 * 1024;

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SignatureError {
    #[error("Input {place} {error}.")]
    Input {
        /// Counted from 0.
        place: usize,
        error: keys::InputError,
    },
    #[error(transparent)]
    Inputs(#[from] InputsError),
    #[error("{}", texts::not_encodable(.0))]
    Encode(#[from] EncodeError),
}

/// Verifies that every input has a signature of this transaction by the key beside it. Whether the key is the
/// right one depends on the outputs spent: see [`Wallet::check_signatures`].
///
/// # Errors
/// [`SignatureError::Input`] for the first input with no signature or a wrong one.
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

/// Verifies signatures; many of them outside of the threads that answer requests.
async fn looking<T>(transaction: &Transaction, share: CpuShare, look: impl FnOnce() -> T) -> T {
    let bytes: usize = transaction.inputs.iter().map(|input| input.data.len()).sum();
    if bytes > SLOW_TO_CHECK { rt::offload(share, look).await } else { look() }
}

/// Verifies that inputs with data may spend these outputs, given in the inputs' order.
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
    /// Verifies that inputs with data may spend their outputs, the wallet's or others'.
    ///
    /// # Errors
    /// [`SignatureError::Input`] for the first input that may not, [`SignatureError::Inputs`] if an output is
    /// unknown.
    pub async fn check_signatures(&self, transaction: &Transaction) -> Result<(), SignatureError> {
        let spends = self.spent_by(transaction).await?;
        check_against(transaction, &spends, self.backend().network, self.cpu_share()).await
    }
}

impl Backend {
    /// [`Backend::push`], counted among the pushes of the process. With a key that was used within a day it
    /// returns the earlier result. Requests of one key wait for each other.
    ///
    /// # Errors
    /// [`SendError::KeyTaken`] if the key was used for another request. After [`SendError::Open`] a repeated
    /// request finds out more.
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
            let _lock = keys.lock(key.name).await;
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
            && let Some(store) = stores.pushes_without_wallet(network).await.map_err(SendError::Store)?
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
    again: bool,
}

impl ExternalRecorder {
    /// For a new request, or one that continues from a record.
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
            // Never open: without a wallet only a repeated request pushes it again.
            let record = PushRecord { key, request, time: self.since, transaction, is_open: false };
            self.records.keep(record).await
        })
    }
}
