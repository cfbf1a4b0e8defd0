//! Reading the ledger: histories, spenders, tokens.

use super::{Chain, Stored};
use crate::ledger::nano::VertexNano;
use crate::ledger::{
    Address, Amount, ExtraMembers, Network, Outpoint, Output, Script, SpentOutput, TokenUid, TokenVersion,
    Vertex, VertexId, VertexInput, VertexOutput, hash160,
};
use std::collections::BTreeMap;

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
            extra: ExtraMembers::default(),
        })
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
