//! Spending in memory: sums of the last hour, the last day and of all time.

use super::{Account, Assessment, Charge};
use crate::ledger::Amount;
use std::collections::{HashMap, HashSet, VecDeque};

/// In seconds.
pub(super) const HOUR: u32 = 3_600;
/// In seconds: of older payments only the sum is kept.
pub const DAY: u32 = 86_400;

/// The hash that the payment's signatures are of.
pub type PaymentId = [u8; 32];

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Counted {
    /// The charges counted now; others of the transaction were counted before.
    Yes(Vec<Charge>),
    /// Nothing is counted: the limit at this index leaves only this much.
    Passed(usize, Amount),
}

#[derive(Clone, Debug, Default)]
pub struct Counters {
    accounts: HashMap<Account, Counter>,
    /// Never goes back, whatever the clock does.
    latest: u32,
}

#[derive(Clone, Debug, Default)]
struct Counter {
    total: Amount,
    ids: HashSet<PaymentId>,
    hour: Window,
    day: Window,
}

#[derive(Clone, Debug, Default)]
struct Window {
    sum: Amount,
    /// Oldest first.
    charges: VecDeque<(u32, PaymentId, Amount)>,
}

impl Counters {
    /// Counts a transaction, all of it or nothing. What was counted of it before is not counted again.
    pub fn count(&mut self, now: u32, id: PaymentId, assessment: &Assessment) -> Counted {
        let counted = self.look(now, id, assessment);
        if let Counted::Yes(added) = &counted {
            added.iter().for_each(|charge| self.add(now, id, charge));
        }
        counted
    }

    /// The result of [`Counters::count`], without counting.
    pub fn look(&mut self, now: u32, id: PaymentId, assessment: &Assessment) -> Counted {
        self.latest = self.latest.max(now);
        let mut is_new = Vec::with_capacity(assessment.charges.len());
        for charge in &assessment.charges {
            let counter = self.accounts.get_mut(&charge.account);
            is_new.push(counter.is_none_or(|counter| {
                counter.expire(self.latest);
                !counter.ids.contains(&id)
            }));
        }
        for (place, limit) in assessment.limits.iter().enumerate().filter(|(_, limit)| is_new[limit.charge]) {
            let Charge { account, amount } = &assessment.charges[limit.charge];
            let sum = self.accounts.get(account).map_or(Amount::ZERO, |counter| counter.sum(limit.window));
            if sum.saturating_add(*amount) > limit.most {
                return Counted::Passed(place, limit.most.saturating_sub(sum));
            }
        }
        let added = assessment.charges.iter().zip(is_new).filter(|(_, is_new)| *is_new);
        Counted::Yes(added.map(|(charge, _)| charge.clone()).collect())
    }

    /// Adds a charge that was looked at, or was counted before and is read again.
    pub fn add(&mut self, time: u32, id: PaymentId, Charge { account, amount }: &Charge) {
        self.latest = self.latest.max(time);
        let counter = self.accounts.entry(account.clone()).or_default();
        counter.ids.insert(id);
        counter.total = counter.total.saturating_add(*amount);
        for window in [&mut counter.hour, &mut counter.day] {
            window.sum = window.sum.saturating_add(*amount);
            window.charges.push_back((self.latest, id, *amount));
        }
    }

    /// Takes back what was counted of a transaction within the last day.
    pub fn take_back(&mut self, now: u32, id: PaymentId, charges: &[Charge]) {
        self.latest = self.latest.max(now);
        for Charge { account, .. } in charges {
            let Some(counter) = self.accounts.get_mut(account) else { continue };
            counter.expire(self.latest);
            counter.ids.remove(&id);
            counter.hour.take_back(&id);
            let taken = counter.day.take_back(&id);
            counter.total = counter.total.saturating_sub(taken);
        }
    }

    /// The state to be stored: one charge per account of all older than a day, and the charges of the last
    /// day, oldest first.
    pub fn kept(&mut self, now: u32) -> (Vec<Charge>, Vec<(u32, PaymentId, Charge)>) {
        self.latest = self.latest.max(now);
        let (mut older, mut charges) = (Vec::new(), Vec::new());
        for (account, counter) in &mut self.accounts {
            counter.expire(self.latest);
            let charge = |amount| Charge { account: account.clone(), amount };
            older.push(charge(counter.total.saturating_sub(counter.day.sum)));
            charges
                .extend(counter.day.charges.iter().map(|(time, id, amount)| (*time, *id, charge(*amount))));
        }
        charges.sort_by_key(|(time, ..)| *time);
        (older, charges)
    }

    pub fn total(&self, account: &Account) -> Amount {
        self.accounts.get(account).map_or(Amount::ZERO, |counter| counter.total)
    }
}

impl Counter {
    fn sum(&self, window: Option<u32>) -> Amount {
        match window {
            None => self.total,
            Some(HOUR) => self.hour.sum,
            Some(_) => self.day.sum,
        }
    }

    fn expire(&mut self, now: u32) {
        self.hour.expire(now, HOUR, |_| {});
        self.day.expire(now, DAY, |id| {
            self.ids.remove(id);
        });
    }
}

impl Window {
    fn take_back(&mut self, id: &PaymentId) -> Amount {
        let place = self.charges.iter().rposition(|(_, of, _)| of == id);
        let taken = place.and_then(|place| self.charges.remove(place));
        let amount = taken.map_or(Amount::ZERO, |(_, _, amount)| amount);
        self.sum = self.sum.saturating_sub(amount);
        amount
    }

    fn expire(&mut self, now: u32, seconds: u32, mut gone: impl FnMut(&PaymentId)) {
        while let Some((_, id, amount)) =
            self.charges.pop_front_if(|(time, ..)| time.saturating_add(seconds) <= now)
        {
            self.sum = self.sum.saturating_sub(amount);
            gone(&id);
        }
    }
}
