//! What all of the local network goes by: whose addresses it has, and what time it is.

use crate::ledger::Network;
use std::time::{SystemTime, UNIX_EPOCH};

/// The network whose addresses the local network has.
pub(super) const NETWORK: Network = Network::Privatenet;

/// Seconds since 1970.
pub(super) fn unix_now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

/// Whole seconds since 1970, as timestamps count them.
pub(super) fn timestamp_now() -> u32 {
    unix_now() as u32
}
