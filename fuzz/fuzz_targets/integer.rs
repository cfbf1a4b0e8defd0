//! An amount is read exactly, whatever its spelling, and never through floating point.
#![no_main]

use headless_wallet::api::{Compat, Request};
use headless_wallet::json;
use headless_wallet::operations::SimpleSendTx;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

/// Below this, a double has every integer.
const EXACT: f64 = 9_007_199_254_740_992.0;

fuzz_target!(|text: &str| {
    let number = json::read(text.as_bytes()).ok().filter(Value::is_number);
    for value in [Some(Value::from(text)), number].into_iter().flatten() {
        let body = json!({"address": "WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "value": value});
        let read = SimpleSendTx::read(body.as_object().expect("it is one"), Compat::Documented);
        let read = read.map(|request| request.value.cents());
        if let Ok(digits) = text.parse::<u64>()
            && digits > 0
            && !text.starts_with('+')
        {
            assert_eq!(read.as_ref().ok(), Some(&u128::from(digits)));
        } else if let (Ok(cents), Ok(double)) = (read, text.trim().parse::<f64>())
            && double < EXACT
        {
            assert_eq!(cents as f64, double);
        }
    }
});
