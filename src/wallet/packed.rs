//! A vertex in as few bytes as it takes: histories are kept in this form (about 300 bytes for two inputs and two outputs, a third of
//! what [`Vertex`] and its allocations take) and unpacked when read. Stores keep the same bytes, so the layout is part of their
//! format.
//!
//! Outputs stand before inputs, so that one output is found without reading the inputs.

use super::compact::{Ids, Reader, Writer};
use crate::ledger::{
    Amount, Outpoint, SpentOutput, TokenData, TokenUid, Vertex, VertexId, VertexInput, VertexOutput,
};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

const VOIDED: u8 = 1;
const FIRST_BLOCK: u8 = 2;
const HEIGHT: u8 = 4;
const CREATES: u8 = 8;
/// Behind the script of each output stands what is unknown of it. From format 2 on.
const UNKNOWN: u8 = 16;

/// A script that pays a public key hash: this head, 20 bytes, this tail. Written as its hash alone.
const P2PKH_HEAD: [u8; 3] = [0x76, 0xa9, 20];
const P2PKH_TAIL: [u8; 2] = [0x88, 0xac];

/// A vertex without its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Packed(Box<[u8]>);

impl Packed {
    pub(crate) fn of(vertex: &Vertex) -> Self {
        // Nearly all of them fit; what is kept takes no more memory than it needs.
        let mut to = Writer(Vec::with_capacity(1_000));
        let flag = |set: bool, bit: u8| if set { bit } else { 0 };
        to.0.push(
            flag(vertex.voided, VOIDED)
                | flag(vertex.first_block.is_some(), FIRST_BLOCK)
                | flag(vertex.height.is_some(), HEIGHT)
                | flag(vertex.creates.is_some(), CREATES)
                | flag(vertex.has_unknown(), UNKNOWN),
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
        to.ids(&vertex.parents);
        let (tokens, places) = tokens_of(vertex);
        let form = Form { has_unknown: vertex.has_unknown() };
        to.ids(&tokens);
        to.len(vertex.outputs.len());
        for VertexOutput { output, spent_by } in &vertex.outputs {
            write_output(&mut to, output, &places, form);
            to.0.push(spent_by.is_some().into());
            spent_by.iter().for_each(|id| to.id(id));
        }
        to.len(vertex.inputs.len());
        for VertexInput { spends, output } in &vertex.inputs {
            to.id(&spends.tx);
            to.0.push(spends.index);
            write_output(&mut to, output, &places, form);
        }
        Self(to.0.as_slice().into())
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0.into_vec()
    }

    pub(super) fn voided(&self) -> bool {
        self.0[0] & VOIDED != 0
    }

    /// The timestamp, for ordering.
    pub(super) fn timestamp(&self) -> u32 {
        u32::from_be_bytes(self.0[2..6].try_into().expect("four bytes"))
    }

    pub(super) fn unpack(&self, id: VertexId) -> Vertex {
        unpack(id, &self.0).expect("packed by `of`")
    }

    /// One output, and the vertex's version and height, which its lock depends on. `None` past the last.
    pub(super) fn output(&self, index: u8) -> Option<(VertexOutput, BlockOf)> {
        let mut from = Reader(&self.0);
        let (head, form) = read_head(&mut from, VertexId([0; 32]))?;
        from.ids()?;
        let tokens = from.ids()?;
        if usize::from(index) >= from.len()? {
            return None;
        }
        for _ in 0..index {
            skip_vertex_output(&mut from, form)?;
        }
        Some((read_vertex_output(&mut from, &tokens, form)?, BlockOf::of(&head)))
    }
}

/// Whether a vertex is a block, and its height if that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockOf {
    Transaction,
    Block(Option<u32>),
}

impl BlockOf {
    pub(super) fn of(vertex: &Vertex) -> Self {
        if vertex.is_block() { Self::Block(vertex.height) } else { Self::Transaction }
    }
}

/// The vertex `id` from bytes of which nothing is known; `None` unless they are those of one vertex and nothing else.
pub(crate) fn unpack(id: VertexId, bytes: &[u8]) -> Option<Vertex> {
    let mut from = Reader(bytes);
    let (mut vertex, form) = read_head(&mut from, id)?;
    vertex.parents = from.ids()?.to_vec();
    let tokens = from.ids()?;
    vertex.outputs = from.list(|from| read_vertex_output(from, &tokens, form))?;
    vertex.inputs = from.list(|from| {
        let spends = Outpoint { tx: from.id()?, index: from.byte()? };
        Some(VertexInput { spends, output: read_output(from, &tokens, form)? })
    })?;
    from.is_empty().then_some(vertex)
}

/// What the outputs of a vertex look like.
#[derive(Clone, Copy)]
struct Form {
    has_unknown: bool,
}

/// The custom tokens of a vertex, each once, and their places, by which outputs refer to them: HTR is 0.
fn tokens_of(vertex: &Vertex) -> (Vec<VertexId>, BTreeMap<VertexId, usize>) {
    let outputs = vertex.outputs.iter().map(|o| &o.output).chain(vertex.inputs.iter().map(|i| &i.output));
    let (mut tokens, mut places) = (Vec::new(), BTreeMap::new());
    for output in outputs {
        if let TokenUid::Custom(id) = output.token
            && let Entry::Vacant(place) = places.entry(id)
        {
            tokens.push(id);
            place.insert(tokens.len());
        }
    }
    (tokens, places)
}

fn write_output(to: &mut Writer, output: &SpentOutput, places: &BTreeMap<VertexId, usize>, form: Form) {
    let token = match output.token {
        TokenUid::Native => 0,
        TokenUid::Custom(id) => *places.get(&id).expect("listed by tokens_of"),
    };
    to.len(token);
    to.0.push(output.token_data.0);
    to.int(output.value.cents());
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
    if form.has_unknown {
        // No JSON is empty.
        to.bytes(output.unknown.as_deref().unwrap_or_default().as_bytes());
    }
}

/// All before the parents.
fn read_head(from: &mut Reader<'_>, id: VertexId) -> Option<(Vertex, Form)> {
    let flags = from.byte()?;
    if flags & !(VOIDED | FIRST_BLOCK | HEIGHT | CREATES | UNKNOWN) != 0 {
        return None;
    }
    let vertex = Vertex {
        id,
        voided: flags & VOIDED != 0,
        version: from.byte()?,
        timestamp: from.u32()?,
        weight: f64::from_be_bytes(from.array()?),
        first_block: from.id_if(flags & FIRST_BLOCK != 0)?,
        height: from.u32_if(flags & HEIGHT != 0)?,
        creates: if flags & CREATES != 0 { Some((from.text()?, from.text()?)) } else { None },
        parents: Vec::new(),
        inputs: Vec::new(),
        outputs: Vec::new(),
    };
    Some((vertex, Form { has_unknown: flags & UNKNOWN != 0 }))
}

fn read_output(from: &mut Reader<'_>, tokens: &Ids<'_>, form: Form) -> Option<SpentOutput> {
    let token = match from.len()?.checked_sub(1) {
        None => TokenUid::Native,
        Some(place) => TokenUid::Custom(tokens.get(place)?),
    };
    let token_data = TokenData(from.byte()?);
    let value = Amount::new(from.int()?);
    let script = match from.len()?.checked_sub(1) {
        None => [&P2PKH_HEAD, from.take(20)?, &P2PKH_TAIL].concat().into_boxed_slice(),
        Some(len) => from.take(len)?.into(),
    };
    let unknown = if form.has_unknown { from.text()?.into_boxed_str() } else { Box::default() };
    let unknown = Some(unknown).filter(|json| !json.is_empty());
    Some(SpentOutput { value, token, token_data, script, unknown })
}

fn read_vertex_output(from: &mut Reader<'_>, tokens: &Ids<'_>, form: Form) -> Option<VertexOutput> {
    let output = read_output(from, tokens, form)?;
    let spent = from.flag()?;
    Some(VertexOutput { output, spent_by: from.id_if(spent)? })
}

fn skip_vertex_output(from: &mut Reader<'_>, form: Form) -> Option<()> {
    from.int()?;
    from.byte()?;
    from.int()?;
    let script = from.len()?.checked_sub(1).unwrap_or(20);
    from.take(script)?;
    if form.has_unknown {
        from.bytes()?;
    }
    let spent = from.flag()?;
    from.id_if(spent)?;
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn id() -> impl Strategy<Value = VertexId> {
        any::<[u8; 32]>().prop_map(VertexId)
    }
    fn script() -> impl Strategy<Value = Box<[u8]>> {
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
        (any::<u128>(), token, any::<u8>(), script(), unknown).prop_map(
            |(value, token, token_data, script, unknown)| SpentOutput {
                value: Amount::new(value),
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
        ) -> Vertex {
            let (id, version, weight, timestamp, voided) = head;
            let outputs = outputs.into_iter().map(|(output, spent_by)| VertexOutput { output, spent_by });
            let inputs = inputs.into_iter().map(|(tx, index, output)| {
                VertexInput { spends: Outpoint { tx, index }, output }
            });
            Vertex {
                id, version, weight, timestamp, voided, first_block, height, parents,
                inputs: inputs.collect(), outputs: outputs.collect(), creates,
            }
        }
    }

    proptest! {
        #[test]
        fn unpacks_to_what_was_packed(vertex in vertex()) {
            let packed = Packed::of(&vertex);
            prop_assert_eq!(packed.voided(), vertex.voided);
            prop_assert_eq!(packed.timestamp(), vertex.timestamp);
            prop_assert_eq!(packed.unpack(vertex.id), vertex.clone());
            for (index, output) in vertex.outputs.iter().enumerate() {
                prop_assert_eq!(packed.output(index as u8), Some((output.clone(), BlockOf::of(&vertex))));
            }
            prop_assert_eq!(packed.output(vertex.outputs.len() as u8), None);
        }
    }
}
