//! How answers are written: as JavaScript values in a page, as JSON anywhere else.

use super::call::{Answer, Call};
use super::error::CallError;
use crate::api::{HistoryEntry, Success, UtxoList};
use crate::ledger::{Vertex, VertexId};
use crate::wallet::State;
use serde::Serialize;

/// Transactions of a history that are read while the state is locked: tens of microseconds.
#[cfg(feature = "native")]
const READ_AT_ONCE: usize = 16;

/// Any answer, written.
///
/// # Errors
/// None.
#[cfg(not(target_arch = "wasm32"))]
pub fn write(answer: &impl Serialize) -> Result<Answer, CallError> {
    Ok(serde_json::to_vec(answer).expect("answers have text keys and no failing parts"))
}

/// Any answer, written. Amounts are 128-bit integers, and the only such: they become `bigint`, counts and
/// times become numbers.
///
/// # Errors
/// [`CallError::Unwritten`] of an answer that JavaScript has no value for.
#[cfg(target_arch = "wasm32")]
pub fn write(answer: &impl Serialize) -> Result<Answer, CallError> {
    const SERIALIZER: serde_wasm_bindgen::Serializer =
        serde_wasm_bindgen::Serializer::new().serialize_maps_as_objects(true).serialize_missing_as_null(true);
    answer.serialize(&SERIALIZER).map_err(|error| CallError::Unwritten(error.to_string()))
}

impl Call<'_> {
    pub(super) fn give(&self, answer: &impl Serialize) -> Result<Answer, CallError> {
        write(answer)
    }
    pub(super) fn success(&self) -> Result<Answer, CallError> {
        self.give(&Success)
    }
    /// The entry of a history.
    fn entry<'v>(&self, vertex: &'v Vertex) -> HistoryEntry<'v> {
        HistoryEntry { vertex, network: self.network(), compat: self.compat }
    }
    /// A list of outputs.
    #[cfg(feature = "native")]
    pub(super) fn utxos(&self, list: &UtxoList<'_>) -> Result<Answer, CallError> {
        let mut text = super::buffers::take(list.json_bytes());
        list.write_json(&mut text);
        Ok(text)
    }
    /// A list of outputs.
    #[cfg(not(feature = "native"))]
    pub(super) fn utxos(&self, list: &UtxoList<'_>) -> Result<Answer, CallError> {
        self.give(list)
    }
    /// A transaction of the history.
    #[cfg(feature = "native")]
    pub(super) fn transaction(&self, _: &State, vertex: &Vertex) -> Result<Answer, CallError> {
        self.give(&self.entry(vertex))
    }
    /// A transaction of the history, with what the wallet knows of it besides.
    #[cfg(not(feature = "native"))]
    pub(super) fn transaction(&self, state: &State, vertex: &Vertex) -> Result<Answer, CallError> {
        let (execution, effect) = (state.execution(vertex), self.wallet.effect(state, vertex));
        self.give(&crate::api::HistoryTransaction { entry: self.entry(vertex), execution, effect })
    }
    /// Transactions of the history; by their ids where `keyed`.
    #[cfg(feature = "native")]
    pub(super) fn history(&self, ids: &[VertexId], keyed: bool) -> Result<Answer, CallError> {
        use crate::api::HistoryText;
        let buffer = super::buffers::take_for_at_least(HistoryText::least_bytes(ids.len()));
        let mut text = HistoryText::new(buffer, ids.len(), keyed, self.network(), self.compat);
        // No send waits for the state until all of a long history is written.
        for some in ids.chunks(READ_AT_ONCE) {
            let read = |state: &State| some.iter().filter_map(|id| state.vertex(id)).collect();
            let vertices: Vec<_> = self.wallet.read(|state, _| read(state))?;
            vertices.iter().for_each(|vertex| text.push(vertex));
        }
        Ok(text.finish())
    }
    /// Transactions of the history.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn history(&self, ids: &[VertexId], _: bool) -> Result<Answer, CallError> {
        self.wallet.read(|state, _| {
            let vertices = ids.iter().filter_map(|id| state.vertex(id));
            let entries = vertices.map(|vertex| self.transaction(state, &vertex));
            Ok(entries.collect::<Result<js_sys::Array, _>>()?.into())
        })?
    }
}
