//! A command's arguments, made of the declared fields of its operation, and the fields that are given by
//! them.

use super::command::{Argument, WalletCommand};
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command};
use headless_wallet::api::{Kind, Literal, Member, Need};
use headless_wallet::json;
use serde_json::{Map, Number, Value};

/// What amounts look like.
const CENTS: &str = "CENTS";

/// Adds the arguments of a command.
pub fn augment(mut clap: Command, command: &'static WalletCommand) -> Command {
    for argument in all(command) {
        clap = clap.arg(argument.arg());
    }
    if let Some((flag, leaves_out, help)) = command.whole {
        clap = clap
            .arg(Arg::new(flag).long(flag).help(help).action(ArgAction::SetTrue).conflicts_with(leaves_out));
    }
    for (id, apart) in [("one of", false), ("not both", true)] {
        let members = if apart { command.not_both } else { command.one_of };
        if !members.is_empty() {
            let ids = all(command).filter(|argument| members.contains(&argument.member.name)).map(|a| a.id());
            clap = clap.group(ArgGroup::new(id).args(ids).required(!apart));
        }
    }
    clap
}

/// The fields that are given.
pub fn fields(command: &'static WalletCommand, matches: &ArgMatches) -> Map<String, Value> {
    let (mut fields, mut parts) = (Map::new(), Vec::new());
    for argument in all(command) {
        let name = argument.member.name.to_owned();
        let mut part = Map::new();
        let fields = if argument.within.is_some() { &mut part } else { &mut fields };
        match argument.form {
            Form::Switch(set) => {
                if matches.get_flag(&argument.id()) {
                    fields.insert(name, Value::Bool(set));
                }
            }
            Form::One => {
                if let Some(value) = matches.get_one::<Value>(&argument.id()) {
                    fields.insert(name, value.clone());
                }
            }
            Form::Many | Form::Object { .. } => {
                let values = matches.get_many::<Value>(&argument.id()).into_iter().flatten().cloned();
                let values: Vec<_> = values.collect();
                if values.is_empty() && argument.within.is_some() {
                    continue;
                }
                if let Value::Array(list) = fields.entry(name).or_insert_with(|| Value::Array(Vec::new())) {
                    list.extend(values);
                }
            }
            Form::ByName => {
                let pairs = matches.get_many::<Value>(&argument.id()).into_iter().flatten();
                let pairs = pairs.filter_map(Value::as_object).flatten();
                let pairs: Map<_, _> = pairs.map(|(name, value)| (name.clone(), value.clone())).collect();
                if !pairs.is_empty() {
                    fields.insert(name, Value::Object(pairs));
                }
            }
        }
        parts.extend(argument.within.filter(|_| !part.is_empty()).map(|within| (within, part)));
    }
    for (name, part) in parts {
        let field = fields.entry(name).or_insert_with(|| Value::Object(Map::new()));
        field.as_object_mut().expect("parts are of objects").extend(part);
    }
    if let Some((flag, leaves_out, _)) = command.whole
        && matches.get_flag(flag)
    {
        fields.remove(leaves_out);
    }
    fields
}

/// An argument and the field that it gives.
struct Declared {
    member: Member,
    /// The field that it is a part of, if it is.
    within: Option<&'static str>,
    /// Its name with two hyphens before it; none where its place says what it is.
    flag: Option<String>,
    form: Form,
    default: Option<&'static str>,
    /// What it means, where that is not what the field means.
    help: Option<&'static str>,
    /// Whether it must be given.
    required: bool,
}

/// How a field is given.
enum Form {
    One,
    /// As often as there are values.
    Many,
    /// Sets a yes or no to this.
    Switch(bool),
    /// As often as there are objects, each of these members, of which so many must be there.
    Object {
        members: Vec<Member>,
        least: usize,
        with: Option<(&'static str, &'static str)>,
    },
    /// As often as there are pairs of a name and its value.
    ByName,
}

/// All arguments of a command: first those that their places tell, in their order.
fn all(command: &'static WalletCommand) -> impl Iterator<Item = Declared> {
    let members = command.members();
    let member = |name: &str| members.iter().find(|member| member.name == name).copied();
    let places = command.places.iter().filter_map(|name| member(name));
    let places = places.map(|member| command.declare(member, None, true)).collect::<Vec<_>>();
    let others = members.iter().filter(|member| !command.places.contains(&member.name));
    let others = others.flat_map(|member| {
        let given: Vec<_> = command.given_by(member.name).collect();
        match given.is_empty() {
            true => vec![command.declare(*member, None, false)],
            false => given.into_iter().map(|given| command.declare(*member, Some(given), false)).collect(),
        }
    });
    places.into_iter().chain(others.collect::<Vec<_>>())
}

impl WalletCommand {
    /// The ways in which a field is given, where they are not the usual one.
    fn given_by(&self, name: &str) -> impl Iterator<Item = &'static Argument> {
        self.arguments.iter().filter(move |given| given.member == name)
    }

    fn declare(&self, member: Member, given: Option<&'static Argument>, in_place: bool) -> Declared {
        let given = given.or_else(|| self.given_by(member.name).next());
        let within = given.and_then(|given| given.part).map(|_| member.name);
        let member = given.and_then(|given| part(member, given.part?)).unwrap_or(member);
        let member = match given {
            Some(given) if given.counts => Member { kind: Kind::Integer(Some(1), None), ..member },
            _ => member,
        };
        let usual = member.name.replace('_', "-");
        let form = match member.kind {
            Kind::Flag | Kind::StrictFlag => Form::Switch(member.default != Some(Literal::Flag(true))),
            Kind::Array { of: Kind::Object { members, any_of }, .. } => {
                object(members, any_of, given.expect("objects are given by an argument of their own"))
            }
            Kind::Array { .. } => Form::Many,
            Kind::HexByName => Form::ByName,
            _ => Form::One,
        };
        let flag = given.map(|given| given.flag.to_owned()).unwrap_or(match form {
            Form::Switch(false) => format!("no-{usual}"),
            _ => usual,
        });
        let default = self.defaults.iter().find(|(name, _)| *name == member.name).map(|(_, value)| *value);
        let help = given.and_then(|given| given.help);
        let required = member.need == Need::Required && self.given_by(member.name).count() <= 1;
        Declared { required, member, within, flag: (!in_place).then_some(flag), form, default, help }
    }
}

/// A part of a field that is an object.
fn part(field: Member, name: &str) -> Option<Member> {
    let Kind::Object { members, .. } = field.kind else { return None };
    members.iter().find(|member| member.name == name).copied()
}

fn object(members: &'static [Member], any_of: &[&[&str]], given: &Argument) -> Form {
    let member = |name: &&str| *members.iter().find(|member| member.name == *name).expect("it is declared");
    let needed = any_of.iter().find(|names| names.contains(&given.of[0])).copied().unwrap_or_default();
    let least = given.of.iter().filter(|name| any_of.is_empty() || needed.contains(name)).count();
    Form::Object { members: given.of.iter().map(member).collect(), least, with: given.with }
}

impl Declared {
    fn id(&self) -> String {
        self.flag.clone().unwrap_or_else(|| self.member.name.to_owned())
    }

    fn arg(&self) -> Arg {
        let mut arg = Arg::new(self.id()).help(self.help()).required(self.required);
        if let Some(flag) = &self.flag {
            arg = arg.long(flag.clone());
        }
        if self.member.name == "change_address" && self.flag.is_some() {
            arg = arg.visible_alias("change");
        }
        if let Some(default) = self.default {
            arg = arg.default_value(default);
        }
        let (member, several) =
            (self.member, if self.flag.is_some() { ArgAction::Append } else { ArgAction::Set });
        match &self.form {
            Form::Switch(_) => arg.action(ArgAction::SetTrue),
            Form::One => {
                arg.value_name(value_name(&member)).value_parser(move |text: &str| value(&member, text))
            }
            Form::Many => {
                let arg = if self.flag.is_some() { arg } else { arg.num_args(1..) };
                let element = element(member);
                let arg = arg.value_name(value_name(&element)).action(several);
                arg.value_parser(move |text: &str| value(&element, text))
            }
            Form::ByName => {
                arg.value_name("XPUB:HEX").action(ArgAction::Append).value_parser(|text: &str| {
                    let (name, value) = text.split_once(':').ok_or("must be XPUB:HEX")?;
                    Ok::<_, &str>(Value::Object(Map::from_iter([(name.to_owned(), value.into())])))
                })
            }
            Form::Object { members, least, with } => {
                let (members, least, with) = (members.clone(), *least, *with);
                let name = shape(&members, least);
                let arg = arg.value_name(name).action(several);
                let arg = if self.flag.is_some() { arg } else { arg.num_args(1..) };
                arg.value_parser(move |text: &str| parse_object(&members, least, with, text))
            }
        }
    }

    /// What the field means, and what stands for it if it is not given.
    fn help(&self) -> String {
        let meaning = self.help.unwrap_or(self.member.meaning).trim().trim_end_matches('.');
        let mut help = match meaning.strip_prefix("Whether ") {
            Some(fact) => capitalized(fact),
            None => meaning.to_owned(),
        };
        if self.flag.is_some() && matches!(self.form, Form::Many | Form::Object { .. } | Form::ByName) {
            help += ". May be repeated";
        }
        match self.member.default {
            Some(Literal::Number(number)) if self.default.is_none() => {
                help += &format!(" [default: {number}]")
            }
            Some(Literal::Text("00")) => help += " [default: HTR]",
            Some(Literal::Text(text)) => help += &format!(" [default: {text}]"),
            _ => {}
        }
        help
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().to_string() + letters.as_str())
}

/// The member that an element of an array is.
fn element(member: Member) -> Member {
    match member.kind {
        Kind::Array { of, .. } => Member { kind: *of, ..member },
        _ => member,
    }
}

/// `ADDRESS:CENTS[:UID]`, where so many must be there.
fn shape(members: &[Member], least: usize) -> String {
    let mut shape = String::new();
    for (place, member) in members.iter().enumerate() {
        let colon = if place > 0 { ":" } else { "" };
        let part = colon.to_owned() + &value_name(member);
        shape += &if place < least { part } else { format!("[{part}]") };
    }
    shape
}

/// What stands for a value in a usage line.
fn value_name(member: &Member) -> String {
    match member.kind {
        Kind::Address => "ADDRESS".to_owned(),
        Kind::Amount | Kind::Integer(None, _) => CENTS.to_owned(),
        Kind::Integer(..) if member.name == "ttl" => "MS".to_owned(),
        Kind::Integer(..) if member.name == "amount" => "COUNT".to_owned(),
        Kind::Integer(..) if member.name == "index" => "INDEX".to_owned(),
        Kind::Integer(..) => "N".to_owned(),
        Kind::Numbers(numbers) => numbers.iter().map(u8::to_string).collect::<Vec<_>>().join("|"),
        Kind::OneOf(texts) => texts.join("|"),
        _ if member.name == "password" => "FILE".to_owned(),
        _ if is_token(member) => "UID".to_owned(),
        Kind::TransactionId => "HASH".to_owned(),
        Kind::Hex => "HEX".to_owned(),
        Kind::ShortText(_) if member.name == "data" => "TEXT".to_owned(),
        _ => spelled(member.name).to_uppercase(),
    }
}

/// `proposalId` and `proposal_id` as `proposal-id`.
fn spelled(name: &str) -> String {
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

fn is_token(member: &Member) -> bool {
    matches!(member.kind, Kind::Token | Kind::TokenUid) || member.name == "token"
}

/// A field's value, of a text. Limits and meaning are the server's to check.
fn value(member: &Member, text: &str) -> Result<Value, String> {
    let number = |wrong: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse::<i128>().ok().and_then(Number::from_i128);
        let number = number.or_else(|| text.parse().ok().and_then(Number::from_u128));
        number.filter(|_| digits).map(Value::Number).ok_or_else(|| wrong.to_owned())
    };
    match member.kind {
        Kind::Amount | Kind::Integer(None, _) => number("amounts are whole numbers of cents: 1250 is 12.50"),
        Kind::Integer(..) | Kind::Numbers(_) => number("must be a whole number"),
        _ if member.name == "password" => {
            let read = std::fs::read_to_string(text).map_err(|error| format!("can't be read: {error}"))?;
            Ok(read.trim_end_matches(['\r', '\n']).into())
        }
        Kind::Any => Ok(json::read(text.as_bytes()).unwrap_or_else(|_| text.into())),
        Kind::Object { .. } => json::read(text.as_bytes()).map_err(|error| format!("must be JSON: {error}")),
        _ if is_token(member) && text.eq_ignore_ascii_case("HTR") => Ok("00".into()),
        _ => Ok(text.into()),
    }
}

/// An object of what stands between colons.
fn parse_object(
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
    Ok(Value::Object(object))
}
