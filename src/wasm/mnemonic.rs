//! Seed phrases.

use super::answer::to_js;
use super::failure::Failure;
use super::js_arg::JsArg;
use crate::keys::Mnemonic;
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// Generates a seed phrase of 24 words from the system's randomness.
#[wasm_bindgen(js_name = generateMnemonic)]
pub fn generate_mnemonic() -> Result<String, JsValue> {
    let words = Mnemonic::generate().map_err(|error| Failure::internal(error).into());
    words.map(|words: Mnemonic| words.words().to_owned())
}

/// Returns the English word list in its order, for example to complete words while they are typed.
#[wasm_bindgen(js_name = wordList)]
pub fn word_list() -> Vec<String> {
    Mnemonic::word_list().map(str::to_owned).collect()
}

/// Whether a text is a valid seed phrase: 24 words of the English list with the right checksum.
///
/// @param words The text.
#[wasm_bindgen(js_name = validateMnemonic)]
pub fn validate_mnemonic(
    #[wasm_bindgen(unchecked_param_type = "string")] words: JsValue,
) -> Result<bool, JsValue> {
    Ok(Mnemonic::parse(&JsArg::new(words, "words").secret()?).is_ok())
}

#[derive(Serialize)]
struct Checked {
    valid: bool,
    count: usize,
    unknown: Vec<usize>,
    reason: Option<String>,
}

/// Checks a seed phrase, to show problems while it is typed.
///
/// @param words The words so far.
#[wasm_bindgen(js_name = checkMnemonic, unchecked_return_type = "MnemonicCheck")]
pub fn check_mnemonic(
    #[wasm_bindgen(unchecked_param_type = "string")] words: JsValue,
) -> Result<JsValue, JsValue> {
    let words = JsArg::new(words, "words").secret()?;
    let parsed = Mnemonic::parse(&words);
    let check = Mnemonic::check_words(&words);
    Ok(to_js(&Checked {
        valid: parsed.is_ok(),
        count: check.count,
        unknown: check.unknown,
        reason: parsed.err().map(|error| error.to_string()),
    })?)
}
