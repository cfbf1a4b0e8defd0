//! The answer of decode: a transaction in words, and what it would do to the wallet.

use super::history::Decoded;
use super::json::{Cents, List, Text};
use crate::ledger::{AddressKind, Amount, Network, Output, Script, SpentOutput, TokenUid, Transaction};
use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::collections::BTreeMap;

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

impl Serialize for DecodedTransaction<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("success", &true)?;
        map.serialize_entry("tx", &Words(self))?;
        map.serialize_entry("balance", &self.balance())?;
        map.end()
    }
}

/// How the uid of a token is written that the transaction creates: it has none yet.
const NO_UID: &str = "undefined";

impl DecodedTransaction<'_> {
    fn token(&self, output: &Output) -> Option<TokenUid> {
        self.transaction.token_at(output.token_data)
    }

    fn balance(&self) -> BTreeMap<String, Effect> {
        let mut balance: BTreeMap<String, Effect> = BTreeMap::new();
        let mut count =
            |token: Option<TokenUid>, authority: bool, value: Amount, locked: bool, sign: i128| {
                let uid = token.map_or_else(|| NO_UID.to_owned(), |token| token.to_string());
                let effect = balance.entry(uid).or_default();
                if !authority {
                    let amount = i128::try_from(value.cents()).unwrap_or(i128::MAX);
                    effect.tokens.add(locked, sign.saturating_mul(amount));
                    return;
                }
                for (bit, sums) in [(Output::MINT, &mut effect.mint), (Output::MELT, &mut effect.melt)] {
                    if value.cents() & u128::from(bit) != 0 {
                        sums.add(locked, sign);
                    }
                }
            };
        for DecodedInput { spends, locked, .. } in self.inputs.iter().filter(|input| input.mine) {
            count(Some(spends.token), spends.token_data.is_authority(), spends.value, *locked, -1);
        }
        for (output, _) in self.transaction.outputs.iter().zip(self.outputs_mine).filter(|(_, mine)| **mine) {
            let script = Script::parse(&output.script, self.network);
            let locked = matches!(script, Some(Script::Pay { timelock: Some(lock), .. }) if self.now <= lock);
            count(self.token(output), output.token_data.is_authority(), output.value, locked, 1);
        }
        balance
    }
}

/// What a transaction does to the wallet's holding of one token.
#[derive(Default)]
struct Effect {
    tokens: Sums,
    mint: Sums,
    melt: Sums,
}

/// Below zero for what goes out.
#[derive(Default)]
struct Sums {
    available: i128,
    locked: i128,
}

impl Sums {
    fn add(&mut self, locked: bool, change: i128) {
        let sum = if locked { &mut self.locked } else { &mut self.available };
        *sum = sum.saturating_add(change);
    }
}

impl Serialize for Sums {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("available", &self.available)?;
        map.serialize_entry("locked", &self.locked)?;
        map.end()
    }
}

impl Serialize for Effect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let authorities = BTreeMap::from([("melt", &self.melt), ("mint", &self.mint)]);
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("tokens", &self.tokens)?;
        map.serialize_entry("authorities", &authorities)?;
        map.end()
    }
}

struct Words<'a>(&'a DecodedTransaction<'a>);

impl Serialize for Words<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let DecodedTransaction { transaction, inputs, outputs_mine, .. } = self.0;
        let kind = if transaction.creates.is_some() { "Create Token Transaction" } else { "Transaction" };
        let mut map = serializer.serialize_map(Some(6))?;
        map.serialize_entry("version", &transaction.version())?;
        map.serialize_entry("type", kind)?;
        map.serialize_entry("tokens", &List(|| transaction.tokens.iter().map(Text)))?;
        let indexes = 0..transaction.inputs.len();
        let inputs = indexes.zip(*inputs);
        map.serialize_entry(
            "inputs",
            &List(|| inputs.clone().map(|(i, input)| InputWords(self.0, i, input))),
        )?;
        let outputs = transaction.outputs.iter().zip(*outputs_mine);
        map.serialize_entry(
            "outputs",
            &List(|| outputs.clone().map(|(output, mine)| OutputWords(self.0, output, *mine))),
        )?;
        let signed = transaction.inputs.iter().filter(|input| !input.data.is_empty()).count();
        // Where there is nothing to sign, nothing is.
        let complete = signed > 0 && signed == transaction.inputs.len();
        map.serialize_entry("completeSignatures", &complete)?;
        map.end()
    }
}

struct InputWords<'a>(&'a DecodedTransaction<'a>, usize, &'a DecodedInput);

impl Serialize for InputWords<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(of, index, DecodedInput { spends, mine, .. }) = self;
        let input = &of.transaction.inputs[*index];
        let mut map = serializer.serialize_map(Some(10))?;
        map.serialize_entry("txId", &Text(input.spends.tx))?;
        map.serialize_entry("index", &input.spends.index)?;
        map.serialize_entry("decoded", &Decoded(Script::parse(&spends.script, of.network)))?;
        map.serialize_entry("token", &Text(spends.token))?;
        map.serialize_entry("value", &Cents(spends.value))?;
        map.serialize_entry("token_data", &spends.token_data.0)?;
        map.serialize_entry("tokenData", &spends.token_data.0)?;
        map.serialize_entry("script", &Text(Base64Display::new(&spends.script, &STANDARD)))?;
        map.serialize_entry("signed", &!input.data.is_empty())?;
        map.serialize_entry("mine", mine)?;
        map.end()
    }
}

struct OutputWords<'a>(&'a DecodedTransaction<'a>, &'a Output, bool);

impl Serialize for OutputWords<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(of, output, mine) = self;
        let script = Script::parse(&output.script, of.network);
        let kind = match &script {
            Some(Script::Pay { to, .. }) if to.kind() == AddressKind::P2sh => "p2sh",
            Some(Script::Pay { .. }) => "p2pkh",
            Some(Script::Data(_)) => "data",
            None => "unknown",
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("value", &Cents(output.value))?;
        map.serialize_entry("token_data", &output.token_data.0)?;
        map.serialize_entry("tokenData", &output.token_data.0)?;
        map.serialize_entry("script", &Text(Base64Display::new(&output.script, &STANDARD)))?;
        map.serialize_entry("type", kind)?;
        map.serialize_entry("decoded", &ScriptWords(&script))?;
        map.serialize_entry("mine", mine)?;
        if let Some(token) = of.token(output) {
            map.serialize_entry("token", &Text(token))?;
        }
        map.end()
    }
}

/// `{address, timelock}` or `{data}`.
struct ScriptWords<'a>(&'a Option<Script>);

impl Serialize for ScriptWords<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self.0 {
            Some(Script::Pay { to, timelock }) => {
                map.serialize_entry("address", &Text(to))?;
                map.serialize_entry("timelock", timelock)?;
            }
            Some(Script::Data(text)) => map.serialize_entry("data", text)?,
            None => {}
        }
        map.end()
    }
}
