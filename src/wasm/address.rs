//! Checking an address.

use super::answer::to_js;
use super::js_arg::JsArg;
use crate::ledger::{Address, AddressKind};
use serde::Serialize;
use wasm_bindgen::prelude::*;

#[derive(Serialize)]
#[serde(untagged)]
enum Checked {
    Valid { valid: bool, kind: &'static str },
    Invalid { valid: bool, reason: String },
}

/// Checks whether a text is an address, and says why if not.
///
/// @param address The text.
/// @param network The network that it must belong to; any if left out.
/// @example
/// const check = checkAddress("WPhehTyNHTPz954CskfuSgLEfuKXbXeK3f", "testnet");
/// console.log(check.valid ? check.kind : check.reason);
#[wasm_bindgen(js_name = checkAddress, unchecked_return_type = "AddressCheck")]
pub fn check_address(
    #[wasm_bindgen(unchecked_param_type = "string")] address: JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Network")] network: JsValue,
) -> Result<JsValue, JsValue> {
    let text = JsArg::new(address, "address").text()?;
    let parsed = match JsArg::new(network, "network").given() {
        Some(network) => Address::parse(&text, network.network()?),
        None => Address::parse_any(&text),
    };
    Ok(to_js(&match parsed {
        Ok(address) => {
            let kind = match address.kind() {
                AddressKind::P2pkh => "P2PKH",
                AddressKind::P2sh => "MultiSig",
            };
            Checked::Valid { valid: true, kind }
        }
        Err(error) => Checked::Invalid { valid: false, reason: error.to_string() },
    })?)
}
