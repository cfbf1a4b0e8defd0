//! A vertex in as few bytes as it takes: histories are kept in this form (about 300 bytes for two inputs and
//! two outputs, a third of what [`Vertex`] and its allocations take) and unpacked when read. Stores keep the
//! same bytes, so the layout is part of their format.
//!
//! Outputs stand before inputs, so that one output is found without reading the inputs.

use super::compact::{Ids, Reader, Writer};
use super::{packed_extra, packed_nano};
use crate::ledger::nano::VertexNano;
use crate::ledger::{
    Amount, ExtraMembers, Outpoint, P2PKH_HEAD, P2PKH_TAIL, ScriptBytes, SpentOutput, TokenData, TokenUid,
    Vertex, VertexId, VertexInput, VertexOutput,
};
use std::ops::Deref;
use std::sync::Arc;

const VOIDED: u8 = 1;
const FIRST_BLOCK: u8 = 2;
const HEIGHT: u8 = 4;
const CREATES: u8 = 8;
/// Behind the script of each output stands what is unknown of it. From format 2 on.
const UNKNOWN: u8 = 16;

/// Behind what a creation creates stands what a vertex has to do with contracts. From format 3 on.
const NANO: u8 = 32;

/// Behind everything stands what the node says of it that is not known here, and how many bytes that takes.
/// From format 5 on.
const EXTRA: u8 = 64;

/// Behind each amount stands what it is more than whole cents.
const PARTS: u8 = 128;

/// Why reading can't fail.
const WHOLE: &str = "packed by `of`, or looked through by `read`";

/// A vertex without its id. Clones share the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedVertex(Arc<[u8]>);

impl PackedVertex {
    pub fn of(vertex: &Vertex) -> Self {
        // Nearly all of them fit; what is kept takes no more memory than it needs.
        let mut to = Writer(Vec::with_capacity(1_000));
        let (has_unknown, has_parts) = (vertex.has_unknown(), vertex.has_parts());
        let flag = |set: bool, bit: u8| if set { bit } else { 0 };
        to.0.push(
            flag(vertex.voided, VOIDED)
                | flag(vertex.first_block.is_some(), FIRST_BLOCK)
                | flag(vertex.height.is_some(), HEIGHT)
                | flag(vertex.creates.is_some(), CREATES)
                | flag(has_unknown, UNKNOWN)
                | flag(vertex.nano.is_some(), NANO)
                | flag(!vertex.extra.is_empty(), EXTRA)
                | flag(has_parts, PARTS),
        );
        to.0.push(vertex.version);
        to.0.extend(vertex.timestamp.to_be_bytes());
        to.0.extend(vertex.weight.to_be_bytes());
        vertex.first_block.iter().for_each(|id| to.id(id));
        vertex.height.iter().for_each(|height| to.0.extend(height.to_be_bytes()));
        if let Some((name, symbol)) = &vertex.creates {
            to.bytes(name.as_bytes());
            to.bytes(symbol.as_bytes());
        }
        if let Some(nano) = &vertex.nano {
            packed_nano::write(&mut to, nano, has_parts);
        }
        to.ids(&vertex.parents);
        let tokens = tokens_of(vertex);
        to.ids(&tokens);
        to.len(vertex.outputs.len());
        for VertexOutput { output, spent_by } in &vertex.outputs {
            write_output(&mut to, output, &tokens, (has_unknown, has_parts));
            to.0.push(spent_by.is_some().into());
            spent_by.iter().for_each(|id| to.id(id));
        }
        to.len(vertex.inputs.len());
        for VertexInput { spends, output } in &vertex.inputs {
            to.id(&spends.tx);
            to.0.push(spends.index);
            write_output(&mut to, output, &tokens, (has_unknown, has_parts));
        }
        if !vertex.extra.is_empty() {
            packed_extra::write(&mut to, &vertex.extra);
        }
        Self(to.0.into())
    }

    /// Takes bytes of which nothing is known; `None` unless they are those of one vertex and nothing else.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let (_, _, mut body) = open(bytes)?;
        extra_of(bytes)?;
        for _ in 0..body.from.len()? {
            body.output()?;
        }
        for _ in 0..body.from.len()? {
            body.input()?;
        }
        body.from.is_empty().then(|| Self(bytes.into()))
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The vertex, whose id is `id`.
    pub fn unpack(&self, id: VertexId) -> Vertex {
        let (head, parents, mut body) = open(&self.0).expect(WHOLE);
        let text = |(name, symbol): (&str, &str)| (name.to_owned(), symbol.to_owned());
        let outputs = (0..body.count()).map(|_| {
            let (output, spent_by) = body.output().expect(WHOLE);
            VertexOutput { output: output.unpack(), spent_by }
        });
        let outputs = outputs.collect();
        let inputs = (0..body.count()).map(|_| {
            let (spends, output) = body.input().expect(WHOLE);
            VertexInput { spends, output: output.unpack() }
        });
        Vertex {
            id,
            version: head.version,
            weight: head.weight,
            timestamp: head.timestamp,
            voided: head.voided,
            first_block: head.first_block,
            height: head.height,
            parents: parents.to_vec(),
            inputs: inputs.collect(),
            outputs,
            creates: head.creates.map(text),
            nano: head.nano.map(Box::new),
            extra: extra_of(&self.0).expect(WHOLE),
        }
    }

    /// Whether all that is known of it is the same.
    pub(super) fn is_as_known_as(&self, other: &Self) -> bool {
        let rest = |vertex: &'_ Self| split_extra(&vertex.0).expect(WHOLE).0.len();
        (self.0[0] ^ other.0[0]) & !EXTRA == 0 && self.0[1..rest(self)] == other.0[1..rest(other)]
    }

    /// Whether an input or output is of a kind that is not known here: [`Vertex::has_unknown`].
    #[cfg(test)]
    fn has_unknown(&self) -> bool {
        self.0[0] & UNKNOWN != 0
    }

    /// Whether it has to do with contracts: [`Vertex::nano`].
    pub(super) fn has_nano(&self) -> bool {
        self.0[0] & NANO != 0
    }

    /// What it has to do with contracts.
    pub(super) fn nano(&self) -> Option<VertexNano> {
        if self.has_nano() { self.head().nano } else { None }
    }

    pub(super) fn voided(&self) -> bool {
        self.0[0] & VOIDED != 0
    }

    /// The timestamp, for ordering.
    pub(super) fn timestamp(&self) -> u32 {
        u32::from_be_bytes(self.0[2..6].try_into().expect("four bytes"))
    }

    /// Everything but parents, outputs and inputs.
    pub(super) fn head(&self) -> Head<'_> {
        open(&self.0).expect(WHOLE).0
    }

    /// The outputs, and who spent them.
    pub(super) fn outputs(&self) -> impl Iterator<Item = (PackedOutput<'_>, Option<VertexId>)> {
        let (_, _, mut body) = open(&self.0).expect(WHOLE);
        (0..body.count()).map(move |_| body.output().expect(WHOLE))
    }

    /// One output, and who spent it. `None` past the last.
    pub(super) fn output(&self, index: u8) -> Option<(PackedOutput<'_>, Option<VertexId>)> {
        self.outputs().nth(index.into())
    }

    /// What the inputs spend.
    pub(super) fn inputs(&self) -> impl Iterator<Item = (Outpoint, PackedOutput<'_>)> {
        let (_, _, mut body) = open(&self.0).expect(WHOLE);
        for _ in 0..body.count() {
            body.output().expect(WHOLE);
        }
        (0..body.count()).map(move |_| body.input().expect(WHOLE))
    }
}

/// The head of a packed vertex.
pub(super) struct Head<'a> {
    version: u8,
    weight: f64,
    pub(super) timestamp: u32,
    pub(super) voided: bool,
    pub(super) first_block: Option<VertexId>,
    height: Option<u32>,
    creates: Option<(&'a str, &'a str)>,
    nano: Option<VertexNano>,
}

impl Head<'_> {
    pub(super) fn block(&self) -> BlockOf {
        if Vertex::is_block_version(self.version) {
            BlockOf::Block(self.height)
        } else {
            BlockOf::Transaction
        }
    }
}

/// Whether a vertex is a block, and its height if that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockOf {
    Transaction,
    Block(Option<u32>),
}

/// An output, or what an input spends, read where it lies.
pub(super) struct PackedOutput<'a> {
    pub(super) value: Amount,
    pub(super) token: TokenUid,
    pub(super) token_data: TokenData,
    pub(super) script: PackedScript<'a>,
    /// [`SpentOutput::unknown`].
    pub(super) unknown: Option<&'a str>,
}

impl PackedOutput<'_> {
    pub(super) fn unpack(&self) -> SpentOutput {
        let (value, token, token_data) = (self.value, self.token, self.token_data);
        let (script, unknown) = (ScriptBytes::from_slice(&self.script), self.unknown.map(Into::into));
        SpentOutput { value, token, token_data, script, unknown }
    }
}

/// A script where it lies, or as it was before all but the hash was left out.
pub(super) enum PackedScript<'a> {
    Whole(&'a [u8]),
    P2pkh([u8; 25]),
}

impl PackedScript<'_> {
    fn p2pkh(hash: &[u8; 20]) -> Self {
        let mut script = [0; 25];
        script[..3].copy_from_slice(&P2PKH_HEAD);
        script[3..23].copy_from_slice(hash);
        script[23..].copy_from_slice(&P2PKH_TAIL);
        Self::P2pkh(script)
    }
}

impl Deref for PackedScript<'_> {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Self::Whole(script) => script,
            Self::P2pkh(script) => script,
        }
    }
}

/// The custom tokens of a vertex, each once: outputs refer to them by their places.
fn tokens_of(vertex: &Vertex) -> Vec<VertexId> {
    let outputs = vertex.outputs.iter().map(|o| &o.output).chain(vertex.inputs.iter().map(|i| &i.output));
    let mut tokens = Vec::new();
    for output in outputs {
        // Hardly ever more than a few, of 510 at most.
        if let TokenUid::Custom(id) = output.token
            && !tokens.contains(&id)
        {
            tokens.push(id);
        }
    }
    tokens
}

fn write_output(
    to: &mut Writer,
    output: &SpentOutput,
    tokens: &[VertexId],
    (has_unknown, has_parts): (bool, bool),
) {
    let token = match output.token {
        TokenUid::Native => 0,
        TokenUid::Custom(id) => {
            1 + tokens.iter().position(|token| *token == id).expect("listed by tokens_of")
        }
    };
    to.len(token);
    to.0.push(output.token_data.0);
    to.amount(output.value, has_parts);
    // Those that pay the hash of a public key are written as that alone.
    match output.script.strip_prefix(&P2PKH_HEAD).and_then(|s| s.strip_suffix(&P2PKH_TAIL)) {
        Some(hash) if hash.len() == 20 => {
            to.0.push(0);
            to.0.extend(hash);
        }
        _ => {
            to.len(output.script.len() + 1);
            to.0.extend(&output.script);
        }
    }
    if has_unknown {
        // No JSON is empty.
        to.bytes(output.unknown.as_deref().unwrap_or_default().as_bytes());
    }
}

/// The bytes before those of the extra members, and these.
fn split_extra(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    if bytes.first()? & EXTRA == 0 { Some((bytes, &[])) } else { packed_extra::split(bytes) }
}

fn extra_of(bytes: &[u8]) -> Option<ExtraMembers> {
    let (_, extra) = split_extra(bytes)?;
    if extra.is_empty() { Some(ExtraMembers::default()) } else { packed_extra::read(extra) }
}

/// The head, the parents, and what is left to read.
fn open(bytes: &[u8]) -> Option<(Head<'_>, Ids<'_>, Body<'_>)> {
    let mut from = Reader(split_extra(bytes)?.0);
    let flags = from.byte()?;
    let has_parts = flags & PARTS != 0;
    let head = Head {
        voided: flags & VOIDED != 0,
        version: from.byte()?,
        timestamp: from.u32()?,
        weight: f64::from_be_bytes(from.array()?),
        first_block: from.id_if(flags & FIRST_BLOCK != 0)?,
        height: from.u32_if(flags & HEIGHT != 0)?,
        creates: if flags & CREATES != 0 { Some((from.text()?, from.text()?)) } else { None },
        nano: if flags & NANO != 0 { Some(packed_nano::read(&mut from, has_parts)?) } else { None },
    };
    let parents = from.ids()?;
    let tokens = from.ids()?;
    Some((head, parents, Body { from, tokens, has_unknown: flags & UNKNOWN != 0, has_parts }))
}

/// What is left of a vertex: how many outputs it has, they, how many inputs it has, and they.
struct Body<'a> {
    from: Reader<'a>,
    tokens: Ids<'a>,
    has_unknown: bool,
    has_parts: bool,
}

impl<'a> Body<'a> {
    /// How many outputs or inputs follow.
    fn count(&mut self) -> usize {
        self.from.len().expect(WHOLE)
    }

    fn output(&mut self) -> Option<(PackedOutput<'a>, Option<VertexId>)> {
        let output = self.spent_output()?;
        let is_spent = self.from.flag()?;
        Some((output, self.from.id_if(is_spent)?))
    }

    fn input(&mut self) -> Option<(Outpoint, PackedOutput<'a>)> {
        let spends = Outpoint { tx: self.from.id()?, index: self.from.byte()? };
        Some((spends, self.spent_output()?))
    }

    fn spent_output(&mut self) -> Option<PackedOutput<'a>> {
        let from = &mut self.from;
        let token = match from.len()?.checked_sub(1) {
            None => TokenUid::Native,
            Some(place) => TokenUid::Custom(self.tokens.get(place)?),
        };
        let token_data = TokenData(from.byte()?);
        let value = from.amount(self.has_parts)?;
        let script = match from.len()?.checked_sub(1) {
            None => PackedScript::p2pkh(&from.array()?),
            Some(len) => PackedScript::Whole(from.take(len)?),
        };
        let unknown =
            if self.has_unknown { Some(from.text()?).filter(|json| !json.is_empty()) } else { None };
        Some(PackedOutput { value, token, token_data, script, unknown })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn id() -> impl Strategy<Value = VertexId> {
        any::<[u8; 32]>().prop_map(VertexId)
    }
    fn script() -> impl Strategy<Value = ScriptBytes> {
        prop_oneof![
            any::<[u8; 20]>().prop_map(|hash| [&P2PKH_HEAD[..], &hash, &P2PKH_TAIL].concat().into()),
            proptest::collection::vec(any::<u8>(), 0..300).prop_map(Into::into),
        ]
    }
    fn output() -> impl Strategy<Value = SpentOutput> {
        let token = prop_oneof![
            Just(TokenUid::Native),
            (0u8..3).prop_map(|n| TokenUid::Custom(VertexId([n; 32]))),
            id().prop_map(TokenUid::Custom)
        ];
        let unknown = proptest::option::weighted(0.2, Just(r#"{"type":"shielded"}"#.into()));
        let part = prop_oneof![Just(0), 0u64..10_000_000_000_000_000];
        (any::<u128>(), part, token, any::<u8>(), script(), unknown).prop_map(
            |(cents, part, token, token_data, script, unknown)| SpentOutput {
                value: Amount::new(cents).with_part(part),
                token,
                token_data: TokenData(token_data),
                script,
                unknown,
            },
        )
    }
    prop_compose! {
        fn vertex()(
            head in (id(), any::<u8>(), -1e9f64..1e9, any::<u32>(), any::<bool>()),
            first_block in proptest::option::of(id()),
            height in any::<Option<u32>>(),
            parents in proptest::collection::vec(id(), 0..4),
            outputs in proptest::collection::vec((output(), proptest::option::of(id())), 0..9),
            inputs in proptest::collection::vec((id(), any::<u8>(), output()), 0..9),
            creates in any::<Option<(String, String)>>(),
            nano in proptest::option::weighted(0.2, packed_nano::tests::nano()),
            extra in packed_extra::tests::extra(),
        ) -> Vertex {
            let (id, version, weight, timestamp, voided) = head;
            let outputs = outputs.into_iter().map(|(output, spent_by)| VertexOutput { output, spent_by });
            let inputs = inputs.into_iter().map(|(tx, index, output)| {
                VertexInput { spends: Outpoint { tx, index }, output }
            });
            Vertex {
                id, version, weight, timestamp, voided, first_block, height, parents,
                inputs: inputs.collect(), outputs: outputs.collect(), creates,
                nano: nano.map(Box::new),
                extra,
            }
        }
    }

    proptest! {
        #[test]
        fn unpacks_to_what_was_packed(vertex in vertex()) {
            let packed = PackedVertex::of(&vertex);
            prop_assert_eq!(PackedVertex::read(packed.as_bytes()), Some(packed.clone()));
            prop_assert_eq!(packed.has_unknown(), vertex.has_unknown());
            let block = if vertex.is_block() { BlockOf::Block(vertex.height) } else { BlockOf::Transaction };
            prop_assert_eq!(packed.head().block(), block);
            prop_assert_eq!(packed.nano(), vertex.nano.as_deref().cloned());
            prop_assert_eq!(packed.voided(), vertex.voided);
            prop_assert_eq!(packed.timestamp(), vertex.timestamp);
            prop_assert_eq!(packed.unpack(vertex.id), vertex.clone());
            let plain = PackedVertex::of(&Vertex { extra: ExtraMembers::default(), ..vertex.clone() });
            prop_assert!(packed.is_as_known_as(&plain) && plain.is_as_known_as(&packed));
            let other = PackedVertex::of(&Vertex { voided: !vertex.voided, ..vertex.clone() });
            prop_assert!(!packed.is_as_known_as(&other));
            for (index, output) in vertex.outputs.iter().enumerate() {
                let read = packed.output(index as u8).map(|(output, spent_by)| (output.unpack(), spent_by));
                prop_assert_eq!(read, Some((output.output.clone(), output.spent_by)));
            }
            prop_assert!(packed.output(vertex.outputs.len() as u8).is_none());
        }
    }
}
