//! Amounts, deposits and fees.

use crate::vectors::{Field, load};
use headless_wallet::ledger::{Amount, DepositRate, TokenVersion};
use serde_json::Value;
use std::num::NonZeroU64;

fn assert_rate(rate: DepositRate, vector: &Value) {
    let amount = vector.amount("amount");
    assert_eq!(rate.deposit(amount), vector.amount("deposit"), "{vector}");
    assert_eq!(rate.withdraw(amount), vector.amount("withdraw"), "{vector}");
}

#[test]
fn deposits_at_one_percent() {
    let vectors = load("deposits");
    assert_eq!(vectors.list("deposits").len(), 32);
    vectors.list("deposits").iter().for_each(|vector| assert_rate(DepositRate::default(), vector));
}

#[test]
fn deposits_at_other_rates() {
    let vectors = load("deposits");
    assert_eq!(vectors.list("percentages").len(), 20);
    for vector in vectors.list("percentages") {
        let denominator = vector.text("denominator").parse::<NonZeroU64>().unwrap();
        let rate = DepositRate { numerator: vector.text("numerator").parse().unwrap(), denominator };
        assert_rate(rate, vector);
    }
}

#[test]
fn deposits_of_any_amount_at_any_rate_do_not_overflow() {
    let most = Amount::new(u128::MAX);
    assert_eq!(DepositRate::default().deposit(most).cents(), u128::MAX / 100 + 1);
    assert_eq!(DepositRate::default().withdraw(most).cents(), u128::MAX / 100);
    let absurd = DepositRate { numerator: u64::MAX, denominator: NonZeroU64::MIN };
    assert_eq!(absurd.deposit(most), most);
    assert_eq!(absurd.withdraw(most), most);
    let whole = DepositRate { numerator: u64::MAX, denominator: NonZeroU64::MAX };
    assert_eq!(whole.deposit(most), most);
    assert_eq!(whole.withdraw(most), most);
}

/// How many there are of `token` under `key`.
fn count(vector: &Value, key: &str, token: &str) -> usize {
    vector[key][token].as_u64().unwrap_or(0).try_into().unwrap()
}

#[test]
fn fees_of_fee_tokens() {
    let vectors = load("deposits");
    assert_eq!(vectors.list("fee_tokens").len(), 12);
    for vector in vectors.list("fee_tokens") {
        let fee: Amount = if vector["creation"] == true {
            let minted = vector.list("authorities_of_outputs").iter().filter(|bits| **bits == "0").count();
            TokenVersion::Fee.fee(0, minted)
        } else {
            let tokens = vector["tokens"].as_object().unwrap().iter().filter_map(|(token, kind)| {
                let version = match kind.as_str().unwrap() {
                    "fee" => TokenVersion::Fee,
                    "deposit" => TokenVersion::Deposit,
                    _ => return None,
                };
                let (inputs, outputs) = ("non_authority_inputs", "non_authority_outputs");
                Some(version.fee(count(vector, inputs, token), count(vector, outputs, token)))
            });
            tokens.sum()
        };
        assert_eq!(fee, vector.amount("fee"), "{vector}");
    }
}

// `data_fee` (one cent a data output) is the value that the wallet gives those outputs, and `formatting` is for people:
// the interface has integers alone. Neither is the ledger's.

#[test]
fn texts_of_amounts_are_digits_alone() {
    assert_eq!("0".parse(), Ok(Amount::ZERO));
    assert_eq!("9223372036854775808".parse(), Ok(Amount::MAX_OUTPUT));
    assert_eq!("340282366920938463463374607431768211455".parse(), Ok(Amount::new(u128::MAX)));
    for text in [
        "",
        "+1",
        "-1",
        " 1",
        "1 ",
        "1.0",
        "1e3",
        "0x1",
        "1_000",
        "٣",
        "340282366920938463463374607431768211456",
    ] {
        let error = text.parse::<Amount>().unwrap_err();
        assert_eq!(error.to_string(), format!("not an amount in cents: {text:?}"));
    }
}

#[test]
fn arithmetic_never_wraps() {
    let (one, most) = (Amount::new(1), Amount::new(u128::MAX));
    assert_eq!(most.checked_add(one), None);
    assert_eq!(most.saturating_add(one), most);
    assert_eq!([most, one].into_iter().sum::<Amount>(), most);
    assert_eq!(one.checked_sub(most), None);
    assert_eq!(one.saturating_sub(most), Amount::ZERO);
    assert_eq!(most.checked_sub(most), Some(Amount::ZERO));
}
