//! What the npm package alone answers and tells its listeners.

use super::history::HistoryEntry;
use super::kinds::{
    ByName, Byte, Cents, Change, Count, DirectionName, ExecutionName, Flag, Flatten, List, Maybe,
    NetworkName, NodeObject, OrNull, StateCode, StateName, Text, TransactionKindName,
};
use super::wallet::{FeatureWarning, LoadProgress, some};
use crate::api::answer::answer;
use crate::ledger::{Amount, Cost, Effect, Execution, Network, Part};

/// A transaction of the history, and what it did to the wallet.
pub struct HistoryTransaction<'a> {
    pub entry: HistoryEntry<'a>,
    /// Of a call of a contract.
    pub execution: Option<Execution>,
    pub effect: Effect,
}

answer! {
    /// A transaction or block of the wallet's history.
    this: HistoryTransaction<'_>, type "HistoryTransaction" {
        entry: Flatten<HistoryEntry<'_>> = Flatten(&this.entry),
        /// On calls of contracts: `pending` until a block executes it. A `failure` is voided and moves
        /// nothing; `skipped` was voided otherwise, and was not executed.
        nc_execution: Maybe<ExecutionName> = this.execution,
        /// What it did to the wallet; if it is voided, what it would have done.
        effect: Effect,
        .. = this.entry.others_of(Part::Whole),
    }
}

answer! {
    /// What a transaction did to the wallet.
    this: Effect, type "WalletEffect" {
        /// `received` if it spends nothing of the wallet's, `sent` if it does and pays somebody else, `self`
        /// if it pays nobody else.
        direction: DirectionName,
        /// What it is for. `data` keeps data on the ledger and pays nobody else; others spend in a `swap`,
        /// too; a `call` is of a contract; `reward` is a block.
        kind: TransactionKindName,
        /// What came in less what went out, in cents, by the uids of the tokens touched (`00` is HTR).
        /// Authorities are no amounts: a token of which only they moved has 0.
        net: ByName<Change> = List(this.net.iter().map(|(token, sum)| (token.to_string(), *sum))),
        /// What the wallet paid for it in HTR. `null` if that can't be told: others paid with it, it is a
        /// call or a blueprint of the wallet's, of which histories do not tell the fees, or what was paid
        /// could be a token's deposit as well as its fee.
        cost: OrNull<Cost>,
        /// The places of the inputs that spend what was the wallet's.
        ownInputs: [Byte] = *this.own_inputs,
        /// The places of the outputs that are the wallet's.
        ownOutputs: [Byte] = *this.own_outputs,
        /// Those of them that are change: amounts of a token of which the transaction took more from the
        /// wallet than it gave back.
        changeOutputs: [Byte] = *this.change_outputs,
    }
}

/// News of a transaction of the history.
pub struct TxEvent<'a> {
    pub transaction: HistoryTransaction<'a>,
    /// Whether it came, rather than changed.
    pub is_new: bool,
}

answer! {
    /// A transaction that came into the history, or changed (confirmed, voided, an output spent).
    this: TxEvent<'_>, type "TxEvent" {
        tx: HistoryTransaction<'_> = this.transaction,
        /// Whether it came, rather than changed.
        isNew: Flag = this.is_new,
    }
}

/// A proposal at the swap service changed, or may have.
pub struct SwapEvent<'a> {
    pub id: Option<&'a str>,
    pub version: Option<u32>,
}

answer! {
    /// A proposal at the swap service changed: `swapProposal` reads it.
    this: SwapEvent<'_>, type "SwapEvent" {
        /// Absent after the connection to the service was broken: each may have changed meanwhile.
        proposalId: Maybe<Text> = this.id,
        /// Its version, if the service says so.
        version: Maybe<Count> = this.version,
    }
}

/// Where a wallet stands.
pub struct WalletState<'a> {
    pub code: u8,
    pub name: &'a str,
    /// What stands in the way, and what to do.
    pub problem: Option<String>,
    /// When the full node is tried again, in Unix seconds.
    pub next_try: Option<u32>,
    pub warnings: Vec<FeatureWarning>,
}

answer! {
    /// Where a wallet stands.
    this: WalletState<'_>, type "WalletState" {
        /// 0 closed, 1 connecting, 2 syncing, 3 ready, 4 error, 5 processing.
        statusCode: StateCode = this.code,
        statusMessage: StateName = *this.name,
        /// What stands in the way, or why nothing is kept in the store, and what to do; absent if nothing
        /// does.
        error: Maybe<Text> = this.problem,
        /// When the full node is tried again, in Unix seconds: only while the wallet waits for that.
        /// `reconnect` ends the waiting.
        nextTry: Maybe<Count> = this.next_try,
        /// Features of the network that this version does not support; absent if there are none.
        warnings: Maybe<[FeatureWarning]> = some(&this.warnings),
    }
}

/// Where a wallet stands, and with whom it talks. What the node says of itself is added as it came.
pub struct WalletStatus<'a> {
    pub state: WalletState<'a>,
    pub network: Network,
    /// Without user and password.
    pub server_url: &'a str,
    pub progress: LoadProgress,
}

answer! {
    /// Where a wallet stands, and with whom it talks.
    this: WalletStatus<'_>, type "WalletStatus" {
        state: Flatten<WalletState<'_>> = Flatten(&this.state),
        network: NetworkName,
        /// `nodeUrl`, without user and password.
        serverUrl: Text = *this.server_url,
        progress: LoadProgress,
        /// What the full node said of itself when the wallet was started.
        serverInfo: NodeObject = (),
    }
}

/// The rights that a wallet holds.
pub struct AuthoritiesAnswer {
    pub mint: u32,
    pub melt: u32,
}

answer! {
    /// How many outputs the wallet has that it may mint or melt a token with.
    this: AuthoritiesAnswer, type "Authorities" {
        mint: Count,
        melt: Count,
    }
}

/// The HTR that an amount of a token stands for.
pub struct TokenDepositAnswer {
    /// Deposited when it is minted.
    pub deposit: Amount,
    /// Given back when it is melted.
    pub withdraw: Amount,
}

answer! {
    /// The HTR that an amount of a token stands for.
    this: TokenDepositAnswer, type "TokenDeposit" {
        /// Deposited when it is minted.
        deposit: Cents,
        /// Given back when it is melted.
        withdraw: Cents,
    }
}
