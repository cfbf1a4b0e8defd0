//! Verifying a signed message.

use super::js_arg::JsArg;
use crate::keys::{is_signed, message_fits};
use wasm_bindgen::prelude::*;

/// Checks whether a message was signed with the key of an address. An unreadable signature is not valid.
///
/// @param request `message`, `address`, `signature`
/// @param network The network that the address must belong to; any if left out.
/// @throws {WalletError} `INVALID_INPUT`
#[wasm_bindgen(js_name = verifyMessage)]
pub fn verify_message(
    #[wasm_bindgen(unchecked_param_type = "VerifyMessageRequest")] request: JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Network")] network: JsValue,
) -> Result<bool, JsValue> {
    let network = JsArg::new(network, "network").given().map(|network| network.network()).transpose()?;
    let [message, address, signature] =
        JsArg::new(request, "request").members(["message", "address", "signature"])?;
    let (text, claimed, signed) = (message.text()?, address.text()?, signature.text()?);
    message_fits(&text).map_err(|must| message.refuse(must))?;
    address.address(network)?;
    let valid = is_signed(&claimed, network, &text, &signed).map_err(|must| address.refuse(must));
    Ok(valid?)
}
