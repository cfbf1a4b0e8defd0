//! No secret in a `Debug` print or an error.

use crate::vectors::*;
use headless_wallet::keys::{AccountPublic, Mnemonic, MultisigKeys, MultisigPublic};
use proptest::prelude::*;
use std::fmt::Debug;

/// Everything that a value of an error type prints.
fn prints<E: std::error::Error>(error: &E) -> String {
    format!("{error} {error:?} {error:#?}")
}

fn assert_prints(value: &impl Debug, expected: &str) {
    assert_eq!(format!("{value:?}"), expected);
    assert_eq!(format!("{value:#?}"), expected);
}

#[test]
fn secrets_print_as_redacted() {
    let seed = &list(&ADDRESSES, "seeds")[0];
    assert_prints(&mnemonic(seed), "Mnemonic(<redacted>)");
    assert_prints(&keys(seed), "AccountKeys(<redacted>)");
    assert_prints(&MultisigKeys::from_mnemonic(&mnemonic(seed), ""), "MultisigKeys(<redacted>)");
}

#[test]
fn the_public_side_prints_nothing_that_gives_addresses_away() {
    let seed = &list(&ADDRESSES, "seeds")[0];
    let network = &seed["networks"]["mainnet"];
    assert_prints(&keys(seed).public(), &format!("AccountPublic({})", text(network, "wallet_id")));
    let wallet = MultisigPublic::new(&[text(network, "multisig_account_xpub").to_owned()], 1).unwrap();
    assert_prints(&wallet, "MultisigPublic(1 of 1)");
}

#[test]
fn errors_about_words_never_hold_them() {
    let valid = text(&list(&ADDRESSES, "seeds")[1], "words").to_owned();
    let mut wrong = vec![valid.replacen("abandon", "abandn", 1), valid.replacen("abandon", "ability", 1)];
    wrong.push(valid.rsplit_once(' ').unwrap().0.to_owned());
    for text in wrong {
        let printed = prints(&Mnemonic::parse(&text).unwrap_err());
        for word in text.split(' ') {
            assert!(!printed.contains(word), "{printed}");
        }
    }
}

#[test]
fn errors_about_private_keys_never_hold_them() {
    let network = &list(&ADDRESSES, "seeds")[0]["networks"]["mainnet"];
    let account = text(network, "account_xpriv");
    for xpriv in [account, &account[..account.len() - 1], &account[4..]] {
        let printed = prints(&AccountPublic::from_xpub(xpriv).unwrap_err());
        assert!(!printed.contains(&xpriv[..12]), "{printed}");
    }
}

proptest! {
    /// Words of four letters and more: shorter ones may stand in the error's own text.
    #[test]
    fn no_text_at_all_comes_back_in_an_error(words in prop::collection::vec("[b-df-hj-np-tv-xz]{4,9}", 24)) {
        let text = words.join(" ");
        let printed = prints(&Mnemonic::parse(&text).unwrap_err());
        for word in &words {
            prop_assert!(!printed.contains(word.as_str()), "{}", printed);
        }
    }
}
