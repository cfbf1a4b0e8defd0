//! What a caller can ask a wallet to build, and what it gets.

use super::UtxoFilter;
use crate::ledger::{Address, Amount, Outpoint, TokenUid, TokenVersion, Transaction, VertexId};
use std::collections::HashSet;
use std::num::NonZeroU64;

/// Pay and write data.
#[derive(Clone, Debug, Default)]
pub struct SendRequest {
    /// In the caller's order; it is kept unless change is added (then all are shuffled).
    pub outputs: Vec<OutputRequest>,
    /// Where the amounts come from.
    pub inputs: InputRequest,
    /// Where what is left over goes: must be the wallet's. Without it, the current address.
    pub change_address: Option<Address>,
    /// Those of the tokens in `outputs` that are paid for by fees. The node knows which; the wallet's
    /// history doesn't say.
    pub fee_tokens: HashSet<VertexId>,
    /// Randomness for the order of the outputs when there is change.
    pub shuffle_seed: u64,
}

/// One output of a [`SendRequest`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputRequest {
    Pay {
        to: Address,
        /// 1 to 2^63.
        value: Amount,
        token: TokenUid,
        /// Unix seconds: spendable only later than that.
        timelock: Option<u32>,
    },
    /// Writes text on the ledger; costs one cent of HTR.
    Data(String),
}

/// Which outputs a send spends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum InputRequest {
    #[default]
    Automatic,
    /// Exactly these, for their tokens; tokens of the outputs that none of these has are selected
    /// automatically.
    Chosen(Vec<Outpoint>),
    /// Any that match, for every token of the outputs.
    Query(InputQuery),
}

/// Bounds on the outputs that a send may spend. `None` is no bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputQuery {
    /// Only outputs to this address.
    pub address: Option<Address>,
    /// Only amounts below this.
    pub smaller_than: Option<Amount>,
    /// Only amounts above this.
    pub bigger_than: Option<Amount>,
    /// Outputs whose running total stays within this.
    pub maximum_amount: Option<Amount>,
    /// At most this many.
    pub max_utxos: Option<usize>,
}

/// Where a new authority goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuthorityTo {
    /// Without it, the current address.
    pub address: Option<Address>,
    /// Lets the address be another wallet's.
    pub allow_external: bool,
}

/// Create a token or an NFT.
#[derive(Clone, Debug)]
pub struct CreateTokenRequest {
    /// 1 to 30 characters.
    pub name: String,
    /// 1 to 5 characters.
    pub symbol: String,
    /// How the token is paid for.
    pub version: TokenVersion,
    pub amount: Amount,
    /// Who gets them. Without it, the current address.
    pub address: Option<Address>,
    /// Where left-over HTR goes: must be the wallet's. Without it, the current address.
    pub change_address: Option<Address>,
    /// The authority to mint more, if any is kept.
    pub mint_authority: Option<AuthorityTo>,
    /// The authority to melt, if any is kept.
    pub melt_authority: Option<AuthorityTo>,
    pub data: Vec<String>,
    /// Data outputs come first (in reverse order), as an NFT needs; otherwise last, in order.
    pub data_first: bool,
}

/// Mint more of a token.
#[derive(Clone, Debug)]
pub struct MintRequest {
    pub token: VertexId,
    /// How it is paid for (the node knows).
    pub version: TokenVersion,
    pub amount: Amount,
    /// Who gets them. Without it, the current address.
    pub address: Option<Address>,
    /// Where left-over HTR goes: must be the wallet's. Without it, the current address.
    pub change_address: Option<Address>,
    /// The authority to mint again, if it is kept.
    pub authority: Option<AuthorityTo>,
    pub data: Vec<String>,
    /// Data outputs come first (in reverse order); otherwise last, in order.
    pub data_first: bool,
}

/// Melt some of a token, and get its deposit back.
#[derive(Clone, Debug)]
pub struct MeltRequest {
    pub token: VertexId,
    /// How it is paid for (the node knows).
    pub version: TokenVersion,
    pub amount: Amount,
    /// Where left-over units and HTR go: must be the wallet's. Without it, the current address.
    pub change_address: Option<Address>,
    /// Who gets the returned HTR. Without it, the current address.
    pub deposit_address: Option<Address>,
    /// The authority to melt again, if it is kept.
    pub authority: Option<AuthorityTo>,
    pub data: Vec<String>,
    /// Data outputs come first (in reverse order); otherwise last, in order.
    pub data_first: bool,
}

/// Make one output of many.
#[derive(Clone, Debug)]
pub struct ConsolidateRequest {
    /// Where they go: must be the wallet's.
    pub to: Address,
    /// Which are taken: of those that are available, at most as many as fit in a transaction.
    pub outputs: UtxoFilter,
    /// How the token is paid for (the node knows).
    pub version: TokenVersion,
}

/// One of the two rights over a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authority {
    Mint,
    Melt,
}

/// Give an authority to somebody.
#[derive(Clone, Debug)]
pub struct DelegateRequest {
    pub token: VertexId,
    pub authority: Authority,
    pub to: Address,
    /// Keep one as well, at the current address.
    pub keep: bool,
}

/// Destroy authorities for good.
#[derive(Clone, Debug)]
pub struct DestroyRequest {
    pub token: VertexId,
    pub authority: Authority,
    /// How many of the wallet's.
    pub count: usize,
}

/// Call a method of a contract, or create one.
#[derive(Clone, Debug)]
pub struct CallRequest {
    /// The contract; for one that is created, its blueprint.
    pub contract: VertexId,
    pub method: String,
    /// As [`write_args`](crate::ledger::nano::write_args) makes them.
    pub args: Vec<u8>,
    /// Who calls: must be the wallet's.
    pub caller: Address,
    pub actions: Vec<ActionRequest>,
    /// A token that the same transaction creates.
    pub creates: Option<CreateTokenRequest>,
    /// Whether the token's deposit comes out of what is withdrawn in HTR.
    pub contract_pays_deposit: bool,
    /// Those of the tokens moved that are paid for by fees (the node knows).
    pub fee_tokens: HashSet<VertexId>,
    /// Refuse to pay more fee than this, in HTR.
    pub max_fee: Option<Amount>,
    /// Whether the fee comes out of what is withdrawn in HTR.
    pub contract_pays_fees: bool,
}

/// What a call moves into or out of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActionRequest {
    /// An amount goes in.
    Deposit {
        token: TokenUid,
        amount: Amount,
        /// Only outputs of this address are spent.
        from: Option<Address>,
        /// Where the change goes: must be the wallet's. Without it, the current address.
        change: Option<Address>,
    },
    /// An amount comes out.
    Withdrawal { token: TokenUid, amount: Amount, to: Address },
    /// An authority goes in.
    Grant {
        token: VertexId,
        authority: Authority,
        /// Only one of this address.
        from: Option<Address>,
        /// Keep one as well, at this address: must be the wallet's.
        keep: Option<Address>,
    },
    /// An authority comes out.
    Acquire { token: VertexId, authority: Authority, to: Address },
}

/// Put a blueprint on the ledger.
#[derive(Clone, Debug)]
pub struct BlueprintRequest {
    /// Python, compressed by zlib.
    pub code: Vec<u8>,
    /// Whose key signs it: must be the wallet's.
    pub address: Address,
}

/// A transaction ready to be signed, mined and pushed. Its inputs are reserved for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Without input data, parents, weight and proof of work. Its timestamp is the time of planning, or
    /// `min_timestamp` if that is later.
    pub transaction: Transaction,
    /// For each input, the index of the address whose key signs it.
    pub signers: Vec<u32>,
    /// The index of the address whose key signs the call or the blueprint.
    pub caller: Option<u32>,
    /// The least timestamp it can have: later than every transaction that it spends and every lock that they
    /// had.
    pub min_timestamp: u32,
    /// For [`State::release`](super::State::release) once it has come to its end.
    pub reservation: ReservationId,
}

/// A set of outputs that nothing else may spend for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReservationId(pub(super) NonZeroU64);
