//! The rows that servers share, as a model without a database: what sends that go wrong in any order can't
//! bring about with it ([`protocol`]), and that the database does what the model does ([`rows`]).

mod protocol;
mod rows;

use headless_wallet::store::{PushOutcome, Recorded};
use std::collections::{BTreeMap, BTreeSet};

/// What only one send may have.
pub type Claim = u8;
pub type Send = u8;
pub type Key = u8;
/// A lease, by its number: a server that was away gets another one.
pub type Lease = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    Reserved,
    Recorded,
    Spent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reservation {
    pub send: Send,
    pub lease: Lease,
    pub held: Held,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    pub send: Send,
    /// Who brings it to its end; `None` for anybody.
    pub lease: Option<Lease>,
    /// `None` while it is open.
    pub outcome: Option<PushOutcome>,
}

/// The tables.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    pub reservations: BTreeMap<Claim, Reservation>,
    pub records: BTreeMap<Key, Record>,
    pub leases: BTreeSet<Lease>,
    begun: Lease,
}

impl Rows {
    pub fn begin_lease(&mut self) -> Lease {
        self.begun += 1;
        self.leases.insert(self.begun);
        self.begun
    }

    /// A server was not heard of for too long.
    pub fn end_lease(&mut self, lease: Lease) {
        self.leases.remove(&lease);
    }

    /// What rounds do: what was reserved and not recorded by servers that are gone is free.
    pub fn free_what_is_left(&mut self) {
        let Self { reservations, leases, .. } = self;
        reservations.retain(|_, row| row.held != Held::Reserved || leases.contains(&row.lease));
    }

    /// All of it or nothing, and the same if the same is asked again. `Err` are those that this send can't
    /// have, and those of others.
    pub fn reserve(
        &mut self,
        lease: Lease,
        send: Send,
        claims: &BTreeSet<Claim>,
    ) -> Result<(), BTreeSet<Claim>> {
        assert!(self.leases.contains(&lease), "a server whose lease has ended gets another one first");
        let row = Reservation { send, lease, held: Held::Reserved };
        if claims.iter().any(|claim| self.reservations.get(claim).is_some_and(|held| *held != row)) {
            let is_others = |(claim, row): (&Claim, &Reservation)| {
                let known = row.held == Held::Reserved && row.lease != lease
                    || row.held == Held::Recorded
                    || claims.contains(claim);
                known.then_some(*claim)
            };
            return Err(self.reservations.iter().filter_map(is_others).collect());
        }
        self.reservations.extend(claims.iter().map(|claim| (*claim, row)));
        Ok(())
    }

    pub fn release(&mut self, send: Send) {
        self.reservations.retain(|_, row| row.send != send || row.held != Held::Reserved);
    }

    pub fn record(&mut self, lease: Lease, send: Send, claims: usize, key: Key) -> Recorded {
        let is_mine = |row: &Reservation| row.send == send && row.held != Held::Spent;
        if !self.leases.contains(&lease)
            || self.reservations.values().filter(|row| is_mine(row)).count() != claims
        {
            return Recorded::Lost;
        }
        match self.records.get(&key) {
            Some(record) if record.send != send => return Recorded::Outrun,
            // Others have taken it over, or did.
            Some(record) if record.lease != Some(lease) || record.outcome.is_some() => return Recorded::Lost,
            _ => {}
        }
        self.records.insert(key, Record { send, lease: Some(lease), outcome: None });
        for row in self.reservations.values_mut().filter(|row| is_mine(row)) {
            row.held = Held::Recorded;
        }
        Recorded::Kept
    }

    /// A node has it.
    pub fn settle(&mut self, send: Send) {
        self.reservations.values_mut().filter(|row| row.send == send).for_each(|row| row.held = Held::Spent);
        for record in self.records.values_mut().filter(|record| record.send == send) {
            record.outcome = Some(PushOutcome::Pushed);
        }
    }

    /// No node has it: what is a server's own is taken back. Whether nobody pushes it any more.
    pub fn withdraw(&mut self, lease: Lease, send: Send) -> bool {
        let Some(record) = self.records.values_mut().find(|record| record.send == send) else { return false };
        match record.outcome {
            None if record.lease == Some(lease) => {
                record.outcome = Some(PushOutcome::Refused);
                self.reservations.retain(|_, row| row.send != send);
                true
            }
            None | Some(PushOutcome::Pushed) => false,
            Some(PushOutcome::Refused) => true,
        }
    }

    /// A server is at an open push from now on; not if it is open no more.
    pub fn take_open(&mut self, lease: Lease, send: Send) -> bool {
        let is_open = self.open_pushes().contains(&send);
        for record in self.records.values_mut().filter(|record| is_open && record.send == send) {
            record.lease = Some(lease);
        }
        is_open
    }

    /// Leaves it to all servers to find out what became of a push.
    pub fn disown(&mut self, send: Send) {
        let open = |record: &&mut Record| record.send == send && record.outcome.is_none();
        self.records.values_mut().filter(open).for_each(|record| record.lease = None);
    }

    /// Pushes that somebody must bring to their end: their servers are gone, or do not know.
    pub fn open_pushes(&self) -> Vec<Send> {
        let is_open = |record: &&Record| {
            record.outcome.is_none() && record.lease.is_none_or(|lease| !self.leases.contains(&lease))
        };
        self.records.values().filter(is_open).map(|record| record.send).collect()
    }
}
