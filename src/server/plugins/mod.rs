//! Further listeners to events, by the names of hathor-wallet-headless's plugins: a WebSocket (`ws`), and
//! RabbitMQ (`rabbitmq`).

mod rabbitmq;
mod ws;

pub(super) use rabbitmq::{Message, Publisher};
pub use ws::serve_events;
pub(super) use ws::{EventsSocket, begin};

use super::App;
use super::listener::{Listener, Told};
use crate::rt;
use crate::service::Wallet;
use std::time::Duration;

/// The pause before a message is published again that the broker did not accept.
const PAUSE: Duration = Duration::from_secs(5);

/// Publishes the events of a wallet without a store, until it is closed. They exist only on this server;
/// events during a long outage of the broker are missed, and the log counts them.
pub(super) async fn publish_others(app: &App, wallet_id: &str, wallet: &Wallet, publisher: &Publisher) {
    let mut listener = Listener::plugin(app, wallet_id, wallet);
    while let Some(Told { name, data, is_kept, .. }) = listener.next().await {
        while !is_kept && publisher.publish(Message { id: None, name, body: &data }).await.is_err() {
            // The publisher has logged the failure.
            rt::sleep(PAUSE).await;
        }
    }
}
