//! Whatever is read as a script is written back as the same script, and a payment or redeem script as the
//! same bytes.
#![no_main]

use headless_wallet::ledger::{Network, RedeemScript, Script};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for network in [Network::Mainnet, Network::Testnet] {
        let Some(script) = Script::parse(bytes, network) else { continue };
        let written = script.to_bytes().expect("what was read can be written");
        if matches!(script, Script::Pay { .. }) {
            assert_eq!(written, bytes);
        }
        assert_eq!(Script::parse(&written, network), Some(script));
    }
    if let Some(script) = RedeemScript::parse(bytes) {
        assert_eq!(script.to_bytes().as_deref(), Ok(bytes));
    }
});
