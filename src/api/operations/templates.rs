//! Transaction templates.

use super::{Answer, Group, Operation, OperationId as Id, Right, bodies, post};
use crate::api::{
    BuildTemplate, DryRunAnswer, Failure, InvalidDetails, InvalidFields, ProposalAnswer, RunTemplate,
    TemplateAnswer,
};

pub(super) const ALL: &[Operation] = &[
    post(
        Id::RunTemplate,
        "/wallet/tx-template/run",
        Group::Templates,
        Right::Send,
        "Build a transaction from a template, and send it. A dry run has zeros in the place of what an oracle signs.",
        Answer::Json(answers![TemplateAnswer, DryRunAnswer, Failure]),
    )
    .with_body_of(bodies::IN_PARTS)
    .of::<RunTemplate>(EXAMPLE)
    .refusing(answers![InvalidDetails, InvalidFields]),
    post(
        Id::BuildTemplate,
        "/wallet/tx-template/build",
        Group::Templates,
        Right::Sign,
        "Build a transaction from a template, without sending it. Nothing is reserved.",
        Answer::Json(answers![ProposalAnswer, Failure]),
    )
    .with_body_of(bodies::IN_PARTS)
    .of::<BuildTemplate>(EXAMPLE)
    .refusing(answers![InvalidDetails, InvalidFields]),
];

const EXAMPLE: &[(&str, &str)] = &[(
    "example",
    r#"{"template": [{"type": "action/setvar", "name": "me", "call": {"method": "get_wallet_address"}}, {"type": "output/token", "amount": 100, "address": "{me}"}, {"type": "action/complete"}]}"#,
)];
