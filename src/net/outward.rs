//! Posting to hosts outside the operator's network, whatever their names resolve to: a name is resolved for
//! each connection, and only allowed addresses are connected to.

use super::native::net_error;
use super::{NetError, Url, brief, tls};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

const MOST_READ: usize = 4_096;
const CONNECT_LIMIT: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Public addresses by `https`; and this machine, if the URL names it.
    World,
    /// Any address, by `https` or `http`.
    Anywhere,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posted {
    pub status: u16,
    pub retry_after: Option<Duration>,
    /// The beginning of the answer, fit for a log.
    pub text: String,
}

impl Reach {
    /// Checks that a URL may be posted to.
    ///
    /// # Errors
    /// A text that continues "it must be".
    pub fn check(self, url: &Url) -> Result<(), &'static str> {
        let parsed = reqwest::Url::parse(url.as_str()).map_err(|_| "a URL")?;
        let is_own = matches!(Self::named(&parsed), Named::Loopback);
        match (parsed.scheme(), self) {
            ("https", _) | ("http", Self::Anywhere) => {}
            ("http", Self::World) if is_own => {}
            _ => return Err("a URL that begins with https://, or with http:// and is of this machine"),
        }
        match (Self::named(&parsed), self) {
            (Named::Address(address), Self::World) if !is_of_the_world(address) => {
                Err("outside of the operator's network, unless `allow_private` is true")
            }
            _ => Ok(()),
        }
    }

    fn named(url: &reqwest::Url) -> Named {
        let address = match url.host() {
            Some(url::Host::Ipv4(address)) => IpAddr::V4(address),
            Some(url::Host::Ipv6(address)) => IpAddr::V6(address),
            Some(url::Host::Domain("localhost")) => return Named::Loopback,
            _ => return Named::Name,
        };
        if address.to_canonical().is_loopback() { Named::Loopback } else { Named::Address(address) }
    }

    fn client(self) -> &'static reqwest::Client {
        static WORLD: OnceLock<reqwest::Client> = OnceLock::new();
        static ANYWHERE: OnceLock<reqwest::Client> = OnceLock::new();
        let cell = match self {
            Self::World => &WORLD,
            Self::Anywhere => &ANYWHERE,
        };
        cell.get_or_init(|| {
            let builder = reqwest::Client::builder()
                .user_agent(concat!("headless-wallet/", env!("CARGO_PKG_VERSION")))
                .redirect(Policy::none())
                // A proxy would resolve names.
                .no_proxy()
                .dns_resolver(Arc::new(Guard(self)))
                .connect_timeout(CONNECT_LIMIT)
                .tls_backend_preconfigured(tls::of_the_world().as_ref().clone());
            builder.build().expect("a client with its own TLS configuration needs nothing of the system")
        })
    }

    /// Posts JSON, and reads the beginning of the answer. Redirects are not followed.
    ///
    /// # Errors
    /// [`NetError`] if there is no answer within `limit`, or the URL may not be posted to. Any status is an
    /// answer.
    pub async fn post(
        self,
        url: &Url,
        headers: &[(&'static str, String)],
        json: String,
        limit: Duration,
    ) -> Result<Posted, NetError> {
        self.check(url).map_err(|must| NetError::Connect(format!("the URL must be {must}")))?;
        let mut request = self.client().post(url.as_str()).timeout(limit);
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let request = request.header("content-type", "application/json").body(json);
        let mut response = request.send().await.map_err(|error| net_error(error, limit))?;
        let (status, mut body) = (response.status().as_u16(), Vec::new());
        let retry_after = response.headers().get("retry-after").and_then(|value| value.to_str().ok());
        let retry_after = retry_after.and_then(super::http::retry_after);
        while body.len() < MOST_READ {
            match response.chunk().await {
                Ok(Some(chunk)) => body.extend_from_slice(&chunk[..chunk.len().min(MOST_READ - body.len())]),
                // Only the status matters.
                Ok(None) | Err(_) => break,
            }
        }
        Ok(Posted { status, retry_after, text: brief(&String::from_utf8_lossy(&body)) })
    }
}

enum Named {
    Loopback,
    Address(IpAddr),
    Name,
}

/// Resolves names, without addresses that may not be connected to.
struct Guard(Reach);

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let reach = self.0;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed: Vec<SocketAddr> = allowed(reach, name.as_str(), found).collect();
            if allowed.is_empty() {
                return Err("its name has no address outside of the operator's network, and addresses inside need `allow_private`".into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

fn allowed(
    reach: Reach,
    name: &str,
    found: impl Iterator<Item = SocketAddr>,
) -> impl Iterator<Item = SocketAddr> {
    let is_own = name == "localhost";
    found.filter(move |found| match reach {
        _ if is_own => found.ip().to_canonical().is_loopback(),
        Reach::Anywhere => true,
        Reach::World => is_of_the_world(found.ip()),
    })
}

/// Whether an address is public: not this machine, no private network, no translation of another address,
/// nothing reserved.
fn is_of_the_world(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_of_the_world_v4(address),
        IpAddr::V6(address) => is_of_the_world_v6(address),
    }
}

fn is_of_the_world_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !(address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || a == 0
        || a >= 240
        // Providers' networks, protocol assignments, documentation, benchmarks.
        || (a == 100 && (64..128).contains(&b))
        || (a, b, c) == (192, 0, 0)
        || (a, b, c) == (192, 88, 99)
        || address.is_documentation()
        || (a == 198 && (18..20).contains(&b)))
}

/// Only the allocated part, without documentation, protocol assignments, and translations of IPv4 addresses
/// (6to4, Teredo).
fn is_of_the_world_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let is_special = match first {
        0x2001 => second < 0x200 || second == 0xdb8,
        0x2002 => true,
        0x3fff => second < 0x1000,
        _ => false,
    };
    first & 0xe000 == 0x2000 && !is_special
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_world_are() {
        for own in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.9.9.9",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:10.0.0.1",
            "::ffff:127.0.0.1",
            "64:ff9b::a00:1",
            "100::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001::1",
            "2001:10::1",
            "2001:1ff::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "4000::1",
            "5f00::1",
        ] {
            assert!(!is_of_the_world(own.parse().unwrap()), "{own}");
        }
        for world in [
            "1.1.1.1",
            "100.63.255.255",
            "100.128.0.1",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "198.17.0.1",
            "198.20.0.1",
            "223.255.255.255",
            "::ffff:1.1.1.1",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2606:4700::1111",
            "2a00:1450::1",
            "3ffe::1",
        ] {
            assert!(is_of_the_world(world.parse().unwrap()), "{world}");
        }
    }

    #[test]
    fn urls_that_may_be_posted_to() {
        let check = |url: &str, reach: Reach| reach.check(&url.parse().unwrap());
        for url in [
            "https://shop.example/hook",
            "https://1.1.1.1/",
            "http://localhost:8080/hook",
            "http://127.0.0.1:1/",
            "https://[::1]:8443/",
            "http://[::ffff:127.0.0.1]/",
        ] {
            assert_eq!(check(url, Reach::World), Ok(()), "{url}");
        }
        let scheme = Err("a URL that begins with https://, or with http:// and is of this machine");
        for url in
            ["http://shop.example/", "ftp://127.0.0.1/", "http://10.0.0.1/", "http://localhost.evil.example/"]
        {
            assert_eq!(check(url, Reach::World), scheme, "{url}");
        }
        let inside = Err("outside of the operator's network, unless `allow_private` is true");
        for url in [
            "https://10.0.0.1/",
            "https://169.254.169.254/latest",
            "https://[fd00::1]/",
            "https://0x0a000001/",
        ] {
            assert_eq!(check(url, Reach::World), inside, "{url}");
        }
        for url in ["http://10.0.0.1/", "https://10.0.0.1/", "http://shop.internal/"] {
            assert_eq!(check(url, Reach::Anywhere), Ok(()), "{url}");
        }
        assert_eq!(check("ftp://10.0.0.1/", Reach::Anywhere), scheme);
    }

    #[test]
    fn what_a_name_means_is_looked_at_for_each_connection() {
        let found = || {
            let addresses = ["10.0.0.1:0", "127.0.0.1:0", "1.1.1.1:0", "[::1]:0", "[fe80::1]:0"];
            addresses.map(|address| address.parse::<SocketAddr>().unwrap()).into_iter()
        };
        let left =
            |reach, name| allowed(reach, name, found()).map(|left| left.ip().to_string()).collect::<Vec<_>>();
        assert_eq!(left(Reach::World, "evil.example"), ["1.1.1.1"]);
        assert_eq!(left(Reach::World, "localhost"), ["127.0.0.1", "::1"]);
        assert_eq!(left(Reach::Anywhere, "shop.internal").len(), 5);
    }

    #[tokio::test]
    async fn a_name_that_means_an_address_inside_is_not_connected_to() {
        // The machine's own name is not `localhost` for the guard.
        let guard = Guard(Reach::World);
        for name in ["localhost.", "ip6-localhost"] {
            if let Ok(name) = name.parse::<Name>() {
                assert!(guard.resolve(name).await.is_err());
            }
        }
    }
}
