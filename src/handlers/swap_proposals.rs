//! Proposals of atomic swaps at the swap service.

use super::{Ask, Call, CallError, Reply, refused};
use crate::api::texts::{
    INVALID_PASSWORD, INVALID_VERSION, METHOD_NOT_ALLOWED, NOT_REGISTERED_TO_FETCH, request_failed,
};
use crate::api::{
    Compat, Refusal, RegisterSwap, SwapListAnswer, SwapProposalAnswer, SwapProposalId, SwapProposalMembers,
    SwapServiceFields, SwapVersion,
};
use crate::node::{SwapServiceError, SwapUpdate};
use crate::service::{SwapProposalError, Wallet};

impl Ask for SwapProposalId {
    async fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        if !call.wallet.has_swap_service() && !call.compat.explains_swaps() {
            return Err(CallError::Refused(Refusal::NotAllowed(METHOD_NOT_ALLOWED.to_owned())));
        }
        let found = call.wallet.swap_proposal(&self.id).await.map_err(|error| match error {
            SwapProposalError::NotRegistered => not_found(NOT_REGISTERED_TO_FETCH),
            error @ SwapProposalError::Service(SwapServiceError::NotFound(_)) => {
                not_found(words(error, call.compat))
            }
            error => refused(words(error, call.compat)),
        })?;
        let history = found.history.into_iter().map(|past| (past.partial_tx, past.timestamp));
        let proposal = SwapProposalMembers {
            id: found.id,
            version: found.version,
            timestamp: found.timestamp,
            partial_tx: found.partial_tx,
            signatures: found.signatures,
            history: history.collect(),
        };
        Ok(call.reply.give(&SwapProposalAnswer(&proposal)))
    }
}

impl Ask for RegisterSwap {
    async fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        if self.password.is_empty() && !call.wallet.knows_swap(&self.id) {
            return Err(refused(INVALID_PASSWORD));
        }
        let registered = call.wallet.register_swap(&self.id, self.password.into()).await;
        registered.map_err(|error| refused(words(error, call.compat)))?;
        Ok(call.success())
    }
}

/// The proposals at the swap service that the wallet is registered for.
pub fn list_swaps<R: Reply>(call: &Call<'_, R>) -> R::Answer {
    call.reply.give(&SwapListAnswer(call.wallet.swap_proposals()))
}

/// Forgets one of them, if it is there.
pub fn forget_swap<R: Reply>(proposal: &SwapProposalId, call: &Call<'_, R>) -> R::Answer {
    call.wallet.forget_swap(&proposal.id);
    call.success()
}

/// Has the swap service keep a new proposal, whose id it gives, or replace one. Release 0.39, where there is
/// no service, passes over what is asked of it.
pub(super) async fn at_service(
    wallet: &Wallet,
    compat: Compat,
    service: &SwapServiceFields,
    partial_tx: &str,
    signatures: Option<&str>,
) -> Result<Option<String>, CallError> {
    let is_asked = service.is_new || service.proposal_id.is_some();
    if !is_asked || (!wallet.has_swap_service() && !compat.explains_swaps()) {
        return Ok(None);
    }
    let failed = |error: SwapProposalError| match error {
        SwapProposalError::NotRegistered => not_found(error),
        error => refused(words(error, compat)),
    };
    match &service.proposal_id {
        Some(id) if !service.is_new => {
            let version = match service.version {
                // What is too large for a version is not the newest one.
                Some(SwapVersion::Number(version)) => u64::try_from(version).unwrap_or(u64::MAX),
                Some(SwapVersion::Text) => return Err(refused(INVALID_VERSION)),
                None => return Err(failed(SwapProposalError::NoVersion)),
            };
            let update = SwapUpdate { partial_tx, version, signatures };
            wallet.update_swap(id, update).await.map_err(failed)?;
            Ok(None)
        }
        _ => {
            let password = service.password.clone().unwrap_or_default().into();
            wallet.create_swap(partial_tx, password).await.map(Some).map_err(failed)
        }
    }
}

/// Why a proposal is not read or changed. Of a service that refuses, release 0.39 says the status alone.
fn words(error: SwapProposalError, compat: Compat) -> String {
    let status = match &error {
        SwapProposalError::Service(error) if !compat.explains_swaps() => error.status(),
        _ => None,
    };
    status.map_or_else(|| error.to_string(), request_failed)
}

fn not_found(why: impl ToString) -> CallError {
    CallError::Refused(Refusal::NotFound(why.to_string()))
}
