//! The answer of health.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum HealthStatus {
    Pass,
    Warn,
    Fail,
}

impl HealthStatus {
    /// As a service says it; what it says otherwise is no good sign.
    pub fn of(text: &str) -> Self {
        match text {
            "pass" => Self::Pass,
            "warn" => Self::Warn,
            _ => Self::Fail,
        }
    }
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HealthCheck {
    /// Such as `Wallet p`.
    pub component_name: String,
    /// `internal`, or `http` for services.
    pub component_type: &'static str,
    #[allow(missing_docs)]
    pub status: HealthStatus,
    /// In words.
    pub output: String,
    /// When, such as `2024-01-01T00:00:00.000Z`.
    pub time: String,
    /// A wallet's id or a service's URL.
    pub component_id: String,
    /// Always true: nothing is looked at that doesn't matter.
    pub affects_service_health: bool,
}

/// All that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HealthAnswer {
    /// In the order asked for.
    pub checks: Vec<HealthCheck>,
    /// Whether a warning counts as a failure.
    pub warn_is_unhealthy: bool,
}

impl HealthAnswer {
    /// The worst of all.
    pub fn status(&self) -> HealthStatus {
        self.checks.iter().map(|check| check.status).max().unwrap_or(HealthStatus::Pass)
    }
    /// 200, or 503.
    pub fn http_status(&self) -> u16 {
        match self.status() {
            HealthStatus::Pass => 200,
            HealthStatus::Warn if !self.warn_is_unhealthy => 200,
            _ => 503,
        }
    }
}

impl Serialize for HealthAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("status", &self.status())?;
        map.serialize_entry("description", "Health status of hathor-wallet-headless")?;
        map.serialize_entry("checks", &Checks(&self.checks))?;
        map.serialize_entry("httpStatusCode", &self.http_status())?;
        map.end()
    }
}

struct Checks<'a>(&'a [HealthCheck]);

impl Serialize for Checks<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for check in self.0 {
            map.serialize_entry(&check.component_name, &[check])?;
        }
        map.end()
    }
}
