//! The answer of health.

#[cfg(feature = "native")]
use super::kinds::Maybe;
use super::kinds::{ByName, Component, Flag, HttpStatus, List, Text, Time, kind};
use crate::api::answer::answer;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

kind! {
    Health as "HealthStatus" = Value {"enum": ["pass", "warn", "fail"]};
    HealthStatus: |status, to| to.serialize_str(match status {
        HealthStatus::Pass => "pass",
        HealthStatus::Warn => "warn",
        HealthStatus::Fail => "fail",
    });
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HealthCheck {
    /// Such as `Wallet p`.
    pub component_name: String,
    /// `internal`, or `http` for services.
    pub component_type: &'static str,
    pub status: HealthStatus,
    /// In words.
    pub output: String,
    /// When, such as `2024-01-01T00:00:00.000Z`.
    pub time: String,
    /// A wallet's id or a service's URL.
    pub component_id: String,
    /// Whether a bad status of it makes the answer's status 503.
    pub affects_service: bool,
}

answer! {
    this: HealthCheck as "HealthCheck" {
        componentName: Text = this.component_name,
        componentType: Component = this.component_type,
        status: Health,
        /// In words.
        output: Text,
        time: Time,
        /// A wallet's id or a service's URL.
        componentId: Text = this.component_id,
        /// Whether a bad status of it makes the answer's status 503.
        affectsServiceHealth: Flag = this.affects_service,
    }
}

/// All that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HealthAnswer {
    /// In the order asked for, those of one component one after the other.
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
        let is_bad = |check: &HealthCheck| match check.status {
            HealthStatus::Pass => false,
            HealthStatus::Warn => self.warn_is_unhealthy,
            HealthStatus::Fail => true,
        };
        if self.checks.iter().any(|check| check.affects_service && is_bad(check)) { 503 } else { 200 }
    }
}

answer! {
    this: HealthAnswer as "Health" {
        status: Health = this.status(),
        description: Text = "Health status of hathor-wallet-headless",
        checks: ByName<[HealthCheck]> = List(
            this.checks
                .chunk_by(|a, b| a.component_name == b.component_name)
                .filter_map(|checks| Some((&checks.first()?.component_name, checks)))
        ),
        httpStatusCode: HttpStatus = this.http_status(),
    }
}

/// Whether a server is alive, or takes requests.
#[cfg(feature = "native")]
pub struct ProbeAnswer {
    /// Why it takes none.
    pub problem: Option<&'static str>,
}

#[cfg(feature = "native")]
answer! {
    /// For load balancers and orchestrators.
    this: ProbeAnswer as "Probe" {
        status: Health = if this.problem.is_none() { HealthStatus::Pass } else { HealthStatus::Fail },
        /// Why requests are refused now.
        output: Maybe<Text> = this.problem,
    }
}
