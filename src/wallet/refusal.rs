//! What nodes refuse of a transaction, in their words: for those who try one without sending it. What is
//! sent, nodes judge themselves.

use super::{PlanError, State, TemplateRequest};
use crate::ledger::nano::{ActionKind, NanoAction};
use crate::ledger::{
    Amount, DATA_OUTPUT_COST, DepositRate, Header, MAX_DATA_OUTPUTS, MAX_STANDARD_SCRIPT_BYTES, Network,
    Output, Script, SignedAmount, SpentOutput, TokenData, TokenError, TokenUid, TokenVersion, Transaction,
    VertexId, validate_token_name, validate_token_symbol,
};
use litemap::LiteMap;

/// Stands for the token that the transaction creates, whose id nobody knows yet.
const CREATED: VertexId = VertexId([0; 32]);

/// What goes out of a transaction less what goes in, of one token.
struct Flow {
    net: SignedAmount,
    can_mint: bool,
    can_melt: bool,
    version: TokenVersion,
    /// How many inputs and outputs hold amounts.
    inputs: usize,
    outputs: usize,
}

type Flows = LiteMap<TokenUid, Flow>;

impl State {
    /// Whether nodes would take what a template has made, as far as they decide by the transaction and by
    /// what it spends.
    ///
    /// # Errors
    /// [`PlanError::NotTaken`], in the node's words.
    pub fn check_taken(&self, request: &TemplateRequest, transaction: &Transaction) -> Result<(), PlanError> {
        let vertex = self.vertex_of(transaction, CREATED).ok_or(PlanError::InvalidInput)?;
        let spends: Vec<_> = vertex.inputs.into_iter().map(|input| input.output).collect();
        let version_of = |id: &VertexId| request.facts.tokens.get(id).copied();
        let checked = check_content(transaction)
            .and_then(|()| check_sums(transaction, &spends, self.settings.deposit, version_of))
            .and_then(|()| check_standard(transaction, self.settings.network));
        checked.map_err(PlanError::NotTaken)
    }
}

fn check_content(transaction: &Transaction) -> Result<(), String> {
    if transaction.inputs.is_empty() && transaction.nano().is_none() {
        return Err("Transaction must have at least 1 input(s)".to_owned());
    }
    if transaction.outputs.iter().any(|output| output.token_data == TokenData::authority(0)) {
        return Err("Cannot have authority UTXO for hathor tokens".to_owned());
    }
    if let Some(token) = &transaction.creates {
        validate_token_name(&token.name).map_err(|error| in_node_words("name", error))?;
        validate_token_symbol(&token.symbol).map_err(|error| in_node_words("symbol", error))?;
    }
    let outputs = transaction.outputs.iter().map(|output| output.token_data.index());
    let fees = transaction.headers.iter().flat_map(Header::fees).map(|entry| entry.token_index);
    let used: Vec<_> =
        outputs.chain(fees).chain(actions(transaction).map(|action| action.token_index)).collect();
    let listed = if transaction.creates.is_some() { 1 } else { transaction.tokens.len() };
    match (1..=listed).all(|place| used.iter().any(|used| usize::from(*used) == place)) {
        true => Ok(()),
        false => Err("unused tokens are not allowed".to_owned()),
    }
}

fn in_node_words(what: &str, error: TokenError) -> String {
    match error {
        TokenError::Missing => format!("Invalid token {what} length (0)"),
        TokenError::TooLong { len, .. } => format!("Invalid token {what} length ({len})"),
        TokenError::Reserved { text, .. } => format!("Invalid token {what} ({text})"),
        error => error.to_string(),
    }
}

/// Sums of each token, authorities for what is minted and melted, and the HTR that it takes.
fn check_sums(
    transaction: &Transaction,
    spends: &[SpentOutput],
    rate: DepositRate,
    version_of: impl Fn(&VertexId) -> Option<TokenVersion>,
) -> Result<(), String> {
    let fees: Vec<_> = transaction.headers.iter().flat_map(Header::fees).collect();
    if fees.iter().any(|entry| entry.token_index != 0) {
        // How a fee in another token counts, the node decides.
        return Ok(());
    }
    let flows = flows(transaction, spends, version_of)?;
    let (mut expected, mut fee) = (SignedAmount::ZERO, Amount::ZERO);
    for (token, flow) in flows.iter().filter(|(token, _)| **token != TokenUid::Native) {
        let amount = flow.net.abs();
        if flow.net.is_negative() && !flow.can_melt {
            return Err(format!("{amount} {token} tokens melted, but there is no melt authority input"));
        }
        if flow.net > SignedAmount::ZERO && !flow.can_mint {
            return Err(format!("-{amount} {token} tokens minted, but there is no mint authority input"));
        }
        if flow.version == TokenVersion::Deposit {
            expected += if flow.net.is_negative() {
                rate.withdraw(amount).to_signed()
            } else {
                -rate.deposit(amount).to_signed()
            };
        }
        fee = fee.saturating_add(flow.version.fee(flow.inputs, flow.outputs));
    }
    let paid: Amount = fees.iter().map(|entry| entry.amount).sum();
    let net = flows.get(&TokenUid::Native).map_or(SignedAmount::ZERO, |flow| flow.net);
    let amount = net + paid.to_signed();
    // The node counts what goes out: what is left over is too little of it. It looks at the fee in between.
    let wrong =
        |what| Err(format!("There's an invalid {what} of HTR. (amount={amount}, expected={expected})"));
    if amount > expected {
        return wrong("surplus");
    }
    if paid != fee {
        return Err(format!("Fee amount is different than expected. (amount={paid}, expected={fee})"));
    }
    if amount < expected {
        return wrong("deficit");
    }
    let created = flows.get(&TokenUid::Custom(CREATED));
    if transaction.creates.is_some() && created.is_none_or(|flow| flow.net <= SignedAmount::ZERO) {
        return Err("Token creation transaction must mint new tokens".to_owned());
    }
    Ok(())
}

fn flows(
    transaction: &Transaction,
    spends: &[SpentOutput],
    version_of: impl Fn(&VertexId) -> Option<TokenVersion>,
) -> Result<Flows, String> {
    let created = transaction.creates.as_ref().map(|created| created.version);
    let new = |token: TokenUid| {
        let version = match token {
            TokenUid::Custom(CREATED) => created,
            TokenUid::Custom(id) => version_of(&id),
            TokenUid::Native => None,
        };
        let is_created = created.is_some() && token == TokenUid::Custom(CREATED);
        Flow {
            net: SignedAmount::ZERO,
            can_mint: is_created,
            can_melt: is_created,
            version: version.unwrap_or(TokenVersion::Deposit),
            inputs: 0,
            outputs: 0,
        }
    };
    let token_at = |index: u8| match index {
        1.. if created.is_some() => Ok(TokenUid::Custom(CREATED)),
        _ => {
            let token = transaction.token_at(TokenData::token(index));
            token.ok_or_else(|| format!("token uid index not available: index {index}"))
        }
    };
    let mut flows = Flows::new();
    flows.insert(TokenUid::Native, new(TokenUid::Native));
    if created.is_some() {
        flows.insert(TokenUid::Custom(CREATED), new(TokenUid::Custom(CREATED)));
    }
    for spent in spends {
        let flow = flows.entry(spent.token).or_insert_with(|| new(spent.token));
        if spent.token_data.is_authority() {
            flow.can_mint |= has(spent.value, Output::MINT);
            flow.can_melt |= has(spent.value, Output::MELT);
        } else {
            flow.net -= spent.value.to_signed();
            flow.inputs += 1;
        }
    }
    // What comes out of a contract is like an input, and what goes in like an output.
    for NanoAction { kind, token_index, amount } in actions(transaction) {
        let token = token_at(*token_index)?;
        let flow = flows.entry(token).or_insert_with(|| new(token));
        match kind {
            ActionKind::Deposit => {
                flow.net += amount.to_signed();
                flow.outputs += 1;
            }
            ActionKind::Withdrawal => {
                flow.net -= amount.to_signed();
                flow.inputs += 1;
            }
            ActionKind::AcquireAuthority => {
                flow.can_mint |= has(*amount, Output::MINT);
                flow.can_melt |= has(*amount, Output::MELT);
            }
            ActionKind::GrantAuthority => {}
        }
    }
    for (place, output) in transaction.outputs.iter().enumerate() {
        let token = token_at(output.token_data.index())?;
        let flow = flows.get_mut(&token).ok_or_else(|| format!("no inputs for token {token}"))?;
        if !output.token_data.is_authority() {
            flow.net += output.value.to_signed();
            flow.outputs += 1;
            continue;
        }
        let lacks = |right| format!("output at index {place} has {right} authority, but no input has it");
        if has(output.value, Output::MINT) && !flow.can_mint {
            return Err(lacks("mint"));
        }
        if has(output.value, Output::MELT) && !flow.can_melt {
            return Err(lacks("melt"));
        }
    }
    for action in actions(transaction).filter(|action| action.kind == ActionKind::GrantAuthority) {
        let token = token_at(action.token_index)?;
        let has_right = |flow: &Flow| {
            (flow.can_mint || !has(action.amount, Output::MINT))
                && (flow.can_melt || !has(action.amount, Output::MELT))
        };
        if !flows.get(&token).is_some_and(has_right) {
            return Err(format!("GRANT_AUTHORITY token {token} requires an authority that no input has"));
        }
    }
    Ok(flows)
}

/// Nodes relay scripts of known kinds and sizes, and few texts: that is no rule of the ledger, but what is
/// not relayed does not get there.
fn check_standard(transaction: &Transaction, network: Network) -> Result<(), String> {
    let kinds: Option<Vec<_>> = transaction.outputs.iter().map(|output| kind(output, network)).collect();
    let is_data = |kind: &Script| matches!(kind, Script::Data(_));
    let is_standard = kinds.is_some_and(|kinds| match kinds.split_first() {
        // An NFT.
        Some((first, rest))
            if is_data(first) && transaction.creates.is_some() && !rest.iter().any(is_data) =>
        {
            let first = &transaction.outputs[0];
            first.value == DATA_OUTPUT_COST && first.token_data == TokenData::NATIVE
        }
        _ => kinds.iter().filter(|kind| is_data(kind)).count() <= MAX_DATA_OUTPUTS,
    });
    if is_standard { Ok(()) } else { Err("Transaction is non standard.".to_owned()) }
}

fn kind(output: &Output, network: Network) -> Option<Script> {
    let script = Some(&output.script).filter(|script| script.len() <= MAX_STANDARD_SCRIPT_BYTES)?;
    Script::parse(script, network)
}

fn actions(transaction: &Transaction) -> impl Iterator<Item = &NanoAction> {
    transaction.nano().into_iter().flat_map(|call| &call.actions)
}

fn has(authorities: Amount, bit: u8) -> bool {
    authorities.cents() & u128::from(bit) != 0
}
