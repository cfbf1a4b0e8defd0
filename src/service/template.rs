//! Transactions by templates: what only the node knows of what they name is asked for first, and what oracles
//! sign is signed.

use super::inner::Inner;
use super::nano::sign_said;
use super::send::{check_melted, set_caller_signature};
use super::{Operation, SendError, Target, Wallet};
use crate::ledger::Transaction;
use crate::ledger::nano::INITIALIZE;
use crate::rt;
use crate::wallet::{PlanError, TemplateFact, TemplateRequest};

/// Most questions to the node for one template: there are no more inputs and outputs that could make some.
const MAX_QUESTIONS: usize = 512;

impl Wallet {
    /// Builds what a template says, and does not send it: nothing is reserved. With `sign`, the wallet's
    /// inputs are signed and the weight is that which it will need; without, weight and timestamp are left to
    /// whoever pushes it.
    ///
    /// # Errors
    /// [`SendError::Plan`] if it can't be built, [`SendError::Node`] if the node can't be asked of what the
    /// template names, and with `sign` [`SendError::ReadOnly`] or [`SendError::OneOfSeveral`] for a wallet
    /// that can't sign alone.
    pub async fn build_by_template(
        &self,
        mut request: TemplateRequest,
        sign: bool,
    ) -> Result<Transaction, SendError> {
        self.check_ready()?;
        let keys = if sign { Some(self.inner.account_keys()?) } else { None };
        request.with_foreign_inputs = true;
        let mut operation = Operation::Template(Box::new(request));
        operation.complete(&self.inner).await?;
        let (mut transaction, own, caller) = {
            let mut state = self.inner.state.write();
            let transaction = operation.plan_unreserved(&mut state)?;
            let own = state.own_inputs(&transaction);
            let caller = transaction.nano().and_then(|call| state.index_of(&call.caller));
            (transaction, own, caller)
        };
        check_melted(&self.inner, &transaction).await.map_err(SendError::Node)?;
        let Some(keys) = keys else {
            transaction.timestamp = 0;
            return Ok(transaction);
        };
        let digest = transaction.sighash()?;
        for (place, index) in own {
            let data = keys.sign(index, &digest).to_bytes().map_err(PlanError::from)?;
            transaction.inputs[usize::from(place)].data = data;
        }
        if let Some(caller) = caller {
            set_caller_signature(&mut transaction, keys.sign(caller, &digest))?;
        }
        transaction.weight = self.inner.version.weight.wallet_weight(&transaction);
        Ok(transaction)
    }
}

impl Inner {
    /// Asks the node for what a plan by the template lacks, until it lacks nothing, or what the node does not
    /// know: planning says so then.
    pub(super) async fn complete_template(&self, request: &mut TemplateRequest) -> Result<(), SendError> {
        for _ in 0..MAX_QUESTIONS {
            let Some(fact) = self.lacking(request) else { return Ok(()) };
            match fact {
                TemplateFact::Method(contract, method) => {
                    let target =
                        if method == INITIALIZE { Target::Create(contract) } else { Target::Execute };
                    match self.arg_types(target, &contract, &method).await? {
                        Some(types) => drop(request.facts.methods.insert((contract, method), types)),
                        None => return Ok(()),
                    }
                }
                TemplateFact::Signature(index, said) => {
                    let signature = sign_said(self.account_keys()?, index, &said);
                    request.facts.signatures.insert((index, said), signature);
                }
                TemplateFact::Token(id) => match self.known_token_version(&id).await? {
                    Some(version) => drop(request.facts.tokens.insert(id, version)),
                    None => return Ok(()),
                },
                TemplateFact::Outputs(tx) => {
                    match self.backend.node.outputs(&tx).await.map_err(SendError::Node)? {
                        Some(outputs) => drop(request.facts.outputs.insert(tx, outputs)),
                        None => return Ok(()),
                    }
                }
            }
        }
        Ok(())
    }

    fn lacking(&self, request: &TemplateRequest) -> Option<TemplateFact> {
        let mut state = self.state.write();
        let now = rt::unix_seconds();
        match state.plan_template(request, now, now.saturating_add(1)) {
            Ok(plan) => {
                state.release(plan.reservation);
                None
            }
            Err(PlanError::Template(error)) => error.unknown().cloned(),
            Err(_) => None,
        }
    }
}
