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
        /// Its effect on the wallet; if it is voided, the effect that it would have had.
        effect: Effect,
        .. = this.entry.others_of(Part::Whole),
    }
}

answer! {
    /// The effect of a transaction on the wallet.
    this: Effect, type "WalletEffect" {
        /// `received` if it spends nothing of the wallet, `sent` if it does and pays others, `self` if it
        /// pays nobody else.
        direction: DirectionName,
        /// The kind of transaction. `data` stores data on the ledger and pays nobody else; in a `swap` others
        /// spend, too; a `call` calls a contract; a `reward` is a block.
        kind: TransactionKindName,
        /// The net amount received, in cents, by the uid of each token in it (`00` is HTR). Authorities don't
        /// count: a token of which only they moved has 0.
        net: ByName<Change> = List(this.net.iter().map(|(token, sum)| (token.to_string(), *sum))),
        /// What the wallet paid for it in HTR. `null` if that can't be told: others paid with it, it is a
        /// call or a blueprint of the wallet's, of which histories do not tell the fees, or what was paid
        /// could be a token's deposit as well as its fee.
        cost: OrNull<Cost>,
        /// The indexes of inputs that spend outputs of the wallet.
        ownInputs: [Byte] = *this.own_inputs,
        /// The indexes of outputs that pay the wallet.
        ownOutputs: [Byte] = *this.own_outputs,
        /// The indexes of change: outputs of a token of which the transaction took more from the wallet than
        /// it returned.
        changeOutputs: [Byte] = *this.change_outputs,
    }
}

/// News of a transaction of the history.
pub struct TxEvent<'a> {
    pub transaction: HistoryTransaction<'a>,
    /// Whether it is new, rather than changed.
    pub is_new: bool,
}

answer! {
    /// A transaction that entered the history, or changed (confirmed, voided, an output spent).
    this: TxEvent<'_>, type "TxEvent" {
        tx: HistoryTransaction<'_> = this.transaction,
        /// Whether it is new, rather than changed.
        isNew: Flag = this.is_new,
    }
}

/// A proposal at the swap service has, or may have, changed.
pub struct SwapEvent<'a> {
    pub id: Option<&'a str>,
    pub version: Option<u32>,
}

answer! {
    /// A proposal at the swap service changed: `swapProposal` reads it.
    this: SwapEvent<'_>, type "SwapEvent" {
        /// Absent after a broken connection to the service: each proposal may have changed meanwhile.
        proposalId: Maybe<Text> = this.id,
        /// Its version, if the service says so.
        version: Maybe<Count> = this.version,
    }
}

/// The state of a wallet.
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
    /// The state of a wallet.
    this: WalletState<'_>, type "WalletState" {
        /// 0 closed, 1 connecting, 2 syncing, 3 ready, 4 error, 5 processing.
        statusCode: StateCode = this.code,
        statusMessage: StateName = *this.name,
        /// The current problem with the node or the store, and its remedy; absent if there is none.
        error: Maybe<Text> = this.problem,
        /// The time of the next attempt to reach the full node, in Unix seconds, while the wallet waits for
        /// it. `reconnect` tries now.
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
    /// The state of a wallet, and its full node.
    this: WalletStatus<'_>, type "WalletStatus" {
        state: Flatten<WalletState<'_>> = Flatten(&this.state),
        network: NetworkName,
        /// `nodeUrl`, without user and password.
        serverUrl: Text = *this.server_url,
        progress: LoadProgress,
        /// The full node's version and constants when the wallet was started.
        serverInfo: NodeObject = (),
    }
}

/// The rights that a wallet holds.
pub struct AuthoritiesAnswer {
    pub mint: u32,
    pub melt: u32,
}

answer! {
    /// The number of outputs with which the wallet can mint or melt a token.
    this: AuthoritiesAnswer, type "Authorities" {
        mint: Count,
        melt: Count,
    }
}

/// The deposit in HTR for an amount of a token.
pub struct TokenDepositAnswer {
    /// Deposited when it is minted.
    pub deposit: Amount,
    /// Returned when it is melted.
    pub withdraw: Amount,
}

answer! {
    /// The deposit in HTR for an amount of a token.
    this: TokenDepositAnswer, type "TokenDeposit" {
        /// Deposited when it is minted.
        deposit: Cents,
        /// Returned when it is melted.
        withdraw: Cents,
    }
}
