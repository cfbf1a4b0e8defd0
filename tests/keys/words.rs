//! Cleaning and checking the 24 words.

use crate::vectors::*;
use headless_wallet::keys::{AccountKeys, Mnemonic, MnemonicError};
use sha2::{Digest, Sha256};
use std::collections::HashSet;

#[test]
fn words_are_cleaned_and_refused_as_the_reference_does() {
    for entry in list(&ADDRESSES, "seed_word_validation") {
        let input = text(entry, "input");
        let result = Mnemonic::parse(input);
        if entry["valid"].as_bool().unwrap() {
            assert_eq!(result.unwrap().words(), text(entry, "normalized"));
            continue;
        }
        let error = result.unwrap_err();
        assert_eq!(error.to_string(), text(entry, "message"), "{}", text(entry, "description"));
        if let MnemonicError::UnknownWords { positions } = error {
            let words: Vec<_> = positions.iter().map(|&at| input.split(' ').nth(at).unwrap()).collect();
            assert_eq!(words, texts(entry, "invalid_words"));
        }
    }
}

#[test]
fn the_count_comes_before_the_words_and_the_words_before_the_checksum() {
    let unknown_and_too_few = Mnemonic::parse("hathor");
    assert_eq!(unknown_and_too_few.unwrap_err(), MnemonicError::Count);
    let mut words = vec!["abandon"; 24];
    assert_eq!(Mnemonic::parse(&words.join(" ")).unwrap_err(), MnemonicError::Checksum);
    (words[3], words[23]) = ("hathor", "HTR");
    assert_eq!(
        Mnemonic::parse(&words.join(" ")).unwrap_err(),
        MnemonicError::UnknownWords { positions: vec![3, 23] }
    );
}

#[test]
fn anything_but_letters_and_digits_separates_words() {
    let words = mnemonic(&list(&ADDRESSES, "seeds")[0]);
    for separator in [", ", "\n", "-", "_", "\u{3000}", "é", "🚀", "\0"] {
        let text = format!("{separator}{}{separator}", words.words().replace(' ', separator));
        assert_eq!(Mnemonic::parse(&text).unwrap().words(), words.words(), "{separator:?}");
    }
    // A letter outside ASCII splits its word, where lower-casing it first would not have.
    let kelvin = words.words().replacen("abandon", "abando\u{212a}", 1);
    assert_eq!(Mnemonic::parse(&kelvin).unwrap_err(), MnemonicError::UnknownWords { positions: vec![0] });
}

#[test]
fn an_uncleaned_phrase_leads_to_the_same_keys() {
    let seed = &list(&ADDRESSES, "seeds")[0];
    let shouted = Mnemonic::parse(&format!("  {}!", text(seed, "words").to_uppercase())).unwrap();
    assert_eq!(AccountKeys::from_mnemonic(&shouted, "").public().to_xpub(), keys(seed).public().to_xpub());
}

#[test]
fn the_passphrase_is_normalised() {
    let words = mnemonic(&list(&ADDRESSES, "seeds")[0]);
    assert_eq!(words.seed("p\u{e4}ss"), words.seed("pa\u{308}ss"));
    assert_ne!(words.seed("p\u{e4}ss"), words.seed("pass"));
}

#[test]
fn new_words_are_valid_and_new_each_time() {
    let words: Vec<_> = (0..32).map(|_| Mnemonic::generate().unwrap()).collect();
    for one in &words {
        assert_eq!(one.words().split(' ').count(), 24);
        let read = Mnemonic::parse(one.words()).unwrap();
        assert_eq!(read.words(), one.words());
    }
    let different: HashSet<_> = words.iter().map(Mnemonic::words).collect();
    assert_eq!(different.len(), words.len());
    let one = &words[0];
    assert_eq!(one.seed(""), Mnemonic::parse(one.words()).unwrap().seed(""));
}

#[test]
fn the_list_is_the_one_of_bip39() {
    let list: String = Mnemonic::word_list().flat_map(|word| [word, "\n"]).collect();
    assert_eq!(Mnemonic::word_list().count(), 2048);
    assert_eq!(
        hex::encode(Sha256::digest(list)),
        "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"
    );
}
