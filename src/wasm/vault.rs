//! Sealing secrets with a password.

use super::failure::Failure;
use super::js_arg::JsArg;
use crate::keys::{open_vault, seal_vault};
use wasm_bindgen::prelude::*;

/// Encrypts a secret, such as a seed phrase, with a password, to store it where others can read it
/// (`localStorage`, a file). This takes some tenths of a second, on purpose: call it in a Web Worker.
///
/// Argon2id (64 MiB, three passes) derives the key, XChaCha20-Poly1305 encrypts.
///
/// @param secret The text to encrypt.
/// @param password The password that decrypts it.
/// @throws {WalletError} `INVALID_INPUT`
/// @example
/// localStorage.setItem("wallet", sealSecret(generateMnemonic(), "correct horse battery staple"));
#[wasm_bindgen(js_name = sealSecret)]
pub fn seal_secret(
    #[wasm_bindgen(unchecked_param_type = "string")] secret: JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] password: JsValue,
) -> Result<String, JsValue> {
    let secret = JsArg::new(secret, "secret").secret()?;
    let password = JsArg::new(password, "password").secret()?;
    Ok(seal_vault(&secret, &password).map_err(Failure::from)?)
}

/// Decrypts a text of `sealSecret`, in as much time.
///
/// @param sealed The sealed text.
/// @param password The password that it was sealed with.
/// @throws {WalletError} `WRONG_PASSWORD`, `VAULT_UNREADABLE`, `INVALID_INPUT`
#[wasm_bindgen(js_name = openSecret)]
pub fn open_secret(
    #[wasm_bindgen(unchecked_param_type = "string")] sealed: JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] password: JsValue,
) -> Result<String, JsValue> {
    let sealed = JsArg::new(sealed, "sealed").text()?;
    let password = JsArg::new(password, "password").secret()?;
    let secret = open_vault(&sealed, &password).map_err(Failure::from)?;
    Ok(String::clone(&secret))
}
