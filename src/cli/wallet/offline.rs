//! What is worked out here, without a server: xpubs of words, and whether a message was signed.

use super::call::Call;
use super::failure::{Failure, no_seed_here, refusal};
use super::flags::Flags;
use super::service::Service;
use super::words::{self, Secret};
use headless_wallet::api::{Compat, Request, VerifiedMessageAnswer, XpubAnswer};
use headless_wallet::keys::{AccountKeys, Mnemonic, MultisigKeys};
use headless_wallet::net::clean;
use headless_wallet::operations::VerifyMessage;
use headless_wallet::operations::verify_message;
use serde::Serialize;
use serde_json::{Map, Value};

/// Of words that are given here: no server and no network is asked.
pub fn xpub(flags: &Flags) -> Result<String, Failure> {
    let words = match words::secret(&flags.words)? {
        Secret::Words(words) => words,
        Secret::Key(_) | Secret::Xpub(_) => {
            return Err(Failure::Usage(
                "the xpub is computed from words: give --seed-file, or type them; for words that a server keeps sealed, use \
                 `headless-wallet seeds xpub`"
                    .to_owned(),
            ));
        }
    };
    let passphrase = words::passphrase(&flags.words)?;
    let xpub = xpub_of(&words, passphrase.as_ref().map_or("", |text| text.as_str()));
    Ok(told(xpub, flags.json))
}

fn told(xpub: String, json: bool) -> String {
    if json { json_of(&XpubAnswer(xpub)).to_string() } else { xpub }
}

/// That of the account of a wallet of one key.
pub fn xpub_of(words: &Mnemonic, passphrase: &str) -> String {
    AccountKeys::from_mnemonic(words, passphrase).public().to_xpub()
}

// `wallet multisig-pubkey`: what the other participants of a multisig wallet need to know of somebody's
// words.

/// The fields of `POST /multisig-pubkey`.
#[derive(Serialize)]
struct Body<'a> {
    #[serde(rename = "seedKey")]
    seed_key: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    passphrase: Option<&'a str>,
}

/// Of words that the server's settings have.
pub async fn multisig_pubkey_of_server(service: &Service, flags: &Flags) -> Result<String, Failure> {
    let Some(seed_key) = &flags.words.seed_key else {
        return Err(Failure::Usage(
            "give --seed-key, the name under which the server keeps the words; or, for words of your own, --direct"
                .to_owned(),
        ));
    };
    let passphrase = words::passphrase(&flags.words)?;
    let body = Body { seed_key, passphrase: passphrase.as_ref().map(|text| text.as_str()) };
    let answer = service.ask(&Call::post_secret("/multisig-pubkey", &body)).await?;
    if flags.json {
        return answer.text();
    }
    Ok(clean(answer.json["xpubkey"].as_str().unwrap_or_default()))
}

/// Of words that are given here, or that the settings here have: no server and no network is asked.
pub fn multisig_pubkey(flags: &Flags) -> Result<String, Failure> {
    let words = match words::secret(&flags.words)? {
        Secret::Words(words) => words,
        Secret::Key(name) => {
            let words = flags.direct.settings()?.seeds.get(&name).cloned();
            words.ok_or_else(|| Failure::Failed(no_seed_here(&name)))?
        }
        Secret::Xpub(_) => {
            return Err(Failure::Usage("--xpub is for wallets with a single key: give the words".to_owned()));
        }
    };
    let passphrase = words::passphrase(&flags.words)?;
    let keys = MultisigKeys::from_mnemonic(&words, passphrase.as_ref().map_or("", |text| text.as_str()));
    Ok(told(keys.account_xpub(), flags.json))
}

// `wallet verify-message`: worked out here, for that takes neither a wallet nor a server.

const NOT_VALID: &str = "The signature is not of this message, or not by the key of this address.";

/// Whether the key of an address, of any network, signed a message. It fails where it did not, so that
/// scripts can go by the exit code.
pub fn verified_message(fields: &Map<String, Value>, json: bool) -> Result<String, Failure> {
    let request = VerifyMessage::read(fields, Compat::Documented);
    match request.and_then(|request| verify_message(&request, None)) {
        Ok(VerifiedMessageAnswer(true)) if !json => Ok("The signature is valid.".to_owned()),
        Ok(answer @ VerifiedMessageAnswer(true)) => Ok(json_of(&answer).to_string()),
        Ok(answer) => {
            Err(Failure::Refused { answer: json_of(&answer).to_string(), sentence: NOT_VALID.to_owned() })
        }
        Err(refused) => {
            let answer = json_of(&refused.answer(Compat::Documented));
            let sentence = refusal(refused.status(), &answer, "").unwrap_or_default();
            Err(Failure::Refused { answer: answer.to_string(), sentence })
        }
    }
}

fn json_of(of: &impl Serialize) -> Value {
    serde_json::to_value(of).expect("answers are JSON")
}
