//! Transactions of the wallet's history.

use super::kinds::{
    Base64, Count, Flag, Flatten, Hash, Hex, HexOrEmpty, List, Maybe, OrNull, OutputValue, ScriptType, Text,
    TokenData, Uid, Weight,
};
use super::nano::CallContext;
use crate::api::Compat;
use crate::api::answer::{SerializeAs, answer, any_of};
use crate::api::node_json::AsItCame;
#[cfg(feature = "native")]
use crate::api::shape::{Form, Shape, Shaped};
use crate::ledger::nano::{NanoCall, VertexNano};
use crate::ledger::{
    Address, Network, Part, Script, SpentOutput, Vertex, VertexId, VertexInput, VertexOutput,
};
use serde::{Serialize, Serializer};

/// One transaction of the history.
pub struct HistoryEntry<'a> {
    pub vertex: &'a Vertex,
    /// Whose addresses the scripts are read with.
    pub network: Network,
    pub compat: Compat,
}

impl HistoryEntry<'_> {
    /// What the node says of a part that is not declared.
    pub(super) fn others_of(&self, part: Part) -> Option<&str> {
        self.vertex.extra.of(part)
    }
    fn call(&self) -> Option<&NanoCall> {
        self.vertex.nano.as_ref()?.call()
    }
    fn public_key(&self) -> Option<&[u8]> {
        match &**self.vertex.nano.as_ref()? {
            VertexNano::Blueprint { public_key } => Some(public_key),
            VertexNano::Call(_) => None,
        }
    }
}

answer! {
    /// A transaction or block of the wallet's history.
    this: HistoryEntry<'_> as "HistoryEntry" {
        tx_id: Hash = this.vertex.id,
        /// 0, 3 and 5 are blocks, 1 a transaction, 2 the creation of a token, 6 a blueprint.
        version: Count = this.vertex.version,
        weight: Weight = this.vertex.weight,
        /// Unix seconds.
        timestamp: Count = this.vertex.timestamp,
        /// True if it lost a conflict: it moves nothing.
        is_voided: Flag = this.vertex.voided,
        inputs: [Known<HistoryInput<'_>>] = List((0..=u8::MAX).zip(&this.vertex.inputs).map(|(index, input)| Known {
            node: input.output.unknown.as_deref(),
            known: HistoryInput { input, network: this.network, others: this.others_of(Part::Input(index)) },
        })),
        outputs: [Known<HistoryOutput<'_>>] = List((0..=u8::MAX).zip(&this.vertex.outputs).map(|(index, output)| Known {
            node: output.output.unknown.as_deref(),
            known: HistoryOutput { output, network: this.network, others: this.others_of(Part::Output(index)) },
        })),
        parents: [Hash] = *this.vertex.parents,
        /// On creations of tokens.
        token_name: Maybe<Text> = this.vertex.creates.as_ref().map(|(name, _)| name),
        /// On creations of tokens.
        token_symbol: Maybe<Text> = this.vertex.creates.as_ref().map(|(_, symbol)| symbol),
        /// On creations of tokens: empty.
        tokens: Maybe<[Uid]> = this.vertex.creates.as_ref().map(|_| &[] as &[VertexId]),
        /// On calls of contracts: the contract.
        nc_id: Maybe<Hash> = this.call().map(|call| call.contract),
        /// The sequence number of the caller's calls.
        nc_seqnum: Maybe<Count> = this.call().map(|call| call.seqnum),
        /// The contract's blueprint, if known.
        nc_blueprint_id: Maybe<Hash> = this.call().and_then(|call| call.blueprint),
        nc_method: Maybe<Text> = this.call().map(|call| &call.method),
        /// The arguments, in hexadecimal.
        nc_args: Maybe<HexOrEmpty> = this.call().map(|call| &*call.args),
        /// The caller.
        nc_address: Maybe<Text> = this.call().map(|call| call.caller),
        nc_context: Maybe<CallContext<'_>> = this.call().map(CallContext),
        /// Of a blueprint: the public key of its publisher.
        nc_pubkey: Maybe<Hex> = this.public_key(),
        height if history_has_more_fields: Maybe<Count> = this.vertex.height,
        first_block if history_has_more_fields: OrNull<Hash> = this.vertex.first_block,
        // Clients wait for it after a send. What is in the history here has been looked at in full.
        processingStatus if history_has_more_fields = "finished",
        .. = this.others_of(Part::Whole),
    }
}

/// All entries: [`HistoryText`](super::HistoryText) writes them.
#[cfg(feature = "native")]
pub struct History;

#[cfg(feature = "native")]
impl Shaped for History {
    const SHAPE: Shape = {
        const LIST: Shape = <[HistoryEntry<'_>]>::SHAPE;
        // A refusal is an object too; the key of a refusal is no hash.
        const KEYED: Shape = Shape::new(Form::ByName(Some(&Hash::SHAPE), &HistoryEntry::SHAPE));
        const EITHER: Shape = Shape::new(Form::AnyOf(&[LIST, KEYED]))
            .about("Newest first where `limit` is given; else an object keyed by transaction id.");
        const LISTED: Shape = LIST.about("Newest first.");
        Shape::new(Form::ByCompat(|compat| if compat.history_is_keyed() { &EITHER } else { &LISTED }))
            .named("History")
    };
}

struct HistoryInput<'a> {
    input: &'a VertexInput,
    network: Network,
    others: Option<&'a str>,
}

answer! {
    /// An input of the history, with the output that it spends.
    this: HistoryInput<'_> as "HistoryInput", type "HistoryInput" {
        spends: Flatten<HistoryAmount<'_>> = Flatten(&HistoryAmount(&this.input.output, this.network)),
        tx_id: Hash = this.input.spends.tx,
        index: Count = this.input.spends.index,
        .. = this.others,
    }
}

struct HistoryOutput<'a> {
    output: &'a VertexOutput,
    network: Network,
    others: Option<&'a str>,
}

answer! {
    /// An output of the history.
    this: HistoryOutput<'_> as "HistoryOutput", type "HistoryOutput" {
        pays: Flatten<HistoryAmount<'_>> = Flatten(&HistoryAmount(&this.output.output, this.network)),
        /// The transaction that spent it.
        spent_by: OrNull<Hash> = this.output.spent_by,
        .. = this.others,
    }
}

struct HistoryAmount<'a>(&'a SpentOutput, Network);

answer! {
    /// The common members of inputs and outputs of the history.
    this: HistoryAmount<'_>, type "HistoryAmount" {
        /// Cents; of an authority (`token_data` above 128), 1 for minting and 2 for melting.
        value: OutputValue = *this.0,
        token_data: TokenData = this.0.token_data,
        script: Base64 = *this.0.script,
        decoded: DecodedScript = DecodedScript::read(&this.0.script, this.1),
        /// The token's uid; `00` is HTR.
        token: Uid = this.0.token,
    }
}

/// An input or output, or what the node says of one of a kind that is not known here.
struct Known<'a, T> {
    node: Option<&'a str>,
    known: T,
}

impl<T: SerializeAs<T>> SerializeAs<Known<'_, T>> for Known<'_, T> {
    fn serialize_as<S: Serializer>(value: &Known<'_, T>, to: S) -> Result<S::Ok, S::Error> {
        match value.node {
            Some(json) => AsItCame(json).serialize(to),
            None => T::serialize_as(&value.known, to),
        }
    }
}

#[cfg(feature = "native")]
impl<T: Shaped> Shaped for Known<'_, T> {
    const SHAPE: Shape = T::SHAPE;
}

/// A decoded script.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum DecodedScript {
    Payment(PaymentScript),
    Data(DataScript),
    Unknown(UnknownScript),
}

any_of! {
    /// A decoded script.
    DecodedScript as "Script", type "DecodedScript": PaymentScript | DataScript | UnknownScript
}

impl DecodedScript {
    pub fn read(script: &[u8], network: Network) -> Self {
        match Script::parse(script, network) {
            Some(Script::Pay { to, timelock }) => Self::Payment(PaymentScript(Payment { to, timelock })),
            Some(Script::Data(text)) => Self::Data(DataScript(Data { text })),
            None => Self::Unknown(UnknownScript),
        }
    }
}

pub(super) struct PaymentScript(Payment);

answer! {
    /// A script that pays an address.
    this: PaymentScript, type "PaymentScript" {
        type: ScriptType = this.0.to.kind(),
        payment: Flatten<Payment> = Flatten(&this.0),
    }
}

pub(super) struct Payment {
    pub to: Address,
    pub timelock: Option<u32>,
}

answer! {
    this: Payment {
        address: Text = this.to,
        /// Unix seconds before which the output can't be spent.
        timelock: OrNull<Count>,
    }
}

pub(super) struct DataScript(Data);

answer! {
    /// A script that stores a text on the ledger.
    this: DataScript, type "DataScript" {
        type = "DATA",
        data: Flatten<Data> = Flatten(&this.0),
    }
}

pub(super) struct Data {
    pub text: String,
}

answer! {
    this: Data {
        data: Text = this.text,
    }
}

/// Nothing, as the full node has it.
pub(super) struct UnknownScript;

answer! {
    /// A script of an unknown kind.
    this: UnknownScript, type "UnknownScript" {}
}
