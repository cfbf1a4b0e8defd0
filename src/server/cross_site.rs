//! Which web pages may use the server: its own, and those of `cors_origins`.
//!
//! A browser lets any page send to any server, and says so: in `Origin` with all that is more than a plain
//! look, and in `Sec-Fetch-Site` with everything. Other ports of this machine are other origins here, as they
//! are other people's pages, though browsers call them the same site. A page that has pointed a name of its
//! own at this server is of one origin with it, and gives itself away by the name in `Host`. Other programs
//! send neither of the first two, and the address that they know.

use super::Config;
use super::auth::PAGE;
use super::shown::Shown;
use crate::net::host::{is_fixed, is_origin_of, name_of};
use axum::extract::Request;
use axum::http::header::{HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Method};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SEC_FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// Most characters of a header that a refusal repeats.
const MAX_SHOWN: usize = 100;

/// Names that the server is known by, besides `localhost`, addresses and `http_bind`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hosts(Vec<String>);

impl Hosts {
    /// Reads a list separated by commas or spaces.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let hosts: Vec<_> =
            text.split([',', ' ']).filter(|host| !host.is_empty()).map(str::to_owned).collect();
        // A port says nothing of who asks.
        if hosts.iter().all(|host| name_of(host) == Some(host.as_str())) {
            Ok(Self(hosts))
        } else {
            Err("names such as wallet.example (no scheme, no port, no path)".to_owned())
        }
    }
}

/// Why a request is refused, if it may come from a page that may not use the server. `is_allowed`: its origin
/// is in `cors_origins`.
pub(super) fn refusal(config: &Config, request: &Request, is_allowed: bool) -> Option<String> {
    let headers = request.headers();
    // Where the target has an authority, it is meant, and `Host` says the same.
    let authority = request.uri().authority().map(|authority| authority.as_str());
    if config.api_key.is_none() {
        let host = headers.get(HOST).map(HeaderValue::as_bytes);
        let mut named = authority.map(str::as_bytes).into_iter().chain(host);
        if let Some(unknown) = named.find(|host| !is_known(config, host)) {
            return Some(format!(
                "This server is not known as {}: a web page may have given it that name. If it is yours, add it to the setting \
                 `http_hosts`, or set an `api_key`.",
                shown(unknown)
            ));
        }
    }
    if is_allowed {
        return None;
    }
    if let Some(origin) = headers.get(ORIGIN) {
        let host = authority.or_else(|| headers.get(HOST)?.to_str().ok());
        let is_own = |origin| host.is_some_and(|host| is_origin_of(origin, host));
        if !origin.to_str().is_ok_and(is_own) {
            return Some(format!(
                "Web pages of {} may not use this server: if they are yours, add their origin to the setting `cors_origins`.",
                shown(origin.as_bytes())
            ));
        }
    }
    let comes_from_another = !matches!(header(headers, SEC_FETCH_SITE), None | Some("same-origin" | "none"));
    (comes_from_another && !opens_page(request)).then(|| {
        "Web pages of other origins may not use this server: if they are yours, add their origin to the setting \
         `cors_origins`, and let them ask with `fetch`."
            .to_owned()
    })
}

/// The empty host, as programs may send it, is known; browsers name theirs.
fn is_known(config: &Config, host: &[u8]) -> bool {
    let is_configured = |name: &str| {
        let mut names = config.http_hosts.0.iter().chain([&config.http_bind]);
        names.any(|known| known.eq_ignore_ascii_case(name))
    };
    let advertised = config.advertise_url.as_ref().map(|url| url.url());
    let advertised = advertised.as_ref().and_then(|url| name_of(url.authority()));
    let is_configured =
        |name: &str| is_configured(name) || advertised.is_some_and(|known| known.eq_ignore_ascii_case(name));
    let name = std::str::from_utf8(host).ok().and_then(name_of);
    host.is_empty() || name.is_some_and(|name| is_fixed(name) || is_configured(name))
}

/// Whether somebody follows a link to the page of the documentation, which can't be framed and does nothing
/// by itself.
fn opens_page(request: &Request) -> bool {
    request.method() == Method::GET
        && request.uri().path() == PAGE
        && header(request.headers(), SEC_FETCH_DEST) == Some("document")
}

fn header(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("unreadable"))
}

fn shown(bytes: &[u8]) -> String {
    Shown(&String::from_utf8_lossy(bytes), MAX_SHOWN).to_string()
}
