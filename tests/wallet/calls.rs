//! Calls of contracts: what they spend and pay, who pays the fee, and their numbers.

use crate::support::{
    LATER, NATIVE, NOW, account, authority, cents, custom, foreign, holding, id, output, pay, send, settings,
    vertex, wallet,
};
use headless_wallet::ledger::nano::{ActionKind, NanoAction, NanoCall, NanoHeader, TokenAction, VertexNano};
use headless_wallet::ledger::{Amount, FeeEntry, Header, TokenUid, Vertex};
use headless_wallet::wallet::{ActionRequest, Authority, CallRequest, Event, Plan, PlanError, State, Update};

fn request(state: &State, actions: Vec<ActionRequest>) -> CallRequest {
    CallRequest {
        contract: id(200),
        method: "noop".to_owned(),
        args: vec![0],
        caller: state.address(2).unwrap(),
        actions,
        creates: None,
        contract_pays_deposit: false,
        fee_tokens: Default::default(),
        max_fee: None,
        contract_pays_fees: false,
    }
}

fn deposit(token: TokenUid, amount: u64) -> ActionRequest {
    ActionRequest::Deposit { token, amount: cents(amount), from: None, change: None }
}
fn withdrawal(state: &State, token: TokenUid, amount: u64) -> ActionRequest {
    ActionRequest::Withdrawal { token, amount: cents(amount), to: state.address(1).unwrap() }
}

fn header(plan: &Plan) -> &NanoHeader {
    plan.transaction.nano().unwrap()
}
/// Values and token data, in order.
fn outputs(plan: &Plan) -> Vec<(u128, u8)> {
    plan.transaction.outputs.iter().map(|output| (output.value.cents(), output.token_data.0)).collect()
}
fn moved(plan: &Plan) -> Vec<(ActionKind, u8, u128)> {
    let moved = |action: &NanoAction| (action.kind, action.token_index, action.amount.cents());
    header(plan).actions.iter().map(moved).collect()
}
fn fees(plan: &Plan) -> Vec<&FeeEntry> {
    plan.transaction.headers.iter().flat_map(Header::fees).collect()
}

/// The wallet's call as the ledger has it.
fn call(state: &State, number: u8, seqnum: u64, vertex: Vertex) -> Vertex {
    let nano = VertexNano::Call(NanoCall {
        contract: id(200),
        blueprint: None,
        seqnum,
        method: "noop".to_owned(),
        args: vec![0],
        caller: state.address(2).unwrap(),
        actions: vec![TokenAction { kind: ActionKind::Withdrawal, token: NATIVE, amount: Amount::new(1) }],
        timestamp: None,
    });
    Vertex { id: id(number), nano: Some(Box::new(nano)), ..vertex }
}

#[test]
fn deposits_come_from_the_wallet_and_withdrawals_go_to_it() {
    let mut state = holding(&[100, 300]);
    let to = state.address(0).unwrap();
    let _ = state.apply(vertex(9, vec![output(to, 50, custom(8))]));
    let actions = vec![deposit(NATIVE, 120), withdrawal(&state, custom(7), 5), deposit(custom(8), 50)];
    let plan = state.plan_call(&request(&state, actions), NOW, LATER).unwrap();
    assert_eq!(plan.transaction.tokens, [id(7), id(8)]);
    assert_eq!(
        moved(&plan),
        [(ActionKind::Deposit, 0, 120), (ActionKind::Withdrawal, 1, 5), (ActionKind::Deposit, 2, 50)]
    );
    // 300 is the smallest that suffices.
    assert_eq!(outputs(&plan), [(180, 0), (5, 1)]);
    assert_eq!((plan.transaction.inputs.len(), plan.caller), (2, Some(2)));
    assert_eq!(fees(&plan), Vec::<&FeeEntry>::new());
}

#[test]
fn what_one_action_takes_the_next_one_does_not() {
    let mut state = holding(&[100, 100]);
    let actions = vec![deposit(NATIVE, 100), deposit(NATIVE, 100)];
    let plan = state.plan_call(&request(&state, actions), NOW, LATER).unwrap();
    assert_eq!((plan.transaction.inputs.len(), outputs(&plan)), (2, vec![]));
    state.release(plan.reservation);
    let three = vec![deposit(NATIVE, 100), deposit(NATIVE, 100), deposit(NATIVE, 1)];
    let refusal = state.plan_call(&request(&state, three), NOW, LATER).unwrap_err();
    let (required, available) = (cents(1), Amount::ZERO);
    assert_eq!(refusal, PlanError::NotEnoughToDeposit { token: NATIVE, required, available });
    // Nothing stays reserved.
    assert!(state.plan_send(&send(vec![pay(200, NATIVE)]), NOW, LATER).is_ok());
}

#[test]
fn fees_are_paid_by_the_wallet_or_by_the_contract() {
    let mut state = holding(&[1_000]);
    let to = state.address(0).unwrap();
    let _ = state.apply(vertex(9, vec![output(to, 900, custom(8))]));
    let fee_token = |request: CallRequest| CallRequest { fee_tokens: [id(8)].into(), ..request };

    // One for what goes in, one for the change.
    let call = fee_token(request(&state, vec![deposit(custom(8), 100)]));
    let plan = state.plan_call(&call, NOW, LATER).unwrap();
    assert_eq!(fees(&plan), [&FeeEntry { token_index: 0, amount: cents(2) }]);
    assert_eq!(outputs(&plan), [(800, 1), (998, 0)]);
    state.release(plan.reservation);
    let most = CallRequest { max_fee: Some(cents(1)), ..call };
    let refusal = state.plan_call(&most, NOW, LATER).unwrap_err();
    assert_eq!(refusal, PlanError::FeeTooHigh { fee: cents(2), most: cents(1) });

    // One for what comes out, of the HTR that comes out, too.
    let both = vec![withdrawal(&state, custom(8), 10), withdrawal(&state, NATIVE, 10)];
    let call = CallRequest { contract_pays_fees: true, ..fee_token(request(&state, both)) };
    let plan = state.plan_call(&call, NOW, LATER).unwrap();
    assert_eq!((outputs(&plan), plan.transaction.inputs.len()), (vec![(10, 1), (9, 0)], 0));
    assert_eq!(moved(&plan)[1], (ActionKind::Withdrawal, 0, 10));
    let one = vec![withdrawal(&state, custom(8), 10)];
    let call = CallRequest { contract_pays_fees: true, ..fee_token(request(&state, one)) };
    let refusal = state.plan_call(&call, NOW, LATER).unwrap_err();
    assert_eq!(refusal, PlanError::NothingWithdrawn(cents(1)));
}

#[test]
fn authorities_are_granted_and_the_other_right_is_kept() {
    let mut state = holding(&[1_000]);
    let to = state.address(0).unwrap();
    let _ = state.apply(vertex(9, vec![authority(to, 3, custom(8))]));
    let grant = |keep| ActionRequest::Grant { token: id(8), authority: Authority::Mint, from: None, keep };
    let plan = state.plan_call(&request(&state, vec![grant(None)]), NOW, LATER).unwrap();
    assert_eq!((moved(&plan), outputs(&plan)), (vec![(ActionKind::GrantAuthority, 1, 1)], vec![(2, 129)]));
    state.release(plan.reservation);
    let plan = state.plan_call(&request(&state, vec![grant(Some(to))]), NOW, LATER).unwrap();
    assert_eq!(outputs(&plan), [(1, 129), (2, 129)]);
    state.release(plan.reservation);
    let refusal = state.plan_call(&request(&state, vec![grant(Some(foreign()))]), NOW, LATER).unwrap_err();
    assert_eq!(refusal, PlanError::KeptNotMine(Authority::Mint));
}

#[test]
fn calls_are_numbered_by_their_caller() {
    let mut state = holding(&[1_000]);
    let next = |state: &mut State| {
        let plan = state.plan_call(&request(state, vec![]), NOW, LATER).unwrap();
        (header(&plan).seqnum, plan.reservation)
    };
    let (first, under_way) = next(&mut state);
    let (second, other) = next(&mut state);
    assert_eq!((first, second), (0, 1));
    // What was not sent leaves its number to the next one.
    state.release(other);
    let (again, other) = next(&mut state);
    assert_eq!(again, 1);
    state.release(other);
    state.release(under_way);
    let seen = call(&state, 50, 4, vertex(50, vec![]));
    let _ = state.apply(seen.clone());
    let following = |state: &mut State| {
        let (number, reservation) = next(state);
        state.release(reservation);
        number
    };
    assert_eq!(following(&mut state), 5);
    // One that lost a conflict before any block had it is as if it had never been.
    let _ = state.apply(Vertex { voided: true, ..seen.clone() });
    assert_eq!(following(&mut state), 0);
    // One that failed in its block has used its number up.
    let _ = state.apply(Vertex { voided: true, first_block: Some(id(60)), ..seen });
    assert_eq!(following(&mut state), 5);
    let foreign = CallRequest { caller: foreign(), ..request(&state, vec![]) };
    let refusal = state.plan_call(&foreign, NOW, LATER).unwrap_err();
    assert_eq!(refusal, PlanError::CallerNotMine(foreign.caller));
}

#[test]
fn what_comes_out_of_a_contract_is_spent_last_until_a_block_has_it() {
    let mut state = holding(&[70]);
    let to = state.address(0).unwrap();
    let withdrawn = call(&state, 50, 0, vertex(5, vec![output(to, 50, NATIVE)]));
    let _ = state.apply(withdrawn.clone());
    let spends = |state: &mut State, amount| {
        let plan = state.plan_send(&send(vec![pay(amount, NATIVE)]), NOW, LATER).unwrap();
        state.release(plan.reservation);
        plan.transaction.inputs.iter().map(|input| input.spends.tx).collect::<Vec<_>>()
    };
    assert_eq!(spends(&mut state, 50), [id(1)]);
    assert_eq!(spends(&mut state, 120), [id(1), id(50)]);
    let _ = state.apply(Vertex { first_block: Some(id(60)), ..withdrawn });
    assert_eq!(spends(&mut state, 50), [id(50)]);
}

#[test]
fn calls_without_a_block_are_asked_after_in_turns_the_oldest_first() {
    let mut state = holding(&[100]);
    let at = |state: &State, number: u8, timestamp: u32| {
        let pays = vertex(number, vec![output(state.address(1).unwrap(), 1, NATIVE)]);
        Vertex { timestamp, ..call(state, number, 0, pays) }
    };
    for (number, timestamp) in [(50, 3), (51, 1), (52, 2)] {
        let vertex = at(&state, number, timestamp);
        let _ = state.apply(vertex);
    }
    // Whatever is no call is told of by the node.
    let _ = state.apply(vertex(53, vec![output(state.address(1).unwrap(), 1, NATIVE)]));
    assert_eq!(state.unconfirmed_calls(None, 9), [id(51), id(52), id(50)]);
    assert_eq!(state.unconfirmed_calls(Some(&id(51)), 2), [id(52), id(50)]);
    assert_eq!(state.unconfirmed_calls(Some(&id(52)), 3), [id(50), id(51), id(52)]);

    let block = id(60);
    let update = state.confirm_call(&id(52), block, Some(77), Some(id(61)));
    assert_eq!(update.events, [Event::UpdatedVertex { id: id(52), voided: None }]);
    let confirmed = state.vertex(&id(52)).unwrap();
    let nano = confirmed.nano.as_deref().and_then(VertexNano::call).unwrap();
    assert_eq!(
        (confirmed.first_block, nano.timestamp, nano.blueprint),
        (Some(block), Some(77), Some(id(61)))
    );
    // It goes on after one that waits no more, too.
    assert_eq!(state.unconfirmed_calls(Some(&id(52)), 9), [id(50), id(51)]);

    // What was voided in the meantime stays so; a reorganisation makes a call wait again.
    let voided = Vertex { voided: true, ..at(&state, 50, 3) };
    let _ = state.apply(voided);
    assert_eq!(state.confirm_call(&id(50), block, None, None), Update::default());
    let again = at(&state, 52, 2);
    let _ = state.apply(again);
    assert_eq!(state.unconfirmed_calls(None, 9), [id(51), id(52)]);
    let again = State::restore(account(), settings(), state.snapshot());
    assert_eq!(again.unconfirmed_calls(None, 9), [id(51), id(52)]);
}

/// As a full node counts them: it lists a call under the address of who called, too.
#[test]
fn a_call_is_a_transaction_of_who_called_though_it_neither_pays_nor_is_paid() {
    let mut state = wallet();
    let to = state.address(0).unwrap();
    let _ = state.apply(vertex(1, vec![output(to, 5, NATIVE)]));
    let _ = state.apply(call(&state, 2, 0, vertex(2, vec![output(to, 7, NATIVE)])));
    let caller = state.address(2).unwrap();
    let _ = state.apply(call(&state, 3, 1, vertex(3, vec![output(caller, 9, NATIVE)])));
    for state in [&state, &State::restore(account(), settings(), state.snapshot())] {
        let records = state.address_records();
        let counts: Vec<_> = records.iter().take(4).map(|record| record.tally.transactions).collect();
        assert_eq!(counts, [2, 0, 2, 0]);
    }
}
