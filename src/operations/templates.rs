//! Transactions by templates.

use crate::api::rules::flag;
use crate::api::{InvalidDetails, Location, Problem, TemplateAnswer};
use crate::operations::prelude::*;
use crate::service::{Recorded, SendKey};
use crate::template::{MAX_INSTRUCTIONS, Template, unused_fields};
use crate::wallet::{TemplateFacts, TemplateRequest};
use serde_json::Value;

pub static RUN_TEMPLATE: Operation = post("run-tx-template", "/wallet/tx-template/run", Group::Templates, Right::Send)
    .does("Build a transaction from a template, and send it. A dry run has zeros in place of oracle signatures.")
    .package(&[method("runTemplate")])
    .command(&[command("run-template").places(&["template"]).after("The instructions are JSON: each as an argument of its own, or all in one array.\n\n\
Example:\n  headless-wallet wallet run-template --template-file template.json --dry-run",)])
    .sends::<RunTemplate>(READ_ONLY, &[(
    "example",
    r#"{"template": [{"type": "action/setvar", "name": "me", "call": {"method": "get_wallet_address"}}, {"type": "output/token", "amount": 100, "address": "{me}"}, {"type": "action/complete"}]}"#,
)])
    .answers(answers![TemplateAnswer, DryRunAnswer, Failure])
    .body_of(bodies::IN_PARTS)
    .refuses(answers![InvalidDetails, InvalidFields]);

pub static BUILD_TEMPLATE: Operation = post("build-tx-template", "/wallet/tx-template/build", Group::Templates, Right::Sign)
    .does("Build a transaction from a template, without sending it. Nothing is reserved.")
    .package(&[method("buildTemplate")])
    .command(&[command("build-template").places(&["template"]).after("The instructions are JSON: each as an argument of its own, or all in one array.")])
    .makes::<BuildTemplate>(&[(
    "example",
    r#"{"template": [{"type": "action/setvar", "name": "me", "call": {"method": "get_wallet_address"}}, {"type": "output/token", "amount": 100, "address": "{me}"}, {"type": "action/complete"}]}"#,
)])
    .answers(answers![ProposalAnswer, Failure])
    .body_of(bodies::IN_PARTS)
    .refuses(answers![InvalidDetails, InvalidFields]);

request! {
    /// `POST /wallet/tx-template/run`.
    pub struct RunTemplate in body_beside_query {
        /// The instructions, in the order in which they are carried out: docs/templates.md has them.
        pub template: Template = TEMPLATE,
        /// Has no effect.
        pub debug: bool = flag(false).deprecated(),
    }
}

request! {
    /// `POST /wallet/tx-template/build`.
    pub struct BuildTemplate in body_beside_query, reads = [template, debug, sign] {
        /// The instructions, in the order in which they are carried out: docs/templates.md has them.
        pub template: Template = TEMPLATE,
        /// Whether the wallet's inputs are signed.
        pub sign: bool = flag(false),
        /// Has no effect.
        pub debug: bool = flag(false).deprecated(),
    }
}

const TEMPLATE: Rule<Template> = Rule::required(
    Kind::Array { of: &Kind::Any, least: 0, most: Some(MAX_INSTRUCTIONS) },
    |_, field, Context { compat, .. }| {
        let given = field.value.unwrap_or(&Value::Null);
        let template = Template::read(given).map_err(refusal)?;
        let unused = if compat.refuses_unused_fields() { unused_fields(given) } else { Vec::new() };
        if unused.is_empty() { Ok(template) } else { Err(refusal(unused)) }
    },
)
.length(Length::Long)
.decides();

fn refusal(problems: Vec<crate::template::Problem>) -> Refusal {
    let problem = |problem: crate::template::Problem| Problem {
        value: None,
        msg: problem.message.into(),
        param: problem.path,
        location: Some(Location::Body),
        nested: Vec::new(),
        must: problem.must.into(),
    };
    Refusal::Details(problems.into_iter().map(problem).collect())
}

impl Plans for RunTemplate {
    fn operation(self: Box<Self>, _: &Call<'_>) -> Result<service::Operation, CallError> {
        Ok(service::Operation::Template(Box::new(request(self.template)?)))
    }
}

fn request(template: Template) -> Result<TemplateRequest, Refusal> {
    Ok(TemplateRequest {
        template,
        facts: TemplateFacts::default(),
        with_foreign_inputs: false,
        shuffle_seed: getrandom::u64().map_err(|error| Refusal::failure(error.to_string()))?,
    })
}

/// What release 0.39 says to a wallet that can't sign.
const READ_ONLY: &str = "Private key is not present on this wallet.";

impl Make for BuildTemplate {
    fn make<'a>(self: Box<Self>, call: &'a Call<'a>, once: Option<SendKey>) -> Waits<'a, Done> {
        Box::pin(async move {
            let Self { template, sign, .. } = *self;
            let (request, wallet) = (request(template)?, call.wallet.clone());
            let transaction = async move { wallet.build_by_template(request, sign).await };
            let made = call.make(once, Box::pin(transaction)).await.map_err(|error| match error {
                CallError::Send { error, .. } => CallError::Send { error, read_only: READ_ONLY },
                error => error,
            });
            let Recorded { transaction, replayed } = made?;
            Ok(Done::made(call.proposal(&transaction)?, replayed))
        })
    }
}
