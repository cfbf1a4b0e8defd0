//! `wallet multisig-pubkey`: what the other participants of a multisig wallet need to know of somebody's
//! words.

use super::call::Call;
use super::failure::{Failure, no_seed_here};
use super::flags::Flags;
use super::service::Service;
use super::words::{self, Secret};
use headless_wallet::api::XpubAnswer;
use headless_wallet::keys::MultisigKeys;
use headless_wallet::net::clean;
use serde::Serialize;

/// The fields of `POST /multisig-pubkey`.
#[derive(Serialize)]
struct Body<'a> {
    #[serde(rename = "seedKey")]
    seed_key: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    passphrase: Option<&'a str>,
}

/// Of words that the server's settings have.
pub async fn of_server(service: &Service, flags: &Flags) -> Result<String, Failure> {
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
pub fn here(flags: &Flags) -> Result<String, Failure> {
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
    let xpub = keys.account_xpub();
    if !flags.json {
        return Ok(xpub);
    }
    Ok(serde_json::to_string(&XpubAnswer(xpub)).expect("an answer is JSON"))
}
