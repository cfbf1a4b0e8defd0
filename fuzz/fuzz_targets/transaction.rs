//! Whatever is read as a transaction is written back as it was, and can be hashed.
#![no_main]

use headless_wallet::ledger::{Transaction, WeightConstants};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(tx) = Transaction::from_bytes_with_v2(bytes) {
        assert_eq!(tx.size(), bytes.len());
        assert_eq!(tx.to_bytes().as_deref(), Ok(bytes));
        tx.id().expect("what was read can be hashed");
        tx.sighash().expect("what was read can be signed");
        assert!(WeightConstants::MAINNET.wallet_weight(&tx).is_finite());
    }
});
