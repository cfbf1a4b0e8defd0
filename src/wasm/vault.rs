//! Sealing secrets with a password.

use super::failure::Failure;
use super::js_arg::JsArg;
use crate::keys::{open_vault, seal_vault};
use wasm_bindgen::prelude::*;

/// Seals a secret, such as the 24 words, with a password, so that it can be kept where others may read it
/// (`localStorage`, a file).
///
/// Argon2id (64 MiB, three passes) makes the key, XChaCha20-Poly1305 seals. That takes some tenths of a
/// second, on purpose: call it in a Web Worker.
#[wasm_bindgen(js_name = sealSecret)]
pub fn seal_secret(
    #[wasm_bindgen(unchecked_param_type = "string")] secret: JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] password: JsValue,
) -> Result<String, JsValue> {
    let secret = JsArg::new(secret, "secret").secret()?;
    let password = JsArg::new(password, "password").secret()?;
    Ok(seal_vault(&secret, &password).map_err(Failure::from)?)
}

/// Opens what `sealSecret` made. A wrong password is refused with the code `WRONG_PASSWORD`.
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
