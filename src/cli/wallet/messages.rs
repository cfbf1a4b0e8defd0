//! `wallet verify-message`: worked out here, for that takes neither a wallet nor a server.

use super::failure::{Failure, refusal};
use headless_wallet::api::{Compat, Request, VerifiedMessageAnswer};
use headless_wallet::operations::VerifyMessage;
use headless_wallet::operations::verify_message;
use serde::Serialize;
use serde_json::{Map, Value};

const NOT_VALID: &str = "The signature is not of this message, or not by the key of this address.";

/// Whether the key of an address, of any network, signed a message. It fails where it did not, so that
/// scripts can go by the exit code.
pub fn verify(fields: &Map<String, Value>, json: bool) -> Result<String, Failure> {
    let request = VerifyMessage::read(fields, Compat::Documented);
    match request.and_then(|request| verify_message(&request, None)) {
        Ok(VerifiedMessageAnswer(true)) if !json => Ok("The signature is valid.".to_owned()),
        Ok(answer @ VerifiedMessageAnswer(true)) => Ok(value(&answer).to_string()),
        Ok(answer) => {
            Err(Failure::Refused { answer: value(&answer).to_string(), sentence: NOT_VALID.to_owned() })
        }
        Err(refused) => {
            let answer = value(&refused.answer(Compat::Documented));
            let sentence = refusal(refused.status(), &answer, "").unwrap_or_default();
            Err(Failure::Refused { answer: answer.to_string(), sentence })
        }
    }
}

fn value(of: &impl Serialize) -> Value {
    serde_json::to_value(of).expect("answers are JSON")
}
