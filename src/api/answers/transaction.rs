//! A transaction that was sent, member by member in the order of hathor-wallet-headless.

use super::kinds::{
    Bytes, Cents, Change, Count, Flatten, Hash, Hex, HexOrEmpty, List, Maybe, Null, PaidBy, Text, TokenData,
    Uid, Weight,
};
use super::nano::NodeJson;
use crate::api::Compat;
use crate::api::answer::answer;
use crate::ledger::nano::{Blueprint, MAX_CODE_TEXT_BYTES, NanoAction, NanoHeader};
use crate::ledger::{
    Address, ConfigurationString, Cost, FeeEntry, Header, Input, Output, TokenInfo, TokenUid, Transaction,
    VertexId,
};
use serde_json::Value;

/// The answer of every request that sends a transaction.
pub struct TransactionAnswer<'a> {
    pub transaction: &'a Transaction,
    /// The transaction's id, which the answer doesn't compute again.
    pub id: VertexId,
    pub compat: Compat,
}

answer! {
    /// A sent transaction.
    this: TransactionAnswer<'_> as "Transaction", type "Transaction" {
        success = true,
        start: Flatten<Start<'_>> = Flatten(&Start { tx: this.transaction, compat: this.compat }),
        /// The uids of its custom tokens.
        tokens: [Uid] = *this.transaction.tokens,
        /// The transaction's id.
        hash: Hash = this.id,
        end: Flatten<End<'_>> = Flatten(&End { tx: this.transaction, compat: this.compat }),
        published: Flatten<Published<'_>> = Flatten(&Published { tx: this.transaction, compat: this.compat }),
    }
}

/// The answer of a token's creation: a [`TransactionAnswer`] that also has `configurationString`.
pub struct CreatedToken<'a> {
    pub transaction: &'a Transaction,
    pub token: &'a TokenInfo,
    /// The transaction's id, which is the new token's uid.
    pub id: VertexId,
    pub compat: Compat,
}

impl CreatedToken<'_> {
    fn configuration(&self) -> ConfigurationString {
        let TokenInfo { name, symbol, .. } = self.token.clone();
        ConfigurationString { uid: TokenUid::Custom(self.id), name, symbol }
    }
}

answer! {
    /// A sent transaction that creates a token or NFT. Its `hash` is the token's uid.
    this: CreatedToken<'_> as "CreatedToken", type "CreatedToken" {
        success = true,
        /// `[name:symbol:uid:checksum]`.
        configurationString: Text = this.configuration(),
        start: Flatten<Start<'_>> = Flatten(&Start { tx: this.transaction, compat: this.compat }),
        tokens if creation_has_tokens: [Uid] = *this.transaction.tokens,
        /// The transaction's id.
        hash: Hash = this.id,
        end: Flatten<End<'_>> = Flatten(&End { tx: this.transaction, compat: this.compat }),
        name: Text = this.token.name,
        symbol: Text = this.token.symbol,
        tokenVersion if transaction_has_more_fields: PaidBy = this.token.version,
    }
}

/// The answer of a template that was run: as push-tx, without nesting.
pub struct TemplateAnswer<'a>(pub PushedAnswer<'a>);

answer! {
    /// A sent transaction of a template.
    this: TemplateAnswer<'_> as "TemplateTransaction", type "TemplateTransaction" {
        success = true,
        transaction: Flatten<Nested<'_>> = Flatten(&Nested(&this.0)),
    }
}

/// The answer of push-tx, which nests the transaction.
pub struct PushedAnswer<'a> {
    pub transaction: &'a Transaction,
    pub id: VertexId,
    pub compat: Compat,
}

answer! {
    /// A pushed transaction.
    this: PushedAnswer<'_> as "Pushed", type "PushedTransaction" {
        success = true,
        tx: Nested<'_> = Nested(this),
    }
}

struct Nested<'a>(&'a PushedAnswer<'a>);

answer! {
    /// A transaction of any kind.
    this: Nested<'_> as "PlainTransaction", type "NestedTransaction" {
        start: Flatten<Start<'_>> = Flatten(&Start { tx: this.0.transaction, compat: this.0.compat }),
        tokens: Maybe<[Uid]> = tokens(this.0.transaction, this.0.compat),
        /// The transaction's id.
        hash: Hash = this.0.id,
        end: Flatten<End<'_>> = Flatten(&End { tx: this.0.transaction, compat: this.0.compat }),
        created: Flatten<Created<'_>> = Flatten(&Created { tx: this.0.transaction, compat: this.0.compat }),
    }
}

/// A transaction that would be sent, and what it would cost: not signed, without parents and proof of work,
/// so that it has no hash yet.
pub struct DryRunAnswer<'a> {
    pub transaction: &'a Transaction,
    pub cost: Cost,
    /// The called method of the contract.
    pub arguments: Vec<ArgumentAnswer<'a>>,
    pub compat: Compat,
}

/// An argument of a contract's method.
#[derive(Clone, Copy)]
pub struct ArgumentAnswer<'a> {
    /// The name of its type.
    pub of: &'a str,
    pub value: &'a Value,
}

answer! {
    /// An argument of a contract's method, read from the bytes that are signed.
    this: ArgumentAnswer<'_> as "Argument", type "Argument" {
        /// As the full node reports it, unless `arg_types` requires it.
        type: Text = this.of,
        value: NodeJson = *this.value,
    }
}

answer! {
    /// A transaction of a dry run, and its cost in HTR. It is unsigned, and has neither parents nor proof of
    /// work.
    this: DryRunAnswer<'_> as "DryRun", type "DryRun" {
        success = true,
        dry_run = true,
        cost: Cost,
        /// The transaction; `decode` shows its effect on the wallet.
        txHex: Maybe<Hex> = this.transaction.to_bytes().ok(),
        /// The called method of the contract.
        arguments: Maybe<[ArgumentAnswer<'_>]> = (!this.arguments.is_empty()).then(|| List(this.arguments.iter().copied())),
        start: Flatten<Start<'_>> = Flatten(&Start { tx: this.transaction, compat: this.compat }),
        tokens: Maybe<[Uid]> = tokens(this.transaction, this.compat),
        /// Not set yet.
        hash: Null = (),
        end: Flatten<End<'_>> = Flatten(&End { tx: this.transaction, compat: this.compat }),
        created: Flatten<Created<'_>> = Flatten(&Created { tx: this.transaction, compat: this.compat }),
    }
}

answer! {
    /// The cost of a transaction, in HTR cents.
    this: Cost as "Cost", type "Cost" {
        /// HTR that goes into a deposit; negative if melting returns some.
        deposit: Change,
        /// HTR paid for moving fee tokens.
        fee: Cents,
        /// HTR in data outputs.
        data: Cents,
        /// All of these.
        total: Change = this.total(),
    }
}

/// What stands first in every transaction.
struct Start<'a> {
    tx: &'a Transaction,
    compat: Compat,
}

answer! {
    this: Start<'_> {
        inputs: [InputAnswer<'_>] = List(this.tx.inputs.iter().map(|input| InputAnswer { input, compat: this.compat })),
        outputs: [OutputAnswer<'_>] =
            List(this.tx.outputs.iter().map(|output| OutputAnswer { output, compat: this.compat })),
        signalBits if transaction_has_more_fields: Count = this.tx.signal_bits,
        /// The transaction's version: 1, 2 where it creates a token, or 6 for a blueprint.
        version: Count = this.tx.version(),
        /// Of the proof of work.
        weight: Weight = this.tx.weight,
        nonce: Count = this.tx.nonce,
        /// Unix seconds.
        timestamp: Count = this.tx.timestamp,
        parents: [Hash] = *this.tx.parents,
    }
}

/// Its custom tokens, where it is answered with them.
fn tokens(tx: &Transaction, compat: Compat) -> Option<&[VertexId]> {
    (tx.creates.is_none() || compat.creation_has_tokens()).then_some(&tx.tokens)
}

/// What stands after the transaction's id.
struct End<'a> {
    tx: &'a Transaction,
    compat: Compat,
}

answer! {
    this: End<'_> {
        /// The call of a contract, and the fees.
        headers: Maybe<[HeaderAnswer<'_>]> =
            this.has_headers().then(|| List(this.tx.headers.iter().map(|header| HeaderAnswer { header, compat: this.compat }))),
        _dataToSignCache if has_library_members: Null = (),
    }
}

impl End<'_> {
    /// A call's are always told, so that a dry run shows what is called and what that moves.
    fn has_headers(&self) -> bool {
        self.compat.transaction_has_more_fields() || self.tx.nano().is_some()
    }
}

/// The token that it creates, if it does.
struct Created<'a> {
    tx: &'a Transaction,
    compat: Compat,
}

answer! {
    this: Created<'_> {
        /// On creations of tokens.
        name: Maybe<Text> = this.tx.creates.as_ref().map(|token| &token.name),
        /// On creations of tokens.
        symbol: Maybe<Text> = this.tx.creates.as_ref().map(|token| &token.symbol),
        tokenVersion if transaction_has_more_fields: Maybe<PaidBy> =
            this.tx.creates.as_ref().map(|token| token.version),
    }
}

/// The blueprint that it is, if it is one.
struct Published<'a> {
    tx: &'a Transaction,
    compat: Compat,
}

impl Published<'_> {
    fn blueprint(&self) -> Option<&Blueprint> {
        // Only the server answers so; the package need not be able to decompress.
        self.tx.blueprint.as_deref().filter(|_| cfg!(feature = "native"))
    }
}

answer! {
    this: Published<'_> {
        code if transaction_has_more_fields: Maybe<Code> = this.blueprint().map(Code::of),
        pubkey if transaction_has_more_fields: Maybe<Bytes<'_>> =
            this.blueprint().map(|blueprint| Bytes(&blueprint.public_key)),
        signature if transaction_has_more_fields: Maybe<Bytes<'_>> =
            this.blueprint().map(|blueprint| Bytes(&blueprint.signature)),
    }
}

/// The code of a blueprint, not compressed.
struct Code(Vec<u8>);

impl Code {
    fn of(blueprint: &Blueprint) -> Self {
        let most = MAX_CODE_TEXT_BYTES;
        let code = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(&blueprint.code, most);
        Self(code.unwrap_or_default())
    }
}

answer! {
    this: Code {
        /// Python, compressed by zlib on the ledger.
        kind: Count = 1_u8,
        content: Bytes<'_> = Bytes(&this.0),
    }
}

struct InputAnswer<'a> {
    input: &'a Input,
    compat: Compat,
}

answer! {
    /// An input of a sent transaction.
    this: InputAnswer<'_> as "Input", type "TransactionInput" {
        hash: Hash = this.input.spends.tx,
        index: Count = this.input.spends.index,
        data if has_library_members: Bytes<'_> = Bytes(&this.input.data),
        /// Signature and public key, in hexadecimal.
        data if has_hex: HexOrEmpty = *this.input.data,
        tx_id: Hash = this.input.spends.tx,
    }
}

struct OutputAnswer<'a> {
    output: &'a Output,
    compat: Compat,
}

answer! {
    /// An output of a sent transaction.
    this: OutputAnswer<'_> as "Output", type "TransactionOutput" {
        value: Cents = this.output.value,
        tokenData: TokenData = this.output.token_data,
        script if has_library_members: Bytes<'_> = Bytes(&this.output.script),
        /// In hexadecimal.
        script if has_hex: HexOrEmpty = *this.output.script,
        decodedScript if has_library_members: Null = (),
        token_data if has_library_members: TokenData = this.output.token_data,
    }
}

struct HeaderAnswer<'a> {
    header: &'a Header,
    compat: Compat,
}

impl<'a> HeaderAnswer<'a> {
    fn call(&self) -> Option<&'a NanoHeader> {
        self.header.call()
    }
    fn entries(&self) -> Option<List<impl Iterator<Item = FeeEntryAnswer<'a>> + Clone>> {
        let is_fee = matches!(self.header, Header::Fee(_));
        is_fee.then(|| List(self.header.fees().iter().map(FeeEntryAnswer)))
    }
}

answer! {
    /// Fees, or a call of a contract.
    this: HeaderAnswer<'_> as "TransactionHeader" {
        entries: Maybe<[FeeEntryAnswer<'_>]> = this.entries(),
        /// The contract, or for a new one its blueprint.
        id: Maybe<Hash> = this.call().map(|call| call.id),
        method: Maybe<Text> = this.call().map(|call| &call.method),
        args if has_library_members: Maybe<Bytes<'_>> = this.call().map(|call| Bytes(&call.args)),
        /// In hexadecimal.
        args if has_hex: Maybe<HexOrEmpty> = this.call().map(|call| &*call.args),
        actions: Maybe<[HeaderAction<'_>]> =
            this.call().map(|call| List(call.actions.iter().map(HeaderAction))),
        address: Maybe<Caller> = this.call().map(|call| Caller(call.caller)),
        seqnum: Maybe<Count> = this.call().map(|call| call.seqnum),
        script if has_library_members: Maybe<Bytes<'_>> = this.call().map(|call| Bytes(&call.script)),
        /// The caller's signature, in hexadecimal.
        script if has_hex: Maybe<HexOrEmpty> = this.call().map(|call| &*call.script),
    }
}

struct HeaderAction<'a>(&'a NanoAction);

answer! {
    this: HeaderAction<'_> {
        /// 1 deposit, 2 withdrawal, 3 grant of an authority, 4 acquisition of one.
        type: Count = this.0.kind as u8,
        amount: Cents = this.0.amount,
        tokenIndex: Count = this.0.token_index,
    }
}

struct Caller(Address);

answer! {
    this: Caller {
        base58: Text = this.0,
    }
}

struct FeeEntryAnswer<'a>(&'a FeeEntry);

answer! {
    this: FeeEntryAnswer<'_> {
        tokenIndex: Count = this.0.token_index,
        amount: Cents = this.0.amount,
    }
}
