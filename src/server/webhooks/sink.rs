//! Listeners that get events in order, until they accept them.

use super::record::Outcome;
use crate::ledger::sha256d;
use crate::rt;
use crate::server::config::WebhookSettings;
use crate::server::plugins::{Message, Publisher};
use crate::store::EventKind;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// For each event.
const POST_LIMIT: Duration = Duration::from_secs(15);

#[derive(Clone)]
pub(in crate::server) enum Sink {
    Webhook(WebhookSettings),
    RabbitMq(Arc<Publisher>),
}

impl fmt::Display for Sink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Webhook(webhook) => f.write_str(&webhook.url.url().shortened()),
            Self::RabbitMq(publisher) => write!(f, "RabbitMQ at {}", publisher.settings()),
        }
    }
}

impl Sink {
    /// A hash of the listener and the wallet, for its stored position.
    pub fn key(&self, wallet_id: &str) -> [u8; 16] {
        match self {
            Self::Webhook(webhook) => webhook.key(wallet_id),
            Self::RabbitMq(publisher) => {
                let identity = publisher.settings().identity();
                let hash = sha256d(format!("rabbitmq {identity}\n{wallet_id}").as_bytes());
                *hash.first_chunk().expect("a hash has 32 bytes")
            }
        }
    }

    pub fn wants(&self, kind: EventKind) -> bool {
        match self {
            Self::Webhook(webhook) => webhook.wants(kind),
            Self::RabbitMq(_) => true,
        }
    }

    /// A broker is the operator's own, and its events are retried forever.
    pub const fn is_broker(&self) -> bool {
        matches!(self, Self::RabbitMq(_))
    }

    pub(super) async fn deliver(&self, id: &str, name: &str, body: String) -> Outcome {
        match self {
            Self::Webhook(webhook) => {
                let headers = headers(webhook.secret.bytes(), id, rt::unix_seconds(), &body);
                let url = webhook.url.url();
                Outcome::of(webhook.reach.post(&url, &headers, body, POST_LIMIT).await)
            }
            Self::RabbitMq(publisher) => {
                let message = Message { id: Some(id), name, body: &body };
                let error = publisher.publish(message).await.err();
                Outcome { status: None, error, retry_after: None }
            }
        }
    }
}

/// Standard Webhooks 1.0.0, section "Signature scheme". `time` is in Unix seconds.
fn headers(secret: &[u8], id: &str, time: u32, body: &str) -> [(&'static str, String); 3] {
    [
        ("webhook-id", id.to_owned()),
        ("webhook-timestamp", time.to_string()),
        ("webhook-signature", signature(secret, id, time, body)),
    ]
}

fn signature(secret: &[u8], id: &str, time: u32, body: &str) -> String {
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(secret).expect("keys have any length");
    mac.update(format!("{id}.{time}.{body}").as_bytes());
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_has_no_more_of_a_webhooks_address_than_its_owner_needs() {
        let url = "https://me:hush@chat.example/hooks/T0/B1/x7Kq2mWz9?token=hush";
        let secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz";
        let given = format!("webhooks = [{{ url = '{url}', secret = '{secret}' }}]").parse::<toml::Table>();
        let given = given.unwrap().remove("webhooks").unwrap();
        let webhook = WebhookSettings::toml("w.toml", given).unwrap().remove(0);
        assert_eq!(Sink::Webhook(webhook).to_string(), "https://chat.example/…mWz9");
    }

    /// The example of the reference libraries of Standard Webhooks.
    #[test]
    fn signatures_are_those_of_the_specification() {
        let secret = STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").expect("base64");
        let body = "{\"test\": 2432232314}";
        let signature = signature(&secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }
}
