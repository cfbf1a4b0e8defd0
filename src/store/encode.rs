//! Change sets as bytes: compact, versioned, and read without trusting them.
//!
//! A record ends with a check value over all before it, so that damage on a disk is detected. A record
//! contains no secret, because a [`ChangeSet`] has none.

use crate::ledger::{Amount, Holding, Outpoint, TokenUid, VertexId};
use crate::wallet::{ChangeSet, PackedVertex, Reader, SwapPart, Writer};

/// From the first release on, released versions never change.
pub const FORMAT: u8 = 1;

const FORGET: u8 = 1;
const ADDRESS_COUNT: u8 = 2;
const CURRENT_INDEX: u8 = 4;
const BEST_HEIGHT: u8 = 8;
const LOCKED_OUTPOINTS: u8 = 16;
const SWAP_PARTS: u8 = 32;

const CHECK_LEN: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    #[error(
        "its format is version {0}, which this program can't read: use the program that wrote it, or a later one"
    )]
    Newer(u8),
    #[error("a record is damaged")]
    Damaged,
}

pub fn encode_changes(changes: &ChangeSet) -> Vec<u8> {
    let has_locks = !changes.locked_outpoints.is_empty();
    let mut to = Writer(vec![FORMAT]);
    let numbers = [
        (changes.address_count, ADDRESS_COUNT),
        (changes.current_index, CURRENT_INDEX),
        (changes.best_height, BEST_HEIGHT),
    ];
    let given = numbers.iter().filter(|(number, _)| number.is_some()).map(|(_, bit)| bit).sum::<u8>();
    let forget = if changes.forget { FORGET } else { 0 };
    let locks = if has_locks { LOCKED_OUTPOINTS } else { 0 };
    let swaps = if changes.swap_parts.is_some() { SWAP_PARTS } else { 0 };
    to.0.push(given | forget | locks | swaps);
    numbers.iter().filter_map(|(number, _)| *number).for_each(|number| to.0.extend(number.to_be_bytes()));
    to.len(changes.vertices.len());
    for (id, vertex) in &changes.vertices {
        to.id(id);
        to.bytes(&encode_vertex(id, vertex));
    }
    if has_locks {
        to.len(changes.locked_outpoints.len());
        for (output, until) in &changes.locked_outpoints {
            write_outpoint(&mut to, output);
            to.0.push(until.is_some().into());
            to.0.extend(until.unwrap_or_default().to_be_bytes());
        }
    }
    if let Some(parts) = &changes.swap_parts {
        to.len(parts.len());
        parts.iter().for_each(|part| write_swap_part(&mut to, part));
    }
    with_check(&[], to.0)
}

fn write_outpoint(to: &mut Writer, output: &Outpoint) {
    to.id(&output.tx);
    to.0.push(output.index);
}

fn read_outpoint(from: &mut Reader<'_>) -> Option<Outpoint> {
    Some(Outpoint { tx: from.id()?, index: from.byte()? })
}

fn write_swap_part(to: &mut Writer, part: &SwapPart) {
    to.len(part.inputs.len());
    part.inputs.iter().for_each(|input| write_outpoint(to, input));
    to.len(part.outputs.len());
    for (holds, script) in &part.outputs {
        let token = if let TokenUid::Custom(token) = &holds.token { Some(token) } else { None };
        to.0.extend([u8::from(token.is_some()), u8::from(holds.is_authority)]);
        token.into_iter().for_each(|token| to.id(token));
        to.int(holds.value.cents());
        to.bytes(script);
    }
    to.0.push(part.gets.into());
}

fn read_swap_part(from: &mut Reader<'_>) -> Option<SwapPart> {
    let mut part = SwapPart::default();
    for _ in 0..from.len()? {
        part.inputs.push(read_outpoint(from)?);
    }
    for _ in 0..from.len()? {
        let (is_custom, is_authority) = (from.flag()?, from.flag()?);
        let token = from.id_if(is_custom)?.map_or(TokenUid::Native, TokenUid::Custom);
        let value = Amount::new(from.int()?);
        part.outputs.push((Holding { token, value, is_authority }, from.bytes()?.to_vec()));
    }
    part.gets = from.flag()?;
    Some(part)
}

/// # Errors
/// [`RecordError::Newer`] for a record of a later version, [`RecordError::Damaged`] for any other bytes.
pub fn decode_changes(bytes: &[u8]) -> Result<ChangeSet, RecordError> {
    match bytes.first() {
        Some(&FORMAT) => {}
        Some(&version) if version > FORMAT => return Err(RecordError::Newer(version)),
        _ => return Err(RecordError::Damaged),
    }
    checked(&[], bytes).and_then(changes).ok_or(RecordError::Damaged)
}

fn changes(bytes: &[u8]) -> Option<ChangeSet> {
    let mut from = Reader(bytes);
    let _format = from.byte()?;
    let flags = from.byte()?;
    if flags & !(FORGET | ADDRESS_COUNT | CURRENT_INDEX | BEST_HEIGHT | LOCKED_OUTPOINTS | SWAP_PARTS) != 0 {
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
        let vertex = decode_vertex(&id, from.bytes()?).ok()?;
        changes.vertices.insert(id, vertex);
    }
    for _ in 0..if flags & LOCKED_OUTPOINTS == 0 { 0 } else { from.len()? } {
        let output = read_outpoint(&mut from)?;
        let (is_locked, until) = (from.flag()?, from.u32()?);
        changes.locked_outpoints.insert(output, is_locked.then_some(until));
    }
    if flags & SWAP_PARTS != 0 {
        let parts = changes.swap_parts.insert(Vec::new());
        for _ in 0..from.len()? {
            parts.push(read_swap_part(&mut from)?);
        }
    }
    from.is_empty().then_some(changes)
}

/// Encodes a vertex without its id, which the check value covers nevertheless.
pub fn encode_vertex(id: &VertexId, vertex: &PackedVertex) -> Vec<u8> {
    with_check(&id.0, vertex.as_bytes().to_vec())
}

/// # Errors
/// [`RecordError::Damaged`] for any other bytes, and for a vertex with another id.
pub fn decode_vertex(id: &VertexId, bytes: &[u8]) -> Result<PackedVertex, RecordError> {
    checked(&id.0, bytes).and_then(PackedVertex::read).ok_or(RecordError::Damaged)
}

/// FNV-1a, 64 bits: detects accidents, not tampering.
fn check(context: &[u8], bytes: &[u8]) -> [u8; CHECK_LEN] {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    context.iter().chain(bytes).fold(0xcbf2_9ce4_8422_2325, step).to_be_bytes()
}

pub(super) fn with_check(context: &[u8], mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.reserve_exact(CHECK_LEN);
    bytes.extend(check(context, &bytes));
    bytes
}

/// The bytes before the check value at their end, if it is right.
pub(super) fn checked<'a>(context: &[u8], bytes: &'a [u8]) -> Option<&'a [u8]> {
    let (body, said) = bytes.split_last_chunk::<CHECK_LEN>()?;
    (check(context, body) == *said).then_some(body)
}
