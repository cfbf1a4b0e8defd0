//! The answer of decode: a transaction in words, and what it would do to the wallet.

use super::history::{Data, DecodedScript, Payment, UnknownScript};
use super::kinds::{
    Base64, ByName, Cents, Change as SignedCents, Count, Flag, Hash, List, Maybe, OutputType, TokenData,
    TransactionType, Uid,
};
use crate::api::answer::{answer, any_of};
use crate::ledger::{
    self, Change, Input, Network, Output, Script, SpentOutput, TokenChange, TokenUid, Transaction,
};
use litemap::LiteMap;
use serde::Serialize;

/// An input with what it spends.
#[derive(Clone, Debug, PartialEq)]
pub struct DecodedInput {
    #[allow(missing_docs)]
    pub spends: SpentOutput,
    /// Whether that is the wallet's.
    pub mine: bool,
    /// Whether it can't be spent yet.
    pub locked: bool,
}

/// A transaction in words.
pub struct DecodedTransaction<'a> {
    #[allow(missing_docs)]
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
    /// A transaction in words, and what it would do to the wallet.
    this: DecodedTransaction<'_> as "Decoded", type "TransactionEffect" {
        success = true,
        tx: Words<'_> = Words(this),
        /// What it does to the wallet, by token; a token that it creates is called `undefined`.
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
        let mut count = |token: Option<TokenUid>, data: ledger::TokenData, value, locked, sign| {
            let uid = token.map_or_else(|| NO_UID.to_owned(), |token| token.to_string());
            balance.entry(uid).or_default().count(data.is_authority(), value, locked, sign);
        };
        for DecodedInput { spends, locked, .. } in self.inputs.iter().filter(|input| input.mine) {
            count(Some(spends.token), spends.token_data, spends.value, *locked, -1);
        }
        for (output, _) in self.transaction.outputs.iter().zip(self.outputs_mine).filter(|(_, mine)| **mine) {
            let script = Script::parse(&output.script, self.network);
            let locked = matches!(script, Some(Script::Pay { timelock: Some(lock), .. }) if self.now <= lock);
            count(self.token(output), output.token_data, output.value, locked, 1);
        }
        balance
    }
}

answer! {
    this: Change {
        /// Below zero for what goes out.
        available: SignedCents = this.unlocked,
        /// Below zero for what goes out.
        locked: SignedCents,
    }
}

answer! {
    /// What a transaction does to the wallet's holding of one token.
    this: TokenChange as "Effect", type "TokenEffect" {
        tokens: Change = this.amount,
        authorities: Authorities<'_> = Authorities(this),
    }
}

struct Authorities<'a>(&'a TokenChange);

answer! {
    this: Authorities<'_> {
        melt: Change = this.0.melt,
        mint: Change = this.0.mint,
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
    /// A transaction in words.
    this: Words<'_> as "DecodedTransaction", type "TransactionInWords" {
        version: Count = this.0.transaction.version(),
        type: TransactionType = this.kind(),
        tokens: [Uid] = *this.0.transaction.tokens,
        inputs: [InputWords<'_>] = List(this.inputs()),
        outputs: [OutputWords<'_>] = List(this.outputs()),
        completeSignatures: Flag = this.is_signed(),
    }
}

struct InputWords<'a> {
    own: &'a Input,
    input: &'a DecodedInput,
    network: Network,
}

answer! {
    /// An input in words.
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
        /// Whether it spends what is the wallet's.
        mine: Flag = this.input.mine,
    }
}

struct OutputWords<'a> {
    of: &'a DecodedTransaction<'a>,
    output: &'a Output,
    mine: bool,
}

answer! {
    /// An output in words.
    this: OutputWords<'_> as "DecodedOutput", type "OutputInWords" {
        value: Cents = this.output.value,
        token_data: TokenData = this.output.token_data,
        tokenData: TokenData = this.output.token_data,
        script: Base64 = *this.output.script,
        type: OutputType = Script::parse(&this.output.script, this.of.network),
        decoded: ScriptWords = ScriptWords::read(&this.output.script, this.of.network),
        /// Whether it is the wallet's.
        mine: Flag,
        /// Not there for a token that the transaction creates.
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
