//! What can go wrong with a call, said so that its reader knows whom to look at and what to do.

use crate::net::{NetError, brief};
use crate::rt;
use std::fmt;
use std::time::Duration;

/// The services, by the names that error texts use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    FullNode,
    MiningService,
    SwapService,
}

impl Service {
    /// The setting that holds its address.
    pub const fn setting(self) -> &'static str {
        match self {
            Self::FullNode => "server",
            Self::MiningService => "tx_mining_url",
            Self::SwapService => "atomic_swap_service",
        }
    }
}

impl fmt::Display for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FullNode => "full node",
            Self::MiningService => "mining service",
            Self::SwapService => "swap service",
        })
    }
}

/// A configured address that is no HTTP address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` must be an address like {example}: {reason}", service.setting(), example = match service {
    Service::FullNode => "http://localhost:8080/v1a/",
    Service::MiningService => "http://localhost:8035/",
    Service::SwapService => "http://localhost:3001/",
})]
pub struct BadUrl {
    pub service: Service,
    pub reason: String,
}

/// A call that brought no usable answer.
#[derive(Clone, Debug, PartialEq)]
pub struct CallError {
    pub service: Service,
    /// Without user, password and query.
    pub url: String,
    pub fault: Fault,
}

impl CallError {
    /// What the other side said stands in it in brief, without what could play tricks on a terminal or a log.
    pub(super) fn new(service: Service, url: String, fault: impl Into<Fault>) -> Self {
        let fault = match fault.into() {
            Fault::Unreachable(reason) => Fault::Unreachable(brief(&reason)),
            Fault::Broken(reason) => Fault::Broken(brief(&reason)),
            Fault::InvalidAnswer(what) => Fault::InvalidAnswer(brief(&what)),
            Fault::Refused(message) => Fault::Refused(brief(&message)),
            fault @ (Fault::TimedOut(_) | Fault::Busy | Fault::Status { .. }) => fault,
        };
        Self { service, url, fault }
    }
}

/// What kind of failure it was.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// No connection; nothing was sent.
    Unreachable(String),
    /// The connection broke before the whole answer was there.
    Broken(String),
    /// No answer, or no sign of life, within this time.
    TimedOut(Duration),
    /// There was no place for the request in its time; nothing was sent.
    Busy,
    /// An HTTP status that says no.
    Status { status: u16, retry_after: Option<Duration> },
    /// An answer that is not as documented: what was wrong with it.
    InvalidAnswer(String),
    /// The service understood and refused, in its words.
    Refused(String),
}

impl CallError {
    /// Whether asking again in a while may help.
    pub fn is_transient(&self) -> bool {
        match self.fault {
            Fault::Unreachable(_) | Fault::Broken(_) | Fault::TimedOut(_) | Fault::Busy => true,
            Fault::Status { status, .. } => status == 429 || is_of_gateway(status),
            Fault::InvalidAnswer(_) | Fault::Refused(_) => false,
        }
    }
    /// Whether the service, or what stands before it, asked for fewer requests.
    pub fn is_rate_limit(&self) -> bool {
        matches!(self.fault, Fault::Status { status: 429, .. })
    }
    /// How long the service asked to wait, if it did.
    pub const fn retry_after(&self) -> Option<Duration> {
        match self.fault {
            Fault::Status { retry_after, .. } => retry_after,
            _ => None,
        }
    }
}

/// Whether this is most likely said by what stands before a service: then it tells nothing of what the
/// service did. Gateways before public services have statuses of their own above 520.
pub(super) const fn is_of_gateway(status: u16) -> bool {
    matches!(status, 502..=504 | 520..=524)
}

/// To a page, `fetch` tells nothing else of an answer that is not meant for its origin.
const IN_A_PAGE: &str = if cfg!(target_arch = "wasm32") {
    "; in a page, also that it lets the page's origin in (CORS)"
} else {
    ""
};

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { service, url, fault } = self;
        let setting = service.setting();
        write!(f, "{service} {url}: ")?;
        match fault {
            Fault::Unreachable(reason) => {
                write!(f, "can't be reached ({reason}): check that it runs and that `{setting}` is right")
            }
            Fault::Broken(reason) => {
                write!(
                    f,
                    "the connection broke ({reason}): check that it runs and that `{setting}` is right{IN_A_PAGE}"
                )
            }
            Fault::TimedOut(limit) => write!(
                f,
                "did not answer within {} s: check that it runs and that `{setting}` is right",
                rt::in_seconds(*limit)
            ),
            Fault::Busy => write!(
                f,
                "is busy, and the request was not sent: others waited for its answers all the time. Try again in a while, and check how \
                 fast it answers"
            ),
            Fault::Status { status: 429, .. } => {
                write!(f, "asks for fewer requests (status 429): wait a little and try again")
            }
            Fault::Status { status: status @ (401 | 403), .. } => {
                write!(f, "does not let this wallet in (status {status}): check its access rules and keys")
            }
            Fault::Status { status: status @ 500.., .. } => {
                write!(f, "failed with status {status}: look at its log, or try again later")
            }
            Fault::Status { status, .. } => {
                write!(f, "answered status {status}: check that `{setting}` is the address of a {service}")
            }
            Fault::InvalidAnswer(what) => {
                write!(
                    f,
                    "gave an invalid answer ({what}): check that `{setting}` is the address of a {service}"
                )
            }
            Fault::Refused(message) if message.trim().is_empty() => write!(f, "refused without saying why"),
            Fault::Refused(message) => write!(f, "refused: {message}"),
        }
    }
}

impl std::error::Error for CallError {}

impl From<NetError> for Fault {
    fn from(failure: NetError) -> Self {
        match failure {
            NetError::Connect(reason) => Self::Unreachable(reason),
            NetError::Timeout(limit) => Self::TimedOut(limit),
            NetError::Broken(reason) => Self::Broken(reason),
            NetError::TooLarge(limit) => Self::InvalidAnswer(format!("more than {limit} bytes")),
        }
    }
}
