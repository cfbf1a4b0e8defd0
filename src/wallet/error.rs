//! Why a transaction can't be built. The texts are the ones that clients of the existing service match on.

use super::Authority;
use crate::ledger::{Amount, EncodeError, Outpoint, Output, ScriptError, TokenError, TokenUid, VertexId};

/// Why a plan failed. Nothing was reserved and nothing changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A send without outputs.
    #[error("Invalid amount of tokens to send.")]
    NothingToSend,
    /// The change address of a token operation is another wallet's.
    #[error("Change address is not from this wallet")]
    ChangeNotFromThisWallet,
    /// The change address of a send is another wallet's.
    #[error("Change address is not from the wallet")]
    ChangeNotFromTheWallet,
    /// The address for a new authority is another wallet's and that wasn't allowed.
    #[error("The {} authority address must belong to your wallet.", .0.name())]
    AuthorityNotMine(Authority),
    /// Automatic selection found too little.
    #[error("Token: {token}. Insufficient amount of tokens to fill the amount.")]
    Insufficient {
        /// Of which there is too little.
        token: TokenUid,
        /// What is to be paid of it.
        required: Amount,
        /// Unlocked and unreserved.
        available: Amount,
    },
    /// The chosen inputs hold too little.
    #[error("Token: {0}. Sum of outputs is greater than sum of inputs")]
    InputsTooSmall(TokenUid),
    /// A chosen input is time-locked, reward-locked, reserved for another transaction or named twice.
    #[error("Token: {token}. Output [{}, {}] is locked or being used", output.tx, output.index)]
    LockedOrUsed {
        /// Its token.
        token: TokenUid,
        /// Which.
        output: Outpoint,
    },
    /// A chosen input is spent.
    #[error("Token: {token}. Output [{}] of transaction [{}] is already spent", output.index, output.tx)]
    AlreadySpent {
        /// Its token.
        token: TokenUid,
        /// Which.
        output: Outpoint,
    },
    /// A chosen input's transaction is voided.
    #[error("Token: {token}. Transaction [{tx}] is voided")]
    Voided {
        /// Its token.
        token: TokenUid,
        /// Which.
        tx: VertexId,
    },
    /// A chosen input is an authority.
    #[error("Token: {token}. Output [{}] of transaction [{}] is an authority output", output.index, output.tx)]
    IsAuthority {
        /// Its token.
        token: TokenUid,
        /// Which.
        output: Outpoint,
    },
    /// A chosen input is somebody else's.
    #[error("Token: {token}. Output [{}] of transaction [{}] is not from the wallet", output.index, output.tx)]
    NotFromTheWallet {
        /// Its token.
        token: TokenUid,
        /// Which.
        output: Outpoint,
    },
    /// A chosen input is unknown, or of a token that no output has.
    #[error("invalid-input")]
    InvalidInput,
    /// The outputs that match the query hold too little.
    #[error("No utxos available for the query filter for this amount.")]
    QueryInsufficient(TokenUid),
    /// Too little HTR to pay for a token operation.
    #[error("Not enough HTR tokens for deposit or fee: {required} required, {available} available")]
    NotEnoughHtr {
        /// What it costs.
        required: Amount,
        /// Unlocked and unreserved.
        available: Amount,
    },
    /// Too few units to melt.
    #[error("Not enough tokens to melt: {requested} requested, {available} available")]
    NotEnoughToMelt {
        /// What was asked for.
        requested: Amount,
        /// Unlocked and unreserved.
        available: Amount,
    },
    /// No authority that could be used.
    #[error("Don't have {} authority output available.", .0.name())]
    NoAuthority(Authority),
    /// No choice of at most 255 outputs holds the amount.
    #[error(
        "Transaction has {needed} inputs and can have at most 255. Token {token} is spread over many outputs of which one \
         transaction can move {reachable}: send that much or less to an address of this wallet first, to make one output of many"
    )]
    TooScattered {
        /// Whose outputs are too small.
        token: TokenUid,
        /// How many inputs it would take in all.
        needed: usize,
        /// What one transaction can move.
        reachable: Amount,
    },
    /// More data outputs than the network passes on (full node: `MAX_DATA_SCRIPT_OUTPUTS`).
    #[error("Transaction has {0} data outputs and can have at most 25.")]
    TooManyDataOutputs(usize),
    /// More tokens than a transaction can name.
    #[error("Transaction has {0} tokens and can have at most 16.")]
    TooManyTokens(usize),
    /// More bytes than a transaction can have once it is signed.
    #[error("Transaction has about {0} bytes and can have at most 48000: use fewer inputs, outputs or data")]
    TooLarge(usize),
    /// An amount that no output holds, or more inputs or outputs than a transaction can have.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// A consolidation to another wallet's address.
    #[error("Utxo consolidation to an address not owned by this wallet isn't allowed.")]
    DestinationNotMine,
    /// Nothing that could be consolidated.
    #[error("No available utxo to consolidate.")]
    NothingToConsolidate,
    /// A data text is too long for an output script of 256 bytes (full node: `PUSHTX_MAX_OUTPUT_SCRIPT_SIZE`).
    #[error("Data has {0} bytes and can have at most 253.")]
    DataTooLong(usize),
    /// A script can't be made.
    #[error(transparent)]
    Script(#[from] ScriptError),
    /// A bad name or symbol.
    #[error(transparent)]
    Token(#[from] TokenError),
}

impl Authority {
    pub(super) const fn name(self) -> &'static str {
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
