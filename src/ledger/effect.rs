//! What a transaction does to a wallet: amounts by token, what it costs, and what changes.

use super::nano::{ActionKind, NanoAction, VertexNano};
use super::{
    Amount, DepositRate, Header, Output, SignedAmount, SpentOutput, TokenData, TokenUid, TokenVersion,
    Transaction, Vertex, VertexId, data_of,
};
use litemap::LiteMap;

/// What a transaction did to a wallet. A voided one did nothing: then it is what it would have done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    pub direction: Direction,
    pub kind: TransactionKind,
    /// What came in less what went out, for each token touched. Authorities are no amounts: a
    /// token of which only they moved has 0.
    pub net: LiteMap<TokenUid, SignedAmount>,
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
            !output.token_data.is_authority() && net.get(&output.token).is_some_and(|sum| sum.is_negative())
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
pub(super) fn sums(inputs: &[&SpentOutput], outputs: &[&SpentOutput]) -> LiteMap<TokenUid, SignedAmount> {
    let mut sums = LiteMap::new();
    let made = outputs.iter().map(|output| (output, false));
    let all = made.chain(inputs.iter().map(|input| (input, true)));
    for (output, is_spent) in all.filter(|(output, _)| output.unknown.is_none()) {
        let is_mask = output.token_data.is_authority();
        let amount = if is_mask { SignedAmount::ZERO } else { output.value.to_signed() };
        let sum: &mut SignedAmount = sums.entry(output.token).or_default();
        *sum += if is_spent { -amount } else { amount };
    }
    sums
}

// What a transaction costs in HTR.

/// What a data output leaves behind.
pub const DATA_OUTPUT_COST: Amount = Amount::new(1);

/// With more tokens than these, all the ways in which they may be paid for are not tried.
const MAX_TOKENS: usize = 8;

/// HTR that a transaction takes besides the amounts it pays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Into the deposit for minted tokens; below zero where melting gives some back.
    pub deposit: SignedAmount,
    /// For moving fee tokens.
    pub fee: Amount,
    /// Left behind in data outputs.
    pub data: Amount,
}

impl Cost {
    /// All of it; below zero where melting gives back more than is paid.
    pub fn total(&self) -> SignedAmount {
        self.deposit + self.fee.saturating_add(self.data).to_signed()
    }

    /// Of a transaction that spends these outputs. Its header says the fee.
    pub fn of(transaction: &Transaction, spends: &[SpentOutput]) -> Self {
        let spent = spends.iter().filter(|output| output.token == TokenUid::Native);
        let made = transaction.outputs.iter().filter(|output| output.token_data == TokenData::NATIVE);
        let data = made.clone().filter(|output| data_of(&output.script).is_some());
        let data = data.map(|output| output.value).sum();
        let fees = transaction.headers.iter().flat_map(Header::fees);
        let fee: Amount = fees.map(|entry| entry.amount).sum();
        let actions = transaction.nano().into_iter().flat_map(|call| &call.actions);
        let contract: SignedAmount = actions.filter(|action| action.token_index == 0).map(of_contract).sum();
        let into: Amount = spent.map(|output| output.value).sum();
        let out_of: Amount = made.map(|output| output.value).sum();
        let deposit = into.to_signed() + contract - out_of.to_signed() - fee.to_signed();
        Self { deposit, fee, data }
    }

    /// Of a transaction of which the ledger's indexes tell the outputs that it spends and makes, and neither
    /// its header nor how its tokens are paid for, unless `version_of` knows. `None` where more than one
    /// answer fits.
    pub(super) fn of_sides(
        inputs: &[&SpentOutput],
        outputs: &[&SpentOutput],
        rate: DepositRate,
        version_of: impl Fn(&VertexId) -> Option<TokenVersion>,
    ) -> Option<Self> {
        let mut minted = sums(inputs, outputs);
        let spent = -minted.remove(&TokenUid::Native).unwrap_or_default();
        let data = outputs.iter().filter(|output| data_of(&output.script).is_some());
        let data = data.filter(|output| output.token == TokenUid::Native).map(|output| output.value).sum();
        if minted.values().all(|sum| *sum == SignedAmount::ZERO) {
            return Some(Self { deposit: SignedAmount::ZERO, fee: spent.to_amount()?, data });
        }
        let mut ways = vec![Self { data, ..Self::default() }];
        for (place, (token, sum)) in minted.iter().enumerate() {
            if place == MAX_TOKENS {
                return None;
            }
            let TokenUid::Custom(id) = token else { continue };
            let known = version_of(id);
            let by_deposit = deposit_of(rate, *sum);
            let by_fee = TokenVersion::Fee.fee(amounts_of(*token, inputs), amounts_of(*token, outputs));
            let mut longer = Vec::with_capacity(2 * ways.len());
            for way in ways {
                if known != Some(TokenVersion::Fee) {
                    longer.push(Self { deposit: way.deposit + by_deposit, ..way });
                }
                if known != Some(TokenVersion::Deposit) {
                    longer.push(Self { fee: way.fee.saturating_add(by_fee), ..way });
                }
            }
            ways = longer;
        }
        ways.retain(|way| way.deposit + way.fee.to_signed() == spent);
        let first = *ways.first()?;
        ways.iter().all(|way| *way == first).then_some(first)
    }
}

/// What a contract gives, below zero what it gets.
fn of_contract(action: &NanoAction) -> SignedAmount {
    match action.kind {
        ActionKind::Deposit => -action.amount.to_signed(),
        ActionKind::Withdrawal => action.amount.to_signed(),
        ActionKind::GrantAuthority | ActionKind::AcquireAuthority => SignedAmount::ZERO,
    }
}

/// What minting so much puts into a deposit; what melting it takes out, below zero.
fn deposit_of(rate: DepositRate, minted: SignedAmount) -> SignedAmount {
    let amount = minted.abs();
    if minted.is_negative() { -rate.withdraw(amount).to_signed() } else { rate.deposit(amount).to_signed() }
}

/// How many hold amounts of a token.
fn amounts_of(token: TokenUid, outputs: &[&SpentOutput]) -> usize {
    outputs.iter().filter(|output| output.token == token && !output.token_data.is_authority()).count()
}

// What a transaction does to a wallet's holding of one token, locked and unlocked apart, as decoded
// transactions and events tell it.

/// What a transaction does to a holding of one token. Authorities are counted, amounts summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenChange {
    pub amount: Change<SignedAmount>,
    pub mint: Change<i64>,
    pub melt: Change<i64>,
}

/// Below zero for what goes out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change<N> {
    pub unlocked: N,
    pub locked: N,
}

impl TokenChange {
    /// Counts an output of the wallet that is made or spent.
    pub fn count(&mut self, is_authority: bool, value: Amount, locked: bool, is_spent: bool) {
        if !is_authority {
            let amount = value.to_signed();
            *self.amount.of(locked) += if is_spent { -amount } else { amount };
            return;
        }
        for (bit, change) in [(Output::MINT, &mut self.mint), (Output::MELT, &mut self.melt)] {
            if value.cents() & u128::from(bit) != 0 {
                *change.of(locked) += if is_spent { -1 } else { 1 };
            }
        }
    }
}

impl<N> Change<N> {
    const fn of(&mut self, locked: bool) -> &mut N {
        if locked { &mut self.locked } else { &mut self.unlocked }
    }
}
