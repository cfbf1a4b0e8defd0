//! No bytes in a store do harm, and what is taken for a record can be written and read again.
#![no_main]

use headless_wallet::ledger::VertexId;
use headless_wallet::store::{decode_changes, decode_vertex, encode_changes, encode_vertex};
use headless_wallet::wallet::PackedVertex;
use headless_wallet_fuzz::with_check;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let id = VertexId([1; 32]);
    if let Ok(vertex) = decode_vertex(&id, &with_check(&id.0, bytes)) {
        let packed = PackedVertex::of(&vertex.unpack(id));
        assert_eq!(PackedVertex::of(&packed.unpack(id)), packed);
        assert_eq!(decode_vertex(&id, &encode_vertex(&id, &packed)), Ok(packed));
    }
    if let Ok(changes) = decode_changes(&with_check(&[], bytes)) {
        let record = encode_changes(&changes);
        assert_eq!(encode_changes(&decode_changes(&record).expect("just written")), record);
    }
});
