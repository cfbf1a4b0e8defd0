//! What a transaction did to one wallet.

use super::nano::VertexNano;
use super::{Cost, DepositRate, SpentOutput, TokenUid, TokenVersion, Vertex, VertexId, data_of};
use litemap::LiteMap;

/// What a transaction did to a wallet. A voided one did nothing: then it is what it would have done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    pub direction: Direction,
    pub kind: TransactionKind,
    /// What came in less what went out, in cents, for each token touched. Authorities are no amounts: a
    /// token of which only they moved has 0.
    pub net: LiteMap<TokenUid, i128>,
    /// What the wallet paid for it. `None` if that can't be told: others paid with it, or the HTR could be a
    /// token's deposit as well as its fee.
    pub cost: Option<Cost>,
    /// Places of the inputs that spend what was the wallet's.
    pub own_inputs: Vec<u8>,
    /// Places of the outputs that are the wallet's.
    pub own_outputs: Vec<u8>,
    /// Those of them that are change: amounts of a token of which the transaction took more from the wallet
    /// than it gave back.
    pub change_outputs: Vec<u8>,
}

/// Which way a transaction goes, as the wallet sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// It spends nothing of the wallet's.
    Received,
    /// It spends what was the wallet's and pays somebody else.
    Sent,
    /// It spends what was the wallet's and pays nobody else.
    Own,
}

/// What a transaction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransactionKind {
    Reward,
    /// It creates a token.
    Creation,
    /// It creates an NFT.
    Nft,
    /// It makes more of a token.
    Mint,
    /// It makes less of a token.
    Melt,
    /// It calls a contract, or creates one.
    Call,
    /// It puts a blueprint on the ledger.
    Blueprint,
    /// It keeps data on the ledger, and all else comes back to the wallet.
    Data,
    /// The wallet and others spend in it together.
    Swap,
    Payment,
}

impl Effect {
    /// What `vertex` did to the wallet whose outputs `is_own` tells. `version_of` says how a token is paid
    /// for, where that is known.
    pub fn of(
        vertex: &Vertex,
        is_own: impl Fn(&SpentOutput) -> bool,
        rate: DepositRate,
        version_of: impl Fn(&VertexId) -> Option<TokenVersion>,
    ) -> Self {
        let inputs: Vec<_> = vertex.inputs.iter().map(|input| &input.output).collect();
        let outputs: Vec<_> = vertex.outputs.iter().map(|output| &output.output).collect();
        let (own_inputs, own_outputs) = (places(&inputs, &is_own), places(&outputs, &is_own));
        let net = sums(&at(&own_inputs, &inputs), &at(&own_outputs, &outputs));
        let is_change = |place: &u8| {
            let output = outputs[usize::from(*place)];
            !output.token_data.is_authority() && net.get(&output.token).is_some_and(|sum| *sum < 0)
        };
        let change_outputs = own_outputs.iter().copied().filter(is_change).collect();
        let is_others = |output: &&SpentOutput| !is_own(output) && data_of(&output.script).is_none();
        let direction = match own_inputs.is_empty() {
            true => Direction::Received,
            false if outputs.iter().any(is_others) => Direction::Sent,
            false => Direction::Own,
        };
        let cost = match direction {
            Direction::Received => Some(Cost::default()),
            _ if own_inputs.len() < inputs.len() || vertex.has_unknown() || vertex.nano.is_some() => None,
            _ => Cost::of_sides(&inputs, &outputs, rate, version_of),
        };
        let kind = kind(vertex, &inputs, &outputs, own_inputs.len(), direction);
        Self { direction, kind, net, cost, own_inputs, own_outputs, change_outputs }
    }
}

fn kind(
    vertex: &Vertex,
    inputs: &[&SpentOutput],
    outputs: &[&SpentOutput],
    own_inputs: usize,
    direction: Direction,
) -> TransactionKind {
    if vertex.is_block() {
        return TransactionKind::Reward;
    }
    if vertex.creates.is_some() {
        return if vertex.nft_data().is_some() { TransactionKind::Nft } else { TransactionKind::Creation };
    }
    match vertex.nano.as_deref() {
        Some(VertexNano::Call(_)) => return TransactionKind::Call,
        Some(VertexNano::Blueprint { .. }) => return TransactionKind::Blueprint,
        None => {}
    }
    // What is unknown may hold what seems to be missing.
    let sums = if vertex.has_unknown() { LiteMap::new() } else { sums(inputs, outputs) };
    let changed = |sign| sums.iter().any(|(token, sum)| *token != TokenUid::Native && sum.signum() == sign);
    match direction {
        _ if changed(-1) => TransactionKind::Melt,
        _ if changed(1) => TransactionKind::Mint,
        Direction::Own if outputs.iter().any(|output| data_of(&output.script).is_some()) => {
            TransactionKind::Data
        }
        _ if 0 < own_inputs && own_inputs < inputs.len() => TransactionKind::Swap,
        _ => TransactionKind::Payment,
    }
}

fn places(outputs: &[&SpentOutput], is_own: impl Fn(&SpentOutput) -> bool) -> Vec<u8> {
    (0..=u8::MAX).zip(outputs).filter(|(_, output)| is_own(output)).map(|(place, _)| place).collect()
}

fn at<'a>(places: &[u8], outputs: &[&'a SpentOutput]) -> Vec<&'a SpentOutput> {
    places.iter().map(|place| outputs[usize::from(*place)]).collect()
}

/// Outputs less inputs, for each token that they have.
pub(super) fn sums(inputs: &[&SpentOutput], outputs: &[&SpentOutput]) -> LiteMap<TokenUid, i128> {
    let mut sums = LiteMap::new();
    let signed = outputs.iter().map(|output| (output, 1)).chain(inputs.iter().map(|input| (input, -1)));
    for (output, sign) in signed.filter(|(output, _)| output.unknown.is_none()) {
        let amount = if output.token_data.is_authority() { 0 } else { output.value.to_signed() };
        let sum: &mut i128 = sums.entry(output.token).or_default();
        *sum = sum.saturating_add(sign * amount);
    }
    sums
}
