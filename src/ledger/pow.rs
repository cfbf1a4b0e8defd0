//! Proof of work: the least weight of a transaction, targets, and the search for a nonce.

use super::{Amount, Transaction, VertexId};
use crate::rt;
use sha2::block_api::compress256;
use std::ops::Range;

/// Whether `id` is small enough for `weight` (full node: `int(id) < int(2**(256 - weight) - 1)` in double
/// precision). A weight that is not a number, or so low that the power overflows, is never met.
pub fn target_met(id: &VertexId, weight: f64) -> bool {
    greatest_hash(weight).is_some_and(|greatest| id.0 <= greatest)
}

/// The greatest hash that meets `weight`, if any does.
fn greatest_hash(weight: f64) -> Option<[u8; 32]> {
    let limit = (rt::exp2(256.0 - weight) - 1.0).floor();
    if !limit.is_finite() || limit < 1.0 {
        return None;
    }
    // A double of at least 1 is 1.fraction times 2^exponent.
    let bits = limit.to_bits();
    let exponent = usize::try_from((bits >> 52) - 1023).expect("at least 1");
    if exponent >= 256 {
        return Some([0xff; 32]);
    }
    let significand = (bits & ((1 << 52) - 1)) | (1 << 52);
    let mut greatest = [0u8; 32];
    for bit in 0..=52 {
        // The limit is a whole number, so bits that would fall below the point are zero.
        if significand >> bit & 1 == 1 && exponent + bit >= 52 {
            let place = exponent + bit - 52;
            greatest[31 - place / 8] |= 1 << (place % 8);
        }
    }
    for byte in greatest.iter_mut().rev() {
        let (less, borrow) = byte.overflowing_sub(1);
        *byte = less;
        if !borrow {
            break;
        }
    }
    Some(greatest)
}

const INITIAL_STATE: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// A search for a nonce, over the 64 mining bytes; the hash state of those is kept so that a try costs two
/// compressions.
#[derive(Clone, Debug)]
pub struct MiningJob {
    midstate: [u32; 8],
    /// The greatest hash that will do, if any does.
    greatest: Option<[u8; 32]>,
}

impl MiningJob {
    /// A job for what [`super::Transaction::mining_bytes`] or [`super::Block::mining_bytes`] gives.
    pub fn new(mining_bytes: &[u8; 64], weight: f64) -> Self {
        let mut midstate = INITIAL_STATE;
        compress256(&mut midstate, &[*mining_bytes]);
        Self { midstate, greatest: greatest_hash(weight) }
    }

    /// Tries the nonces of `range` (those below 2^32); the first that works.
    pub fn search(&self, range: Range<u64>) -> Option<u32> {
        let greatest = self.greatest.as_ref()?;
        let mut inner = padded_block(16, 80);
        let mut outer = padded_block(32, 32);
        let end = range.end.min(1 << 32);
        for nonce in range.start..end {
            let nonce = u32::try_from(nonce).expect("the range ends at 2^32");
            inner[12..16].copy_from_slice(&nonce.to_be_bytes());
            let mut state = self.midstate;
            compress256(&mut state, &[inner]);
            for (bytes, word) in outer.chunks_exact_mut(4).zip(state) {
                bytes.copy_from_slice(&word.to_be_bytes());
            }
            let mut state = INITIAL_STATE;
            compress256(&mut state, &[outer]);
            // The hash is the digest reversed, so its first bytes are in the last word.
            let leading = state[7].swap_bytes();
            if leading.to_be_bytes() <= [greatest[0], greatest[1], greatest[2], greatest[3]]
                && hash_of(&state) <= *greatest
            {
                return Some(nonce);
            }
        }
        None
    }
}

/// A last SHA-256 block with `len` bytes of message to be filled in, of a message of `total` bytes.
fn padded_block(len: usize, total: u64) -> [u8; 64] {
    let mut block = [0; 64];
    block[len] = 0x80;
    block[56..].copy_from_slice(&(total * 8).to_be_bytes());
    block
}

/// The digest of `state`, reversed.
fn hash_of(state: &[u32; 8]) -> [u8; 32] {
    let mut hash = [0; 32];
    for (bytes, word) in hash.chunks_exact_mut(4).zip(state.iter().rev()) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    hash
}

// The least weight a transaction must have.

pub(crate) const PARENTS_BYTES: usize = 64;
/// Full nodes compare with a tolerance of 1e-10; logarithms differ more than that between platforms' last
/// bits.
const AGAINST_ROUNDING: f64 = 1e-6;

/// What the formula depends on, as the node publishes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightConstants {
    pub min_weight: f64,
    pub coefficient: f64,
    pub k: f64,
}

impl WeightConstants {
    pub const MAINNET: Self = Self { min_weight: 14.0, coefficient: 1.6, k: 100.0 };
    pub const TESTNET: Self = Self { min_weight: 8.0, coefficient: 0.0, k: 0.0 };
    /// A private network, as its settings come.
    pub const PRIVATENET: Self = Self { min_weight: 1.0, coefficient: 0.0, k: 0.0 };

    /// What a wallet asks for: the node's minimum for the transaction once it has two parents, and 1e-6 more
    /// against rounding. The input data must be in place, for its bytes count.
    pub fn wallet_weight(&self, tx: &Transaction) -> f64 {
        let parents_to_come = if tx.parents.is_empty() { PARENTS_BYTES } else { 0 };
        self.of(tx.size() + parents_to_come, tx.outputs_sum()) + AGAINST_ROUNDING
    }

    /// What the node demands at the least of the transaction as it is.
    pub fn min_weight_of(&self, tx: &Transaction) -> f64 {
        self.of(tx.size(), tx.outputs_sum())
    }

    /// The formula: `size` in bytes, `sum` over the outputs of all tokens that are no authorities.
    pub fn of(&self, size: usize, sum: Amount) -> f64 {
        let sum = if sum.is_zero() { Amount::new(1) } else { sum };
        let amount = (sum.cents() as f64 + sum.part() as f64 / 1e16) / 100.0;
        let weight = self.coefficient * rt::log2(size as f64) + 4.0 / (1.0 + self.k / amount) + 4.0;
        weight.max(self.min_weight)
    }
}
