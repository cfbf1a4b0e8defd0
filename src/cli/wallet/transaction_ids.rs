//! Transactions named by the beginning of their id, as git names commits: where an operation takes an id of
//! the wallet's history, its first digits do, if no other transaction there begins with them.

use super::call::Call;
use super::failure::Failure;
use super::service::Service;
use headless_wallet::api::{Kind, Member};
use headless_wallet::operations::{self, Operation};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Fewest digits that name a transaction.
const LEAST: usize = 4;
/// Digits of a whole id.
const WHOLE: usize = 64;
/// Digits after the leading zeros, which the proof of work makes, that tables show.
const SHOWN: usize = 8;
/// Transactions asked for at a time.
const PAGE: u32 = 1_000;
/// Ids listed where several begin alike.
const LISTED: usize = 5;

/// The beginning of an id that is enough for people; a text that is no id, or an id with an index, stays so.
pub fn short(text: &str) -> String {
    let (id, rest) = text.split_once(':').map_or((text, None), |(id, rest)| (id, Some(rest)));
    if id.len() != WHOLE || !is_hex(id) {
        return text.to_owned();
    }
    let zeros = id.len() - id.trim_start_matches('0').len();
    let id = &id[..(zeros + SHOWN).min(WHOLE)];
    rest.map_or_else(|| id.to_owned(), |rest| format!("{id}:{rest}"))
}

/// Puts whole ids in the place of beginnings. For programs (`leaves`), a beginning of none stays, and the
/// server says so.
pub async fn resolve(
    service: &Service,
    operation: &Operation,
    fields: &mut Map<String, Value>,
    leaves: bool,
) -> Result<(), Failure> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    each(operation.members(), fields, &mut |text| {
        if (LEAST..WHOLE).contains(&text.len()) && is_hex(text) {
            found.insert(text.clone(), BTreeSet::new());
        }
    });
    if found.is_empty() {
        return Ok(());
    }
    search(service, &mut found).await?;
    for (beginning, ids) in &found {
        match ids.len() {
            1 => {}
            0 if leaves => {}
            0 => {
                return Err(Failure::Failed(format!(
                    "no transaction of this wallet begins with {beginning}: `headless-wallet wallet history` lists them"
                )));
            }
            number => {
                let listed: Vec<_> = ids.iter().take(LISTED).map(String::as_str).collect();
                let more = if number > LISTED { ", …" } else { "" };
                return Err(Failure::Failed(format!(
                    "{number} transactions of this wallet begin with {beginning}, so give more digits: {}{more}",
                    listed.join(", ")
                )));
            }
        }
    }
    each(operation.members(), fields, &mut |text| {
        if let Some(id) = found.get(text.as_str()).and_then(BTreeSet::first) {
            text.clone_from(id);
        }
    });
    Ok(())
}

/// Looks for the beginnings in the whole history, page by page.
async fn search(service: &Service, found: &mut BTreeMap<String, BTreeSet<String>>) -> Result<(), Failure> {
    let mut query = Map::from_iter([("limit".to_owned(), Value::from(PAGE))]);
    loop {
        let page = service.ask(&Call::get(operations::TX_HISTORY.path, &query)).await?.json;
        let ids = page.as_array().into_iter().flatten().filter_map(|entry| entry["tx_id"].as_str());
        let (mut last, mut count) = (None, 0);
        for id in ids {
            for (beginning, ids) in &mut *found {
                if starts_with(id, beginning) {
                    ids.insert(id.to_owned());
                }
            }
            (last, count) = (Some(id), count + 1);
        }
        match last {
            Some(last) if count == PAGE => query.insert("before".to_owned(), Value::from(last)),
            _ => return Ok(()),
        };
    }
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// In either case, as ids are read.
fn starts_with(id: &str, beginning: &str) -> bool {
    id.get(..beginning.len()).is_some_and(|digits| digits.eq_ignore_ascii_case(beginning))
}

/// Calls `with` for each transaction of the history that these fields name.
fn each(members: &[Member], fields: &mut Map<String, Value>, with: &mut impl FnMut(&mut String)) {
    for member in members {
        if let Some(value) = fields.get_mut(member.name) {
            // Those of inputs have patterns of their own in proposals and swaps.
            let is_input = matches!(member.name, "hash" | "txId");
            let kind = if is_input { Kind::TransactionId } else { member.kind };
            of_kind(kind, value, with);
        }
    }
}

fn of_kind(kind: Kind, value: &mut Value, with: &mut impl FnMut(&mut String)) {
    match (kind, value) {
        (Kind::TransactionId, Value::String(text)) => with(text),
        (Kind::Array { of, .. }, Value::Array(elements)) => {
            elements.iter_mut().for_each(|element| of_kind(*of, element, with));
        }
        (Kind::Object { members, .. }, Value::Object(fields)) => each(members, fields, with),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_shown_by_eight_digits_after_the_zeros_of_the_proof_of_work() {
        let id = format!("00000{}", "ab".repeat(29) + "c");
        assert_eq!(short(&id), "00000abababab");
        assert_eq!(short(&format!("{id}:7")), "00000abababab:7");
        assert_eq!(short(&"0".repeat(64)), "0".repeat(64));
        for text in ["", "00", "no funds", "W:1", &"x".repeat(64)] {
            assert_eq!(short(text), text);
        }
    }
}
