//! A proposal of an atomic swap that is read is read again as it is written, and input data for it, too.
#![no_main]

use headless_wallet::ledger::{Network, PartialTx, PartialTxInputData};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (proposal, data) = text.split_once('\n').unwrap_or((text, ""));
    let Ok(read) = PartialTx::parse(proposal, Network::Testnet) else { return };
    let written = read.to_text().expect("what was read can be written");
    assert_eq!(PartialTx::parse(&written, Network::Testnet), Ok(read.clone()));
    let complete = read.balance().values().all(|(inputs, outputs)| inputs == outputs);
    assert_eq!(read.is_complete(), complete);

    let mut transaction = read.transaction().expect("what was read is a transaction");
    let mut given = PartialTxInputData::of(&transaction).expect("what was read can be signed");
    if given.add(data).is_ok() {
        let written = given.to_string();
        given.clone().fill(&mut transaction);
        let mut again = PartialTxInputData::of(&transaction).expect("input data is not signed");
        assert_eq!(again, given);
        again.add(&written).expect("what was written can be read");
        assert_eq!(again, given);
    }
});
