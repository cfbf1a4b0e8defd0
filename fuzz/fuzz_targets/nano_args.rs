//! A type's name is read or refused, and whatever is read as an argument of that type is written back as it
//! was.
#![no_main]

use headless_wallet::ledger::Network;
use headless_wallet::ledger::nano::{ArgType, read_args, write_args};
use headless_wallet::nano_args::{arg_from_json, arg_to_json};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else { return };
    let Ok(name) = std::str::from_utf8(&bytes[..end]) else { return };
    let Ok(of) = ArgType::parse(name) else { return };
    let types = [of];
    let Ok(values) = read_args(&types, &bytes[end + 1..]) else { return };
    if bytes.len() - end <= 1_000 {
        assert_eq!(write_args(&types, &values).as_deref(), Ok(&bytes[end + 1..]));
    }
    let shown = arg_to_json(&types[0], &values[0]);
    if let Ok(again) = arg_from_json(&types[0], &shown, Network::Testnet) {
        assert_eq!(arg_to_json(&types[0], &again), shown);
    }
});
