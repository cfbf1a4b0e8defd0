//! What a transaction costs in HTR.

use super::effect::sums;
use super::nano::{ActionKind, NanoAction};
use super::{
    Amount, DepositRate, Header, SpentOutput, TokenData, TokenUid, TokenVersion, Transaction, VertexId,
    data_of,
};

/// What a data output leaves behind.
pub const DATA_OUTPUT_COST: Amount = Amount::new(1);

/// With more tokens than these, all the ways in which they may be paid for are not tried.
const MAX_TOKENS: usize = 8;

/// HTR that a transaction takes besides the amounts it pays, in cents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Into the deposit for minted tokens; below zero where melting gives some back.
    pub deposit: i128,
    /// For moving fee tokens.
    pub fee: Amount,
    /// Left behind in data outputs.
    pub data: Amount,
}

impl Cost {
    /// All of it; below zero where melting gives back more than is paid.
    pub const fn total(&self) -> i128 {
        self.deposit.saturating_add(self.fee.saturating_add(self.data).to_signed())
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
        let contract: i128 = actions.filter(|action| action.token_index == 0).map(of_contract).sum();
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
        let spent = minted.remove(&TokenUid::Native).unwrap_or_default().checked_neg()?;
        let data = outputs.iter().filter(|output| data_of(&output.script).is_some());
        let data = data.filter(|output| output.token == TokenUid::Native).map(|output| output.value).sum();
        if minted.values().all(|sum| *sum == 0) {
            return Some(Self { deposit: 0, fee: Amount::new(u128::try_from(spent).ok()?), data });
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
                    longer.push(Self { deposit: way.deposit.saturating_add(by_deposit), ..way });
                }
                if known != Some(TokenVersion::Deposit) {
                    longer.push(Self { fee: way.fee.saturating_add(by_fee), ..way });
                }
            }
            ways = longer;
        }
        ways.retain(|way| way.deposit.saturating_add(way.fee.to_signed()) == spent);
        let first = *ways.first()?;
        ways.iter().all(|way| *way == first).then_some(first)
    }
}

/// What a contract gives, below zero what it gets.
fn of_contract(action: &NanoAction) -> i128 {
    match action.kind {
        ActionKind::Deposit => -action.amount.to_signed(),
        ActionKind::Withdrawal => action.amount.to_signed(),
        ActionKind::GrantAuthority | ActionKind::AcquireAuthority => 0,
    }
}

/// What minting so much puts into a deposit; what melting it takes out, below zero.
fn deposit_of(rate: DepositRate, minted: i128) -> i128 {
    let amount = Amount::new(minted.unsigned_abs());
    if minted < 0 { -rate.withdraw(amount).to_signed() } else { rate.deposit(amount).to_signed() }
}

/// How many hold amounts of a token.
fn amounts_of(token: TokenUid, outputs: &[&SpentOutput]) -> usize {
    outputs.iter().filter(|output| output.token == token && !output.token_data.is_authority()).count()
}
