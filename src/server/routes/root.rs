//! `GET /`.

use crate::server::answer::html;
use axum::http::StatusCode;
use axum::response::Response;

pub(super) async fn welcome() -> Response {
    let page = "<html><body><h1>Welcome to Hathor Wallet API!</h1><p>See the <a href=\"docs/\">docs</a></p></body></html>";
    html(StatusCode::OK, page.to_owned())
}
