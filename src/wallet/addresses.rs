//! The addresses of an account, as its wallet ids see them: derived up to a gap limit past the last used one,
//! or those between two indexes. What is derived is the union of these views.

use super::Scan;
use crate::keys::AddressKeys;
use crate::ledger::{Address, AddressKind, Network, Script};
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::ops::Range;

/// Characters of an address, whatever its network.
const TEXT_LEN: usize = 34;
/// The most addresses derived before they are needed: in a batch each costs a fifth of what it does by
/// itself.
const MAX_AHEAD: u32 = 128;

pub(super) struct Addresses {
    keys: AddressKeys,
    network: Network,
    /// In the order in which they were derived: the place of each.
    hashes: Vec<[u8; 20]>,
    /// The addresses as text, one after the other, by place.
    texts: String,
    /// Whether a vertex has them, by place.
    used: Vec<bool>,
    /// Whether they were given away as the current one, by place.
    given: Vec<bool>,
    /// The index after that of the last one given away, as a store keeps it; 0 if none was.
    cursor: u32,
    /// The index after that of the last one that views with a gap limit have had, if there were any.
    gap_end: Option<u32>,
    index_of: HashMap<[u8; 20], u32>,
    /// Which indexes the places stand for: one run, unless views lie apart.
    runs: Vec<Run>,
    /// Hashes of the addresses that come next after the last run.
    ahead: VecDeque<[u8; 20]>,
    views: Vec<View>,
    last_view: u32,
    /// Which indexes count while the state is seen through a view; all of them otherwise.
    seen: Range<u32>,
    seen_through: Option<ViewId>,
}

/// Addresses that follow each other, by index and by place.
struct Run {
    index: u32,
    place: u32,
    len: u32,
}

/// One view of an account's addresses among several, until it is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewId(u32);

/// The addresses of one wallet id: all from its first one on.
#[derive(Clone)]
struct View {
    id: ViewId,
    /// So many past the last used one are in it.
    gap: Option<u32>,
    /// Those below this index are in it, used or not.
    least: u32,
    /// Those with these indexes are derived.
    indexes: Range<u32>,
    /// Past all that are used or given away.
    next: u32,
}

impl View {
    /// The next one, or the last derived one if that is less.
    fn current(&self) -> u32 {
        self.next.min(self.indexes.end.saturating_sub(1))
    }
}

impl Addresses {
    /// Derives the addresses of one view.
    pub(super) fn new(keys: AddressKeys, network: Network, scan: Scan) -> Self {
        let mut new = Self {
            keys,
            network,
            hashes: Vec::new(),
            texts: String::new(),
            used: Vec::new(),
            given: Vec::new(),
            cursor: 0,
            gap_end: None,
            index_of: HashMap::new(),
            runs: Vec::new(),
            ahead: VecDeque::new(),
            views: Vec::new(),
            last_view: 0,
            seen: 0..u32::MAX,
            seen_through: None,
        };
        let view = new.add_view(scan);
        new.grow(view, u32::MAX);
        new
    }

    /// Adds a view, of which nothing is derived yet.
    pub(super) fn add_view(&mut self, scan: Scan) -> ViewId {
        self.last_view = self.last_view.wrapping_add(1);
        let id = ViewId(self.last_view);
        let (gap, first, least) = match scan {
            Scan::GapLimit(limit) => (Some(limit.max(1)), 0, 0),
            Scan::IndexLimit { first, last } => {
                let first = first.min(self.keys.count() - 1);
                (None, first, last.max(first).saturating_add(1))
            }
        };
        self.views.push(View { id, gap, least, indexes: first..first, next: first });
        id
    }
    pub(super) fn retain_views(&mut self, ids: &[ViewId]) {
        self.views.retain(|view| ids.contains(&view.id));
    }
    /// Has a view contain all addresses below an index.
    pub(super) fn extend_view(&mut self, id: ViewId, end: u32) {
        if let Some(view) = self.views.iter_mut().find(|view| view.id == id) {
            view.least = view.least.max(end);
        }
    }
    /// The view that the addresses are seen through, or else the first one.
    pub(super) fn this_view(&self) -> ViewId {
        self.seen_through.or(self.views.first().map(|view| view.id)).unwrap_or(ViewId(0))
    }
    /// Whether a view contains all that is derived.
    pub(super) fn is_whole(&self, id: ViewId) -> bool {
        self.view(id).is_some_and(|view| view.indexes.len() == self.hashes.len())
    }
    /// From now on the addresses of one view count alone, or all of them.
    pub(super) fn see(&mut self, through: Option<ViewId>) {
        let indexes = |id| self.view(id).map_or(0..0, |view| view.indexes.clone());
        self.seen = through.map_or(0..u32::MAX, indexes);
        self.seen_through = through;
    }
    /// Which indexes count, if some of those that are derived don't.
    pub(super) fn part_seen(&self) -> Option<&Range<u32>> {
        let is_part = self.seen_through.is_some() && self.seen.len() < self.hashes.len();
        is_part.then_some(&self.seen)
    }
    fn view(&self, id: ViewId) -> Option<&View> {
        self.views.iter().find(|view| view.id == id)
    }
    /// The views that the addresses are seen through.
    fn views_seen(&self) -> impl Iterator<Item = &View> {
        self.views.iter().filter(|view| self.seen_through.is_none_or(|id| id == view.id))
    }

    /// Derives what a view lacks, so many addresses at most, and says whether it lacks more.
    pub(super) fn grow(&mut self, id: ViewId, most: u32) -> bool {
        let mut left = most;
        loop {
            let Some(view) = self.view(id) else { return false };
            let derived = view.indexes.clone();
            let used_end = || self.used_end(derived.clone()).unwrap_or(derived.start);
            let by_gap = view.gap.map(|gap| used_end().saturating_add(gap));
            let wanted = view.least.max(by_gap.unwrap_or(0)).min(self.keys.count());
            if wanted <= derived.end {
                return false;
            }
            if left == 0 {
                return true;
            }
            let end = wanted.min(derived.end.saturating_add(left));
            left -= end - derived.end;
            self.derive(derived.end..end);
            let is_gone = |index: &u32| self.is_used(*index) || self.is_given(*index);
            let next = (derived.end..end).rev().find(is_gone).map_or(0, |last| last + 1);
            if let Some(view) = self.views.iter_mut().find(|view| view.id == id) {
                view.indexes.end = end;
                view.next = view.next.max(next);
                self.gap_end = self.gap_end.max(view.gap.map(|_| end));
            }
        }
    }
    /// The index after that of the last used one of these.
    fn used_end(&self, indexes: Range<u32>) -> Option<u32> {
        indexes.rev().find(|index| self.is_used(*index)).map(|last| last + 1)
    }
    /// Whether a vertex has an address.
    pub(super) fn is_used(&self, index: u32) -> bool {
        self.place_of(index).is_some_and(|place| self.used[place as usize])
    }
    fn is_given(&self, index: u32) -> bool {
        self.place_of(index).is_some_and(|place| self.given[place as usize])
    }

    /// What they come from.
    pub(super) const fn keys(&self) -> &AddressKeys {
        &self.keys
    }
    /// The first one's index.
    pub(super) fn first(&self) -> u32 {
        self.views_seen().map(|view| view.indexes.start).min().unwrap_or(0)
    }
    /// The index after that of the last derived one.
    pub(super) fn end(&self) -> u32 {
        self.views_seen().map(|view| view.indexes.end).max().unwrap_or(0)
    }
    /// The furthest one of the views.
    pub(super) fn current(&self) -> u32 {
        self.views_seen().map(View::current).max().unwrap_or(0)
    }
    /// How many are derived.
    pub(super) fn len(&self) -> u32 {
        self.hashes.len() as u32
    }
    /// The addresses as one piece that goes on, if they are one.
    pub(super) fn as_one(&self) -> Option<Scan> {
        let gap = self.views.iter().filter_map(|view| view.gap).max();
        match (self.runs.as_slice(), gap) {
            ([run], Some(gap)) if run.index == 0 => Some(Scan::GapLimit(gap)),
            ([run], None) => Some(Scan::IndexLimit { first: run.index, last: run.index + run.len - 1 }),
            _ => None,
        }
    }
    /// What a store keeps: how far gap limits have gone, and past which one addresses were given away.
    pub(super) fn kept(&self) -> (Option<u32>, Option<u32>) {
        (self.gap_end, (self.cursor > 0).then_some(self.cursor))
    }
    /// Takes up what a store kept, be it of this one view or of others that come back later. How far a gap
    /// limit goes it does not say: that follows from what is used.
    pub(super) fn restore(&mut self, gap_end: Option<u32>, cursor: u32) {
        self.gap_end = self.gap_end.max(gap_end);
        self.cursor = cursor;
        let Some(last) = cursor.checked_sub(1) else { return };
        match &mut self.views[..] {
            // It may have been watching more.
            [view] if view.gap.is_none() => view.next = view.next.max(cursor),
            _ => self.mark_given(last),
        }
    }

    /// Where an address that is watched stands in the order in which they were derived.
    pub(super) fn place_of(&self, index: u32) -> Option<u32> {
        let run = self.runs.iter().find(|run| index.wrapping_sub(run.index) < run.len)?;
        Some(run.place + (index - run.index))
    }
    /// An address that the wallet watches.
    pub(super) fn watched(&self, index: u32) -> Option<Address> {
        let hash = self.hashes[self.place_of(index)? as usize];
        Some(self.keys.address(self.network, hash))
    }
    /// An address, derived on the spot if it is none of those that the wallet watches.
    pub(super) fn get(&self, index: u32) -> Option<Address> {
        if index >= self.keys.count() {
            return None;
        }
        let derived = || self.keys.address(self.network, self.keys.hashes(index..index + 1)[0]);
        Some(self.watched(index).unwrap_or_else(derived))
    }
    pub(super) fn text(&self, index: u32) -> Option<&str> {
        let start = self.place_of(index)? as usize * TEXT_LEN;
        self.texts.get(start..start + TEXT_LEN)
    }
    /// All of them, in the order in which they were derived.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = Address> + '_ {
        self.hashes.iter().map(|hash| self.keys.address(self.network, *hash))
    }
    /// The index of an address that counts.
    pub(super) fn index_of(&self, address: &Address) -> Option<u32> {
        let version = match self.keys.kind() {
            AddressKind::P2pkh => self.network.p2pkh_byte(),
            AddressKind::P2sh => self.network.p2sh_byte(),
        };
        if address.version() != version {
            return None;
        }
        self.index_of.get(&address.hash()).copied().filter(|index| self.seen.contains(index))
    }
    /// Whom a script pays, if that is this wallet, and its time lock (0 for none).
    pub(super) fn paid_by(&self, script: &[u8]) -> Option<(u32, u32)> {
        match Script::parse(script, self.network)? {
            Script::Pay { to, timelock } => Some((self.index_of(&to)?, timelock.unwrap_or(0))),
            Script::Data(_) => None,
        }
    }

    /// The address at `index` is in some vertex: each view that has it goes on past it, and so does its
    /// current address.
    pub(super) fn mark_used(&mut self, index: u32) {
        let Some(place) = self.place_of(index) else { return };
        if !std::mem::replace(&mut self.used[place as usize], true) {
            for view in 0..self.views.len() {
                if self.views[view].indexes.contains(&index) {
                    self.grow(self.views[view].id, u32::MAX);
                }
            }
        }
        self.move_past(index);
    }
    fn move_past(&mut self, index: u32) {
        let with_it = self.views.iter_mut().filter(|view| view.indexes.contains(&index));
        with_it.for_each(|view| view.next = view.next.max(index + 1));
    }
    /// The current address is given away: it is current no more, in any view that has it.
    pub(super) fn give(&mut self) {
        let index = self.current();
        self.mark_given(index);
        let Some(giver) = self.views_seen().max_by_key(|view| view.current()) else { return };
        // The one number that is kept is that of gap limits, if there were any. One that no view has is of
        // those that are gone, or had a greater limit.
        let (last, has_gap) = (self.cursor.saturating_sub(1), giver.gap.is_some());
        let are_one = |view: &&View| view.id == giver.id || has_gap && view.gap.is_some();
        if self.views.iter().filter(are_one).any(|view| view.indexes.contains(&last)) {
            self.cursor = self.cursor.max(index + 1);
        } else if has_gap || self.gap_end.is_none() {
            self.cursor = index + 1;
        }
    }
    fn mark_given(&mut self, index: u32) {
        let Some(place) = self.place_of(index) else { return };
        self.given[place as usize] = true;
        self.move_past(index);
    }
    /// Derives addresses with these indexes, if they are not there.
    fn derive(&mut self, indexes: Range<u32>) {
        let mut next = indexes.start;
        while next < indexes.end {
            if let Some(run) = self.runs.iter().find(|run| next.wrapping_sub(run.index) < run.len) {
                next = run.index + run.len;
                continue;
            }
            let later = self.runs.iter().map(|run| run.index).filter(|index| *index > next);
            let end = later.min().unwrap_or(u32::MAX).min(indexes.end);
            self.append(next..end);
            next = end;
        }
    }
    fn append(&mut self, new: Range<u32>) {
        let (place, len) = (self.len(), new.end - new.start);
        match self.runs.last_mut().filter(|run| run.index + run.len == new.start) {
            Some(run) => run.len += len,
            None => {
                self.ahead.clear();
                self.runs.push(Run { index: new.start, place, len });
            }
        }
        // Those who go through their addresses one by one have them derived in batches, which grow with the
        // wallet: one that is never used derives no more than it watches.
        if new.len() > self.ahead.len() {
            self.derive_ahead(new.clone(), place.min(MAX_AHEAD));
        }
        for (index, hash) in new.clone().zip(self.ahead.drain(..new.len())) {
            self.hashes.push(hash);
            self.used.push(false);
            self.given.push(index + 1 == self.cursor);
            self.index_of.insert(hash, index);
            self.texts.push_str(&self.keys.address(self.network, hash).to_string());
        }
    }
    /// Has the hashes of the addresses that come next at hand, and so many more, as far as there are any.
    fn derive_ahead(&mut self, next: Range<u32>, more: u32) {
        let end = next.end.saturating_add(more).min(self.keys.count());
        let derived = next.start + self.ahead.len() as u32;
        if end > derived {
            self.ahead.extend(self.keys.hashes(derived..end));
        }
    }
    /// Addresses that may become the wallet's, where all are one piece: those of `range` that there are.
    pub(super) fn foresee(&mut self, range: Range<u32>) -> Vec<Address> {
        let Some((first, end)) = self.runs.last().map(|run| (run.index, run.index + run.len)) else {
            return Vec::new();
        };
        self.derive_ahead(end..range.end, 0);
        let hashes = self.hashes.iter().chain(&self.ahead);
        let hashes = hashes.skip(range.start.saturating_sub(first) as usize).take(range.len());
        hashes.map(|hash| self.keys.address(self.network, *hash)).collect()
    }
}

impl fmt::Debug for Addresses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Addresses")
            .field("first", &self.first())
            .field("end", &self.end())
            .field("current", &self.current())
            .finish()
    }
}
