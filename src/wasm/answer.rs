//! Answers as JavaScript values: plain objects and arrays, amounts as `bigint`, everything else as in the
//! JSON of the HTTP interface.

use super::failure::Failure;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

/// Amounts are 128-bit integers, and the only such: they become `bigint`, counts and times become numbers.
const SERIALIZER: Serializer =
    Serializer::new().serialize_maps_as_objects(true).serialize_missing_as_null(true);

pub(super) fn to_js(answer: &(impl Serialize + ?Sized)) -> Result<JsValue, Failure> {
    answer.serialize(&SERIALIZER).map_err(Failure::internal)
}
