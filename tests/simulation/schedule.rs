//! One schedule: payments that are asked for, what goes wrong meanwhile, and whether all is right in the end.

use super::database::Planted;
use super::server::{Ask, KEYS, Message, Server, Verdict, stranger, value_of};
use super::world::{BEGAN, Process, Random, Running, SERVERS, Shared, World, wake};
use crate::ledger::{Address, Amount, Network, Output, Script, TokenData, Transaction, VertexId};
use crate::rt;
use std::sync::LazyLock;

/// How long things go wrong, and how long it may take until all is at rest after that, in milliseconds.
const TROUBLE: u64 = 7_000;
const REST: u64 = 400_000;
/// What is late gets there within this.
const LATE: u64 = 5_000;
const PAYMENTS: u64 = 12;
const OUTPUTS: u64 = 5;
/// A server works so long at most without hearing of others: in trouble, and after it.
const STEPS: [u64; 2] = [40, 120];
/// When a request with a key is asked for once more, elsewhere.
const PATIENCE: u64 = 3_000;

/// What happened in schedules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub paid: u64,
    pub unsent: u64,
    pub unclear: u64,
    pub unanswered: u64,
    pub kills: u64,
    pub ends: u64,
    pub pauses: u64,
    pub suspensions: u64,
    pub crashes: u64,
    pub hangs: u64,
}

impl Outcome {
    fn counts(&mut self) -> [&mut u64; 10] {
        [
            &mut self.unclear,
            &mut self.paid,
            &mut self.unsent,
            &mut self.unanswered,
            &mut self.kills,
            &mut self.ends,
            &mut self.pauses,
            &mut self.suspensions,
            &mut self.crashes,
            &mut self.hangs,
        ]
    }

    pub fn add(&mut self, other: &Self) {
        let mut other = *other;
        self.counts().into_iter().zip(other.counts()).for_each(|(count, more)| *count += *more);
    }

    pub fn is_of_everything(mut self) -> bool {
        // A database hardly ever hangs for so long that nothing is known.
        self.counts()[1..].iter().all(|count| **count > 0)
    }
}

/// A payment as its caller knows it.
#[derive(Default)]
pub struct Payment {
    is_keyed: bool,
    /// Requests that have no answer yet.
    asked: u32,
    paid: Option<VertexId>,
    /// Without a key it is not asked for again when it may be sent.
    is_given_up: bool,
}

#[derive(Default)]
pub struct Callers {
    payments: Vec<Payment>,
    outcome: Outcome,
    failure: Option<String>,
}

impl World {
    fn begin(&mut self, number: u64, shared: Shared) {
        let place = self.random.below(SERVERS as u64) as usize;
        let payment = &mut self.callers.payments[number as usize];
        if payment.paid.is_some() || payment.is_given_up {
            return;
        }
        payment.asked += 1;
        let is_keyed = payment.is_keyed;
        let ask = Ask { number, is_keyed, world: shared.clone(), is_answered: false };
        let is_up = self.processes[place].1 != Running::Dead;
        match &self.inboxes[place] {
            Some(inbox) if is_up => {
                wake(place);
                if let Err(unsent) = inbox.send(Message::Pay(ask)) {
                    let Message::Pay(mut ask) = unsent.0 else { unreachable!("it is what was sent") };
                    ask.is_answered = true;
                    self.told(number, Some(Verdict::Unsent));
                }
            }
            _ => {
                let mut ask = ask;
                ask.is_answered = true;
                self.told(number, Some(Verdict::Unsent));
            }
        }
        if is_keyed {
            self.after(PATIENCE, move |world| {
                if world.callers.payments[number as usize].asked == 1 {
                    world.begin(number, shared);
                }
            });
        }
    }

    /// What the caller of a payment hears, some time later: `None` if the connection broke.
    pub fn tell(&mut self, number: u64, verdict: Option<Verdict>) {
        let delay = self.delay();
        self.after(delay, move |world| world.told(number, verdict));
    }

    fn told(&mut self, number: u64, verdict: Option<Verdict>) {
        let Callers { payments, outcome, failure } = &mut self.callers;
        let payment = &mut payments[number as usize];
        payment.asked -= 1;
        *match verdict {
            Some(Verdict::Paid(_)) => &mut outcome.paid,
            Some(Verdict::Unsent) => &mut outcome.unsent,
            Some(Verdict::Unclear) => &mut outcome.unclear,
            None => &mut outcome.unanswered,
        } += 1;
        match verdict {
            Some(Verdict::Paid(id)) => {
                if payment.paid.replace(id).is_some_and(|before| before != id) {
                    *failure = Some(format!("payment {number} was answered with two transactions"));
                }
            }
            Some(Verdict::Unsent) => {}
            Some(Verdict::Unclear) | None => payment.is_given_up |= !payment.is_keyed,
        }
        if payment.asked == 0 {
            self.callers_again(number);
        }
    }

    fn callers_again(&mut self, number: u64) {
        let pause = 200 + self.random.below(800);
        let shared = self.shared.clone();
        self.after(pause, move |world| {
            let payment = &world.callers.payments[number as usize];
            if payment.asked == 0
                && let Some(shared) = shared.as_ref().and_then(super::world::Weak::upgrade)
            {
                world.begin(number, shared);
            }
        });
    }
}

impl Callers {
    fn are_done(&self) -> bool {
        let is_done =
            |payment: &Payment| payment.asked == 0 && (payment.paid.is_some() || payment.is_given_up);
        self.payments.iter().all(is_done)
    }
}

enum Disturbance {
    Kill,
    End,
    Pause { until: u64, is_suspension: bool },
    Crash { back: u64 },
    Hang { until: u64 },
}

struct Run {
    world: Shared,
    /// By which things go wrong.
    random: Random,
    servers: [Option<Server>; SERVERS],
    processes: u64,
    /// When paused ones go on, and whether their clocks stood still.
    paused: [Option<(u64, bool)>; SERVERS],
    /// When dead ones are started again.
    back: [u64; SERVERS],
}

/// Runs one.
pub fn run(seed: u64, planted: Planted) -> Result<Outcome, String> {
    rt::SIMULATED_COUNT.set(0);
    rt::SIMULATED_MILLIS.set(Some(BEGAN));
    let world = Shared::new(seed, planted);
    let began = {
        let mut world_now = world.lock();
        world_now.shared = Some(world.downgrade());
        for number in 0..OUTPUTS {
            let value = Amount::from(10_000 + number);
            let output = Output { value, token_data: TokenData::NATIVE, script: OWN.clone() };
            let funding = Transaction { timestamp: 1, nonce: number as u32, ..funding(output) };
            let id = funding.id().unwrap();
            world_now.ledger.add(id, funding);
        }
        for number in 0..PAYMENTS {
            let payment = Payment { is_keyed: number % 4 != 0, ..Payment::default() };
            world_now.callers.payments.push(payment);
            let (at, shared) = (world_now.random.below(TROUBLE), world.clone());
            world_now.after(at, move |world| world.begin(number, shared));
        }
        world_now.flush_by_and_by();
        world_now.now
    };
    let mut run = Run {
        world,
        random: Random::new(seed ^ (1 << 40)),
        servers: [const { None }; SERVERS],
        processes: 0,
        paused: [None; SERVERS],
        back: [0; SERVERS],
    };
    let mut next = began + run.random.below(1_000);
    while run.now() < began + TROUBLE {
        run.step();
        if run.now() >= next {
            run.disturb();
            next = run.now() + 100 + run.random.below(1_400);
        }
    }
    run.calm();
    run.come_to_rest(|world| world.callers.are_done())?;
    let late = run.now() + LATE;
    while run.now() < late {
        run.step();
    }
    // Whoever has the account next finds what was left, such as a record that came late.
    (0..SERVERS).for_each(|place| run.end(place));
    run.come_to_rest(|world| world.database.open() == 0)?;
    let outcome = run.check();
    run.servers.into_iter().flatten().for_each(Server::kill);
    outcome
}

fn paying(to: Address) -> Vec<u8> {
    Script::Pay { to, timelock: None }.to_bytes().unwrap()
}

static OWN: LazyLock<Vec<u8>> =
    LazyLock::new(|| paying(Address::p2pkh(Network::Privatenet, KEYS.public().key_hashes(0..1)[0])));

fn funding(output: Output) -> Transaction {
    Transaction {
        signal_bits: 0,
        tokens: Vec::new(),
        inputs: Vec::new(),
        outputs: vec![output],
        creates: None,
        blueprint: None,
        weight: 1.0,
        timestamp: 1,
        parents: Vec::new(),
        nonce: 0,
        headers: Vec::new(),
    }
}

impl Run {
    fn now(&self) -> u64 {
        self.world.lock().now
    }

    fn step(&mut self) {
        let (time, most, first) = {
            let mut world = self.world.lock();
            let most = STEPS[usize::from(!world.is_troubled)];
            let time = world.next(most);
            world.until(time);
            (time, most, world.random.below(SERVERS as u64) as usize)
        };
        for place in (0..SERVERS).map(|place| (first + place) % SERVERS) {
            if let Some((until, is_suspension)) = self.paused[place].filter(|(until, _)| *until <= time) {
                self.paused[place] = None;
                let mut world = self.world.lock();
                world.processes[place].1 = Running::Runs;
                world.say(|| format!("{place} goes on"));
                drop(world);
                if let Some(server) = self.servers[place].as_mut().filter(|_| is_suspension) {
                    server.forget_time(until.max(time));
                }
            }
            let state = self.world.lock().processes[place].1;
            if state == Running::Dead {
                self.end(place);
                if self.back[place] <= time {
                    let process = Process { place, number: self.processes };
                    self.processes += 1;
                    self.servers[place] = Some(Server::start(&self.world, process));
                }
            }
            if self.paused[place].is_none()
                && let Some(server) = self.servers[place].as_mut().filter(|server| server.is_due(time, most))
            {
                server.drive(time);
            }
        }
    }

    /// What was a process at a place is gone.
    fn end(&mut self, place: usize) {
        let mut world = self.world.lock();
        world.processes[place].1 = Running::Dead;
        let inbox = world.inboxes[place].take();
        drop(world);
        drop(inbox);
        self.servers[place].take().into_iter().for_each(Server::kill);
    }

    fn disturb(&mut self) {
        let (now, owner) = (self.now(), self.world.lock().database.owner);
        let random = &mut self.random;
        // Mostly whoever has the account.
        let place = if random.one_in(3) { random.below(SERVERS as u64) as usize } else { owner };
        let what = match random.below(10) {
            0..3 => Disturbance::Kill,
            3 => Disturbance::End,
            4..8 => {
                Disturbance::Pause { until: now + 500 + random.below(4_500), is_suspension: random.one_in(4) }
            }
            8 => Disturbance::Crash { back: now + random.below(1_000) },
            _ => Disturbance::Hang { until: now + 300 + random.below(4_000) },
        };
        let back = now + random.below(2_000);
        let mut world = self.world.lock();
        let is_up = world.processes[place].1 == Running::Runs;
        match what {
            Disturbance::Kill if is_up => {
                world.callers.outcome.kills += 1;
                world.say(|| format!("{place} is killed"));
                drop(world);
                self.back[place] = back;
                self.end(place);
            }
            Disturbance::End if is_up => {
                world.callers.outcome.ends += 1;
                world.say(|| format!("{place} is to end"));
                self.back[place] = back;
                if let Some(inbox) = &world.inboxes[place] {
                    // It may have ended.
                    let _ = inbox.send(Message::End);
                    wake(place);
                }
            }
            Disturbance::Pause { until, is_suspension } if is_up => {
                let outcome = &mut world.callers.outcome;
                *if is_suspension { &mut outcome.suspensions } else { &mut outcome.pauses } += 1;
                world.processes[place].1 = Running::Paused;
                world.say(|| format!("{place} is paused for {} ms", until - now));
                self.paused[place] = Some((until, is_suspension));
            }
            Disturbance::Crash { back } => {
                world.callers.outcome.crashes += 1;
                world.say(|| "the database crashes".to_owned());
                world.database.crash(back);
            }
            Disturbance::Hang { until } => {
                world.callers.outcome.hangs += 1;
                world.say(|| format!("the database hangs for {} ms", until - now));
                world.database.hang(until);
            }
            _ => {}
        }
    }

    fn come_to_rest(&mut self, is_at_rest: impl Fn(&World) -> bool) -> Result<(), String> {
        let end = self.now() + REST;
        while !is_at_rest(&self.world.lock()) {
            self.step();
            if self.now() > end {
                return Err(format!("it does not come to rest: {}", self.left()));
            }
        }
        Ok(())
    }

    /// From now on nothing goes wrong.
    fn calm(&mut self) {
        let mut world = self.world.lock();
        world.is_troubled = false;
        world.say(|| "nothing goes wrong any more".to_owned());
        let now = world.now;
        self.back = [now; SERVERS];
        self.paused.iter_mut().flatten().for_each(|(until, _)| *until = now.min(*until));
    }

    fn left(&self) -> String {
        let world = self.world.lock();
        let left = world.callers.payments.iter().zip(0..).filter(|(payment, _)| payment.paid.is_none());
        let left: Vec<u64> = left.map(|(_, number)| number).collect();
        format!("payments {left:?} are not paid, {} pushes are open", world.database.open())
    }

    fn check(&mut self) -> Result<Outcome, String> {
        let world = self.world.lock();
        if let Some(failure) = &world.callers.failure {
            return Err(failure.clone());
        }
        let script = paying(stranger());
        for (payment, number) in world.callers.payments.iter().zip(0..) {
            let paid = world.ledger.paying(&script, value_of(number));
            if paid.len() > 1 {
                return Err(format!("payment {number} is on the ledger {} times", paid.len()));
            }
            if let Some(id) = payment.paid
                && paid != [id]
            {
                return Err(format!("payment {number} was answered with {id}, and the ledger has {paid:?}"));
            }
        }
        let own = world.ledger.sum_of(&OWN);
        let outcome = world.callers.outcome;
        drop(world);
        let balances: Vec<_> = self.servers.iter().flatten().filter_map(Server::balance).collect();
        if balances.iter().any(|balance| *balance != own) {
            return Err(format!("servers have {balances:?}, and the ledger {own}"));
        }
        Ok(outcome)
    }
}
