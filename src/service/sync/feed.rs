//! Which addresses a history stream by list is given, and when: enough that the node never waits, never many
//! more than it will use.

use std::ops::Range;

/// The most addresses given beyond those that the node is sure to use.
const MAX_AHEAD: u32 = 400;
/// Once there are many, addresses are given in batches of this size: smaller ones take longer to derive.
const PORTION: u32 = 100;
const MESSAGE: u32 = 500;
/// Most addresses waiting at the node, which refuses 5,000.
const MAX_PENDING: u32 = 2_000;

/// The node's limit.
const NODE_MAX_GAP_LIMIT: u32 = 10_000;

pub(super) struct AddressFeeder {
    until: Until,
    /// Addresses below this index were given.
    given: u32,
    /// Addresses below this index were streamed.
    seen: u32,
    /// The index after the last address with a history.
    used: u32,
    /// For now, no addresses from this index on are given.
    bound: Option<u32>,
}

enum Until {
    /// After this many unused addresses in a row.
    Unused(u32),
    Index(u32),
}

impl AddressFeeder {
    pub(super) const fn until_unused(gap_limit: u32) -> Self {
        Self { until: Until::Unused(gap_limit), given: 0, seen: 0, used: 0, bound: None }
    }

    pub(super) const fn of(range: Range<u32>) -> Self {
        let Range { start, end } = range;
        Self { until: Until::Index(end), given: start, seen: start, used: start, bound: None }
    }

    /// Gives the node at most `count` more addresses for now.
    pub(super) fn hold_after(&mut self, count: u32) {
        self.bound = Some(self.given.saturating_add(count));
    }

    /// Whether the node will soon be done with all addresses that it gets for now.
    pub(super) fn is_held(&self) -> bool {
        self.bound.is_some_and(|bound| self.seen >= bound)
    }

    pub(super) fn release(&mut self) {
        self.bound = None;
    }

    /// The index of the address that the node streams next.
    pub(super) const fn next_seen(&self) -> u32 {
        self.seen
    }

    /// The gap limit for the node. If the list ends at an index, a limit that never ends it sooner.
    pub(super) const fn gap_limit(&self) -> u32 {
        match self.until {
            Until::Unused(gap_limit) => gap_limit,
            Until::Index(_) => NODE_MAX_GAP_LIMIT,
        }
    }

    pub(super) fn is_complete(&self) -> bool {
        matches!(self.until, Until::Index(end) if self.given >= end)
    }

    pub(super) fn saw(&mut self, index: u32) {
        self.seen = index.saturating_add(1);
    }

    /// The address being streamed has a history.
    pub(super) fn found(&mut self) {
        self.used = self.seen;
    }

    /// The indexes to give next, if it is time. The node is sure to use all up to the last one or, with a gap
    /// limit, that many past the last used address. The longer the history so far, the further it is expected
    /// to continue.
    pub(super) fn next(&mut self) -> Option<Range<u32>> {
        let (sure, ahead) = match self.until {
            Until::Unused(gap_limit) => (self.used.saturating_add(gap_limit), self.used.min(MAX_AHEAD)),
            Until::Index(end) => (end, 0),
        };
        if self.given >= sure.saturating_add(ahead - (ahead / 2).min(PORTION)) {
            return None;
        }
        let count = sure.saturating_add(ahead).saturating_sub(self.given).min(MESSAGE);
        let end = self.given.saturating_add(count).min(self.bound.unwrap_or(u32::MAX));
        if end <= self.given || end > self.seen.saturating_add(MAX_PENDING) {
            return None;
        }
        let range = self.given..end;
        self.given = end;
        Some(range)
    }
}

#[cfg(test)]
mod tests {
    use super::AddressFeeder;

    /// How many addresses are given until the node has seen enough, if exactly those below `used` have a
    /// history; and in how many messages.
    fn given(gap_limit: u32, used: u32) -> (u32, usize) {
        let mut feed = AddressFeeder::until_unused(gap_limit);
        let mut messages = 0;
        let mut end = 0;
        let mut index = 0;
        loop {
            while let Some(range) = feed.next() {
                assert_eq!(range.start, end);
                assert!(range.end - index <= 2_000, "too many wait at {index}");
                end = range.end;
                messages += 1;
            }
            if index == used + gap_limit {
                return (end, messages);
            }
            assert!(index < end, "the node waits for address {index}");
            feed.saw(index);
            if index < used {
                feed.found();
            }
            index += 1;
        }
    }

    #[test]
    fn an_unused_wallet_gives_no_address_in_vain() {
        assert_eq!(given(20, 0), (20, 1));
        assert_eq!(given(5_000, 0), (5_000, 10));
    }

    #[test]
    fn a_list_with_an_end_is_given_to_its_end_and_no_further() {
        let mut feed = AddressFeeder::of(40..2_790);
        let mut messages = Vec::new();
        for index in 40..2_790 {
            messages.extend(std::iter::from_fn(|| feed.next()));
            assert_eq!(feed.next_seen(), index);
            feed.saw(index);
        }
        assert_eq!(messages, [40..540, 540..1_040, 1_040..1_540, 1_540..2_040, 2_040..2_540, 2_540..2_790]);
        assert!(feed.is_complete());
        assert_eq!(feed.next(), None);
    }

    #[test]
    fn what_is_held_back_is_given_once_it_is_released() {
        let mut feed = AddressFeeder::until_unused(20);
        feed.hold_after(2);
        assert_eq!((feed.next(), feed.next()), (Some(0..2), None));
        feed.saw(0);
        assert!(!feed.is_held());
        feed.saw(1);
        assert!(feed.is_held());
        feed.hold_after(4);
        assert!(!feed.is_held());
        assert_eq!((feed.next(), feed.next()), (Some(2..6), None));
        feed.release();
        assert_eq!((feed.next(), feed.next()), (Some(6..20), None));
    }

    #[test]
    fn the_node_never_waits_and_few_are_given_in_vain() {
        for used in [1, 2, 19, 20, 21, 100, 1_000, 3_000] {
            for gap_limit in [1, 2, 20, 700] {
                let (given, messages) = given(gap_limit, used);
                assert!(given <= used + gap_limit + used.min(400), "{given} given for {used}");
                assert!(messages <= 30 + (used + gap_limit) as usize / 80, "{messages} messages for {used}");
            }
        }
    }
}
