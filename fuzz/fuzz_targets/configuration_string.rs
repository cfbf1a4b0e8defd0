//! Whatever is read as a configuration string is written back as it was.
#![no_main]

use headless_wallet::ledger::{
    ConfigurationString, clean_token_text, validate_token_name, validate_token_symbol,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(string) = ConfigurationString::parse(text) {
        assert_eq!(string.to_string(), text);
    }
    let _judged_without_panic = (validate_token_name(text), validate_token_symbol(text));
    let clean = clean_token_text(text);
    assert_eq!(clean_token_text(&clean), clean);
});
