//! The database does what the model does: the same steps on both, the same answers and the same rows.

use super::{Claim, Held, Key, Lease, Reservation, Rows, Send};
use crate::backends::owner;
use crate::cluster::Postgres;
use futures_util::FutureExt;
use headless_wallet::ledger::{Outpoint, VertexId};
use headless_wallet::store::{
    Cluster, OpenPush, PostgresStores, PushOutcome, PushRecord, Recorded, Reserved, SendId, SharedClaim,
    Stores,
};
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};
use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

const SERVERS: usize = 3;
/// A claim and a send that no step has: to get a lease with.
const OTHER: u8 = 200;

#[derive(Clone, Debug)]
enum Step {
    Reserve {
        server: usize,
        send: Send,
        claims: BTreeSet<Claim>,
    },
    /// Twice, as after an answer that was lost, or once.
    Record {
        server: usize,
        send: Send,
        again: bool,
    },
    /// As pushed, or as not sent.
    Settle {
        server: usize,
        send: Send,
        pushed: bool,
        again: bool,
    },
    /// Another server is at it from now on, if it is open.
    TakeOpen {
        server: usize,
        send: Send,
    },
    Release {
        server: usize,
        send: Send,
    },
    /// A server was not heard of for too long.
    EndLease {
        server: usize,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let (server, send) = (0..SERVERS, 0u8..8);
    prop_oneof![
        6 => (server.clone(), send.clone(), prop::collection::btree_set(0u8..8, 1..4))
            .prop_map(|(server, send, claims)| Step::Reserve { server, send, claims }),
        6 => (server.clone(), send.clone(), any::<bool>())
            .prop_map(|(server, send, again)| Step::Record { server, send, again }),
        4 => (server.clone(), send.clone(), any::<bool>(), any::<bool>())
            .prop_map(|(server, send, pushed, again)| Step::Settle { server, send, pushed, again }),
        2 => (server.clone(), send.clone()).prop_map(|(server, send)| Step::TakeOpen { server, send }),
        2 => (server.clone(), send).prop_map(|(server, send)| Step::Release { server, send }),
        1 => server.prop_map(|server| Step::EndLease { server }),
    ]
}

fn claim(place: Claim) -> SharedClaim {
    SharedClaim::Output(Outpoint { tx: VertexId([place; 32]), index: place })
}

fn id(send: Send) -> SendId {
    SendId([send; 16])
}

/// So that some sends have one key.
const fn key_of(send: Send) -> Key {
    send % 6
}

/// The database, the servers on it, and the model.
struct World {
    postgres: Arc<Postgres>,
    url: String,
    servers: Vec<Arc<dyn Cluster>>,
    rows: Rows,
    leases: [Lease; SERVERS],
    /// What each server is at.
    at: [BTreeSet<Send>; SERVERS],
    /// The servers' ids, which new leases change.
    ids: String,
}

impl World {
    async fn new() -> Self {
        let postgres = Postgres::shared();
        let url = postgres.url();
        let (mut servers, mut rows) = (Vec::new(), Rows::default());
        for _ in 0..SERVERS {
            let (store, _) = PostgresStores::new(url.parse().unwrap()).open(&owner(1)).await.unwrap();
            let server = store.cluster().unwrap();
            get_lease(&*server, &postgres, &url).await;
            servers.push(server);
        }
        let leases = [(); SERVERS].map(|()| rows.begin_lease());
        let mut world =
            Self { postgres, url, servers, rows, leases, at: Default::default(), ids: String::new() };
        world.ids = world.standing_ids();
        world
    }

    /// The ids whose lease stands.
    fn standing_ids(&self) -> String {
        let ids =
            "select string_agg(id::text, ' ' order by id) from server where expires_at > clock_timestamp()";
        self.postgres.sql(&self.url, ids)
    }

    async fn step(&mut self, step: &Step) {
        match step {
            Step::Reserve { server, send, claims } => {
                let wanted: Vec<_> = claims.iter().map(|place| claim(*place)).collect();
                let reserved = self.servers[*server].reserve(id(*send), &wanted, false).await.unwrap();
                let expected = match self.rows.reserve(self.leases[*server], *send, claims) {
                    Ok(()) => Reserved::All,
                    Err(taken) => Reserved::Taken(taken.into_iter().map(claim).collect()),
                };
                match expected {
                    Reserved::All => self.at[*server].insert(*send),
                    Reserved::Taken(_) => self.at[*server].remove(send),
                };
                assert_eq!(sorted(reserved), expected, "{step:?}");
            }
            Step::Record { server, send, again } => {
                self.at[*server].insert(*send);
                let held = self.rows.reservations.values().filter(|row| row.send == *send).count();
                for _ in 0..1 + usize::from(*again) {
                    let (key, request, time) = ([key_of(*send); 32], [9; 32], 1_000);
                    let record = PushRecord { key, request, time, transaction: vec![*send; 300] };
                    let recorded: Recorded =
                        self.servers[*server].record(id(*send), held.max(1), &record, None).await.unwrap();
                    let expected = self.rows.record(self.leases[*server], *send, held.max(1), key_of(*send));
                    assert_eq!(recorded, expected, "{step:?}");
                }
            }
            Step::Settle { server, send, pushed, again } => {
                let is_open = |record: &super::Record| record.send == *send && record.outcome.is_none();
                if *pushed && !self.rows.records.values().any(is_open) {
                    return;
                }
                self.at[*server].remove(send);
                for _ in 0..1 + usize::from(*again) {
                    if *pushed {
                        self.servers[*server].settle(id(*send)).await.unwrap();
                        self.rows.settle(*send);
                    } else {
                        let withdrawn = self.servers[*server].withdraw(id(*send)).await;
                        let expected = self.rows.withdraw(self.leases[*server], *send);
                        assert_eq!(withdrawn, Ok(expected), "{step:?}");
                    }
                }
            }
            Step::TakeOpen { server, send } => {
                let open = OpenPush { send: id(*send), transaction: vec![*send; 300] };
                let taken = self.servers[*server].take_open(&open).await;
                let expected = !self.at[*server].contains(send)
                    && self.rows.take_open(self.leases[*server], *send)
                    && self.at[*server].insert(*send);
                assert_eq!(taken, Ok(expected), "{step:?}");
            }
            // Nobody does that with what is recorded.
            Step::Release { send, .. } if self.rows.records.values().any(|of| of.send == *send) => {}
            Step::Release { server, send } => {
                self.at[*server].remove(send);
                self.servers[*server].release(id(*send));
                self.until(&format!("send = '\\x{}' and state = 0", hex::encode([*send; 16]))).await;
                self.rows.release(*send);
            }
            Step::EndLease { server } => {
                // Of all: whose it is can't be told from outside.
                self.postgres.sql(&self.url, "update server set expires_at = now() - interval '1 second'");
                self.leases.iter().for_each(|lease| self.rows.end_lease(*lease));
                self.until("state = 0").await;
                self.rows.free_what_is_left();
                for offset in 0..SERVERS {
                    let server = (server + offset) % SERVERS;
                    get_lease(&*self.servers[server], &self.postgres, &self.url).await;
                    self.leases[server] = self.rows.begin_lease();
                }
                self.ids = self.standing_ids();
            }
        }
    }

    async fn until(&self, none_such: &str) {
        until(&self.postgres, &self.url, none_such).await;
    }

    fn compare(&self) {
        let state = |held| match held {
            Held::Reserved => 0,
            Held::Recorded => 1,
            Held::Spent => 2,
        };
        let row = |(place, row): (&Claim, &Reservation)| {
            (hex::encode(claim(*place).to_bytes()), hex::encode(id(row.send).0), state(row.held))
        };
        let mut expected: Vec<String> = self
            .rows
            .reservations
            .iter()
            .map(row)
            .map(|(claim, send, state)| format!("{claim}|{send}|{state}"))
            .collect();
        expected.sort();
        let read = "select encode(claim, 'hex'), encode(send, 'hex'), state from reservation order by 1";
        assert_eq!(self.postgres.sql(&self.url, read), expected.join("\n"));
        let outcome = |record: &super::Record| match record.outcome {
            None => "1",
            Some(PushOutcome::Pushed) => "2",
            Some(PushOutcome::Refused) => "",
        };
        let expected: Vec<String> = (self.rows.records.iter())
            .map(|(key, record)| {
                format!("{}|{}|{}", hex::encode([*key; 32]), hex::encode(id(record.send).0), outcome(record))
            })
            .collect();
        let read = "select encode(key, 'hex'), encode(send, 'hex'), state from push_record order by 1";
        assert_eq!(self.postgres.sql(&self.url, read), expected.join("\n"));
    }
}

/// Waits until there are no such reservations: servers free them.
async fn until(postgres: &Postgres, url: &str, none_such: &str) {
    let count = format!("select count(*) from reservation where {none_such}");
    let freed = async {
        while postgres.sql(url, &count) != "0" {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), freed).await.expect("servers free what is left");
}

/// A lease that stands: a server that has none begins one with its next reservation.
async fn get_lease(server: &dyn Cluster, postgres: &Postgres, url: &str) {
    let other = SendId(rand_id());
    server
        .reserve(other, &[SharedClaim::Call { address: OTHER.into(), seqnum: number(other) }], false)
        .await
        .unwrap();
    server.release(other);
    until(postgres, url, &format!("send = '\\x{}'", hex::encode(other.0))).await;
}

fn rand_id() -> [u8; 16] {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let mut id = [0xff; 16];
    id[8..].copy_from_slice(&NEXT.fetch_add(1, Ordering::Relaxed).to_be_bytes());
    id
}

fn number(send: SendId) -> u64 {
    u64::from_be_bytes(send.0[8..].try_into().unwrap())
}

fn sorted(reserved: Reserved) -> Reserved {
    match reserved {
        Reserved::Taken(mut taken) => {
            taken.sort();
            Reserved::Taken(taken)
        }
        all => all,
    }
}

#[test]
fn the_database_does_what_the_model_does() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut runner = TestRunner::new(ProptestConfig {
        cases: 12,
        max_shrink_iters: 100,
        max_global_rejects: 12,
        ..ProptestConfig::default()
    });
    let ran = runner.run(&prop::collection::vec(step(), 1..60), |steps| {
        runtime.block_on(async {
            let mut world = World::new().await;
            let run = async {
                for step in &steps {
                    world.step(step).await;
                }
                world.compare();
            };
            match AssertUnwindSafe(run).catch_unwind().await {
                Ok(()) => Ok(()),
                // On a machine that stands still for longer than a lease it ends, of which the model knows
                // nothing.
                Err(_) if world.standing_ids() != world.ids => Err(TestCaseError::reject("a lease ran out")),
                Err(_) => Err(TestCaseError::fail("the database and the model differ: see above")),
            }
        })
    });
    if let Err(failure) = ran {
        panic!("{failure}");
    }
}
