//! Whatever is read as a block is written back as it was, and can be hashed.
#![no_main]

use headless_wallet::ledger::Block;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(block) = Block::from_bytes(bytes) {
        assert_eq!(block.to_bytes().as_deref(), Ok(bytes));
        block.id().expect("what was read can be hashed");
    }
});
