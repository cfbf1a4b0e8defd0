//! What is no vault of ours is not opened, and is refused before it takes more memory and time than ours do.
#![no_main]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use headless_wallet::keys::{VaultError, open_vault};
use libfuzzer_sys::fuzz_target;

const PASSWORD: &str = "not the password";
/// The most that a vault may ask for, in KiB and in passes.
const MOST: (u32, u32) = (256 * 1024, 10);

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes)
        && STANDARD.decode(text.trim()).is_err()
    {
        assert_eq!(open_vault(text, PASSWORD), Err(VaultError::Unreadable));
    }
    let mut vault = bytes.to_vec();
    let mut is_bounded = true;
    if let Some((_, [numbers @ .., _])) = vault.split_first_mut().filter(|(_, rest)| rest.len() > 8) {
        let number =
            |at: usize| u32::from_be_bytes([numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]]);
        let (memory, passes) = (number(0), number(4));
        is_bounded = memory <= MOST.0 && passes <= MOST.1;
        if is_bounded {
            // What is allowed takes its time, on purpose: less of it will do here.
            numbers[..4].copy_from_slice(&(memory % 64).to_be_bytes());
        }
    }
    let refusal = open_vault(&STANDARD.encode(&vault), PASSWORD).expect_err("nobody knows the password");
    assert!(is_bounded || refusal == VaultError::Unreadable);
});
