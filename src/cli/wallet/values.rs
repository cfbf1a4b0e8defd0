//! A field's value as it stands on the command line.

use super::from_file;
use crate::cli::amount;
use headless_wallet::api::{Kind, Length, Member};
use headless_wallet::calendar::UtcTime;
use headless_wallet::json;
use serde_json::{Map, Number, Value, json};

/// What amounts look like.
const AMOUNT: &str = "AMOUNT";

/// `ADDRESS:AMOUNT[:TOKEN]`, where so many must be there.
pub fn shape(members: &[Member], least: usize) -> String {
    let mut shape = String::new();
    for (place, member) in members.iter().enumerate() {
        let colon = if place > 0 { ":" } else { "" };
        let part = colon.to_owned() + &value_name(member);
        shape += &if place < least { part } else { format!("[{part}]") };
    }
    shape
}

/// What stands for a value in a usage line.
pub fn value_name(member: &Member) -> String {
    match member.kind {
        Kind::Address => "ADDRESS".to_owned(),
        _ if is_amount(member) => AMOUNT.to_owned(),
        Kind::Integer(..) if member.name == "ttl" => "MS".to_owned(),
        Kind::Integer(..) if member.name == "since" => "TIME".to_owned(),
        Kind::Integer(..) if member.name == "amount" => "COUNT".to_owned(),
        Kind::Integer(..) if member.name == "index" => "INDEX".to_owned(),
        Kind::Integer(..) => "N".to_owned(),
        Kind::Numbers(numbers) => numbers.iter().map(u8::to_string).collect::<Vec<_>>().join("|"),
        Kind::OneOf(texts) => texts.join("|"),
        _ if member.length == Length::File => "FILE".to_owned(),
        _ if is_token(member) => "TOKEN".to_owned(),
        Kind::TransactionId => "HASH".to_owned(),
        Kind::Hex => "HEX".to_owned(),
        Kind::ShortText(_) if member.name == "data" => "TEXT".to_owned(),
        _ => spelled(member.name).to_uppercase(),
    }
}

/// `proposalId` and `proposal_id` as `proposal-id`.
pub fn spelled(name: &str) -> String {
    let mut spelled = String::with_capacity(name.len() + 1);
    for letter in name.chars() {
        match letter {
            '_' => spelled.push('-'),
            letter if letter.is_ascii_uppercase() => {
                spelled.push('-');
                spelled.push(letter.to_ascii_lowercase());
            }
            letter => spelled.push(letter),
        }
    }
    spelled
}

/// Whether it is written with two decimals. A count has a least value, and an upper bound of amounts none.
fn is_amount(member: &Member) -> bool {
    matches!(member.kind, Kind::Amount | Kind::Integer(None, _)) || member.name == "max_fee"
}

/// What a field means, in the words of the command line: it takes amounts with two decimals, and tokens by
/// their symbols.
pub fn meaning(member: &Member, declared: &str) -> String {
    if is_amount(member) {
        return declared
            .replace("In cents", "How much, in cents")
            .replace(", in cents", ", such as 12.50 or 1250 cents");
    }
    if member.name == "since" {
        return declared.replace("in Unix seconds", "in UTC, such as 2026-01-31 or 2026-01-31T18:30:00");
    }
    if !is_token(member) {
        return declared.to_owned();
    }
    let declared =
        declared.replace("; `00` is HTR", "").replace("The token's uid", "The token's symbol or uid");
    declared.replace("The uid of the token", "The symbol or uid of the token")
}

fn is_token(member: &Member) -> bool {
    matches!(member.kind, Kind::Token | Kind::TokenUid) || member.name == "token"
}

/// The member of an amount that says of what it is, until [`settle`] has taken it.
const UNIT: &str = "unit of an amount";

/// A field's value, of a text. Limits and meaning are the server's to check.
pub fn value(member: &Member, text: &str) -> Result<Value, String> {
    match member.kind {
        _ if is_amount(member) => {
            let (cents, unit) = amount::read(text)?;
            // Fees are in HTR.
            let is_fee = |unit: &&str| member.name == "max_fee" && unit.eq_ignore_ascii_case("HTR");
            let unit = unit.filter(|unit| !is_fee(unit));
            let is_more = !cents.starts_with('-') && cents.bytes().any(|digit| digit != b'0');
            if member.kind == Kind::Amount && !is_more {
                return Err("must be more than 0".to_owned());
            }
            let cents = number(&cents, amount::WRONG)?;
            Ok(unit.map_or(cents.clone(), |unit| json!({UNIT: unit, "cents": cents})))
        }
        Kind::Integer(..) if member.name == "since" => time(text),
        Kind::Integer(..) | Kind::Numbers(_) => number(text, "must be a whole number"),
        kind if member.length == Length::File => {
            let read = from_file::read(text)?;
            match kind {
                Kind::Any => json::read(read.as_bytes()).map_err(|error| format!("must be JSON: {error}")),
                _ => Ok(read.trim_end_matches(['\r', '\n']).into()),
            }
        }
        Kind::Any => Ok(json::read(text.as_bytes()).unwrap_or_else(|_| text.into())),
        Kind::Object { .. } => json::read(text.as_bytes()).map_err(|error| format!("must be JSON: {error}")),
        _ if is_token(member) && text.eq_ignore_ascii_case("HTR") => Ok("00".into()),
        _ => Ok(text.into()),
    }
}

/// Takes the units of amounts for the token that stands beside them.
pub fn settle(object: &mut Map<String, Value>, takes_token: bool) -> Result<(), String> {
    let mut units = Vec::new();
    for value in object.values_mut() {
        if let Some(unit) = value.get(UNIT).and_then(Value::as_str).map(str::to_owned) {
            units.push(unit);
            *value = value["cents"].take();
        }
    }
    for unit in units {
        if !takes_token {
            return Err(format!("write the amount without {unit:?} here, such as 15.00"));
        }
        let unit = if unit.eq_ignore_ascii_case("HTR") { "00".to_owned() } else { unit };
        let token = object.entry("token").or_insert_with(|| unit.as_str().into());
        if *token != unit.as_str() {
            let shown = |uid: &str| if uid == "00" { "HTR".to_owned() } else { uid.to_owned() };
            let token = shown(token.as_str().unwrap_or_default());
            return Err(format!(
                "the amount is in {}, but the token is {token}: which one do you mean?",
                shown(&unit)
            ));
        }
    }
    Ok(())
}

/// Unix seconds.
fn time(text: &str) -> Result<Value, String> {
    let has_zone = text.ends_with('Z') || !text.contains('T');
    let whole = if has_zone { text.to_owned() } else { format!("{text}Z") };
    let time = UtcTime::parse(&whole).ok_or("must be a time such as 2026-01-31 or 2026-01-31T18:30:00")?;
    Ok(time.to_unix().into())
}

fn number(text: &str, wrong: &str) -> Result<Value, String> {
    let number = text.parse::<i128>().ok().and_then(Number::from_i128);
    let number = number.or_else(|| text.parse().ok().and_then(Number::from_u128));
    number.filter(|_| amount::is_whole(text)).map(Value::Number).ok_or_else(|| wrong.to_owned())
}

/// An object of what stands between colons.
pub fn parse_object(
    members: &[Member],
    least: usize,
    with: Option<(&'static str, &'static str)>,
    text: &str,
) -> Result<Value, String> {
    let parts: Vec<_> = if members.len() == 1 { vec![text] } else { text.split(':').collect() };
    if !(least..=members.len()).contains(&parts.len()) {
        return Err(format!("must be {}", shape(members, least)));
    }
    let mut object = Map::new();
    object.extend(with.map(|(name, value)| (name.to_owned(), value.into())));
    for (member, part) in members.iter().zip(parts) {
        object.insert(member.name.to_owned(), value(member, part)?);
    }
    settle(&mut object, members.iter().any(is_token))?;
    Ok(Value::Object(object))
}
