//! The tables of servers, of one account and of its push records, with the locks, commits and crashes of
//! PostgreSQL as far as a lease relies on them. That it keeps what the SQL promises is tested in `contract`.

use super::world::{Process, Reply, Running, Shared, World};
use crate::limits::{Charge, PaymentId};
use crate::rt::{self, BoxFuture};
use crate::store::simulated::{Fence, LEASE, LeaseTable, PgError, Records, Renewed};
use crate::store::{PushRecord, ServerName};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// How long a statement may wait, and an answer is waited for.
const STATEMENT: u64 = 15_000;
const ANSWER: Duration = Duration::from_secs(20);
/// How often what waits for a lock looks whether it is free.
const LOCK_EVERY: u64 = 2;
/// How often the database writes what waited for no disk.
const FLUSH_EVERY: u64 = 200;

/// A fault that is put in on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planted {
    Nothing,
    /// Writes look at no fence.
    NoFence,
    /// Whoever takes an account leaves its epoch as it is.
    SameEpoch,
    /// A push does not wait until it is recorded.
    LateRecord,
}

#[derive(Clone, Default)]
struct Tables {
    /// Until when, by id.
    leases: BTreeMap<i64, u64>,
    server: Option<i64>,
    epoch: i64,
    records: BTreeMap<[u8; 32], Row>,
}

#[derive(Clone)]
struct Row {
    /// As it is written, with its time.
    record: Option<(u32, Vec<u8>)>,
    is_open: bool,
    attempt: i64,
}

#[derive(Default)]
pub struct Database {
    tables: Tables,
    /// As a crash leaves them.
    flushed: Tables,
    last_server: i64,
    /// Who has taken the account last.
    pub owner: usize,
    /// Locks of the account's row: by writes, and by a take.
    shares: u32,
    is_being_taken: bool,
    /// How often it has crashed.
    crashes: u64,
    /// Until when nothing is answered, and nothing listens.
    hangs_until: u64,
    down_until: u64,
}

/// What the database says.
pub type Answer<T> = Result<T, Refusal>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is down: nothing was done.
    Away,
    /// A lock was waited for in vain.
    Busy,
    Taken,
    RunsOn(i64),
    LeaseEnded,
}

impl Database {
    pub fn hang(&mut self, until: u64) {
        self.hangs_until = until;
    }

    /// Ends without a word, and is back at a time.
    pub fn crash(&mut self, back: u64) {
        self.tables = self.flushed.clone();
        (self.shares, self.is_being_taken) = (0, false);
        self.crashes += 1;
        (self.hangs_until, self.down_until) = (0, back);
    }

    /// How many pushes are open.
    pub fn open(&self) -> usize {
        self.tables.records.values().filter(|row| row.is_open).count()
    }

    /// Whether pushes are open that no server brings to their end.
    fn has_left_pushes(&self, now: u64) -> bool {
        self.open() > 0 && self.runs(now).is_none()
    }

    fn runs(&self, now: u64) -> Option<i64> {
        self.tables.server.filter(|server| self.tables.leases.get(server).is_some_and(|until| *until > now))
    }

    fn is_of(&self, fence: Fence) -> bool {
        self.tables.server == Some(fence.server) && self.tables.epoch == fence.epoch
    }

    fn flush(&mut self) {
        self.flushed = self.tables.clone();
    }
}

impl World {
    /// Writes what waited for no disk, again and again.
    pub fn flush_by_and_by(&mut self) {
        self.database.flush();
        self.after(FLUSH_EVERY, Self::flush_by_and_by);
    }

    /// Does something when the database can; `work` gives itself back as long as it waits for a lock.
    fn serve(&mut self, connected: u64, work: impl FnOnce(&mut Self) -> Option<Waits> + Send + 'static) {
        let (now, database) = (self.now, &mut self.database);
        if database.crashes != connected {
            // Its connection is broken: whoever waits is told by that.
            return;
        }
        if now < database.hangs_until {
            let wait = database.hangs_until - now + self.random.below(3);
            return self.after(wait, move |world| world.serve(connected, work));
        }
        if let Some(Waits(again)) = work(self) {
            self.after(LOCK_EVERY, move |world| world.serve(connected, again));
        }
    }
}

/// A statement that waits for a lock, and how it goes on.
struct Waits(Work);

type Work = Box<dyn FnOnce(&mut World) -> Option<Waits> + Send>;

/// A connection of a server's.
#[derive(Clone)]
pub struct Client {
    pub process: Process,
    pub world: Shared,
}

impl Client {
    async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut World, u64, Reply<Answer<T>>) -> Option<Waits> + Send + 'static,
    ) -> Result<T, PgError> {
        let place = self.process.place;
        let asked: oneshot::Receiver<Answer<T>> =
            self.world.lock().ask(place, |world, reply: Reply<Answer<T>>| {
                if world.now < world.database.down_until {
                    return reply.give(world, Err(Refusal::Away));
                }
                let (now, crashes) = (world.now, world.database.crashes);
                world.serve(crashes, move |world| work(world, now, reply));
            });
        match rt::timeout(ANSWER, asked).await {
            Ok(Ok(Ok(answer))) => Ok(answer),
            Ok(Ok(Err(refusal))) => Err(match refusal {
                Refusal::Away | Refusal::Busy => PgError::Busy(ANSWER),
                Refusal::Taken => PgError::Taken,
                Refusal::LeaseEnded => PgError::LeaseEnded,
                Refusal::RunsOn(id) => {
                    PgError::RunsOn(ServerName { id: id as u64, url: None, is_ending: false })
                }
            }),
            Ok(Err(_)) | Err(rt::Elapsed) => Err(PgError::Silent(ANSWER)),
        }
    }

    /// Something that locks no row which others wait for.
    async fn at_once<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut World) -> Answer<T> + Send + 'static,
    ) -> Result<T, PgError> {
        self.ask(|world, _, reply| {
            let answer = work(world);
            reply.give(world, answer);
            None
        })
        .await
    }

    /// Whether pushes are open that no server brings to their end.
    pub async fn has_left_pushes(&self) -> bool {
        self.at_once(|world| Ok(world.database.has_left_pushes(world.now))).await.unwrap_or(false)
    }

    /// Whether another server runs the account.
    pub async fn is_run_by_other(&self, than: Option<i64>) -> bool {
        let runs = self.at_once(|world| Ok(world.database.runs(world.now))).await;
        runs.is_ok_and(|runs| runs.is_some() && runs != than)
    }

    async fn fenced(
        &self,
        fence: Fence,
        is_durable: bool,
        change: impl FnOnce(&mut BTreeMap<[u8; 32], Row>) + Send + 'static,
    ) -> Result<(), PgError> {
        self.ask(move |world, began, reply| write(world, began, fence, is_durable, Box::new(change), reply))
            .await
    }
}

type Change = Box<dyn FnOnce(&mut BTreeMap<[u8; 32], Row>) + Send>;

/// A transaction that begins with the fence.
fn write(
    world: &mut World,
    began: u64,
    fence: Fence,
    is_durable: bool,
    change: Change,
    reply: Reply<Answer<()>>,
) -> Option<Waits> {
    let database = &mut world.database;
    if database.is_being_taken {
        if world.now - began >= STATEMENT {
            reply.give(world, Err(Refusal::Busy));
            return None;
        }
        return Some(Waits(Box::new(move |world| write(world, began, fence, is_durable, change, reply))));
    }
    if !database.is_of(fence) && world.planted != Planted::NoFence {
        reply.give(world, Err(Refusal::Taken));
        return None;
    }
    database.shares += 1;
    let (takes, crashes) = (1 + world.random.below(4), database.crashes);
    world.after(takes, move |world| {
        world.serve(crashes, move |world| {
            change(&mut world.database.tables.records);
            world.database.shares -= 1;
            if is_durable {
                world.database.flush();
            }
            reply.give(world, Ok(()));
            None
        });
    });
    None
}

fn take(
    world: &mut World,
    began: u64,
    by: Process,
    server: i64,
    reply: Reply<Answer<Fence>>,
) -> Option<Waits> {
    let (now, database) = (world.now, &mut world.database);
    let refused = match database.runs(now).filter(|other| *other != server) {
        Some(other) => Some(Refusal::RunsOn(other)),
        None if database.shares > 0 || database.is_being_taken => {
            if now - began < STATEMENT {
                return Some(Waits(Box::new(move |world| take(world, began, by, server, reply))));
            }
            Some(Refusal::Busy)
        }
        None if database.tables.leases.get(&server).is_none_or(|until| *until <= now) => {
            Some(Refusal::LeaseEnded)
        }
        None => None,
    };
    if let Some(refusal) = refused {
        reply.give(world, Err(refusal));
        return None;
    }
    database.is_being_taken = true;
    let (takes, crashes) = (1 + world.random.below(6), database.crashes);
    world.after(takes, move |world| {
        world.serve(crashes, move |world| end_take(world, now, by, server, reply))
    });
    None
}

/// The commit, which comes in a message of its own.
fn end_take(
    world: &mut World,
    began: u64,
    by: Process,
    server: i64,
    reply: Reply<Answer<Fence>>,
) -> Option<Waits> {
    match world.state(by) {
        Running::Paused if world.now - began < STATEMENT => {
            return Some(Waits(Box::new(move |world| end_take(world, began, by, server, reply))));
        }
        Running::Paused | Running::Dead => {
            world.database.is_being_taken = false;
            return None;
        }
        Running::Runs => {}
    }
    let raise = i64::from(world.planted != Planted::SameEpoch);
    let database = &mut world.database;
    database.is_being_taken = false;
    database.owner = by.place;
    database.tables.server = Some(server);
    database.tables.epoch += raise;
    database.flush();
    let fence = Fence { account: 1, server, epoch: database.tables.epoch };
    world.say(|| format!("{by:?} has the account: {fence:?}"));
    reply.give(world, Ok(fence));
    None
}

fn release(world: &mut World, began: u64, fences: Vec<Fence>, reply: Reply<Answer<()>>) -> Option<Waits> {
    let database = &mut world.database;
    if database.shares > 0 || database.is_being_taken {
        if world.now - began >= STATEMENT {
            reply.give(world, Err(Refusal::Busy));
            return None;
        }
        return Some(Waits(Box::new(move |world| release(world, began, fences, reply))));
    }
    if fences.iter().any(|fence| database.is_of(*fence)) {
        database.tables.server = None;
    }
    reply.give(world, Ok(()));
    None
}

#[async_trait::async_trait]
impl LeaseTable for Client {
    async fn begin(&self, _: Option<&str>) -> Result<i64, PgError> {
        self.at_once(|world| {
            let until = world.now + LEASE.as_millis() as u64;
            let database = &mut world.database;
            database.last_server += 1;
            database.tables.leases.insert(database.last_server, until);
            database.flush();
            Ok(database.last_server)
        })
        .await
    }

    async fn renew(&self, server: i64) -> Result<Option<Renewed>, PgError> {
        self.at_once(move |world| {
            let now = world.now;
            let Some(until) = world.database.tables.leases.get_mut(&server) else { return Ok(None) };
            let had_ended = *until <= now;
            *until = now + LEASE.as_millis() as u64;
            Ok(Some(Renewed { had_ended, time: now }))
        })
        .await
    }

    async fn will_end(&self, _: i64) -> Result<(), PgError> {
        Ok(())
    }

    async fn end(&self, server: i64) -> Result<(), PgError> {
        self.at_once(move |world| {
            let now = world.now;
            world.database.tables.leases.entry(server).and_modify(|until| *until = now.min(*until));
            Ok(())
        })
        .await
    }

    async fn account(&self, _: &str) -> Result<i64, PgError> {
        self.at_once(|_| Ok(1)).await
    }

    async fn take(&self, _: i64, server: i64) -> Result<Fence, PgError> {
        let by = self.process;
        self.ask(move |world, began, reply| take(world, began, by, server, reply)).await
    }

    async fn release(&self, fences: &[Fence]) -> Result<(), PgError> {
        let fences = fences.to_vec();
        self.ask(|world, began, reply| release(world, began, fences, reply)).await
    }

    async fn of_server(&self, server: i64) -> Result<Vec<(Fence, Option<ServerName>)>, PgError> {
        let all = self.at_once(move |world| Ok(world.database.of(server))).await?;
        Ok(all.into_iter().map(|fence| (fence, None)).collect())
    }

    async fn left_to(&self, server: i64) -> Result<Vec<Fence>, PgError> {
        self.at_once(move |world| {
            let is_locked = world.database.is_being_taken;
            Ok(if is_locked { Vec::new() } else { world.database.of(server) })
        })
        .await
    }

    async fn open_pushes(&self, _: i64) -> Result<u64, PgError> {
        self.at_once(|world| Ok(world.database.open() as u64)).await
    }

    async fn tidy(&self) -> Result<(), PgError> {
        Ok(())
    }

    async fn take_back(&self, _: i64, _: PaymentId, _: &[Charge]) -> Result<(), PgError> {
        Ok(())
    }

    fn apart(&self) -> Arc<dyn LeaseTable> {
        Arc::new(self.clone())
    }

    fn go_on(&self, rounds: BoxFuture<'static, ()>) -> std::io::Result<()> {
        rt::spawn(rounds);
        Ok(())
    }
}

impl Database {
    fn of(&self, server: i64) -> Vec<Fence> {
        let epoch = self.tables.epoch;
        self.tables
            .server
            .filter(|own| *own == server)
            .map(|_| Fence { account: 1, server, epoch })
            .into_iter()
            .collect()
    }

    fn record(&self, key: [u8; 32]) -> Option<PushRecord> {
        let Row { record, is_open, .. } = self.tables.records.get(&key)?;
        let (_, bytes) = record.as_ref()?;
        Some(PushRecord { is_open: *is_open, ..PushRecord::decode(key, bytes).unwrap() })
    }
}

#[async_trait::async_trait]
impl Records for Client {
    async fn read(&self, _: i64, key: [u8; 32]) -> Result<Option<PushRecord>, PgError> {
        self.at_once(move |world| Ok(world.database.record(key))).await
    }

    async fn open(&self, _: i64) -> Result<Vec<PushRecord>, PgError> {
        self.at_once(|world| {
            let database = &world.database;
            let keys = database.tables.records.keys().copied().collect::<Vec<_>>();
            let mut open: Vec<_> = keys
                .into_iter()
                .filter_map(|key| database.record(key))
                .filter(|record| record.is_open)
                .collect();
            open.sort_by_key(|record| record.time);
            Ok(open)
        })
        .await
    }

    async fn write(&self, fence: Fence, attempt: i64, records: &[PushRecord]) -> Result<(), PgError> {
        let records = records.to_vec();
        let change = move |rows: &mut BTreeMap<[u8; 32], Row>| {
            for record in records {
                let row =
                    Row { record: Some((record.time, record.encode())), is_open: record.is_open, attempt };
                if rows.get(&record.key).is_none_or(|before| before.attempt < attempt) {
                    rows.insert(record.key, row);
                }
            }
        };
        if self.world.lock().planted == Planted::LateRecord {
            let late = self.clone();
            rt::spawn(async move {
                rt::sleep(Duration::from_millis(30)).await;
                let _ = late.fenced(fence, true, change).await;
            });
            return Ok(());
        }
        self.fenced(fence, true, change).await
    }

    async fn settle(&self, fence: Fence, attempt: i64, keys: &[[u8; 32]]) -> Result<(), PgError> {
        let keys = keys.to_vec();
        self.fenced(fence, false, move |rows| {
            for key in keys {
                let Some(row) = rows.get_mut(&key).filter(|row| row.attempt < attempt) else { continue };
                if PushRecord::is_unkeyed(&key) {
                    rows.remove(&key);
                } else {
                    row.is_open = false;
                }
            }
        })
        .await
    }

    async fn withdraw(&self, fence: Fence, attempt: i64, key: [u8; 32]) -> Result<(), PgError> {
        self.fenced(fence, true, move |rows| {
            let row = rows.entry(key).or_insert(Row { record: None, is_open: false, attempt });
            if row.attempt < attempt {
                (row.is_open, row.attempt) = (false, attempt);
                if PushRecord::is_unkeyed(&key) {
                    row.record = None;
                }
            }
        })
        .await
    }
}
