//! What each operation on a wallet does, for every way in: HTTP and JavaScript read a request and have it
//! carried out here, so that one rule holds for both.
//!
//! A handler takes a request that is as it must be, and gives its answer to a [`Reply`], which makes of it
//! what its callers get: bytes of JSON, a JavaScript value.

mod external;
mod lookups;
mod messages;
mod nano;
mod proposals;
mod reads;
mod requests;
mod sends;
mod signing_file;
mod swap_proposals;
mod swaps;
mod templates;
mod words;

pub use lookups::confirmations;
pub use messages::verify_message;
pub use proposals::Proposes;
pub use reads::{addresses, are_many_addresses, last_loaded_index};
pub use sends::{Sends, would_send};
pub use swap_proposals::{forget_swap, list_swaps};
pub use swaps::locked_utxos;
pub use words::{plan_failure, send_failure, template_failure};

use crate::api::{Compat, HistoryEntry, Location, Refusal, Request, SendInputs, Success, UtxoList, texts};
use crate::ledger::{Address, EncodeError, Network, Vertex, VertexId};
use crate::rt::SendOutsideWasm;
use crate::service::{
    InputsError, MessageError, NotReady, Refused, SendError, SendKey, ShareError, SignatureError, SwapError,
    Wallet, WatchError,
};
use crate::wallet::State;
use serde::Serialize;

/// Makes of an answer what the caller gets.
pub trait Reply: Sync {
    /// What the caller gets.
    type Answer: SendOutsideWasm;
    fn give(&self, answer: &impl Serialize) -> Self::Answer;
    /// A list of outputs.
    fn utxos(&self, list: &UtxoList<'_>) -> Self::Answer {
        self.give(list)
    }
    /// A transaction of the history.
    fn transaction(&self, _state: &State, vertex: &Vertex, call: &Call<'_, Self>) -> Self::Answer
    where
        Self: Sized,
    {
        self.give(&call.entry(vertex))
    }
    /// Transactions of the history; by their ids where `keyed`.
    ///
    /// # Errors
    /// [`NotReady`] if the wallet stops being ready.
    fn history(&self, ids: &[VertexId], keyed: bool, call: &Call<'_, Self>) -> Result<Self::Answer, NotReady>
    where
        Self: Sized;
}

/// A call of an operation.
pub struct Call<'a, R> {
    pub wallet: &'a Wallet,
    pub compat: Compat,
    pub reply: R,
}

/// How a request that sends is carried out.
#[derive(Clone, Copy, Debug, Default)]
pub struct SendMode {
    /// Only tried: nothing is sent.
    pub dry_run: bool,
    /// What makes it carried out once, however often it comes.
    pub once: Option<SendKey>,
}

/// What came of a request that sends or makes a transaction.
pub struct Done<A> {
    pub answer: A,
    /// Whether it was given to an earlier request with the same key.
    pub replayed: bool,
}

impl<A> From<A> for Done<A> {
    fn from(answer: A) -> Self {
        Self { answer, replayed: false }
    }
}

/// Why an operation was not carried out.
#[derive(Debug)]
pub enum CallError {
    /// What was asked for is not as it must be, or is not there.
    Refused(Refusal),
    /// The wallet is not ready, or stopped being so.
    NotReady(NotReady),
    /// Nothing was sent, or that is not known.
    Send {
        error: Box<SendError>,
        /// What release 0.39 says to a wallet that can't sign.
        read_only: &'static str,
    },
    /// A transaction is not signed as it must be.
    Signature(SignatureError),
    /// A message is not signed.
    Message(MessageError),
    /// A participant's share can't be signed or put in.
    Share(ShareError),
    /// A swap can't be signed or put together.
    Swap(SwapError),
}

/// A request that is answered from what the wallet knows.
pub trait Read: Request {
    /// Answers it.
    ///
    /// # Errors
    /// [`CallError`] says why there is no answer.
    fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError>;
    /// Whether it takes more than a few milliseconds to write the answer.
    fn is_long(&self, _: &Wallet) -> bool {
        false
    }
}

/// A request for which others have to be asked, or waited for.
pub trait Ask: Request {
    /// Answers it.
    ///
    /// # Errors
    /// [`CallError`] says why there is no answer.
    fn answer<R: Reply>(
        self,
        call: &Call<'_, R>,
    ) -> impl Future<Output = Result<R::Answer, CallError>> + SendOutsideWasm;
}

impl<R: Reply> Call<'_, R> {
    fn network(&self) -> Network {
        self.wallet.backend().network
    }
    /// The wallet as a request that sends asks the node by it; a dry run only reads.
    fn wallet_for(&self, mode: SendMode) -> Wallet {
        if mode.dry_run { self.wallet.clone() } else { self.wallet.for_sending() }
    }
    fn success(&self) -> R::Answer {
        self.reply.give(&Success)
    }
    /// Refuses a filter by a text that is no address of the network: a typo must not read as "nothing there".
    fn check_filter(
        &self,
        given: Option<&str>,
        name: &'static str,
        location: Location,
    ) -> Result<(), CallError> {
        let Some(text) = given.filter(|_| self.compat.checks_tokens_and_filters()) else { return Ok(()) };
        let network = self.network();
        match Address::parse(text, network) {
            Ok(_) => Ok(()),
            Err(error) => {
                let must = error.must_be(Some(network));
                Err(Refusal::field(name, text, location, must).into())
            }
        }
    }
    /// The same of the query that inputs are selected by.
    fn check_query(&self, inputs: &SendInputs) -> Result<(), CallError> {
        let SendInputs::Query(query) = inputs else { return Ok(()) };
        self.check_filter(query.filter_address.as_deref(), "inputs[0].filter_address", Location::Body)
    }
    /// The entry of a history.
    pub fn entry<'v>(&self, vertex: &'v Vertex) -> HistoryEntry<'v> {
        HistoryEntry { vertex, network: self.network(), compat: self.compat }
    }
}

fn refused(text: impl Into<String>) -> CallError {
    CallError::Refused(Refusal::failure(text))
}

impl From<Refusal> for CallError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<NotReady> for CallError {
    fn from(not_ready: NotReady) -> Self {
        Self::NotReady(not_ready)
    }
}

impl From<Refused> for CallError {
    fn from(refused_by_guard: Refused) -> Self {
        match refused_by_guard {
            Refused::Forbidden(why) => Self::Refused(Refusal::Forbidden(why)),
            Refused::Outright(why) | Refused::Unapproved(why) => refused(why),
        }
    }
}

impl From<EncodeError> for CallError {
    fn from(error: EncodeError) -> Self {
        refused(texts::not_encodable(&error))
    }
}

impl From<InputsError> for CallError {
    fn from(error: InputsError) -> Self {
        match error {
            InputsError::NotReady(not_ready) => Self::NotReady(not_ready),
            error => refused(error.to_string()),
        }
    }
}

impl From<SignatureError> for CallError {
    fn from(error: SignatureError) -> Self {
        match error {
            SignatureError::Inputs(InputsError::NotReady(not_ready)) => Self::NotReady(not_ready),
            error => Self::Signature(error),
        }
    }
}

impl From<MessageError> for CallError {
    fn from(error: MessageError) -> Self {
        match error {
            MessageError::NotReady(not_ready) => Self::NotReady(not_ready),
            MessageError::Guard(refused) => refused.into(),
            error => Self::Message(error),
        }
    }
}

impl From<ShareError> for CallError {
    fn from(error: ShareError) -> Self {
        match error {
            ShareError::NotReady(not_ready) => Self::NotReady(not_ready),
            ShareError::Guard(refused) => refused.into(),
            error => Self::Share(error),
        }
    }
}

impl From<SendError> for CallError {
    /// Of what no wallet need sign.
    fn from(error: SendError) -> Self {
        match error {
            SendError::NotReady(not_ready) => Self::NotReady(not_ready),
            error => Self::Send { error: Box::new(error), read_only: "" },
        }
    }
}

impl From<SwapError> for CallError {
    fn from(error: SwapError) -> Self {
        match error {
            SwapError::NotReady(not_ready) => Self::NotReady(not_ready),
            SwapError::Guard(refused) => refused.into(),
            SwapError::Signature(error) => error.into(),
            error => Self::Swap(error),
        }
    }
}

impl From<WatchError> for CallError {
    fn from(error: WatchError) -> Self {
        match error {
            WatchError::NotReady(not_ready) => Self::NotReady(not_ready),
            error @ WatchError::NoIndexLimit => refused(error.to_string()),
        }
    }
}
