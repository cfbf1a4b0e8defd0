//! What a fact changed: to be kept by a store, and to be told to listeners.

use super::{PackedVertex, SwapPart};
use crate::ledger::{Outpoint, Vertex, VertexId};
use std::collections::BTreeMap;
use std::ops::Range;

/// Everything that must be kept so that [`State::restore`](super::State::restore) arrives at the same wallet.
///
/// Change sets merge: the newer value of each field stands. What plans have reserved is not in it: that
/// doesn't outlive the process.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChangeSet {
    /// Everything kept before was wrong and is to be dropped: this change set starts anew.
    pub forget: bool,
    /// Transactions and blocks seen or seen anew, whole.
    pub vertices: BTreeMap<VertexId, PackedVertex>,
    /// The index after that of the last address that a gap limit has reached. Only grows.
    pub address_count: Option<u32>,
    /// The index after that of the last address given away. Falls when a smaller gap limit begins anew.
    pub current_index: Option<u32>,
    /// Height of the best block. Falls when blocks are undone.
    pub best_height: Option<u32>,
    /// Outputs that the wallet's user locked, with the first second (Unix) at which they are free again, or
    /// unlocked (`None`).
    pub locked_outpoints: BTreeMap<Outpoint, Option<u32>>,
    /// All that the wallet has put into proposals of swaps, if that changed.
    pub swap_parts: Option<Vec<SwapPart>>,
}

impl ChangeSet {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
    /// Whether the best block is another one, and nothing else changed.
    pub fn is_height_alone(&self) -> bool {
        self.best_height.is_some() && *self == Self { best_height: self.best_height, ..Self::default() }
    }
    /// The vertices, unpacked one by one, in the order of their ids.
    pub fn history(&self) -> impl Iterator<Item = Vertex> + '_ {
        self.vertices.iter().map(|(id, vertex)| vertex.unpack(*id))
    }
    /// As a store gives it once it is written: what was to be forgotten is, and what was unlocked is gone.
    pub fn mark_kept(&mut self) {
        self.forget = false;
        self.locked_outpoints.retain(|_, until| until.is_some());
        self.swap_parts.take_if(|parts| parts.is_empty());
    }
    /// A copy of all but the vertices, which stores have in a place of their own.
    pub(crate) fn without_vertices(&self) -> Self {
        Self {
            vertices: BTreeMap::new(),
            locked_outpoints: self.locked_outpoints.clone(),
            swap_parts: self.swap_parts.clone(),
            ..*self
        }
    }
    /// Adds what happened later.
    pub fn merge(&mut self, later: Self) {
        if later.forget {
            *self = later;
            return;
        }
        self.vertices.extend(later.vertices);
        self.address_count = self.address_count.max(later.address_count);
        self.current_index = later.current_index.or(self.current_index);
        self.best_height = later.best_height.or(self.best_height);
        self.locked_outpoints.extend(later.locked_outpoints);
        if later.swap_parts.is_some() {
            self.swap_parts = later.swap_parts;
        }
    }
}

/// What one fact did to the wallet.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use = "a change that isn't kept is lost at the next start"]
pub struct Update {
    pub changes: ChangeSet,
    /// For listeners, in order.
    pub events: Vec<Event>,
}

/// Something that a listener of the wallet may want to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A transaction or block entered the history.
    NewVertex(VertexId),
    /// One that was known changed: confirmed, voided, un-voided, or one of its outputs spent.
    UpdatedVertex {
        id: VertexId,
        /// It became voided (`true`) or valid again (`false`); `None` when it stayed what it was.
        voided: Option<bool>,
    },
    /// Addresses were derived: watch them and ask for their history. They are counted in the order in which
    /// they were derived.
    NewAddresses(Range<u32>),
    /// The best block's height changed, and perhaps rewards were unlocked.
    BestHeight(u32),
}

impl Event {
    /// Whether it is of a transaction or block.
    pub const fn is_of_vertex(&self) -> bool {
        matches!(self, Self::NewVertex(_) | Self::UpdatedVertex { .. })
    }
}
