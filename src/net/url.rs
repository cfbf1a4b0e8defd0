use super::backend;
use std::fmt::Write;
use std::str::FromStr;

/// An absolute, normalized URL. Not `Debug`, because it may contain a password.
///
/// ```
/// use headless_wallet::net::Url;
///
/// let base: Url = "HTTP://anna:secret@node.example/v1a/".parse()?;
/// let asked = base.at("transaction", &[("id", "00 ff")]);
/// assert_eq!(asked.as_str(), "http://anna:secret@node.example/v1a/transaction?id=00%20ff");
/// assert_eq!(asked.target(), "/v1a/transaction?id=00%20ff");
/// assert_eq!(asked.printable(), "http://node.example/v1a/transaction");
/// let webhook: Url = "https://chat.example/hooks/T0/B1/x7Kq2mWz9?thread=1".parse()?;
/// assert_eq!(webhook.shortened(), "https://chat.example/…mWz9");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Url(String);

impl FromStr for Url {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        backend::normal_url(text.trim()).map(Self)
    }
}

impl Url {
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn normal(url: String) -> Self {
        Self(url)
    }

    /// The whole URL: not for printing.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn scheme(&self) -> &str {
        self.0.split_once(':').map_or("", |(scheme, _)| scheme)
    }

    /// Path and query.
    pub fn target(&self) -> &str {
        let rest = self.0.split_once("://").map_or("", |(_, rest)| rest);
        let target = rest.find('/').map_or("/", |start| &rest[start..]);
        target.split('#').next().unwrap_or(target)
    }

    /// Host and port.
    #[cfg(feature = "native")]
    pub(crate) fn authority(&self) -> &str {
        let rest = self.0.split_once("://").map_or("", |(_, rest)| rest);
        rest.split(['/', '?', '#']).next().and_then(|host| host.rsplit('@').next()).unwrap_or_default()
    }

    /// Whether it is the root of an HTTP server: without user, path, query and fragment.
    #[cfg(feature = "native")]
    pub(crate) fn is_server(&self) -> bool {
        let rest = self.0.strip_prefix("http://").or_else(|| self.0.strip_prefix("https://"));
        rest.is_some_and(|rest| {
            rest.find(['/', '?', '#', '@']) == Some(rest.len() - 1) && rest.ends_with('/')
        })
    }

    /// As a base for relative paths: without query and fragment, with a slash at its end.
    pub fn into_base(mut self) -> Self {
        if let Some(end) = self.0.find(['?', '#']) {
            self.0.truncate(end);
        }
        if !self.0.ends_with('/') {
            self.0.push('/');
        }
        self
    }

    /// Beside it, if its path ends in `last`.
    pub fn sibling(&self, last: &str, other: &str) -> Option<Self> {
        let rest = self.0.strip_suffix('/')?.strip_suffix(last)?;
        rest.ends_with('/').then(|| Self(format!("{rest}{other}/")))
    }

    pub fn at(&self, path: &str, query: &[(&str, &str)]) -> Self {
        let mut url = format!("{}{path}", self.0);
        let mut separator = '?';
        for (name, value) in query {
            url.push(separator);
            push_encoded(&mut url, name);
            url.push('=');
            push_encoded(&mut url, value);
            separator = '&';
        }
        Self(url)
    }

    /// Replaces `http` and `https` by `ws` and `wss`.
    pub fn into_socket(self) -> Self {
        match self.0.strip_prefix("http") {
            Some(rest) => Self(format!("ws{rest}")),
            None => self,
        }
    }

    /// Without possible secrets: user, password and query.
    pub fn printable(&self) -> String {
        let Some((scheme, rest)) = self.0.split_once("://") else { return format!("{}:…", self.scheme()) };
        let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        let host = host.rsplit('@').next().unwrap_or(host);
        let path = path.split(['?', '#']).next().unwrap_or(path);
        format!("{scheme}://{host}{path}")
    }

    /// As [`Url::printable`], for readers who must not know the path, which is a secret of many webhooks. A
    /// long path shows its last four characters, by which its owner recognizes it.
    pub fn shortened(&self) -> String {
        const SHOWN: usize = 4;
        let printable = self.printable();
        let host = printable.find("://").map_or(0, |end| end + "://".len());
        let Some(path) = printable[host..].find('/').map(|slash| host + slash + 1) else { return printable };
        let (origin, path) = printable.split_at(path);
        let shown = if path.len() < 4 * SHOWN { "" } else { &path[path.len() - SHOWN..] };
        if path.is_empty() { printable } else { format!("{origin}…{shown}") }
    }
}

/// Percent-encodes everything but letters, digits and `-_.~`.
fn push_encoded(url: &mut String, text: &str) {
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => url.push(byte.into()),
            _ => write!(url, "%{byte:02X}").expect("texts take everything"),
        }
    }
}
