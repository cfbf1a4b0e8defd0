//! Transactions by templates: the instructions of [`crate::template`] carried out one after the other, as the
//! reference library does it, over what the wallet has.

mod authorities;
mod balance;
mod call;
mod complete;
mod draft;
mod facts;
mod run;
mod select;

pub use facts::TemplateWalk;

use super::{Plan, PlanError, State};
use crate::ledger::nano::{ArgType, INITIALIZE, UnknownType};
use crate::ledger::{Address, Amount, DepositRate, SpentOutput, TokenUid, TokenVersion, VertexId};
use crate::nano_args::ArgsError;
use crate::template::{Template, ValueError};
use std::collections::HashMap;

/// Build a transaction by a template.
#[derive(Clone, Debug)]
pub struct TemplateRequest {
    pub template: Template,
    /// What only the node knows of tokens and outputs that the instructions name.
    pub facts: TemplateFacts,
    /// Whether it may spend what is not the wallet's: for others to sign.
    pub with_foreign_inputs: bool,
    /// Randomness for `action/shuffle`.
    pub shuffle_seed: u64,
}

/// What the node has told, and what was derived and signed for it.
#[derive(Clone, Debug, Default)]
pub struct TemplateFacts {
    /// How tokens are paid for.
    pub tokens: HashMap<VertexId, TokenVersion>,
    /// The outputs of transactions that the wallet does not have.
    pub outputs: HashMap<VertexId, Vec<SpentOutput>>,
    /// What methods take: of a contract, or of the blueprint that one is made of.
    pub methods: HashMap<(VertexId, String), Vec<ArgType>>,
    /// Addresses that the wallet does not watch.
    pub addresses: HashMap<u32, Address>,
    /// What the keys of addresses, by their indexes, have signed as oracles.
    pub signatures: HashMap<(u32, Vec<u8>), Vec<u8>>,
}

/// Something that only the node knows, or that takes a key: too long for planning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateFact {
    /// How a token is paid for.
    Token(VertexId),
    Outputs(VertexId),
    /// What a method takes of a contract; [`INITIALIZE`], of a blueprint.
    Method(VertexId, String),
    /// The address at this index.
    Address(u32),
    /// What the key of the address at this index signs as an oracle.
    Signature(u32, Vec<u8>),
}

/// An instruction that can't be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("instruction {place} ({kind}): {problem}")]
pub struct TemplateError {
    /// Its place, counted from 0.
    pub place: usize,
    /// Its `type`.
    pub kind: &'static str,
    pub problem: TemplateProblem,
}

/// Why an instruction can't be carried out, or why what they make together is no transaction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateProblem {
    /// The node has to be asked first.
    #[error("{}", match .0 {
        TemplateFact::Token(token) => format!("token {token} is not known"),
        TemplateFact::Outputs(tx) => format!("transaction {tx} is not known"),
        TemplateFact::Method(_, method) if method == INITIALIZE => "Blueprint not found.".to_owned(),
        TemplateFact::Method(contract, _) => {
            format!("Error getting nano contract transaction with id {contract}.")
        }
        TemplateFact::Address(index) => format!("address {index} is not derived yet"),
        TemplateFact::Signature(index, _) => format!("address {index} has not signed yet"),
    })]
    Unknown(TemplateFact),
    #[error(transparent)]
    Value(#[from] ValueError),
    /// A field's text is no address of the network.
    #[error("{field}: {text}")]
    Address { field: &'static str, text: String },
    /// Automatic selection found too little.
    #[error("Don't have enough utxos to fill total amount.")]
    Insufficient {
        /// Of which there is too little.
        token: TokenUid,
        /// What is to be spent of it.
        required: Amount,
    },
    #[error("Index does not exist on tx outputs")]
    NoSuchOutput,
    #[error("Raw token output missing amount")]
    NoAmount,
    #[error("token is required when trying to add an authority output")]
    NoToken,
    #[error("Current transaction is not creating a token.")]
    NoCreation,
    #[error("Current transaction does not have a token version")]
    NoTokenVersion,
    #[error("Cannot add a custom token to a CREATE_TOKEN_TX")]
    TokenInCreation,
    /// Tokens were named before it was said that one is created.
    #[error("Trying to build a create token tx with {0} tokens on the array")]
    CreationAfterTokens(usize),
    #[error("the token that is created has no output of an amount")]
    NothingCreated,
    #[error("Cannot create a token without a name or symbol")]
    NoName,
    #[error("Cannot create a token without a token version")]
    CreationWithoutVersion,
    #[error("Unsupported Version byte provided")]
    Version,
    #[error("Already building a nano contract tx.")]
    SecondCall,
    #[error(transparent)]
    Args(#[from] ArgsError),
    /// The type of what an oracle signs.
    #[error(transparent)]
    ArgType(#[from] UnknownType),
    #[error("Type is not SignedData")]
    NotSigned,
    /// What an oracle signs: where in it the problem is, and what must stand there.
    #[error("data{0}")]
    Said(String),
    /// A fee in a token that no output is of.
    #[error("the fee is in token {0}, of which the transaction has no output")]
    FeeToken(TokenUid),
    /// An instruction, a call or a value that this wallet can't carry out.
    #[error("{0} is not supported")]
    NotSupported(&'static str),
}

impl TemplateError {
    /// What is to be asked of the node before.
    pub fn unknown(&self) -> Option<&TemplateFact> {
        if let TemplateProblem::Unknown(fact) = &self.problem { Some(fact) } else { None }
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
        let built = run::run(self, request, now)?;
        self.seal_template(built, now, reserve_until)
    }

    fn deposit_rate(&self) -> DepositRate {
        self.settings.deposit
    }
}
