//! The checks of a full node, in its order and with its words.

use super::balance::Flows;
use super::script_eval::{self, ScriptContext, ScriptError, decimal, evaluate_script, target};
use super::{Chain, PushError, Rules, Stored};
use crate::ledger::{
    Amount, Header, Output, Script, TokenData, TokenInfo, TokenVersion, Transaction, VertexId,
    clean_token_text, relayed_data_of, target_met,
};
use std::collections::{BTreeSet, HashSet};

/// Most bytes of a transaction (full node: `MAX_SERIALIZED_VERTEX_SIZE`).
pub(super) const MAX_TRANSACTION_BYTES: usize = 48_000;
/// Most bytes of an output script (full node: `MAX_OUTPUT_SCRIPT_SIZE`).
const MAX_SCRIPT_BYTES: usize = 1_024;
/// Most bytes of an input's data (full node: `MAX_INPUT_DATA_SIZE`).
const MAX_INPUT_DATA_BYTES: usize = 1_024;
/// Most signature checks of all inputs, and of all outputs (full node: `MAX_TX_SIGOPS_INPUT`,
/// `MAX_TX_SIGOPS_OUTPUT`).
const MAX_SIGOPS: usize = 1_275;
/// Most entries of the token list (full node: `MAX_TOKENS_LENGTH`).
const MAX_TOKENS: usize = 16;
/// Most transactions that may spend one output, and most inputs of a transaction that others spend, too (full
/// node: `MAX_WITHIN_CONFLICTS`, `MAX_BETWEEN_CONFLICTS`).
const MAX_CONFLICTS: usize = 8;
/// Difference by which a weight may miss the minimum (full node: `WEIGHT_TOL`).
const WEIGHT_TOLERANCE: f64 = 1e-10;
/// Above this a weight may exceed the minimum by no more than [`MAX_EXCESS_WEIGHT`] (private networks).
const EXCESS_WEIGHT_FROM: f64 = 32.0;
const MAX_EXCESS_WEIGHT: f64 = 4.0;
/// Two to the power of this is no finite number in double precision.
const OVERFLOWING_WEIGHT: f64 = 1_024.0;

/// The checks that need nothing but the transaction: what is wrong with `tx`, whose id is `id`.
///
/// # Errors
/// The full node's text for the first rule that is broken; an empty one for a weight that is not a number.
pub fn verify_content(tx: &Transaction, id: VertexId, rules: &Rules) -> Result<(), String> {
    if tx.parents.iter().collect::<HashSet<_>>().len() < tx.parents.len() {
        let list: Vec<_> = tx.parents.iter().map(|parent| format!("'{parent}'")).collect();
        return Err(format!("('Tx has duplicated parents: {{}}', [{}])", list.join(", ")));
    }
    if tx.parents.len() != 2 {
        return Err(format!("wrong number of parents (tx type): {}, expecting 2", tx.parents.len()));
    }
    verify_weight(tx, id, rules)?;
    if tx.signal_bits & !rules.known_signal_bits() != 0 {
        return Err(unknown_signal_bits(tx.signal_bits));
    }
    if !tx.weight.is_finite() {
        // The node's error has no text here.
        return Err(String::new());
    }
    if !target_met(&id, tx.weight) {
        return Err(format!("Transaction has invalid data ({} < {})", decimal(&id.0), target(tx.weight)));
    }
    if tx.inputs.is_empty() && tx.nano().is_none() && tx.blueprint.is_none() {
        return Err("Transaction must have at least 1 input(s)".to_owned());
    }
    verify_outputs(tx, id, rules)?;
    if rules.reject_unused_tokens {
        verify_token_list(tx)?;
    }
    Ok(())
}

pub(super) fn unknown_signal_bits(bits: u8) -> String {
    format!("vertex has unknown signal bits: {bits:#b}")
}

fn verify_weight(tx: &Transaction, id: VertexId, rules: &Rules) -> Result<(), String> {
    let min = rules.min_weight_of(tx);
    let (weight, max) = (tx.weight, min + MAX_EXCESS_WEIGHT);
    if weight < min - WEIGHT_TOLERANCE {
        return Err(format!(
            "Invalid new tx {id}: weight ({weight:?}) is smaller than the minimum weight ({min:?})"
        ));
    }
    if weight > EXCESS_WEIGHT_FROM && weight > max {
        return Err(format!(
            "Invalid new tx {id}: weight ({weight:?}) is greater than the maximum allowed ({max:?})"
        ));
    }
    Ok(())
}

/// Tokens in the list; a token creation has the one it creates.
fn token_count(tx: &Transaction) -> usize {
    if tx.creates.is_some() { 1 } else { tx.tokens.len() }
}

fn verify_outputs(tx: &Transaction, id: VertexId, rules: &Rules) -> Result<(), String> {
    for output in &tx.outputs {
        if output.token_data.index() == 0 && output.token_data.is_authority() {
            return Err(format!(
                "Cannot have authority UTXO for hathor tokens: {}",
                python_output(output, rules)
            ));
        }
        let size = output.script.len();
        if size > MAX_SCRIPT_BYTES {
            return Err(format!("size: {size} and max-size: {MAX_SCRIPT_BYTES}"));
        }
    }
    for output in &tx.outputs {
        let index = output.token_data.index();
        if usize::from(index) > token_count(tx) {
            return Err(format!("token uid index not available: index {index}"));
        }
    }
    let mut sigops = 0;
    for output in &tx.outputs {
        sigops += script_eval::count_sigops(&output.script).map_err(|error| error.to_string())?;
    }
    if sigops > MAX_SIGOPS {
        return Err(format!("TX[{id}]: Maximum number of sigops for all outputs exceeded ({sigops})"));
    }
    Ok(())
}

/// An output as Python prints the node's description of it.
fn python_output(output: &Output, rules: &Rules) -> String {
    let Some(Script::Pay { to, timelock }) = Script::parse(&output.script, rules.network) else {
        return "{}".to_owned();
    };
    let kind = if to.kind() == crate::ledger::AddressKind::P2pkh { "P2PKH" } else { "MultiSig" };
    let timelock = timelock.map_or_else(|| "None".to_owned(), |time| time.to_string());
    let (value, token_data) = (output.value, output.token_data.0);
    format!(
        "{{'type': '{kind}', 'address': '{to}', 'timelock': {timelock}, 'value': {value}, 'token_data': {token_data}}}"
    )
}

fn verify_token_list(tx: &Transaction) -> Result<(), String> {
    if tx.tokens.len() > MAX_TOKENS {
        return Err("too many tokens".to_owned());
    }
    if tx.tokens.iter().collect::<HashSet<_>>().len() < tx.tokens.len() {
        return Err("repeated tokens are not allowed".to_owned());
    }
    let outputs = tx.outputs.iter().map(|output| output.token_data.index());
    let fees = tx.headers.iter().flat_map(Header::fees).map(|entry| entry.token_index);
    let actions = tx.nano().into_iter().flat_map(|call| &call.actions).map(|action| action.token_index);
    let used: BTreeSet<_> =
        outputs.chain(fees).chain(actions).map(usize::from).filter(|index| *index > 0).collect();
    if !used.into_iter().eq(1..=token_count(tx)) {
        return Err("unused tokens are not allowed".to_owned());
    }
    Ok(())
}

/// Name, symbol and kind of a token that is created.
fn verify_token_info(token: &TokenInfo, rules: &Rules) -> Result<(), String> {
    // The node counts code points.
    let (name, symbol) = (token.name.chars().count(), token.symbol.chars().count());
    if !(1..=30).contains(&name) {
        return Err(format!("Invalid token name length ({name})"));
    }
    if !(1..=5).contains(&symbol) {
        return Err(format!("Invalid token symbol length ({symbol})"));
    }
    if clean_token_text(&token.name) == "hathor" {
        return Err(format!("Invalid token name ({})", token.name));
    }
    if clean_token_text(&token.symbol) == "htr" {
        return Err(format!("Invalid token symbol ({})", token.symbol));
    }
    if token.version == TokenVersion::Fee && !rules.fee_tokens {
        return Err("Invalid token version (2)".to_owned());
    }
    Ok(())
}

impl Chain {
    /// What `push_tx` looks at before it hands a transaction to the ledger.
    pub(super) fn verify_for_push(&self, tx: &Transaction) -> Result<(), PushError> {
        // One input after the other: what is wrong with the first that is wrong is the answer.
        for input in &tx.inputs {
            self.get(&input.spends.tx).ok_or(PushError::Unanswered)?;
            if self.spender(input.spends).is_some() {
                return Err(PushError::DoubleSpend);
            }
        }
        if tx.inputs.iter().any(|input| self.get(&input.spends.tx).is_some_and(Stored::is_voided)) {
            return Err(PushError::VoidedInput);
        }
        if self.locked_reward(tx).is_some() {
            return Err(PushError::RewardLocked);
        }
        if !is_standard(tx, &self.rules) {
            return Err(PushError::NonStandard);
        }
        Ok(())
    }

    /// All rules of the ledger.
    pub(super) fn verify(&self, tx: &Transaction, id: VertexId, now: u32) -> Result<(), PushError> {
        let timestamp = tx.timestamp;
        if timestamp > now.saturating_add(self.rules.max_future_seconds) {
            return Err(PushError::Future { id, timestamp });
        }
        if tx.weight.is_nan() || tx.weight >= OVERFLOWING_WEIGHT {
            return Err(PushError::Unanswered);
        }
        let known = |id: &VertexId| self.get(id).map(drop).ok_or_else(|| invalid(id.to_string()));
        tx.parents.iter().try_for_each(known)?;
        tx.inputs.iter().try_for_each(|input| known(&input.spends.tx))?;
        let age = now.saturating_sub(timestamp);
        if age > self.rules.max_past_seconds {
            return Err(invalid(format!(
                "transaction is too old (now={now}, timestamp={timestamp}, diff={age})"
            )));
        }
        verify_content(tx, id, &self.rules).map_err(invalid)?;
        let kind = if tx.creates.is_some() { "TokenCreationTransaction" } else { "Transaction" };
        self.verify_nano(tx).map_err(invalid)?;
        if tx.headers.iter().any(|header| !header.fees().is_empty()) && !self.rules.fee_tokens {
            return Err(invalid(format!("Header `FeeHeader` not supported by `{kind}`")));
        }
        if let Some(token) = &tx.creates {
            verify_token_info(token, &self.rules).map_err(invalid)?;
            // The node adds up a token creation before it looks at the inputs.
            Flows::of(self, tx, id).map_err(invalid)?;
        }
        self.verify_input_sigops(tx, id)?;
        self.verify_inputs(tx, id)?;
        let flows = Flows::of(self, tx, id).map_err(invalid)?;
        flows.check(&self.rules).map_err(invalid)?;
        self.verify_parents(tx, id).map_err(invalid)?;
        self.verify_conflicts(tx)?;
        if let Some((block, blocks)) = self.locked_reward(tx) {
            return Err(invalid(format!("Reward {block} still needs {blocks} to be unlocked.")));
        }
        if tx.creates.is_some() {
            flows.check_created(id).map_err(invalid)?;
        }
        Ok(())
    }

    fn verify_input_sigops(&self, tx: &Transaction, id: VertexId) -> Result<(), PushError> {
        let mut sigops = 0;
        for input in &tx.inputs {
            let script = self.spent_script(input.spends.tx, input.spends.index)?;
            sigops += script_eval::count_input_sigops(&input.data, script).map_err(refused)?;
        }
        if sigops > MAX_SIGOPS {
            return Err(invalid(format!("TX[{id}]: Max number of sigops for inputs exceeded ({sigops})")));
        }
        Ok(())
    }

    fn spent_script(&self, spent: VertexId, index: u8) -> Result<&[u8], PushError> {
        let output = self.get(&spent).and_then(|spent| spent.outputs().get(usize::from(index)));
        output.map(|output| output.script.as_slice()).ok_or_else(|| {
            invalid(format!("Output spent by this input does not exist: {spent} index {index}"))
        })
    }

    fn verify_inputs(&self, tx: &Transaction, id: VertexId) -> Result<(), PushError> {
        let sighash = tx.sighash().map_err(|error| invalid(error.to_string()))?;
        let context = ScriptContext { sighash, timestamp: tx.timestamp };
        let mut seen = HashSet::new();
        for input in &tx.inputs {
            let size = input.data.len();
            if size > MAX_INPUT_DATA_BYTES {
                return Err(invalid(format!("size: {size} and max-size: {MAX_INPUT_DATA_BYTES}")));
            }
            let (spent, index) = (input.spends.tx, input.spends.index);
            let spent_time = self.get(&spent).map_or(0, Stored::timestamp);
            if tx.timestamp <= spent_time {
                let timestamp = tx.timestamp;
                return Err(invalid(format!(
                    "tx={id} timestamp={timestamp}, spent_tx={spent} timestamp={spent_time}"
                )));
            }
            evaluate_script(&input.data, self.spent_script(spent, index)?, &context).map_err(refused)?;
            if !seen.insert(input.spends) {
                return Err(invalid(format!("tx {id} inputs spend the same output: {spent} index {index}")));
            }
        }
        Ok(())
    }

    fn verify_parents(&self, tx: &Transaction, id: VertexId) -> Result<(), String> {
        let (mut blocks, mut transactions) = (0, 0);
        for parent in &tx.parents {
            let Some(stored) = self.get(parent) else {
                return Err(format!("tx={id} parent={parent}"));
            };
            if tx.timestamp <= stored.timestamp() {
                return Err(format!(
                    "tx={id} timestamp={}, parent={parent} timestamp={}",
                    tx.timestamp,
                    stored.timestamp()
                ));
            }
            if !stored.is_block() {
                transactions += 1;
            } else if transactions > 0 {
                return Err("Parents which are blocks must come before transactions".to_owned());
            } else {
                blocks += 1;
            }
        }
        if blocks != 0 {
            return Err(format!("wrong number of parents (block type): {blocks}, expecting 0"));
        }
        if transactions != 2 {
            return Err(format!("wrong number of parents (tx type): {transactions}, expecting 2"));
        }
        Ok(())
    }

    /// The full node gives no reason where there are too many.
    fn verify_conflicts(&self, tx: &Transaction) -> Result<(), PushError> {
        let mut contested = 0;
        for input in &tx.inputs {
            let spent = self.get(&input.spends.tx).map(|spent| &spent.meta.spent_outputs);
            let others =
                spent.and_then(|spent| spent.get(usize::from(input.spends.index))).map_or(0, Vec::len);
            contested += usize::from(others > 0);
            if others >= MAX_CONFLICTS {
                return Err(invalid(String::new()));
            }
        }
        if contested > MAX_CONFLICTS { Err(invalid(String::new())) } else { Ok(()) }
    }

    /// A block whose reward `tx` spends too early, and how many blocks are missing.
    fn locked_reward(&self, tx: &Transaction) -> Option<(VertexId, u32)> {
        let best = self.best_block().1;
        tx.inputs.iter().find_map(|input| {
            let height = self.get(&input.spends.tx)?.meta.height?;
            // A block that was undone may stand above the best one.
            let missing = height.saturating_add(self.rules.reward_spend_min_blocks).saturating_sub(best);
            (missing > 0).then_some((input.spends.tx, missing))
        })
    }
}

fn invalid(reason: String) -> PushError {
    PushError::Invalid(reason)
}

fn refused(error: ScriptError) -> PushError {
    match error {
        ScriptError::Unanswered => PushError::Unanswered,
        error => PushError::Invalid(error.to_string()),
    }
}

// What nodes relay for wallets: scripts of known kinds and sizes, few data outputs. No rule of the ledger.

/// Whether `push_tx` takes the outputs of `tx`.
pub(in crate::devnet) fn is_standard(tx: &Transaction, rules: &Rules) -> bool {
    if is_standard_nft(tx, rules) {
        return true;
    }
    let mut data_outputs = 0;
    for output in &tx.outputs {
        match known_script(output, rules) {
            Some(Script::Pay { .. }) => {}
            Some(Script::Data(_)) => data_outputs += 1,
            None => return false,
        }
    }
    data_outputs <= rules.max_data_outputs
}

/// The script, if it is of a known kind and size.
fn known_script(output: &Output, rules: &Rules) -> Option<Script> {
    if output.script.len() > rules.max_standard_script_bytes {
        return None;
    }
    let data = || relayed_data_of(&output.script).map(|text| Script::Data(text.to_owned()));
    Script::parse(&output.script, rules.network).or_else(data)
}

/// A token creation whose first output is data and whose other outputs pay addresses in HTR or the new token.
fn is_standard_nft(tx: &Transaction, rules: &Rules) -> bool {
    let [first, rest @ ..] = tx.outputs.as_slice() else { return false };
    tx.creates.is_some()
        && !rest.is_empty()
        && first.value == Amount::new(1)
        && first.token_data == TokenData::NATIVE
        && matches!(known_script(first, rules), Some(Script::Data(_)))
        && rest.iter().all(|output| {
            matches!(known_script(output, rules), Some(Script::Pay { .. })) && output.token_data.index() <= 1
        })
}
