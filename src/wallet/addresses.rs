//! The wallet's addresses: derived up to the gap limit past the last used one, or those between two indexes.

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
    scan: Scan,
    /// The index of the first one.
    first: u32,
    hashes: Vec<[u8; 20]>,
    /// Hashes of the addresses that come next.
    ahead: VecDeque<[u8; 20]>,
    /// The addresses as text, one after the other.
    texts: String,
    index_of: HashMap<[u8; 20], u32>,
    current: u32,
}

impl Addresses {
    pub(super) fn new(keys: AddressKeys, network: Network, scan: Scan) -> Self {
        let (first, end) = match scan {
            Scan::GapLimit(limit) => (0, limit.clamp(1, keys.count())),
            Scan::IndexLimit { first, last } => {
                (first.min(keys.count() - 1), last.max(first).saturating_add(1))
            }
        };
        let mut new = Self {
            keys,
            network,
            scan,
            first,
            hashes: Vec::new(),
            ahead: VecDeque::new(),
            texts: String::new(),
            index_of: HashMap::new(),
            current: first,
        };
        new.extend_to(end);
        new
    }

    /// What they come from.
    pub(super) const fn keys(&self) -> &AddressKeys {
        &self.keys
    }
    /// The first one's index.
    pub(super) fn first(&self) -> u32 {
        self.first
    }
    /// The index after that of the last derived one.
    pub(super) fn end(&self) -> u32 {
        self.first + self.hashes.len() as u32
    }
    pub(super) fn current(&self) -> u32 {
        self.current
    }
    /// An address that the wallet watches.
    pub(super) fn watched(&self, index: u32) -> Option<Address> {
        let hash = index.checked_sub(self.first).and_then(|place| self.hashes.get(place as usize))?;
        Some(self.keys.address(self.network, *hash))
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
        let start = (index.checked_sub(self.first)? as usize).checked_mul(TEXT_LEN)?;
        self.texts.get(start..start + TEXT_LEN)
    }
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = Address> + '_ {
        self.hashes.iter().map(|hash| self.keys.address(self.network, *hash))
    }
    pub(super) fn index_of(&self, address: &Address) -> Option<u32> {
        let version = match self.keys.kind() {
            AddressKind::P2pkh => self.network.p2pkh_byte(),
            AddressKind::P2sh => self.network.p2sh_byte(),
        };
        if address.version() != version {
            return None;
        }
        self.index_of.get(&address.hash()).copied()
    }
    /// Whom a script pays, if that is this wallet, and its time lock (0 for none).
    pub(super) fn paid_by(&self, script: &[u8]) -> Option<(u32, u32)> {
        match Script::parse(script, self.network)? {
            Script::Pay { to, timelock } => Some((self.index_of(&to)?, timelock.unwrap_or(0))),
            Script::Data(_) => None,
        }
    }

    /// The address at `index` is in some vertex: derives up to the gap limit past it, if there is one, and
    /// moves the current address past it.
    pub(super) fn mark_used(&mut self, index: u32) {
        if let Scan::GapLimit(limit) = self.scan {
            self.extend_to((index + 1).saturating_add(limit.max(1)));
        }
        self.move_current(index + 1);
    }
    /// Derives those with indexes below `end`.
    pub(super) fn extend_to(&mut self, end: u32) {
        let new = self.end()..end.min(self.keys.count());
        if new.is_empty() {
            return;
        }
        // Those who go through their addresses one by one have them derived in batches, which grow with the
        // wallet: one that is never used derives no more than it watches.
        if new.len() > self.ahead.len() {
            self.derive_to(new.end.saturating_add((self.hashes.len() as u32).min(MAX_AHEAD)));
        }
        for (index, hash) in new.clone().zip(self.ahead.drain(..new.len())) {
            self.hashes.push(hash);
            self.index_of.insert(hash, index);
            self.texts.push_str(&self.keys.address(self.network, hash).to_string());
        }
    }
    /// Has the hashes of the addresses below `end` at hand, as far as there are any.
    fn derive_to(&mut self, end: u32) {
        let end = end.min(self.keys.count());
        let derived = self.end() + self.ahead.len() as u32;
        if end > derived {
            self.ahead.extend(self.keys.hashes(derived..end));
        }
    }
    /// Addresses that may become the wallet's: those of `range` that there are.
    pub(super) fn foresee(&mut self, range: Range<u32>) -> Vec<Address> {
        self.derive_to(range.end);
        let hashes = self.hashes.iter().chain(&self.ahead);
        let hashes = hashes.skip(range.start.saturating_sub(self.first) as usize).take(range.len());
        hashes.map(|hash| self.keys.address(self.network, *hash)).collect()
    }
    /// Moves the current address forward to `index`, or to the last derived one if that is less. Never back.
    pub(super) fn move_current(&mut self, index: u32) {
        self.current = self.current.max(index.min(self.end() - 1));
    }
}

impl fmt::Debug for Addresses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Addresses")
            .field("first", &self.first)
            .field("end", &self.end())
            .field("current", &self.current)
            .finish()
    }
}
