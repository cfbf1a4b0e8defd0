//! Sends of three servers that go wrong at any step: answers that are lost, servers that stop and come back.
//! Whatever happens, no output is spent twice, a key is paid once, what was answered is on the ledger, and in
//! the end nothing is held without a cause.

use super::{Claim, Held, Key, Lease, Rows, Send};
use headless_wallet::store::{PushOutcome, Recorded, StoreError};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const SERVERS: usize = 3;
const SENDS: usize = 6;

/// What happens to an exchange with the database or the node.
#[derive(Clone, Copy, Debug)]
enum Exchange {
    Answered,
    /// It never got there.
    Lost,
    /// It was done, and nobody heard of it.
    AnswerLost,
}

/// What happens next.
#[derive(Clone, Debug)]
enum Turn {
    /// A send takes its next step.
    Step(usize, Exchange),
    /// What is to be pushed no node has, which is known: none is reached, or it refuses it for now.
    Refuse(usize),
    /// A server is not heard of until it wakes, longer than its lease.
    Sleep(usize),
    /// It ends, and all that it was at. Another one takes its place.
    Kill(usize),
    /// What is left of servers that are gone is freed.
    Round,
    /// A server takes an open push.
    Take(usize),
    /// It pushes one that it took, which may be long ago.
    PushTaken(usize, Exchange),
}

/// How far a send has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Planned,
    Reserved,
    /// It was to be recorded, and nobody answered: it is tried again.
    MayBeRecorded,
    /// Recorded, and so it may be pushed.
    Kept,
    Pushed,
    NotPushed,
    /// It was answered: as sent, or as refused.
    Answered(bool),
    /// Its caller was told that nobody knows.
    Open,
    Dead,
}

struct Sending {
    server: usize,
    claims: BTreeSet<Claim>,
    key: Key,
    stage: Stage,
}

/// Nodes: who spends what first has it.
#[derive(Default)]
struct Ledger {
    spent: BTreeMap<Claim, Send>,
    sends: BTreeSet<Send>,
    /// What was refused because another one spends the same.
    conflicts: usize,
}

impl Ledger {
    fn push(&mut self, send: Send, claims: &BTreeSet<Claim>) -> PushOutcome {
        if claims.iter().any(|claim| self.spent.get(claim).is_some_and(|by| *by != send)) {
            self.conflicts += 1;
            return PushOutcome::Refused;
        }
        self.spent.extend(claims.iter().map(|claim| (*claim, send)));
        self.sends.insert(send);
        PushOutcome::Pushed
    }
}

struct World {
    rows: Rows,
    ledger: Ledger,
    sends: Vec<Sending>,
    /// The open pushes that servers are at.
    taken: [Vec<Send>; SERVERS],
    /// The lease that each server takes for its own; it need not stand any more.
    leases: [Lease; SERVERS],
    asleep: [bool; SERVERS],
}

impl World {
    fn new(sends: &[(usize, BTreeSet<Claim>, Key)]) -> Self {
        let mut rows = Rows::default();
        let leases = [(); SERVERS].map(|()| rows.begin_lease());
        let sending = |(server, claims, key): &_| Sending {
            server: *server,
            claims: BTreeSet::clone(claims),
            key: *key,
            stage: Stage::Planned,
        };
        Self {
            rows,
            ledger: Ledger::default(),
            sends: sends.iter().map(sending).collect(),
            taken: Default::default(),
            leases,
            asleep: [false; SERVERS],
        }
    }

    fn turn(&mut self, turn: &Turn) {
        match turn {
            Turn::Step(send, exchange) => self.step(*send, *exchange),
            Turn::Refuse(send) => {
                let Sending { server, stage, .. } = &mut self.sends[*send];
                if *stage == Stage::Kept && !self.asleep[*server] {
                    *stage = Stage::NotPushed;
                }
            }
            Turn::Sleep(server) => {
                self.asleep[*server] = !self.asleep[*server];
                self.rows.end_lease(self.leases[*server]);
            }
            Turn::Kill(server) => {
                for sending in self.sends.iter_mut().filter(|sending| sending.server == *server) {
                    if !matches!(sending.stage, Stage::Answered(_) | Stage::Open) {
                        sending.stage = Stage::Dead;
                    }
                }
                self.rows.end_lease(self.leases[*server]);
                (self.leases[*server], self.asleep[*server]) = (self.rows.begin_lease(), false);
                self.taken[*server].clear();
            }
            Turn::Round => self.rows.free_what_is_left(),
            Turn::Take(server) => self.take(*server),
            Turn::PushTaken(server, exchange) => self.push_taken(*server, *exchange),
        }
    }

    fn step(&mut self, send: usize, exchange: Exchange) {
        let Sending { server, claims, key, stage } = &mut self.sends[send];
        let (server, key, id) = (*server, *key, send as Send);
        if self.asleep[server] {
            return;
        }
        *stage = match (*stage, exchange) {
            (Stage::Planned, exchange) => {
                if !self.rows.leases.contains(&self.leases[server]) {
                    self.leases[server] = self.rows.begin_lease();
                }
                let reserved = match exchange {
                    Exchange::Lost => None,
                    _ => Some(self.rows.reserve(self.leases[server], id, claims)),
                };
                match (reserved, exchange) {
                    (Some(Ok(())), Exchange::Answered) => Stage::Reserved,
                    (Some(Err(_)), Exchange::Answered) => Stage::Answered(false),
                    // Whatever came of it is undone.
                    _ => {
                        self.rows.release(id);
                        Stage::Answered(false)
                    }
                }
            }
            (stage @ (Stage::Reserved | Stage::MayBeRecorded), exchange) => {
                // That it has ended, a server may hear of before it records.
                if id.is_multiple_of(4) && !self.rows.leases.contains(&self.leases[server]) {
                    self.leases[server] = self.rows.begin_lease();
                }
                let recorded = match exchange {
                    Exchange::Lost => Recorded::NotReached(away()),
                    _ => self.rows.record(self.leases[server], id, claims.len(), key),
                };
                match (recorded, exchange) {
                    (Recorded::Kept, Exchange::Answered) => Stage::Kept,
                    // No try of it was.
                    (Recorded::NotReached(_), _) if stage == Stage::Reserved && id.is_multiple_of(3) => {
                        self.rows.release(id);
                        Stage::Answered(false)
                    }
                    // It is recorded once more, and that finds out whether it was; or all servers find out.
                    (_, Exchange::Lost | Exchange::AnswerLost) if id.is_multiple_of(2) => {
                        Stage::MayBeRecorded
                    }
                    (_, Exchange::Lost | Exchange::AnswerLost) => {
                        self.rows.disown(id);
                        Stage::Open
                    }
                    // Another server may have brought it to its end: it may not be called refused.
                    (Recorded::Lost, Exchange::Answered) if stage == Stage::MayBeRecorded => {
                        self.rows.disown(id);
                        Stage::Open
                    }
                    (Recorded::Lost | Recorded::Outrun | Recorded::NotReached(_), Exchange::Answered) => {
                        self.rows.release(id);
                        Stage::Answered(false)
                    }
                }
            }
            (Stage::Kept, Exchange::Lost) => {
                self.rows.disown(id);
                Stage::Open
            }
            (Stage::Kept, exchange) => {
                let outcome = self.ledger.push(id, claims);
                match (exchange, outcome) {
                    (Exchange::Answered, PushOutcome::Pushed) => Stage::Pushed,
                    (Exchange::Answered, PushOutcome::Refused) => Stage::NotPushed,
                    _ => {
                        self.rows.disown(id);
                        Stage::Open
                    }
                }
            }
            (Stage::Pushed, exchange) => {
                match exchange {
                    Exchange::Lost => self.rows.disown(id),
                    _ => self.rows.settle(id),
                }
                Stage::Answered(true)
            }
            // It is said only when it is sure that nobody pushes it later.
            (Stage::NotPushed, exchange) => {
                let withdrawn = match exchange {
                    Exchange::Lost => false,
                    _ => self.rows.withdraw(self.leases[server], id),
                };
                match (withdrawn, exchange) {
                    (true, Exchange::Answered) => Stage::Answered(false),
                    _ => {
                        self.rows.disown(id);
                        Stage::Open
                    }
                }
            }
            (done @ (Stage::Answered(_) | Stage::Open | Stage::Dead), _) => done,
        };
    }

    /// A server that is awake takes one under a lease that stands.
    fn take(&mut self, server: usize) {
        if self.asleep[server] || !self.rows.leases.contains(&self.leases[server]) {
            return;
        }
        let is_at_it = |send: &Send| {
            let sending = &self.sends[usize::from(*send)];
            let is_over = matches!(sending.stage, Stage::Answered(_) | Stage::Open | Stage::Dead);
            sending.server == server && !is_over || self.taken[server].contains(send)
        };
        if let Some(send) = self.rows.open_pushes().into_iter().find(|send| !is_at_it(send)) {
            assert!(self.rows.take_open(self.leases[server], send));
            self.taken[server].push(send);
        }
    }

    /// Whether its lease stands is not asked: it is the very same bytes.
    fn push_taken(&mut self, server: usize, exchange: Exchange) {
        if self.asleep[server] {
            return;
        }
        let Some(send) = self.taken[server].pop() else { return };
        let claims = &self.sends[usize::from(send)].claims;
        let is_open = |rows: &Rows| rows.records.values().any(|of| of.send == send && of.outcome.is_none());
        match exchange {
            Exchange::Lost => self.rows.disown(send),
            exchange => {
                let outcome = self.ledger.push(send, claims);
                match exchange {
                    Exchange::Answered if outcome == PushOutcome::Pushed && is_open(&self.rows) => {
                        self.rows.settle(send)
                    }
                    _ => self.rows.disown(send),
                }
            }
        }
    }

    /// What must be so at any time.
    fn check(&self) {
        assert_eq!(self.ledger.conflicts, 0, "nothing that spends the same is pushed");
        let mut of_key = BTreeMap::<Key, BTreeSet<Send>>::new();
        for send in &self.ledger.sends {
            of_key.entry(self.sends[usize::from(*send)].key).or_default().insert(*send);
        }
        assert!(of_key.values().all(|sends| sends.len() == 1), "a key is paid once: {of_key:?}");
        for (id, sending) in (0..).zip(&self.sends) {
            let is_there = self.ledger.sends.contains(&id);
            match sending.stage {
                Stage::Answered(true) => assert!(is_there, "{id} was answered as sent"),
                Stage::Answered(false) => assert!(!is_there, "{id} was answered as refused"),
                _ => {}
            }
        }
    }

    /// All wake, nothing is lost any more, and sends go on to their end.
    fn settle_down(&mut self) {
        for server in 0..SERVERS {
            self.asleep[server] = false;
        }
        for _ in 0..8 {
            (0..self.sends.len()).for_each(|send| self.step(send, Exchange::Answered));
        }
        self.leases.iter().for_each(|lease| self.rows.end_lease(*lease));
        self.rows.free_what_is_left();
        self.leases[0] = self.rows.begin_lease();
        while !self.rows.open_pushes().is_empty() {
            self.take(0);
            self.push_taken(0, Exchange::Answered);
        }
        self.check();
        assert!(
            self.rows.reservations.values().all(|row| row.held == Held::Spent),
            "{:?}",
            self.rows.reservations
        );
        assert!(self.rows.records.values().all(|record| record.outcome.is_some()), "{:?}", self.rows.records);
        let spent: BTreeMap<Claim, Send> =
            self.rows.reservations.iter().map(|(claim, row)| (*claim, row.send)).collect();
        assert_eq!(spent, self.ledger.spent, "what counts as spent is what the ledger has");
    }
}

fn turn() -> impl Strategy<Value = Turn> {
    let exchange = prop_oneof![
        4 => Just(Exchange::Answered),
        1 => Just(Exchange::Lost),
        1 => Just(Exchange::AnswerLost),
    ];
    prop_oneof![
        12 => (0..SENDS, exchange.clone()).prop_map(|(send, exchange)| Turn::Step(send, exchange)),
        3 => (0..SENDS).prop_map(Turn::Refuse),
        2 => (0..SERVERS).prop_map(Turn::Sleep),
        1 => (0..SERVERS).prop_map(Turn::Kill),
        1 => Just(Turn::Round),
        2 => (0..SERVERS).prop_map(Turn::Take),
        2 => (0..SERVERS, exchange).prop_map(|(server, exchange)| Turn::PushTaken(server, exchange)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]
    #[test]
    fn whatever_goes_wrong_nothing_is_spent_twice_and_nothing_is_held_for_ever(
        sends in prop::collection::vec((0..SERVERS, prop::collection::btree_set(0u8..5, 1..4), 0u8..4), SENDS),
        turns in prop::collection::vec(turn(), 1..60),
    ) {
        let mut world = World::new(&sends);
        for turn in &turns {
            world.turn(turn);
            world.check();
        }
        world.settle_down();
    }
}

fn away() -> StoreError {
    StoreError::Failed { place: "of the model".to_owned(), what: "it is away".to_owned() }
}
