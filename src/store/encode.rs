//! Change sets as bytes: compact, versioned, and read without trusting them.
//!
//! A record ends with a check value over all before it, so that bytes which rotted on a disk are noticed rather than believed.
//! Integers are big-endian, or of variable length where they are mostly small. No secret can be in a record: there is none in a
//! [`ChangeSet`].

use crate::ledger::{
    Amount, Outpoint, SpentOutput, TokenData, TokenUid, Vertex, VertexId, VertexInput, VertexOutput,
};
use crate::wallet::ChangeSet;

/// The version of what is written. Versions below this one, if any, are read too.
pub const FORMAT: u8 = 1;

const VOIDED: u8 = 1;
const FIRST_BLOCK: u8 = 2;
const HEIGHT: u8 = 4;
const CREATES: u8 = 8;

const FORGET: u8 = 1;
const ADDRESS_COUNT: u8 = 2;
const CURRENT_INDEX: u8 = 4;
const BEST_HEIGHT: u8 = 8;

/// A script that pays a public key hash: this head, 20 bytes, this tail. Written as its hash alone.
const P2PKH_HEAD: [u8; 3] = [0x76, 0xa9, 20];
const P2PKH_TAIL: [u8; 2] = [0x88, 0xac];

/// Bytes of a check value.
const CHECK_LEN: usize = 8;

/// Why bytes are no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// Written by a later version of this program.
    #[error(
        "its format is version {0}, and this program reads versions up to {FORMAT}: use the program that wrote it, or a later one"
    )]
    Newer(u8),
    /// Not as it was written.
    #[error("a record is damaged")]
    Damaged,
}

/// Writes a change set.
pub fn encode_changes(changes: &ChangeSet) -> Vec<u8> {
    let mut to = Writer(vec![FORMAT]);
    let numbers = [
        (changes.address_count, ADDRESS_COUNT),
        (changes.current_index, CURRENT_INDEX),
        (changes.best_height, BEST_HEIGHT),
    ];
    let given = numbers.iter().filter(|(number, _)| number.is_some()).map(|(_, bit)| bit).sum::<u8>();
    to.0.push(given | if changes.forget { FORGET } else { 0 });
    numbers.iter().filter_map(|(number, _)| *number).for_each(|number| to.0.extend(number.to_be_bytes()));
    to.int(changes.vertices.len() as u128);
    for vertex in changes.vertices.values() {
        to.id(&vertex.id);
        to.bytes(&encode_vertex(vertex));
    }
    to.checked(&[])
}

/// Reads what [`encode_changes`] wrote.
pub fn decode_changes(bytes: &[u8]) -> Result<ChangeSet, RecordError> {
    match bytes.first() {
        Some(&FORMAT) => {}
        Some(&version) if version > FORMAT => return Err(RecordError::Newer(version)),
        _ => return Err(RecordError::Damaged),
    }
    let mut from = Reader::checked(&[], bytes).ok_or(RecordError::Damaged)?;
    changes(&mut from).filter(|_| from.is_empty()).ok_or(RecordError::Damaged)
}

fn changes(from: &mut Reader<'_>) -> Option<ChangeSet> {
    let _format = from.byte()?;
    let flags = from.byte()?;
    if flags & !(FORGET | ADDRESS_COUNT | CURRENT_INDEX | BEST_HEIGHT) != 0 {
        return None;
    }
    let mut changes = ChangeSet {
        forget: flags & FORGET != 0,
        address_count: from.u32_if(flags & ADDRESS_COUNT != 0)?,
        current_index: from.u32_if(flags & CURRENT_INDEX != 0)?,
        best_height: from.u32_if(flags & BEST_HEIGHT != 0)?,
        ..ChangeSet::default()
    };
    for _ in 0..from.len()? {
        let id = from.id()?;
        let vertex = decode_vertex(id, from.bytes()?).ok()?;
        changes.vertices.insert(id, vertex);
    }
    Some(changes)
}

/// Writes a vertex without its id, which its check value covers all the same.
pub fn encode_vertex(vertex: &Vertex) -> Vec<u8> {
    let flag = |set: bool, bit: u8| if set { bit } else { 0 };
    let mut to = Writer(vec![
        flag(vertex.voided, VOIDED)
            | flag(vertex.first_block.is_some(), FIRST_BLOCK)
            | flag(vertex.height.is_some(), HEIGHT)
            | flag(vertex.creates.is_some(), CREATES),
        vertex.version,
    ]);
    to.0.extend(vertex.timestamp.to_be_bytes());
    to.0.extend(vertex.weight.to_be_bytes());
    vertex.first_block.iter().for_each(|id| to.id(id));
    vertex.height.iter().for_each(|height| to.0.extend(height.to_be_bytes()));
    if let Some((name, symbol)) = &vertex.creates {
        to.bytes(name.as_bytes());
        to.bytes(symbol.as_bytes());
    }
    to.int(vertex.parents.len() as u128);
    vertex.parents.iter().for_each(|parent| to.id(parent));
    let tokens = tokens_of(vertex);
    to.int(tokens.len() as u128);
    tokens.iter().for_each(|id| to.id(id));
    to.int(vertex.outputs.len() as u128);
    for VertexOutput { output, spent_by } in &vertex.outputs {
        to.output(output, &tokens);
        to.0.push(spent_by.is_some().into());
        spent_by.iter().for_each(|id| to.id(id));
    }
    to.int(vertex.inputs.len() as u128);
    for VertexInput { spends, output } in &vertex.inputs {
        to.id(&spends.tx);
        to.0.push(spends.index);
        to.output(output, &tokens);
    }
    to.checked(&vertex.id.0)
}

/// Reads what [`encode_vertex`] wrote of the vertex `id`.
pub fn decode_vertex(id: VertexId, bytes: &[u8]) -> Result<Vertex, RecordError> {
    let mut from = Reader::checked(&id.0, bytes).ok_or(RecordError::Damaged)?;
    vertex(&mut from, id).filter(|_| from.is_empty()).ok_or(RecordError::Damaged)
}

fn vertex(from: &mut Reader<'_>, id: VertexId) -> Option<Vertex> {
    let flags = from.byte()?;
    if flags & !(VOIDED | FIRST_BLOCK | HEIGHT | CREATES) != 0 {
        return None;
    }
    let mut vertex = Vertex {
        id,
        voided: flags & VOIDED != 0,
        version: from.byte()?,
        timestamp: from.u32()?,
        weight: f64::from_be_bytes(from.array()?),
        first_block: from.id_if(flags & FIRST_BLOCK != 0)?,
        height: from.u32_if(flags & HEIGHT != 0)?,
        creates: None,
        parents: Vec::new(),
        inputs: Vec::new(),
        outputs: Vec::new(),
    };
    if flags & CREATES != 0 {
        vertex.creates = Some((from.text()?, from.text()?));
    }
    vertex.parents = from.list(Reader::id)?;
    let tokens = from.list(Reader::id)?;
    vertex.outputs = from.list(|from| {
        let output = from.output(&tokens)?;
        let spent = from.flag()?;
        Some(VertexOutput { output, spent_by: from.id_if(spent)? })
    })?;
    vertex.inputs = from.list(|from| {
        let spends = Outpoint { tx: from.id()?, index: from.byte()? };
        Some(VertexInput { spends, output: from.output(&tokens)? })
    })?;
    Some(vertex)
}

/// The custom tokens of a vertex, each once; outputs refer to them by place, HTR being 0.
fn tokens_of(vertex: &Vertex) -> Vec<VertexId> {
    let outputs = vertex.outputs.iter().map(|o| &o.output).chain(vertex.inputs.iter().map(|i| &i.output));
    let mut tokens = Vec::new();
    for output in outputs {
        if let TokenUid::Custom(id) = output.token
            && !tokens.contains(&id)
        {
            tokens.push(id);
        }
    }
    tokens
}

/// FNV-1a, 64 bits: against accidents, not against people.
fn check(context: &[u8], bytes: &[u8]) -> [u8; CHECK_LEN] {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    context.iter().chain(bytes).fold(0xcbf2_9ce4_8422_2325, step).to_be_bytes()
}

struct Writer(Vec<u8>);

impl Writer {
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
    fn output(&mut self, output: &SpentOutput, tokens: &[VertexId]) {
        let token = match output.token {
            TokenUid::Native => 0,
            TokenUid::Custom(id) => 1 + tokens.iter().position(|t| *t == id).expect("listed by tokens_of"),
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
    fn checked(mut self, context: &[u8]) -> Vec<u8> {
        let check = check(context, &self.0);
        self.0.extend(check);
        self.0
    }
}

/// What is left to read. Everything gives `None` when the bytes are none that were written.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// What a check value at the end vouches for.
    fn checked(context: &[u8], bytes: &'a [u8]) -> Option<Self> {
        let (body, said) = bytes.split_last_chunk::<CHECK_LEN>()?;
        (check(context, body) == *said).then_some(Self(body))
    }
    const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }
    fn byte(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }
    fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_be_bytes)
    }
    fn id(&mut self) -> Option<VertexId> {
        self.array().map(VertexId)
    }
    fn u32_if(&mut self, given: bool) -> Option<Option<u32>> {
        if given { self.u32().map(Some) } else { Some(None) }
    }
    fn id_if(&mut self, given: bool) -> Option<Option<VertexId>> {
        if given { self.id().map(Some) } else { Some(None) }
    }
    fn int(&mut self) -> Option<u128> {
        let (mut value, mut shift) = (0u128, 0);
        loop {
            let byte = self.byte()?;
            let bits = u128::from(byte & 0x7f);
            let placed = bits.checked_shl(shift)?;
            if placed >> shift != bits {
                return None;
            }
            value |= placed;
            if byte & 0x80 == 0 {
                return Some(value);
            }
            shift += 7;
        }
    }
    fn len(&mut self) -> Option<usize> {
        self.int()?.try_into().ok()
    }
    fn bytes(&mut self) -> Option<&'a [u8]> {
        let len = self.len()?;
        self.take(len)
    }
    fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }
    /// Grows as it reads: a length that promises more than there is costs nothing.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let len = self.len()?;
        let mut list = Vec::with_capacity(len.min(16));
        for _ in 0..len {
            list.push(item(self)?);
        }
        Some(list)
    }
    fn output(&mut self, tokens: &[VertexId]) -> Option<SpentOutput> {
        let token = match self.len()?.checked_sub(1) {
            None => TokenUid::Native,
            Some(place) => TokenUid::Custom(*tokens.get(place)?),
        };
        let token_data = TokenData(self.byte()?);
        let value = Amount::new(self.int()?);
        let script = match self.len()?.checked_sub(1) {
            None => [&P2PKH_HEAD, self.take(20)?, &P2PKH_TAIL].concat().into_boxed_slice(),
            Some(len) => self.take(len)?.into(),
        };
        Some(SpentOutput { value, token, token_data, script })
    }
}
