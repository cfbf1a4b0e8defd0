//! Request bodies and queries as JSON objects, whatever form they were sent in.

use super::App;
use super::answer::Refused;
use super::content_encoding::{ContentEncoding, InflateError, SUPPORTED};
use super::form::{nested_object, query_object};
use super::gate::{Closed, unavailable};
use super::places::LongBody;
use crate::api::Refusal;
use crate::operations::Operation;
use crate::rt::{self, CpuShare};
use axum::body::{Body as Stream, Bytes, HttpBody};
use axum::extract::{FromRequestParts, Request};
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, Uri};
use axum::response::Response;
use futures_util::StreamExt;
use serde_json::{Map, Value};
use std::time::Duration;
use tokio::time::timeout;
use zeroize::{Zeroize, Zeroizing};

/// Of more than this, only few have room at a time.
const LONG_BODY: usize = 100 * 1024;
/// It takes some milliseconds to read more than this.
const SLOW_TO_READ: usize = 32 * 1024;
/// What a byte can become at most when it is inflated.
const MOST_INFLATED: usize = 1_032;
/// How long a body may take to come.
const BODY_LIMIT: Duration = Duration::from_secs(10);

/// A request's body, no longer compressed, in the request's extensions. Wiped when the last clone is dropped:
/// there may be words in it.
#[derive(Clone)]
struct Received(Result<Bytes, Unreadable>);

#[derive(Clone)]
enum Unreadable {
    TooLarge(usize),
    TooSlow,
    GaveWay,
    EndedEarly,
    /// The value of `Content-Encoding`.
    Unsupported(String),
    Damaged(ContentEncoding),
}

/// A request's body, which must be a JSON object or a form.
pub(super) struct Body(pub Map<String, Value>);

/// Reads the request's body, of at most so many bytes, before anything waits for the request: whoever is slow
/// to send one delays nobody. An `Err` is the answer where the server ends meanwhile.
pub(super) async fn receive(app: &App, request: &mut Request, most: usize) -> Result<(), Box<Response>> {
    if request.body().is_end_stream() {
        return Ok(());
    }
    let body = std::mem::take(request.body_mut());
    let received = tokio::select! {
        biased;
        received = timeout(BODY_LIMIT, whole(app, body, most)) => received.unwrap_or(Err(Unreadable::TooSlow)),
        () = app.clone().ending() => return Err(Box::new(unavailable(Closed::Ending))),
    };
    request.extensions_mut().insert(Received(received));
    Ok(())
}

/// Inflates a body that is compressed, once its request has a place: from then on the request is as if it had
/// come without. The operation's bound is for both forms of it.
pub(super) async fn inflate(request: &mut Request, operation: &Operation) {
    let most = operation.max_body;
    let Some(Received(Ok(body))) = request.extensions().get() else { return };
    let inflated = match ContentEncoding::of(request.headers()) {
        Ok(None) => return,
        Ok(Some(encoding)) => {
            let inflate = || decoded(encoding, body, most);
            let share = if operation.sends() { CpuShare::Sends } else { CpuShare::Reads };
            let is_long = body.len().saturating_mul(MOST_INFLATED).min(most) > LONG_BODY;
            if is_long { rt::offload(share, inflate).await } else { inflate() }
        }
        Err(unsupported) => Err(Unreadable::Unsupported(unsupported)),
    };
    request.headers_mut().remove(CONTENT_ENCODING);
    request.extensions_mut().insert(Received(inflated));
}

fn decoded(encoding: ContentEncoding, body: &[u8], most: usize) -> Result<Bytes, Unreadable> {
    encoding.decode(body, most).map(Bytes::from_owner).map_err(|error| match error {
        InflateError::TooLarge => Unreadable::TooLarge(most),
        InflateError::Invalid => Unreadable::Damaged(encoding),
    })
}

async fn whole(app: &App, body: Stream, most: usize) -> Result<Bytes, Unreadable> {
    let announced = body.size_hint();
    if announced.lower() > most as u64 {
        return Err(Unreadable::TooLarge(most));
    }
    let size = announced.upper().and_then(|size| usize::try_from(size).ok()).unwrap_or(most).min(most);
    // What is announced may never come: more room is taken when so much has.
    let mut bytes = Zeroizing::new(Vec::with_capacity(size.min(LONG_BODY)));
    let mut place: Option<LongBody> = None;
    let mut parts = body.into_data_stream();
    loop {
        let part = match &mut place {
            None => parts.next().await,
            Some(place) => tokio::select! {
                part = parts.next() => part,
                () = place.gives_way() => return Err(Unreadable::GaveWay),
            },
        };
        let Some(part) = part else { return Ok(Bytes::from_owner(bytes)) };
        let part = part.map_err(|_| Unreadable::EndedEarly)?;
        if part.len() > most - bytes.len() {
            return Err(Unreadable::TooLarge(most));
        }
        if place.is_none() && part.len() > LONG_BODY.saturating_sub(bytes.len()) {
            place = Some(app.places().long_bodies.begin());
            let missing = size - bytes.len();
            bytes.reserve_exact(missing);
        }
        bytes.extend_from_slice(&part);
    }
}

/// The whole body of a request that has passed [`receive`].
pub(super) fn received(extensions: &Extensions) -> Result<Bytes, Refusal> {
    match extensions.get() {
        None => Ok(Bytes::new()),
        Some(Received(Ok(bytes))) => Ok(bytes.clone()),
        Some(Received(Err(why))) => Err(why.refusal()),
    }
}

impl Unreadable {
    fn refusal(&self) -> Refusal {
        Refusal::Body(match self {
            Self::TooLarge(most) => {
                format!("The request body is too large: at most {most} bytes are read.")
            }
            Self::TooSlow => {
                let seconds = BODY_LIMIT.as_secs();
                format!("The request body did not come within {seconds} s: send the request again.")
            }
            Self::GaveWay => {
                "Many long request bodies came at once, and this one came too slowly: send the request again."
                    .to_owned()
            }
            Self::EndedEarly => {
                "The request body ended early or could not be read: send the request again.".to_owned()
            }
            Self::Unsupported(encoding) => {
                return Refusal::Encoding(format!(
                    "The request's Content-Encoding is {encoding}: send the body without, or with one of {SUPPORTED}."
                ));
            }
            Self::Damaged(encoding) => {
                let name = encoding.name();
                format!("The request's Content-Encoding is {name}, and the body is not valid {name}.")
            }
        })
    }
}

/// Reads what is in a request's body: if that is long, on none of the threads that answer others.
pub(super) async fn reading<T>(request: &Parts, share: CpuShare, read: impl FnOnce() -> T) -> T {
    let bytes = match request.extensions.get() {
        Some(Received(Ok(bytes))) => bytes.len(),
        _ => 0,
    };
    reading_bytes(bytes, share, read).await
}

/// The same of so many bytes.
pub(super) async fn reading_bytes<T>(bytes: usize, share: CpuShare, read: impl FnOnce() -> T) -> T {
    if bytes > SLOW_TO_READ { rt::offload(share, read).await } else { read() }
}

/// With no fields but those that the operation has.
impl FromRequestParts<App> for Body {
    type Rejection = Refused;
    async fn from_request_parts(request: &mut Parts, app: &App) -> Result<Self, Refused> {
        let read = || {
            let mut body = Self::read(request, app)?;
            match check_body(request, &body, app) {
                Ok(()) => Ok(Self(body)),
                Err(refusal) => {
                    wipe(&mut body);
                    Err(app.refuse(refusal))
                }
            }
        };
        reading(request, CpuShare::Reads, read).await
    }
}

/// Refuses a body with fields that the operation does not have.
pub(super) fn check_body(request: &Parts, body: &Map<String, Value>, app: &App) -> Result<(), Refusal> {
    let operation: Option<&&Operation> = request.extensions.get();
    operation.map_or(Ok(()), |operation| operation.check_body(body, app.config().compat))
}

/// Refuses what no reader of the operation looks at: unknown query parameters, and a body where it takes
/// none.
pub(super) fn check_unread(operation: &Operation, request: &Request, app: &App) -> Result<(), Refused> {
    let compat = app.config().compat;
    if !operation.refuses_unknown_fields(compat) {
        return Ok(());
    }
    let query = query_of(request.uri());
    operation.check_query(&query, compat).map_err(|refusal| app.refuse(refusal))?;
    if operation.body().is_some() || operation.bare.is_some() {
        return Ok(());
    }
    let body = received(request.extensions()).and_then(|bytes| {
        match read_body(request.headers(), &bytes, app) {
            // Clients send `null` where they have nothing to send.
            Ok(Value::Null) => Ok(Map::new()),
            body => body.and_then(object).map_err(Refusal::Body),
        }
    });
    body.and_then(|body| operation.check_body(&body, compat)).map_err(|refusal| app.refuse(refusal))
}

/// Seed phrases and passphrases must not stay in memory that is used again.
pub(super) fn wipe(body: &mut Map<String, Value>) {
    for value in body.values_mut() {
        if let Value::String(text) = value {
            text.zeroize();
        }
    }
}

impl Body {
    /// The fields of a body, whatever they are.
    pub(super) fn read(request: &Parts, app: &App) -> Result<Map<String, Value>, Refused> {
        let read = received(&request.extensions).and_then(|bytes| {
            let body = read_body(&request.headers, &bytes, app).and_then(object);
            body.map_err(Refusal::Body)
        });
        read.map_err(|refusal| app.refuse(refusal))
    }

    /// The fields of a request that are in its body; where one of them is the whole body, the others are in
    /// the query.
    pub(super) fn of(
        operation: &Operation,
        request: &Parts,
        app: &App,
    ) -> Result<Map<String, Value>, Refused> {
        let Some(name) = operation.bare else { return Self::read(request, app) };
        let body = received(&request.extensions)
            .and_then(|bytes| read_body(&request.headers, &bytes, app).map_err(Refusal::Body))
            .map_err(|refusal| app.refuse(refusal))?;
        let others = |(field, _): &(String, Value)| {
            field != name && operation.members().iter().any(|member| member.name == field)
        };
        let query = query_of(&request.uri).into_iter().filter(others);
        Ok(query.chain([(name.to_owned(), body)]).collect())
    }
}

/// The query of a request's address.
pub(super) fn query_of(uri: &Uri) -> Map<String, Value> {
    query_object(uri.query().unwrap_or_default())
}

fn read_body(headers: &HeaderMap, bytes: &[u8], app: &App) -> Result<Value, String> {
    if bytes.is_empty() {
        return Ok(Value::Object(Map::new()));
    }
    let content_type = headers.get(CONTENT_TYPE).map(|value| String::from_utf8_lossy(value.as_bytes()));
    let media_type =
        content_type.as_deref().and_then(|text| text.split(';').next()).unwrap_or_default().trim();
    if media_type.eq_ignore_ascii_case("application/json") {
        crate::json::read_unique(bytes)
            .map_err(|error| format!("The request body is not valid JSON: {error}."))
    } else if media_type.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        form_object(bytes).map(Value::Object)
    } else if app.config().compat.ignores_unknown_content_types() {
        Ok(Value::Object(Map::new()))
    } else if media_type.is_empty() {
        Err("The request has a body and no Content-Type: send `Content-Type: application/json`.".to_owned())
    } else {
        Err(format!("The request's Content-Type is {media_type}: send `Content-Type: application/json`."))
    }
}

/// The object that a body must be.
fn object(body: Value) -> Result<Map<String, Value>, String> {
    let kind = match body {
        Value::Object(object) => return Ok(object),
        Value::Array(_) => "an array",
        Value::String(_) => "a string",
        Value::Number(_) => "a number",
        Value::Bool(_) => "a boolean",
        Value::Null => "null",
    };
    Err(format!("The request body must be a JSON object, and is {kind}."))
}

fn form_object(bytes: &[u8]) -> Result<Map<String, Value>, String> {
    // What `curl --data '{…}'` sends unless it is told otherwise.
    if bytes.trim_ascii_start().starts_with(b"{") {
        return Err("The request body is JSON, and its Content-Type says that it is a form: \
                    send `Content-Type: application/json`."
            .to_owned());
    }
    nested_object(bytes)
}
