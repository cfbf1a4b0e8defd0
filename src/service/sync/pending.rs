//! What a node tells of while a history is being loaded: newer than the history's pages, so applied after
//! them.

use crate::ledger::Vertex;
use std::collections::HashSet;

/// The most that is kept, in inputs and outputs: some 30 MB.
const MOST: usize = 200_000;

/// Vertices in the order in which they were told of.
#[derive(Default)]
pub(super) struct Pending {
    vertices: Vec<Vertex>,
    /// What they take together, in inputs and outputs.
    size: usize,
}

/// There is more than is kept.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooMuch;

impl Pending {
    /// Takes one more.
    pub(super) fn push(&mut self, vertex: Vertex) -> Result<(), TooMuch> {
        self.size += size(&vertex);
        self.vertices.push(vertex);
        if self.size <= MOST {
            return Ok(());
        }
        self.forget_repeated();
        // Where less than half of it is repeated, it would soon have to be gone through again.
        if self.size > MOST / 2 { Err(TooMuch) } else { Ok(()) }
    }

    /// All, and none are left.
    pub(super) fn take(&mut self) -> Vec<Vertex> {
        self.size = 0;
        std::mem::take(&mut self.vertices)
    }

    /// A vertex is told of again and again, and the last counts.
    fn forget_repeated(&mut self) {
        let mut seen = HashSet::new();
        let mut last: Vec<Vertex> =
            self.take().into_iter().rev().filter(|vertex| seen.insert(vertex.id)).collect();
        last.reverse();
        self.size = last.iter().map(size).sum();
        self.vertices = last;
    }
}

fn size(vertex: &Vertex) -> usize {
    1 + vertex.inputs.len() + vertex.outputs.len()
}

#[cfg(test)]
mod tests {
    use super::{MOST, Pending, TooMuch};
    use crate::ledger::{Vertex, VertexId};

    fn vertex(number: usize, timestamp: u32) -> Vertex {
        let mut id = [0; 32];
        id[..8].copy_from_slice(&number.to_be_bytes());
        Vertex {
            id: VertexId(id),
            version: 1,
            weight: 0.0,
            timestamp,
            voided: false,
            first_block: None,
            height: None,
            parents: vec![],
            inputs: vec![],
            outputs: vec![],
            creates: None,
            nano: None,
        }
    }

    #[test]
    fn the_last_of_each_is_kept_in_order_however_often_they_come() {
        let mut pending = Pending::default();
        for time in 0..5 * MOST {
            assert_eq!(pending.push(vertex(time % 10, time as u32)), Ok(()));
        }
        assert!(pending.vertices.len() <= MOST);
        let kept = pending.take();
        let last: Vec<_> = kept[kept.len() - 10..].iter().map(|vertex| vertex.timestamp as usize).collect();
        assert_eq!(last, (5 * MOST - 10..5 * MOST).collect::<Vec<_>>());
        assert_eq!(pending.take(), []);
    }

    #[test]
    fn too_many_different_ones_are_too_much() {
        let mut pending = Pending::default();
        let first = (0..=MOST).find(|number| pending.push(vertex(*number, 0)) == Err(TooMuch));
        assert_eq!(first, Some(MOST));
    }
}
