//! What the npm package alone answers and tells its listeners.

use super::history::HistoryEntry;
use super::kinds::{Cents, Flag, Flatten, Uid};
use super::wallet::BalanceAnswer;
use crate::api::answer::answer;
use crate::ledger::{Amount, TokenUid};

/// A transaction of the history.
pub struct TxEvent<'a> {
    #[allow(missing_docs)]
    pub entry: HistoryEntry<'a>,
    /// Whether it came, rather than changed.
    pub is_new: bool,
}

answer! {
    /// A transaction that came into the history, or changed (confirmed, voided, an output spent).
    this: TxEvent<'_>, type "TxEvent" {
        tx: HistoryEntry<'_> = this.entry,
        /// Whether it came, rather than changed.
        isNew: Flag = this.is_new,
    }
}

/// A token's new balance.
pub struct BalanceEvent {
    #[allow(missing_docs)]
    pub token: TokenUid,
    #[allow(missing_docs)]
    pub balance: BalanceAnswer,
}

answer! {
    /// A token's new balance: after a transaction, or when a lock has ended.
    this: BalanceEvent, type "BalanceEvent" {
        token: Uid,
        balance: Flatten<BalanceAnswer> = Flatten(&this.balance),
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
