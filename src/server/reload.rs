//! Taking up a changed configuration without a new start.

use super::gate::Closed;
use super::setup::{Change, Setup};
use super::{App, Config, ConfigError};
use std::time::Duration;

/// How long requests under way are waited for. Nobody else is answered meanwhile, so it is no longer than
/// people bear.
const WAIT_LIMIT: Duration = Duration::from_secs(10);

/// Where the configuration comes from.
pub(super) type Source = Box<dyn Fn() -> Result<Config, ConfigError> + Send + Sync>;

/// What came of a reload.
pub(super) enum Reloaded {
    /// The new configuration is in force.
    Done,
    /// Only a new start takes it up: the server has begun to end.
    Ending,
    /// It can't be read, or not be used, for this reason; the one before stays in force.
    Refused(String),
    /// So many requests under way did not end in time; the one before stays in force.
    Busy(u64),
    Closed(Closed),
}

impl App {
    /// Reads the configuration again and goes by it. Waits for the requests under way, so that none of them
    /// goes by two; where they don't end, all stays as it was.
    pub(super) async fn reload(&self) -> Reloaded {
        let closed = match self.gate().reload() {
            Ok(closed) => closed,
            Err(why) => return Reloaded::Closed(why),
        };
        let config = match self.read_config() {
            Ok(config) => config,
            Err(ConfigError::Seed(error)) => return self.end_for(&error),
            Err(error) => return Reloaded::Refused(error.to_string()),
        };
        let stops_wallets = match Change::between(&self.config(), &config) {
            Change::Requests => false,
            Change::Wallets => true,
            Change::Restart => return self.end_for("what changed is read at the start alone"),
        };
        if tokio::time::timeout(WAIT_LIMIT, self.idle()).await.is_err() {
            return Reloaded::Busy(self.under_way());
        }
        let next = if stops_wallets { Setup::new(config) } else { self.setup().with_requests_by(config) };
        let next = match next {
            Ok(next) => next,
            Err(error) => return Reloaded::Refused(error.to_string()),
        };
        if stops_wallets {
            self.stop_wallets().await;
        }
        self.set_up(next);
        drop(closed);
        tracing::info!("the configuration was read again");
        Reloaded::Done
    }

    fn end_for(&self, reason: &str) -> Reloaded {
        tracing::error!(
            "the configuration was read again, and this server can't go by it: {reason}: it ends"
        );
        self.end();
        Reloaded::Ending
    }
}
