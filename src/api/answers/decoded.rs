//! The answer of decode: a transaction in words, and what it would do to the wallet.

use super::history::{Data, DecodedScript, Payment, UnknownScript};
use super::kinds::{
    Base64, ByName, Cents, Change as SignedCents, Count, Flag, Hash, HexOrEmpty, List, Maybe, OrNull,
    OutputType, PaidBy, Text, TokenData, TransactionType, Uid, Weight,
};
use crate::api::answer::{answer, any_of};
use crate::ledger::nano::{ActionKind, Blueprint, NanoAction, NanoHeader};
use crate::ledger::{
    self, Amount, Change, FeeEntry, Header, Input, Network, Output, Script, SignedAmount, SpentOutput,
    TokenChange, TokenUid, Transaction, VertexId,
};
use litemap::LiteMap;
use serde::Serialize;

/// An input with what it spends.
#[derive(Clone, Debug, PartialEq)]
pub struct DecodedInput {
    pub spends: SpentOutput,
    /// Whether that is the wallet's.
    pub mine: bool,
    /// Whether it is locked.
    pub locked: bool,
}

/// A decoded transaction.
pub struct DecodedTransaction<'a> {
    pub transaction: &'a Transaction,
    /// What each input spends.
    pub inputs: &'a [DecodedInput],
    /// Whether each output is the wallet's.
    pub outputs_mine: &'a [bool],
    /// Unix seconds: outputs with a later lock count as locked.
    pub now: u32,
    /// Whose addresses the scripts are read with.
    pub network: Network,
}

answer! {
    /// A decoded transaction, and its effect on the wallet.
    this: DecodedTransaction<'_> as "Decoded", type "TransactionEffect" {
        success = true,
        tx: Words<'_> = Words(this),
        /// Its effect on the wallet, by token; a token that it creates is called `undefined`.
        balance: ByName<TokenChange> = List(this.balance().iter()),
    }
}

/// How the uid of a token is written that the transaction creates: it has none yet.
const NO_UID: &str = "undefined";

impl DecodedTransaction<'_> {
    fn token(&self, output: &Output) -> Option<TokenUid> {
        self.transaction.token_at(output.token_data)
    }

    fn balance(&self) -> LiteMap<String, TokenChange> {
        let mut balance: LiteMap<String, TokenChange> = LiteMap::new();
        let mut count = |token: Option<TokenUid>, data: ledger::TokenData, value, locked, is_spent| {
            let uid = token.map_or_else(|| NO_UID.to_owned(), |token| token.to_string());
            balance.entry(uid).or_default().count(data.is_authority(), value, locked, is_spent);
        };
        for DecodedInput { spends, locked, .. } in self.inputs.iter().filter(|input| input.mine) {
            count(Some(spends.token), spends.token_data, spends.value, *locked, true);
        }
        for (output, _) in self.transaction.outputs.iter().zip(self.outputs_mine).filter(|(_, mine)| **mine) {
            let script = Script::parse(&output.script, self.network);
            let locked = matches!(script, Some(Script::Pay { timelock: Some(lock), .. }) if self.now <= lock);
            count(self.token(output), output.token_data, output.value, locked, false);
        }
        balance
    }
}

answer! {
    this: Change<SignedAmount> {
        /// Negative for outgoing amounts.
        available: SignedCents = this.unlocked,
        /// Negative for outgoing amounts.
        locked: SignedCents,
    }
}

answer! {
    this: Change<i64> {
        /// Negative for outgoing amounts.
        available: SignedCents = this.unlocked,
        /// Negative for outgoing amounts.
        locked: SignedCents,
    }
}

answer! {
    /// The effect of a transaction on the wallet's balance of one token.
    this: TokenChange as "Effect", type "TokenEffect" {
        tokens: Change<SignedAmount> = this.amount,
        authorities: Authorities<'_> = Authorities(this),
    }
}

struct Authorities<'a>(&'a TokenChange);

answer! {
    this: Authorities<'_> {
        melt: Change<i64> = this.0.melt,
        mint: Change<i64> = this.0.mint,
    }
}

struct Words<'a>(&'a DecodedTransaction<'a>);

impl Words<'_> {
    fn inputs(&self) -> impl Iterator<Item = InputWords<'_>> + Clone {
        let network = self.0.network;
        let inputs = self.0.transaction.inputs.iter().zip(self.0.inputs);
        inputs.map(move |(own, input)| InputWords { own, input, network })
    }
    fn outputs(&self) -> impl Iterator<Item = OutputWords<'_>> + Clone {
        let outputs = self.0.transaction.outputs.iter().zip(self.0.outputs_mine);
        outputs.map(|(output, &mine)| OutputWords { of: self.0, output, mine })
    }
    fn call(&self) -> Option<CallWords<'_>> {
        let transaction = self.0.transaction;
        transaction.nano().map(|call| CallWords { call, transaction })
    }
    fn fees(&self) -> Option<List<impl Iterator<Item = FeeWords<'_>> + Clone>> {
        let transaction = self.0.transaction;
        let has_fees = transaction.headers.iter().any(|header| matches!(header, Header::Fee(_)));
        let entries = transaction.headers.iter().flat_map(Header::fees);
        has_fees.then(|| List(entries.map(move |fee| FeeWords { fee, transaction })))
    }
    const fn kind(&self) -> &'static str {
        if self.0.transaction.creates.is_some() { "Create Token Transaction" } else { "Transaction" }
    }
    fn is_signed(&self) -> bool {
        let inputs = &self.0.transaction.inputs;
        // Where there is nothing to sign, nothing is.
        !inputs.is_empty() && inputs.iter().all(|input| !input.data.is_empty())
    }
}

answer! {
    /// A decoded transaction.
    this: Words<'_> as "DecodedTransaction", type "TransactionInWords" {
        version: Count = this.0.transaction.version(),
        type: TransactionType = this.kind(),
        tokens: [Uid] = *this.0.transaction.tokens,
        inputs: [InputWords<'_>] = List(this.inputs()),
        outputs: [OutputWords<'_>] = List(this.outputs()),
        completeSignatures: Flag = this.is_signed(),
        /// The call of a contract, if it makes one.
        nano: Maybe<CallWords<'_>> = this.call(),
        /// The fees for fee tokens.
        fees: Maybe<[FeeWords<'_>]> = this.fees(),
        /// The blueprint, if it is one.
        blueprint: Maybe<BlueprintWords<'_>> = this.0.transaction.blueprint.as_deref().map(BlueprintWords),
    }
}

/// The token at this place of the transaction's list.
fn token_at(transaction: &Transaction, index: u8) -> Option<TokenUid> {
    // Past 127 there are none; as an output's byte it would mean an authority over another one.
    (index < ledger::TokenData::AUTHORITY)
        .then(|| transaction.token_at(ledger::TokenData::token(index)))
        .flatten()
}

struct CallWords<'a> {
    call: &'a NanoHeader,
    transaction: &'a Transaction,
}

impl CallWords<'_> {
    fn actions(&self) -> impl Iterator<Item = ActionWords<'_>> + Clone {
        self.call.actions.iter().map(|action| ActionWords { action, transaction: self.transaction })
    }
}

answer! {
    /// A call of a contract.
    this: CallWords<'_> as "DecodedCall", type "CallInWords" {
        /// The contract, or for a new one (`initialize`) its blueprint.
        nc_id: Hash = this.call.id,
        nc_method: Text = this.call.method,
        /// The caller.
        nc_address: Text = this.call.caller,
        /// The sequence number of the caller's calls.
        nc_seqnum: Count = this.call.seqnum,
        /// The arguments, in hexadecimal.
        nc_args: HexOrEmpty = *this.call.args,
        actions: [ActionWords<'_>] = List(this.actions()),
    }
}

struct ActionWords<'a> {
    action: &'a NanoAction,
    transaction: &'a Transaction,
}

impl ActionWords<'_> {
    const fn is_of_authority(&self) -> bool {
        matches!(self.action.kind, ActionKind::GrantAuthority | ActionKind::AcquireAuthority)
    }
    fn amount(&self) -> Option<Amount> {
        (!self.is_of_authority()).then_some(self.action.amount)
    }
    fn has_authority(&self, bit: u8) -> Option<bool> {
        self.is_of_authority().then_some(self.action.amount.cents() & u128::from(bit) != 0)
    }
}

answer! {
    /// An action of a call: into the contract (`deposit`, `grant_authority`) or out of it (`withdrawal`,
    /// `acquire_authority`).
    this: ActionWords<'_> as "DecodedAction", type "ActionInWords" {
        type: Text = this.action.kind.name(),
        /// Absent for a token that the transaction creates.
        token: Maybe<Uid> = token_at(this.transaction, this.action.token_index),
        /// Of deposits and withdrawals.
        amount: Maybe<Cents> = this.amount(),
        /// Of authorities.
        mint: Maybe<Flag> = this.has_authority(Output::MINT),
        /// Of authorities.
        melt: Maybe<Flag> = this.has_authority(Output::MELT),
    }
}

struct FeeWords<'a> {
    fee: &'a FeeEntry,
    transaction: &'a Transaction,
}

answer! {
    /// A paid fee.
    this: FeeWords<'_> as "DecodedFee", type "FeeInWords" {
        /// Absent for a token that the transaction creates.
        token: Maybe<Uid> = token_at(this.transaction, this.fee.token_index),
        amount: Cents = this.fee.amount,
    }
}

struct BlueprintWords<'a>(&'a Blueprint);

answer! {
    /// A blueprint published on the ledger.
    this: BlueprintWords<'_> as "DecodedBlueprint", type "BlueprintInWords" {
        /// The size of its compressed code in bytes.
        code_size: Count = this.0.code.len(),
        /// The compressed public key of the signer.
        public_key: HexOrEmpty = *this.0.public_key,
    }
}

struct InputWords<'a> {
    own: &'a Input,
    input: &'a DecodedInput,
    network: Network,
}

answer! {
    /// A decoded input.
    this: InputWords<'_> as "DecodedInput", type "InputInWords" {
        txId: Hash = this.own.spends.tx,
        index: Count = this.own.spends.index,
        decoded: DecodedScript = DecodedScript::read(&this.input.spends.script, this.network),
        token: Uid = this.input.spends.token,
        value: Cents = this.input.spends.value,
        token_data: TokenData = this.input.spends.token_data,
        tokenData: TokenData = this.input.spends.token_data,
        script: Base64 = *this.input.spends.script,
        signed: Flag = !this.own.data.is_empty(),
        /// Whether it spends an output of the wallet.
        mine: Flag = this.input.mine,
    }
}

struct OutputWords<'a> {
    of: &'a DecodedTransaction<'a>,
    output: &'a Output,
    mine: bool,
}

answer! {
    /// A decoded output.
    this: OutputWords<'_> as "DecodedOutput", type "OutputInWords" {
        value: Cents = this.output.value,
        token_data: TokenData = this.output.token_data,
        tokenData: TokenData = this.output.token_data,
        script: Base64 = *this.output.script,
        type: OutputType = Script::parse(&this.output.script, this.of.network),
        decoded: ScriptWords = ScriptWords::read(&this.output.script, this.of.network),
        /// Whether it belongs to the wallet.
        mine: Flag,
        /// Absent for a token that the transaction creates.
        token: Maybe<Uid> = this.of.token(this.output),
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum ScriptWords {
    Payment(Payment),
    Data(Data),
    Unknown(UnknownScript),
}

any_of!(ScriptWords: Payment | Data | UnknownScript);

impl ScriptWords {
    fn read(script: &[u8], network: Network) -> Self {
        match Script::parse(script, network) {
            Some(Script::Pay { to, timelock }) => Self::Payment(Payment { to, timelock }),
            Some(Script::Data(text)) => Self::Data(Data { text }),
            None => Self::Unknown(UnknownScript),
        }
    }
}

// A transaction read from its bytes: what it says by itself, without the ledger.

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
    /// An input of a decoded transaction.
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
    /// An output of a decoded transaction.
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
