//! Data of an input, and signatures of participants, are checked without harm; signatures are written as they
//! were read.
#![no_main]

use headless_wallet::keys::{MultisigSignatures, check_input, verify_message};
use headless_wallet::ledger::{InputData, Network, RedeemScript, Script};
use headless_wallet_fuzz::in_two;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (data, script) = in_two(bytes);
    let script = Script::parse(script, Network::Mainnet);
    // The digest that signatures of the corpus are of.
    let checked = check_input(data, &[0; 32], script.as_ref());
    assert!(checked.is_err() || InputData::parse(data).is_some());
    let _judged_without_panic = RedeemScript::parse(data);

    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _judged_without_panic = verify_message(&[7; 20], text, text);
    if let Ok(signatures) = text.parse::<MultisigSignatures>() {
        assert_eq!(signatures.to_string().parse(), Ok(signatures));
    }
});
