//! The native HTTP server: header → wallet → [`crate::api`] type → [`crate::service`] call → [`crate::api`]
//! type.
//!
//! A request passes, from the outside in: the limits of connections, the log line, the check of its headers
//! and of the page that it comes from, the API key and what that may do, the panic catcher, the reading of
//! its body, a place if it may wait, the repetitions, the gate, the routes. Under `/wallet` the wallet is
//! selected before anything else is looked at, the path included; where another server runs it, that server
//! is asked instead.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use headless_wallet::server::{App, Config, Layer, run};
//!
//! let config = Config::from_layers([Layer::toml("example", "network = 'testnet'")?])?;
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
//! let ctrl_c = async { tokio::signal::ctrl_c().await.expect("signals can be waited for") };
//! run(listener, ctrl_c, App::new(config)?).await;
//! # Ok(()) }
//! ```

pub mod access;
mod answer;
mod app;
mod approvals;
mod asked_for;
mod audit;
mod auth;
mod body;
mod config;
mod content_encoding;
mod cors;
mod cross_site;
mod events;
mod form;
mod forward;
mod gate;
mod hop;
mod http;
mod idempotency;
mod in_process;
mod limit_targets;
mod listener;
mod metrics;
mod outbox;
mod places;
mod plugins;
mod real_status;
mod reload;
mod request_id;
mod routes;
pub mod seeds;
mod selection;
mod setup;
mod shown;
mod signing_guard;
mod start;
mod started;
mod takeover;
mod tasks;
mod webhooks;

pub use app::{App, AppError};
pub use config::{
    Config, ConfigError, Described, FireblocksSettings, Layer, LogFormat, MultisigSettings, Origin, Plugins,
    RabbitMqSettings, ServiceUrl, Setting, SignerSettings, WebhookSecret, WebhookSettings,
};
pub use cors::Origins;
pub use cross_site::Hosts;
pub use form::{nested_object, query_object};
pub use http::run;
pub use plugins::serve_events;
pub use tasks::task_is_open;
