//! Buffers for long answers, used again. All memory that the program gives back is wiped, and a buffer that
//! grows is given back each time: for long answers that is much of their cost.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Shorter texts are in buffers of their own: wiping these costs less than looking for one.
const LEAST_BYTES: usize = 8 * 1024;
/// Texts from here on are long. Theirs are few and large, so they would take the places of all others.
const LONG_BYTES: usize = 64 * 1024;
/// A text that fills less than this part of its buffer is copied out of it: whoever is slow to read it does
/// not hold the rest.
const LEAST_FILLED: usize = 8;

/// For lists of some hundred outputs, and some ten transactions.
static SHORT: Pool = Pool { max_kept: 32, max_bytes: 2 << 20, kept: Mutex::new(Vec::new()) };
/// Enough for the whole history of some thousand transactions, asked for over several connections at once.
static LONG: Pool = Pool { max_kept: 8, max_bytes: 24 << 20, kept: Mutex::new(Vec::new()) };

/// Buffers that nobody uses, for texts of a kind.
struct Pool {
    max_kept: usize,
    /// In all of them.
    max_bytes: usize,
    kept: Mutex<Vec<Vec<u8>>>,
}

/// An empty buffer for a text of about `bytes`, which may have no room yet.
pub(crate) fn take(bytes: usize) -> Vec<u8> {
    let Some(pool) = Pool::of(bytes) else { return Vec::with_capacity(bytes) };
    pool.take(|capacity| (bytes..bytes.saturating_mul(LEAST_FILLED / 2)).contains(&capacity))
}

/// An empty buffer for a text of `bytes` or many more: the biggest one, where that is not a short one.
pub(crate) fn take_for_at_least(bytes: usize) -> Vec<u8> {
    if bytes < LONG_BYTES { take(bytes) } else { LONG.take(|_| true) }
}

impl Pool {
    /// The one that keeps buffers of so many bytes, if they are kept.
    fn of(bytes: usize) -> Option<&'static Self> {
        match bytes {
            0..LEAST_BYTES => None,
            LEAST_BYTES..LONG_BYTES => Some(&SHORT),
            _ => Some(&LONG),
        }
    }

    /// The biggest one that fits.
    fn take(&self, fits: impl Fn(usize) -> bool) -> Vec<u8> {
        let mut kept = self.kept();
        let fitting = kept.iter().enumerate().filter(|(_, buffer)| fits(buffer.capacity()));
        let biggest = fitting.max_by_key(|(_, buffer)| buffer.capacity()).map(|(place, _)| place);
        biggest.map(|place| kept.swap_remove(place)).unwrap_or_default()
    }

    fn keep(&self, mut buffer: Vec<u8>) {
        let mut kept = self.kept();
        let bytes: usize = kept.iter().map(Vec::capacity).sum();
        if kept.len() < self.max_kept && bytes + buffer.capacity() <= self.max_bytes {
            buffer.clear();
            kept.push(buffer);
        }
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A text in its buffer, which is kept for others when this is dropped.
pub(crate) struct Buffer(Vec<u8>);

impl From<Vec<u8>> for Buffer {
    fn from(text: Vec<u8>) -> Self {
        let buffer = Self(text);
        let is_sparse = buffer.0.len() < buffer.0.capacity() / LEAST_FILLED;
        if is_sparse && buffer.0.capacity() >= LEAST_BYTES { Self(buffer.0.clone()) } else { buffer }
    }
}

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let buffer = std::mem::take(&mut self.0);
        if let Some(pool) = Pool::of(buffer.capacity()) {
            pool.keep(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: usize) -> Buffer {
        Buffer::from(vec![7; bytes])
    }

    #[test]
    fn a_long_buffer_is_used_again_where_it_fits() {
        const TEXT: usize = 5 * LONG_BYTES;
        let kept = || LONG.kept().len();
        let answer = text(TEXT);
        assert_eq!((answer.0.len(), kept()), (TEXT, 0), "it is not free before it was sent");
        drop(answer);
        assert_eq!(take(TEXT + 1).capacity(), 0, "too small");
        assert_eq!(take(TEXT / 4).capacity(), 0, "too big");
        assert_eq!((take(TEXT / 4 + 1).capacity(), kept()), (TEXT, 0));

        drop([text(LONG_BYTES), text(3 * LONG_BYTES), text(2 * LONG_BYTES)]);
        let biggest = || take_for_at_least(LONG_BYTES).capacity();
        assert_eq!([3 * LONG_BYTES, 2 * LONG_BYTES, LONG_BYTES, 0], [(); 4].map(|()| biggest()));

        drop(text(TEXT));
        assert_eq!((take(7).capacity(), take_for_at_least(7).capacity(), kept()), (7, 7, 1));
        assert_eq!(biggest(), TEXT);

        drop(text(LONG.max_bytes + 1));
        assert_eq!(kept(), 0, "too big to be kept");
        drop([text(LONG.max_bytes / 2), text(LONG.max_bytes / 2), text(LONG_BYTES)]);
        assert_eq!([LONG.max_bytes / 2, LONG.max_bytes / 2, 0], [(); 3].map(|()| biggest()));

        let mut sparse = Vec::with_capacity(TEXT);
        sparse.push(7);
        let answer = Buffer::from(sparse);
        assert_eq!((answer.as_ref(), kept()), (&[7][..], 1), "a copy: the buffer is free already");

        drop((0..=LONG.max_kept).map(|_| text(LONG_BYTES)).collect::<Vec<_>>());
        assert_eq!(kept(), LONG.max_kept);
    }

    #[test]
    fn a_short_buffer_takes_the_place_of_no_long_one() {
        let kept = || SHORT.kept().len();
        drop(text(LEAST_BYTES - 1));
        assert_eq!(kept(), 0, "too short to be kept");
        drop((0..=SHORT.max_kept).map(|_| text(LEAST_BYTES)).collect::<Vec<_>>());
        assert_eq!(kept(), SHORT.max_kept);
        assert_eq!(take(LEAST_BYTES + 1).capacity(), 0, "too small");
        assert_eq!(take_for_at_least(LEAST_BYTES).capacity(), LEAST_BYTES);
        assert_eq!(kept(), SHORT.max_kept - 1);
    }
}
