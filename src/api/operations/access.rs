//! API keys with names.

use super::{Answer, Group, Method, Operation, OperationId as Id, Right, get, post};
use crate::api::{AddKey, Failure, KeyListAnswer, KeyName, NewKeyAnswer, RotateKey, Success};

const GROUP: Group = Group::Access;

pub(super) const ALL: &[Operation] = &[
    get(
        Id::ListKeys,
        "/keys",
        GROUP,
        Right::Administer,
        "List all keys that have a name, also those that were revoked. The keys themselves are not stored.",
        Answer::Json(answers![KeyListAnswer<'_>]),
    )
    .of_all_wallets(),
    post(
        Id::AddKey,
        "/keys",
        GROUP,
        Right::Administer,
        "Make a key. This answer shows it, and nothing ever does again.",
        Answer::Json(answers![NewKeyAnswer, Failure]),
    )
    .of::<AddKey>(&[(
        "example",
        r#"{"name": "shop", "wallets": ["shop"], "rights": ["read", "send"], "networks": ["10.0.0.0/8"], "until": "2027-12-31", "perSecond": 10}"#,
    )])
    .of_all_wallets(),
    post(
        Id::RotateKey,
        "/keys/rotate/{name}",
        GROUP,
        Right::Administer,
        "Make another key of the same name and rights. The old one ends, at once or some time later.",
        Answer::Json(answers![NewKeyAnswer, Failure]),
    )
    .of::<RotateKey>(&[("example", r#"{"name": "shop", "overlap": 3600}"#)])
    .also(&[NO_KEY])
    .of_all_wallets(),
    Operation {
        method: Method::Delete,
        ..get(
            Id::RevokeKey,
            "/keys/{name}",
            GROUP,
            Right::Administer,
            "Revoke a key forever. Other servers on the same database know of it within two seconds.",
            Answer::Json(answers![Success, Failure]),
        )
    }
    .of::<KeyName>(&[("example", r#"{"name": "shop"}"#)])
    .also(&[NO_KEY])
    .of_all_wallets(),
];

const NO_KEY: (u16, &str) = (404, "There is no key of that name.");
