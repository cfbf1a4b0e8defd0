//! Requests as the routes take them: read, and as they must be.

use crate::api::{Location, Request};
use crate::server::App;
use crate::server::answer::Refused;
use crate::server::body::{Body, Query};
use axum::RequestExt;
use axum::extract::FromRequest;

/// A request that is as it must be. Others are refused before they get to their route.
pub(super) struct Valid<R>(pub R);

impl<R: Request> FromRequest<App> for Valid<R> {
    type Rejection = Refused;
    async fn from_request(mut request: axum::extract::Request, app: &App) -> Result<Self, Refused> {
        let given = match R::IN {
            Location::Query => request.extract_parts_with_state::<Query, App>(app).await?.0,
            Location::Body => Body::from_request(request, app).await?.0,
        };
        R::read(&given, app.config().compat).map(Self).map_err(|refusal| app.refuse(refusal))
    }
}
