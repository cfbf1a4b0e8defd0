//! Derivation as such: batches against single steps, public against private.

use crate::vectors::*;
use headless_wallet::ledger::{InputData, hash160};
use proptest::prelude::*;

#[test]
fn batches_of_every_size_around_the_limit_equal_single_steps() {
    let account = keys(&list(&ADDRESSES, "seeds")[0]).public();
    let all = account.key_hashes(0..600);
    let single: Vec<_> = (0..600).map(|index| hash160(&account.public_key(index))).collect();
    assert_eq!(all, single);
    for size in [0, 1, 2, 255, 256, 257, 512, 513] {
        assert_eq!(account.key_hashes(0..size), single[..size as usize], "{size}");
    }
}

#[test]
#[allow(clippy::reversed_empty_ranges)]
fn a_range_that_runs_backwards_is_empty() {
    assert!(keys(&list(&ADDRESSES, "seeds")[0]).public().key_hashes(5..2).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_batch_equals_single_steps(seed in 0..11usize, start in 0..(1u32 << 31) - 40, size in 0..40u32) {
        let account = keys(&list(&ADDRESSES, "seeds")[seed]).public();
        let single: Vec<_> =
            (start..start + size).map(|index| hash160(&account.public_key(index))).collect();
        prop_assert_eq!(account.key_hashes(start..start + size), single);
    }

    #[test]
    fn private_and_public_derivation_meet(seed in 0..11usize, index in 0..1u32 << 31) {
        let keys = keys(&list(&ADDRESSES, "seeds")[seed]);
        let InputData::P2pkh { public_key, .. } = keys.sign(index, &[1; 32]) else {
            return Err(TestCaseError::fail("an account signs P2PKH"));
        };
        prop_assert_eq!(public_key, keys.public().public_key(index));
    }
}
