//! A transaction read from its bytes: what it says by itself, without the ledger.

use super::history::DecodedScript;
use super::kinds::{Base64, Cents, Count, Hash, HexOrEmpty, List, Maybe, OrNull, PaidBy, Text, Uid, Weight};
use crate::api::answer::answer;
use crate::ledger::{Input, Network, Output, Transaction, VertexId};

/// A transaction read from its bytes.
pub struct PlainTransaction<'a> {
    pub transaction: &'a Transaction,
    /// The transaction's id, which the answer doesn't compute again.
    pub id: VertexId,
    /// Whose addresses the scripts are read with.
    pub network: Network,
}

answer! {
    /// A transaction read from its bytes.
    this: PlainTransaction<'_>, type "DecodedTransaction" {
        hash: Hash = this.id,
        version: Count = this.transaction.version(),
        weight: Weight = this.transaction.weight,
        /// Unix seconds.
        timestamp: Count = this.transaction.timestamp,
        nonce: Count = this.transaction.nonce,
        parents: [Hash] = *this.transaction.parents,
        tokens: [Uid] = *this.transaction.tokens,
        inputs: [PlainInput<'_>] = List(this.transaction.inputs.iter().map(PlainInput)),
        outputs: [PlainOutput<'_>] = List(
            this.transaction.outputs.iter().map(|output| PlainOutput { output, of: this })
        ),
        /// On creations of tokens.
        name: Maybe<Text> = this.transaction.creates.as_ref().map(|token| &token.name),
        /// On creations of tokens.
        symbol: Maybe<Text> = this.transaction.creates.as_ref().map(|token| &token.symbol),
        /// On creations of tokens.
        token_version: Maybe<PaidBy> = this.transaction.creates.as_ref().map(|token| token.version),
    }
}

struct PlainInput<'a>(&'a Input);

answer! {
    /// An input as its transaction has it.
    this: PlainInput<'_>, type "DecodedInput" {
        tx_id: Hash = this.0.spends.tx,
        index: Count = this.0.spends.index,
        /// In hexadecimal; empty if it is not signed.
        data: HexOrEmpty = *this.0.data,
    }
}

struct PlainOutput<'a> {
    output: &'a Output,
    of: &'a PlainTransaction<'a>,
}

answer! {
    /// An output as its transaction has it.
    this: PlainOutput<'_>, type "DecodedOutput" {
        value: Cents = this.output.value,
        token_data: Count = this.output.token_data.0,
        script: Base64 = *this.output.script,
        decoded: DecodedScript = DecodedScript::read(&this.output.script, this.of.network),
        /// The token's uid; `null` for the token that the transaction creates, whose uid is the
        /// transaction's id.
        token: OrNull<Uid> = this.of.transaction.token_at(this.output.token_data),
    }
}
