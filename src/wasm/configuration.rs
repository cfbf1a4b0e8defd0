//! Configuration strings, by which wallets tell each other of a token.

use super::answer::to_js;
use super::js_arg::JsArg;
use crate::ledger::ConfigurationString;
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// Makes the configuration string of a token: `[name:symbol:uid:checksum]`.
///
/// @param token `uid`, `name`, `symbol`
/// @throws {WalletError} `INVALID_INPUT`
#[wasm_bindgen(js_name = configurationString)]
pub fn configuration_string(
    #[wasm_bindgen(unchecked_param_type = "TokenDescription")] token: JsValue,
) -> Result<String, JsValue> {
    let [uid, name, symbol] = JsArg::new(token, "request").members(["uid", "name", "symbol"])?;
    Ok(ConfigurationString { uid: uid.token()?, name: name.text()?, symbol: symbol.text()? }.to_string())
}

/// Reads a configuration string, and checks its checksum.
///
/// @param text The configuration string.
/// @throws {WalletError} `INVALID_INPUT`
#[wasm_bindgen(js_name = parseConfigurationString, unchecked_return_type = "TokenDescription")]
pub fn parse_configuration_string(
    #[wasm_bindgen(unchecked_param_type = "string")] text: JsValue,
) -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Token {
        uid: String,
        name: String,
        symbol: String,
    }
    let text = JsArg::new(text, "text");
    let ConfigurationString { uid, name, symbol } = ConfigurationString::parse(&text.text()?)
        .map_err(|error| text.refuse(format!("must be a configuration string: {error}")))?;
    Ok(to_js(&Token { uid: uid.to_string(), name, symbol })?)
}
