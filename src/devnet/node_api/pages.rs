//! The node's HTML pages: what it says where it has no JSON to say.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// Marks an answer that the node sends without its `Access-Control` headers.
#[derive(Clone, Copy)]
pub(super) struct WithoutCors;

fn page(status: StatusCode, content_type: &'static str, body: String) -> Response {
    (status, [(header::CONTENT_TYPE, HeaderValue::from_static(content_type))], body).into_response()
}

fn error_page(status: StatusCode, title: &str, brief: &str, detail: &str) -> Response {
    let body = format!(
        "\n<html>\n  <head><title>{} - {title}</title></head>\n  <body>\n    <h1>{brief}</h1>\n    <p>{detail}</p>\n  </body>\n</html>\n",
        status.as_u16(),
    );
    let mut response = page(status, "text/html; charset=utf-8", body);
    response.extensions_mut().insert(WithoutCors);
    response
}

/// 404.
pub(super) async fn no_such_resource() -> Response {
    error_page(
        StatusCode::NOT_FOUND,
        "No Such Resource",
        "No Such Resource",
        "Sorry. No luck finding that resource.",
    )
}

/// 405 for a method that the node knows and the path does not take, 501 for any other.
pub(super) async fn wrong_method(request: Request<Body>) -> Response {
    let method = request.method();
    if !matches!(*method, Method::GET | Method::HEAD | Method::POST) {
        let detail = format!("I don't know how to treat a {method} request.");
        return error_page(StatusCode::NOT_IMPLEMENTED, "Huh?", "Huh?", &detail);
    }
    let path = request.uri().path();
    let detail = format!(
        "Your browser approached me (at {path}) with the method \"{method}\".  I only allow the methods HEAD, GET here.",
    );
    let mut response =
        error_page(StatusCode::METHOD_NOT_ALLOWED, "Method Not Allowed", "Method Not Allowed", &detail);
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("HEAD, GET"));
    response
}

/// 500: what the node answers when a request reaches something that it did not foresee.
pub(super) fn processing_failed() -> Response {
    page(
        StatusCode::INTERNAL_SERVER_ERROR,
        "text/html",
        "<html><head><title>Processing Failed</title></head><body><b>Processing Failed</b></body></html>"
            .to_owned(),
    )
}
