//! Listening, and what every request passes through before and after its route.

use super::answer::{failed, html, is_refusal, not_found, panicked};
use super::asked_for::AskedFor;
use super::audit::Asked;
use super::auth::Caller;
use super::body::{check_unread, inflate, receive};
use super::gate::unavailable;
use super::idempotency::read_key;
use super::metrics::Route;
use super::places::Place;
use super::request_id::{REQUEST_ID, request_id};
use super::routes::{Needs, Readiness};
use super::selection::{select_wallet, wallet_id};
use super::shown::Shown;
use super::{App, auth, cross_site, forward, hop, routes, takeover};
use crate::net::head;
use crate::net::serve::{Limits, serve};
use crate::operations::Operation;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::ALLOW;
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderValue, Method, StatusCode, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use std::any::Any;
use std::convert::Infallible;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::time::{Instant, timeout};
use tower::util::MapRequestLayer;
use tower::{Service, ServiceBuilder, ServiceExt};
use tower_http::catch_panic::CatchPanicLayer;
use tracing::Instrument;
use tracing::field::{Empty, display};

/// How long requests in flight may go on after the shutdown began: longer than any send takes that has its
/// inputs.
const SHUTDOWN_LIMIT: Duration = Duration::from_secs(120);

/// How long sends may wait for change of others after that: they have sent nothing, and can be repeated.
const WAIT_LIMIT: Duration = Duration::from_secs(5);

/// Most characters of a request's method and path in the log.
const MAX_LOGGED_METHOD: usize = 20;
const MAX_LOGGED_PATH: usize = 200;
/// Most characters of the name of a wallet or a key.
const MAX_LOGGED_NAME: usize = 100;

/// Serves until `shutdown`, or until the server has to end for a changed configuration. Then new requests are
/// refused, those in flight are finished, and all wallets are stopped.
/// What goes wrong with a connection is logged and ends that connection alone.
pub async fn run(listener: TcpListener, shutdown: impl Future<Output = ()> + Send + 'static, app: App) {
    let ending = app.clone();
    // A task of its own, so that it goes on to watch for signals whatever the reason of the end is.
    let shutdown = tokio::spawn(async move {
        shutdown.await;
        let drain = ending.config().drain;
        if let Some(stores) = ending.stores()
            && let Some(lease) = stores.lease()
        {
            // Its wallets are the other servers' as soon as that can be.
            lease.will_leave().await;
        } else if !drain.is_zero() {
            tracing::info!("shutting down in {} s: load balancers are told", drain.as_secs());
            ending.begin_to_drain();
            tokio::time::sleep(drain).await;
        }
        ending.end();
    });
    if let Ok(address) = listener.local_addr() {
        app.listens_at(address);
    }
    // What is wrong with keys and limits is in the log before anybody asks.
    app.access().watch();
    tokio::spawn(takeover::watch(app.clone()));
    let service = service(&app);
    let answer = move |request: axum::http::Request<_>| service.clone().oneshot(request.map(Body::new));
    let ending = app.clone();
    // Connections are taken until the last answer is given, so that callers hear why they are refused.
    let answered = async move {
        ending.clone().ending().await;
        tracing::info!("shutting down: finishing requests in flight");
        if timeout(WAIT_LIMIT, ending.idle()).await.is_err() {
            ending.wallets().started().iter().for_each(|(_, wallet)| wallet.end_waiting());
            ending.idle().await;
        }
        if ending.stores().is_some_and(|stores| stores.lease().is_some()) {
            leave(&ending).await;
            // Those who still come here are told to go elsewhere.
            tokio::time::sleep(ending.config().drain).await;
        }
    };
    let overdue = async {
        app.clone().ending().await;
        tokio::time::sleep(SHUTDOWN_LIMIT.max(app.config().drain)).await;
    };
    tokio::select! {
        () = serve(listener, Limits::of(app.config().http_max_connections), answer, answered) => {}
        () = overdue => tracing::warn!("some connections did not end in time and are dropped"),
    }
    leave(&app).await;
    shutdown.abort();
}

/// Stops all wallets: others may have them.
async fn leave(app: &App) {
    app.stop_wallets().await;
    if let Some(lease) = app.stores().as_ref().and_then(|stores| stores.lease()) {
        lease.leave().await;
    }
}

/// What every request passes through, the routes innermost.
pub(super) fn service(
    app: &App,
) -> impl Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone + Send + use<> {
    let routes = routes::all().layer(from_fn_with_state(app.clone(), enter)).with_state(app.clone());
    // Around the router, not in it: paths change before it looks at them, and it adds `Allow` on its own way
    // out.
    ServiceBuilder::new()
        .layer(MapRequestLayer::new(normalize_path))
        .layer(from_fn_with_state(app.clone(), finish))
        .layer(CatchPanicLayer::custom(caught))
        .service(routes)
}

fn caught(panic: Box<dyn Any + Send>) -> Response {
    let text =
        panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    // The panic hook has told the place; this line has the request's id.
    tracing::error!("a fault of the service: {}", text.unwrap_or("no message"));
    panicked()
}

/// What requests pass when it is known which route takes them, and before that route does.
async fn enter(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let route = Route::of(&request);
    let needs = Needs::of(&request);
    name_span(&needs, &request);
    let mut response = match admit(&app, &mut request, needs.operation).await {
        Ok(place) => match needs.wallet.and_then(|_| forward::wanted(&app, &request)) {
            // In a box, as all that is rare here: each request would have room for it.
            Some(id) => Box::pin(forward_or_carry_out(&app, &needs, &id, request, next, place)).await,
            None => carry_out(&app, &needs, request, next, place).await,
        },
        Err(refused) => *refused,
    };
    if let Some(route) = route {
        response.extensions_mut().insert(route);
    }
    response
}

/// Says on every line logged for a request who asks for what, and of which wallet.
fn name_span(needs: &Needs, request: &Request) {
    let span = tracing::Span::current();
    if let Some(name) = Caller::of(request).name() {
        span.record("key", display(Shown(name, MAX_LOGGED_NAME)));
    }
    if let Some(id) = needs.wallet.and_then(|_| wallet_id(request.headers())) {
        span.record("wallet", display(Shown(&id, MAX_LOGGED_NAME)));
    }
    if let Some(operation) = needs.operation {
        span.record("operation", operation.name);
    }
}

/// Has the other server asked that runs a wallet, if one does. That one writes its audit log.
async fn forward_or_carry_out(
    app: &App,
    needs: &Needs,
    id: &str,
    request: Request,
    next: Next,
    place: Option<Place>,
) -> Response {
    let server = forward::owner(app, id).await;
    let (Some(server), Some(operation)) = (server, needs.operation) else {
        return carry_out(app, needs, request, next, place).await;
    };
    match app.gate().enter() {
        Ok(_inside) => forward::to(app, &server, operation, request.into_parts().0, place).await,
        Err(closed) => unavailable(closed),
    }
}

/// Has a request carried out here, which keeps its place until it is.
async fn carry_out(
    app: &App,
    needs: &Needs,
    request: Request,
    next: Next,
    _place: Option<Place>,
) -> Response {
    match needs.operation.filter(|operation| app.audits(operation)) {
        Some(operation) => {
            let asked = Asked::of(&request, operation);
            Box::pin(app.audited(asked, pass(app, needs, request, next))).await
        }
        None => pass(app, needs, request, next).await,
    }
}

/// Lets those in who may ask for an operation, and makes the request ready for it.
async fn admit(
    app: &App,
    request: &mut Request,
    operation: Option<&Operation>,
) -> Result<Option<Place>, Box<Response>> {
    // Its method is another one: nobody waits for a body that no route takes.
    let Some(operation) = operation else { return Ok(None) };
    hop::check_operation(request, operation)?;
    if let Some(refused) = auth::refusal(Caller::of(request), operation) {
        let asked = Asked::of(request, operation);
        let is_gone = matches!(Caller::of(request), Caller::Gone(_));
        Box::pin(app.audit_refusal(operation, asked, is_gone)).await;
        return Err(Box::new(refused));
    }
    make_ready(app, request, operation).await
}

/// Has a request carried out by its route, with the wallet that it is for, while the gate is open.
async fn pass(app: &App, needs: &Needs, mut request: Request, next: Next) -> Response {
    let _inside = match needs.gate.then(|| app.gate().enter()).transpose() {
        Ok(inside) => inside,
        Err(closed) => return unavailable(closed),
    };
    let Some(readiness) = needs.wallet else { return to_route(app, needs, request, next).await };
    match select_wallet(app, &mut request, readiness == Readiness::Ready, needs.operation).await {
        Ok(()) => to_route(app, needs, request, next).await,
        Err(refused) => refused.into_response(),
    }
}

/// Has a request carried out by its route, unless it has fields that its operation does not have.
async fn to_route(app: &App, needs: &Needs, mut request: Request, next: Next) -> Response {
    if let Some(operation) = needs.operation {
        if let Err(refused) = check_unread(operation, &request, app) {
            return refused.into_response();
        }
        request.extensions_mut().insert(operation);
    }
    next.run(request).await
}

/// Has the body of a request, a place if it may wait, and its `Idempotency-Key`. An `Err` is the answer where
/// it can't go on.
async fn make_ready(
    app: &App,
    request: &mut Request,
    operation: &Operation,
) -> Result<Option<Place>, Box<Response>> {
    if operation.method != crate::api::Method::Get {
        receive(app, request, operation.max_body).await?;
    }
    hop::check_body(request)?;
    let place = app.places().of(operation, Caller::of(request).name())?;
    inflate(request, operation).await;
    read_key(app, request, operation)?;
    Ok(place)
}

/// Paths are matched in any case and with or without one slash at the end.
fn normalize_path(mut request: Request) -> Request {
    let asked_for = request.uri().clone();
    let path = asked_for.path();
    let shorter = path.strip_suffix('/').filter(|rest| !rest.is_empty()).unwrap_or(path);
    let mut target = shorter.to_ascii_lowercase();
    if target != path {
        if let Some(query) = asked_for.query() {
            target.push('?');
            target.push_str(query);
        }
        let mut parts = asked_for.clone().into_parts();
        parts.path_and_query = PathAndQuery::try_from(target).ok();
        if let Ok(uri) = Uri::from_parts(parts) {
            *request.uri_mut() = uri;
        }
    }
    request.extensions_mut().insert(AskedFor(asked_for));
    request
}

/// Names the request, on its answer and on all that is logged because of it.
async fn finish(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let id = request_id(request.headers());
    // Another server that is asked names it so, too. One that comes twice is refused.
    if request.headers().get_all(REQUEST_ID).iter().nth(1).is_none() {
        request.headers_mut().insert(REQUEST_ID, id.clone());
    }
    let id_text = id.to_str().unwrap_or_default();
    let span = tracing::error_span!("request", id = id_text, key = Empty, wallet = Empty, operation = Empty);
    let mut response = answer(&app, request, next).instrument(span).await;
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

/// Answers what no route took, adds cross-origin headers, counts, and logs one line a request: neither
/// queries, nor headers, nor bodies.
async fn answer(app: &App, mut request: Request, next: Next) -> Response {
    let start = Instant::now();
    let method = request.method().clone();
    let config = app.config();
    let cross_origin = config.cors_origins.allowed(request.headers());
    let malformed = head::problem(&request).map(|why| (StatusCode::BAD_REQUEST, why));
    let refused = malformed.or_else(|| {
        Some((StatusCode::FORBIDDEN, cross_site::refusal(&config, &request, cross_origin.is_some())?))
    });
    let asked_for = request.extensions().get().cloned();
    let AskedFor(uri) = asked_for.unwrap_or_else(|| AskedFor(request.uri().clone()));
    let response = match (refused, cross_origin) {
        (Some((status, why)), _) => failed(status, why),
        (None, Some(allowed)) if method == Method::OPTIONS => allowed.preflight(),
        (None, cross_origin) => {
            let forwarded = hop::receive(app, &mut request);
            let (path, headers, extensions) = (request.uri().path(), request.headers(), request.extensions());
            let caller = match forwarded {
                Ok(()) => auth::find(app, &config, path, headers, extensions).await,
                Err(refused) => Err(*refused),
            };
            let mut response = match caller {
                Ok(caller) => {
                    request.extensions_mut().insert(caller);
                    next.run(request).await
                }
                Err(refused) => refused,
            };
            match response.status() {
                StatusCode::METHOD_NOT_ALLOWED if method == Method::OPTIONS => response = allowed(&response),
                // Not where an operation has said so.
                StatusCode::METHOD_NOT_ALLOWED | StatusCode::NOT_FOUND if !is_refusal(&response) => {
                    response = not_found(app, &method, &uri)
                }
                // A refusal that came before the method was looked at says nothing of methods.
                _ => drop(response.headers_mut().remove(ALLOW)),
            }
            if let Some(allowed) = cross_origin {
                allowed.expose(&mut response);
            }
            response
        }
    };
    let response = app.with_real_status(response).await;
    app.metrics().count(&method, &response, start.elapsed());
    if config.log_requests {
        let (method, path) = (Shown(method.as_str(), MAX_LOGGED_METHOD), Shown(uri.path(), MAX_LOGGED_PATH));
        let (status, milliseconds) = (response.status().as_u16(), start.elapsed().as_secs_f64() * 1e3);
        let line = format!("{method} {path} {status} {milliseconds:.1} ms");
        match auth::is_probe(uri.path()) && status == 200 {
            true => tracing::debug!("{line}"),
            false => tracing::info!("{line}"),
        }
    }
    response
}

/// `OPTIONS` on a known path names its methods.
fn allowed(refused: &Response) -> Response {
    let methods = refused.headers().get(ALLOW).cloned().unwrap_or(HeaderValue::from_static(""));
    let body = methods.to_str().unwrap_or_default().to_owned();
    let mut response = html(StatusCode::OK, body);
    response.headers_mut().insert(ALLOW, methods);
    response
}
