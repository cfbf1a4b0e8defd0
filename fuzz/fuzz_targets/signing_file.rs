//! Whatever a signing file says, it is read or refused; one that is read is written as the very same file,
//! and what it does can be said, or which rule it breaks.
#![no_main]

use headless_wallet::api::read_signing_file;
use headless_wallet::signer::inspect;
use libfuzzer_sys::fuzz_target;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = read_signing_file(bytes) else { return };
    let written = serde_json::to_string(&file).expect("a file is JSON");
    let again = read_signing_file(written.as_bytes()).expect("what is written is read");
    assert_eq!(serde_json::to_string(&again).expect("a file is JSON"), written);
    // It lets other tasks have their turn between keys.
    let mut inspected = pin!(inspect(&file, &file.account));
    let found = loop {
        if let Poll::Ready(found) = inspected.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            break found;
        }
    };
    if let Ok(found) = found {
        assert_eq!(found.spends.len(), file.transaction.inputs.len());
        let whole = file.signed_so_far().iter().all(|(there, needs)| there == needs);
        assert_eq!(file.signed().is_ok(), whole);
    }
});
