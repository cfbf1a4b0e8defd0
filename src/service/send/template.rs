//! Transactions by templates: what only the node knows about them is asked for first, and oracles' data is
//! signed.

use crate::keys::Purpose;
use crate::ledger::Transaction;
use crate::ledger::nano::INITIALIZE;
use crate::rt;
use crate::service::error::SendError;
use crate::service::guard::ToAdmit;
use crate::service::nano::Target;
use crate::service::send::operation::{Operation, OracleSignatures, check_handed_out};
use crate::service::wallet::Wallet;
use crate::template::MAX_INSTRUCTIONS;
use crate::wallet::{TemplateFact, TemplateFacts, TemplateRequest, TemplateWalk};

/// Most facts for one template: each instruction's variable, and what only the node knows about 255 inputs
/// and as many outputs.
const MAX_FACTS: usize = MAX_INSTRUCTIONS + 512;

const SIGN_ORACLE_DATA_FIRST: &str = "A template that has oracle data signed can't wait for approval: have the data signed first, and \
                                      give the result as an argument.";

impl Wallet {
    /// Builds a template's transaction without sending or reserving anything. With `sign`, the wallet's
    /// inputs are signed and the weight is the one it will need; otherwise weight and timestamp are left to
    /// the sender.
    pub async fn build_by_template(
        &self,
        mut request: TemplateRequest,
        sign: bool,
    ) -> Result<Transaction, SendError> {
        self.check_ready()?;
        let signer = if sign { Some(self.inner.signer_alone()?) } else { None };
        request.with_foreign_inputs = true;
        let mut operation = Operation::Template(Box::new(request));
        operation.complete(self, OracleSignatures::Signed).await?;
        let (mut transaction, own, caller) = {
            let mut state = self.inner.write();
            let transaction = operation.plan_unreserved(&mut state)?;
            let own = state.own_inputs(&transaction);
            let caller = transaction.nano().and_then(|call| state.index_of(&call.caller));
            (transaction, own, caller)
        };
        check_handed_out(&transaction)?;
        self.check_planned(&transaction).await?;
        let Some(signer) = signer else {
            transaction.timestamp = 0;
            return Ok(transaction);
        };
        self.sign_into(signer, &mut transaction, &own, caller, (Purpose::Build, b"")).await?;
        transaction.weight = self.inner.version.weight.wallet_weight(&transaction);
        Ok(transaction)
    }

    /// Asks the guard about a template's transaction before any oracle's data is signed for it.
    pub(in crate::service) async fn look_before_oracles(
        &self,
        operation: &mut Operation,
    ) -> Result<(), SendError> {
        let Operation::Template(request) = operation else { return Ok(()) };
        self.for_sending().complete_template(request, OracleSignatures::Placeholders).await?;
        if request.facts.signatures.is_empty() {
            return Ok(());
        }
        let planned = operation.plan_unreserved(&mut self.inner.write());
        if let Operation::Template(request) = operation {
            request.facts.signatures.clear();
        }
        match self.inner.look_by_guard(&self.guard, &planned?).await {
            // Every reader would see the signature while the plan waits, and after it is denied.
            Err(SendError::Unapproved(why)) => {
                Err(SendError::Limit(format!("{why} {SIGN_ORACLE_DATA_FIRST}")))
            }
            looked => looked,
        }
    }

    /// Finds out what a plan by the template lacks, until it lacks nothing, or what the node does not know:
    /// planning then reports it.
    pub(in crate::service) async fn complete_template(
        &self,
        request: &mut TemplateRequest,
        oracle: OracleSignatures,
    ) -> Result<(), SendError> {
        let TemplateRequest { template, facts, .. } = request;
        let (mut found, mut walk) = (0, TemplateWalk::of(template));
        loop {
            let lacking = self.inner.read().template_lacks(&mut walk, facts, rt::unix_seconds());
            if lacking.is_empty() {
                return Ok(());
            }
            for fact in lacking {
                found += 1;
                if found > MAX_FACTS || !self.learn(facts, fact, oracle).await? {
                    return Ok(());
                }
            }
        }
    }

    /// Asks, derives or signs. Returns whether there is an answer.
    async fn learn(
        &self,
        facts: &mut TemplateFacts,
        fact: TemplateFact,
        oracle: OracleSignatures,
    ) -> Result<bool, SendError> {
        match fact {
            TemplateFact::Method(contract, method) => {
                let target = if method == INITIALIZE { Target::Create(contract) } else { Target::Execute };
                let types = self.arg_types(target, &contract, &method).await?;
                Ok(types.map(|types| facts.methods.insert((contract, method), types.read)).is_some())
            }
            TemplateFact::Token(id) => {
                let version = self.known_token_version(&id).await?;
                Ok(version.map(|version| facts.tokens.insert(id, version)).is_some())
            }
            TemplateFact::Outputs(tx) => {
                let outputs =
                    self.node().outputs(&tx, self.backend().network).await.map_err(SendError::Node)?;
                Ok(outputs.map(|outputs| facts.outputs.insert(tx, outputs)).is_some())
            }
            TemplateFact::Address(index) => {
                let (keys, network) = (self.inner.account.public.clone(), self.backend().network);
                let derive = || keys.address(network, keys.hashes(index..index + 1)[0]);
                facts.addresses.insert(index, rt::offload(self.cpu_share(), derive).await);
                Ok(true)
            }
            TemplateFact::Signature(index, said) => {
                let signature = match oracle {
                    OracleSignatures::Signed => {
                        self.sign_said(self.inner.signer_alone()?, index, &said).await?
                    }
                    OracleSignatures::Placeholders => {
                        if let Some(guard) = &self.guard {
                            guard.look(ToAdmit::Statement(Purpose::OracleData)).await?;
                        }
                        vec![0; self.inner.read().signed_input_bytes()]
                    }
                };
                facts.signatures.insert((index, said), signature);
                Ok(true)
            }
        }
    }
}
