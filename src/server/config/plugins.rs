//! `enabled_plugins`: who else is told of events, by the names and settings of hathor-wallet-headless.

use super::value::SettingValue;
use super::{ConfigError, Layer, Setting};
use percent_encoding::percent_decode_str;
use secrecy::{ExposeSecret, SecretString};
use std::fmt;

/// The port of hathor-wallet-headless's plugin.
const WS_PORT: u16 = 8008;
/// What a URL of RabbitMQ must be, for error texts: what was given may have a password anywhere.
const URL: &str = "a URL such as amqp://user:password@host:5672/vhost, or amqps://…";
/// Bytes of a name in AMQP 0-9-1 (its "short strings").
const MAX_NAME: usize = 255;

/// Who is told of all events, besides webhooks and those who listen at `/wallet/events`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plugins {
    /// The port of a WebSocket.
    pub ws: Option<u16>,
    /// A broker of messages.
    pub rabbitmq: Option<RabbitMqSettings>,
}

/// Where a broker is, and to what events are published there. Prints without user and password.
#[derive(Clone)]
pub struct RabbitMqSettings {
    /// Whether the connection is encrypted, and the broker verified by its certificate.
    pub is_encrypted: bool,
    pub host: String,
    pub port: u16,
    pub user: String,
    pub password: SecretString,
    pub virtual_host: String,
    /// The exchange; the broker's default one has no name, and takes the key for a queue.
    pub exchange: String,
    pub routing_key: String,
}

impl RabbitMqSettings {
    /// What tells it from others, always in the same words: positions in the event log are kept by them.
    pub fn identity(&self) -> String {
        let Self { host, port, virtual_host, exchange, routing_key, .. } = self;
        format!("{host}:{port}/{virtual_host} {exchange}:{routing_key}")
    }
}

/// Where it is and what it is published to, for people.
impl fmt::Display for RabbitMqSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { host, port, virtual_host, exchange, routing_key, .. } = self;
        match host.contains(':') {
            true => write!(f, "[{host}]:{port}")?,
            false => write!(f, "{host}:{port}")?,
        }
        if virtual_host != "/" {
            write!(f, ", virtual host {virtual_host:?}")?;
        }
        match exchange.is_empty() {
            true => write!(f, ", queue {routing_key:?}"),
            false => write!(f, ", exchange {exchange:?}, routing key {routing_key:?}"),
        }
    }
}

impl fmt::Debug for RabbitMqSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialEq for RabbitMqSettings {
    fn eq(&self, other: &Self) -> bool {
        let secret = |settings: &Self| settings.password.expose_secret().to_owned();
        self.is_encrypted == other.is_encrypted
            && self.identity() == other.identity()
            && self.user == other.user
            && secret(self) == secret(other)
    }
}

impl Plugins {
    pub(super) fn of(layer: &Layer) -> Result<Self, ConfigError> {
        let get = |setting| SettingValue::new(layer, setting);
        let mut plugins = Self::default();
        let port = get(Setting::PluginWsPort).integer(WS_PORT, 0..=u16::MAX)?;
        let names = get(Setting::EnabledPlugins).parse(Vec::new(), names)?;
        for name in names {
            match name {
                "rabbitmq" => plugins.rabbitmq = Some(rabbitmq(get)?),
                _ => plugins.ws = Some(port),
            }
        }
        Ok(plugins)
    }
}

fn names(text: &str) -> Result<Vec<&'static str>, String> {
    let name = |given: &str| ["ws", "rabbitmq"].into_iter().find(|name| *name == given);
    let all = text.split([',', ' ', '[', ']', '"']).filter(|name| !name.is_empty()).map(name);
    all.collect::<Option<_>>().ok_or_else(|| "a list of some of ws and rabbitmq".to_owned())
}

fn rabbitmq<'a>(get: impl Fn(Setting) -> SettingValue<'a>) -> Result<RabbitMqSettings, ConfigError> {
    let needed = |name: &str, what: &str| {
        ConfigError::Value(format!("the plugin rabbitmq needs the setting `{name}`: {what}"))
    };
    let read = |text: &str| url(text).ok_or_else(|| URL.to_owned());
    let settings = get(Setting::PluginRabbitmqUrl).parse(None, |text| read(text).map(Some))?;
    let mut settings = settings.ok_or_else(|| needed("plugin_rabbitmq_url", URL))?;
    let short = |setting| {
        get(setting).parse(String::new(), |text| {
            let text = Some(text.to_owned()).filter(|text| text.len() <= MAX_NAME);
            text.ok_or_else(|| format!("a name of at most {MAX_NAME} bytes"))
        })
    };
    let (queue, exchange) = (short(Setting::PluginRabbitmqQueue)?, short(Setting::PluginRabbitmqExchange)?);
    let key = short(Setting::PluginRabbitmqRoutingKey)?;
    match (queue.is_empty(), exchange.is_empty()) {
        (false, true) => settings.routing_key = queue,
        (true, false) => (settings.exchange, settings.routing_key) = (exchange, key),
        _ => return Err(needed("plugin_rabbitmq_queue", "or `plugin_rabbitmq_exchange`, and not both")),
    }
    Ok(settings)
}

/// As RabbitMQ has them (<https://www.rabbitmq.com/docs/uri-spec>).
fn url(text: &str) -> Option<RabbitMqSettings> {
    let url = url::Url::parse(text).ok()?;
    let is_encrypted = match url.scheme() {
        "amqp" => false,
        "amqps" => true,
        _ => return None,
    };
    let decoded = |text: &str| percent_decode_str(text).decode_utf8().ok().map(String::from);
    let or_guest = |text: String| if text.is_empty() { "guest".to_owned() } else { text };
    let virtual_host = match url.path().strip_prefix('/') {
        None | Some("") => "/".to_owned(),
        Some(name) if !name.contains('/') => decoded(name)?,
        Some(_) => return None,
    };
    let settings = RabbitMqSettings {
        is_encrypted,
        host: url.host_str().filter(|host| !host.is_empty())?.trim_matches(['[', ']']).to_owned(),
        port: url.port().unwrap_or(if is_encrypted { 5671 } else { 5672 }),
        user: or_guest(decoded(url.username())?),
        password: or_guest(decoded(url.password().unwrap_or_default())?).into(),
        virtual_host,
        exchange: String::new(),
        routing_key: String::new(),
    };
    let is_short =
        settings.virtual_host.len() <= MAX_NAME && url.query().is_none() && url.fragment().is_none();
    Some(settings).filter(|_| is_short)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(bool, String, String, String)> {
        let found = url(text)?;
        let password = found.password.expose_secret().to_owned();
        Some((found.is_encrypted, found.to_string(), found.user, password))
    }

    #[test]
    fn urls_are_read_as_the_broker_has_them() {
        let of = |is_encrypted, place: &str, user: &str, password: &str| {
            Some((is_encrypted, place.to_owned(), user.to_owned(), password.to_owned()))
        };
        assert_eq!(read("amqp://localhost"), of(false, "localhost:5672, queue \"\"", "guest", "guest"));
        let whole = "amqps://anna:p%40ss@mq.example:1234/a%2Fb";
        assert_eq!(
            read(whole),
            of(true, "mq.example:1234, virtual host \"a/b\", queue \"\"", "anna", "p@ss")
        );
        assert_eq!(
            read("amqp://[::1]:5673/x"),
            of(false, "[::1]:5673, virtual host \"x\", queue \"\"", "guest", "guest")
        );
        for text in ["", "http://localhost", "amqp://", "amqp:localhost", "amqp://a/b/c", "amqp://a?x=1"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(format!("{:?}", url(whole)), "Some(mq.example:1234, virtual host \"a/b\", queue \"\")");
    }

    #[test]
    fn plugins_have_the_names_of_the_existing_service() {
        assert_eq!(names("ws rabbitmq"), Ok(vec!["ws", "rabbitmq"]));
        assert_eq!(names("[\"ws\", \"rabbitmq\"]"), Ok(vec!["ws", "rabbitmq"]));
        assert_eq!(names("ws,sqs"), Err("a list of some of ws and rabbitmq".to_owned()));
    }
}
