//! Why a transaction can't be built. The texts that clients match on are made of these errors further up.

use super::{Authority, TemplateError};
use crate::ledger::{
    Address, Amount, EncodeError, MAX_DATA_OUTPUTS, Outpoint, Output, ScriptError, TokenError, TokenUid,
    VertexId,
};

/// What was to be planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planned {
    Send,
    /// The creation, minting or melting of a token.
    OfToken,
    /// A deposit into a contract.
    Deposit,
}

/// Why a plan failed. Nothing was reserved and nothing changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A send without outputs.
    #[error("there is nothing to send")]
    NothingToSend,
    /// The change address is another wallet's.
    #[error("the change address is not the wallet's")]
    ChangeNotMine(Planned),
    /// The address for a new authority is another wallet's and that wasn't allowed.
    #[error("the address for the {} authority is not the wallet's", .0.name())]
    AuthorityNotMine(Authority),
    /// Automatic selection found too little.
    #[error("token {token}: {required} needed, {available} available")]
    Insufficient {
        /// Of which there is too little.
        token: TokenUid,
        /// What is to be paid of it.
        required: Amount,
        available: Amount,
    },
    /// None of the outputs that a swap may spend can be spent.
    #[error("none of these outputs can be spent")]
    NoneUsable,
    /// The chosen inputs hold too little.
    #[error("token {0}: the chosen inputs hold too little")]
    InputsTooSmall(TokenUid),
    /// A chosen input is given twice.
    #[error("output {}:{} of token {token} is given twice", output.tx, output.index)]
    GivenTwice { token: TokenUid, output: Outpoint },
    /// A chosen input is time-locked, reward-locked, or reserved for another transaction.
    #[error("output {}:{} of token {token} is locked or in use", output.tx, output.index)]
    LockedOrUsed { token: TokenUid, output: Outpoint },
    /// A chosen input is spent.
    #[error("output {}:{} of token {token} is spent", output.tx, output.index)]
    AlreadySpent { token: TokenUid, output: Outpoint },
    /// A chosen input's transaction is voided.
    #[error("transaction {tx} with an output of token {token} is voided")]
    Voided { token: TokenUid, tx: VertexId },
    /// A chosen input is an authority.
    #[error("output {}:{} of token {token} is an authority", output.tx, output.index)]
    IsAuthority { token: TokenUid, output: Outpoint },
    /// A chosen input is somebody else's.
    #[error("output {}:{} of token {token} is not the wallet's", output.tx, output.index)]
    NotFromTheWallet { token: TokenUid, output: Outpoint },
    /// A chosen input is unknown, or of a token that no output has.
    #[error("a chosen input is not known, or of a token that no output has")]
    InvalidInput,
    /// The outputs that match the query hold too little.
    #[error("token {0}: the outputs that match the query hold too little")]
    QueryInsufficient(TokenUid),
    /// Too little HTR to pay for a token operation.
    #[error("{required} HTR cents needed for deposit, fee and data, {available} available")]
    NotEnoughHtr { required: Amount, available: Amount },
    /// Too few units to melt.
    #[error("{requested} to melt, {available} available")]
    NotEnoughToMelt {
        /// What was asked for.
        requested: Amount,
        available: Amount,
    },
    /// No authority that could be used.
    #[error("there is no {} authority that can be used", .0.name())]
    NoAuthority(Authority),
    /// No choice of at most 255 outputs holds the amount.
    #[error("token {token}: {needed} inputs needed, and at most 255 are possible, which move {reachable}")]
    TooScattered {
        /// Whose outputs are too small.
        token: TokenUid,
        /// How many inputs it would take in all.
        needed: usize,
        /// What one transaction can move.
        reachable: Amount,
    },
    /// More data outputs than the network passes on (full node: `MAX_DATA_SCRIPT_OUTPUTS`).
    #[error("{0} data outputs, and at most {MAX_DATA_OUTPUTS} are passed on")]
    TooManyDataOutputs(usize),
    /// More tokens than a transaction can name.
    #[error("{0} tokens, and a transaction names at most 16")]
    TooManyTokens(usize),
    /// More bytes than a transaction can have once it is signed.
    #[error("about {0} bytes, and a transaction has at most 48000")]
    TooLarge(usize),
    /// What nodes would refuse, in their words.
    #[error("the network would refuse this transaction: {0}")]
    NotTaken(String),
    /// A transaction that is handed out would spend outputs with parts of a cent.
    #[error("outputs with parts of a cent can be sent by their wallet alone: choose other outputs")]
    PartsHandedOut,
    /// An amount that no output holds, or more inputs or outputs than a transaction can have.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// A consolidation to another wallet's address.
    #[error("the address to consolidate to is not the wallet's")]
    DestinationNotMine,
    /// Nothing that could be consolidated.
    #[error("there is nothing to consolidate")]
    NothingToConsolidate,
    /// A data text is too long for an output script of 256 bytes (full node:
    /// `PUSHTX_MAX_OUTPUT_SCRIPT_SIZE`).
    #[error("{0} bytes of data, and an output holds at most 253")]
    DataTooLong(usize),
    /// A script can't be made.
    #[error(transparent)]
    Script(#[from] ScriptError),
    /// An instruction of a template can't be carried out.
    #[error(transparent)]
    Template(Box<TemplateError>),
    /// The address that is to call a contract, or to put a blueprint on the ledger, is another wallet's.
    #[error("the caller {0} is not the wallet's")]
    CallerNotMine(Address),
    /// Too little for a deposit into a contract.
    #[error("token {token}: {required} to deposit, {available} available")]
    NotEnoughToDeposit {
        /// Of which there is too little.
        token: TokenUid,
        /// What is to be deposited.
        required: Amount,
        available: Amount,
    },
    /// No authority that could be granted to a contract.
    #[error("there is no {} authority that can be granted", .0.name())]
    NothingToGrant(Authority),
    /// The address for an authority that is kept is another wallet's.
    #[error("the address for the {} authority that is kept is not the wallet's", .0.name())]
    KeptNotMine(Authority),
    /// More fee than the caller wants to pay.
    #[error("the fee is {fee}, and {most} is the most to be paid")]
    FeeTooHigh {
        fee: Amount,
        /// What the caller wants to pay at most.
        most: Amount,
    },
    /// A contract is to pay what nothing is withdrawn for.
    #[error("the contract is to pay {0} HTR cents, and no HTR is withdrawn")]
    NothingWithdrawn(Amount),
    /// A contract is to pay more than is withdrawn.
    #[error("the contract is to pay {cost} HTR cents out of {withdrawn} withdrawn")]
    WithdrawnTooLittle { withdrawn: Amount, cost: Amount },
    /// A transaction that creates a token lists no other.
    #[error("a call that creates a token can't move the token {0}")]
    OtherTokenInCreation(VertexId),
    /// A bad name or symbol.
    #[error(transparent)]
    Token(#[from] TokenError),
}

impl Authority {
    /// `mint` or `melt`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mint => "mint",
            Self::Melt => "melt",
        }
    }
    /// Its bit in the value of an authority output.
    pub(super) const fn bit(self) -> u64 {
        match self {
            Self::Mint => Output::MINT as u64,
            Self::Melt => Output::MELT as u64,
        }
    }
}
