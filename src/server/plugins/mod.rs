//! Who else is told of events, by the names of hathor-wallet-headless's plugins: listeners at a WebSocket
//! (`ws`), and RabbitMQ (`rabbitmq`).

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

/// How long to wait before a message is published again that the broker did not take.
const PAUSE: Duration = Duration::from_secs(5);

/// Publishes the events of a wallet that no store keeps, until it is closed. They are this server's own, and
/// those that come while the broker is away for long are missed: the journal says how many.
pub(super) async fn publish_others(app: &App, wallet_id: &str, wallet: &Wallet, publisher: &Publisher) {
    let mut listener = Listener::plugin(app, wallet_id, wallet);
    while let Some(Told { name, data, is_kept, .. }) = listener.next().await {
        while !is_kept && publisher.publish(Message { id: None, name, body: &data }).await.is_err() {
            // What keeps events says so, and why.
            rt::sleep(PAUSE).await;
        }
    }
}
