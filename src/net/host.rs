//! The server's name in a request, and whether a web page may have chosen it.
//!
//! A page can point a name of its own at any address (DNS rebinding), and then has the same origin as the
//! server there. It can't do this with an address or with `localhost`.

use std::net::IpAddr;

/// The name or address of an authority such as `localhost:8000` or `[::1]:8000`, without port, brackets, and
/// final dot. `None` if it is invalid.
pub fn name_of(authority: &str) -> Option<&str> {
    let (name, rest) = match authority.strip_prefix('[') {
        Some(bracketed) => bracketed.split_once(']').filter(|(name, _)| name.contains(':'))?,
        None => authority.split_at(authority.find(':').unwrap_or(authority.len())),
    };
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let is_name = !name.is_empty() && !name.contains(['@', '/', '?', '#']);
    (is_name && (rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port)))
        .then(|| name.strip_suffix('.').unwrap_or(name))
}

/// Whether no page can point this name at another address: it is an address, or `localhost`.
pub fn is_fixed(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok()
}

pub fn is_loopback(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
}

/// Whether an `Origin` is that of pages from the server `authority`. The scheme only counts for the default
/// port: behind a proxy the server does not know its own.
pub fn is_origin_of(origin: &str, authority: &str) -> bool {
    let Some((scheme, place)) = origin.split_once("://") else { return false };
    let usual_port = match scheme {
        "http" => ":80",
        "https" => ":443",
        _ => return false,
    };
    let without_port =
        |text: &'_ str| text.len() - if text.ends_with(usual_port) { usual_port.len() } else { 0 };
    place[..without_port(place)].eq_ignore_ascii_case(&authority[..without_port(authority)])
}

/// Whether an `Origin` is a page from this machine, at any port.
pub fn is_loopback_origin(origin: &str) -> bool {
    let place = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    place.and_then(name_of).is_some_and(is_loopback)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_authorities() {
        for (authority, name) in [
            ("localhost", Some("localhost")),
            ("LocalHost:8000", Some("LocalHost")),
            ("localhost.", Some("localhost")),
            ("wallet.example.:80", Some("wallet.example")),
            ("127.0.0.1:8000", Some("127.0.0.1")),
            ("[::1]", Some("::1")),
            ("[::1]:8000", Some("::1")),
            ("::1", None),
            ("[::1]x", None),
            ("[localhost]", None),
            ("localhost:x", None),
            ("localhost@evil.example", None),
            ("evil.example/localhost", None),
            ("", None),
            (":8000", None),
        ] {
            assert_eq!(name_of(authority), name, "{authority}");
        }
    }

    #[test]
    fn only_names_can_be_pointed_elsewhere() {
        for fixed in ["localhost", "LOCALHOST", "127.0.0.1", "10.0.0.7", "::1", "2001:db8::1"] {
            assert!(is_fixed(fixed), "{fixed}");
        }
        for name in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "wallet", "1"] {
            assert!(!is_fixed(name), "{name}");
        }
        assert!(["localhost", "127.8.9.1", "::1", "::ffff:127.0.0.1"].into_iter().all(is_loopback));
        assert!(!["0.0.0.0", "::", "10.0.0.7", "wallet"].into_iter().any(is_loopback));
    }

    #[test]
    fn origins() {
        for (origin, authority, is_same) in [
            ("http://localhost:8000", "localhost:8000", true),
            ("http://LOCALHOST:8000", "localhost:8000", true),
            ("http://[::1]:8000", "[::1]:8000", true),
            ("http://wallet.example", "wallet.example:80", true),
            ("https://wallet.example:443", "wallet.example", true),
            ("http://localhost:3000", "localhost:8000", false),
            ("http://localhost", "localhost:8000", false),
            ("http://127.0.0.1:8000", "localhost:8000", false),
            ("https://evil.example", "localhost:8000", false),
            ("http://wallet.example:443", "wallet.example", false),
            ("ftp://localhost:8000", "localhost:8000", false),
            ("null", "null", false),
        ] {
            assert_eq!(is_origin_of(origin, authority), is_same, "{origin} {authority}");
        }
        let pages = ["http://localhost:5173", "https://127.0.0.1:3000", "http://[::1]:1", "http://localhost"];
        assert!(pages.into_iter().all(is_loopback_origin));
        let others = ["null", "http://evil.example", "http://localhost.evil.example", "file://localhost"];
        assert!(!others.into_iter().any(is_loopback_origin));
    }
}
