//! Proof of work: a nonce for which the hash, as a number, is below 2^(256 - weight).

use super::VertexId;

/// Whether `id` is small enough for `weight` (full node: `int(id) < floor(2^(256 - weight) - 1)` in double precision).
pub fn target_met(id: &VertexId, weight: f64) -> bool {
    todo!("{id} {weight}")
}

/// A search for a nonce, over the 64 mining bytes; the hash state of those is kept so that a try costs two compressions.
#[derive(Clone)]
pub struct MiningJob {/* midstate, target */}

impl MiningJob {
    /// A job for what [`super::Transaction::mining_bytes`] gives.
    pub fn new(mining_bytes: &[u8; 64], weight: f64) -> Self {
        todo!("{mining_bytes:?} {weight}")
    }
    /// Tries the nonces of `range`; the first that works.
    pub fn search(&self, range: std::ops::Range<u64>) -> Option<u32> {
        todo!("{range:?}")
    }
}
