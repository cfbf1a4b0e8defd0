//! Events as messages of AMQP 0-9-1: published to a queue or an exchange of RabbitMQ, one at a time.
//!
//! A message is accepted when the broker has confirmed it; a message that it can't route to a queue is not.

use crate::net::tls;
use crate::rt;
use crate::server::config::RabbitMqSettings;
use amqprs::callbacks::ChannelCallback;
use amqprs::channel::{BasicPublishArguments, Channel, ConfirmSelectArguments};
use amqprs::connection::{Connection, OpenConnectionArguments};
use amqprs::tls::TlsAdaptor;
use amqprs::{Ack, BasicProperties, Cancel, CloseChannel, Nack, Return};
use async_trait::async_trait;
use secrecy::ExposeSecret;
use std::time::Duration;
use tokio::sync::{Mutex, mpsc};

/// For the connection, and for each message.
const LIMIT: Duration = Duration::from_secs(15);
/// In seconds.
const HEARTBEAT: u16 = 30;
/// The delivery mode of messages that survive a restart of the broker.
const PERSISTENT: u8 = 2;

/// Publishes to one queue or exchange, over one connection.
pub(in crate::server) struct Publisher {
    settings: RabbitMqSettings,
    open: Mutex<Option<Open>>,
}

struct Open {
    /// Closed when this is dropped.
    _connection: Connection,
    channel: Channel,
    answers: mpsc::UnboundedReceiver<Answer>,
    /// The number of the last message: the broker counts those of a channel from 1.
    last_tag: u64,
}

enum Answer {
    Taken(u64),
    Refused(u64),
    Unroutable(String),
    Closed(String),
}

pub(in crate::server) struct Message<'a> {
    /// The same for each repetition of an event.
    pub id: Option<&'a str>,
    pub name: &'a str,
    pub body: &'a str,
}

impl Publisher {
    pub fn new(settings: RabbitMqSettings) -> Self {
        Self { settings, open: Mutex::default() }
    }

    pub fn settings(&self) -> &RabbitMqSettings {
        &self.settings
    }

    /// Publishes a message, and waits until the broker has confirmed it.
    ///
    /// # Errors
    /// Why it may not be accepted.
    pub async fn publish(&self, message: Message<'_>) -> Result<(), String> {
        let mut kept = self.open.lock().await;
        let place = &self.settings;
        let exchange = async {
            // Dropped if this fails or is cancelled: late answers would be taken for those to the next
            // message.
            let mut open = match kept.take().filter(|open| open.channel.is_open()) {
                Some(open) => open,
                None => self.connect().await?,
            };
            open.publish(&self.settings, message).await?;
            *kept = Some(open);
            Ok(())
        };
        let done = rt::timeout(LIMIT, exchange).await;
        done.unwrap_or_else(|_| Err(format!("it did not answer in {} s", LIMIT.as_secs())))
            .map_err(|why| format!("RabbitMQ at {place}: {why}"))
    }

    async fn connect(&self) -> Result<Open, String> {
        let RabbitMqSettings { host, port, user, password, .. } = &self.settings;
        let mut arguments = OpenConnectionArguments::new(host, *port, user, password.expose_secret());
        arguments.virtual_host(&self.settings.virtual_host).heartbeat(HEARTBEAT);
        arguments.connection_name("headless-wallet");
        if self.settings.is_encrypted {
            arguments.tls_adaptor(TlsAdaptor::new(tls::of_the_world().into(), host.clone()));
        }
        let failed = |error: amqprs::error::Error| error.to_string();
        let connection = Connection::open(&arguments).await.map_err(failed)?;
        let channel = connection.open_channel(None).await.map_err(failed)?;
        let (sender, answers) = mpsc::unbounded_channel();
        channel.register_callback(Answers(sender)).await.map_err(failed)?;
        channel.confirm_select(ConfirmSelectArguments::default()).await.map_err(failed)?;
        Ok(Open { _connection: connection, channel, answers, last_tag: 0 })
    }
}

impl Open {
    async fn publish(&mut self, settings: &RabbitMqSettings, message: Message<'_>) -> Result<(), String> {
        let mut properties = BasicProperties::default();
        properties.with_content_type("application/json").with_delivery_mode(PERSISTENT);
        properties.with_app_id("headless-wallet").with_message_type(message.name);
        if let Some(id) = message.id {
            properties.with_message_id(id);
        }
        let mut to = BasicPublishArguments::new(&settings.exchange, &settings.routing_key);
        to.mandatory(true);
        let body = message.body.as_bytes().to_vec();
        self.channel.basic_publish(properties, body, to).await.map_err(|error| error.to_string())?;
        self.last_tag += 1;
        let mut unroutable = None;
        loop {
            match self.answers.recv().await {
                // An unroutable message is first returned, and then confirmed, too.
                Some(Answer::Taken(tag)) if tag == self.last_tag => return unroutable.map_or(Ok(()), Err),
                Some(Answer::Refused(tag)) if tag == self.last_tag => {
                    return Err("it did not take the message".to_owned());
                }
                Some(Answer::Unroutable(why)) => unroutable = Some(why),
                Some(Answer::Closed(why)) => return Err(why),
                Some(Answer::Taken(_) | Answer::Refused(_)) => {}
                None => return Err("the connection was closed".to_owned()),
            }
        }
    }
}

struct Answers(mpsc::UnboundedSender<Answer>);

impl Answers {
    fn forward(&self, answer: Answer) {
        // The receiver is dropped with the channel.
        let _ = self.0.send(answer);
    }
}

#[async_trait]
impl ChannelCallback for Answers {
    async fn close(&mut self, _: &Channel, close: CloseChannel) -> Result<(), amqprs::error::Error> {
        self.forward(Answer::Closed(close.to_string()));
        Ok(())
    }
    async fn cancel(&mut self, _: &Channel, _: Cancel) -> Result<(), amqprs::error::Error> {
        Ok(())
    }
    async fn flow(&mut self, _: &Channel, active: bool) -> Result<bool, amqprs::error::Error> {
        Ok(active)
    }
    async fn publish_ack(&mut self, _: &Channel, ack: Ack) {
        self.forward(Answer::Taken(ack.delivery_tag()));
    }
    async fn publish_nack(&mut self, _: &Channel, nack: Nack) {
        self.forward(Answer::Refused(nack.delivery_tag()));
    }
    async fn publish_return(&mut self, _: &Channel, back: Return, _: BasicProperties, _: Vec<u8>) {
        self.forward(Answer::Unroutable(format!("no queue takes the message: {}", back.reply_text())));
    }
}
