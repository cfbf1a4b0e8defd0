//! A request's path as it was asked for: paths are looked up in lower case and without a slash at the end.

use axum::extract::{MatchedPath, Request};
use axum::http::Uri;

/// Kept with the request, for what needs the path as it was written.
#[derive(Clone)]
pub(super) struct AskedFor(pub Uri);

impl AskedFor {
    /// What stands after the last slash.
    pub fn last_part(&self) -> &str {
        self.0.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default()
    }
}

/// The field that ends the request's path, where one does.
pub(super) fn in_path(request: &Request) -> Option<(String, String)> {
    let path = request.extensions().get::<MatchedPath>()?.as_str();
    let (_, name) = path.rsplit_once("/{")?;
    let asked_for: &AskedFor = request.extensions().get()?;
    Some((name.trim_end_matches('}').to_owned(), asked_for.last_part().to_owned()))
}
