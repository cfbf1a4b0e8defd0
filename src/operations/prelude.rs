//! What nearly every operation is declared and carried out with.

pub(super) use crate::api::check::{Checker, Field};
pub(super) use crate::api::declare::{Context, Fields, Rule, object, request};
pub(super) use crate::api::{
    Argument, Compat, CreatedToken, DryRunAnswer, Failure, Group, InvalidFields, Kind, Length,
    ProposalAnswer, Refusal, Right, Success, TransactionAnswer, command, method,
};
pub(super) use crate::operations::bodies;
pub(super) use crate::operations::call::{
    Answer, Ask, Call, Done, Make, Outgoing, Plans, Read, SendMode, Sends, UNTIL_THE_END, Waits,
};
pub(super) use crate::operations::error::{CallError, refused, refused_as};
pub(super) use crate::operations::operation::{Operation, answers, get, post};
pub(super) use crate::operations::send::Proposes;
pub(super) use crate::service;
