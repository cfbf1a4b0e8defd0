//! The service itself.

use crate::api::rules::{OPTIONAL_TEXT, flag};
use crate::api::shape::{Form, Shape, Shaped};
use crate::api::{HealthAnswer, MessageFailure, ProbeAnswer};
use crate::operations::prelude::*;
use serde_json::json;
use std::collections::HashSet;

pub static WELCOME: Operation = get("welcome", "/", Group::Service, Right::None)
    .does("A page that leads to this document.")
    .not_in_package(PAGE)
    .no_command(PAGE)
    .answers_text("text/html")
    .at_once();

pub static DOCS: Operation = get("docs", "/docs", Group::Service, Right::None)
    .does("This document.")
    .not_in_package("describes the HTTP interface alone")
    .no_command("describes the HTTP interface alone")
    .answers(answers![OpenApi])
    .at_once();

pub static DOCS_UI: Operation = get("docs-ui", "/docs/ui", Group::Service, Right::None)
    .does("A page to read and try all this.")
    .not_in_package(PAGE)
    .no_command(PAGE)
    .answers_text("text/html")
    .at_once();

pub static HEALTH: Operation = get("health", "/health", Group::Service, Right::Read)
    .does("Show the state of the wallets and services.")
    .not_in_package("of a server; `status` tells of a wallet")
    .command(&[command("health").apart()])
    .takes::<HealthQuery>(&[("example", r#"{"include_fullnode": true}"#)])
    .answers(answers![HealthAnswer])
    .refuses(answers![InvalidFields, MessageFailure])
    .unavailable(
        "Something is not well, or the service takes no requests now.",
        answers![HealthAnswer, Failure],
    );

pub static LIVE: Operation = get("health-live", "/health/live", Group::Service, Right::None)
    .does("Tell whether the process answers: a liveness probe. It needs no API key, and answers while the service starts or stops.")
    .not_in_package(PROBE)
    .no_command(PROBE)
    .answers(answers![ProbeAnswer])
    .at_once();

pub static READY: Operation = get("health-ready", "/health/ready", Group::Service, Right::None)
    .does("Tell whether the service takes requests: a readiness probe. It needs no API key. Status 503 while a new configuration is applied, and \
         while the service stops and finishes its last requests.")
    .not_in_package(PROBE)
    .no_command(PROBE)
    .answers(answers![ProbeAnswer])
    .at_once()
    .unavailable("The service takes no requests now.", answers![ProbeAnswer]);

pub static RELOAD_CONFIG: Operation = post("reload-config", "/reload-config", Group::Service, Right::Administer)
    .does("Read the configuration again and apply it: wallets are stopped where necessary, and the service ends where only a \
         restart can apply it.")
    .not_in_package("of a server's own settings")
    .no_command("of a server's own settings")
    .answers(answers![Success, Failure])
    .of_all_wallets();

pub static METRICS: Operation = get("metrics", "/metrics", Group::Service, Right::Read)
    .does("Show the server's metrics since its start, for Prometheus.")
    .not_in_package("counts a server's requests, for Prometheus")
    .no_command("counts a server's requests, for Prometheus")
    .answers_text("text/plain")
    .of_all_wallets()
    .at_once();

request! {
    /// `GET /health`.
    pub struct HealthQuery in query {
        /// Wallets to look at, separated by commas, 100 at most; `*` stands for all that the key may touch.
        pub wallet_ids: Option<String> = OPTIONAL_TEXT,
        /// Whether the full node is asked.
        pub include_fullnode: bool = flag(false),
        /// Whether the mining service is asked.
        pub include_tx_mining: bool = flag(false),
    }
}

impl HealthQuery {
    /// The wallets to look at, each once.
    pub fn wallets(&self) -> Vec<&str> {
        let mut seen = HashSet::new();
        let named = self.wallet_ids.iter().flat_map(|ids| ids.split(',')).filter(|id| !id.is_empty());
        named.filter(|id| seen.insert(*id)).collect()
    }
    /// Whether all wallets are to be looked at. Release 0.39 has no such word.
    pub fn asks_for_all(&self, compat: Compat) -> bool {
        compat == Compat::Documented && self.wallet_ids.as_deref() == Some("*")
    }
    /// Whether there is something to look at.
    pub fn asks_something(&self) -> bool {
        self.include_fullnode || self.include_tx_mining || !self.wallets().is_empty()
    }
}

const PAGE: &str = "a page for browsers";
const PROBE: &str = "for what watches over a server";

/// The OpenAPI document.
struct OpenApi;

impl Shaped for OpenApi {
    const SHAPE: Shape =
        Shape::new(Form::Value(|| json!({"type": "object"}))).about("This document.").named("OpenApi");
}
