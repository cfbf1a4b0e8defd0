//! Forwarding a request to the server that runs its wallet, once.
//!
//! A forwarded request is never forwarded again. A request that may have reached the other server is never
//! repeated: its caller learns that the outcome is unknown. A start with a seed phrase in the request is not
//! forwarded.

use super::App;
use super::answer::refusing_forwarded;
use super::asked_for::AskedFor;
use super::auth::{self, Caller, Forwarded};
use super::body::{query_of, received};
use super::hop::{self, HOP, RESTARTED};
use super::idempotency::{RETRY_SECONDS, no_room};
use super::metrics::Outcome;
use super::places::Place;
use super::real_status::PassedBack;
use super::selection::{check_lease, wallet_id};
use crate::api::Refusal;
use crate::net::{NetError, Url, pass_on};
use crate::operations::{self, Operation};
use crate::rt;
use crate::service::WAIT_FOR_CHANGE;
use crate::store::ServerName;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CONNECTION, DATE, SET_COOKIE, TRANSFER_ENCODING, UPGRADE};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use std::time::Duration;

/// How long to wait for the answer of a server that renews its lease: longer than a repeated request may
/// wait, for the one before and for change itself, and for a proof of work.
const ANSWER_LIMIT: Duration = Duration::from_secs(2 * WAIT_FOR_CHANGE.as_secs() + 120);
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// How long an answer that has begun may stall: event streams send something every 15 s.
const SILENCE: Duration = Duration::from_secs(60);
/// Headers of a connection, not of an answer, and headers for browsers.
const DROPPED: [HeaderName; 8] = [
    CONNECTION,
    DATE,
    SET_COOKIE,
    TRANSFER_ENCODING,
    UPGRADE,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("trailer"),
    super::request_id::REQUEST_ID,
];

/// The id of a request's wallet, if the request may be forwarded to the server that runs it.
pub(super) fn wanted(app: &App, request: &Request) -> Option<String> {
    let id = wallet_id(request.headers()).filter(|_| may_be(app, request.extensions()))?;
    (Caller::of(request).is_for(&id) && !app.wallets().contains(&id)).then_some(id)
}

/// The operation of a request, if it can be forwarded after routing.
pub(super) fn operation(app: &App, extensions: &Extensions) -> Option<&'static Operation> {
    extensions.get::<&Operation>().copied().filter(|_| may_be(app, extensions))
}

/// Whether a request may be forwarded.
fn may_be(app: &App, extensions: &Extensions) -> bool {
    app.config().cluster_secret.is_some() && extensions.get::<Forwarded>().is_none()
}

/// The other server that runs a wallet and accepts requests. If that can't be found out, the request is
/// handled here, and its caller gets the reason.
pub(super) async fn owner(app: &App, id: &str) -> Option<ServerName> {
    check_lease(app).ok()?;
    let server = app.started(id).await.ok()??.runs_on?;
    // An ending server is waited for, because its wallets can then be started here.
    (!server.is_ending && server.url.is_some()).then_some(server)
}

/// Forwards a request. `place` is its slot in the limit of concurrent requests.
pub(super) async fn to(
    app: &App,
    server: &ServerName,
    operation: &Operation,
    request: Parts,
    place: Option<Place>,
) -> Response {
    match ask(app, server, operation, request, place).await {
        Ok((outcome, response)) => {
            app.metrics().count_forwarded(outcome);
            response
        }
        Err(refused) => *refused,
    }
}

/// The answer to a request with a seed phrase, which must be sent to that server directly.
pub(super) fn refuse_seed_phrase(app: &App, server: &ServerName) -> Response {
    app.metrics().count_forwarded(Outcome::NotDone);
    not_done(
        server,
        "runs the wallet: send the request there, as seed phrases and passphrases are not forwarded",
    )
}

fn not_done(server: &ServerName, why: &str) -> Response {
    no_room(format!("{server} {why}: nothing was done"), RETRY_SECONDS)
}

async fn ask(
    app: &App,
    server: &ServerName,
    operation: &Operation,
    request: Parts,
    place: Option<Place>,
) -> Result<(Outcome, Response), Box<Response>> {
    let caller = request.extensions.get::<Caller>().cloned().unwrap_or(Caller::Nobody);
    let place = app.places().forwarded(operation, caller.name(), place)?;
    let body =
        received(&request.extensions).map_err(|refusal| Box::new(app.refuse(refusal).into_response()))?;
    let asked_for = request.extensions.get().map_or(&request.uri, |AskedFor(uri)| uri);
    let target = asked_for.path_and_query().map_or("/", |target| target.as_str());
    let not_done = |why: &str| not_done(server, why);
    let Some((base, url)) = url_of(server, target) else {
        return Ok((Outcome::NotDone, not_done("has no URL by which it can be asked")));
    };
    // Rights, limits and slots were checked for this path.
    if path_of(url.target()) != path_of(target) {
        return Ok((Outcome::NotDone, StatusCode::NOT_FOUND.into_response()));
    }
    let Some(headers) = hop::headers(app, &request, (server.id, &base), url.target(), &body) else {
        let why = "runs the wallet, and this server has only just begun to use the database";
        return Ok((Outcome::NotDone, not_done(why)));
    };
    let marks = query_of(asked_for).contains_key("mark_as_used");
    let is_repeatable = *operation == operations::START || operation.only_reads() && !marks;
    let answered = tokio::select! {
        answered = pass_on(request.method, &url, headers, body) => answered,
        why = given_up(app, server) => Err(why),
    };
    Ok(match answered {
        Ok(response) if response.headers().get(HOP) == Some(&RESTARTED) => (
            Outcome::NotDone,
            not_done(
                "runs the wallet, but another process answers at its URL: a restart, or `advertise_url` is wrong",
            ),
        ),
        Ok(response) if response.headers().contains_key(HOP) => {
            tracing::error!(
                "{server} refuses what this server forwards: is `cluster_secret` the same at both?"
            );
            let why = "runs the wallet, and refuses what this server forwards (is `cluster_secret` the same at both?)";
            (Outcome::NotDone, not_done(why))
        }
        Ok(response) => (Outcome::Answered, passed_back(app, operation, response, caller, place)),
        Err(NetError::Connect(why)) => {
            (Outcome::NotDone, not_done(&format!("runs the wallet, and can't be reached ({why})")))
        }
        Err(why) if is_repeatable => {
            let error = format!("{server} runs the wallet, and has not answered ({why}): ask again");
            (Outcome::Lost, no_room(error, RETRY_SECONDS))
        }
        Err(why) => {
            let error = format!(
                "{server}: {why}: whether this request was carried out is not known: look for it in the history before sending \
                 again, or repeat a request that had an Idempotency-Key with the same one"
            );
            let refused = app.refuse(Refusal::failure(error)).with_code("OUTCOME_UNKNOWN");
            (Outcome::Lost, refused.into_response())
        }
    })
}

/// A server's URL as the server states it, and the URL of a path and query there.
fn url_of(server: &ServerName, target: &str) -> Option<(String, Url)> {
    let base = server.url.clone()?;
    base.parse().ok().filter(Url::is_server)?;
    let url = format!("{}{target}", base.trim_end_matches('/')).parse().ok()?;
    Some((base, url))
}

fn path_of(target: &str) -> &str {
    target.split_once('?').map_or(target, |(path, _)| path)
}

/// Waits until the other server is given up: it has not renewed its lease, or takes too long.
async fn given_up(app: &App, server: &ServerName) -> NetError {
    let stores = app.stores();
    let ended = async {
        loop {
            rt::sleep(LOOK_EVERY).await;
            let lease = stores.as_ref().and_then(|stores| stores.lease());
            // If the store can't be read here, it can't be read there either, and that server answers so.
            if let Some(lease) = lease
                && let Ok(false) = lease.is_live(server.id).await
            {
                return NetError::Broken("it does not renew its lease any more".to_owned());
            }
        }
    };
    rt::timeout(ANSWER_LIMIT, ended).await.unwrap_or(NetError::Timeout(ANSWER_LIMIT))
}

fn passed_back(
    app: &App,
    operation: &Operation,
    response: Response,
    caller: Caller,
    place: [Option<Place>; 2],
) -> Response {
    let (mut head, body) = response.into_parts();
    for name in &DROPPED {
        head.headers.remove(name);
    }
    // This server decides which pages may read it.
    let of_browsers: Vec<_> =
        head.headers.keys().filter(|name| name.as_str().starts_with("access-control-")).cloned().collect();
    for name in of_browsers {
        head.headers.remove(name);
    }
    let parts = stream::unfold((body.into_data_stream(), place), async |(mut parts, place)| {
        let silent = || axum::Error::new(NetError::Timeout(SILENCE));
        let part = rt::timeout(SILENCE, parts.next()).await.unwrap_or_else(|_| Some(Err(silent())))?;
        Some((part, (parts, place)))
    });
    let body = match *operation == operations::EVENTS {
        true => Body::from_stream(parts.take_until(Box::pin(auth::end(app.clone(), caller)))),
        false => Body::from_stream(parts),
    };
    let mut response = Response::from_parts(head, body);
    response.extensions_mut().insert(PassedBack);
    if response.status().is_client_error() { refusing_forwarded(response) } else { response }
}

#[cfg(test)]
mod tests {
    use super::url_of;
    use crate::store::ServerName;

    #[test]
    fn only_servers_are_asked() {
        let url = |url: &str| {
            let server = ServerName { id: 1, url: Some(url.to_owned()), is_ending: false };
            url_of(&server, "/wallet/balance?token=00").map(|(_, url)| url.as_str().to_owned())
        };
        let asked = |base: &str| Some(format!("{base}/wallet/balance?token=00"));
        for base in ["http://10.0.0.1:8000", "https://wallet.example", "http://[::1]:8000"] {
            assert_eq!(url(base), asked(base));
        }
        for other in [
            "ftp://a",
            "http://",
            "http://a/b",
            "http://a?b",
            "http://a#b",
            "http://u@a",
            "http://u:p@a",
            "a",
        ] {
            assert_eq!(url(other), None, "{other}");
        }
    }
}
