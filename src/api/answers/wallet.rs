//! A wallet's state, balance and addresses, and the refusals of wallet selection.

use super::kinds::{Cents, Count, ErrorCode, FeatureStateName, Flatten, Maybe, NodeObject, Text, Uid};
use crate::api::answer::answer;
use crate::api::{Compat, texts};
use crate::ledger::{Amount, TokenUid};
use serde::Serialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// `{"success":true}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Success;

answer! {
    this: Success as "Success" {
        success = true,
    }
}

/// A `POST /start` that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartFailure {
    /// What clients match on.
    pub message: String,
    /// Where the id is taken: [`texts::WALLET_ALREADY_STARTED`].
    pub error_code: Option<&'static str>,
    /// Why, where `message` doesn't say.
    pub cause: Option<String>,
    /// Whether a parameter can't be understood.
    pub malformed: bool,
    /// Whether it is a service's fault.
    pub fault: bool,
}

impl StartFailure {
    /// A failure that has nothing but a message.
    pub fn new(message: impl Into<String>) -> Self {
        let message = message.into();
        Self { message, error_code: None, cause: None, malformed: false, fault: false }
    }
    /// A parameter is not as it must be.
    pub fn malformed(message: impl Into<String>) -> Self {
        Self { malformed: true, ..Self::new(message) }
    }
    /// A service can't be used.
    pub fn fault(message: impl Into<String>) -> Self {
        Self { fault: true, ..Self::new(message) }
    }
    /// The wallet could not be started.
    pub fn failed(wallet_id: &str, cause: impl ToString) -> Self {
        Self { cause: Some(cause.to_string()), ..Self::new(texts::start_failed(wallet_id)) }
    }
    /// The id is taken.
    pub fn already_started(wallet_id: &str) -> Self {
        Self { error_code: Some(texts::WALLET_ALREADY_STARTED), ..Self::new(texts::start_failed(wallet_id)) }
    }
    /// What programs go by, where it is answered with a real status.
    #[cfg(feature = "native")]
    pub const fn code(&self) -> &'static str {
        match self {
            Self { error_code: Some(_), .. } => "WALLET_ALREADY_STARTED",
            Self { cause: Some(_), .. } | Self { fault: true, .. } => "START_FAILED",
            _ => "INVALID_INPUT",
        }
    }
    /// The status that it is answered with.
    pub const fn status(&self, compat: Compat) -> u16 {
        match (self.fault, self.malformed && compat.refuses_malformed_starts()) {
            (true, _) => 500,
            (false, true) => 400,
            (false, false) => 200,
        }
    }
    /// The JSON that it is answered with.
    pub const fn answer(&self, compat: Compat) -> impl Serialize + '_ {
        MessageFailure { failure: self, compat }
    }
}

/// A failure that has its text under `message`.
pub struct MessageFailure<'a> {
    failure: &'a StartFailure,
    compat: Compat,
}

answer! {
    this: MessageFailure<'_> as "MessageFailure" {
        success = false,
        /// What went wrong.
        message: Text = this.failure.message,
        errorCode: Maybe<ErrorCode> = this.failure.error_code,
        /// Why, where `message` doesn't say.
        error if failures_have_causes: Maybe<Text> = this.failure.cause,
    }
}

/// The answer of status, which only a ready wallet gives.
pub struct ReadyStatus<'a> {
    pub network: &'a str,
    /// The full node's URL.
    pub server_url: &'a str,
    /// The full node's `version` answer, unchanged.
    pub server_info: &'a RawValue,
    /// Of a multisig wallet: how many must sign, and how many can.
    pub multisig: Option<(u8, usize)>,
    /// Where several servers use one store: the one that runs it.
    pub runs_on: Option<RunsOn>,
    /// What was wrong with the last send, if it was a service's fault.
    pub problem: Option<&'a str>,
    pub warnings: Vec<FeatureWarning>,
    pub compat: Compat,
}

/// The server that runs a wallet.
pub struct RunsOn {
    /// Another one for each process.
    pub id: u64,
    /// Where it is reached, if it knows.
    pub url: Option<String>,
}

answer! {
    this: RunsOn {
        /// Another one for each process.
        id: Count,
        /// Where it is reached, if it knows.
        url: Maybe<Text> = this.url.as_deref(),
    }
}

answer! {
    this: ReadyStatus<'_> as "Status" {
        statusCode = 3,
        statusMessage = "Ready",
        network: Text,
        /// The full node's URL.
        serverUrl: Text = this.server_url,
        /// The full node's `version` answer, unchanged.
        serverInfo: NodeObject = this.server_info,
        /// Of a multisig wallet: how many must sign, and how many can.
        multisig: Maybe<Participants> = this.multisig.map(Participants),
        /// Where several servers use one store: the one that runs it.
        runsOn: Maybe<RunsOn> = this.runs_on.as_ref(),
        /// What was wrong with the last send, if it was a service's fault.
        error if failures_have_causes: Maybe<Text> = this.problem,
        /// Features of the network that this version does not support; absent if there are none.
        warnings: Maybe<[FeatureWarning]> = some(&this.warnings),
    }
}

/// A feature of the network that this version does not support.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureWarning {
    pub feature: String,
    pub state: &'static str,
    /// The consequence and the remedy.
    pub message: String,
}

answer! {
    /// A feature of the network that this version does not support.
    this: FeatureWarning as "FeatureWarning", type "FeatureWarning" {
        /// Its name at the full node, such as `TOKEN_AMOUNT_V2`.
        feature: Text,
        /// `LOCKED_IN`: it will be active; `ACTIVE`: it is.
        state: FeatureStateName = *this.state,
        /// The consequence and the remedy.
        message: Text,
    }
}

/// A list, if there is something in it.
pub(super) fn some<T>(list: &[T]) -> Option<&[T]> {
    Some(list).filter(|list| !list.is_empty())
}

struct Participants((u8, usize));

answer! {
    this: Participants {
        numSignatures: Count = this.0.0,
        totalParticipants: Count = this.0.1,
    }
}

/// Where a wallet stands that is not ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotReadyState {
    pub code: u8,
    pub name: String,
    /// What stands in the way.
    pub problem: Option<String>,
    /// How far it has come, if it loads its history.
    pub progress: Option<LoadProgress>,
}

/// How much of a wallet's history is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadProgress {
    /// Addresses whose history was read to its end.
    pub addresses: u32,
    pub transactions: usize,
    /// When it should all be loaded, in Unix seconds: see [`crate::service::Progress::estimated_end`] for
    /// what that rests on.
    pub estimated_end: Option<u32>,
}

answer! {
    /// The loaded part of the history.
    this: LoadProgress, type "Progress" {
        /// Addresses whose history is read.
        addresses: Count,
        /// Transactions loaded.
        transactions: Count,
        /// When it should all be loaded, in Unix seconds, at the pace so far; from the first address on that
        /// is read. A history whose end nobody knows is expected to go on for as many addresses again as were
        /// found, for fewer the nearer their first uses come to the present or the more unused ones follow
        /// each other.
        estimatedEnd: Maybe<Count> = this.estimated_end,
    }
}

/// Why a request under `/wallet` doesn't reach a wallet. All are answered with 200.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalletRefusal {
    /// No `X-Wallet-Id` header.
    HeaderMissing,
    /// No started wallet has the id.
    Unknown,
    /// `confirmFirstAddress` is on and the header `X-First-Address` is not this.
    WrongFirstAddress(String),
    /// The wallet is not ready.
    NotReady(NotReadyState),
}

impl WalletRefusal {
    /// What it says, for people.
    pub fn message(&self) -> Cow<'static, str> {
        match self {
            Self::HeaderMissing => texts::WALLET_ID_HEADER_MISSING.into(),
            Self::Unknown => texts::WALLET_ID_UNKNOWN.into(),
            Self::WrongFirstAddress(first) => {
                format!("Wrong first address. This wallet's first address is: {first}").into()
            }
            Self::NotReady(_) => texts::WALLET_NOT_READY.into(),
        }
    }
    /// What programs go by, where it is answered with a real status.
    #[cfg(feature = "native")]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::HeaderMissing | Self::WrongFirstAddress(_) => "INVALID_INPUT",
            Self::Unknown => "WALLET_NOT_FOUND",
            Self::NotReady(_) => "NOT_READY",
        }
    }
    /// The JSON that it is answered with.
    pub fn answer(&self, compat: Compat) -> impl Serialize + '_ {
        let state = if let Self::NotReady(state) = self { Some(state) } else { None };
        RefusalOfWallet { message: self.message(), state, compat }
    }
}

/// How a [`WalletRefusal`] is answered.
pub struct RefusalOfWallet<'a> {
    message: Cow<'static, str>,
    state: Option<&'a NotReadyState>,
    compat: Compat,
}

impl RefusalOfWallet<'_> {
    fn state_name(&self) -> Option<&str> {
        match self.state {
            None => Some(""),
            Some(state) => self.compat.names_wallet_states().then_some(&state.name),
        }
    }
}

answer! {
    this: RefusalOfWallet<'_> as "WalletRefusal" {
        success = false,
        /// Why the request reaches no wallet.
        message: Text = *this.message,
        /// The wallet's state: 1 connecting, 2 syncing, 4 error, 5 processing.
        statusCode: Maybe<Count> = this.state.map(|state| state.code),
        statusMessage: Maybe<Text> = this.state_name(),
        /// What stands in the wallet's way.
        error if failures_have_causes: Maybe<Text> = this.state.and_then(|state| state.problem.as_deref()),
        progress if tells_progress: Maybe<LoadProgress> = this.state.and_then(|state| state.progress),
    }
}

/// The answer of balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BalanceAnswer {
    /// In cents.
    pub available: Amount,
    /// In cents.
    pub locked: Amount,
}

answer! {
    /// A wallet's balance of a token.
    this: BalanceAnswer as "Balance", type "Balance" {
        /// Spendable now.
        available: Cents,
        /// Time-locked amounts, and block rewards that are too new.
        locked: Cents,
    }
}

/// What a wallet has of one token among others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenBalance {
    pub token: TokenUid,
    pub balance: BalanceAnswer,
}

answer! {
    /// A wallet's balance of one token.
    this: TokenBalance as "TokenBalance", type "TokenBalance" {
        token: Uid,
        balance: Flatten<BalanceAnswer> = Flatten(&this.balance),
    }
}

/// The answer of balances.
pub struct BalancesAnswer(pub Vec<TokenBalance>);

answer! {
    this: BalancesAnswer as "Balances" {
        /// HTR first.
        balances: [TokenBalance] = *this.0,
    }
}

/// The answer of address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressAnswer(pub String);

answer! {
    this: AddressAnswer as "Address" {
        address: Text = this.0,
    }
}

/// The answer of addresses, in order of their index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressesAnswer<'a>(pub Vec<&'a str>);

answer! {
    this: AddressesAnswer<'_> as "Addresses" {
        addresses: [Text] = *this.0,
    }
}

/// The answer of multisig-pubkey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XpubAnswer(pub String);

answer! {
    this: XpubAnswer as "Xpub" {
        success = true,
        xpubkey: Text = this.0,
    }
}
