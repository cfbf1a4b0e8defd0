//! `[limits]`: limits on spending of wallets, by their ids.

use super::{ConfigError, Origin};
use crate::limits::Rule;
use std::sync::Arc;

/// The rules of one wallet.
pub(super) fn toml(path: &str, id: &str, value: toml::Value) -> Result<Arc<[Rule]>, ConfigError> {
    let origin = Origin::File { path: path.to_owned(), key: format!("limits.{id}") };
    let texts = match value {
        toml::Value::String(one) => Some(vec![one]),
        value => value.try_into::<Vec<String>>().ok(),
    };
    let texts = texts.ok_or_else(|| ConfigError::Value(format!("{origin} must be an array of texts")))?;
    let rules = texts.iter().map(|text| text.parse()).collect::<Result<Vec<_>, _>>();
    rules
        .map(Arc::from)
        .map_err(|error: crate::limits::RuleError| ConfigError::Value(format!("{origin}: {error}")))
}
