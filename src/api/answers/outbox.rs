//! What those are told who listen for payments and sends: events that are kept until they are told.

use super::kinds::{ByName, Cents, Change, Count, Hash, List, Maybe, Text, Uid, kind};
use crate::api::answer::answer;
use crate::ledger::{Amount, Network, Script, SignedAmount, SpentOutput, TokenUid, Vertex};
use serde_json::value::RawValue;

/// What a deposit or a send moved.
pub struct MovementData<'a> {
    pub vertex: &'a Vertex,
    /// Of the block that first confirmed it, where that is told.
    pub height: Option<u32>,
    /// What the wallet has more of by it, or less (below zero).
    pub amounts: Vec<(TokenUid, SignedAmount)>,
    /// A deposit's that pay the wallet, a send's that don't.
    pub outputs: Vec<EventOutput<'a>>,
}

/// An output that is told of.
pub struct EventOutput<'a> {
    /// Its index in the transaction.
    pub index: u8,
    pub output: &'a SpentOutput,
    /// Whose addresses its script is read with.
    pub network: Network,
    /// The index of the wallet's address that it pays.
    pub own: Option<u32>,
}

impl EventOutput<'_> {
    fn script(&self) -> Option<Script> {
        Script::parse(&self.output.script, self.network)
    }
    fn pays(&self) -> Option<(String, Option<u32>)> {
        match self.script()? {
            Script::Pay { to, timelock } => Some((to.to_string(), timelock)),
            Script::Data(_) => None,
        }
    }
    fn text(&self) -> Option<String> {
        match self.script()? {
            Script::Data(text) => Some(text),
            Script::Pay { .. } => None,
        }
    }
    fn value(&self) -> Option<Amount> {
        (!self.output.token_data.is_authority()).then_some(self.output.value)
    }
    fn authority(&self) -> Option<u8> {
        let bits = u8::try_from(self.output.value.cents()).unwrap_or_default();
        self.output.token_data.is_authority().then_some(bits)
    }
}

answer! {
    /// An output that is told of.
    this: EventOutput<'_> as "EventOutput" {
        /// Its index in the transaction.
        index: Count,
        /// Whom it pays.
        address: Maybe<Text> = this.pays().map(|(address, _)| address),
        /// The index of that address, where it is the wallet's.
        addressIndex: Maybe<Count> = this.own,
        token: Uid = this.output.token,
        /// In cents; not there for authorities.
        value: Maybe<Cents> = this.value(),
        /// 1 to mint, 2 to melt, 3 for both.
        authority: Maybe<Count> = this.authority(),
        /// It can't be spent before this time (Unix seconds).
        timelock: Maybe<Count> = this.pays().and_then(|(_, timelock)| timelock),
        /// The text that it keeps on the ledger.
        data: Maybe<Text> = this.text(),
    }
}

answer! {
    /// What a deposit or a send moved.
    this: MovementData<'_> as "MovementData" {
        txId: Hash = this.vertex.id,
        /// The transaction's own, in Unix seconds.
        timestamp: Count = this.vertex.timestamp,
        /// The height of the block that first confirmed it, where it is told as confirmed.
        firstBlockHeight: Maybe<Count> = this.height,
        /// What the wallet has more of by it, or less (below zero), by token.
        amounts: ByName<Change> = List(this.amounts.iter().map(|(token, amount)| (token.to_string(), amount))),
        /// A deposit's outputs that pay the wallet, a send's that don't.
        outputs: [EventOutput<'_>] = *this.outputs,
    }
}

kind! {
    /// What the event is about.
    Data = Value {"type": "object"};
    RawValue: |json, to| serde::Serialize::serialize(json, to);
}

/// An event, as all listeners get it.
pub struct OutboxEvent<'a> {
    /// The same wherever and however often it is told.
    pub id: String,
    pub name: &'a str,
    /// The name that the wallet was started by.
    pub wallet_id: &'a str,
    /// Its number among the wallet's events.
    pub seq: u64,
    /// In Unix milliseconds.
    pub time: u64,
    pub data: &'a RawValue,
}

answer! {
    /// An event that is kept until it is told.
    this: OutboxEvent<'_> as "OutboxEvent" {
        id: Text,
        type: Text = *this.name,
        walletId: Text = *this.wallet_id,
        seq: Count,
        createdAt: Count = this.time,
        data: Data = *this.data,
    }
}
