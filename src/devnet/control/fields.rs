//! The fields of a control request, read one by one so that an error can name the field that it is about.

use crate::json;
use crate::ledger::Address;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// What is left of a request's fields.
pub(super) struct Fields(Map<String, Value>);

impl Fields {
    /// Reads a body; none at all is a request without fields.
    pub(super) fn parse(headers: &HeaderMap, body: &[u8]) -> Result<Self, String> {
        if body.is_empty() {
            return Ok(Self(Map::new()));
        }
        let media_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()?.split(';').next());
        if !media_type.is_some_and(|text| text.trim().eq_ignore_ascii_case("application/json")) {
            return Err("body: send it with `Content-Type: application/json`".to_owned());
        }
        match json::read_unique(body) {
            Ok(Value::Object(fields)) => Ok(Self(fields)),
            Ok(_) => Err("body: expected a JSON object".to_owned()),
            Err(error) => Err(format!("body: {error}")),
        }
    }

    fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(format!("{name}: expected a text")),
        }
    }

    /// An object of texts, by any names.
    pub(super) fn texts(&mut self, name: &str) -> Result<Option<BTreeMap<String, String>>, String> {
        let object = self.take(name).map(serde_json::from_value).transpose();
        object.map_err(|_| format!("{name}: expected an object of texts"))
    }

    pub(super) fn integer(&mut self, name: &str, min: u64, max: u64) -> Result<Option<u64>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(value) => match value.as_u64().filter(|number| (min..=max).contains(number)) {
                Some(number) => Ok(Some(number)),
                None => Err(format!("{name}: expected a whole number from {min} to {max}")),
            },
        }
    }

    pub(super) fn address(&mut self, name: &str) -> Result<Option<Address>, String> {
        let text = self.text(name)?;
        text.map(|text| super::parse_address(&text).map_err(|error| format!("{name}: {error}"))).transpose()
    }

    /// One of a set of words.
    pub(super) fn choice<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>, String> {
        let word = self.take(name);
        word.map(|word| serde_json::from_value(word).map_err(|error| format!("{name}: {error}"))).transpose()
    }

    /// An HTTP status that says no.
    pub(super) fn status(&mut self, name: &str) -> Result<Option<u16>, String> {
        Ok(self.integer(name, 400, 599)?.and_then(|status| u16::try_from(status).ok()))
    }

    /// Seconds to wait before the next try.
    pub(super) fn retry_after(&mut self) -> Result<Option<u32>, String> {
        let seconds = self.integer("retry_after", 0, u32::MAX.into())?;
        Ok(seconds.and_then(|seconds| u32::try_from(seconds).ok()))
    }

    /// Demands that nothing is left.
    pub(super) fn finish(&self) -> Result<(), String> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => Err(format!("{name}: there is no such field")),
        }
    }
}
