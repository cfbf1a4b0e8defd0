//! Authentication of forwarded requests: how the server that a request reaches proves to the server that runs
//! its wallet who sent it.
//!
//! The header of a forwarded request has the caller, the caller's address, the SHA-256 of the body, the
//! database's time and a nonce, and an HMAC of these, the receiver, method, path, query and all forwarded
//! headers. The secret itself is never sent, so a wrong URL in the database reveals nothing: the HMAC is
//! valid at one process, once, for some seconds. Times are the database's, because servers' clocks may be
//! hours apart.

use super::App;
use super::answer::failed;
use super::auth::{Caller, Forwarded};
use super::body::received;
use crate::net::serve::Peer;
use crate::operations::{self, Operation, is_key_name};
use crate::store::ServerName;
use axum::body::HttpBody;
use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::Response;
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use std::collections::{HashSet, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// On a forwarded request, and on an answer that refuses it as such: nothing was done.
pub(super) const HOP: HeaderName = HeaderName::from_static("x-wallet-hop");

/// The value of [`HOP`] in the answer of a server that was restarted at its URL.
pub(super) const RESTARTED: HeaderValue = HeaderValue::from_static("restarted");

/// The forwarded headers. All others belong to the connection, identify the caller, or are of browsers.
const PASSED_ON: [HeaderName; 8] = [
    CONTENT_TYPE,
    HeaderName::from_static("idempotency-key"),
    HeaderName::from_static("last-event-id"),
    HeaderName::from_static("prefer"),
    HeaderName::from_static("priority"),
    HeaderName::from_static("x-first-address"),
    super::request_id::REQUEST_ID,
    HeaderName::from_static("x-wallet-id"),
];

/// The allowed difference from the receiver's time, in milliseconds.
const WINDOW: u64 = 10_000;
/// Most nonces remembered, each for two windows: ten thousand requests per second.
const MAX_NONCES: usize = 200_000;

#[derive(Default)]
pub(super) struct Nonces(Mutex<Seen>);

#[derive(Default)]
struct Seen {
    all: HashSet<[u8; 16]>,
    /// With their times, oldest first.
    order: VecDeque<(u64, [u8; 16])>,
}

impl Nonces {
    /// Whether a nonce is new, and there is room to remember it.
    fn take(&self, nonce: [u8; 16], now: u64) -> bool {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some((came, old)) = seen.order.front().copied()
            && came + 2 * WINDOW < now
        {
            seen.order.pop_front();
            seen.all.remove(&old);
        }
        if seen.all.len() >= MAX_NONCES || !seen.all.insert(nonce) {
            return false;
        }
        seen.order.push_back((now, nonce));
        true
    }
}

struct Said<'a> {
    to: u64,
    time: u64,
    nonce: [u8; 16],
    body: [u8; 32],
    from: Option<IpAddr>,
    key: Option<&'a str>,
}

impl<'a> Said<'a> {
    fn text(&self) -> String {
        let Self { to, time, nonce, body, from, key } = self;
        let (nonce, body) = (hex::encode(nonce), hex::encode(body));
        let from = from.map_or_else(|| "-".to_owned(), |from| from.to_string());
        format!("1 {to} {time} {nonce} {body} {from} {}", key.unwrap_or("*"))
    }

    fn read(text: &'a str) -> Option<Self> {
        let mut parts = text.split(' ');
        let mut next = || parts.next();
        if next()? != "1" {
            return None;
        }
        let (to, time) = (next()?.parse().ok()?, next()?.parse().ok()?);
        let (mut nonce, mut body) = ([0; 16], [0; 32]);
        hex::decode_to_slice(next()?, &mut nonce).ok()?;
        hex::decode_to_slice(next()?, &mut body).ok()?;
        let from = match next()? {
            "-" => None,
            address => Some(address.parse().ok()?),
        };
        let key = Some(next()?).filter(|key| *key != "*");
        let is_whole = next().is_none() && key.is_none_or(is_key_name);
        is_whole.then_some(Self { to, time, nonce, body, from, key })
    }
}

/// The HMAC of a request to a server at a URL. Each part is preceded by its length, and headers by their
/// number.
fn mac(
    secret: &SecretString,
    said: &str,
    url: &str,
    method: &Method,
    target: &str,
    headers: &HeaderMap,
) -> Hmac<Sha256> {
    let secret = secret.expose_secret().as_bytes();
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(secret).expect("keys have any length");
    let mut add = |part: &[u8]| {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    };
    for part in ["headless-wallet hop", said, url, method.as_str(), target] {
        add(part.as_bytes());
    }
    for name in &PASSED_ON {
        let values = headers.get_all(name);
        add(&(values.iter().count() as u64).to_be_bytes());
        values.iter().for_each(|value| add(value.as_bytes()));
    }
    mac
}

/// The headers of a request forwarded to a server at a URL, with the path and query `target`; `None` if it
/// can't be signed now: without the database's time, randomness, or a secret.
pub(super) fn headers(
    app: &App,
    request: &Parts,
    (to, url): (u64, &str),
    target: &str,
    body: &[u8],
) -> Option<HeaderMap> {
    let mut headers = HeaderMap::new();
    for name in &PASSED_ON {
        for value in request.headers.get_all(name) {
            headers.append(name, value.clone());
        }
    }
    let caller: &Caller = request.extensions.get()?;
    let mut nonce = [0; 16];
    getrandom::fill(&mut nonce).ok()?;
    let said = Said {
        to,
        time: app.stores()?.lease()?.database_time()?,
        nonce,
        body: Sha256::digest(body).into(),
        from: request.extensions.get().map(|Peer(address)| *address),
        key: match caller {
            Caller::Owner => None,
            Caller::Named(key) => Some(&key.named.name),
            Caller::Nobody | Caller::Gone(_) => return None,
        },
    };
    let said = said.text();
    let mac = mac(app.config().cluster_secret.as_ref()?, &said, url, &request.method, target, &headers);
    let mac = hex::encode(mac.finalize().into_bytes());
    headers.insert(HOP, HeaderValue::try_from(format!("{said} {mac}")).ok()?);
    Some(headers)
}

/// Accepts a forwarded request, which from then on has its caller's address. Its body must still be checked
/// ([`check_body`]). Other requests are unchanged. `Err` is the answer to an invalid forwarded request.
pub(super) fn receive(app: &App, request: &mut Request) -> Result<(), Box<Response>> {
    let Some(header) = request.headers().get(HOP) else { return Ok(()) };
    let config = app.config();
    let Some(secret) = &config.cluster_secret else {
        return Err(refused(
            "this server has no `cluster_secret`, which it needs to take forwarded requests",
        ));
    };
    let stores = app.stores();
    let lease = stores.as_ref().and_then(|stores| stores.lease());
    let me = lease.and_then(|lease| Some((lease.server()?, lease.database_time()?)));
    let Some((ServerName { id, url: Some(url), .. }, now)) = me else {
        return Err(restarted("this server runs no wallets yet"));
    };
    let read = header.to_str().ok().and_then(|text| text.rsplit_once(' '));
    let read = read.and_then(|(said, mac)| Some((said, Said::read(said)?, hex::decode(mac).ok()?)));
    let Some((said, Said { to, time, nonce, body, from, key }, given)) = read else {
        return Err(refused("its header can't be read: all servers must be of one version"));
    };
    let target = request.uri().path_and_query().map_or("/", |target| target.as_str());
    let target = request.extensions().get().map_or(target, |asked_for: &super::asked_for::AskedFor| {
        asked_for.0.path_and_query().map_or("/", |target| target.as_str())
    });
    // In constant time.
    if mac(secret, said, &url, request.method(), target, request.headers()).verify_slice(&given).is_err() {
        return Err(refused("its HMAC is wrong: `cluster_secret` must be the same at all servers"));
    }
    if to != id {
        return Err(restarted("it is for a server that was at this URL before"));
    }
    if now.abs_diff(time) > WINDOW || !app.nonces().take(nonce, now) {
        return Err(refused("it is too old, or comes again"));
    }
    let forwarded = Forwarded { key: key.map(Arc::from), body };
    let extensions = request.extensions_mut();
    extensions.insert(forwarded);
    extensions.remove::<Peer>();
    if let Some(from) = from {
        extensions.insert(Peer(from));
    }
    Ok(())
}

/// Operations that are forwarded though they have no wallet, or none yet.
static BEFORE_WALLETS: [&Operation; 4] =
    [&operations::START, &operations::HSM_START, &operations::FIREBLOCKS_START, &operations::PUSH_TX];

/// Refuses a forwarded request without a wallet: the secret is valid for nothing else.
pub(super) fn check_operation(request: &Request, operation: &Operation) -> Result<(), Box<Response>> {
    let is_forwarded = request.extensions().get::<Forwarded>().is_some();
    let may_be = operation.needs_wallet() || BEFORE_WALLETS.contains(&operation);
    if may_be || !is_forwarded { Ok(()) } else { Err(refused("each server answers this by itself")) }
}

pub(super) fn check_body(request: &Request) -> Result<(), Box<Response>> {
    let Some(forwarded) = request.extensions().get::<Forwarded>() else { return Ok(()) };
    let is_sent = match received(request.extensions()) {
        Ok(body) => request.body().is_end_stream() && Sha256::digest(&body)[..] == forwarded.body,
        Err(_) => false,
    };
    if is_sent { Ok(()) } else { Err(refused("its body is not the one that was sent")) }
}

/// Refuses what is for the process that was at this URL before; the database has the name of this one.
fn restarted(why: &str) -> Box<Response> {
    let mut response = refused(why);
    response.headers_mut().insert(HOP, RESTARTED);
    response
}

pub(super) fn refused(why: &str) -> Box<Response> {
    tracing::warn!("a request that another server has forwarded is refused: {why}");
    let error = format!("The request says that another server has forwarded it, and is refused: {why}.");
    let mut response = failed(StatusCode::FORBIDDEN, error);
    response.headers_mut().insert(HOP, HeaderValue::from_static("refused"));
    Box::new(response)
}

#[cfg(test)]
mod tests {
    use super::{MAX_NONCES, Nonces, Said, WINDOW};

    #[test]
    fn what_is_said_is_read_as_it_was_written() {
        for (from, key) in [(None, None), (Some("10.0.0.7"), Some("shop")), (Some("2001:db8::1"), None)] {
            let from = from.map(|from| from.parse().unwrap());
            let said = Said { to: 3, time: 1_795_251_265_007, nonce: [7; 16], body: [9; 32], from, key };
            let text = said.text();
            let read = Said::read(&text).unwrap();
            assert_eq!((read.text(), read.from, read.key), (text.clone(), from, key));
        }
        let good = Said { to: 3, time: 5, nonce: [7; 16], body: [9; 32], from: None, key: None }.text();
        for bad in [
            String::new(),
            good.replacen('1', "2", 1),
            good.replace(" * ", " "),
            format!("{good} more"),
            good.replace('*', "A key"),
            good.replace('-', "here"),
            good.replacen(" 5 ", " -5 ", 1),
        ] {
            assert!(Said::read(&bad).is_none() || bad == good, "{bad}");
        }
    }

    #[test]
    fn a_nonce_counts_once_for_as_long_as_its_time_is_taken() {
        let nonces = Nonces::default();
        assert!(nonces.take([1; 16], 50_000));
        assert!(!nonces.take([1; 16], 50_000 + 2 * WINDOW));
        assert!(nonces.take([2; 16], 50_000 + 2 * WINDOW));
        assert!(nonces.take([1; 16], 50_001 + 2 * WINDOW));
        for number in 0..MAX_NONCES as u128 {
            nonces.take(number.to_be_bytes(), 100_000);
        }
        assert!(!nonces.take([255; 16], 100_000), "there is no more room");
        assert!(nonces.take([255; 16], 100_001 + 2 * WINDOW));
    }
}
