//! Time locks and reward locks.

use crate::support::*;
use headless_wallet::ledger::Amount;
use headless_wallet::ledger::SpentOutput;
use headless_wallet::wallet::{Balance, Event, PlanError, Settings, State};

fn split(state: &State, now: u32) -> (u128, u128) {
    let balance = state.balance(NATIVE, now);
    (balance.available.cents(), balance.locked.cents())
}
fn locked_until(state: &State, value: u64, timelock: u32) -> SpentOutput {
    let to = state.address(0).unwrap();
    SpentOutput { script: pays(to, Some(timelock)), ..output(to, value, NATIVE) }
}

#[test]
fn a_time_lock_ends_when_its_time_is_past() {
    let mut state = wallet();
    let outputs = vec![locked_until(&state, 5, NOW), locked_until(&state, 7, NOW + 10)];
    let _ = state.apply(vertex(1, outputs));
    assert_eq!(split(&state, NOW), (0, 12));
    assert_eq!(split(&state, NOW + 1), (5, 7));
    assert_eq!(split(&state, NOW + 10), (5, 7));
    assert_eq!(split(&state, NOW + 11), (12, 0));
    // Spending is bound to the same second, and the time may go back.
    assert_eq!(
        state.plan_send(&send(vec![pay(12, NATIVE)]), NOW + 10, LATER),
        Err(PlanError::Insufficient {
            token: NATIVE,
            required: Amount::from(12u64),
            available: Amount::from(5u64)
        })
    );
    let plan = state.plan_send(&send(vec![pay(12, NATIVE)]), NOW + 11, LATER).unwrap();
    assert_eq!(plan.min_timestamp, NOW + 11);
    state.release(plan.reservation);
    assert_eq!(
        state.plan_send(&send(vec![pay(5, NATIVE)]), NOW, LATER),
        Err(PlanError::Insufficient {
            token: NATIVE,
            required: Amount::from(5u64),
            available: Amount::from(0u64)
        })
    );
    assert_eq!(split(&state, NOW), (0, 12));
    assert_eq!(split(&state, NOW + 11), (12, 0));
}

#[test]
fn the_end_of_the_next_time_lock_is_foretold() {
    let mut state = wallet();
    assert_eq!(state.next_unlock(NOW), None);
    let outputs =
        [(5, NOW), (7, NOW + 10), (9, u32::MAX)].map(|(value, time)| locked_until(&state, value, time));
    let _ = state.apply(vertex(1, outputs.to_vec()));
    assert_eq!(state.next_unlock(NOW - 1), Some(NOW + 1));
    assert_eq!(state.next_unlock(NOW), Some(NOW + 1));
    assert_eq!(state.next_unlock(NOW + 1), Some(NOW + 11));
    assert_eq!(state.next_unlock(NOW + 11), None);
}

#[test]
fn rewards_are_locked_until_enough_blocks_came_and_while_the_height_is_unknown() {
    let mut state = wallet();
    let to = state.address(0).unwrap();
    let _ = state.apply(block(1, 100, vec![output(to, 640, NATIVE)]));
    assert_eq!(split(&state, NOW), (0, 640));
    let update = state.set_best_height(399);
    assert_eq!((update.events, update.changes.best_height), (vec![Event::BestHeight(399)], Some(399)));
    assert_eq!(split(&state, NOW), (0, 640));
    let _ = state.set_best_height(400);
    assert_eq!(split(&state, NOW), (640, 0));
    assert!(state.set_best_height(400).events.is_empty());
    // Blocks undone lock it again.
    let _ = state.set_best_height(399);
    assert_eq!(split(&state, NOW), (0, 640));
    let _ = state.set_best_height(u32::MAX);
    assert_eq!(split(&state, NOW), (640, 0));
}

#[test]
fn no_reward_lock_where_the_network_has_none() {
    let mut state = State::new(account(), Settings { reward_spend_min_blocks: 0, ..settings() });
    let to = state.address(0).unwrap();
    let _ = state.apply(block(1, 100, vec![output(to, 640, NATIVE)]));
    assert_eq!(split(&state, NOW), (640, 0));
}

#[test]
fn an_output_with_both_locks_waits_for_both() {
    let mut state = wallet();
    let _ = state.apply(block(1, 100, vec![locked_until(&state, 9, NOW)]));
    let _ = state.set_best_height(400);
    assert_eq!(split(&state, NOW), (0, 9));
    assert_eq!(split(&state, NOW + 1), (9, 0));
    let _ = state.set_best_height(399);
    assert_eq!(split(&state, NOW + 1), (0, 9));
    let _ = state.plan_send(&send(vec![pay(1, NATIVE)]), NOW + 1, LATER);
    let _ = state.set_best_height(400);
    assert_eq!(split(&state, NOW + 1), (9, 0));
    assert_eq!(split(&state, NOW), (0, 9));
}

#[test]
fn authorities_are_counted_apart_with_their_locks() {
    let mut state = wallet();
    let to = state.address(0).unwrap();
    let locked = SpentOutput { script: pays(to, Some(NOW)), ..authority(to, 1, custom(9)) };
    let outputs =
        vec![output(to, 50, custom(9)), authority(to, 3, custom(9)), authority(to, 2, custom(9)), locked];
    let _ = state.apply(vertex(1, outputs));
    let balance = Balance { available: cents(50), locked: cents(0), mint: (1, 1), melt: (2, 0) };
    assert_eq!(state.balance(custom(9), NOW), balance);
    assert_eq!(state.balance(custom(9), NOW + 1), Balance { mint: (2, 0), ..balance });
    assert_eq!(state.balance(custom(1), NOW), Balance::default());
}
