//! The storage-free checks, held to the verdicts of the full node's own verifiers.

use crate::support::solve;
use headless_wallet::devnet::chain::{Chain, Genesis, PushError, Rules, verify_content};
use headless_wallet::ledger::{Network, Transaction, WeightConstants};
use serde_json::Value;

fn load(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn rules(network: &str) -> Rules {
    let (network, weight) = match network {
        "mainnet" => (Network::Mainnet, WeightConstants::MAINNET),
        _ => (Network::Testnet, WeightConstants::TESTNET),
    };
    Rules { network, weight, ..Rules::default() }
}

/// The checks of a vector that fail, in the order in which the node runs them; without the class of the
/// error.
fn failures(checks: &Value) -> Vec<String> {
    let order = [
        "parents",
        "weight",
        "signal_bits",
        "pow",
        "inputs_count",
        "outputs",
        "token_indexes",
        "sigops_output",
        "tokens",
    ];
    order
        .iter()
        .filter_map(|check| checks[*check].as_str())
        .filter(|verdict| *verdict != "ok")
        .map(|verdict| verdict.split_once(": ").unwrap().1.to_owned())
        .collect()
}

#[test]
fn transactions_get_the_verdict_of_the_node() {
    let file = load(include_str!("../vectors/transactions.json"));
    let mut checked = 0;
    for case in file["transactions"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let Ok(tx) = Transaction::from_bytes(&hex::decode(case["hex"].as_str().unwrap()).unwrap()) else {
            assert!(case["later"] == true || name == "signal-bits-set", "{name}");
            continue;
        };
        let verdict = verify_content(&tx, tx.id().unwrap(), &rules(case["network"].as_str().unwrap()));
        let expected = failures(&case["node_checks"]);
        match expected.first() {
            None => assert_eq!(verdict, Ok(()), "{name}"),
            // The vectors have the text without the numbers.
            Some(text) if text == "Transaction has invalid data" => {
                assert!(verdict.unwrap_err().starts_with("Transaction has invalid data ("), "{name}");
            }
            Some(text) => assert_eq!(verdict, Err(text.clone()), "{name}"),
        }
        checked += 1;
    }
    assert_eq!(checked, 64);
}

#[test]
fn invalid_transactions_are_refused_at_the_right_stage() {
    let file = load(include_str!("../vectors/invalid.json"));
    for case in file["parse"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap_or("?");
        let Ok(bytes) = hex::decode(case["hex"].as_str().unwrap()) else { continue };
        let answer =
            Chain::new(rules("mainnet"), Genesis::private()).push(&bytes, 1_750_000_100).unwrap_err();
        if case["expected"] == "reject_parse" {
            assert!(matches!(answer, PushError::Malformed | PushError::Unanswered), "{name}: {answer}");
        }
        let Ok(tx) = Transaction::from_bytes(&bytes) else { continue };
        let expected = failures(&case["hathor_core"]["checks"]);
        if expected.iter().all(|text| !text.is_empty() && !text.contains("weight")) {
            // These have no proof of work, and the node was asked for each check alone: here it gets the
            // least there is.
            let rules = Rules { weight: Rules::TRIVIAL_WEIGHT, ..rules("mainnet") };
            let tx = solve(Transaction { weight: 1.0, ..tx });
            let verdict = verify_content(&tx, tx.id().unwrap(), &rules);
            assert_eq!(verdict.err(), expected.first().cloned(), "{name}");
            continue;
        }
        let verdict = verify_content(&tx, tx.id().unwrap(), &rules("mainnet"));
        match expected.first() {
            Some(text) if text.contains("greater than the maximum") => {
                // Mainnet allows an excess of 1, private networks of 4.
                let id = tx.id().unwrap();
                let said = format!("Invalid new tx {id}: weight (inf) is greater than the maximum allowed (");
                assert!(verdict.unwrap_err().starts_with(&said), "{name}");
            }
            Some(text) => assert_eq!(verdict, Err(text.clone()), "{name}"),
            None => unreachable!("{name}: nothing is wrong with its weight"),
        }
    }
}
