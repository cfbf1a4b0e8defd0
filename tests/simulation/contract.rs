//! What lease and service rely on: the same cases at PostgreSQL and at the simulated database.

use super::database::{Client, Planted};
use super::world::{Process, Shared};
use crate::store::simulated::{Fence, LeaseTable, PgError, Records, Renewed, at_postgres};
use crate::store::{PushRecord, ServerName, StoreError};
use std::time::Duration;

#[path = "../common/postgres.rs"]
mod postgres;

fn said<T>(answer: Result<T, PgError>) -> Result<T, StoreError> {
    answer.map_err(|error| error.at(String::new()))
}

fn record(key: [u8; 32], is_open: bool) -> PushRecord {
    PushRecord { key, request: [9; 32], time: 1_000, transaction: vec![7; 300], is_open }
}

async fn holds(accounts: &dyn LeaseTable, records: &dyn Records) {
    let account = accounts.account("privatenet-unknown-01").await.unwrap();
    let [one, two] = [accounts.begin(None).await.unwrap(), accounts.begin(None).await.unwrap()];
    assert_eq!(said(accounts.renew(one).await.map(had_ended)), Ok(Some(false)));
    assert_eq!(said(accounts.renew(1_000_000).await.map(had_ended)), Ok(None), "there is no such server");

    // An account is one server's; each take has another epoch.
    let first = said(accounts.take(account, one).await).unwrap();
    let next = |server, epoch| Fence { account, server, epoch };
    assert_eq!(first, next(one, first.epoch));
    let refused = said(accounts.take(account, two).await);
    assert!(matches!(refused, Err(StoreError::RunsOn(by)) if by.id == one as u64));
    let again = said(accounts.take(account, one).await);
    assert_eq!(again, Ok(next(one, first.epoch + 1)));

    // The fence, for each kind of write.
    let (keyed, unkeyed) = ([1; 32], PushRecord::unkeyed([2; 16]));
    let own = again.unwrap();
    for stale in [first, next(two, own.epoch), next(one, own.epoch + 1)] {
        assert_eq!(said(records.write(stale, 1, &[record(keyed, true)]).await), Err(StoreError::Taken));
        assert_eq!(said(records.settle(stale, 1, &[keyed]).await), Err(StoreError::Taken));
        assert_eq!(said(records.withdraw(stale, 1, keyed).await), Err(StoreError::Taken));
        assert_eq!(said(records.read(account, keyed).await), Ok(None));
    }

    // Records, and the order of their attempts.
    let both = [record(keyed, true), record(unkeyed, true)];
    assert_eq!(said(records.write(own, 5, &both).await), Ok(()));
    assert_eq!(said(records.open(account).await).unwrap().len(), 2);
    assert_eq!(said(records.settle(own, 5, &[keyed, unkeyed]).await), Ok(()), "it changes nothing");
    assert_eq!(said(records.open(account).await).unwrap().len(), 2);
    assert_eq!(said(records.settle(own, 6, &[keyed, unkeyed]).await), Ok(()));
    assert_eq!(said(records.open(account).await), Ok(Vec::new()));
    assert_eq!(said(records.read(account, keyed).await), Ok(Some(record(keyed, false))));
    assert_eq!(said(records.read(account, unkeyed).await), Ok(None));
    for key in [keyed, unkeyed, [3; 32], PushRecord::unkeyed([4; 16])] {
        assert_eq!(said(records.withdraw(own, 8, key).await), Ok(()));
        assert_eq!(said(records.write(own, 7, &[record(key, true)]).await), Ok(()), "it comes too late");
        assert_eq!(said(records.open(account).await), Ok(Vec::new()));
    }
    assert_eq!(said(records.read(account, keyed).await), Ok(Some(record(keyed, false))));
    assert_eq!(said(records.read(account, [3; 32]).await), Ok(None));
    assert_eq!(said(records.write(own, 9, &[record([3; 32], true)]).await), Ok(()));
    assert_eq!(said(records.open(account).await), Ok(vec![record([3; 32], true)]));

    // Of a server whose lease has ended, others take.
    assert_eq!(said(accounts.end(one).await), Ok(()));
    assert!(said(accounts.take(account, one).await).is_err(), "it has no lease");
    // Its own may have ended on a slow machine.
    assert!(said(accounts.renew(two).await).unwrap().is_some());
    let taken = said(accounts.take(account, two).await);
    assert_eq!(taken, Ok(next(two, own.epoch + 1)));
    assert_eq!(said(records.write(own, 10, &[record(keyed, true)]).await), Err(StoreError::Taken));
    assert_eq!(said(accounts.renew(one).await.map(had_ended)), Ok(Some(true)), "it had ended");
    assert_eq!(said(accounts.renew(one).await.map(had_ended)), Ok(Some(false)));
    assert_eq!(said(accounts.left_to(one).await), Ok(Vec::new()));
    let of = async |server| accounts.of_server(server).await.map(fences);
    for there in [of(two).await, accounts.left_to(two).await] {
        assert_eq!(said(there), Ok(vec![taken.clone().unwrap()]));
    }

    // Released is what is had.
    let taken = taken.unwrap();
    assert_eq!(said(accounts.release(&[own]).await), Ok(()));
    assert_eq!(said(of(two).await), Ok(vec![taken]));
    assert_eq!(said(accounts.release(&[own, taken]).await), Ok(()));
    assert_eq!(said(of(two).await), Ok(Vec::new()));
    assert_eq!(said(records.settle(taken, 1, &[keyed]).await), Err(StoreError::Taken));
    assert_eq!(said(accounts.take(account, one).await), Ok(next(one, taken.epoch + 1)));
}

#[tokio::test]
async fn postgresql_keeps_the_contract() {
    let postgres = postgres::Postgres::shared();
    let (accounts, records) = at_postgres(&postgres.url()).await;
    holds(&*accounts, &*records).await;
}

#[tokio::test(start_paused = true)]
async fn the_simulated_database_keeps_the_contract() {
    let world = Shared::new(1, Planted::Nothing);
    world.lock().is_troubled = false;
    let process = Process { place: 0, number: 0 };
    world.lock().processes[0] = (process, super::world::Running::Runs);
    let client = Client { process, world: world.clone() };
    tokio::select! {
        () = holds(&client, &client) => {}
        () = async {
            loop {
                let next = world.lock().now + 1;
                world.lock().until(next);
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        } => {}
    }
}

fn had_ended(renewed: Option<Renewed>) -> Option<bool> {
    renewed.map(|renewed| renewed.had_ended)
}

fn fences(accounts: Vec<(Fence, Option<ServerName>)>) -> Vec<Fence> {
    accounts.into_iter().map(|(fence, _)| fence).collect()
}
