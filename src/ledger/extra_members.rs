//! Members that a full node adds to its JSON of transactions and that are not known here. They are passed on
//! to clients as they came.

use std::borrow::Cow;

/// What the members belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The transaction or block itself.
    Whole,
    /// The input at an index.
    Input(u8),
    /// The output at an index.
    Output(u8),
}

/// The members, by what they belong to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExtraMembers(Vec<(Part, Cow<'static, str>)>);

impl ExtraMembers {
    /// What nodes from release 0.71 on add to each input.
    pub const TRANSPARENT: &'static str = r#""type":"transparent""#;
    /// The most bytes of one transaction's: more than nodes add to one of 255 inputs and 255 outputs.
    pub const MAX_BYTES: usize = 32 * 1024;

    /// Members of a part, as JSON without the braces: `"a":1,"b":[]`. Parts come in their order.
    pub fn push(&mut self, part: Part, members: Cow<'static, str>) {
        debug_assert!(self.0.last().is_none_or(|(last, _)| *last < part));
        if !members.is_empty() {
            self.0.push((part, members));
        }
    }

    /// The members of a part.
    pub fn of(&self, part: Part) -> Option<&str> {
        let index = self.0.binary_search_by_key(&part, |(part, _)| *part).ok()?;
        Some(&self.0[index].1)
    }

    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, in the order of their parts.
    pub fn iter(&self) -> impl Iterator<Item = (Part, &str)> {
        self.0.iter().map(|(part, members)| (*part, &**members))
    }

    /// These, or none if they are too long to be kept.
    pub fn within_bounds(self) -> Option<Self> {
        let bytes: usize = self.0.iter().map(|(_, members)| members.len()).sum();
        (bytes <= Self::MAX_BYTES).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_by_their_part_and_bounded_together() {
        let mut extra = ExtraMembers::default();
        extra.push(Part::Whole, "".into());
        assert!(extra.is_empty(), "nothing is nothing");
        extra.push(Part::Input(0), ExtraMembers::TRANSPARENT.into());
        extra.push(Part::Input(2), r#""a":1"#.into());
        extra.push(Part::Output(0), r#""b":2"#.into());
        let found = [Part::Whole, Part::Input(0), Part::Input(1), Part::Input(2), Part::Output(0)];
        assert_eq!(
            found.map(|part| extra.of(part)),
            [None, Some(ExtraMembers::TRANSPARENT), None, Some(r#""a":1"#), Some(r#""b":2"#)]
        );
        assert_eq!(extra.clone().within_bounds(), Some(extra.clone()));
        extra.push(Part::Output(1), "x".repeat(ExtraMembers::MAX_BYTES).into());
        assert_eq!(extra.within_bounds(), None);
    }
}
