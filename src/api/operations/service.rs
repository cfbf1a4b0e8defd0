//! The service itself.

use super::{Answer, Group, OpenApi, Operation, OperationId as Id, Right, get, post};
use crate::api::{Failure, HealthAnswer, HealthQuery, InvalidFields, MessageFailure, ProbeAnswer, Success};

const GROUP: Group = Group::Service;

pub(super) const ALL: &[Operation] = &[
    get(
        Id::Welcome,
        "/",
        GROUP,
        Right::None,
        "A page that leads to this document.",
        Answer::Text("text/html"),
    ),
    get(Id::Docs, "/docs", GROUP, Right::None, "This document.", Answer::Json(answers![OpenApi])),
    get(
        Id::DocsUi,
        "/docs/ui",
        GROUP,
        Right::None,
        "A page to read and try all this.",
        Answer::Text("text/html"),
    ),
    get(
        Id::Health,
        "/health",
        GROUP,
        Right::Read,
        "Show the state of the wallets and services.",
        Answer::Json(answers![HealthAnswer]),
    )
    .of::<HealthQuery>(&[("example", r#"{"include_fullnode": true}"#)])
    .refusing(answers![InvalidFields, MessageFailure]),
    get(
        Id::Live,
        "/health/live",
        GROUP,
        Right::None,
        "Tell whether the process answers: a liveness probe. It needs no API key, and answers while the service starts or stops.",
        Answer::Json(answers![ProbeAnswer]),
    ),
    get(
        Id::Ready,
        "/health/ready",
        GROUP,
        Right::None,
        "Tell whether the service takes requests: a readiness probe. It needs no API key. Status 503 while a new configuration is applied, and \
         while the service stops and finishes its last requests.",
        Answer::Json(answers![ProbeAnswer]),
    ),
    post(
        Id::ReloadConfig,
        "/reload-config",
        GROUP,
        Right::Administer,
        "Read the configuration again and apply it: wallets are stopped where necessary, and the service ends where only a \
         restart can apply it.",
        Answer::Json(answers![Success, Failure]),
    )
    .of_all_wallets(),
    get(
        Id::Metrics,
        "/metrics",
        GROUP,
        Right::Read,
        "Show what the service has done since its start, for Prometheus.",
        Answer::Text("text/plain"),
    )
    .of_all_wallets(),
];
