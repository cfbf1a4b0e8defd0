//! What is answered where a request is not carried out.

use super::{Named, failure, no};
use crate::api::Compat;
use crate::api::openapi::schema::{Object, about, count, list, named, one_of, text};
use serde_json::json;

/// What is answered where a request is not carried out.
pub(super) fn refusals(compat: Compat) -> Named {
    let explained = compat.refusals_have_a_message();
    let causes = compat.failures_have_causes();
    let message = || about(text(), "All that is wrong, in sentences.");
    let problem = || {
        Object::new()
            .may_have("value", about(json!({}), "What was given; not there where the field is missing."))
            .with("msg", text())
            .with("param", about(text(), "The field's path, such as `outputs[0].value`."))
            .with("location", json!({"enum": ["body", "query"]}))
    };
    let progress = Object::new()
        .with("addresses", about(count(), "Addresses whose history is read."))
        .with("transactions", about(count(), "Transactions known."))
        .may_have(
            "estimatedEnd",
            about(
                count(),
                "When it should all be loaded, in Unix seconds, at the pace so far; from the first address on that is read. A \
                 history whose end nobody knows is expected to go on for as many addresses again as were found, for fewer \
                 the nearer their first uses come to the present or the more unused ones follow each other.",
            ),
        );
    let none_of = Object::new()
        .with("msg", text())
        .with("param", json!({"const": "_error"}))
        .with("nestedErrors", list(named("Problem")));
    let fields = |entry| failure().with("error", list(entry)).with_if(explained, "message", message());
    vec![
        ("Problem", problem().into()),
        ("NoneOf", none_of.into()),
        ("InvalidFields", fields(named("Problem")).into()),
        ("InvalidChoice", fields(one_of(["Problem", "NoneOf"].map(named).into_iter())).into()),
        (
            "InvalidDetails",
            failure()
                .with("details", about(list(text()), "Such as `name is Required`."))
                .with_if(explained, "message", message())
                .into(),
        ),
        (
            "Failure",
            failure()
                .with("error", about(text(), "What went wrong."))
                .may_have("token", about(text(), "The token that the failure is about."))
                .into(),
        ),
        (
            "MessageFailure",
            failure()
                .with("message", about(text(), "What went wrong."))
                .may_have("errorCode", json!({"enum": ["WALLET_ALREADY_STARTED"]}))
                .may_have_if(causes, "error", about(text(), "Why, where `message` doesn't say."))
                .into(),
        ),
        (
            "WalletRefusal",
            failure()
                .with("message", about(text(), "Why the request reaches no wallet."))
                .may_have(
                    "statusCode",
                    about(count(), "The wallet's state: 1 connecting, 2 syncing, 4 error, 5 processing."),
                )
                .may_have("statusMessage", text())
                .may_have_if(causes, "error", about(text(), "What stands in the wallet's way."))
                .may_have_if(compat.tells_progress(), "progress", progress.into())
                .into(),
        ),
        ("Unauthorized", Object::new().with("auth", no()).with("message", text()).into()),
    ]
}
