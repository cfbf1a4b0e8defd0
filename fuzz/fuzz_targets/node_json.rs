//! Whatever a node or a mining service says of transactions, of itself, of jobs and of what happens is read
//! or refused.
#![no_main]

use headless_wallet::node::{Job, NodeVersion, parse_event, parse_vertex};
use headless_wallet::store::{decode_vertex, encode_vertex};
use headless_wallet::wallet::PackedVertex;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _read_or_refused = NodeVersion::from_json(bytes);
    let _read_or_refused = serde_json::from_slice::<Job>(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(vertex) = parse_vertex(text) {
        assert!(vertex.inputs.len() <= 255 && vertex.outputs.len() <= 255);
        let packed = PackedVertex::of(&vertex);
        assert_eq!(decode_vertex(&vertex.id, &encode_vertex(&vertex.id, &packed)), Ok(packed.clone()));
        assert_eq!(packed.unpack(vertex.id), vertex);
    }
    // Frames of histories that start as nodes write them are read in another way than those with a space.
    let slowly = parse_event(&text.replacen('{', "{ ", 1));
    if let (Ok(event), Ok(slowly)) = (parse_event(text), slowly) {
        assert_eq!(event, slowly);
    }
});
