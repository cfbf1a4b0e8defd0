//! What the node says of a packed vertex that is not known here.
//!
//! Neighbouring parts of the same kind with the same members are written once, and members that all inputs
//! have are an index: on a node that gives each input its type, they take 8 bytes of a transaction.

use super::compact::{Reader, Writer};
use crate::ledger::{ExtraMembers, Part};
use std::borrow::Cow;

/// Members that nodes give often. What is stored has their indexes, so this list only grows at its end.
const FREQUENT: &[&str] = &[ExtraMembers::TRANSPARENT];

const WHOLE: u8 = 0;
const INPUT: u8 = 1;
const OUTPUT: u8 = 2;

const fn code(part: Part) -> (u8, u8) {
    match part {
        Part::Whole => (WHOLE, 0),
        Part::Input(index) => (INPUT, index),
        Part::Output(index) => (OUTPUT, index),
    }
}

/// Appends the members, and how many bytes they take.
pub(super) fn write(to: &mut Writer, extra: &ExtraMembers) {
    let start = to.0.len();
    let members: Vec<_> = extra.iter().collect();
    let follows = |(part, text): &(Part, &str), (next, same): &(Part, &str)| {
        let ((kind, index), (next_kind, next_index)) = (code(*part), code(*next));
        kind == next_kind && index.checked_add(1) == Some(next_index) && text == same
    };
    for run in members.chunk_by(follows) {
        let (part, text) = run[0];
        let (kind, first) = code(part);
        to.0.extend([kind, first, run.len() as u8]);
        match FREQUENT.iter().position(|frequent| *frequent == text) {
            Some(index) => to.0.extend([0, index as u8]),
            None => to.bytes(text.as_bytes()),
        }
    }
    let length = u16::try_from(to.0.len() - start).expect("bounded where they are read");
    to.0.extend(length.to_be_bytes());
}

/// What stands before the members, and the members.
pub(super) fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (rest, length) = bytes.split_last_chunk::<2>()?;
    let length = usize::from(u16::from_be_bytes(*length));
    let known = rest.len().checked_sub(length).filter(|_| length > 0)?;
    Some(rest.split_at(known))
}

/// `None` unless [`write()`] wrote the bytes.
pub(super) fn read(bytes: &[u8]) -> Option<ExtraMembers> {
    let mut extra = ExtraMembers::default();
    let (mut from, mut last) = (Reader(bytes), None);
    while !from.is_empty() {
        let (kind, first, count) = (from.byte()?, from.byte()?, from.byte()?);
        let text: Cow<'static, str> = match from.text()? {
            "" => (*FREQUENT.get(usize::from(from.byte()?))?).into(),
            text => text.to_owned().into(),
        };
        let end = u16::from(first) + u16::from(count);
        if count == 0 || end > 256 || kind == WHOLE && end != 1 {
            return None;
        }
        for index in first..=(end - 1) as u8 {
            let part = match kind {
                WHOLE => Part::Whole,
                INPUT => Part::Input(index),
                OUTPUT => Part::Output(index),
                _ => return None,
            };
            if last.replace(part).is_some_and(|last| last >= part) {
                return None;
            }
            extra.push(part, text.clone());
        }
    }
    Some(extra)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::collection::btree_map;
    use proptest::prelude::*;

    pub(in crate::wallet) fn extra() -> impl Strategy<Value = ExtraMembers> {
        let part = prop_oneof![
            Just(Part::Whole),
            any::<u8>().prop_map(Part::Input),
            any::<u8>().prop_map(Part::Output)
        ];
        let few =
            prop_oneof![Just(Part::Whole), (0u8..5).prop_map(Part::Input), (0u8..5).prop_map(Part::Output)];
        let text = prop_oneof![
            Just(ExtraMembers::TRANSPARENT),
            Just(r#""type":"new","x":[1]"#),
            Just(r#""y":null"#)
        ];
        prop_oneof![
            Just(ExtraMembers::default()),
            btree_map(prop_oneof![few, part], text, 0..20).prop_map(|members| {
                let mut extra = ExtraMembers::default();
                members.into_iter().for_each(|(part, text)| extra.push(part, text.into()));
                extra
            })
        ]
    }

    #[test]
    fn the_type_of_all_inputs_takes_eight_bytes() {
        let mut extra = ExtraMembers::default();
        (0..=254).for_each(|index| extra.push(Part::Input(index), ExtraMembers::TRANSPARENT.into()));
        let mut to = Writer(vec![7]);
        write(&mut to, &extra);
        assert_eq!(to.0, [7, 1, 0, 255, 0, 0, 0, 5]);
        let (known, members) = split(&to.0).unwrap();
        assert_eq!((known, read(members)), (&[7][..], Some(extra)));
    }

    #[test]
    fn what_was_not_written_is_not_read() {
        for bytes in [
            &[3, 0, 1, 0, 0][..],
            &[0, 1, 1, 0, 0],
            &[1, 0, 0, 0, 0],
            &[1, 255, 2, 0, 0],
            &[1, 0, 1, 0, 1],
            &[1, 0, 1],
            &[1, 1, 1, 0, 0, 1, 1, 1, 0, 0],
            &[1, 0, 1, 1, 0xff],
        ] {
            assert_eq!(read(bytes), None, "{bytes:?}");
        }
        assert_eq!([split(&[0, 0]), split(&[0]), split(&[1, 0, 2])], [None; 3]);
    }
}
