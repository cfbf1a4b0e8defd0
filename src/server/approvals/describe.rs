//! A description of a transaction's effects: HTR with decimals, and other tokens, which may not be divisible,
//! in units.

use crate::ledger::nano::ActionKind;
use crate::ledger::{Amount, Network, Output, Script, TokenData, TokenUid, Transaction};
use crate::limits::{Effects, Verb};
use crate::server::shown::Shown;
use crate::service::CallArgument;

const MAX_SHOWN: usize = 100;

/// Sentences, the most important first. `is_own` is whether a script pays the wallet.
pub fn describe(
    transaction: &Transaction,
    arguments: &[CallArgument],
    effects: &Effects,
    network: Network,
    is_own: impl Fn(&[u8]) -> bool,
) -> Vec<String> {
    let uid = |data: TokenData| transaction.token_at(data);
    let token = |data: TokenData| uid(data).map_or_else(|| NEW.to_owned(), name);
    let mut said = Vec::new();
    if let Some(created) = &transaction.creates {
        said.push(format!("It creates the token {:?} ({:?}).", created.name, created.symbol));
    }
    for Output { value, token_data, script } in transaction.outputs.iter().filter(|to| !is_own(&to.script)) {
        let (of, to) = (token(*token_data), place(script, network));
        match (token_data.is_authority(), to) {
            (_, None) => {
                said.push(format!("It keeps data on the ledger for {}.", sum(*value, uid(*token_data))))
            }
            (true, Some(to)) => said.push(format!("It gives {} {of} to {to}.", authority(*value))),
            (false, Some(to)) => said.push(format!("It pays {} to {to}.", sum(*value, uid(*token_data)))),
        }
    }
    if let Some(call) = transaction.nano() {
        let arguments = arguments.iter().map(|CallArgument { of, value }| {
            format!("{} {}", Shown(of, MAX_SHOWN), Shown(&value.to_string(), MAX_SHOWN))
        });
        let arguments: Vec<_> = arguments.collect();
        said.push(format!("It calls {:?} of {} with ({}).", call.method, call.id, arguments.join(", ")));
        for action in &call.actions {
            let (data, amount) = (TokenData::token(action.token_index), action.amount);
            let (of, sum) = (token(data), sum(amount, uid(data)));
            said.push(match action.kind {
                ActionKind::Deposit => format!("It deposits {sum} there."),
                ActionKind::Withdrawal => format!("It withdraws {sum} from there."),
                ActionKind::GrantAuthority => format!("It gives {} {of} there.", authority(amount)),
                ActionKind::AcquireAuthority => format!("It gets {} {of} from there.", authority(amount)),
            });
        }
    }
    if transaction.blueprint.is_some() {
        said.push("It puts a blueprint on the ledger.".to_owned());
    }
    for (verb, does) in [(Verb::Mint, "In all it mints"), (Verb::Spend, "In all the wallet spends")] {
        let sums = effects.amounts(verb).iter();
        said.extend(sums.map(|(token, amount)| format!("{does} {}.", sum(*amount, Some(*token)))));
    }
    said
}

const NEW: &str = "of the new token";

fn name(token: TokenUid) -> String {
    match token {
        TokenUid::Native => "HTR".to_owned(),
        // Stands for the token that the transaction creates.
        TokenUid::Custom(uid) if uid.0 == [0; 32] => NEW.to_owned(),
        TokenUid::Custom(uid) => uid.to_string(),
    }
}

/// An amount of a token; `None` for the token that the transaction creates.
pub fn sum(amount: Amount, token: Option<TokenUid>) -> String {
    match token {
        Some(TokenUid::Native) => {
            let part = format!("{:016}", amount.part());
            let part = part.trim_end_matches('0');
            format!("{}.{:02}{part} HTR", amount.cents() / 100, amount.cents() % 100)
        }
        Some(token) => format!("{amount} units of {}", name(token).trim_start_matches("of ")),
        None => format!("{amount} units {NEW}"),
    }
}

fn authority(value: Amount) -> &'static str {
    let has = |one: u8| value.cents() & u128::from(one) != 0;
    match (has(Output::MINT), has(Output::MELT)) {
        (true, true) => "the rights to mint and to melt",
        (true, false) => "the right to mint",
        _ => "the right to melt",
    }
}

/// `None` for data.
fn place(script: &[u8], network: Network) -> Option<String> {
    match Script::parse(script, network) {
        Some(Script::Pay { to, timelock: None }) => Some(to.to_string()),
        Some(Script::Pay { to, timelock: Some(lock) }) => Some(format!("{to} (locked until {lock})")),
        Some(Script::Data(_)) => None,
        None => Some("a script that pays no address".to_owned()),
    }
}
