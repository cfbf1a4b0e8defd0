//! `X-Wallet-Seq` and `If-Wallet-Seq`: so that who was answered by one of several servers finds at the next
//! one no less than the first one knew.

use super::answer::{Refused, json_with};
use super::idempotency::no_room;
use crate::api::Failure;
use crate::service::{Known, Wallet};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::Response;
use std::time::Duration;

/// In answers: the number of the latest news of all servers that this one knew of.
const SEQ: HeaderName = HeaderName::from_static("x-wallet-seq");
/// In requests: the number that must be known here.
const DEMANDED: HeaderName = HeaderName::from_static("if-wallet-seq");
/// How long to wait for it.
const LIMIT: Duration = Duration::from_secs(5);

/// Waits until a wallet that is shared knows what a request demands.
pub(super) async fn catch_up(wallet: &Wallet, headers: &HeaderMap) -> Result<(), Refused> {
    let Some(demanded) = headers.get(DEMANDED) else { return Ok(()) };
    let digits = demanded.to_str().ok().map(str::trim).filter(|text| !text.starts_with('+'));
    let Some(seq) = digits.and_then(|text| text.parse().ok()) else {
        let must = "the header If-Wallet-Seq must be a number, as an earlier answer had it in X-Wallet-Seq";
        return Err(json_with(StatusCode::BAD_REQUEST, &Failure::new(must)).into());
    };
    let late = match wallet.knows(seq, LIMIT).await {
        Known::Now => return Ok(()),
        Known::Late => {
            let limit = LIMIT.as_secs();
            format!("this server has not heard in {limit} s of what If-Wallet-Seq asks for: try again")
        }
        Known::Never => "no server has told of the number that If-Wallet-Seq asks for: it is another wallet's, or of before the \
                         store lost its last changes; ask without it"
            .to_owned(),
    };
    Err(no_room(late, 1).into())
}

/// Says in an answer what was known.
pub(super) fn with_seq(shared: Option<&Wallet>, mut response: Response) -> Response {
    if let Some(seq) = shared.and_then(Wallet::seq) {
        response.headers_mut().insert(SEQ, seq.into());
    }
    response
}
