//! Transactions that are signed elsewhere, or by several participants.

use super::{Answer, Group, Operation, OperationId as Id, Right, bodies, get, post};
use crate::api::shape::Shape;
use crate::api::{
    AddSignatures, BuildTx, CreatedToken, DryRunAnswer, Failure, InputDataAnswer, InvalidChoice,
    InvalidFields, MakeInputData, MakeSigningFile, ProposalAnswer, ProposeCreateToken, ProposeMeltTokens,
    ProposeMintTokens, ProposeTx, PushSigningFile, SignProposal, SignShare, SignaturesAnswer,
    SigningFileAnswer, TransactionAnswer, UnsignedAnswer, WalletInputsAnswer, WalletInputsQuery,
};

pub(super) const ALL: &[Operation] = &[
    elsewhere(
        Id::BuildTx,
        "/wallet/tx-proposal",
        "Build a transaction that is to be signed elsewhere. Nothing is reserved, and the wallet need not be able to sign.",
        answers![UnsignedAnswer, Failure],
    )
    .of::<BuildTx>(&[
        (
            "example",
            r#"{"outputs": [{"address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "value": 100, "token": "00"}, {"type": "data", "data": "c0ffee"}]}"#,
        ),
        (
            "chosen inputs",
            r#"{"outputs": [{"address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "value": 100}], "inputs": [{"hash": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f", "index": 0}]}"#,
        ),
        (
            "inputs that match",
            r#"{"outputs": [{"address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "value": 100}], "inputs": [{"type": "query", "filter_address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f"}]}"#,
        ),
    ])
    .refusing(answers![InvalidFields, InvalidChoice]),
    get(
        Id::GetWalletInputs,
        "/wallet/tx-proposal/get-wallet-inputs",
        Group::SigningElsewhere,
        Right::Read,
        "Show which inputs of a transaction belong to the wallet, and which of its keys must sign them.",
        Answer::Json(answers![WalletInputsAnswer, Failure]),
    )
    .of::<WalletInputsQuery>(TX_HEX),
    elsewhere(
        Id::InputData,
        "/wallet/tx-proposal/input-data",
        "Turn signatures into the data of an input: one signature, or those of the participants of a multisig wallet.",
        answers![InputDataAnswer, Failure],
    )
    .of::<MakeInputData>(&[("example", r#"{"index": 0, "signature": "3006020101020101"}"#)])
    .refusing(answers![InvalidFields, InvalidChoice]),
    elsewhere(
        Id::AddSignatures,
        "/wallet/tx-proposal/add-signatures",
        "Put input data into a transaction. Each one is checked.",
        answers![ProposalAnswer, Failure],
    )
    .with_body_of(bodies::IN_PARTS)
    .of::<AddSignatures>(&[(
        "example",
        r#"{"txHex": "0001000000", "signatures": [{"index": 0, "data": "c0ffee"}]}"#,
    )]),
    elsewhere(
        Id::MakeSigningFile,
        "/wallet/signing-file",
        "Make a signing file of a transaction: everything needed to check and sign it on a computer without a network.",
        answers![SigningFileAnswer, Failure],
    )
    .of::<MakeSigningFile>(&[("example", r#"{"txHex": "0001000000", "label": "Rent, November"}"#)])
    .refusing(answers![InvalidFields, InvalidChoice]),
    post(
        Id::PushSigningFile,
        "/wallet/signing-file/push",
        Group::SigningElsewhere,
        Right::Send,
        "Put the signatures of signing files into their transaction, and send it. Each is checked against what it spends.",
        Answer::Json(answers![TransactionAnswer, CreatedToken, DryRunAnswer, Failure]),
    )
    .with_body_of(bodies::SIGNING_FILES)
    .of::<PushSigningFile>(&[("example", r#"{"files": [{"format": "hathor-signing-file", "version": 1}]}"#)]),
    multisig(
        Id::Propose,
        "/wallet/p2sh/tx-proposal",
        Right::Build,
        "Build a transaction for the participants to sign. Its inputs are reserved only if asked for.",
        PROPOSAL,
    )
    .of::<ProposeTx>(&[
        (
            "example",
            r#"{"outputs": [{"address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "value": 100, "token": "00"}]}"#,
        ),
        (
            "chosen inputs",
            r#"{"outputs": [{"address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "value": 100}], "inputs": [{"txId": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f", "index": 0}]}"#,
        ),
    ]),
    multisig(
        Id::ProposeCreateToken,
        "/wallet/p2sh/tx-proposal/create-token",
        Right::Build,
        "Build a transaction that creates a token, for the participants to sign.",
        PROPOSAL,
    )
    .of::<ProposeCreateToken>(&[("example", r#"{"name": "Coffee", "symbol": "CFE", "amount": 1000}"#)]),
    multisig(
        Id::ProposeMintTokens,
        "/wallet/p2sh/tx-proposal/mint-tokens",
        Right::Build,
        "Build a transaction that mints more of a token, for the participants to sign.",
        PROPOSAL,
    )
    .of::<ProposeMintTokens>(HUNDRED),
    multisig(
        Id::ProposeMeltTokens,
        "/wallet/p2sh/tx-proposal/melt-tokens",
        Right::Build,
        "Build a transaction that melts tokens, for the participants to sign.",
        PROPOSAL,
    )
    .of::<ProposeMeltTokens>(HUNDRED),
    multisig(
        Id::GetMySignatures,
        "/wallet/p2sh/tx-proposal/get-my-signatures",
        Right::Sign,
        "Sign a transaction as one participant. The signatures go to whoever puts them together.",
        Answer::Json(answers![SignaturesAnswer, Failure]),
    )
    .of::<SignShare>(TX_HEX),
    multisig(
        Id::Sign,
        "/wallet/p2sh/tx-proposal/sign",
        Right::Build,
        "Put the participants' signatures into a transaction. Each one is checked.",
        PROPOSAL,
    )
    .with_body_of(bodies::IN_PARTS)
    .of::<SignProposal>(SHARES),
    multisig(
        Id::SignAndPush,
        "/wallet/p2sh/tx-proposal/sign-and-push",
        Right::Send,
        "Put the participants' signatures into a transaction, and send it.",
        Answer::Json(answers![TransactionAnswer, CreatedToken, DryRunAnswer, Failure]),
    )
    .with_body_of(bodies::IN_PARTS)
    .of::<SignProposal>(SHARES),
];

const PROPOSAL: Answer = Answer::Json(answers![ProposalAnswer, Failure]);
const TX_HEX: &[(&str, &str)] = &[("example", r#"{"txHex": "0001000000"}"#)];
const HUNDRED: &[(&str, &str)] = &[(
    "example",
    r#"{"token": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f", "amount": 100}"#,
)];
const SHARES: &[(&str, &str)] = &[(
    "example",
    r#"{"txHex": "0001000000", "signatures": ["02fdcf3655f52e77ee45f33f2aef20539a1e3c6645d0b9242b238ed0455d4ead55|0:3006020101020101"]}"#,
)];

const fn elsewhere(
    id: Id,
    path: &'static str,
    summary: &'static str,
    answers: &'static [Shape],
) -> Operation {
    post(id, path, Group::SigningElsewhere, Right::Build, summary, Answer::Json(answers))
}

const fn multisig(
    id: Id,
    path: &'static str,
    right: Right,
    summary: &'static str,
    answer: Answer,
) -> Operation {
    post(id, path, Group::Multisig, right, summary, answer)
}
