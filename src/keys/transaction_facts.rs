//! What a signer may ask of a transaction that it is to sign.

use super::SignerError;
use crate::ledger::VertexId;
use crate::rt::{BoxFuture, SendOutsideWasm, SyncOutsideWasm};
use std::future::ready;

/// Transactions and blocks: their ids and bytes.
pub type Previous = Vec<(VertexId, Vec<u8>)>;

/// What a signer may ask of a transaction.
pub trait TransactionFacts: SendOutsideWasm + SyncOutsideWasm {
    /// The bytes of all that it spends, each once: whoever hashes them has their ids, and takes nobody's
    /// word.
    fn previous(&self) -> BoxFuture<'_, Result<Previous, SignerError>>;
    /// The places of the outputs that pay the wallet, each with the index of the address.
    fn own_outputs(&self) -> Vec<(u8, u32)>;
}

/// For signers that ask for nothing, as words in memory do.
#[derive(Clone, Copy, Debug)]
pub struct Unasked;

impl TransactionFacts for Unasked {
    fn previous(&self) -> BoxFuture<'_, Result<Previous, SignerError>> {
        Box::pin(ready(Ok(Vec::new())))
    }
    fn own_outputs(&self) -> Vec<(u8, u32)> {
        Vec::new()
    }
}
