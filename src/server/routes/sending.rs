//! Requests that send, as the routes take them: they are tried without sending where `dry_run` asks for that.

use crate::api::{Compat, DryRun, Refusal};
use crate::operations::{Operation, SendMode};
use crate::rt::CpuShare;
use crate::server::App;
use crate::server::answer::Refused;
use crate::server::body::{Body, check_body, query_of, reading};
use axum::http::request::Parts;
use serde_json::{Map, Value};

/// A request that sends and is as it must be, and how it is to be carried out.
pub(super) struct Sending<R> {
    pub request: R,
    pub mode: SendMode,
    /// Its fields, as they were given.
    pub given: Map<String, Value>,
}

impl<R> Sending<R> {
    pub async fn of(
        request: &Parts,
        operation: &Operation,
        app: &App,
        read: impl FnOnce(&Map<String, Value>, Compat) -> Result<R, Refusal>,
    ) -> Result<Self, Refused> {
        let query = query_of(&request.uri);
        let once = request.extensions.get().copied();
        let valid = || {
            let given = Body::of(operation, request, app)?;
            let read = || {
                let DryRun { dry_run } = DryRun::from_query_and_body(&query, &given)?;
                check_body(request, &given, app)?;
                Ok((dry_run, read(&given, app.config().compat)?))
            };
            let (dry_run, request) = read().map_err(|refusal| app.refuse(refusal))?;
            Ok(Self { request, mode: SendMode { dry_run, once }, given })
        };
        reading(request, CpuShare::Sends, valid).await
    }
}
