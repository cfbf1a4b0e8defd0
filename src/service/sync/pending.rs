//! Notifications that arrive while a history is being loaded: newer than the history's pages, so applied
//! after them.

use crate::ledger::{Vertex, VertexId};
use std::collections::HashSet;
use std::sync::Arc;

/// Most inputs and outputs kept: some 30 MB.
const MOST: usize = 200_000;
/// Most repetitions counted: those of one transaction with the largest number of outputs.
const MOST_REPEATED: usize = 256;

/// Vertices in the order of their notifications.
#[derive(Default)]
pub(super) struct Pending {
    vertices: Vec<Arc<Vertex>>,
    /// The last vertex notified, applied or not, unless the wallet may have a different one since. A node
    /// repeats it for each of its addresses.
    last: Option<Arc<Vertex>>,
    /// The ids of repeated vertices, once per repetition.
    repeated: Vec<VertexId>,
    /// In inputs and outputs.
    size: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooMuch;

impl Pending {
    pub(super) fn push(&mut self, vertex: Arc<Vertex>) -> Result<(), TooMuch> {
        if self.last.as_ref().is_some_and(|last| Arc::ptr_eq(last, &vertex)) {
            if self.repeated.len() < MOST_REPEATED {
                self.repeated.push(vertex.id);
            }
            return Ok(());
        }
        self.last = Some(vertex.clone());
        self.size += size(&vertex);
        self.vertices.push(vertex);
        if self.size <= MOST {
            return Ok(());
        }
        self.forget_repeated();
        // If less than half was repeated, the limit would soon be reached again.
        if self.size > MOST / 2 { Err(TooMuch) } else { Ok(()) }
    }

    pub(super) fn take(&mut self) -> Vec<Arc<Vertex>> {
        self.size = 0;
        std::mem::take(&mut self.vertices)
    }

    pub(super) fn take_repeated(&mut self) -> Vec<VertexId> {
        std::mem::take(&mut self.repeated)
    }

    /// Something else was applied: the next notification counts as new, even if it repeats the last.
    pub(super) fn may_differ(&mut self) {
        self.last = None;
    }

    /// Keeps only the last of several notifications of a vertex.
    fn forget_repeated(&mut self) {
        let mut seen = HashSet::new();
        let mut last: Vec<Arc<Vertex>> =
            self.take().into_iter().rev().filter(|vertex| seen.insert(vertex.id)).collect();
        last.reverse();
        self.size = last.iter().map(|vertex| size(vertex)).sum();
        self.vertices = last;
    }
}

fn size(vertex: &Vertex) -> usize {
    1 + vertex.inputs.len() + vertex.outputs.len()
}

#[cfg(test)]
mod tests {
    use super::{MOST, Pending, TooMuch};
    use crate::ledger::{ExtraMembers, Vertex, VertexId};
    use std::sync::Arc;

    fn vertex(number: usize, timestamp: u32) -> Arc<Vertex> {
        let mut id = [0; 32];
        id[..8].copy_from_slice(&number.to_be_bytes());
        Arc::new(Vertex {
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
            extra: ExtraMembers::default(),
        })
    }

    #[test]
    fn what_is_told_again_is_pending_once_unless_something_else_came_between() {
        let (first, second) = (vertex(1, 1), vertex(2, 2));
        let mut pending = Pending::default();
        let applied = |pending: &mut Pending, vertices: &[&Arc<Vertex>]| -> Vec<u32> {
            vertices.iter().for_each(|vertex| assert_eq!(pending.push(Arc::clone(vertex)), Ok(())));
            pending.take().iter().map(|vertex| vertex.timestamp).collect()
        };
        assert_eq!(applied(&mut pending, &[&first, &first, &second, &second, &first]), [1, 2, 1]);
        assert_eq!(pending.take_repeated(), [first.id, second.id]);
        assert_eq!(applied(&mut pending, &[&first]), [0; 0], "it was the last one before, too");
        pending.may_differ();
        assert_eq!(applied(&mut pending, &[&first]), [1]);
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
