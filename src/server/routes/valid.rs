//! Requests as the routes take them: read, and as they must be.

use crate::api::{Location, Request};
use crate::rt::CpuShare;
use crate::server::App;
use crate::server::answer::Refused;
use crate::server::asked_for::in_path;
use crate::server::body::{Body, check_body, query_of, reading};
use axum::extract::FromRequest;

/// A request that is as it must be. Others are refused before they get to their route.
pub(super) struct Valid<R>(pub R);

impl<R: Request> FromRequest<App> for Valid<R> {
    type Rejection = Refused;
    async fn from_request(request: axum::extract::Request, app: &App) -> Result<Self, Refused> {
        let in_path = in_path(&request);
        let (request, _) = request.into_parts();
        let valid = || {
            let mut given = match R::IN {
                Location::Query => query_of(&request.uri),
                Location::Body => {
                    let given = Body::read(&request, app)?;
                    check_body(&request, &given, app).map_err(|refusal| app.refuse(refusal))?;
                    given
                }
            };
            given.extend(in_path.map(|(name, text)| (name, text.into())));
            let read = R::read(&given, app.config().compat);
            read.map(Self).map_err(|refusal| app.refuse(refusal))
        };
        reading(&request, CpuShare::Reads, valid).await
    }
}
