//! Names that are not known, and those that they are likely to be meant for.

use super::{ConfigError, Origin};

/// Refuses a key of the file. `all` is what the known ones are called.
pub(super) fn unknown(origin: &Origin, key: &str, all: &str, known: &[&'static str]) -> ConfigError {
    if let Some(instead) = instead_of(key) {
        return ConfigError::Value(format!("unknown setting {origin}: {instead}"));
    }
    let meant = nearest(&key.to_ascii_lowercase().replace('-', "_"), known);
    let all = match meant {
        Some(meant) => format!("did you mean `{meant}`? The {all}"),
        None => format!("the {all}"),
    };
    ConfigError::Value(format!("unknown setting {origin}: {all} are {}", known.join(", ")))
}

/// What to set in the place of a setting of release 0.39 that is not here.
pub(super) fn instead_of(key: &str) -> Option<&'static str> {
    key.to_ascii_lowercase().starts_with("hsm").then_some(
        "release 0.39 speaks to one vendor's device by it. Here any token with a PKCS#11 module will do: \
         [signers.<name>] module = \"/usr/lib/…/module.so\", token = \"…\", pin_file = \"…\" (docs/signer.md)",
    )
}

/// The known name that differs least, if no more than a third of its letters do.
pub(super) fn nearest(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let distance = |other: &&str| strsim::osa_distance(name, other);
    known.iter().copied().min_by_key(distance).filter(|other| distance(other) <= other.len() / 3)
}
