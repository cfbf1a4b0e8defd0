//! Buffers for long answers, used again. All memory that the program gives back is wiped, and a buffer that
//! grows is given back each time: for answers of hundreds of kilobytes that is much of their cost.

use axum::body::Bytes;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Most buffers that are kept, and the most bytes in all of them: enough for the whole history of some
/// thousand transactions, asked for over several connections at once.
const MAX_KEPT: usize = 8;
const MAX_KEPT_BYTES: usize = 24 << 20;
/// Shorter texts are in buffers of their own: wiping these costs less than looking for one.
const LEAST_BYTES: usize = 64 * 1024;
/// A text that fills less than this part of its buffer is copied out of it: whoever is slow to read it does
/// not hold the rest.
const LEAST_FILLED: usize = 8;

static KEPT: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());

/// An empty buffer for a text of about `bytes`, which may have no room yet.
pub(super) fn take(bytes: usize) -> Vec<u8> {
    if bytes < LEAST_BYTES {
        return Vec::with_capacity(bytes);
    }
    take_from(|capacity| (bytes..bytes.saturating_mul(LEAST_FILLED / 2)).contains(&capacity))
}

/// An empty buffer for a text of `bytes` or many more: the biggest one, where that is not a short one.
pub(super) fn take_for_at_least(bytes: usize) -> Vec<u8> {
    if bytes < LEAST_BYTES { Vec::with_capacity(bytes) } else { take_from(|_| true) }
}

fn take_from(fits: impl Fn(usize) -> bool) -> Vec<u8> {
    let mut kept = kept();
    let fitting = kept.iter().enumerate().filter(|(_, buffer)| fits(buffer.capacity()));
    let biggest = fitting.max_by_key(|(_, buffer)| buffer.capacity()).map(|(place, _)| place);
    biggest.map(|place| kept.swap_remove(place)).unwrap_or_default()
}

/// What was written into a buffer, which is kept for others when the last part of it has been sent.
pub(super) fn filled(text: Vec<u8>) -> Bytes {
    if text.capacity() < LEAST_BYTES {
        return Bytes::from(text);
    }
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
        let bytes: usize = kept.iter().map(Vec::capacity).sum();
        if kept.len() < MAX_KEPT && bytes + buffer.capacity() <= MAX_KEPT_BYTES {
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
        const TEXT: usize = 5 * LEAST_BYTES;
        let text = |bytes| filled(vec![7; bytes]);
        let answer = text(TEXT);
        assert_eq!((answer.len(), kept().len()), (TEXT, 0), "it is not free before it was sent");
        drop(answer);
        assert_eq!(take(TEXT + 1).capacity(), 0, "too small");
        assert_eq!(take(TEXT / 4).capacity(), 0, "too big");
        assert_eq!((take(TEXT / 4 + 1).capacity(), kept().len()), (TEXT, 0));

        drop([text(LEAST_BYTES), text(3 * LEAST_BYTES), text(2 * LEAST_BYTES)]);
        let biggest = || take_for_at_least(LEAST_BYTES).capacity();
        assert_eq!([3 * LEAST_BYTES, 2 * LEAST_BYTES, LEAST_BYTES, 0], [(); 4].map(|()| biggest()));

        drop(text(LEAST_BYTES - 1));
        assert_eq!(kept().len(), 0, "too short to be kept");
        drop(text(TEXT));
        assert_eq!((take(7).capacity(), take_for_at_least(7).capacity(), kept().len()), (7, 7, 1));
        assert_eq!(biggest(), TEXT);

        drop(text(MAX_KEPT_BYTES + 1));
        assert_eq!(kept().len(), 0, "too big to be kept");
        drop([text(MAX_KEPT_BYTES / 2), text(MAX_KEPT_BYTES / 2), text(LEAST_BYTES)]);
        assert_eq!([MAX_KEPT_BYTES / 2, MAX_KEPT_BYTES / 2, 0], [(); 3].map(|()| biggest()));

        let mut sparse = Vec::with_capacity(TEXT);
        sparse.push(7);
        let answer = filled(sparse);
        assert_eq!((answer.as_ref(), kept().len()), (&[7][..], 1), "a copy: the buffer is free already");

        drop((0..=MAX_KEPT).map(|_| text(LEAST_BYTES)).collect::<Vec<_>>());
        assert_eq!(kept().len(), MAX_KEPT);
    }
}
