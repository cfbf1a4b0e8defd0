//! The transactions of a wallet.

use crate::api::rules::{TEXT, least};
use crate::api::texts::{HEIGHT_NOT_TOLD, TRANSACTION_NOT_TOLD, no_such_transaction};
use crate::api::{ConfirmationsAnswer, HistoryEntry};
use crate::ledger::Vertex;
use crate::operations::prelude::*;
use crate::service::{ConfirmationsError, Wallet};

#[cfg(feature = "native")]
use crate::api::History;
/// Of the package, where it has another answer.
#[cfg(not(feature = "native"))]
type History = ();

pub static TX_HISTORY: Operation = get("tx-history", "/wallet/tx-history", Group::Reading, Right::Read)
    .does("List the wallet's transactions.")
    .package(&[method("history").gives("HistoryTransaction[]")])
    .command(&[command("history")
        .defaults(&[("limit", "20")])
        .whole("all", "limit", "The whole history")
        .does("List transactions, newest first, with what they changed.")])
    .reads::<HistoryQuery>(&[("example", r#"{"limit": 10}"#)])
    .answers(answers![History]);

pub static ONE_TRANSACTION: Operation =
    get("transaction", "/wallet/transaction", Group::Reading, Right::Read)
        .does("Show one of the wallet's transactions.")
        .package(&[method("transaction").takes("id: string").gives("HistoryTransaction")])
        .command(&[command("tx").places(&["id"])])
        .reads::<TransactionQuery>(&[(
            "example",
            r#"{"id": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f"}"#,
        )])
        .answers(answers![HistoryEntry, Failure]);

pub static CONFIRMATIONS: Operation =
    get("tx-confirmation-blocks", "/wallet/tx-confirmation-blocks", Group::Reading, Right::Read)
        .does("Show how many blocks confirm a transaction.")
        .package(&[method("confirmations").takes("id: string").gives("number").waits()])
        .command(&[command("confirmations").places(&["id"])])
        .asks::<TransactionQuery>(&[(
            "example",
            r#"{"id": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f"}"#,
        )])
        .answers(answers![ConfirmationsAnswer, Failure]);

/// How much of the history is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryLimit {
    /// No limit given.
    None,
    /// At most so many, newest first.
    Newest(usize),
    /// All but so many of the oldest (a negative limit of release 0.39).
    AllButOldest(usize),
}

request! {
    /// `GET /wallet/tx-history`.
    pub struct HistoryQuery in query {
        /// At most so many, newest first.
        pub limit: HistoryLimit = LIMIT,
    }
}

const LIMIT: Rule<HistoryLimit> = Rule::optional(Kind::Integer(Some(0), None), |check, field, context| {
    let size = |n: u128| usize::try_from(n).unwrap_or(usize::MAX);
    Ok(match check.optional_integer(field, least(context.compat)) {
        None => HistoryLimit::None,
        Some(0) if context.compat.zero_means_not_given() => HistoryLimit::None,
        Some(n) if n < 0 => HistoryLimit::AllButOldest(size(n.unsigned_abs())),
        Some(n) => HistoryLimit::Newest(size(n.unsigned_abs())),
    })
})
.in_0_39(Kind::Integer(None, None));

impl HistoryLimit {
    /// How many of `all` transactions are shown.
    pub fn count(self, all: usize) -> usize {
        match self {
            Self::None => all,
            Self::Newest(n) => n.min(all),
            Self::AllButOldest(n) => all.saturating_sub(n),
        }
    }
}

/// The same of transactions, which may have 255 inputs and as many outputs.
const LONG_HISTORY: usize = 32;

impl Read for HistoryQuery {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        let keyed = self.limit == HistoryLimit::None && call.compat.history_is_keyed();
        let ids: Vec<_> = call
            .wallet
            .read(|state, _| state.history_ids().take(self.limit.count(state.history_len())).collect())?;
        call.history(&ids, keyed)
    }

    fn is_long(&self, wallet: &Wallet) -> bool {
        wallet.look(|state, _| self.limit.count(state.history_len()) > LONG_HISTORY)
    }
}

request! {
    /// `GET /wallet/transaction` and `GET /wallet/tx-confirmation-blocks`.
    pub struct TransactionQuery in query {
        /// The transaction's id.
        pub id: String = TEXT.of(Kind::TransactionId),
    }
}

impl TransactionQuery {
    /// The transaction, of the wallet's history.
    fn find(&self, wallet: &Wallet) -> Result<Vertex, CallError> {
        let id = self.id.parse().ok();
        let vertex = wallet.read(|state, _| state.vertex(&id?))?;
        vertex.ok_or_else(|| refused(no_such_transaction(&self.id)))
    }
}

impl Read for TransactionQuery {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        let id = self.id.parse().ok();
        let answer = call.wallet.read(|state, _| {
            let vertex = state.vertex(&id?)?;
            Some(call.transaction(state, &vertex))
        })?;
        answer.unwrap_or_else(|| Err(refused(no_such_transaction(&self.id))))
    }
}

/// How many blocks have come since the one that confirmed the transaction; 0 until one does. The node is
/// asked.
impl Ask for TransactionQuery {
    fn answer<'a>(self: Box<Self>, call: &'a Call<'a>) -> Waits<'a, Answer> {
        Box::pin(async move {
            let vertex = self.find(call.wallet)?;
            let count = call.wallet.confirmations(&vertex).await.map_err(|error| match error {
                ConfirmationsError::Transaction(_) => refused(TRANSACTION_NOT_TOLD),
                ConfirmationsError::Height(_) => refused(HEIGHT_NOT_TOLD),
            })?;
            call.give(&ConfirmationsAnswer(count))
        })
    }
}
