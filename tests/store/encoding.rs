//! Records: what was written is read, and nothing else.

use crate::given::{changes, extra, id, vertex};
use headless_wallet::ledger::{
    Amount, ExtraMembers, Holding, Outpoint, SpentOutput, TokenData, TokenUid, Vertex, VertexId, VertexInput,
    VertexOutput,
};
use headless_wallet::store::{
    FORMAT, PushRecord, RecordError, decode_changes, decode_vertex, encode_changes, encode_vertex,
};
use headless_wallet::wallet::{ChangeSet, PackedVertex, SwapPart};
use proptest::prelude::*;

/// A vertex and changes whose every part is there, and their records in format 1.
const VERTEX_1: &str = include_str!("../vectors/store/vertex-1.hex");
const CHANGES_1: &str = include_str!("../vectors/store/changes-1.hex");

fn record_of(vertex: &Vertex) -> Vec<u8> {
    encode_vertex(&vertex.id, &PackedVertex::of(vertex))
}

fn read_vertex(id: VertexId, record: &[u8]) -> Result<Vertex, RecordError> {
    decode_vertex(&id, record).map(|vertex| vertex.unpack(id))
}

fn whole() -> Vertex {
    let output = |value: u64, token, script: &[u8]| SpentOutput {
        value: Amount::from(value),
        token,
        token_data: TokenData(if token == TokenUid::Native { 0 } else { 1 }),
        script: script.into(),
        unknown: None,
    };
    let p2pkh = [&[0x76, 0xa9, 20][..], &[9; 20], &[0x88, 0xac]].concat();
    let token = TokenUid::Custom(VertexId([4; 32]));
    Vertex {
        id: VertexId([1; 32]),
        version: 2,
        weight: 17.5,
        timestamp: 1_700_000_000,
        voided: true,
        first_block: Some(VertexId([2; 32])),
        height: Some(7),
        parents: vec![VertexId([5; 32]), VertexId([6; 32])],
        inputs: vec![VertexInput {
            spends: Outpoint { tx: VertexId([3; 32]), index: 200 },
            output: output(1 << 63, TokenUid::Native, &p2pkh),
        }],
        outputs: vec![
            VertexOutput { output: output(128, token, &p2pkh), spent_by: Some(VertexId([8; 32])) },
            VertexOutput { output: output(1, TokenUid::Native, &[2, 0x61, 0x62, 0xac]), spent_by: None },
        ],
        creates: Some(("Käse".to_owned(), "KSE".to_owned())),
        nano: None,
        extra: ExtraMembers::default(),
    }
}

fn some_changes() -> ChangeSet {
    let output = |tx, index| Outpoint { tx: VertexId([tx; 32]), index };
    let holds = |token, value, is_authority| Holding { token, value: Amount::new(value), is_authority };
    let part = SwapPart {
        inputs: vec![output(5, 0), output(6, 255)],
        outputs: vec![
            (holds(TokenUid::Native, (1 << 63) - 1, false), vec![7; 25]),
            (holds(TokenUid::Custom(VertexId([4; 32])), 2, true), vec![8; 23]),
        ],
        gets: true,
    };
    ChangeSet {
        forget: true,
        vertices: [(VertexId([1; 32]), PackedVertex::of(&whole()))].into(),
        address_count: Some(40),
        current_index: None,
        best_height: Some(1_000_000),
        locked_outpoints: [(output(5, 0), Some(1_700_000_000)), (output(6, 255), None)].into(),
        swap_parts: Some(vec![SwapPart::default(), part]),
    }
}

#[test]
fn what_only_the_node_knows_is_kept() {
    let vertex = Vertex { extra: extra(), ..whole() };
    let mut changes = some_changes();
    changes.vertices.insert(vertex.id, PackedVertex::of(&vertex));
    assert_eq!(decode_changes(&encode_changes(&changes)), Ok(changes));
    let record = record_of(&vertex);
    assert_eq!(read_vertex(vertex.id, &record), Ok(vertex));
    // The parts of the type and 24 bytes of the other member, with how many these are and what they are of.
    assert_eq!(record.len(), record_of(&whole()).len() + 5 + 2 + 24 + 4);
}

#[test]
fn format_1_is_read_and_written() {
    let vertex = hex::decode(VERTEX_1.trim()).unwrap();
    assert_eq!(read_vertex(VertexId([1; 32]), &vertex), Ok(whole()));
    assert_eq!(record_of(&whole()), vertex);
    let changes = hex::decode(CHANGES_1.trim()).unwrap();
    assert_eq!(decode_changes(&changes), Ok(some_changes()));
    assert_eq!(encode_changes(&some_changes()), changes);
}

#[test]
fn a_later_format_is_named() {
    let mut changes = encode_changes(&some_changes());
    changes[0] = FORMAT + 1;
    assert_eq!(decode_changes(&changes), Err(RecordError::Newer(2)));
    changes[0] = 0;
    assert_eq!(decode_changes(&changes), Err(RecordError::Damaged));
}

#[test]
fn every_bit_counts() {
    let record = record_of(&whole());
    for bit in 0..record.len() * 8 {
        let mut changed = record.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(read_vertex(VertexId([1; 32]), &changed), Err(RecordError::Damaged), "bit {bit}");
    }
    for len in 0..record.len() {
        assert_eq!(read_vertex(VertexId([1; 32]), &record[..len]), Err(RecordError::Damaged));
    }
    assert_eq!(read_vertex(VertexId([2; 32]), &record), Err(RecordError::Damaged));
}

#[test]
fn a_length_has_one_spelling() {
    // Each of these records ends with a length of 0, then the check value.
    let padded = |context: &[u8], record: Vec<u8>| {
        let (body, zero) = record[..record.len() - 8].split_at(record.len() - 9);
        assert_eq!(zero, [0]);
        with_check(context, [body, &[0x80, 0]].concat())
    };
    let (id, key) = (VertexId([1; 32]), [7; 32]);
    let vertex = Vertex { inputs: vec![], ..whole() };
    assert_eq!(read_vertex(id, &padded(&id.0, record_of(&vertex))), Err(RecordError::Damaged));
    let changes = encode_changes(&ChangeSet::default());
    assert_eq!(decode_changes(&padded(&[], changes)), Err(RecordError::Damaged));
    let record = PushRecord { key, request: [8; 32], time: 7, transaction: vec![], is_open: true };
    assert_eq!(PushRecord::decode(key, &padded(&key, record.encode())), Err(RecordError::Damaged));
}

/// FNV-1a, as records end with: arbitrary bytes get past it only with the right value.
fn with_check(context: &[u8], mut bytes: Vec<u8>) -> Vec<u8> {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let check = context.iter().chain(&bytes).fold(0xcbf2_9ce4_8422_2325, step);
    bytes.extend(check.to_be_bytes());
    bytes
}

proptest! {
    #[test]
    fn vertices_are_read_as_written(vertex in vertex()) {
        prop_assert_eq!(read_vertex(vertex.id, &record_of(&vertex)), Ok(vertex));
    }

    #[test]
    fn changes_are_read_as_written(changes in changes()) {
        prop_assert_eq!(decode_changes(&encode_changes(&changes)), Ok(changes));
    }

    #[test]
    fn arbitrary_bytes_do_no_harm(id in id(), bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = read_vertex(id, &with_check(&id.0, bytes.clone()));
        let _ = decode_changes(&with_check(&[], bytes.clone()));
        let _ = decode_changes(&with_check(&[], [vec![FORMAT], bytes].concat()));
    }

    /// Nearly right is where decoders trip.
    #[test]
    fn changed_bytes_do_no_harm(vertex in vertex(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = record_of(&vertex);
        bytes.truncate(bytes.len() - 8);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(read) = read_vertex(vertex.id, &with_check(&vertex.id.0, bytes)) {
            // What it takes for a vertex it can write and read again.
            let record = record_of(&read);
            prop_assert_eq!(record_of(&read_vertex(read.id, &record).unwrap()), record);
        }
    }
}
