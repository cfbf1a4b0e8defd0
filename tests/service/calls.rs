//! Calls of contracts, of whose confirmation a node does not tell.

use crate::rig::{Rig, backend_at, devnet};
use crate::tap::Tap;
use headless_wallet::ledger::{Execution, VertexId};
use headless_wallet::service::{ContractCall, Operation, Target};
use headless_wallet::wallet::CallRequest;
use serde_json::json;

/// The blueprint that every full node has.
const BET: &str = "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595";

async fn bet(rig: &Rig) -> VertexId {
    let blueprint: VertexId = BET.parse().unwrap();
    let request = CallRequest {
        contract: blueprint,
        method: "initialize".to_owned(),
        args: Vec::new(),
        caller: rig.address(0),
        actions: Vec::new(),
        creates: None,
        contract_pays_deposit: false,
        fee_tokens: Default::default(),
        max_fee: None,
        contract_pays_fees: false,
    };
    let args = vec![json!("00"), json!("00"), json!(4_000_000_000_u32)];
    let call = ContractCall { target: Target::Create(blueprint), args, expected: None, request };
    rig.wallet.carry_out(Operation::Call(Box::new(call))).await.unwrap().id
}

#[tokio::test]
async fn calls_are_asked_after_when_there_is_a_block_and_only_until_it_has_them() {
    let devnet = devnet().await;
    let tap = Tap::on(&devnet.node_url()).await;
    let mining = devnet.mining_url();
    let rig = Rig::through(devnet, backend_at(tap.url(), &mining)).await;
    rig.fund(&[5]).await;
    let asked = |id: &VertexId| {
        let wanted = format!("transaction?id={id}");
        tap.requests().iter().filter(|request| **request == wanted).count()
    };
    let next_height = async || {
        rig.devnet.change(|chain, now| chain.mine_block(vec![0x51], now));
        let height = rig.devnet.read(|chain| chain.best_block().1);
        rig.until(|state, _| state.best_height() == Some(height)).await;
    };
    let calls = [bet(&rig).await, bet(&rig).await];
    let execution =
        |id: &VertexId| rig.wallet.read(|state, _| state.execution(&state.vertex(id).unwrap())).unwrap();
    assert_eq!(calls.map(|id| (execution(&id), asked(&id))), [(Some(Execution::Pending), 0); 2]);
    next_height().await;
    rig.until(|state, _| state.unconfirmed_calls(None, 9).is_empty()).await;
    assert_eq!(calls.map(|id| (execution(&id), asked(&id))), [(Some(Execution::Success), 1); 2]);
    let before = tap.requests().len();
    for _ in 0..3 {
        next_height().await;
    }
    let blocks = tap.requests()[before..].iter().filter(|request| request.starts_with("transaction")).count();
    assert_eq!((blocks, calls.map(|id| asked(&id))), (0, [1; 2]));
}
