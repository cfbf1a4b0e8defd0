//! No script and no input data do harm to the local network, whatever they hold.
#![no_main]

use headless_wallet::devnet::chain::{ScriptContext, evaluate_script};
use headless_wallet_fuzz::in_two;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (input_data, output_script) = in_two(bytes);
    // The digest that signatures of the corpus are of.
    let context = ScriptContext { sighash: [0; 32], timestamp: 1_700_000_000 };
    if let Err(error) = evaluate_script(input_data, output_script, &context) {
        assert_ne!(error.to_string(), "");
    }
});
