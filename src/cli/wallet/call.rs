//! One request.

use headless_wallet::ledger::{Address, TokenUid};
use headless_wallet::net::{Method, Request};
use serde::Serialize;
use serde_json::{Map, Value};
use std::time::Duration;
use url::Url;
use zeroize::Zeroizing;

/// How long what only reads may take.
const READ_LIMIT: Duration = Duration::from_secs(30);
/// How long what changes something may take: proof of work can be slow, and the server itself gives up before
/// that.
const WRITE_LIMIT: Duration = Duration::from_secs(150);

/// A request, without the place that it goes to.
#[derive(Clone)]
pub struct Call {
    method: Method,
    path: String,
    query: Vec<(String, String)>,
    /// JSON, wiped when dropped: it may hold words.
    body: Option<Zeroizing<String>>,
    key: Option<String>,
}

impl Call {
    /// A request that reads; fields go into its query, a list as `name[]` for each of its elements.
    pub fn get(path: &str, fields: &impl Serialize) -> Self {
        let mut query = Vec::new();
        for (name, value) in members(fields) {
            match value {
                Value::Array(elements) => {
                    query.extend(elements.iter().map(|element| (format!("{name}[]"), plain(element))));
                }
                value => query.push((name, plain(&value))),
            }
        }
        Self { method: Method::Get, path: path.to_owned(), query, body: None, key: None }
    }
    /// A request that does something; fields go into its body.
    pub fn post(path: &str, fields: &impl Serialize) -> Self {
        let body = Zeroizing::new(Value::Object(members(fields)).to_string());
        Self { method: Method::Post, path: path.to_owned(), query: Vec::new(), body: Some(body), key: None }
    }
    /// A request that does something, with secrets among its fields, of which no copies are made here. All
    /// fields go into its body, given or not.
    pub fn post_secret(path: &str, fields: &impl Serialize) -> Self {
        // Room for all of it at once: a string that grows leaves copies of itself behind.
        let mut body = Zeroizing::new(Vec::with_capacity(16 * 1024));
        serde_json::to_writer(&mut *body, fields).expect("fields are texts and numbers");
        let text = std::str::from_utf8(&body).expect("JSON is UTF-8");
        Self {
            method: Method::Post,
            path: path.to_owned(),
            query: Vec::new(),
            body: Some(Zeroizing::new(text.to_owned())),
            key: None,
        }
    }
    /// A request that does something, whose body is one field, a list. Lists in it count as their elements:
    /// they are given as one text. The other fields go into its query.
    pub fn post_list(path: &str, fields: &Map<String, Value>, list: &str) -> Self {
        let mut elements = Vec::new();
        for element in fields.get(list).and_then(Value::as_array).into_iter().flatten() {
            match element {
                Value::Array(several) => elements.extend(several.iter().cloned()),
                one => elements.push(one.clone()),
            }
        }
        let others = fields.iter().filter(|(name, _)| *name != list);
        let query = others.map(|(name, value)| (name.clone(), plain(value))).collect();
        let body = Some(Zeroizing::new(Value::Array(elements).to_string()));
        Self { method: Method::Post, path: path.to_owned(), query, body, key: None }
    }
    /// A POST by another name.
    pub fn put(path: &str, fields: &impl Serialize) -> Self {
        Self { method: Method::Put, ..Self::post(path, fields) }
    }
    /// A request that takes something away.
    pub fn delete(path: &str) -> Self {
        Self { method: Method::Delete, ..Self::get(path, &()) }
    }
    /// This request as a dry run: it says what would be sent, and sends nothing.
    pub fn dry_run(mut self) -> Self {
        self.query.push(("dry_run".to_owned(), "true".to_owned()));
        self
    }
    /// This request with an `Idempotency-Key`, so that a repetition sends nothing twice.
    pub fn once(self, key: String) -> Self {
        Self { key: Some(key), ..self }
    }
    /// What is wrong with a token or an address of its query, if something is.
    pub fn typo(&self) -> Option<String> {
        self.query.iter().find_map(|(name, value)| match name.as_str() {
            _ if value.is_empty() => None,
            "token" if value.parse::<TokenUid>().is_err() => {
                Some("token must be a token's uid: 00 for HTR, or 64 hexadecimal digits.".to_owned())
            }
            "filter_address" => {
                let error = Address::parse_any(value).err()?;
                Some(format!("filter_address must be an address: {error}"))
            }
            _ => None,
        })
    }
    /// What a repetition must name.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }
    /// The request to the server at `base`, whose answer is awaited for `limit` or the usual time.
    pub fn request(
        &self,
        base: &Url,
        headers: Vec<(&'static str, String)>,
        limit: Option<Duration>,
    ) -> Request {
        let mut url = base.clone();
        url.set_path(&format!("{}{}", base.path().trim_end_matches('/'), self.path));
        if !self.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&self.query);
        }
        let usual = if self.method == Method::Get { READ_LIMIT } else { WRITE_LIMIT };
        let key = self.key.iter().map(|key| ("idempotency-key", key.clone()));
        Request {
            method: self.method,
            headers: headers.into_iter().chain(key).collect(),
            json: self.body.as_ref().map(|body| body.as_str().to_owned()),
            timeout: limit.unwrap_or(usual),
            ..Request::get(url.into())
        }
    }
}

/// The fields that are given.
fn members(fields: &impl Serialize) -> Map<String, Value> {
    let value = serde_json::to_value(fields).expect("fields are texts, numbers and lists of them");
    let Value::Object(mut members) = value else { return Map::new() };
    members.retain(|_, value| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty()));
    members
}

/// A value as a query has it.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
