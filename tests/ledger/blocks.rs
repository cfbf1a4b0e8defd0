//! Blocks.

use crate::vectors::{Field, load};
use headless_wallet::ledger::{Block, DecodeError, EncodeError, Transaction, VertexId, target_met};

fn genesis_block(network: &str) -> serde_json::Value {
    let vectors = load("transactions");
    let is_it = |vector: &&serde_json::Value| {
        vector.text("name") == "genesis_block" && vector.text("network") == network
    };
    vectors.list("genesis").iter().find(is_it).expect("a genesis block").clone()
}

#[test]
fn genesis_blocks_have_the_ids_of_the_network_settings() {
    for network in ["mainnet", "testnet"] {
        let vector = genesis_block(network);
        let block = Block::from_bytes(&vector.bytes("hex")).unwrap();
        assert_eq!(block.id().unwrap().to_string(), vector.text("hash"));
        assert_eq!(block.weight, vector.float("weight"));
        assert_eq!(u64::from(block.timestamp), vector.number("timestamp"));
        assert_eq!(block.nonce, u128::from(vector.number("nonce")));
        assert_eq!(block.outputs[0].value.to_string(), "100000000000");
        assert_eq!(hex::encode(block.to_bytes().unwrap()), vector.text("hex"));
        assert!(target_met(&block.id().unwrap(), block.weight));
    }
}

#[test]
fn a_block_with_parents_and_data_is_read_as_written() {
    let genesis = Block::from_bytes(&genesis_block("mainnet").bytes("hex")).unwrap();
    let block = Block {
        signal_bits: 0b101,
        parents: [1, 2, 3].map(|byte| VertexId([byte; 32])).to_vec(),
        data: b"by hand".to_vec(),
        nonce: u128::MAX - 1,
        ..genesis.clone()
    };
    let bytes = block.to_bytes().unwrap();
    assert_eq!(Block::from_bytes(&bytes), Ok(block.clone()));
    assert_ne!(block.id().unwrap(), genesis.id().unwrap());
    let longer = Block { data: vec![0; 256], ..block };
    assert_eq!(longer.to_bytes(), Err(EncodeError::TooLong { what: "block data", len: 256, max: 255 }));
}

#[test]
fn other_vertices_are_told_from_blocks() {
    let mut bytes = genesis_block("mainnet").bytes("hex");
    let message = |bytes: &[u8]| Block::from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(
        Transaction::from_bytes(&bytes).unwrap_err().to_string(),
        "malformed transaction: version 0 is a block"
    );
    bytes[1] = 1;
    assert_eq!(message(&bytes), "malformed block: version 1 is a transaction");
    for version in [3, 5, 7] {
        bytes[1] = version;
        assert_eq!(
            Block::from_bytes(&bytes),
            Err(DecodeError::NotSupported(format!("block version {version}")))
        );
    }
    bytes[1] = 0;
    bytes.push(0);
    assert_eq!(message(&bytes), "malformed block: bytes after the nonce");
    assert_eq!(message(&bytes[..10]), "malformed output value: cut short, 7 of 8 bytes");
}
