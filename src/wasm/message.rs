//! Verifying a signed message.

use super::failure::Failure;
use super::given::Given;
use super::shape::read;
use crate::handlers;
use wasm_bindgen::prelude::*;

/// Whether a message was signed with the key of an address (of a network, if one is given). A signature that can't be read is not valid.
#[wasm_bindgen(js_name = verifyMessage)]
pub fn verify_message(
    #[wasm_bindgen(unchecked_param_type = "VerifyMessageRequest")] request: JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Network")] network: JsValue,
) -> Result<bool, JsValue> {
    let network = Given::new(network, "network").given().map(|network| network.network()).transpose()?;
    let request = read(Given::new(request, "request"), network)?;
    Ok(handlers::verify_message(&request, network).map_err(Failure::from)?.0)
}
