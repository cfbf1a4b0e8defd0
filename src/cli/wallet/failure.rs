//! What went wrong, in one sentence with the remedy.

use super::SHORT;
use super::call::Call;
use crate::cli::{say, tell};
use headless_wallet::api::texts::{
    ADDRESS_NOT_MINE, API_KEY_MISSING, API_KEY_WRONG, NO_ENDPOINT, SEED_NOT_FOUND, WALLET_ALREADY_STARTED,
    WALLET_ID_HEADER_MISSING, WALLET_ID_UNKNOWN, WALLET_NOT_READY,
};
use headless_wallet::net::{NetError, brief, clean_json};
use serde_json::{Value, json};
use std::fmt;
use std::process::ExitCode;

#[derive(Clone, Debug)]
pub enum Failure {
    /// The server's answer says so.
    Refused {
        /// The answer as it is.
        answer: String,
        /// What it says, for people.
        sentence: String,
    },
    Failed(String),
    /// The command line makes no sense.
    Usage(String),
    Interrupted {
        /// Whether a transaction may have been under way.
        sending: bool,
    },
}

/// For commands other than those of `wallet`, which say nothing but its sentence.
impl std::error::Error for Failure {}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sentence())
    }
}

impl Failure {
    /// What it says, for people.
    pub fn sentence(&self) -> &str {
        match self {
            Self::Refused { sentence, .. } | Self::Failed(sentence) | Self::Usage(sentence) => sentence,
            Self::Interrupted { .. } => "interrupted",
        }
    }
    /// Says it, and leaves with its exit code.
    pub fn report(self, json: bool) -> ExitCode {
        let (code, sentence, answer) = match self {
            Self::Refused { answer, sentence } => (1, sentence, Some(answer)),
            Self::Failed(sentence) => (1, sentence, None),
            Self::Usage(sentence) => {
                tell(&format!("error: {sentence}\n\nFor more information, try '--help'."));
                return ExitCode::from(2);
            }
            Self::Interrupted { sending: false } => (130, "interrupted: nothing was sent".to_owned(), None),
            Self::Interrupted { sending: true } => {
                (130, format!("interrupted while sending. {MAY_BE_SENT}"), None)
            }
        };
        if json {
            let answer = answer.map(|answer| clean_json(&answer));
            say(&answer.unwrap_or_else(|| json!({"success": false, "error": sentence}).to_string()));
        } else {
            tell(&format!("error: {sentence}"));
        }
        if code == 130 {
            // A thread may still wait for a line of the terminal, and would hold up an ordinary end.
            std::process::exit(130);
        }
        ExitCode::from(code)
    }

    /// The same, with the name of the words that were asked for, and where they were looked for.
    pub fn naming_seed(self, name: Option<&str>, is_here: bool) -> Self {
        match (self, name) {
            (Self::Refused { answer, sentence }, Some(name)) if sentence == SEED_NOT_FOUND => {
                let sentence = match is_here {
                    true => no_seed_here(name),
                    false => format!(
                        "{SEED_NOT_FOUND} The server has none called {name:?}: neither in [seeds] of its settings, nor sealed \
                         (`headless-wallet seeds list` shows those)."
                    ),
                };
                Self::Refused { answer, sentence }
            }
            (failure, _) => failure,
        }
    }

    /// No answer. `remembers` says whether a request's name is known there when it is repeated.
    pub fn unanswered(error: &NetError, place: &str, call: &Call, remembers: bool) -> Self {
        let hint = match (error, call.key()) {
            (NetError::Connect(_), _) => {
                "Start it with `headless-wallet serve`, or name another with --url.".to_owned()
            }
            (_, Some(_)) if !remembers => MAY_BE_SENT.to_owned(),
            (_, Some(key)) => format!(
                "{MAY_BE_SENT} Repeating the command with --idempotency-key {key} sends nothing twice: as long as the server runs, and \
                 after that if it has a data directory."
            ),
            (NetError::Timeout(_), _) => "Try again, or wait longer with --timeout.".to_owned(),
            _ => "Try again.".to_owned(),
        };
        Self::Failed(format!("{place}: {error}. {hint}"))
    }
}

/// That the settings of this process have no words of this name.
pub fn no_seed_here(name: &str) -> String {
    format!("{SEED_NOT_FOUND} There is none called {name:?} in [seeds] of the settings here (--config FILE).")
}

/// What to do when nobody knows.
const MAY_BE_SENT: &str = "The transaction may have been sent anyway: check `headless-wallet wallet history` before you send it again.";

/// Why an answer is no success, if it is none.
pub fn refusal(status: u16, answer: &Value, wallet_id: &str) -> Option<String> {
    if (200..300).contains(&status) && answer.get("success") != Some(&Value::Bool(false)) && !answer.is_null()
    {
        return None;
    }
    let text = |name: &str| answer[name].as_str().filter(|text| !text.is_empty());
    // What HTTP says of a path is nothing to who typed a command.
    if status == 404 && text("error").is_some_and(|error| error.ends_with(NO_ENDPOINT)) {
        return Some(
            "the server does not know this request: check --url and the id in the command, if it has one; or the \
             server is an older release"
                .to_owned(),
        );
    }
    let mut said: Vec<String> = text("message").into_iter().map(str::to_owned).collect();
    if text("message") == Some(WALLET_ID_HEADER_MISSING) {
        return Some("no wallet is named: give --wallet-id, or set HEADLESS_WALLET_ID".to_owned());
    }
    if text("message") == Some(WALLET_NOT_READY) {
        said.extend(text("statusMessage").map(|state| format!("It is {state}.")));
    }
    said.extend(text("error").map(str::to_owned));
    said.extend(text("approvalId").map(|id| {
        let id = id.get(..SHORT).unwrap_or(id);
        format!("It waits for that, and is sent then: see `headless-wallet wallet approval {id}`. Don't ask for it again.")
    }));
    if said.is_empty() {
        said = problems(answer);
    }
    if said.is_empty() && *answer == json!({"success": false}) {
        // All that address-index says.
        said.push(ADDRESS_NOT_MINE.to_owned());
    }
    if said.is_empty() {
        said.push(format!(
            "The answer has status {status} and says nothing more: is that a headless-wallet server?"
        ));
    }
    said.extend(hint(answer, wallet_id));
    Some(sentences(&said))
}

/// Texts as sentences on one line: some have paragraphs, and some no full stop.
fn sentences(texts: &[String]) -> String {
    let mut all = String::new();
    for text in texts {
        match all.chars().last() {
            None => {}
            Some('.' | '!' | '?' | ':') => all.push(' '),
            Some(_) => all += ": ",
        }
        all += &brief(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    all
}

/// What is wrong with fields, where release 0.39 is followed and there is no sentence about them.
fn problems(answer: &Value) -> Vec<String> {
    let entries = |name: &str| answer[name].as_array().map(Vec::as_slice).unwrap_or_default().to_vec();
    let fields = entries("error").into_iter().map(|entry| {
        let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
        format!("{}: {}.", text("param"), text("msg"))
    });
    let details =
        entries("details").into_iter().map(|entry| format!("{}.", entry.as_str().unwrap_or_default()));
    fields.chain(details).collect()
}

/// The remedy, where the answer knows none.
fn hint(answer: &Value, wallet_id: &str) -> Option<String> {
    let text = answer["message"].as_str().unwrap_or_default();
    Some(match text {
        API_KEY_MISSING | API_KEY_WRONG => "Set HEADLESS_API_KEY, or give --api-key-file.".to_owned(),
        WALLET_ID_UNKNOWN => format!(
            "No wallet {wallet_id:?} is started there: `headless-wallet wallet start --wallet-id {wallet_id}` starts it."
        ),
        WALLET_NOT_READY => "Try again in a moment.".to_owned(),
        _ if answer["errorCode"] == WALLET_ALREADY_STARTED => {
            "A wallet with this id is started already.".to_owned()
        }
        _ if text.starts_with("Wrong first address.") => "Give it as --first-address.".to_owned(),
        _ => return None,
    })
}
