#![no_main]
//! No bytes in a store do harm, and what is taken for a record can be written and read again.

use headless_wallet::ledger::VertexId;
use headless_wallet::store::{decode_changes, decode_vertex, encode_changes, encode_vertex};
use libfuzzer_sys::fuzz_target;

/// The check value at the end is made right, or else the fuzzer never gets past it.
fn with_check(context: &[u8], bytes: &[u8]) -> Vec<u8> {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let check = context.iter().chain(bytes).fold(0xcbf2_9ce4_8422_2325, step);
    [bytes, &check.to_be_bytes()].concat()
}

fuzz_target!(|bytes: &[u8]| {
    let id = VertexId([1; 32]);
    if let Ok(vertex) = decode_vertex(id, &with_check(&id.0, bytes)) {
        let record = encode_vertex(&vertex);
        assert_eq!(encode_vertex(&decode_vertex(id, &record).expect("just written")), record);
    }
    if let Ok(changes) = decode_changes(&with_check(&[], bytes)) {
        let record = encode_changes(&changes);
        assert_eq!(encode_changes(&decode_changes(&record).expect("just written")), record);
    }
});
