//! Proof of work.

use crate::vectors::{Field, load};
use headless_wallet::ledger::{MiningJob, Transaction, VertexId, target_met};

/// The greatest hash that meets a weight: `min(int(2**(256 - weight) - 1), 2**256) - 1` in Python.
const GREATEST: [(f64, &str); 16] = [
    (0.0, "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
    (0.5, "b504f333f9de67ffffffffffffffffffffffffffffffffffffffffffffffffff"),
    (1.0, "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
    (8.000001, "00fffff45ef4e197ffffffffffffffffffffffffffffffffffffffffffffffff"),
    (14.0, "0003ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
    (16.866498220694528, "00008c68f521b5b447ffffffffffffffffffffffffffffffffffffffffffffff"),
    (21.0, "000007ffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
    (35.25, "000000001ae89f995ad3acffffffffffffffffffffffffffffffffffffffffff"),
    (60.5, "000000000000000b504f333f9de67fffffffffffffffffffffffffffffffffff"),
    (128.0, "00000000000000000000000000000000ffffffffffffffffffffffffffffffff"),
    (200.1, "00000000000000000000000000000000000000000000000000eedb4008bd5997"),
    (203.3, "0000000000000000000000000000000000000000000000000019fdf8bcce5302"),
    (230.7, "000000000000000000000000000000000000000000000000000000000276588d"),
    (250.7, "0000000000000000000000000000000000000000000000000000000000000025"),
    (254.0, "0000000000000000000000000000000000000000000000000000000000000002"),
    (255.0, "0000000000000000000000000000000000000000000000000000000000000000"),
];

#[test]
fn the_greatest_hash_meets_the_weight_and_the_next_does_not() {
    for (weight, greatest) in GREATEST {
        let id: VertexId = greatest.parse().unwrap();
        assert!(target_met(&id, weight), "{weight}");
        assert!(target_met(&VertexId([0; 32]), weight), "{weight}");
        let mut next = id.0;
        for byte in next.iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
        if next != [0; 32] {
            assert!(!target_met(&VertexId(next), weight), "{weight}");
        }
    }
}

#[test]
fn weights_that_no_hash_meets() {
    for weight in [256.0, 1e9, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -1e9] {
        assert!(!target_met(&VertexId([0; 32]), weight), "{weight}");
        assert_eq!(MiningJob::new(&[0; 64], weight).search(0..10), None, "{weight}");
    }
}

#[test]
fn a_job_finds_the_nonces_of_the_vectors() {
    for vector in
        load("transactions").list("transactions").iter().filter(|vector| vector["pow_valid"] == true)
    {
        let Ok(tx) = Transaction::from_bytes(&vector.bytes("hex")) else { continue };
        let job = MiningJob::new(&tx.mining_bytes().unwrap(), tx.weight);
        let nonce = u64::from(tx.nonce);
        assert_eq!(job.search(nonce..nonce + 1), Some(tx.nonce), "{}", vector.text("name"));
    }
}

#[test]
fn a_job_finds_the_first_nonce_that_works_and_no_other() {
    let vectors = load("transactions");
    let mut tx = Transaction::from_bytes(&vectors.list("transactions")[0].bytes("hex")).unwrap();
    for weight in [0.0, 1.0, 6.5, 9.0] {
        tx.weight = weight;
        let job = MiningJob::new(&tx.mining_bytes().unwrap(), weight);
        let found = job.search(0..1 << 32).expect("a light weight is met soon");
        for nonce in 0..found {
            tx.nonce = nonce;
            assert!(!target_met(&tx.id().unwrap(), weight), "{weight} {nonce}");
        }
        tx.nonce = found;
        assert!(target_met(&tx.id().unwrap(), weight), "{weight}");
        assert_eq!(job.search(0..u64::from(found)), None);
    }
}

#[test]
fn a_search_ends_with_the_nonces_of_four_bytes() {
    let job = MiningJob::new(&[0; 64], 0.0);
    assert_eq!(job.search((1 << 32) - 1..u64::MAX), Some(u32::MAX));
    assert_eq!(job.search(1 << 32..u64::MAX), None);
    assert_eq!(job.search(0..0), None);
}
