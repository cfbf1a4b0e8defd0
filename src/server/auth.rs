//! Who asks, and whether they may: looked at before anything else, on every path but those that tell nothing
//! of wallets: the page to try the interface, which asks for a key, and the probes.

use super::access::Entry;
use super::answer::{failed, json_with};
use super::{App, Config};
use crate::api::texts::{API_KEY_ENDED, API_KEY_GONE, API_KEY_MISSING, API_KEY_WRONG};
use crate::api::{Right, Rights, Unauthorized};
use crate::ledger::sha256d;
use crate::limits::Rule;
use crate::net::serve::Peer;
use crate::node::Tenant;
use crate::operations::Operation;
use crate::rt;
use axum::extract::Request;
use axum::http::header::RETRY_AFTER;
use axum::http::{Extensions, HeaderMap, StatusCode};
use axum::response::Response;
use secrecy::ExposeSecret;
use std::net::IpAddr;
use std::sync::Arc;

/// Needs no key: it tells nothing of the server, and browsers open it without headers.
pub(super) const PAGE: &str = "/docs/ui";
/// Nor do these: whoever asks has no key to show.
const PROBES: [&str; 2] = ["/health/live", "/health/ready"];

/// Whether it is what load balancers ask for, every few seconds.
pub(super) fn is_probe(path: &str) -> bool {
    PROBES.contains(&path)
}

/// On a request that another server has forwarded, which has proved that.
#[derive(Clone)]
pub(super) struct Forwarded {
    /// The name of the caller's key; `None` for who may do everything.
    pub key: Option<Arc<str>>,
    /// The SHA-256 of the body that was sent.
    pub body: [u8; 32],
}

/// Who asks. Each request has it before it comes to its route, and what has none may do nothing.
#[derive(Clone)]
pub(super) enum Caller {
    /// Somebody without a key, who may do what needs no right.
    Nobody,
    /// Whoever may do everything: with the `api_key`, or where no key is asked for.
    Owner,
    /// Somebody with a key that has a name.
    Named(Entry),
    /// A task's, whose key was one of this name and is one no more.
    Gone(Arc<str>),
}

impl Caller {
    /// Of a request that has passed [`find`].
    pub fn of(request: &Request) -> &Self {
        request.extensions().get().unwrap_or(&Self::Nobody)
    }
    /// The key's name, if it has one.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Named(key) => Some(&key.named.name),
            Self::Gone(name) => Some(name),
            Self::Nobody | Self::Owner => None,
        }
    }
    /// Whether they may do everything.
    pub const fn is_owner(&self) -> bool {
        matches!(self, Self::Owner)
    }
    /// Why they may not do what needs some rights.
    pub fn lacks(&self, needed: Rights) -> Option<String> {
        let key = match self {
            _ if needed.is_empty() => return None,
            Self::Owner => return None,
            Self::Nobody | Self::Gone(_) => return Some(API_KEY_GONE.to_owned()),
            Self::Named(key) => &key.named,
        };
        let missing = needed.without(key.grant.rights);
        (!missing.is_empty()).then(|| lacks(&key.name, missing))
    }
    /// Whose turn it is when they ask the node about a wallet; of none if that is empty.
    pub fn tenant(&self, wallet: &str) -> Tenant {
        Tenant::new(self.name().unwrap_or_default(), wallet)
    }
    /// The limits of their key.
    pub fn limits(&self) -> &[Rule] {
        match self {
            Self::Named(key) => &key.named.grant.limits,
            Self::Nobody | Self::Owner | Self::Gone(_) => &[],
        }
    }
    /// Whether they may read what they may touch.
    pub fn may_read(&self) -> bool {
        match self {
            Self::Nobody | Self::Gone(_) => false,
            Self::Owner => true,
            Self::Named(key) => key.named.grant.rights.iter().any(|right| right == Right::Read),
        }
    }
    /// Whether they may touch a wallet, which need not be there.
    pub fn is_for(&self, wallet: &str) -> bool {
        match self {
            Self::Nobody | Self::Gone(_) => false,
            Self::Owner => true,
            Self::Named(key) => key.named.grant.is_for(wallet),
        }
    }
}

/// Who it is that asks. An `Err` is the answer to somebody without a right key.
pub(super) async fn find(
    app: &App,
    config: &Config,
    path: &str,
    headers: &HeaderMap,
    extensions: &Extensions,
) -> Result<Caller, Response> {
    // Nothing that comes over a connection has it.
    if let Some(caller) = extensions.get::<Caller>() {
        return Ok(caller.clone());
    }
    let from = extensions.get::<Peer>().map(|Peer(address)| *address);
    if let Some(Forwarded { key, .. }) = extensions.get() {
        let Some(name) = key else { return Ok(Caller::Owner) };
        let known = app.access().whole().await.ok_or_else(unreadable)?;
        let key = known.named(name).ok_or_else(|| unknown_here(name))?;
        return admitted(key, from).map_err(|refused| *refused);
    }
    if path == PAGE || is_probe(path) {
        return Ok(Caller::Nobody);
    }
    let given = headers.get("x-api-key").map_or(&b""[..], |value| value.as_bytes());
    // Hashes are compared, so that the time taken tells nothing of the key.
    let is_owners = |key: &[u8]| !given.is_empty() && sha256d(given) == sha256d(key);
    if config.api_key.as_ref().is_some_and(|key| is_owners(key.expose_secret().as_bytes())) {
        return Ok(Caller::Owner);
    }
    if given.is_empty() && config.api_key.is_some() {
        return Err(unauthorized(API_KEY_MISSING));
    }
    let known = app.access().whole().await.ok_or_else(unreadable)?;
    if config.api_key.is_none() && known.all.is_empty() {
        return Ok(Caller::Owner);
    }
    if given.is_empty() {
        return Err(unauthorized(API_KEY_MISSING));
    }
    let key = known.given(given).ok_or_else(|| unauthorized(API_KEY_WRONG))?;
    admitted(key, from).map_err(|refused| *refused)
}

/// Somebody with a key, who comes from an address.
fn admitted(key: &Entry, from: Option<IpAddr>) -> Result<Caller, Box<Response>> {
    if key.has_ended(rt::unix_seconds().into()) {
        return Err(Box::new(unauthorized(API_KEY_ENDED)));
    }
    let named = &key.named;
    if !named.grant.may_come_from(from) {
        return Err(Box::new(not_from_there(&named.name, from)));
    }
    if let Err(wait) = named.take_turn() {
        let rate = named.grant.per_second.unwrap_or_default();
        let error = format!("The API key {:?} may make {rate} requests a second: wait.", named.name);
        let seconds = u32::try_from(wait.as_secs()).unwrap_or(u32::MAX).saturating_add(1);
        return Err(Box::new(later(StatusCode::TOO_MANY_REQUESTS, &error, seconds)));
    }
    Ok(Caller::Named(key.clone()))
}

/// Waits for the end of the server, or of the key of whoever listens.
pub(super) async fn end(app: App, caller: Caller) {
    match caller {
        Caller::Named(key) => tokio::select! {
            () = app.clone().ending() => {}
            () = app.access().ended(key) => {}
        },
        Caller::Owner | Caller::Nobody | Caller::Gone(_) => app.ending().await,
    }
}

/// The answer to somebody who may not ask for an operation.
pub(super) fn refusal(caller: &Caller, operation: &Operation) -> Option<Response> {
    if let Some(why) = caller.lacks(operation.rights()) {
        return Some(forbidden(&why));
    }
    let Caller::Named(key) = caller else { return None };
    let name = &key.named.name;
    (operation.is_of_all && !key.named.grant.is_for_all()).then(|| {
        forbidden(&format!(
            "The API key {name:?} may not do this: it is for keys that may touch all wallets."
        ))
    })
}

fn lacks(name: &str, missing: Rights) -> String {
    let (is_one, them) = (missing.iter().count() == 1, missing);
    let rights = if is_one { "right" } else { "rights" };
    format!("The API key {name:?} may not do this: it lacks the {rights} {them}.")
}

fn not_from_there(name: &str, from: Option<IpAddr>) -> Response {
    let from = from.map_or_else(|| "here".to_owned(), |address| address.to_canonical().to_string());
    forbidden(&format!("The API key {name:?} may not be used from {from}."))
}

/// The keys of the settings are in those of each server; all others are in the database.
fn unknown_here(name: &str) -> Response {
    forbidden(&format!(
        "The API key {name:?} is not known to the server that runs the wallet: give all servers the same settings, or use it there."
    ))
}

fn unreadable() -> Response {
    later(StatusCode::SERVICE_UNAVAILABLE, "The API keys can't be read now: try again.", 1)
}

fn unauthorized(message: &'static str) -> Response {
    json_with(StatusCode::UNAUTHORIZED, &Unauthorized { message })
}

fn forbidden(error: &str) -> Response {
    failed(StatusCode::FORBIDDEN, error)
}

fn later(status: StatusCode, error: &str, seconds: u32) -> Response {
    let mut response = failed(status, error);
    response.headers_mut().insert(RETRY_AFTER, seconds.into());
    response
}
