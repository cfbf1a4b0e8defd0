//! Lists of what comes over the socket. A transaction has no more of anything, and without a bound a frame of
//! two bytes for each element would take many times its length.

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;

/// Most elements: as many signatures as inputs can be, and one of the caller.
const MOST: usize = 256;

/// Reads a list of so many at most, and nothing of a longer one.
pub(super) fn few<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    struct Few<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>> Visitor<'de> for Few<T> {
        type Value = Vec<T>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a list of {MOST} elements at most")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Vec<T>, A::Error> {
            let mut list = Vec::new();
            while let Some(element) = elements.next_element()? {
                if list.len() == MOST {
                    return Err(A::Error::custom(format!("a list has more than {MOST} elements")));
                }
                list.push(element);
            }
            Ok(list)
        }
    }
    from.deserialize_seq(Few(PhantomData))
}
