//! Messages signed with the key of an address.

use super::{Answer, Group, Operation, OperationId as Id, Right, post};
use crate::api::{Failure, SignMessage, SignedMessageAnswer, VerifiedMessageAnswer, VerifyMessage};

const GROUP: Group = Group::Messages;

pub(super) const ALL: &[Operation] = &[
    post(
        Id::SignMessage,
        "/wallet/sign-message",
        GROUP,
        Right::Sign,
        "Sign a message with the key of one of the wallet's addresses.",
        Answer::Json(answers![SignedMessageAnswer, Failure]),
    )
    .of::<SignMessage>(&[(
        "example",
        r#"{"message": "hello", "address": "WhpJeUtBLrDHbKDoMC9ffMxwHqvsrNzTFV"}"#,
    )]),
    post(
        Id::VerifyMessage,
        "/wallet/verify-message",
        GROUP,
        Right::None,
        "Check whether a message was signed with the key of an address, whoever it belongs to. It needs no wallet.",
        Answer::Json(answers![VerifiedMessageAnswer]),
    )
    .of::<VerifyMessage>(&[(
        "example",
        r#"{"message": "hello", "address": "WhpJeUtBLrDHbKDoMC9ffMxwHqvsrNzTFV", "signature": "IKk3wmQPlEnh51zwXeCVfSzlqeuSdKV5Qm5JRzQKB8u4BXCzWtPqr+G0/YHFqEp+VmMpym2h35dvr4HSk9OR+sw="}"#,
    )]),
];
