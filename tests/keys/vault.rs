//! Sealing secrets with a password: against vaults that other people's libraries made, and everything that
//! must not open.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use headless_wallet::keys::{VaultError, open_vault, seal_vault};
use serde_json::Value;

fn vaults() -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("../vectors/vaults.json")).unwrap();
    file["vaults"].as_array().unwrap().clone()
}

#[test]
fn vaults_of_other_libraries_open() {
    for vault in vaults() {
        let text = |name: &str| vault[name].as_str().unwrap().to_owned();
        let opened = open_vault(&text("sealed"), &text("password")).unwrap();
        assert_eq!(*opened, text("secret"));
    }
}

#[test]
fn what_is_sealed_opens_with_its_password_alone() {
    let sealed = seal_vault("zoo zoo wrong", "right").unwrap();
    assert_eq!(*open_vault(&sealed, "right").unwrap(), "zoo zoo wrong");
    assert_eq!(open_vault(&sealed, "wrong"), Err(VaultError::WrongPassword));
    assert_eq!(open_vault(&sealed, ""), Err(VaultError::WrongPassword));
    assert_ne!(sealed, seal_vault("zoo zoo wrong", "right").unwrap(), "salt and nonce are new each time");
}

#[test]
fn the_length_tells_nothing_of_the_words() {
    let lengths = ["", "a", &"abandon ".repeat(24)].map(|secret| seal_vault(secret, "p").unwrap().len());
    assert_eq!(lengths, [lengths[0]; 3]);
}

#[test]
fn a_secret_that_looks_like_padding_is_refused() {
    assert_eq!(seal_vault("words\0", "p"), Err(VaultError::Secret));
}

/// The quickest of the vaults, with one byte changed.
fn changed(at: usize, to: impl Fn(u8) -> u8) -> String {
    let vault = &vaults()[1];
    let mut bytes = STANDARD.decode(vault["sealed"].as_str().unwrap()).unwrap();
    bytes[at] = to(bytes[at]);
    STANDARD.encode(bytes)
}

#[test]
fn a_change_anywhere_is_noticed() {
    let password = vaults()[1]["password"].as_str().unwrap().to_owned();
    let fault = |at| open_vault(&changed(at, |byte| byte ^ 1), &password).unwrap_err();
    assert_eq!(fault(0), VaultError::Unreadable, "version");
    assert_eq!(fault(8), VaultError::Unreadable, "no passes at all");
    for at in [4, 9, 24, 25, 48, 49, 200, 320] {
        assert_eq!(fault(at), VaultError::WrongPassword, "byte {at}");
    }
}

#[test]
fn a_changed_header_does_not_spend_memory_or_time_without_end() {
    assert_eq!(open_vault(&changed(1, |_| 0xff), "p"), Err(VaultError::Unreadable));
    assert_eq!(open_vault(&changed(5, |_| 0xff), "p"), Err(VaultError::Unreadable));
}

#[test]
fn what_is_no_vault_is_refused() {
    for text in ["", "not base64!", "AQ==", &STANDARD.encode([0; 48]), &STANDARD.encode([0; 400])] {
        assert_eq!(open_vault(text, "p"), Err(VaultError::Unreadable), "{text}");
    }
    let vault = &vaults()[1];
    let cut = &STANDARD.decode(vault["sealed"].as_str().unwrap()).unwrap()[..49];
    let password = vault["password"].as_str().unwrap();
    assert_eq!(open_vault(&STANDARD.encode(cut), password), Err(VaultError::WrongPassword));
}
