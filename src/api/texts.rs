//! Texts that clients match on.

mod swaps;

pub use swaps::*;

use crate::ledger::{
    Amount, EncodeError, MAX_DATA_OUTPUTS, MAX_INPUTS, MAX_OUTPUTS, Outpoint, TokenUid, VertexId,
};
use std::fmt;

/// The message of a field that is missing or not as it must be.
pub const INVALID_VALUE: &str = "Invalid value";
/// What the answer to an unknown method and path ends with.
pub const NO_ENDPOINT: &str = "no such endpoint.";

// Wallet selection

/// `/wallet/*` without the header.
pub const WALLET_ID_HEADER_MISSING: &str = "Header 'X-Wallet-Id' is required.";
/// `/wallet/*` with an id that no started wallet has.
pub const WALLET_ID_UNKNOWN: &str = "Invalid wallet id parameter.";
/// Any request but stop while the wallet is not ready.
pub const WALLET_NOT_READY: &str = "Wallet is not ready.";
/// More addresses are asked for where a gap limit says which are watched.
pub const NO_INDEX_LIMIT: &str = "Wallet is not configured for index-limit scanning policy";

// Start

/// Neither words, nor a seed key, nor an xpub.
pub const START_SECRET_MISSING: &str = "Parameter 'seedKey', 'seed' or 'xpubkey' is required.";
/// Words and a seed key.
pub const START_TWO_SEEDS: &str = "You can't have both 'seedKey' and 'seed' in the body.";
/// Words or a seed key, and an xpub.
pub const START_SEED_AND_XPUB: &str =
    "You can't start a readonly wallet and send a seed in the same request.";
pub const START_WALLET_ID_MISSING: &str = "Parameter 'wallet-id' is required.";
/// The `errorCode` of an id that is in use.
pub const WALLET_ALREADY_STARTED: &str = "WALLET_ALREADY_STARTED";
/// A seed key that is not configured.
pub const SEED_NOT_FOUND: &str = "Seed not found.";
/// `seedKey` of words that are kept sealed and were not opened.
pub const SEED_LOCKED: &str =
    "The seed is sealed and locked: unlock the server's seeds (`headless-wallet seeds unlock`).";
/// `seedKey` where it can't be found out whether there is such a seed.
pub const SEEDS_UNREADABLE: &str = "The sealed seeds can't be read now: the server's log says why.";
/// `multisig` with a seed key whose keys a token has.
pub const TOKEN_MULTISIG: &str = "the keys are on a token, which signs for wallets of one key alone";
/// A passphrase with a seed key of a signer.
pub const SIGNER_PASSPHRASE: &str = "the seed is at a signer, which takes no passphrase from others";
/// A passphrase with a seed key of words that were sealed with one.
pub const SEED_HAS_PASSPHRASE: &str =
    "The seed was sealed with a passphrase of its own, and takes no other: leave `passphrase` out.";
/// `/fireblocks/start` without an account.
pub const START_FIREBLOCKS_XPUB_MISSING: &str = "Parameter 'xpub' is required.";
/// `/fireblocks/start` where the settings have no access to the service.
pub const FIREBLOCKS_NOT_CONFIGURED: &str = "Fireblocks client is not configured.";
/// `/hsm/start` without the name of keys.
pub const START_HSM_KEY_MISSING: &str = "Parameter 'hsm-key' is required.";
/// `/hsm/start` where the settings have no token.
pub const HSM_NOT_CONFIGURED: &str = "HSM integration is not configured";
/// `/hsm/start` with a name that no token has keys of.
pub const HSM_NO_KEY: &str = "Key does not exist on HSM.";
/// An xpub that is not that of the keys which the service has.
pub const FIREBLOCKS_OTHER_KEY: &str =
    "Fireblocks api generated a public key different from local public key.";
/// `seed` that is no text.
pub const SEED_NOT_TEXT: &str = "Invalid seed: Words must be a string.";
/// A passphrase while `allowPassphrase` is off.
pub const PASSPHRASE_NOT_ALLOWED: &str = "Failed to start wallet. To use a passphrase you must explicitly allow it \
    in the configuration file. Using a passphrase completely changes the addresses of your wallet, only use it if you \
    know what you are doing.";

/// Row 5 and 12 of the start checks.
pub fn start_failed(wallet_id: &str) -> String {
    format!("Failed to start wallet with wallet id {wallet_id}")
}

/// A wallet of a token that can't be started.
pub fn hsm_start_failed(wallet_id: &str, key: &str) -> String {
    format!("Failed to start wallet with wallet id {wallet_id} and key {key}")
}

/// An index past the last key of a wallet that has a list of them.
pub const NO_ADDRESS_AT_INDEX: &str =
    "The wallet has no address with this index: it has one for each of its keys.";

/// Why a read-only multisig wallet is not started.
pub const MULTISIG_XPUB_INVALID: &str =
    "Invalid xpub: a multisig wallet takes that of a participant's account (depth 3)";

/// Row 6: a multisig wallet of a key that has no participants.
pub fn not_configured_for_multisig(key: Option<&str>) -> String {
    format!("{} is not configured for multisig.", key.unwrap_or("undefined"))
}

/// Row 7: participants that don't fit each other.
pub fn improperly_configured_multisig(key: &str) -> String {
    format!("Improperly configured multisig for seed {key}.")
}

// API key

/// No `X-API-KEY` header.
pub const API_KEY_MISSING: &str = "Missing X-API-KEY header.";
/// A wrong `X-API-KEY`.
pub const API_KEY_WRONG: &str = "Wrong api key.";
/// An `X-API-KEY` past its end.
pub const API_KEY_ENDED: &str = "The API key has ended: its time is over, or it was rotated. An administrator adds another one, or has the one that took its place.";
/// A task that was asked for with a key that is one no more.
pub const API_KEY_GONE: &str =
    "The API key that this was asked with was revoked, or has ended: an administrator adds or rotates one.";
/// A key that is to be made or ended where none are kept.
pub const KEYS_NOT_KEPT: &str =
    "This server keeps no keys: start it with `data_dir` or `store`, or change `[keys]` in its settings.";

// The service

/// Any request while a new configuration is taken up.
pub const SERVICE_UNAVAILABLE: &str = "Service currently unavailable";
/// An `Idempotency-Key` that came with something else before.
pub const KEY_OF_ANOTHER_REQUEST: &str =
    "This Idempotency-Key was used with another request: use a new key for each request.";
/// Any request after the end has begun.
pub const SERVICE_ENDING: &str = "The service is shutting down and takes no new requests.";
/// `/reload-config` when only a new start takes the configuration up.
pub const CONFIG_NOT_RECOVERABLE: &str =
    "A non recoverable change in the config was made, the service will shutdown.";

/// `/reload-config` when the configuration can't be used.
pub fn config_refused(reason: &str) -> String {
    format!("The configuration stays as it was, because the new one can't be used: {reason}")
}

/// `/reload-config` when requests under way don't end.
pub fn config_busy(requests: u64) -> String {
    let requests = if requests == 1 { "1 request".to_owned() } else { format!("{requests} requests") };
    format!(
        "The configuration stays as it was, because {requests} under way did not end within 10 s: wait for sends under way, or \
         stop the wallets that they are of, and try again."
    )
}

// Sending

/// The mining service gave up on the proof of work.
pub const MINING_TIMEOUT: &str = "Timeout solving transaction's proof-of-work.\n\nAll transactions need to solve a \
    proof-of-work as an anti spam mechanism. Currently, Hathor Labs provides this service for free, but their servers \
    may be fully loaded right now.";
/// The mining service refuses for a while.
pub const MINING_RATE_LIMIT: &str = "Too many transactions sent in a short time-span.\n\nAll transactions need to \
    solve a proof-of-work as an anti spam mechanism. Currently, Hathor Labs provides a tx mining service for free, but \
    there are limits to the number of transactions someone can mine using it to avoid abuse.\n\nPlease try again in a \
    few seconds.";
/// The mining service has nobody to mine.
pub const NO_MINERS: &str = "There are no miners to resolve the proof of work of this transaction.";
/// An amount of 0 in create-token.
pub const AMOUNT_ZERO: &str = "Value must be a positive number.";
/// A negative amount in create-token.
pub const AMOUNT_NEGATIVE: &str = "Output value must be positive";
/// An output past 2^63, the most that one output holds.
pub const AMOUNT_TOO_LARGE: &str = "Maximum value is 92,233,720,368,547,758.08";
/// A creation with version 0.
pub const TOKEN_VERSION_MISSING: &str = "Token version is required when creating a token";

/// What to do about [`MINING_TIMEOUT`].
pub const MINING_TIMEOUT_REMEDY: &str =
    "Wait and resend; when sending several transactions, leave more time between them.";

// Building a transaction

/// A send without outputs.
pub const NOTHING_TO_SEND: &str = "Invalid amount of tokens to send.";
/// The change address of a token operation, or of simple-send-tx, is another wallet's.
pub const CHANGE_NOT_FROM_THIS_WALLET: &str = "Change address is not from this wallet";
/// That of send-tx is.
pub const CHANGE_NOT_FROM_THE_WALLET: &str = "Change address is not from the wallet";
/// Queried inputs of send-tx that don't reach the amount; the answer also names the token.
pub const NO_UTXOS_FOR_QUERY: &str = "No utxos available for the query filter for this amount.";
/// An input that is not in the wallet's history, or of a token that no output has.
pub const INVALID_INPUT: &str = "invalid-input";
/// A consolidation to another wallet's address.
pub const DESTINATION_NOT_MINE: &str =
    "Utxo consolidation to an address not owned by this wallet isn't allowed.";
/// Nothing that could be consolidated.
pub const NOTHING_TO_CONSOLIDATE: &str = "No available utxo to consolidate.";

/// The address for a new authority is another wallet's.
pub fn authority_not_mine(name: &str) -> String {
    format!("The {name} authority address must belong to your wallet.")
}
/// No authority that could be used.
pub fn no_authority(name: &str) -> String {
    format!("Don't have {name} authority output available.")
}
/// The wallet holds too little.
pub fn insufficient(token: impl fmt::Display) -> String {
    format!("Token: {token}. Insufficient amount of tokens to fill the amount.")
}
/// The chosen inputs hold too little.
pub fn inputs_too_small(token: TokenUid) -> String {
    format!("Token: {token}. Sum of outputs is greater than sum of inputs")
}
/// An input is given twice.
pub fn given_twice(token: TokenUid, Outpoint { tx, index }: Outpoint) -> String {
    format!("Token: {token}. Output [{tx}, {index}] is given twice")
}
/// A chosen input is locked or in use.
pub fn locked_or_used(token: TokenUid, Outpoint { tx, index }: Outpoint) -> String {
    format!("Token: {token}. Output [{tx}, {index}] is locked or being used")
}
/// A chosen input can't be spent: `why` ends the sentence that begins with it.
pub fn unusable_input(token: TokenUid, Outpoint { tx, index }: Outpoint, why: &str) -> String {
    format!("Token: {token}. Output [{index}] of transaction [{tx}] {why}")
}
/// A chosen input's transaction is voided.
pub fn voided_input(token: TokenUid, tx: VertexId) -> String {
    format!("Token: {token}. Transaction [{tx}] is voided")
}
/// Too little HTR to pay for a token operation.
pub fn not_enough_htr(required: Amount, available: Amount) -> String {
    format!("Not enough HTR tokens for deposit or fee: {required} required, {available} available")
}
/// Too few units to melt.
pub fn not_enough_to_melt(requested: Amount, available: Amount) -> String {
    format!("Not enough tokens to melt: {requested} requested, {available} available")
}
/// No choice of at most 255 outputs holds the amount.
pub fn too_scattered(token: TokenUid, needed: usize, reachable: Amount) -> String {
    format!(
        "Transaction has {needed} inputs and can have at most 255. Token {token} is spread over many outputs of which one \
         transaction can move {reachable}: send that much or less to an address of this wallet first, to make one output of many"
    )
}
/// What can't be written as a transaction.
pub fn not_encodable(error: &EncodeError) -> String {
    match error {
        EncodeError::TooManyInputs(count) => {
            format!("Transaction has {count} inputs and can have at most {MAX_INPUTS}.")
        }
        EncodeError::TooManyOutputs(count) => {
            format!("Transaction has {count} outputs and can have at most {MAX_OUTPUTS}.")
        }
        EncodeError::ZeroValue => AMOUNT_ZERO.to_owned(),
        EncodeError::ValueTooLarge => AMOUNT_TOO_LARGE.to_owned(),
        other => other.to_string(),
    }
}
/// More data outputs than a standard transaction has.
pub fn too_many_data_outputs(count: usize) -> String {
    format!("Transaction has {count} data outputs and can have at most {MAX_DATA_OUTPUTS}.")
}
/// More tokens than a transaction can name.
pub fn too_many_tokens(count: usize) -> String {
    format!("Transaction has {count} tokens and can have at most 16.")
}
/// More bytes than a transaction can have once it is signed.
pub fn too_large(bytes: usize) -> String {
    format!(
        "Transaction has about {bytes} bytes and can have at most 48000: use fewer inputs, outputs or data"
    )
}
/// A data text is too long for an output script.
pub fn data_too_long(bytes: usize) -> String {
    format!("Data has {bytes} bytes and can have at most 253.")
}

// Signatures of participants

/// A wallet of one key is asked for what only a multisig wallet does.
pub const WALLET_NOT_MULTISIG: &str = "Wallet is not a multisig wallet.";
/// More or fewer signatures for an input than must be.
pub const SIGNATURES_INCOMPATIBLE: &str = "Signatures are incompatible with redeemScript";

/// More or fewer participants have signed than must.
pub fn signature_count(expected: u8, received: usize) -> String {
    format!("Quantity of signatures different than expected. Expected {expected} Received {received}")
}

// Subscribing

/// The full node watches no more addresses without transactions. `said` is the node's wording, which differs
/// by version.
pub fn too_many_empty_addresses(said: &str) -> String {
    format!(
        "Reached maximum number of subscribed addresses without output. Use the default `gapLimit` of the wallet service, or set \
         `gapLimit` and the full node's WS_MAX_SUBS_ADDRS_EMPTY to the same value; then stop the wallet and start it again. \
         (The full node said: {said})"
    )
}

/// The full node watches no more addresses on one connection. `said` is the node's wording.
pub fn too_many_addresses(said: &str) -> String {
    format!(
        "Reached maximum number of subscribed addresses. The full node watches no more addresses for one wallet: use a full node \
         with a higher WS_MAX_SUBS_ADDRS_CONN; then stop the wallet and start it again. (The full node said: {said})"
    )
}

// Lookups

/// An address that isn't the wallet's.
pub const ADDRESS_NOT_MINE: &str = "Address does not belong to this wallet.";
/// The full node doesn't tell of a transaction.
pub const TRANSACTION_NOT_TOLD: &str = "Failed to get transaction data from the full node.";
/// The full node doesn't tell the height of the best block. (The misspelling is what clients match on.)
pub const HEIGHT_NOT_TOLD: &str = "Failed to get network heigth from the full node.";
/// A token that the full node doesn't know.
pub const TOKEN_UID_INVALID: &str = "Invalid token uid.";

/// A transaction that isn't in the wallet's history.
pub fn no_such_transaction(id: &str) -> String {
    format!("Wallet does not contain transaction with id {id}")
}

// Health and multisig

/// A health check of nothing.
pub const NOTHING_TO_CHECK: &str = "At least one component must be included in the health check";
/// A health check of more wallets than an answer may have.
pub const TOO_MANY_TO_CHECK: &str = "`wallet_ids` names too many wallets: at most 100, or `*` for all.";
/// A health check of a wallet that isn't started; its id follows.
pub const WALLET_ID_UNKNOWN_HEALTH: &str = "Invalid wallet id parameter: ";
pub const MULTISIG_SEED_KEY_MISSING: &str = "Parameter 'seedKey' is required.";

// Transactions given as hexadecimal text

/// `txHex` that is no hexadecimal text.
pub const INVALID_TX_HEX: &str = "Invalid txHex";
/// `mark_as_used` that is neither true nor false.
pub const INVALID_MARK: &str = "Invalid mark";
/// `ttl` that is no time.
pub const INVALID_TTL: &str = "Invalid ttl";
/// `partial_tx` that is no text.
pub const INVALID_PARTIAL_TX_FIELD: &str = "Invalid partial tx";
/// `partial_tx` that is no proposal.
pub const INVALID_PARTIAL_TX: &str = "Invalid PartialTx";
/// Neither of the two ways to give a transaction.
pub const TRANSACTION_MISSING: &str = "Required at least one of txHex or partial_tx";
pub const ONLY_ONE_TRANSACTION: &str = "Required only one of txHex or partialTx";
/// Bytes that are no transaction, or one of a kind that isn't supported.
pub const TRANSACTION_NOT_SUPPORTED: &str = "We currently support only the Transaction and CreateTokenTransaction \
    types. Other types will be supported in the future.";

/// A transaction spends one that neither the wallet nor the full node knows.
pub fn no_input_transaction(id: &str) -> String {
    format!("Could not find input transaction for txId {id}")
}

// Transactions signed elsewhere: what clients are told of each field.

pub const INVALID_OUTPUTS: &str = "Invalid outputs array";
pub const INVALID_ADDRESS: &str = "Invalid address";
pub const INVALID_TOKEN_UID: &str = "Invalid token uid";
pub const INVALID_INPUTS: &str = "Invalid inputs array";
pub const INVALID_CHANGE_ADDRESS: &str = "Invalid change address";
pub const INVALID_QUERY_TYPE: &str = "Invalid type";
pub const INVALID_FILTER_ADDRESS: &str = "Invalid filter_address";
pub const INVALID_HASH: &str = "Invalid hash";
pub const INVALID_INDEX: &str = "Invalid index";
/// A field that comes in several forms and is in none of them.
pub const INVALID_VALUES: &str = "Invalid value(s)";
/// `signatures` of add-signatures.
pub const INVALID_SIGNATURES: &str = "Invalid signatures";
/// The input of one of them.
pub const INVALID_SIGNATURE_INDEX: &str = "Invalid signature input index";
/// The input data of one of them.
pub const INVALID_SIGNATURE_DATA: &str = "Invalid signature data";
/// `signature` of input-data. (The plural is what clients match on; the other field has the singular.)
pub const INVALID_INPUT_SIGNATURE: &str = "Invalid signatures";
/// `signatures` of input-data.
pub const INVALID_INPUT_SIGNATURES: &str = "Invalid signature";
/// One signature for a wallet of several participants.
pub const MULTISIG: &str =
    "this wallet is multisig: `signatures` must have those of its participants, by their xpubs";
/// Signatures of several participants for a wallet of one key.
pub const NOT_MULTISIG: &str = "wallet is not MultiSig";
/// The signature of somebody who is no participant.
pub const UNKNOWN_SIGNER: &str = "signature from unknown signer";

// Transactions that several participants sign: what clients are told of each field.

pub const INVALID_OUTPUT_ADDRESS: &str = "Invalid output address";
pub const INVALID_OUTPUT_VALUE: &str = "Invalid output value";
pub const INVALID_INPUT_TX_ID: &str = "Invalid input txId";
/// The place of an output to spend.
pub const INVALID_INPUT_VALUE: &str = "Invalid input value";
/// `mark_inputs_as_used`, by another name.
pub const INVALID_MARK_INPUTS: &str = "Invalid mark_as_used argument";
pub const INVALID_SHARES: &str = "Invalid signatures array";
pub const INVALID_SHARE: &str = "Invalid signature";
/// A change address of somebody else.
pub const CHANGE_NOT_LOADED: &str = "Change address does not belong to the loaded wallet.";

/// Input data for an input that the transaction hasn't.
pub fn no_such_input(index: i128, inputs: usize) -> String {
    format!("There is no input {index}: the transaction has {inputs}, and they are counted from 0.")
}

// Wallets that can't sign: what release 0.39 answers is the name of the method that its library would have
// called.

pub const READ_ONLY_SIMPLE_SEND: &str = "sendTransaction";
pub const READ_ONLY_SEND: &str = "sendManyOutputsTransaction";
pub const READ_ONLY_CREATE: &str = "createNewToken";
pub const READ_ONLY_MINT: &str = "mintTokens";
pub const READ_ONLY_MELT: &str = "meltTokens";
pub const READ_ONLY_CONSOLIDATE: &str = "consolidateUtxos";
pub const READ_ONLY_CONTRACT: &str = "createNanoContractTransaction";
/// What release 0.39 says to a wallet that can't sign.
pub const READ_ONLY_BLUEPRINT: &str = "createOnChainBlueprintTransaction";
/// What release 0.39 says to a wallet that can't sign.
pub const READ_ONLY_SIGNATURES: &str = "getAllSignatures";

/// That the address that is to sign a call or a blueprint is not the wallet's.
pub fn caller_not_mine(address: &str) -> String {
    format!("Address used to sign the transaction ({address}) does not belong to the wallet.")
}
