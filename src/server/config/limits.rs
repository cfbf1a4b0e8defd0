//! `[limits]`: limits on spending of wallets, by their ids; and whether these and those of `[keys]` can hold.

use super::{Config, ConfigError, Origin};
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

impl Config {
    /// Refuses limits that can't mean what they say: with an address of another network, or an approval that
    /// nobody can give. For servers alone: a command beside one need not know its network.
    ///
    /// # Errors
    /// [`ConfigError::Value`], which names the limit.
    pub fn check_limits(&self) -> Result<(), ConfigError> {
        let of_wallets = self.limits.iter().map(|(id, rules)| (format!("limits.{id}"), None, &**rules));
        let of_keys = self
            .keys
            .iter()
            .map(|key| (format!("keys.{}.limits", key.name), Some(&*key.name), &*key.grant.limits));
        for (place, key, rules) in of_wallets.chain(of_keys) {
            for rule in rules {
                let refuse = |why: String| Err(ConfigError::Value(format!("{place}: {why}")));
                if let Err(error) = rule.check_network(self.network) {
                    return refuse(error.to_string());
                }
                let Some(quorum) = rule.quorum() else { continue };
                if self.data_dir.is_none() && self.store.is_none() {
                    return refuse(format!(
                        "the limit \"{rule}\" needs `data_dir` or `store`, where what waits for approval is kept"
                    ));
                }
                if key.is_some_and(|name| !quorum.can_be_met_without(name)) {
                    return refuse(format!(
                        "the limit \"{rule}\" wants the key's own approval: nobody approves what they ask for"
                    ));
                }
            }
        }
        Ok(())
    }
}
