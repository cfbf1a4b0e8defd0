//! Which addresses a history stream by list is given, and when: always enough of them that the node never
//! waits, never many more than it will look at.

use std::ops::Range;

/// The most addresses that the node is given past those that it is sure to look at.
const MAX_AHEAD: u32 = 400;
/// So many more are given at a time, once there are many: in small batches addresses take longer to derive.
const PORTION: u32 = 100;
/// The most addresses of one message.
const MESSAGE: u32 = 500;
/// The most addresses that wait at the node for their turn; it refuses 5,000.
const MAX_PENDING: u32 = 2_000;

/// The greatest gap limit that the node takes.
const NODE_MAX_GAP_LIMIT: u32 = 10_000;

/// What of a wallet's addresses a node has been given, and how far it has come.
pub(super) struct AddressFeeder {
    until: Until,
    /// Those below this index were given.
    given: u32,
    /// Those below this index were looked at.
    seen: u32,
    /// The index after that of the last address with a history.
    used: u32,
    /// None from this index on are given for now.
    bound: Option<u32>,
}

/// Where the list ends.
enum Until {
    /// After so many unused addresses in a row.
    Unused(u32),
    Index(u32),
}

impl AddressFeeder {
    /// All addresses until so many in a row are unused.
    pub(super) const fn until_unused(gap_limit: u32) -> Self {
        Self { until: Until::Unused(gap_limit), given: 0, seen: 0, used: 0, bound: None }
    }

    /// The addresses with these indexes.
    pub(super) const fn of(range: Range<u32>) -> Self {
        let Range { start, end } = range;
        Self { until: Until::Index(end), given: start, seen: start, used: start, bound: None }
    }

    /// Gives the node no more than the next `count` addresses for now.
    pub(super) fn hold_after(&mut self, count: u32) {
        self.bound = Some(self.given.saturating_add(count));
    }

    /// Whether the node will soon have looked at all that it is given for now.
    pub(super) fn is_held(&self) -> bool {
        self.bound.is_some_and(|bound| self.seen >= bound)
    }

    /// Gives it as many as it can use.
    pub(super) fn release(&mut self) {
        self.bound = None;
    }

    /// The index of the address that the node looks at next.
    pub(super) const fn next_seen(&self) -> u32 {
        self.seen
    }

    /// After how many unused addresses in a row the node shall end. Where the list is to end at an index,
    /// that is as many as it takes.
    pub(super) const fn gap_limit(&self) -> u32 {
        match self.until {
            Until::Unused(gap_limit) => gap_limit,
            Until::Index(_) => NODE_MAX_GAP_LIMIT,
        }
    }

    /// Whether nothing comes after what was given so far.
    pub(super) fn is_complete(&self) -> bool {
        matches!(self.until, Until::Index(end) if self.given >= end)
    }

    /// The node looks at the address at `index`.
    pub(super) fn saw(&mut self, index: u32) {
        self.seen = index.saturating_add(1);
    }

    /// The address that the node looks at has a history.
    pub(super) fn found(&mut self) {
        self.used = self.seen;
    }

    /// The indexes to give to the node next, if it is time. It is sure to look at all up to the last one or,
    /// where a gap limit ends the list, at as many past the last used address as that says; the longer a
    /// history has been, the further it is expected to go on.
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

    /// Whether the addresses below `used` have a history and the others don't: how many are given until the
    /// node has seen enough.
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
