//! Atomic swaps.

use super::{Answer, Group, Method, Operation, OperationId as Id, Right, bodies, get, post};
use crate::api::shape::Shape;
use crate::api::{
    DryRunAnswer, Failure, InvalidFields, LockedUtxosAnswer, ProposalAnswer, ProposeSwap, PushSwap,
    RegisterSwap, SignSwap, Success, SwapAnswer, SwapInputData, SwapInputDataAnswer, SwapListAnswer,
    SwapProposalAnswer, SwapProposalId, SwapSignatures, TransactionAnswer, UnlockSwap,
};

pub(super) const ALL: &[Operation] = &[
    swap(
        Id::ProposeSwap,
        "/wallet/atomic-swap/tx-proposal",
        Right::Build,
        "Propose an atomic swap, or add this wallet's part to a proposal. What it gives is locked.",
        answers![SwapAnswer, Failure],
    )
    .with_body_of(bodies::IN_PARTS)
    .of::<ProposeSwap>(&[
        (
            "example",
            r#"{"send": {"tokens": [{"value": 10}]}, "receive": {"tokens": [{"value": 5, "token": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f"}]}}"#,
        ),
        (
            "chosen outputs",
            r#"{"send": {"tokens": [{"value": 10, "token": "00"}], "utxos": [{"txId": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f", "index": 0}]}, "lock": false}"#,
        ),
        (
            "answer",
            r#"{"partial_tx": "PartialTx|00010000000000000000000000000000000000000000||", "receive": {"tokens": [{"value": 10, "address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f"}]}}"#,
        ),
    ])
    .refusing(answers![InvalidFields, Failure])
    .also(&[NOT_REGISTERED]),
    swap(
        Id::SwapSignatures,
        "/wallet/atomic-swap/tx-proposal/get-my-signatures",
        Right::Sign,
        "Sign this wallet's inputs of a proposal. The signatures go to whoever puts the swap together. What the proposal says of its \
         inputs is checked against the full node.",
        answers![SwapInputDataAnswer, Failure],
    )
    .with_body_of(bodies::IN_PARTS)
    .of::<SwapSignatures>(PARTIAL_TX),
    swap(
        Id::SignSwap,
        "/wallet/atomic-swap/tx-proposal/sign",
        Right::Build,
        "Put all signatures into the transaction of a proposal. Each one is checked.",
        answers![ProposalAnswer, Failure],
    )
    .with_body_of(bodies::IN_PARTS)
    .of::<SignSwap>(SIGNED)
    .also(&[NOT_REGISTERED]),
    swap(
        Id::SignAndPushSwap,
        "/wallet/atomic-swap/tx-proposal/sign-and-push",
        Right::Send,
        "Put all signatures into the transaction of a proposal, and send it.",
        answers![TransactionAnswer, DryRunAnswer, Failure],
    )
    .with_body_of(bodies::IN_PARTS)
    .of::<PushSwap>(SIGNED),
    swap(
        Id::SwapInputData,
        "/wallet/atomic-swap/tx-proposal/get-input-data",
        Right::Build,
        "Take the signatures out of a transaction, in the form that `sign` takes: those of a multisig wallet, or made elsewhere.",
        answers![SwapInputDataAnswer, Failure],
    )
    .of::<SwapInputData>(&[("example", r#"{"txHex": "0001000000"}"#)]),
    swap(
        Id::UnlockSwap,
        "/wallet/atomic-swap/tx-proposal/unlock",
        Right::Build,
        "Unlock what this wallet gives in a proposal.",
        answers![Success, Failure],
    )
    .with_body_of(bodies::IN_PARTS)
    .of::<UnlockSwap>(PARTIAL_TX),
    get(
        Id::GetLockedUtxos,
        "/wallet/atomic-swap/tx-proposal/get-locked-utxos",
        Group::Swaps,
        Right::Read,
        "List the outputs that are locked, for swaps or by utxos-selected-as-input.",
        Answer::Json(answers![LockedUtxosAnswer]),
    ),
    get(
        Id::ListSwaps,
        "/wallet/atomic-swap/tx-proposal/list",
        Group::Swaps,
        Right::Read,
        "List the proposals at the swap service that the wallet is registered for.",
        Answer::Json(answers![SwapListAnswer]),
    ),
    get(
        Id::FetchSwap,
        "/wallet/atomic-swap/tx-proposal/fetch/{proposalId}",
        Group::Swaps,
        Right::Read,
        "Fetch a proposal from the swap service, and decrypt it.",
        Answer::Json(answers![SwapProposalAnswer<'_>, Failure]),
    )
    .of::<SwapProposalId>(ID)
    .also(&[NOT_REGISTERED, (405, "The server has no swap service.")]),
    swap(
        Id::RegisterSwap,
        "/wallet/atomic-swap/tx-proposal/register/{proposalId}",
        Right::Build,
        "Register for a proposal at the swap service: its password is kept while the wallet runs.",
        answers![Success, Failure],
    )
    .of::<RegisterSwap>(&[("example", r#"{"password": "abc123", "proposalId": "b11948c7-4801-4a13-a5c0-2ee87dd9c2c9"}"#)]),
    Operation {
        method: Method::Delete,
        ..get(
            Id::DeleteSwap,
            "/wallet/atomic-swap/tx-proposal/delete/{proposalId}",
            Group::Swaps,
            Right::Build,
            "Forget a proposal at the swap service, and its password.",
            Answer::Json(answers![Success]),
        )
    }
    .of::<SwapProposalId>(ID),
];

const ID: &[(&str, &str)] = &[("example", r#"{"proposalId": "b11948c7-4801-4a13-a5c0-2ee87dd9c2c9"}"#)];
const NOT_REGISTERED: (u16, &str) =
    (404, "The wallet is not registered for that proposal, or there is none.");

const PARTIAL_TX: &[(&str, &str)] =
    &[("example", r#"{"partial_tx": "PartialTx|00010000000000000000000000000000000000000000||"}"#)];
const SIGNED: &[(&str, &str)] = &[(
    "example",
    r#"{"partial_tx": "PartialTx|00010000000000000000000000000000000000000000||", "signatures": ["PartialTxInputData|0001000000"]}"#,
)];

const fn swap(
    id: Id,
    path: &'static str,
    right: Right,
    summary: &'static str,
    answers: &'static [Shape],
) -> Operation {
    post(id, path, Group::Swaps, right, summary, Answer::Json(answers))
}
