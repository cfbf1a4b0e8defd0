//! Lease and fence under seeded schedules: servers, database, ledger and time in one thread.
//!
//! ```text
//! clients ── pay ──> server 0, 1, 2         a runtime each, with a clock of its own (`server`):
//!                      │        │           service::Wallet, PostgresStore and its lease, as they are
//!            accounts, records  push
//!                      v        v
//!                  database   ledger        simulated: what the SQL promises (`database`, `contract`), a
//!                                           node and a mining service (`ledger`)
//! ```
//!
//! A server is killed by dropping its runtime, and paused by not driving it. The database crashes, hangs, and
//! gets messages late whose senders have given up. A schedule fails if a payment is on the ledger twice, if
//! one is missing that was acknowledged, or there that was denied, or if anything stays open.
//!
//! `SCHEDULES` sets how many there are. `SEED` runs one of them, and says what happens in it. It is run again
//! until it fails: in which order tasks wake that wait for the same value is chosen by tokio.

#![allow(clippy::unwrap_used, reason = "the helpers of tests are outside of test functions")]

mod contract;
mod database;
mod ledger;
mod schedule;
mod server;
mod world;

use crate::rt;
use database::Planted;
use schedule::Outcome;
use std::sync::atomic::{AtomicU64, Ordering};

/// Schedules of each test run.
const SCHEDULES: u64 = 400;
/// How often one is run whose seed is given.
const TRIES: u32 = 20;
/// Within how many each planted fault is found.
const FOUND_WITHIN: u64 = 500;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|number| number.parse().unwrap())
}

fn run(seed: u64, planted: Planted) -> Result<Outcome, String> {
    schedule::run(seed, planted).map_err(|what| format!("SEED={seed}: {what}"))
}

#[test]
fn nothing_is_paid_twice_lost_or_left_open_in_any_schedule() {
    if let Some(seed) = number("SEED") {
        for _ in 0..TRIES {
            println!("{:?}", run(seed, Planted::Nothing).unwrap_or_else(|what| panic!("{what}")));
        }
        return;
    }
    let (began, count) = (std::time::Instant::now(), number("SCHEDULES").unwrap_or(SCHEDULES));
    let (next, mut all) = (AtomicU64::new(0), Outcome::default());
    let work = || {
        let mut own = Outcome::default();
        loop {
            let seed = next.fetch_add(1, Ordering::SeqCst);
            if seed >= count {
                return own;
            }
            own.add(&run(seed, Planted::Nothing).unwrap_or_else(|what| panic!("{what}")));
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..rt::cores()).map(|_| scope.spawn(work)).collect();
        threads.into_iter().for_each(|thread| all.add(&thread.join().unwrap()));
    });
    println!("{count} schedules in {:.1} s: {all:?}", began.elapsed().as_secs_f32());
    assert!(all.is_of_everything(), "{all:?}");
}

fn is_found(planted: Planted) {
    let found = (0..FOUND_WITHIN).find_map(|seed| Some((seed, run(seed, planted).err()?)));
    let (seed, what) =
        found.unwrap_or_else(|| panic!("{planted:?} was not found in {FOUND_WITHIN} schedules"));
    println!("{planted:?} is found by schedule {seed}: {what}");
}

#[test]
fn a_fence_that_is_left_out_is_found() {
    is_found(Planted::NoFence);
}

#[test]
fn an_epoch_that_is_not_raised_is_found() {
    is_found(Planted::SameEpoch);
}

#[test]
fn a_record_that_comes_after_the_push_is_found() {
    is_found(Planted::LateRecord);
}
