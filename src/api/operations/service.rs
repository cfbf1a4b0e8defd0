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
        "How wallets and services are.",
        Answer::Json(answers![HealthAnswer]),
    )
    .of::<HealthQuery>(&[("example", r#"{"include_fullnode": true}"#)])
    .refusing(answers![InvalidFields, MessageFailure]),
    get(
        Id::Live,
        "/health/live",
        GROUP,
        Right::None,
        "Whether the process answers: a liveness probe. It needs no API key, and answers while the service begins or ends.",
        Answer::Json(answers![ProbeAnswer]),
    ),
    get(
        Id::Ready,
        "/health/ready",
        GROUP,
        Right::None,
        "Whether the service takes requests: a readiness probe. It needs no API key. Status 503 while a new configuration is taken up, and \
         from the beginning of the service's end on, while requests in flight are finished.",
        Answer::Json(answers![ProbeAnswer]),
    ),
    post(
        Id::ReloadConfig,
        "/reload-config",
        GROUP,
        Right::Administer,
        "Read the configuration again, and go by it: wallets are stopped where they have to be, and the service ends where only \
         a new start takes it up.",
        Answer::Json(answers![Success, Failure]),
    )
    .of_all_wallets(),
    get(
        Id::Metrics,
        "/metrics",
        GROUP,
        Right::Read,
        "What the service did since its start, for Prometheus.",
        Answer::Text("text/plain"),
    )
    .of_all_wallets(),
];
