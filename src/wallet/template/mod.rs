//! Transactions by templates: the instructions of [`crate::template`] carried out one after the other, as the
//! reference library does it, over what the wallet has.

mod authorities;
mod balance;
mod complete;
mod draft;
mod run;
mod select;

use super::{Plan, PlanError, State};
use crate::ledger::{Amount, DepositRate, SpentOutput, TokenUid, TokenVersion, VertexId};
use crate::template::{Template, ValueError};
use std::collections::HashMap;

/// Build a transaction by a template.
#[derive(Clone, Debug)]
pub struct TemplateRequest {
    #[allow(missing_docs)]
    pub template: Template,
    /// What only the node knows of tokens and outputs that the instructions name.
    pub facts: TemplateFacts,
    /// Whether it may spend what is not the wallet's: for others to sign.
    pub with_foreign_inputs: bool,
    /// Randomness for `action/shuffle`.
    pub shuffle_seed: u64,
}

/// What the node has told.
#[derive(Clone, Debug, Default)]
pub struct TemplateFacts {
    /// How tokens are paid for.
    pub tokens: HashMap<VertexId, TokenVersion>,
    /// The outputs of transactions that the wallet does not have.
    pub outputs: HashMap<VertexId, Vec<SpentOutput>>,
}

/// Something that only the node knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateFact {
    /// How a token is paid for.
    Token(VertexId),
    /// A transaction's outputs.
    Outputs(VertexId),
}

/// An instruction that can't be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("instruction {place} ({kind}): {problem}")]
pub struct TemplateError {
    /// Its place, counted from 0.
    pub place: usize,
    /// Its `type`.
    pub kind: &'static str,
    #[allow(missing_docs)]
    pub problem: TemplateProblem,
}

/// Why an instruction can't be carried out, or why what they make together is no transaction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateProblem {
    /// The node has to be asked first.
    #[error("{}", match .0 {
        TemplateFact::Token(token) => format!("token {token} is not known"),
        TemplateFact::Outputs(tx) => format!("transaction {tx} is not known"),
    })]
    Unknown(TemplateFact),
    #[error(transparent)]
    #[allow(missing_docs)]
    Value(#[from] ValueError),
    /// A field's text is no address of the network.
    #[error("{field}: {text}")]
    Address {
        #[allow(missing_docs)]
        field: &'static str,
        #[allow(missing_docs)]
        text: String,
    },
    /// Automatic selection found too little.
    #[error("Don't have enough utxos to fill total amount.")]
    Insufficient {
        /// Of which there is too little.
        token: TokenUid,
        /// What is to be spent of it.
        required: Amount,
    },
    #[error("Index does not exist on tx outputs")]
    #[allow(missing_docs)]
    NoSuchOutput,
    #[error("Raw token output missing amount")]
    #[allow(missing_docs)]
    NoAmount,
    #[error("token is required when trying to add an authority output")]
    #[allow(missing_docs)]
    NoToken,
    #[error("Current transaction is not creating a token.")]
    #[allow(missing_docs)]
    NoCreation,
    #[error("Current transaction does not have a token version")]
    #[allow(missing_docs)]
    NoTokenVersion,
    #[error("Cannot add a custom token to a CREATE_TOKEN_TX")]
    #[allow(missing_docs)]
    TokenInCreation,
    /// Tokens were named before it was said that one is created.
    #[error("Trying to build a create token tx with {0} tokens on the array")]
    CreationAfterTokens(usize),
    #[error("the token that is created has no output of an amount")]
    #[allow(missing_docs)]
    NothingCreated,
    #[error("Cannot create a token without a name or symbol")]
    #[allow(missing_docs)]
    NoName,
    #[error("Cannot create a token without a token version")]
    #[allow(missing_docs)]
    CreationWithoutVersion,
    #[error("Unsupported Version byte provided")]
    #[allow(missing_docs)]
    Version,
    /// A fee in a token that no output is of.
    #[error("the fee is in token {0}, of which the transaction has no output")]
    FeeToken(VertexId),
    /// An instruction, a call or a value that this wallet can't carry out.
    #[error("{0} is not supported")]
    NotSupported(&'static str),
}

impl TemplateError {
    /// What is to be asked of the node before.
    pub fn unknown(&self) -> Option<TemplateFact> {
        if let TemplateProblem::Unknown(fact) = self.problem { Some(fact) } else { None }
    }
}

impl State {
    /// Plans what a template says. `now` is the time in Unix seconds; the inputs stay reserved until
    /// `reserve_until`.
    ///
    /// # Errors
    /// [`PlanError::Template`] for an instruction that can't be carried out; where the node must be asked for
    /// something first, its [`TemplateError::unknown`] says what. Other [`PlanError`]s for inputs that can't
    /// be spent, and for a transaction that the network would not take.
    pub fn plan_template(
        &mut self,
        request: &TemplateRequest,
        now: u32,
        reserve_until: u32,
    ) -> Result<Plan, PlanError> {
        self.utxos.advance_to(now);
        let draft = run::run(self, request, now)?;
        self.seal_template(draft, now, reserve_until)
    }

    fn deposit_rate(&self) -> DepositRate {
        self.settings.deposit
    }
}
