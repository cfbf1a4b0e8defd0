//! Decoding a transaction.

use super::answer::to_js;
use super::failure::Failure;
use super::js_arg::JsArg;
use crate::api::PlainTransaction;
use crate::ledger::Transaction;
use wasm_bindgen::prelude::*;

/// Decodes a transaction.
///
/// @param hex The transaction in hexadecimal.
/// @param network The network of the addresses in its scripts.
/// @throws {WalletError} `INVALID_INPUT`
#[wasm_bindgen(js_name = decodeTransaction, unchecked_return_type = "DecodedTransaction")]
pub fn decode_transaction(
    #[wasm_bindgen(unchecked_param_type = "string")] hex: JsValue,
    #[wasm_bindgen(unchecked_param_type = "Network")] network: JsValue,
) -> Result<JsValue, JsValue> {
    let given = JsArg::new(hex, "hex");
    let network = JsArg::new(network, "network").network()?;
    let bytes =
        hex::decode(given.text()?).map_err(|_| given.refuse("must be hexadecimal digits, two a byte"))?;
    let transaction = Transaction::from_bytes(&bytes)
        .map_err(|error| given.refuse(format!("must be a transaction: {error}")))?;
    let id = transaction.id().map_err(Failure::internal)?;
    Ok(to_js(&PlainTransaction { transaction: &transaction, id, network })?)
}
