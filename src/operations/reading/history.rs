//! The transactions of a wallet.

use crate::api::rules::{OPTIONAL_ADDRESS, TEXT};
use crate::api::texts::{HEIGHT_NOT_TOLD, TRANSACTION_NOT_TOLD, no_such_transaction};
use crate::api::{ConfirmationsAnswer, HistoryEntry, Location};
use crate::ledger::{Address, AddressError, TokenUid, Vertex, VertexId};
use crate::operations::prelude::*;
use crate::service::{ConfirmationsError, Wallet};
use crate::wallet::HistoryFilter;

#[cfg(feature = "native")]
use crate::api::History;
/// Of the package, where it has another answer.
#[cfg(not(feature = "native"))]
type History = ();

pub static TX_HISTORY: Operation = get("tx-history", "/wallet/tx-history", Group::Reading, Right::Read)
    .does("List the wallet's transactions: by timestamp, and those of one second by id.")
    .package(&[method("history").gives("HistoryTransaction[]").example(
        "let page = await wallet.history({ limit: 100 }); // newest first\nwhile (page.length > 0) {\n  \
         for (const { tx_id, effect } of page) console.log(tx_id, effect.net);\n  \
         page = await wallet.history({ limit: 100, before: page.at(-1)!.tx_id });\n}",
    )])
    .command(&[command("history")
        .defaults(&[("limit", "20")])
        .whole("all", "limit", "The whole history")
        .does("List transactions, newest first, with what they changed.")])
    .reads::<HistoryQuery>(&[("example", r#"{"limit": 10}"#)])
    .answers(answers![History, Failure])
    .with_amounts();

pub static ONE_TRANSACTION: Operation =
    get("transaction", "/wallet/transaction", Group::Reading, Right::Read)
        .does("Show one of the wallet's transactions.")
        .package(&[method("transaction").takes("id: string").gives("HistoryTransaction")])
        .command(&[command("tx").places(&["id"])])
        .reads::<TransactionQuery>(&[(
            "example",
            r#"{"id": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f"}"#,
        )])
        .answers(answers![HistoryEntry, Failure])
        .with_amounts();

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
        /// Only those older than this transaction of the history: of the last page, the last one.
        pub before: Option<VertexId> = CURSOR,
        /// Only those newer than this transaction of the history.
        pub after: Option<VertexId> = CURSOR,
        /// Only those from this time on, in Unix seconds.
        pub since: Option<u32> = SINCE,
        /// Only those with an input or output of the wallet's of this token; `00` is HTR.
        pub token: Option<TokenUid> = ONE_TOKEN,
        /// Only those with an input or output of this address, the wallet's or not.
        pub address: Option<String> = OPTIONAL_ADDRESS,
    }
}

const CURSOR: Rule<Option<VertexId>> = Rule::optional(Kind::TransactionId, |check, field, _| {
    let id = check.optional_text(field).map(str::parse);
    if matches!(id, Some(Err(_))) {
        check.invalid(field, "must be a transaction's id: 64 hexadecimal digits");
    }
    Ok(id.and_then(Result::ok))
});

const SINCE: Rule<Option<u32>> = Rule::optional(Kind::Integer(Some(0), None), |check, field, _| {
    // No timestamp is greater.
    let time = check.optional_integer(field, Some(0));
    Ok(time.map(|time| u32::try_from(time).unwrap_or(u32::MAX)))
});

const ONE_TOKEN: Rule<Option<TokenUid>> = Rule::optional(Kind::TokenUid, |check, field, _| {
    // In both dialects: release 0.39 has no such filter.
    Ok(check.optional_token(field, Compat::Documented).and_then(|token| token.parse().ok()))
});

const LIMIT: Rule<HistoryLimit> = Rule::optional(Kind::Integer(Some(0), None), |check, field, context| {
    let size = |n: u128| usize::try_from(n).unwrap_or(usize::MAX);
    Ok(match check.optional_integer(field, context.least()) {
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

/// It takes milliseconds to write more transactions than this, each of which may have 255 inputs and as many
/// outputs.
const LONG_HISTORY: usize = 32;
/// Transactions looked at while the state is locked: about a millisecond.
const LOOKS_AT_ONCE: usize = 1_024;

impl HistoryQuery {
    /// Whether it has nothing but a limit, or not even that.
    fn is_of_all(&self) -> bool {
        let Self { limit: _, before, after, since, token, address } = self;
        before.or(*after).is_none() && since.is_none() && token.is_none() && address.is_none()
    }

    fn filter(&self, call: &Call<'_>) -> Result<HistoryFilter, CallError> {
        let network = call.network();
        let refuse = |name: &str, text: &str, must| Refusal::field(name, text, Location::Query, must);
        let address = self.address.as_deref().map(|text| {
            let refused = |error: AddressError| refuse("address", text, error.must_be(Some(network)));
            Address::parse(text, network).map_err(refused)
        });
        let mut filter = HistoryFilter::of(self.token, address.transpose()?);
        filter.since(self.since.unwrap_or(0));
        call.wallet.read(|state, _| {
            let unknown = |name, id: &VertexId| {
                refuse(name, &id.to_string(), "must be a transaction of the wallet's history".to_owned())
            };
            match (&self.before, &self.after) {
                (Some(id), _) if !filter.before(id, state) => Err(unknown("before", id)),
                (_, Some(id)) if !filter.after(id, state) => Err(unknown("after", id)),
                _ => Ok(()),
            }
        })??;
        Ok(filter)
    }
}

impl Read for HistoryQuery {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        let keyed = self.limit == HistoryLimit::None && self.is_of_all() && call.compat.history_is_keyed();
        let most = if let HistoryLimit::Newest(most) = self.limit { most } else { usize::MAX };
        let (mut filter, mut ids) = (self.filter(call)?, Vec::new());
        while call.wallet.read(|state, _| state.search_history(&mut filter, LOOKS_AT_ONCE, most, &mut ids))? {
        }
        ids.truncate(self.limit.count(ids.len()));
        call.history(&ids, keyed)
    }

    fn is_long(&self, wallet: &Wallet) -> bool {
        let looks_at_all = self.token.is_some() || self.address.is_some();
        looks_at_all || wallet.look(|state, _| self.limit.count(state.history_len()) > LONG_HISTORY)
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
        vertex.ok_or_else(|| refused_as("NOT_FOUND", no_such_transaction(&self.id)))
    }
}

impl Read for TransactionQuery {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        let id = self.id.parse().ok();
        let answer = call.wallet.read(|state, _| {
            let vertex = state.vertex(&id?)?;
            Some(call.transaction(state, &vertex))
        })?;
        answer.unwrap_or_else(|| Err(refused_as("NOT_FOUND", no_such_transaction(&self.id))))
    }
}

/// How many blocks have come since the one that confirmed the transaction; 0 until one does. The node is
/// asked.
impl Ask for TransactionQuery {
    fn answer<'a>(self: Box<Self>, call: &'a Call<'a>) -> Waits<'a, Answer> {
        Box::pin(async move {
            let vertex = self.find(call.wallet)?;
            let node = |error, text| CallError::Node { error: Box::new(error), text: Some(text) };
            let count = call.wallet.confirmations(&vertex).await.map_err(|error| match error {
                ConfirmationsError::Transaction(None) => refused_as("NOT_FOUND", TRANSACTION_NOT_TOLD),
                ConfirmationsError::Transaction(Some(error)) => node(error, TRANSACTION_NOT_TOLD),
                ConfirmationsError::Height(error) => node(error, HEIGHT_NOT_TOLD),
            })?;
            call.give(&ConfirmationsAnswer(count))
        })
    }
}
