//! Sums per token: what a transaction may mint and melt, and what it owes in HTR.

use super::{Chain, Rules};
use crate::ledger::nano::ActionKind;
use crate::ledger::{
    Amount, DepositRate, FeeEntry, Header, Output, SignedAmount, TokenData, TokenUid, TokenVersion,
    Transaction, VertexId,
};

/// What a transaction does with one token: outputs less inputs, and the authorities among its inputs.
struct Flow {
    token: TokenUid,
    net: SignedAmount,
    can_mint: bool,
    can_melt: bool,
    version: TokenVersion,
    /// Inputs and outputs that hold amounts.
    inputs: usize,
    outputs: usize,
}

/// The flows of a transaction in the order in which the node meets the tokens: HTR, those of the inputs, the
/// one created.
pub(super) struct Flows {
    list: Vec<Flow>,
    /// Paid in HTR by the fee header.
    fee: Amount,
}

impl Flows {
    /// Adds up inputs and outputs. Inputs whose output does not exist are left to the check that names them.
    pub(super) fn of(chain: &Chain, tx: &Transaction, id: VertexId) -> Result<Self, String> {
        let htr = Flow::new(TokenUid::Native, TokenVersion::Deposit);
        let mut flows = Self { list: vec![htr], fee: fee_paid(tx)? };
        for input in &tx.inputs {
            let Some(spent) = chain.get(&input.spends.tx) else { continue };
            let Some(output) = spent.outputs().get(usize::from(input.spends.index)) else { continue };
            let token = spent.token(output.token_data).expect("accepted outputs name tokens of their list");
            let flow = flows.get_or_add(token, version_of(chain, token));
            if output.token_data.is_authority() {
                flow.can_mint |= has(output, Output::MINT);
                flow.can_melt |= has(output, Output::MELT);
            } else {
                flow.net -= output.value.to_signed();
                flow.inputs += 1;
            }
        }
        flows.add_actions(chain, tx, id)?;
        if let Some(created) = &tx.creates {
            let flow = Flow::new(TokenUid::Custom(id), created.version);
            flows.list.push(Flow { can_mint: true, can_melt: true, ..flow });
        }
        for (index, output) in tx.outputs.iter().enumerate() {
            let token = match output.token_data.index() {
                0 => TokenUid::Native,
                _ if tx.creates.is_some() => TokenUid::Custom(id),
                _ => tx.token_at(output.token_data).ok_or("token uid index not available")?,
            };
            let flow = flows.get(token).ok_or_else(|| format!("no inputs for token {token}"))?;
            if !output.token_data.is_authority() {
                flow.net += output.value.to_signed();
                flow.outputs += 1;
                continue;
            }
            if has(output, Output::MINT) && !flow.can_mint {
                return Err(format!("output at index {index} has mint authority, but no input has it"));
            }
            if has(output, Output::MELT) && !flow.can_melt {
                return Err(format!("output at index {index} has melt authority, but no input has it"));
            }
            if output.value.cents() > u128::from(Output::MINT | Output::MELT) {
                return Err(format!("Invalid authorities in output (0b{:b})", output.value.cents()));
            }
        }
        Ok(flows)
    }

    /// What a call moves: a deposit is like an output, a withdrawal like an input.
    fn add_actions(&mut self, chain: &Chain, tx: &Transaction, id: VertexId) -> Result<(), String> {
        for action in tx.nano().into_iter().flat_map(|call| &call.actions) {
            let token = match tx.token_at(TokenData::token(action.token_index)) {
                None if tx.creates.is_some() => TokenUid::Custom(id),
                token => token.ok_or("token uid index not available")?,
            };
            let flow = self.get_or_add(token, version_of(chain, token));
            let (mint, melt) = (action.amount.cents() & 1 != 0, action.amount.cents() & 2 != 0);
            match action.kind {
                ActionKind::Deposit => {
                    flow.net += action.amount.to_signed();
                    flow.outputs += 1;
                }
                ActionKind::Withdrawal => {
                    flow.net -= action.amount.to_signed();
                    flow.inputs += 1;
                }
                ActionKind::AcquireAuthority => {
                    flow.can_mint |= mint;
                    flow.can_melt |= melt;
                }
                ActionKind::GrantAuthority => {
                    let lacks = |right| {
                        format!("GRANT_AUTHORITY token {token} requires {right}, but no input has it")
                    };
                    if mint && !flow.can_mint {
                        return Err(lacks("mint"));
                    }
                    if melt && !flow.can_melt {
                        return Err(lacks("melt"));
                    }
                }
            }
        }
        Ok(())
    }

    /// Demands authorities for what is minted and melted, and the exact sum of HTR for it.
    pub(super) fn check(&self, rules: &Rules) -> Result<(), String> {
        let (mut expected, mut fee) = (SignedAmount::ZERO, Amount::ZERO);
        for Flow { token, net, can_mint, can_melt, version, inputs, outputs } in self.list.iter().skip(1) {
            if net.is_negative() && !can_melt {
                return Err(format!("{} {token} tokens melted, but there is no melt authority input", -*net));
            }
            if *net > SignedAmount::ZERO && !can_mint {
                // The node counts what goes in: what is minted has a minus.
                return Err(format!("{} {token} tokens minted, but there is no mint authority input", -*net));
            }
            if *version == TokenVersion::Deposit {
                expected += owed(rules.deposit, *net);
            }
            fee = fee.saturating_add(version.fee(*inputs, *outputs));
        }
        let amount = self.list[0].net + self.fee.to_signed();
        if amount > expected {
            return Err(format!("There's an invalid surplus of HTR. (amount={amount}, expected={expected})"));
        }
        if self.fee != fee {
            let amount = self.fee;
            return Err(format!("Fee amount is different than expected. (amount={amount}, expected={fee})"));
        }
        if amount < expected {
            return Err(format!("There's an invalid deficit of HTR. (amount={amount}, expected={expected})"));
        }
        Ok(())
    }

    /// Demands that the transaction with `id`, a token creation, mints some of its token.
    pub(super) fn check_created(&self, id: VertexId) -> Result<(), String> {
        let minted =
            self.list.iter().any(|flow| flow.token == TokenUid::Custom(id) && flow.net > SignedAmount::ZERO);
        if minted { Ok(()) } else { Err("Token creation transaction must mint new tokens".to_owned()) }
    }

    fn get(&mut self, token: TokenUid) -> Option<&mut Flow> {
        self.list.iter_mut().find(|flow| flow.token == token)
    }

    fn get_or_add(&mut self, token: TokenUid, version: TokenVersion) -> &mut Flow {
        let place = self.list.iter().position(|flow| flow.token == token).unwrap_or_else(|| {
            self.list.push(Flow::new(token, version));
            self.list.len() - 1
        });
        &mut self.list[place]
    }
}

impl Flow {
    const fn new(token: TokenUid, version: TokenVersion) -> Self {
        Self {
            token,
            net: SignedAmount::ZERO,
            can_mint: false,
            can_melt: false,
            version,
            inputs: 0,
            outputs: 0,
        }
    }
}

/// How a token on the ledger is paid for.
fn version_of(chain: &Chain, token: TokenUid) -> TokenVersion {
    let TokenUid::Custom(id) = token else { return TokenVersion::Deposit };
    let created = chain.get(&id).and_then(|stored| stored.transaction()?.creates.as_ref());
    created.map_or(TokenVersion::Deposit, |token| token.version)
}

/// What the fee header pays. A full node also takes fees in deposit tokens, which no wallet pays and this
/// network doesn't know.
fn fee_paid(tx: &Transaction) -> Result<Amount, String> {
    let entries: Vec<&FeeEntry> = tx.headers.iter().flat_map(Header::fees).collect();
    match entries.as_slice() {
        [] => Ok(Amount::ZERO),
        [FeeEntry { token_index: 0, amount }] => Ok(*amount),
        _ => Err("fees are paid in HTR, in one entry, on this network".to_owned()),
    }
}

/// HTR that a transaction's outputs may hold above its inputs for minting (below: negative) or melting `net`.
fn owed(rate: DepositRate, net: SignedAmount) -> SignedAmount {
    let amount = net.abs();
    if net.is_negative() { rate.withdraw(amount).to_signed() } else { -rate.deposit(amount).to_signed() }
}

fn has(output: &Output, bit: u8) -> bool {
    output.token_data.is_authority() && output.value.cents() & u128::from(bit) != 0
}
