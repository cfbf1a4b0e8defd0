//! Who answers: a running server, or one inside of this process that is there for one operation.

use super::call::Call;
use super::failure::{Failure, refusal};
use super::flags::{Flags, Indexes, MINING_URL, NODE_URL, WordFlags};
use super::terminal::Progress;
use super::words::{self, Secret};
use headless_wallet::api::texts::{WALLET_NOT_READY, not_configured_for_multisig, start_failed};
use headless_wallet::json;
use headless_wallet::net::{HttpClient, NetError, OpenResponse, clean, clean_json};
use headless_wallet::node::Service as NodeService;
use headless_wallet::server::App;
use headless_wallet::service::Phase;
use serde::Serialize;
use serde_json::Value;
use std::time::{Duration, Instant};
use url::Url;
use zeroize::Zeroizing;

/// The wallet's id, and the key of its words, inside of this process.
const DIRECT: &str = "direct";
/// Where a server is that nothing is said of.
const USUAL: &str = "http://127.0.0.1:8000";
/// How long a wallet may load without getting further.
const STALL_LIMIT: Duration = Duration::from_secs(60);
/// How often to look whether a wallet is ready.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

pub struct Service {
    place: Place,
    base: Url,
    headers: Vec<(&'static str, String)>,
    wallet_id: String,
    limit: Option<Duration>,
}

enum Place {
    Server(HttpClient),
    Here {
        app: App,
        /// What starts the wallet.
        start: Call,
    },
}

/// An answer that is no refusal.
pub struct Answer {
    bytes: Vec<u8>,
    /// What came, as JSON.
    pub json: Value,
}

impl Answer {
    /// As it came, but for escapes of what could play tricks with a terminal.
    pub fn text(self) -> Result<String, Failure> {
        let text = str::from_utf8(&self.bytes);
        text.map(clean_json).map_err(|_| Failure::Failed("the answer is not UTF-8".to_owned()))
    }
}

impl Service {
    /// Finds the server, or sets one up. Asks for words where they are needed.
    pub fn open(flags: &Flags) -> Result<Self, Failure> {
        if flags.direct.direct { Self::here(flags) } else { Self::at_server(flags) }
    }

    fn at_server(flags: &Flags) -> Result<Self, Failure> {
        let server = &flags.server;
        let wallet_id = server.wallet_id.clone().unwrap_or_default();
        let mut headers = Vec::new();
        headers.extend(Some(wallet_id.clone()).filter(|id| !id.is_empty()).map(|id| ("x-wallet-id", id)));
        headers.extend(server.first_address.clone().map(|address| ("x-first-address", address)));
        let key = match &server.api_key_file {
            Some(path) => {
                let key = words::one_line(path)?;
                if key.contains(['\r', '\n']) {
                    return Err(Failure::Failed(format!(
                        "{}: an API key is one line, and there are several",
                        path.display()
                    )));
                }
                Some(key.to_string())
            }
            // It belongs to the server that the environment names.
            None => std::env::var("HEADLESS_API_KEY").ok().filter(|_| flags.profile.is_none()),
        };
        headers.extend(key.filter(|key| !key.is_empty()).map(|key| ("x-api-key", key)));
        Ok(Self {
            place: Place::Server(HttpClient::shared()),
            base: server.url.clone().unwrap_or_else(|| USUAL.parse().expect("a URL")),
            headers,
            wallet_id,
            limit: flags.limit(),
        })
    }

    fn here(flags: &Flags) -> Result<Self, Failure> {
        let mut config = flags.direct.settings()?;
        let secret = words::secret(&flags.words)?;
        let passphrase = words::passphrase(&flags.words)?;
        let mut start = StartBody::new(DIRECT, &secret, passphrase.as_ref(), &flags.words);
        if let Secret::Words(words) = &secret {
            config.seeds.insert(DIRECT.to_owned(), words.clone());
            // Participants are found by the key of the words.
            if let Some(key) = start.multisig_key {
                let participants = config.multisig.get(key).cloned();
                let refused = || Failure::Failed(not_configured_for_multisig(Some(key)));
                config.multisig.insert(DIRECT.to_owned(), participants.ok_or_else(refused)?);
            }
            (start.seed, start.seed_key, start.multisig_key) = (None, Some(DIRECT), None);
        }
        let start = start.call();
        let app = App::new(config).map_err(|error| Failure::Failed(error.to_string()))?;
        Ok(Self {
            place: Place::Here { app, start },
            base: "http://localhost".parse().expect("a URL"),
            headers: vec![("x-wallet-id", DIRECT.to_owned())],
            wallet_id: DIRECT.to_owned(),
            limit: flags.limit(),
        })
    }

    /// Starts the wallet of this process and waits until it is ready; a server's are as they are.
    pub async fn begin(&self, flags: &Flags) -> Result<(), Failure> {
        let Place::Here { start, .. } = &self.place else { return Ok(()) };
        self.ask(start).await?;
        self.ready(flags).await
    }

    /// Stops the wallet of this process: what it is sending is finished first.
    pub async fn end(self) {
        if let Place::Here { app, .. } = self.place {
            app.wallets().stop_all().await;
        }
    }

    pub async fn ask(&self, call: &Call) -> Result<Answer, Failure> {
        let (status, bytes, json) = self.exchange(call).await?;
        match self.refusal(status, &json) {
            // With `compat = "0.39"` a wallet has nothing of what is none.
            None => match call.typo() {
                Some(sentence) => Err(Failure::Failed(sentence)),
                None => Ok(Answer { bytes, json }),
            },
            Some(sentence) if json.is_null() => Err(Failure::Failed(format!("{}: {sentence}", self.name()))),
            Some(sentence) => {
                Err(Failure::Refused { answer: String::from_utf8_lossy(&bytes).into_owned(), sentence })
            }
        }
    }

    /// The answer of a check, which is one where something is not well, too.
    pub async fn health(&self, call: &Call) -> Result<Value, Failure> {
        let (status, bytes, json) = self.exchange(call).await?;
        if json["checks"].is_object() {
            return Ok(json);
        }
        let sentence = self.refusal(status, &json).unwrap_or_else(|| "the server told nothing".to_owned());
        Err(Failure::Refused { answer: String::from_utf8_lossy(&bytes).into_owned(), sentence })
    }

    /// Sends a request whose answer goes on, from the event after `last_id`.
    pub async fn follow(&self, call: &Call, last_id: Option<&str>) -> Result<OpenResponse, NetError> {
        let Place::Server(client) = &self.place else { unreachable!("the flags were checked") };
        let mut headers = self.headers.clone();
        headers.extend(last_id.map(|id| ("last-event-id", id.to_owned())));
        client.open(call.request(&self.base, headers, self.limit)).await
    }

    /// What it means that there is no answer.
    pub fn unanswered(&self, error: &NetError, call: &Call) -> Failure {
        Failure::unanswered(error, &self.name(), call, matches!(self.place, Place::Server(_)))
    }

    /// The wallet's id at the server.
    pub fn wallet_id(&self) -> &str {
        &self.wallet_id
    }

    /// The wallet and where it runs, for people, if that is not this process.
    pub fn wallet_and_server(&self) -> Option<String> {
        let is_elsewhere = matches!(self.place, Place::Server(_)) && !self.wallet_id.is_empty();
        is_elsewhere
            .then(|| format!("{} at {}", clean(&self.wallet_id), self.base.origin().ascii_serialization()))
    }

    async fn exchange(&self, call: &Call) -> Result<(u16, Vec<u8>, Value), Failure> {
        let request = call.request(&self.base, self.headers.clone(), self.limit);
        let answer = match &self.place {
            Place::Server(client) => client.request(request).await,
            Place::Here { app, .. } => app.answer(request).await,
        };
        let answer = answer.map_err(|error| self.unanswered(&error, call))?;
        let json = json::read(&answer.body).unwrap_or(Value::Null);
        Ok((answer.status, answer.body, json))
    }

    /// Waits until the wallet is ready, and tells how it goes.
    pub async fn ready(&self, flags: &Flags) -> Result<(), Failure> {
        let stall = flags.limit().unwrap_or(STALL_LIMIT);
        let mut progress = Progress::default();
        let mut further = (Value::Null, None, Instant::now());
        loop {
            let (status, bytes, json) = self.exchange(&Call::get("/wallet/status", &())).await?;
            let Some(sentence) = self.refusal(status, &json) else { return Ok(()) };
            let failed = json["statusCode"] == Phase::Error.code();
            if json["message"] != WALLET_NOT_READY || failed {
                return Err(Failure::Refused {
                    answer: String::from_utf8_lossy(&bytes).into_owned(),
                    sentence,
                });
            }
            let loaded = self.loaded();
            if (&json, loaded) != (&further.0, further.1) {
                further = (json, loaded, Instant::now());
            } else if further.2.elapsed() > stall {
                let seconds = stall.as_secs();
                return Err(Failure::Failed(format!("{sentence} (Nothing has changed for {seconds} s.)")));
            }
            progress.tell(&further.0, loaded);
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }

    /// Why an answer is no success. A wallet of this process has flags where a server has settings, and no
    /// id.
    fn refusal(&self, status: u16, answer: &Value) -> Option<String> {
        let sentence = refusal(status, answer, &self.wallet_id)?;
        Some(match self.place {
            Place::Server(_) => sentence,
            Place::Here { .. } => {
                [(NodeService::FullNode, NODE_URL), (NodeService::MiningService, MINING_URL)]
                    .into_iter()
                    .fold(sentence, |text, (of, flag)| text.replace(&format!("`{}`", of.setting()), flag))
                    .replace("`network`", "--network")
                    .replace(&start_failed(DIRECT), "The wallet can't be started")
            }
        })
    }

    /// Addresses and transactions loaded, where that can be seen.
    fn loaded(&self) -> Option<(u32, usize)> {
        let Place::Here { app, .. } = &self.place else { return None };
        let progress = app.wallets().get(DIRECT)?.status().progress;
        Some((progress.addresses, progress.transactions))
    }

    /// The server, without what its URL may hold besides its place.
    pub fn name(&self) -> String {
        match &self.place {
            Place::Server(_) => {
                let mut url = self.base.clone();
                // Refused for URLs that can't have them.
                let _ = (url.set_username(""), url.set_password(None));
                format!("the server at {url}")
            }
            Place::Here { .. } => "the wallet".to_owned(),
        }
    }

    /// Whether what is sent to it could be read on the way.
    pub fn is_plaintext_remote(&self) -> bool {
        let local = match self.base.host() {
            Some(url::Host::Domain(name)) => name == "localhost",
            Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
            Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
            None => false,
        };
        self.base.scheme() == "http" && !local
    }
}

// What a server is asked to start a wallet with.

/// The fields of `POST /start`.
#[derive(Serialize)]
pub struct StartBody<'a> {
    #[serde(rename = "wallet-id")]
    wallet_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<&'a str>,
    #[serde(rename = "seedKey", skip_serializing_if = "Option::is_none")]
    pub seed_key: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    xpubkey: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    passphrase: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    multisig: Option<bool>,
    #[serde(rename = "multisigKey", skip_serializing_if = "Option::is_none")]
    pub multisig_key: Option<&'a str>,
    #[serde(rename = "scanPolicy", skip_serializing_if = "Option::is_none")]
    scan_policy: Option<&'static str>,
    #[serde(rename = "gapLimit", skip_serializing_if = "Option::is_none")]
    gap_limit: Option<u32>,
    #[serde(rename = "policyStartIndex", skip_serializing_if = "Option::is_none")]
    first_index: Option<u32>,
    #[serde(rename = "policyEndIndex", skip_serializing_if = "Option::is_none")]
    last_index: Option<u32>,
}

impl<'a> StartBody<'a> {
    /// A wallet of this secret.
    pub fn new(
        wallet_id: &'a str,
        secret: &'a Secret,
        passphrase: Option<&'a Zeroizing<String>>,
        flags: &'a WordFlags,
    ) -> Self {
        let (gap_limit, indexes) = (flags.gap_limit, flags.indexes);
        let none = Self {
            wallet_id,
            seed: None,
            seed_key: None,
            xpubkey: None,
            passphrase: passphrase.map(|text| text.as_str()),
            multisig: flags.multisig_key.is_some().then_some(true),
            multisig_key: flags.multisig_key.as_deref(),
            // Without its policy a limit is not looked at.
            scan_policy: indexes.map(|_| "index-limit").or(gap_limit.map(|_| "gap-limit")),
            gap_limit,
            first_index: indexes.map(|Indexes { first, .. }| first),
            last_index: indexes.map(|Indexes { last, .. }| last),
        };
        match secret {
            Secret::Words(words) => Self { seed: Some(words.words()), ..none },
            Secret::Key(key) => Self { seed_key: Some(key), ..none },
            Secret::Xpub(xpub) => Self { xpubkey: Some(xpub), ..none },
        }
    }
    pub fn call(&self) -> Call {
        Call::post_secret("/start", self)
    }
}
