//! Reading the vector files.

use headless_wallet::ledger::{Amount, Network};
use serde_json::Value;

/// The file of that name.
pub fn load(name: &str) -> Value {
    let path = format!("{}/tests/vectors/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What the accessors below say of a value that is not as expected.
pub trait Field {
    fn list(&self, key: &str) -> &[Value];
    fn text(&self, key: &str) -> &str;
    fn number(&self, key: &str) -> u64;
    fn float(&self, key: &str) -> f64;
    fn bytes(&self, key: &str) -> Vec<u8>;
    fn amount(&self, key: &str) -> Amount;
    fn network(&self) -> Network;
}

impl Field for Value {
    fn list(&self, key: &str) -> &[Value] {
        self[key].as_array().unwrap_or_else(|| panic!("{key} is no list in {self}"))
    }
    fn text(&self, key: &str) -> &str {
        self[key].as_str().unwrap_or_else(|| panic!("{key} is no text in {self}"))
    }
    fn number(&self, key: &str) -> u64 {
        self[key].as_u64().unwrap_or_else(|| panic!("{key} is no number in {self}"))
    }
    fn float(&self, key: &str) -> f64 {
        self[key].as_f64().unwrap_or_else(|| panic!("{key} is no number in {self}"))
    }
    fn bytes(&self, key: &str) -> Vec<u8> {
        hex::decode(self.text(key)).unwrap_or_else(|error| panic!("{key}: {error} in {self}"))
    }
    fn amount(&self, key: &str) -> Amount {
        self.text(key).parse().unwrap_or_else(|error| panic!("{key}: {error} in {self}"))
    }
    fn network(&self) -> Network {
        self.text("network").parse().unwrap_or_else(|error| panic!("{error} in {self}"))
    }
}
