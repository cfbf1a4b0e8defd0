//! The mining service: it gives a transaction its parents, timestamp and nonce.

use super::endpoint::Endpoint;
use super::full_node::{Health, health};
use super::object::object;
use super::wire::float;
use super::{BadUrl, CallError, Fault, Service};
use crate::ledger::{EncodeError, Network, VertexId};
use crate::net::{HttpClient, Response};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use std::time::Duration;

/// Time for everything: three jobs of 20 s, which is the most that the service gives one, and some for the
/// waiting.
const SOLVE_LIMIT: Duration = Duration::from_secs(75);
/// The mining service at one address. Clones share the limit on requests at once.
#[derive(Clone)]
pub struct MiningService {
    pub(super) endpoint: Endpoint,
    pub(super) solve_limit: Duration,
}

/// Why there is no proof of work.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MiningError {
    /// The service had no time for it. The transaction can be sent again.
    #[error("Timeout solving transaction's proof-of-work.")]
    Timeout,
    /// The service asks for fewer requests.
    #[error("Too many transactions sent in a short time-span.")]
    RateLimited {
        /// How long to wait, if it said so.
        retry_after: Option<Duration>,
    },
    /// Nobody mines for the service.
    #[error("There are no miners to resolve the proof of work of this transaction.")]
    NoMiners,
    /// The timestamp must be later than what is spent, and that is too far ahead of this machine's clock.
    #[error(
        "the transaction spends one with a later timestamp: try again in {seconds} s, and check this machine's clock"
    )]
    TooEarly { seconds: u32 },
    /// The service does not take the transaction: its code for why, such as `non-standard-tx`.
    #[error("mining service {url}: refused the transaction: {code}{}", remedy(code))]
    Refused { url: String, code: String },
    /// The service gave the job up, or somebody cancelled it.
    #[error("mining service {url}: the job ended as {state:?} {message:?}: try again later")]
    Ended { url: String, state: JobState, message: String },
    #[error(transparent)]
    Call(#[from] CallError),
    /// The transaction can't be written as bytes.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

/// What to do about a refusal that is not the transaction's fault.
fn remedy(code: &str) -> &'static str {
    match code {
        "tx-timestamp-invalid" => {
            ": its clock and this machine's are more than 5 minutes apart: check this machine's clock"
        }
        _ => "",
    }
}

/// A job, as the service shows it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Job {
    /// The hash of the bytes that were submitted.
    #[serde(rename = "job_id")]
    pub id: String,
    /// How far it is.
    #[serde(rename = "status")]
    pub state: JobState,
    #[serde(default)]
    pub message: String,
    /// What it has found.
    #[serde(deserialize_with = "object")]
    pub tx: JobTx,
    /// Seconds it should take in all, an upper estimate; old services say -1 when they have no miner.
    #[serde(default, deserialize_with = "optional_float")]
    pub expected_total_time: Option<f64>,
}

/// How far a job is. The last four are final.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobState {
    Pending,
    GettingParents,
    Enqueued,
    Mining,
    Done,
    Failed,
    Timeout,
    Cancelled,
}

/// What a job is to find; parts of it are absent until it is done.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct JobTx {
    /// Eight hexadecimal digits.
    pub nonce: Option<String>,
    pub parents: Vec<VertexId>,
    pub timestamp: Option<u32>,
    #[serde(deserialize_with = "float")]
    pub weight: f64,
}

fn optional_float<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    #[derive(Deserialize)]
    struct Float(#[serde(deserialize_with = "float")] f64);
    let number: Option<Float> = Deserialize::deserialize(deserializer)?;
    Ok(number.map(|number| number.0))
}

impl MiningService {
    /// The network's own service.
    pub const fn public_url(network: Network) -> Option<&'static str> {
        match network {
            Network::Mainnet => Some("https://txmining.mainnet.hathor.network/"),
            Network::Testnet => Some("https://txmining.testnet.hathor.network/"),
            Network::Privatenet => None,
        }
    }
    /// The service at `url`, such as `http://localhost:8035/`.
    pub fn new(client: HttpClient, url: &str, api_key: Option<&SecretString>) -> Result<Self, BadUrl> {
        let mut endpoint = Endpoint::new(client, Service::MiningService, url)?;
        if let Some(key) = api_key {
            endpoint = endpoint.with_header("apikey", key.expose_secret().to_owned());
        }
        Ok(Self { endpoint, solve_limit: SOLVE_LIMIT })
    }

    /// Limits one request to `request` (10 s without this), and solving a transaction to `solve` (75 s).
    pub fn with_limits(mut self, request: Duration, solve: Duration) -> Self {
        self.endpoint.timeout = request;
        self.solve_limit = solve;
        self
    }

    /// `POST submit-job`, without propagation, with parents of the service's choice or those that the
    /// transaction has.
    ///
    /// # Errors
    /// [`MiningError::Refused`] with the service's code, [`MiningError::RateLimited`], or
    /// [`MiningError::Call`] if this one try brings no job.
    pub async fn submit(&self, transaction: &[u8], add_parents: bool) -> Result<Job, MiningError> {
        let json = format!(
            r#"{{"tx":"{}","propagate":false,"add_parents":{add_parents}}}"#,
            hex::encode(transaction)
        );
        let response = self.endpoint.post("submit-job", &[], json).await;
        self.job("submit-job", response)
    }

    /// `GET job-status`, tried once.
    ///
    /// # Errors
    /// [`MiningError::Refused`] with the service's code (`job-not-found` for a job that it has forgotten),
    /// [`MiningError::RateLimited`], or [`MiningError::Call`] if this one try brings no job.
    pub async fn status(&self, job_id: &str) -> Result<Job, MiningError> {
        let response = self.endpoint.get_once("job-status", &[("job-id", job_id)]).await;
        self.job("job-status", response)
    }

    /// `POST cancel-job`.
    ///
    /// # Errors
    /// [`MiningError::Call`] if this one try is not answered with success.
    pub async fn cancel(&self, job_id: &str) -> Result<(), MiningError> {
        let response = self.endpoint.post("cancel-job", &[("job-id", job_id)], String::new()).await?;
        self.endpoint.check_status("cancel-job", response)?;
        Ok(())
    }

    /// `GET health`, tried once.
    ///
    /// # Errors
    /// [`CallError`] if there is no answer, or none that says how the service is. Bad health is no error.
    pub async fn health(&self) -> Result<Health, CallError> {
        health(&self.endpoint).await
    }

    /// Reads the job out of an answer.
    fn job(&self, path: &str, response: Result<Response, CallError>) -> Result<Job, MiningError> {
        let job = response
            .and_then(|response| self.endpoint.check_status(path, response))
            .and_then(|response| self.endpoint.parse(path, &response));
        job.map_err(|failure| match failure.fault {
            Fault::Refused(code) => MiningError::Refused { url: failure.url, code },
            Fault::Status { status: 429, retry_after } => MiningError::RateLimited { retry_after },
            _ => MiningError::Call(failure),
        })
    }
}
