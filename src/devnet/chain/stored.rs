//! A vertex as the ledger keeps it: its content, which never changes, and what the ledger thinks of it, which
//! does. Reading the ledger: histories, spenders, tokens.

use super::Chain;
use crate::ledger::nano::VertexNano;
use crate::ledger::{
    Address, Amount, AmountVersion, Block, ExtraMembers, Input, Network, Outpoint, Output, Part, Script,
    SpentOutput, TokenData, TokenUid, TokenVersion, Transaction, Vertex, VertexId, VertexInput, VertexOutput,
    hash160,
};
use std::collections::{BTreeMap, BTreeSet};

/// What a vertex is.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    Transaction(Transaction),
    Block(Block),
}

/// A transaction or block of the ledger.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    pub id: VertexId,
    pub body: Body,
    pub bytes: Vec<u8>,
    pub meta: Meta,
}

/// What the ledger thinks of a vertex; the names are those of a full node's `meta`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meta {
    /// The block that confirmed it (transactions).
    pub first_block: Option<VertexId>,
    /// Place in the chain of blocks; 0 is genesis (blocks).
    pub height: Option<u32>,
    /// The losers of conflicts that void it, itself among them if it is one. Empty: it counts.
    pub voided_by: BTreeSet<VertexId>,
    /// Transactions that spend an output that it spends too, in order of arrival.
    pub conflict_with: Vec<VertexId>,
    /// Conflicting transactions with the same inputs and outputs.
    pub twins: Vec<VertexId>,
    /// Vertices that name it as a parent.
    pub children: BTreeSet<VertexId>,
    /// For each output, all that spend it, voided or not, in order of arrival.
    pub spent_outputs: Vec<Vec<VertexId>>,
    /// Work of it and of what builds on it, as far as conflicts made it necessary to count (full node:
    /// `accumulated_weight_raw`): the sum of 2^weight.
    pub accumulated_work: u128,
    /// Work of a block and all that it confirms, directly or not (full node: `score_raw`).
    pub score: u128,
    /// Least height of a block that may confirm it, by the rewards that it or its ancestors spend.
    pub min_height: u32,
}

/// The work that `weight` stands for: 2^weight, rounded down.
pub fn work_of(weight: f64) -> u128 {
    // A cast of a float saturates, and NaN becomes 0.
    weight.exp2().floor() as u128
}

/// The weight that `work` stands for: its binary logarithm.
pub fn weight_of(work: u128) -> f64 {
    if work == 0 { 0.0 } else { (work as f64).log2() }
}

impl Stored {
    /// Whether it is a block.
    pub const fn is_block(&self) -> bool {
        matches!(self.body, Body::Block(_))
    }
    /// Whether it lost a conflict, builds on what did, or is a block that was undone.
    pub fn is_voided(&self) -> bool {
        !self.meta.voided_by.is_empty()
    }
    /// The transaction, if it is one.
    pub const fn transaction(&self) -> Option<&Transaction> {
        match &self.body {
            Body::Transaction(tx) => Some(tx),
            Body::Block(_) => None,
        }
    }
    /// The block, if it is one.
    pub const fn block(&self) -> Option<&Block> {
        match &self.body {
            Body::Block(block) => Some(block),
            Body::Transaction(_) => None,
        }
    }
    /// Unix seconds.
    pub const fn timestamp(&self) -> u32 {
        match &self.body {
            Body::Transaction(tx) => tx.timestamp,
            Body::Block(block) => block.timestamp,
        }
    }
    /// Binary logarithm of the hashes expected.
    pub const fn weight(&self) -> f64 {
        match &self.body {
            Body::Transaction(tx) => tx.weight,
            Body::Block(block) => block.weight,
        }
    }
    /// How it writes its amounts.
    pub fn amounts(&self) -> AmountVersion {
        self.transaction().map_or(AmountVersion::V1, Transaction::amounts)
    }
    /// None for a block.
    pub fn inputs(&self) -> &[Input] {
        self.transaction().map_or(&[], |tx| &tx.inputs)
    }
    pub fn outputs(&self) -> &[Output] {
        match &self.body {
            Body::Transaction(tx) => &tx.outputs,
            Body::Block(block) => &block.outputs,
        }
    }
    pub fn parents(&self) -> &[VertexId] {
        match &self.body {
            Body::Transaction(tx) => &tx.parents,
            Body::Block(block) => &block.parents,
        }
    }
    /// The token that `token_data` stands for here; `None` past the token list.
    pub fn token(&self, token_data: TokenData) -> Option<TokenUid> {
        match (&self.body, token_data.index()) {
            (_, 0) => Some(TokenUid::Native),
            (Body::Block(_), _) => None,
            (Body::Transaction(tx), 1) if tx.creates.is_some() => Some(TokenUid::Custom(self.id)),
            (Body::Transaction(tx), _) => tx.token_at(token_data),
        }
    }
    /// The output at `index` as an outpoint.
    pub const fn outpoint(&self, index: u8) -> Outpoint {
        Outpoint { tx: self.id, index }
    }
}

// Reading the ledger: histories, spenders, tokens.

/// What is known of a token.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenState {
    pub uid: TokenUid,
    pub name: String,
    pub symbol: String,
    /// `None` for HTR.
    pub version: Option<TokenVersion>,
    /// Unspent outputs that allow minting.
    pub mint: Vec<Outpoint>,
    /// Unspent outputs that allow melting.
    pub melt: Vec<Outpoint>,
    pub total: Amount,
    /// Transactions that create it or have it in their token list and are not voided; not counted for HTR.
    pub transactions_count: u64,
}

impl Chain {
    /// A vertex as histories show it.
    pub fn vertex(&self, id: &VertexId) -> Option<Vertex> {
        let stored = self.get(id)?;
        let inputs = stored
            .inputs()
            .iter()
            .filter_map(|input| {
                let spent = self.get(&input.spends.tx)?;
                let output = spent.outputs().get(usize::from(input.spends.index))?;
                Some(VertexInput { spends: input.spends, output: shown(spent, output)? })
            })
            .collect();
        let outputs = (0..=u8::MAX)
            .zip(stored.outputs())
            .filter_map(|(index, output)| {
                let spent_by = self.spender(stored.outpoint(index));
                Some(VertexOutput { output: shown(stored, output)?, spent_by })
            })
            .collect();
        let created = stored.transaction().and_then(|tx| tx.creates.as_ref());
        let extra = if self.rules.amounts_v2 { self.words(stored) } else { ExtraMembers::default() };
        Some(Vertex {
            id: stored.id,
            version: stored.transaction().map_or(0, |tx| tx.version()),
            weight: stored.weight(),
            timestamp: stored.timestamp(),
            voided: stored.is_voided(),
            first_block: stored.meta.first_block,
            height: stored.meta.height,
            parents: stored.parents().to_vec(),
            inputs,
            outputs,
            creates: created.map(|token| (token.name.clone(), token.symbol.clone())),
            nano: self.nano_of(stored).map(Box::new),
            extra,
        })
    }

    /// What the node says of amounts where it knows two versions of them.
    fn words(&self, stored: &Stored) -> ExtraMembers {
        let mut extra = ExtraMembers::default();
        let version = if stored.amounts() == AmountVersion::V2 { 2 } else { 1 };
        extra.push(Part::Whole, format!("\"token_amount_version\":{version}").into());
        for (index, input) in (0..=u8::MAX).zip(stored.inputs()) {
            let spent = self.get(&input.spends.tx);
            let output = spent.and_then(|spent| spent.outputs().get(usize::from(input.spends.index)));
            let words = spent.zip(output).map(|(spent, output)| members(output, spent.amounts()));
            extra.push(Part::Input(index), words.unwrap_or_default().into());
        }
        for (index, output) in (0..=u8::MAX).zip(stored.outputs()) {
            extra.push(Part::Output(index), members(output, stored.amounts()).into());
        }
        extra
    }

    /// What a vertex has to do with contracts.
    fn nano_of(&self, stored: &Stored) -> Option<VertexNano> {
        let mut nano = VertexNano::of(stored.transaction()?, stored.id)?;
        if let VertexNano::Call(call) = &mut nano {
            call.blueprint = self.blueprint_of(&call.contract).or(call.blueprint);
            let block = stored.meta.first_block.and_then(|block| self.get(&block));
            call.timestamp = block.map(Stored::timestamp);
        }
        Some(nano)
    }

    /// Who spends `output`, unless they are voided.
    pub fn spender(&self, output: Outpoint) -> Option<VertexId> {
        let spenders = self.get(&output.tx)?.meta.spent_outputs.get(usize::from(output.index))?;
        spenders.iter().copied().find(|id| !self.vertices[id].is_voided())
    }

    /// For each output of `id` that is spent by what is not voided: its index and the spender.
    pub fn spent_outputs(&self, id: &VertexId) -> BTreeMap<u8, VertexId> {
        let Some(stored) = self.get(id) else { return BTreeMap::new() };
        (0..=u8::MAX)
            .take(stored.outputs().len())
            .filter_map(|index| Some((index, self.spender(stored.outpoint(index))?)))
            .collect()
    }

    /// What is known of a token; HTR is [`TokenUid::Native`]. `None` too if all that created it is voided.
    pub fn token(&self, uid: TokenUid) -> Option<TokenState> {
        let (name, symbol, version) = match uid {
            TokenUid::Native => ("Hathor".to_owned(), "HTR".to_owned(), None),
            TokenUid::Custom(id) => {
                let created = self.get(&id).filter(|stored| !stored.is_voided())?;
                let token = created.transaction()?.creates.as_ref()?;
                (token.name.clone(), token.symbol.clone(), Some(token.version))
            }
        };
        let mut state = TokenState {
            uid,
            name,
            symbol,
            version,
            mint: vec![],
            melt: vec![],
            total: Amount::ZERO,
            transactions_count: 0,
        };
        let ids = match uid {
            TokenUid::Native => &self.order,
            TokenUid::Custom(id) => self.by_token.get(&id)?,
        };
        for stored in ids.iter().map(|id| &self.vertices[id]).filter(|stored| !stored.is_voided()) {
            state.transactions_count += u64::from(lists(stored, uid));
            self.add_unspent(stored, &mut state);
        }
        Some(state)
    }

    fn add_unspent(&self, stored: &Stored, state: &mut TokenState) {
        for (index, output) in (0..=u8::MAX).zip(stored.outputs()) {
            let outpoint = stored.outpoint(index);
            if stored.token(output.token_data) != Some(state.uid) || self.spender(outpoint).is_some() {
                continue;
            }
            if !output.token_data.is_authority() {
                state.total = [state.total, output.value].into_iter().sum();
                continue;
            }
            if output.value.cents() & u128::from(Output::MINT) != 0 {
                state.mint.push(outpoint);
            }
            if output.value.cents() & u128::from(Output::MELT) != 0 {
                state.melt.push(outpoint);
            }
        }
    }
}

/// Whether `stored` creates the token or has it in its list: who melts the last of it can do without.
fn lists(stored: &Stored, token: TokenUid) -> bool {
    let TokenUid::Custom(token) = token else { return false };
    let created = || stored.id == token;
    stored.transaction().is_some_and(|tx| created() || tx.tokens.contains(&token))
}

/// An amount as the node writes it: the number of its version, and words. Masks are written as if they were
/// amounts.
pub fn number_and_words(output: &Output, version: AmountVersion) -> (u128, String) {
    let number = version.number(output.value, output.token_data.is_authority()).unwrap_or_default();
    (number, version.amount(number, false).decimal())
}

fn members(output: &Output, version: AmountVersion) -> String {
    let (number, words) = number_and_words(output, version);
    format!("\"value\":{number},\"value_str\":\"{words}\"")
}

fn shown(stored: &Stored, output: &Output) -> Option<SpentOutput> {
    Some(SpentOutput {
        value: output.value,
        token: stored.token(output.token_data)?,
        token_data: output.token_data,
        script: (&*output.script).into(),
        unknown: None,
    })
}

/// The address that called a contract, or put a blueprint on the ledger.
fn signer_of(vertex: &Vertex, network: Network) -> Option<Address> {
    match &**vertex.nano.as_ref()? {
        VertexNano::Call(call) => Some(call.caller),
        VertexNano::Blueprint { public_key } => Some(Address::p2pkh(network, hash160(public_key))),
    }
}

/// The addresses in the outputs and inputs of `vertex`, each once: outputs first, and last who signed for a
/// contract.
pub fn addresses_of(vertex: &Vertex, network: Network) -> Vec<Address> {
    let outputs = vertex.outputs.iter().map(|output| &output.output);
    let inputs = vertex.inputs.iter().map(|input| &input.output);
    let mut addresses = Vec::new();
    for output in outputs.chain(inputs) {
        let Some(Script::Pay { to, .. }) = Script::parse(&output.script, network) else { continue };
        if !addresses.contains(&to) {
            addresses.push(to);
        }
    }
    let signer = signer_of(vertex, network).filter(|signer| !addresses.contains(signer));
    addresses.extend(signer);
    addresses
}
