//! Weight. Logarithms differ in the last bit between platforms, so numbers are compared within 1e-9.

use crate::vectors::{Field, load};
use headless_wallet::ledger::{Network, Transaction, WeightConstants};

fn constants(network: Network) -> WeightConstants {
    match network {
        Network::Mainnet => WeightConstants::MAINNET,
        Network::Testnet => WeightConstants::TESTNET,
        Network::Privatenet => WeightConstants::PRIVATENET,
    }
}

fn assert_close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 1e-9, "{what}: {found} and not {expected}");
}

#[test]
fn constants_of_the_networks() {
    for vector in load("weights").list("networks") {
        let found = constants(vector.network());
        assert_eq!(found.min_weight, vector.float("txMinWeight"));
        assert_eq!(found.coefficient, vector.float("txWeightCoefficient"));
        assert_eq!(found.k, vector.float("txMinWeightK"));
    }
}

#[test]
fn the_formula() {
    let vectors = load("weights");
    assert_eq!(vectors.list("weights").len(), 132);
    for vector in vectors.list("weights") {
        let size = usize::try_from(vector.number("size_used")).unwrap();
        let found = constants(vector.network()).of(size, vector.amount("outputs_sum"));
        assert_close(found, vector.float("node_min_weight_for_size_used"), &vector.to_string());
        assert_close(found + 1e-6, vector.float("wallet_weight"), &vector.to_string());
    }
}

#[test]
fn weights_of_whole_transactions() {
    let mut compared = 0;
    for vector in load("transactions").list("transactions") {
        let Ok(tx) = Transaction::from_bytes(&vector.bytes("hex")) else { continue };
        let (name, calculated) = (vector.text("name"), &vector["calculated_weight"]);
        if tx.blueprint.is_none() {
            let theirs = WeightConstants {
                min_weight: calculated.float("min_tx_weight"),
                coefficient: calculated.float("min_tx_weight_coefficient"),
                k: calculated.float("min_tx_weight_k"),
            };
            assert_close(theirs.wallet_weight(&tx), calculated.float("value"), name);
        }
        assert_close(constants(vector.network()).min_weight_of(&tx), vector.float("node_min_weight"), name);
        compared += 1;
    }
    assert_eq!(compared, 64);
}
