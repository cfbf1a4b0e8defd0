//! What a wallet has, and what became of it.

use super::{Answer, Group, Operation, OperationId as Id, Right, get};
use crate::api::shape::Shape;
use crate::api::{
    AddressAnswer, AddressIndexAnswer, AddressIndexQuery, AddressInfoAnswer, AddressInfoQuery, AddressQuery,
    AddressesAnswer, BalanceAnswer, BalanceQuery, ConfigurationAnswer, ConfigurationStringQuery,
    ConfirmationsAnswer, Failure, History, HistoryEntry, HistoryQuery, MessageFailure, TransactionQuery,
    UtxoFilter, UtxoList,
};

pub(super) const ALL: &[Operation] = &[
    read(Id::Balance, "/wallet/balance", "Show how much of a token the wallet has.", answers![BalanceAnswer])
        .of::<BalanceQuery>(&[("example", r#"{"token": "00"}"#)]),
    read(
        Id::Address,
        "/wallet/address",
        "Show the current address, or the one at an index.",
        answers![AddressAnswer],
    )
    .of::<AddressQuery>(&[("example", r#"{"index": 0}"#)]),
    read(Id::Addresses, "/wallet/addresses", "List all addresses, by index.", answers![AddressesAnswer]),
    read(
        Id::AddressIndex,
        "/wallet/address-index",
        "Show the index of one of the wallet's addresses; no success if it isn't the wallet's.",
        answers![AddressIndexAnswer],
    )
    .of::<AddressIndexQuery>(&[("example", r#"{"address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f"}"#)]),
    read(
        Id::AddressInfo,
        "/wallet/address-info",
        "Show what an address has received of a token, and what is still there.",
        answers![AddressInfoAnswer, Failure],
    )
    .of::<AddressInfoQuery>(&[(
        "example",
        r#"{"address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "token": "00"}"#,
    )]),
    read(
        Id::UtxoFilter,
        "/wallet/utxo-filter",
        "List unspent outputs, and their total.",
        answers![UtxoList, Failure],
    )
    .of::<UtxoFilter>(&[("example", r#"{"max_utxos": 10, "amount_bigger_than": 50}"#)]),
    read(Id::TxHistory, "/wallet/tx-history", "List the wallet's transactions.", answers![History])
        .of::<HistoryQuery>(&[("example", r#"{"limit": 10}"#)]),
    read(
        Id::Transaction,
        "/wallet/transaction",
        "Show one of the wallet's transactions.",
        answers![HistoryEntry, Failure],
    )
    .of::<TransactionQuery>(ID),
    read(
        Id::TxConfirmationBlocks,
        "/wallet/tx-confirmation-blocks",
        "Show how many blocks confirm a transaction.",
        answers![ConfirmationsAnswer, Failure],
    )
    .of::<TransactionQuery>(ID),
    read(
        Id::LastLoadedAddressIndex,
        "/wallet/config/last-loaded-address-index",
        "Show the index of the last address that is watched.",
        answers![AddressIndexAnswer],
    ),
    read(
        Id::ConfigurationString,
        "/configuration-string",
        "Show a token's configuration string, from the full node.",
        answers![ConfigurationAnswer, MessageFailure],
    )
    .of::<ConfigurationStringQuery>(&[(
        "example",
        r#"{"token": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f"}"#,
    )]),
];

const ID: &[(&str, &str)] =
    &[("example", r#"{"id": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f"}"#)];

const fn read(id: Id, path: &'static str, summary: &'static str, answers: &'static [Shape]) -> Operation {
    get(id, path, Group::Reading, Right::Read, summary, Answer::Json(answers))
}
