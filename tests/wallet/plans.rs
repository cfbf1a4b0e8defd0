//! What plans hold, and that no two of them hold the same.

use crate::support::*;
use headless_wallet::ledger::Amount;
use headless_wallet::ledger::{SpentOutput, TokenData, TokenVersion, Vertex};
use headless_wallet::wallet::{
    Authority, AuthorityTo, DelegateRequest, DestroyRequest, InputQuery, InputRequest, MintRequest,
    OutputRequest, Plan, PlanError, SendRequest, State,
};
use std::collections::BTreeSet;

fn values(plan: &Plan) -> Vec<u128> {
    plan.transaction.outputs.iter().map(|output| output.value.cents()).collect()
}

#[test]
fn a_plan_names_who_signs_and_how_early_it_can_be() {
    let mut state = wallet();
    let (zero, four) = (state.address(0).unwrap(), state.address(4).unwrap());
    let locked = SpentOutput { script: pays(four, Some(NOW - 1)), ..output(four, 70, NATIVE) };
    let _ = state.apply(Vertex { timestamp: NOW + 30, ..vertex(1, vec![output(zero, 60, NATIVE)]) });
    let _ = state.apply(vertex(2, vec![locked]));
    let plan = state.plan_send(&send(vec![pay(70, NATIVE)]), NOW, LATER).unwrap();
    assert_eq!((plan.signers, plan.min_timestamp, plan.transaction.timestamp), (vec![4], NOW, NOW));
    let plan = state.plan_send(&send(vec![pay(60, NATIVE)]), NOW, LATER).unwrap();
    assert_eq!((plan.signers, plan.min_timestamp, plan.transaction.timestamp), (vec![0], NOW + 31, NOW + 31));
}

fn insufficient(required: u64, available: u64) -> PlanError {
    PlanError::Insufficient {
        token: NATIVE,
        required: Amount::from(required),
        available: Amount::from(available),
    }
}

#[test]
fn reserved_outputs_are_free_again_when_released_spent_or_out_of_time() {
    let mut state = holding(&[10, 10]);
    let request = send(vec![pay(10, NATIVE)]);
    let first = state.plan_send(&request, NOW, LATER).unwrap();
    let second = state.plan_send(&request, NOW, u32::MAX).unwrap();
    assert_eq!(inputs(&first), [outpoint(1, 0)]);
    assert_eq!(inputs(&second), [outpoint(2, 0)]);
    assert_eq!(state.plan_send(&request, NOW, LATER), Err(insufficient(10, 0)));

    state.release(first.reservation);
    state.release(first.reservation);
    let third = state.plan_send(&request, NOW, LATER).unwrap();
    assert_eq!(inputs(&third), [outpoint(1, 0)]);

    // The third one's time is over, the second one's never.
    assert_eq!(inputs(&state.plan_send(&request, LATER, LATER + 5).unwrap()), [outpoint(1, 0)]);
    assert_eq!(state.plan_send(&request, LATER, LATER + 5), Err(insufficient(10, 0)));
    assert_eq!(inputs(&state.plan_send(&request, LATER + 10, LATER + 20).unwrap()), [outpoint(1, 0)]);
    assert_eq!(state.plan_send(&request, LATER + 10, LATER + 20), Err(insufficient(10, 0)));

    let spent = state.vertex_of(&second.transaction, id(50)).unwrap();
    let _ = state.apply(spent);
    state.release(second.reservation);
    assert_eq!(state.plan_send(&request, LATER + 10, LATER + 20), Err(insufficient(10, 0)));
}

#[test]
fn a_confirmation_does_not_free_what_is_reserved() {
    let mut state = holding(&[10]);
    let request = send(vec![pay(10, NATIVE)]);
    let plan = state.plan_send(&request, NOW, LATER).unwrap();
    let _ = state.apply(Vertex { first_block: Some(id(77)), ..state.vertex(&id(1)).unwrap() });
    assert_eq!(state.plan_send(&request, NOW, LATER), Err(insufficient(10, 0)));
    state.release(plan.reservation);
    assert!(state.plan_send(&request, NOW, LATER).is_ok());
}

#[test]
fn outputs_are_shuffled_only_when_there_is_change() {
    let outputs: Vec<_> = (1..=9).map(|value| pay(value, NATIVE)).collect();
    let plan_with = |amount, shuffle_seed| {
        let request = SendRequest { shuffle_seed, ..send(outputs.clone()) };
        values(&holding(&[amount]).plan_send(&request, NOW, LATER).unwrap())
    };
    assert_eq!(plan_with(45, 1), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let orders: BTreeSet<_> = (0..20).map(|seed| plan_with(145, seed)).collect();
    assert_eq!(orders.len(), 20);
    for mut order in orders {
        order.sort();
        assert_eq!(order, [1, 2, 3, 4, 5, 6, 7, 8, 9, 100]);
    }
    let places: BTreeSet<_> =
        (0..99).map(|seed| plan_with(145, seed).iter().position(|v| *v == 100)).collect();
    assert_eq!(places.len(), 10);
}

#[test]
fn data_alone_is_a_transaction() {
    let mut state = holding(&[2]);
    let request = send(vec![OutputRequest::Data("a".into()), OutputRequest::Data("b".into())]);
    let plan = state.plan_send(&request, NOW, LATER).unwrap();
    assert_eq!(values(&plan), [1, 1]);
    assert_eq!(plan.transaction.outputs[0].script, [1, b'a', 0xac]);
}

#[test]
fn tokens_without_chosen_inputs_are_still_selected() {
    let mut state = holding(&[5]);
    let to = state.address(0).unwrap();
    let _ = state.apply(vertex(9, vec![output(to, 40, custom(8)), output(to, 30, custom(8))]));
    let request = send_from(vec![outpoint(9, 1)], vec![pay(5, NATIVE), pay(30, custom(8))]);
    let plan = state.plan_send(&request, NOW, LATER).unwrap();
    assert_eq!(inputs(&plan), [outpoint(9, 1), outpoint(1, 0)]);
    assert_eq!(plan.transaction.tokens, [id(8)]);
}

fn query(query: InputQuery, amount: u64) -> SendRequest {
    SendRequest { inputs: InputRequest::Query(query), ..send(vec![pay(amount, NATIVE)]) }
}

#[test]
fn a_query_takes_the_smallest_that_suffices_or_the_largest_until_they_do() {
    let mut state = holding(&[50, 80, 80, 120, 10]);
    let mut plan = |request| {
        let plan = state.plan_send(&request, NOW, LATER)?;
        state.release(plan.reservation);
        Ok::<_, PlanError>(inputs(&plan))
    };
    let all = InputQuery::default();
    assert_eq!(plan(query(all, 60)), Ok(vec![outpoint(2, 0)]));
    assert_eq!(plan(query(all, 120)), Ok(vec![outpoint(4, 0)]));
    assert_eq!(plan(query(all, 250)), Ok(vec![outpoint(4, 0), outpoint(2, 0), outpoint(3, 0)]));
    let below = InputQuery { smaller_than: Some(cents(80)), ..all };
    assert_eq!(plan(query(below, 60)), Ok(vec![outpoint(1, 0), outpoint(5, 0)]));
    assert_eq!(plan(query(below, 61)), Err(PlanError::QueryInsufficient(NATIVE)));
    let above = InputQuery { bigger_than: Some(cents(80)), ..all };
    assert_eq!(plan(query(above, 1)), Ok(vec![outpoint(4, 0)]));
    assert_eq!(plan(query(InputQuery { max_utxos: Some(1), ..all }, 5)), Ok(vec![outpoint(1, 0)]));
    let capped = InputQuery { maximum_amount: Some(cents(135)), ..all };
    assert_eq!(plan(query(capped, 100)), Ok(vec![outpoint(2, 0), outpoint(1, 0)]));
    assert_eq!(
        plan(query(InputQuery { address: Some(foreign()), ..all }, 5)),
        Err(PlanError::QueryInsufficient(NATIVE))
    );
}

fn mint(authority: Option<AuthorityTo>) -> MintRequest {
    MintRequest {
        token: id(8),
        version: TokenVersion::Deposit,
        amount: cents(100),
        address: Some(foreign()),
        change_address: None,
        authority,
        data: vec!["a".into(), "b".into()],
        data_first: true,
    }
}
fn shape(plan: &Plan) -> Vec<(u128, TokenData)> {
    plan.transaction.outputs.iter().map(|output| (output.value.cents(), output.token_data)).collect()
}

#[test]
fn an_authority_of_both_rights_never_loses_the_other_one() {
    let mut state = holding(&[3]);
    let to = state.address(0).unwrap();
    let _ = state.apply(vertex(9, vec![authority(to, 3, custom(8))]));
    let rights = TokenData::authority(1);
    let data = (1, TokenData::NATIVE);
    let minted = (100, TokenData::FIRST);

    let plan = state.plan_mint(&mint(None), NOW, LATER).unwrap();
    assert_eq!(shape(&plan), [data, data, minted, (2, rights)]);
    // Placed first means that the last text comes first.
    assert_eq!(plan.transaction.outputs[0].script, [1, b'b', 0xac]);
    state.release(plan.reservation);
    let plan = state.plan_mint(&mint(Some(AuthorityTo::default())), NOW, LATER).unwrap();
    assert_eq!(shape(&plan), [data, data, minted, (1, rights), (2, rights)]);
    state.release(plan.reservation);

    let delegate = DelegateRequest { token: id(8), authority: Authority::Melt, to: foreign(), keep: false };
    let plan = state.plan_delegate(&delegate, NOW, LATER).unwrap();
    assert_eq!(shape(&plan), [(2, rights), (1, rights)]);
    state.release(plan.reservation);
    let destroy = DestroyRequest { token: id(8), authority: Authority::Melt, count: 1 };
    let plan = state.plan_destroy(&destroy, NOW, LATER).unwrap();
    assert_eq!(shape(&plan), [(1, rights)]);
    state.release(plan.reservation);

    // One that has the wanted right alone is used first.
    let _ = state.apply(vertex(10, vec![authority(to, 2, custom(8))]));
    let plan = state.plan_delegate(&delegate, NOW, LATER).unwrap();
    assert_eq!(inputs(&plan), [outpoint(10, 0)]);
}

#[test]
fn authorities_are_reserved_too() {
    let mut state = holding(&[3, 3]);
    let to = state.address(0).unwrap();
    let _ = state.apply(vertex(9, vec![authority(to, 1, custom(8))]));
    let plan = state.plan_mint(&mint(None), NOW, LATER).unwrap();
    assert_eq!(state.plan_mint(&mint(None), NOW, LATER), Err(PlanError::NoAuthority(Authority::Mint)));
    state.release(plan.reservation);
    assert!(state.plan_mint(&mint(None), NOW, LATER).is_ok());
}

#[test]
fn what_the_user_locked_stays_locked_after_a_try_that_failed_and_across_a_restart() {
    let mut state = holding(&[10, 20]);
    let request = send(vec![pay(10, NATIVE)]);
    let (ten, twenty) = (outpoint(1, 0), outpoint(2, 0));
    let update = state.lock_outpoints(&[ten, outpoint(77, 0)], NOW, LATER);
    assert_eq!(update.changes.locked_outpoints, [(ten, Some(LATER))].into());
    // The very transaction that they are locked for may take them.
    let held = state.hold(&[ten], None, NOW, u32::MAX).unwrap();
    state.release(held);
    let plan = state.plan_send(&request, NOW, LATER).unwrap();
    assert_eq!(inputs(&plan), [twenty]);
    state.release(plan.reservation);

    let kept = state.snapshot();
    assert_eq!(kept.locked_outpoints, [(ten, Some(LATER))].into());
    let mut state = State::restore(account(), settings(), kept.clone());
    let plan = state.plan_send(&request, LATER - 1, LATER).unwrap();
    assert_eq!(inputs(&plan), [twenty]);
    state.release(plan.reservation);
    // Their time is over.
    assert_eq!(inputs(&state.plan_send(&request, LATER, LATER + 1).unwrap()), [ten]);

    // A history that is loaded anew finds them locked.
    let mut state = State::restore(account(), settings(), kept.clone());
    assert_eq!(state.forget().changes.locked_outpoints, kept.locked_outpoints);
    for vertex in kept.history() {
        let _ = state.apply(vertex);
    }
    let plan = state.plan_send(&request, NOW, LATER).unwrap();
    assert_eq!(inputs(&plan), [twenty]);
    state.release(plan.reservation);
    assert_eq!(state.unlock_outpoints(&[ten]).changes.locked_outpoints, [(ten, None)].into());
    assert_eq!(state.unlock_outpoints(&[ten]).changes.locked_outpoints, [].into());
    let plan = state.plan_send(&request, NOW, LATER).unwrap();
    assert_eq!(inputs(&plan), [ten]);

    // What is spent is not locked any more.
    let _ = state.lock_outpoints(&[ten], NOW, u32::MAX);
    let spent = state.vertex_of(&plan.transaction, id(50)).unwrap();
    assert_eq!(state.apply(spent).changes.locked_outpoints, [(ten, None)].into());
    assert_eq!(state.locked_outpoints(), []);
}
