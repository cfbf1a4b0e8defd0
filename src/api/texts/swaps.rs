//! What is said of atomic swaps.

use crate::ledger::Address;

pub const INVALID_UTXOS: &str = "Invalid utxos array";
pub const INVALID_UTXO_TX_ID: &str = "Invalid utxo txId";
pub const INVALID_UTXO_INDEX: &str = "Invalid utxo index";
pub const INVALID_SENT_TOKENS: &str = "Invalid send.tokens array";
pub const INVALID_RECEIVED_TOKENS: &str = "Invalid receive.tokens array";
pub const INVALID_TIMELOCK: &str = "Invalid timelock";
pub const INVALID_LOCK: &str = "Invalid lock argument";
pub const INVALID_IS_NEW: &str = "Invalid is_new argument";
pub const INVALID_PROPOSAL_ID: &str = "Invalid proposal id";
pub const INVALID_PASSWORD: &str = "Invalid password";
pub const INVALID_VERSION: &str = "Invalid version number";
/// Release 0.39, where there is no swap service.
pub const METHOD_NOT_ALLOWED: &str = "Method not allowed";
/// A proposal is fetched for which the wallet is not registered.
pub const NOT_REGISTERED_TO_FETCH: &str =
    "Proposal is not registered. Register it first through [POST] /register/:proposalId";
/// Release 0.39, where the swap service refuses.
pub fn request_failed(status: u16) -> String {
    format!("Request failed with status code {status}")
}
/// A proposal to which nothing is added.
pub const NO_SWAP_OPERATION: &str = "Should have at least one operation";
/// None of the outputs that may be spent can be.
pub const NONE_USABLE: &str = "Could not use any of the utxos.";
/// Release 0.39, where a wallet holds too little for a proposal.
pub const NOT_ENOUGH_UTXOS: &str = "Don't have enough utxos to fill total amount.";
/// A proposal has a token for which a transaction must say what fee it pays.
pub fn fee_token_in_swap(token: &str) -> String {
    format!(
        "Token {token} is paid for by fees: it can't be swapped, since a proposal has no place for the fee."
    )
}
/// A proposal is signed in which more or less comes out than goes in.
pub const SWAP_NOT_BALANCED: &str = "Cannot sign incomplete data";
/// A proposal is put together that lacks signatures, or in which more or less comes out than goes in.
pub const SWAP_INCOMPLETE: &str = "Transaction is not complete";
/// Signatures are missing of inputs that spend what paid these addresses.
pub fn swap_unsigned(addresses: &[Address]) -> String {
    const TOLD: usize = 5;
    let told: Vec<_> = addresses.iter().take(TOLD).map(Address::to_string).collect();
    let more = match addresses.len().saturating_sub(TOLD) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{SWAP_INCOMPLETE}: there is no signature for inputs of {}{more}.", told.join(", "))
}
/// A proposal is signed that is not as the wallet left it.
pub const SWAP_CHANGED: &str = "The proposal is not what this wallet made of it: it spends more of its outputs, lacks what it was to get, or \
     brings it nothing. Or the wallet does not know any more what it made: that was given up by unlock, or the wallet was started anew \
     without a store. See what the proposal does (decode), and sign it with as_is if that is meant.";
/// What is said of the inputs of a proposal is not what the node says, and it is to be signed.
pub const SWAP_INCONSISTENT: &str = "Transaction data inconsistent with fullnode";
/// The same where it is decoded.
pub const DECODED_INCONSISTENT: &str = "Partial transaction inconsistent with backend";
