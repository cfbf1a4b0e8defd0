//! A call of an operation, and what requests do that are called.

use super::error::{CallError, refused};
use crate::api::{Compat, Location, Refusal};
use crate::ledger::{Address, Network, Transaction, VertexId};
use crate::rt::{BoxFuture, SendOutsideWasm};
use crate::service::{self, SendKey, SignedSwap, Wallet};

/// What a caller gets.
#[cfg(target_arch = "wasm32")]
pub type Answer = wasm_bindgen::JsValue;
/// What a caller gets: JSON.
#[cfg(not(target_arch = "wasm32"))]
pub type Answer = Vec<u8>;

/// A call of an operation.
pub struct Call<'a> {
    pub wallet: &'a Wallet,
    pub compat: Compat,
}

/// What has to be waited for.
pub type Waits<'a, T> = BoxFuture<'a, Result<T, CallError>>;

/// How a request that sends is carried out.
#[derive(Clone, Copy, Debug, Default)]
pub struct SendMode {
    /// Only tried: nothing is sent.
    pub dry_run: bool,
    /// What makes it carried out once, however often it comes.
    pub once: Option<SendKey>,
}

/// What came of a request that sends or makes a transaction.
pub struct Done {
    pub answer: Answer,
    /// The transaction that was sent, if one was.
    pub sent: Option<VertexId>,
    /// Whether it was given to an earlier request with the same key.
    pub replayed: bool,
}

impl Done {
    /// What was made and not sent.
    pub(super) const fn made(answer: Answer, replayed: bool) -> Self {
        Self { answer, sent: None, replayed }
    }
}

/// What is said of outputs that were set aside or given back, where that is not kept.
pub(super) const UNTIL_THE_END: &str = "it holds until this server ends, as it is not kept yet";

/// A request that is answered from what the wallet knows.
pub trait Read: SendOutsideWasm {
    /// Answers it.
    ///
    /// # Errors
    /// [`CallError`] says why there is no answer.
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError>;
    /// Whether it takes more than a few milliseconds to write the answer.
    fn is_long(&self, _: &Wallet) -> bool {
        false
    }
    /// Whether it changes what the store must keep before the answer is given, and what to say where it does
    /// not.
    fn unless_kept(&self) -> Option<&'static str> {
        None
    }
}

/// A request for which others have to be asked, or waited for.
pub trait Ask: SendOutsideWasm {
    /// Answers it.
    fn answer<'a>(self: Box<Self>, call: &'a Call<'a>) -> Waits<'a, Answer>;
}

/// A request that makes something that is not sent.
pub trait Make: SendOutsideWasm {
    /// Makes it. A repetition with the same key gets the same.
    fn make<'a>(self: Box<Self>, call: &'a Call<'a>, once: Option<SendKey>) -> Waits<'a, Done>;
}

/// A request that sends.
pub trait Sends: SendOutsideWasm {
    /// What it sends.
    fn plan<'a>(self: Box<Self>, call: &'a Call<'a>, mode: SendMode) -> Waits<'a, Outgoing>;
}

/// What a request sends.
pub enum Outgoing {
    /// A transaction that the wallet plans and signs.
    Planned(service::Operation),
    /// A proposal with the signatures of its participants.
    Signed(Transaction),
    /// A transaction whose inputs are signed by several wallets.
    Assembled(SignedSwap),
    /// The same of signing files, and under which id it was sent already.
    OfFiles(SignedSwap, Option<VertexId>),
    /// A transaction of anybody's.
    #[cfg(target_arch = "wasm32")]
    Given(Transaction),
}

/// A request that sends what the wallet plans: all that it says is known at once.
pub trait Plans: SendOutsideWasm {
    /// What the wallet is to do.
    ///
    /// # Errors
    /// [`CallError`] says what is not as it must be.
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<service::Operation, CallError>;
}

impl<P: Plans> Sends for P {
    fn plan<'a>(self: Box<Self>, call: &'a Call<'a>, _: SendMode) -> Waits<'a, Outgoing> {
        let operation = self.operation(call).map(Outgoing::Planned);
        Box::pin(std::future::ready(operation))
    }
}

impl Call<'_> {
    pub(super) fn network(&self) -> Network {
        self.wallet.backend().network
    }
    /// The wallet as a request that sends asks the node by it; a dry run only reads.
    pub(super) fn wallet_for(&self, mode: SendMode) -> Wallet {
        if mode.dry_run { self.wallet.clone() } else { self.wallet.for_sending() }
    }
    /// Refuses a filter by a text that is no address of the network: a typo must not read as "nothing there".
    pub(super) fn check_filter(
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
    /// Refuses a change address that isn't the wallet's before anything else is looked at.
    pub(super) fn check_change(&self, change: Option<&str>, not_mine: &str) -> Result<(), CallError> {
        let Some(change) = change else { return Ok(()) };
        let address = Address::parse(change, self.network());
        let is_mine =
            self.wallet.read(|state, _| address.is_ok_and(|address| state.index_of(&address).is_some()))?;
        if is_mine { Ok(()) } else { Err(refused(not_mine)) }
    }
}
