//! What is known of the tasks of a wallet, in the orders in which they are asked for.

use super::{Task, TaskId, TaskState};
use crate::store::RECORD_LIFE;
use std::collections::{BTreeSet, HashMap};

/// How long a task that has ended is kept, in milliseconds: as long as the record of its key.
const KEPT_FOR: u64 = RECORD_LIFE as u64 * 1_000;
/// Milliseconds that a task may take from the look at its age to the look at the record of its key.
const MARGIN: u64 = 60_000;
/// Most tasks of a wallet that are kept after their end.
const MAX_ENDED: usize = 10_000;
/// Most bytes of a wallet's tasks. Those that have ended make room.
pub(super) const MAX_BYTES: usize = 64 << 20;

/// Whether a task ended so long ago that it is forgotten.
pub(super) fn is_old(task: &Task, now: u64) -> bool {
    task.has_ended() && now.saturating_sub(task.updated) > KEPT_FOR
}

/// Whether the record of a task's key may be forgotten: a server that ended before it had written the task's
/// end may have paid, and nothing would prevent a second payment.
pub(super) const fn outlives_its_key(task: &Task, now: u64) -> bool {
    now.saturating_sub(task.created) + MARGIN > KEPT_FOR
}

#[derive(Default)]
pub(super) struct Table {
    pub tasks: HashMap<TaskId, Task>,
    /// Those that wait, in the order in which they are begun.
    pub waiting: BTreeSet<(u8, u64, TaskId)>,
    /// Those that have ended, the oldest first.
    ended: BTreeSet<(u64, TaskId)>,
    pub running: usize,
    /// Tasks that are being cancelled because the store does not say whether it has them.
    pub withdrawn: usize,
    pub bytes: usize,
    pub last_created: u64,
}

impl Table {
    /// Puts a task in the place of what there was of it.
    pub fn put(&mut self, task: Task) {
        self.remove(task.id);
        self.bytes += task.bytes();
        match task.state {
            TaskState::Queued => drop(self.waiting.insert(task.order())),
            TaskState::Running => self.running += 1,
            _ => drop(self.ended.insert((task.updated, task.id))),
        }
        self.last_created = self.last_created.max(task.created);
        self.tasks.insert(task.id, task);
    }

    fn remove(&mut self, id: TaskId) {
        let Some(task) = self.tasks.remove(&id) else { return };
        self.bytes -= task.bytes();
        match task.state {
            TaskState::Queued => drop(self.waiting.remove(&task.order())),
            TaskState::Running => self.running -= 1,
            _ => drop(self.ended.remove(&(task.updated, id))),
        }
    }

    /// Forgets what has ended long ago, or is too much.
    pub fn expired(&mut self, now: u64) -> Vec<TaskId> {
        self.forget_while(|table, ended| {
            table.ended.len() > MAX_ENDED || now.saturating_sub(ended) > KEPT_FOR
        })
    }

    /// The same, and more of it where there is no room for so many bytes.
    pub fn make_room(&mut self, bytes: usize, now: u64) -> Vec<TaskId> {
        let mut gone = self.expired(now);
        gone.extend(self.forget_while(|table, _| table.bytes + bytes > MAX_BYTES));
        gone
    }

    fn forget_while(&mut self, is_to_go: impl Fn(&Self, u64) -> bool) -> Vec<TaskId> {
        let mut gone = Vec::new();
        while let Some((ended, id)) = self.ended.first().copied()
            && is_to_go(self, ended)
        {
            self.remove(id);
            gone.push(id);
        }
        gone
    }
}
