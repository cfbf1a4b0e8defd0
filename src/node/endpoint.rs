//! One service at one address: building URLs, sending, reading JSON, and asking again where that is harmless.

use super::lanes::{Lane, Lanes};
#[cfg(feature = "native")]
use super::stats::{Counter, REQUEST_OUTCOMES};
use super::{BadUrl, CallError, Fault, Service, object};
use crate::net::{DEFAULT_TIMEOUT, HttpClient, Method, Request, Response, Url, brief};
use crate::rt::{self, Instant};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The longest answer that is not a part of a history: of a transaction a node tells all that it is a
/// parent of, too.
const MAX_ANSWER_BYTES: usize = 8 * 1024 * 1024;
/// How long a read is tried again. A busy service (429, 503) needs all of it; see [`attempts`] for the
/// others.
const READ_LIMIT: Duration = Duration::from_secs(30);
/// Pauses between the tries of a read.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// The longest that a service is left alone because it asked for that: it may be well again sooner than it
/// thought.
const LONGEST_REST: Duration = Duration::from_secs(60);

#[derive(Clone)]
pub(super) struct Endpoint {
    pub(super) client: HttpClient,
    service: Service,
    base: Url,
    headers: Vec<(&'static str, String)>,
    pub(super) timeout: Duration,
    /// Time for all tries of one read together.
    pub(super) read_limit: Duration,
    lanes: Lanes,
    /// In which the requests of this clone wait.
    pub(super) lane: Lane,
    pauses: Arc<Mutex<Pauses>>,
    #[cfg(feature = "native")]
    pub(super) requests: Arc<Counter<{ REQUEST_OUTCOMES.len() }>>,
}

/// Until when the service asked for a pause, by lane and path: a pause of reads does not stop a send.
type Pauses = HashMap<(usize, String), Instant>;

/// What application errors look like, in the node's two spellings and the mining service's.
#[derive(Deserialize)]
struct Refusal {
    #[serde(default)]
    success: Option<bool>,
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    error: Option<String>,
}

impl Endpoint {
    pub(super) fn new(client: HttpClient, service: Service, url: &str) -> Result<Self, BadUrl> {
        let bad = |reason: &str| BadUrl { service, reason: reason.to_owned() };
        let base: Url = url.parse().map_err(|e: String| bad(&e))?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(bad("it must start with http:// or https://"));
        }
        Ok(Self {
            client,
            service,
            base: base.into_base(),
            headers: Vec::new(),
            timeout: DEFAULT_TIMEOUT,
            read_limit: READ_LIMIT,
            lanes: Lanes::default(),
            lane: Lane::default(),
            pauses: Arc::default(),
            #[cfg(feature = "native")]
            requests: Arc::default(),
        })
    }

    /// Adds a header to every request. Its value is never printed.
    pub(super) fn with_header(mut self, name: &'static str, value: String) -> Self {
        self.headers.push((name, value));
        self
    }

    /// The same service, for requests that wait in this lane.
    pub(super) fn in_lane(&self, lane: Lane) -> Self {
        Self { lane, ..self.clone() }
    }

    /// The same service, for what brings a signed transaction to the ledger.
    pub(super) fn for_pushes(&self) -> Self {
        self.in_lane(self.lane.of_pushes())
    }

    /// The URL of `path`, credentials included: not for printing.
    pub(super) fn url(&self, path: &str) -> Url {
        self.base.at(path, &[])
    }

    pub(super) fn error(&self, path: &str, fault: impl Into<Fault>) -> CallError {
        CallError::new(self.service, self.printable_url(path), fault)
    }

    /// The URL of `path` for error texts.
    pub(super) fn printable_url(&self, path: &str) -> String {
        self.url(path).printable()
    }

    /// A GET whose success has the shape `T`, tried again while that may help.
    pub(super) async fn read<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, &str)],
    ) -> Result<T, CallError> {
        let response = self.get(path, query).await?;
        self.parse(path, &response)
    }

    /// A GET, tried again while that may help.
    pub(super) async fn get(&self, path: &str, query: &[(&str, &str)]) -> Result<Response, CallError> {
        self.get_within(path, query, MAX_ANSWER_BYTES).await
    }

    /// A GET whose answer has at most so many bytes, tried again while that may help.
    pub(super) async fn get_within(
        &self,
        path: &str,
        query: &[(&str, &str)],
        most: usize,
    ) -> Result<Response, CallError> {
        let deadline = Instant::now() + self.read_limit;
        let mut backoff = Backoff::new(FIRST_PAUSE, LONGEST_PAUSE);
        for attempt in 1.. {
            let left = deadline.saturating_duration_since(Instant::now());
            let failure = match self.get_once_within(path, query, most, left).await {
                Ok(response) => return Ok(response),
                Err(failure) => failure,
            };
            let asked = failure.retry_after().unwrap_or_default();
            let pause = backoff.next_delay().max(asked);
            if attempt >= attempts(&failure) || Instant::now() + pause > deadline {
                return Err(failure);
            }
            tracing::debug!("{failure}; again in {pause:?}");
            rt::sleep(pause).await;
        }
        unreachable!("the loop ends by returning")
    }

    /// A GET, tried once.
    pub(super) async fn get_once(&self, path: &str, query: &[(&str, &str)]) -> Result<Response, CallError> {
        self.get_once_within(path, query, MAX_ANSWER_BYTES, self.timeout).await
    }

    async fn get_once_within(
        &self,
        path: &str,
        query: &[(&str, &str)],
        most: usize,
        wait: Duration,
    ) -> Result<Response, CallError> {
        let request = Request::get(self.base.at(path, query));
        let response = self.send(path, request, most, wait).await?;
        self.check_status(path, response)
    }

    /// An answer that has amounts, or else what the node's newer interface says. Where there are amounts with
    /// parts of a cent, nodes fail at `/v1a/`, which has integers, and write decimals at `/v2/`.
    pub(super) async fn or_in_decimals(
        &self,
        answer: Result<Response, CallError>,
        path: &str,
        query: &[(&str, &str)],
    ) -> Result<Response, CallError> {
        let failure = match answer {
            Err(failure) if matches!(failure.fault, Fault::Status { status: 500, .. }) => failure,
            answer => return answer,
        };
        let Some(base) = self.base.sibling("v1a", "v2") else { return Err(failure) };
        let newer = Self { base, ..self.clone() };
        // Nodes that have no such interface had another reason to fail.
        newer.get_once(path, query).await.map_err(|_| failure)
    }

    /// A GET, tried once: whatever the status, it is an answer.
    pub(super) async fn get_any(&self, path: &str) -> Result<Response, CallError> {
        self.send(path, Request::get(self.url(path)), MAX_ANSWER_BYTES, self.timeout).await
    }

    /// A POST, tried once: whatever the status, it is an answer.
    pub(super) async fn post(
        &self,
        path: &str,
        query: &[(&str, &str)],
        json: String,
    ) -> Result<Response, CallError> {
        let request = Request::post(self.base.at(path, query), json);
        self.send(path, request, MAX_ANSWER_BYTES, self.timeout).await
    }

    /// A PUT, tried once: whatever the status, it is an answer.
    pub(super) async fn put(&self, path: &str, json: String) -> Result<Response, CallError> {
        let request = Request { method: Method::Put, ..Request::post(self.url(path), json) };
        self.send(path, request, MAX_ANSWER_BYTES, self.timeout).await
    }

    /// Sends once there is a place, which it waits for at most `wait`.
    async fn send(
        &self,
        path: &str,
        mut request: Request,
        most: usize,
        wait: Duration,
    ) -> Result<Response, CallError> {
        self.wait_for_pause(path).await?;
        // Nobody waits for what is loaded in the background, and its turn comes.
        let wait = if self.lane == Lane::Load { Duration::MAX } else { wait };
        let place = rt::timeout(wait, self.lanes.enter(&self.lane)).await;
        let _place = place.map_err(|_| self.error(path, Fault::Busy))?;
        request.headers.clone_from(&self.headers);
        request.timeout = self.timeout;
        request.max_body = most;
        #[cfg(feature = "native")]
        let began = Instant::now();
        let answer = self.client.request(request).await;
        #[cfg(feature = "native")]
        self.requests.note(&answer, began.elapsed());
        let response = answer.map_err(|e| self.error(path, e))?;
        if let (429 | 503, Some(pause)) = (response.status, response.retry_after) {
            let (now, mut pauses) = (Instant::now(), self.pauses());
            pauses.retain(|_, until| *until > now);
            pauses.insert((self.lane.number(), path.to_owned()), now + pause.min(LONGEST_REST));
        }
        Ok(response)
    }

    /// Waits where the service has asked anybody of this lane to leave `path` alone for a while: the requests
    /// of all wallets are one to it. Where that is for longer than a request may take, the answer that the
    /// service would give is given.
    async fn wait_for_pause(&self, path: &str) -> Result<(), CallError> {
        let until = self.pauses().get(&(self.lane.number(), path.to_owned())).copied();
        let left = until.map(|time| time.saturating_duration_since(Instant::now())).unwrap_or_default();
        if left.is_zero() {
            return Ok(());
        }
        if left > self.timeout {
            return Err(self.error(path, Fault::Status { status: 429, retry_after: Some(left) }));
        }
        // Not all at the same moment.
        rt::sleep(Backoff::new(left, left).next_delay()).await;
        Ok(())
    }

    fn pauses(&self) -> std::sync::MutexGuard<'_, Pauses> {
        self.pauses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a status other than success an error, in the service's words if it has some.
    pub(super) fn check_status(&self, path: &str, response: Response) -> Result<Response, CallError> {
        if (200..300).contains(&response.status) {
            return Ok(response);
        }
        let fault = match refusal(&response.body) {
            Some(message) if response.status != 429 => Fault::Refused(message),
            _ => Fault::Status { status: response.status, retry_after: response.retry_after },
        };
        Err(self.error(path, fault))
    }

    /// Reads the body as a `T`, which must have a field that refusals lack, or else as a refusal.
    pub(super) fn parse<T: DeserializeOwned>(&self, path: &str, response: &Response) -> Result<T, CallError> {
        object::read(&response.body).map_err(|e| {
            let fault = match refusal(&response.body) {
                Some(message) => Fault::Refused(message),
                None => Fault::InvalidAnswer(e.to_string()),
            };
            self.error(path, fault)
        })
    }
}

/// How often a read may be tried that ends in `failure`: its caller waits, so what is down is soon said to be
/// down.
fn attempts(failure: &CallError) -> u32 {
    match failure.fault {
        Fault::TimedOut(_) => 2,
        Fault::Busy => 1,
        Fault::Unreachable(_) | Fault::Broken(_) => 4,
        _ if failure.is_transient() => u32::MAX,
        _ => 1,
    }
}

/// The message of a body that says `success: false`, or of one that has nothing but an error, in brief.
pub(super) fn refusal(body: &[u8]) -> Option<String> {
    let refusal: Refusal = object::read(body).ok()?;
    let message = match (refusal.success, refusal.message, refusal.error) {
        (Some(false), message, error) => message.or(error).unwrap_or_default(),
        (None, None, Some(error)) => error,
        _ => return None,
    };
    Some(brief(&message))
}

// Waiting longer after each failure, and not in step with everybody else who failed at the same time.

/// Delays that double from `first` to `most`, each with up to a quarter more at random.
#[derive(Clone, Debug)]
pub struct Backoff {
    first: Duration,
    most: Duration,
    attempt: u32,
}

impl Backoff {
    /// Delays from `first` to `most`.
    pub const fn new(first: Duration, most: Duration) -> Self {
        Self { first, most, attempt: 0 }
    }
    /// For connecting again to a node: from 1 s to 30 s.
    pub const fn reconnect() -> Self {
        Self::new(Duration::from_secs(1), Duration::from_secs(30))
    }
    /// How long to wait this time.
    pub fn next_delay(&mut self) -> Duration {
        let doubled = 2u32.saturating_pow(self.attempt);
        self.attempt = self.attempt.saturating_add(1);
        let delay = self.first.saturating_mul(doubled).min(self.most);
        // Without randomness there is still the delay.
        let random = rt::random().map_or(0, |bytes| u64::from(u32::from_le_bytes(bytes) % 1000));
        let extra = delay.as_micros().saturating_mul(random.into()) / 4000;
        delay + Duration::from_micros(u64::try_from(extra).unwrap_or(0))
    }
    /// To be called after a success: the next delay is the first again.
    pub const fn reset(&mut self) {
        self.attempt = 0;
    }
}
