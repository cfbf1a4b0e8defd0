//! What sends a transaction of the wallet, and transactions given as text.

use super::{Answer, Group, Method, Operation, OperationId as Id, Right, bodies, post};
use crate::api::{
    Consolidate, ConsolidationAnswer, CreateNft, CreateToken, CreatedToken, Decode, DecodedTransaction,
    DryRunAnswer, Failure, GivenTransaction, InvalidChoice, InvalidDetails, InvalidFields, MeltTokens,
    MintTokens, PushedAnswer, SelectUtxos, SendTx, SimpleSendTx, Success, TransactionAnswer,
};

const SENT: Answer = Answer::Json(answers![TransactionAnswer, DryRunAnswer, Failure]);
const CREATED: Answer = Answer::Json(answers![CreatedToken, DryRunAnswer, Failure]);

pub(super) const ALL: &[Operation] = &[
    send(Id::SimpleSendTx, "/wallet/simple-send-tx", Right::Send, "Pay one address.", SENT).of::<SimpleSendTx>(
        &[("example", r#"{"address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "value": 100}"#)],
    ),
    send(Id::SendTx, "/wallet/send-tx", Right::Send, "Pay addresses, and write texts to the ledger.", SENT)
        .of::<SendTx>(&[
            (
                "example",
                r#"{"outputs": [{"address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "value": 100, "token": "00"}, {"type": "data", "data": "hello"}]}"#,
            ),
            (
                "chosen inputs",
                r#"{"outputs": [{"address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "value": 100}], "inputs": [{"hash": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f", "index": 0}]}"#,
            ),
            (
                "inputs that match",
                r#"{"outputs": [{"address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "value": 100}], "inputs": [{"type": "query", "filter_address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f"}]}"#,
            ),
        ]),
    send(Id::CreateToken, "/wallet/create-token", Right::CreateTokens, "Create a token.", CREATED)
        .of::<CreateToken>(&[("example", r#"{"name": "Coffee", "symbol": "CFE", "amount": 1000}"#)])
        .refusing(answers![InvalidDetails]),
    send(Id::CreateNft, "/wallet/create-nft", Right::CreateTokens, "Create an NFT.", CREATED).of::<CreateNft>(
        &[("example", r#"{"name": "Coffee", "symbol": "CFE", "amount": 1, "data": "ipfs://Qmf"}"#)],
    ),
    send(Id::MintTokens, "/wallet/mint-tokens", Right::Mint, "Mint more of a token.", SENT)
        .of::<MintTokens>(HUNDRED),
    send(Id::MeltTokens, "/wallet/melt-tokens", Right::Melt, "Melt tokens, and get their deposit back.", SENT)
        .of::<MeltTokens>(HUNDRED),
    send(
        Id::UtxoConsolidation,
        "/wallet/utxo-consolidation",
        Right::Send,
        "Combine many outputs into one.",
        Answer::Json(answers![ConsolidationAnswer, DryRunAnswer, Failure]),
    )
    .of::<Consolidate>(&[(
        "example",
        r#"{"destination_address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "max_utxos": 10}"#,
    )]),
    transaction(
        Id::PushTx,
        "/push-tx",
        Right::Send,
        "Send a signed transaction. Its proof of work is done first if it is missing.",
        Answer::Json(answers![PushedAnswer, DryRunAnswer, Failure]),
    )
    .of::<GivenTransaction>(TX_HEX),
    transaction(
        Id::Decode,
        "/wallet/decode",
        Right::Read,
        "Show what a transaction contains, and what it would do to the wallet.",
        Answer::Json(answers![DecodedTransaction, Failure]),
    )
    .with_body_of(bodies::IN_PARTS)
    .of::<Decode>(TX_HEX)
    .refusing(answers![InvalidFields, InvalidChoice]),
    Operation {
        method: Method::Put,
        ..transaction(
            Id::UtxosSelectedAsInput,
            "/wallet/utxos-selected-as-input",
            Right::Build,
            "Reserve the outputs that a transaction spends, or release them.",
            Answer::Json(answers![Success, Failure]),
        )
        .of::<SelectUtxos>(&[("example", r#"{"txHex": "0001000000", "ttl": 60000}"#)])
    },
];

const TX_HEX: &[(&str, &str)] = &[("example", r#"{"txHex": "0001000000"}"#)];
const HUNDRED: &[(&str, &str)] = &[(
    "example",
    r#"{"token": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f", "amount": 100}"#,
)];

const fn send(id: Id, path: &'static str, right: Right, summary: &'static str, answer: Answer) -> Operation {
    post(id, path, Group::Sending, right, summary, answer)
}

const fn transaction(
    id: Id,
    path: &'static str,
    right: Right,
    summary: &'static str,
    answer: Answer,
) -> Operation {
    post(id, path, Group::Transactions, right, summary, answer)
}
