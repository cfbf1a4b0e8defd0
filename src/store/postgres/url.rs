//! The URL of a database.

use crate::net::host::is_loopback;
use secrecy::{ExposeSecret, SecretString};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

const SCHEMA: &str = "headless_wallet";
const CONNECT_LIMIT: Duration = Duration::from_secs(5);
/// How long sent data may stay unconfirmed before a connection counts as broken. A firewall or a failover
/// drops connections silently, which TCP alone detects much later.
const UNCONFIRMED_LIMIT: Duration = Duration::from_secs(3);
/// For error texts, which must not quote the URL: it may contain a password anywhere.
const EXPECTED: &str = "a URL such as postgres://user:password@host:5432/database";

/// The URL of a PostgreSQL database, as in libpq. `sslmode` is `disable`, `require` (encrypted, without
/// verifying the host) or `verify-full` (encrypted, host verified). `sslrootcert` is a file of root
/// certificates that replace the usual ones. Without `sslmode`, connections to this machine are plain, all
/// others verified. `schema` names the schema of the tables.
///
/// Prints without user and password.
///
/// ```
/// use headless_wallet::store::PostgresUrl;
///
/// let url: PostgresUrl = "postgres://anna:secret@db.example/wallets?sslmode=require".parse()?;
/// assert_eq!(url.to_string(), "db.example/wallets");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone)]
pub struct PostgresUrl {
    text: SecretString,
    config: Config,
    tls: TlsMode,
    schema: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TlsMode {
    Plain,
    Unverified,
    /// Encrypted and the host verified, by the usual roots or those of a file.
    Verified(Option<PathBuf>),
}

impl PostgresUrl {
    pub(super) fn config(&self) -> &Config {
        &self.config
    }

    pub(super) fn tls(&self) -> &TlsMode {
        &self.tls
    }

    pub(super) fn schema(&self) -> &str {
        &self.schema
    }

    pub fn has_password(&self) -> bool {
        self.config.get_password().is_some()
    }
}

impl FromStr for PostgresUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_url = ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme));
        if !is_url {
            return Err(EXPECTED.to_owned());
        }
        let (base, query) = text.split_once('?').unwrap_or((text, ""));
        // A password that is not percent-encoded would be taken in part for a host or for options.
        if base.matches('@').count() > 1 || query.contains('@') && !base.contains('@') {
            return Err(format!("{EXPECTED}: in a password @ is written %40, ? %3F, # %23, / %2F and % %25"));
        }
        let (own, others): (Vec<&str>, Vec<&str>) =
            query.split('&').filter(|pair| !pair.is_empty()).partition(|pair| is_ours(pair));
        let own = own.join("&");
        let value = |name: &str| {
            let found = url::form_urlencoded::parse(own.as_bytes()).find(|(key, _)| key == name);
            found.map(|(_, value)| value.into_owned())
        };
        let mut config: Config =
            format!("{base}?{}", others.join("&")).parse().map_err(|_| EXPECTED.to_owned())?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(format!("{EXPECTED}: it names no host (for a Unix socket, ?host=/its/directory)"));
        }
        if config.get_dbname().is_none_or(str::is_empty) {
            return Err(format!("{EXPECTED}: it names no database"));
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_LIMIT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(UNCONFIRMED_LIMIT);
        }
        if config.get_application_name().is_none() {
            config.application_name("headless-wallet");
        }
        let schema = value("schema").unwrap_or_else(|| SCHEMA.to_owned());
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if schema.is_empty() || schema.len() > 63 || !schema.chars().all(is_plain) {
            return Err(format!("{EXPECTED}: schema takes lower-case letters, digits and _, at most 63"));
        }
        let tls = tls_mode(&config, value("sslmode").as_deref(), value("sslrootcert").map(PathBuf::from))?;
        config.ssl_mode(if tls == TlsMode::Plain { SslMode::Disable } else { SslMode::Require });
        Ok(Self { text: text.into(), config, tls, schema })
    }
}

fn is_ours(pair: &str) -> bool {
    let key = pair.split('=').next().unwrap_or_default();
    matches!(key, "sslmode" | "sslrootcert" | "schema")
}

fn tls_mode(config: &Config, mode: Option<&str>, roots: Option<PathBuf>) -> Result<TlsMode, String> {
    let tls = match mode {
        // As in libpq, which never encrypts Unix sockets.
        _ if config.get_hosts().iter().any(is_socket) => TlsMode::Plain,
        None if is_this_machine(config) && roots.is_none() => TlsMode::Plain,
        Some("disable") => TlsMode::Plain,
        Some("require") => TlsMode::Unverified,
        None | Some("verify-full") => TlsMode::Verified(roots.clone()),
        Some(_) => return Err(format!("{EXPECTED}: sslmode is disable, require or verify-full")),
    };
    match (&tls, roots) {
        (TlsMode::Verified(_), _) | (_, None) => Ok(tls),
        // In libpq, `require` verifies the host if there is a root certificate.
        (_, Some(_)) => Err(format!("{EXPECTED}: sslrootcert goes with sslmode=verify-full alone")),
    }
}

fn is_socket(host: &Host) -> bool {
    !matches!(host, Host::Tcp(_))
}

fn is_this_machine(config: &Config) -> bool {
    let is_here = |host: &Host| match host {
        Host::Tcp(name) => is_loopback(name),
        #[cfg(unix)]
        Host::Unix(_) => true,
    };
    match config.get_hostaddrs() {
        [] => config.get_hosts().iter().all(is_here),
        addresses => addresses.iter().all(std::net::IpAddr::is_loopback),
    }
}

impl fmt::Display for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ports = self.config.get_ports();
        let port_of = |i: usize| ports.get(i).or(ports.first()).filter(|port| **port != 5432);
        let name = |host: &Host| match host {
            Host::Tcp(name) => name.clone(),
            #[cfg(unix)]
            Host::Unix(path) => path.display().to_string(),
        };
        let mut hosts: Vec<String> = self.config.get_hosts().iter().map(name).collect();
        if hosts.is_empty() {
            hosts = self.config.get_hostaddrs().iter().map(ToString::to_string).collect();
        }
        for (i, host) in hosts.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { "," })?;
            f.write_str(host)?;
            if let Some(port) = port_of(i) {
                write!(f, ":{port}")?;
            }
        }
        write!(f, "/{}", self.config.get_dbname().unwrap_or_default())
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialEq for PostgresUrl {
    fn eq(&self, other: &Self) -> bool {
        self.text.expose_secret() == other.text.expose_secret()
    }
}

impl Eq for PostgresUrl {}

#[cfg(test)]
mod tests {
    use super::{PostgresUrl, TlsMode};

    fn read(text: &str) -> Result<(String, TlsMode, String), String> {
        text.parse().map(|url: PostgresUrl| (url.to_string(), url.tls.clone(), url.schema))
    }

    #[test]
    fn a_url_says_whom_to_reach_and_how_it_is_kept_from_others() {
        let plain = |place: &str| Ok((place.to_owned(), TlsMode::Plain, "headless_wallet".to_owned()));
        let with = |place: &str, tls| Ok((place.to_owned(), tls, "headless_wallet".to_owned()));
        assert_eq!(read("postgres://anna:hush@localhost/w"), plain("localhost/w"));
        assert_eq!(read("postgresql://127.0.0.1:5433/w"), plain("127.0.0.1:5433/w"));
        assert_eq!(
            read("postgres:///w?host=/run/postgresql&sslmode=verify-full"),
            plain("/run/postgresql/w")
        );
        assert_eq!(read("postgres://db/w"), with("db/w", TlsMode::Verified(None)));
        assert_eq!(read("postgres://a,b:6432/w?sslmode=require"), with("a,b:6432/w", TlsMode::Unverified));
        assert_eq!(read("postgres://db/w?sslmode=disable"), plain("db/w"));
        let own = TlsMode::Verified(Some("/etc/our ca.pem".into()));
        assert_eq!(read("postgres://localhost/w?sslrootcert=/etc/our%20ca.pem"), with("localhost/w", own));
        let two = Ok(("localhost/w".to_owned(), TlsMode::Plain, "two_2".to_owned()));
        assert_eq!(read("postgres://localhost/w?schema=two_2&connect_timeout=1"), two);
    }

    #[test]
    fn a_connection_that_was_lost_without_a_word_counts_as_broken_after_seconds() {
        let limit = |text: &str| text.parse::<PostgresUrl>().unwrap().config.get_tcp_user_timeout().copied();
        assert_eq!(limit("postgres://db/w"), Some(std::time::Duration::from_secs(3)));
        assert_eq!(limit("postgres://db/w?tcp_user_timeout=9"), Some(std::time::Duration::from_secs(9)));
    }

    #[test]
    fn what_is_no_such_url_is_refused_without_a_word_of_it() {
        let expected = "a URL such as postgres://user:password@host:5432/database";
        let refused = |text: &str| read(text).unwrap_err();
        for text in ["mysql://anna:hush@db/w", "postgres://db:x/w", "hush"] {
            assert_eq!(refused(text), expected, "{text}");
        }
        let because = |why: &str| format!("{expected}: {why}");
        for text in ["postgres://anna:hu?sh@db/w", "postgres://anna:hu@sh@db/w"] {
            assert_eq!(
                refused(text),
                because("in a password @ is written %40, ? %3F, # %23, / %2F and % %25"),
                "{text}"
            );
        }
        assert_eq!(
            refused("postgres:///w"),
            because("it names no host (for a Unix socket, ?host=/its/directory)")
        );
        assert_eq!(refused("postgres://db/"), because("it names no database"));
        assert_eq!(
            refused("postgres://db/w?sslmode=prefer"),
            because("sslmode is disable, require or verify-full")
        );
        assert_eq!(
            refused("postgres://db/w?sslmode=require&sslrootcert=ca.pem"),
            because("sslrootcert goes with sslmode=verify-full alone")
        );
        assert_eq!(
            refused("postgres://db/w?schema=a%22b"),
            because("schema takes lower-case letters, digits and _, at most 63")
        );
    }

    #[test]
    fn it_never_prints_its_password() {
        let url: PostgresUrl = "postgres://anna:hush@db/w".parse().unwrap();
        assert_eq!(format!("{url} {url:?}"), "db/w db/w");
        assert!(url.has_password());
    }
}
