//! Whatever is read as a limit on spending is read as the same one from what it is written as.
#![no_main]

use headless_wallet::limits::Rule;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(rule) = text.parse::<Rule>() {
        assert_eq!(rule.to_string().parse(), Ok(rule));
    }
});
