//! A transaction or block as the ledger's indexes show it: its inputs with what they spend, its outputs with
//! who spent them.

use super::nano::VertexNano;
use super::{
    Amount, AmountVersion, Block, Outpoint, Output, ScriptBytes, TokenData, TokenUid, Transaction, VertexId,
    data_of,
};
use std::borrow::Cow;

/// A transaction or block of somebody's history.
#[derive(Clone, Debug, PartialEq)]
pub struct Vertex {
    pub id: VertexId,
    /// 0, 3 and 5 are blocks, 1 a transaction, 2 a token creation, 6 a blueprint.
    pub version: u8,
    pub weight: f64,
    /// Unix seconds.
    pub timestamp: u32,
    /// Lost a conflict, or spends what did: it moves nothing.
    pub voided: bool,
    /// The block that first confirmed it.
    pub first_block: Option<VertexId>,
    /// Blocks only.
    pub height: Option<u32>,
    pub parents: Vec<VertexId>,
    pub inputs: Vec<VertexInput>,
    pub outputs: Vec<VertexOutput>,
    /// Name and symbol, on token creations.
    pub creates: Option<(String, String)>,
    /// What it has to do with contracts.
    pub nano: Option<Box<VertexNano>>,
    /// What the node says of it that is not known here.
    pub extra: ExtraMembers,
}

/// An input and the output that it spends.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexInput {
    pub spends: Outpoint,
    pub output: SpentOutput,
}

/// An output: `token_data` counts in the transaction that has it.
#[derive(Clone, Debug, PartialEq)]
pub struct SpentOutput {
    pub value: Amount,
    pub token: TokenUid,
    pub token_data: TokenData,
    pub script: ScriptBytes,
    /// The node's JSON of an input or output of a kind that is not known here. It counts as nothing: it has
    /// no value, its token is HTR, and its script is there only if it could be read.
    pub unknown: Option<Box<str>>,
}

/// An output and who spent it.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexOutput {
    pub output: SpentOutput,
    pub spent_by: Option<VertexId>,
}

/// What became of a call of a contract, in the full node's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Execution {
    /// No block has confirmed it.
    Pending,
    Success,
    /// It is voided, and moves nothing.
    Failure,
    /// It was voided before a block could execute it.
    Skipped,
}

impl Vertex {
    /// Whether it is a block of any kind.
    pub const fn is_block(&self) -> bool {
        Self::is_block_version(self.version)
    }

    /// Whether this is the version of blocks of any kind.
    pub const fn is_block_version(version: u8) -> bool {
        matches!(version, 0 | 3 | 5)
    }

    /// What identifies the NFT that it creates, if it does: then its first output holds data.
    pub fn nft_data(&self) -> Option<&str> {
        self.creates.as_ref()?;
        data_of(&self.outputs.first()?.output.script)
    }

    /// Whether an amount of it has parts of a cent.
    pub fn has_parts(&self) -> bool {
        let outputs = self.outputs.iter().map(|o| o.output.value);
        let inputs = self.inputs.iter().map(|i| i.output.value);
        let calls = self.nano.iter().filter_map(|nano| nano.call());
        let actions = calls.flat_map(|call| &call.actions).map(|action| action.amount);
        outputs.chain(inputs).chain(actions).any(|amount| amount.part() != 0)
    }

    /// Whether an input or output is of a kind that is not known here.
    pub fn has_unknown(&self) -> bool {
        let outputs = self.outputs.iter().map(|o| &o.output);
        outputs.chain(self.inputs.iter().map(|i| &i.output)).any(|output| output.unknown.is_some())
    }
}

// What a transaction or block pays, by its own bytes, of which its id is the hash.

/// The outputs that the bytes of vertex `id` say it has. `amounts` is the last version that is read.
pub fn vertex_outputs(
    bytes: &[u8],
    id: VertexId,
    amounts: AmountVersion,
) -> Result<Vec<SpentOutput>, String> {
    let unreadable = |e: &dyn std::fmt::Display| format!("the transaction's bytes can't be read: {e}");
    let others = "the transaction's bytes are those of another".to_owned();
    let spent = |output: Output, token| SpentOutput {
        value: output.value,
        token,
        token_data: output.token_data,
        script: output.script.into(),
        unknown: None,
    };
    if let Ok(block) = Block::from_bytes(bytes) {
        return match block.id() {
            Ok(hash) if hash == id => {
                Ok(block.outputs.into_iter().map(|output| spent(output, TokenUid::Native)).collect())
            }
            _ => Err(others),
        };
    }
    let transaction = match amounts {
        AmountVersion::V1 => Transaction::from_bytes(bytes),
        AmountVersion::V2 => Transaction::from_bytes_with_v2(bytes),
    };
    let transaction = transaction.map_err(|e| unreadable(&e))?;
    if transaction.id() != Ok(id) {
        return Err(others);
    }
    let tokens: Vec<_> = transaction
        .outputs
        .iter()
        .map(|output| match transaction.token_at(output.token_data) {
            None if transaction.creates.is_some() => Some(TokenUid::Custom(id)),
            token => token,
        })
        .collect();
    let outputs = transaction.outputs.into_iter().zip(tokens);
    let outputs: Option<_> = outputs.map(|(output, token)| Some(spent(output, token?))).collect();
    outputs.ok_or_else(|| unreadable(&"an output is of a token that it doesn't list"))
}

// Members that a full node adds to its JSON of transactions and that are not known here. They are passed on
// to clients as they came.

/// What the members belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The transaction or block itself.
    Whole,
    /// The input at an index.
    Input(u8),
    /// The output at an index.
    Output(u8),
}

/// The members, by what they belong to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExtraMembers(Vec<(Part, Cow<'static, str>)>);

impl ExtraMembers {
    /// What nodes from release 0.71 on add to each input.
    pub const TRANSPARENT: &'static str = r#""type":"transparent""#;
    /// The most bytes of one transaction's: more than nodes add to one of 255 inputs and 255 outputs.
    pub const MAX_BYTES: usize = 32 * 1024;

    /// Members of a part, as JSON without the braces: `"a":1,"b":[]`. Parts come in their order.
    pub fn push(&mut self, part: Part, members: Cow<'static, str>) {
        debug_assert!(self.0.last().is_none_or(|(last, _)| *last < part));
        if !members.is_empty() {
            self.0.push((part, members));
        }
    }

    /// The members of a part.
    pub fn of(&self, part: Part) -> Option<&str> {
        let index = self.0.binary_search_by_key(&part, |(part, _)| *part).ok()?;
        Some(&self.0[index].1)
    }

    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, in the order of their parts.
    pub fn iter(&self) -> impl Iterator<Item = (Part, &str)> {
        self.0.iter().map(|(part, members)| (*part, &**members))
    }

    /// These, or none if they are too long to be kept.
    pub fn within_bounds(self) -> Option<Self> {
        let bytes: usize = self.0.iter().map(|(_, members)| members.len()).sum();
        (bytes <= Self::MAX_BYTES).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_by_their_part_and_bounded_together() {
        let mut extra = ExtraMembers::default();
        extra.push(Part::Whole, "".into());
        assert!(extra.is_empty(), "nothing is nothing");
        extra.push(Part::Input(0), ExtraMembers::TRANSPARENT.into());
        extra.push(Part::Input(2), r#""a":1"#.into());
        extra.push(Part::Output(0), r#""b":2"#.into());
        let found = [Part::Whole, Part::Input(0), Part::Input(1), Part::Input(2), Part::Output(0)];
        assert_eq!(
            found.map(|part| extra.of(part)),
            [None, Some(ExtraMembers::TRANSPARENT), None, Some(r#""a":1"#), Some(r#""b":2"#)]
        );
        assert_eq!(extra.clone().within_bounds(), Some(extra.clone()));
        extra.push(Part::Output(1), "x".repeat(ExtraMembers::MAX_BYTES).into());
        assert_eq!(extra.within_bounds(), None);
    }
}
