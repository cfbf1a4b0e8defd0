//! Whatever is read as an address is written back as it was, and belongs to the network that reads it.
#![no_main]

use headless_wallet::ledger::{Address, Network};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let any = Address::parse_any(text);
    if let Ok(address) = &any {
        assert_eq!(address.to_string(), text);
    }
    let networks = [Network::Mainnet, Network::Testnet].map(|network| Address::parse(text, network));
    assert_eq!(networks.iter().flatten().next(), any.as_ref().ok());
});
