//! Contracts.

use super::{Answer, Group, Operation, OperationId as Id, Right, bodies, get, post};
use crate::api::{
    ContractHistory, ContractHistoryQuery, ContractState, ContractStateQuery, CreateBlueprint,
    CreateContract, CreatedToken, DryRunAnswer, ExecuteContract, Failure, InvalidDetails, OracleData,
    OracleDataQuery, OracleResult, OracleResultQuery, TransactionAnswer,
};

pub(super) const ALL: &[Operation] = &[
    get(
        Id::ContractState,
        "/wallet/nano-contracts/state",
        Group::Contracts,
        Right::Read,
        "Show what a contract holds, and the values of its fields.",
        Answer::Json(answers![ContractState, Failure]),
    )
    .of::<ContractStateQuery>(&[("example", r#"{"id": "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595", "fields": ["total"], "balances": ["00"]}"#)]),
    get(
        Id::ContractHistory,
        "/wallet/nano-contracts/history",
        Group::Contracts,
        Right::Read,
        "List the transactions that called a contract, newest first.",
        Answer::Json(answers![ContractHistory, Failure]),
    )
    .of::<ContractHistoryQuery>(&[("example", r#"{"id": "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595", "count": 10}"#)]),
    get(
        Id::OracleData,
        "/wallet/nano-contracts/oracle-data",
        Group::Contracts,
        Right::Read,
        "Show the data by which a contract knows an oracle: the script that pays an address.",
        Answer::Json(answers![OracleData, Failure]),
    )
    .of::<OracleDataQuery>(&[("example", r#"{"oracle": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f"}"#)]),
    get(
        Id::OracleSignedResult,
        "/wallet/nano-contracts/oracle-signed-result",
        Group::Contracts,
        Right::Sign,
        "Sign a result for a contract, as its oracle.",
        Answer::Json(answers![OracleResult, Failure]),
    )
    .of::<OracleResultQuery>(&[("example", r#"{"oracle_data": "76a91466665b27f7dbc4c8c089d2f686c170c74d66f0b588ac", "contract_id": "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595", "result": "1x0", "type": "str"}"#)]),
    post(
        Id::CreateContract,
        "/wallet/nano-contracts/create",
        Group::Contracts,
        Right::Contracts,
        "Create a contract from a blueprint.",
        CALLED,
    )
    .with_body_of(bodies::IN_PARTS)
    .of::<CreateContract>(&[("example", r#"{"blueprint_id": "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595", "address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "data": {"args": ["76a91466665b27f7dbc4c8c089d2f686c170c74d66f0b588ac", "00", 1795361637]}}"#)])
    .refusing(answers![InvalidDetails]),
    post(
        Id::ExecuteContract,
        "/wallet/nano-contracts/execute",
        Group::Contracts,
        Right::Contracts,
        "Call a method of a contract.",
        CALLED,
    )
    .with_body_of(bodies::IN_PARTS)
    .of::<ExecuteContract>(&[("example", r#"{"nc_id": "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595", "method": "bet", "address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "data": {"args": ["WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "1x0"], "actions": [{"type": "deposit", "token": "00", "amount": 100}]}}"#)])
    .refusing(answers![InvalidDetails]),
    post(
        Id::CreateBlueprint,
        "/wallet/nano-contracts/create-on-chain-blueprint",
        Group::Contracts,
        Right::Contracts,
        "Publish a blueprint on the ledger, so that contracts can be created from it.",
        Answer::Json(answers![TransactionAnswer, DryRunAnswer, Failure]),
    )
    .with_body_of(bodies::CODE)
    .of::<CreateBlueprint>(&[("example", r#"{"code": "@export\nclass Nothing(Blueprint):\n    pass\n", "address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f"}"#)]),
];

const CALLED: Answer = Answer::Json(answers![TransactionAnswer, CreatedToken, DryRunAnswer, Failure]);
