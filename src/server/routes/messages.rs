//! Messages signed by anybody.

use super::valid::Valid;
use crate::api::VerifyMessage;
use crate::handlers::verify_message;
use crate::server::App;
use crate::server::answer::{Refused, json};
use axum::extract::State;
use axum::response::Response;

/// `POST /wallet/verify-message`.
pub(super) async fn verify(
    State(app): State<App>,
    Valid(request): Valid<VerifyMessage>,
) -> Result<Response, Refused> {
    let verified = verify_message(&request, Some(app.config().network));
    verified.map(|answer| json(&answer)).map_err(|refusal| app.refuse(refusal))
}
