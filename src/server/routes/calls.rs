//! Operations on a wallet: each request is read as its operation is declared, and carried out by it.

use super::sending::Sending;
use super::tasks::respond_later;
use crate::api::texts::{READ_ONLY_SIGNATURES, SWAP_INCOMPLETE};
use crate::api::{AmountForm, DryRun, Location, Refusal};
use crate::operations::codes::code;
use crate::operations::{Call, CallError, Done, Operation, Read, Reader, Run};
use crate::rt::{self, CpuShare};
use crate::server::App;
use crate::server::answer::{Refused, Sent, json_text};
use crate::server::asked_for::in_path;
use crate::server::auth::Caller;
use crate::server::body::{Body, check_body, query_of, reading};
use crate::server::idempotency::{RETRY_SECONDS, no_room, replayed};
use crate::server::real_status::with_code;
use crate::server::selection::Selected;
use crate::server::tasks::{NewTask, Prefer};
use crate::service::{ShareError, SwapError};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::response::Response;
use serde_json::{Map, Value};

type Answered = Result<Response, Refused>;

/// Carries out an operation that is no server's own.
pub(super) async fn carry_out(app: App, operation: &'static Operation, request: Request) -> Answered {
    let in_path = in_path(&request);
    let (request, _) = request.into_parts();
    let asked = Asked { app: &app, operation, request: &request, in_path };
    let selected = || request.extensions.get::<Selected>().expect("its wallet was selected");
    let refused = |error| app.refuse_call(request.extensions.get(), error);
    match operation.run {
        Run::Read(read) => {
            let read = asked.read(read, |_| Ok(())).await?;
            asked.answer(read, asked.amount_form()?, selected()).await
        }
        Run::Ask(read) => {
            let asks = asked.read(read, |_| Ok(())).await?;
            let call = app.call(selected());
            asks.answer(&call).await.map(json_text).map_err(refused)
        }
        Run::Make(read) => {
            let makes = asked.read(read, |_| Ok(())).await?;
            let call = app.call(selected());
            makes.make(&call, request.extensions.get().copied()).await.map(answer).map_err(refused)
        }
        Run::Propose(read) => {
            let query = query_of(&request.uri);
            let makes = asked.read(read, |body| DryRun::refuse(&query, body)).await?;
            let call = app.call(selected());
            makes.make(&call, request.extensions.get().copied()).await.map(answer).map_err(refused)
        }
        Run::Send(read, read_only) => {
            let Sending { request: sends, mode, given } =
                Sending::of(&request, operation, &app, read).await?;
            let call = app.call(selected());
            if let Some(prefer) = Prefer::of(&request.headers).filter(|_| !mode.dry_run) {
                call.check(sends, read_only).await.map_err(refused)?;
                let by = request.extensions.get().and_then(Caller::name).map(str::to_owned);
                let new = || NewTask::of(selected(), operation, &given, mode.once, by);
                let new = reading(&request, CpuShare::Sends, new).await;
                return Ok(respond_later(&app, selected(), new, prefer).await);
            }
            let sent = call.send(sends, read_only, mode).await;
            app.answer_send(Some(selected()), sent, mode.dry_run).await
        }
        Run::Anywhere(run) => {
            let given = asked.fields()?;
            let config = app.config();
            run(&given, config.compat, Some(config.network)).map(json_text).map_err(refused)
        }
        Run::Server => unreachable!("it has a route of its own"),
    }
}

/// A request for an operation.
struct Asked<'a> {
    app: &'a App,
    operation: &'static Operation,
    request: &'a Parts,
    in_path: Option<(String, String)>,
}

impl Asked<'_> {
    /// What it asks for, if it is as it must be; `check` looks at its fields first.
    async fn read<T: ?Sized>(
        &self,
        read: Reader<T>,
        check: impl FnOnce(&Map<String, Value>) -> Result<(), Refusal>,
    ) -> Result<Box<T>, Refused> {
        let valid = || {
            let given = self.fields()?;
            let read = check(&given).and_then(|()| read(&given, self.app.config().compat));
            read.map_err(|refusal| self.app.refuse(refusal))
        };
        reading(self.request, CpuShare::Reads, valid).await
    }

    /// Its fields, among them the one that ends its path.
    fn fields(&self) -> Result<Map<String, Value>, Refused> {
        let mut given = match self.operation.takes {
            Some((Location::Body, _)) => {
                let given = Body::of(self.operation, self.request, self.app)?;
                check_body(self.request, &given, self.app).map_err(|refusal| self.app.refuse(refusal))?;
                given
            }
            _ => query_of(&self.request.uri),
        };
        given.extend(self.in_path.iter().map(|(name, text)| (name.clone(), text.as_str().into())));
        Ok(given)
    }

    /// How it wants amounts, where the operation answers any.
    fn amount_form(&self) -> Result<AmountForm, Refused> {
        let query = self.request.uri.query().unwrap_or_default();
        // Few ask for it, and reading the query a second time is a part of what a short read takes.
        let may_ask = self.operation.has_amounts && (query.contains("amounts") || query.contains('%'));
        if !may_ask {
            return Ok(AmountForm::Cents);
        }
        AmountForm::from_query(&query_of(&self.request.uri)).map_err(|refusal| self.app.refuse(refusal))
    }

    /// The answer of what the wallet knows: if it is long, written on none of the threads that answer others;
    /// if it has to be kept, given once it is.
    async fn answer(&self, read: Box<dyn Read>, form: AmountForm, selected: &Selected) -> Answered {
        let (is_long, unless_kept) = (read.is_long(&selected.wallet), read.unless_kept());
        let call = self.app.call(selected);
        let write = || form.scope(|| read.answer(&call));
        let answer = if is_long { rt::offload(CpuShare::Reads, write).await } else { write() };
        let answer = answer.map_err(|error| self.app.refuse_call(Some(selected), error))?;
        if let Some(otherwise) = unless_kept
            && let Err(error) = selected.wallet.flush().await
        {
            return Err(no_room(format!("{otherwise}: {error}"), RETRY_SECONDS).into());
        }
        // An address of which there is no index, for one.
        let is_refusal = answer.starts_with(br#"{"success":false"#);
        let response = json_text(answer);
        Ok(if is_refusal { with_code(response, "NOT_FOUND") } else { response })
    }
}

/// The response, which says if it is that of an earlier request.
fn answer(done: Done) -> Response {
    let mut response = json_text(done.answer);
    if let Some(id) = done.sent {
        response.extensions_mut().insert(Sent(id));
    }
    if done.replayed { replayed(response) } else { response }
}

impl App {
    pub(in crate::server) fn call<'a>(&self, selected: &'a Selected) -> Call<'a> {
        Call { wallet: &selected.wallet, compat: self.config().compat }
    }

    /// Counts a send, of a wallet or of none, and gives its response.
    pub(in crate::server) async fn answer_send(
        &self,
        selected: Option<&Selected>,
        sent: Result<Done, CallError>,
        dry_run: bool,
    ) -> Answered {
        match &sent {
            Ok(done) if !done.replayed && !dry_run => self.metrics().count_send(None),
            Err(CallError::Send { error, .. }) if !dry_run => self.metrics().count_send(Some(error)),
            _ => {}
        }
        match sent {
            Ok(done) => Ok(answer(done)),
            Err(error) => {
                let code = code(&error);
                let error = match selected {
                    Some(selected) => self.with_what_waits(selected, error).await,
                    None => error,
                };
                Err(self.refuse_call(selected, error).with_code(code))
            }
        }
    }

    /// The response for an operation that was not carried out.
    pub(super) fn refuse_call(&self, selected: Option<&Selected>, error: CallError) -> Refused {
        let (compat, code) = (self.config().compat, code(&error));
        let text = match error {
            CallError::Refused(refusal) => return self.refuse(refusal),
            CallError::NotReady(not_ready) => return self.refuse_not_ready(selected, not_ready),
            CallError::Send { error, read_only } => {
                return self.refuse_send(selected, *error, read_only).with_code(code);
            }
            CallError::Share(ShareError::ReadOnly) if !compat.explains_read_only() => {
                READ_ONLY_SIGNATURES.to_owned()
            }
            CallError::Swap(SwapError::Unsigned(_)) if !compat.tells_who_must_sign() => {
                SWAP_INCOMPLETE.to_owned()
            }
            CallError::Node { error, text } => text.map_or_else(|| error.to_string(), str::to_owned),
            CallError::Message(error) => error.to_string(),
            CallError::Share(error) => error.to_string(),
            CallError::Swap(error) => error.to_string(),
            CallError::Signature(error) => error.to_string(),
        };
        self.refuse(Refusal::failure(text)).with_code(code)
    }
}
