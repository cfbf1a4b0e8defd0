//! What nodes relay for wallets: scripts of known kinds and sizes, few data outputs. No rule of the ledger.

use super::Rules;
use crate::ledger::{Amount, Output, Script, TokenData, Transaction, relayed_data_of};

/// Whether `push_tx` takes the outputs of `tx`.
pub(in crate::devnet) fn is_standard(tx: &Transaction, rules: &Rules) -> bool {
    if is_standard_nft(tx, rules) {
        return true;
    }
    let mut data_outputs = 0;
    for output in &tx.outputs {
        match kind(output, rules) {
            Some(Script::Pay { .. }) => {}
            Some(Script::Data(_)) => data_outputs += 1,
            None => return false,
        }
    }
    data_outputs <= rules.max_data_outputs
}

/// The script, if it is of a known kind and size.
fn kind(output: &Output, rules: &Rules) -> Option<Script> {
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
        && matches!(kind(first, rules), Some(Script::Data(_)))
        && rest.iter().all(|output| {
            matches!(kind(output, rules), Some(Script::Pay { .. })) && output.token_data.index() <= 1
        })
}
