//! Tokens as people name them: by symbol where answers have uids, and the other way round in what is asked;
//! ids of approvals and tasks by their beginnings.

use super::SHORT;
use super::call::Call;
use super::failure::Failure;
use super::service::Service;
use crate::cli::amount::decimal;
use headless_wallet::operations;

use headless_wallet::ledger::TokenUid;
use headless_wallet::net::clean;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Tokens of which names are asked for one answer: who wants more has `tokens`.
const MOST: usize = 100;

/// What is known of tokens, by uid.
#[derive(Default)]
pub struct Names(BTreeMap<String, Known>);

#[derive(Clone, Default)]
pub struct Known {
    pub name: String,
    pub symbol: String,
    /// Whether there are pieces of it, not cents.
    pub is_nft: bool,
}

impl Names {
    /// Of these tokens. What can't be told is left out: uids do as well.
    pub async fn of_uids(service: &Service, uids: BTreeSet<String>) -> Self {
        let mut names = Self::default();
        for uid in uids.into_iter().take(MOST) {
            if let Some(known) = known(service, &uid).await {
                names.0.insert(uid, known);
            }
        }
        names
    }

    /// Adds what an answer itself says of a token that it creates, by its symbol: it has no uid yet.
    pub fn add(&mut self, symbol: &str, known: Known) {
        self.0.insert(symbol.to_owned(), known);
    }
    /// Adds what others know.
    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// What is known of a token.
    pub fn get(&self, uid: &str) -> Option<&Known> {
        self.0.get(uid)
    }

    /// `CFE (00c374c6)`, as anybody can give a token that symbol; all of the uid where there is none.
    pub fn token(&self, uid: &str) -> String {
        match self.0.get(uid) {
            Some(known) if is_uid(uid) => format!("{} ({})", known.symbol, &uid[..SHORT]),
            Some(known) => known.symbol.clone(),
            None => if uid == "00" { "HTR" } else { uid }.to_owned(),
        }
    }

    /// An amount of a token.
    pub fn amount(&self, cents: &str, uid: &str) -> String {
        match self.0.get(uid) {
            Some(known) if known.is_nft => cents.to_owned(),
            _ => decimal(cents),
        }
    }

    /// A text, with symbols in the place of uids, and amounts as their tokens have them.
    pub fn within(&self, text: &str) -> String {
        let mut parts = text.split(CENTS);
        let mut written = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (cents, rest) = part.split_once(' ').unwrap_or((part, ""));
            let uid = rest.lines().flat_map(uids_in).next().unwrap_or_default();
            written += &format!("{} {rest}", self.amount(cents, &uid));
        }
        self.0.keys().filter(|uid| is_uid(uid)).fold(written, |text, uid| text.replace(uid, &self.token(uid)))
    }
}

/// Stands before an amount in a sentence.
const CENTS: char = '\u{1}';

/// An amount of a token, to be written in a sentence: whether it has cents is known when that is shown.
pub fn unnamed(cents: &str, token: &str) -> String {
    format!("{CENTS}{cents} of {token}")
}

/// The uids in a text.
pub fn uids_in(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.filter(|word| is_uid(word)).map(str::to_owned)
}

/// Whether it is a token's own uid, and not HTR's.
pub fn is_uid(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// What the wallet knows of a token's creation, or the full node of the token.
async fn known(service: &Service, uid: &str) -> Option<Known> {
    let field = |name: &str| Map::from_iter([(name.to_owned(), Value::from(uid))]);
    let transaction = Call::get(operations::ONE_TRANSACTION.path, &field("id"));
    if let Ok(answer) = service.ask(&transaction).await
        && let (Some(name), Some(symbol)) =
            (answer.json["token_name"].as_str(), answer.json["token_symbol"].as_str())
    {
        let is_nft = answer.json["outputs"][0]["decoded"]["data"].is_string();
        return Some(Known { name: clean(name), symbol: clean(symbol), is_nft });
    }
    let configuration = Call::get(operations::CONFIGURATION_STRING.path, &field("token"));
    let answer = service.ask(&configuration).await.ok()?;
    // [name:symbol:uid:checksum], where only the name may have colons.
    let text = answer.json["configurationString"].as_str()?.strip_prefix('[')?.strip_suffix(']')?;
    let mut parts = text.rsplitn(4, ':').skip(2);
    let (symbol, name) = (clean(parts.next()?), clean(parts.next()?));
    Some(Known { name, symbol, is_nft: false })
}

/// The tokens that the wallet has, or had, with their balances: HTR first, then by uid.
pub async fn of_wallet(service: &Service) -> Result<Vec<Value>, Failure> {
    let mut answer = service.ask(&Call::get(operations::BALANCES.path, &())).await?.json;
    let Value::Array(mut balances) = answer["balances"].take() else { return Ok(Vec::new()) };
    balances.sort_by_key(|balance| (balance["token"] != "00", balance["token"].to_string()));
    Ok(balances)
}

/// Puts uids in the place of symbols and of short uids, wherever fields name a token.
///
/// For programs (`leaves`), what names no token stays, and the server says so.
pub async fn resolve(
    service: &Service,
    fields: &mut Map<String, Value>,
    leaves: bool,
) -> Result<(), Failure> {
    let mut asked = BTreeSet::new();
    each_token(fields, &mut |text| {
        asked.insert(text.clone());
    });
    asked.retain(|text| text.parse::<TokenUid>().is_err() && !text.is_empty());
    if asked.is_empty() {
        return Ok(());
    }
    let balances = of_wallet(service).await?;
    let uids: Vec<_> = balances.iter().filter_map(|of| of["token"].as_str().map(str::to_owned)).collect();
    let names = Names::of_uids(service, uids.iter().filter(|uid| is_uid(uid)).cloned().collect()).await;
    let mut found = BTreeMap::new();
    for text in asked {
        match one_of(&text, &uids, &names) {
            Ok(uid) => found.insert(text, uid),
            Err(_) if leaves => None,
            Err(failure) => return Err(failure),
        };
    }
    each_token(fields, &mut |text| {
        if let Some(uid) = found.get(text) {
            text.clone_from(uid);
        }
    });
    Ok(())
}

/// The token that is meant.
fn one_of(text: &str, uids: &[String], names: &Names) -> Result<String, Failure> {
    let short = text.to_ascii_lowercase();
    let begins = |uid: &str| text.len() >= SHORT && uid.starts_with(&short);
    let is_called = |uid: &str| names.get(uid).is_some_and(|known| known.symbol == text);
    let meant: Vec<&String> = uids.iter().filter(|uid| is_called(uid) || begins(uid)).collect();
    match meant.as_slice() {
        [uid] => Ok((*uid).clone()),
        [] => Err(Failure::Failed(format!(
            "{text:?} is neither the uid of a token nor the symbol of one in this wallet: `headless-wallet wallet tokens` lists them"
        ))),
        several => {
            let list: Vec<&str> = several.iter().map(|uid| uid.as_str()).collect();
            Err(Failure::Failed(format!(
                "{} tokens of this wallet match {text}: give the uid of the one you mean: {}",
                list.len(),
                list.join(", ")
            )))
        }
    }
}

/// Calls `with` for each token that is named.
fn each_token(fields: &mut Map<String, Value>, with: &mut impl FnMut(&mut String)) {
    for (name, value) in fields {
        match value {
            Value::String(text) if name == "token" => with(text),
            Value::Object(members) if name != "template" => each_token(members, with),
            Value::Array(elements) if name != "template" => {
                elements
                    .iter_mut()
                    .filter_map(Value::as_object_mut)
                    .for_each(|object| each_token(object, with));
            }
            _ => {}
        }
    }
}

// Ids of approvals and tasks by their beginnings, as tables show them.

/// Digits of a whole id.
const WHOLE_ID: usize = 32;
/// The most tasks that a server lists.
const MOST_TASKS: u64 = 1_000;

/// Puts whole ids in the place of beginnings. What begins none stays, and the server says so.
pub async fn resolve_ids(service: &Service, fields: &mut Map<String, Value>) -> Result<(), Failure> {
    let all = Map::new();
    let most = Map::from_iter([("limit".to_owned(), Value::from(MOST_TASKS))]);
    for (name, list, of, query) in [
        ("approvalId", "approvals", &operations::LIST_APPROVALS, &all),
        ("taskId", "tasks", &operations::LIST_TASKS, &most),
    ] {
        let Some(short) = fields.get(name).and_then(Value::as_str) else { continue };
        if !(SHORT..WHOLE_ID).contains(&short.len()) {
            continue;
        }
        let answer = service.ask(&Call::get(of.path, query)).await?.json;
        let ids = answer[list].as_array().into_iter().flatten().filter_map(|one| one[name].as_str());
        let meant: Vec<_> = ids.filter(|id| id.starts_with(short)).collect();
        match meant[..] {
            [] => {}
            [id] => {
                let id = Value::from(id);
                fields.insert(name.to_owned(), id);
            }
            ref several => {
                let (number, several) = (several.len(), several.join(", "));
                return Err(Failure::Failed(format!("{number} {list} begin with {short}: {several}")));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_in_sentences_are_as_their_tokens_have_them() {
        let (cents, pieces) = ("a".repeat(64), "b".repeat(64));
        let mut names = Names::default();
        names.add(&pieces, Known { symbol: "PIC".to_owned(), is_nft: true, ..Known::default() });
        names.add(&cents, Known { symbol: "CFE".to_owned(), ..Known::default() });
        let said = format!("{} is gone.\n{} as well.", unnamed("3", &pieces), unnamed("250", &cents));
        assert_eq!(names.within(&said), "3 of PIC (bbbbbbbb) is gone.\n2.50 of CFE (aaaaaaaa) as well.");
        assert_eq!(names.within(&unnamed("5", "a new token")), "0.05 of a new token");
    }
}
