//! Requests for transactions, as the routes take them: what sends is tried without sending where `dry_run`
//! asks for that.

use crate::api::{self, DryRun};
use crate::handlers::SendMode;
use crate::rt::CpuShare;
use crate::server::App;
use crate::server::answer::Refused;
use crate::server::body::{Body, check_body, query_of, reading};
use crate::server::tasks::OnlyChecked;
use axum::extract::{FromRequest, FromRequestParts, Request};

/// A request that sends and is as it must be, and how it is to be carried out.
pub(super) struct Sending<R> {
    pub request: R,
    pub mode: SendMode,
    /// Whether it is only looked at, and carried out later.
    pub is_for_later: bool,
}

impl<R: api::Request> FromRequest<App> for Sending<R> {
    type Rejection = Refused;
    async fn from_request(request: Request, app: &App) -> Result<Self, Refused> {
        let (request, _) = request.into_parts();
        let query = query_of(&request.uri);
        let once = request.extensions.get().copied();
        let is_for_later = request.extensions.get::<OnlyChecked>().is_some();
        let valid = || {
            let body = Body::of::<R>(&request, app)?;
            let DryRun { dry_run } =
                DryRun::from_query_and_body(&query, &body).map_err(|refusal| app.refuse(refusal))?;
            check_body(&request, &body, app).map_err(|refusal| app.refuse(refusal))?;
            let request = R::read(&body, app.config().compat).map_err(|refusal| app.refuse(refusal))?;
            Ok(Self { request, mode: SendMode { dry_run, once }, is_for_later: is_for_later && !dry_run })
        };
        reading(&request, CpuShare::Sends, valid).await
    }
}

/// A request for a proposal that is as it must be. It sends nothing, and must not be taken for a dry run.
pub(super) struct Proposing<R>(pub R);

impl<R: api::Request> FromRequest<App> for Proposing<R> {
    type Rejection = Refused;
    async fn from_request(request: Request, app: &App) -> Result<Self, Refused> {
        let (mut request, _) = request.into_parts();
        let query = query_of(&request.uri);
        let Body(body) = Body::from_request_parts(&mut request, app).await?;
        let valid = || {
            let read = DryRun::refuse(&query, &body).and_then(|()| R::read(&body, app.config().compat));
            read.map(Self).map_err(|refusal| app.refuse(refusal))
        };
        reading(&request, CpuShare::Reads, valid).await
    }
}
