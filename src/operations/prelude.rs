//! What nearly every operation is declared and carried out with.

pub(crate) use crate::api::check::{Checker, Field};
pub(crate) use crate::api::declare::{Context, Nested, Rule, nested, object, request};
pub(crate) use crate::api::{
    Compat, CreatedToken, DryRunAnswer, Failure, Group, InvalidFields, Kind, ProposalAnswer, Refusal,
    Request, Right, Success, TransactionAnswer, method,
};
pub(crate) use crate::operations::bodies;
pub(crate) use crate::operations::call::{
    Answer, Ask, Call, Done, Make, Outgoing, Plans, Read, SendMode, Sends, UNTIL_THE_END, Waits,
};
pub(crate) use crate::operations::error::{CallError, refused};
pub(crate) use crate::operations::operation::{Operation, answers, get, post};
pub(crate) use crate::operations::send::Proposes;
pub(crate) use crate::service;
