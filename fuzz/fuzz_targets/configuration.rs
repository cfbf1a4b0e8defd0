//! Whatever a settings file holds, the settings are read or refused, and print without a panic.
#![no_main]

use headless_wallet::server::{Config, Layer};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Layer::toml("settings.toml", text).and_then(|layer| Config::from_layers([layer])) {
        Ok(config) => drop(format!("{config:?}")),
        Err(error) => assert_ne!(error.to_string(), ""),
    }
});
