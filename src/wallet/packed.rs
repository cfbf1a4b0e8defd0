//! A vertex in as few bytes as it takes: histories are kept in this form (about 300 bytes for two inputs and two outputs, a third of
//! what [`Vertex`] and its allocations take) and unpacked when read.
//!
//! Outputs stand before inputs, so that one output is found without reading the inputs. Only this file knows the layout, and only
//! it writes what it reads, so that reading can't fail.

use crate::ledger::{
    Amount, Outpoint, SpentOutput, TokenData, TokenUid, Vertex, VertexId, VertexInput, VertexOutput,
};

const VOIDED: u8 = 1;
const FIRST_BLOCK: u8 = 2;
const HEIGHT: u8 = 4;
const CREATES: u8 = 8;

/// A script that pays a public key hash: this head, 20 bytes, this tail. Written as its hash alone.
const P2PKH_HEAD: [u8; 3] = [0x76, 0xa9, 20];
const P2PKH_TAIL: [u8; 2] = [0x88, 0xac];

/// A vertex without its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Packed(Box<[u8]>);

impl Packed {
    pub(super) fn of(vertex: &Vertex) -> Self {
        let mut to = Writer::default();
        to.head(vertex);
        to.int(vertex.parents.len() as u128);
        vertex.parents.iter().for_each(|parent| to.id(parent));
        if let Some((name, symbol)) = &vertex.creates {
            to.bytes(name.as_bytes());
            to.bytes(symbol.as_bytes());
        }
        to.tokens_of(vertex);
        to.int(vertex.outputs.len() as u128);
        for VertexOutput { output, spent_by } in &vertex.outputs {
            to.output(output);
            to.0.push(spent_by.is_some().into());
            spent_by.iter().for_each(|id| to.id(id));
        }
        to.int(vertex.inputs.len() as u128);
        for VertexInput { spends, output } in &vertex.inputs {
            to.id(&spends.tx);
            to.0.push(spends.index);
            to.output(output);
        }
        Self(to.0.into_boxed_slice())
    }

    pub(super) fn voided(&self) -> bool {
        self.0[0] & VOIDED != 0
    }

    /// The timestamp, for ordering.
    pub(super) fn timestamp(&self) -> u32 {
        Reader::at(&self.0, 2).u32()
    }

    pub(super) fn unpack(&self, id: VertexId) -> Vertex {
        let mut from = Reader::at(&self.0, 0);
        let mut vertex = from.head(id);
        vertex.parents = (0..from.len()).map(|_| from.id()).collect();
        if self.0[0] & CREATES != 0 {
            vertex.creates = Some((from.text(), from.text()));
        }
        from.tokens();
        vertex.outputs = (0..from.len()).map(|_| from.vertex_output()).collect();
        vertex.inputs = (0..from.len())
            .map(|_| VertexInput {
                spends: Outpoint { tx: from.id(), index: from.byte() },
                output: from.output(),
            })
            .collect();
        vertex
    }

    /// One output, and the vertex's version and height, which its lock depends on. `None` past the last.
    pub(super) fn output(&self, index: u8) -> Option<(VertexOutput, BlockOf)> {
        let mut from = Reader::at(&self.0, 0);
        let head = from.head(VertexId([0; 32]));
        let parents = from.len();
        from.skip(parents * 32);
        if self.0[0] & CREATES != 0 {
            from.skip_bytes();
            from.skip_bytes();
        }
        from.tokens();
        if usize::from(index) >= from.len() {
            return None;
        }
        for _ in 0..index {
            from.skip_vertex_output();
        }
        Some((from.vertex_output(), BlockOf::of(&head)))
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

#[derive(Default)]
struct Writer(Vec<u8>, Vec<VertexId>);

impl Writer {
    fn head(&mut self, vertex: &Vertex) {
        let flag = |set: bool, bit: u8| if set { bit } else { 0 };
        self.0.push(
            flag(vertex.voided, VOIDED)
                | flag(vertex.first_block.is_some(), FIRST_BLOCK)
                | flag(vertex.height.is_some(), HEIGHT)
                | flag(vertex.creates.is_some(), CREATES),
        );
        self.0.push(vertex.version);
        self.0.extend(vertex.timestamp.to_be_bytes());
        self.0.extend(vertex.weight.to_be_bytes());
        vertex.first_block.iter().for_each(|id| self.id(id));
        vertex.height.iter().for_each(|height| self.0.extend(height.to_be_bytes()));
    }
    fn id(&mut self, id: &VertexId) {
        self.0.extend(id.0);
    }
    /// Seven bits a byte, the lowest first; the top bit says that more follow.
    fn int(&mut self, mut value: u128) {
        while value > 0x7f {
            self.0.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
    fn bytes(&mut self, bytes: &[u8]) {
        self.int(bytes.len() as u128);
        self.0.extend(bytes);
    }
    /// The custom tokens of the vertex, each once; outputs refer to them by place, HTR being 0.
    fn tokens_of(&mut self, vertex: &Vertex) {
        let outputs = vertex.outputs.iter().map(|o| &o.output).chain(vertex.inputs.iter().map(|i| &i.output));
        for output in outputs {
            if let TokenUid::Custom(id) = output.token
                && !self.1.contains(&id)
            {
                self.1.push(id);
            }
        }
        self.int(self.1.len() as u128);
        for id in std::mem::take(&mut self.1) {
            self.id(&id);
            self.1.push(id);
        }
    }
    fn output(&mut self, output: &SpentOutput) {
        let token = match output.token {
            TokenUid::Native => 0,
            TokenUid::Custom(id) => 1 + self.1.iter().position(|t| *t == id).expect("listed by tokens_of"),
        };
        self.int(token as u128);
        self.0.push(output.token_data.0);
        self.int(output.value.cents());
        match output.script.strip_prefix(&P2PKH_HEAD).and_then(|s| s.strip_suffix(&P2PKH_TAIL)) {
            Some(hash) if hash.len() == 20 => {
                self.0.push(0);
                self.0.extend(hash);
            }
            _ => {
                self.int(output.script.len() as u128 + 1);
                self.0.extend(&output.script);
            }
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where the token list starts.
    tokens: usize,
}

impl<'a> Reader<'a> {
    fn at(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, tokens: 0 }
    }
    fn head(&mut self, id: VertexId) -> Vertex {
        let flags = self.byte();
        Vertex {
            id,
            voided: flags & VOIDED != 0,
            version: self.byte(),
            timestamp: self.u32(),
            weight: f64::from_be_bytes(self.array()),
            first_block: (flags & FIRST_BLOCK != 0).then(|| self.id()),
            height: (flags & HEIGHT != 0).then(|| self.u32()),
            parents: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            creates: None,
        }
    }
    fn take(&mut self, len: usize) -> &'a [u8] {
        let bytes = &self.bytes[self.at..self.at + len];
        self.at += len;
        bytes
    }
    fn skip(&mut self, len: usize) {
        self.at += len;
    }
    fn array<const N: usize>(&mut self) -> [u8; N] {
        self.take(N).try_into().expect("take gives N bytes")
    }
    fn byte(&mut self) -> u8 {
        self.array::<1>()[0]
    }
    fn u32(&mut self) -> u32 {
        u32::from_be_bytes(self.array())
    }
    fn id(&mut self) -> VertexId {
        VertexId(self.array())
    }
    fn int(&mut self) -> u128 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            value |= u128::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return value;
            }
            shift += 7;
        }
    }
    fn len(&mut self) -> usize {
        self.int() as usize
    }
    fn text(&mut self) -> String {
        let len = self.len();
        String::from_utf8(self.take(len).to_vec()).expect("written from a string")
    }
    fn skip_bytes(&mut self) {
        let len = self.len();
        self.skip(len);
    }
    fn tokens(&mut self) {
        let count = self.len();
        self.tokens = self.at;
        self.skip(count * 32);
    }
    fn output(&mut self) -> SpentOutput {
        let token = match self.len() {
            0 => TokenUid::Native,
            place => TokenUid::Custom(Self::at(self.bytes, self.tokens + (place - 1) * 32).id()),
        };
        let token_data = TokenData(self.byte());
        let value = Amount::new(self.int());
        let script = match self.len() {
            0 => [&P2PKH_HEAD, self.take(20), &P2PKH_TAIL].concat().into_boxed_slice(),
            len => self.take(len - 1).into(),
        };
        SpentOutput { value, token, token_data, script }
    }
    fn vertex_output(&mut self) -> VertexOutput {
        VertexOutput { output: self.output(), spent_by: (self.byte() != 0).then(|| self.id()) }
    }
    fn skip_vertex_output(&mut self) {
        self.int();
        self.skip(1);
        self.int();
        match self.len() {
            0 => self.skip(20),
            len => self.skip(len - 1),
        }
        if self.byte() != 0 {
            self.skip(32);
        }
    }
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
        (any::<u128>(), token, any::<u8>(), script()).prop_map(|(value, token, token_data, script)| {
            SpentOutput { value: Amount::new(value), token, token_data: TokenData(token_data), script }
        })
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
