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
        let numerator = vector.text("numerator").parse().unwrap();
        let rate = DepositRate::Fraction { numerator, denominator };
        assert_rate(rate, vector);
    }
}

#[test]
fn deposits_of_any_amount_at_any_rate_do_not_overflow() {
    let most = Amount::new(u128::MAX);
    assert_eq!(DepositRate::default().deposit(most).cents(), u128::MAX / 100 + 1);
    assert_eq!(DepositRate::default().withdraw(most).cents(), u128::MAX / 100);
    let absurd = DepositRate::Fraction { numerator: u64::MAX, denominator: NonZeroU64::MIN };
    assert_eq!(absurd.deposit(most), most);
    assert_eq!(absurd.withdraw(most), most);
    let whole = DepositRate::Fraction { numerator: u64::MAX, denominator: NonZeroU64::MAX };
    assert_eq!(whole.deposit(most), most);
    assert_eq!(whole.withdraw(most), most);
}

/// hathorlib's own sums, from the first cent to the most that an output holds.
#[test]
fn deposits_in_double_precision() {
    let rate = DepositRate::Double(0.01);
    let lines = include_str!("../vectors/deposits_double.txt").lines().skip(1);
    let vectors: Vec<[u128; 3]> = lines
        .map(|line| {
            let numbers: Vec<u128> = line.split(' ').map(|number| number.parse().unwrap()).collect();
            numbers.try_into().unwrap()
        })
        .collect();
    let of_bits =
        |bits: u32| vectors.iter().filter(|[amount, ..]| 128 - amount.leading_zeros() == bits).count();
    assert!((10..=63).all(|bits| of_bits(bits) >= 20));
    let mut other_than_integers = 0;
    for [amount, deposit, withdrawal] in vectors {
        let amount = Amount::new(amount);
        assert_eq!(rate.deposit(amount), Amount::new(deposit), "deposit for {amount}");
        assert_eq!(rate.withdraw(amount), Amount::new(withdrawal), "withdrawal for {amount}");
        if amount.cents() <= 1 << 53 {
            assert_eq!(DepositRate::default().deposit(amount), Amount::new(deposit), "deposit for {amount}");
            assert_eq!(DepositRate::default().withdraw(amount), Amount::new(withdrawal), "{amount}");
        } else {
            other_than_integers += u32::from(DepositRate::default().deposit(amount) != Amount::new(deposit));
        }
    }
    assert!(other_than_integers > 50, "{other_than_integers}");
}

#[test]
fn deposits_in_double_precision_of_any_amount_do_not_overflow() {
    let most = Amount::new(u128::MAX);
    assert_eq!(DepositRate::Double(f64::MAX).deposit(most), most);
    assert_eq!(DepositRate::Double(0.0).deposit(most), Amount::ZERO);
    assert_eq!(DepositRate::Double(1.0).withdraw(Amount::MAX_OUTPUT), Amount::MAX_OUTPUT);
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

// `data_fee` (one cent a data output) is the value that the wallet gives those outputs, and `formatting` is
// for people: the interface has integers alone. Neither is the ledger's.

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
