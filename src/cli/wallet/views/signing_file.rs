//! What a signing file does, in plain words, and what nobody can tell from it.

use super::cells::{in_htr, text, utc};
use crate::cli::amount::decimal;
use crate::cli::wallet::table::Sheet;
use headless_wallet::api::MAX_FILE_BYTES;
use headless_wallet::keys::{AddressKeys, SigningFile};
use headless_wallet::ledger::{Address, Amount, Network, Output, Script, TokenData, TokenUid};
use headless_wallet::net::{clean, clean_json};
use headless_wallet::signer::Inspected;
use serde_json::{Value, json};

const UNKNOWN: &str = "Nobody can tell from the file whether what is spent is still there, who has the addresses that are paid, and what tokens \
are called and worth.";

/// A file that was made, for others to take.
pub fn signing_file(answer: &Value, _: &Value) -> Sheet {
    let file = &answer["file"];
    let spaced = clean_json(&serde_json::to_string_pretty(file).expect("an answer is JSON"));
    // Spaces are no reason to write what nobody reads.
    Sheet::new().line(if spaced.len() < MAX_FILE_BYTES { spaced } else { clean_json(&file.to_string()) })
}

/// What is said beside it.
pub fn made_file(answer: &Value) -> Sheet {
    Sheet::new().pairs([("to be signed", text(&answer["file"]["hash"]))])
}

/// In plain words.
pub fn inspected(file: &SigningFile, found: &Inspected) -> String {
    let network = file.network;
    let mut lines = vec![format!("A transaction of {}, made for: {}.", network.name(), file.purpose.name())];
    if let Some(label) = &file.label {
        lines.push(format!("Whoever made the file calls it {:?}; nobody vouches for that.", clean(label)));
    }
    lines.push(format!("It is of the {}.", wallet(file)));
    lines.push(String::new());
    let own = |place: usize| file.inputs.iter().find(|input| usize::from(input.place) == place)?.address;
    for (place, spent) in found.spends.iter().enumerate() {
        let what = what(spent.value, spent.token_data, Some(spent.token));
        let to = to(&spent.script, network);
        lines.push(match own(place) {
            Some(index) => format!("Spends {what} of the wallet's address {index}, {to}."),
            None => format!("Spends {what} of somebody else, {to}."),
        });
    }
    for (place, output) in file.transaction.outputs.iter().enumerate() {
        lines.push(paid(file, place, output));
    }
    lines.extend(supply(file, found));
    lines.push(String::new());
    let cost = found.cost;
    let deposit = cost.deposit.abs();
    if !deposit.is_zero() {
        let what = if cost.deposit.is_negative() { "Given back" } else { "Deposit" };
        lines.push(format!("{what}: {}.", in_htr(&deposit.to_string())));
    }
    lines.push(match cost.fee {
        Amount::ZERO => "Fee: none.".to_owned(),
        fee => format!("Fee: {}.", in_htr(&fee.to_string())),
    });
    let gone = found.does.spends.iter().map(|(token, sum)| amount(*sum, Some(*token)));
    let gone: Vec<_> = gone.collect();
    lines.push(match gone.is_empty() {
        true => "In all, the wallet loses nothing.".to_owned(),
        false => format!("In all, the wallet loses {}.", gone.join(" and ")),
    });
    let so_far = file.signed_so_far();
    let lacking = so_far.iter().enumerate().filter(|(_, (there, needs))| there < needs);
    let lacking: Vec<_> =
        lacking.map(|(place, (there, needs))| format!("{there} of {needs} for input {place}")).collect();
    lines.push(match lacking.is_empty() {
        true => "Signatures: all.".to_owned(),
        false => format!("Signatures: {}.", lacking.join(", ")),
    });
    lines.push(String::new());
    lines.push(UNKNOWN.to_owned());
    lines.join("\n")
}

/// The same for programs.
pub fn inspected_json(file: &SigningFile, found: &Inspected) -> Value {
    let transaction = &file.transaction;
    let own_input =
        |place: usize| file.inputs.iter().find(|input| usize::from(input.place) == place)?.address;
    let uid = |token: Option<TokenUid>| token.map(|token| token.to_string());
    let inputs = found.spends.iter().enumerate().map(|(place, spent)| {
        let input = json!({
            "address": address(&spent.script, file.network), "value": number(spent.value), "token": uid(Some(spent.token)),
            "authority": spent.token_data.is_authority(), "addressIndex": own_input(place),
        });
        with_words(input, spent.value)
    });
    let outputs = transaction.outputs.iter().enumerate().map(|(place, output)| {
        let made = json!({
            "address": address(&output.script, file.network), "value": number(output.value),
            "token": uid(transaction.token_at(output.token_data)), "authority": output.token_data.is_authority(),
            "addressIndex": own_output(file, place),
        });
        with_words(made, output.value)
    });
    let spends: serde_json::Map<_, _> =
        found.does.spends.iter().map(|(token, sum)| (token.to_string(), number(*sum))).collect();
    let so_far = file.signed_so_far();
    json!({
        "success": true, "network": file.network.name(), "purpose": file.purpose.name(), "label": file.label,
        "hash": file.digest().map(hex::encode).unwrap_or_default(),
        "inputs": inputs.collect::<Vec<_>>(), "outputs": outputs.collect::<Vec<_>>(),
        "loses": spends, "fee": number(found.cost.fee), "deposit": found.cost.deposit.cents() as i64,
        "signatures": so_far.iter().map(|(there, needs)| json!({"there": there, "needed": needs})).collect::<Vec<_>>(),
        "complete": so_far.iter().all(|(there, needs)| there == needs),
    })
}

/// An amount in words beside its cents, where it has parts of one.
fn with_words(mut json: Value, value: Amount) -> Value {
    if value.part() != 0 {
        json["value_str"] = value.decimal().into();
    }
    json
}

fn number(amount: Amount) -> Value {
    serde_json::from_str(&amount.to_string()).expect("digits are a number")
}

/// Whose it is: by the first address, which its owners know.
fn wallet(file: &SigningFile) -> String {
    let hash = file.account.hashes(0..1)[0];
    let first = file.account.address(file.network, hash);
    match &file.account {
        AddressKeys::Multisig(all) => format!(
            "wallet of {} participants, of whom {} must sign, whose first address is {first}",
            all.len(),
            all.num_signatures()
        ),
        AddressKeys::Account(_) | AddressKeys::List(_) => format!("wallet whose first address is {first}"),
    }
}

fn paid(file: &SigningFile, place: usize, output: &Output) -> String {
    let transaction = &file.transaction;
    let what = match transaction.token_at(output.token_data) {
        None => what(output.value, output.token_data, None),
        token => what(output.value, output.token_data, token),
    };
    let lock = match Script::parse(&output.script, file.network) {
        Some(Script::Pay { timelock: Some(until), .. }) => {
            format!(", locked until {} UTC", utc(until.into()))
        }
        Some(Script::Data(kept)) => {
            return format!("Keeps {:?} on the ledger for good, for {what}.", clean(&kept));
        }
        _ => String::new(),
    };
    let to = to(&output.script, file.network);
    match own_output(file, place) {
        Some(index) => format!("Gives {what} back to the wallet: its address {index}, {to}{lock}."),
        None => format!("Gives {what} to {to}{lock}."),
    }
}

fn own_output(file: &SigningFile, place: usize) -> Option<u32> {
    file.outputs.iter().find(|(own, _)| usize::from(*own) == place).map(|(_, index)| *index)
}

/// What becomes of tokens, and of rights to make them.
fn supply(file: &SigningFile, found: &Inspected) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(created) = &file.transaction.creates {
        lines.push(format!("Creates the token {:?} ({}).", clean(&created.name), clean(&created.symbol)));
    }
    for (token, sum) in &found.supply {
        let how_much = amount(sum.abs(), Some(*token));
        lines.push(match sum.is_negative() {
            false => format!("Mints {how_much}."),
            true => format!("Melts {how_much}: it is gone for good."),
        });
    }
    for (token, bit) in &found.lost {
        let right = if *bit == Output::MINT { "mint" } else { "melt" };
        lines.push(format!("The right to {right} token {token} is spent and not made again."));
    }
    lines
}

/// An amount, or rights.
fn what(value: Amount, token_data: TokenData, token: Option<TokenUid>) -> String {
    if !token_data.is_authority() {
        return amount(value, token);
    }
    let of = token.map_or_else(|| "the new token".to_owned(), |token| format!("token {token}"));
    let has = |bit: u8| value.cents() & u128::from(bit) != 0;
    match (has(Output::MINT), has(Output::MELT)) {
        (true, true) => format!("the rights to mint and melt {of}"),
        (true, false) => format!("the right to mint {of}"),
        (false, true) => format!("the right to melt {of}"),
        (false, false) => format!("an unknown right over {of}"),
    }
}

fn amount(amount: Amount, token: Option<TokenUid>) -> String {
    let digits = amount.to_string();
    match token {
        Some(TokenUid::Native) => in_htr(&digits),
        Some(token) => format!("{} of token {token}", decimal(&digits)),
        None => format!("{} of the new token", decimal(&digits)),
    }
}

fn to(script: &[u8], network: Network) -> String {
    address(script, network)
        .map_or_else(|| "a script that this program does not know".to_owned(), |address| address.to_string())
}

fn address(script: &[u8], network: Network) -> Option<String> {
    match Script::parse(script, network)? {
        Script::Pay { to, .. } => Some(Address::to_string(&to)),
        Script::Data(_) => None,
    }
}
