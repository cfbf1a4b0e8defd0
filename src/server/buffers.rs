//! Buffers for long answers, used again. All memory that the program gives back is wiped, and a buffer that
//! grows is given back each time: for answers of hundreds of kilobytes that is much of their cost.

use axum::body::Bytes;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Most buffers that are kept, and the most bytes of each.
const MAX_KEPT: usize = 8;
const MAX_KEPT_BYTES: usize = 1 << 20;
/// A text that fills less than this part of its buffer is copied out of it: whoever is slow to read it does
/// not hold the rest.
const LEAST_FILLED: usize = 8;

static KEPT: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());

/// An empty buffer for a text of about `bytes`, which may have no room yet.
pub(super) fn take(bytes: usize) -> Vec<u8> {
    take_from(|capacity| (bytes..bytes.saturating_mul(LEAST_FILLED / 2)).contains(&capacity))
}

/// An empty buffer for a text that nobody knows the length of: the biggest one.
pub(super) fn take_biggest() -> Vec<u8> {
    take_from(|_| true)
}

fn take_from(fits: impl Fn(usize) -> bool) -> Vec<u8> {
    let mut kept = kept();
    let fitting = kept.iter().enumerate().filter(|(_, buffer)| fits(buffer.capacity()));
    let biggest = fitting.max_by_key(|(_, buffer)| buffer.capacity()).map(|(place, _)| place);
    biggest.map(|place| kept.swap_remove(place)).unwrap_or_default()
}

/// What was written into a buffer, which is kept for others when the last part of it has been sent.
pub(super) fn filled(text: Vec<u8>) -> Bytes {
    let buffer = Buffer(text);
    if buffer.0.len() < buffer.0.capacity() / LEAST_FILLED {
        return Bytes::copy_from_slice(&buffer.0);
    }
    Bytes::from_owner(buffer)
}

struct Buffer(Vec<u8>);

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let mut buffer = std::mem::take(&mut self.0);
        let mut kept = kept();
        if kept.len() < MAX_KEPT && buffer.capacity() <= MAX_KEPT_BYTES {
            buffer.clear();
            kept.push(buffer);
        }
    }
}

fn kept() -> MutexGuard<'static, Vec<Vec<u8>>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_used_again_where_it_fits() {
        let text = |bytes| filled(vec![7; bytes]);
        let answer = text(5_000);
        assert_eq!((answer.len(), kept().len()), (5_000, 0), "it is not free before it was sent");
        drop(answer);
        assert_eq!(take(5_001).capacity(), 0, "too small");
        assert_eq!(take(1_250).capacity(), 0, "too big");
        assert_eq!((take(1_251).capacity(), kept().len()), (5_000, 0));

        drop([text(10), text(30), text(20)]);
        assert_eq!([30, 20, 10, 0], [(); 4].map(|()| take_biggest().capacity()));

        drop(text(MAX_KEPT_BYTES + 1));
        assert_eq!(kept().len(), 0, "too big to be kept");

        let mut sparse = Vec::with_capacity(5_000);
        sparse.push(7);
        let answer = filled(sparse);
        assert_eq!((answer.as_ref(), kept().len()), (&[7][..], 1), "a copy: the buffer is free already");

        drop((0..=MAX_KEPT).map(|_| text(10)).collect::<Vec<_>>());
        assert_eq!(kept().len(), MAX_KEPT);
    }
}
