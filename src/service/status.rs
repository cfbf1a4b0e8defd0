//! Where a running wallet stands.

use super::Progress;
use crate::api::FeatureWarning;
use crate::node::UnsupportedFeature;
use std::fmt;
use std::sync::Arc;

/// The phases of a wallet, numbered as the documented interface's clients know them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Not connected, and not trying to be.
    Closed = 0,
    /// Waiting for the full node.
    Connecting = 1,
    /// Loading addresses and history.
    Syncing = 2,
    /// Every page of the history has been read to its end: balances are right, sends are taken.
    Ready = 3,
    /// Loading failed in a way that waiting doesn't mend; the wallet can only be stopped.
    Error = 4,
    /// Putting what was loaded in place.
    Processing = 5,
}

impl Phase {
    /// Whether it lasts: ready, or not to become so any more.
    pub(super) const fn is_settled(self) -> bool {
        matches!(self, Self::Ready | Self::Error | Self::Closed)
    }

    /// The number that clients know.
    pub const fn code(self) -> u8 {
        self as u8
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Closed => "Closed",
            Self::Connecting => "Connecting",
            Self::Syncing => "Syncing",
            Self::Ready => "Ready",
            Self::Error => "Error",
            Self::Processing => "Processing",
        })
    }
}

/// A wallet's phase, why it is not further, and how far loading has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    pub phase: Phase,
    /// What stands in the way: which component, what it said, and what to do.
    pub problem: Option<String>,
    /// Why changes are not kept, if they should be and are not. The wallet works all the same.
    pub store_problem: Option<String>,
    /// When the full node is tried again, in Unix seconds: only while the wallet waits for that. See
    /// [`super::Wallet::reconnect`].
    pub next_try: Option<u32>,
    /// How much of the history is loaded.
    pub progress: Progress,
    /// How many addresses of the account are loaded for good, in the order in which they were derived.
    pub(super) loaded: u32,
    /// Features of the network that are, or will be, active and that this version does not support.
    pub unsupported_features: Arc<[UnsupportedFeature]>,
}

impl Status {
    pub(super) fn new(phase: Phase) -> Self {
        Self {
            phase,
            problem: None,
            store_problem: None,
            next_try: None,
            progress: Progress::NONE,
            loaded: 0,
            unsupported_features: Arc::from([]),
        }
    }

    /// What its owner is warned of.
    pub fn warnings(&self) -> Vec<FeatureWarning> {
        self.unsupported_features.iter().map(FeatureWarning::from).collect()
    }
}

impl From<&UnsupportedFeature> for FeatureWarning {
    fn from(feature: &UnsupportedFeature) -> Self {
        Self { feature: feature.name.clone(), state: feature.state.name(), message: feature.to_string() }
    }
}
