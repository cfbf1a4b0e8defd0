//! What all servers of a schedule share: time, chance, and what happens when.

use super::database::{Database, Planted};
use super::ledger::Ledger;
use super::schedule::Callers;
use super::server::Message;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::{mpsc, oneshot};

/// Something that happens at its time.
pub type Event = Box<dyn FnOnce(&mut World) + Send>;
/// How many servers there are.
pub const SERVERS: usize = 3;

/// When schedules begin: some time in 2026.
pub const BEGAN: u64 = 1_780_000_000_000;

/// Numbers by a seed (splitmix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    pub fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }
}

/// A server process: one that is started again at a place is another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    pub place: usize,
    pub number: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Running {
    Runs,
    Paused,
    Dead,
}

pub struct World {
    /// Milliseconds.
    pub now: u64,
    pub random: Random,
    pub database: Database,
    pub ledger: Ledger,
    pub processes: [(Process, Running); SERVERS],
    pub inboxes: [Option<mpsc::UnboundedSender<Message>>; SERVERS],
    pub callers: Callers,
    /// Itself, for what is to find it again.
    pub shared: Option<Weak>,
    /// Whether anything goes wrong.
    pub is_troubled: bool,
    pub planted: Planted,
    pub says: bool,
    queue: BTreeMap<(u64, u64), Event>,
    count: u64,
}

#[derive(Clone)]
pub struct Weak(std::sync::Weak<Mutex<World>>);

impl Weak {
    pub fn upgrade(&self) -> Option<Shared> {
        self.0.upgrade().map(Shared)
    }
}

/// The world, as its parts hold it.
#[derive(Clone)]
pub struct Shared(Arc<Mutex<World>>);

impl Shared {
    pub fn new(seed: u64, planted: Planted) -> Self {
        let processes = std::array::from_fn(|place| (Process { place, number: place as u64 }, Running::Dead));
        Self(Arc::new(Mutex::new(World {
            now: BEGAN,
            random: Random::new(seed),
            database: Database::default(),
            ledger: Ledger::default(),
            processes,
            inboxes: [const { None }; SERVERS],
            callers: Callers::default(),
            shared: None,
            is_troubled: true,
            planted,
            says: super::number("SEED").is_some() || super::number("SAYS").is_some(),
            queue: BTreeMap::new(),
            count: 0,
        })))
    }

    pub fn downgrade(&self) -> Weak {
        Weak(Arc::downgrade(&self.0))
    }

    pub fn lock(&self) -> MutexGuard<'_, World> {
        self.0.lock().unwrap()
    }
}

impl World {
    /// Has something happen in so many milliseconds.
    pub fn after(&mut self, millis: u64, event: impl FnOnce(&mut Self) + Send + 'static) {
        self.count += 1;
        self.queue.insert((self.now + millis, self.count), Box::new(event));
    }

    /// When the next thing happens, but at most so many milliseconds from now.
    pub fn next(&self, most: u64) -> u64 {
        let next = self.queue.first_key_value().map_or(u64::MAX, |((at, _), _)| *at);
        next.clamp(self.now + 1, self.now + most)
    }

    /// Lets time pass.
    pub fn until(&mut self, time: u64) {
        while let Some(first) = self.queue.first_entry().filter(|first| first.key().0 <= time) {
            let ((at, _), event) = first.remove_entry();
            self.now = self.now.max(at);
            event(self);
        }
        self.now = time;
    }

    pub fn state(&self, process: Process) -> Running {
        match self.processes[process.place] {
            (known, state) if known == process => state,
            _ => Running::Dead,
        }
    }

    /// Says what happens, if one schedule alone is looked at.
    pub fn say(&self, what: impl FnOnce() -> String) {
        if self.says {
            println!("{:>8} {}", self.now % 10_000_000, what());
        }
    }

    /// What a message takes.
    pub fn delay(&mut self) -> u64 {
        if self.is_troubled && self.random.one_in(20) {
            20 + self.random.below(400)
        } else {
            1 + self.random.below(3)
        }
    }

    /// Has the server at a place ask something over a connection, which may break before or after it gets
    /// there; then it may get there nevertheless, much later.
    pub fn ask<T: Send + 'static>(
        &mut self,
        place: usize,
        work: impl FnOnce(&mut Self, Reply<T>) + Send + 'static,
    ) -> oneshot::Receiver<T> {
        let (sender, receiver) = oneshot::channel();
        let (delay, lost) = (self.delay(), Reply { place, sender: None });
        let reply = Reply { place, sender: Some(sender) };
        if !self.is_troubled || !self.random.one_in(15) {
            self.after(delay, |world| work(world, reply));
            return receiver;
        }
        match self.random.below(4) {
            // It does not get there, and its sender is told so.
            0 => self.after(delay, move |_| drop(reply)),
            // Its answer is lost.
            1 => self.after(delay, move |world| {
                drop(reply);
                work(world, lost);
            }),
            // It is late.
            _ => {
                let late = delay + self.random.below(4_000);
                self.after(delay, move |_| drop(reply));
                self.after(late, |world| work(world, lost));
            }
        }
        receiver
    }
}

/// Where an answer goes.
pub struct Reply<T> {
    place: usize,
    sender: Option<oneshot::Sender<T>>,
}

impl<T: Send + 'static> Reply<T> {
    pub fn give(mut self, world: &mut World, answer: T) {
        if self.sender.is_some() {
            let delay = world.delay();
            // Who asked may be gone.
            world.after(delay, move |_| drop(self.sender.take().map(|sender| sender.send(answer))));
        }
    }
}

impl<T> Drop for Reply<T> {
    fn drop(&mut self) {
        wake(self.place);
    }
}

thread_local! {
    static WOKEN: Cell<[bool; SERVERS]> = const { Cell::new([false; SERVERS]) };
}

/// There is something new for the server at a place.
pub fn wake(place: usize) {
    let mut woken = WOKEN.get();
    woken[place] = true;
    WOKEN.set(woken);
}

/// Whether there was, since this was asked last.
pub fn is_woken(place: usize) -> bool {
    let mut woken = WOKEN.get();
    let was = std::mem::take(&mut woken[place]);
    WOKEN.set(woken);
    was
}
